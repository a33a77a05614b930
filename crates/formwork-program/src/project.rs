//! Projects of Terrain Builder: opened for commands, with the failures of that.

use super::source;
use std::cell::RefCell;
use std::io;
use std::path::Path;

use formwork_godot::wrapper::Unwrapped;
use formwork_terrain::project::{OpenError, Opening, Project, ProjectFile, ReadFile, Unreadable};

use super::failure::Failure;
use super::input;
use super::progress::Progress;
use super::store::Member;
use super::style::shown;

/// Reads files, standard input and files in packs, and decompresses compressed ones.
pub struct Unpacked;

impl ReadFile for Unpacked {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let Some(member) = Member::of(path) else {
            return input::read(path).map(|bytes| Unwrapped::new(bytes).into_bytes());
        };
        let source = member.source(None);
        let bytes = source.map(|source| source.file.into_bytes());
        bytes.map_err(|failure| io::Error::other(failure.brief().unwrap_or_default()))
    }

    fn name(&self, path: &Path) -> String {
        source::name(path)
    }
}

/// Reads files like [`Unpacked`], and shows the progress.
#[derive(Default)]
struct Watched(RefCell<Option<Progress>>);

impl ReadFile for Watched {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let progress = self.0.borrow();
        progress.iter().for_each(|progress| progress.next(self.name(path)));
        let read = Unpacked.read(path);
        progress.iter().for_each(Progress::done);
        read
    }

    fn starts(&self, files: usize) {
        // Only one progress is on the screen.
        drop(self.0.take());
        self.0.replace(Some(Progress::new(files)));
    }

    fn name(&self, path: &Path) -> String {
        Unpacked.name(path)
    }
}

/// Opens a project with its layers: see [`Project::open`].
pub fn open(path: &Path) -> Result<Project, Failure> {
    Project::open(path, &Watched::default()).map_err(Failure::from)
}

/// Opens a project with some of its layers: see [`Project::open_some`].
pub fn open_some(path: &Path, [layers, shapes]: [Opening<'_>; 2]) -> Result<Project, Failure> {
    Project::open_some(path, &Watched::default(), layers, shapes).map_err(Failure::from)
}

/// Opens the project of a folder; an empty one where there is none.
pub fn in_folder(folder: &Path) -> Result<Project, Failure> {
    match Project::open(folder, &Watched::default()) {
        Err(OpenError::Empty { .. }) => Ok(Project::default()),
        opened => opened.map_err(Failure::from),
    }
}

/// Opens one file.
pub fn open_file(path: &Path) -> Result<ProjectFile, Failure> {
    ProjectFile::open(path, &Unpacked).map_err(Failure::from)
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        /// The purpose of the commands that read projects.
        const PURPOSE: &str =
            "graph and terrain are for Terrain Builder's files: .tv4p, .tv4l and .tv4s";
        let message = error.to_string();
        match error {
            OpenError::Folder { folder, error } => {
                Self::stream("could not be read", &shown(folder.display()), &error)
            }
            OpenError::Empty { .. } => Self::usage(message),
            OpenError::Several { projects, .. } => {
                let failure = Self::usage(message).line("name one of them:");
                let names = projects.iter().map(|path| path.display().to_string());
                names.fold(failure, Self::line)
            }
            OpenError::Root { class, .. } => {
                Self::no(message).line(format!("its root is of class {class}"))
            }
            OpenError::File { name, why, .. } => match why {
                Unreadable::Refused(error) => Self::stream("could not be read", &name, &error),
                Unreadable::Folder => source::is_folder(&name),
                Unreadable::Other(_) => Self::no(message).line(PURPOSE),
                Unreadable::Values(_) => Self::no(message)
                    .line(PURPOSE)
                    .hint(format!("to see its content: formwork decode '{name}'")),
                Unreadable::Damaged { bytes, error } => Self::in_bytes(&name, &bytes, error),
                _ => Self::no(message),
            },
            _ => Self::no(message),
        }
    }
}
