//! Shows an item to a visitor that takes any value.

use ::serde::de::{DeserializeSeed, Deserializer, Visitor};

use super::access::{List, Parts, elements, entries};
use super::item::{Item, Text};
use super::source::{AnySource, Mark, place};
use super::value::Show;
use crate::VariantType;
use crate::serde::numbers;
use crate::serde::types::tagged_type;
use formwork::Result;

/// Shows an item that begins at a mark.
#[inline(never)]
pub(super) fn item<'de, V: Visitor<'de>>(
    source: &mut AnySource<'_, 'de>,
    mark: Mark,
    item: Item<'de>,
    show: Show,
    visitor: V,
) -> Result<V::Value> {
    // The most frequent values are shown at once: numbers, and keys.
    let item = match item {
        Item::Single(number) => {
            return place(source, mark, VariantType::Float, visitor.visit_f32(number));
        }
        Item::String(Text::Borrowed(text)) => {
            return place(source, mark, VariantType::String, visitor.visit_borrowed_str(text));
        }
        item => item,
    };
    let variant_type = item.variant_type();
    // The contents of containers recurse: this function needs little stack, the others more.
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
    place(source, mark, variant_type, made)
}

/// Returns whether an item is shown with its tag, so that it can be distinguished from others.
fn is_behind_tag<'de>(item: &Item<'de>, show: Show, source: &mut AnySource<'_, 'de>) -> bool {
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

/// Shows an item with its tag.
fn behind_tag<'de, V: Visitor<'de>>(
    source: &mut AnySource<'_, 'de>,
    mark: Mark,
    item: Item<'de>,
    visitor: V,
) -> Result<V::Value> {
    let parts = match item {
        // The attributes of a container come after its contents.
        Item::Open(front) if front.variant_type != VariantType::Object => Parts::new(source, front),
        item => Parts::of_item(source, mark, item),
    };
    visitor.visit_map(parts)
}

/// Shows an item that is neither array nor dictionary.
fn whole<'de, V: Visitor<'de>>(
    source: &mut AnySource<'_, 'de>,
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
        Item::String(string) | Item::StringName(string) => text(string, visitor),
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

/// Shows a text, and one that is not in Unicode as its numbers.
pub(super) fn text<'de, V: Visitor<'de>>(text: Text<'de>, visitor: V) -> Result<V::Value> {
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

/// Hands a visitor to a value's `deserialize_any`.
struct Inner<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Inner<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_any(self.0)
    }
}
