//! Writes and reads comma-separated values.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use csv::{ByteRecord, ErrorKind};
use formwork::{Error, PathSegment, Result, Rule};
use formwork_alb1::{Text, to_str};

use super::{Entry, Line, Placement};
use crate::object_list::rule;

/// The columns before those of the numbers, whose names are [`Placement::NAMES`].
const LAYER: &str = "layer";
const ID: &str = "id";
const TEMPLATE: &str = "template";
const LIBRARY: &str = "library";

/// Returns the names of all columns, in the order of writing.
fn columns() -> impl Iterator<Item = &'static str> {
    [LAYER, ID, TEMPLATE, LIBRARY].into_iter().chain(Placement::NAMES)
}

/// Writes CSV; its errors have no offset.
pub(super) struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
    number: String,
}

impl<W: Write> std::fmt::Debug for CsvWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvWriter").finish_non_exhaustive()
    }
}

impl<W: Write> CsvWriter<W> {
    pub(super) fn new(writer: W) -> Result<Self> {
        let mut writer = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(writer);
        writer.write_record(columns()).map_err(failed)?;
        Ok(Self { writer, number: String::new() })
    }

    pub(super) fn write(&mut self, entry: &Entry<'_>) -> Result<()> {
        self.write_fields(entry).map_err(failed)
    }

    fn write_fields(&mut self, entry: &Entry<'_>) -> csv::Result<()> {
        let Self { writer, number } = self;
        let [layer, library] =
            [&entry.layer, &entry.library].map(|name| to_str(name.as_deref().unwrap_or_default()));
        writer.write_field(layer.as_bytes())?;
        number.clear();
        if let Some(id) = entry.id {
            // Writing to a string does not fail.
            let _ = write!(number, "{id}");
        }
        writer.write_field(&*number)?;
        writer.write_field(to_str(&entry.template).as_bytes())?;
        writer.write_field(library.as_bytes())?;
        entry.placement.each_shortest(|_, shortest| {
            number.clear();
            let _ = number.write_fmt(shortest);
            writer.write_field(&*number)
        })?;
        writer.write_record(None::<&[u8]>)
    }

    pub(super) fn finish(self) -> Result<W> {
        self.writer.into_inner().map_err(|error| Error::io(0, error.into_error()))
    }
}

#[cold]
fn failed(error: csv::Error) -> Error {
    let text = error.to_string();
    match error.into_kind() {
        ErrorKind::Io(error) => Error::io(0, error),
        _ => Error::new(Rule::INPUT_IO, 0, "a working stream", text),
    }
}

/// Reads CSV as [`Form::Csv`](super::Form::Csv) writes it.
///
/// The first line names the columns, in any order: `template`, `x`, `y`, `yaw`, `pitch`, `roll`, `scale`, `z`, and, if
/// the list has them, `layer`, `id` and `library`. Any other column is refused, because its data would be lost.
///
/// After a fault, the next line is read. The fault has the number of the line and the name of the column
/// (`line[12].yaw`), and the offset of the line.
pub struct CsvReader<'a> {
    reader: csv::Reader<&'a [u8]>,
    record: ByteRecord,
    /// The columns; [`None`] before the first line was read.
    columns: Option<Columns>,
    ended: bool,
}

/// The position of each column in a record.
#[derive(Clone, Copy, Default)]
struct Columns {
    layer: Option<usize>,
    id: Option<usize>,
    template: usize,
    library: Option<usize>,
    numbers: [usize; Placement::NAMES.len()],
}

impl std::fmt::Debug for CsvReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvReader").finish_non_exhaustive()
    }
}

impl<'a> CsvReader<'a> {
    /// Reads this text, in UTF-8.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        Self { reader, record: ByteRecord::new(), columns: None, ended: false }
    }

    /// Whether a text starts with a line of column names, among them `template`, as CSV does and Terrain Builder's text
    /// does not.
    #[must_use]
    pub fn is_header(text: &[u8]) -> bool {
        let mut reader = CsvReader::new(text).reader;
        let mut record = ByteRecord::new();
        matches!(reader.read_byte_record(&mut record), Ok(true))
            && record.len() > 1
            && record.iter().any(|name| name.trim_ascii() == TEMPLATE.as_bytes())
    }

    fn line(&mut self) -> Option<Result<Line<'static>>> {
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => {
                self.ended = true;
                return Some(Err(failed(error)));
            }
        }
        let (number, offset) =
            self.record.position().map_or((0, 0), |position| (position.line(), position.byte()));
        let read = match self.columns {
            Some(columns) => self.entry(&columns, offset).map(Some),
            None => Columns::of(&self.record, offset).map(|columns| {
                self.columns = Some(columns);
                None
            }),
        };
        // Without the names of the columns nothing can be read.
        self.ended = self.columns.is_none();
        match read {
            Ok(Some(entry)) => Some(Ok(Line { number, offset, entry })),
            Ok(None) => self.line(),
            Err(error) => {
                Some(Err(error
                    .under(vec![PathSegment::Field("line"), PathSegment::Index(number)].into())))
            }
        }
    }

    fn entry(&self, columns: &Columns, offset: u64) -> Result<Entry<'static>> {
        let record = &self.record;
        let field = |position: usize, name: &'static str| {
            record.get(position).ok_or_else(|| {
                let found = format!("{} columns", record.len());
                Error::new(rule::COLUMNS, offset, "as many columns as the first line", found)
                    .within(name)
            })
        };
        let text = |position: usize, name: &'static str| -> Result<Cow<'static, [u8]>> {
            let bytes = field(position, name)?;
            let text = std::str::from_utf8(bytes).ok().and_then(Text::new).ok_or_else(|| {
                let found = format!("\"{}\"", bytes.escape_ascii());
                let expected = "text in UTF-8 that Windows-1252 can hold";
                Error::new(rule::LINE, offset, expected, found).within(name)
            })?;
            Ok(Cow::Owned(text.as_bytes().to_vec()))
        };
        let optional = |position: Option<usize>, name: &'static str| match position {
            Some(position) if !field(position, name)?.is_empty() => text(position, name).map(Some),
            _ => Ok(None),
        };
        let id = columns.id.map(|position| field(position, ID)).transpose()?;
        let id = match id.map(<[u8]>::trim_ascii) {
            None | Some([]) => None,
            Some(digits) => {
                let id = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                Some(id.ok_or_else(|| {
                    let found = format!("\"{}\"", digits.escape_ascii());
                    Error::new(rule::LINE, offset, "an id: 0 to 4294967295", found).within(ID)
                })?)
            }
        };
        let mut numbers = columns.numbers.iter();
        let placement = Placement::parse(|name| {
            let position = numbers.next().copied().unwrap_or_default();
            Ok((offset, field(position, name)?.trim_ascii()))
        })?;
        Ok(Entry {
            layer: optional(columns.layer, LAYER)?,
            id,
            template: text(columns.template, TEMPLATE)?,
            library: optional(columns.library, LIBRARY)?,
            placement,
            no_height: false,
        })
    }
}

impl Iterator for CsvReader<'_> {
    type Item = Result<Line<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended { None } else { self.line() }
    }
}

impl Columns {
    fn of(header: &ByteRecord, offset: u64) -> Result<Self> {
        let fault =
            |expected: String, found: String| Error::new(rule::COLUMNS, offset, expected, found);
        if let Some(name) = header.get(0).filter(|name| header.len() == 1 && name.contains(&b';')) {
            let found = format!("semicolons: \"{}\"", name.escape_ascii());
            return Err(fault("commas between the names of columns".into(), found));
        }
        let mut positions = [None; 4 + Placement::NAMES.len()];
        for (position, name) in header.iter().enumerate() {
            let name = name.trim_ascii();
            let known = columns().zip(&mut positions).find(|(known, _)| known.as_bytes() == name);
            match known {
                Some((_, slot @ None)) => *slot = Some(position),
                Some((name, _)) => {
                    return Err(fault(format!("one column {name}"), "another".into()));
                }
                None => {
                    let all = columns().collect::<Vec<_>>().join(", ");
                    let found = format!("\"{}\"", name.escape_ascii());
                    return Err(fault(format!("the name of a column: {all}"), found));
                }
            }
        }
        let [layer, id, template, library, numbers @ ..] = positions;
        let needed = [TEMPLATE].into_iter().chain(Placement::NAMES);
        let mut found =
            [template].into_iter().chain(numbers).zip(needed).map(|(at, name)| {
                at.ok_or_else(|| fault(format!("a column {name}"), "none".into()))
            });
        let template = found.next().transpose()?.unwrap_or_default();
        let mut columns = Self { layer, id, template, library, ..Self::default() };
        for (slot, position) in columns.numbers.iter_mut().zip(found) {
            *slot = position?;
        }
        Ok(columns)
    }
}
