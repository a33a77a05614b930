//! The deserializer: a value of which the first event was read.

mod access;
mod exact;
mod value;

pub(super) use self::access::{element, in_path};
use ::serde::de::{Deserializer, Error as _, Unexpected, Visitor, value::BorrowedStrDeserializer};

use self::access::{Ask, elements, entries, enumeration, leave};
use self::exact::Parts;
use self::value::{Show, Value, row};
use super::source::{AnySource, Kept, Source, front_of};
use crate::VariantType;
use crate::codec::{Begin, Event, Leaf};
use crate::notation::tagged_type;
use crate::serde::types::{self, named_type};
use crate::serde::{DIALECT, numbers};
use formwork::{Error, Result};

/// A value of which the first event was read.
///
/// The methods are compiled for each type of the user's and each source, and handle the most frequent events. The
/// others are compiled once a type, and call the source through a vtable.
pub(super) struct Item<'s, 'de, S: ?Sized> {
    source: &'s mut S,
    event: Event<'de>,
    show: Show,
}

impl<'s, 'de, S: Source<'de> + ?Sized> Item<'s, 'de, S> {
    #[inline(always)]
    pub(super) fn new(source: &'s mut S, event: Event<'de>) -> Self {
        Self { source, event, show: Show::Loosely }
    }

    fn erased(self) -> Item<'s, 'de, AnySource<'s, 'de>> {
        let Self { source, event, show } = self;
        Item { source: source.erased(), event, show }
    }

    /// Shows a value that holds no others by a method of [`Value`]; refuses a container.
    fn leaf<V: Visitor<'de>>(
        self,
        visitor: V,
        method: impl for<'n> FnOnce(Value<'n, 'de>, V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        match self.event {
            Event::Leaf(leaf) => {
                let mut held = self.source.held();
                method(Value::of(leaf, &mut held, self.show)?, visitor)
            }
            Event::Begin(begin) => Err(refused(begin, &visitor)),
            // Events that begin no value make no item.
            Event::Name(_) | Event::End => visitor.visit_unit(),
        }
    }
}

/// Makes the error of a container that the visitor does not take.
#[cold]
fn refused<'de>(begin: Begin, visitor: &impl Visitor<'de>) -> Error {
    Error::invalid_type(Unexpected::Other(begin.variant_type.name()), visitor)
}

impl<'s, 'de> Item<'s, 'de, AnySource<'s, 'de>> {
    /// Returns the engine's container and its offset, if it has elements of other types than the one in the packet.
    fn kept(&mut self) -> Option<(Kept, u64)> {
        let Event::Begin(begin) = self.event else { return None };
        if !begin.says_more() || !self.source.is_typed() {
            return None;
        }
        let start = self.source.last() as u64;
        self.source.kept(begin, false).map(|kept| (kept, start))
    }

    /// Shows the value to a visitor, whatever its type.
    #[inline(never)]
    fn any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if let Some((kept, start)) = self.kept() {
            return kept.read(self.source.nesting(), start, Ask::Any(visitor));
        }
        match self.event {
            Event::Begin(begin) => self.container(begin, visitor),
            _ => self.leaf(visitor, |value, visitor| value.deserialize_any(visitor)),
        }
    }

    /// Shows a container to a visitor that takes any value, with its tag if it could be taken for another value.
    fn container<V: Visitor<'de>>(self, begin: Begin, visitor: V) -> Result<V::Value> {
        let Self { source, show, .. } = self;
        let front = front_of(source, begin);
        let is_inside = show == Show::Inside;
        if begin.variant_type == VariantType::Object {
            return visitor.visit_map(match is_inside {
                true => Parts::of_object(source, front.class.map(|it| *it).unwrap_or_default()),
                false => Parts::new(source, front)?,
            });
        }
        let is_tag = |key: String| tagged_type(&key, DIALECT).is_some();
        let has_tag = !is_inside
            && (show == Show::Exactly && front.says_more()
                || begin.variant_type == VariantType::Dictionary
                    && begin.count > 0
                    && source.next_key().is_some_and(is_tag));
        match begin.is_array() {
            _ if has_tag => visitor.visit_map(Parts::new(source, front)?),
            true => elements(source, visitor),
            false => entries(source, visitor),
        }
    }

    /// Shows the elements of a value that has some.
    #[inline(never)]
    fn list<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if let Some((kept, start)) = self.kept() {
            return kept.read(self.source.nesting(), start, Ask::List(visitor));
        }
        match self.event {
            Event::Begin(_) if self.show == Show::Inside => self.any(visitor),
            Event::Begin(begin) if begin.is_array() => elements(self.source, visitor),
            _ => self.leaf(visitor, |value, visitor| value.deserialize_seq(visitor)),
        }
    }

    /// Shows the pairs of a dictionary, or the components of a math type by their names.
    #[inline(never)]
    fn map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if let Some((kept, start)) = self.kept() {
            return kept.read(self.source.nesting(), start, Ask::Map(visitor));
        }
        match self.event {
            Event::Begin(_) if self.show == Show::Inside => self.any(visitor),
            Event::Begin(begin) if begin.variant_type == VariantType::Dictionary => {
                entries(self.source, visitor)
            }
            _ => self.leaf(visitor, |value, visitor| value.deserialize_map(visitor)),
        }
    }

    /// Shows any value in its exact form.
    #[inline(never)]
    fn exactly<V: Visitor<'de>>(mut self, name: &'static str, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Leaf(leaf) => {
                let show = if self.show == Show::Inside { Show::Inside } else { Show::Exactly };
                let mut held = self.source.held();
                let value = Value::of(leaf, &mut held, show)?;
                if let Some(numbers) = value.numbers() {
                    self.source.check_numbers(numbers, name == types::ANY_DOUBLE)?;
                }
                visitor.visit_newtype_struct(value)
            }
            Event::Begin(begin) if self.show == Show::Loosely => {
                let start = self.source.last();
                if let Some(kept) = self.source.kept(begin, true) {
                    return kept.read(
                        self.source.nesting(),
                        start as u64,
                        Ask::Named(name, visitor),
                    );
                }
                self.show = Show::Exactly;
                visitor.visit_newtype_struct(self)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    /// Shows a value that was asked for by the type that it has in this crate.
    #[inline(never)]
    fn named<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        wanted: VariantType,
        visitor: V,
    ) -> Result<V::Value> {
        let Event::Begin(begin) = self.event else {
            return self
                .leaf(visitor, |value, visitor| value.deserialize_newtype_struct(name, visitor));
        };
        if self.show != Show::Inside {
            self.show = match begin.variant_type {
                found if found == wanted => Show::Inside,
                VariantType::Object => return Err(refused(begin, &visitor)),
                // The form that other formats give the type.
                _ => Show::Loosely,
            };
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline(never)]
    fn variant<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if let Some((kept, start)) = self.kept() {
            return kept.read(self.source.nesting(), start, Ask::Enum(visitor));
        }
        match self.event {
            Event::Begin(begin) if begin.variant_type == VariantType::Dictionary => {
                if begin.count == 1 {
                    return enumeration(self.source, visitor);
                }
                let expected = &"the name of a variant, or a Dictionary of one pair";
                Err(Error::invalid_type(Unexpected::Other("Dictionary"), expected))
            }
            _ => self.leaf(visitor, |value, visitor| value.deserialize_enum("", &[], visitor)),
        }
    }
}

/// Implements methods that handle the most frequent events, and pass the others to the same method of [`Value`].
macro_rules! direct {
    ($($method:ident: $($leaf:pat => $visit:ident($value:ident)),*;)+) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.event {
                $( Event::Leaf($leaf) => visitor.$visit($value), )*
                _ => self.erased().leaf(visitor, |value, visitor| value.$method(visitor)),
            }
        }
    )+ };
}

impl<'de, S: Source<'de> + ?Sized> Deserializer<'de> for Item<'_, 'de, S> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Leaf(Leaf::Int(number)) => visitor.visit_i64(number),
            Event::Leaf(Leaf::Float(number)) => visitor.visit_f64(number),
            Event::Leaf(Leaf::String(text)) => visitor.visit_borrowed_str(text),
            // The content of a math type.
            Event::Leaf(Leaf::Numbers(numbers)) if self.show == Show::Inside => {
                row(numbers, visitor)
            }
            _ => self.erased().any(visitor),
        }
    }

    direct! {
        deserialize_bool: Leaf::Bool(value) => visit_bool(value);
        deserialize_i8: Leaf::Int(number) => visit_i64(number);
        deserialize_i16: Leaf::Int(number) => visit_i64(number);
        deserialize_i32: Leaf::Int(number) => visit_i64(number);
        deserialize_i64: Leaf::Int(number) => visit_i64(number);
        deserialize_u8: Leaf::Int(number) => visit_i64(number);
        deserialize_u16: Leaf::Int(number) => visit_i64(number);
        deserialize_u32: Leaf::Int(number) => visit_i64(number);
        deserialize_u64: Leaf::Int(number) => visit_i64(number);
        deserialize_f32: Leaf::Float(number) => visit_f64(number);
        deserialize_f64: Leaf::Float(number) => visit_f64(number);
        deserialize_str: Leaf::String(text) | Leaf::StringName(text) => visit_borrowed_str(text);
        deserialize_string: Leaf::String(text) | Leaf::StringName(text) => visit_borrowed_str(text);
        deserialize_char: ;
        deserialize_unit: ;
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Leaf(Leaf::String(text) | Leaf::StringName(text)) => {
                visitor.visit_borrowed_str(text)
            }
            _ => self.erased().any(visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Leaf(Leaf::Bytes(bytes)) => visitor.visit_borrowed_bytes(bytes),
            Event::Begin(_) => self.erased().list(visitor),
            _ => self.erased().leaf(visitor, |value, visitor| value.deserialize_bytes(visitor)),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Leaf(Leaf::Nil | Leaf::NullObject) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == types::ANY || name == types::ANY_DOUBLE {
            return self.erased().exactly(name, visitor);
        }
        match (named_type(name), self.event) {
            (None, _) => visitor.visit_newtype_struct(self),
            (Some(wanted), Event::Leaf(Leaf::Numbers(numbers)))
                if numbers.variant_type() == wanted && numbers::count(wanted).is_some() =>
            {
                self.show = Show::Inside;
                visitor.visit_newtype_struct(self)
            }
            (Some(wanted), _) => self.erased().named(name, wanted, visitor),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Begin(begin)
                if begin.variant_type == VariantType::Array && !begin.says_more() =>
            {
                elements(self.source, visitor)
            }
            _ => self.erased().list(visitor),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.event {
            Event::Begin(begin)
                if begin.variant_type == VariantType::Dictionary && !begin.says_more() =>
            {
                entries(self.source, visitor)
            }
            _ => self.erased().map(visitor),
        }
    }

    #[inline]
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
        match self.event {
            Event::Leaf(Leaf::String(text) | Leaf::StringName(text)) => {
                visitor.visit_enum(BorrowedStrDeserializer::<Error>::new(text))
            }
            _ => self.erased().variant(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let depth = self.source.depth();
        if let Event::Begin(_) = self.event {
            leave(self.source.erased(), depth.saturating_sub(1))?;
        }
        visitor.visit_unit()
    }
}
