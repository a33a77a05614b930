//! From a document to bytes.
//!
//! Sizes of objects and arrays stand before their content, so a first pass measures, and refuses what
//! the format cannot say before a byte is written; a second one writes, straight through.

use std::borrow::Cow;
use std::io::{self, Write};

use binrw::BinWrite;
use binrw::io::NoSeek;

use super::field_type::{for_each_field_type, pattern};
use super::numbers::OwnValue;
use super::path::steps_to;
use super::read::{CLASSES, Reader, TABLE_TYPE, TAGS};
use super::record::{
    ArrayRecord, DoubleArrayRecord, FieldRecord, FloatArrayRecord, IntArrayRecord, ObjectRecord,
    PairRecord, RawArrayRecord, RootRecord, ShortArrayRecord, StringRecord, TableEntry,
    TableRecord,
};
use super::{Document, Field, Object, Table, Value};
use crate::alb1::rule;
use crate::error::{Error, Path, Result, Rule, Step};
use crate::schema::Schema;
use crate::wire::{Block, Components, Nested, error_from};

impl Document {
    /// The file.
    ///
    /// # Errors
    ///
    /// Where a string, array or name is longer than the format can say, or more than
    /// [`Reader::DEEPEST`] objects, arrays and pairs are in each other.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let measured = Measured::of(self)?;
        let mut bytes = Vec::with_capacity(usize::try_from(measured.total).unwrap_or_default());
        measured.write(self, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the file, in one go from start to end.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`], before anything is written; and where `writer` fails.
    pub fn write_to(&self, mut writer: impl Write) -> Result<()> {
        Measured::of(self)?.write(self, &mut writer)
    }

    /// Bytes of the file.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`].
    pub fn size(&self) -> Result<u64> {
        Measured::of(self).map(|measured| measured.total)
    }
}

/// The sizes of all objects and arrays, in the order in which they open.
struct Measured {
    sizes: Vec<u32>,
    /// Bytes of the whole file.
    total: u64,
}

impl Measured {
    fn of(document: &Document) -> Result<Self> {
        let Document { tags, classes, root, header: _ } = document;
        let mut measuring = Measuring { sizes: Vec::new(), tags };
        let mut total = size_of::<super::Header>() as u64;
        for (name, table) in [("tags", tags), ("classes", classes)] {
            total += measuring.table(table, total).map_err(|error| error.within(name))?;
        }
        total += fixed::<RootRecord>();
        total = measuring.fields(&root.fields, total, 1)?;
        Ok(Self { sizes: measuring.sizes, total })
    }

    fn write(&self, document: &Document, writer: &mut impl Write) -> Result<()> {
        let mut writing = Writing { sizes: self.sizes.iter(), out: Out { writer, written: 0 } };
        writing.document(document).map_err(|error| error_from(&error, writing.out.written))
    }
}

/// Bytes of a record of fixed size, or of what stands before the nested fields of another.
fn fixed<T: Schema>() -> u64 {
    T::SHAPE.head_size() as u64
}

struct Measuring<'d> {
    sizes: Vec<u32>,
    tags: &'d Table,
}

impl Measuring<'_> {
    fn table(&self, table: &Table, start: u64) -> Result<u64> {
        if u32::try_from(table.len()).is_err() {
            return Err(too_long(start, "4294967295 entries", table.len()));
        }
        let mut size = fixed::<TableRecord>();
        for (index, (_, name)) in table.entries().enumerate() {
            let length = name.as_bytes().len();
            if u16::try_from(length).is_err() {
                let error = too_long(start + size, "65535 bytes", length);
                return Err(error.under(vec![Step::Index(index as u64)].into()));
            }
            size += fixed::<TableEntry<'static>>() + length as u64;
        }
        Ok(size)
    }

    /// Where the fields end.
    fn fields(&mut self, fields: &[Field], start: u64, depth: u32) -> Result<u64> {
        let mut at = start;
        for (position, field) in fields.iter().enumerate() {
            at = self
                .field(field, at, depth)
                .map_err(|error| error.under(Path::from(steps_to(self.tags, fields, position))))?;
        }
        Ok(at)
    }

    /// Where the field ends.
    fn field(&mut self, field: &Field, start: u64, depth: u32) -> Result<u64> {
        let at = start + fixed::<FieldRecord>();
        let value = &field.value;
        let (count, most) = if let Value::String(text) = value {
            (text.as_bytes().len(), MOST_BYTES)
        } else {
            (value.number_count().unwrap_or(0), MOST_NUMBERS)
        };
        if count > most.0 {
            return Err(too_long(at, &format!("{} {}", most.0, most.1), count));
        }
        let end = at + value.size_without_fields();
        match value {
            Value::Array(elements) => {
                deeper(at, depth)?;
                let slot = self.open();
                let mut end = end;
                for (index, element) in elements.iter().enumerate() {
                    end = self.field(element, end, depth + 1).map_err(|error| {
                        error.under(Path::from(vec![Step::Index(index as u64)]))
                    })?;
                }
                self.close(slot, at, end)
            }
            Value::Raw(_) => {
                let slot = self.open();
                self.close(slot, at, end)
            }
            Value::Object(object) => {
                deeper(at, depth)?;
                let slot = self.open();
                let end = self.fields(&object.fields, end, depth + 1)?;
                self.close(slot, at, end)
            }
            Value::Pair(pair) => {
                deeper(at, depth)?;
                self.fields(&pair[..], end, depth + 1)
            }
            _ => Ok(end),
        }
    }

    fn open(&mut self) -> usize {
        self.sizes.push(0);
        self.sizes.len() - 1
    }

    /// Remembers the size of the blob that was opened: all behind its size word.
    fn close(&mut self, slot: usize, start: u64, end: u64) -> Result<u64> {
        let size = end - start - size_of::<u32>() as u64;
        let size = u32::try_from(size).map_err(|_| too_long(start, "4294967295 bytes", size))?;
        if let Some(slot) = self.sizes.get_mut(slot) {
            *slot = size;
        }
        Ok(end)
    }
}

/// What a string's length word can say, and in what.
const MOST_BYTES: (usize, &str) = (u16::MAX as usize, "bytes");
/// What the count of an array of numbers can say, and in what.
const MOST_NUMBERS: (usize, &str) = (u8::MAX as usize, "numbers");

#[cold]
fn too_long(at: u64, most: &str, found: impl ToString) -> Error {
    Error::new(rule::LENGTH, at, format!("at most {most}"), found.to_string())
}

fn deeper(at: u64, depth: u32) -> Result<()> {
    if depth < Reader::DEEPEST {
        return Ok(());
    }
    let most = Reader::DEEPEST;
    let expected = format!("at most {most} objects, arrays and pairs in each other");
    Err(Error::new(Rule::DEPTH_LIMIT, at, expected, "one more"))
}

/// Counts what goes through.
struct Out<'w, W> {
    writer: &'w mut W,
    written: u64,
}

impl<W: Write> Write for Out<'_, W> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.writer.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

struct Writing<'m, 'w, W> {
    /// The sizes that are still to be written.
    sizes: std::slice::Iter<'m, u32>,
    out: Out<'w, W>,
}

impl<W: Write> Writing<'_, '_, W> {
    /// Writes one declared record.
    fn put<T>(&mut self, record: &T) -> binrw::BinResult<()>
    where
        T: for<'a> BinWrite<Args<'a> = ()>,
    {
        // Records are written front to back; binrw only asks for a place to seek in.
        record.write_le(&mut NoSeek::new(&mut self.out))
    }

    fn document(&mut self, document: &Document) -> binrw::BinResult<()> {
        self.put(&document.header)?;
        for (id, table) in [(TAGS, &document.tags), (CLASSES, &document.classes)] {
            let count = table.len() as u32;
            self.put(&TableRecord { id, field_type: TABLE_TYPE, count, entries: Nested::HERE })?;
            for entry in table.entry_records() {
                self.put(&entry)?;
            }
        }
        let Object { class, address, fields } = &document.root;
        self.put(&RootRecord { class: *class, address: *address, fields: Nested::HERE })?;
        self.fields(fields)
    }

    fn fields(&mut self, fields: &[Field]) -> binrw::BinResult<()> {
        fields.iter().try_for_each(|field| self.field(field))
    }

    fn size(&mut self) -> u32 {
        self.sizes.next().copied().unwrap_or_default()
    }

    fn field(&mut self, field: &Field) -> binrw::BinResult<()> {
        let field_type = field.value.field_type().id();
        self.put(&FieldRecord { tag: field.tag, field_type })?;
        match self.value(&field.value) {
            Ok(written) => written,
            Err(OwnValue::Bool(byte)) => self.put(byte),
            Err(OwnValue::String(text)) => {
                let bytes = text.as_bytes();
                self.put(&StringRecord { length: bytes.len() as u16, bytes: block(bytes) })
            }
            Err(OwnValue::Array(elements)) => {
                let (blob_size, count) = (self.size(), elements.len() as u32);
                self.put(&ArrayRecord { blob_size, count, elements: Nested::HERE })?;
                self.fields(elements)
            }
            Err(OwnValue::Raw(bytes)) => {
                let (blob_size, count) = (self.size(), bytes.len() as u32);
                self.put(&RawArrayRecord { blob_size, count, bytes: block(bytes) })
            }
            Err(OwnValue::Object(object)) => {
                let Object { class, address, fields } = object;
                let blob_size = self.size();
                self.put(&ObjectRecord {
                    blob_size,
                    class: *class,
                    address: *address,
                    fields: Nested::HERE,
                })?;
                self.fields(fields)
            }
            Err(OwnValue::ObjectPointer(pointer)) => self.put(pointer),
            Err(OwnValue::Pair(pair)) => {
                self.put(&PairRecord { first: Nested::HERE, second: Nested::HERE })?;
                self.fields(&pair[..])
            }
            Err(OwnValue::Empty) => Ok(()),
        }
    }
}

macro_rules! numbers {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => {
        impl<W: Write> Writing<'_, '_, W> {
            /// Writes the record of a value that is a number or an array of numbers.
            #[inline]
            fn value<'v>(&mut self, value: &'v Value) -> Result<binrw::BinResult<()>, OwnValue<'v>> {
                Ok(match value {
                    $( pattern!($variant held $($held)?) => {
                        numbers!(@put self held $variant $kind $of $($held)?)
                    } )+
                    Value::Raw(held) => return Err(OwnValue::Raw(held)),
                })
            }
        }
    };
    (@put $writing:ident $held:ident $variant:ident number $form:ident $type:ty) => {
        $writing.put($held)
    };
    (@put $writing:ident $held:ident $variant:ident numbers $record:ident $type:ty) => {
        $writing.put(&$record { count: $held.len() as u8, numbers: block($held) })
    };
    (@put $writing:ident $held:ident $variant:ident own $shape:tt $type:ty) => {
        return Err(OwnValue::$variant($held))
    };
    (@put $writing:ident $held:ident $variant:ident own $shape:tt) => {
        return Err(OwnValue::$variant)
    };
}
for_each_field_type!(numbers);

fn block<T: Components>(elements: &[T]) -> Block<'_, T> {
    Block(Cow::Borrowed(elements))
}
