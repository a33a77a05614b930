//! Documents of any format, changed through the trait `Document`.

use std::io::Write;

use formwork::document::{Document, Json};
use formwork_file::merge_json;
use formwork_variant::edit::Side;

use crate::changed::{Changed, ShownValue};
use crate::content::{Conflict, Content, Merged, Replaced, Replacing, SetOptions, Version};
use crate::documents;
use crate::failure::Failure;
use crate::form::Form;
use crate::source::Source;
use crate::style::shown;

/// A document of any format.
pub(crate) struct AnyDocument<'d> {
    /// The name of the file in messages.
    pub(crate) name: &'d str,
    pub(crate) document: Box<dyn Document>,
}

impl AnyDocument<'_> {
    fn version(&self, version: &Version, empty: &Json) -> Result<Json, Failure> {
        match version {
            Version::Nothing => Ok(empty.clone()),
            Version::Text(text, _) => documents::read_value(&text.name, text.bytes()),
            Version::Document(_, document) => Ok(document.to_json()),
            Version::Values(_) | Version::Alb1(_) | Version::Unopened => {
                Err(Version::differ(self.name))
            }
        }
    }
}

/// Returns a path with the text of a file as JSON, if the value there is a text, or new.
fn of_file(
    document: &dyn Document,
    name: &str,
    pairs: &[[String; 2]],
    bytes: &[u8],
) -> Result<Option<[String; 2]>, Failure> {
    let [[path, _]] = pairs else { return Ok(None) };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(Failure::no(format!("{name}: JSON has no bytes, and the file is no text"))
            .hint("as base64: base64 -w0 FILE | formwork set ... --file -"));
    };
    let is_text = document.get(path).map_or(true, |there| matches!(there, Json::String(_)));
    Ok(is_text.then(|| [path.clone(), Json::String(text.to_owned()).to_string()]))
}

impl Content for AnyDocument<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn set(
        &mut self,
        pairs: &[[String; 2]],
        SetOptions { adds, typed }: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let name = self.name;
        if typed.type_name.is_some() {
            return Err(Failure::usage(format!(
                "{name}: JSON says itself of what type a value is, so --type does not apply"
            ))
            .hint("for the text 42: --as json and '\"42\"'; for the number, --as json and 42"));
        }
        if let Some(form) = typed.form.filter(|form| *form != Form::Json) {
            let form = form.name();
            return Err(Failure::usage(format!("{name}: values of JSON have no form '{form}'")));
        }
        let document = &mut *self.document;
        let of_file = typed.file.map(|bytes| self::of_file(document, name, pairs, bytes));
        let of_file = of_file.transpose()?.flatten();
        let is_exact = typed.form.is_some() || of_file.is_some();
        let pairs = of_file.as_ref().map_or(pairs, std::slice::from_ref);
        let changes = documents::set(document, name, pairs, (adds, is_exact))?;
        let mut changed: Vec<_> = changes.iter().map(documents::shown_change).collect();
        if changed.is_empty() {
            let there = document.json();
            for [path, _] in pairs {
                let (Ok(value), Ok(place)) = (there.find(path), there.place(path)) else {
                    continue;
                };
                let shown = ShownValue::of_words(&value.to_string());
                changed.push(Changed::replaced(place, shown.clone(), shown, true));
            }
        }
        Ok(changed)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure> {
        let changes = documents::remove(&mut *self.document, self.name, paths)?;
        Ok(changes.iter().map(documents::shown_change).collect())
    }

    fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure> {
        form.refuse_all_but_json(self.name)?;
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = writeln!(text, "{:#}", self.document.json());
        Ok(text)
    }

    fn replace(&mut self, text: &Source, replacing: Replacing) -> Result<Replaced, Failure> {
        replacing.form.refuse_all_but_json(self.name)?;
        let new = documents::read_value(&text.name, text.bytes())?;
        documents::replace(&mut *self.document, self.name, &new).map(Replaced::from)
    }

    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure> {
        let ours = self.document.json().into_owned();
        let empty = match &ours {
            Json::Object(_) => Json::Object(Vec::new()),
            Json::Array(_) => Json::Array(Vec::new()),
            _ => Json::Null,
        };
        let theirs = self.version(theirs, &empty)?;
        let base = self.version(base, &empty)?;
        let merged = merge_json(&base, &ours, &theirs, prefer.unwrap_or_default());
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let words = |words: Option<String>| words.as_deref().map(ShownValue::of_words);
            let formwork_file::Conflict { place, base, ours, theirs } = it;
            let (base, ours, theirs) = (words(base), words(ours), words(theirs));
            Conflict { place: shown(&place), base, ours, theirs }
        });
        let conflicts = conflicts.collect();
        let changed = documents::replace(&mut *self.document, self.name, &merged.merged)?;
        Ok(Merged { changed, conflicts, is_partial: false, taken: None })
    }

    fn json(&mut self, _: bool) -> Result<(Vec<Json>, bool), Failure> {
        let several = self.document.holds_several();
        Ok((each(several, self.document.to_json()), several))
    }
}

/// Returns the documents of a file, of its content.
pub(crate) fn each(holds_several: bool, json: Json) -> Vec<Json> {
    match (holds_several, json) {
        (true, Json::Array(documents)) => documents,
        (_, json) => vec![json],
    }
}
