//! From a document to bytes.
//!
//! Sizes of objects and arrays precede their content: they are filled in after the content. Therefore a file is made in
//! memory, and a document that the format cannot hold is refused before any byte is written.

use std::borrow::Cow;
use std::io::{self, Write};

use binrw::BinWrite;

use super::field_type::{for_each_field_type, pattern};
use super::numbers::OwnValue;
use super::path::steps_to;
use super::read::{CLASSES, Reader, TABLE_TYPE, TAGS, known};
use super::record::{
    ArrayRecord, DoubleArrayRecord, FieldRecord, FloatArrayRecord, IntArrayRecord, ObjectRecord,
    PairRecord, RawArrayRecord, RootRecord, ShortArrayRecord, StringRecord, TableRecord,
};
use super::{Document, Field, Object, Table, Value};
use crate::rule;
use formwork::{Deferred, Error, Nested, Path, PathSegment, Result, Rule};
use formwork_records::wire::{Block, Components, put_record};

impl Document {
    /// Returns the file.
    ///
    /// # Errors
    ///
    /// Returns an error if a string, array or name is too long for the format, or if more than [`Reader::DEEPEST`]
    /// objects, arrays and pairs are nested.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let size = usize::try_from(self.extent()).unwrap_or_default();
        let mut writing = Writing::to(self, Out::new(Some(Vec::with_capacity(size))));
        writing.document(self)?;
        Ok(writing.out.bytes.unwrap_or_default())
    }

    /// Writes the file, in one go from start to end. Long raw arrays are written from where they are, and not
    /// copied before.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`], before anything is written; and where `writer` fails.
    pub fn write_to(&self, mut writer: impl Write) -> Result<()> {
        let out = Out { apart: Some(Vec::new()), ..Out::new(Some(Vec::new())) };
        let mut writing = Writing::to(self, out);
        writing.document(self)?;
        let Out { bytes, apart, .. } = writing.out;
        let bytes = bytes.unwrap_or_default();
        let (mut rest, mut from, mut written) = (&bytes[..], 0, 0);
        for (place, raw) in apart.unwrap_or_default() {
            let (before, behind) = rest.split_at_checked(place - from).unwrap_or_default();
            write_all(before, &mut writer, &mut written)?;
            write_all(raw, &mut writer, &mut written)?;
            (rest, from) = (behind, place);
        }
        write_all(rest, &mut writer, &mut written)
    }

    /// Returns how many bytes the file has.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`].
    pub fn size(&self) -> Result<u64> {
        let mut writing = Writing::to(self, Out::new(None));
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

/// Writes bytes of a file, and adds their number to `written`.
fn write_all(bytes: &[u8], writer: &mut impl Write, written: &mut u64) -> Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match writer.write(rest) {
            Ok(0) => return Err(Error::io(*written, io::ErrorKind::WriteZero.into())),
            Ok(count) => {
                rest = rest.get(count..).unwrap_or_default();
                *written += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(*written, error)),
        }
    }
    Ok(())
}

/// The file so far; or only how long it is.
struct Out<'d> {
    bytes: Option<Vec<u8>>,
    /// Long raw arrays that are not among the bytes, where they are kept apart, and where they belong.
    apart: Option<Vec<(usize, &'d [u8])>>,
    end: u64,
}

impl<'d> Out<'d> {
    const fn new(bytes: Option<Vec<u8>>) -> Self {
        Self { bytes, apart: None, end: 0 }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Some(written) = &mut self.bytes {
            written.extend_from_slice(bytes);
        }
        self.end += bytes.len() as u64;
    }

    /// Puts the content of a raw array, which may be kept apart.
    fn put_raw(&mut self, raw: &'d [u8]) {
        /// Shortest block that is written apart. A shorter one is copied just as fast.
        const LONG: usize = 1 << 14;
        let place = self.place();
        match &mut self.apart {
            Some(apart) if raw.len() >= LONG => {
                apart.push((place, raw));
                self.end += raw.len() as u64;
            }
            _ => self.put(raw),
        }
    }

    /// The place of what comes next among the bytes.
    fn place(&self) -> usize {
        self.bytes.as_ref().map_or(0, Vec::len)
    }

    /// Puts a size word in, where there is a place for it.
    fn patch(&mut self, place: usize, size: u32) {
        let word = self.bytes.as_mut().and_then(|bytes| bytes.get_mut(place..)?.first_chunk_mut());
        if let Some(word) = word {
            *word = size.to_le_bytes();
        }
    }
}

impl Write for Out<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Placeholder for the size word of an object or array until its content is written.
const UNKNOWN: u32 = 0;

struct Writing<'d> {
    out: Out<'d>,
    tags: &'d Table,
}

impl<'d> Writing<'d> {
    const fn to(document: &'d Document, out: Out<'d>) -> Self {
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

    fn document(&mut self, document: &'d Document) -> Result<()> {
        let Document { header, tags, classes, root } = document;
        self.put(header);
        for (name, id, table) in [("tags", TAGS, tags), ("classes", CLASSES, classes)] {
            self.table(id, table).map_err(|error| error.within(name))?;
        }
        let Object { class, address, fields } = root;
        self.put(&RootRecord { class: *class, address: *address, fields: Deferred::HERE });
        self.fields(fields, 1)
    }

    fn table(&mut self, id: u16, table: &Table) -> Result<()> {
        let Ok(count) = u32::try_from(table.len()) else {
            return Err(too_long(self.out.end, "4294967295 entries", table.len()));
        };
        self.put(&TableRecord { id, field_type: TABLE_TYPE, count, entries: Deferred::HERE });
        let known = known(id);
        if table.is_copy(&known.table) {
            self.out.put(&known.entries);
            return Ok(());
        }
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

    fn fields(&mut self, fields: &'d [Field], depth: u32) -> Result<()> {
        for (position, field) in fields.iter().enumerate() {
            self.field(field, depth)
                .map_err(|error| error.under(Path::from(steps_to(self.tags, fields, position))))?;
        }
        Ok(())
    }

    fn field(&mut self, field: &'d Field, depth: u32) -> Result<()> {
        let field_type = field.value.field_type().id();
        self.put(&FieldRecord { tag: field.tag, field_type });
        let (start, place) = (self.out.end, self.out.place());
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
                self.put(&ArrayRecord { blob_size: UNKNOWN, count, elements: Deferred::HERE });
                for (index, element) in elements.iter().enumerate() {
                    self.field(element, depth + 1).map_err(|error| {
                        error.under(Path::from(vec![PathSegment::Index(index as u64)]))
                    })?;
                }
                self.close(start, place)?;
            }
            Some(OwnValue::Raw(bytes)) => {
                let count = bytes.len() as u32;
                self.put(&RawArrayRecord { blob_size: UNKNOWN, count, bytes: block(&[]) });
                self.out.put_raw(bytes);
                self.close(start, place)?;
            }
            Some(OwnValue::Object(object)) => {
                deeper(start, depth)?;
                let Object { class, address, fields } = object;
                let (class, address) = (*class, *address);
                let fields_here = Deferred::HERE;
                self.put(&ObjectRecord { blob_size: UNKNOWN, class, address, fields: fields_here });
                self.fields(fields, depth + 1)?;
                self.close(start, place)?;
            }
            Some(OwnValue::ObjectPointer(pointer)) => self.put(pointer),
            Some(OwnValue::Pair(pair)) => {
                deeper(start, depth)?;
                self.put(&PairRecord { first: Nested, second: Nested });
                self.fields(&pair[..], depth + 1)?;
            }
            Some(OwnValue::Empty) => {}
        }
        Ok(())
    }

    /// Puts in the size of the object or array that starts with its size word and ends here: all after
    /// that word, which has this place among the bytes.
    fn close(&mut self, start: u64, place: usize) -> Result<()> {
        let size = self.out.end - start - size_of::<u32>() as u64;
        let size = u32::try_from(size).map_err(|_| too_long(start, "4294967295 bytes", size))?;
        self.out.patch(place, size);
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
