//! Meaning of every byte of a file, from the declarations alone.
//!
//! The [`Inspector`] walks the declared records and the bytes together, and hands out the same
//! [`Span`]s as the inspector of packets: for the header, the tables, the root and everything in it, in
//! the order of the file. What is wrong with a file it asks the [reader](crate::Reader), so that both
//! find the same fault in the same place.
//!
//! ```
//! use formwork_alb1::{Document, Field, Value};
//! use formwork_alb1::inspect::Inspector;
//!
//! let mut layer = Document::new("CLayer");
//! let version = layer.tags.id("mlayerVersion").unwrap();
//! layer.root.fields.push(Field::new(version, Value::SignedInt(4)));
//! let bytes = layer.to_vec()?;
//!
//! let spans: Vec<_> = Inspector::new(&bytes).whole_fields(true).map(|span| span.unwrap()).collect();
//! let last = spans.last().unwrap();
//! assert_eq!(last.bytes, [0x1c, 0, 5, 4, 0, 0, 0]);
//! assert_eq!((last.layout.to_string(), last.value.to_string()), ("signed int".into(), "4".into()));
//! # Ok::<(), formwork::Error>(())
//! ```

mod field;
mod names;
mod record;
mod tree;

use std::collections::HashMap;

use crate::read::{Reading, end_of_array};
use crate::record::FileRecord;
use crate::tree::Version;
use crate::{FieldType, Reader};
use field::{Content, enter_value, field};
use formwork::walk::Name;
use formwork::{Error, ErrorKind, Family, Path, PathSegment, Result};
use formwork_records::inspect::walker::{Block, Found, Opening, Place, Resolver, Walker};
pub use formwork_records::inspect::{Inspect, Kind, Note, Span, SpanType, Tree, Value};
use formwork_records::inspect::{Naming, around};
use formwork_records::limits::Limits;
use formwork_records::schema::{CLASS, FIELD, FIELD_TYPE, Layout, Meaning, Record, Schema, TAG};
use formwork_records::wire::Cursor;
use names::Names;
use record::{Hidden, block, entry, part_of_file, stands_for};
use tree::{Quadtree, tree_part};

/// An iterator over what the bytes of a file are.
///
/// Bytes that are cut or wrong do not stop it before their place: everything before comes as spans,
/// then one [`Error`], the one that [`Reader::read`] gives, then a span of [`Kind::Rest`] holds the
/// bytes that were not read. In a file that is cut inside an object, all of the object that is there
/// comes before the error.
///
/// The quadtree of a layer is shown part by part. The reader does not examine the tree: a fault in it is also returned
/// as an [`Error`], with a span of [`Kind::Rest`] for the remainder of the tree's array, and the walk
/// continues after the array.
///
/// Besides the names of the two tables it holds as much as objects are deep.
#[derive(Clone, Debug)]
pub struct Inspector<'a>(Walk<'a>);

/// The walk along the declarations.
type Walk<'a> = Walker<'a, Alb1<'a>>;

impl<'a> Iterator for Inspector<'a> {
    type Item = Result<Span<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl<'a> Inspect<'a> for Inspector<'a> {
    fn deepest(self, deepest: u32) -> Self {
        Self(self.0.deepest(deepest))
    }

    fn at(self, offset: u64) -> Vec<Span<'a>> {
        let mut walk = self.0;
        if offset >= walk.bytes.len() as u64 {
            return Vec::new();
        }
        (walk.deepest, walk.resolver.shown, walk.resolver.whole) = (None, None, false);
        around(walk, offset)
    }
}

/// State of an inspector of ALB1 files besides its position.
#[derive(Clone, Debug)]
struct Alb1<'a> {
    /// Objects, arrays and pairs that may be in each other.
    deepest_nesting: u32,
    whole: bool,
    /// Elements of a list that are handed out.
    shown: Option<u64>,
    tags: Names<'a>,
    classes: Names<'a>,
    /// The file and the values that are open, from the outside in.
    open: Vec<Open>,
    /// The path of the innermost value.
    steps: Vec<PathSegment>,
    /// The layout after the tag and type of the field that is open.
    content: Content,
    /// The quadtree that is being walked.
    tree: Option<Box<Quadtree<'a>>>,
    /// Elements that are walked, but not handed out one by one.
    hidden: Option<Hidden>,
    /// First fault, as the reader finds it: the walk will end there.
    fault: Option<Error>,
    /// The first byte that cannot be read.
    stop: Option<u64>,
}

/// The file, or a value that is being read.
#[derive(Clone, Debug)]
struct Open {
    /// Records and lists around it.
    depth: usize,
    /// Steps of the path around it.
    steps: usize,
    /// Offset at which its content must end.
    limit: usize,
    /// Class of an object, and the offset of its fields.
    object: Option<(i16, usize)>,
    /// Elements of an array of fields.
    elements: Option<u32>,
    /// Objects, arrays and pairs around what is in it, as the reader counts them.
    nesting: u32,
    /// Whether it ends where an object or array ends.
    is_enclosed: bool,
    /// How often a tag was there among its fields.
    seen: HashMap<u16, u64>,
    /// Whether the raw bytes in it are a quadtree.
    tree: Option<Version>,
}

impl<'a> Inspector<'a> {
    /// An inspector of a file.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut walk = Walk::of(bytes, Alb1::new(bytes));
        walk.begin(FileRecord::LAYOUT, Name::Same);
        Self(walk)
    }

    /// Sets the limits, of which only the depth counts here.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.resolver.deepest_nesting = Reader::depth(limits);
        self
    }

    /// Gives a field, a name of a table, and the words before the fields of an object, one span each, instead of one
    /// for every word.
    #[must_use]
    pub const fn whole_fields(mut self, whole: bool) -> Self {
        self.0.resolver.whole = whole;
        self
    }

    /// Hands out only `shown` elements of each list; one span covers all the others. Of a quadtree it hands out the way
    /// to leaves with groups; one span covers the parts between them.
    #[must_use]
    pub const fn shown_elements(mut self, shown: u64) -> Self {
        self.0.resolver.shown = Some(shown);
        self
    }
}

impl Alb1<'_> {
    /// Begins with a file.
    fn new(bytes: &[u8]) -> Self {
        let file = Open {
            depth: 0,
            steps: 0,
            limit: bytes.len(),
            object: None,
            elements: None,
            nesting: 1,
            is_enclosed: false,
            seen: HashMap::new(),
            tree: None,
        };
        Self {
            deepest_nesting: Reader::DEPTH,
            whole: false,
            shown: None,
            tags: Names::default(),
            classes: Names::default(),
            open: vec![file],
            steps: Vec::new(),
            content: Content::None,
            tree: None,
            hidden: None,
            fault: None,
            stop: None,
        }
    }
}

/// Remembers a fault. Of a file that is cut everything can be read that is there.
fn set_fault<'a>(walker: &mut Walk<'a>, fault: Error) {
    let stop = match fault.kind() {
        ErrorKind::Incomplete { .. } => walker.bytes.len() as u64,
        _ => fault.offset(),
    };
    let family = &mut walker.resolver;
    family.stop = Some(family.stop.map_or(stop, |other| other.min(stop)));
    family.fault.get_or_insert(fault);
}

/// The bytes from here up to `limit`.
fn input<'a>(walker: &Walk<'a>, limit: usize) -> Cursor<'a> {
    let mut input = Cursor::new(walker.bytes.get(..limit).unwrap_or(walker.bytes));
    input.set_position(walker.position);
    input
}

/// The reader, to ask what it makes of the bytes.
fn reading<'a, 'r>(walker: &'r Walk<'a>) -> Reading<'r>
where
    'a: 'r,
{
    Reading {
        bytes: walker.bytes,
        shared: None,
        tags: &walker.resolver.tags.table,
        depth: walker.resolver.deepest_nesting,
        is_enclosed: walker.resolver.open.last().is_some_and(|open| open.is_enclosed),
    }
}

/// The path to the field that is open, as the reader has it.
fn way<'a>(walker: &Walk<'a>) -> Path {
    Path::from(walker.resolver.steps.clone())
}

/// The names of the types of fields.
#[derive(Debug)]
struct FieldTypes;

impl Family for FieldTypes {
    fn name(&self, id: u16, number: u64) -> Option<&str> {
        let number = u8::try_from(number).ok().filter(|_| id == FIELD_TYPE);
        FieldType::from_id(number?).map(FieldType::name)
    }
}

impl<'a> Resolver<'a> for Alb1<'a> {
    const APART: bool = true;

    fn naming(&self) -> Naming {
        &FieldTypes
    }

    fn is_hidden(&self) -> bool {
        self.hidden.is_some()
    }

    /// A number and the name that the file or the format gives it.
    fn named(&self, meaning: Meaning, number: i128) -> Value<'a> {
        match meaning {
            Meaning::Family(TAG) => Value::Id(number, self.tags.get(number as u16)),
            Meaning::Family(CLASS) => Value::Id(number, self.classes.get(number as u16)),
            _ => Value::Integer(number, self.naming().name_of(meaning, number)),
        }
    }

    fn letters(bytes: &'a [u8]) -> Value<'a> {
        Value::AnsiText(bytes)
    }

    fn check(walker: &mut Walk<'a>) -> Result<()> {
        let (family, position) = (&mut walker.resolver, walker.position as u64);
        match family.fault.take_if(|_| family.stop.is_some_and(|stop| stop <= position)) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    fn outermost(walker: &mut Walk<'a>) -> Found<'a> {
        walker.done = true;
        Ok(None)
    }

    fn own(walker: &mut Walk<'a>) -> Option<Found<'a>> {
        walker.resolver.tree.is_some().then(|| {
            Self::check(walker)?;
            tree_part(walker)
        })
    }

    fn nested(walker: &mut Walk<'a>, place: &Place) -> Found<'a> {
        match place.shape {
            Layout::Nested(FIELD) => field(walker, place),
            Layout::Nested(field::VALUE) => enter_value(walker, place.step.depth).map(|()| None),
            _ => Ok(None),
        }
    }

    fn record(
        walker: &mut Walk<'a>,
        place: &Place,
        _: &'static Record,
    ) -> Result<Option<Opening<'a>>> {
        match place.name {
            PathSegment::Index(_) => Ok(Some(entry(walker, place))),
            // The file has no span.
            PathSegment::Field("") => Ok(None),
            _ => part_of_file(walker, place).map(Some),
        }
    }

    fn block(walker: &mut Walk<'a>, found: &Block<'_, 'a>) -> Found<'a> {
        block(walker, found)
    }

    fn element(walker: &mut Walk<'a>, place: &Place, first: u64, count: u64) {
        // One element is not worth a line that says that there is one.
        let is_hidden = walker.resolver.shown == Some(first) && count - first > 1;
        if is_hidden && walker.resolver.hidden.is_none() {
            let Place { depth, shape, .. } = *place;
            let (inside, start) = (place.step.depth, walker.position);
            walker.resolver.hidden = Some(Hidden { inside, depth, start, first, count, shape });
        }
    }

    fn closed(walker: &mut Walk<'a>) -> Found<'a> {
        let depth = walker.walk.depth();
        if let Some(open) = walker.resolver.open.pop_if(|open| open.depth >= depth && depth > 0) {
            if let Some(count) = open.elements {
                let content = input(walker, open.limit);
                end_of_array(&content, count as usize).map_err(|fault| fault.under(way(walker)))?;
            }
            walker.resolver.steps.truncate(open.steps);
        }
        let hidden = walker.resolver.hidden.take_if(|hidden| hidden.inside > depth);
        Ok(hidden.and_then(|hidden| stands_for(walker, &hidden)))
    }

    /// Returns the fault: the paths are the reader's.
    fn placed(_: &Walk<'a>, fault: Error) -> Error {
        fault
    }

    fn give_up(walker: &mut Walk<'a>, fault: Error) {
        walker.stop();
        walker.resolver.tree = None;
        if let Some(hidden) = walker.resolver.hidden.take() {
            let span = stands_for(walker, &hidden);
            walker.found.extend(span.map(Ok));
        }
        walker.found.push_back(Err(walker.resolver.fault.take().unwrap_or(fault)));
        let rest = walker.rest_span("undecoded", 0, walker.bytes.len());
        walker.found.extend(rest.map(Ok));
        walker.done = true;
    }
}
