//! Engine strings: nearly always UTF-8; other strings are kept without loss.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use compact_str::CompactString;

use formwork_records::wire::utf8;

/// A string of an engine.
///
/// A UTF-8 string, which is the usual case, takes no allocation up to 24 bytes, and as much as a [`String`] otherwise. Godot 2 and 3 can also hold lone
/// surrogates and numbers above U+10FFFF; such a string is stored in the original definition of UTF-8 with up to six
/// bytes.
#[derive(Clone, Default)]
pub struct VariantString(Repr);

#[derive(Clone)]
enum Repr {
    Utf8(CompactString),
    /// Generalised UTF-8 in shortest forms, and not UTF-8. (Boxed so that the whole is three words.)
    Other(Box<[u8]>),
}

impl Default for Repr {
    fn default() -> Self {
        Self::Utf8(CompactString::const_new(""))
    }
}

impl VariantString {
    /// A string from decoded text: UTF-8, or generalised UTF-8 in shortest forms.
    #[must_use]
    pub fn from_decoded(text: Result<String, Vec<u8>>) -> Self {
        match text {
            Ok(text) => text.into(),
            Err(bytes) => Self(Repr::Other(bytes.into_boxed_slice())),
        }
    }

    /// Makes a string from the bytes of [`VariantString::as_bytes`]: UTF-8, or generalised UTF-8 in shortest forms.
    ///
    /// # Errors
    ///
    /// Returns the offset of the first invalid byte if the bytes are neither.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, usize> {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => return Ok(text.into()),
            Err(error) => error.into_bytes(),
        };
        let mut shortest = Vec::with_capacity(6);
        let mut at = 0;
        while at < bytes.len() {
            let (number, length) = utf8::sequence(&bytes[at..]).map_err(|_| at)?;
            shortest.clear();
            utf8::push(number, &mut shortest);
            if shortest.len() != length {
                return Err(at);
            }
            at += length;
        }
        Ok(Self::from_decoded(Err(bytes)))
    }

    /// A string of these characters, given as numbers: Unicode scalar values, surrogates, or
    /// anything up to 0x7fffffff as Godot 2 and 3 hold it. Larger numbers are cut to 31 bits.
    #[must_use]
    pub fn from_numbers(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut bytes = Vec::new();
        numbers.into_iter().for_each(|number| utf8::push(number & 0x7fff_ffff, &mut bytes));
        Self::from_decoded(String::from_utf8(bytes).map_err(|error| error.into_bytes()))
    }

    /// The text, if it is UTF-8.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::Utf8(text) => Some(text),
            Repr::Other(_) => None,
        }
    }

    /// Returns the bytes in UTF-8, or in generalised UTF-8 if the string is not UTF-8.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Utf8(text) => text.as_bytes(),
            Repr::Other(bytes) => bytes,
        }
    }

    /// Returns the text, with U+FFFD for numbers that are no characters of Unicode.
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Utf8(text) => Cow::Borrowed(text),
            Repr::Other(_) => Cow::Owned(
                self.numbers()
                    .map(|number| char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect(),
            ),
        }
    }

    /// The characters as numbers.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let mut rest = self.as_bytes();
        std::iter::from_fn(move || {
            // The bytes were made by `utf8::push`, so every sequence is whole.
            let (number, length) = utf8::sequence(rest).ok()?;
            rest = &rest[length..];
            Some(number)
        })
    }

    /// Returns whether there is no character.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }

    /// Returns the text as a [`String`].
    ///
    /// # Errors
    ///
    /// Returns the string itself if it is not UTF-8.
    pub fn into_string(self) -> Result<String, Self> {
        match self.0 {
            Repr::Utf8(text) => Ok(text.into_string()),
            other => Err(Self(other)),
        }
    }
}

impl From<String> for VariantString {
    fn from(text: String) -> Self {
        Self(Repr::Utf8(text.into()))
    }
}

impl From<&str> for VariantString {
    #[inline]
    fn from(text: &str) -> Self {
        Self(Repr::Utf8(CompactString::new(text)))
    }
}

impl PartialEq for VariantString {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for VariantString {}

impl PartialEq<str> for VariantString {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for VariantString {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl Hash for VariantString {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl PartialOrd for VariantString {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By character number, as the engines sort. (UTF-8, the generalised one too, sorts the same way by
/// its bytes.)
impl Ord for VariantString {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl fmt::Debug for VariantString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Utf8(text) => text.fmt(f),
            Repr::Other(bytes) => write!(f, "b\"{}\"", bytes.escape_ascii()),
        }
    }
}

impl fmt::Display for VariantString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strings_bytes_give_it_back() {
        for numbers in [vec![], vec![0x61, 0xe9, 0x1f600], vec![0xd800, 0x61], vec![0x7fff_ffff]] {
            let text = VariantString::from_numbers(numbers);
            assert_eq!(VariantString::from_bytes(text.as_bytes().to_vec()), Ok(text));
        }
        assert_eq!(VariantString::from_bytes(b"a\xff".to_vec()), Err(1));
        assert_eq!(VariantString::from_bytes(b"\xc1\x81".to_vec()), Err(0), "not the shortest");
    }

    #[test]
    fn a_string_is_three_words() {
        assert_eq!(size_of::<VariantString>(), 24);
        assert_eq!(size_of::<crate::Variant>(), 32);
    }

    #[test]
    fn only_texts_of_more_than_24_bytes_are_allocated() {
        for length in 0..40_usize {
            let text = "a".repeat(length);
            let strings = [VariantString::from(text.as_str()), text.clone().into()];
            for string in strings {
                let Repr::Utf8(kept) = &string.0 else { panic!("{string:?}") };
                assert_eq!(kept.is_heap_allocated(), length > 24, "{length}");
                assert_eq!(
                    (string.as_str(), string.as_bytes().len()),
                    (Some(text.as_str()), length)
                );
                assert_eq!(string.into_string(), Ok(text.clone()));
            }
        }
    }
}
