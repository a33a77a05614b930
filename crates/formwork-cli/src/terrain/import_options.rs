//! The options of the verbs that take lists and shapes in.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::super::failure::Failure;
use super::super::output::InPlaceOptions;

/// What is imported, and what becomes of what is there.
#[derive(Args, Clone, Debug)]
pub(super) struct ImportOptions {
    /// Import this file ('-' for standard input)
    #[arg(long = "import", value_name = "FILE", help_heading = "Import")]
    list: Option<PathBuf>,
    /// What to do with what is there already
    #[arg(
        long,
        value_enum,
        value_name = "MODE",
        default_value_t,
        requires = "list",
        help_heading = "Import"
    )]
    pub(super) mode: Mode,
    #[command(flatten, next_help_heading = "Import")]
    pub(super) change: InPlaceOptions,
}

/// What is imported into a layer, which may be a new one.
#[derive(Args, Clone, Debug)]
pub(super) struct LayerImportOptions {
    #[command(flatten)]
    pub(super) import: ImportOptions,
    /// Create a new layer with this name
    #[arg(
        long = "new",
        value_name = "NAME",
        requires = "list",
        conflicts_with = "layers",
        help_heading = "Import"
    )]
    pub(super) new: Option<String>,
}

/// As the library has it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(super) enum Mode {
    /// Change and add what the file has, and keep all else
    #[default]
    Update,
    /// Like update, but delete what is not in the file
    Mirror,
    /// Delete everything, then add what the file has
    Replace,
    /// Add everything that the file has
    Append,
}

impl From<Mode> for formwork_terrain::object_list::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Update => Self::Update,
            Mode::Mirror => Self::Mirror,
            Mode::Replace => Self::Replace,
            Mode::Append => Self::Append,
        }
    }
}

impl ImportOptions {
    /// The file that is imported. Without one, options that go with it are refused.
    pub(super) fn file(&self) -> Result<Option<&Path>, Failure> {
        if self.list.is_none() {
            only_with(self.change, "--import FILE")?;
        }
        Ok(self.list.as_deref())
    }
}

/// Refuses the options of a change where nothing says what to change.
pub(super) fn only_with(change: InPlaceOptions, option: &str) -> Result<(), Failure> {
    if change.is_in_place() || change.is_dry_run() {
        return Err(Failure::usage(format!("--in-place and --dry-run go with {option}")));
    }
    Ok(())
}
