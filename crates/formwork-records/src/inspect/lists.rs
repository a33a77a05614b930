//! Walks repeated fields, and the padding after them.

use super::level::{Content, Found, Place};
use super::walker::Resolver;
use super::{Note, Span, SpanType, Value, Walker};
use crate::schema::{Expression, Field, Layout, Occurs, VARIANT};
use crate::wire::Padding;

impl<'a, F: Resolver<'a>> Walker<'a, F> {
    pub fn padding(&mut self, place: Place, length: Expression, may_miss: bool) -> Found<'a> {
        let length = usize::try_from(self.evaluate(length)).unwrap_or(0);
        let needed = Padding::needed(length);
        let there = needed.min(self.left());
        self.tail.push(place.name.into());
        if there < needed && !may_miss {
            self.peek(needed, format_args!("{} of padding", formwork::wire::bytes(needed)))?;
        }
        if there == 0 || self.shallow {
            self.position += there;
            return Ok(None);
        }
        let bytes = self.peek(there, format_args!(""))?;
        self.position += there;
        let note = match bytes.iter().all(|&byte| byte == 0) {
            true if there < needed => Some(Note::PaddingMissing),
            true => None,
            false => Some(Note::PaddingNotZero),
        };
        let layout = SpanType::One(place.shape);
        let span = self.taken(place.depth, place.name.into(), layout, bytes, Value::None);
        Ok(Some(Span { note, ..span }))
    }

    pub fn times(&mut self, field: &'static Field, place: Place, count: u64) -> Found<'a> {
        match place.shape.size() {
            Some(size) if size > 0 => F::block(self, field, place, count, size),
            _ => self.list(field, place, count),
        }
    }

    /// Opens elements that have fields themselves, or are values.
    fn list(&mut self, field: &'static Field, place: Place, count: u64) -> Found<'a> {
        if self.shallow && nests(place.shape) {
            // The walk stops here, unless there are no elements.
            self.done = count > 0;
            let layout = SpanType::Many(place.shape, count);
            let value = Value::Count(count, field.name);
            let span = self.taken(place.depth, place.name.into(), layout, &[], value);
            return Ok(Some(Span { length: None, ..span }));
        }
        if count == 0 && !F::APART {
            return Ok(None);
        }
        let start = self.position;
        self.elements(field, place, 0, count, start)
    }

    /// Opens a list, from its element `first` on.
    pub fn elements(
        &mut self,
        field: &'static Field,
        place: Place,
        first: u64,
        count: u64,
        start: usize,
    ) -> Found<'a> {
        let steps = self.steps.len();
        if !place.inline {
            self.steps.push(place.name.into());
        }
        // The elements of a container have the same depth in it as its fields.
        let depth = place.depth + u32::from(!place.inline);
        let own_steps = self.steps.len();
        let content = Content::Elements { field, next: first, count, own_steps, to_end: None };
        self.enter(content, depth, steps);
        if place.inline {
            return Ok(None);
        }
        let size = place.shape.size().zip(usize::try_from(count).ok());
        let size = size.and_then(|(size, count)| size.checked_mul(count));
        let here = std::mem::replace(&mut self.position, start);
        let layout = SpanType::Many(place.shape, count);
        let (depth, name) = (place.depth, place.name.into());
        let span = self.open(depth, name, Layout::Padding(4), (layout, size), Value::None);
        self.position = here;
        Ok(Some(span))
    }
}

/// Whether values can be nested in it.
pub fn nests(shape: Layout) -> bool {
    match shape {
        Layout::Nested(VARIANT) => true,
        Layout::Record(record) => record.fields.iter().any(|field| nests(field.element())),
        _ => false,
    }
}
