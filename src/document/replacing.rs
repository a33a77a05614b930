//! The results of replacing the content of a document by a text, of comparing and of merging.

use super::{Change, Json, rule};
use crate::error::{Error, Result};

/// How a text replaces the content of a document.
#[derive(Clone, Copy, Debug)]
pub struct Replacing<'f> {
    /// The form of the text.
    pub form: &'f str,
    /// The parts of the old content that the text leaves.
    pub fidelity: Fidelity,
    /// Whether the text is a list of values, however many there are.
    pub is_list: bool,
}

impl Default for Replacing<'_> {
    /// Takes JSON of as many values as there are, exactly.
    fn default() -> Self {
        Self { form: "json", fidelity: Fidelity::default(), is_list: false }
    }
}

/// The parts of the old content that a text leaves.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Fidelity {
    /// The types of numbers and the order of keys, which other programs lose, and the bytes of unchanged values.
    Mended,
    /// The bytes of values that did not change.
    #[default]
    Exact,
    /// Nothing.
    Anew,
}

/// The changes that a text made.
#[derive(Clone, Debug, Default)]
pub struct Replaced {
    /// The values that changed.
    pub changes: Vec<Change>,
    /// The places where the text had lost something that was taken from the old content.
    pub mended: Vec<Mended>,
}

/// A value that stayed what it was, though a text had it in another form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mended {
    /// The loss.
    pub kind: MendedKind,
    /// The path.
    pub path: String,
}

/// A loss of a value in a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MendedKind {
    /// The type of a number: it is a float.
    Float,
    /// The order of the keys.
    Order,
}

/// The differences between two documents.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The values that differ.
    pub changes: Vec<Change>,
    /// The number of values of the first document that lose something in the engine of the second.
    pub losses: usize,
}

/// The result of a merge.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// The values that changed.
    pub changes: Vec<Change>,
    /// The values that both sides changed, each in its own way.
    pub conflicts: Vec<Conflict>,
    /// The number of values of the others that lost something, as they are of another engine.
    pub losses: usize,
    /// The path of one of the changes, and what it is in words, where these tell more than the values.
    pub told: Option<(String, String)>,
}

/// A value that both sides of a merge changed, each in its own way.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The path.
    pub path: String,
    /// The value that both began with.
    pub base: Option<Json>,
    /// The value here.
    pub ours: Option<Json>,
    /// The value of the others.
    pub theirs: Option<Json>,
}

/// Refuses another form than JSON, for documents that have no other.
///
/// # Errors
///
/// Fails if the form is not `json`.
pub fn only_json(form: &str) -> Result<()> {
    match form {
        "json" => Ok(()),
        other => Err(Error::new(rule::DOCUMENT_FORM, 0, "the form `json`", other).nowhere()),
    }
}
