//! Spans of the steps of a walk along declarations.

use std::collections::VecDeque;
use std::fmt;

use super::value::{self, Naming};
use super::{Kind, Note, Span, SpanType, Value};
use crate::schema::{
    Field, Layout, Magic, Meaning, Occurs, Record, Repetition, Schema, VARIANT, Word, WordPart,
};
use formwork::walk::{Name, Step, StepKind, Walk};
use formwork::{Error, PathSegment, Result};

/// A family of formats: the nested parts of its records, its names, and its errors for bytes that do not match the
/// declaration.
pub trait Resolver<'a>: Clone + fmt::Debug + Sized {
    /// Whether records are independent: lists in them have no separate spans.
    const APART: bool;

    /// Returns the names that only the family has.
    fn naming(&self) -> Naming {
        &()
    }

    /// Whether spans are walked but not returned.
    fn is_hidden(&self) -> bool {
        false
    }

    /// Returns the value of a number with this meaning.
    fn named(&self, meaning: Meaning, number: i128) -> Value<'a> {
        Value::Integer(number, self.naming().name_of(meaning, number))
    }

    /// Returns the value of letters.
    fn letters(bytes: &'a [u8]) -> Value<'a>;

    /// Returns the value of a part of a bit-packed word.
    fn part(&self, _word: &Word, bits: &WordPart, number: u64) -> Value<'a> {
        value::part(bits, number, self.naming())
    }

    /// Checks whether the walk can go on.
    fn check(_walker: &mut Walker<'a, Self>) -> Result<()> {
        Ok(())
    }

    /// Makes the next step in content without a declaration, if that is what comes.
    fn own(_walker: &mut Walker<'a, Self>) -> Option<Found<'a>> {
        None
    }

    /// Makes the next step if the walk is at its end.
    fn outermost(walker: &mut Walker<'a, Self>) -> Found<'a>;

    /// Begins a nested part.
    fn nested(walker: &mut Walker<'a, Self>, place: &Place) -> Found<'a>;

    /// Returns the opening of a record at the current position; [`None`] for a record without a span.
    fn record(
        walker: &mut Walker<'a, Self>,
        place: &Place,
        record: &'static Record,
    ) -> Result<Option<Opening<'a>>>;

    /// Returns the span of elements of a fixed size.
    fn block(walker: &mut Walker<'a, Self>, block: &Block<'_, 'a>) -> Found<'a>;

    /// Called before an element of a list: its index, and the number of elements.
    fn element(_walker: &mut Walker<'a, Self>, _place: &Place, _index: u64, _count: u64) {}

    /// Called at the end of a record or list.
    fn closed(_walker: &mut Walker<'a, Self>) -> Found<'a> {
        Ok(None)
    }

    /// Returns the number in the bytes of a number or word, if the family reads it in a special way.
    fn raw(_walker: &Walker<'a, Self>, _place: &Place, _bytes: &[u8]) -> Option<u64> {
        None
    }

    /// Called after a number or word was read.
    fn read(_walker: &mut Walker<'a, Self>, _place: &Place, _raw: u64, _span: &mut Span<'a>) {}

    /// Returns the span of bytes of a region after its contents.
    fn rest(_walker: &mut Walker<'a, Self>, _place: &Place) -> Found<'a> {
        Ok(None)
    }

    /// Returns the length of a part whose inner spans are not returned.
    fn measure(_walker: &Walker<'a, Self>, _shape: Layout) -> Option<usize> {
        None
    }

    /// Returns a fault of the family with the path of the last span.
    fn placed(walker: &Walker<'a, Self>, fault: Error) -> Error {
        fault.under(walker.walk.path())
    }

    /// Closes everything after a fault. The fault is returned next, and after it a span of the unread bytes.
    fn give_up(walker: &mut Walker<'a, Self>, fault: Error);
}

/// A span, if the step of the walk returned one.
pub type Found<'a> = Result<Option<Span<'a>>>;

/// A step of the walk, as spans show it.
#[derive(Clone, Debug)]
pub struct Place {
    pub step: Step,
    pub shape: Layout,
    pub name: PathSegment,
    pub depth: u32,
}

impl Place {
    /// Returns the meaning of the bytes.
    pub fn meaning(&self) -> Meaning {
        self.step.field.map_or(Meaning::Plain, |field| field.meaning)
    }

    /// Returns the depth and the name.
    pub fn named(&self) -> (u32, PathSegment) {
        (self.depth, self.name.clone())
    }

    /// Returns the name of the field; none of an element.
    pub fn field_name(&self) -> Option<&'static str> {
        self.step.field.map(|field| field.name)
    }
}

/// Elements of a fixed size, as many as are there.
#[derive(Clone, Copy, Debug)]
pub struct Block<'p, 'a> {
    pub place: &'p Place,
    pub bytes: &'a [u8],
    /// How many should be there.
    pub count: u64,
    pub size: usize,
}

impl Block<'_, '_> {
    /// Returns the bytes that are always the same.
    pub fn magic(&self) -> Option<Magic> {
        self.place.step.field.and_then(|field| field.magic)
    }
}

/// The opening of a record, before its fields.
#[derive(Clone, Debug)]
pub struct Opening<'a> {
    pub length: Option<usize>,
    pub layout: SpanType,
    pub value: Value<'a>,
    /// Whether its fields are omitted: then [`Kind::Leaf`].
    pub kind: Kind,
}

/// A nested part that is being entered: a word, and the record whose parameter it is.
#[derive(Clone, Copy, Debug)]
struct Entering {
    word: &'static Word,
    record: &'static Record,
    depth: u32,
    /// The word, once it was read.
    raw: Option<u64>,
}

/// An iterator over the description of the bytes of a format: `formwork_godot::inspect::Inspector` of packets and of
/// user-defined formats, `formwork_alb1::inspect::Inspector` of ALB1 files.
///
/// Its memory is proportional to the depth of the content, whatever the content holds or claims to hold, and it does
/// not recurse.
#[derive(Clone, Debug)]
pub struct Walker<'a, F: Resolver<'a>> {
    pub bytes: &'a [u8],
    /// Spans deeper than this are walked, but not returned.
    pub deepest: Option<u32>,
    /// The end of the bytes that spans cover.
    pub position: usize,
    pub done: bool,
    pub walk: Walk<'a>,
    /// The depths in the walk of the open records and lists without a span.
    without_span: Vec<usize>,
    entering: Option<Entering>,
    /// The spans that were found together with the last one.
    pub found: VecDeque<Result<Span<'a>>>,
    /// The fault after the last span.
    pub fault: Option<Error>,
    /// Whether the walk stops before nested values, for a one-line summary of a packet.
    pub shallow: bool,
    /// Whether the values of the parts of words are needed.
    pub parts: bool,
    pub resolver: F,
}

impl<'a, F: Resolver<'a>> Walker<'a, F> {
    /// Makes a walker at the start of the bytes, with nothing open.
    pub fn of(bytes: &'a [u8], resolver: F) -> Self {
        let mut walk = Walk::inspecting(u8::LAYOUT, Name::Same, bytes);
        walk.stop();
        Self {
            bytes,
            deepest: None,
            position: 0,
            done: false,
            walk,
            without_span: Vec::new(),
            entering: None,
            found: VecDeque::new(),
            fault: None,
            shallow: false,
            parts: true,
            resolver,
        }
    }

    /// Leaves out the spans that are in more than `deepest` others.
    #[must_use]
    pub const fn deepest(mut self, deepest: u32) -> Self {
        self.deepest = Some(deepest);
        self
    }

    /// Begins with a layout at the current position.
    pub fn begin(&mut self, layout: Layout, name: Name) {
        let rest = self.position..self.bytes.len();
        self.walk = Walk::inspecting(layout, name, self.bytes).part(rest);
        self.without_span.clear();
        self.entering = None;
    }

    /// Closes everything that is open.
    pub fn stop(&mut self) {
        self.walk.stop();
        self.entering = None;
    }

    /// Makes the next step.
    fn walk(&mut self) -> Found<'a> {
        if let Some(found) = F::own(self) {
            return found;
        }
        if let Some(entering) = self.entering.take() {
            return self.enter_further(entering);
        }
        if self.walk.is_over() {
            return F::outermost(self).map_err(|fault| F::placed(self, fault));
        }
        F::check(self)?;
        let (list, depth) = (self.walk.list_around(), self.walk.depth());
        let found = match self.walk.advance()? {
            Some(step) => self.show(step, list),
            None if self.walk.depth() < depth => F::closed(self),
            None => Ok(None),
        };
        found.map_err(|fault| F::placed(self, fault))
    }

    /// Enters a nested part after its opening: a word, then a record.
    pub const fn enter(&mut self, word: &'static Word, record: &'static Record, depth: u32) {
        self.entering = Some(Entering { word, record, depth, raw: None });
    }

    fn enter_further(&mut self, entering: Entering) -> Found<'a> {
        let Entering { word, record, depth, raw } = entering;
        if let Some(raw) = raw {
            self.walk.enter_record(record, Some((word, raw)))?;
            return Ok(None);
        }
        self.walk.enter(Layout::Word(word), Name::Field("header"));
        let Some(step) = self.walk.advance()? else { return Ok(None) };
        let (shape, name) = (Layout::Word(word), PathSegment::Field("header"));
        let (raw, span) = self.leaf(&Place { step, shape, name, depth });
        self.entering = Some(Entering { raw: Some(raw), ..entering });
        Ok(Some(span))
    }

    /// Returns the span of a step, which may be an element of a list.
    fn show(&mut self, step: Step, list: Option<(Layout, u64)>) -> Found<'a> {
        while self.without_span.pop_if(|depth| *depth >= step.depth).is_some() {}
        let name = match (step.name, step.field) {
            (Name::Field(name) | Name::Inline(name), _) => PathSegment::Field(name),
            (Name::Index(index), _) => PathSegment::Index(index),
            (Name::Same, field) => PathSegment::Field(field.map_or("", |field| field.name)),
        };
        let depth = (step.depth - self.without_span.len()) as u32;
        let is_inline = step.field.is_some_and(|field| field.inline);
        let place = |shape| Place { step: step.clone(), shape, name, depth };
        if let (Name::Index(index), Some((of, count))) = (step.name, list) {
            F::element(self, &place.clone()(of), index, count);
        }
        match step.kind {
            StepKind::Record(record) => {
                let place = place(Layout::Record(record));
                let opening = if is_inline { None } else { F::record(self, &place, record)? };
                let Some(Opening { length, layout, value, kind }) = opening else {
                    self.hide(step.depth);
                    return Ok(None);
                };
                let measured = Some(place.shape);
                let span = self.open(depth, place.name, measured, (layout, length), value);
                if kind == Kind::Leaf {
                    self.walk.leave();
                    self.skip(length.unwrap_or_default());
                }
                Ok(Some(Span { kind, ..span }))
            }
            StepKind::List(of, count) => Ok(self.list(&place(of), count, is_inline || F::APART)),
            StepKind::Magic => self.block(&place(u8::LAYOUT)),
            StepKind::Leaf(layout) => match layout {
                Layout::Padding(_) => Ok(self.padding(&place(layout))),
                Layout::List(of) | Layout::ToEnd(of) => self.block(&place(of())),
                Layout::Array(_, of) if step.field.is_some() => self.block(&place(of())),
                _ => {
                    let span = self.leaf(&place(layout)).1;
                    // A number that is only the length of another field is left out of a summary.
                    Ok(Some(span).filter(|_| !self.shallow || !self.is_length(step.field)))
                }
            },
            StepKind::Nested(id) => F::nested(self, &place(Layout::Nested(id))),
            StepKind::Rest => F::rest(self, &place(u8::LAYOUT)),
            // They are other views of bytes that have a span.
            _ => Ok(None),
        }
    }

    /// Opens elements that have fields themselves, or are values.
    fn list(&mut self, place: &Place, count: Option<u64>, is_inline: bool) -> Option<Span<'a>> {
        let shape = place.shape;
        if let Some(count) = count.filter(|_| self.shallow && nests(shape)) {
            // The walk stops here, unless there are no elements.
            self.done = count > 0;
            let value = Value::Count(count, place.field_name().unwrap_or_default());
            let span = self.taken(place.named(), SpanType::Many(shape, count), &[], value);
            return Some(Span { length: None, ..span });
        }
        let is_empty = match count {
            Some(count) => count == 0,
            None => self.left() == 0,
        };
        if is_inline || is_empty {
            self.hide(place.step.depth);
            return None;
        }
        let size = shape.size().zip(count.and_then(|count| usize::try_from(count).ok()));
        let size = size.and_then(|(size, count)| size.checked_mul(count));
        let layout = count.map_or(SpanType::ToEnd(shape), |count| SpanType::Many(shape, count));
        Some(self.open(place.depth, place.name.clone(), None, (layout, size), Value::None))
    }

    /// Walks through the elements of a block one by one, from the element `first` on.
    pub fn elements(&mut self, block: &Block<'_, 'a>, first: u64) -> Option<Span<'a>> {
        let place = block.place;
        self.position = place.step.bytes.start;
        let found = self.list(place, Some(block.count), F::APART);
        self.walk.again(&place.step, place.shape, first);
        self.position += first as usize * block.size;
        found
    }

    fn block(&mut self, place: &Place) -> Found<'a> {
        let bytes = self.bytes.get(place.step.bytes.clone()).unwrap_or_default();
        let size = place.shape.size().filter(|size| *size > 0).unwrap_or(1);
        let count = (bytes.len() / size) as u64 + place.step.missing;
        F::block(self, &Block { place, bytes, count, size })
    }

    fn padding(&mut self, place: &Place) -> Option<Span<'a>> {
        let bytes = self.bytes.get(place.step.bytes.clone()).unwrap_or_default();
        self.position = place.step.bytes.end;
        if bytes.is_empty() || self.shallow {
            return None;
        }
        let note = match bytes.iter().all(|&byte| byte == 0) {
            true if place.step.missing > 0 => Some(Note::PaddingMissing),
            true => None,
            false => Some(Note::PaddingNotZero),
        };
        let span = self.taken(place.named(), SpanType::One(place.shape), bytes, Value::None);
        Some(Span { note, ..span })
    }

    /// Whether other fields take their length or count from this one.
    fn is_length(&self, field: Option<&Field>) -> bool {
        let (Some(record), Some(field)) = (self.walk.record_around(), field) else { return false };
        record.fields.iter().any(|other| match other.occurs() {
            Repetition::Times(count) | Repetition::After(count) | Repetition::AfterOrEnd(count) => {
                count.uses(field.name)
            }
            _ => false,
        })
    }

    pub fn before_limit(&self) -> &'a [u8] {
        self.bytes.get(..self.walk.end()).unwrap_or(self.bytes)
    }

    /// Returns the next bytes, if at least `count` are left.
    pub fn peek(&self, count: usize, what: &str) -> Result<&'a [u8]> {
        let rest = self.before_limit().get(self.position..).unwrap_or_default();
        rest.get(..count).ok_or_else(|| {
            let (start, left) = (self.position as u64, rest.len());
            Error::incomplete(start, (count - left) as u64, what.to_owned(), left as u64)
        })
    }

    /// Passes over bytes that have a span.
    pub fn skip(&mut self, length: usize) {
        self.walk.pass(length);
        self.position += length;
    }

    pub const fn left(&self) -> usize {
        self.walk.end().saturating_sub(self.position)
    }

    /// Leaves a record or list at this depth of the walk without a span.
    pub fn hide(&mut self, depth: usize) {
        self.without_span.push(depth);
    }

    /// Returns the opening span of a part that begins here, with the length of its layout if that is measured.
    pub fn open(
        &self,
        depth: u32,
        name: PathSegment,
        measured: Option<Layout>,
        (layout, size): (SpanType, Option<usize>),
        value: Value<'a>,
    ) -> Span<'a> {
        let start = self.position;
        // If inner spans are not returned, the caller cannot add up their lengths.
        let closed = self.deepest == Some(depth);
        let measured = measured.filter(|_| closed && size.is_none());
        let size = size.or_else(|| F::measure(self, measured?));
        let end = size.and_then(|size| start.checked_add(size));
        Span {
            kind: Kind::Open,
            depth,
            offset: start as u64,
            length: size.map(|size| size as u64),
            bytes: end.and_then(|end| self.before_limit().get(start..end)).unwrap_or_default(),
            name,
            layout,
            value,
            note: None,
        }
    }

    /// Returns the bytes that were read last, as one field.
    pub fn taken(
        &self,
        (depth, name): (u32, PathSegment),
        layout: SpanType,
        bytes: &'a [u8],
        value: Value<'a>,
    ) -> Span<'a> {
        Span {
            kind: Kind::Leaf,
            depth,
            offset: (self.position - bytes.len()) as u64,
            length: Some(bytes.len() as u64),
            bytes,
            name,
            layout,
            value,
            note: None,
        }
    }

    /// Returns the bytes up to `end`, unread.
    pub fn rest_span(&mut self, name: &'static str, depth: u32, end: usize) -> Option<Span<'a>> {
        let bytes = self.bytes.get(self.position..end).filter(|rest| !rest.is_empty())?;
        let offset = self.position as u64;
        self.position = end;
        Some(Span {
            kind: Kind::Rest,
            depth,
            offset,
            length: Some(bytes.len() as u64),
            bytes,
            name: PathSegment::Field(name),
            layout: SpanType::Bytes,
            value: Value::Count(bytes.len() as u64, "bytes"),
            note: None,
        })
    }
}

impl<'a, F: Resolver<'a>> Iterator for Walker<'a, F> {
    type Item = Result<Span<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = match self.found.pop_front() {
                Some(Err(fault)) => return Some(Err(fault)),
                Some(Ok(span)) => Ok(Some(span)),
                None => match self.fault.take() {
                    Some(fault) => Err(F::placed(self, fault)),
                    None if self.done => return None,
                    None => self.walk(),
                },
            };
            match found {
                Ok(Some(span)) => {
                    let is_shown = self.deepest.is_none_or(|deepest| span.depth <= deepest);
                    if is_shown && !self.resolver.is_hidden() {
                        return Some(Ok(span));
                    }
                }
                Ok(None) => {}
                Err(fault) => F::give_up(self, fault),
            }
        }
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
