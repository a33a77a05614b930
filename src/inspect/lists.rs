//! What stands several times, and the padding behind it.

use super::known::Number;
use super::level::{Found, Level, Place};
use super::value::{unsigned, without_padding};
use super::{Inspector, Kind, Layout, Note, Span, Value};
use crate::error::Error;
use crate::schema::{Expression, Field, Meaning, Shape};
use crate::variant::codec;
use crate::wire::{Padding, not_negative, wrong_magic};

impl<'a> Inspector<'a> {
    pub(super) fn padding(
        &mut self,
        place: Place,
        length: Expression,
        may_miss: bool,
    ) -> Found<'a> {
        let length = usize::try_from(self.evaluate(length)).unwrap_or(0);
        let needed = Padding::needed(length);
        let there = needed.min(self.left());
        self.tail.push(place.name.into());
        if there < needed && !may_miss {
            self.peek(needed, format_args!("{needed} bytes of padding"))?;
        }
        if there == 0 || self.shallow {
            self.position += there;
            return Ok(None);
        }
        let start = self.position;
        let bytes = self.peek(there, format_args!(""))?;
        self.position += there;
        let note = match bytes.iter().all(|&byte| byte == 0) {
            true if there < needed => Some(Note::PaddingMissing),
            true => None,
            false => Some(Note::PaddingNotZero),
        };
        Ok(Some(Span {
            kind: Kind::Leaf,
            depth: place.depth,
            offset: start as u64,
            length: Some(there as u64),
            bytes,
            name: place.name.into(),
            layout: Layout::One(place.shape),
            value: Value::None,
            note,
        }))
    }

    pub(super) fn times(&mut self, field: &'static Field, place: Place, count: u64) -> Found<'a> {
        match place.shape.size() {
            Some(size) if size > 0 => self.block(field, place, count, size),
            _ => self.list(field, place, count),
        }
    }

    /// Elements of a fixed size: one span for all of them.
    fn block(&mut self, field: &'static Field, place: Place, count: u64, size: usize) -> Found<'a> {
        let start = self.position;
        self.tail.push(place.name.into());
        let is_text =
            matches!(place.meaning, Meaning::Text | Meaning::TerminatedText | Meaning::PaddedText);
        let is_whole = is_text || matches!(place.meaning, Meaning::Magic(_) | Meaning::Zero);
        // The word with the count is the one before, for all blocks.
        let rule = if is_text { codec::rule::STRING_LENGTH } else { codec::rule::ARRAY_COUNT };
        if let Ok(word) = u32::try_from(count)
            && !self.own
        {
            not_negative(rule, start.saturating_sub(4), word)?;
        }
        let fits = (self.left() / size) as u64;
        let there = count.min(fits);
        let length = there as usize * size;
        if there < count {
            let needed = (count.saturating_mul(size as u64)).saturating_sub(self.left() as u64);
            let expected = match size {
                1 => format!("{count} bytes"),
                _ => format!("{count} elements of {size} bytes"),
            };
            let left = self.left() as u64;
            let fault = Error::incomplete(start as u64, needed, expected, left);
            if there == 0 {
                return Err(fault);
            }
            self.fault = Some(fault);
        }
        let bytes = self.peek(length, format_args!(""))?;
        self.knows_sum(field.name, place.shape, bytes);
        let hit = self.target.and_then(|target| target.checked_sub(start as u64));
        let first = match hit {
            Some(hit) if !is_whole && hit < length as u64 => Some(hit / size as u64),
            _ if self.list && !is_whole => Some(0),
            // What is asserted inside its elements is looked for in each.
            _ if self.own && matches!(place.shape, Shape::Record(_)) => Some(0),
            _ => None,
        };
        if let (Some(first), false) = (first, there == 0) {
            // The fault behind a cut array comes when the whole elements have come.
            let fault = self.fault.take();
            self.position += first as usize * size;
            self.tail.clear();
            let place = Place { spread: false, ..place };
            let found = self.elements(field, place, first, count, start)?;
            if self.own
                && let Some(Level::Elements { count, fault: behind, .. }) = self.levels.last_mut()
            {
                (*count, *behind) = (there, fault);
            }
            return Ok(found);
        }
        self.position += length;
        let value = match place.meaning {
            Meaning::Text | Meaning::Magic(_) => Value::Text(bytes),
            Meaning::TerminatedText => Value::Text(bytes.strip_suffix(b"\0").unwrap_or(bytes)),
            Meaning::PaddedText => Value::Text(without_padding(bytes)),
            _ => Value::Elements(place.shape, bytes),
        };
        if let Meaning::Magic(magic) = place.meaning
            && there == count
            && bytes != magic
        {
            self.fault = Some(wrong_magic(start, magic, bytes));
        }
        let note = if there < count {
            Some(Note::Missing(count - there))
        } else if let Meaning::Magic(magic) = place.meaning {
            (bytes != magic).then_some(Note::Unnamed)
        } else if place.meaning == Meaning::Zero {
            bytes.iter().any(|&byte| byte != 0).then_some(Note::PaddingNotZero)
        } else if place.meaning == Meaning::PaddedText {
            text_note(without_padding(bytes))
        } else if is_text {
            text_note(bytes)
        } else {
            None
        };
        // What engines do is nothing to a format of somebody's own.
        let note = note.filter(|note| !(self.own && *note == Note::BehindZero));
        Ok(Some(Span {
            kind: Kind::Leaf,
            depth: place.depth,
            offset: start as u64,
            length: Some(length as u64),
            bytes,
            name: place.name.into(),
            layout: Layout::Many(place.shape, count),
            value,
            note,
        }))
    }

    /// Only of sizes and the like is there anything that depends on what they come to.
    fn knows_sum(&mut self, name: &'static str, shape: Shape, bytes: &[u8]) {
        let Shape::Integer { bytes: size @ 2.., signed: false } = shape else { return };
        let numbers = bytes.chunks_exact(size.into()).map(|number| i128::from(unsigned(number)));
        self.knows(name, Number::Sum(numbers.sum()));
    }

    /// Elements that have fields of their own, or are values.
    fn list(&mut self, field: &'static Field, place: Place, count: u64) -> Found<'a> {
        if self.shallow && nests(place.shape) {
            // Stop, unless there is nothing to stop at.
            self.done = count > 0;
            return Ok(Some(Span {
                kind: Kind::Leaf,
                depth: place.depth,
                offset: self.position as u64,
                length: None,
                bytes: &[],
                name: place.name.into(),
                layout: Layout::Many(place.shape, count),
                value: Value::Count(count, field.name),
                note: None,
            }));
        }
        if count == 0 {
            return Ok(None);
        }
        let start = self.position;
        let found = self.elements(field, place, 0, count, start)?;
        // A reader refuses such a count before the first element.
        let (left, least) = (self.left() as u64, place.shape.least().max(1) as u64);
        let needed = count.saturating_mul(least).saturating_sub(left);
        if self.own
            && needed > 0
            && let Some(Level::Elements { fault, .. }) = self.levels.last_mut()
        {
            let expected = format!("{count} elements of at least {least} bytes");
            *fault = Some(Error::incomplete(start as u64, needed, expected, left));
        }
        Ok(found)
    }

    /// Elements that have fields of their own, up to the end.
    pub(super) fn list_to_end(&mut self, field: &'static Field, place: Place) -> Found<'a> {
        if self.left() == 0 {
            return Ok(None);
        }
        let found = self.elements(field, place, 0, u64::MAX, self.position)?;
        if let Some(Level::Elements { to_end, .. }) = self.levels.last_mut() {
            *to_end = Some(self.position);
        }
        Ok(found.map(|span| Span { layout: Layout::ToEnd(place.shape), ..span }))
    }

    /// Opens a list, from its element `first` on.
    fn elements(
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
        // The elements of a container stand in it as its fields do.
        let depth = place.depth + u32::from(!place.inline);
        self.levels.push(Level::Elements {
            field,
            next: first,
            count,
            depth,
            steps,
            base: self.known.len(),
            own_steps: self.steps.len(),
            to_end: None,
            fault: None,
        });
        if place.inline {
            return Ok(None);
        }
        let size = place.shape.size().zip(usize::try_from(count).ok());
        let size = size.and_then(|(size, count)| size.checked_mul(count));
        let here = std::mem::replace(&mut self.position, start);
        let list = Place { shape: Shape::Padding, ..place };
        let span = self.open(list, size, Layout::Many(place.shape, count), Value::None);
        self.position = here;
        Ok(Some(span))
    }
}

/// Whether values stand in it.
pub(super) fn nests(shape: Shape) -> bool {
    match shape {
        Shape::Variant => true,
        Shape::Record(record) => record.fields.iter().any(|field| nests(field.shape())),
        _ => false,
    }
}

fn text_note(bytes: &[u8]) -> Option<Note> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    if std::str::from_utf8(&bytes[..end]).is_err() {
        return Some(Note::NotUtf8);
    }
    // A zero byte at the very end is the terminator of a string in a string array.
    (end + 1 < bytes.len()).then_some(Note::BehindZero)
}
