//! Changing any document: values set and removed, and what changed in words.

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
    let (before, after) = (change.before.as_ref().map(value), change.after.as_ref().map(value));
    Changed::at(change.path.clone(), change.kind.name(), before, after)
}

/// Returns whether values are equal but for the form of numbers, `1` and `1.0`, and for differences of at most
/// `tolerance`.
fn is_near(before: &Json, after: &Json, tolerance: f64) -> bool {
    match (before, after) {
        (Json::Number(before), Json::Number(after)) => {
            let whole = |text: &str| text.parse::<i128>().ok();
            match (whole(before), whole(after)) {
                // Floats do not hold all whole numbers.
                (Some(before), Some(after)) => before.abs_diff(after) as f64 <= tolerance,
                _ => match (before.parse::<f64>(), after.parse::<f64>()) {
                    (Ok(before), Ok(after)) => {
                        before == after || (before - after).abs() <= tolerance
                    }
                    _ => before == after,
                },
            }
        }
        (Json::Array(before), Json::Array(after)) => {
            let mut pairs = before.iter().zip(after);
            before.len() == after.len() && pairs.all(|(one, other)| is_near(one, other, tolerance))
        }
        (Json::Object(before), Json::Object(after)) => {
            let mut pairs = before.iter().zip(after);
            before.len() == after.len()
                && pairs
                    .all(|(one, other)| one.0 == other.0 && is_near(&one.1, &other.1, tolerance))
        }
        (before, after) => before == after,
    }
}

/// Returns the differences between two documents; with a tolerance without numbers that differ by at most that, and
/// without those that are only written in another form.
pub(crate) fn differences(
    old: &dyn Document,
    new: &dyn Document,
    tolerance: Option<f64>,
) -> Vec<Changed> {
    let mut changes = old.diff(new);
    changes.retain(|Change { before, after, .. }| match (before, after, tolerance) {
        (Some(before), Some(after), Some(tolerance)) => !is_near(before, after, tolerance),
        _ => true,
    });
    changes.iter().map(shown_change).collect()
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
    let edits = pairs.iter().map(|[path, text]| {
        let value = if is_exact { Json::read(text.as_bytes()) } else { document.typed(path, text) };
        let value = value.map_err(|error| match error.rule() {
            rule::DOCUMENT_VALUE => {
                let brief = |words: &str| ShownValue::of_words(words).brief();
                let there =
                    document.json().find(path).map_or_else(|_| String::new(), Json::to_string);
                let (there, text, kind) = (brief(&there), brief(text), error.expected());
                let (name, place) = (shown(name), shown(path));
                let message = format!(
                    "{name}: {place}: '{text}' is not {kind}, such as {there} which is there now"
                );
                Failure::refused(message, path, &error).hint("to change the type, use --as json")
            }
            _ => Failure::in_text("the new value", text.as_bytes(), error).in_new_value(path),
        })?;
        Ok(if adds { Edit::add(path, value) } else { Edit::set(path, value) })
    });
    let edits = edits.collect::<Result<Vec<_>, Failure>>()?;
    document.edit(&edits).map_err(|error| {
        let json = document.json();
        let lost = pairs.iter().find(|it| json.find(&it[0]).is_err());
        drop(json);
        let path = lost.or(pairs.first()).map_or("", |it| &it[0]);
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

/// Removes the values at paths, which are those of the document as it is, and returns what changed.
pub(crate) fn remove(
    document: &mut dyn Document,
    name: &str,
    paths: &[String],
) -> Result<Vec<Change>, Failure> {
    let json = document.json();
    let path = paths.iter().find(|path| json.find(path).is_err()).or(paths.first());
    drop(json);
    let path = path.map_or("", |path| path).to_owned();
    document.remove(paths).map_err(|error| refused(name, &path, error))
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
