//! What became of a file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Finding;

/// What a command did with a file.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct FileReport {
    /// The file that was read.
    pub(crate) file: String,
    /// The layer in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layer: Option<String>,
    /// Where the new file was written, or would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    pub(crate) written: bool,
    /// The backup that the file was restored from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) backup: Option<String>,
    /// The engine or format that the new file is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<String>,
    /// Bytes of the new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<usize>,
    /// How many files a new pack has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file_count: Option<usize>,
    /// What was done, and how often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<BTreeMap<&'static str, i64>>,
    /// What could not be kept or was left out, and how often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) losses: Option<BTreeMap<&'static str, i64>>,
    /// The files of a pack that changed.
    #[serde(flatten)]
    pub(crate) members: BTreeMap<&'static str, Vec<String>>,
    /// False where not all of the file could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) complete: Option<bool>,
    /// Why the file was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) left_out: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Finding>,
}

impl FileReport {
    /// Starts the report of a file.
    pub(crate) fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }
}
