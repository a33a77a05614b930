//! From bytes to a document.
//!
//! By hand, because the step from a field's type to its value is a choice by type, and because
//! objects and arrays end where their size word says: every record is a declared one. It recurses,
//! at most [`Reader::DEEPEST`] deep.

use bytes::Bytes;

use super::dictionary::{KNOWN_CLASSES, KNOWN_TAGS, Known};
use super::field_type::{OwnType, for_each_field_type};
use super::path::tag_step;
use super::record::{
    ArrayRecord, DoubleArrayRecord, FieldRecord, FloatArrayRecord, Header, IntArrayRecord,
    ObjectPointer, ObjectRecord, RootRecord, ShortArrayRecord, StringRecord, TableEntry,
    TableRecord,
};
use super::{Document, Field, FieldType, Object, Table, Text, Value};
use crate::rule;
use formwork::{Deferred, Error, ErrorKind, Path, PathSegment, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::schema::{Sizes, offset};
use formwork_records::wire::{Cursor, read_record, word, word_at};

/// Bytes of a field's tag and type.
pub(crate) const HEAD: usize = FieldRecord::LEAST;

/// Reads documents.
///
/// ```
/// use formwork_alb1::{Document, Reader};
///
/// let bytes = Document::new("CLayer").to_vec()?;
/// let document = Reader::new().read(&bytes)?;
/// assert_eq!(document.class_name(&document.root), "CLayer");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader {
    limits: Limits,
}

impl Reader {
    /// Objects, arrays and pairs that may surround a field, where the limits say nothing else.
    /// (Terrain Builder's files need 14.)
    pub const DEPTH: u32 = 64;

    /// The deepest nesting that the limits can allow.
    pub const DEEPEST: u32 = 256;

    /// A reader with the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits. A depth above [`Reader::DEEPEST`] is taken as that.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads a document. What its raw arrays hold is copied.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not an ALB1 file, with the offset, and the path to the field by tag names:
    /// `objManager.mroadbase.mroad[3].name`.
    pub fn read(&self, bytes: &[u8]) -> Result<Document> {
        self.document(bytes, None)
    }

    /// Reads a document that shares the memory of its raw arrays with `bytes`.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub fn read_shared(&self, bytes: &Bytes) -> Result<Document> {
        self.document(bytes, Some(bytes))
    }

    /// How many objects, arrays and pairs may be in each other, counting the root.
    pub(crate) fn depth(limits: Limits) -> u32 {
        limits.depth.unwrap_or(Self::DEPTH).min(Self::DEEPEST)
    }

    /// Checks that the limits allow the number of bytes.
    pub(crate) fn check_size(limits: Limits, bytes: &[u8]) -> Result<()> {
        let (size, most) = (bytes.len() as u64, limits.packet_bytes);
        if size > most {
            let expected = format!("at most {most} bytes");
            return Err(Error::new(Rule::SIZE_LIMIT, 0, expected, size.to_string()));
        }
        Ok(())
    }

    fn document(&self, bytes: &[u8], shared: Option<&Bytes>) -> Result<Document> {
        Self::check_size(self.limits, bytes)?;
        let mut input = Cursor::new(bytes);
        let header = header(&mut input)?;
        let tags = table(&mut input, TAGS).map_err(|error| error.within("tags"))?;
        let classes = table(&mut input, CLASSES).map_err(|error| error.within("classes"))?;
        let root: RootRecord = read_record(&mut input)?;
        let depth = Self::depth(self.limits);
        let reading = Reading { bytes, shared, tags: &tags, depth, is_enclosed: false };
        let fields = reading.fields(&mut input, 1)?;
        let root = Object { class: root.class, address: root.address, fields };
        Ok(Document { header, tags, classes, root })
    }
}

impl Document {
    /// Reads a document with the usual limits.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        Reader::new().read(bytes)
    }

    /// Reads a document that shares the memory of its raw arrays with `bytes`.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub fn from_bytes(bytes: &Bytes) -> Result<Self> {
        Reader::new().read_shared(bytes)
    }
}

/// The id of the tag table.
pub(crate) const TAGS: u16 = 2;
/// The id of the class table.
pub(crate) const CLASSES: u16 = 3;
/// The type byte of both tables.
pub(crate) const TABLE_TYPE: u8 = 0x0F;

/// Returns the header of a file whose format version is newer than [`Reader`] reads; [`None`] for all other bytes.
#[must_use]
pub fn newer(bytes: &[u8]) -> Option<Header> {
    let (known, header) = (Header::default(), read_record::<Header>(&mut Cursor::new(bytes)).ok()?);
    (header.magic == known.magic && header.version > known.version).then_some(header)
}

pub(crate) fn header(input: &mut Cursor<'_>) -> Result<Header> {
    let known = Header::default();
    let magic = known.magic.to_le_bytes();
    let start = input.rest();
    if start.len() >= magic.len() && !start.starts_with(&magic) {
        let found = start.get(..magic.len()).unwrap_or_default().escape_ascii().to_string();
        return Err(Error::new(rule::HEADER, 0, "\"ALB1\"", format!("\"{found}\"")));
    }
    let header: Header = read_record(input)?;
    if header.version != known.version {
        let (expected, found) = (known.version, header.version);
        let error =
            Error::new(rule::HEADER, 4, format!("format version {expected}"), found.to_string());
        return Err(error.within("version"));
    }
    Ok(header)
}

pub(crate) fn table(input: &mut Cursor<'_>, id: u16) -> Result<Table> {
    let start = input.position() as u64;
    let record: TableRecord = read_record(input)?;
    if (record.id, record.field_type) != (id, TABLE_TYPE) {
        let expected = format!("table {id} with the type byte 0x{TABLE_TYPE:02x}");
        let found = format!("{} and 0x{:02x}", record.id, record.field_type);
        return Err(Error::new(rule::TABLE, start, expected, found));
    }
    let known = known(id);
    if record.count as usize == known.table.len() && input.rest().starts_with(&known.entries) {
        input.set_position(input.position() + known.entries.len());
        return Ok(known.table.clone());
    }
    let mut index = 0;
    std::iter::from_fn(|| {
        if index == record.count {
            return None;
        }
        let entry = entry(input);
        let entry =
            entry.map_err(|error| error.under(vec![PathSegment::Index(index.into())].into()));
        index += 1;
        Some(entry.map(|(id, name)| (id, Text::from_bytes(name))))
    })
    .collect()
}

/// Reads an entry of a table: its id and its name.
pub(crate) fn entry<'a>(input: &mut Cursor<'a>) -> Result<(u16, &'a [u8])> {
    const HEAD: usize = TableEntry::HEAD_SIZE;
    let rest = input.rest();
    let words = word!(rest, TableEntry<'_>, id: u16).zip(word!(rest, TableEntry<'_>, length: u16));
    let whole =
        words.and_then(|(id, length)| Some((id, rest.get(HEAD..HEAD + usize::from(length))?)));
    match whole {
        Some((id, name)) => {
            input.set_position(input.position() + HEAD + name.len());
            Ok((id, name))
        }
        // This says what is missing.
        None => read_record(input).map(|entry: TableEntry<'static>| (entry.id, &[][..])),
    }
}

/// Returns the content that nearly every file has in this table.
pub(super) fn known(id: u16) -> &'static Known {
    if id == TAGS { &KNOWN_TAGS } else { &KNOWN_CLASSES }
}

/// Why a field cannot be read, and its tag, if that much is there.
pub(crate) type Unread = (Option<u16>, Error);

/// A file that is being read. The inspector asks the same questions of it.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) shared: Option<&'a Bytes>,
    pub(crate) tags: &'a Table,
    pub(crate) depth: u32,
    /// Whether an object or array ends before more input could be read, or where the file does.
    pub(crate) is_enclosed: bool,
}

impl<'a> Reading<'a> {
    /// How the fields of an object or array are read.
    const fn enclosed(&self) -> Self {
        Self { is_enclosed: true, ..*self }
    }

    /// Fields until the end of `input`: of an object.
    fn fields(&self, input: &mut Cursor<'a>, depth: u32) -> Result<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::with_capacity(count_fields(input.rest()));
        while input.left() > 0 {
            match self.field(input, depth) {
                Ok(field) => fields.push(field),
                Err((tag, error)) => {
                    let earlier = fields.iter().filter(|field| Some(field.tag) == tag).count();
                    let steps = self.steps(tag, earlier);
                    return Err(error.under(Path::from(steps)));
                }
            }
        }
        Ok(fields)
    }

    /// Returns the steps to a field: none if the input ends before its tag does. Whether the tag repeats is unknown
    /// here, so only fields after the first have an index.
    #[cold]
    fn steps(&self, tag: Option<u16>, earlier: usize) -> Vec<PathSegment> {
        let Some(tag) = tag else { return Vec::new() };
        let name = tag_step(self.tags, tag);
        if earlier > 0 { vec![name, PathSegment::Index(earlier as u64)] } else { vec![name] }
    }

    /// Reads a tag, and the value after it.
    fn field(&self, input: &mut Cursor<'a>, depth: u32) -> Result<Field, Unread> {
        let (tag, field_type) = self.head(input)?;
        let value = field_type.and_then(|field_type| self.value(input, field_type, depth));
        value.map(|value| Field { tag, value }).map_err(|error| (Some(tag), error))
    }

    /// Reads the start of a field: its tag and its type.
    #[inline(always)]
    pub(crate) fn head(&self, input: &mut Cursor<'a>) -> Result<(u16, Result<FieldType>), Unread> {
        let rest = input.rest();
        let field_type = word!(rest, FieldRecord, field_type: u8).and_then(FieldType::from_id);
        match word!(rest, FieldRecord, tag: u16).zip(field_type) {
            Some((tag, field_type)) => {
                input.take(HEAD);
                Ok((tag, Ok(field_type)))
            }
            None => self.unknown_head(input),
        }
    }

    /// The head of a field that is not all there, or has a type that does not exist.
    #[cold]
    fn unknown_head(&self, input: &mut Cursor<'a>) -> Result<(u16, Result<FieldType>), Unread> {
        let start = input.position();
        let record: FieldRecord = self.record(input).map_err(|error| (None, error))?;
        let id = |field_type: Option<&FieldType>| field_type.map_or(0, |it| it.id());
        let (first, last) = (id(FieldType::ALL.first()), id(FieldType::ALL.last()));
        let expected = format!("a field type of 0x{first:02x} to 0x{last:02x}");
        let found = format!("0x{:02x}", record.field_type);
        let at = (start + HEAD - 1) as u64;
        Ok((record.tag, Err(Error::new(rule::FIELD_TYPE, at, expected, found))))
    }

    #[inline(always)]
    pub(crate) fn value(
        &self,
        input: &mut Cursor<'a>,
        field_type: FieldType,
        depth: u32,
    ) -> Result<Value> {
        Ok(match self.numbers(input, field_type) {
            Ok(value) => value?,
            Err(OwnType::Bool) => Value::Bool(self.record(input)?),
            Err(OwnType::String) => Value::String(self.text(input)?),
            Err(OwnType::Array) => self.array(input, depth)?,
            Err(OwnType::Object) => Value::Object(Box::new(self.object(input, depth)?)),
            Err(OwnType::ObjectPointer) => {
                let pointer: ObjectPointer = self.record(input)?;
                Value::ObjectPointer(pointer)
            }
            Err(OwnType::Pair) => Value::Pair(Box::new(self.pair(input, depth)?)),
            Err(OwnType::Empty) => Value::Empty,
        })
    }

    fn object(&self, input: &mut Cursor<'a>, depth: u32) -> Result<Object> {
        let start = input.position();
        let ObjectRecord { blob_size, class, address, .. } = self.object_words(input)?;
        let words = ObjectRecord::HEAD_SIZE - BLOB_SIZE;
        let mut content = self.blob(input, start, blob_size, words)?;
        self.deeper(start, depth)?;
        let fields = self.enclosed().fields(&mut content, depth + 1)?;
        input.set_position(content.position());
        Ok(Object { class, address, fields })
    }

    fn pair(&self, input: &mut Cursor<'a>, depth: u32) -> Result<[Field; 2]> {
        self.deeper(input.position(), depth)?;
        let mut half = |first: Option<&Field>| {
            self.field(input, depth + 1).map_err(|(tag, error)| {
                let earlier = first.is_some_and(|first| Some(first.tag) == tag).into();
                error.under(Path::from(self.steps(tag, earlier)))
            })
        };
        let first = half(None)?;
        let second = half(Some(&first))?;
        Ok([first, second])
    }

    /// Reads the words before the fields of an object.
    #[inline(always)]
    fn object_words(&self, input: &mut Cursor<'a>) -> Result<ObjectRecord> {
        let rest = input.rest();
        let words = word!(rest, ObjectRecord, blob_size: u32)
            .zip(word!(rest, ObjectRecord, class: i16))
            .zip(word!(rest, ObjectRecord, address: u32));
        match words {
            Some(((blob_size, class), address)) => {
                input.take(ObjectRecord::HEAD_SIZE);
                Ok(ObjectRecord { blob_size, class, address, fields: Deferred::HERE })
            }
            // This says what is missing.
            None => self.record(input),
        }
    }

    fn text(&self, input: &mut Cursor<'a>) -> Result<Text> {
        const HEAD: usize = StringRecord::HEAD_SIZE;
        let length = word!(input.rest(), StringRecord<'_>, length: u16).map(usize::from);
        let whole = length.and_then(|length| input.take(HEAD + length));
        match whole.and_then(|whole| whole.get(HEAD..)) {
            Some(text) => Ok(Text::from_bytes(text)),
            // This says what is missing.
            None => {
                let record: StringRecord<'static> = self.record(input)?;
                Ok(Text::from_bytes(record.bytes.0.into_owned()))
            }
        }
    }

    fn array(&self, input: &mut Cursor<'a>, depth: u32) -> Result<Value> {
        let start = input.position();
        let record: ArrayRecord = self.record(input)?;
        let words = ArrayRecord::HEAD_SIZE - BLOB_SIZE;
        let mut content = self.blob(input, start, record.blob_size, words)?;
        let (count, size) = (record.count as usize, content.left());
        if is_raw(start, count, size)? {
            let at = content.position();
            let raw = match self.shared {
                Some(bytes) => bytes.slice(at..at + size),
                None => Bytes::copy_from_slice(content.rest()),
            };
            input.set_position(at + size);
            return Ok(Value::Raw(raw.into()));
        }
        self.deeper(start, depth)?;
        let mut elements = Vec::with_capacity(count);
        let within = self.enclosed();
        for index in 0..count {
            match within.field(&mut content, depth + 1) {
                Ok(field) => elements.push(field),
                Err((_, error)) => {
                    return Err(error.under(Path::from(vec![PathSegment::Index(index as u64)])));
                }
            }
        }
        end_of_array(&content, count)?;
        input.set_position(content.position());
        Ok(Value::Array(elements))
    }

    /// Reads the content of a blob after the words of its record; errors in it have places in the file.
    #[inline]
    pub(crate) fn blob(
        &self,
        input: &Cursor<'a>,
        start: usize,
        blob_size: u32,
        words: usize,
    ) -> Result<Cursor<'a>> {
        let from = start + BLOB_SIZE;
        let (size, left) = (blob_size as usize, input.all().len() - from);
        match self.bytes.get(..from.saturating_add(size)) {
            Some(bytes) if words <= size && size <= left => {
                let mut content = Cursor::new(bytes);
                content.set_position(input.position());
                Ok(content)
            }
            _ => Err(self.wrong_size(start, size, words, left)),
        }
    }

    /// The size of a blob cannot be right.
    #[cold]
    fn wrong_size(&self, start: usize, size: usize, words: usize, left: usize) -> Error {
        if size < words {
            let expected = format!("a size of at least {words} bytes");
            return Error::new(rule::BLOB_SIZE, start as u64, expected, size.to_string());
        }
        if self.is_enclosed {
            let expected = format!("a size of at most {left} bytes, as the enclosing one has");
            return Error::new(rule::BLOB_SIZE, start as u64, expected, size.to_string());
        }
        let expected = format!("{} of an object or array", formwork::wire::bytes(size));
        let needed = (size - left) as u64;
        Error::incomplete((start + BLOB_SIZE) as u64, needed, expected, left as u64)
    }

    /// Whether another object, array or pair may be opened.
    #[inline]
    pub(crate) fn deeper(&self, start: usize, depth: u32) -> Result<()> {
        if depth < self.depth {
            return Ok(());
        }
        let expected = format!("at most {} objects, arrays and pairs in each other", self.depth);
        Err(Error::new(Rule::DEPTH_LIMIT, start as u64, expected, "one more"))
    }

    /// A record. Where it does not fit, more input helps only if no blob ends first.
    #[inline]
    pub(crate) fn record<T>(&self, input: &mut Cursor<'a>) -> Result<T>
    where
        T: formwork::record::Readable,
    {
        let start = input.position();
        read_record(input).map_err(|error| match error.kind() {
            ErrorKind::Incomplete { needed } if self.is_enclosed => Error::new(
                rule::BLOB_SIZE,
                start as u64,
                "a field that ends within the enclosing object or array",
                format!("one that ends {needed} bytes behind it"),
            ),
            _ => error,
        })
    }
}

/// Whether an array at `start` holds raw bytes. The two kinds are told apart by their sizes: raw bytes
/// are `count` bytes, and fields take three bytes or more each. Of nothing, an array of fields is made.
pub(crate) fn is_raw(start: usize, count: usize, size: usize) -> Result<bool> {
    if count > 0 && count == size {
        return Ok(true);
    }
    if count > size / HEAD {
        let expected = format!("a count of at most {} fields, or of {size} bytes", size / HEAD);
        let at = (start + BLOB_SIZE) as u64;
        return Err(Error::new(rule::ARRAY, at, expected, count.to_string()));
    }
    Ok(false)
}

/// Returns the end of the pair at `start`, if it is whole.
pub(crate) fn end_of_pair(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    // Fields still to be passed.
    let mut pending = 2_u64;
    while pending > 0 {
        let head: FieldRecord = word_at(bytes, at)?;
        at += HEAD;
        let field_type = FieldType::from_id(head.field_type)?;
        let length = field_type.extent(bytes.get(at..)?)?;
        at = at.checked_add(usize::try_from(length).ok()?).filter(|&at| at <= bytes.len())?;
        pending -= 1;
        if field_type == FieldType::Pair {
            pending += 2;
        }
    }
    Some(at)
}

/// Whether the elements of an array fill it.
pub(crate) fn end_of_array(content: &Cursor<'_>, count: usize) -> Result<()> {
    if content.left() == 0 {
        return Ok(());
    }
    let (at, left) = (content.position() as u64, content.left());
    let expected = format!("the end of the array behind its {count} elements");
    Err(Error::new(rule::ARRAY, at, expected, formwork::wire::more_bytes(left).to_string()))
}

/// Bytes of the word that says how long a blob is.
pub(crate) const BLOB_SIZE: usize = offset::<ArrayRecord, u32>("count");

/// Counts the whole fields in some bytes, so that no more memory is allocated than they need.
fn count_fields(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut count = 0;
    // Fields still to be passed before one more of the list is.
    let mut pending = 0;
    while let Some((head, behind)) = rest.split_at_checked(HEAD) {
        let id = word!(head, FieldRecord, field_type: u8);
        let Some(field_type) = id.and_then(FieldType::from_id) else { break };
        let length = field_type.extent(behind).and_then(|length| usize::try_from(length).ok());
        let Some(behind) = length.and_then(|length| behind.get(length..)) else { break };
        rest = behind;
        if pending == 0 {
            count += 1;
        } else {
            pending -= 1;
        }
        if field_type == FieldType::Pair {
            pending += 2;
        }
    }
    count
}

macro_rules! numbers {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => {
        impl<'a> Reading<'a> {
            /// Reads the record of a type that is a number or an array of numbers.
            #[inline(always)]
            fn numbers(
                &self,
                input: &mut Cursor<'a>,
                field_type: FieldType,
            ) -> Result<Result<Value>, OwnType> {
                Ok(match field_type { $(
                    FieldType::$variant => numbers!(@read self input $variant $kind $of),
                )+ })
            }
        }
    };
    (@read $reading:ident $input:ident $variant:ident number $form:ident) => {
        $reading.record($input).map(Value::$variant)
    };
    (@read $reading:ident $input:ident $variant:ident numbers $record:ident) => {
        $reading.record($input).map(|record: $record<'static>| {
            Value::$variant(record.numbers.0.into_owned().into())
        })
    };
    (@read $reading:ident $input:ident $variant:ident own $shape:tt) => {
        return Err(OwnType::$variant)
    };
}
for_each_field_type!(numbers);
