//! Hands a value of any type that was read to serde.

use ::serde::de::{
    Deserializer, Error as _, IntoDeserializer, Unexpected, Visitor,
    value::{BorrowedStrDeserializer, StrDeserializer},
};

use super::access::{Enum, List, elements, entries};
use super::item::{Item, Text};
use super::show;
use super::source::{AnySource, Mark, place};
use crate::notation;
use crate::serde::numbers;
use crate::serde::types::{self, named_type};
use crate::{Variant, VariantType};
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

/// A value that was read. For a container it is only the front: the contents come next in the source.
pub(super) struct Value<'s, 'de> {
    pub(super) source: &'s mut AnySource<'s, 'de>,
    /// The start of the value.
    pub(super) mark: Mark,
    pub(super) item: Item<'de>,
    pub(super) show: Show,
}

impl<'s, 'de> Value<'s, 'de> {
    /// Makes a value that holds no others.
    pub(super) fn of(source: &'s mut AnySource<'s, 'de>, item: Item<'de>) -> Self {
        let mark = source.mark();
        Self::at(source, mark, item)
    }

    /// Makes a value that holds no others, with the source at `mark`.
    #[inline]
    pub(super) fn at(source: &'s mut AnySource<'s, 'de>, mark: Mark, item: Item<'de>) -> Self {
        Self { source, mark, item, show: Show::Loosely }
    }

    /// Refuses a value that 32-bit numbers do not hold, and in canonical packets one that is another in 64-bit numbers.
    pub(super) fn check_precision(&self, in_double: bool) -> Result<()> {
        let offset = self.source.offset(self.mark);
        let fits = match in_double {
            false => self.item.holds_single(offset),
            true if self.source.is_canonical() => self.item.widens(offset),
            true => Ok(()),
        };
        fits.map_err(|error| error.within(self.item.variant_type().path_name()))
    }

    fn refuse<T>(self, visitor: &impl Visitor<'de>) -> Result<T> {
        let error = Error::invalid_type(self.item.unexpected(), visitor);
        place(self.source, self.mark, self.item.variant_type(), Err(error))
    }

    /// Shows the value to a visitor, whatever its type.
    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Self { source, mark, item, show } = self;
        show::item(source, mark, item, show, visitor)
    }

    /// Hands out the elements of any value that has some.
    #[inline(never)]
    pub(super) fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return self.any(visitor);
        }
        let variant_type = self.item.variant_type();
        let Self { source, mark, item, show } = self;
        let list = match item {
            Item::Open(ref front) if front.is_array() => {
                let made = elements(&mut *source, visitor);
                return place(source, mark, variant_type, made);
            }
            Item::Packed(_, packed) => List::packed(&mut *source, packed),
            Item::Bytes(bytes) => List::bytes(&mut *source, bytes),
            Item::Math(variant_type, numbers) => {
                let count = numbers::count(variant_type).unwrap_or(0);
                List::numbers(&mut *source, numbers, count)
            }
            item => return Value { source, mark, item, show }.refuse(&visitor),
        };
        let made = list.whole(visitor);
        place(source, mark, variant_type, made)
    }

    /// The pairs of a dictionary, or the components of a math type by their names.
    #[inline(never)]
    pub(super) fn map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return self.any(visitor);
        }
        let variant_type = self.item.variant_type();
        let Self { source, mark, item, show } = self;
        let made = match item {
            Item::Open(ref front) if front.variant_type == VariantType::Dictionary => {
                entries(&mut *source, visitor)
            }
            Item::Math(variant_type, numbers) => {
                let count = numbers::count(variant_type).unwrap_or(0);
                visitor.visit_map(List::numbers(&mut *source, numbers, count).named(variant_type))
            }
            item => return Value { source, mark, item, show }.refuse(&visitor),
        };
        place(source, mark, variant_type, made)
    }

    #[inline(never)]
    pub(super) fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return self.any(visitor);
        }
        let variant_type = self.item.variant_type();
        let Self { source, mark, item, show } = self;
        let made = match item {
            Item::String(text) | Item::StringName(text) if text.as_str().is_some() => {
                show::text(text, visitor)
            }
            Item::Rare(VariantType::NodePath, payload) => {
                let Variant::String(text) = *payload else {
                    let item = Item::Rare(VariantType::NodePath, Box::default());
                    return Value { source, mark, item, show }.refuse(&visitor);
                };
                visitor.visit_string(text.to_string())
            }
            Item::String(text) | Item::StringName(text) => {
                let found = Unexpected::Bytes(text.as_bytes());
                Err(Error::invalid_value(found, &"a string in UTF-8"))
            }
            item => return Value { source, mark, item, show }.refuse(&visitor),
        };
        place(source, mark, variant_type, made)
    }

    #[inline(never)]
    pub(super) fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return self.any(visitor);
        }
        let variant_type = self.item.variant_type();
        let number = match self.item {
            Item::Int(number) => Some(number),
            Item::Float(number) => notation::of_float(number),
            Item::Single(number) => notation::of_single(number),
            _ => None,
        };
        let made = match number {
            Some(number) => visitor.visit_i64(number),
            None => return self.refuse(&visitor),
        };
        place(self.source, self.mark, variant_type, made)
    }

    #[inline(never)]
    pub(super) fn real<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return self.any(visitor);
        }
        let variant_type = self.item.variant_type();
        let made = match self.item {
            Item::Float(number) => visitor.visit_f64(number),
            Item::Single(number) => visitor.visit_f32(number),
            Item::Int(number) => visitor.visit_i64(number),
            _ => return self.refuse(&visitor),
        };
        place(self.source, self.mark, variant_type, made)
    }

    /// A value that was asked for by the type that it has in this crate.
    #[inline(never)]
    pub(super) fn named<V: Visitor<'de>>(
        mut self,
        wanted: VariantType,
        visitor: V,
    ) -> Result<V::Value> {
        if self.show == Show::Inside {
            return visitor.visit_newtype_struct(self);
        }
        self.show = match (&self.item, wanted) {
            (item, wanted) if item.variant_type() == wanted => Show::Inside,
            // A StringName is a string, and its text is accepted as a path.
            (
                Item::StringName(_) | Item::String(_),
                VariantType::String | VariantType::StringName,
            ) => Show::Inside,
            (Item::String(_) | Item::StringName(_), VariantType::NodePath) => Show::Loosely,
            // The form that other formats give the type.
            (Item::Open(front), _) if front.variant_type != VariantType::Object => Show::Loosely,
            (Item::Packed(..), _) if numbers::count(wanted).is_some() => Show::Loosely,
            _ => return self.refuse(&visitor),
        };
        let variant_type = self.item.variant_type();
        let Self { source, mark, item, show } = self;
        let made = visitor.visit_newtype_struct(Value { source: &mut *source, mark, item, show });
        place(source, mark, variant_type, made)
    }
}

macro_rules! forward {
    ($($method:ident => $to:ident;)+) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$to(visitor)
        }
    )+ };
}

/// Forwards the types of serde's that are read in the same way.
macro_rules! forward_by_kind {
    () => {
        $crate::serde::de::value::forward! {
            deserialize_i8 => integer;
            deserialize_i16 => integer;
            deserialize_i32 => integer;
            deserialize_i64 => integer;
            deserialize_u8 => integer;
            deserialize_u16 => integer;
            deserialize_u32 => integer;
            deserialize_u64 => integer;
            deserialize_f32 => real;
            deserialize_f64 => real;
            deserialize_char => text;
            deserialize_str => text;
            deserialize_string => text;
            deserialize_seq => list;
        }

        #[inline]
        fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
            self.list(visitor)
        }

        fn deserialize_tuple_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            _: usize,
            visitor: V,
        ) -> Result<V::Value> {
            self.list(visitor)
        }
    };
}
pub(super) use {forward, forward_by_kind};

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Error;

    forward_by_kind!();

    forward! {
        deserialize_any => any;
        deserialize_identifier => any;
        deserialize_ignored_any => any;
        deserialize_byte_buf => deserialize_bytes;
        deserialize_map => map;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.item {
            Item::Bool(_) => self.any(visitor),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.item {
            Item::Bytes(_) => self.any(visitor),
            _ => self.list(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.item {
            Item::Nil => place(self.source, self.mark, VariantType::Nil, visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.item {
            Item::Nil => self.any(visitor),
            _ if self.show == Show::Inside => self.any(visitor),
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

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let variant_type = self.item.variant_type();
        let Self { source, mark, item, show } = self;
        let made = match item {
            Item::String(Text::Borrowed(text)) | Item::StringName(Text::Borrowed(text)) => {
                visitor.visit_enum(BorrowedStrDeserializer::<Error>::new(text))
            }
            Item::String(Text::Owned(ref text)) | Item::StringName(Text::Owned(ref text))
                if text.as_str().is_some() =>
            {
                let text: StrDeserializer<'_, Error> =
                    text.as_str().unwrap_or_default().into_deserializer();
                visitor.visit_enum(text)
            }
            Item::Open(ref front)
                if front.variant_type == VariantType::Dictionary && source.left() == 1 =>
            {
                visitor.visit_enum(Enum::new(&mut *source)).inspect(|_| source.close())
            }
            Item::Open(ref front) if front.variant_type == VariantType::Dictionary => {
                let found = Unexpected::Other("Dictionary");
                Err(Error::invalid_type(
                    found,
                    &"the name of a variant, or a Dictionary of one pair",
                ))
            }
            item => return Value { source, mark, item, show }.refuse(&visitor),
        };
        place(source, mark, variant_type, made)
    }
}
