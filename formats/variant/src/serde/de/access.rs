//! Hands the contents of containers to serde.

use std::borrow::Cow;

use ::serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor, value::StrDeserializer,
};
use ::serde::forward_to_deserialize_any;

use super::item::{Item, Packed, Text};
use super::next::{element, key};
use super::source::{AnySource, Mark, Source};
use super::value::{Show, Value};
use crate::notation;
use crate::serde::DIALECT;
use crate::serde::numbers::{self, Numbers};
use crate::serde::rule;
use crate::serde::types::{self, tag};
use crate::{ElementType, Front, Variant, VariantString, VariantType};
use formwork::{Error, Result};

/// Shows a visitor the elements of an open array, all of them.
pub(super) fn elements<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    visitor: V,
) -> Result<V::Value> {
    let value = visitor.visit_seq(Elements(&mut *source))?;
    complete(source)?;
    Ok(value)
}

/// Shows a visitor the pairs of an open dictionary, all of them.
pub(super) fn entries<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    visitor: V,
) -> Result<V::Value> {
    let value = visitor.visit_map(Entries(&mut *source))?;
    complete(source)?;
    Ok(value)
}

/// Closes the innermost container, which must have no elements left.
fn complete<'de, S: Source<'de> + ?Sized>(source: &mut S) -> Result<()> {
    match source.left() {
        0 => {
            source.close();
            Ok(())
        }
        left => Err(surplus(left)),
    }
}

/// Reports more elements than the type takes.
#[cold]
fn surplus(left: usize) -> Error {
    let expected = "no more elements than the type has";
    Error::new(rule::LENGTH, 0, expected, format!("{left} more")).nowhere()
}

/// The elements of an open array.
struct Elements<'s, S: ?Sized>(&'s mut S);

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
struct Entries<'s, S: ?Sized>(&'s mut S);

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

/// Reads a dictionary of one pair as an enum: the key is the variant and the value its content.
pub(super) struct Enum<'s, 'de>(&'s mut AnySource<'s, 'de>);

impl<'s, 'de> Enum<'s, 'de> {
    pub(super) fn new(source: &'s mut AnySource<'s, 'de>) -> Self {
        Self(source)
    }
}

impl<'de> EnumAccess<'de> for Enum<'_, 'de> {
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

impl<'de> VariantAccess<'de> for Enum<'_, 'de> {
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

/// The contents of a list that is stored in one block.
enum Block<'de> {
    Numbers(Numbers, usize),
    Bytes(Cow<'de, [u8]>),
    Packed(Box<Packed<'de>>),
}

/// The elements of a packed array, or the components of a math type.
pub(super) struct List<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    /// The position of the source, which does not advance while the list is read.
    mark: Mark,
    block: Block<'de>,
    at: usize,
    /// The type whose component names are the keys, if the components are read as a map.
    names: Option<VariantType>,
}

impl<'s, 'de> List<'s, 'de> {
    fn new(source: &'s mut AnySource<'s, 'de>, block: Block<'de>) -> Self {
        Self { mark: source.mark(), source, block, at: 0, names: None }
    }

    pub(super) fn numbers(
        source: &'s mut AnySource<'s, 'de>,
        numbers: Numbers,
        count: usize,
    ) -> Self {
        Self::new(source, Block::Numbers(numbers, count))
    }

    pub(super) fn bytes(source: &'s mut AnySource<'s, 'de>, bytes: Cow<'de, [u8]>) -> Self {
        Self::new(source, Block::Bytes(bytes))
    }

    pub(super) fn packed(source: &'s mut AnySource<'s, 'de>, packed: Box<Packed<'de>>) -> Self {
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

    /// Shows a visitor the elements, all of them.
    pub(super) fn whole<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        match self.len() - self.at {
            0 => Ok(value),
            left => Err(surplus(left)),
        }
    }
}

impl<'de> SeqAccess<'de> for List<'_, 'de> {
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

impl<'de> MapAccess<'de> for List<'_, 'de> {
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

/// The parts of a value, after its tag: for a container, its elements and then its attributes; for an object, its
/// class and then its properties.
pub(super) struct Parts<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    /// The parts that are still to be read, the last one first.
    parts: Vec<(Cow<'static, str>, Part<'de>)>,
}

enum Part<'de> {
    /// The whole value that begins at a mark.
    Inside(Mark, Item<'de>),
    Element(ElementType),
    Bool(bool),
    Text(VariantString),
    /// The contents of the container; `true` if they are pairs.
    Held(bool),
}

impl<'s, 'de> Parts<'s, 'de> {
    /// Returns the single part of an item that is neither array nor dictionary.
    pub(super) fn of_item(source: &'s mut AnySource<'s, 'de>, mark: Mark, item: Item<'de>) -> Self {
        let tag = tag(item.variant_type());
        Self { source, parts: vec![(tag, Part::Inside(mark, item))] }
    }

    /// Returns the parts of an open container.
    pub(super) fn new(source: &'s mut AnySource<'s, 'de>, front: Front) -> Self {
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
            Some((_, Part::Inside(mark, item))) => {
                let source = &mut *self.source;
                seed.deserialize(Value { source, mark, item, show: Show::Inside })
            }
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

/// Hands out the contents of an open container as a list.
struct Held<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    paired: bool,
}

impl<'de> Deserializer<'de> for Held<'_, 'de> {
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
struct Pairs<'s, 'de>(&'s mut AnySource<'s, 'de>);

impl<'de> SeqAccess<'de> for Pairs<'_, 'de> {
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

struct Pair<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    taken: u8,
}

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
        self.taken += 1;
        let is_object = self.source.level().is_some_and(crate::Level::is_at_property);
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
