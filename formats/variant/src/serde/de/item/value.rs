//! Values that hold no others.

use std::borrow::Cow;

use ::serde::de::{
    Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
    value::{BorrowedStrDeserializer, StrDeserializer},
};

use super::access::{Ask, parts, surplus};
use crate::codec::{Held, Leaf, RawNumber, RawNumbers};
use crate::notation;
use crate::serde::de::source::Text;
use crate::serde::types::{self, named_type, parts_of};
use crate::serde::{DIALECT, numbers};
use crate::{Variant, VariantString, VariantType};
use formwork::{Error, Result};

/// The form in which a value is shown to a visitor that takes any value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Show {
    /// In the form that a struct or enum of the user's most likely expects.
    Loosely,
    /// In the exact form.
    Exactly,
    /// As its content: its tag was already given.
    Inside,
}

/// The content of a value.
#[derive(Clone, Debug)]
enum Content<'n, 'de> {
    Nil,
    Bool(bool),
    Number(RawNumber),
    Text(Text<'de>),
    /// The numbers of a math type or packed array.
    Numbers(RawNumbers<'n>),
    Bytes(Cow<'de, [u8]>),
    Strings(Vec<VariantString>),
    /// A value of a rarer type, as its parts.
    Rare(Box<Variant<f32>>),
}

/// A number of a math type or packed array.
#[derive(Clone, Copy)]
struct Bare(RawNumber);

impl Bare {
    /// Returns the number as a value.
    fn value<'de>(self) -> Value<'static, 'de> {
        let variant_type = match self.0 {
            RawNumber::Single(_) | RawNumber::Double(_) => VariantType::Float,
            RawNumber::Int(_) => VariantType::Int,
        };
        Value { variant_type, content: Content::Number(self.0), show: Show::Loosely }
    }

    #[inline(always)]
    fn show<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            RawNumber::Single(number) => visitor.visit_f32(number),
            RawNumber::Double(number) => visitor.visit_f64(number),
            RawNumber::Int(number) => visitor.visit_i64(number),
        }
    }
}

macro_rules! as_value {
    ($($method:ident($($name:ident: $argument:ty),*);)+) => { $(
        fn $method<V: Visitor<'de>>(self, $($name: $argument,)* visitor: V) -> Result<V::Value> {
            self.value().$method($($name,)* visitor)
        }
    )+ };
}

impl<'de> Deserializer<'de> for Bare {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor)
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor)
    }

    as_value! {
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(count: usize);
        deserialize_tuple_struct(name: &'static str, count: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}

/// Shows the numbers of a math type, or of a packed array of numbers, one by one.
#[inline]
pub(super) fn row<'de, V: Visitor<'de>>(numbers: RawNumbers<'_>, visitor: V) -> Result<V::Value> {
    each(numbers.each().map(Bare), visitor)
}

/// A value that holds no others.
#[derive(Clone, Debug)]
pub(super) struct Value<'n, 'de> {
    variant_type: VariantType,
    content: Content<'n, 'de>,
    show: Show,
}

impl<'n, 'de: 'n> Value<'n, 'de> {
    /// Returns the value of an event, for which the source held something.
    pub(super) fn of(leaf: Leaf<'de>, held: &'n mut Held, show: Show) -> Result<Self> {
        let variant_type = leaf.variant_type();
        let content = match leaf {
            Leaf::Nil | Leaf::Passed(_) => Content::Nil,
            Leaf::Bool(value) => Content::Bool(value),
            Leaf::Int(number) => Content::Number(RawNumber::Int(number)),
            Leaf::Float(number) => Content::Number(RawNumber::Double(number)),
            Leaf::String(text) | Leaf::StringName(text) => Content::Text(Text::Borrowed(text)),
            Leaf::Bytes(bytes) => Content::Bytes(Cow::Borrowed(bytes)),
            Leaf::Numbers(numbers) => Content::Numbers(numbers),
            Leaf::NullObject | Leaf::ObjectId(_) | Leaf::Callable | Leaf::Rid(_) => {
                Content::Rare(Box::new(parts_of(&leaf.value(Held::default))?))
            }
            Leaf::Held(_) => Content::held(variant_type, held)?,
        };
        Ok(Self { variant_type, content, show })
    }
}

impl<'n> Content<'n, '_> {
    /// Returns what a source held.
    fn held(variant_type: VariantType, held: &'n mut Held) -> Result<Self> {
        if let Held::Numbers(wide, bytes) = held {
            return Ok(Self::Numbers(RawNumbers::new(variant_type, *wide, bytes)));
        }
        match std::mem::take(held) {
            Held::Text(text) => Ok(Self::Text(Text::Owned(text))),
            Held::Bytes(bytes) => Ok(Self::Bytes(Cow::Owned(bytes))),
            Held::Strings(texts) => Ok(Self::Strings(texts)),
            Held::Nothing | Held::Numbers(..) | Held::Front(_) => Ok(Self::Nil),
            rare => Ok(Self::Rare(Box::new(parts_of(&rare.value(variant_type))?))),
        }
    }
}

impl<'de> Value<'_, 'de> {
    /// Returns a text of this type.
    pub(super) const fn text(variant_type: VariantType, text: Text<'de>) -> Self {
        Self { variant_type, content: Content::Text(text), show: Show::Loosely }
    }

    /// Returns the numbers of a math type or packed array.
    pub(super) const fn numbers(&self) -> Option<RawNumbers<'_>> {
        match self.content {
            Content::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Returns the number of components of a math type; [`None`] for other types.
    fn components(&self) -> Option<usize> {
        numbers::count(self.variant_type)
    }

    /// Makes the error of a value that the visitor does not take.
    #[cold]
    fn refuse<T>(&self, visitor: &impl Visitor<'de>) -> Result<T> {
        let found = match &self.content {
            Content::Bool(value) => Unexpected::Bool(*value),
            Content::Number(RawNumber::Int(number)) => Unexpected::Signed(*number),
            Content::Number(RawNumber::Double(number)) => Unexpected::Float(*number),
            Content::Text(text) if self.variant_type == VariantType::String => {
                text.as_str().map_or(Unexpected::Other("String"), Unexpected::Str)
            }
            _ => Unexpected::Other(self.variant_type.name()),
        };
        Err(Error::invalid_type(found, visitor))
    }

    /// Returns whether the value is shown with its tag, so that it can be distinguished from others.
    fn is_behind_tag(&self) -> bool {
        let is_exact = self.show == Show::Exactly;
        self.show != Show::Inside
            && match &self.content {
                Content::Text(text) => {
                    text.as_str().is_none()
                        || is_exact && self.variant_type == VariantType::StringName
                }
                Content::Numbers(_) => is_exact || self.components().is_some(),
                Content::Strings(_) => is_exact,
                Content::Rare(_) => true,
                Content::Nil | Content::Bool(_) | Content::Number(_) | Content::Bytes(_) => false,
            }
    }

    /// Shows the elements of a value that has some.
    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Numbers(numbers) => match numbers.vectors() {
                Some(vectors) => each(vectors.map(Self::vector), visitor),
                None => row(numbers, visitor),
            },
            Content::Bytes(bytes) => {
                let numbers = bytes.iter().map(|&byte| RawNumber::Int(byte.into()));
                each(numbers.map(Bare), visitor)
            }
            Content::Strings(texts) => each(
                texts.into_iter().map(|text| Self::text(VariantType::String, Text::Owned(text))),
                visitor,
            ),
            _ => self.refuse(&visitor),
        }
    }

    /// Returns an element of a packed array of a math type.
    fn vector<'n>(numbers: RawNumbers<'n>) -> Value<'n, 'de> {
        let variant_type = numbers.variant_type();
        Value { variant_type, content: Content::Numbers(numbers), show: Show::Loosely }
    }

    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let number = match self.content {
            Content::Number(RawNumber::Int(number)) => Some(number),
            Content::Number(RawNumber::Double(number)) => notation::of_float(number),
            Content::Number(RawNumber::Single(number)) => notation::of_single(number),
            _ => None,
        };
        match number {
            Some(number) => visitor.visit_i64(number),
            None => self.refuse(&visitor),
        }
    }

    fn real<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Number(_) => self.deserialize_any(visitor),
            _ => self.refuse(&visitor),
        }
    }

    fn string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Text(text) if text.as_str().is_some() => text.show(visitor),
            Content::Text(Text::Owned(text)) => {
                let found = Unexpected::Bytes(text.as_bytes());
                Err(Error::invalid_value(found, &"a string in UTF-8"))
            }
            // The text of a NodePath; one that its text does not reproduce is refused.
            Content::Rare(ref path) if self.variant_type == VariantType::NodePath => {
                match path.as_str() {
                    Some(text) => visitor.visit_str(text),
                    None => self.refuse(&visitor),
                }
            }
            _ => self.refuse(&visitor),
        }
    }

    /// Shows a value that was asked for by the type that it has in this crate.
    fn named<V: Visitor<'de>>(mut self, wanted: VariantType, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return visitor.visit_newtype_struct(self);
        }
        self.show = match (&self.content, wanted) {
            _ if self.variant_type == wanted => Show::Inside,
            // A StringName is a string, and its text is accepted as a path.
            (Content::Text(_), VariantType::String | VariantType::StringName) => Show::Inside,
            (Content::Text(_), VariantType::NodePath) => Show::Loosely,
            // The form that other formats give the type.
            (Content::Numbers(_) | Content::Strings(_), _)
                if self.components().is_none() && numbers::count(wanted).is_some() =>
            {
                Show::Loosely
            }
            _ => return self.refuse(&visitor),
        };
        visitor.visit_newtype_struct(self)
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $argument:ty),*) => $to:ident;)+) => { $(
        fn $method<V: Visitor<'de>>(self, $($name: $argument,)* visitor: V) -> Result<V::Value> {
            if self.show == Show::Inside { self.deserialize_any(visitor) } else { self.$to(visitor) }
        }
    )+ };
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_behind_tag() {
            return visitor.visit_map(Tagged::new(self));
        }
        match self.content {
            Content::Nil => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Number(RawNumber::Single(number)) => visitor.visit_f32(number),
            Content::Number(RawNumber::Double(number)) => visitor.visit_f64(number),
            Content::Number(RawNumber::Int(number)) => visitor.visit_i64(number),
            Content::Text(text) => text.show(visitor),
            Content::Bytes(Cow::Borrowed(bytes)) => visitor.visit_borrowed_bytes(bytes),
            Content::Bytes(Cow::Owned(bytes)) => visitor.visit_byte_buf(bytes),
            Content::Numbers(_) | Content::Strings(_) => self.list(visitor),
            Content::Rare(payload) => parts(&payload, Ask::Any(visitor)),
        }
    }

    forward! {
        deserialize_i8() => integer;
        deserialize_i16() => integer;
        deserialize_i32() => integer;
        deserialize_i64() => integer;
        deserialize_u8() => integer;
        deserialize_u16() => integer;
        deserialize_u32() => integer;
        deserialize_u64() => integer;
        deserialize_f32() => real;
        deserialize_f64() => real;
        deserialize_char() => string;
        deserialize_str() => string;
        deserialize_string() => string;
        deserialize_seq() => list;
        deserialize_tuple(_count: usize) => list;
        deserialize_tuple_struct(_name: &'static str, _count: usize) => list;
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Bool(value) => visitor.visit_bool(value),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Bytes(_) => self.deserialize_any(visitor),
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Nil => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            Content::Nil => visitor.visit_unit(),
            _ if self.show == Show::Inside => self.deserialize_any(visitor),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == types::ANY || name == types::ANY_DOUBLE {
            if self.show == Show::Loosely {
                self.show = Show::Exactly;
            }
        } else if let Some(wanted) = named_type(name) {
            return self.named(wanted, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.content {
            _ if self.show == Show::Inside => self.deserialize_any(visitor),
            Content::Numbers(numbers) if self.components().is_some() => {
                visitor.visit_map(Components { numbers, at: 0 })
            }
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match &self.content {
            Content::Text(Text::Borrowed(text)) => {
                visitor.visit_enum(BorrowedStrDeserializer::<Error>::new(text))
            }
            Content::Text(Text::Owned(text)) => match text.as_str() {
                Some(text) => visitor.visit_enum(StrDeserializer::<Error>::new(text)),
                None => self.refuse(&visitor),
            },
            _ => self.refuse(&visitor),
        }
    }
}

/// Shows a visitor the elements of a list, all of them.
#[inline]
fn each<'de, V: Visitor<'de>>(
    elements: impl ExactSizeIterator<Item: Deserializer<'de, Error = Error>>,
    visitor: V,
) -> Result<V::Value> {
    let mut elements = Elements(elements);
    let made = visitor.visit_seq(&mut elements)?;
    match elements.0.len() {
        0 => Ok(made),
        left => Err(surplus(left)),
    }
}

/// The elements of a list.
struct Elements<I>(I);

impl<'de, I: ExactSizeIterator<Item: Deserializer<'de, Error = Error>>> SeqAccess<'de>
    for &mut Elements<I>
{
    type Error = Error;

    #[inline]
    fn next_element_seed<T: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.0.next().map(|element| seed.deserialize(element)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The components of a math type by their names.
struct Components<'n> {
    numbers: RawNumbers<'n>,
    at: usize,
}

impl<'de> MapAccess<'de> for Components<'_> {
    type Error = Error;

    fn next_key_seed<T: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let components = numbers::components(self.numbers.variant_type());
        let component = components.and_then(|components| components.get(self.at));
        let name = component.map(|component| BorrowedStrDeserializer::<Error>::new(component.name));
        name.map(|name| seed.deserialize(name)).transpose()
    }

    fn next_value_seed<T: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value> {
        let number = self.numbers.each().nth(self.at);
        let number = number.ok_or_else(|| Error::invalid_length(self.at, &"a component"))?;
        self.at += 1;
        seed.deserialize(Bare(number))
    }
}

/// A value after its tag, as a map of one pair.
struct Tagged<'n, 'de>(Option<Value<'n, 'de>>);

impl<'n, 'de> Tagged<'n, 'de> {
    fn new(value: Value<'n, 'de>) -> Self {
        Self(Some(Value { show: Show::Inside, ..value }))
    }
}

impl<'de> MapAccess<'de> for Tagged<'_, 'de> {
    type Error = Error;

    fn next_key_seed<T: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let Some(value) = &self.0 else { return Ok(None) };
        let tag = notation::tag(value.variant_type, DIALECT);
        let name: StrDeserializer<'_, Error> = tag.as_ref().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: ::serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value> {
        let value = self.0.take().ok_or_else(|| Error::invalid_length(0, &"a part"))?;
        seed.deserialize(value)
    }
}
