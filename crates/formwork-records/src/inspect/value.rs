//! Values of bytes, kept as bytes until they are displayed.

use std::fmt::{self, Write};

use crate::schema::{Field, Layout, Meaning, Occurs, Record, Repetition, Word, WordPart, raw};
use crate::windows_1252::to_str;
use formwork::Family;

/// The value of the bytes of a [`Span`](super::Span).
///
/// Displayed as text for people: numbers in decimal, texts quoted with special characters escaped. A precision limits
/// the length: `{:.60}` shows at most 60 characters, and two dots if there are more.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// No value beyond the presence of the field.
    None,
    /// A whole number, and its name if it has one.
    Integer(i128, Option<&'static str>),
    /// A number in single precision.
    Single(f32),
    /// A number in double precision.
    Double(f64),
    /// One bit.
    Flag(bool),
    /// A bit-packed word, with the family's names for the numbers in its parts.
    Word(&'static Word, u64, Naming),
    /// A number that refers to a name in the tables of the file, and that name.
    Id(i128, Option<&'a [u8]>),
    /// A text of an ALB1 file.
    AnsiText(&'a [u8]),
    /// An object of an ALB1 file, or a pointer to one.
    Object {
        /// The id of its class.
        class: i16,
        /// The name of its class, if the file's table has it.
        name: Option<&'a [u8]>,
        /// Its address.
        address: u32,
    },
    /// The leading fields of a record whose sizes are constant, by name.
    Fields(&'static Record, &'a [u8]),
    /// A text that should be UTF-8.
    Text(&'a [u8]),
    /// A text whose bytes are each combined with this byte by XOR, and the number of bytes of a character.
    MaskedText(&'a [u8], u8, usize),
    /// Elements of one layout.
    Elements(Layout, &'a [u8]),
    /// The number of elements, pairs, ... (with the name of the field), which follow as separate spans.
    Count(u64, &'static str),
    /// A packet or record in a line.
    Summary(Summary<'a>),
}

/// The greatest number of array elements that are shown.
const SHOWN: usize = 8;

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision() {
            Some(limit) => self.write_at_most(limit, f),
            None => self.write(f),
        }
    }
}

impl Value<'_> {
    /// Writes at most `limit` characters, and two dots if there are more.
    pub fn write_at_most(&self, limit: usize, out: &mut dyn Write) -> fmt::Result {
        let mut limited = Limited { out, left: limit, cut: false };
        match self.write(&mut limited) {
            Err(_) if limited.cut => out.write_str(".."),
            result => result,
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> fmt::Result {
        match *self {
            Self::None => Ok(()),
            Self::Integer(number, None) => write_integer(number, out),
            Self::Integer(number, Some(name)) => {
                write_integer(number, out)?;
                write!(out, " {name}")
            }
            Self::Single(number) => write!(out, "{number:?}"),
            Self::Double(number) => write!(out, "{number:?}"),
            Self::Flag(flag) => out.write_str(if flag { "yes" } else { "no" }),
            Self::Word(word, raw, family) => write_word(word, raw, family, out),
            Self::Text(bytes) => write_text(bytes, out),
            Self::MaskedText(bytes, mask, 4) => write_wide_text(bytes, mask, out),
            Self::MaskedText(bytes, mask, _) => {
                let text: Vec<u8> = bytes.iter().map(|byte| byte ^ mask).collect();
                write_text(without_padding(&text), out)
            }
            Self::Id(id, name) => {
                write_integer(id, out)?;
                let Some(name) = name else { return Ok(()) };
                out.write_char(' ')?;
                write_ansi(name, out)
            }
            Self::AnsiText(bytes) => {
                out.write_char('"')?;
                write_ansi(bytes, out)?;
                out.write_char('"')
            }
            Self::Object { class, name, address } => {
                match name {
                    Some(name) => write_ansi(name, out)?,
                    None => write!(out, "#{class}")?,
                }
                write!(out, " at 0x{address:08x}")
            }
            Self::Fields(record, bytes) => write_fields(record, bytes, out),
            Self::Elements(shape, bytes) => write_elements(shape, bytes, out),
            Self::Count(count, name) => {
                write!(out, "{count} ")?;
                match (count, name.strip_suffix("ies"), name.strip_suffix('s')) {
                    (1, ..) if name == "leaves" => out.write_str("leaf"),
                    (1, Some(stem), _) => write!(out, "{stem}y"),
                    (1, None, Some(stem)) => out.write_str(stem),
                    _ => out.write_str(name),
                }
            }
            Self::Summary(summary) => (summary.write)(summary, out),
        }
    }

    /// Whether it is a number without a name.
    pub const fn is_component(&self) -> bool {
        matches!(self, Self::Integer(_, None) | Self::Single(_) | Self::Double(_))
    }
}

/// Stops after a number of characters.
struct Limited<'w> {
    out: &'w mut dyn Write,
    left: usize,
    cut: bool,
}

impl Write for Limited<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // There are at most as many characters as bytes.
        if text.len() <= self.left {
            self.left -= text.chars().count();
            return self.out.write_str(text);
        }
        let end = text.char_indices().nth(self.left).map(|(end, _)| end);
        let shown = &text[..end.unwrap_or(text.len())];
        self.left -= shown.chars().count();
        self.out.write_str(shown)?;
        if end.is_some() {
            self.cut = true;
            return Err(fmt::Error);
        }
        Ok(())
    }
}

/// A family that has names of numbers: types of a dialect, types of fields.
pub type Naming = &'static (dyn Family + Send + Sync);

/// Returns the value of a part of a word.
pub fn part(bits: &WordPart, number: u64, family: Naming) -> Value<'static> {
    match bits.width {
        1 => Value::Flag(number == 1),
        _ => Value::Integer(number.into(), family.name_of(bits.meaning, number.into())),
    }
}

/// Writes the first part as it is, then the names of the flags that are set and the other parts that are not zero.
fn write_word(word: &Word, raw: u64, family: Naming, out: &mut dyn Write) -> fmt::Result {
    // Four bytes of a colour are easiest to read as one number.
    if word.parts.iter().all(|bits| bits.width == 8 && bits.meaning == Meaning::Plain) {
        return write!(out, "0x{raw:0width$x}", width = 2 * usize::from(word.bytes));
    }
    let mut empty = true;
    for (position, (bits, number)) in word.values(raw).enumerate() {
        let first = position == 0 && bits.width > 1 && bits.meaning != Meaning::Zero;
        if number == 0 && !first {
            continue;
        }
        if !std::mem::take(&mut empty) {
            out.write_str(", ")?;
        }
        match part(bits, number, family) {
            value if first => value.write(out)?,
            Value::Integer(_, Some(name)) => write!(out, "{} {name}", bits.name)?,
            Value::Integer(number, None) => write!(out, "{} 0x{number:x}", bits.name)?,
            _ => out.write_str(bits.name)?,
        }
    }
    if empty { out.write_char('0') } else { Ok(()) }
}

/// Returns a text without the zeros that pad it.
pub fn without_padding(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.get(..end).unwrap_or(bytes)
}

/// Writes a whole number. (Nearly all of them do not need 128 bits, which take longer.)
fn write_integer(number: i128, out: &mut dyn Write) -> fmt::Result {
    match i64::try_from(number) {
        Ok(number) => write!(out, "{number}"),
        Err(_) => write!(out, "{number}"),
    }
}

/// Writes a text of an ALB1 file, with special characters escaped.
fn write_ansi(bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    let text = to_str(bytes);
    // Combining marks are escaped only at the start.
    if !text.is_ascii() {
        return write!(out, "{}", text.escape_debug());
    }
    write_pieces(&text, |byte| byte != b'\'' && is_plain(byte), out)
}

/// Writes a text, with each character escaped that is not plain.
fn write_pieces(text: &str, is_plain: fn(u8) -> bool, out: &mut dyn Write) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !is_plain(byte)) {
        let (plain, behind) = rest.split_at_checked(at).unwrap_or_default();
        out.write_str(plain)?;
        let mut characters = behind.chars();
        characters.next().map_or(Ok(()), |it| write!(out, "{}", it.escape_debug()))?;
        rest = characters.as_str();
    }
    out.write_str(rest)
}

/// Whether a character is shown unchanged between double quotes.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

pub fn write_text(bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    out.write_char('"')?;
    for chunk in bytes.utf8_chunks() {
        write_pieces(chunk.valid(), is_plain, out)?;
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}")?;
        }
    }
    out.write_char('"')
}

/// Writes a text in UTF-32.
fn write_wide_text(bytes: &[u8], mask: u8, out: &mut dyn Write) -> fmt::Result {
    out.write_char('"')?;
    for character in bytes.as_chunks::<4>().0 {
        let number = u32::from_le_bytes(character.map(|byte| byte ^ mask));
        match char::from_u32(number) {
            Some('\'') => out.write_char('\'')?,
            Some(character) => write!(out, "{}", character.escape_debug())?,
            None => write!(out, "\\u{{{number:x}}}")?,
        }
    }
    out.write_char('"')
}

/// Writes each field by its name; fields that are records are written as tuples.
fn write_fields(record: &Record, bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    let mut rest = bytes;
    for (position, field) in record.fields.iter().enumerate() {
        let Some((one, behind)) = field.size.and_then(|size| rest.split_at_checked(size)) else {
            break;
        };
        rest = behind;
        if position > 0 {
            out.write_str(", ")?;
        }
        write!(out, "{} ", field.name)?;
        write_field(field, one, out)?;
    }
    Ok(())
}

fn write_field(field: &Field, bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    match field.occurs() {
        Repetition::Times(_) => write_elements(field.element(), bytes, out),
        _ => write_element(field.element(), bytes, out),
    }
}

fn write_elements(shape: Layout, bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    let Some(size) = shape.size().filter(|&size| size > 0) else { return Ok(()) };
    let count = bytes.len() / size;
    out.write_char('[')?;
    for (position, element) in bytes.chunks_exact(size).take(SHOWN).enumerate() {
        if position > 0 {
            out.write_str(", ")?;
        }
        write_element(shape, element, out)?;
    }
    match count.checked_sub(SHOWN) {
        None | Some(0) => {}
        Some(more) => write!(out, ", .. {more} more")?,
    }
    out.write_char(']')
}

fn write_element(shape: Layout, bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    match shape {
        Layout::Record(Record { fields, .. }) => {
            out.write_char('(')?;
            let mut rest = bytes;
            for (position, field) in fields.iter().enumerate() {
                if position > 0 {
                    out.write_str(", ")?;
                }
                let size = field.size.unwrap_or_default().min(rest.len());
                let (one, behind) = rest.split_at(size);
                rest = behind;
                write_field(field, one, out)?;
            }
            out.write_char(')')
        }
        Layout::Word(word) => write_word(word, raw(bytes, false), &(), out),
        _ => number(shape, bytes).write(out),
    }
}

/// Returns the number in `bytes`, little endian.
pub fn number(shape: Layout, bytes: &[u8]) -> Value<'static> {
    match (shape, bytes.len()) {
        (Layout::Float(_), 4) => Value::Single(f32::from_bits(raw(bytes, false) as u32)),
        (Layout::Float(_), 8) => Value::Double(f64::from_bits(raw(bytes, false))),
        (Layout::Integer { number, .. }, _) => Value::Integer(number.read(bytes, false), None),
        _ => Value::None,
    }
}

/// A packet or record in one line: `(1.0, 2.0)`, `"name": 3`, `12 pairs`. The family makes the line from the bytes when
/// it is displayed, as far as no values nest.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// All bytes of the input.
    pub bytes: &'a [u8],
    /// The offset of the packet or record.
    pub start: usize,
    /// Its layout.
    pub shape: Layout,
    /// Its name in a table of the file.
    pub name: Option<&'a [u8]>,
    /// Further knowledge of the family, in numbers that only the family interprets.
    pub context: [usize; 3],
    /// Writes the line.
    pub write: fn(Summary<'_>, &mut dyn Write) -> fmt::Result,
}
