//! Strings: raw bytes, shown as text.

use std::borrow::{Borrow, Cow};
use std::fmt;

use formwork_records::windows_1252::byte_of;
pub use formwork_records::windows_1252::to_str;

/// A string of an ALB1 file: bytes, kept as they are.
///
/// No file with other characters than ASCII was found, so how Terrain Builder writes them is not
/// known. As it is a Windows program, they are shown, and written, in Windows-1252; that is a guess,
/// but no byte is lost by it.
///
/// ```
/// use formwork_alb1::Text;
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
