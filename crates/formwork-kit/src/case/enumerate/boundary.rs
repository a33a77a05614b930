//! Boundary values: of numbers by their shape, of counts by what is there, of texts.

use formwork::generate::number::boundaries;
use formwork::schema::Shape;

use crate::case::counts::WRONG_COUNTS;

/// The boundary values of a number or word of this shape, as its bits; `now` is what stands there.
pub(super) fn values(shape: Shape, now: u64) -> Vec<u64> {
    match shape {
        // Each bit by itself turned over, and all.
        Shape::Word(word) => {
            let width = 8 * u32::from(word.bytes);
            (0..width).map(|bit| now ^ 1 << bit).chain([u64::MAX >> (64 - width)]).collect()
        }
        number => boundaries(number),
    }
}

/// What to put in place of a correct count: the numbers around it, one more than the bytes that are
/// left can hold, and those at which 32-bit arithmetic ends.
pub(super) fn lies(now: u64, left: usize, element: usize) -> Vec<u64> {
    let fits = left.checked_div(element).unwrap_or(left) as u64;
    let mut values = vec![0, now.wrapping_sub(1), now + 1, fits, fits + 1, left as u64 + 1];
    values.extend(WRONG_COUNTS.iter().map(|&count| u64::from(count)));
    values.extend([now | 0x8000_0000, now ^ 0x8000_0000]);
    values.iter().map(|value| value & 0xffff_ffff).collect()
}

/// What readers of UTF-8 stumble over; the last column says whether it is tried at each distance
/// from the next multiple of four.
pub(super) const SEQUENCES: &[(&[u8], bool)] = &[
    ("é".as_bytes(), true),
    ("€".as_bytes(), true),
    ("😀".as_bytes(), true),
    // A zero byte, a byte order mark.
    (b"\0", true),
    (b"\xef\xbb\xbf", true),
    (b"\0a", false),
    (b"a\0b", false),
    (b"\xef\xbb\xbfa", false),
    // The first and last of each length; around the surrogates; no characters.
    (b"\x7f", false),
    (b"\xc2\x80", false),
    (b"\xdf\xbf", false),
    (b"\xe0\xa0\x80", false),
    (b"\xed\x9f\xbf", false),
    (b"\xee\x80\x80", false),
    (b"\xef\xbf\xbd", false),
    (b"\xef\xbf\xbe", false),
    (b"\xef\xbf\xbf", false),
    (b"\xf0\x90\x80\x80", false),
    (b"\xf4\x8f\xbf\xbf", false),
    // Surrogates: high, low, a pair, the wrong way round.
    (b"\xed\xa0\x80", false),
    (b"\xed\xbf\xbf", false),
    (b"\xed\xa0\xbd\xed\xb8\x80", false),
    (b"\xed\xb8\x80\xed\xa0\xbd", false),
    // Longer forms than needed.
    (b"\xc0\x80", false),
    (b"\xc1\xbf", false),
    (b"\xe0\x80\x80", false),
    (b"\xe0\x9f\xbf", false),
    (b"\xf0\x80\x80\x80", false),
    (b"\xf0\x8f\xbf\xbf", false),
    // Beyond Unicode; forms of five and six bytes.
    (b"\xf4\x90\x80\x80", false),
    (b"\xf7\xbf\xbf\xbf", false),
    (b"\xf8\x88\x80\x80\x80", false),
    (b"\xfb\xbf\xbf\xbf\xbf", false),
    (b"\xfc\x84\x80\x80\x80\x80", false),
    (b"\xfd\xbf\xbf\xbf\xbf\xbf", false),
    (b"\xfe", false),
    (b"\xff", false),
    // A rest without a start, a start without its rest.
    (b"\x80", false),
    (b"\xbf", false),
    (b"\xc2", true),
    (b"\xe2\x82", true),
    (b"\xf0\x9f\x98", true),
    (b"\xc2a", false),
    (b"\xe2\x82a", false),
    (b"\xf0\x9f\x98a", false),
    // What the text forms of values give a meaning.
    (b"\"", false),
    (b"\\", false),
    (b"\n", false),
    (b"/", false),
    (b":", false),
    (b"..", false),
    (b"__proto__", false),
    (b"%s%n", false),
];

/// The letters that texts are made of.
pub(super) const LETTERS: &[u8] = b"abcdefghi";

/// Texts: every length around the multiples of four, then odd sequences, where it matters at each
/// distance from the next multiple.
pub(super) fn texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<_> = (0..=LETTERS.len()).map(|length| LETTERS[..length].to_vec()).collect();
    for (sequence, everywhere) in SEQUENCES {
        let most = if *everywhere { 4 } else { 1 };
        for before in 0..most {
            texts.push([&LETTERS[..before], sequence].concat());
        }
    }
    texts
}
