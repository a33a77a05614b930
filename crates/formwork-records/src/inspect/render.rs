//! Renders the spans as a tree in text: a line each, in columns.

use std::fmt::{self, Write as _};
use std::io;

use super::{Inspect, Kind, Span};
use formwork::{Error, Path, PathSegment, Result};

/// The role of a piece of a line, for colours.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Role {
    /// The headings of the columns.
    Heading,
    /// The offset of the bytes.
    Offset,
    /// The bytes.
    Bytes,
    /// A field's name.
    Name,
    /// A type's name.
    Type,
    /// A value.
    Value,
    /// A summary of the lines below.
    Summary,
    /// A note about an oddity.
    Note,
    /// The fault that prevents reading the rest.
    Fault,
}

/// Puts colours around pieces of text. The renderer computes the widths: the painter's additions must take no room.
pub trait Paint {
    /// Writes `text` with the additions for its role.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` fails.
    fn paint(&self, role: Role, text: &str, out: &mut dyn fmt::Write) -> fmt::Result;
}

/// No colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Paint for Plain {
    fn paint(&self, _: Role, text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(text)
    }
}

/// Lays out spans in columns: offset, bytes, field, type, value.
#[derive(Clone, Debug)]
pub struct Tree<P: Paint = Plain> {
    paint: P,
    bytes: usize,
    value: usize,
    parts: bool,
    deepest: Option<u32>,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new(Plain)
    }
}

/// The width for names and their indentation.
const NAME: usize = 26;
/// The width for types.
const TYPE: usize = 18;
/// The number of indented levels; deeper levels are written as a number.
const INDENTED: u32 = 16;

impl<P: Paint> Tree<P> {
    /// Makes a tree in these colours, with eight bytes in a line and values of at most 72 characters.
    #[must_use]
    pub const fn new(paint: P) -> Self {
        Self { paint, bytes: 8, value: 72, parts: false, deepest: None }
    }

    /// Sets the number of bytes in a line.
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets the number of characters of a value in a line.
    #[must_use]
    pub const fn value_width(mut self, characters: usize) -> Self {
        self.value = characters;
        self
    }

    /// Chooses whether each part of a bit-packed word gets a line. Otherwise the line of the word names only the parts
    /// that are set.
    #[must_use]
    pub const fn parts(mut self, parts: bool) -> Self {
        self.parts = parts;
        self
    }

    /// Shows only spans that are in at most `deepest` others. (The lines at that depth show the bytes of the omitted
    /// lines.)
    #[must_use]
    pub const fn deepest(mut self, deepest: u32) -> Self {
        self.deepest = Some(deepest);
        self
    }

    /// Returns the headings of the columns.
    #[must_use]
    pub fn heading(&self) -> String {
        let mut line = Line::new(&self.paint);
        let mut heading =
            |text, width| line.cell(Role::Heading, width, |cell| cell.write_str(text));
        heading("offset", 8);
        heading("bytes", self.bytes_width());
        heading("field", NAME);
        heading("type", TYPE);
        heading("value", 0);
        line.text
    }

    /// Returns the line of a span, or [`None`] for a span without a line in this tree.
    #[must_use]
    pub fn line(&self, span: &Span<'_>) -> Option<String> {
        let mut line = Line::new(&self.paint);
        self.lay_out(span, &mut line).then_some(line.text)
    }

    /// Makes the line of a span; returns whether it has one in this tree.
    fn lay_out(&self, span: &Span<'_>, line: &mut Line<'_, P>) -> bool {
        let hidden = span.kind == Kind::Part && !self.parts;
        if hidden || self.deepest.is_some_and(|deepest| span.depth > deepest) {
            return false;
        }
        line.cell(Role::Offset, 8, |cell| write!(cell, "{:08x}", span.offset));
        let closed = self.deepest == Some(span.depth);
        let shows_bytes = match span.kind {
            Kind::Open => closed,
            Kind::Part => false,
            Kind::Leaf | Kind::Rest => true,
        };
        let bytes = if shows_bytes { span.bytes } else { &[] };
        line.cell(Role::Bytes, self.bytes_width(), |cell| self.hex(bytes, cell));
        line.cell(Role::Name, NAME, |cell| name(span, cell));
        line.cell(Role::Type, TYPE, |cell| write!(cell, "{}", span.layout));
        let role = if span.kind == Kind::Open && !closed { Role::Summary } else { Role::Value };
        line.cell(role, 0, |cell| span.value.write_at_most(self.value, cell));
        if let Some(note) = span.note {
            line.cell(Role::Note, 0, |cell| write!(cell, "({note})"));
        }
        true
    }

    /// Returns the line of a fault.
    #[must_use]
    pub fn fault(&self, fault: &Error) -> String {
        let mut line = Line::new(&self.paint);
        line.fault(fault);
        line.text
    }

    /// Returns the line of an item of an inspector.
    #[must_use]
    pub fn item(&self, item: &Result<Span<'_>>) -> Option<String> {
        match item {
            Ok(span) => self.line(span),
            Err(fault) => Some(self.fault(fault)),
        }
    }

    /// Writes the whole tree, line by line as it is read.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` fails.
    pub fn write<'a>(
        &self,
        inspector: impl Inspect<'a>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let inspector = match self.deepest {
            Some(deepest) => inspector.deepest(deepest),
            None => inspector,
        };
        self.write_items(inspector, out)
    }

    /// Writes the heading and the lines of these spans.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` fails.
    pub fn write_items<'a>(
        &self,
        items: impl Iterator<Item = Result<Span<'a>>>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        writeln!(out, "{}", self.heading())?;
        // All lines use the same memory.
        let mut line = Line::new(&self.paint);
        for item in items {
            line.clear();
            let is_shown = match &item {
                Ok(span) => self.lay_out(span, &mut line),
                Err(fault) => {
                    line.fault(fault);
                    true
                }
            };
            if is_shown {
                line.text.push('\n');
                out.write_all(line.text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Returns the width of the shown bytes, with the dots after them if there are more.
    const fn bytes_width(&self) -> usize {
        3 * self.bytes + 1
    }

    fn hex(&self, bytes: &[u8], out: &mut String) -> fmt::Result {
        for (position, byte) in bytes.iter().take(self.bytes).enumerate() {
            if position > 0 {
                out.push(' ');
            }
            for digit in [byte >> 4, byte & 0xF] {
                out.push(char::from_digit(digit.into(), 16).unwrap_or_default());
            }
        }
        if bytes.len() > self.bytes {
            out.push_str("..");
        }
        Ok(())
    }
}

/// Writes the indented name. Deep levels are written as a number, because the names would leave the page.
fn name(span: &Span<'_>, out: &mut String) -> fmt::Result {
    push_blanks(out, 2 * span.depth.min(INDENTED) as usize);
    if let Some(further @ 1..) = span.depth.checked_sub(INDENTED) {
        write!(out, "+{further} ")?;
    }
    match &span.name {
        PathSegment::Field(field) => out.write_str(field),
        PathSegment::Name(_) => write!(out, "{}", Path::from(vec![span.name.clone()])),
        PathSegment::Index(index) => write!(out, "[{index}]"),
    }
}

/// A line that is being built. The room between cells is written only before another cell, so that no line ends in
/// blanks.
struct Line<'p, P> {
    paint: &'p P,
    text: String,
    room: usize,
    /// The text of a cell.
    cell: String,
}

impl<'p, P: Paint> Line<'p, P> {
    const fn new(paint: &'p P) -> Self {
        Self { paint, text: String::new(), room: 0, cell: String::new() }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.room = 0;
    }

    fn fault(&mut self, fault: &Error) {
        self.cell(Role::Fault, 0, |cell| write!(cell, "fault at {fault}"));
    }

    /// Adds a cell with the text that `write` gives it.
    fn cell(&mut self, role: Role, width: usize, write: impl FnOnce(&mut String) -> fmt::Result) {
        /// Blanks between columns.
        const GAP: usize = 2;
        self.cell.clear();
        // Writing to a string cannot fail, here and below, whatever a painter does.
        let _ = write(&mut self.cell);
        let shown = self.cell.trim_start_matches(' ');
        let taken = self.cell.chars().count();
        if !shown.is_empty() {
            push_blanks(&mut self.text, self.room + self.cell.len() - shown.len());
            self.room = 0;
            let _ = self.paint.paint(role, shown, &mut self.text);
        } else if taken == 0 && width == 0 {
            return;
        } else {
            self.room += taken;
        }
        self.room += width.saturating_sub(taken) + GAP;
    }
}

fn push_blanks(text: &mut String, count: usize) {
    const BLANKS: &str = "                                ";
    let mut left = count;
    while let Some(rest) = left.checked_sub(BLANKS.len()) {
        text.push_str(BLANKS);
        left = rest;
    }
    text.push_str(BLANKS.get(..left).unwrap_or_default());
}
