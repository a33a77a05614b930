//! One value as serde's `Deserializer`.

use ::serde::de::{
    DeserializeSeed, Deserializer, Error as _, IntoDeserializer, Visitor,
    value::{BorrowedStrDeserializer, StrDeserializer},
};

use super::access::{Elements, Entries, Enum, List, Parts, Tagged};
use super::item::{Item, Text};
use super::ready::{Few, Name, Ready, Whole};
use super::source::{Mark, Source, place, placed};
use crate::error::{Error, Result};
use crate::notation;
use crate::serde::numbers::{self, FEW};
use crate::serde::rule;
use crate::serde::types::{self, named_type, tagged_type};
use crate::variant::{Variant, VariantType};

/// How a value is shown to a visitor that takes anything.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Show {
    /// As what a struct or enum of the user's most likely wants.
    Loosely,
    /// As just what it is.
    Exactly,
    /// As what it consists of: its tag was given already.
    Inside,
}

/// A value that is about to be read.
pub(super) struct Value<'s, 'de, S: ?Sized> {
    source: &'s mut S,
    /// Where it begins.
    mark: Mark,
    /// What it is, where that was read already.
    item: Option<Item<'de>>,
    show: Show,
    /// Whether it was not read, and nothing is to be said of where it stands.
    is_plain: bool,
}

/// Reads the value that comes next, and makes sure that it is read to its end.
#[inline]
pub(super) fn element<'de, S: Source<'de> + ?Sized, T: DeserializeSeed<'de>>(
    source: &mut S,
    seed: T,
) -> Result<T::Value> {
    let (mark, is_plain) = (source.mark(), source.is_plain());
    let value = Value { source: &mut *source, mark, item: None, show: Show::Loosely, is_plain };
    let made = seed.deserialize(value);
    settled(source, mark, made)
}

/// Reads the key that comes next, as [`element`] reads values.
#[inline]
pub(super) fn key<'de, S: Source<'de> + ?Sized, T: DeserializeSeed<'de>>(
    source: &mut S,
    seed: T,
) -> Result<T::Value> {
    let mark = source.mark();
    if let Some(name) = source.field() {
        let ready = Ready { source: &mut *source, mark, value: Name(name) };
        return match seed.deserialize(ready) {
            Ok(value) => {
                source.advance();
                Ok(value)
            }
            Err(error) => Err(placed(source, mark, None, error)),
        };
    }
    let is_plain = false;
    let value = Value { source: &mut *source, mark, item: None, show: Show::Loosely, is_plain };
    let made = seed.deserialize(value);
    settled(source, mark, made)
}

/// What was made of a value, which is read to its end now.
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

impl<'de, S: Source<'de> + ?Sized> Whole<'de> for S {
    fn whole(
        &mut self,
        mark: Mark,
        item: Item<'de>,
        is_inside: bool,
    ) -> impl Deserializer<'de, Error = Error> {
        let show = if is_inside { Show::Inside } else { Show::Loosely };
        Value { source: self, mark, item: Some(item), show, is_plain: false }
    }
}

impl<'s, 'de, S: Source<'de> + ?Sized> Value<'s, 'de, S> {
    /// A value that was read already and holds no others.
    pub(super) fn of(source: &'s mut S, item: Item<'de>) -> Self {
        let mark = source.mark();
        Self::at(source, mark, item)
    }

    /// A value that was read already and holds no others, with the source at `mark`.
    #[inline]
    pub(super) fn at(source: &'s mut S, mark: Mark, item: Item<'de>) -> Self {
        Self { source, mark, item: Some(item), show: Show::Loosely, is_plain: false }
    }

    #[inline]
    fn read(&mut self) -> Result<Item<'de>> {
        match self.item.take() {
            Some(item) => Ok(item),
            None => self.source.next(),
        }
    }

    /// Places an error that a visitor made.
    #[inline]
    fn place<T>(self_: (&mut S, Mark), variant_type: VariantType, made: Result<T>) -> Result<T> {
        let (source, mark) = self_;
        place(source, mark, variant_type, made)
    }

    fn refuse<T>(self, item: &Item<'de>, visitor: &impl Visitor<'de>) -> Result<T> {
        let error = Error::invalid_type(item.unexpected(), visitor);
        Self::place((self.source, self.mark), item.variant_type(), Err(error))
    }

    /// Shows a visitor whatever it is.
    #[inline]
    fn any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        self.dispatch(item, visitor)
    }

    #[inline]
    fn dispatch<V: Visitor<'de>>(self, item: Item<'de>, visitor: V) -> Result<V::Value> {
        let Self { source, mark, show, .. } = self;
        // What values are full of is shown at once: numbers, and keys.
        let item = match item {
            Item::Single(number) => {
                let made = visitor.visit_f32(number);
                return Self::place((source, mark), VariantType::Float, made);
            }
            Item::String(Text::Borrowed(text)) => {
                let made = visitor.visit_borrowed_str(text);
                return Self::place((source, mark), VariantType::String, made);
            }
            item => item,
        };
        let variant_type = item.variant_type();
        // What containers hold recurses: this function has little on the stack, the others more.
        let made = if is_behind_tag(&item, show, source) {
            behind_tag(source, mark, item, visitor)
        } else {
            match item {
                Item::Open(front) if front.is_array() => elements(&mut *source, visitor),
                Item::Open(front) if front.variant_type == VariantType::Dictionary => {
                    entries(&mut *source, visitor)
                }
                item => whole(source, mark, item, visitor),
            }
        };
        Self::place((source, mark), variant_type, made)
    }

    /// The elements of anything that has some.
    #[inline]
    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain && self.source.enter(VariantType::Array) {
            let made = elements(&mut *self.source, visitor);
            return Self::place((self.source, self.mark), VariantType::Array, made);
        }
        self.other_list(visitor)
    }

    #[inline(never)]
    fn other_list<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        if self.show == Show::Inside {
            return self.dispatch(item, visitor);
        }
        let variant_type = item.variant_type();
        let Self { source, mark, .. } = self;
        let made = match item {
            Item::Open(ref front) if front.is_array() => elements(&mut *source, visitor),
            Item::Packed(_, packed) => {
                let mut list = List::packed(&mut *source, packed);
                visitor.visit_seq(&mut list).and_then(|value| list.end(value))
            }
            Item::Bytes(bytes) => {
                let mut list = List::bytes(&mut *source, bytes);
                visitor.visit_seq(&mut list).and_then(|value| list.end(value))
            }
            Item::Math(variant_type, numbers) => {
                let count = numbers::count(variant_type).unwrap_or(0);
                let mut list = List::numbers(&mut *source, numbers, count);
                visitor.visit_seq(&mut list).and_then(|value| list.end(value))
            }
            item => {
                let value =
                    Value { source, mark, item: None, show: Show::Loosely, is_plain: false };
                return value.refuse(&item, &visitor);
            }
        };
        Self::place((source, mark), variant_type, made)
    }

    /// The pairs of a dictionary, or the components of a math type by their names.
    #[inline]
    fn map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain && self.source.enter(VariantType::Dictionary) {
            let made = entries(&mut *self.source, visitor);
            return Self::place((self.source, self.mark), VariantType::Dictionary, made);
        }
        self.other_map(visitor)
    }

    #[inline(never)]
    fn other_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        if self.show == Show::Inside {
            return self.dispatch(item, visitor);
        }
        let variant_type = item.variant_type();
        let Self { source, mark, .. } = self;
        let made = match item {
            Item::Open(ref front) if front.variant_type == VariantType::Dictionary => {
                entries(&mut *source, visitor)
            }
            Item::Math(variant_type, numbers) => {
                let count = numbers::count(variant_type).unwrap_or(0);
                visitor.visit_map(List::numbers(&mut *source, numbers, count).named(variant_type))
            }
            item => {
                let value =
                    Value { source, mark, item: None, show: Show::Loosely, is_plain: false };
                return value.refuse(&item, &visitor);
            }
        };
        Self::place((source, mark), variant_type, made)
    }

    #[inline]
    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some((variant_type, text)) = self.source.plain_words()
        {
            let made = visitor.visit_borrowed_str(text);
            return Self::place((self.source, self.mark), variant_type, made);
        }
        self.other_text(visitor)
    }

    #[inline(never)]
    fn other_text<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        if self.show == Show::Inside {
            return self.dispatch(item, visitor);
        }
        let variant_type = item.variant_type();
        let made = match item {
            Item::String(text) | Item::StringName(text) if text.as_str().is_some() => {
                show_text(text, visitor)
            }
            Item::Rare(VariantType::NodePath, payload) => {
                let Variant::String(text) = *payload else {
                    let item = Item::Rare(VariantType::NodePath, Box::default());
                    return self.refuse(&item, &visitor);
                };
                visitor.visit_string(text.to_string())
            }
            Item::String(text) | Item::StringName(text) => {
                let found = ::serde::de::Unexpected::Bytes(text.as_bytes());
                Err(Error::invalid_value(found, &"a string in UTF-8"))
            }
            item => return self.refuse(&item, &visitor),
        };
        Self::place((self.source, self.mark), variant_type, made)
    }

    #[inline]
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some(number) = self.source.plain_int()
        {
            let made = visitor.visit_i64(number);
            return Self::place((self.source, self.mark), VariantType::Int, made);
        }
        self.other_integer(visitor)
    }

    #[inline(never)]
    fn other_integer<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        if self.show == Show::Inside {
            return self.dispatch(item, visitor);
        }
        let variant_type = item.variant_type();
        let number = match item {
            Item::Int(number) => Some(number),
            Item::Float(number) => notation::of_float(number),
            Item::Single(number) => notation::of_single(number),
            _ => None,
        };
        let made = match number {
            Some(number) => visitor.visit_i64(number),
            None => return self.refuse(&item, &visitor),
        };
        Self::place((self.source, self.mark), variant_type, made)
    }

    #[inline]
    fn real<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some(number) = self.source.plain_float()
        {
            let made = visitor.visit_f64(number);
            return Self::place((self.source, self.mark), VariantType::Float, made);
        }
        self.other_real(visitor)
    }

    #[inline(never)]
    fn other_real<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        if self.show == Show::Inside {
            return self.dispatch(item, visitor);
        }
        let variant_type = item.variant_type();
        let made = match item {
            Item::Float(number) => visitor.visit_f64(number),
            Item::Single(number) => visitor.visit_f32(number),
            Item::Int(number) => visitor.visit_i64(number),
            item => return self.refuse(&item, &visitor),
        };
        Self::place((self.source, self.mark), variant_type, made)
    }

    /// A value that was asked for by the type that it has in this crate.
    #[inline]
    fn named<V: Visitor<'de>>(self, wanted: VariantType, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && numbers::count(wanted).is_some_and(|count| count <= FEW)
            && let Some(numbers) = self.source.plain_few(wanted)
        {
            let value = Few(wanted, numbers);
            let few = Ready { source: &mut *self.source, mark: self.mark, value };
            let made = visitor.visit_newtype_struct(few);
            return Self::place((self.source, self.mark), wanted, made);
        }
        self.other_named(wanted, visitor)
    }

    #[inline(never)]
    fn other_named<V: Visitor<'de>>(mut self, wanted: VariantType, visitor: V) -> Result<V::Value> {
        if self.show == Show::Inside {
            return visitor.visit_newtype_struct(self);
        }
        let item = self.read()?;
        let show = match (&item, wanted) {
            (item, wanted) if item.variant_type() == wanted => Show::Inside,
            // A StringName is a string, and its text stands for a path.
            (
                Item::StringName(_) | Item::String(_),
                VariantType::String | VariantType::StringName,
            ) => Show::Inside,
            (Item::String(_) | Item::StringName(_), VariantType::NodePath) => Show::Loosely,
            // What other formats make of the type.
            (Item::Open(front), _) if front.variant_type != VariantType::Object => Show::Loosely,
            (Item::Packed(..), _) if numbers::count(wanted).is_some() => Show::Loosely,
            _ => return self.refuse(&item, &visitor),
        };
        let Self { source, mark, .. } = self;
        let variant_type = item.variant_type();
        let value = Value { source: &mut *source, mark, item: Some(item), show, is_plain: false };
        let made = visitor.visit_newtype_struct(value);
        Self::place((source, mark), variant_type, made)
    }
}

/// Whether an item is shown behind its tag, so that it is told from others.
fn is_behind_tag<'de, S: Source<'de> + ?Sized>(
    item: &Item<'de>,
    show: Show,
    source: &mut S,
) -> bool {
    if show == Show::Inside {
        return false;
    }
    match item {
        Item::String(text) => text.as_str().is_none(),
        Item::StringName(text) => show == Show::Exactly || text.as_str().is_none(),
        Item::Math(..) | Item::Rare(..) => true,
        Item::Packed(..) => show == Show::Exactly,
        Item::Open(front) => {
            front.variant_type == VariantType::Object
                || show == Show::Exactly && front.says_more()
                || front.variant_type == VariantType::Dictionary
                    && source.left() > 0
                    && source.next_key().as_deref().and_then(tagged_type).is_some()
        }
        _ => false,
    }
}

/// Shows an item behind its tag.
fn behind_tag<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    mark: Mark,
    item: Item<'de>,
    visitor: V,
) -> Result<V::Value> {
    let variant_type = item.variant_type();
    match item {
        // What it says about itself stands behind what it holds.
        Item::Open(front) if front.variant_type != VariantType::Object => {
            visitor.visit_map(Parts::new(source, front))
        }
        item => {
            let inner =
                Value { source, mark, item: Some(item), show: Show::Inside, is_plain: false };
            visitor.visit_map(Tagged::new(variant_type, inner))
        }
    }
}

/// Shows an item that is no array and no dictionary.
fn whole<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    mark: Mark,
    item: Item<'de>,
    visitor: V,
) -> Result<V::Value> {
    match item {
        Item::Nil => visitor.visit_unit(),
        Item::Bool(value) => visitor.visit_bool(value),
        Item::Int(number) => visitor.visit_i64(number),
        Item::Float(number) => visitor.visit_f64(number),
        Item::Single(number) => visitor.visit_f32(number),
        Item::String(text) | Item::StringName(text) => show_text(text, visitor),
        Item::Math(variant_type, numbers) => {
            let count = numbers::count(variant_type).unwrap_or(0);
            visitor.visit_seq(List::numbers(source, numbers, count))
        }
        Item::Bytes(bytes) => match bytes {
            std::borrow::Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
            std::borrow::Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
        },
        Item::Packed(_, packed) => visitor.visit_seq(List::packed(source, packed)),
        Item::Open(front) => visitor.visit_map(Parts::new(source, front)),
        Item::Rare(_, payload) => {
            let offset = source.offset(mark);
            super::payload(&payload, offset, Inner(visitor))
        }
    }
}

fn show_text<'de, V: Visitor<'de>>(text: Text<'de>, visitor: V) -> Result<V::Value> {
    match text {
        Text::Borrowed(text) => visitor.visit_borrowed_str(text),
        Text::Owned(text) => match text.into_string() {
            Ok(text) => visitor.visit_string(text),
            Err(text) => {
                let numbers = text.numbers().collect::<Vec<_>>();
                visitor.visit_seq(::serde::de::value::SeqDeserializer::new(numbers.into_iter()))
            }
        },
    }
}

/// The elements of an open array, all of them.
pub(super) fn elements<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    visitor: V,
) -> Result<V::Value> {
    let value = visitor.visit_seq(Elements::new(&mut *source))?;
    complete(source)?;
    Ok(value)
}

/// The pairs of an open dictionary, all of them.
fn entries<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    visitor: V,
) -> Result<V::Value> {
    let value = visitor.visit_map(Entries::new(&mut *source))?;
    complete(source)?;
    Ok(value)
}

/// Closes the innermost container, of which nothing may be left.
pub(super) fn complete<'de, S: Source<'de> + ?Sized>(source: &mut S) -> Result<()> {
    match source.left() {
        0 => {
            source.close();
            Ok(())
        }
        left => Err(surplus(left)),
    }
}

/// More elements than the type takes.
#[cold]
pub(super) fn surplus(left: usize) -> Error {
    let expected = "no more elements than the type has";
    Error::new(rule::LENGTH, Error::NOWHERE, expected, format!("{left} more"))
}

/// Hands a visitor to a value's `deserialize_any`.
struct Inner<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Inner<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_any(self.0)
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

impl<'de, S: Source<'de> + ?Sized> Deserializer<'de> for Value<'_, 'de, S> {
    type Error = Error;

    forward! {
        deserialize_any => any;
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
        deserialize_map => map;
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if self.is_plain
            && let Some(value) = self.source.plain_bool()
        {
            let made = visitor.visit_bool(value);
            return Self::place((self.source, self.mark), VariantType::Bool, made);
        }
        match self.read()? {
            item @ Item::Bool(_) => self.dispatch(item, visitor),
            item => self.refuse(&item, &visitor),
        }
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let item = self.read()?;
        self.dispatch(item, visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.read()? {
            item @ Item::Bytes(_) => self.dispatch(item, visitor),
            item => {
                self.item = Some(item);
                self.list(visitor)
            }
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let is_null = match &self.item {
            Some(item) => matches!(item, Item::Nil),
            None => self.source.next_is_null()?,
        };
        if !is_null {
            return visitor.visit_some(self);
        }
        self.read()?;
        let made = visitor.visit_none();
        Self::place((self.source, self.mark), VariantType::Nil, made)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.read()? {
            item @ Item::Nil => self.dispatch(item, visitor),
            item if self.show == Show::Inside => self.dispatch(item, visitor),
            item => self.refuse(&item, &visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == types::ANY || name == types::ANY_DOUBLE {
            if self.item.is_none() && (name == types::ANY || self.source.is_canonical()) {
                let item = self.read()?;
                let offset = self.source.offset(self.mark);
                let fits = if name == types::ANY {
                    item.holds_single(offset)
                } else {
                    item.widens(offset)
                };
                fits.map_err(|error| error.within(item.variant_type().path_name()))?;
                self.item = Some(item);
            }
            if self.show == Show::Loosely {
                self.show = Show::Exactly;
            }
        } else if let Some(wanted) = named_type(name) {
            return self.named(wanted, visitor);
        }
        visitor.visit_newtype_struct(self)
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

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.is_plain && self.source.enter(VariantType::Dictionary) {
            self.source.expect(fields);
            let made = entries(&mut *self.source, visitor);
            return Self::place((self.source, self.mark), VariantType::Dictionary, made);
        }
        self.other_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let item = self.read()?;
        let variant_type = item.variant_type();
        let Self { source, mark, .. } = self;
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
                let found = ::serde::de::Unexpected::Other("Dictionary");
                Err(Error::invalid_type(
                    found,
                    &"the name of a variant, or a Dictionary of one pair",
                ))
            }
            item => {
                let value =
                    Value { source, mark, item: None, show: Show::Loosely, is_plain: false };
                return value.refuse(&item, &visitor);
            }
        };
        Self::place((source, mark), variant_type, made)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // What is not taken is passed over by whoever hands the values out.
        match self.item {
            Some(_) => self.any(visitor),
            None => visitor.visit_unit(),
        }
    }
}
