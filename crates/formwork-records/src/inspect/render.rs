//! Renders the spans as a tree in text: a line each, in columns.

use std::fmt::Write as _;
use std::io;
use std::iter;

use super::{Inspect, Kind, Span};
use formwork::{Error, Path, Result};

/// Lays out spans in columns: offset, bytes, field, type, value.
#[derive(Clone, Debug)]
pub struct Tree {
    bytes: usize,
    value: usize,
    parts: bool,
    deepest: Option<u32>,
}

/// Eight bytes in a line, and values of at most 72 characters.
impl Default for Tree {
    fn default() -> Self {
        Self { bytes: 8, value: 72, parts: false, deepest: None }
    }
}

/// The width for offsets.
const OFFSET: usize = 8;
/// The width for names and their indentation.
const NAME: usize = 26;
/// The width for types.
const TYPE: usize = 18;
/// The number of indented levels; deeper levels are written as a number.
const INDENTED: u32 = 16;

impl Tree {
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
        let columns = [
            ("offset", OFFSET),
            ("bytes", self.bytes_width()),
            ("field", NAME),
            ("type", TYPE),
            ("value", 0),
        ];
        row(&columns.map(|(text, width)| (text.to_owned(), width)))
    }

    /// Returns the line of a span, or [`None`] for a span without a line in this tree.
    #[must_use]
    pub fn line(&self, span: &Span<'_>) -> Option<String> {
        let hidden = span.kind == Kind::Part && !self.parts;
        if hidden || self.deepest.is_some_and(|deepest| span.depth > deepest) {
            return None;
        }
        let closed = self.deepest == Some(span.depth);
        let shows_bytes = match span.kind {
            Kind::Open => closed,
            Kind::Part => false,
            Kind::Leaf | Kind::Rest => true,
        };
        let bytes = if shows_bytes { span.bytes } else { &[] };
        let mut value = String::new();
        // Writing to a string cannot fail, here and below.
        let _ = span.value.write_at_most(self.value, &mut value);
        Some(row(&[
            (format!("{:08x}", span.offset), OFFSET),
            (self.hex(bytes), self.bytes_width()),
            (name(span), NAME),
            (span.layout.to_string(), TYPE),
            (value, 0),
            (span.note.map(|note| format!("({note})")).unwrap_or_default(), 0),
        ]))
    }

    /// Returns the line of a fault.
    #[must_use]
    pub fn fault(&self, fault: &Error) -> String {
        format!("fault at {fault}")
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
        items.filter_map(|item| self.item(&item)).try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Returns the width of the shown bytes, with the dots after them if there are more.
    const fn bytes_width(&self) -> usize {
        3 * self.bytes + 1
    }

    fn hex(&self, bytes: &[u8]) -> String {
        let mut hex = String::new();
        for byte in bytes.iter().take(self.bytes) {
            let blank = if hex.is_empty() { "" } else { " " };
            let _ = write!(hex, "{blank}{byte:02x}");
        }
        hex + if bytes.len() > self.bytes { ".." } else { "" }
    }
}

/// Returns the line of these cells, each with its width. Blanks are written only before another cell, so no line ends
/// in blanks.
fn row(cells: &[(String, usize)]) -> String {
    /// Blanks between columns.
    const GAP: usize = 2;
    let (mut line, mut room) = (String::new(), 0);
    for (cell, width) in cells {
        if cell.is_empty() && *width == 0 {
            continue;
        }
        if !cell.is_empty() {
            line.extend(iter::repeat_n(' ', room));
            line.push_str(cell);
            room = 0;
        }
        room += width.saturating_sub(cell.chars().count()) + GAP;
    }
    line
}

/// Returns the indented name. Deep levels are written as a number, because the names would leave the page.
fn name(span: &Span<'_>) -> String {
    let indent = " ".repeat(2 * span.depth.min(INDENTED) as usize);
    let further = match span.depth.checked_sub(INDENTED) {
        Some(further @ 1..) => format!("+{further} "),
        _ => String::new(),
    };
    format!("{indent}{further}{}", Path::from(vec![span.name.clone()]))
}
