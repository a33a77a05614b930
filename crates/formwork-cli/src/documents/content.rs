//! Documents of any format, changed through the trait `Document`.

use formwork::document::{self, Document, Json};
use formwork_alb1::json::is_document;
use formwork_edit::Side;
use formwork_file::merge_json;

use super::changes::{refused, remove, set, shown_changes};
use crate::changed::{Changed, ShownValue};
use crate::content::{Conflict, Merged, Replaced, Replacing, SetOptions, Version};
use crate::edit::Found;
use crate::failure::Failure;
use crate::file::{Chosen, NewContent};
use crate::form::Form;
use crate::format::LimitOptions;
use crate::quantity::counted;
use crate::remark;
use crate::source::{Source, without_mark};
use crate::style::shown;

/// A change that a command makes; returns what changed.
pub(crate) type Change<'c> = dyn FnMut(&mut AnyDocument<'_>) -> Result<Vec<Changed>, Failure> + 'c;

/// A document of any format. Each change is made whole or not at all, and returns what changed.
pub(crate) struct AnyDocument<'d> {
    /// The name of the file in messages.
    pub(crate) name: &'d str,
    /// The kind of files with which it is merged.
    pub(crate) kind: &'static str,
    pub(crate) limits: LimitOptions,
    pub(crate) document: Box<dyn Document>,
}

impl AnyDocument<'_> {
    /// Makes a change, and returns the new content.
    pub(crate) fn changed(mut self, change: &mut Change<'_>) -> Result<NewContent, Failure> {
        let changed = change(&mut self)?;
        Ok(NewContent { content: self.document.into_bytes(), changed })
    }

    /// Merges the versions as JSON.
    fn merge_as_json(
        &mut self,
        base: Option<&dyn Document>,
        theirs: Option<&dyn Document>,
        prefer: Side,
    ) -> Result<Merged, Failure> {
        let ours = self.document.to_json();
        let empty = match &ours {
            Json::Object(_) => Json::Object(Vec::new()),
            Json::Array(_) => Json::Array(Vec::new()),
            _ => Json::Null,
        };
        let json = |version: Option<&dyn Document>| {
            version.map_or_else(|| empty.clone(), Document::to_json)
        };
        let merged = merge_json(&json(base), &ours, &json(theirs), prefer);
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
        Ok(Merged { changed, conflicts, is_partial: false, told: None })
    }

    /// Opens another version; returns whether only a part of it is read, too.
    fn opened(&self, version: &Version) -> Result<(Option<Box<dyn Document>>, bool), Failure> {
        match version {
            Version::Nothing => Ok((None, false)),
            Version::Text(text, form) => {
                let by = document::Fidelity::Exact;
                Ok((Some(self.of_text(&*self.document, text, *form, by)?), false))
            }
            Version::File(file) if file.compares_as() == self.kind => {
                let is_partial = file.say_unread()?;
                Ok((Some(file.document(Chosen::all(self.limits))?), is_partial))
            }
            Version::File(_) | Version::InProject(_) | Version::Unopened => {
                Err(Version::differ(self.name))
            }
        }
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

impl AnyDocument<'_> {
    /// Sets the values at paths.
    pub(crate) fn set(
        &mut self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let (name, typed) = (self.name, options.typed);
        if let Some(why) = self.document.fixed() {
            if options.adds || typed.type_name.is_some() {
                return Err(Failure::usage(format!(
                    "{name}: {why}, so --add and --type do not apply"
                ))
                .hint("to change more: formwork decode FILE -o FILE.json, then formwork encode"));
            }
            return set(&mut *self.document, name, pairs, options);
        }
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

    /// Removes the values at paths, which are those of the content as it is.
    pub(crate) fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure> {
        let needed = |path: &String| Some((path.clone(), self.document.needed(path)?));
        let needed: Vec<_> = paths.iter().filter_map(needed).collect();
        let changed = remove(&mut *self.document, self.name, paths)?;
        for (path, why) in needed {
            remark(&format!("{}: {path}: {why}", self.name));
        }
        Ok(changed)
    }

    /// Returns the content as a text that [`replace`](Self::replace) takes back.
    pub(crate) fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure> {
        if !self.document.has_types() {
            form.refuse_all_but_json(self.name)?;
        }
        let text = self.document.to_text(form.name());
        text.map_err(|error| Failure::in_value(self.name, error))
    }

    /// Replaces the content by that of a text.
    pub(crate) fn replace(
        &mut self,
        text: &Source,
        replacing: Replacing,
    ) -> Result<Replaced, Failure> {
        let Replacing { form, fidelity, is_list } = replacing;
        let is_alb1 = || is_document(without_mark(text.bytes()));
        if !self.document.has_types() {
            form.refuse_all_but_json(self.name)?;
        }
        if self.document.has_types() || self.document.fixed().is_some() {
            form.refuse_other(text)?;
        }
        if self.document.has_types() && form == Form::Json && is_alb1() {
            return Err(Failure::usage(format!(
                "{}: this is JSON of an ALB1 file, not of values of an engine",
                text.name
            )));
        }
        let by = document::Replacing { form: form.name(), fidelity, is_list };
        let replaced = self.document.set_text(without_mark(text.bytes()), by);
        let replaced = replaced.map_err(|error| match self.document.fixed() {
            Some(_) if !is_alb1() => Failure::usage(format!(
                "{}: an ALB1 file can be made only from JSON of an ALB1 file",
                self.name
            )),
            _ => in_text((self.name, &*self.document), text, form, error),
        })?;
        let found = Found::of_document(&*self.document, &replaced);
        Ok(Replaced { changed: shown_changes(&*self.document, &replaced.changes), found })
    }

    /// Makes the changes from `base` to `theirs`. Without a preferred side, conflicts keep the content.
    pub(crate) fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure> {
        let (base, mut is_partial) = self.opened(base)?;
        let theirs = match (theirs, &base) {
            (Version::Text(text, form), Some(base)) => {
                let by = document::Fidelity::Mended;
                Some(self.of_text(&**base, text, *form, by)?)
            }
            (theirs, _) => {
                let (theirs, is_part) = self.opened(theirs)?;
                is_partial |= is_part;
                theirs
            }
        };
        if self.document.fixed().is_some() && theirs.is_some() && base.is_none() {
            return Err(Failure::no(format!(
                "{}: both sides added this file, so there is nothing to merge it by",
                self.name
            )));
        }
        let wins = prefer == Some(Side::Theirs);
        let merged = self.document.merge(base.as_deref(), theirs.as_deref(), wins);
        let merged = merged.map_err(|error| refused(&*self.document, self.name, "", error))?;
        let Some(document::Merged { changes, conflicts, losses, told }) = merged else {
            return self.merge_as_json(
                base.as_deref(),
                theirs.as_deref(),
                prefer.unwrap_or_default(),
            );
        };
        if losses > 0 {
            let (name, lost) = (self.name, counted(losses as u64, "value"));
            remark(&format!(
                "{name}: {lost} of the others' engine would lose something; merged as they would become"
            ));
        }
        let document = &*self.document;
        let value = |json: Option<Json>| {
            json.map(|it| match document.fixed() {
                Some(_) => ShownValue::of_words(&document.shown(&it)),
                None => ShownValue::of_document(document, &it),
            })
        };
        let conflicts = conflicts.into_iter().map(|it| Conflict {
            place: shown(&it.path),
            base: value(it.base),
            ours: value(it.ours),
            theirs: value(it.theirs),
        });
        let changed = shown_changes(document, &changes);
        Ok(Merged { changed, conflicts: conflicts.collect(), is_partial, told })
    }

    /// Returns each value as JSON, and whether the text of all is a list.
    pub(crate) fn json(&self) -> (Vec<Json>, bool) {
        let several = self.document.holds_several();
        (each(several, self.document.to_json()), several)
    }
}

/// Returns the documents of a file, of its content.
pub(crate) fn each(holds_several: bool, json: Json) -> Vec<Json> {
    match (holds_several, json) {
        (true, Json::Array(documents)) => documents,
        (_, json) => vec![json],
    }
}
