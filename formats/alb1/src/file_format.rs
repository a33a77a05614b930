//! ALB1 as a format of programs that open files of any format.

use std::any::Any;
use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::ops::Range;

use bytes::Bytes;
use formwork::document::{
    self, Change, Child, Confidence, Conflict, Differences, Edit, Format, Holder, Json, Lost,
    Merged, Problem, Replaced, Replacing, Row, changes,
};
use formwork::{Error, PathSegment, Result};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;

use crate::diff::{self, Options, diff};
use crate::finding::{Finding, Severity};
use crate::inspect::Inspector;
use crate::json::{DocumentJson, Style};
use crate::page::alb1_page;
use crate::path::{Found, Kind, describe, tag_step};
use crate::recover::recover_within;
use crate::terrain::class;
use crate::{Document, Field, FieldPath, FieldType, Graph, Header, Reader, Value, rule};

/// The format of Terrain Builder's files, with the usual limits and the checks of this crate.
///
/// ```
/// use formwork::document::{Edit, Format};
/// use formwork_alb1::{ALB1, Document, Text};
///
/// let mut layer = Document::new("CLayer");
/// layer.add("", "mname", Text::new("houses").unwrap())?;
///
/// let mut document = ALB1.open(&layer.to_vec()?)?;
/// let value = document.typed("mname", "trees")?;
/// let changes = document.edit(&[Edit::set("mname", value)])?;
/// assert_eq!(changes[0].to_string(), r#"mname: "houses" -> "trees""#);
///
/// layer.set("mname", Text::new("trees").unwrap())?;
/// assert_eq!(document.to_bytes(), layer.to_vec()?);
/// # Ok::<(), formwork::Error>(())
/// ```
pub static ALB1: Alb1Format = Alb1Format::new();

/// A format of Terrain Builder's files: see [`ALB1`].
#[derive(Clone, Copy, Debug)]
pub struct Alb1Format {
    limits: Limits,
    trees: bool,
    checks: fn(&Document) -> Vec<Finding>,
}

impl Default for Alb1Format {
    fn default() -> Self {
        Self::new()
    }
}

impl Alb1Format {
    /// The deepest nesting whose JSON is no deeper than [`Json::read`] reads.
    const DEEPEST: u32 = Reader::DEEPEST - 1;

    /// Returns the format with the usual limits.
    #[must_use]
    pub const fn new() -> Self {
        Self { limits: Limits::new(), trees: false, checks: own_checks }
    }

    /// Sets the limits for reading. A depth above 255 is taken as that.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Chooses whether JSON has the quadtrees of object layers as nodes and objects, and not as bytes.
    #[must_use]
    pub const fn trees(mut self, trees: bool) -> Self {
        self.trees = trees;
        self
    }

    /// Sets the checks of a document that can be read, for [`Format::problems`].
    #[must_use]
    pub const fn checks(mut self, checks: fn(&Document) -> Vec<Finding>) -> Self {
        self.checks = checks;
        self
    }

    fn accepted(&self) -> Limits {
        self.limits.depth(Reader::depth(self.limits).min(Self::DEEPEST))
    }

    /// Opens a document that was read.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`].
    pub fn of(&self, document: Document) -> Result<Box<dyn document::Document>> {
        Ok(Box::new(Opened { format: *self, bytes: document.to_vec()?.into(), document }))
    }

    /// Opens a file, whose bytes are not copied.
    ///
    /// # Errors
    ///
    /// As [`Format::open`].
    pub fn open_shared(&self, bytes: Bytes) -> Result<Box<dyn document::Document>> {
        Ok(Box::new(self.read(bytes)?))
    }

    fn read(&self, bytes: Bytes) -> Result<Opened> {
        let document = Reader::new().limits(self.accepted()).read_shared(&bytes)?;
        Ok(Opened { format: *self, bytes, document })
    }

    fn read_json(&self, json: &Json) -> Result<Document> {
        let text = json.to_string();
        let read = DocumentJson::new().limits(self.accepted()).read(text.as_bytes());
        // The offset would be one in this text, which nobody else has.
        read.map_err(Error::nowhere)
    }
}

/// Returns the findings of this crate.
fn own_checks(document: &Document) -> Vec<Finding> {
    let mut found = Graph::new([("", document)]).findings().to_vec();
    found.retain(|finding| finding.kind.severity() != Severity::External);
    document.check_values("", |finding| found.push(finding));
    found
}

/// Errors of a file that are returned, at most.
const MOST_PROBLEMS: usize = 1000;

impl Format for Alb1Format {
    fn name(&self) -> &'static str {
        "alb1"
    }

    fn description(&self) -> &'static str {
        "a file of Terrain Builder (Visitor 4)"
    }

    fn page(&self) -> String {
        alb1_page()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        if !bytes.starts_with(&Header::default().magic.to_le_bytes()) {
            return Confidence::None;
        }
        let read = Reader::new().limits(self.accepted()).read(bytes);
        if read.is_ok() { Confidence::Whole } else { Confidence::Start }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn document::Document>> {
        Ok(Box::new(self.read(Bytes::copy_from_slice(bytes))?))
    }

    fn make(&self, json: &Json) -> Result<Box<dyn document::Document>> {
        Ok(Box::new(self.read(self.read_json(json)?.to_vec()?.into())?))
    }

    /// Rescues as [`recover_within`] does. Objects without a place are among the losses.
    fn recover(&self, bytes: &[u8]) -> Result<document::Recovered> {
        let left = recover_within(bytes, self.accepted())?;
        if let (0, Some(error)) = (left.fields, left.error) {
            return Err(error);
        }
        let losses = left.lost.iter().map(|lost| {
            let error = Error::new(
                rule::RECOVERED,
                lost.range.start,
                lost.thought.clone(),
                lost.reason.name(),
            );
            Lost { range: lost.range.clone(), error: error.under(lost.path.clone()) }
        });
        let orphans = left.orphans.iter().map(|orphan| {
            let error =
                Error::new(rule::RECOVERED, orphan.offset, "an array around the object", "none");
            Lost { range: orphan.offset..orphan.offset, error: error.under(orphan.path.clone()) }
        });
        let mut lost: Vec<_> = losses.chain(orphans).collect();
        lost.sort_by_key(|lost| lost.range.start);
        let document = self.read(left.document.to_vec()?.into())?;
        Ok(document::Recovered { document: Box::new(document), lost })
    }

    /// Returns the fault that stops the reader, or the first byte that a writer writes differently, or what the checks
    /// find, the worst first.
    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        let document = match Reader::new().limits(self.accepted()).read(bytes) {
            Ok(document) => document,
            Err(error) => return vec![Problem::damage(error)],
        };
        match document.difference(bytes) {
            Ok(None) => {
                let mut found = (self.checks)(&document);
                found.sort_by_key(|finding| Reverse(finding.kind.severity()));
                let found = found.iter().take(MOST_PROBLEMS);
                found.map(|finding| Problem::warning(finding.into())).collect()
            }
            Ok(Some(offset)) => {
                let expected = "what Terrain Builder writes";
                vec![Problem::warning(Error::new(rule::WRITTEN, offset, expected, "other bytes"))]
            }
            Err(error) => vec![Problem::damage(error)],
        }
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let inspector = Inspector::new(bytes).limits(self.accepted()).whole_fields(true);
        rows::of_spans(inspector, each)
    }
}

/// An opened file.
#[derive(Clone, Debug)]
struct Opened {
    format: Alb1Format,
    bytes: Bytes,
    document: Document,
}

impl Opened {
    /// Takes a changed document, if the format can hold it.
    fn take(&mut self, new: Document) -> Result<()> {
        if new.is_identical(&self.document) {
            return Ok(());
        }
        let read = self.format.read(new.to_vec()?.into())?;
        if !read.document.is_identical(&new) {
            let expected = "a document that is read as it was written";
            return Err(Error::new(rule::EDIT, 0, expected, "another one").nowhere());
        }
        *self = read;
        Ok(())
    }
}

/// Returns the value of a field as JSON.
fn value_to_json(document: &Document, value: &Value) -> Result<Json> {
    let mut text = Vec::new();
    DocumentJson::new().write_value(document, value, &mut text)?;
    Json::read(&text)
}

/// Sets the value at a path, and returns the change, if it is one.
fn set(document: &mut Document, path: &str, json: &Json) -> Result<Option<Change>> {
    let path_of_error = path.parse::<FieldPath>()?.to_path();
    let (kind, text) = (document.get(path)?.field_type(), json.to_string());
    let new = DocumentJson::new().read_value(document, kind, text.as_bytes());
    let new = new.map_err(|error| error.nowhere().under(path_of_error))?;
    let after = value_to_json(document, &new)?;
    let old = document.set(path, new)?;
    let is_same = document.get(path)?.is_identical(&old);
    let before = value_to_json(document, &old)?;
    Ok((!is_same).then(|| Change::new(path.to_owned(), Some(before), Some(after))))
}

/// Returns the differences between two opened files as [`diff()`] does; [`None`] if one of them is of another format.
#[must_use]
pub fn differences<'d>(
    old: &'d dyn document::Document,
    new: &'d dyn document::Document,
    options: &Options,
) -> Option<Vec<Change>> {
    let of = |it: &'d dyn document::Document| Some(&it.as_any().downcast_ref::<Opened>()?.document);
    Some(between(of(old)?, of(new)?, options))
}

fn between(old: &Document, new: &Document, options: &Options) -> Vec<Change> {
    let found = diff(old, new, options).into_iter().map(|it| {
        let (place, old) = (it.place().to_string(), it.old.to_string());
        let is_added = it.kind == document::ChangeKind::Added;
        let diff::Place { object, class, field } = it.place().clone();
        Change {
            old_path: Some(old).filter(|old| !is_added && *old != place),
            kind: it.kind,
            holder: Some(Holder { object, class, field }),
            ..Change::new(place, it.before.map(words), it.after.map(words))
        }
    });
    found.collect()
}

/// Returns the differences of everything.
fn strictly(old: &Document, new: &Document) -> Vec<Change> {
    between(old, new, &Options { strict: true, ..Options::default() })
}

/// The field of a layer that holds its objects.
const TREE: &str = "tree";

/// Returns how many objects of a layer were taken from the others, in words; [`None`] for none.
fn objects_taken(ours: &Document, merged: &diff::Merged) -> Option<String> {
    let found = diff::diff(ours, &merged.document, &Options::default());
    let places = found.iter().map(|it| it.new.to_string());
    let objects: HashSet<String> = places
        .filter(|place| place.starts_with("tree["))
        .map(|place| place.split(']').next().unwrap_or_default().to_owned())
        .collect();
    let renumbered = match merged.renumbered {
        0 => String::new(),
        count => format!(", {count} of them under a new id"),
    };
    let objects = match objects.len() {
        0 => return None,
        1 => "1 object".to_owned(),
        count => format!("{count} objects"),
    };
    Some(format!("{objects} of theirs taken{renumbered}"))
}

/// Numbers of a list that an entry shows.
const FEW: usize = 16;

/// Returns a field as an entry.
fn child(document: &Document, path: &FieldPath, name: &PathSegment, field: &Field) -> Child {
    let name = match name {
        PathSegment::Index(index) => index.to_string(),
        PathSegment::Field(name) => (*name).to_owned(),
        PathSegment::Name(name) => name.to_string(),
    };
    let value = &field.value;
    let length = Kind::of(value).map(|_| value.fields().len());
    let shown = length.is_none().then(|| match value {
        Value::Raw(_) => describe(document, value),
        value if value.number_count().is_some_and(|count| count > FEW) => describe(document, value),
        value => value_to_json(document, value)
            .map_or_else(|_| describe(document, value), |it| it.to_string()),
    });
    let type_name = match value {
        Value::Object(object) => document.class_name(object).into_owned(),
        value => value.field_type().name().to_owned(),
    };
    Child { path: path.to_string(), name, type_name, shown, length }
}

/// The member that holds the description of a value, where a change has no more of it.
const WORDS: &str = "$words";

/// Returns the value in a short line of a difference, as JSON where the line is that.
fn words(line: String) -> Json {
    let json = Json::read(line.as_bytes()).ok().filter(|json| json.to_string() == line);
    json.unwrap_or_else(|| Json::tagged(WORDS, line.into()))
}

impl document::Document for Opened {
    fn summary(&self) -> Vec<(String, Json)> {
        let summary = self.document.summary().into_iter();
        summary.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn to_json(&self) -> Json {
        let text = DocumentJson::new().trees(self.format.trees).to_string(&self.document);
        // What was read can be written, and is not too deep for JSON.
        text.and_then(|text| Json::read(text.as_bytes())).unwrap_or_default()
    }

    fn get(&self, path: &str) -> Result<Json> {
        if path.is_empty() {
            return Ok(self.to_json());
        }
        value_to_json(&self.document, self.document.get(path)?)
    }

    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        let kind = self.document.get(path)?.field_type();
        let value = match kind {
            FieldType::Array | FieldType::Object | FieldType::ObjectPointer | FieldType::Pair => {
                DocumentJson::new().read_value(&self.document, kind, text.as_bytes())?
            }
            _ => Value::parse(kind, text)?,
        };
        value_to_json(&self.document, &value)
    }

    fn shown(&self, value: &Json) -> String {
        match value.tag() {
            Some((WORDS, Json::String(words))) => words.clone(),
            Some(("$object", object)) => match object.get("class") {
                Some(Json::String(class)) => format!("an object of class {class}"),
                class => format!("an object of class #{}", class.cloned().unwrap_or_default()),
            },
            _ => value.to_string(),
        }
    }

    fn look(&self, path: &str) -> Result<Child> {
        let parsed: FieldPath = path.parse()?;
        if parsed.is_empty() {
            let root = &self.document.root;
            let (type_name, length) =
                (self.document.class_name(root).into_owned(), Some(root.fields.len()));
            return Ok(Child {
                path: String::new(),
                name: String::new(),
                type_name,
                shown: None,
                length,
            });
        }
        let found = Found::of(&self.document, &parsed)?;
        let field = self.document.field(&parsed)?;
        let in_list = found.split_last().and_then(|(holder, position)| {
            let list = &holder.field(&self.document.root)?.value;
            (Kind::of(list) == Some(Kind::Positions)).then_some(position as u64)
        });
        let name =
            in_list.map_or_else(|| tag_step(&self.document.tags, field.tag), PathSegment::Index);
        Ok(child(&self.document, &parsed, &name, field))
    }

    fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        let parsed: FieldPath = path.parse()?;
        let (kind, fields) = match parsed.is_empty() {
            true => (Some(Kind::Tags), &self.document.root.fields[..]),
            false => {
                let value = &self.document.field(&parsed)?.value;
                (Kind::of(value), value.fields())
            }
        };
        let Some(kind) = kind else { return Ok(Vec::new()) };
        // Of fields with one tag the path has the number.
        let (mut counts, mut numbers) = (HashMap::<u16, u64>::new(), HashMap::<u16, u64>::new());
        if kind == Kind::Tags {
            fields.iter().for_each(|field| *counts.entry(field.tag).or_default() += 1);
            let before = fields.iter().take(range.start);
            before.for_each(|field| *numbers.entry(field.tag).or_default() += 1);
        }
        let range = range.start.min(fields.len())..range.end.min(fields.len());
        let children = fields[range.clone()].iter().zip(range).map(|(field, position)| {
            let mut steps = match kind {
                Kind::Positions => vec![PathSegment::Index(position as u64)],
                Kind::Tags => vec![tag_step(&self.document.tags, field.tag)],
            };
            let name = steps[0].clone();
            if counts.get(&field.tag).is_some_and(|count| *count > 1) {
                let number = numbers.entry(field.tag).or_default();
                steps.push(PathSegment::Index(*number));
                *number += 1;
            }
            child(&self.document, &parsed.below(steps), &name, field)
        });
        Ok(children.collect())
    }

    fn type_name(&self, value: &Json) -> String {
        match value.tag() {
            Some(("$object", object)) => match object.get("class") {
                Some(Json::String(class)) => class.clone(),
                _ => "object".to_owned(),
            },
            _ => value.kind().trim_start_matches("an ").trim_start_matches("a ").to_owned(),
        }
    }

    fn fixed(&self) -> Option<&'static str> {
        Some("the fields of an ALB1 file have their types and places from Terrain Builder")
    }

    fn needed(&self, path: &str) -> Option<String> {
        let place = Found::of(&self.document, &path.parse().ok()?).ok()?;
        let field = place.field(&self.document.root)?;
        let (holder, _) = place.split_last()?;
        let object = match holder.is_root() {
            true => &self.document.root,
            false => holder.field(&self.document.root)?.value.as_object()?,
        };
        let class = class(&self.document.class_name(object))?;
        let is_declared =
            class.fields.iter().any(|it| self.document.tags.id(it.tag) == Some(field.tag));
        is_declared.then(|| {
            let class = class.name;
            format!(
                "every {class} has this field, and Terrain Builder may not open a file without it"
            )
        })
    }

    fn write_text(
        &self,
        path: &str,
        form: &str,
        style: Style,
        out: &mut dyn io::Write,
    ) -> Result<()> {
        document::only_json(form)?;
        let json = DocumentJson::new().style(style).trees(self.format.trees);
        match path {
            "" => json.write(&self.document, &mut *out)?,
            path => json.write_value(&self.document, self.document.get(path)?, &mut *out)?,
        }
        out.write_all(b"\n").map_err(|error| Error::io(0, error))
    }

    fn set_text(&mut self, text: &[u8], replacing: Replacing<'_>) -> Result<Replaced> {
        document::only_json(replacing.form)?;
        let new = DocumentJson::new().limits(self.format.accepted()).read(text)?;
        let changes = strictly(&self.document, &new);
        self.take(new).map_err(Error::nowhere)?;
        Ok(Replaced { changes, mended: Vec::new() })
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        let mut new = self.document.clone();
        let mut found = Vec::new();
        for edit in edits {
            match edit {
                Edit::Set { path, value, .. } if path.is_empty() => {
                    let other = self.format.read_json(value)?;
                    found.extend(strictly(&new, &other));
                    new = other;
                }
                Edit::Set { path, value, .. } => found.extend(set(&mut new, path, value)?),
                Edit::Remove { path } => {
                    let before = value_to_json(&new, new.get(path)?)?;
                    new.remove(path)?;
                    found.push(Change::new(path.clone(), Some(before), None));
                }
            }
        }
        self.take(new)?;
        Ok(found)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        let (mut places, mut found) = (BTreeMap::new(), Vec::new());
        for path in paths {
            let parsed: FieldPath = path.parse()?;
            let before = value_to_json(&self.document, &self.document.field(&parsed)?.value)?;
            if let Entry::Vacant(place) = places.entry(Found::of(&self.document, &parsed)?) {
                place.insert(parsed);
                found.push(Change::new(path.clone(), Some(before), None));
            }
        }
        let mut new = self.document.clone();
        // The last field is taken first, so that the others stay at their places.
        for (place, path) in places.into_iter().rev() {
            new.take(place, &path)?;
        }
        self.take(new)?;
        Ok(found)
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.edit(&[Edit::set("", json.clone())])
    }

    /// Compares exactly, whatever the tolerance.
    fn diff_within(&self, other: &dyn document::Document, _: Option<f64>) -> Differences {
        let changes = match other.as_any().downcast_ref::<Self>() {
            Some(other) => between(&self.document, &other.document, &Options::default()),
            // The other document is of another format.
            None => changes(&self.to_json(), &other.to_json()),
        };
        Differences { changes, losses: 0 }
    }

    fn merge(
        &mut self,
        base: Option<&dyn document::Document>,
        theirs: Option<&dyn document::Document>,
        wins: bool,
    ) -> Result<Option<Merged>> {
        let of = |it: &dyn document::Document| -> Result<Document> {
            let other = it.as_any().downcast_ref::<Self>().map(|it| it.document.clone());
            other.ok_or_else(|| {
                Error::new(rule::EDIT, 0, "files of Terrain Builder", "another one").nowhere()
            })
        };
        let Some(theirs) = theirs.map(of).transpose()? else { return Ok(Some(Merged::default())) };
        let base = base.map(of).transpose()?.ok_or_else(|| {
            let expected = "the file with which both sides began";
            Error::new(rule::EDIT, 0, expected, "none").nowhere()
        })?;
        let merged = diff::merge(&base, &self.document, &theirs, wins);
        let changes = strictly(&self.document, &merged.document);
        let told = objects_taken(&self.document, &merged).map(|words| (TREE.to_owned(), words));
        self.take(merged.document)?;
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let diff::Conflict { place, base, ours, theirs } = it;
            let (base, ours, theirs) = (base.map(words), ours.map(words), theirs.map(words));
            Conflict { path: place, base, ours, theirs }
        });
        Ok(Some(Merged { changes, conflicts: conflicts.collect(), losses: 0, told }))
    }

    fn fork(&self) -> Box<dyn document::Document> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }
}
