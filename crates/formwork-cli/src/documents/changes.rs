//! Changing any document: values set and removed, and what changed in words.

use std::cmp::Reverse;
use std::collections::HashMap;

use formwork::document::{Change, Document, Edit, Json, rule};

use super::look::no_place;
use crate::changed::{Changed, ShownValue};
use crate::failure::Failure;
use crate::style::shown;

/// Changes that people read in lines.
pub(crate) const LINES: usize = 20;

/// Returns a change as it is printed.
pub(crate) fn shown_change(change: &Change) -> Changed {
    let value = |json: &Json| ShownValue::of_words(&json.to_string());
    let place = change.path.clone();
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            Changed::replaced(place, value(before), value(after), before == after)
        }
        (Some(before), None) => Changed::removed(place, value(before)),
        (None, after) => Changed::added(place, value(after.as_ref().unwrap_or(&Json::Null))),
    }
}

/// Returns the failure of a change.
fn refused(name: &str, path: &str, error: formwork::Error) -> Failure {
    match error.rule() {
        rule::DOCUMENT_PATH => no_place(name, path, &error),
        _ => Failure::in_value(name, error),
    }
}

/// Sets values at paths, and returns what changed.
///
/// With `is_exact` a value is the JSON that was typed, and not brought into the form of the value that is there.
pub(crate) fn set(
    document: &mut dyn Document,
    name: &str,
    pairs: &[[String; 2]],
    (adds, is_exact): (bool, bool),
) -> Result<Vec<Change>, Failure> {
    let json = document.to_json();
    let edits = pairs.iter().map(|[path, text]| {
        let there = json.find(path).ok().filter(|_| !is_exact);
        let value = if is_exact { Json::read(text.as_bytes()) } else { typed(text, there) };
        let value = value.map_err(|error| {
            let what = format!("the value of {}", shown(path));
            Failure::in_text(&what, text.as_bytes(), error)
        })?;
        Ok(if adds { Edit::add(path, value) } else { Edit::set(path, value) })
    });
    let edits = edits.collect::<Result<Vec<_>, Failure>>()?;
    let lost = pairs.iter().find(|it| json.find(&it[0]).is_err());
    let path = lost.or(pairs.first()).map_or("", |it| &it[0]);
    document.edit(&edits).map_err(|error| {
        let adding = edits.into_iter().map(|edit| match edit {
            Edit::Set { path, value, .. } => Edit::add(path, value),
            edit @ Edit::Remove { .. } => edit,
        });
        let failure = refused(name, path, error);
        // (The document is not written after a failure.)
        let can_be_added = !adds && document.edit(&adding.collect::<Vec<_>>()).is_ok();
        if can_be_added { failure.hint("to add a new entry, use --add") } else { failure }
    })
}

/// Returns the value that a person typed: a string where a string is, and a number in the form of the one that is
/// there.
fn typed(text: &str, there: Option<&Json>) -> formwork::Result<Json> {
    match (Json::read(text.as_bytes()), there) {
        (Ok(Json::Number(_) | Json::Bool(_) | Json::Null), Some(Json::String(_))) => {
            Ok(text.into())
        }
        (Ok(mut value), Some(there)) => {
            keep_forms(there, &mut value);
            Ok(value)
        }
        (Ok(value), None) => Ok(value),
        (Err(error), _) if text.trim_start().starts_with(['{', '[', '"']) => Err(error),
        (Err(_), _) => Ok(text.into()),
    }
}

/// Gives numbers the form of those that were at their places: `7` becomes `7.0` where `5.0` was, and `7.0` becomes `7`
/// where `5` was.
pub(crate) fn keep_forms(old: &Json, new: &mut Json) {
    match (old, new) {
        (Json::Number(old), Json::Number(new)) => {
            let is_float = |number: &str| number.contains(['.', 'e', 'E']);
            match (is_float(old), is_float(new)) {
                (true, false) => new.push_str(".0"),
                (false, true) => {
                    let whole = new.split_once('.').filter(|it| it.1.bytes().all(|it| it == b'0'));
                    if let Some((whole, _)) = whole {
                        *new = whole.to_owned();
                    }
                }
                _ => {}
            }
        }
        // Of lists of different lengths, nobody knows which element was which.
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).for_each(|(old, new)| keep_forms(old, new));
        }
        (Json::Object(old), Json::Object(new)) => {
            let olds: HashMap<_, _> = old.iter().map(|it| (&it.0, &it.1)).collect();
            for (name, value) in new {
                if let Some(old) = olds.get(name) {
                    keep_forms(old, value);
                }
            }
        }
        _ => {}
    }
}

/// Removes the values at paths, which are those of the document as it is, and returns what changed.
pub(crate) fn remove(
    document: &mut dyn Document,
    name: &str,
    paths: &[String],
) -> Result<Vec<Change>, Failure> {
    let json = document.to_json();
    let mut places = Vec::new();
    for path in paths {
        let place = json.place(path).map_err(|error| refused(name, path, error))?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    // Later elements go first: removing one moves those after it.
    places.sort_by_key(|place| Reverse(in_order(place)));
    let edits: Vec<_> = places.into_iter().map(Edit::remove).collect();
    let path = paths.first().map_or("", |path| path);
    document.edit(&edits).map_err(|error| refused(name, path, error))
}

/// Replaces the content of a document, and returns what changed.
pub(crate) fn replace(
    document: &mut dyn Document,
    name: &str,
    new: &Json,
) -> Result<Vec<Changed>, Failure> {
    let changes = document.set_json(new).map_err(|error| refused(name, "", error))?;
    Ok(changes.iter().map(shown_change).collect())
}

/// Returns the steps of a path so that elements are in the order of their numbers.
fn in_order(place: &str) -> Vec<(Option<usize>, String)> {
    place.split('/').map(|step| (step.parse().ok(), step.to_owned())).collect()
}

/// Reads the JSON of a whole document that a person, a filter or a file gives.
pub(crate) fn read_value(name: &str, text: &[u8]) -> Result<Json, Failure> {
    let text = crate::form::without_mark(text);
    Json::read(text).map_err(|error| Failure::in_text(name, text, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_form() {
        let read = |text: &str| Json::read(text.as_bytes()).unwrap();
        for (old, new, expected) in [
            ("5.0", "7", "7.0"),
            ("5", "7.0", "7"),
            ("5", "7.5", "7.5"),
            ("5", "18446744073709551615", "18446744073709551615"),
            ("1e3", "-7", "-7.0"),
            ("[1,2.5]", "[2.0,3]", "[2,3.0]"),
            ("[1]", "[1.0,2.0]", "[1.0,2.0]"),
            (r#"{"a":{"b":1.5}}"#, r#"{"c":1,"a":{"b":2}}"#, r#"{"c":1,"a":{"b":2.0}}"#),
        ] {
            let mut made = read(new);
            keep_forms(&read(old), &mut made);
            assert_eq!(made.to_string(), expected, "{old} {new}");
        }
    }
}
