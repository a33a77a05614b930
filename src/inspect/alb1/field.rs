//! Fields: their names, and what is to be said of their values before these are walked.

use std::collections::HashMap;

use super::Inspector;
use super::walk::{Called, Content, Found, Level};
use crate::alb1::FieldType;
use crate::alb1::read::{BLOB_SIZE, HEAD, Reading, is_raw};
use crate::alb1::record::{ArrayRecord, FieldRecord, ObjectPointer, ObjectRecord, RawArrayRecord};
use crate::error::{Class, Error, Result, Step};
use crate::inspect::{self, Kind, Layout, Span, Value};
use crate::schema::{Meaning, Occurs, Record, Schema, Shape};
use crate::wire::{Input, word_at};

/// A value, as far as its first words tell.
struct Look<'a> {
    shape: Option<Shape>,
    /// Where what is in it must end.
    limit: usize,
    /// Whether it sets that limit.
    encloses: bool,
    /// Where it ends, if that can be seen.
    end: Option<usize>,
    /// Whether fields stand in it, and it is therefore not one thing.
    nests: bool,
    value: Value<'a>,
    /// Whether it is an array of raw bytes.
    raw: bool,
    /// The file ends in it.
    cut: Option<Error>,
}

impl<'a> Inspector<'a> {
    /// A field of a file.
    pub(super) fn field(&mut self, called: Called) -> Found<'a> {
        let Some(&Level { depth, nesting, limit, is_enclosed, .. }) = self.levels.last() else {
            return Ok(None);
        };
        let (start, before) = (self.position, self.steps.len());
        let mut input = self.input(limit);
        let (tag, field_type) = match self.reading().head(&mut input) {
            Ok((tag, field_type)) => (Some(tag), field_type),
            Err((tag, fault)) => (tag, Err(fault)),
        };
        let from = input.position();
        let name = self.call(called, tag);
        let field_type = match field_type {
            Ok(field_type) => field_type,
            Err(fault) => {
                self.set_fault(fault.under(self.path()));
                self.check()?;
                let span = self.open(name, Layout::One(Shape::Field), None, Value::None);
                self.enter_head(before);
                return Ok(Some(span));
            }
        };
        let mut look = self.look(field_type, from, limit, nesting).unwrap_or_else(|fault| {
            // What is there of a damaged value is shown all the same.
            let (shape, cut) = (field_type.shape(), Some(fault));
            let value = Value::None;
            Look { shape, limit, encloses: false, end: None, nests: false, value, raw: false, cut }
        });
        let is_whole = look.cut.is_none();
        if let Some(fault) = look.cut.take() {
            self.set_fault(fault.under(self.path()));
        }
        let length = look.end.map(|end| end - start);
        let mut span = self.open(name, Layout::Field(field_type.name()), length, look.value);
        if let (true, true, false, Some(end)) = (self.whole, is_whole, look.nests, look.end) {
            span.kind = Kind::Leaf;
            self.position = end;
            self.steps.truncate(before);
            return Ok(Some(span));
        }
        let tree = if look.raw { self.tree_version(tag) } else { None };
        self.levels.push(Level {
            tree,
            content: look.shape.map_or(Content::Number(None), Content::of),
            depth: depth + 1,
            nesting: nesting + 1,
            limit: look.limit,
            is_enclosed: is_enclosed || look.encloses,
            steps: before,
            seen: HashMap::new(),
        });
        match look.shape {
            Some(Shape::Record(record)) if self.whole && look.nests => self.pass_head(record),
            _ => {
                let steps = self.steps.len();
                self.enter_head(steps);
                if let Some(level) = self.levels.last_mut() {
                    level.limit = limit;
                }
            }
        }
        Ok(Some(span))
    }

    /// The words that every field starts with.
    fn enter_head(&mut self, steps: usize) {
        self.enter(Content::of(FieldRecord::SHAPE));
        if let Some(level) = self.levels.last_mut() {
            level.steps = steps;
        }
    }

    /// The name of a field, which becomes a part of the path.
    fn call(&mut self, called: Called, tag: Option<u16>) -> Step {
        match called {
            Called::ByIndex(index) => {
                self.steps.push(Step::Index(index));
                Step::Index(index)
            }
            Called::ByTag => {
                // Of a field that is cut in its tag the path says nothing.
                let Some(tag) = tag else { return Step::Field("field") };
                let by_tag = Step::Name(self.names.tags.display(tag).into());
                self.steps.push(by_tag.clone());
                let Some(level) = self.levels.last_mut() else { return by_tag };
                let earlier = level.seen.entry(tag).or_insert(0);
                *earlier += 1;
                match *earlier - 1 {
                    0 => by_tag,
                    earlier => {
                        self.steps.push(Step::Index(earlier));
                        Step::Name(format!("{}[{earlier}]", self.names.tags.display(tag)).into())
                    }
                }
            }
        }
    }

    /// What the reader says of a value without going into it.
    fn look(
        &self,
        field_type: FieldType,
        start: usize,
        limit: usize,
        nesting: u32,
    ) -> Result<Look<'a>> {
        let reading = self.reading();
        let mut input = self.input(limit);
        input.set_position(start);
        let shape = field_type.shape();
        let mut look = Look {
            shape,
            limit,
            encloses: false,
            end: None,
            nests: field_type.nests(),
            value: Value::None,
            raw: false,
            cut: None,
        };
        match field_type {
            FieldType::Array => {
                let record: ArrayRecord = reading.record(&mut input)?;
                let words = ArrayRecord::SHAPE.head_size() - BLOB_SIZE;
                look.blob(&reading, &input, start, record.blob_size, words)?;
                let (count, size) = (record.count as usize, record.blob_size as usize - words);
                let raw = is_raw(start, count, size);
                let raw = raw.map_err(|fault| look.cut.clone().unwrap_or(fault))?;
                let count = u64::from(record.count);
                if raw {
                    (look.shape, look.raw) = (Some(RawArrayRecord::SHAPE), true);
                    look.value = Value::Count(count, "bytes");
                    return Ok(look);
                }
                look.value = Value::Count(count, "elements");
            }
            FieldType::Object => {
                let record: ObjectRecord = reading.record(&mut input)?;
                let words = ObjectRecord::SHAPE.head_size() - BLOB_SIZE;
                look.blob(&reading, &input, start, record.blob_size, words)?;
                let ObjectRecord { class, address, .. } = record;
                look.value = self.object(class, address);
            }
            FieldType::Pair => look.end = end_of_pair(input.all(), start),
            FieldType::ObjectPointer => {
                let ObjectPointer { class, address } = reading.record(&mut input)?;
                (look.value, look.end) = (self.object(class, address), Some(input.position()));
                return Ok(look);
            }
            _ => {
                reading.value(&mut input, field_type, nesting)?;
                let end = input.position();
                let bytes = self.bytes.get(start..end).unwrap_or_default();
                (look.value, look.end) = (plain(shape, bytes), Some(end));
                return Ok(look);
            }
        }
        let deeper = reading.deeper(start, nesting);
        deeper.map_err(|fault| look.cut.clone().unwrap_or(fault))?;
        Ok(look)
    }

    fn object(&self, class: i16, address: u32) -> Value<'a> {
        Value::Object { class, name: self.names.class(class as u16), address }
    }

    /// Gives the words in front of what is in an object, array or pair one span.
    fn pass_head(&mut self, record: &'static Record) {
        let Some(level) = self.levels.last_mut() else { return };
        let Content::Record { fields, next, known } = &mut level.content else { return };
        let (start, mut at) = (self.position, self.position + HEAD);
        for field in *fields {
            let Some(size) = field.shape().size().filter(|_| field.occurs == Occurs::Once) else {
                break;
            };
            let word = self.bytes.get(at..at + size).unwrap_or_default();
            if let Value::Integer(number, _) = inspect::number(field.shape(), word) {
                known.push((field.name, number));
            }
            (*next, at) = (*next + 1, at + size);
        }
        let bytes = self.bytes.get(start..at).unwrap_or_default();
        let words = bytes.get(HEAD..).unwrap_or_default();
        self.found.push_back(Ok(Span {
            kind: Kind::Leaf,
            depth: level.depth,
            offset: start as u64,
            length: Some(bytes.len() as u64),
            bytes,
            name: Step::Field("head"),
            layout: Layout::One(Shape::Record(record)),
            value: Value::Fields(record, words),
            note: None,
        }));
        self.position = at;
    }
}

impl Look<'_> {
    /// Finds the end of an object or array.
    fn blob<'r>(
        &mut self,
        reading: &Reading<'r>,
        input: &Input<'r>,
        start: usize,
        blob_size: u32,
        words: usize,
    ) -> Result<()> {
        match reading.blob(input, start, blob_size, words) {
            Ok(content) => {
                (self.limit, self.encloses) = (content.all().len(), true);
                self.end = Some(self.limit);
            }
            Err(fault) if matches!(fault.class(), Class::Incomplete { .. }) => {
                self.cut = Some(fault);
            }
            Err(fault) => return Err(fault),
        }
        Ok(())
    }
}

/// What a value says that nothing is in.
fn plain(shape: Option<Shape>, bytes: &[u8]) -> Value<'_> {
    let Some(shape) = shape else { return Value::None };
    let Shape::Record(record) = shape else { return inspect::number(shape, bytes) };
    let content = bytes.get(shape.head_size()..).unwrap_or_default();
    match record.fields.last() {
        Some(field) if field.meaning == Meaning::Text => Value::AnsiText(content),
        Some(field) => Value::Elements(field.shape(), content),
        None => Value::None,
    }
}

/// Where a pair ends that starts at `start`, if it is whole.
pub(super) fn end_of_pair(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    // Fields still to be passed.
    let mut pending = 2_u64;
    while pending > 0 {
        let head: FieldRecord = word_at(bytes, at)?;
        at += HEAD;
        let field_type = FieldType::from_id(head.field_type)?;
        let length = field_type.extent(bytes.get(at..)?)?;
        at = at.checked_add(usize::try_from(length).ok()?).filter(|&at| at <= bytes.len())?;
        pending -= 1;
        if field_type == FieldType::Pair {
            pending += 2;
        }
    }
    Some(at)
}
