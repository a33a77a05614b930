//! Differences between two JSON values.

use std::fmt;

use super::Json;
use super::path::step_of;

/// The kind of a [`Change`].
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The value is new.
    Added,
    /// The value is gone.
    Removed,
    /// The value is another one.
    Changed,
    /// The value has another position.
    Moved,
    /// The value is of another type.
    TypeChanged,
}

impl ChangeKind {
    /// Returns the name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::TypeChanged => "type_changed",
        }
    }
}

/// A value that is another one, new, gone or moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The path of the value: in the old JSON if it is gone, else in the new one.
    pub path: String,
    /// The old value, if it is known; nothing if the value is new.
    pub before: Option<Json>,
    /// The new value, if it is known; nothing if the value is gone.
    pub after: Option<Json>,
}

impl Change {
    /// Returns the change of a value, by what there was and is.
    #[must_use]
    pub const fn new(path: String, before: Option<Json>, after: Option<Json>) -> Self {
        let kind = match (&before, &after) {
            (None, Some(_)) => ChangeKind::Added,
            (Some(_), None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        Self { kind, path, before, after }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the value" } else { &self.path };
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{path}: {before} -> {after}"),
            (None, Some(after)) => write!(f, "{path}: added {after}"),
            (Some(before), None) => write!(f, "{path}: removed {before}"),
            (None, None) => write!(f, "{path}: {}", self.kind.name()),
        }
    }
}

/// Returns the differences of two values, in the order of the first.
///
/// Two lists are compared without the elements that are the same at their starts and at their ends.
#[must_use]
pub fn changes(before: &Json, after: &Json) -> Vec<Change> {
    let mut found = Vec::new();
    compare(String::new(), before, after, &mut found);
    found
}

/// Elements of a list of scalars that are compared one by one, at most.
const SCALARS: usize = 64;

fn compare(path: String, before: &Json, after: &Json, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    let inside = |name: &str| match path.as_str() {
        "" => step_of(name),
        path => format!("{path}/{}", step_of(name)),
    };
    match (before, after) {
        (Json::Object(old), Json::Object(new)) => {
            // Steps pass through the variant of a choice.
            if let (Some((one, before)), Some((other, after))) = (before.tag(), after.tag()) {
                if one == other && before.len().is_some() {
                    return compare(path, before, after, found);
                }
                let whole = |members: &[(String, Json)]| Some(Json::Object(members.to_vec()));
                return found.push(Change::new(path, whole(old), whole(new)));
            }
            let (olds, news) = (before.by_name(), after.by_name());
            for (name, value) in old {
                match news.get(&**name) {
                    Some(other) => compare(inside(name), value, other, found),
                    None => found.push(Change::new(inside(name), Some(value.clone()), None)),
                }
            }
            for (name, value) in new.iter().filter(|it| !olds.contains_key(&*it.0)) {
                found.push(Change::new(inside(name), None, Some(value.clone())));
            }
        }
        (Json::Array(old), Json::Array(new))
            if old.len().max(new.len()) <= SCALARS || !is_row(old) =>
        {
            let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
            let (old, new) = (&old[start..], &new[start..]);
            let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new);
            let end = end.count();
            let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
            for index in 0..old.len().max(new.len()) {
                let path = inside(&(start + index).to_string());
                match (old.get(index), new.get(index)) {
                    (Some(old), Some(new)) => compare(path, old, new, found),
                    (old, new) => found.push(Change::new(path, old.cloned(), new.cloned())),
                }
            }
        }
        (before, after) => {
            found.push(Change::new(path, Some(before.clone()), Some(after.clone())));
        }
    }
}

fn is_row(elements: &[Json]) -> bool {
    elements.iter().all(|it| it.len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(before: &str, after: &str) -> Vec<String> {
        let [before, after] = [before, after].map(|it| Json::read(it.as_bytes()).unwrap());
        changes(&before, &after).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn elements_that_moved_are_no_changes() {
        assert_eq!(of("[1,2,3]", "[1,3]"), ["1: removed 2"]);
        assert_eq!(of("[1,3]", "[0,1,3]"), ["0: added 0"]);
        assert_eq!(
            of(r#"{"a":[{"b":1},{"b":2}]}"#, r#"{"a":[{"b":3},{"b":2}]}"#),
            ["a/0/b: 1 -> 3"]
        );
    }

    #[test]
    fn a_choice_is_passed_through_while_its_variant_stays() {
        assert_eq!(of(r#"{"c":{"$A":{"x":1}}}"#, r#"{"c":{"$A":{"x":2}}}"#), ["c/x: 1 -> 2"]);
        assert_eq!(of(r#"{"c":{"$A":1}}"#, r#"{"c":{"$B":1}}"#), [r#"c: {"$A":1} -> {"$B":1}"#]);
        assert_eq!(of("1", "[1]"), ["the value: 1 -> [1]"]);
        assert_eq!(of("{}", r#"{"a":1}"#), ["a: added 1"]);
    }
}
