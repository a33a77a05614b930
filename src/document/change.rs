//! Differences between two JSON values.

use std::fmt;

use super::Json;
use super::path::step_of;
use crate::align;

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
    /// The path of the value in the old JSON, if it is another one.
    pub old_path: Option<String>,
    /// The old value, if it is known; nothing if the value is new.
    pub before: Option<Json>,
    /// The new value, if it is known; nothing if the value is gone.
    pub after: Option<Json>,
    /// The difference in words, before and after, where the values do not show it: the positions of a value that moved,
    /// the types that a container declares.
    pub words: Option<[String; 2]>,
    /// The object that holds the value, in documents of objects with classes.
    pub holder: Option<Holder>,
}

/// An object that holds a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Holder {
    /// The path of the object; nothing for the outermost one.
    pub object: String,
    /// The name of its class; nothing if the value is in no object.
    pub class: String,
    /// The path of the value from the object on.
    pub field: String,
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
        Self { kind, path, old_path: None, before, after, words: None, holder: None }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the value" } else { &self.path };
        if let Some([before, after]) = &self.words {
            return write!(f, "{path}: {before} -> {after}");
        }
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
/// An element that is in both lists is the same one, wherever it is. Of the others, those that are most alike are
/// compared.
#[must_use]
pub fn changes(before: &Json, after: &Json) -> Vec<Change> {
    let mut found = Vec::new();
    compare(String::new(), before, after, &mut found);
    found
}

impl Change {
    /// Returns whether the values are equal but for the form of numbers, `1` and `1.0`, and for differences of at most
    /// `tolerance`.
    #[must_use]
    pub fn is_within(&self, tolerance: f64) -> bool {
        self.before
            .as_ref()
            .zip(self.after.as_ref())
            .is_some_and(|it| is_near(it.0, it.1, tolerance))
    }
}

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

/// Elements of a list of scalars that are compared one by one, at most.
const SCALARS: usize = 64;

/// Adds the differences of two values at a path, see [`changes`].
pub(super) fn compare(path: String, before: &Json, after: &Json, found: &mut Vec<Change>) {
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
            for (at, other) in aligned(old, new) {
                let old = at.map(|at| &old[at]);
                let new = other.map(|other| &new[other]);
                let path = inside(&other.or(at).unwrap_or_default().to_string());
                match (old, new) {
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

/// The most pairs for which all elements of two runs are compared with each other.
const RUNS: usize = 1 << 12;

/// Returns the positions of each element in two lists: equal elements are the same, and between these the elements that
/// are most alike.
fn aligned(old: &[Json], new: &[Json]) -> Vec<(Option<usize>, Option<usize>)> {
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (olds, news) = (&old[front..], &new[front..]);
    let pairs = olds.iter().rev().zip(news.iter().rev());
    let back = pairs.take_while(|(old, new)| old == new).count();
    let (olds, news) = (&olds[..olds.len() - back], &news[..news.len() - back]);
    let texts = |all: &[Json]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (mut at, mut other, mut pairs) = (0, 0, Vec::new());
    let anchors = align::equal(&texts(olds), &texts(news)).into_iter();
    for (to, other_to) in anchors.chain([(olds.len(), news.len())]) {
        let (run, other_run) = (&olds[at..to], &news[other..other_to]);
        let (start, other_start) = (at, other);
        let likest = match run.len().saturating_mul(other_run.len()) {
            0..=RUNS => align::best([run.len(), other_run.len()], |one, other| {
                likeness(&run[one], &other_run[other])
            }),
            _ => (0..run.len().min(other_run.len())).map(|at| (at, at)).collect(),
        };
        pairs.extend(likest.into_iter().map(|it| (start + it.0, other_start + it.1)));
        pairs.push((to, other_to));
        (at, other) = (to + 1, other_to + 1);
    }
    pairs.pop();
    let inner = pairs.into_iter().map(|it| (front + it.0, front + it.1));
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    let outer = (0..back).map(|at| (old_end + at, new_end + at));
    let (mut at, mut other, mut all) = (0, 0, Vec::new());
    let pairs = (0..front).map(|at| (at, at)).chain(inner).chain(outer);
    for (to, other_to) in pairs.chain([(old.len(), new.len())]) {
        all.extend((at..to).map(|at| (Some(at), None)));
        all.extend((other..other_to).map(|other| (None, Some(other))));
        all.push((Some(to), Some(other_to)));
        (at, other) = (to + 1, other_to + 1);
    }
    all.pop();
    all
}

/// Returns the similarity of two values: more for each common part. 0 if they are unrelated.
fn likeness(old: &Json, new: &Json) -> usize {
    match (old, new) {
        (Json::Object(olds), Json::Object(members)) => {
            let by_name = old.by_name();
            let common =
                members.iter().filter_map(|(name, value)| Some((by_name.get(&**name)?, value)));
            let (shared, same) = common.fold((0, 0), |(shared, same), (old, new)| {
                (shared + 1, same + usize::from(*old == new))
            });
            if 2 * shared >= olds.len().max(members.len()) { 1 + shared + 2 * same } else { 0 }
        }
        (Json::Array(old), Json::Array(new)) => {
            1 + old.iter().zip(new).filter(|(old, new)| old == new).count()
        }
        (old, new) => usize::from(old.kind() == new.kind()),
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
        let (old, new) = (r#"["x0","x1","x2","x3","x4"]"#, r#"["x1","x2","t","x3","x4","q"]"#);
        assert_eq!(of(old, new), [r#"0: removed "x0""#, r#"2: added "t""#, r#"5: added "q""#]);
        let (old, new) = (r#"[{"a":1,"b":2},{"a":3,"b":4}]"#, r#"[{"c":0},{"a":3,"b":5}]"#);
        assert_eq!(
            of(old, new),
            [r#"0: removed {"a":1,"b":2}"#, r#"0: added {"c":0}"#, "1/b: 4 -> 5"]
        );
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
