//! The encodings that a correct decoder may write for a value: its numbers may have other widths.

use crate::Format;
use formwork_variant::VariantType;
use formwork_variant::packet::WideHeader;

/// Bytes of the longest value that is written in other widths: each number is a question to the judge.
const LONGEST: usize = 1 << 12;

/// Returns other encodings of the value that are right as well: those of decoders that keep the bytes of
/// the packet (`taken` is what the value takes of it), or that write all ints, all floats or both in 64 bits.
pub(super) fn others(
    format: Format,
    taken: &[u8],
    value: &[u8],
    is_right: &dyn Fn(&[u8]) -> bool,
) -> Vec<Vec<u8>> {
    let Format::Variant(dialect) = format else { return Vec::new() };
    if value.is_empty() || value.len() > LONGEST {
        return Vec::new();
    }
    let ids: Vec<u32> = [VariantType::Int, VariantType::Float]
        .iter()
        .filter_map(|wanted| dialect.rows().iter().position(|row| row.variant_type == *wanted))
        .filter_map(|id| u32::try_from(id).ok())
        .collect();
    let mut all: Vec<Vec<u8>> = Vec::new();
    let [int, float] = ids[..] else { return Vec::new() };
    let kinds: [&[u32]; 3] = [&[int], &[float], &[int, float]];
    let widened = kinds.map(|kinds| widened(value, kinds, float, is_right));
    for other in [taken.to_vec()].into_iter().chain(widened) {
        if other != *value && !all.contains(&other) && is_right(&other) {
            all.push(other);
        }
    }
    all
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
