//! Texts that readers stumble over.

use arbitrary::{Result, Unstructured};
use formwork_variant::generate::interesting;

/// Longest text that comes of repeating.
const LONG: usize = 4096;

/// Another text.
pub(super) fn mutated(text: &[u8], u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut text = text.to_vec();
    match u.int_in_range(0..=7_u8)? {
        0 => text.clear(),
        // The lengths around those at which padding changes.
        1 => {
            let length = u.int_in_range(1..=9)?;
            text.resize(length, b'a');
        }
        2 => {
            let byte = u.arbitrary()?;
            if !text.is_empty() {
                let at = u.choose_index(text.len())?;
                if let Some(place) = text.get_mut(at) {
                    *place = byte;
                }
            }
        }
        3 => {
            let times = *u.choose(&[2, 3, 17, 64, 257, 1025])?;
            if text.is_empty() {
                text.push(b'a');
            }
            text = text.iter().copied().cycle().take((text.len() * times).min(LONG)).collect();
        }
        4 => {
            let length = u.int_in_range(0..=text.len())?;
            text.truncate(length);
        }
        _ => {
            let piece = interesting::text(u, |_| true)?;
            // In place of some bytes, or between them; the very start and end more often.
            let at = match u.int_in_range(0..=3_u8)? {
                0 => 0,
                1 => text.len(),
                _ => u.int_in_range(0..=text.len())?,
            };
            let replaced = if u.arbitrary()? { piece.len().min(text.len() - at) } else { 0 };
            text.splice(at..at + replaced, piece.iter().copied());
        }
    }
    Ok(text)
}
