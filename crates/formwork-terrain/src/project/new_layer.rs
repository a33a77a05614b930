//! A new object layer for a project.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use bytes::Bytes;
use formwork::Error;
use formwork_alb1::terrain::{FileKind, ObjectLayer, Project as Settings, Root};
use formwork_alb1::tree::{Grid, Tree, Version};
use formwork_alb1::{Document, Text};

use super::{OBJECT_LAYER, Project, ProjectFile, Unreadable};

/// A layer that is not on disk yet.
#[derive(Clone, Debug)]
pub struct NewLayer {
    /// The path of the new file; [`None`] if there is no project beside which it could be.
    pub path: Option<PathBuf>,
    /// The layer as a file.
    pub document: Document,
    /// The layer.
    pub layer: ObjectLayer,
}

/// The addresses of the roots of files, by which a project refers to its layers.
#[derive(Clone, Debug, Default)]
pub struct RootAddresses {
    taken: BTreeSet<u32>,
}

impl RootAddresses {
    /// Returns an address that no root has, and takes it.
    pub fn free(&mut self) -> u32 {
        let highest = self.taken.last().copied().unwrap_or_default();
        self.free_from(highest)
    }

    /// Returns the first address from this one on that no root has, and takes it.
    pub fn free_from(&mut self, mut address: u32) -> u32 {
        while address == 0 || !self.taken.insert(address) {
            address = address.wrapping_add(8).max(8);
        }
        address
    }
}

/// The reason why there is no new layer.
#[derive(Debug)]
#[non_exhaustive]
pub enum NewLayerError {
    /// The name cannot be that of a file.
    Name,
    /// The name has a character that Windows-1252 does not have.
    Character,
    /// The project has a layer with this name.
    Layer,
    /// The file exists.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The reason why it was not read as a layer, if it was not.
        unread: Option<String>,
    },
    /// The project file lacks something.
    Project(Error),
    /// The layer cannot be written.
    Value(Error),
}

impl fmt::Display for NewLayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("this is no name for a file"),
            Self::Character => f.write_str("a character that Windows-1252 does not have"),
            Self::Layer => f.write_str("there is a layer with this name already"),
            Self::File { path, .. } => {
                write!(f, "{}: this file is there already", path.display())
            }
            Self::Project(error) | Self::Value(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NewLayerError {}

impl Project {
    /// Makes a layer without objects, in the grid and with the version of the other layers. `made` is the time in
    /// seconds since 1970. Nothing is written.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is invalid or taken. An existing file is never overwritten, whether it could be
    /// read as a layer or not: it may be the only copy of its content.
    ///
    /// ```
    /// use formwork_terrain::project::{NewLayerError, Project};
    ///
    /// let new = Project::default().new_layer("rocks", 1_500_000_000)?;
    /// assert_eq!(new.layer.object_count, 0);
    /// let none = Project::default().new_layer("rocks/small", 1_500_000_000);
    /// assert!(matches!(none, Err(NewLayerError::Name)));
    /// # Ok::<(), NewLayerError>(())
    /// ```
    pub fn new_layer(&self, name: &str, made: i32) -> Result<NewLayer, NewLayerError> {
        /// Characters that names of files cannot have on Windows.
        const FORBIDDEN: &[char] = &['\\', '/', ':', '*', '?', '"', '<', '>', '|'];
        if name.trim().is_empty() || name.contains(FORBIDDEN) || name.contains(char::is_control) {
            return Err(NewLayerError::Name);
        }
        let path = match &self.project {
            Some(file) => Some(self.path_of_new(file, name)?),
            None => None,
        };
        if self.layers.iter().any(|file| file.is_named(name)) {
            return Err(NewLayerError::Layer);
        }
        let title = Text::new(name).ok_or(NewLayerError::Character)?;
        let mut layer = ObjectLayer::new(title, made).map_err(NewLayerError::Value)?;
        // An incomplete layer is no model for a new one.
        let others: Vec<ObjectLayer> =
            self.layers.iter().filter_map(|file| file.view().ok()).collect();
        let is_old = match &self.project {
            Some(file) => {
                let settings: Settings = file.view().map_err(NewLayerError::Project)?;
                settings.version <= 20
            }
            None => others.first().is_some_and(|other| other.tree_version() == Version::V3),
        };
        let version = if is_old { Version::V3 } else { Version::V4 };
        layer.version = version.layer_version();
        layer.priority = others.iter().map(|it| it.priority.saturating_add(1)).max().unwrap_or(0);
        let root = others.iter().find_map(|it| {
            let tree = Tree::read(&it.tree, it.tree_version()).ok()?;
            tree.nodes.first().map(|node| node.bounds)
        });
        let grid = Grid::new(version, root.unwrap_or(Grid::ROOTS[0]));
        layer.tree = Bytes::from(Tree::empty(&grid).to_vec().map_err(NewLayerError::Value)?);
        let mut document = layer.to_document().map_err(NewLayerError::Value)?;
        // A project refers to a layer by the address of its root.
        document.root.address = self.root_addresses().free_from(document.root.address);
        layer = ObjectLayer::of(&document).map_err(NewLayerError::Value)?;
        Ok(NewLayer { path, document, layer })
    }

    /// Returns the addresses of the roots of all files.
    #[must_use]
    pub fn root_addresses(&self) -> RootAddresses {
        RootAddresses { taken: self.files().map(|file| file.document.root.address).collect() }
    }

    /// Returns the path of a new layer.
    fn path_of_new(&self, file: &ProjectFile, name: &str) -> Result<PathBuf, NewLayerError> {
        let folder = file.path.with_extension("Layers");
        let unread = self.unread_of(FileKind::ObjectLayer).map(|it| &it.path);
        let known = self.layers.iter().map(|file| &file.path).chain(unread).next();
        let folder = known.and_then(|path| path.parent()).unwrap_or(&folder);
        let path = folder.join(format!("{name}.{OBJECT_LAYER}"));
        // On Windows, case does not matter in names. A broken link is an existing file, too.
        let is_same = |there: &OsStr| {
            path.file_name().is_some_and(|name| {
                name.to_string_lossy().to_lowercase() == there.to_string_lossy().to_lowercase()
            })
        };
        let there = std::fs::read_dir(folder)
            .ok()
            .and_then(|entries| entries.flatten().find(|entry| is_same(&entry.file_name())))
            .map(|entry| entry.path());
        let there = there.or_else(|| path.symlink_metadata().is_ok().then(|| path.clone()));
        let Some(there) = there else { return Ok(path) };
        let unread = self.unread.iter().find(|unread| unread.path == there);
        let unread = unread.map(|it| match &it.why {
            // The callers say that it could not be read.
            Unreadable::Refused(error) => error.to_string(),
            why => why.to_string(),
        });
        Err(NewLayerError::File { path: there, unread })
    }
}
