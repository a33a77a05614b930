//! The rows of a dump: offset, bytes, characters and the tree, within the width of the terminal.
//!
//! A cell that is too long ends with `…`. A fault is never cut: it continues in the next row.

use std::fmt::{self, Write as _};

use formwork::document;
use formwork_godot::inspect::{Kind, Span, SpanType};
use formwork_variant::Error;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::style::{Palette, shown};
use super::super::terminal::Ink;

/// The mark of a text that was cut.
const CUT: char = '…';
/// Width of the tree from which on the type of every field is shown.
const TYPED: usize = 60;
/// Width of the tree that is kept before more bytes are shown.
const TREE: usize = 48;

/// The layout of rows.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    palette: Palette,
    /// Columns of the terminal; [`None`] for no limit.
    width: Option<usize>,
    /// Number of digits of an offset.
    digits: usize,
    /// Number of bytes in a row of the tree.
    bytes: usize,
    /// Bytes in a row of unknown bytes.
    plain: usize,
    /// Spaces for each level.
    indentation: usize,
    /// Number of levels that are indented; deeper rows show the number of their level.
    indented: usize,
    /// Whether the types of all fields are shown.
    typed: bool,
    /// Whether all bytes of a field are shown, in several rows if needed.
    verbose: bool,
    /// Whether each part of a bit-packed word gets a row.
    parts: bool,
    /// Number of levels that are shown, ...
    deepest: Option<u32>,
    /// ... counted from this level.
    outermost: u32,
}

impl Columns {
    /// Returns the layout for a terminal of `width` columns and a file of `size` bytes.
    pub(crate) fn new(palette: Palette, width: Option<usize>, size: usize, verbose: bool) -> Self {
        let is_narrow = width.is_some_and(|width| width < 64);
        let needed = format!("{size:x}").len();
        let digits = if is_narrow { needed.max(4) } else { needed.max(8) };
        let fixed = |bytes: usize| digits + 4 * bytes + 4;
        let fits =
            |bytes: &usize| width.is_none_or(|width| fixed(*bytes) + TREE.min(width / 2) <= width);
        let bytes = [16, 8, 4, 2].into_iter().find(fits).unwrap_or(1);
        let plain = [16, 8, 4, 2];
        let plain = plain.into_iter().find(|bytes| width.is_none_or(|it| fixed(*bytes) <= it + 2));
        let tree = width.map_or(usize::MAX, |width| width.saturating_sub(fixed(bytes)));
        let typed = verbose || tree >= TYPED;
        let indentation = if tree >= TYPED { 2 } else { 1 };
        let indented = (tree / 3 / indentation).min(16);
        let plain = plain.unwrap_or(1);
        let (deepest, outermost) = (None, 0);
        Self {
            palette,
            width,
            digits,
            bytes,
            plain,
            indentation,
            indented,
            typed,
            verbose,
            parts: verbose,
            deepest,
            outermost,
        }
    }

    /// Returns the layout for a file of another size.
    pub(super) fn sized(&self, size: usize) -> Self {
        Self::new(self.palette, self.width, size, self.verbose)
    }

    /// Shows `deepest` levels below the level `outermost`, which is not indented.
    pub(super) const fn levels(mut self, outermost: u32, deepest: Option<u32>) -> Self {
        (self.outermost, self.deepest) = (outermost, deepest);
        self
    }

    /// Gives each part of a bit-packed word a row.
    pub(super) const fn with_parts(mut self) -> Self {
        self.parts = true;
        self
    }

    /// Returns the headings of the columns.
    pub(super) fn heading(&self) -> String {
        let mut row = self.row();
        let dim = self.palette.dim;
        row.cell(dim, "offset", self.digits, 1);
        row.cell(dim, "bytes", self.hex_width(), 1);
        row.cell(dim, "text", self.bytes, 1);
        row.cell(dim, "field = value", 0, 0);
        row.text
    }

    /// Returns the rows of a span; none for a part of a word that is not shown.
    pub(super) fn span(&self, span: &Span<'_>) -> Option<String> {
        if span.kind == Kind::Part && !self.parts {
            return None;
        }
        let level = span.depth.saturating_sub(self.outermost);
        let is_closed = self.deepest == Some(level);
        let shows_bytes = match span.kind {
            Kind::Open => is_closed,
            Kind::Part => false,
            _ => true,
        };
        let is_open = span.kind == Kind::Open;
        let is_named = matches!(span.layout, SpanType::Packet(_) | SpanType::Field(_));
        Some(self.field(&Field {
            offset: span.offset,
            bytes: if shows_bytes { span.bytes } else { &[] },
            level,
            name: &span.name.to_string(),
            type_name: span.layout.to_string(),
            is_typed: is_named || is_open,
            value: &span.value,
            is_summary: is_open && !is_closed,
            note: span.note.map(|note| format!("({note})")).unwrap_or_default(),
        }))
    }

    /// Returns the rows of a field of a document.
    pub(super) fn document(&self, row: &document::Row<'_>) -> String {
        let level = u32::try_from(row.depth).unwrap_or(u32::MAX).saturating_sub(self.outermost);
        let text = self.field(&Field {
            offset: row.offset,
            // The field that holds a checksum has its bytes.
            bytes: if row.kind == document::RowKind::Sum { &[] } else { row.bytes },
            level,
            name: &row.name,
            type_name: row.type_name.clone(),
            is_typed: true,
            value: &row.value,
            is_summary: row.bytes.is_empty(),
            note: String::new(),
        });
        match &row.error {
            Some(error) => format!("{text}\n{}", self.remark(&format!("odd: {error}"))),
            None => text,
        }
    }

    /// Returns the rows of a field.
    fn field(&self, field: &Field<'_>) -> String {
        let Field { offset, bytes, .. } = *field;
        let mut row = self.start(offset, bytes, !self.verbose);
        self.tree(field, &mut row);
        let mut text = row.text;
        if self.verbose {
            let mut at = offset;
            for more in bytes.chunks(self.bytes).skip(1) {
                at += self.bytes as u64;
                text.push('\n');
                text.push_str(&self.start(at, more, false).text);
            }
        }
        text
    }

    /// Returns the rows of a fault.
    pub(super) fn fault(&self, fault: &Error) -> String {
        self.wrapped(self.palette.error, &shown(format!("fault at {fault}")))
    }

    /// Returns the rows of a remark.
    pub(super) fn remark(&self, text: &str) -> String {
        self.wrapped(self.palette.note, &shown(text))
    }

    /// Returns the row of an element with an offset, whose bytes are not shown.
    pub(super) fn place(&self, offset: u64, text: &str) -> String {
        let mut row = self.row();
        row.cell(self.palette.dim, &self.offset(offset), self.digits, 1);
        row.cell(self.palette.note, &shown(text), 0, 0);
        row.text
    }

    /// Returns the row of a value that is stored as text.
    pub(super) fn text(&self, offset: u64, bytes: &[u8], name: &str, value: &str) -> String {
        let mut row = self.start(offset, bytes, true);
        row.cell(self.palette.name, &shown(name), 0, 1);
        row.cell(Ink::default(), "=", 0, 1);
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        row.cell(self.palette.value, &shown(value), 0, 0);
        row.text
    }

    /// Returns the row of unknown bytes.
    pub(super) fn plain(&self, offset: u64, bytes: &[u8]) -> String {
        Self { bytes: self.plain, ..self.clone() }.start(offset, bytes, false).text
    }

    /// Returns the number of bytes in a row of [`Columns::plain`].
    pub(super) const fn plain_bytes(&self) -> usize {
        self.plain
    }

    fn offset(&self, offset: u64) -> String {
        format!("{offset:0digits$x}", digits = self.digits)
    }

    /// Returns the width of the bytes, with the mark for more.
    const fn hex_width(&self) -> usize {
        3 * self.bytes
    }

    /// Starts a row with its offset and bytes.
    fn start(&self, offset: u64, bytes: &[u8], marks_more: bool) -> Row {
        let mut row = self.row();
        let dim = self.palette.dim;
        row.cell(dim, &self.offset(offset), self.digits, 1);
        let here = &bytes[..bytes.len().min(self.bytes)];
        let mut hex = String::with_capacity(self.hex_width());
        let mut letters = String::with_capacity(self.bytes);
        for (position, &byte) in here.iter().enumerate() {
            let space = if position > 0 { " " } else { "" };
            // Writing to a string does not fail.
            let _ = write!(hex, "{space}{byte:02x}");
            letters.push(match byte {
                b' '..=b'~' => byte.into(),
                _ => '.',
            });
        }
        if marks_more && bytes.len() > here.len() {
            hex.push(CUT);
        }
        row.cell(dim, &hex, self.hex_width(), 1);
        row.cell(dim, letters.trim_end(), self.bytes, 1);
        row
    }

    /// Adds the name, type, value and note of a field.
    fn tree(&self, field: &Field<'_>, row: &mut Row) {
        let Palette { name, value, note, .. } = self.palette;
        let level = field.level as usize;
        row.room += self.indentation * level.min(self.indented);
        if let Some(further @ 1..) = level.checked_sub(self.indented) {
            row.cell(self.palette.dim, &format!("+{further}"), 0, 1);
        }
        row.cell(name, &shown(field.name), 0, 1);
        if self.typed || field.is_typed {
            row.cell(Ink::default(), &field.type_name, 0, 1);
        }
        let said = &field.note;
        let wanted = if said.is_empty() { 0 } else { said.width() + 1 };
        // Both the value and the note get a part of the row.
        let half = row.left().map_or(usize::MAX, |left| left / 2);
        let reserved = wanted.min(half);
        // One character more than fits shows that the value is longer.
        let most = row.left().map_or(usize::MAX, |left| left + 1);
        let text = match most {
            usize::MAX => field.value.to_string(),
            most => format!("{:.most$}", field.value),
        };
        if !text.is_empty() {
            row.cell(Ink::default(), "=", 0, 1);
            let ink = if field.is_summary { Ink::default() } else { value };
            let left = row.left().map(|left| left.saturating_sub(reserved));
            let (text, ends) = cut(&text, left);
            row.cell(ink, &format!("{text}{}", if ends { "" } else { "…" }), 0, 1);
        }
        row.cell(note, said, 0, 0);
    }

    fn row(&self) -> Row {
        Row { text: String::new(), used: 0, room: 0, width: self.width }
    }

    /// Splits a text into rows.
    fn wrapped(&self, ink: Ink, text: &str) -> String {
        let Some(width) = self.width else { return format!("{ink}{text}{ink:#}") };
        let mut rows: Vec<String> = vec![String::new()];
        for word in text.split(' ') {
            let mut rest = word;
            let row = rows.last_mut().expect("there is a row from the start on");
            let gap = usize::from(!row.trim().is_empty());
            if row.width() + gap + word.width() <= width {
                row.push_str(if gap > 0 { " " } else { "" });
                row.push_str(word);
                continue;
            }
            // A word that is too long for a row continues in the next one.
            loop {
                let (now, _) = prefix(rest, width.saturating_sub(FURTHER).max(1));
                rows.push(format!("{:FURTHER$}{now}", ""));
                rest = &rest[now.len()..];
                if rest.is_empty() {
                    break;
                }
            }
        }
        if rows.first().is_some_and(String::is_empty) && rows.len() > 1 {
            rows.remove(0);
        }
        let rows = rows.iter().map(|row| format!("{ink}{row}{ink:#}"));
        rows.collect::<Vec<_>>().join("\n")
    }
}

/// Spaces at the start of a row that continues the row before.
const FURTHER: usize = 2;

/// Returns the start of a text that fits into `room` columns, at least one character, and whether
/// this is the whole text.
fn prefix(text: &str, room: usize) -> (&str, bool) {
    let (mut used, mut end) = (0, 0);
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(1);
        if used > room && at > 0 {
            return (&text[..end], false);
        }
        end = at + c.len_utf8();
    }
    (text, true)
}

/// Returns the start of a text that fits into `room` with the mark after it, and whether this is
/// the whole text.
fn cut(text: &str, room: Option<usize>) -> (&str, bool) {
    let Some(room) = room else { return (text, true) };
    if text.width() <= room {
        return (text, true);
    }
    let kept = room.saturating_sub(1);
    let (shown, _) = if kept == 0 { ("", false) } else { prefix(text, kept) };
    (if shown.width() <= kept { shown } else { "" }, false)
}

/// A field, with what its rows show of it.
struct Field<'f> {
    offset: u64,
    bytes: &'f [u8],
    level: u32,
    name: &'f str,
    type_name: String,
    /// Whether the type is shown in narrow rows, too.
    is_typed: bool,
    value: &'f dyn fmt::Display,
    /// Whether the value sums up the fields that follow.
    is_summary: bool,
    note: String,
}

/// A row that is being built. Space between cells is written only before the next cell, so no row
/// ends with spaces.
struct Row {
    text: String,
    used: usize,
    room: usize,
    width: Option<usize>,
}

impl Row {
    /// Returns the columns that are left for the next cell.
    fn left(&self) -> Option<usize> {
        self.width.map(|width| width.saturating_sub(self.used + self.room))
    }

    /// Adds a cell: text, padded to `width`, and `gap` spaces after it.
    fn cell(&mut self, ink: Ink, text: &str, width: usize, gap: usize) {
        if text.is_empty() {
            self.room += if width > 0 { width + gap } else { 0 };
            return;
        }
        let left = self.left();
        if left == Some(0) {
            return;
        }
        let (shown, is_all) = cut(text, left);
        self.text.extend(std::iter::repeat_n(' ', self.room));
        self.used += self.room;
        let mark = if is_all { "" } else { "…" };
        // Writing to a string does not fail.
        let _ = write!(self.text, "{ink}{shown}{mark}{ink:#}");
        let taken = shown.width() + mark.width();
        self.used += taken;
        self.room = width.saturating_sub(taken) + gap;
    }
}
