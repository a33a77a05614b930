//! What every byte of a file is, from the declarations alone.
//!
//! The [`Inspector`] walks the declared records and the bytes together, and hands out the same
//! [`Span`]s as the inspector of packets: for the header, the tables, the root and everything in it, in
//! the order of the file. What is wrong with a file it asks the [reader](crate::alb1::Reader), so that both
//! find the same fault in the same place.
//!
//! ```
//! use formwork::alb1::{Document, Field, Value};
//! use formwork::inspect::alb1::Inspector;
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
mod leaf;
mod names;
mod tree;
mod walk;

use std::collections::{HashMap, VecDeque};

use crate::alb1::Reader;
use crate::alb1::record::FileRecord;
use crate::error::{Class, Error, Result, Step};
use crate::inspect::{Kind, Layout, Span, Value, around};
use crate::limits::Limits;
use crate::schema::Declared;
use names::Names;
use tree::Quadtree;
use walk::{Content, Hidden, Level};

/// An iterator over what the bytes of a file are.
///
/// Bytes that are cut or wrong do not stop it before their place: everything before comes as spans,
/// then one [`Error`], the one that [`Reader::read`] gives, then a span of [`Kind::Rest`] holds the
/// bytes that were not read. In a file that is cut inside an object, all of the object that is there
/// comes before the error.
///
/// The quadtree of a layer is shown part by part. The reader does not look into it: a fault in it comes
/// as an [`Error`], too, with a span of [`Kind::Rest`] for what is left of the tree's array, and the
/// walk goes on behind the array.
///
/// Besides the names of the two tables it holds as much as objects are deep.
#[derive(Clone, Debug)]
pub struct Inspector<'a> {
    bytes: &'a [u8],
    /// Objects, arrays and pairs that may be in each other.
    nesting: u32,
    /// Spans deeper than this are walked, but not handed out.
    deepest: Option<u32>,
    whole: bool,
    /// Elements of a list that are handed out.
    shown: Option<u64>,

    position: usize,
    /// What is being read, from the outside in.
    levels: Vec<Level>,
    /// The path of the innermost level.
    steps: Vec<Step>,
    names: Names<'a>,
    /// The quadtree that is being walked.
    tree: Option<Box<Quadtree<'a>>>,
    /// Elements that are walked, but not handed out one by one.
    hidden: Option<Hidden>,
    /// Spans that were found together with the last one.
    found: VecDeque<Result<Span<'a>>>,
    /// What will keep the walk from going on: the first fault, as the reader finds it.
    fault: Option<Error>,
    /// The first byte that cannot be read.
    stop: Option<u64>,
}

impl<'a> Inspector<'a> {
    /// An inspector of a file.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let content = Content::of(FileRecord::SHAPE);
        let (limit, seen) = (bytes.len(), HashMap::new());
        let file = Level {
            content,
            depth: 0,
            nesting: 1,
            limit,
            is_enclosed: false,
            steps: 0,
            seen,
            tree: None,
        };
        Self {
            bytes,
            nesting: Reader::DEPTH,
            deepest: None,
            whole: false,
            shown: None,
            position: 0,
            levels: vec![file],
            steps: Vec::new(),
            names: Names::default(),
            tree: None,
            hidden: None,
            found: VecDeque::new(),
            fault: None,
            stop: None,
        }
    }

    /// Sets the limits, of which only the depth counts here.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.nesting = Reader::depth(limits);
        self
    }

    /// Leaves out the spans that are in more than `deepest` others.
    #[must_use]
    pub const fn deepest(mut self, deepest: u32) -> Self {
        self.deepest = Some(deepest);
        self
    }

    /// Gives a field, a name of a table, and what stands in front of the fields of an object, one span
    /// each, instead of one for every word.
    #[must_use]
    pub const fn whole_fields(mut self, whole: bool) -> Self {
        self.whole = whole;
        self
    }

    /// Hands out only so many elements of each list; one span stands for all of the others. Of a quadtree
    /// hands out what leads to leaves with groups; one span stands for what is between them.
    #[must_use]
    pub const fn shown_elements(mut self, shown: u64) -> Self {
        self.shown = Some(shown);
        self
    }

    /// The spans that hold the byte at `offset`, from the outside in. Empty where the file does not
    /// reach so far.
    #[must_use]
    pub fn at(self, offset: u64) -> Vec<Span<'a>> {
        around(Self { deepest: None, shown: None, whole: false, ..self }, offset)
    }

    /// Remembers a fault. Of a file that is cut everything can be read that is there.
    fn set_fault(&mut self, fault: Error) {
        let stop = match fault.class() {
            Class::Incomplete { .. } => self.bytes.len() as u64,
            _ => fault.offset(),
        };
        self.stop = Some(self.stop.map_or(stop, |other| other.min(stop)));
        self.fault.get_or_insert(fault);
    }

    /// Leaves what is open behind a fault.
    fn give_up(&mut self, fault: Error) {
        self.levels.clear();
        if let Some(hidden) = self.hidden.take() {
            self.found.extend(self.stands_for(&hidden).map(Ok));
        }
        self.found.push_back(Err(self.fault.take().unwrap_or(fault)));
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        if !rest.is_empty() {
            let span = Span {
                kind: Kind::Rest,
                depth: 0,
                offset: self.position as u64,
                length: Some(rest.len() as u64),
                bytes: rest,
                name: Step::Field("undecoded"),
                layout: Layout::Bytes,
                value: Value::Count(rest.len() as u64, "bytes"),
                note: None,
            };
            self.found.push_back(Ok(span));
        }
        self.position = self.bytes.len();
    }
}

impl<'a> Iterator for Inspector<'a> {
    type Item = Result<Span<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = match self.found.pop_front() {
                Some(found) => found.map(Some),
                None if self.levels.is_empty() => return None,
                None => self.walk().or_else(|fault| {
                    self.give_up(fault);
                    Ok(None)
                }),
            };
            match found {
                Ok(Some(span)) => {
                    let shown = self.deepest.is_none_or(|deepest| span.depth <= deepest);
                    if shown && self.hidden.is_none() {
                        return Some(Ok(span));
                    }
                }
                Ok(None) => {}
                Err(fault) => return Some(Err(fault)),
            }
        }
    }
}
