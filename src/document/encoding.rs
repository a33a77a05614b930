//! The encodings of JSON text.

use std::borrow::Cow;

use super::rule;
use crate::error::{Error, Result};

/// The mark that some editors put before a text.
pub(super) const MARK: &[u8] = "\u{feff}".as_bytes();

/// How the characters of a text are stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Encoding {
    /// UTF-8; a mark is part of the text.
    Utf8,
    /// UTF-16.
    Utf16 {
        /// Whether the high byte is first.
        is_big: bool,
        /// Whether there is a mark.
        is_marked: bool,
    },
    /// A byte for each of the first 256 characters of Unicode.
    Latin1,
}

impl Encoding {
    /// Returns the encoding of bytes that may be JSON.
    pub(super) fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xff, 0xfe, ..] => Self::Utf16 { is_big: false, is_marked: true },
            [0xfe, 0xff, ..] => Self::Utf16 { is_big: true, is_marked: true },
            [b'{' | b'[', 0, 1..=0xff, 0, ..] => Self::Utf16 { is_big: false, is_marked: false },
            [0, b'{' | b'[', 0, 1..=0xff, ..] => Self::Utf16 { is_big: true, is_marked: false },
            _ if is_latin1(bytes) => Self::Latin1,
            _ => Self::Utf8,
        }
    }

    /// Returns the name, where it is worth a word.
    pub(super) fn name(self, text: &[u8]) -> Option<&'static str> {
        match self {
            Self::Utf8 => text.starts_with(MARK).then_some("UTF-8 with a byte order mark"),
            Self::Latin1 => Some("Latin-1"),
            Self::Utf16 { is_big, is_marked } => Some(match (is_big, is_marked) {
                (false, true) => "UTF-16 (little-endian) with a byte order mark",
                (true, true) => "UTF-16 (big-endian) with a byte order mark",
                (false, false) => "UTF-16 (little-endian)",
                (true, false) => "UTF-16 (big-endian)",
            }),
        }
    }

    /// Returns the text in UTF-8. Characters that are none are replaced, and the position of the first is returned.
    pub(super) fn decoded(self, bytes: &[u8]) -> (Cow<'_, [u8]>, Option<usize>) {
        match self {
            Self::Utf8 => (Cow::Borrowed(bytes), None),
            Self::Latin1 => {
                let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
                (Cow::Owned(text.into_bytes()), None)
            }
            Self::Utf16 { is_big, is_marked } => {
                let start = if is_marked { 2 } else { 0 };
                let (pairs, rest) = bytes.get(start..).unwrap_or_default().as_chunks::<2>();
                let unit = if is_big { u16::from_be_bytes } else { u16::from_le_bytes };
                let (mut text, mut first, mut at) = (String::new(), None, start);
                for letter in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
                    if letter.is_err() {
                        first = first.or(Some(at));
                    }
                    let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
                    text.push(letter);
                    at += 2 * letter.len_utf16();
                }
                let cut = (!rest.is_empty()).then_some(bytes.len() - rest.len());
                (Cow::Owned(text.into_bytes()), first.or(cut))
            }
        }
    }

    /// Returns the text in UTF-8.
    pub(super) fn decode(self, bytes: &[u8]) -> Result<Cow<'_, [u8]>> {
        match self.decoded(bytes) {
            (text, None) => Ok(text),
            (_, Some(at)) => {
                let (expected, found) = ("a character of UTF-16", "half of one");
                Err(Error::new(rule::JSON_ENCODING, at as u64, expected, found))
            }
        }
    }

    /// Returns the bytes of a text. Characters that the encoding has not, which only strings have, are escaped.
    pub(super) fn encode(self, text: &[u8]) -> Vec<u8> {
        let letters = || String::from_utf8_lossy(text);
        match self {
            Self::Utf8 => text.to_vec(),
            Self::Latin1 => {
                let mut bytes = Vec::with_capacity(text.len());
                for letter in letters().chars() {
                    match u8::try_from(letter) {
                        Ok(byte) => bytes.push(byte),
                        Err(_) => {
                            for unit in letter.encode_utf16(&mut [0; 2]) {
                                bytes.extend(format!("\\u{unit:04x}").into_bytes());
                            }
                        }
                    }
                }
                bytes
            }
            Self::Utf16 { is_big, is_marked } => {
                let mark = is_marked.then_some(0xfeff_u16);
                let letters = letters();
                let units = mark.into_iter().chain(letters.encode_utf16());
                let bytes =
                    |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                units.flat_map(bytes).collect()
            }
        }
    }

    /// Returns the number of bytes that a part of the text takes.
    pub(super) fn length(self, text: &[u8]) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Latin1 => String::from_utf8_lossy(text).chars().count(),
            Self::Utf16 { .. } => 2 * String::from_utf8_lossy(text).encode_utf16().count(),
        }
    }

    /// Returns the offset in the file of a position in the text.
    pub(super) fn offset(self, text: &[u8], at: u64) -> u64 {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
        let mark = if matches!(self, Self::Utf16 { is_marked: true, .. }) { 2 } else { 0 };
        (mark + self.length(&text[..at])) as u64
    }
}

/// Returns whether bytes that are no UTF-8 are letters of Latin-1: damage has other bytes, too.
fn is_latin1(bytes: &[u8]) -> bool {
    let is_blank = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r');
    let is_letter = |byte: &u8| matches!(byte, b' '..=b'~' | 0xa0..) || is_blank(*byte);
    std::str::from_utf8(bytes).is_err()
        && bytes.iter().all(is_letter)
        && bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_encoded_as_it_was() {
        let of = |text: &str, is_big: bool| -> Vec<u8> {
            let units = text.encode_utf16();
            units.flat_map(|it| if is_big { it.to_be_bytes() } else { it.to_le_bytes() }).collect()
        };
        for bytes in [
            b"{\"a\":\"\xe4\"}".to_vec(),
            "{\"a\":\"\u{e4}\"}".into(),
            "\u{feff}{}".into(),
            of("{\"a\":\"\u{1f600}\"}", false),
            of("{\"a\":\"\u{1f600}\"}", true),
            of("\u{feff}[1]", false),
            of("\u{feff}[1]", true),
        ] {
            let encoding = Encoding::of(&bytes);
            let text = encoding.decode(&bytes).unwrap();
            assert_eq!(encoding.encode(&text), bytes);
            assert_eq!(encoding.offset(&text, text.len() as u64), bytes.len() as u64);
            assert!(std::str::from_utf8(&text).is_ok());
        }
        assert_eq!(Encoding::of(b"\"\xe4\x93\""), Encoding::Utf8);
        assert_eq!(Encoding::of(b"\"\xc3\xa4 \xe4\""), Encoding::Utf8);
        assert_eq!(Encoding::Latin1.encode("\u{e4}\u{1f600}".as_bytes()), b"\xe4\\ud83d\\ude00");
    }
}
