//! A line for each field of a file.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::{Views, With, with};
use crate::error::{Error, Path};
use crate::schema::{Integer, Layout, Meaning, Schema, ViewBytes, raw};
use crate::walk::Family;
use crate::walk::{Name, Step, StepKind, Value, Walk, masked_text, up_to, utf16_text, without};

/// Returns a line for each field: its offset, its bytes, its name, its type and its value.
///
/// Damaged bytes are shown up to the fault, and the fault after them.
#[must_use]
pub fn dump<T: Schema>(bytes: &[u8]) -> String {
    with(&()).dump::<T>(bytes)
}

/// Writes [`dump`] line by line: nothing of it is held in memory.
///
/// # Errors
///
/// Those of `out`.
pub fn dump_to<T: Schema>(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    with(&()).dump_to::<T>(bytes, out)
}

impl With<'_> {
    /// Returns a line for each field: see [`dump`](super::dump()).
    #[must_use]
    pub fn dump<T: Schema>(self, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        // Writing to a vector does not fail.
        let _ = self.dump_to::<T>(bytes, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Writes [`dump`](Self::dump) line by line.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn dump_to<T: Schema>(self, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", Row::HEADING)?;
        let (mut views, around) = (Views::new(bytes), (0, &Path::default()));
        let mut each = |row: &Row<'_>| writeln!(out, "{row}");
        rows_of(self.walk::<T>(bytes), (bytes, self.family), around, &mut views, &mut each)
            .map(drop)
    }
}

/// A field of a file, or a fault.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row<'b> {
    /// The kind of the row.
    pub kind: RowKind,
    /// How many records and lists the row is inside of.
    pub depth: usize,
    /// The offset of the first byte.
    pub offset: u64,
    /// The bytes of a field; none of a record or list, as each of its fields has a row.
    pub bytes: &'b [u8],
    pub(crate) place: RowPlace<'b>,
    pub(crate) step: Option<&'b Step>,
    /// The name: of a field, or `[2]`.
    pub name: String,
    /// The type in words.
    pub type_name: String,
    /// The value in words, long ones in part.
    pub value: String,
    /// The fault; of a field, why a writer that keeps to the declaration does not write it.
    pub error: Option<Error>,
}

impl<'b> Row<'b> {
    /// The heading above the lines of rows.
    pub const HEADING: &'static str = "offset    bytes                      field                       type                value";

    /// Returns a row without a name, type, value and error, for bytes at a path.
    #[must_use]
    pub fn new(kind: RowKind, offset: u64, bytes: &'b [u8], path: &'b Path) -> Self {
        let (name, type_name, value) = (String::new(), String::new(), String::new());
        let place = RowPlace::Path(path);
        Self {
            kind,
            depth: 0,
            offset,
            bytes,
            place,
            step: None,
            name,
            type_name,
            value,
            error: None,
        }
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> Path {
        match self.place {
            RowPlace::Step(walk, around) => walk.path().under(around.clone()),
            RowPlace::Path(path) => path.clone(),
        }
    }
}

/// The source of a row's path. The path is made on demand: making it takes as long as making the rest of the row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowPlace<'b> {
    /// The path of the last step of a walk, and the path around the walk.
    Step(&'b Walk<'b>, &'b Path),
    Path(&'b Path),
}

/// The kind of a [`Row`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum RowKind {
    /// A record, list or field.
    Field,
    /// A checksum, right or wrong: the bytes are those of the field that holds it.
    Sum,
    /// The fault after which nothing can be read.
    Fault,
    /// The bytes from that fault on.
    Rest,
}

/// The line of a dump.
impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (RowKind::Fault, Some(error)) = (self.kind, &self.error) {
            return write!(f, "fault: {error}");
        }
        let Self { offset, type_name, value, .. } = self;
        let hex = if self.kind == RowKind::Sum { String::new() } else { hex_of(self.bytes) };
        let name = format!("{:indent$}{}", "", self.name, indent = 2 * self.depth);
        let line = format!("{offset:08x}  {hex:<25}  {name:<26}  {type_name:<18}  {value}");
        f.write_str(line.trim_end())?;
        match &self.error {
            Some(error) if self.kind == RowKind::Field => write!(f, "\nodd: {error}"),
            _ => Ok(()),
        }
    }
}

/// Hands over a row for each field of a file.
pub(crate) fn rows(
    layout: Layout,
    bytes: &[u8],
    each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let (mut views, around) = (Views::new(bytes), (0, &Path::default()));
    rows_of(Walk::over(layout, bytes, &()), (bytes, &()), around, &mut views, each).map(drop)
}

fn rows_of<'b>(
    mut walk: Walk<'b>,
    (bytes, family): (&'b [u8], &dyn Family),
    (depth, around): (usize, &Path),
    views: &mut Views,
    each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<usize> {
    let mut end = 0;
    while let Some(step) = walk.next() {
        match step {
            Ok(step) => {
                end = end.max(step.bytes.end);
                let there = walk.bytes();
                each(&row(&step, there, (depth, RowPlace::Step(&walk, around)), family))?;
                if let Some(inner) = views.enter(&walk, &step) {
                    let (path, start) = (walk.path().under(around.clone()), inner.position());
                    let depth = depth + step.depth + 1;
                    let end = rows_of(inner, (bytes, family), (depth, &path), views, each)?;
                    views.leave(end.saturating_sub(start));
                }
            }
            Err(error) => {
                let place = error.path();
                let fault = Row::new(RowKind::Fault, error.offset(), &[], place);
                each(&Row { error: Some(error.clone()), ..fault })?;
                if depth == 0 && end < bytes.len() {
                    let value = crate::wire::bytes(bytes.len() - end).to_string();
                    let rest = Row::new(RowKind::Rest, end as u64, &bytes[end..], place);
                    each(&Row { name: "not decoded".to_owned(), value, ..rest })?;
                }
            }
        }
    }
    Ok(walk.position())
}

/// Bytes in the column of bytes.
const BYTES: usize = 8;

fn hex_of(bytes: &[u8]) -> String {
    let shown = if bytes.len() > BYTES { BYTES - 1 } else { BYTES };
    let mut out = String::with_capacity(3 * BYTES + 1);
    for (position, byte) in bytes.iter().take(shown).enumerate() {
        if position > 0 {
            out.push(' ');
        }
        push_hex(&mut out, *byte);
    }
    if bytes.len() > BYTES {
        out.push_str(" ..");
    }
    out
}

/// Appends the two hexadecimal digits of a byte.
fn push_hex(out: &mut String, byte: u8) {
    let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or('0');
    out.extend([digit(byte >> 4), digit(byte & 15)]);
}

fn row<'b>(
    step: &'b Step,
    bytes: &'b [u8],
    (depth, place): (usize, RowPlace<'b>),
    family: &dyn Family,
) -> Row<'b> {
    let there = &bytes[step.bytes.clone()];
    let name = match step.name {
        Name::Field(name) | Name::Inline(name) => name.to_owned(),
        Name::Index(index) => format!("[{index}]"),
        Name::Same => match &step.kind {
            StepKind::Record(record) => record.name.to_owned(),
            StepKind::List(of, _) => format!("{of}[]"),
            _ => "value".to_owned(),
        },
    };
    let none: &[u8] = &[];
    let mut kind = RowKind::Field;
    let (own, type_name, value) = match &step.kind {
        StepKind::Record(record) => (none, record.name.to_owned(), String::new()),
        StepKind::List(of, Some(count)) => (none, format!("{of}[{count}]"), String::new()),
        StepKind::List(of, None) => (none, format!("{of}[]"), String::new()),
        StepKind::Magic => (there, format!("u8[{}]", there.len()), quoted(there)),
        StepKind::Nested(_) | StepKind::Rest => (there, "u8[]".to_owned(), hex_text(there)),
        StepKind::Computed => {
            (none, "computed".to_owned(), shown(step, Layout::Opaque, there, family))
        }
        StepKind::Sum { name, right, should } => {
            kind = RowKind::Sum;
            let mut text = String::new();
            should.iter().for_each(|byte| push_hex(&mut text, *byte));
            let wrong = format!("WRONG: the bytes should be {text}");
            (there, (*name).to_owned(), if *right { "right".to_owned() } else { wrong })
        }
        StepKind::View(view) => (
            none,
            (view.layout)().to_string(),
            match view.bytes {
                ViewBytes::Open => format!("at {:#x}", step.bytes.start),
                _ => format!("at {:#x}, {} bytes", step.bytes.start, there.len()),
            },
        ),
        StepKind::Leaf(layout) => {
            (there, type_of(*layout, there.len()), shown(step, *layout, there, family))
        }
    };
    let (offset, depth) = (step.bytes.start as u64, depth + step.depth);
    let error = step.odd.clone();
    Row { kind, depth, offset, bytes: own, place, step: Some(step), name, type_name, value, error }
}

/// The type, with the number of elements that are there.
fn type_of(layout: Layout, length: usize) -> String {
    match layout {
        Layout::List(of) | Layout::ToEnd(of) => {
            let size = of().bytes_of_numbers().unwrap_or(1).max(1);
            format!("{}[{}]", of(), length / size)
        }
        other => other.to_string(),
    }
}

/// Elements of a list of numbers that are shown.
const ELEMENTS: usize = 8;

fn shown(step: &Step, layout: Layout, bytes: &[u8], family: &dyn Family) -> String {
    let meaning = step.field.map_or(Meaning::Plain, |field| field.meaning);
    match (&step.value, layout) {
        (Value::Number(number, ty), layout) => {
            number_of(*number, *ty, layout, meaning, (bytes, family))
        }
        (Value::Word(word, raw), _) => {
            let parts = word.values(*raw).map(|(part, value)| {
                let named = family.name_of(part.meaning, value.into());
                match (part.width, value, named) {
                    (_, 0, _) if part.is_zero() => String::new(),
                    (_, _, Some(name)) => format!("{} {name} ({value})", part.name),
                    (1, 0, None) => String::new(),
                    (1, _, None) => part.name.to_owned(),
                    (_, _, None) => format!("{} {value}", part.name),
                }
            });
            let parts: Vec<String> = parts.filter(|it| !it.is_empty()).collect();
            if parts.is_empty() { "no flags".to_owned() } else { parts.join(", ") }
        }
        (_, Layout::Terminated(end)) if meaning == Meaning::Utf16 => {
            elements(layout, end.text(bytes).0, step.big, meaning)
        }
        (_, Layout::Terminated(end)) => quoted(end.text(bytes).0),
        (_, Layout::Padding(_)) => elements(layout, bytes, step.big, Meaning::Zero),
        (_, Layout::Opaque) => format!("opaque, {} bytes", bytes.len()),
        (_, Layout::Integer { number, .. }) if meaning == Meaning::Hex => {
            format!("0x{:032x}", number.read(bytes, step.big))
        }
        (_, Layout::Float(_) | Layout::Integer { .. }) => numbers(layout, bytes, step.big).concat(),
        _ => elements(layout, bytes, step.big, meaning),
    }
}

fn number_of(
    number: i128,
    ty: Integer,
    layout: Layout,
    meaning: Meaning,
    (bytes, family): (&[u8], &dyn Family),
) -> String {
    let meaning = match (layout, meaning) {
        (Layout::Integer { names, .. }, Meaning::Plain) => Meaning::Names(names),
        _ => meaning,
    };
    if let Some(name) = family.name_of(meaning, number) {
        return format!("{name} ({number})");
    }
    match meaning {
        Meaning::Hex => format!("0x{number:0width$x}", width = 2 * ty.bytes()),
        Meaning::Letters => quoted(bytes),
        _ => number.to_string(),
    }
}

fn elements(layout: Layout, bytes: &[u8], big: bool, meaning: Meaning) -> String {
    let element = match layout {
        Layout::List(of) | Layout::ToEnd(of) | Layout::Array(_, of) => of().number(),
        other => other,
    };
    let is_bytes = element.size() == Some(1);
    match meaning {
        Meaning::Text if matches!(layout, Layout::Array(..)) => {
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            quoted(&bytes[..end])
        }
        Meaning::Filled(fill) => quoted(without(bytes, fill)),
        Meaning::Ended(end, fill) => match up_to(bytes, end) {
            text if text.len() < bytes.len() => quoted(text),
            text => quoted(without(text, fill)),
        },
        Meaning::Utf16 => match utf16_text(layout, bytes, big) {
            Ok(text) => quoted(text.as_bytes()),
            Err(_) => hex_text(bytes),
        },
        Meaning::Terminated => quoted(bytes.strip_suffix(&[0]).unwrap_or(bytes)),
        Meaning::Masked(mask) => match masked_text(layout, bytes, mask, big) {
            Ok(text) => quoted(text.as_bytes()),
            Err(_) => hex_text(bytes),
        },
        Meaning::Text | Meaning::Letters => quoted(bytes),
        Meaning::Zero if bytes.is_empty() => "none".to_owned(),
        Meaning::Zero if bytes.iter().all(|byte| *byte == 0) => "zeros".to_owned(),
        Meaning::Hex => hex_text(bytes),
        _ if is_bytes && !bytes.is_empty() && bytes.iter().all(is_printed) => quoted(bytes),
        _ if is_bytes => hex_text(bytes),
        _ => {
            let numbers = numbers(element, bytes, big);
            let size = element.size().unwrap_or(1).max(1);
            let more = (bytes.len() / size).saturating_sub(numbers.len());
            let more = if more > 0 { format!(", .. {more} more") } else { String::new() };
            format!("[{}{more}]", numbers.join(", "))
        }
    }
}

/// Whether a byte is a letter, a sign, a blank or a line break.
fn is_printed(byte: &u8) -> bool {
    byte.is_ascii_graphic() || matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The first numbers of some in a row.
fn numbers(element: Layout, bytes: &[u8], big: bool) -> Vec<String> {
    let size = element.size().unwrap_or(1).max(1);
    let chunks = bytes.chunks_exact(size).take(ELEMENTS);
    let text = |chunk: &[u8]| match element {
        Layout::Integer { number, .. } => number.digits(chunk, big),
        Layout::Float(4) => f32::from_bits(raw(chunk, big) as u32).to_string(),
        Layout::Float(_) => f64::from_bits(raw(chunk, big)).to_string(),
        _ => raw(chunk, big).to_string(),
    };
    chunks.map(text).collect()
}

/// Bytes of a text that are shown.
const TEXT: usize = 48;

fn quoted(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(TEXT)];
    let mut out = String::from("\"");
    for chunk in shown.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '"' | '\\' => out.extend(['\\', letter]),
                '\n' => out.push_str("\\n"),
                '\0' => out.push_str("\\0"),
                letter if letter.is_ascii_control() => {
                    let _ = write!(out, "\\x{:02x}", u32::from(letter));
                }
                letter if letter.is_control() => out.extend(letter.escape_default()),
                letter => out.push(letter),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    if bytes.len() > TEXT {
        let _ = write!(out, " .. {} more bytes", bytes.len() - TEXT);
    }
    out
}

/// Bytes as hexadecimal that are shown.
const HEX: usize = 20;

fn hex_text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * HEX);
    bytes.iter().take(HEX).for_each(|byte| push_hex(&mut out, *byte));
    if bytes.len() > HEX {
        let _ = write!(out, " .. {} more bytes", bytes.len() - HEX);
    }
    out
}
