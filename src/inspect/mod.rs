//! What every byte of a packet is, from the declarations alone.
//!
//! The [`Inspector`] walks the [schema](crate::schema) and the bytes together and hands out a
//! [`Span`] for each packet, record and field in wire order. It knows nothing of values: what it
//! shows is what is declared. So it is the base of `formwork dump`, and a second reader to hold the
//! [decoder](crate::variant::codec) against.
//!
//! ```
//! use formwork::Dialect;
//! use formwork::inspect::Inspector;
//!
//! let bytes = [2, 0, 0, 0, 42, 0, 0, 0];
//! let spans: Vec<_> = Inspector::new(&bytes, Dialect::GODOT4).map(|span| span.unwrap()).collect();
//! let value = spans.last().unwrap();
//! assert_eq!((value.offset, value.value.to_string()), (4, "42".to_owned()));
//! ```

pub mod alb1;
mod known;
mod level;
mod lists;
mod measure;
mod render;
mod span;
mod summary;
mod value;
mod walk;
mod words;

use std::collections::VecDeque;

pub use render::{Paint, Plain, Role, Tree};
pub use span::{Kind, Layout, Note, Span};
pub use value::{Summary, Value, unsigned};
pub(crate) use value::{name_of, number, part};
pub(crate) use words::unused_bits;

use crate::error::{Error, Path, Result, Step};
use crate::schema::{Record, Schema, Shape};
use crate::variant::dialect::Dialect;
use crate::variant::frame::Framing;
use known::Known;
use level::Level;

/// An iterator over what the bytes of packets are.
///
/// Bytes that are cut or wrong do not stop it before their place: everything before comes as spans,
/// then one [`Error`] says what was expected where, then a span of [`Kind::Rest`] holds the bytes
/// that were not read. Where packets are framed it goes on behind the frame.
///
/// It holds as much as containers are deep, whatever they hold or claim to hold, and does not
/// recurse.
#[derive(Clone, Debug)]
pub struct Inspector<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
    framing: Framing,
    /// Spans deeper than this are walked, but not handed out.
    deepest: Option<u32>,
    list: bool,
    /// The byte that is looked for.
    target: Option<u64>,
    /// Stop where values would nest: for a line about a packet.
    shallow: bool,
    /// Whether what the parts of words say is wanted.
    parts: bool,
    /// What stands at the start.
    top: Shape,
    /// What that is called.
    name: &'static str,
    /// Whether it is a record of somebody's own: then no rules of packets hold in it.
    own: bool,

    position: usize,
    /// Where the packet must end.
    limit: usize,
    /// Bytes that a frame announces behind the end of the input.
    missing: u64,
    /// Packets begun.
    packets: u64,
    /// Whether a frame is open.
    framed: bool,
    done: bool,
    /// What is being read, from the outside in.
    levels: Vec<Level>,
    /// The path of the innermost level.
    steps: Vec<Step>,
    /// What the path of the last span has besides.
    tail: Vec<Step>,
    known: Vec<Known>,
    /// Spans that were found together with the last one.
    found: VecDeque<Span<'a>>,
    /// The fault behind the last span.
    fault: Option<Error>,
}

impl<'a> Inspector<'a> {
    /// An inspector of one packet.
    #[must_use]
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Self {
        Self {
            bytes,
            dialect,
            framing: Framing::Bare,
            deepest: None,
            list: false,
            target: None,
            shallow: false,
            parts: true,
            top: Shape::Variant,
            name: "packet",
            own: false,
            position: 0,
            limit: bytes.len(),
            missing: 0,
            packets: 0,
            framed: false,
            done: false,
            levels: Vec::new(),
            steps: Vec::new(),
            tail: Vec::new(),
            known: Vec::new(),
            found: VecDeque::new(),
            fault: None,
        }
    }

    /// An inspector of a record that is no packet, such as a file, which is called `name`.
    ///
    /// ```
    /// use formwork::inspect::Inspector;
    ///
    /// // A length and no packet.
    /// let record = formwork::variant::frame::RECORD;
    /// let mut spans = Inspector::of_record(&[4, 0, 0, 0], "frame", record);
    /// let length = spans.nth(1).unwrap()?;
    /// assert_eq!(length.value.to_string(), "4");
    /// assert_eq!(spans.next().unwrap().unwrap_err().path().to_string(), "frame");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn of_record(bytes: &'a [u8], name: &'static str, record: &'static Record) -> Self {
        // Nothing in a record depends on the dialect but what is a packet.
        let inspector = Self::new(bytes, Dialect::GODOT4).starting(0, Shape::Record(record));
        Self { name, ..inspector }
    }

    /// An inspector of a record that somebody else declared. [`record`](crate::record) has what one does with it.
    ///
    /// The number, word or list that is no record is shown as the only field of one.
    #[must_use]
    pub fn record<T: Schema>(bytes: &'a [u8]) -> Self {
        let (name, top) = match T::SHAPE {
            Shape::Record(record) => (record.name, T::SHAPE),
            Shape::Word(word) => (word.name, T::SHAPE),
            shape => ("value", shape),
        };
        Self { name, own: true, ..Self::new(bytes, Dialect::GODOT4).starting(0, top) }
    }

    /// Passes over so many bytes at the start, which are none of the packets'. Offsets count them.
    #[must_use]
    pub fn behind(mut self, header: usize) -> Self {
        self.position = header.min(self.bytes.len());
        self
    }

    /// Says how packets stand in the input.
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Leaves out the spans that are in more than `deepest` others.
    #[must_use]
    pub const fn deepest(mut self, deepest: u32) -> Self {
        self.deepest = Some(deepest);
        self
    }

    /// Gives every element of a packed array a span of its own, instead of one for all.
    #[must_use]
    pub const fn list_elements(mut self, list: bool) -> Self {
        self.list = list;
        self
    }

    /// The spans that hold the byte at `offset`, from the outside in, and the parts of the word if
    /// it is in one. Empty where the input does not reach so far.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Vec<Span<'a>> {
        self.deepest = None;
        self.target = Some(offset);
        around(self, offset)
    }

    /// Begins with the packet or record at `start`.
    const fn starting(mut self, start: usize, shape: Shape) -> Self {
        self.position = start;
        self.top = shape;
        self
    }

    /// Leaves out the parts of words, for who wants the layout alone.
    #[must_use]
    pub const fn layout_alone(mut self) -> Self {
        self.parts = false;
        self
    }

    /// Leaves out what a line about the whole has no room for.
    const fn shallow(mut self) -> Self {
        self.shallow = true;
        self
    }

    /// The path of the last span, in the words of [`Error::path`].
    #[must_use]
    pub fn path(&self) -> Path {
        self.steps.iter().chain(&self.tail).cloned().collect::<Vec<_>>().into()
    }

    /// How many bytes were read.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The bytes that were not read (yet).
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }
}

/// The spans that hold the byte at `offset`, from the outside in, and the parts of the word if it is
/// in one.
pub(crate) fn around<'a>(
    spans: impl Iterator<Item = Result<Span<'a>>>,
    offset: u64,
) -> Vec<Span<'a>> {
    let mut chain: Vec<Span<'a>> = Vec::new();
    // Behind a fault there is a span of the rest.
    let mut spans = spans.filter_map(Result::ok);
    while let Some(span) = spans.next() {
        while chain.last().is_some_and(|last| last.depth >= span.depth) {
            chain.pop();
        }
        match span.kind {
            Kind::Open => chain.push(span),
            Kind::Leaf | Kind::Rest if span.covers(offset) => {
                chain.push(span);
                chain.extend(spans.take_while(|span| span.kind == Kind::Part));
                return chain;
            }
            _ => {}
        }
    }
    Vec::new()
}

impl<'a> Iterator for Inspector<'a> {
    type Item = Result<Span<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = match self.found.pop_front() {
                Some(span) => Ok(Some(span)),
                None => match self.fault.take() {
                    Some(fault) => Err(fault),
                    None if self.done => return None,
                    None => self.walk(),
                },
            };
            match found {
                Ok(Some(span)) if self.deepest.is_none_or(|deepest| span.depth <= deepest) => {
                    return Some(Ok(span));
                }
                Ok(_) => {}
                Err(fault) => {
                    let fault = self.promised().unwrap_or_else(|| fault.under(self.path()));
                    self.give_up();
                    return Some(Err(fault));
                }
            }
        }
    }
}
