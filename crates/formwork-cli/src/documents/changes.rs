//! Changing any document: values set and removed, and what changed in words.

use formwork::document::{self, Change, Document, Edit, Json, rule};
use formwork_edit::rule as edit_rule;

use crate::changed::{Changed, ShownValue};
use crate::content::{SetOptions, Typed};
use crate::failure::Failure;
use crate::form::Form;
use crate::lost_path::{lost, mistyped, no_place, with_slashes};
use crate::quantity::counted;
use crate::remark;
use crate::style::shown;

/// Changes that people read in lines.
pub(crate) const LINES: usize = 20;

/// Returns a change as it is printed.
pub(crate) fn shown_change(document: &dyn Document, change: &Change) -> Changed {
    let value = |json: &Json| match change.holder {
        // The values are those of a difference, which may be described in words.
        Some(_) => ShownValue::of_words(&document.shown(json)),
        None => ShownValue::of_document(document, json),
    };
    let (before, after) = (change.before.as_ref().map(value), change.after.as_ref().map(value));
    let (before, after) = match change.words.clone() {
        Some([old, new]) => (before.map(|it| it.called(old)), after.map(|it| it.called(new))),
        None => (before, after),
    };
    let changed = Changed::at(change.path.clone(), change.kind.name(), before, after);
    let (old_place, holder) = (change.old_path.clone(), change.holder.clone());
    Changed { old_place, holder, ..changed }
}

/// Returns changes as they are printed.
pub(crate) fn shown_changes(document: &dyn Document, changes: &[Change]) -> Vec<Changed> {
    changes.iter().map(|change| shown_change(document, change)).collect()
}

/// Returns the differences between two documents; with a tolerance without numbers that differ by at most that, and
/// without those that are only written in another form.
pub(crate) fn differences(
    (name, old): (&str, &dyn Document),
    new: &dyn Document,
    tolerance: Option<f64>,
) -> Vec<Changed> {
    let document::Differences { changes, losses } = old.diff_within(new, tolerance);
    if losses > 0 {
        let lost = counted(losses as u64, "value");
        let engine = |document: &dyn Document| {
            let engine = document.summary().into_iter().find(|it| it.0 == "engine");
            match engine.map(|it| it.1) {
                Some(Json::String(name)) => name,
                _ => String::new(),
            }
        };
        let (from, to) = (engine(old), engine(new));
        remark(&format!(
            "{name}: {lost} of {from} written for {to} would lose something; compared as they would become"
        ));
    }
    shown_changes(new, &changes)
}

/// Returns the failure of a change of the document.
pub(super) fn refused(
    document: &dyn Document,
    name: &str,
    path: &str,
    error: formwork::Error,
) -> Failure {
    if document.fixed().is_some() {
        return match path.is_empty() {
            true => Failure::in_value(name, error),
            false => no_place(name, path, &error),
        };
    }
    match document.look(path) {
        Err(lost_at) if error.rule() != edit_rule::TYPED => {
            return lost(name, path, document, &lost_at);
        }
        _ => {}
    }
    if error.rule() == edit_rule::TYPED {
        let declared = error.expected().trim_start_matches("the declared type ");
        let (new, own) = error.found().rsplit_once(", of the type ").unwrap_or_default();
        let path = shown(error.path().to_string().replace('.', "/"));
        let new = ShownValue::of_words(new).brief();
        let message = format!(
            "{name}: {path}: {new} is of the type {own}, and the dictionary declares {declared} for its values"
        );
        let expected = format!("a value of the type {declared}");
        let error = formwork::Error::new(rule::DOCUMENT_VALUE, 0, expected, own);
        return Failure::refused(message, &path, &error.nowhere());
    }
    if [rule::DOCUMENT_PATH, edit_rule::PATH, edit_rule::REMOVE].contains(&error.rule()) {
        return no_place(name, path, &error);
    }
    let keys = shown(error.place());
    Failure::in_value(name, error).in_keys(keys)
}

/// Returns the value that was typed for a path.
fn typed(
    document: &dyn Document,
    name: &str,
    [path, text]: &[String; 2],
    typed: Typed<'_>,
) -> Result<Json, Failure> {
    if let Some(form) = typed.form.filter(|it| *it == Form::Json || document.has_types()) {
        let read = document.read_text(form.name(), text.as_bytes());
        return read.map_err(|error| {
            Failure::in_text("the new value", text.as_bytes(), error).in_new_value(path)
        });
    }
    if let Some(bytes) = typed.file {
        if let Some(value) = document.of_bytes(path, typed.type_name, bytes) {
            return Ok(value);
        }
        if std::str::from_utf8(bytes).is_err() && !document.has_types() {
            return Err(Failure::no(format!("{name}: JSON has no bytes, and the file is no text"))
                .hint("as base64: base64 -w0 FILE | formwork set ... --file -"));
        }
    }
    let value = match typed.type_name {
        Some(_) => document.typed_as(text, typed.type_name),
        None => document.typed(path, text),
    };
    value.map_err(|error| match document.fixed() {
        Some(_) => no_place(name, path, &error),
        None => mistyped(name, path, (text, typed.type_name), document, error),
    })
}

/// Refuses a new path that is in the form of filters.
fn refuse_other_form(document: &dyn Document, name: &str, path: &str) -> Result<(), Failure> {
    match document.look(path) {
        Err(error) if document.has_types() && with_slashes(path, document).is_some() => {
            let key = serde_json::Value::from(path);
            Err(lost(name, path, document, &error)
                .hint(format!("for a key of this very name: '{}'", shown(key))))
        }
        _ => Ok(()),
    }
}

/// Sets values at paths, and returns what changed. A value that is the old one is listed, too.
pub(super) fn set(
    document: &mut dyn Document,
    name: &str,
    pairs: &[[String; 2]],
    options: SetOptions<'_>,
) -> Result<Vec<Changed>, Failure> {
    let SetOptions { adds, typed: how } = options;
    let mut edits = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let path = &pair[0];
        if adds {
            refuse_other_form(document, name, path)?;
        }
        let value = typed(document, name, pair, how).map_err(|failure| {
            let lost_at = document.look(path).err().filter(|_| {
                let is_new =
                    || adds && document.fork().edit(&[Edit::add(path, Json::Null)]).is_ok();
                document.has_types() && !is_new()
            });
            match lost_at {
                Some(error) => lost(name, path, document, &error),
                None => failure,
            }
        })?;
        edits.push(if adds { Edit::add(path, value) } else { Edit::set(path, value) });
    }
    let changes = document.edit(&edits).map_err(|error| {
        let is_lost = |pair: &&[String; 2]| document.look(&pair[0]).is_err();
        let path = pairs.iter().find(is_lost).or(pairs.first()).map_or("", |it| &it[0]);
        let failure = refused(document, name, path, error);
        let adding = edits.into_iter().map(|edit| match edit {
            Edit::Set { path, value, .. } => Edit::add(path, value),
            edit @ Edit::Remove { .. } => edit,
        });
        // (The document is not written after a failure.)
        let can_be_added = !adds
            && document.look(path).is_err()
            && !(document.has_types() && with_slashes(path, document).is_some())
            && document.edit(&adding.collect::<Vec<_>>()).is_ok();
        if can_be_added { failure.hint("to add a new entry, use --add") } else { failure }
    })?;
    let mut changed = shown_changes(document, &changes);
    for [path, _] in pairs {
        // (To look costs all values of a large file.)
        let is_told = changes.iter().any(|it| it.path == *path);
        let has_places = document.has_types() || document.fixed().is_some();
        if is_told || !has_places && !changes.is_empty() {
            continue;
        }
        let Ok(there) = document.look(path) else { continue };
        if !changes.iter().any(|it| it.path == there.path)
            && let Ok(value) = document.get(path)
        {
            let shown = ShownValue::of_document(document, &value);
            changed.push(Changed::replaced(there.path, shown.clone(), shown, true));
        }
    }
    Ok(changed)
}

/// Removes the values at paths, which are those of the document as it is, and returns what changed.
pub(super) fn remove(
    document: &mut dyn Document,
    name: &str,
    paths: &[String],
) -> Result<Vec<Changed>, Failure> {
    let changes = document.remove(paths).map_err(|error| {
        let lost = paths.iter().find(|path| document.look(path).is_err());
        match (lost, paths.first()) {
            (None, Some(path)) if document.has_types() => no_place(name, path, &error),
            (lost, first) => refused(document, name, lost.or(first).map_or("", |path| path), error),
        }
    })?;
    Ok(shown_changes(document, &changes))
}
