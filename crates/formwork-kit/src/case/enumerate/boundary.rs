//! Boundary values: of numbers by their shape, of counts by what is there, of texts.

use formwork_records::generate::number::boundaries;
use formwork_records::schema::Layout;
use formwork_variant::generate::interesting::{Alone, COUNTS, TEXTS};

/// Returns the boundary values of a number or word of this shape, as bits; `now` is its present value.
pub(super) fn values(shape: Layout, now: u64) -> Vec<u64> {
    match shape {
        // Each bit by itself turned over, and all.
        Layout::Word(word) => {
            let width = 8 * u32::from(word.bytes);
            (0..width).map(|bit| now ^ 1 << bit).chain([u64::MAX >> (64 - width)]).collect()
        }
        number => boundaries(number),
    }
}

/// Returns wrong values for a correct count: its neighbours, one more than the remaining bytes can hold, and the limits
/// of 32-bit arithmetic.
pub(super) fn lies(now: u64, left: usize, element: usize) -> Vec<u64> {
    let fits = left.checked_div(element).unwrap_or(left) as u64;
    let mut values = vec![0, now.wrapping_sub(1), now + 1, fits, fits + 1, left as u64 + 1];
    values.extend(COUNTS.iter().map(|&count| u64::from(count)));
    values.extend([now | 0x8000_0000, now ^ 0x8000_0000]);
    values.iter().map(|value| value & 0xffff_ffff).collect()
}

/// The letters that texts are made of.
pub(super) const LETTERS: &[u8] = b"abcdefghi";

/// Texts: every length around the multiples of four, then odd sequences, where it matters at each
/// distance from the next multiple.
pub(super) fn texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<_> = (0..=LETTERS.len()).map(|length| LETTERS[..length].to_vec()).collect();
    for text in TEXTS {
        let most = match text.alone {
            Alone::AtEachDistance => 4,
            Alone::Once => 1,
            Alone::No => 0,
        };
        for before in 0..most {
            texts.push([&LETTERS[..before], text.bytes].concat());
        }
    }
    texts
}
