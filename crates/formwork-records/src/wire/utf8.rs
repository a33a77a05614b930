//! UTF-8 as the engines decode it: how far they read, and which invalid forms they accept.

use ascii::AsciiStr;

/// Returns the text of ASCII bytes. (Short ones take half the time of [`str::from_utf8`].)
#[inline]
pub fn from_ascii(bytes: &[u8]) -> Option<&str> {
    AsciiStr::from_ascii(bytes).ok().map(AsciiStr::as_str)
}

/// The sequences of bytes that an engine's decoder accepts. (Tested with the engines themselves, see
/// `formats/*/README.md`.)
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Utf8 {
    /// Godot 4 and Pandemonium: UTF-8 as in the standard. No surrogates, no overlong forms, nothing above U+10FFFF.
    Strict,
    /// Godot 2 and 3 up to 3.4: surrogates, forms of up to six bytes and some overlong forms are
    /// accepted and kept.
    Lax,
    /// Godot 3.5 and 3.6: accepts the same as [`Utf8::Lax`], then joins a surrogate pair to one character and turns a
    /// lone surrogate into a blank.
    LaxJoined,
}

/// The largest number a six-byte form can hold.
const LARGEST: u32 = 0x7fff_ffff;

/// Reads one generalised UTF-8 sequence (up to six bytes, as UTF-8 was first defined) at the start
/// of `bytes`: the number and the sequence's length. Its form need not be the shortest.
///
/// # Errors
///
/// Returns the number of bytes of `bytes` that belong to the broken sequence.
pub fn sequence(bytes: &[u8]) -> Result<(u32, usize), usize> {
    let Some(&lead) = bytes.first() else {
        return Err(0);
    };
    let (length, first) = match lead {
        0x00..=0x7f => return Ok((u32::from(lead), 1)),
        0xc0..=0xdf => (2, lead & 0x1f),
        0xe0..=0xef => (3, lead & 0x0f),
        0xf0..=0xf7 => (4, lead & 0x07),
        0xf8..=0xfb => (5, lead & 0x03),
        0xfc..=0xfd => (6, lead & 0x01),
        _ => return Err(1),
    };
    let mut number = u32::from(first);
    for at in 1..length {
        match bytes.get(at) {
            Some(&next) if next & 0xc0 == 0x80 => number = number << 6 | u32::from(next & 0x3f),
            _ => return Err(at),
        }
    }
    Ok((number, length))
}

/// Appends `number` in its shortest generalised form. Numbers above 0x7FFFFFFF have none, and nothing is appended.
pub fn push(number: u32, out: &mut Vec<u8>) {
    if number > LARGEST {
        return;
    }
    let length = match number {
        0..=0x7f => return out.push(number as u8),
        0x80..=0x7ff => 2,
        0x800..=0xffff => 3,
        0x1_0000..=0x1f_ffff => 4,
        0x20_0000..=0x3ff_ffff => 5,
        _ => 6,
    };
    // The lead byte has as many ones at the top as the sequence has bytes.
    let marks = 0xff00_u16 >> length;
    out.push(marks as u8 | (number >> (6 * (length - 1))) as u8);
    for at in (0..length - 1).rev() {
        out.push(0x80 | (number >> (6 * at)) as u8 & 0x3f);
    }
}

/// Whether the lax decoders refuse `number` in a form of `length` bytes: their test for overlong
/// forms compares with the wrong bounds, so that most overlong forms slip through.
const fn lax_refuses(number: u32, length: usize) -> bool {
    match length {
        2 => number < 0x80,
        3 => number < 0x10,
        4 => number < 0x200,
        5 => number < 0x4000,
        6 => number < 0x8_0000,
        _ => false,
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The result of decoding a string's bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decoded {
    /// The text; if a `String` cannot hold it, its bytes in generalised UTF-8, in shortest forms.
    pub text: Result<String, Vec<u8>>,
    /// Whether writing `text` gives the same bytes again.
    pub canonical: bool,
}

impl Utf8 {
    /// Decodes `bytes` as the engine does: a byte order mark at the start is dropped (unless `keep_mark` is set), and
    /// the first zero byte ends the text, whatever follows it.
    ///
    /// # Errors
    ///
    /// Returns the offset of the sequence that the engine refuses.
    pub fn decode(self, bytes: Vec<u8>, keep_mark: bool) -> Result<Decoded, usize> {
        let mut start = 0;
        if !keep_mark && bytes.starts_with(BYTE_ORDER_MARK) {
            start = BYTE_ORDER_MARK.len();
        }
        let text = &bytes[start..];
        // Searching whether a byte occurs is much faster than finding its position.
        let end = if text.contains(&0) { text.iter().position(|&byte| byte == 0) } else { None };
        let end = end.map(|zero| start + zero);
        if start == 0 && end.is_none() {
            // This is the case of nearly every string: its buffer becomes the text.
            match String::from_utf8(bytes) {
                Ok(text) => {
                    return Ok(Decoded { text: Ok(text), canonical: true });
                }
                Err(error) if self == Self::Strict => return Err(error.utf8_error().valid_up_to()),
                Err(error) => {
                    let bytes = error.into_bytes();
                    return self.decode_lax(&bytes, 0);
                }
            }
        }
        let text = &bytes[start..end.unwrap_or(bytes.len())];
        match std::str::from_utf8(text) {
            Ok(text) => Ok(Decoded { text: Ok(text.to_owned()), canonical: false }),
            Err(error) if self == Self::Strict => Err(start + error.valid_up_to()),
            Err(_) => {
                self.decode_lax(text, start).map(|decoded| Decoded { canonical: false, ..decoded })
            }
        }
    }

    fn decode_lax(self, bytes: &[u8], base: usize) -> Result<Decoded, usize> {
        let mut numbers = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let (number, length) = sequence(&bytes[at..]).map_err(|_| base + at)?;
            if lax_refuses(number, length) {
                return Err(base + at);
            }
            numbers.push(number);
            at += length;
        }
        if self == Self::LaxJoined {
            join_surrogates(&mut numbers, u32::from(b' '));
        }
        let mut text = Vec::with_capacity(bytes.len());
        numbers.iter().for_each(|&number| push(number, &mut text));
        let canonical = text == bytes;
        Ok(Decoded { text: String::from_utf8(text).map_err(|error| error.into_bytes()), canonical })
    }

    /// Whether the engine can hold `number` as a character of a string.
    #[must_use]
    pub const fn can_hold(self, number: u32) -> bool {
        match self {
            Self::Strict => char::from_u32(number).is_some(),
            Self::Lax => number <= LARGEST,
            Self::LaxJoined => number <= LARGEST && !matches!(number, 0xd800..=0xdfff),
        }
    }
}

/// Joins each high surrogate with the low one after it; a lone one becomes `lone`.
pub fn join_surrogates(numbers: &mut Vec<u32>, lone: u32) {
    let mut kept = 0;
    let mut at = 0;
    while at < numbers.len() {
        let (number, taken) = match (numbers[at], numbers.get(at + 1).copied()) {
            (high @ 0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                (0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00), 2)
            }
            (0xd800..=0xdfff, _) => (lone, 1),
            (number, _) => (number, 1),
        };
        numbers[kept] = number;
        kept += 1;
        at += taken;
    }
    numbers.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_form_is_not_appended() {
        let mut text = Vec::new();
        push(0x7fff_ffff, &mut text);
        assert_eq!(sequence(&text), Ok((0x7fff_ffff, 6)));
        push(0x8000_0000, &mut text);
        assert_eq!(text.len(), 6);
    }

    #[test]
    fn every_length_of_sequence_comes_back() {
        for number in [
            0, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x1_0000, 0x1f_ffff, 0x20_0000, 0x3ff_ffff,
            0x400_0000, LARGEST,
        ] {
            let mut bytes = Vec::new();
            push(number, &mut bytes);
            assert_eq!(sequence(&bytes), Ok((number, bytes.len())), "{number:x}");
        }
    }
}
