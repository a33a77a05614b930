//! The walk over schema and bytes: a list of what is open instead of recursion.

use std::collections::HashMap;

use super::Inspector;
use crate::alb1::read::{self, CLASSES, Reading, TAGS, end_of_array};
use crate::alb1::record::{RootRecord, TableEntry};
use crate::alb1::tree::Version;
use crate::error::{Error, Path, Result, Step};
use crate::inspect::{Kind, Layout, Span, Value};
use crate::schema::{Field, Occurs, Schema, Shape};
use crate::wire::{Input, read_record};

/// How a path speaks of a field.
#[derive(Clone, Copy)]
pub(super) enum Called {
    /// By its tag, and by its number where there are several with that tag.
    ByTag,
    /// By its position.
    ByIndex(u64),
}

/// Something that is being read.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) content: Content,
    /// Depth of the spans in it.
    pub(super) depth: u32,
    /// Objects, arrays and pairs around what is in it, as the reader counts them.
    pub(super) nesting: u32,
    /// Where it must end.
    pub(super) limit: usize,
    /// Whether that is where an object or array ends.
    pub(super) is_enclosed: bool,
    /// How many steps the path had before.
    pub(super) steps: usize,
    /// How often a tag was there among the fields of an object or pair.
    pub(super) seen: HashMap<u16, u64>,
    /// Whether the raw bytes in it are a quadtree.
    pub(super) tree: Option<Version>,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// The fields of a declared record, one after another.
    Record {
        fields: &'static [Field],
        next: usize,
        /// The numbers so far, of which counts may speak.
        known: Vec<(&'static str, i128)>,
    },
    /// The fields of an object, up to its end.
    Fields { start: usize },
    /// So many elements of one layout.
    Elements { shape: Shape, next: u64, count: u64 },
    /// The value of a field, where it is a single number.
    Number(Option<Shape>),
    /// The quadtree that is open.
    Tree,
}

impl Content {
    /// What has this layout.
    pub(super) const fn of(shape: Shape) -> Self {
        match shape {
            Shape::Record(record) => {
                Self::Record { fields: record.fields, next: 0, known: Vec::new() }
            }
            shape => Self::Number(Some(shape)),
        }
    }
}

/// Elements for which one span stands.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    /// How many levels are open where they are elements.
    levels: usize,
    depth: u32,
    start: usize,
    first: u64,
    count: u64,
    shape: Shape,
}

pub(super) type Found<'a> = Result<Option<Span<'a>>>;

/// What is to be done next.
enum Next {
    Part(&'static Field),
    Field,
    Element(Shape, u64),
    Number(Shape),
    Tree,
    Close,
}

impl<'a> Inspector<'a> {
    /// Goes one step on.
    pub(super) fn walk(&mut self) -> Found<'a> {
        self.check()?;
        let (position, open) = (self.position, self.levels.len());
        let Some(level) = self.levels.last_mut() else { return Ok(None) };
        let depth = level.depth;
        let next = match &mut level.content {
            Content::Record { fields, next, .. } => match fields.get(*next) {
                Some(field) => {
                    *next += 1;
                    Next::Part(field)
                }
                None => Next::Close,
            },
            Content::Fields { .. } if position < level.limit => Next::Field,
            Content::Tree if self.tree.is_some() => Next::Tree,
            Content::Elements { shape, next, count } if *next < *count => {
                let index = *next;
                *next += 1;
                // One element is not worth a line that says that there is one.
                let hide = self.shown == Some(index) && *count - index > 1;
                if hide && self.hidden.is_none() {
                    let (shape, count) = (*shape, *count);
                    let (levels, start, first) = (open, position, index);
                    self.hidden = Some(Hidden { levels, depth, start, first, count, shape });
                }
                Next::Element(*shape, index)
            }
            Content::Number(shape) => shape.take().map_or(Next::Close, Next::Number),
            Content::Fields { .. } | Content::Elements { .. } | Content::Tree => Next::Close,
        };
        match next {
            Next::Part(field) => self.part(field),
            Next::Field => self.field(Called::ByTag),
            Next::Element(Shape::Field, index) => self.field(Called::ByIndex(index)),
            Next::Element(Shape::Record(_), index) => self.entry(index),
            Next::Element(shape, index) => self.number(Step::Index(index), shape),
            Next::Number(shape) => self.number(Step::Field("value"), shape),
            Next::Tree => self.tree_part(),
            Next::Close => self.close(),
        }
    }

    /// Whether the walk can go on.
    pub(super) fn check(&mut self) -> Result<()> {
        match self.fault.take_if(|_| self.stop.is_some_and(|stop| stop <= self.position as u64)) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// A field of a declared record.
    fn part(&mut self, field: &'static Field) -> Found<'a> {
        match (field.shape(), field.occurs) {
            (Shape::Field, Occurs::Once) => self.field(Called::ByTag),
            (Shape::Field, Occurs::Fill(_) | Occurs::ToEnd) => {
                self.enter(Content::Fields { start: self.position });
                Ok(None)
            }
            (Shape::Record(_), Occurs::Once) => self.record(field),
            (shape @ (Shape::Field | Shape::Record(_)), Occurs::Times(count)) => {
                let count = u64::try_from(self.evaluate(count)).unwrap_or(0);
                self.enter(Content::Elements { shape, next: 0, count });
                Ok(None)
            }
            (_, Occurs::Times(count)) => {
                let count = u64::try_from(self.evaluate(count)).unwrap_or(0);
                self.block(field, count)
            }
            _ => self.leaf(field),
        }
    }

    /// What the innermost level holds, in its place.
    pub(super) fn enter(&mut self, content: Content) {
        if let Some(&Level { depth, nesting, limit, is_enclosed, .. }) = self.levels.last() {
            let steps = self.steps.len();
            let seen = HashMap::new();
            let tree = None;
            self.levels.push(Level {
                content,
                depth,
                nesting,
                limit,
                is_enclosed,
                steps,
                seen,
                tree,
            });
        }
    }

    /// The same, with its spans one deeper.
    fn enter_below(&mut self, content: Content) {
        self.enter(content);
        if let Some(level) = self.levels.last_mut() {
            level.depth += 1;
        }
    }

    /// Leaves the innermost level.
    fn close(&mut self) -> Found<'a> {
        let open = self.levels.len();
        let Some(level) = self.levels.pop() else { return Ok(None) };
        if let Content::Elements { shape: Shape::Field, count, .. } = level.content {
            let path = self.path();
            let content = self.input(level.limit);
            end_of_array(&content, count as usize).map_err(|fault| fault.under(path))?;
        }
        self.steps.truncate(level.steps);
        match self.hidden.take_if(|hidden| hidden.levels == open) {
            Some(hidden) => Ok(self.stands_for(&hidden)),
            None => Ok(None),
        }
    }

    /// The span for elements that are not handed out one by one.
    pub(super) fn stands_for(&self, hidden: &Hidden) -> Option<Span<'a>> {
        let &Hidden { depth, start, first, count, shape, .. } = hidden;
        let bytes = self.bytes.get(start..self.position).filter(|bytes| !bytes.is_empty())?;
        Some(Span {
            kind: Kind::Leaf,
            depth,
            offset: start as u64,
            length: Some(bytes.len() as u64),
            bytes,
            name: Step::Name(format!("[{first}] to [{}]", count.saturating_sub(1)).into()),
            layout: Layout::Many(shape, count - first),
            value: Value::Count(count - first, "more"),
            note: None,
        })
    }

    /// A record in a record.
    fn record(&mut self, field: &'static Field) -> Found<'a> {
        let start = self.position;
        let mut input = self.input(self.bytes.len());
        let mut value = Value::None;
        let read = match field.name {
            "header" => read::header(&mut input).map(|_| ()),
            "tags" => read::table(&mut input, TAGS).map(|table| {
                value = Value::Count(table.len() as u64, "names");
                self.names.set_tags(table, self.bytes, start);
            }),
            "classes" => read::table(&mut input, CLASSES).map(|table| {
                value = Value::Count(table.len() as u64, "names");
                self.names.set_classes(&table, self.bytes, start);
            }),
            "root" => read_record(&mut input).map(|RootRecord { class, address, .. }| {
                value = Value::Object { class, name: self.names.class(class as u16), address };
                input.set_position(self.bytes.len());
            }),
            // Of those whose size is fixed all is there, as what they are in was read.
            _ => {
                input.set_position(start + field.shape().size().unwrap_or_default());
                Ok(())
            }
        };
        let length = read.is_ok().then(|| input.position() - start);
        if let Err(fault) = read {
            let is_table = matches!(field.name, "tags" | "classes");
            self.set_fault(if is_table { fault.within(field.name) } else { fault });
            self.check()?;
        }
        let span = self.open(Step::Field(field.name), Layout::One(field.shape()), length, value);
        self.enter_below(Content::of(field.shape()));
        Ok(Some(span))
    }

    /// An entry of a table.
    fn entry(&mut self, index: u64) -> Found<'a> {
        let start = self.position;
        let mut input = self.input(self.bytes.len());
        // What is wrong with an entry was found when the table was opened.
        let read: Result<TableEntry<'static>> = read_record(&mut input);
        let end = input.position();
        let value = read.as_ref().map_or(Value::None, |entry| {
            let name = self.bytes.get(end - usize::from(entry.length)..end);
            Value::Id(entry.id.into(), name)
        });
        let layout = Layout::One(TABLE_ENTRY);
        let length = read.is_ok().then(|| end - start);
        let mut span = self.open(Step::Index(index), layout, length, value);
        if self.whole && length.is_some() {
            span.kind = Kind::Leaf;
            self.position = end;
            return Ok(Some(span));
        }
        self.enter_below(Content::of(TABLE_ENTRY));
        Ok(Some(span))
    }

    /// The start of something that begins here, in the innermost level.
    pub(super) fn open(
        &self,
        name: Step,
        layout: Layout,
        length: Option<usize>,
        value: Value<'a>,
    ) -> Span<'a> {
        let start = self.position;
        let end = length.and_then(|length| start.checked_add(length));
        Span {
            kind: Kind::Open,
            depth: self.levels.last().map_or(0, |level| level.depth),
            offset: start as u64,
            length: length.map(|length| length as u64),
            bytes: end.and_then(|end| self.bytes.get(start..end)).unwrap_or_default(),
            name,
            layout,
            value,
            note: None,
        }
    }

    /// The bytes from here up to `limit`.
    pub(super) fn input(&self, limit: usize) -> Input<'a> {
        let mut input = Input::new(self.bytes.get(..limit).unwrap_or(self.bytes));
        input.set_position(self.position);
        input
    }

    /// The reader, to ask what it makes of the bytes.
    pub(super) fn reading<'r>(&'r self) -> Reading<'r>
    where
        'a: 'r,
    {
        Reading {
            bytes: self.bytes,
            shared: None,
            tags: &self.names.tags,
            depth: self.nesting,
            is_enclosed: self.levels.last().is_some_and(|level| level.is_enclosed),
        }
    }

    pub(super) fn path(&self) -> Path {
        Path::from(self.steps.clone())
    }

    /// The bytes end here, although something else was declared: what the reader says to that, or, as
    /// it always says something, that they do.
    pub(super) fn ends(&mut self, needed: usize) -> Error {
        let left = self.bytes.len().saturating_sub(self.position);
        self.fault.take().unwrap_or_else(|| {
            let missing = needed.saturating_sub(left) as u64;
            let expected = format!("{needed} bytes");
            Error::incomplete(self.position as u64, missing, expected, left as u64)
        })
    }
}

const TABLE_ENTRY: Shape = <TableEntry<'static> as Schema>::SHAPE;
