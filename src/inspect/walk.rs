//! The walk over schema and bytes: a list of what is open instead of recursion.

use std::fmt;

use super::known::{Known, Number, look_up};
use super::level::{Found, Level, Name, Place};
use super::value::{big_endian, name_of, number, unsigned};
use super::words::unused_bits;
use super::{Inspector, Kind, Layout, Note, Span, Summary, Value};
use crate::error::{Error, Result, Step};
use crate::schema::{Expression, Field, Meaning, Occurs, Shape};
use crate::variant::codec;
use crate::variant::frame::{self, ByteOrder, FrameHead, Framing};
use crate::wire::{broken_check, rule, wrong_magic};

impl<'a> Inspector<'a> {
    /// Goes one step on.
    pub(super) fn walk(&mut self) -> Found<'a> {
        self.tail.clear();
        if let Some(fault) = self.broken_check() {
            return Err(fault);
        }
        let at = self.levels.len();
        match self.levels.last_mut() {
            None => self.packet_or_frame(),
            Some(Level::Fields { header, depth, .. }) if header.is_some() => {
                let depth = *depth;
                match header.take() {
                    Some(word) => {
                        let place = Place::field(HEADER, Shape::Word(word), depth);
                        self.leaf(Place { inline: false, ..place })
                    }
                    None => Ok(None),
                }
            }
            Some(Level::Fields { fields, next, depth, from, .. }) if *next < fields.len() => {
                let (fields, position, depth) = (*fields, *next, *depth);
                *from = self.position;
                *next += 1;
                self.field(fields, position, depth)
            }
            Some(Level::Elements {
                field, next, count, depth, base, own_steps, to_end, ..
            }) if *next < *count
                && to_end.is_none_or(|last| {
                    // What takes no bytes would never end.
                    self.position < self.limit && (*next == 0 || last < self.position)
                }) =>
            {
                *to_end = to_end.map(|_| self.position);
                let place = Place {
                    meaning: Meaning::Plain,
                    inline: false,
                    spread: false,
                    ..Place::of(field, Name::Index(*next), *depth)
                };
                *next += 1;
                self.known.truncate(*base);
                self.steps.truncate(*own_steps);
                self.place(place)
            }
            Some(Level::Fields { steps, base, packet, .. }) => {
                self.steps.truncate(*steps);
                // A record's fields may be spoken of behind it, a packet's may not.
                if *packet {
                    self.known.truncate(*base);
                }
                self.levels.truncate(at - 1);
                Ok(None)
            }
            Some(Level::Elements { fault: Some(_), .. }) => {
                let Some(Level::Elements { own_steps, fault, .. }) = self.levels.last_mut() else {
                    return Ok(None);
                };
                self.steps.truncate(*own_steps);
                fault.take().map_or(Ok(None), Err)
            }
            Some(Level::Elements { steps, base, .. }) => {
                self.steps.truncate(*steps);
                self.known.truncate(*base);
                self.levels.truncate(at - 1);
                Ok(None)
            }
        }
    }

    /// What is known to be wrong with the outermost list that is open: a reader says that first.
    pub(super) fn promised(&mut self) -> Option<Error> {
        let (fault, steps) = self.levels.iter_mut().find_map(|level| match level {
            Level::Elements { fault, own_steps, .. } => Some((fault.take()?, *own_steps)),
            Level::Fields { .. } => None,
        })?;
        self.steps.truncate(steps);
        self.tail.clear();
        Some(fault.under(self.path()))
    }

    /// What is asserted of the field that was just read, or of the whole record behind its last, and does not
    /// hold.
    fn broken_check(&mut self) -> Option<Error> {
        let Some(Level::Fields { fields, next, start, from, checks, .. }) = self.levels.last()
        else {
            return None;
        };
        let field = next.checked_sub(1).and_then(|last| fields.get(last));
        let of_field = field.map_or(&[][..], |field| field.checks);
        let of_record = if *next == fields.len() { checks } else { &[][..] };
        if of_field.is_empty() && of_record.is_empty() {
            return None;
        }
        let value_of = |path: &[&'static str]| look_up(path, &self.levels, &self.known);
        let is_broken = |check: &&Expression| check.evaluate(&mut |path| value_of(path)) == Some(0);
        let broken = of_field.iter().find(is_broken).map(|check| (check, *from, field));
        let broken = broken.or_else(|| Some((of_record.iter().find(is_broken)?, *start, None)));
        let (check, offset, field) = broken?;
        let mut values = Vec::new();
        check.paths(&mut |path| {
            values.extend(value_of(path).map(|value| (path.join("."), value)));
        });
        let fault = broken_check(offset, *check, &values);
        self.tail.extend(field.filter(|field| !field.inline).map(|field| Step::Field(field.name)));
        Some(fault)
    }

    /// Between packets.
    fn packet_or_frame(&mut self) -> Found<'a> {
        self.steps.clear();
        self.known.clear();
        if std::mem::take(&mut self.framed) {
            if self.missing > 0 {
                self.framed = true;
                let expected = "a packet as long as its frame announces".to_owned();
                let left = self.left() as u64;
                let start = self.position as u64;
                return Err(Error::incomplete(start, self.missing, expected, left));
            }
            let rest = self.rest_span("trailing", 1);
            self.limit = self.bytes.len();
            return Ok(rest);
        }
        let over = match self.framing {
            Framing::Bare => self.packets > 0,
            Framing::BareSequence | Framing::Frames(_) => self.position == self.limit,
        };
        if over {
            self.done = true;
            return Ok(self.rest_span("trailing", 0));
        }
        let name = match self.framing {
            Framing::Bare => Name::Field(self.name),
            _ => Name::Index(self.packets),
        };
        self.packets += 1;
        match self.framing {
            // The path of a packet starts with its type instead.
            Framing::Bare => {
                let inline = self.own || matches!(self.top, Shape::Variant);
                self.place(Place { inline, ..Place::field(name, self.top, 0) })
            }
            Framing::BareSequence => {
                self.place(Place { inline: false, ..Place::field(name, Shape::Variant, 0) })
            }
            Framing::Frames(_) => {
                self.framed = true;
                let record = frame::RECORD;
                self.place(Place { inline: false, ..Place::field(name, Shape::Record(record), 0) })
            }
        }
    }

    /// The bytes up to the end of the packet, unread.
    fn rest_span(&mut self, name: &'static str, depth: u32) -> Option<Span<'a>> {
        let bytes = self.bytes.get(self.position..self.limit).filter(|rest| !rest.is_empty())?;
        let span = Span {
            kind: Kind::Rest,
            depth,
            offset: self.position as u64,
            length: Some(bytes.len() as u64),
            bytes,
            name: Step::Field(name),
            layout: Layout::Bytes,
            value: Value::Count(bytes.len() as u64, "bytes"),
            note: None,
        };
        self.position = self.limit;
        Some(span)
    }

    /// Leaves what is open behind a fault.
    pub(super) fn give_up(&mut self) {
        self.levels.clear();
        self.steps.clear();
        self.tail.clear();
        self.known.clear();
        let depth = u32::from(self.framed);
        if let Some(rest) = self.rest_span("undecoded", depth) {
            self.found.push_back(rest);
        }
        // Only a frame says where the next packet begins.
        if !std::mem::take(&mut self.framed) || self.missing > 0 {
            self.done = true;
        }
        self.limit = self.bytes.len();
    }

    fn field(&mut self, fields: &'static [Field], position: usize, depth: u32) -> Found<'a> {
        let Some(field) = fields.get(position) else { return Ok(None) };
        let place = Place::of(field, Name::Field(field.name), depth);
        match field.occurs {
            // Only ALB1 has the second; its own inspector walks it.
            Occurs::Once | Occurs::Fill(_) => {}
            Occurs::ToEnd if place.shape.size().is_none() => return self.list_to_end(field, place),
            Occurs::ToEnd => {
                let size = place.shape.size().unwrap_or_default();
                let count = self.left().checked_div(size).unwrap_or_default() as u64;
                return self.times(field, place, count);
            }
            Occurs::If(condition) => {
                if self.followed(condition, place)? == 0 {
                    return Ok(None);
                }
            }
            Occurs::After(length) => return self.padding(place, length, false),
            Occurs::AfterOrEnd(length) => return self.padding(place, length, true),
            Occurs::Times(count) => {
                let count = u64::try_from(self.followed(count, place)?).unwrap_or(0);
                return self.times(field, place, count);
            }
        }
        let found = self.place(place)?;
        // What only says how long something else is, is left out of a line about the whole.
        Ok(found.filter(|_| !self.shallow || !is_length(fields, field)))
    }

    /// The value of a declared expression. A test makes sure that every one of them speaks of earlier
    /// fields only, so 0 does not stand for anything.
    pub(super) fn evaluate(&self, expression: Expression) -> i128 {
        let value_of = &mut |path: &[&'static str]| look_up(path, &self.levels, &self.known);
        expression.evaluate(value_of).unwrap_or(0)
    }

    /// The value of a declared expression, which in a record of somebody's own may be one that has none here.
    fn followed(&mut self, expression: Expression, place: Place) -> Result<i128> {
        let value_of = &mut |path: &[&'static str]| look_up(path, &self.levels, &self.known);
        match expression.evaluate(value_of) {
            None if self.own => {
                self.tail.push(place.name.into());
                let found = format!("`{expression}`");
                let expected = "an expression over numbers that stand before";
                Err(Error::new(rule::RECORD_EXPRESSION, self.position as u64, expected, found))
            }
            value => Ok(value.unwrap_or(0)),
        }
    }

    fn place(&mut self, place: Place) -> Found<'a> {
        let start = self.position;
        match place.shape {
            Shape::Integer { .. } | Shape::Float { .. } | Shape::BigEndian(_) | Shape::Word(_) => {
                self.leaf(place)
            }
            Shape::Padding | Shape::Field | Shape::Child => Ok(None),
            Shape::Record(record) => {
                if let Name::Field(name) = place.name {
                    self.knows(name, Number::Record);
                }
                let steps = self.steps.len();
                if !place.inline {
                    self.steps.push(place.name.into());
                }
                self.levels.push(Level::Fields {
                    fields: record.fields,
                    next: 0,
                    header: None,
                    packet: false,
                    depth: place.depth + u32::from(!place.spread),
                    steps,
                    base: self.known.len(),
                    start,
                    from: start,
                    checks: record.checks,
                });
                if place.spread {
                    return Ok(None);
                }
                let summary = Summary::of_record(self.before_limit(), start, self.dialect, record);
                let value = if self.framed && self.levels.len() == 1 {
                    Value::None
                } else {
                    Value::Summary(summary)
                };
                Ok(Some(self.open(place, place.shape.size(), Layout::One(place.shape), value)))
            }
            Shape::Variant => {
                let steps = self.steps.len();
                if !place.inline {
                    self.steps.push(place.name.into());
                }
                let word = unsigned(self.peek(4, format_args!("a header word"))?);
                let id = self.dialect.rules().type_id(word as u32);
                let row = self.dialect.row(id);
                let packet = row.and_then(|row| self.dialect.packet(row.variant_type));
                let (Some(row), Some(packet)) = (row, packet) else {
                    let expected = format!("a type id below {}", self.dialect.rows().len());
                    let found = id.to_string();
                    return Err(Error::new(
                        codec::rule::HEADER_TYPE_ID,
                        start as u64,
                        expected,
                        found,
                    ));
                };
                let size = self.packet_size(&packet, word);
                self.steps.push(Step::Field(row.variant_type.path_name()));
                self.levels.push(Level::Fields {
                    fields: packet.payload,
                    next: 0,
                    header: Some(packet.header.word()),
                    packet: true,
                    depth: place.depth + 1,
                    steps,
                    base: self.known.len(),
                    start,
                    from: start,
                    checks: &[],
                });
                let value =
                    Value::Summary(Summary::of_packet(self.before_limit(), start, self.dialect));
                Ok(Some(self.open(place, size, Layout::Packet(row.name), value)))
            }
        }
    }

    pub(super) fn before_limit(&self) -> &'a [u8] {
        self.bytes.get(..self.limit).unwrap_or(self.bytes)
    }

    /// The next bytes, if so many are left.
    pub(super) fn peek(&self, count: usize, what: fmt::Arguments<'_>) -> Result<&'a [u8]> {
        let rest = self.before_limit().get(self.position..).unwrap_or_default();
        rest.get(..count).ok_or_else(|| {
            let (needed, left) = ((count - rest.len()) as u64, rest.len() as u64);
            Error::incomplete(self.position as u64, needed, what.to_string(), left)
        })
    }

    pub(super) fn left(&self) -> usize {
        self.limit.saturating_sub(self.position)
    }

    pub(super) fn knows(&mut self, name: &'static str, number: Number) {
        // Nothing can speak of what stands on its own.
        if let Some(level) = self.levels.len().checked_sub(1) {
            self.known.push(Known { level, name, number });
        }
    }

    pub(super) fn open(
        &self,
        place: Place,
        size: Option<usize>,
        layout: Layout,
        value: Value<'a>,
    ) -> Span<'a> {
        let start = self.position;
        // What is not handed out cannot be added up by who wants to know.
        let closed = self.deepest == Some(place.depth);
        let size = if closed && size.is_none() { self.measure(place.shape) } else { size };
        Span {
            kind: Kind::Open,
            depth: place.depth,
            offset: start as u64,
            length: size.map(|size| size as u64),
            bytes: size
                .and_then(|size| self.before_limit().get(start..start.checked_add(size)?))
                .unwrap_or_default(),
            name: place.name.into(),
            layout,
            value,
            note: None,
        }
    }

    /// One number or word.
    fn leaf(&mut self, place: Place) -> Found<'a> {
        if !place.inline {
            self.tail.push(place.name.into());
        }
        let start = self.position;
        let size = place.shape.size().unwrap_or_default();
        let bytes = self.peek(size, format_args!("{size} bytes"))?;
        self.position += size;
        let frame_word = self.framed && self.levels.len() == 1;
        let raw = match self.framing {
            Framing::Frames(ByteOrder::Big) if frame_word => {
                FrameHead::length_at(bytes, ByteOrder::Big).unwrap_or_default().into()
            }
            _ if matches!(place.shape, Shape::BigEndian(Shape::Word(_))) => big_endian(bytes),
            _ => unsigned(bytes),
        };
        let mut note = None;
        let value = match place.shape {
            Shape::Word(word) | Shape::BigEndian(&Shape::Word(word)) => {
                self.word(word, raw, place, start);
                if self.parts {
                    note = unused_bits(word, raw).or_else(|| self.unnamed_part(word, raw));
                }
                Value::Word(word, raw, Some(self.dialect))
            }
            shape => match number(shape, &raw.to_le_bytes()[..size.min(8)]) {
                Value::Integer(number, _) => {
                    if let Name::Field(name) = place.name {
                        self.knows(name, Number::Is(number));
                    }
                    let named = name_of(place.meaning, number, Some(self.dialect));
                    if let Meaning::Magic(magic) = place.meaning {
                        if bytes != magic {
                            note = Some(Note::Unnamed);
                            self.fault = Some(wrong_magic(start, magic, bytes));
                        }
                        Value::Text(bytes)
                    } else if place.meaning == Meaning::Zero {
                        note = (number != 0).then_some(Note::PaddingNotZero);
                        Value::Integer(number, None)
                    } else if place.meaning == Meaning::Letters {
                        Value::Text(bytes)
                    } else {
                        let has_name =
                            !matches!(place.meaning, Meaning::Plain | Meaning::PayloadSize);
                        if named.is_none() && has_name {
                            note = Some(Note::Unnamed);
                        }
                        Value::Integer(number, named)
                    }
                }
                other => other,
            },
        };
        if frame_word {
            note = self.frame_length(raw);
        }
        Ok(Some(Span {
            kind: Kind::Leaf,
            depth: place.depth,
            offset: start as u64,
            length: Some(size as u64),
            bytes,
            name: place.name.into(),
            layout: Layout::One(place.shape),
            value,
            note,
        }))
    }

    /// The only number that a frame has besides its packet is the packet's length.
    fn frame_length(&mut self, length: u64) -> Option<Note> {
        let left = self.bytes.len() - self.position;
        self.missing = length.saturating_sub(left as u64);
        self.limit =
            self.position + usize::try_from(length).map_or(left, |length| length.min(left));
        (self.missing > 0).then_some(Note::Missing(self.missing))
    }
}

const HEADER: Name = Name::Field("header");

/// Whether other fields take their length or count from this one.
fn is_length(fields: &[Field], field: &Field) -> bool {
    fields.iter().any(|other| match other.occurs {
        Occurs::Times(count) | Occurs::After(count) | Occurs::AfterOrEnd(count) => {
            count.speaks_of(field.name)
        }
        Occurs::Once | Occurs::If(_) | Occurs::Fill(_) | Occurs::ToEnd => false,
    })
}
