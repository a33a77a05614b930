//! Real files of Terrain Builder, which may not be shipped.

use std::path::PathBuf;

/// The variable that names a folder of real files, or is `none`.
pub const VARIABLE: &str = "FORMWORK_ALB1_CORPUS";

/// Returns the folder of real files; [`None`] if the variable says `none`.
///
/// Tests that need it are ignored by default, so that none passes without them.
///
/// # Panics
///
/// Panics if the variable is not set.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    let folder = folder.unwrap_or_else(|| panic!("{VARIABLE} names no folder of real files"));
    (folder != "none").then(|| folder.into())
}
