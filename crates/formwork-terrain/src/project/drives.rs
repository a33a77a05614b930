//! Finds the drives and folders of Windows on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::terrain::PathKind;

use crate::paths::{FilePath, has_drive, parts};

/// The folders of Windows whose positions on this machine are known.
///
/// ```
/// use formwork::Path;
/// use formwork_alb1::Text;
/// use formwork_alb1::terrain::PathKind;
/// use formwork_terrain::paths::FilePath;
/// use formwork_terrain::project::{Drives, Location, MappedFolder};
///
/// let drives = Drives::new(vec![MappedFolder::new("P:", "no/such/folder").unwrap()]);
/// let at = Path::default();
/// let file = FilePath { at, kind: PathKind::OnDrive, text: Text::new("rocks\\a.p3d").unwrap() };
/// let expected = ["no", "such", "folder", "rocks", "a.p3d"].iter().collect();
/// assert_eq!(drives.find(&file, "".as_ref()), Location::Missing(expected));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Drives {
    folders: Vec<MappedFolder>,
}

/// A folder of Windows, and its position on this machine.
#[derive(Clone, Debug)]
pub struct MappedFolder {
    folder: Vec<String>,
    here: PathBuf,
}

impl MappedFolder {
    /// Maps `folder`, a drive or a folder of one, to `here`; [`None`] if it has no drive.
    #[must_use]
    pub fn new(folder: &str, here: impl Into<PathBuf>) -> Option<Self> {
        let parts = parts(folder).map(str::to_owned).collect();
        has_drive(folder).then(|| Self { folder: parts, here: here.into() })
    }

    /// Whether a path, split into parts, is in the folder. Case does not matter, as on Windows.
    fn has(&self, path: &[&str]) -> bool {
        let start = path.get(..self.folder.len());
        start.is_some_and(|start| {
            self.folder.iter().zip(start).all(|(one, other)| one.eq_ignore_ascii_case(other))
        })
    }
}

/// The location of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Location {
    /// The file was found.
    Found(PathBuf),
    /// The file is missing at the path where it was looked for.
    Missing(PathBuf),
    /// The file was not looked for, as its drive is not mapped.
    Unknown,
}

impl Drives {
    /// Makes drives of the known folders.
    #[must_use]
    pub const fn new(folders: Vec<MappedFolder>) -> Self {
        Self { folders }
    }

    /// Looks for the file that a path names. Template libraries without a drive start at `project_folder`. If several
    /// folders fit, the longest counts.
    #[must_use]
    pub fn find(&self, path: &FilePath, project_folder: &Path) -> Location {
        let text = path.text.to_str();
        if path.kind == PathKind::InProject && !has_drive(&text) {
            return find(project_folder, parts(&text));
        }
        if path.kind == PathKind::Label {
            return Location::Unknown;
        }
        let Some(absolute) = path.absolute() else { return Location::Unknown };
        let all: Vec<_> = parts(&absolute).collect();
        let fitting = self.folders.iter().filter(|mapped| mapped.has(&all));
        match fitting.max_by_key(|mapped| mapped.folder.len()) {
            Some(MappedFolder { folder, here }) => {
                find(here, all.iter().skip(folder.len()).copied())
            }
            None if cfg!(windows) => find(Path::new(""), std::iter::once(absolute.as_str())),
            None => Location::Unknown,
        }
    }
}

/// Goes from folder to folder, and takes a name that differs in case if no name fits exactly.
fn find<'p>(start: &Path, parts: impl Iterator<Item = &'p str>) -> Location {
    let mut here = start.to_owned();
    let mut there = true;
    for part in parts {
        let exact = here.join(part);
        there = there && exact.exists() || {
            // (An empty path means the working directory of the program.)
            let folder = if here.as_os_str().is_empty() { Path::new(".") } else { &here };
            let found = fs::read_dir(folder).ok().filter(|_| there).and_then(|entries| {
                entries.flatten().map(|entry| entry.path()).find(|path| {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    name.eq_ignore_ascii_case(part)
                })
            });
            if let Some(found) = found.as_deref().and_then(Path::file_name) {
                here.push(found);
                continue;
            }
            false
        };
        here = exact;
    }
    if there && here.exists() { Location::Found(here) } else { Location::Missing(here) }
}
