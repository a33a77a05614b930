//! Texts that readers stumble over.

use arbitrary::{Result, Unstructured};

/// What is put into texts: a zero, a byte order mark, surrogates, sequences that are too long, cut,
/// or beyond Unicode; characters of two to four bytes; separators of paths; what languages take for
/// a property of every object.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xed\xb0\x80",
    b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xe0\x80\xaf",
    b"\xf0\x80\x80\xaf",
    b"\xf4\x8f\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xfc\x84\x80\x80\x80\x80",
    b"\x80",
    b"\xc3",
    b"\xe2\x82",
    b"\xf0\x9f\x98",
    b"\xff",
    "\u{e9}".as_bytes(),
    "\u{20ac}".as_bytes(),
    "\u{fffd}".as_bytes(),
    "\u{1f600}".as_bytes(),
    b"/",
    b":",
    b"..",
    b"%s%n",
    b"\"",
    b"\\",
    b"\r\n",
    b"__proto__",
    b"constructor",
];

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
            let piece = u.choose(PIECES)?;
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
