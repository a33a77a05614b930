//! The types that are records, and other types of a few members.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use ::serde::ser::{Serialize, Serializer};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{Flattened, ID, Number, bounded, named};
use crate::dialect::Dialect;
use crate::notation::{
    EVENT, EventMembers, Form, Member, Record, Shown, element_of, tag, type_named,
};
use crate::serde::{DIALECT, to_variant_in};
use crate::{
    ElementType, Image, InputEvent, NodePath, Signal, Variant, VariantString, VariantType,
};
use formwork::Result;
use formwork_records::wire::FromNumbers;

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Text(text) => text.serialize(serializer),
            Self::Texts(texts) => texts.serialize(serializer),
            Self::Word(word) => serializer.serialize_str(word),
            Self::Words(words) => words.serialize(serializer),
            Self::Number(number) => Id(*number).serialize(serializer),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Bytes(bytes) => Bytes(Cow::Borrowed(bytes)).serialize(serializer),
            Self::Single(number) => Number(*number).serialize(serializer),
            Self::Members(members) => {
                serializer.collect_map(members.iter().map(|(name, shown)| (name, shown)))
            }
        }
    }
}

/// The declared element type of a container.
struct Element(ElementType);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ElementVisitor).map(Element)
    }
}

struct ElementVisitor;

impl<'de> Visitor<'de> for ElementVisitor {
    type Value = ElementType;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a type, or an object with a class, script or id")
    }

    fn visit_str<E: ::serde::de::Error>(self, name: &str) -> Result<ElementType, E> {
        let element = type_named(DIALECT, name).map(ElementType::Builtin);
        element.ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<ElementType, A::Error> {
        let name = pairs.next_key::<String>()?.unwrap_or_default();
        let element = element_of(&name, &mut Next::new(&mut pairs))?;
        element.ok_or_else(|| A::Error::invalid_value(Unexpected::Str(&name), &self))
    }
}

/// The number of an object. To engines, and so to this crate's own formats, it has a sign.
pub(in crate::serde) struct Id(pub(in crate::serde) u64);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ID, &self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(crate::notation::ID)
    }

    fn visit_i64<E>(self, id: i64) -> Result<Id, E> {
        Ok(Id(id.cast_unsigned()))
    }

    fn visit_u64<E>(self, id: u64) -> Result<Id, E> {
        Ok(Id(id))
    }
}

/// The bytes of a byte array: base64 in human-readable formats.
pub(in crate::serde) struct Bytes<'v>(pub(in crate::serde) Cow<'v, [u8]>);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The content under the name of the type. This crate's own formats take the bytes unchanged.
        struct Under<'v>(&'v [u8]);

        impl Serialize for Under<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.serialize_str(&BASE64.encode(self.0))
                } else {
                    serializer.serialize_bytes(self.0)
                }
            }
        }

        named(serializer, VariantType::PackedByteArray, &Under(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = VariantType::PackedByteArray.serde_name();
        let bytes = deserializer.deserialize_newtype_struct(name, BytesVisitor)?;
        Ok(Self(Cow::Owned(bytes)))
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, in base64 or as a list of numbers")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: ::serde::de::Error>(self, text: &str) -> Result<Vec<u8>, E> {
        BASE64.decode(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = Vec::with_capacity(bounded::<u8>(elements.size_hint()));
        while let Some(byte) = elements.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes)
    }
}

/// Deserializes the next value in a map.
pub(super) struct Next<'m, 'de, A>(&'m mut A, PhantomData<&'de ()>);

impl<'m, 'de, A: MapAccess<'de>> Next<'m, 'de, A> {
    pub(super) const fn new(pairs: &'m mut A) -> Self {
        Self(pairs, PhantomData)
    }
}

impl<'de, A: MapAccess<'de>> Member for Next<'_, 'de, A> {
    type Error = A::Error;

    fn null(&mut self) -> Result<(), A::Error> {
        self.0.next_value()
    }

    fn text(&mut self) -> Result<VariantString, A::Error> {
        self.0.next_value()
    }

    fn maybe_text(&mut self) -> Result<Option<VariantString>, A::Error> {
        self.0.next_value()
    }

    fn texts(&mut self) -> Result<Vec<VariantString>, A::Error> {
        self.0.next_value()
    }

    fn characters(&mut self) -> Result<VariantString, A::Error> {
        self.text()
    }

    fn word(&mut self) -> Result<String, A::Error> {
        self.0.next_value()
    }

    fn words(
        &mut self,
        expected: &'static str,
        mut take: impl FnMut(&str) -> bool,
    ) -> Result<(), A::Error> {
        let words: Vec<String> = self.0.next_value()?;
        match words.iter().find(|word| !take(word)) {
            Some(word) => Err(A::Error::invalid_value(Unexpected::Str(word), &expected)),
            None => Ok(()),
        }
    }

    fn number<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T, A::Error> {
        let Id(number) = self.0.next_value()?;
        let found = Unexpected::Unsigned(number);
        T::try_from(number).map_err(|_| A::Error::invalid_value(found, &expected))
    }

    fn numbers<T: FromNumbers>(&mut self) -> Result<T, A::Error> {
        let Flattened(numbers) = self.0.next_value()?;
        let (count, expected) = match T::SINGLE {
            true => (numbers.len(), "the numbers of the type"),
            false => (numbers.len(), "the numbers of whole elements"),
        };
        T::from_numbers(numbers).ok_or_else(|| A::Error::invalid_length(count, &expected))
    }

    fn bool(&mut self) -> Result<bool, A::Error> {
        self.0.next_value()
    }

    fn bytes(&mut self) -> Result<Vec<u8>, A::Error> {
        self.0.next_value().map(|Bytes(bytes)| bytes.into_owned())
    }

    fn single(&mut self) -> Result<f32, A::Error> {
        self.0.next_value().map(|Number(number)| number)
    }

    fn float(&mut self) -> Result<f64, A::Error> {
        self.0.next_value().map(|Number(number)| number)
    }

    fn record<T: Record>(
        &mut self,
        variant_type: VariantType,
        _: Dialect,
    ) -> Result<T::Made, A::Error> {
        self.0.next_value_seed(RecordVisitor::<T>(variant_type, PhantomData))
    }

    fn element(&mut self, _: Dialect) -> Result<ElementType, A::Error> {
        self.0.next_value().map(|Element(element)| element)
    }

    fn next_name(&mut self) -> Result<Option<String>, A::Error> {
        self.0.next_key()
    }

    fn missing(&self, name: &'static str) -> A::Error {
        A::Error::missing_field(name)
    }

    fn unexpected(&self, name: &str, _: &'static str) -> A::Error {
        A::Error::unknown_field(name, &[])
    }
}

/// Reads a value of a type that is a record.
struct RecordVisitor<T>(VariantType, PhantomData<T>);

impl<'de, T: Record> DeserializeSeed<'de> for RecordVisitor<T> {
    type Value = T::Made;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Made, D::Error> {
        deserializer.deserialize_newtype_struct(self.0.serde_name(), self)
    }
}

impl<'de, T: Record> Visitor<'de> for RecordVisitor<T> {
    type Value = T::Made;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", self.0.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<T::Made, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: ::serde::de::Error>(self, text: &str) -> Result<T::Made, E> {
        let parse = T::PARSE.ok_or_else(|| E::invalid_type(Unexpected::Str(text), &self))?;
        Ok(parse(&text.into(), DIALECT))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<T::Made, A::Error> {
        let mut record = T::default();
        let mut seen = Vec::new();
        while let Some(name) = pairs.next_key::<String>()? {
            if name == tag(self.0, DIALECT) && seen.is_empty() {
                return pairs.next_value_seed(self);
            }
            if seen.contains(&name) || !record.take(&name, &mut Next::new(&mut pairs))? {
                return Err(A::Error::unknown_field(&name, &[]));
            }
            // Bounded by the members that there are.
            seen.push(name);
        }
        T::Made::try_from(record).map_err(|_| A::Error::invalid_value(Unexpected::Map, &EVENT))
    }
}

macro_rules! records {
    ($( $name:ident $record:ident => $shown:expr; )+) => { $(
        /// As itself in packets; in other formats in its JSON form.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                named(serializer, VariantType::$name, &$shown(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = RecordVisitor::<$record>(VariantType::$name, PhantomData);
                visitor.deserialize(deserializer)
            }
        }
    )+ };
}
records! {
    Signal Signal => Shown::signal;
    Image Image => Shown::image;
    InputEvent EventMembers => Shown::event;
    NodePath NodePath => |path| Shown::path(path, DIALECT);
}

/// Returns what a value of a rare type consists of, in values that serde has words for. (The precision does not
/// matter: none of them holds a real number of the engine.)
pub(in crate::serde) fn parts_of(value: &Variant<f32>) -> Result<Variant<f32>> {
    let Form::Tagged(shown) = Form::of(value.payload(), DIALECT) else { return Ok(Variant::Nil) };
    to_variant_in(&shown)
}
