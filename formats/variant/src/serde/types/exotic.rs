//! The types that are records, and other types of a few members.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{
    Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use ::serde::ser::{Serialize, SerializeMap, Serializer};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{ID, Number, bounded, named, tag};
use crate::notation::{
    ElementForm, EventMembers, Member, PathMembers, Record, Shown, element_form, element_of,
    type_named,
};
use crate::serde::{DIALECT, to_variant_in};
use crate::{
    ElementType, Image, InputEvent, NodePath, Object, Real, Signal, Variant, VariantString,
    VariantType,
};
use formwork::{Error, Result};

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Texts(texts) => texts.serialize(serializer),
            Self::Word(word) => serializer.serialize_str(word),
            Self::Words(words) => words.serialize(serializer),
            Self::Number(number) => Id(*number).serialize(serializer),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Bytes(bytes) => Bytes(Cow::Borrowed(bytes)).serialize(serializer),
            Self::Single(number) => Number(*number).serialize(serializer),
        }
    }
}

/// The members of a record.
pub(in crate::serde) struct Members<'v>(pub(in crate::serde) Vec<(&'static str, Shown<'v>)>);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, shown) in &self.0 {
            map.serialize_entry(name, shown)?;
        }
        map.end()
    }
}

/// The declared element type of a container.
pub(in crate::serde) struct Element<E>(pub(in crate::serde) E);

impl Serialize for Element<&ElementType> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match element_form(self.0, DIALECT) {
            ElementForm::Name(name) => serializer.serialize_str(name),
            ElementForm::Member(name, shown) => Members(vec![(name, shown)]).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Element<ElementType> {
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
struct Next<'m, 'de, A>(&'m mut A, PhantomData<&'de ()>);

impl<'m, 'de, A: MapAccess<'de>> Next<'m, 'de, A> {
    const fn new(pairs: &'m mut A) -> Self {
        Self(pairs, PhantomData)
    }
}

impl<'de, A: MapAccess<'de>> Member for Next<'_, 'de, A> {
    type Error = A::Error;

    fn text(&mut self) -> Result<VariantString, A::Error> {
        self.0.next_value()
    }

    fn maybe_text(&mut self) -> Result<Option<VariantString>, A::Error> {
        self.0.next_value()
    }

    fn texts(&mut self) -> Result<Vec<VariantString>, A::Error> {
        self.0.next_value()
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

    fn bool(&mut self) -> Result<bool, A::Error> {
        self.0.next_value()
    }

    fn bytes(&mut self) -> Result<Vec<u8>, A::Error> {
        self.0.next_value().map(|Bytes(bytes)| bytes.into_owned())
    }

    fn single(&mut self) -> Result<f32, A::Error> {
        self.0.next_value().map(|Number(number)| number)
    }
}

/// A type that is a record.
pub(in crate::serde) trait Parts: for<'de> Deserialize<'de> {
    const TYPE: VariantType;

    /// The members of the value while they are read.
    type Record: Record;

    /// Returns the value of the members.
    fn made(record: Self::Record) -> Result<Self, &'static str>;

    /// Parses a value from its text.
    fn parsed(_: &str) -> Option<Self> {
        None
    }
}

impl Parts for Signal {
    const TYPE: VariantType = VariantType::Signal;
    type Record = Self;

    fn made(record: Self) -> Result<Self, &'static str> {
        Ok(record)
    }
}

impl Parts for Image {
    const TYPE: VariantType = VariantType::Image;
    type Record = Self;

    fn made(record: Self) -> Result<Self, &'static str> {
        Ok(record)
    }
}

impl Parts for InputEvent {
    const TYPE: VariantType = VariantType::InputEvent;
    type Record = EventMembers;

    fn made(record: EventMembers) -> Result<Self, &'static str> {
        record.event().map_err(|_| EventMembers::EXPECTED)
    }
}

impl Parts for NodePath {
    const TYPE: VariantType = VariantType::NodePath;
    type Record = PathMembers;

    fn made(record: PathMembers) -> Result<Self, &'static str> {
        Ok(record.0)
    }

    fn parsed(text: &str) -> Option<Self> {
        Some(PathMembers::parse(&text.into(), DIALECT))
    }
}

struct PartsVisitor<T>(PhantomData<T>);

impl<'de, T: Parts> Visitor<'de> for PartsVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", T::TYPE.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: ::serde::de::Error>(self, text: &str) -> Result<T, E> {
        T::parsed(text).ok_or_else(|| E::invalid_type(Unexpected::Str(text), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<T, A::Error> {
        let mut record = T::Record::default();
        let mut seen = Vec::new();
        while let Some(name) = pairs.next_key::<String>()? {
            if name == tag(T::TYPE) && seen.is_empty() {
                return pairs.next_value();
            }
            if seen.contains(&name) || !record.take(&name, &mut Next::new(&mut pairs))? {
                return Err(A::Error::unknown_field(&name, &[]));
            }
            // Bounded by the members that there are.
            seen.push(name);
        }
        T::made(record).map_err(|expected| A::Error::invalid_value(Unexpected::Map, &expected))
    }
}

macro_rules! parts {
    ($( $name:ident $value:ident => $payload:expr; )+) => { $(
        /// As itself in packets; in other formats in its JSON form.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                named(serializer, VariantType::$name, &$payload)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = VariantType::$name.serde_name();
                deserializer.deserialize_newtype_struct(name, PartsVisitor(PhantomData))
            }
        }
    )+ };
}
parts! {
    Signal signal => Members(signal.members());
    Image image => Members(image.members());
    InputEvent event => Members(EventMembers::of(event).members());
    NodePath path => PathPayload(path);
}

/// A path: its text, or its parts if the text does not reproduce it.
struct PathPayload<'v>(&'v NodePath);

impl Serialize for PathPayload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match PathMembers::text(self.0, DIALECT) {
            Some(text) => serializer.serialize_str(&text),
            None => Members(PathMembers::of(self.0)).serialize(serializer),
        }
    }
}

// What a value of a rare type consists of, in values that serde has words for. (The precision does not
// matter: none of them holds a real number of the engine.)

/// Returns the parts of a path.
pub(in crate::serde) fn path_payload(path: &NodePath) -> Result<Variant<f32>> {
    to_variant_in(&PathPayload(path))
}

/// Returns the parts of an object that is not in full form.
pub(in crate::serde) fn object_payload<R: Real>(object: &Object<R>) -> Result<Variant<f32>> {
    match object {
        Object::Null => Ok(Variant::Nil),
        Object::Id(id) => to_variant_in(&Members(vec![("id", Shown::Number(*id))])),
        Object::Full(_) => {
            let found = Unexpected::Other("an object in full form");
            Err(Error::invalid_type(found, &"null or an id"))
        }
    }
}

/// Returns the parts of a signal, an image or an input event.
pub(in crate::serde) fn parts_payload(record: &impl Record) -> Result<Variant<f32>> {
    to_variant_in(&Members(record.members()))
}
