//! Paths of documents with slashes between their steps: `items/0/kind`.

use super::lines::{Finding, Grade};

/// Returns an error as a finding.
pub(crate) fn finding(grade: Grade, error: &formwork::Error) -> Finding {
    Finding { path: with_slashes(&format!("{:#}", error.path())), ..Finding::of(grade, error) }
}

/// Returns a path with slashes between its steps.
pub(crate) fn with_slashes(path: &str) -> String {
    path.replace(['[', '.'], "/").replace(']', "").trim_matches('/').to_owned()
}

/// Returns whether a path leads into what is at another, or to it.
pub(crate) fn is_inside(path: &str, around: &str) -> bool {
    let rest = path.strip_prefix(around);
    rest.is_some_and(|rest| around.is_empty() || rest.is_empty() || rest.starts_with('/'))
}
