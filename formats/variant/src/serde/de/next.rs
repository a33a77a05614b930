//! Hands the next value to serde: directly if it needs no checks that depend on its place, and as a [`Value`]
//! otherwise.
//!
//! The code here is compiled for each type of the user's and each source. Slower paths are compiled once a type:
//! they call the source through a vtable.

use ::serde::de::{DeserializeSeed, Deserializer, Visitor};

use super::access::{elements, entries};
use super::ready::{Few, Name, Ready};
use super::source::{Mark, Source, place, placed};
use super::value::{Show, Value, forward_by_kind};
use crate::VariantType;
use crate::serde::numbers::{self, FEW};
use crate::serde::types::{self, named_type};
use formwork::{Error, Result};

/// The next value.
struct Next<'s, S: ?Sized> {
    source: &'s mut S,
    /// The start of the value.
    mark: Mark,
    /// Whether the value needs no checks that depend on its place.
    is_plain: bool,
}

/// Reads the next value, and makes sure that it is read to its end.
#[inline]
pub(super) fn element<'de, S: Source<'de> + ?Sized, T: DeserializeSeed<'de>>(
    source: &mut S,
    seed: T,
) -> Result<T::Value> {
    let (mark, is_plain) = (source.mark(), source.is_plain());
    let made = seed.deserialize(Next { source: &mut *source, mark, is_plain });
    settled(source, mark, made)
}

/// Reads the next key, as [`element`] reads values.
#[inline]
pub(super) fn key<'de, S: Source<'de> + ?Sized, T: DeserializeSeed<'de>>(
    source: &mut S,
    seed: T,
) -> Result<T::Value> {
    let mark = source.mark();
    if let Some(name) = source.field() {
        let ready = Ready { source: source.erased(), mark, value: Name(name) };
        return match seed.deserialize(ready) {
            Ok(value) => {
                source.advance();
                Ok(value)
            }
            Err(error) => Err(placed(source, mark, None, error)),
        };
    }
    let made = seed.deserialize(Next { source: &mut *source, mark, is_plain: false });
    settled(source, mark, made)
}

/// Returns the result of reading a value, after the rest of the value is skipped.
#[inline]
fn settled<'de, S: Source<'de> + ?Sized, T>(
    source: &mut S,
    mark: Mark,
    made: Result<T>,
) -> Result<T> {
    match made {
        Ok(value) => source.settle(mark).map(|()| value),
        Err(error) => Err(placed(source, mark, None, error)),
    }
}

impl<'s, 'de, S: Source<'de> + ?Sized> Next<'s, S> {
    /// Reads the value, of any type.
    #[inline]
    fn read(self) -> Result<Value<'s, 'de>> {
        let item = self.source.next()?;
        Ok(Value { source: self.source.erased(), mark: self.mark, item, show: Show::Loosely })
    }

    #[inline]
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some(number) = self.source.plain_int()
        {
            let made = visitor.visit_i64(number);
            return place(self.source, self.mark, VariantType::Int, made);
        }
        self.read()?.integer(visitor)
    }

    #[inline]
    fn real<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some(number) = self.source.plain_float()
        {
            let made = visitor.visit_f64(number);
            return place(self.source, self.mark, VariantType::Float, made);
        }
        self.read()?.real(visitor)
    }

    #[inline]
    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some((variant_type, text)) = self.source.plain_words()
        {
            let made = visitor.visit_borrowed_str(text);
            return place(self.source, self.mark, variant_type, made);
        }
        self.read()?.text(visitor)
    }

    /// The elements of anything that has some.
    #[inline]
    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain && self.source.enter(VariantType::Array) {
            let made = elements(&mut *self.source, visitor);
            return place(self.source, self.mark, VariantType::Array, made);
        }
        self.read()?.list(visitor)
    }

    /// The pairs of a dictionary, or the components of a math type by their names; of a struct with these fields.
    #[inline]
    fn map<V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value> {
        if self.is_plain && self.source.enter(VariantType::Dictionary) {
            if let Some(fields) = fields {
                self.source.expect(fields);
            }
            let made = entries(&mut *self.source, visitor);
            return place(self.source, self.mark, VariantType::Dictionary, made);
        }
        self.read()?.map(visitor)
    }

    /// A value that was asked for by the type that it has in this crate.
    #[inline]
    fn named<V: Visitor<'de>>(self, wanted: VariantType, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && numbers::count(wanted).is_some_and(|count| count <= FEW)
            && let Some(numbers) = self.source.plain_few(wanted)
        {
            let value = Few(wanted, numbers);
            let few = Ready { source: self.source.erased(), mark: self.mark, value };
            let made = visitor.visit_newtype_struct(few);
            return place(self.source, self.mark, wanted, made);
        }
        self.read()?.named(wanted, visitor)
    }

    /// Shows any value in its exact form.
    fn exactly<V: Visitor<'de>>(self, in_double: bool, visitor: V) -> Result<V::Value> {
        let mut value = self.read()?;
        value.show = Show::Exactly;
        value.check_precision(in_double)?;
        visitor.visit_newtype_struct(value)
    }
}

macro_rules! as_value {
    ($($method:ident($($name:ident: $argument:ty),*);)+) => { $(
        fn $method<V: Visitor<'de>>(self, $($name: $argument,)* visitor: V) -> Result<V::Value> {
            self.read()?.$method($($name,)* visitor)
        }
    )+ };
}

impl<'de, S: Source<'de> + ?Sized> Deserializer<'de> for Next<'_, S> {
    type Error = Error;

    forward_by_kind!();

    as_value! {
        deserialize_any();
        deserialize_identifier();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some(value) = self.source.plain_bool()
        {
            let made = visitor.visit_bool(value);
            return place(self.source, self.mark, VariantType::Bool, made);
        }
        self.read()?.deserialize_bool(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.source.next_is_null()? {
            return visitor.visit_some(self);
        }
        self.read()?.deserialize_option(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == types::ANY || name == types::ANY_DOUBLE {
            return self.exactly(name == types::ANY_DOUBLE, visitor);
        }
        match named_type(name) {
            Some(wanted) => self.named(wanted, visitor),
            None => visitor.visit_newtype_struct(self),
        }
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.map(None, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.map(Some(fields), visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // The caller that hands out the values skips this one.
        visitor.visit_unit()
    }
}
