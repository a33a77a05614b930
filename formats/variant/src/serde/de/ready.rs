//! Small values that were already read: names of fields, and the numbers of math types. They are shown to visitors
//! directly, without an [`Item`].

use ::serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

use super::item::{Item, Text};
use super::source::{AnySource, Mark, place};
use super::value::{Show, Value};
use crate::VariantType;
use crate::serde::numbers::{self, FEW, Numbers};
use formwork::{Error, Result};

/// A value that was already read, and its position.
pub(super) struct Ready<'s, 'de, T> {
    pub(super) source: &'s mut AnySource<'s, 'de>,
    pub(super) mark: Mark,
    pub(super) value: T,
}

/// A small value that was already read.
pub(super) trait Small<'de>: Copy {
    /// The type of serde's that the value is shown as.
    const SHOWN_AS: Shown;

    /// Whether the value is the content after a tag that was already given.
    const IS_INSIDE: bool = false;

    /// Shows the value to a visitor.
    fn show<V: Visitor<'de>>(
        self,
        source: &mut AnySource<'_, 'de>,
        mark: Mark,
        visitor: V,
    ) -> Result<V::Value>;

    /// Returns the type of the value.
    fn variant_type(self) -> VariantType;

    /// Returns the same value for a caller that wants another type.
    fn item(self) -> Item<'de>;
}

/// The forms in which small values are shown.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Shown {
    Text,
    Real,
    Row,
}

/// The name of a field.
#[derive(Clone, Copy)]
pub(super) struct Name(pub(super) &'static str);

impl<'de> Small<'de> for Name {
    const SHOWN_AS: Shown = Shown::Text;

    #[inline(always)]
    fn show<V: Visitor<'de>>(
        self,
        _: &mut AnySource<'_, 'de>,
        _: Mark,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0)
    }

    fn variant_type(self) -> VariantType {
        VariantType::String
    }

    fn item(self) -> Item<'de> {
        Item::String(Text::Borrowed(self.0))
    }
}

/// A number of a math type.
#[derive(Clone, Copy)]
struct Single(f32);

impl<'de> Small<'de> for Single {
    const SHOWN_AS: Shown = Shown::Real;

    #[inline(always)]
    fn show<V: Visitor<'de>>(
        self,
        _: &mut AnySource<'_, 'de>,
        _: Mark,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_f32(self.0)
    }

    fn variant_type(self) -> VariantType {
        VariantType::Float
    }

    fn item(self) -> Item<'de> {
        Item::Single(self.0)
    }
}

/// The components of a math type of a few real numbers of 32 bits, which was asked for by its type. The array is
/// padded with zeros.
#[derive(Clone, Copy)]
pub(super) struct Few(pub(super) VariantType, pub(super) [f32; FEW]);

impl<'de> Small<'de> for Few {
    const SHOWN_AS: Shown = Shown::Row;
    const IS_INSIDE: bool = true;

    #[inline(always)]
    fn show<V: Visitor<'de>>(
        self,
        source: &mut AnySource<'_, 'de>,
        mark: Mark,
        visitor: V,
    ) -> Result<V::Value> {
        let Self(variant_type, numbers) = self;
        let count = numbers::count(variant_type).unwrap_or(0);
        visitor.visit_seq(Row { source, mark, numbers, count, at: 0 })
    }

    fn variant_type(self) -> VariantType {
        self.0
    }

    fn item(self) -> Item<'de> {
        Item::Math(self.0, Numbers::Few(self.1))
    }
}

/// A few numbers in a row.
struct Row<'s, 'de> {
    source: &'s mut AnySource<'s, 'de>,
    mark: Mark,
    numbers: [f32; FEW],
    count: usize,
    at: usize,
}

impl<'de> SeqAccess<'de> for Row<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.numbers.get(self.at) {
            Some(&number) if self.at < self.count => {
                self.at += 1;
                let value = Single(number);
                let ready = Ready { source: &mut *self.source, mark: self.mark, value };
                seed.deserialize(ready).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.at)
    }
}

impl<'s, 'de, T: Small<'de>> Ready<'s, 'de, T> {
    #[inline(always)]
    fn show<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Self { source, mark, value } = self;
        let made = value.show(&mut *source, mark, visitor);
        place(source, mark, value.variant_type(), made)
    }

    /// Returns the same value for a caller that wants another form than the one it is shown as.
    fn whole(self) -> Value<'s, 'de> {
        let show = if T::IS_INSIDE { Show::Inside } else { Show::Loosely };
        Value { source: self.source, mark: self.mark, item: self.value.item(), show }
    }
}

macro_rules! shown {
    ($($method:ident($($name:ident: $argument:ty),*) as $($shown:ident)|+;)+) => { $(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, $($name: $argument,)* visitor: V) -> Result<V::Value> {
            match T::SHOWN_AS {
                $( Shown::$shown )|+ => self.show(visitor),
                #[allow(unreachable_patterns, reason = "all are shown to who takes any")]
                _ => self.whole().$method($($name,)* visitor),
            }
        }
    )+ };
}

macro_rules! as_value {
    ($($method:ident($($name:ident: $argument:ty),*);)+) => { $(
        fn $method<V: Visitor<'de>>(self, $($name: $argument,)* visitor: V) -> Result<V::Value> {
            self.whole().$method($($name,)* visitor)
        }
    )+ };
}

impl<'de, T: Small<'de>> Deserializer<'de> for Ready<'_, 'de, T> {
    type Error = Error;

    shown! {
        deserialize_any() as Text | Real | Row;
        deserialize_identifier() as Text;
        deserialize_str() as Text;
        deserialize_string() as Text;
        deserialize_f32() as Real;
        deserialize_f64() as Real;
        deserialize_seq() as Row;
        deserialize_tuple(count: usize) as Row;
    }

    as_value! {
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_char();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple_struct(name: &'static str, count: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_ignored_any();
    }
}
