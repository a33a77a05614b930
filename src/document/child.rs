//! The entries of a value, one level at a time.

use std::ops::Range;

use super::Json;
use super::path::step_of;
use crate::error::Result;

/// An entry of a value of a document: see [`Document::children`](super::Document::children).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Child {
    /// The path, which [`Document::get`](super::Document::get) and edits take.
    pub path: String,
    /// The last step of the path: a name or a position.
    pub name: String,
    /// The type in the words of the format: `Vector2`; of JSON `number`.
    pub type_name: String,
    /// The value as people read it, if it has no entries.
    pub shown: Option<String>,
    /// The number of entries; nothing for a value that cannot have any.
    pub length: Option<usize>,
}

/// Returns the value of JSON at a path as [`Document::look`](super::Document::look) does, for documents that have a part of
/// their content as JSON.
///
/// # Errors
///
/// Fails if there is no value.
pub fn look(json: &Json, path: &str) -> Result<Child> {
    at(json, path, &ToString::to_string)
}

/// Returns entries of JSON as [`Document::children`](super::Document::children) does, for documents that have a part of
/// their content as JSON.
///
/// # Errors
///
/// Fails if there is no value.
pub fn children(json: &Json, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
    of_json(json, path, range, &ToString::to_string)
}

/// Returns the value at a path as an entry.
pub(super) fn at(json: &Json, path: &str, shown: &dyn Fn(&Json) -> String) -> Result<Child> {
    let (path, value) = (json.place(path)?, json.find(path)?);
    let name = last_step(&path).to_owned();
    Ok(entry(path, name, value, shown))
}

/// Returns the last step of a whole path. A name in quotation marks may have slashes.
fn last_step(path: &str) -> &str {
    let mut rest = path;
    loop {
        let inner = rest.strip_prefix('"').unwrap_or_default();
        let mut is_escaped = false;
        let end = inner.find(|sign| {
            let is_end = sign == '"' && !is_escaped;
            is_escaped = sign == '\\' && !is_escaped;
            is_end
        });
        let quoted = end.map_or(0, |end| end + 2);
        match rest[quoted..].find('/') {
            Some(slash) => rest = &rest[quoted + slash + 1..],
            None => return rest,
        }
    }
}

/// Returns the type of JSON in a word: the name of a choice, or the kind.
pub(super) fn type_name(value: &Json) -> &str {
    let kind = value.kind().trim_start_matches("an ").trim_start_matches("a ");
    untagged(value).0.unwrap_or(kind)
}

fn entry(path: String, name: String, value: &Json, shown: &dyn Fn(&Json) -> String) -> Child {
    let length = untagged(value).1.len();
    let shown = length.is_none().then(|| shown(value));
    Child { path, name, type_name: type_name(value).to_owned(), shown, length }
}

/// Returns the entries in a range of the value at a path.
pub(super) fn of_json(
    json: &Json,
    path: &str,
    range: Range<usize>,
    shown: &dyn Fn(&Json) -> String,
) -> Result<Vec<Child>> {
    let around = json.place(path)?;
    let (_, value) = untagged(json.find(path)?);
    let child = |step: String, value: &Json| {
        let path = if around.is_empty() { step.clone() } else { format!("{around}/{step}") };
        entry(path, step, value, shown)
    };
    let (start, end) = (range.start, range.end.min(value.len().unwrap_or_default()));
    let children = (start..end).filter_map(|at| match value {
        Json::Array(elements) => Some(child(at.to_string(), elements.get(at)?)),
        Json::Object(members) => {
            let (name, value) = members.get(at)?;
            Some(child(step_of(name), value))
        }
        _ => None,
    });
    Ok(children.collect())
}

/// Returns the value in the variants of choices, through which steps pass, and the name of the innermost one.
fn untagged(json: &Json) -> (Option<&str>, &Json) {
    let (mut name, mut json) = (None, json);
    while let Some((tag, inner)) = json.tag() {
        (name, json) = (Some(tag.trim_start_matches('$')), inner);
    }
    (name, json)
}
