//! The records around the fields, and lists of which only the start is handed out.

use super::names::Names;
use super::tree::enter_tree;
use super::{Alb1, Walk, input, set_fault};
use crate::read;
use crate::read::{CLASSES, TAGS};
use crate::record::RootRecord;
use formwork::{PathSegment, Result};
use formwork_records::inspect::level::{Found, Place};
use formwork_records::inspect::walker::{Opening, Resolver};
use formwork_records::inspect::{Kind, Note, Span, SpanType, Value};
use formwork_records::schema::{Field, Layout, Meaning, Occurs};
use formwork_records::wire::read_record;

/// Elements that one span covers.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    /// How many levels are open where they are elements.
    pub(super) levels: usize,
    pub(super) depth: u32,
    pub(super) start: usize,
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) shape: Layout,
}

/// A part of the file, or a record in one of the quadtree.
pub(super) fn part_of_file<'a>(
    walker: &mut Walk<'a>,
    name: &'static str,
    place: Place,
) -> Result<Opening<'a>> {
    let start = walker.position;
    let mut input = input(walker, walker.bytes.len());
    let mut value = Value::None;
    let Alb1 { tags, classes, .. } = &mut walker.resolver;
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
pub(super) fn entry<'a>(walker: &mut Walk<'a>, place: Place) -> Opening<'a> {
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
pub(super) fn block<'a>(
    walker: &mut Walk<'a>,
    field: &'static Field,
    place: Place,
    count: u64,
    size: usize,
) -> Found<'a> {
    let is_text = field.meaning == Meaning::Letters;
    // A line for each byte of raw content would help nobody.
    if !is_text && size > 1 && !walker.resolver.whole {
        return walker.elements(field, place, 0, count, walker.position);
    }
    let there = count.min((walker.left() / size) as u64);
    let needed = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size);
    if there == 0 && count > 0 {
        return Err(walker.incomplete(needed, format_args!("{}", formwork::wire::bytes(needed))));
    }
    if let Some(version) = walker.resolver.open.last().and_then(|open| open.tree) {
        enter_tree(walker, version, there as usize, there < count);
        return Ok(None);
    }
    let bytes = walker.peek(there as usize * size, format_args!(""))?;
    walker.position += bytes.len();
    let value = match is_text {
        true => Value::AnsiText(bytes),
        false => Value::Elements(field.element(), bytes),
    };
    let layout = SpanType::Many(field.element(), count);
    let mut span = walker.taken(place.depth, PathSegment::Field(field.name), layout, bytes, value);
    span.note = (there < count).then(|| Note::Missing(count - there));
    Ok((count > 0).then_some(span))
}

/// The span for elements that are not handed out one by one.
pub(super) fn stands_for<'a>(walker: &Walk<'a>, hidden: &Hidden) -> Option<Span<'a>> {
    let &Hidden { depth, start, first, count, shape, .. } = hidden;
    let bytes = walker.bytes.get(start..walker.position).filter(|bytes| !bytes.is_empty())?;
    let name = PathSegment::Name(format!("[{first}] to [{}]", count.saturating_sub(1)).into());
    let (layout, value) =
        (SpanType::Many(shape, count - first), Value::Count(count - first, "more"));
    Some(walker.taken(depth, name, layout, bytes, value))
}

/// The depth of the spans in what is open.
pub(super) fn depth<'a>(walker: &Walk<'a>) -> u32 {
    walker.levels.last().map_or(0, |level| level.depth)
}

/// The start of something that begins here, in the innermost level.
pub(super) fn open_here<'a>(
    walker: &Walk<'a>,
    name: PathSegment,
    layout: SpanType,
    length: Option<usize>,
    value: Value<'a>,
) -> Span<'a> {
    walker.open(depth(walker), name, Layout::Padding(4), (layout, length), value)
}
