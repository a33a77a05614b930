//! Fields: their names, and the summary of their values that precedes the walk into them.

use std::collections::HashMap;

use super::tree::tree_version;
use super::{Alb1, Open, Walk, input, reading, set_fault, way};
use crate::FieldType;
use crate::path::tag_step;
use crate::read::{BLOB_SIZE, HEAD, Reading, end_of_pair, is_raw};
use crate::record::{ArrayRecord, FieldRecord, ObjectPointer, ObjectRecord, RawArrayRecord};
use formwork::walk::{Name, StepKind};
use formwork::{Error, ErrorKind, PathSegment, Result};
use formwork_records::inspect::walker::{Found, Place, Resolver};
use formwork_records::inspect::{Kind, Span, SpanType, Value, number};
use formwork_records::schema::{
    Extent, Field, Layout, Meaning, Occurs, Record, Repetition, Schema, Sizes, record_of,
};
use formwork_records::wire::Cursor;

/// The id of the value of a field.
pub(super) const VALUE: u16 = 8;

/// A field with its value.
const FIELD: Record = Record::of("Field", &[], FIELDS);

const FIELDS: &[Field] = {
    let [tag, field_type] = record_of::<FieldRecord>().fields else { unreachable!() };
    let value = Field { name: "value", layout: || Layout::Nested(VALUE), ..Field::EMPTY };
    &[*tag, *field_type, value]
};

/// The layout after the tag and type of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    None,
    Number(Layout),
    Record(&'static Record),
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
    /// Class of an object.
    class: Option<i16>,
    /// Elements of an array of fields.
    elements: Option<u32>,
    /// The file ends in it.
    cut: Option<Error>,
}

/// A field of a file.
pub(super) fn field<'a>(walker: &mut Walk<'a>, place: &Place) -> Found<'a> {
    let Some(&Open { nesting, is_enclosed, limit, elements, .. }) = walker.resolver.open.last()
    else {
        return Ok(None);
    };
    let (start, steps, depth) = (walker.position, walker.resolver.steps.len(), place.depth);
    let mut input = input(walker, limit);
    let (tag, field_type) = match reading(walker).head(&mut input) {
        Ok((tag, field_type)) => (Some(tag), field_type),
        Err((tag, fault)) => (tag, Err(fault)),
    };
    let from = input.position();
    let name = match place.name {
        PathSegment::Index(index) if elements.is_some() => by_index(walker, index),
        _ => by_tag(walker, tag),
    };
    let field_type = match field_type {
        Ok(field_type) => field_type,
        Err(fault) => {
            set_fault(walker, fault.under(way(walker)));
            Alb1::check(walker)?;
            let layout = SpanType::One(place.shape);
            let span = walker.open(depth, name, None, (layout, None), Value::None);
            walker.hide(place.step.depth);
            walker.walk.enter_record(record_of::<FieldRecord>(), None)?;
            return Ok(Some(span));
        }
    };
    let mut look = look(walker, field_type, from, limit, nesting).unwrap_or_else(|fault| {
        // What is there of a damaged value is shown all the same.
        let (shape, cut) = (field_type.layout(), Some(fault));
        let value = Value::None;
        let (class, elements) = (None, None);
        let (encloses, end, nests, raw) = (false, None, false, false);
        Look { shape, limit, encloses, end, nests, value, raw, class, elements, cut }
    });
    let is_whole = look.cut.is_none();
    if let Some(fault) = look.cut.take() {
        set_fault(walker, fault.under(way(walker)));
    }
    let length = look.end.map(|end| end - start);
    let layout = SpanType::Field(field_type.name());
    let span = walker.open(depth, name, None, (layout, length), look.value);
    if let (true, true, false, Some(length)) = (walker.resolver.whole, is_whole, look.nests, length)
    {
        walker.skip(length);
        walker.resolver.steps.truncate(steps);
        return Ok(Some(Span { kind: Kind::Leaf, ..span }));
    }
    let tree = if look.raw { tree_version(walker, tag) } else { None };
    walker.resolver.content = match look.shape {
        Some(Layout::Record(record)) => Content::Record(record),
        Some(shape) => Content::Number(shape),
        None => Content::None,
    };
    walker.resolver.open.push(Open {
        depth: place.step.depth,
        steps,
        limit: look.limit,
        object: look.class.map(|class| (class, from + ObjectRecord::HEAD_SIZE)),
        elements: look.elements,
        nesting: nesting + 1,
        is_enclosed: is_enclosed || look.encloses,
        seen: HashMap::new(),
        tree,
    });
    walker.walk.enter_record(&FIELD, None)?;
    if let (Some(Layout::Record(record)), true, true) =
        (look.shape, walker.resolver.whole, look.nests)
    {
        pass_head(walker, record, depth + 1);
    }
    Ok(Some(span))
}

/// Begins the value of the field that is open.
pub(super) fn enter_value<'a>(walker: &mut Walk<'a>, depth: usize) -> Result<()> {
    match std::mem::replace(&mut walker.resolver.content, Content::None) {
        Content::None => {}
        Content::Number(layout) => walker.walk.enter(layout, Name::Field("value")),
        Content::Record(record) => {
            walker.hide(depth);
            walker.walk.enter_record(record, None)?;
        }
    }
    Ok(())
}

/// Returns the name of an element of an array, which becomes a part of the path.
fn by_index<'a>(walker: &mut Walk<'a>, index: u64) -> PathSegment {
    walker.resolver.steps.push(PathSegment::Index(index));
    PathSegment::Index(index)
}

/// Returns the name of a field by its tag, and its number where there are several with that tag. It becomes a part of
/// the path.
fn by_tag<'a>(walker: &mut Walk<'a>, tag: Option<u16>) -> PathSegment {
    let Alb1 { tags, steps, open, .. } = &mut walker.resolver;
    // Of a field that is cut in its tag the path says nothing.
    let Some(tag) = tag else { return PathSegment::Field("field") };
    let by_tag = tag_step(&tags.table, tag);
    steps.push(by_tag.clone());
    let Some(open) = open.last_mut() else { return by_tag };
    let earlier = open.seen.entry(tag).or_insert(0);
    *earlier += 1;
    match *earlier - 1 {
        0 => by_tag,
        earlier => {
            steps.push(PathSegment::Index(earlier));
            match &by_tag {
                PathSegment::Name(name) => PathSegment::Name(format!("{name}[{earlier}]").into()),
                _ => by_tag,
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
        class: None,
        elements: None,
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
            look.elements = Some(record.count);
        }
        FieldType::Object => {
            let record: ObjectRecord = reading.record(&mut input)?;
            let words = ObjectRecord::HEAD_SIZE - BLOB_SIZE;
            look.blob(&reading, &input, start, record.blob_size, words)?;
            let ObjectRecord { class, address, .. } = record;
            (look.value, look.class) = (object(walker, class, address), Some(class));
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
    let start = walker.position;
    let once = record.fields.iter().filter(|it| matches!(it.occurs(), Repetition::Once));
    let end = start + HEAD + once.filter_map(|field| field.element().size()).sum::<usize>();
    // They are there: the value was looked at. If not, that is the next fault.
    while walker.walk.position() < end {
        let Ok(step) = walker.walk.advance() else { break };
        let value = step.filter(|step| matches!(step.kind, StepKind::Nested(VALUE)));
        if value.is_some_and(|step| enter_value(walker, step.depth).is_err()) {
            break;
        }
    }
    walker.position = end;
    let bytes = walker.bytes.get(start..end).unwrap_or_default();
    let value = Value::Fields(record, bytes.get(HEAD..).unwrap_or_default());
    let (name, layout) = (PathSegment::Field("head"), SpanType::One(Layout::Record(record)));
    let head = walker.taken((depth, name), layout, bytes, value);
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
