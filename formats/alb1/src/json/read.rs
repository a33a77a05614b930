//! Documents from JSON. It recurses, at most [`Reader::DEEPEST`] deep.

use std::cell::Cell;

use struson::reader::ValueType;

use super::word::{WORD, integer, missing};
use super::{LOST, TERRAIN_BUILDER, tree};
use crate::terrain::{ObjectLayer, Tags};
use crate::tree::Version;
use crate::{
    Document, Field, FieldNumber, FieldType, Header, NumberSource, Object, ObjectPointer, OwnType,
    Reader, Table, Text, Value, dictionary,
};
use formwork::{Error, Path, PathSegment, Result, Rule};
use formwork_records::json::source::{Source, shortened, wrong_at};
use formwork_records::limits::Limits;

/// Expected content of a tag.
const TAG: &str = "the name of a tag, or a number from 0 to 65535";
/// Expected content of a class.
const CLASS: &str = "the name of a class, or a number from -32768 to 32767";
/// Reads a document.
pub(super) fn document(source: &mut Source<'_>, limits: Limits) -> Result<Document> {
    let mut header = Header::default();
    let (mut tags, mut classes) = (dictionary::tags(), dictionary::classes());
    let mut root = None;
    let depth = limits.depth.unwrap_or(Reader::DEPTH).min(Reader::DEEPEST);
    tagged(source, "$alb1", |source| {
        source.record(|source, member| {
            match member {
                "version" => header.version = version(source)?,
                "project_version" => header.project_version = source.unsigned(WORD)?,
                "reserved" => header.reserved = source.unsigned(WORD)?,
                "tags" | "classes" if root.is_some() => {
                    return Err(source.wrong("the tables before the root", shortened(member)));
                }
                "tags" => tags = table(source, dictionary::tags)?,
                "classes" => classes = table(source, dictionary::classes)?,
                "root" => {
                    let reading =
                        Reading { tags: &tags, classes: &classes, depth, tree: Cell::new(None) };
                    root = Some(reading.object(source, 1)?);
                }
                // What a rescue has lost is for people.
                LOST => source.skip()?,
                _ => return Ok(false),
            }
            Ok(true)
        })
    })?;
    let root = root.ok_or_else(|| source.wrong("the member \"root\"", "none"))?;
    Ok(Document { header, tags, classes, root })
}

/// Reads what a field of the document is to hold.
pub(super) fn value(
    source: &mut Source<'_>,
    document: &Document,
    field_type: FieldType,
    limits: Limits,
) -> Result<Value> {
    let depth = limits.depth.unwrap_or(Reader::DEPTH).min(Reader::DEEPEST);
    let Document { tags, classes, .. } = document;
    Reading { tags, classes, depth, tree: Cell::new(None) }.value(source, field_type, 1)
}

fn version(source: &mut Source<'_>) -> Result<u32> {
    let known = Header::default().version;
    match source.unsigned(WORD)? {
        version if version == known => Ok(version),
        other => Err(source.wrong(format!("format version {known}"), other.to_string())),
    }
}

/// Reads the content of an object with one member of this name.
fn tagged<T>(
    source: &mut Source<'_>,
    name: &str,
    read: impl FnOnce(&mut Source<'_>) -> Result<T>,
) -> Result<T> {
    source.begin_object()?;
    let found = if source.has_next()? { source.name()? } else { String::new() };
    if found != name {
        return Err(source.wrong(format!("{{\"{name}\": ...}}"), shortened(&found)));
    }
    let value = read(source)?;
    source.end_object()?;
    Ok(value)
}

fn table(source: &mut Source<'_>, known: fn() -> Table) -> Result<Table> {
    if source.peek()? == ValueType::String {
        let name = source.string()?;
        if name == TERRAIN_BUILDER {
            return Ok(known());
        }
        let expected = format!("\"{TERRAIN_BUILDER}\" or a list of ids and names");
        return Err(source.wrong(expected, shortened(&name)));
    }
    let entries = source.list(|source| {
        source.begin_list()?;
        let id = source.unsigned("an id from 0 to 65535")?;
        let name = text(source)?;
        source.end_list()?;
        Ok((id, name))
    })?;
    Ok(entries.into_iter().collect())
}

fn text(source: &mut Source<'_>) -> Result<Text> {
    let text = source.string()?;
    Text::new(&text)
        .ok_or_else(|| source.wrong("a string of characters of Windows-1252", shortened(&text)))
}

/// A tree that was read.
struct Shown {
    /// The tag of its field.
    tag: u16,
    version: Version,
    /// Offset of the start.
    at: u64,
}

struct Reading<'t> {
    tags: &'t Table,
    classes: &'t Table,
    depth: u32,
    /// The version of the tree that was read last, and where it starts, until its object asks for it.
    tree: Cell<Option<(Version, u64)>>,
}

impl Reading<'_> {
    /// An object, whose fields are so deep.
    fn object(&self, source: &mut Source<'_>, depth: u32) -> Result<Object> {
        tagged(source, "$object", |source| {
            let (mut class, mut address, mut fields) = (None, None, None);
            source.record(|source, member| {
                match member {
                    "class" => class = Some(self.class(source)?),
                    "address" => address = Some(source.unsigned(WORD)?),
                    "fields" => fields = Some(self.fields(source, depth)?),
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
            match (class, address, fields) {
                (Some(class), Some(address), Some(fields)) => Ok(Object { class, address, fields }),
                _ => Err(missing(source, &["class", "address", "fields"])),
            }
        })
    }

    fn pointer(&self, source: &mut Source<'_>) -> Result<ObjectPointer> {
        tagged(source, "$object_pointer", |source| {
            let (mut class, mut address) = (None, None);
            source.record(|source, member| {
                match member {
                    "class" => class = Some(self.class(source)?),
                    "address" => address = Some(source.unsigned(WORD)?),
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
            match (class, address) {
                (Some(class), Some(address)) => Ok(ObjectPointer { class, address }),
                _ => Err(missing(source, &["class", "address"])),
            }
        })
    }

    fn class(&self, source: &mut Source<'_>) -> Result<i16> {
        if source.peek()? != ValueType::String {
            return integer(source, CLASS);
        }
        let name = source.string()?;
        // An id is signed where objects name it, and is not in the table; the bits are the same.
        let class = self.classes.id(&name).map(|id| id as i16);
        class.ok_or_else(|| source.wrong("a name of the class table", shortened(&name)))
    }

    fn tag(&self, source: &mut Source<'_>) -> Result<u16> {
        if source.peek()? != ValueType::String {
            return integer(source, TAG);
        }
        let name = source.string()?;
        self.tags.id(&name).ok_or_else(|| source.wrong("a name of the tag table", shortened(&name)))
    }

    /// The fields of an object.
    fn fields(&self, source: &mut Source<'_>, depth: u32) -> Result<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        // Mostly there is none, so nothing of it is kept here but where it is.
        let mut tree: Option<Box<Shown>> = None;
        source.begin_list()?;
        while source.has_next()? {
            let (tag, value) = self.field(source, depth);
            match (tag, value) {
                (Some(tag), Ok(value)) => {
                    fields.push(Field { tag, value });
                    if self.tree.get().is_some() {
                        self.keep(&fields, &mut tree);
                    }
                }
                (tag, value) => {
                    let mut steps: Vec<_> = tag.map(|tag| self.step(tag)).into_iter().collect();
                    let same = |field: &&Field| Some(field.tag) == tag;
                    if let earlier @ 1.. = fields.iter().filter(same).count() {
                        steps.push(PathSegment::Index(earlier as u64));
                    }
                    return Err(failed(value, source).under(Path::from(steps)));
                }
            }
        }
        source.end_list()?;
        if let Some(tree) = tree {
            self.agree(&fields, &tree)?;
        }
        Ok(fields)
    }

    /// Notes the tree that the last of these fields may be.
    #[cold]
    #[inline(never)]
    fn keep(&self, fields: &[Field], tree: &mut Option<Box<Shown>>) {
        if let Some((version, at)) = self.tree.take()
            && let Some(Field { tag, value: Value::Raw(_) }) = fields.last()
        {
            *tree = Some(Box::new(Shown { tag: *tag, version, at }));
        }
    }

    /// Refuses a tree of another version than the layer around it says: Terrain Builder reads it as that.
    #[inline(never)]
    fn agree(&self, fields: &[Field], tree: &Shown) -> Result<()> {
        let Shown { tag, version, at } = *tree;
        let name = Tags::<ObjectLayer>::version;
        let id = self.tags.id(name);
        let said = fields.iter().find(|field| Some(field.tag) == id);
        let Some(said) = said.and_then(|field| field.value.as_integer()) else { return Ok(()) };
        let due = i32::try_from(said).map(Version::of_layer_version);
        if due == Ok(version) {
            return Ok(());
        }
        let expected = match due {
            Ok(due) => format!("a tree of version {}, as {name} is {said}", due.layer_version()),
            Err(_) => format!("no tree, as {name} is {said}"),
        };
        let found = format!("one of version {}", version.layer_version());
        Err(wrong_at(at, expected, found).under(Path::from(vec![self.step(tag)])))
    }

    /// The elements of an array.
    fn elements(&self, source: &mut Source<'_>, depth: u32) -> Result<Vec<Field>> {
        let mut elements = Vec::new();
        source.begin_list()?;
        while source.has_next()? {
            match self.field(source, depth) {
                (Some(tag), Ok(value)) => elements.push(Field { tag, value }),
                (_, value) => {
                    let index = PathSegment::Index(elements.len() as u64);
                    return Err(failed(value, source).under(Path::from(vec![index])));
                }
            }
        }
        source.end_list()?;
        Ok(elements)
    }

    /// The fields of a pair.
    fn pair(&self, source: &mut Source<'_>, depth: u32) -> Result<[Field; 2]> {
        let half = |source: &mut Source<'_>| match self.field(source, depth) {
            (Some(tag), Ok(value)) => Ok(Field { tag, value }),
            (tag, value) => {
                let steps: Vec<_> = tag.map(|tag| self.step(tag)).into_iter().collect();
                Err(failed(value, source).under(Path::from(steps)))
            }
        };
        source.begin_list()?;
        let pair = [half(source)?, half(source)?];
        source.end_list()?;
        Ok(pair)
    }

    /// The name of a tag, as a step of a path.
    #[cold]
    fn step(&self, tag: u16) -> PathSegment {
        PathSegment::Name(self.tags.display(tag).into())
    }

    /// The tag, as far as it was read, and the value.
    fn field(&self, source: &mut Source<'_>, depth: u32) -> (Option<u16>, Result<Value>) {
        let (mut tag, mut field_type, mut value) = (None, None, None);
        let read = source.record(|source, member| {
            match (member, field_type) {
                ("tag", _) => tag = Some(self.tag(source)?),
                ("type", _) => field_type = Some(read_type(source)?),
                ("value", Some(field_type)) => {
                    value = Some(self.value(source, field_type, depth)?);
                }
                ("value", None) => {
                    return Err(source.wrong("the member \"type\" before the value", "none"));
                }
                _ => return Ok(false),
            }
            Ok(true)
        });
        if let Err(error) = read {
            return (tag, Err(error));
        }
        let value = match (value, field_type) {
            (Some(value), _) => Ok(value),
            (None, Some(FieldType::Empty)) => Ok(Value::Empty),
            (None, Some(_)) => Err(source.wrong("the member \"value\"", "none")),
            (None, None) => Err(source.wrong("the member \"type\"", "none")),
        };
        (tag, value)
    }

    fn value(&self, source: &mut Source<'_>, field_type: FieldType, depth: u32) -> Result<Value> {
        Ok(match Value::from_numbers(field_type, Next(source)) {
            Ok(value) => value?,
            Err(OwnType::Bool) if source.peek()? == ValueType::Boolean => source.bool()?.into(),
            Err(OwnType::Bool) => Value::Bool(integer(source, "false, true or a number to 255")?),
            Err(OwnType::String) => Value::String(text(source)?),
            Err(OwnType::Array) if source.peek()? == ValueType::Array => {
                Value::Array(self.elements(source, self.deeper(source, depth)?)?)
            }
            Err(OwnType::Array) => self.raw(source)?,
            Err(OwnType::Object) => {
                let depth = self.deeper(source, depth)?;
                self.object(source, depth)?.into()
            }
            Err(OwnType::ObjectPointer) => Value::ObjectPointer(self.pointer(source)?),
            Err(OwnType::Pair) => self.pair(source, self.deeper(source, depth)?)?.into(),
            Err(OwnType::Empty) => {
                source.null()?;
                Value::Empty
            }
        })
    }

    /// An array that is not a list of fields. (On its own, as what recurses must take little stack.)
    #[inline(never)]
    fn raw(&self, source: &mut Source<'_>) -> Result<Value> {
        let at = source.at();
        let (bytes, version) = tree::raw(source)?;
        self.tree.set(version.map(|version| (version, at)));
        Ok(Value::Raw(bytes.into()))
    }

    /// How deep the fields of another object, array or pair are.
    fn deeper(&self, source: &Source<'_>, depth: u32) -> Result<u32> {
        if depth < self.depth {
            return Ok(depth + 1);
        }
        let expected = format!("at most {} objects, arrays and pairs in each other", self.depth);
        Err(Error::new(Rule::DEPTH_LIMIT, source.at(), expected, "one more"))
    }
}

/// The number or list of numbers that comes next.
struct Next<'a, 's>(&'a mut Source<'s>);

impl NumberSource for Next<'_, '_> {
    type Error = Error;

    #[inline(never)]
    fn number<N: FieldNumber>(self) -> Result<N> {
        self.0.scalar()
    }

    #[inline(never)]
    fn numbers<N: FieldNumber>(self) -> Result<Box<[N]>> {
        self.0.numbers()
    }
}

/// Why a field was not read: for its value, or for want of a tag.
#[cold]
fn failed(value: Result<Value>, source: &Source<'_>) -> Error {
    match value {
        Err(error) => error,
        Ok(_) => source.wrong("the member \"tag\"", "none"),
    }
}

fn read_type(source: &mut Source<'_>) -> Result<FieldType> {
    let name = source.string()?;
    let found = FieldType::ALL.iter().copied().find(|field_type| field_type.key() == name);
    found.ok_or_else(|| source.wrong("the name of a field type", shortened(&name)))
}
