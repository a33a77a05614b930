//! The files of a project, one by one.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use formwork_alb1::terrain::{FileKind, ObjectLayer, Root, Tags};
use formwork_alb1::{Document, Text, Value};
use formwork_godot::detect::{Other, detect};
use formwork_variant::dialect::Family;
use glob::{MatchOptions, Pattern};

use super::error::{OpenError, Unreadable};

/// Reads the files of a project, and says what messages call them.
pub trait ReadFile {
    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// Where the system refuses it.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Hears that so many files of a folder are read next, one by one.
    fn starts(&self, files: usize) {
        let _ = files;
    }

    /// Returns what messages call the file: its path.
    fn name(&self, path: &Path) -> String {
        path.display().to_string()
    }
}

/// Reads files as they are on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct FromDisk;

impl ReadFile for FromDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// Reads a file with `reader`, or says why that is not possible.
pub(super) fn read(path: &Path, reader: &dyn ReadFile) -> Result<Vec<u8>, Unreadable> {
    reader.read(path).map_err(|error| match path.is_dir() {
        true => Unreadable::Folder,
        false => Unreadable::Refused(error),
    })
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct ProjectFile {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub name: String,
    /// What is in it.
    pub document: Document,
}

impl ProjectFile {
    /// Reads one file.
    ///
    /// # Errors
    ///
    /// [`OpenError::File`], where it is no ALB1 file or cannot be read.
    pub fn open(path: &Path, reader: &dyn ReadFile) -> Result<Self, OpenError> {
        let name = reader.name(path);
        match read(path, reader) {
            Ok(bytes) => Self::from_bytes(path, name, bytes),
            Err(why) => Err(OpenError::File { name, path: path.to_owned(), why }),
        }
    }

    /// Reads the bytes of the file at `path`, which messages call `name`.
    ///
    /// # Errors
    ///
    /// [`OpenError::File`], where they are no ALB1 file.
    pub fn from_bytes(path: &Path, name: String, bytes: Vec<u8>) -> Result<Self, OpenError> {
        let path = path.to_owned();
        match document(bytes.into()) {
            Ok(document) => Ok(Self { path, name, document }),
            Err(why) => Err(OpenError::File { name, path, why }),
        }
    }

    /// Returns what the file is; [`None`] where its root is of a class that no file of Terrain Builder
    /// has there.
    #[must_use]
    pub fn kind(&self) -> Option<FileKind> {
        FileKind::of(&self.document)
    }

    /// Reads the root of the file into its struct.
    ///
    /// # Errors
    ///
    /// Where it is of another class, or a field is missing or holds something else.
    pub fn view<T: Root>(&self) -> formwork::Result<T> {
        T::of(&self.document)
    }

    /// Returns the name that Terrain Builder shows, of the project or layer, if the file has one.
    #[must_use]
    pub fn title(&self) -> Option<&Text> {
        let tag = self.document.tags.id(Tags::<ObjectLayer>::name)?;
        self.document.root.get(tag).and_then(Value::as_text)
    }

    /// Returns the name of the file without folders and extension.
    #[must_use]
    pub fn stem(&self) -> Cow<'_, str> {
        stem(&self.path)
    }

    /// Whether the layer has this name, or its file has; for files case means nothing.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.title().is_some_and(|title| *title == *name) || self.stem().eq_ignore_ascii_case(name)
    }

    /// Whether the name of the layer, or that of its file, matches a pattern; for files case means nothing.
    pub(super) fn is_named_like(&self, pattern: &Pattern) -> bool {
        let any_case = MatchOptions { case_sensitive: false, ..MatchOptions::default() };
        self.title().is_some_and(|title| pattern.matches(&title.to_str()))
            || pattern.matches_with(&self.stem(), any_case)
    }
}

/// A file that is called like a layer and could not be read as one.
#[derive(Debug)]
pub struct UnreadFile {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub name: String,
    /// Why it was not read.
    pub why: Unreadable,
}

impl UnreadFile {
    /// Whether it is a pointer of Git LFS: what a copy without its large files has in their place.
    #[must_use]
    pub fn is_git_lfs_pointer(&self) -> bool {
        matches!(self.why, Unreadable::Other(Other::GitLfsPointer))
    }

    /// Returns the name of the file without folders and extension.
    #[must_use]
    pub fn stem(&self) -> Cow<'_, str> {
        stem(&self.path)
    }
}

fn stem(path: &Path) -> Cow<'_, str> {
    path.file_stem().unwrap_or_default().to_string_lossy()
}

/// Reads a document, which shares the memory of `bytes`.
pub(super) fn document(bytes: Bytes) -> Result<Document, Unreadable> {
    Document::from_bytes(&bytes).map_err(|error| {
        if bytes.is_empty() {
            return Unreadable::Empty;
        }
        let detection = detect(&bytes);
        match (detection.other, detection.leading()) {
            (Some(Other::Alb1), _) | (None, []) => {
                drop(detection);
                Unreadable::Damaged { bytes, error }
            }
            (Some(other), _) => Unreadable::Other(other),
            (None, readings) => {
                use Family::{Godot2, Godot3, Godot4};
                let is_godot = |family| matches!(family, Godot2 | Godot3 | Godot4);
                Unreadable::Values(match readings.iter().all(|it| is_godot(it.dialect.family())) {
                    true => "Godot",
                    false => "Godot or Pandemonium",
                })
            }
        }
    })
}
