//! The records around the fields, and lists of which only the start is handed out.

use super::{Alb1, Inspector};
use crate::alb1::read::{self, CLASSES, TAGS};
use crate::alb1::record::RootRecord;
use crate::error::{PathSegment, Result};
use crate::inspect::level::{Found, Place};
use crate::inspect::walker::{Opening, Resolver};
use crate::inspect::{Kind, Layout, Note, Span, Value};
use crate::schema::{Field, Semantics, Shape};
use crate::wire::read_record;

/// Elements for which one span stands.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    /// How many levels are open where they are elements.
    pub(super) levels: usize,
    pub(super) depth: u32,
    pub(super) start: usize,
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) shape: Shape,
}

impl<'a> Inspector<'a> {
    /// A part of the file, or a record in one of the quadtree.
    pub(super) fn part_of_file(&mut self, name: &'static str, place: Place) -> Result<Opening<'a>> {
        let start = self.position;
        let mut input = self.input(self.bytes.len());
        let mut value = Value::None;
        let names = &mut self.resolver.names;
        let read = match name {
            "header" => read::header(&mut input).map(|_| ()),
            "tags" => read::table(&mut input, TAGS).map(|table| {
                value = Value::Count(table.len() as u64, "names");
                names.set_tags(table, self.bytes, start);
            }),
            "classes" => read::table(&mut input, CLASSES).map(|table| {
                value = Value::Count(table.len() as u64, "names");
                names.set_classes(table, self.bytes, start);
            }),
            "root" => read_record(&mut input).map(|RootRecord { class, address, .. }| {
                value = Value::Object { class, name: names.class(class as u16), address };
                input.set_position(self.bytes.len());
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
            self.set_fault(if is_table { fault.within(name) } else { fault });
            Alb1::check(self)?;
        }
        Ok(Opening { length, layout: Layout::One(place.shape), value, kind: Kind::Open })
    }

    /// An entry of a table.
    pub(super) fn entry(&mut self, place: Place) -> Opening<'a> {
        let start = self.position;
        let mut input = self.input(self.bytes.len());
        // What is wrong with an entry was found when the table was opened.
        let read = read::entry(&mut input);
        let value =
            read.as_ref().map_or(Value::None, |(id, name)| Value::Id((*id).into(), Some(name)));
        let length = read.is_ok().then(|| input.position() - start);
        let is_whole = self.resolver.whole && length.is_some();
        let kind = if is_whole { Kind::Leaf } else { Kind::Open };
        Opening { length, layout: Layout::One(place.shape), value, kind }
    }

    /// Elements of a fixed size, in one span; as many as are there.
    pub(super) fn block(
        &mut self,
        field: &'static Field,
        place: Place,
        count: u64,
        size: usize,
    ) -> Found<'a> {
        let is_text = matches!(field.meaning, Semantics::Text | Semantics::TerminatedText);
        // A line for each byte of raw content would help nobody.
        if !is_text && size > 1 && !self.resolver.whole {
            return self.elements(field, place, 0, count, self.position);
        }
        let there = count.min((self.left() / size) as u64);
        let needed = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size);
        if there == 0 && count > 0 {
            return Err(Alb1::ends(self, needed, format_args!("")));
        }
        if let Some(version) = self.resolver.open.last().and_then(|open| open.tree) {
            self.enter_tree(version, there as usize, there < count);
            return Ok(None);
        }
        let bytes = self.peek(there as usize * size, format_args!(""))?;
        self.position += bytes.len();
        let value = match is_text {
            true => Value::AnsiText(bytes),
            false => Value::Elements(field.shape(), bytes),
        };
        let layout = Layout::Many(field.shape(), count);
        let mut span =
            self.taken(place.depth, PathSegment::Field(field.name), layout, bytes, value);
        span.note = (there < count).then(|| Note::Missing(count - there));
        Ok((count > 0).then_some(span))
    }

    /// The span for elements that are not handed out one by one.
    pub(super) fn stands_for(&self, hidden: &Hidden) -> Option<Span<'a>> {
        let &Hidden { depth, start, first, count, shape, .. } = hidden;
        let bytes = self.bytes.get(start..self.position).filter(|bytes| !bytes.is_empty())?;
        let name = PathSegment::Name(format!("[{first}] to [{}]", count.saturating_sub(1)).into());
        let (layout, value) =
            (Layout::Many(shape, count - first), Value::Count(count - first, "more"));
        Some(self.taken(depth, name, layout, bytes, value))
    }

    /// The depth of the spans in what is open.
    pub(super) fn depth(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.depth)
    }

    /// The start of something that begins here, in the innermost level.
    pub(super) fn open_here(
        &self,
        name: PathSegment,
        layout: Layout,
        length: Option<usize>,
        value: Value<'a>,
    ) -> Span<'a> {
        self.open(self.depth(), name, Shape::Padding, (layout, length), value)
    }
}
