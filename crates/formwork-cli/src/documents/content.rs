//! Documents of any format, changed through the trait `Document`.

use formwork::document::{self, Document, Json};
use formwork_alb1::json::is_document;
use formwork_edit::Side;
use formwork_file::merge_json;

use super::changes::{refused, remove, set, shown_changes};
use crate::changed::{Changed, ShownValue};
use crate::content::{Change, Conflict, Content, Merged, Replaced, Replacing, SetOptions, Version};
use crate::documents;
use crate::edit::Found;
use crate::failure::Failure;
use crate::file::NewContent;
use crate::form::Form;
use crate::quantity::counted;
use crate::remark;
use crate::source::{Source, without_mark};
use crate::style::shown;

/// A document of any format.
pub(crate) struct AnyDocument<'d> {
    /// The name of the file in messages.
    pub(crate) name: &'d str,
    pub(crate) document: Box<dyn Document>,
}

impl AnyDocument<'_> {
    /// Makes a change, and returns the new content.
    pub(crate) fn changed(mut self, change: &mut Change<'_>) -> Result<NewContent, Failure> {
        let changed = change(&mut self)?;
        Ok(NewContent { content: self.document.into_bytes(), changed })
    }

    /// Returns another version of the content as JSON.
    fn json_of(&self, version: &Version, empty: &Json) -> Result<Json, Failure> {
        match version {
            Version::Nothing => Ok(empty.clone()),
            Version::Text(text, _) => documents::read_value(&text.name, text.bytes()),
            Version::Document(_, document) => Ok(document.to_json()),
            Version::Values(_) | Version::Alb1(_) | Version::Unopened => {
                Err(Version::differ(self.name))
            }
        }
    }

    /// Merges the versions as JSON.
    fn merge_as_json(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Side,
    ) -> Result<Merged, Failure> {
        let ours = self.document.to_json();
        let empty = match &ours {
            Json::Object(_) => Json::Object(Vec::new()),
            Json::Array(_) => Json::Array(Vec::new()),
            _ => Json::Null,
        };
        let (theirs, base) = (self.json_of(theirs, &empty)?, self.json_of(base, &empty)?);
        let merged = merge_json(&base, &ours, &theirs, prefer);
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let words = |words: Option<String>| words.as_deref().map(ShownValue::of_words);
            let formwork_file::Conflict { place, base, ours, theirs } = it;
            let (base, ours, theirs) = (words(base), words(ours), words(theirs));
            Conflict { place: shown(&place), base, ours, theirs }
        });
        let conflicts = conflicts.collect();
        let changes = self.document.set_json(&merged.merged);
        let changes = changes.map_err(|error| refused(&*self.document, self.name, "", error))?;
        let changed = shown_changes(&*self.document, &changes);
        Ok(Merged { changed, conflicts, is_partial: false, taken: None })
    }

    /// Returns a copy of the document with the content of a text.
    fn of_text(
        &self,
        base: &dyn Document,
        text: &Source,
        form: Form,
        fidelity: document::Fidelity,
    ) -> Result<Box<dyn Document>, Failure> {
        let mut copy = base.fork();
        let by = document::Replacing { form: form.name(), fidelity, is_list: false };
        let bytes = without_mark(text.bytes());
        copy.set_text(bytes, by)
            .map_err(|error| in_text((self.name, &*copy), text, form, error))?;
        Ok(copy)
    }
}

/// Makes the failure for a text that cannot replace the content of a document.
fn in_text(
    (name, document): (&str, &dyn Document),
    text: &Source,
    form: Form,
    error: formwork::Error,
) -> Failure {
    if error.is_nowhere() {
        let is_of_text = error.kind() == formwork::ErrorKind::Unrepresentable
            && error.rule() != formwork_edit::rule::TYPED;
        let name = if is_of_text { &text.name } else { name };
        return refused(document, name, "", error);
    }
    form.fault(text, without_mark(text.bytes()), error)
}

impl Content for AnyDocument<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn set(
        &mut self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let (name, typed) = (self.name, options.typed);
        if typed.type_name.is_some() && !self.document.has_types() {
            return Err(Failure::usage(format!(
                "{name}: JSON says itself of what type a value is, so --type does not apply"
            ))
            .hint("for the text 42: --as json and '\"42\"'; for the number, --as json and 42"));
        }
        if let Some(form) = typed.form.filter(|form| *form != Form::Json)
            && !self.document.has_types()
        {
            let form = form.name();
            return Err(Failure::usage(format!("{name}: values of JSON have no form '{form}'")));
        }
        set(&mut *self.document, name, pairs, options)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure> {
        remove(&mut *self.document, self.name, paths)
    }

    fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure> {
        if !self.document.has_types() {
            form.refuse_all_but_json(self.name)?;
        }
        let text = self.document.to_text(form.name());
        text.map_err(|error| Failure::in_value(self.name, error))
    }

    fn replace(&mut self, text: &Source, replacing: Replacing) -> Result<Replaced, Failure> {
        let Replacing { form, fidelity, is_list } = replacing;
        if self.document.has_types() {
            form.refuse_other(text)?;
            refuse_json_of_alb1(text, form)?;
        } else {
            form.refuse_all_but_json(self.name)?;
        }
        let by = document::Replacing { form: form.name(), fidelity, is_list };
        let bytes = without_mark(text.bytes());
        let replaced = self.document.set_text(bytes, by);
        let replaced =
            replaced.map_err(|error| in_text((self.name, &*self.document), text, form, error))?;
        let found = Found::of_document(&*self.document, &replaced);
        Ok(Replaced { changed: shown_changes(&*self.document, &replaced.changes), found })
    }

    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure> {
        if !self.document.has_types() {
            return self.merge_as_json(base, theirs, prefer.unwrap_or_default());
        }
        let mut is_partial = false;
        let mut opened = |version: &Version| -> Result<Option<Box<dyn Document>>, Failure> {
            match version {
                Version::Nothing => Ok(None),
                Version::Text(text, form) => {
                    let by = document::Fidelity::Exact;
                    self.of_text(&*self.document, text, *form, by).map(Some)
                }
                Version::Values(input) => {
                    is_partial |= input.say_unread()?;
                    input.document().map(Some)
                }
                Version::Document(..) | Version::Alb1(_) | Version::Unopened => {
                    Err(Version::differ(self.name))
                }
            }
        };
        let base = opened(base)?;
        let theirs = match (theirs, &base) {
            (Version::Text(text, form), Some(base)) => {
                let by = document::Fidelity::Mended;
                Some(self.of_text(&**base, text, *form, by)?)
            }
            (theirs, _) => opened(theirs)?,
        };
        let wins = prefer == Some(Side::Theirs);
        let merged = self.document.merge(base.as_deref(), theirs.as_deref(), wins);
        let merged = merged.map_err(|error| refused(&*self.document, self.name, "", error))?;
        let document::Merged { changes, conflicts, losses } = merged.unwrap_or_default();
        if losses > 0 {
            let (name, lost) = (self.name, counted(losses as u64, "value"));
            remark(&format!(
                "{name}: {lost} of the others' engine would lose something; merged as they would become"
            ));
        }
        let document = &*self.document;
        let value = |json: Option<Json>| json.map(|it| ShownValue::of_document(document, &it));
        let conflicts = conflicts.into_iter().map(|it| Conflict {
            place: shown(&it.path),
            base: value(it.base),
            ours: value(it.ours),
            theirs: value(it.theirs),
        });
        let changed = shown_changes(document, &changes);
        Ok(Merged { changed, conflicts: conflicts.collect(), is_partial, taken: None })
    }

    fn json(&mut self, _: bool) -> Result<(Vec<Json>, bool), Failure> {
        let several = self.document.holds_several();
        Ok((each(several, self.document.to_json()), several))
    }
}

/// Refuses a text that only a file of Terrain Builder is made of.
fn refuse_json_of_alb1(text: &Source, form: Form) -> Result<(), Failure> {
    let name = &text.name;
    match form == Form::Json && is_document(without_mark(text.bytes())) {
        true => Err(Failure::usage(format!(
            "{name}: this is JSON of an ALB1 file, not of values of an engine"
        ))),
        false => Ok(()),
    }
}

/// Returns the documents of a file, of its content.
pub(crate) fn each(holds_several: bool, json: Json) -> Vec<Json> {
    match (holds_several, json) {
        (true, Json::Array(documents)) => documents,
        (_, json) => vec![json],
    }
}
