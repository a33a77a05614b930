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
        let (tag, inner) = untagged(value);
        let kind = value.kind().trim_start_matches("an ").trim_start_matches("a ");
        Child {
            path: if around.is_empty() { step.clone() } else { format!("{around}/{step}") },
            name: step,
            type_name: tag.unwrap_or(kind).to_owned(),
            shown: inner.len().is_none().then(|| shown(value)),
            length: inner.len(),
        }
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
