//! Changes the files of a project. All of them are made before the first is written.

use std::fmt;
use std::path::{Path, PathBuf};

use formwork::Error;
use formwork_alb1::terrain::{Project as Settings, Root};

use super::{Project, ProjectFile};
use crate::paths::{Replaced, Replacement};

/// The new bytes of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The name of the file in messages.
    pub name: String,
    /// The new bytes of the file.
    pub bytes: Vec<u8>,
}

/// The reason why a file of a project cannot be changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChangeError {
    /// The file lacks something.
    Incomplete(Error),
    /// The project would have more objects than its counter can hold.
    TooManyObjects,
    /// The change would merge two things of a file.
    Conflict(Error),
    /// The changed file cannot be written.
    Value(Error),
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyObjects => f.write_str("too many objects for a project"),
            Self::Incomplete(error) | Self::Conflict(error) | Self::Value(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ChangeError {}

impl ProjectFile {
    /// Returns the project with its number of objects changed by `more`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a project, or if the number becomes too large for it.
    pub fn with_more_objects(&self, more: i64) -> Result<ChangedFile, ChangeError> {
        let mut settings: Settings = self.view().map_err(ChangeError::Incomplete)?;
        let total = &mut settings.objects.total_object_count;
        *total =
            i32::try_from(i64::from(*total) + more).map_err(|_| ChangeError::TooManyObjects)?;
        let mut document = self.document.clone();
        settings.store_in(&mut document).map_err(ChangeError::Value)?;
        let bytes = document.to_vec().map_err(ChangeError::Value)?;
        Ok(ChangedFile { path: self.path.clone(), name: self.name.clone(), bytes })
    }

    /// Returns the file with its paths replaced, and a description of the replaced paths.
    ///
    /// # Errors
    ///
    /// Returns an error if two models would get the same path with different contents.
    pub fn with_paths(
        &mut self,
        replacements: &[Replacement],
    ) -> Result<(ChangedFile, Replaced), ChangeError> {
        let replaced = Replacement::apply_all(replacements, &mut self.document);
        let replaced = replaced.map_err(ChangeError::Conflict)?;
        let bytes = self.document.to_vec().map_err(ChangeError::Value)?;
        Ok((ChangedFile { path: self.path.clone(), name: self.name.clone(), bytes }, replaced))
    }
}

impl Project {
    /// Returns the folder of layers that must be made before a layer can be written to `path`; [`None`] if it exists.
    #[must_use]
    pub fn missing_folder(path: &Path) -> Option<&Path> {
        path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    }
}
