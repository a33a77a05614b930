//! The encodings that a correct decoder may write for a value: its numbers may have other widths, and its NaNs be quiet.

use crate::Format;
use formwork_variant::VariantType;
use formwork_variant::packet::WideHeader;

/// Bytes of the longest value that is written in other widths: each number is a question to the judge.
const LONGEST: usize = 1 << 12;

/// Returns other encodings of the value that are right as well: those of decoders that keep the bytes of
/// the packet (`taken` is what the value takes of it), or that write all ints, all floats or both in 64 bits; and each
/// with quiet NaNs only, as hosts make them that move a number through a wider one.
pub(super) fn others(
    format: Format,
    taken: &[u8],
    value: &[u8],
    is_right: &dyn Fn(&[u8]) -> bool,
) -> Vec<Vec<u8>> {
    if value.is_empty() || value.len() > LONGEST {
        return Vec::new();
    }
    let mut tried = vec![value.to_vec(), taken.to_vec()];
    if let Format::Variant(dialect) = format {
        let id = |wanted| dialect.type_id(wanted).map(u32::from);
        if let (Some(int), Some(float)) = (id(VariantType::Int), id(VariantType::Float)) {
            let kinds: [&[u32]; 3] = [&[int], &[float], &[int, float]];
            tried.extend(kinds.map(|kinds| widened(value, kinds, float, is_right)));
        }
    }
    let quiet: Vec<_> = tried.iter().map(|bytes| quieted(bytes, is_right)).collect();
    let mut all: Vec<Vec<u8>> = Vec::new();
    for other in tried.into_iter().chain(quiet) {
        if other != *value && !all.contains(&other) && is_right(&other) {
            all.push(other);
        }
    }
    all
}

/// The value with the NaNs of 64 and of 32 bits quiet, as far as it stays the same value.
fn quieted(value: &[u8], is_right: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut bytes = value.to_vec();
    for at in 0..bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let wide = rest.first_chunk().map(|bytes| f64::from_le_bytes(*bytes));
        let narrow = rest.first_chunk().map(|bytes| f32::from_le_bytes(*bytes));
        let is_wide = wide.is_some_and(|one| one.is_nan() && one.to_bits() & 1 << 51 == 0);
        let is_narrow = narrow.is_some_and(|one| one.is_nan() && one.to_bits() & 1 << 22 == 0);
        for (is_one, byte, bit) in [(is_wide, at + 6, 1 << 3), (is_narrow, at + 2, 1 << 6)] {
            if is_one && let Some(place) = bytes.get_mut(byte) {
                *place |= bit;
                // What looks like a NaN may be something else: then the value is another.
                if !is_right(&bytes)
                    && let Some(place) = bytes.get_mut(byte)
                {
                    *place &= !bit;
                }
            }
        }
    }
    bytes
}

/// The value with the numbers behind headers of these kinds in 64 bits, as far as it stays the same value.
fn widened(value: &[u8], kinds: &[u32], float: u32, is_right: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut bytes = value.to_vec();
    let mut at = 0;
    while let Some(&[a, b, c, d, e, f, g, h]) =
        bytes.get(at..).and_then(|rest| rest.first_chunk::<8>())
    {
        let (header, number) = (u32::from_le_bytes([a, b, c, d]), [e, f, g, h]);
        if kinds.contains(&header) {
            let wide = match header == float {
                true => f64::from(f32::from_le_bytes(number)).to_le_bytes(),
                false => i64::from(i32::from_le_bytes(number)).to_le_bytes(),
            };
            let mut tried = bytes.clone();
            tried.splice(
                at..at + 8,
                WideHeader::from(header).with_flag_64(true).into_bytes().into_iter().chain(wide),
            );
            // What looks like a header may be something else: then the value is another.
            if is_right(&tried) {
                bytes = tried;
                at += 12;
                continue;
            }
        }
        at += 4;
    }
    bytes
}
