//! The fields of a document, one after another, with where they stand.

use super::record::{
    ArrayRecord, FieldRecord, ObjectRecord, RootRecord, StringRecord, TableEntry, TableRecord,
};
use super::{Document, Field, Header, Table, Value};
use crate::error::{Path, Step};
use crate::schema::Declared;

/// The fields of a document in the order of the file, the outer before the inner ones; without
/// recursion.
pub struct Walk<'d> {
    tags: &'d Table,
    /// The lists that are open, the innermost last.
    open: Vec<Open<'d>>,
    /// Where the next field starts in the file.
    at: u64,
}

/// Fields next to each other.
struct Open<'d> {
    fields: &'d [Field],
    /// How many of them were handed out.
    seen: usize,
    kind: Kind,
}

/// What holds a list of fields.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Object,
    Array,
    Pair,
}

/// A field and where it starts.
#[derive(Clone, Copy, Debug)]
pub struct Visited<'d> {
    /// The field.
    pub field: &'d Field,
    /// Where its tag stands, in bytes from the start of the file.
    pub offset: u64,
}

impl Visited<'_> {
    /// Where the value starts: behind tag and type.
    #[must_use]
    pub fn value_offset(&self) -> u64 {
        self.offset + head::<FieldRecord>()
    }
}

impl Document {
    /// Every field of the document in the order of the file, the outer before the inner ones.
    ///
    /// ```
    /// use formwork::alb1::{Document, Field, Value};
    ///
    /// let mut layer = Document::new("CLayer");
    /// let (libs, item) = (layer.tags.id("libs").unwrap(), layer.tags.id("item").unwrap());
    /// let elements = vec![Field::new(item, true), Field::new(item, false)];
    /// layer.root.fields.push(Field::new(libs, elements));
    ///
    /// let mut walk = layer.walk();
    /// let mut paths = Vec::new();
    /// while walk.next().is_some() {
    ///     paths.push(walk.path().to_string());
    /// }
    /// assert_eq!(paths, ["libs", "libs[0]", "libs[1]"]);
    /// ```
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        let at = self.root_offset() + head::<RootRecord>();
        let root = Open { fields: &self.root.fields, seen: 0, kind: Kind::Object };
        Walk { tags: &self.tags, open: vec![root], at }
    }

    /// Where the root object starts: behind the header and the tables.
    #[must_use]
    pub fn root_offset(&self) -> u64 {
        let table = |table: &Table| {
            let entries = table
                .entries()
                .map(|(_, name)| head::<TableEntry<'static>>() + name.as_bytes().len() as u64);
            head::<TableRecord>() + entries.sum::<u64>()
        };
        size_of::<Header>() as u64 + table(&self.tags) + table(&self.classes)
    }
}

/// Bytes of a record of fixed size, or of what stands before the part that is not.
fn head<T: Declared>() -> u64 {
    T::SHAPE.head_size() as u64
}

impl<'d> Iterator for Walk<'d> {
    type Item = Visited<'d>;

    fn next(&mut self) -> Option<Visited<'d>> {
        loop {
            let open = self.open.last_mut()?;
            let Some(field) = open.fields.get(open.seen) else {
                self.open.pop();
                continue;
            };
            open.seen += 1;
            let visited = Visited { field, offset: self.at };
            self.at += head::<FieldRecord>() + bytes_before_fields(&field.value);
            let (fields, kind): (&[Field], _) = match &field.value {
                Value::Array(elements) => (elements, Kind::Array),
                Value::Object(object) => (&object.fields, Kind::Object),
                Value::Pair(pair) => (&pair[..], Kind::Pair),
                _ => (&[], Kind::Array),
            };
            // Also where there are none: the list of the field itself is then not the innermost, and
            // `path` would have to know.
            self.open.push(Open { fields, seen: 0, kind });
            return Some(visited);
        }
    }
}

impl Walk<'_> {
    /// Where the field is that was handed out last.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            let Some(position) = open.seen.checked_sub(1) else { break };
            let Some(field) = open.fields.get(position) else { break };
            if open.kind == Kind::Array {
                path.push(Step::Index(position as u64));
                continue;
            }
            path.push(Step::Name(self.tags.display(field.tag).into()));
            let earlier = open.fields.iter().take(position).filter(|other| other.tag == field.tag);
            if let (Kind::Object, earlier @ 1..) = (open.kind, earlier.count()) {
                path.push(Step::Index(earlier as u64));
            }
        }
        path
    }
}

/// Bytes of a value; of one that holds fields, those before the fields.
fn bytes_before_fields(value: &Value) -> u64 {
    let numbers = |count: usize, size: usize| (size_of::<u8>() + count * size) as u64;
    match value {
        Value::String(text) => head::<StringRecord<'static>>() + text.as_bytes().len() as u64,
        Value::Array(_) => head::<ArrayRecord>(),
        Value::Raw(bytes) => head::<ArrayRecord>() + bytes.len() as u64,
        Value::Object(_) => head::<ObjectRecord>(),
        Value::ArrayOfSignedShort(all) => numbers(all.len(), size_of::<i16>()),
        Value::ArrayOfSignedInt(all) => numbers(all.len(), size_of::<i32>()),
        Value::ArrayOfFloat(all) => numbers(all.len(), size_of::<f32>()),
        Value::ArrayOfDouble(all) => numbers(all.len(), size_of::<f64>()),
        other => {
            let size = other.field_type().shape().and_then(|shape| shape.size());
            size.unwrap_or_default() as u64
        }
    }
}
