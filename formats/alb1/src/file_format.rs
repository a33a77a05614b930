//! ALB1 as a format of programs that open files of any format.

use std::any::Any;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;

use bytes::Bytes;
use formwork::document::{
    self, Change, Confidence, Conflict, Differences, Edit, Format, Json, Lost, Merged, Row, changes,
};
use formwork::{Error, Result};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;

use crate::diff::{self, Options, diff};
use crate::finding::{Finding, Severity};
use crate::inspect::Inspector;
use crate::json::DocumentJson;
use crate::page::alb1_page;
use crate::path::Found;
use crate::recover::recover_within;
use crate::{Document, FieldPath, FieldType, Graph, Header, Reader, Value, rule};

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
        Self { limits: Limits::new(), checks: own_checks }
    }

    /// Sets the limits for reading. A depth above 255 is taken as that.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
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
    fn problems(&self, bytes: &[u8]) -> Vec<Error> {
        let document = match Reader::new().limits(self.accepted()).read(bytes) {
            Ok(document) => document,
            Err(error) => return vec![error],
        };
        match document.difference(bytes) {
            Ok(None) => {
                let mut found = (self.checks)(&document);
                found.sort_by_key(|finding| Reverse(finding.kind.severity()));
                found.iter().take(MOST_PROBLEMS).map(Error::from).collect()
            }
            Ok(Some(offset)) => {
                let expected = "what Terrain Builder writes";
                vec![Error::new(rule::WRITTEN, offset, expected, "other bytes")]
            }
            Err(error) => vec![error],
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

/// Returns the differences between two documents.
fn differences(old: &Document, new: &Document, strict: bool) -> Vec<Change> {
    let options = Options { strict, ..Options::default() };
    let found = diff(old, new, &options).into_iter().map(|it| Change {
        kind: it.kind,
        path: it.place().to_string(),
        old_path: None,
        before: it.before.map(words),
        after: it.after.map(words),
        words: None,
    });
    found.collect()
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
        let text = DocumentJson::new().to_string(&self.document);
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

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        let mut new = self.document.clone();
        let mut found = Vec::new();
        for edit in edits {
            match edit {
                Edit::Set { path, value, .. } if path.is_empty() => {
                    let other = self.format.read_json(value)?;
                    found.extend(differences(&new, &other, true));
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
            Some(other) => differences(&self.document, &other.document, false),
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
        let changes = differences(&self.document, &merged.document, true);
        self.take(merged.document)?;
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let diff::Conflict { place, base, ours, theirs } = it;
            let (base, ours, theirs) = (base.map(words), ours.map(words), theirs.map(words));
            Conflict { path: place, base, ours, theirs }
        });
        Ok(Some(Merged { changes, conflicts: conflicts.collect(), losses: 0 }))
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
