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

/// Reads the files of a project, and chooses their names in messages.
pub trait ReadFile {
    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses to read it.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Announces that `files` files of a folder are read next, one by one.
    fn starts(&self, files: usize) {
        let _ = files;
    }

    /// Returns the name of the file in messages: its path.
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

/// Reads a file with `reader`, or returns why that is not possible.
pub(super) fn read(path: &Path, reader: &dyn ReadFile) -> Result<Vec<u8>, Unreadable> {
    reader.read(path).map_err(|error| match path.is_dir() {
        true => Unreadable::Folder,
        false => Unreadable::Refused(error),
    })
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct ProjectFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The name of the file in messages.
    pub name: String,
    /// The content of the file.
    pub document: Document,
}

impl ProjectFile {
    /// Reads one file.
    ///
    /// # Errors
    ///
    /// [`OpenError::File`] if it is not an ALB1 file or cannot be read.
    pub fn open(path: &Path, reader: &dyn ReadFile) -> Result<Self, OpenError> {
        let name = reader.name(path);
        match read(path, reader) {
            Ok(bytes) => Self::from_bytes(path, name, bytes),
            Err(why) => Err(OpenError::File { name, path: path.to_owned(), why }),
        }
    }

    /// Reads the bytes of the file at `path`; `name` is its name in messages.
    ///
    /// # Errors
    ///
    /// [`OpenError::File`] if they are not an ALB1 file.
    pub fn from_bytes(path: &Path, name: String, bytes: Vec<u8>) -> Result<Self, OpenError> {
        let path = path.to_owned();
        match document(bytes.into()) {
            Ok(document) => Ok(Self { path, name, document }),
            Err(why) => Err(OpenError::File { name, path, why }),
        }
    }

    /// Returns the kind of the file; [`None`] if its root has a class that no root of a Terrain Builder file has.
    #[must_use]
    pub fn kind(&self) -> Option<FileKind> {
        FileKind::of(&self.document)
    }

    /// Reads the root of the file into its struct.
    ///
    /// # Errors
    ///
    /// Returns an error if it is of another class, if a field is missing, or if a field has another type.
    pub fn view<T: Root>(&self) -> formwork::Result<T> {
        T::of(&self.document)
    }

    /// Returns the name of the project or layer that Terrain Builder shows, if the file has one.
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

    /// Whether the layer or its file has this name; case does not matter for files.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.title().is_some_and(|title| *title == *name) || self.stem().eq_ignore_ascii_case(name)
    }

    /// Whether the name of the layer or that of its file is like a name, as [`Project::select`](super::Project::select)
    /// says.
    pub(super) fn is_like(&self, name: &str) -> bool {
        let is_title =
            |title: &Text| Pattern::new(name).is_ok_and(|pattern| pattern.matches(&title.to_str()));
        self.title().is_some_and(|title| *title == *name || is_title(title))
            || is_file_named(&self.path, name)
    }
}

/// A file with the extension of a layer that could not be read as one.
#[derive(Debug)]
pub struct UnreadFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The name of the file in messages.
    pub name: String,
    /// The reason why it was not read.
    pub why: Unreadable,
}

impl UnreadFile {
    /// Whether it is a pointer of Git LFS, which replaces a large file in a copy without these.
    #[must_use]
    pub fn is_git_lfs_pointer(&self) -> bool {
        matches!(self.why, Unreadable::Other(Other::GitLfsPointer))
    }

    /// Whether the name of the file is like a name, as [`Project::select`](super::Project::select) says.
    #[must_use]
    pub fn is_named_like(&self, name: &str) -> bool {
        is_file_named(&self.path, name)
    }

    /// Returns the name of the file without folders and extension.
    #[must_use]
    pub fn stem(&self) -> Cow<'_, str> {
        stem(&self.path)
    }
}

/// Whether the name of a file, without its extension, is like a name: it is the same, or `*` matches anything, `?` a
/// character and `[ab]` one of several. Case does not matter.
pub(super) fn is_file_named(path: &Path, name: &str) -> bool {
    let any_case = MatchOptions { case_sensitive: false, ..MatchOptions::default() };
    let stem = stem(path);
    stem.eq_ignore_ascii_case(name)
        || Pattern::new(name).is_ok_and(|pattern| pattern.matches_with(&stem, any_case))
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
