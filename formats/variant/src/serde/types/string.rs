//! Engine strings.

use std::fmt;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};

use super::{tagged, tagged_type};
use crate::{VariantString, VariantType};

/// The content of a string after a tag. This crate's own formats get the text, or the bytes of one that is not UTF-8.
pub(super) struct Text<'v> {
    text: &'v VariantString,
    /// Whether other formats get the numbers of the characters of a text that is not UTF-8.
    as_numbers: bool,
    /// Whether the format outside is human-readable.
    readable: bool,
}

impl<'v> Text<'v> {
    /// Returns the content of a StringName: in other formats, any text.
    pub(super) const fn name(text: &'v VariantString, readable: bool) -> Self {
        Self { text, as_numbers: false, readable }
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_own = serializer.is_human_readable() != self.readable;
        match self.text.as_str() {
            Some(text) => serializer.serialize_str(text),
            None if is_own => serializer.serialize_bytes(self.text.as_bytes()),
            None if self.as_numbers => serializer.collect_seq(self.text.numbers()),
            None => self.text.serialize(serializer),
        }
    }
}

/// As a string; if it is not UTF-8, as the numbers of its characters after `$String`.
impl Serialize for VariantString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => {
                let readable = serializer.is_human_readable();
                let text = Text { text: self, as_numbers: true, readable };
                tagged(serializer, VariantType::String, &text)
            }
        }
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = VariantString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Self::Value, A::Error> {
        let mut characters = Vec::new();
        while let Some(number) = numbers.next_element::<u32>()? {
            characters.push(number);
        }
        Ok(VariantString::from_numbers(characters))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Self::Value, A::Error> {
        match pairs.next_key::<String>()? {
            Some(key)
                if matches!(
                    tagged_type(&key),
                    Some(VariantType::String | VariantType::StringName)
                ) =>
            {
                pairs.next_value()
            }
            _ => Err(A::Error::invalid_type(::serde::de::Unexpected::Map, &self)),
        }
    }
}

impl<'de> Deserialize<'de> for VariantString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(VariantType::String.serde_name(), TextVisitor)
    }
}
