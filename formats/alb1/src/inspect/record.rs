//! The records around the fields, and lists of which only the start is handed out.

use super::names::Names;
use super::tree::Quadtree;
use super::{Alb1, Walk, input, set_fault};
use crate::read;
use crate::read::{CLASSES, TAGS};
use crate::record::RootRecord;
use formwork::{PathSegment, Result};
use formwork_records::inspect::walker::{Block, Found, Opening, Place, Resolver};
use formwork_records::inspect::{Kind, Note, Span, SpanType, Value};
use formwork_records::schema::{Layout, Meaning, Sizes};
use formwork_records::wire::read_record;

/// Elements that one span covers.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    /// How many records and lists are open where they are elements.
    pub(super) inside: usize,
    pub(super) depth: u32,
    pub(super) start: usize,
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) shape: Layout,
}

/// A part of the file, or a record in one of the quadtree.
pub(super) fn part_of_file<'a>(walker: &mut Walk<'a>, place: &Place) -> Result<Opening<'a>> {
    let start = walker.position;
    let mut input = input(walker, walker.bytes.len());
    let mut value = Value::None;
    let Alb1 { tags, classes, open, .. } = &mut walker.resolver;
    let name = place.field_name().unwrap_or_default();
    let read = match name {
        "header" => read::header(&mut input).map(|_| ()),
        "tags" => read::table(&mut input, TAGS).map(|table| {
            value = Value::Count(table.len() as u64, "names");
            *tags = Names::new(table, walker.bytes, start);
        }),
        "classes" => read::table(&mut input, CLASSES).map(|table| {
            value = Value::Count(table.len() as u64, "names");
            *classes = Names::new(table, walker.bytes, start);
        }),
        "root" => read_record(&mut input).map(|RootRecord { class, address, .. }| {
            value = Value::Object { class, name: classes.get(class as u16), address };
            input.set_position(walker.bytes.len());
            if let Some(file) = open.last_mut() {
                file.object = Some((class, start + RootRecord::HEAD_SIZE));
            }
        }),
        // Of those whose size is fixed all is there, as what they are in was read.
        _ => {
            input.set_position(start + place.shape.size().unwrap_or_default());
            Ok(())
        }
    };
    let length = read.is_ok().then(|| input.position() - start);
    if let Err(fault) = read {
        let is_table = matches!(name, "tags" | "classes");
        set_fault(walker, if is_table { fault.within(name) } else { fault });
        Alb1::check(walker)?;
    }
    Ok(Opening { length, layout: SpanType::One(place.shape), value, kind: Kind::Open })
}

/// An entry of a table.
pub(super) fn entry<'a>(walker: &mut Walk<'a>, place: &Place) -> Opening<'a> {
    let start = walker.position;
    let mut input = input(walker, walker.bytes.len());
    // What is wrong with an entry was found when the table was opened.
    let read = read::entry(&mut input);
    let value = read.as_ref().map_or(Value::None, |(id, name)| Value::Id((*id).into(), Some(name)));
    let length = read.is_ok().then(|| input.position() - start);
    let is_whole = walker.resolver.whole && length.is_some();
    let kind = if is_whole { Kind::Leaf } else { Kind::Open };
    Opening { length, layout: SpanType::One(place.shape), value, kind }
}

/// Elements of a fixed size, in one span; as many as are there.
pub(super) fn block<'a>(walker: &mut Walk<'a>, block: &Block<'_, 'a>) -> Found<'a> {
    let &Block { place, bytes, count, size } = block;
    let is_text = place.meaning() == Meaning::Letters;
    // A line for each byte of raw content would help nobody.
    if !is_text && size > 1 && !walker.resolver.whole {
        return Ok(walker.elements(block, 0));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    if let Some(version) = walker.resolver.open.last().and_then(|open| open.tree) {
        walker.resolver.tree = Some(Box::new(Quadtree::new(block, version)));
        return Ok(None);
    }
    walker.position = place.step.bytes.end;
    let value = match is_text {
        true => Value::AnsiText(bytes),
        false => Value::Elements(place.shape, bytes),
    };
    let layout = SpanType::Many(place.shape, count);
    let mut span = walker.taken(place.named(), layout, bytes, value);
    let missing = place.step.missing;
    span.note = (missing > 0).then_some(Note::Missing(missing));
    Ok(Some(span))
}

/// The span for elements that are not handed out one by one.
pub(super) fn stands_for<'a>(walker: &Walk<'a>, hidden: &Hidden) -> Option<Span<'a>> {
    let &Hidden { depth, start, first, count, shape, .. } = hidden;
    let bytes = walker.bytes.get(start..walker.position).filter(|bytes| !bytes.is_empty())?;
    let name = PathSegment::Name(format!("[{first}] to [{}]", count.saturating_sub(1)).into());
    let (layout, value) =
        (SpanType::Many(shape, count - first), Value::Count(count - first, "more"));
    Some(walker.taken((depth, name), layout, bytes, value))
}
