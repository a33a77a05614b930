//! Engine strings.

use std::fmt;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};

use super::tagged;
use crate::notation::tagged_type;
use crate::serde::DIALECT;
use crate::{VariantString, VariantType};

/// The content of a string that is not UTF-8. This crate's own formats get the bytes, other formats the numbers of the
/// characters.
struct Characters<'v> {
    text: &'v VariantString,
    /// Whether the format outside is human-readable.
    readable: bool,
}

impl Serialize for Characters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() == self.readable {
            true => serializer.collect_seq(self.text.numbers()),
            false => serializer.serialize_bytes(self.text.as_bytes()),
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
                tagged(serializer, VariantType::String, &Characters { text: self, readable })
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
                    tagged_type(&key, DIALECT),
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
