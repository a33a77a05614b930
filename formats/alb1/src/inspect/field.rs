//! Fields: their names, and the summary of their values that precedes the walk into them.

use std::collections::HashMap;

use super::record::open_here;
use super::tree::tree_version;
use super::{Alb1, Open, Own, Walk, input, reading, set_fault, way};
use crate::FieldType;
use crate::path::tag_step;
use crate::read::{BLOB_SIZE, HEAD, Reading, is_raw};
use crate::record::{ArrayRecord, FieldRecord, ObjectPointer, ObjectRecord, RawArrayRecord};
use formwork::{Error, ErrorKind, PathSegment, Result};
use formwork_records::inspect::known::KnownNumber;
use formwork_records::inspect::level::{Content, Found};
use formwork_records::inspect::walker::Resolver;
use formwork_records::inspect::{Kind, SpanType, Value, number};
use formwork_records::schema::{
    Extent, FIELD, Layout, Meaning, Occurs, Record, Repetition, Schema, Sizes,
};
use formwork_records::wire::{Cursor, word_at};

/// How a path speaks of a field.
#[derive(Clone, Copy)]
pub(super) enum Called {
    /// By its tag, and by its number where there are several with that tag.
    ByTag,
    /// By its position.
    ByIndex(u64),
}

/// A value, as far as its first words tell.
struct Look<'a> {
    shape: Option<Layout>,
    /// Offset at which the content must end.
    limit: usize,
    /// Whether it sets that limit.
    encloses: bool,
    /// Offset of the end, if it is known.
    end: Option<usize>,
    /// Whether the value contains fields and is therefore no single item.
    nests: bool,
    value: Value<'a>,
    /// Whether it is an array of raw bytes.
    raw: bool,
    /// The file ends in it.
    cut: Option<Error>,
}

/// A field of a file.
pub(super) fn field<'a>(walker: &mut Walk<'a>, called: Called, depth: u32) -> Found<'a> {
    let Some(&Open { nesting, is_enclosed, .. }) = walker.resolver.open.last() else {
        return Ok(None);
    };
    let (start, before, limit) = (walker.position, walker.steps.len(), walker.limit);
    let mut input = input(walker, limit);
    let (tag, field_type) = match reading(walker).head(&mut input) {
        Ok((tag, field_type)) => (Some(tag), field_type),
        Err((tag, fault)) => (tag, Err(fault)),
    };
    let from = input.position();
    let name = call(walker, called, tag);
    let field_type = match field_type {
        Ok(field_type) => field_type,
        Err(fault) => {
            set_fault(walker, fault.under(way(walker)));
            Alb1::check(walker)?;
            let span =
                open_here(walker, name, SpanType::One(Layout::Nested(FIELD)), None, Value::None);
            enter_head(walker, depth, before);
            return Ok(Some(span));
        }
    };
    let mut look = look(walker, field_type, from, limit, nesting).unwrap_or_else(|fault| {
        // What is there of a damaged value is shown all the same.
        let (shape, cut) = (field_type.layout(), Some(fault));
        let value = Value::None;
        Look { shape, limit, encloses: false, end: None, nests: false, value, raw: false, cut }
    });
    let is_whole = look.cut.is_none();
    if let Some(fault) = look.cut.take() {
        set_fault(walker, fault.under(way(walker)));
    }
    let length = look.end.map(|end| end - start);
    let mut span = open_here(walker, name, SpanType::Field(field_type.name()), length, look.value);
    if let (true, true, false, Some(end)) = (walker.resolver.whole, is_whole, look.nests, look.end)
    {
        span.kind = Kind::Leaf;
        walker.position = end;
        walker.steps.truncate(before);
        return Ok(Some(span));
    }
    let tree = if look.raw { tree_version(walker, tag) } else { None };
    let content = match look.shape {
        Some(Layout::Record(record)) => Content::of(record),
        shape => Content::Own(Own::Number(shape)),
    };
    walker.resolver.open.push(Open {
        levels: walker.levels.len(),
        nesting: nesting + 1,
        is_enclosed: is_enclosed || look.encloses,
        seen: HashMap::new(),
        tree,
    });
    walker.enter(content, depth + 1, before);
    walker.end_at(look.limit);
    match look.shape {
        Some(Layout::Record(record)) if walker.resolver.whole && look.nests => {
            pass_head(walker, record, depth + 1);
        }
        _ => {
            enter_head(walker, depth + 1, walker.steps.len());
            walker.end_at(limit);
        }
    }
    Ok(Some(span))
}

/// The words that every field starts with.
fn enter_head<'a>(walker: &mut Walk<'a>, depth: u32, steps: usize) {
    if let Layout::Record(record) = FieldRecord::LAYOUT {
        walker.enter(Content::of(record), depth, steps);
    }
}

/// The name of a field, which becomes a part of the path.
fn call<'a>(walker: &mut Walk<'a>, called: Called, tag: Option<u16>) -> PathSegment {
    match called {
        Called::ByIndex(index) => {
            walker.steps.push(PathSegment::Index(index));
            PathSegment::Index(index)
        }
        Called::ByTag => {
            // Of a field that is cut in its tag the path says nothing.
            let Some(tag) = tag else { return PathSegment::Field("field") };
            let by_tag = tag_step(&walker.resolver.tags.table, tag);
            walker.steps.push(by_tag.clone());
            let Some(open) = walker.resolver.open.last_mut() else { return by_tag };
            let earlier = open.seen.entry(tag).or_insert(0);
            *earlier += 1;
            match *earlier - 1 {
                0 => by_tag,
                earlier => {
                    walker.steps.push(PathSegment::Index(earlier));
                    match &by_tag {
                        PathSegment::Name(name) => {
                            PathSegment::Name(format!("{name}[{earlier}]").into())
                        }
                        _ => by_tag,
                    }
                }
            }
        }
    }
}

/// Returns the reader's view of a value without its content.
fn look<'a>(
    walker: &Walk<'a>,
    field_type: FieldType,
    start: usize,
    limit: usize,
    nesting: u32,
) -> Result<Look<'a>> {
    let reading = reading(walker);
    let mut input = input(walker, limit);
    input.set_position(start);
    let shape = field_type.layout();
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
            let words = ArrayRecord::HEAD_SIZE - BLOB_SIZE;
            look.blob(&reading, &input, start, record.blob_size, words)?;
            let (count, size) = (record.count as usize, record.blob_size as usize - words);
            let raw = is_raw(start, count, size);
            let raw = raw.map_err(|fault| look.cut.clone().unwrap_or(fault))?;
            let count = u64::from(record.count);
            if raw {
                (look.shape, look.raw) = (Some(RawArrayRecord::LAYOUT), true);
                look.value = Value::Count(count, "bytes");
                return Ok(look);
            }
            look.value = Value::Count(count, "elements");
        }
        FieldType::Object => {
            let record: ObjectRecord = reading.record(&mut input)?;
            let words = ObjectRecord::HEAD_SIZE - BLOB_SIZE;
            look.blob(&reading, &input, start, record.blob_size, words)?;
            let ObjectRecord { class, address, .. } = record;
            look.value = object(walker, class, address);
        }
        FieldType::Pair => look.end = end_of_pair(input.all(), start),
        FieldType::ObjectPointer => {
            let ObjectPointer { class, address } = reading.record(&mut input)?;
            (look.value, look.end) = (object(walker, class, address), Some(input.position()));
            return Ok(look);
        }
        _ => {
            reading.value(&mut input, field_type, nesting)?;
            let end = input.position();
            let bytes = walker.bytes.get(start..end).unwrap_or_default();
            (look.value, look.end) = (plain(shape, bytes), Some(end));
            return Ok(look);
        }
    }
    let deeper = reading.deeper(start, nesting);
    deeper.map_err(|fault| look.cut.clone().unwrap_or(fault))?;
    Ok(look)
}

fn object<'a>(walker: &Walk<'a>, class: i16, address: u32) -> Value<'a> {
    Value::Object { class, name: walker.resolver.classes.get(class as u16), address }
}

/// Gives the words before the content of an object, array or pair one span.
fn pass_head<'a>(walker: &mut Walk<'a>, record: &'static Record, depth: u32) {
    let (start, mut at) = (walker.position, walker.position + HEAD);
    let mut passed = 0;
    for field in record.fields {
        let Some(size) =
            field.element().size().filter(|_| matches!(field.occurs(), Repetition::Once))
        else {
            break;
        };
        let word = walker.bytes.get(at..at + size).unwrap_or_default();
        if let Value::Integer(number, _) = number(field.element(), word) {
            walker.knows(field.name, KnownNumber::Is(number));
        }
        (passed, at) = (passed + 1, at + size);
    }
    if let Some(Content::Fields { next, .. }) =
        walker.levels.last_mut().map(|level| &mut level.content)
    {
        *next = passed;
    }
    let bytes = walker.bytes.get(start..at).unwrap_or_default();
    let value = Value::Fields(record, bytes.get(HEAD..).unwrap_or_default());
    walker.position = at;
    let layout = SpanType::One(Layout::Record(record));
    let head = walker.taken(depth, PathSegment::Field("head"), layout, bytes, value);
    walker.found.push_back(Ok(head));
}

impl Look<'_> {
    /// Finds the end of an object or array.
    fn blob<'r>(
        &mut self,
        reading: &Reading<'r>,
        input: &Cursor<'r>,
        start: usize,
        blob_size: u32,
        words: usize,
    ) -> Result<()> {
        match reading.blob(input, start, blob_size, words) {
            Ok(content) => {
                (self.limit, self.encloses) = (content.all().len(), true);
                self.end = Some(self.limit);
            }
            Err(fault) if matches!(fault.kind(), ErrorKind::Incomplete { .. }) => {
                self.cut = Some(fault);
            }
            Err(fault) => return Err(fault),
        }
        Ok(())
    }
}

/// Returns the value of a type without content.
fn plain(shape: Option<Layout>, bytes: &[u8]) -> Value<'_> {
    let Some(shape) = shape else { return Value::None };
    let Layout::Record(record) = shape else { return number(shape, bytes) };
    let content = bytes.get(shape.head_size()..).unwrap_or_default();
    match record.fields.last() {
        Some(field) if field.meaning == Meaning::Letters => Value::AnsiText(content),
        Some(field) => Value::Elements(field.element(), content),
        None => Value::None,
    }
}

/// Returns the end of the pair at `start`, if it is whole.
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
