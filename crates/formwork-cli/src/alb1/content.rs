//! Documents of Terrain Builder, changed field by field.

use std::collections::{BTreeSet, HashSet};

use formwork::document::Json;
use formwork_alb1::diff::{self, Options};
use formwork_alb1::json::{DocumentJson, is_document};
use formwork_alb1::path::Found;
use formwork_alb1::terrain::{Class, class};
use formwork_alb1::{Document, FieldPath, Value};
use formwork_edit::Side;
use formwork_variant::json::Style;

use super::differences;
use crate::changed::{Changed, ShownValue};
use crate::content::{Conflict, Content, Merged, Replaced, Replacing, SetOptions, Version};
use crate::documents;
use crate::failure::Failure;
use crate::form::Form;
use crate::lost_path::no_place;
use crate::quantity::counted;
use crate::remark;
use crate::source::Source;
use crate::source::without_mark;

/// A document of Terrain Builder.
pub(crate) struct Alb1<'d> {
    /// The name of the file in messages.
    pub(crate) name: &'d str,
    pub(crate) document: Document,
}

impl Alb1<'_> {
    fn field(&mut self, path: &str, text: &str, form: Option<Form>) -> Result<Changed, Failure> {
        let (name, document) = (self.name, &mut self.document);
        let failed = |error| no_place(name, path, &error);
        let old = document.get(path).map_err(failed)?;
        let before = ShownValue::of_field(document, old);
        let by_text = form != Some(Form::Json) && !is_composed(old);
        let new = if by_text {
            Value::parse(old.field_type(), text)
        } else {
            DocumentJson::new().read_value(document, old.field_type(), text.as_bytes())
        };
        let new = new.map_err(failed)?;
        let is_same = old.is_identical(&new);
        let after = ShownValue::of_field(document, &new);
        document.set(path, new).map_err(failed)?;
        Ok(Changed::replaced(path.to_owned(), before, after, is_same))
    }

    fn version(&self, version: &Version) -> Result<Option<Document>, Failure> {
        match version {
            Version::Nothing => Ok(None),
            Version::Text(text, _) => read(text).map(Some),
            Version::Alb1(document) => Ok(Some(Document::clone(document))),
            Version::Values(_) | Version::Document(..) | Version::Unopened => {
                Err(Version::differ(self.name))
            }
        }
    }
}

impl Content for Alb1<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn set(
        &mut self,
        pairs: &[[String; 2]],
        SetOptions { adds, typed }: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        if adds || typed.type_name.is_some() {
            return Err(Failure::usage(format!(
                "{}: the fields of an ALB1 file have their types and places from Terrain Builder, so --add and \
                 --type do not apply",
                self.name
            ))
            .hint("to change more: formwork decode FILE -o FILE.json, then formwork encode"));
        }
        pairs.iter().map(|[path, text]| self.field(path, text, typed.form)).collect()
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure> {
        let (name, document) = (self.name, &mut self.document);
        let mut found = Vec::with_capacity(paths.len());
        for path in paths {
            let failed = |error| no_place(name, path, &error);
            let field_path: FieldPath = path.parse().map_err(failed)?;
            let place = Found::of(document, &field_path).map_err(failed)?;
            let before = document.field(&field_path).map_err(failed)?;
            let before = ShownValue::of_field(document, &before.value);
            let changed = Changed::removed(path.clone(), before);
            say_needed(name, path, document, &place);
            found.push((place, path, field_path, changed));
        }
        let mut seen = BTreeSet::new();
        found.retain(|(place, ..)| seen.insert(place.clone()));
        let changed = found.iter().map(|(.., changed)| changed.clone()).collect();
        found.sort_by(|one, other| other.0.cmp(&one.0));
        for (place, path, field_path, _) in found {
            let failed = |error| no_place(name, path, &error);
            // Two fields may have one tag: after the second is removed, the path of the first
            // changes.
            if Found::of(document, &field_path).map_err(failed)? != place {
                return Err(Failure::usage(format!(
                    "{name}: {path}: removed together with the others, this would be another field"
                ))
                .hint("remove one of them at a time"));
            }
            document.remove(path).map_err(failed)?;
        }
        Ok(changed)
    }

    fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure> {
        let name = self.name;
        form.refuse_all_but_json(name)?;
        let mut text = Vec::new();
        let json = DocumentJson::new().style(Style::Pretty);
        let written = json.write(&self.document, &mut text);
        written.map_err(|error| Failure::in_value(name, error))?;
        text.push(b'\n');
        Ok(text)
    }

    fn replace(&mut self, text: &Source, replacing: Replacing) -> Result<Replaced, Failure> {
        replacing.form.refuse_all_but_json(self.name)?;
        replacing.form.refuse_other(text)?;
        let new = read(text).map_err(|failure| {
            let name = self.name;
            match is_document(without_mark(text.bytes())) {
                true => failure,
                false => Failure::usage(format!(
                    "{name}: an ALB1 file can be made only from JSON of an ALB1 file"
                )),
            }
        })?;
        Ok(replace_document(&mut self.document, new).into())
    }

    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure> {
        let nothing =
            Merged { changed: Vec::new(), conflicts: Vec::new(), is_partial: false, taken: None };
        let theirs = self.version(theirs)?;
        let base = self.version(base)?;
        let Some(theirs) = theirs else { return Ok(nothing) };
        let Some(base) = base else {
            return Err(Failure::no(format!(
                "{}: both sides added this file, so there is nothing to merge it by",
                self.name
            )));
        };
        let merged = diff::merge(&base, &self.document, &theirs, prefer == Some(Side::Theirs));
        let taken = objects_taken(&self.document, &merged).map(|taken| (taken, TREE));
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let diff::Conflict { place, base, ours, theirs } = it;
            let words = |words: Option<String>| words.as_deref().map(ShownValue::of_words);
            Conflict { place, base: words(base), ours: words(ours), theirs: words(theirs) }
        });
        let conflicts = conflicts.collect();
        let changed = replace_document(&mut self.document, merged.document);
        Ok(Merged { changed, conflicts, taken, ..nothing })
    }

    fn json(&mut self, trees: bool) -> Result<(Vec<Json>, bool), Failure> {
        Ok((vec![of_document(&self.document, trees, self.name)?], false))
    }
}

/// Reads the JSON of a document.
fn read(text: &Source) -> Result<Document, Failure> {
    let json = without_mark(text.bytes());
    let read = DocumentJson::new().read(json);
    read.map_err(|error| Failure::in_text(&text.name, json, error))
}

/// Returns whether a value has fields, bytes or a pointer, which can only be given as JSON.
const fn is_composed(value: &Value) -> bool {
    matches!(
        value,
        Value::Object(_)
            | Value::Array(_)
            | Value::Raw(_)
            | Value::Pair(_)
            | Value::ObjectPointer(_)
    )
}

/// Replaces a document with another; returns the changes.
fn replace_document(document: &mut Document, new: Document) -> Vec<Changed> {
    let options = Options { strict: true, ..Default::default() };
    let changed = differences(document, &new, &options);
    *document = new;
    changed
}

/// The field of a layer that holds its objects.
const TREE: &str = "tree";

/// Returns the number of objects of a layer that were taken from the others, in words; none for
/// zero.
fn objects_taken(ours: &Document, merged: &diff::Merged) -> Option<String> {
    let found = diff::diff(ours, &merged.document, &Options::default());
    let objects: HashSet<String> = found
        .iter()
        .filter(|it| it.new.to_string().starts_with("tree["))
        .map(|it| it.new.to_string().split(']').next().unwrap_or_default().to_owned())
        .collect();
    let renumbered = match merged.renumbered {
        0 => String::new(),
        count => format!(", {count} of them under a new id"),
    };
    let count = counted(objects.len() as u64, "object");
    (!objects.is_empty()).then(|| format!("{count} of theirs taken{renumbered}"))
}

/// Returns a document of Terrain Builder as filters see it.
pub(crate) fn of_document(document: &Document, trees: bool, name: &str) -> Result<Json, Failure> {
    let json = DocumentJson::new().trees(trees).to_string(document);
    documents::read_value(name, json.map_err(|error| Failure::in_value(name, error))?.as_bytes())
}

/// Reports that the field at a place is one that every object of its class has.
fn say_needed(name: &str, path: &str, document: &Document, place: &Found) {
    let object = place.clone().split_last().and_then(|(holder, _)| match holder.is_root() {
        true => Some(&document.root),
        false => holder.field(&document.root).and_then(|field| field.value.as_object()),
    });
    let field = place.field(&document.root);
    let Some((object, field)) = object.zip(field) else { return };
    let class = class(&document.class_name(object));
    let is_declared =
        |class: &&Class| class.fields.iter().any(|it| document.tags.id(it.tag) == Some(field.tag));
    if let Some(class) = class.filter(is_declared) {
        remark(&format!(
            "{name}: {path}: every {} has this field, and Terrain Builder may not open a file without it",
            class.name
        ));
    }
}
