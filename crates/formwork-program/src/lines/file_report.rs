//! The report on a file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::{Finding, whole_name};

/// The result of a command for one file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FileReport {
    /// The file that was read.
    pub file: String,
    /// The layer in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The path of the new file, written or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Whether the file was written.
    pub written: bool,
    /// The backup that the file was restored from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// The engine or format of the new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Size of the new file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// Number of files in a new pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_count: Option<usize>,
    /// The number of changes of each kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<BTreeMap<&'static str, i64>>,
    /// The number of losses of each kind: values that could not be kept or were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub losses: Option<BTreeMap<&'static str, i64>>,
    /// The files of a pack that changed.
    #[serde(flatten)]
    pub members: BTreeMap<&'static str, Vec<String>>,
    /// False where a part of the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The reason why the file was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// The error, where the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Finding>,
}

impl FileReport {
    /// Starts the report on a file.
    pub fn new(file: &Path) -> Self {
        Self { file: whole_name(file), ..Self::default() }
    }
}
