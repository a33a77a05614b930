//! The report on a file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::{Finding, whole_name};

/// The result of a command for one file.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct FileReport {
    /// The file that was read.
    pub(crate) file: String,
    /// The layer in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layer: Option<String>,
    /// The path of the new file, written or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    pub(crate) written: bool,
    /// The backup that the file was restored from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) backup: Option<String>,
    /// The engine or format of the new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<String>,
    /// Size of the new file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<usize>,
    /// Number of files in a new pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file_count: Option<usize>,
    /// The number of changes of each kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<BTreeMap<&'static str, i64>>,
    /// The number of losses of each kind: values that could not be kept or were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) losses: Option<BTreeMap<&'static str, i64>>,
    /// The files of a pack that changed.
    #[serde(flatten)]
    pub(crate) members: BTreeMap<&'static str, Vec<String>>,
    /// False where a part of the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) complete: Option<bool>,
    /// The reason why the file was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) left_out: Option<String>,
    /// The error, where the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Finding>,
}

impl FileReport {
    /// Starts the report on a file.
    pub(crate) fn new(file: &Path) -> Self {
        Self { file: whole_name(file), ..Self::default() }
    }
}
