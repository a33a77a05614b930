//! Strings: raw bytes, shown as text.

use std::borrow::{Borrow, Cow};
use std::fmt;

/// What the bytes 0x80 to 0x9F stand for in Windows-1252, as the WHATWG's encoding standard has it:
/// the five that the code page leaves open stand for the control characters of the same number, so
/// that every byte is a character and every text leads back to its bytes.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// A string of an ALB1 file: bytes, kept as they are.
///
/// No file with other characters than ASCII was found, so how Terrain Builder writes them is not
/// known. As it is a Windows program, they are shown, and written, in Windows-1252; that is a guess,
/// but no byte is lost by it.
///
/// ```
/// use formwork_variant::alb1::Text;
///
/// let name = Text::from_bytes(*b"caf\xe9");
/// assert_eq!(name.to_str(), "café");
/// assert_eq!(Text::new("café"), Some(name));
/// assert_eq!(Text::new("日本"), None);
/// ```
#[derive(Clone, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Text(Box<[u8]>);

impl Text {
    /// The string of a text; [`None`] where a character is not in Windows-1252.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        text.chars().map(byte_of).collect::<Option<_>>().map(Self)
    }

    /// The string with these bytes.
    #[must_use]
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, for people.
    #[must_use]
    pub fn to_str(&self) -> Cow<'_, str> {
        to_str(&self.0)
    }
}

/// Returns the text that some bytes are: UTF-8, or else Windows-1252.
#[must_use]
pub fn to_str(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes.iter().map(|&byte| char_of(byte)).collect::<String>().into(),
    }
}

fn char_of(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn byte_of(character: char) -> Option<u8> {
    match u8::try_from(character) {
        Ok(byte @ (0..=0x7F | 0xA0..)) => Some(byte),
        _ => {
            let position = WINDOWS_1252.iter().position(|&known| known == character)?;
            u8::try_from(position + 0x80).ok()
        }
    }
}

/// Texts are found by their bytes, by which they are compared, too.
impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.to_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.to_str() == *other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_character_and_back() {
        let all: Vec<u8> = (0..=255).collect();
        let text = Text::from_bytes(all);
        assert_eq!(Text::new(&text.to_str()), Some(text));
    }
}
