//! From a document to bytes.
//!
//! Sizes of objects and arrays stand before their content: they are put in when the content is written.
//! So a file is made in memory, and what the format cannot say is refused before a byte goes out.

use std::borrow::Cow;
use std::io::{self, Write};

use binrw::BinWrite;

use super::field_type::{for_each_field_type, pattern};
use super::numbers::OwnValue;
use super::path::steps_to;
use super::read::{CLASSES, Reader, TABLE_TYPE, TAGS};
use super::record::{
    ArrayRecord, DoubleArrayRecord, FieldRecord, FloatArrayRecord, IntArrayRecord, ObjectRecord,
    PairRecord, RawArrayRecord, RootRecord, ShortArrayRecord, StringRecord, TableRecord,
};
use super::{Document, Field, Object, Table, Value};
use crate::alb1::rule;
use crate::error::{Error, Path, PathSegment, Result, Rule};
use crate::wire::{Block, Components, Nested, put_record};

impl Document {
    /// Returns the file.
    ///
    /// # Errors
    ///
    /// Where a string, array or name is longer than the format can say, or more than
    /// [`Reader::DEEPEST`] objects, arrays and pairs are in each other.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let size = usize::try_from(self.extent()).unwrap_or_default();
        let mut writing = Writing::to(self, Out { bytes: Some(Vec::with_capacity(size)), end: 0 });
        writing.document(self)?;
        Ok(writing.out.bytes.unwrap_or_default())
    }

    /// Writes the file, in one go from start to end.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`], before anything is written; and where `writer` fails.
    pub fn write_to(&self, mut writer: impl Write) -> Result<()> {
        let bytes = self.to_vec()?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let failed = |error| Error::io((bytes.len() - rest.len()) as u64, error);
            match writer.write(rest) {
                Ok(0) => return Err(failed(io::ErrorKind::WriteZero.into())),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    /// Returns how many bytes the file has.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`].
    pub fn size(&self) -> Result<u64> {
        let mut writing = Writing::to(self, Out { bytes: None, end: 0 });
        writing.document(self)?;
        Ok(writing.out.end)
    }
}

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

/// The file so far; or only how long it is.
struct Out {
    bytes: Option<Vec<u8>>,
    end: u64,
}

impl Out {
    /// Puts a size word in, where there is a place for it.
    fn patch(&mut self, at: u64, size: u32) {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let word = self.bytes.as_mut().and_then(|bytes| bytes.get_mut(at..)?.first_chunk_mut());
        if let Some(word) = word {
            *word = size.to_le_bytes();
        }
    }
}

impl Write for Out {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(written) = &mut self.bytes {
            written.extend_from_slice(bytes);
        }
        self.end += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the size word of an object or array says before its content is there.
const UNKNOWN: u32 = 0;

struct Writing<'d> {
    out: Out,
    tags: &'d Table,
}

impl<'d> Writing<'d> {
    const fn to(document: &'d Document, out: Out) -> Self {
        Self { out, tags: &document.tags }
    }

    /// Writes one declared record.
    #[inline]
    fn put<T>(&mut self, record: &T)
    where
        T: for<'a> BinWrite<Args<'a> = ()>,
    {
        put_record(record, &mut self.out);
    }

    fn document(&mut self, document: &Document) -> Result<()> {
        let Document { header, tags, classes, root } = document;
        self.put(header);
        for (name, id, table) in [("tags", TAGS, tags), ("classes", CLASSES, classes)] {
            self.table(id, table).map_err(|error| error.within(name))?;
        }
        let Object { class, address, fields } = root;
        self.put(&RootRecord { class: *class, address: *address, fields: Nested::HERE });
        self.fields(fields, 1)
    }

    fn table(&mut self, id: u16, table: &Table) -> Result<()> {
        let Ok(count) = u32::try_from(table.len()) else {
            return Err(too_long(self.out.end, "4294967295 entries", table.len()));
        };
        self.put(&TableRecord { id, field_type: TABLE_TYPE, count, entries: Nested::HERE });
        for (index, ((_, name), entry)) in table.entries().zip(table.entry_records()).enumerate() {
            let length = name.as_bytes().len();
            if u16::try_from(length).is_err() {
                let error = too_long(self.out.end, "65535 bytes", length);
                return Err(error.under(vec![PathSegment::Index(index as u64)].into()));
            }
            self.put(&entry);
        }
        Ok(())
    }

    fn fields(&mut self, fields: &[Field], depth: u32) -> Result<()> {
        for (position, field) in fields.iter().enumerate() {
            self.field(field, depth)
                .map_err(|error| error.under(Path::from(steps_to(self.tags, fields, position))))?;
        }
        Ok(())
    }

    fn field(&mut self, field: &Field, depth: u32) -> Result<()> {
        let field_type = field.value.field_type().id();
        self.put(&FieldRecord { tag: field.tag, field_type });
        let start = self.out.end;
        match self.value(&field.value)? {
            None => {}
            Some(OwnValue::Bool(byte)) => self.put(byte),
            Some(OwnValue::String(text)) => {
                let bytes = text.as_bytes();
                let length = u16::try_from(bytes.len())
                    .map_err(|_| too_long(start, "65535 bytes", bytes.len()))?;
                self.put(&StringRecord { length, bytes: block(bytes) });
            }
            Some(OwnValue::Array(elements)) => {
                deeper(start, depth)?;
                let count = elements.len() as u32;
                self.put(&ArrayRecord { blob_size: UNKNOWN, count, elements: Nested::HERE });
                for (index, element) in elements.iter().enumerate() {
                    self.field(element, depth + 1).map_err(|error| {
                        error.under(Path::from(vec![PathSegment::Index(index as u64)]))
                    })?;
                }
                self.close(start)?;
            }
            Some(OwnValue::Raw(bytes)) => {
                let count = bytes.len() as u32;
                self.put(&RawArrayRecord { blob_size: UNKNOWN, count, bytes: block(bytes) });
                self.close(start)?;
            }
            Some(OwnValue::Object(object)) => {
                deeper(start, depth)?;
                let Object { class, address, fields } = object;
                let (class, address) = (*class, *address);
                let fields_here = Nested::HERE;
                self.put(&ObjectRecord { blob_size: UNKNOWN, class, address, fields: fields_here });
                self.fields(fields, depth + 1)?;
                self.close(start)?;
            }
            Some(OwnValue::ObjectPointer(pointer)) => self.put(pointer),
            Some(OwnValue::Pair(pair)) => {
                deeper(start, depth)?;
                self.put(&PairRecord { first: Nested::HERE, second: Nested::HERE });
                self.fields(&pair[..], depth + 1)?;
            }
            Some(OwnValue::Empty) => {}
        }
        Ok(())
    }

    /// Puts in the size of the object or array that starts with its size word and ends here: all behind
    /// that word.
    fn close(&mut self, start: u64) -> Result<()> {
        let size = self.out.end - start - size_of::<u32>() as u64;
        let size = u32::try_from(size).map_err(|_| too_long(start, "4294967295 bytes", size))?;
        self.out.patch(start, size);
        Ok(())
    }
}

macro_rules! numbers {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => {
        impl Writing<'_> {
            /// Writes the record of a value that is a number or an array of numbers; returns any other.
            #[inline]
            fn value<'v>(&mut self, value: &'v Value) -> Result<Option<OwnValue<'v>>> {
                match value {
                    $( pattern!($variant held $($held)?) => {
                        numbers!(@put self held $variant $kind $of $($held)?)
                    } )+
                    Value::Raw(held) => return Ok(Some(OwnValue::Raw(held))),
                }
                Ok(None)
            }
        }
    };
    (@put $writing:ident $held:ident $variant:ident number $form:ident $type:ty) => {
        $writing.put($held)
    };
    (@put $writing:ident $held:ident $variant:ident numbers $record:ident $type:ty) => {{
        let count = u8::try_from($held.len())
            .map_err(|_| too_long($writing.out.end, "255 numbers", $held.len()))?;
        $writing.put(&$record { count, numbers: block($held) })
    }};
    (@put $writing:ident $held:ident $variant:ident own $shape:tt $type:ty) => {
        return Ok(Some(OwnValue::$variant($held)))
    };
    (@put $writing:ident $held:ident $variant:ident own $shape:tt) => {
        return Ok(Some(OwnValue::$variant))
    };
}
for_each_field_type!(numbers);

fn block<T: Components>(elements: &[T]) -> Block<'_, T> {
    Block(Cow::Borrowed(elements))
}
