//! The options of the verbs that import lists and shapes.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use formwork_program::failure::Failure;
use formwork_program::output::InPlaceOptions;
use formwork_program::quantity::counted;

/// Options for the import into a project.
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
    /// Delete everything even if FILE is empty (with --mode mirror or replace)
    #[arg(long, requires = "list", help_heading = "Import")]
    force: bool,
    #[command(flatten, next_help_heading = "Import")]
    pub(super) change: InPlaceOptions,
}

/// Options for the import into a layer, which may be a new one.
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
    /// Refuses to delete everything for an empty file, unless that is forced.
    pub(super) fn refuse_empty(
        &self,
        name: &str,
        is_empty: bool,
        deleted: (usize, &str),
    ) -> Result<(), Failure> {
        let (count, what) = deleted;
        if !is_empty || count == 0 || self.force {
            return Ok(());
        }
        let count = counted(count as u64, what);
        Err(Failure::usage(format!("{name}: the list is empty, so {count} would be deleted"))
            .hint("nothing was changed; to delete them all the same, use --force"))
    }

    /// Returns the file that is imported. Refuses its options where there is no file.
    pub(super) fn file(&self) -> Result<Option<&Path>, Failure> {
        if self.list.is_none() {
            only_with(self.change, "--import FILE")?;
        }
        Ok(self.list.as_deref())
    }
}

/// Refuses `--in-place` and `--dry-run` without `option`.
pub(super) fn only_with(change: InPlaceOptions, option: &str) -> Result<(), Failure> {
    if change.is_in_place() || change.is_dry_run() {
        return Err(Failure::usage(format!("--in-place and --dry-run go with {option}")));
    }
    Ok(())
}
