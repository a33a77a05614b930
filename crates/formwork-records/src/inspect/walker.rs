//! The walk over schema and bytes: a list of open levels instead of recursion.

use std::collections::VecDeque;
use std::fmt;

use super::known::{Known, KnownNumber, look_up};
use super::level::{Content, Found, Level, Name, Place};
use super::value::{self, Naming};
use super::{Kind, Span, SpanType, Value};
use crate::schema::{
    CHILD, Expression, Field, Layout, Meaning, Occurs, Record, Repetition, Word, WordPart,
};
use formwork::{Error, PathSegment, Result};

/// A family of formats: the nested parts of its records, its names, and its errors for bytes that do not match the
/// declaration.
pub trait Resolver<'a>: Clone + fmt::Debug + Sized {
    /// The content that the family walks without a declaration.
    type Own: Clone + fmt::Debug;

    /// Whether records are independent: paths do not name their fields, lists in them have no separate spans, and no
    /// other record refers to their numbers.
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

    /// Makes the next step if no level is open.
    fn outermost(walker: &mut Walker<'a, Self>) -> Found<'a>;

    /// Makes the next step in content that the family walks itself.
    fn own(walker: &mut Walker<'a, Self>) -> Found<'a>;

    /// Begins a nested part.
    fn nested(walker: &mut Walker<'a, Self>, place: Place) -> Found<'a>;

    /// Begins nested parts up to the end of the input.
    fn nested_to_end(
        walker: &mut Walker<'a, Self>,
        field: &'static Field,
        place: Place,
    ) -> Found<'a>;

    /// Returns the opening of a record at the current position.
    fn record(
        walker: &mut Walker<'a, Self>,
        place: Place,
        record: &'static Record,
    ) -> Result<Opening<'a>>;

    /// Walks elements of a fixed size.
    fn block(
        walker: &mut Walker<'a, Self>,
        field: &'static Field,
        place: Place,
        count: u64,
        size: usize,
    ) -> Found<'a>;

    /// Called before an element.
    fn element(_walker: &mut Walker<'a, Self>, _index: u64, _count: u64, _shape: Layout) {}

    /// Called at the end of the level that was the innermost.
    fn closed(_walker: &mut Walker<'a, Self>, _level: &Level<Self::Own>) -> Found<'a> {
        Ok(None)
    }

    /// Returns the number in the bytes of a number or word, if the family reads it in a special way.
    fn raw(_walker: &Walker<'a, Self>, _shape: Layout, _bytes: &[u8]) -> Option<u64> {
        None
    }

    /// Called after a number or word was read.
    fn read(_walker: &mut Walker<'a, Self>, _raw: u64, _span: &mut Span<'a>) {}

    /// Returns the length of a part whose inner spans are not returned.
    fn measure(_walker: &Walker<'a, Self>, _shape: Layout) -> Option<usize> {
        None
    }

    /// Returns the known fault of an input that ends before the next bytes.
    fn ends(_walker: &mut Walker<'a, Self>) -> Option<Error> {
        None
    }

    /// Closes the open levels after a fault. The fault is returned next, and after it a span of the unread bytes.
    fn give_up(walker: &mut Walker<'a, Self>, fault: Error);
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

/// An iterator over the description of the bytes of a format: `formwork_variant::inspect::Inspector` of packets and of
/// user-defined formats, `formwork_alb1::inspect::Inspector` of ALB1 files.
///
/// Its memory is proportional to the depth of the content, whatever the content holds or claims to hold, and it does
/// not recurse.
#[derive(Clone, Debug)]
pub struct Walker<'a, F: Resolver<'a>> {
    pub bytes: &'a [u8],
    /// Spans deeper than this are walked, but not returned.
    pub deepest: Option<u32>,
    pub position: usize,
    /// The offset at which the open levels must end.
    pub limit: usize,
    pub done: bool,
    /// The open levels, from the outside in.
    pub levels: Vec<Level<F::Own>>,
    /// The path of the innermost level.
    pub steps: Vec<PathSegment>,
    /// The steps that the path of the last span has in addition.
    pub tail: Vec<PathSegment>,
    pub known: Vec<Known>,
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
    pub fn of(bytes: &'a [u8], resolver: F) -> Self {
        Self {
            bytes,
            deepest: None,
            position: 0,
            limit: bytes.len(),
            done: false,
            levels: Vec::new(),
            steps: Vec::new(),
            tail: Vec::new(),
            known: Vec::new(),
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

    /// Makes the next step.
    fn walk(&mut self) -> Found<'a> {
        self.tail.clear();
        if self.levels.is_empty() {
            return F::outermost(self);
        }
        F::check(self)?;
        let (position, limit) = (self.position, self.limit);
        let Some(Level { content, depth, base, .. }) = self.levels.last_mut() else {
            return Ok(None);
        };
        let (depth, base) = (*depth, *base);
        match content {
            Content::Fields { header, fields, next, .. } => {
                if let Some(word) = header.take() {
                    let place = Place::field(HEADER, Layout::Word(word), depth);
                    return self.leaf(Place { inline: false, ..place });
                }
                let Some(field) = fields.get(*next) else { return self.close() };
                let fields = *fields;
                *next += 1;
                self.declared(fields, field, depth)
            }
            Content::Elements { field, next, count, own_steps, to_end, .. }
                if *next < *count
                    && to_end.is_none_or(|last| {
                        // Elements that take no bytes would never end.
                        position < limit && (*next == 0 || last < position)
                    }) =>
            {
                *to_end = to_end.map(|_| position);
                let place = Place {
                    meaning: Meaning::Plain,
                    inline: F::APART,
                    spread: false,
                    ..Place::of(field, Name::Index(*next), depth)
                };
                let (index, count, own_steps) = (*next, *count, *own_steps);
                *next += 1;
                F::element(self, index, count, place.shape);
                self.known.truncate(base);
                self.steps.truncate(own_steps);
                self.place(place)
            }
            Content::Elements { .. } => self.close(),
            Content::Own(_) => F::own(self),
        }
    }

    /// Opens a level below the current one.
    pub fn enter(&mut self, content: Content<F::Own>, depth: u32, steps: usize) {
        let base = self.known.len();
        self.levels.push(Level { content, depth, steps, base, limit_around: None });
    }

    /// Makes the innermost level end at `limit`.
    pub fn end_at(&mut self, limit: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.limit_around = Some(std::mem::replace(&mut self.limit, limit));
        }
    }

    /// Closes the innermost level.
    pub fn close(&mut self) -> Found<'a> {
        let Some(level) = self.levels.pop() else { return Ok(None) };
        let found = F::closed(self, &level)?;
        self.steps.truncate(level.steps);
        // The fields of a record can be referred to after it, those of a packet cannot.
        if level.is_packet() || F::APART || level.known_from().is_none() {
            self.known.truncate(level.base);
        }
        self.limit = level.limit_around.unwrap_or(self.limit);
        Ok(found)
    }

    fn declared(
        &mut self,
        fields: &'static [Field],
        field: &'static Field,
        depth: u32,
    ) -> Found<'a> {
        let place = Place::of(field, Name::Field(field.name), depth);
        let place = Place { inline: place.inline || F::APART, ..place };
        if let Some(condition) = field.when
            && self.evaluate(condition) == 0
        {
            return Ok(None);
        }
        match field.occurs() {
            Repetition::OnceOrEnd if self.left() == 0 => return Ok(None),
            Repetition::Once | Repetition::OnceOrEnd | Repetition::If(_) => {}
            Repetition::Fill(length) if !F::APART => {
                if let Some(size @ 1..) = place.shape.size() {
                    let length = u64::try_from(self.evaluate(length)).unwrap_or(0);
                    return self.times(field, place, length.div_ceil(size as u64));
                }
            }
            Repetition::Fill(_) => return F::nested_to_end(self, field, place),
            Repetition::ToEnd => {
                let Some(size) = place.shape.size() else {
                    return F::nested_to_end(self, field, place);
                };
                let count = self.left().checked_div(size).unwrap_or_default() as u64;
                return self.times(field, place, count);
            }
            Repetition::After(length) => return self.padding(place, length, false),
            Repetition::AfterOrEnd(length) => return self.padding(place, length, true),
            Repetition::Times(count) => {
                let count = u64::try_from(self.evaluate(count)).unwrap_or(0);
                return self.times(field, place, count);
            }
        }
        let found = self.place(place)?;
        // A number that is only the length of another field is left out of a summary.
        Ok(found.filter(|_| !self.shallow || !is_length(fields, field)))
    }

    /// Returns the value of a declared expression. The derive ensures that it refers only to earlier fields, and a test
    /// that the conditions of packets do, so the default of 0 never replaces a value.
    pub fn evaluate(&self, expression: Expression) -> i128 {
        let value_of = |name, parts: &[&str]| look_up(name, parts, &self.levels, &self.known);
        expression.evaluate(value_of).unwrap_or(0)
    }

    pub fn place(&mut self, place: Place) -> Found<'a> {
        match place.shape {
            Layout::Padding(_) | Layout::Nested(CHILD) => Ok(None),
            Layout::Record(record) => self.fields_of(place, record),
            Layout::Nested(_) => F::nested(self, place),
            _ => self.leaf(place),
        }
    }

    fn fields_of(&mut self, place: Place, record: &'static Record) -> Found<'a> {
        if let Name::Field(name) = place.name {
            self.knows(name, KnownNumber::Record);
        }
        let steps = self.steps.len();
        let mut found = None;
        if !place.spread {
            let opening = F::record(self, place, record)?;
            let (name, shape) = (place.name.into(), place.shape);
            let mut span = self.open(
                place.depth,
                name,
                shape,
                (opening.layout, opening.length),
                opening.value,
            );
            span.kind = opening.kind;
            if span.kind == Kind::Leaf {
                self.position += opening.length.unwrap_or_default();
                return Ok(Some(span));
            }
            found = Some(span);
        }
        if !place.inline {
            self.steps.push(place.name.into());
        }
        self.enter(Content::of(record), place.depth + u32::from(!place.spread), steps);
        Ok(found)
    }

    pub fn before_limit(&self) -> &'a [u8] {
        self.bytes.get(..self.limit).unwrap_or(self.bytes)
    }

    /// Returns the next bytes, if at least `count` are left.
    pub fn peek(&mut self, count: usize, what: fmt::Arguments<'_>) -> Result<&'a [u8]> {
        let rest = self.before_limit().get(self.position..).unwrap_or_default();
        rest.get(..count).ok_or_else(|| self.incomplete(count, what))
    }

    /// Returns the error for an input that ends before `needed` bytes.
    pub fn incomplete(&mut self, needed: usize, what: fmt::Arguments<'_>) -> Error {
        F::ends(self).unwrap_or_else(|| {
            let (start, left) = (self.position as u64, self.left());
            let missing = needed.saturating_sub(left) as u64;
            Error::incomplete(start, missing, what.to_string(), left as u64)
        })
    }

    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.position)
    }

    pub fn knows(&mut self, name: &'static str, number: KnownNumber) {
        // Without a surrounding level, nothing can refer to the number.
        if let Some(level) = self.levels.len().checked_sub(1) {
            self.known.push(Known { level, name, number });
        }
    }

    /// Returns the opening span of a part that begins here.
    pub fn open(
        &self,
        depth: u32,
        name: PathSegment,
        shape: Layout,
        (layout, size): (SpanType, Option<usize>),
        value: Value<'a>,
    ) -> Span<'a> {
        let start = self.position;
        // If inner spans are not returned, the caller cannot add up their lengths.
        let closed = self.deepest == Some(depth);
        let size = if closed && size.is_none() { F::measure(self, shape) } else { size };
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
        depth: u32,
        name: PathSegment,
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

    /// Returns the bytes up to the limit, unread.
    pub fn rest_span(&mut self, name: &'static str, depth: u32) -> Option<Span<'a>> {
        let bytes = self.bytes.get(self.position..self.limit).filter(|rest| !rest.is_empty())?;
        self.position = self.limit;
        let value = Value::Count(bytes.len() as u64, "bytes");
        let span = self.taken(depth, PathSegment::Field(name), SpanType::Bytes, bytes, value);
        Some(Span { kind: Kind::Rest, ..span })
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
                    Some(fault) => Err(fault),
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

const HEADER: Name = Name::Field("header");

/// Whether other fields take their length or count from this one.
fn is_length(fields: &[Field], field: &Field) -> bool {
    fields.iter().any(|other| match other.occurs() {
        Repetition::Times(count) | Repetition::After(count) | Repetition::AfterOrEnd(count) => {
            count.uses(field.name)
        }
        _ => false,
    })
}
