//! Engine strings and paths.

use std::fmt;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};

use super::{named, tag, tagged};
use crate::variant::{NodePath, VariantString, VariantType};

/// A string as the payload of a type: text, or the numbers of its characters where it is not UTF-8.
pub(in crate::serde) struct Text<'v>(pub(in crate::serde) &'v VariantString);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.collect_seq(self.0.numbers()),
        }
    }
}

/// As a string; where it is not UTF-8, as the numbers of its characters behind `$String`.
impl Serialize for VariantString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => tagged(serializer, VariantType::String, &Text(self)),
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
                if [VariantType::String, VariantType::StringName].map(tag).contains(&&*key) =>
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

/// A path as its payload: its text, or its parts where the text does not give it back.
pub(super) struct PathPayload<'v>(pub(super) &'v NodePath);

#[derive(::serde::Serialize, ::serde::Deserialize)]
#[serde(remote = "NodePath")]
struct Parts {
    absolute: bool,
    names: Vec<VariantString>,
    subnames: Vec<VariantString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    property: Option<VariantString>,
}

impl Serialize for PathPayload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.to_text();
        match text.as_str() {
            Some(plain) if NodePath::parse(&text) == *self.0 => serializer.serialize_str(plain),
            _ => Parts::serialize(self.0, serializer),
        }
    }
}

/// As itself in packets; in other formats as its text, or in parts where the text does not give it
/// back.
impl Serialize for NodePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        named(serializer, VariantType::NodePath, &PathPayload(self))
    }
}

struct PathVisitor;

impl<'de> Visitor<'de> for PathVisitor {
    type Value = NodePath;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a NodePath")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(NodePath::parse(&text.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, pairs: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Untagged { pairs, key: None };
        pairs.key = pairs.pairs.next_key::<String>()?;
        if pairs.key.as_deref() == Some(tag(VariantType::NodePath)) {
            return pairs.pairs.next_value();
        }
        Parts::deserialize(::serde::de::value::MapAccessDeserializer::new(pairs))
    }
}

/// A map whose first key was looked at.
pub(super) struct Untagged<A> {
    pub(super) pairs: A,
    pub(super) key: Option<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Untagged<A> {
    type Error = A::Error;

    fn next_key_seed<K: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        use ::serde::de::IntoDeserializer;
        match self.key.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.pairs.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, A::Error> {
        self.pairs.next_value_seed(seed)
    }
}

impl<'de> Deserialize<'de> for NodePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(VariantType::NodePath.serde_name(), PathVisitor)
    }
}
