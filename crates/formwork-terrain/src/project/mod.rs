//! Terrain Builder's projects on disk. The layers of a project are listed nowhere: they are the files
//! in two folders beside it, `<project>.Layers` and `<project>.Shapes`.
//!
//! ```no_run
//! use formwork_alb1::terrain::ObjectLayer;
//! use formwork_terrain::project::{FromDisk, Project};
//!
//! let island = Project::open("island.tv4p".as_ref(), &FromDisk)?;
//! for file in &island.layers {
//!     let layer: ObjectLayer = file.view()?;
//!     println!("{}: {} objects", layer.name, layer.object_count);
//! }
//! for file in &island.unread {
//!     println!("{}: {}", file.name, file.why);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod compare;
mod drives;
mod error;
mod file;
mod libraries;
mod new_layer;
mod summary;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::Document;
use formwork_alb1::terrain::FileKind;

pub use change::{ChangeError, ChangedFile};
pub use compare::FilePair;
pub use drives::{Drives, Location, MappedFolder};
pub use error::{OpenError, Unreadable};
use file::is_file_named;
pub use file::{FromDisk, ProjectFile, ReadFile, UnreadFile};
pub use libraries::{LibraryFile, LibraryState};
pub use new_layer::{NewLayer, NewLayerError, RootAddresses};
pub use summary::{LayerList, LayerSummary, UnreadSummary};

/// The extension of projects.
pub const PROJECT: &str = "tv4p";
/// The extension of object layers.
pub const OBJECT_LAYER: &str = "tv4l";
/// The extension of shape layers.
pub const SHAPE_LAYER: &str = "tv4s";

/// The files of a project, or of a folder that has only layers.
#[derive(Debug, Default)]
pub struct Project {
    /// The `.tv4p`; [`None`] if a folder of layers was opened.
    pub project: Option<ProjectFile>,
    /// The object layers (`.tv4l`), by name.
    pub layers: Vec<ProjectFile>,
    /// The shape layers (`.tv4s`), by name.
    pub shapes: Vec<ProjectFile>,
    /// Layers and shapes that could not be read.
    pub unread: Vec<UnreadFile>,
    /// The paths of layers and shapes that were not opened, as only others were asked for.
    pub unopened: Vec<PathBuf>,
}

/// The layers of one kind that are opened with a project.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Opening<'n> {
    /// All.
    #[default]
    All,
    /// None.
    None,
    /// Those whose files have one of these names; as in [`Project::select`], but if a name is that of no file, all are
    /// opened, because only their contents show which layer has it. All if there are no names.
    Named(&'n [String]),
}

impl Project {
    /// Opens a project and its layers, from the path of the `.tv4p` or of the folder that has it. A folder without a
    /// `.tv4p` may be one of layers, and a file may be a single layer. The content of a file determines its kind, not
    /// its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the file itself cannot be read. Layers of a project that cannot be read are listed in
    /// [`Project::unread`].
    pub fn open(path: &Path, reader: &dyn ReadFile) -> Result<Self, OpenError> {
        Self::open_some(path, reader, Opening::All, Opening::All)
    }

    /// Opens a project and some of its object layers (`layers`) and shape layers (`shapes`). The others are not read;
    /// they are listed in [`Project::unopened`], except where none of the kind was asked for.
    ///
    /// # Errors
    ///
    /// As [`Project::open`].
    pub fn open_some(
        path: &Path,
        reader: &dyn ReadFile,
        layers: Opening<'_>,
        shapes: Opening<'_>,
    ) -> Result<Self, OpenError> {
        let mut read = Self::default();
        let project = if path.is_dir() { project_in(path)? } else { Some(path.to_owned()) };
        let Some(project) = project else {
            read.take_layers(path, reader, layers)?;
            read.take_shapes(path, reader, shapes)?;
            let is_there = |extension| Ok(!paths_in(path, extension)?.is_empty());
            if !is_there(OBJECT_LAYER)? && !is_there(SHAPE_LAYER)? {
                return Err(OpenError::Empty { folder: path.to_owned() });
            }
            return Ok(read);
        };
        let file = ProjectFile::open(&project, reader)?;
        match file.kind() {
            Some(FileKind::Project) => {}
            Some(FileKind::ObjectLayer) => {
                return Ok(Self { layers: vec![file], ..Self::default() });
            }
            Some(FileKind::ShapeLayer) => {
                return Ok(Self { shapes: vec![file], ..Self::default() });
            }
            None => {
                let class = file.document.class_name(&file.document.root).into_owned();
                return Err(OpenError::Root { name: file.name, class });
            }
        }
        read.project = Some(file);
        if (layers, shapes) == (Opening::None, Opening::None) {
            return Ok(read);
        }
        let stem = project.file_stem().unwrap_or_default().to_string_lossy();
        for folder in entries(folder_of(&project))? {
            if is_called(&folder, &format!("{stem}.Layers")) && folder.is_dir() {
                read.take_layers(&folder, reader, layers)?;
            } else if is_called(&folder, &format!("{stem}.Shapes")) && folder.is_dir() {
                read.take_shapes(&folder, reader, shapes)?;
            }
        }
        Ok(read)
    }

    /// Returns the files that were read: the project, then the object layers, then the shape layers.
    pub fn files(&self) -> impl Iterator<Item = &ProjectFile> {
        self.project.iter().chain(&self.layers).chain(&self.shapes)
    }

    /// Returns the files of this kind that could not be read; their names determine the kind.
    pub fn unread_of(&self, kind: FileKind) -> impl Iterator<Item = &UnreadFile> {
        let extension = match kind {
            FileKind::Project => PROJECT,
            FileKind::ObjectLayer => OBJECT_LAYER,
            FileKind::ShapeLayer => SHAPE_LAYER,
        };
        self.unread.iter().filter(move |file| has_extension(&file.path, extension))
    }

    /// Returns the folder in which the project is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        let path = self.project.as_ref().and_then(|file| file.path.parent());
        path.unwrap_or(Path::new(""))
    }

    /// Returns those of `layers` that have one of these names, or whose files have; all of them if there are no names.
    /// In a name, `*` matches anything, `?` a character, `[ab]` one of several.
    ///
    /// # Errors
    ///
    /// Returns the first name that no layer has.
    ///
    /// ```
    /// use formwork_terrain::project::Project;
    ///
    /// let empty = Project::default();
    /// assert!(Project::select(&empty.layers, &[]).unwrap().is_empty());
    /// assert_eq!(Project::select(&empty.layers, &["trees".into()]).unwrap_err(), "trees");
    /// ```
    pub fn select<'p, 'n>(
        layers: &'p [ProjectFile],
        names: &'n [String],
    ) -> Result<Vec<&'p ProjectFile>, &'n str> {
        let is_there = |name: &&String| layers.iter().any(|file| file.is_like(name));
        if let Some(unknown) = names.iter().find(|name| !is_there(name)) {
            return Err(unknown);
        }
        let is_meant =
            |file: &&ProjectFile| names.is_empty() || names.iter().any(|name| file.is_like(name));
        Ok(layers.iter().filter(is_meant).collect())
    }

    fn take_layers(
        &mut self,
        folder: &Path,
        reader: &dyn ReadFile,
        opening: Opening<'_>,
    ) -> Result<(), OpenError> {
        self.layers = self.files_in(folder, OBJECT_LAYER, reader, opening)?;
        Ok(())
    }

    fn take_shapes(
        &mut self,
        folder: &Path,
        reader: &dyn ReadFile,
        opening: Opening<'_>,
    ) -> Result<(), OpenError> {
        self.shapes = self.files_in(folder, SHAPE_LAYER, reader, opening)?;
        Ok(())
    }

    /// Reads the files with an extension that are to be opened. Files that cannot be read go to `unread`, including
    /// those that the file system refuses: a broken link must not hide the other files.
    fn files_in(
        &mut self,
        folder: &Path,
        extension: &str,
        reader: &dyn ReadFile,
        opening: Opening<'_>,
    ) -> Result<Vec<ProjectFile>, OpenError> {
        if opening == Opening::None {
            return Ok(Vec::new());
        }
        let mut paths = paths_in(folder, extension)?;
        if let Opening::Named(names @ [_, ..]) = opening
            && names.iter().all(|name| paths.iter().any(|path| is_file_named(path, name)))
        {
            let is_meant = |path: &PathBuf| names.iter().any(|name| is_file_named(path, name));
            let (meant, others) = paths.into_iter().partition(is_meant);
            paths = meant;
            self.unopened.extend::<Vec<_>>(others);
        }
        reader.starts(paths.len());
        let mut files = Vec::new();
        for path in paths {
            match ProjectFile::open(&path, reader) {
                Ok(file) => files.push(file),
                Err(OpenError::File { name, path, why }) => {
                    self.unread.push(UnreadFile { path, name, why });
                }
                Err(other) => return Err(other),
            }
        }
        Ok(files)
    }
}

/// Returns a file with its name, as the checks take it.
fn named(file: &ProjectFile) -> (&str, &Document) {
    (&file.name, &file.document)
}

/// Returns the files of a folder that have an extension, by name.
fn paths_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, OpenError> {
    let mut paths = entries(folder)?;
    paths.retain(|path| has_extension(path, extension) && !path.is_dir());
    Ok(paths)
}

/// Returns the only project in a folder, if there is any.
fn project_in(folder: &Path) -> Result<Option<PathBuf>, OpenError> {
    let mut projects = entries(folder)?;
    projects.retain(|path| has_extension(path, PROJECT) && !path.is_dir());
    match &projects[..] {
        [] => Ok(None),
        [project] => Ok(Some(project.clone())),
        _ => Err(OpenError::Several { folder: folder.to_owned(), projects }),
    }
}

/// Returns the entries of a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let read = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>());
    let mut paths = read.map_err(|error| OpenError::Folder { folder: folder.to_owned(), error })?;
    paths.sort();
    Ok(paths)
}

/// Returns the folder of a file; the current folder if the path has none.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether the extension is this one. Case does not matter, as Terrain Builder is a Windows program.
#[must_use]
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Whether a file has this name; case does not matter.
fn is_called(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|found| found.to_string_lossy().eq_ignore_ascii_case(name))
}
