//! Opened files of values: JSON and paths on one side, values and the bytes around them on the other.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use std::io;
use std::ops::Range;

use crate::Framing;
use crate::inspect::Inspector;
use formwork::document::{Change, ChangeKind, Child, Document, Edit, Json, Row};
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;
use formwork_variant::edit::{
    Compare, DifferenceKind, Literals, Names, Place, Step, Target, ValuePath, new_stray, remove,
    rule, strays,
};
use formwork_variant::json::{Json as JsonForm, Style, to_json};
use formwork_variant::{Dialect, ElementType, Real, Variant};

/// The part of a file around its values.
pub(super) trait Around<R: Real>: Send {
    /// Returns what a summary says before the number of values.
    fn summary(&self) -> Vec<(&'static str, Json)>;

    /// Returns the bytes of the file with these values.
    fn write(&self, values: &[Variant<R>]) -> Result<Vec<u8>>;

    /// Returns the content of the layers of a file, with the offset of its values.
    fn content(&self, bytes: &[u8]) -> Result<(Vec<u8>, usize)> {
        Ok((bytes.to_vec(), 0))
    }

    /// Returns the place of the value at a path, in the content of the layers after the header.
    fn place(
        &self,
        _content: &[u8],
        _number: Option<usize>,
        _path: &str,
    ) -> Result<Option<Range<usize>>> {
        Ok(None)
    }

    /// Returns the bytes of a file with another value in the place of one of its type, where that changes no other bytes:
    /// it costs a look through the file, and no value is made or written but this one.
    fn replaced(
        &self,
        _bytes: &[u8],
        _number: Option<usize>,
        _path: &str,
        _new: &Variant<R>,
    ) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    /// Returns the path at which a new value is added, and adds the container that it needs.
    fn make_room(&self, _: &mut [Variant<R>], path: &str) -> String {
        path.to_owned()
    }

    /// Returns the reader of typed values.
    fn literals(&self, dialect: Dialect) -> Literals {
        Literals::new(dialect)
    }
}

/// An opened file.
pub(super) struct Opened<R: Real, A> {
    pub(super) around: A,
    pub(super) values: Vec<Variant<R>>,
    pub(super) bytes: Vec<u8>,
    pub(super) dialect: Dialect,
    pub(super) limits: Limits,
}

/// Returns a value as JSON, or the error for one that is too deep for that.
pub(super) fn json<R: Real>(value: &Variant<R>, dialect: Dialect) -> Result<Json> {
    let text = to_json(value, dialect, Style::Compact);
    // The offset would be one in this text, which nobody else has.
    Json::read(text.as_bytes()).map_err(Error::nowhere)
}

impl<R: Real, A: Around<R>> Opened<R, A> {
    /// Returns a value of the file as JSON. Values that are too deep are refused before they are in the file.
    fn json(&self, value: &Variant<R>) -> Json {
        json(value, self.dialect).unwrap_or_default()
    }

    fn value(&self, json: &Json) -> Result<Variant<R>> {
        let form = JsonForm::lossless(self.dialect).in_precision().limits(self.limits);
        // The offset would be one in this text, which nobody else has.
        form.read(json.to_string().as_bytes()).map_err(Error::nowhere)
    }

    /// Returns the values of [`Document::to_json`] of a file with several values, or with one.
    fn values_of(&self, json: &Json, holds_several: bool) -> Result<Vec<Variant<R>>> {
        match json {
            Json::Array(all) if holds_several => all.iter().map(|it| self.value(it)).collect(),
            json => Ok(vec![self.value(json)?]),
        }
    }

    /// Returns the path of a value in one of several.
    fn path(&self, number: usize, name: String) -> String {
        match (self.holds_several(), name.is_empty()) {
            (false, _) => name,
            (true, true) => number.to_string(),
            (true, false) => format!("{number}/{name}"),
        }
    }

    fn set(
        &self,
        values: &mut [Variant<R>],
        path: &str,
        new: &Json,
        adds: bool,
    ) -> Result<Option<Change>> {
        let (new, dialect) = (self.value(new)?, self.dialect);
        let found = ValuePath::new(path).find_in(values, dialect);
        let (number, target) = match found {
            Ok((number, place)) => (number, Target::There(place)),
            Err(_) if adds => {
                let path = self.around.make_room(values, path);
                ValuePath::new(&path).find_or_new(values, dialect)?
            }
            Err(error) => return Err(error),
        };
        let after = Some(self.json(&new));
        let before = target.put(&mut values[number], new);
        let place = target.place(&values[number]);
        let is_same = before.as_ref().zip(place.get(&values[number]));
        if is_same.is_some_and(|(old, new)| old.is_identical(new)) {
            return Ok(None);
        }
        let path = self.path(number, place.name(&values[number], dialect));
        Ok(Some(Change::new(path, before.map(|old| self.json(&old)), after)))
    }

    /// Sets a value where that changes no other bytes. Returns [`None`] where it may.
    fn replace(&mut self, path: &str, new: &Json) -> Result<Option<Option<Change>>> {
        let (new, dialect) = (self.value(new)?, self.dialect);
        let Ok((number, place)) = ValuePath::new(path).find_in(&self.values, dialect) else {
            return Ok(None);
        };
        let Some(old) = place.get(&self.values[number]) else { return Ok(None) };
        if old.is_identical(&new) {
            return Ok(Some(None));
        }
        let name = place.name(&self.values[number], dialect);
        let one_of_several = self.holds_several().then_some(number);
        let replaced = self.around.replaced(&self.bytes, one_of_several, &name, &new)?;
        let Some(bytes) = replaced else { return Ok(None) };
        let (before, after) = (self.json(old), self.json(&new));
        Target::There(place).put(&mut self.values[number], new);
        self.bytes = bytes;
        Ok(Some(Some(Change::new(self.path(number, name), Some(before), Some(after)))))
    }

    /// Returns the differences to other values.
    fn differences(&self, old: &[Variant<R>], new: &[Variant<R>]) -> Vec<Change> {
        let mut changes = Vec::new();
        for (number, (old, new)) in old.iter().zip(new).enumerate() {
            let (mut olds, mut news) =
                (Names::new(old, self.dialect), Names::new(new, self.dialect));
            for it in Compare::new().values(old, new) {
                let json = |value: Option<&Variant<R>>| value.map(|value| self.json(value));
                let name = if it.after.is_some() { news.name(&it.new) } else { olds.name(&it.old) };
                let mut change =
                    Change::new(self.path(number, name), json(it.before), json(it.after));
                match it.kind {
                    DifferenceKind::Moved => change.kind = ChangeKind::Moved,
                    DifferenceKind::Front => change.kind = ChangeKind::TypeChanged,
                    _ => {}
                }
                changes.push(change);
            }
        }
        let lone = |values: &[Variant<R>], from: usize| {
            let rest = values.iter().enumerate().skip(from);
            rest.map(|(number, value)| (number.to_string(), self.json(value))).collect::<Vec<_>>()
        };
        let gone = lone(old, new.len()).into_iter();
        changes.extend(gone.map(|(path, value)| Change::new(path, Some(value), None)));
        let added = lone(new, old.len()).into_iter();
        changes.extend(added.map(|(path, value)| Change::new(path, None, Some(value))));
        changes
    }

    /// Takes new values, if the file can hold them.
    fn take(&mut self, new: Vec<Variant<R>>) -> Result<()> {
        let known = self.values.iter().flat_map(strays).map(|stray| stray.value.clone());
        if let Some((number, stray)) = new_stray(&known.collect::<Vec<_>>(), &new) {
            let name = self.path(number, stray.place.name(&new[number], self.dialect));
            let declared = match stray.declared {
                ElementType::Builtin(wanted) => self.dialect.type_name(*wanted).to_owned(),
                other => format!("{other:?}"),
            };
            let found = self.dialect.type_name(stray.value.variant_type());
            let error = Error::new(rule::TYPED, 0, format!("the declared type {declared}"), found);
            let segments = name.split('/').map(|name| PathSegment::Name(name.to_owned().into()));
            return Err(error.nowhere().under(segments.collect::<Path>()));
        }
        self.bytes = self.around.write(&new)?;
        self.values = new;
        Ok(())
    }

    /// Returns the value whose type a new value at a path has.
    fn model(&self, path: &str) -> Option<&Variant<R>> {
        let found = ValuePath::new(path).find_or_new(&self.values, self.dialect);
        found.ok().and_then(|(number, target)| target.model(&self.values[number]))
    }
}

impl<R: Real, A: Around<R>> Document for Opened<R, A> {
    fn summary(&self) -> Vec<(String, Json)> {
        let around = self.around.summary();
        let mut summary: Vec<_> =
            around.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        match &self.values[..] {
            [value] => {
                let kind = self.dialect.type_name(value.variant_type());
                summary.push(("type".to_owned(), kind.into()));
                let length = value.container().map(|it| ("entries".to_owned(), it.len().into()));
                summary.extend(length);
            }
            several => summary.push(("values".to_owned(), several.len().into())),
        }
        summary
    }

    fn to_json(&self) -> Json {
        match &self.values[..] {
            [value] => self.json(value),
            several => Json::Array(several.iter().map(|value| self.json(value)).collect()),
        }
    }

    fn holds_several(&self) -> bool {
        self.values.len() != 1
    }

    fn get(&self, path: &str) -> Result<Json> {
        if path.is_empty() {
            return Ok(self.to_json());
        }
        let (number, place) = ValuePath::new(path).find_in(&self.values, self.dialect)?;
        Ok(place.get(&self.values[number]).map(|value| self.json(value)).unwrap_or_default())
    }

    fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        let dialect = self.dialect;
        let child = |path: String, name: String, value: &Variant<R>| {
            let length = value.container().map(|it| it.len());
            Child {
                path,
                name,
                type_name: dialect.type_name(value.variant_type()).to_owned(),
                shown: length.is_none().then(|| value.display(dialect).to_string()),
                length,
            }
        };
        if path.is_empty() && self.holds_several() {
            let end = range.end.min(self.values.len());
            let values = self.values.get(range.start.min(end)..end).unwrap_or_default();
            let numbers = (range.start..).map(|number| number.to_string());
            return Ok(numbers.zip(values).map(|(at, it)| child(at.clone(), at, it)).collect());
        }
        let (number, place) = match path {
            "" => (0, Place::default()),
            path => ValuePath::new(path).find_in(&self.values, dialect)?,
        };
        let value = &self.values[number];
        let Some(container) = place.get(value).and_then(Variant::container) else {
            return Ok(Vec::new());
        };
        let mut names = Names::new(value, dialect);
        let before = names.name(&place);
        let children = (range.start..range.end.min(container.len())).filter_map(|at| {
            let step = Step::to(container, at);
            let path = names.name(&place.inside(step));
            let name = path.get(before.len()..).unwrap_or(&path).trim_start_matches('/').to_owned();
            Some(child(self.path(number, path), name, step.of(container)?))
        });
        Ok(children.collect())
    }

    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        let literals = self.around.literals(self.dialect).limits(self.limits);
        let model = self.model(path).filter(|model| !model.is_nil());
        let read = match model {
            Some(model) => literals.like(text, model),
            None => literals.any(text),
        };
        let read = read.ok_or_else(|| {
            let expected = model.map_or("JSON or the engine's text", |model| {
                self.dialect.type_name(model.variant_type())
            });
            Error::new(formwork::document::rule::DOCUMENT_VALUE, 0, expected, format!("`{text}`"))
        })?;
        json(&read, self.dialect)
    }

    /// Returns a value as the engine prints it.
    fn shown(&self, value: &Json) -> String {
        match self.value(value) {
            Ok(value) => value.display(self.dialect).to_string(),
            Err(_) => value.to_string(),
        }
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        // (`save entry/edit` of benches/counts.)
        if let [Edit::Set { path, value, .. }] = edits
            && !path.is_empty()
            && let Some(change) = self.replace(path, value)?
        {
            return Ok(change.into_iter().collect());
        }
        let (mut new, mut changes) = (self.values.clone(), Vec::new());
        for edit in edits {
            match edit {
                Edit::Set { path, value, .. } if path.is_empty() => {
                    let other = self.values_of(value, self.holds_several())?;
                    changes.extend(self.differences(&new, &other));
                    new = other;
                }
                Edit::Set { path, value, adds } => {
                    changes.extend(self.set(&mut new, path, value, *adds)?);
                }
                Edit::Remove { path } => {
                    let (number, place) = ValuePath::new(path).find_in(&new, self.dialect)?;
                    let path = self.path(number, place.name(&new[number], self.dialect));
                    let old = remove(&mut new, number, &place)?;
                    changes.push(Change::new(path, Some(self.json(&old)), None));
                }
            }
        }
        self.take(new)?;
        Ok(changes)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        let (mut places, mut changes) = (BTreeMap::new(), Vec::new());
        for path in paths {
            let (number, place) = ValuePath::new(path).find_in(&self.values, self.dialect)?;
            let value = &self.values[number];
            let name = self.path(number, place.name(value, self.dialect));
            if let MapEntry::Vacant(entry) = places.entry((number, place)) {
                let old = entry.key().1.get(value).map(|old| self.json(old));
                changes.push(Change::new(name, old, None));
                entry.insert(());
            }
        }
        let mut new = self.values.clone();
        // The last value is taken first, so that the others stay at their places.
        for (number, place) in places.into_keys().rev() {
            remove(&mut new, number, &place)?;
        }
        self.take(new)?;
        Ok(changes)
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.edit(&[Edit::set("", json.clone())])
    }

    fn diff(&self, other: &dyn Document) -> Vec<Change> {
        let json = other.to_json();
        match self.values_of(&json, other.holds_several()) {
            Ok(values) => self.differences(&self.values, &values),
            // The other document is of another format.
            Err(_) => formwork::document::changes(&self.to_json(), &json),
        }
    }

    fn content(&self) -> Result<Vec<u8>> {
        Ok(self.around.content(&self.bytes)?.0)
    }

    fn place(&self, path: &str) -> Result<Option<Range<u64>>> {
        let (number, rest) = match (path, self.holds_several()) {
            ("", true) => return Ok(None),
            (path, false) => (None, path),
            (path, true) => {
                let (first, rest) = path.split_once('/').unwrap_or((path, ""));
                let number = first.parse().ok().filter(|number| *number < self.values.len());
                (number.map(Some).ok_or_else(|| no_number(first))?, rest)
            }
        };
        let (content, start) = self.around.content(&self.bytes)?;
        let values = content.get(start..).unwrap_or_default();
        let Some(range) = self.around.place(values, number, rest)? else {
            return self.get(path).map(|_| None);
        };
        let offset = |at: usize| (start + at) as u64;
        Ok(Some(offset(range.start)..offset(range.end)))
    }

    fn rows(&self, path: &str, each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>) -> Result<bool> {
        let Some(place) = Document::place(self, path)? else { return Ok(false) };
        let content = self.around.content(&self.bytes)?.0;
        // A place is one of the content, in memory.
        let packet = content.get(..place.end as usize).unwrap_or(&content);
        let inspector = Inspector::new(packet, self.dialect).behind(place.start as usize);
        // An error of `each` only ends the rows early.
        let _ = rows::of_spans(inspector.framing(Framing::Bare).list_elements(true), each);
        Ok(true)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}

#[cold]
fn no_number(found: &str) -> Error {
    Error::new(formwork::document::rule::DOCUMENT_PATH, 0, "the number of a value", found).nowhere()
}
