//! The exact form of a container: its tag, and its parts.

use std::borrow::Cow;

use ::serde::de::{
    DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor,
    value::StrDeserializer,
};
use ::serde::forward_to_deserialize_any;

use super::access::{Rest, contents, element, elements, parts};
use super::value::Value;
use crate::notation::{self, attributes};
use crate::serde::de::source::AnySource;
use crate::serde::{DIALECT, to_variant_in};
use crate::{Front, Variant, VariantString, VariantType};
use formwork::{Error, Result};

/// The parts of an open container, after its tag: its contents and then its attributes; for an object, its class and
/// then its properties.
pub(super) struct Parts<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    /// The parts that are still to be read, the last one first.
    parts: Vec<(Cow<'static, str>, Part)>,
}

enum Part {
    /// An attribute, or the class of an object.
    Value(Variant<f32>),
    /// The contents of the container; `true` if they are pairs.
    Contents(bool),
    /// The parts of an object.
    Object(VariantString),
}

impl<'s, 'de> Parts<'s, 'de> {
    /// Returns the tag of an open container, and its parts.
    pub(super) fn new(source: &'s mut AnySource<'s, 'de>, front: Front) -> Result<Self> {
        let Front { variant_type, types: [first, second], shared, class } = front;
        let tag = notation::tag(variant_type, DIALECT);
        if variant_type == VariantType::Object {
            let class = class.map(|class| *class).unwrap_or_default();
            return Ok(Self { source, parts: vec![(tag, Part::Object(class))] });
        }
        let types = [first.as_deref(), second.as_deref()];
        let mut parts = Vec::new();
        for (name, shown) in attributes(variant_type, types, shared, DIALECT).iter().rev() {
            parts.push(((*name).into(), Part::Value(to_variant_in(shown)?)));
        }
        parts.push((tag, Part::Contents(variant_type == VariantType::Dictionary)));
        Ok(Self { source, parts })
    }

    /// Returns the parts of an open object.
    pub(super) fn of_object(source: &'s mut AnySource<'s, 'de>, class: VariantString) -> Self {
        let class = Part::Value(Variant::String(class));
        Self {
            source,
            parts: vec![("properties".into(), Part::Contents(true)), ("class".into(), class)],
        }
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((name, _)) = self.parts.last() else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = name.as_ref().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        match self.parts.pop() {
            Some((_, Part::Value(value))) => parts(&value, seed),
            Some((_, Part::Object(class))) => seed.deserialize(Contents {
                source: &mut *self.source,
                class: Some(class),
                is_paired: true,
            }),
            Some((_, Part::Contents(is_paired))) => {
                seed.deserialize(Contents { source: &mut *self.source, class: None, is_paired })
            }
            None => Err(Error::invalid_length(0, &"a part")),
        }
    }
}

/// Hands out the contents of an open container as a list, or those of an object with its class.
struct Contents<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    class: Option<VariantString>,
    is_paired: bool,
}

impl<'de> Deserializer<'de> for Contents<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(class) = self.class {
            return visitor.visit_map(Parts::of_object(self.source, class));
        }
        if !self.is_paired {
            return elements(self.source, visitor);
        }
        contents(self.source, |rest| visitor.visit_seq(Pairs(rest)))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// Pairs of a dictionary or properties of an object, each a list of two.
struct Pairs<'r, 's, 'de>(&'r mut Rest<'s, AnySource<'s, 'de>>);

impl<'de> SeqAccess<'de> for Pairs<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let left = self.0.source.left();
        if left == 0 {
            return Ok(None);
        }
        let value = seed.deserialize(Pair(&mut *self.0.source, 0))?;
        if self.0.source.left() + 1 != left {
            return Err(Error::invalid_length(0, &"both parts of a pair to be read"));
        }
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.source.left())
    }
}

/// A pair, and the number of its parts that were read.
struct Pair<'s, 'de>(&'s mut AnySource<'s, 'de>, u8);

impl<'de> Deserializer<'de> for Pair<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<'de> SeqAccess<'de> for Pair<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.1 += 1;
        if self.1 > 2 {
            return Ok(None);
        }
        if self.1 == 1
            && let Some(name) = self.0.property()?
        {
            return seed.deserialize(Value::text(VariantType::String, name)).map(Some);
        }
        element(&mut *self.0, seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(2_usize.saturating_sub(self.1.into()))
    }
}
