//! What containers hold, as serde asks for it.

use std::borrow::Cow;

use ::serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor, value::StrDeserializer,
};
use ::serde::forward_to_deserialize_any;

use super::item::{Item, Packed, Text};
use super::source::{Mark, Source};
use super::value::{Value, complete, element, elements, key, surplus};
use crate::error::{Error, Result};
use crate::notation;
use crate::serde::DIALECT;
use crate::serde::numbers::{self, Numbers};
use crate::serde::types::{self, tag};
use crate::variant::{ElementType, Front, Variant, VariantString, VariantType};

/// The elements of an open array.
pub(super) struct Elements<'s, S: ?Sized>(&'s mut S);

impl<'s, S: ?Sized> Elements<'s, S> {
    pub(super) fn new(source: &'s mut S) -> Self {
        Self(source)
    }
}

impl<'de, S: Source<'de> + ?Sized> SeqAccess<'de> for Elements<'_, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.0.left() {
            0 => Ok(None),
            _ => element(&mut *self.0, seed).map(Some),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.left())
    }
}

/// The pairs of an open dictionary.
pub(super) struct Entries<'s, S: ?Sized>(&'s mut S);

impl<'s, S: ?Sized> Entries<'s, S> {
    pub(super) fn new(source: &'s mut S) -> Self {
        Self(source)
    }
}

impl<'de, S: Source<'de> + ?Sized> MapAccess<'de> for Entries<'_, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.0.left() {
            0 => Ok(None),
            _ => key(&mut *self.0, seed).map(Some),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        element(&mut *self.0, seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.left())
    }
}

/// A dictionary of one pair as a variant and what is in it.
pub(super) struct Enum<'s, S: ?Sized>(&'s mut S);

impl<'s, S: ?Sized> Enum<'s, S> {
    pub(super) fn new(source: &'s mut S) -> Self {
        Self(source)
    }
}

impl<'de, S: Source<'de> + ?Sized> EnumAccess<'de> for Enum<'_, S> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = key(&mut *self.0, seed)?;
        Ok((variant, self))
    }
}

/// Hands a visitor to one method of a value.
enum Ask<V> {
    Tuple(V),
    Struct(V),
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Ask<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        match self {
            Self::Tuple(visitor) => deserializer.deserialize_seq(visitor),
            Self::Struct(visitor) => deserializer.deserialize_map(visitor),
        }
    }
}

impl<'de, S: Source<'de> + ?Sized> VariantAccess<'de> for Enum<'_, S> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        element(self.0, std::marker::PhantomData::<()>)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        element(self.0, seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        element(self.0, Ask::Tuple(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        element(self.0, Ask::Struct(visitor))
    }
}

/// What a list is made of that stands in one block.
enum Block<'de> {
    Numbers(Numbers, usize),
    Bytes(Cow<'de, [u8]>),
    Packed(Box<Packed<'de>>),
}

/// The elements of a packed array, or the components of a math type.
pub(super) struct List<'s, 'de, S: ?Sized> {
    source: &'s mut S,
    /// Where the source is, which does not go on meanwhile.
    mark: Mark,
    block: Block<'de>,
    at: usize,
    /// The names of the components, where they are asked for by name.
    names: Option<VariantType>,
}

impl<'s, 'de, S: Source<'de> + ?Sized> List<'s, 'de, S> {
    fn new(source: &'s mut S, block: Block<'de>) -> Self {
        Self { mark: source.mark(), source, block, at: 0, names: None }
    }

    pub(super) fn numbers(source: &'s mut S, numbers: Numbers, count: usize) -> Self {
        Self::new(source, Block::Numbers(numbers, count))
    }

    pub(super) fn bytes(source: &'s mut S, bytes: Cow<'de, [u8]>) -> Self {
        Self::new(source, Block::Bytes(bytes))
    }

    pub(super) fn packed(source: &'s mut S, packed: Box<Packed<'de>>) -> Self {
        Self::new(source, Block::Packed(packed))
    }

    pub(super) fn named(mut self, variant_type: VariantType) -> Self {
        self.names = Some(variant_type);
        self
    }

    #[inline]
    fn len(&self) -> usize {
        match &self.block {
            Block::Numbers(_, count) => *count,
            Block::Bytes(bytes) => bytes.len(),
            Block::Packed(packed) => packed.len(),
        }
    }

    fn next(&mut self) -> Option<Item<'de>> {
        if self.at >= self.len() {
            return None;
        }
        let item = match &self.block {
            Block::Numbers(numbers, _) => match numbers {
                Numbers::Few(numbers) => Item::Single(*numbers.get(self.at)?),
                Numbers::Single(numbers) => Item::Single(*numbers.get(self.at)?),
                Numbers::Double(numbers) => Item::Float(*numbers.get(self.at)?),
                Numbers::Whole(numbers) => Item::Int((*numbers.get(self.at)?).into()),
            },
            Block::Bytes(bytes) => Item::Int((*bytes.get(self.at)?).into()),
            Block::Packed(packed) => packed.element(self.at)?,
        };
        self.at += 1;
        Some(item)
    }

    /// What was made of the list, if nothing of it is left.
    pub(super) fn end<T>(&self, value: T) -> Result<T> {
        match self.len() - self.at {
            0 => Ok(value),
            left => Err(surplus(left)),
        }
    }
}

impl<'de, S: Source<'de> + ?Sized> SeqAccess<'de> for List<'_, 'de, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.next() {
            Some(item) => seed.deserialize(Value::at(&mut *self.source, self.mark, item)).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len() - self.at)
    }
}

impl<'de, S: Source<'de> + ?Sized> MapAccess<'de> for List<'_, 'de, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let named = self.names.and_then(numbers::components).and_then(|it| it.get(self.at));
        match named {
            Some(component) => {
                let name: StrDeserializer<'_, Error> = component.name.into_deserializer();
                seed.deserialize(name).map(Some)
            }
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        match self.next() {
            Some(item) => seed.deserialize(Value::at(&mut *self.source, self.mark, item)),
            None => Err(Error::invalid_length(self.at, &"a component")),
        }
    }
}

/// A map of one pair: the tag of a type, and what a value of it consists of.
pub(super) struct Tagged<'s, 'de, S: ?Sized> {
    variant_type: VariantType,
    inside: Option<Value<'s, 'de, S>>,
    key: bool,
}

impl<'s, 'de, S: Source<'de> + ?Sized> Tagged<'s, 'de, S> {
    pub(super) fn new(variant_type: VariantType, inside: Value<'s, 'de, S>) -> Self {
        Self { variant_type, inside: Some(inside), key: true }
    }
}

impl<'de, S: Source<'de> + ?Sized> MapAccess<'de> for Tagged<'_, 'de, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !std::mem::take(&mut self.key) {
            return Ok(None);
        }
        let tag = tag(self.variant_type);
        let key: StrDeserializer<'_, Error> = tag.as_ref().into_deserializer();
        seed.deserialize(key).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        match self.inside.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Error::invalid_length(1, &"one pair")),
        }
    }
}

/// What a container consists of: what it holds, behind its tag, and then what it says about itself; of an
/// object, its class and then its properties.
pub(super) struct Parts<'s, S: ?Sized> {
    source: &'s mut S,
    /// What comes next, the last one first.
    parts: Vec<(Cow<'static, str>, Part)>,
}

enum Part {
    Element(ElementType),
    Bool(bool),
    Text(VariantString),
    /// What it holds, and whether that is pairs.
    Held(bool),
}

impl<'s, S: ?Sized> Parts<'s, S> {
    pub(super) fn new(source: &'s mut S, front: Front) -> Self {
        let Front { variant_type, types: [first, second], shared, class } = front;
        let parts = if variant_type == VariantType::Object {
            vec![
                ("properties".into(), Part::Held(true)),
                ("class".into(), Part::Text(class.map(|class| *class).unwrap_or_default())),
            ]
        } else {
            let [first_name, second_name] = notation::type_members(variant_type);
            let mut parts = Vec::new();
            parts.extend(shared.then_some(("shared".into(), Part::Bool(true))));
            parts.extend(second.map(|element| (second_name.into(), Part::Element(*element))));
            parts.extend(first.map(|element| (first_name.into(), Part::Element(*element))));
            let paired = variant_type == VariantType::Dictionary;
            let tag = notation::container_tag(variant_type, DIALECT);
            parts.push((tag.into(), Part::Held(paired)));
            parts
        };
        Self { source, parts }
    }
}

impl<'de, S: Source<'de> + ?Sized> MapAccess<'de> for Parts<'_, S> {
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
            Some((_, Part::Bool(value))) => {
                seed.deserialize(Value::of(&mut *self.source, Item::Bool(value)))
            }
            Some((_, Part::Text(text))) => {
                seed.deserialize(Value::of(&mut *self.source, Item::String(Text::Owned(text))))
            }
            Some((_, Part::Element(element))) => {
                let payload: Variant<f32> = crate::serde::to_variant_in(&types::Element(&element))?;
                super::payload(&payload, 0, seed)
            }
            Some((_, Part::Held(paired))) => {
                seed.deserialize(Held { source: &mut *self.source, paired })
            }
            None => Err(Error::invalid_length(0, &"a part")),
        }
    }
}

/// What an open container holds, as a list.
struct Held<'s, S: ?Sized> {
    source: &'s mut S,
    paired: bool,
}

impl<'de, S: Source<'de> + ?Sized> Deserializer<'de> for Held<'_, S> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.paired {
            return elements(self.source, visitor);
        }
        let value = visitor.visit_seq(Pairs(&mut *self.source))?;
        complete(self.source)?;
        Ok(value)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// Pairs of a dictionary or properties of an object, each a list of two.
struct Pairs<'s, S: ?Sized>(&'s mut S);

impl<'de, S: Source<'de> + ?Sized> SeqAccess<'de> for Pairs<'_, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let left = self.0.left();
        if left == 0 {
            return Ok(None);
        }
        let value = seed.deserialize(Pair { source: &mut *self.0, taken: 0 })?;
        if self.0.left() + 1 != left {
            return Err(Error::invalid_length(0, &"both parts of a pair to be read"));
        }
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.left())
    }
}

struct Pair<'s, S: ?Sized> {
    source: &'s mut S,
    taken: u8,
}

impl<'de, S: Source<'de> + ?Sized> Deserializer<'de> for Pair<'_, S> {
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

impl<'de, S: Source<'de> + ?Sized> SeqAccess<'de> for Pair<'_, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.taken += 1;
        let is_object = self.source.level().is_some_and(crate::variant::Level::is_at_property);
        match self.taken {
            1 if is_object => {
                let name = self.source.property_name()?;
                seed.deserialize(Value::of(&mut *self.source, Item::String(name))).map(Some)
            }
            1 => key(&mut *self.source, seed).map(Some),
            2 => element(&mut *self.source, seed).map(Some),
            _ => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(2_usize.saturating_sub(self.taken.into()))
    }
}
