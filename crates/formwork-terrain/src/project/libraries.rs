//! The template libraries of a project.

use std::path::PathBuf;

use formwork_alb1::terrain::{Library, PathKind};

use super::drives::{Drives, Location};
use super::file::{ReadFile, read};
use super::{Project, ProjectFile};
use crate::library;
use crate::paths::{FilePath, file_paths};

/// A template library that a project names.
#[derive(Clone, Debug)]
pub struct LibraryFile {
    /// The path in the project.
    pub path: FilePath,
    /// The result of reading it.
    pub state: LibraryState,
}

/// The result of reading a template library.
#[derive(Clone, Debug)]
pub enum LibraryState {
    /// It was read.
    Read(Library),
    /// It is not a library, or cannot be read.
    Unreadable {
        /// The name of the file in messages.
        name: String,
        /// The reason, in a sentence without a full stop.
        why: String,
    },
    /// It is missing at the path where it was looked for.
    Missing(PathBuf),
    /// It was not looked for, as its drive is not mapped.
    Unknown,
}

impl Project {
    /// Looks for the template libraries that the project names, and reads them.
    #[must_use]
    pub fn libraries(&self, drives: &Drives, reader: &dyn ReadFile) -> Vec<LibraryFile> {
        let paths = self.project.iter().flat_map(ProjectFile::library_paths);
        paths
            .map(|path| {
                let state = match drives.find(&path, self.folder()) {
                    Location::Found(here) => match open(&here, reader) {
                        Ok(library) => LibraryState::Read(library),
                        Err(why) => LibraryState::Unreadable { name: reader.name(&here), why },
                    },
                    Location::Missing(here) => LibraryState::Missing(here),
                    Location::Unknown => LibraryState::Unknown,
                };
                LibraryFile { path, state }
            })
            .collect()
    }
}

impl ProjectFile {
    fn library_paths(&self) -> impl Iterator<Item = FilePath> + use<> {
        let paths = file_paths(&self.document).into_iter();
        paths.filter(|path| path.kind == PathKind::InProject)
    }
}

/// Reads a library, or returns why that is not possible.
fn open(path: &std::path::Path, reader: &dyn ReadFile) -> Result<Library, String> {
    let bytes = read(path, reader).map_err(|why| why.to_string())?;
    library(&bytes).map_err(|error| error.to_string())
}
