//! Terrain Builder's projects on disk. The layers of a project are listed nowhere: they are the files
//! in two folders beside it, `<project>.Layers` and `<project>.Shapes`.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use formwork::Error;
use formwork::alb1::Document;
use formwork::alb1::terrain::FileKind;
use formwork::detect::{Other, detect};
use formwork::variant::dialect::Family;

use super::failure::Failure;
use super::input::{self, Source};

/// The files of a project, or of a folder that has only layers.
#[derive(Debug, Default)]
pub(crate) struct Project {
    /// The `.tv4p`; there is none where a folder of layers was named.
    pub(crate) project: Option<ProjectFile>,
    /// The object layers (`.tv4l`), by name.
    pub(crate) layers: Vec<ProjectFile>,
    /// The shape layers (`.tv4s`), by name.
    pub(crate) shapes: Vec<ProjectFile>,
    /// Layers and shapes that could not be read.
    pub(crate) unread: Vec<Unread>,
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct ProjectFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What to call it: the path, to print.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) document: Document,
}

/// A file that has the name of a layer and is none.
#[derive(Debug)]
pub(crate) struct Unread {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What to call it.
    pub(crate) name: String,
    /// Why it was not read, in a sentence without a stop.
    pub(crate) why: String,
    /// What it is instead, if that can be told from its first bytes.
    pub(crate) other: Option<Other>,
}

/// The extension of projects.
pub(crate) const PROJECT: &str = "tv4p";
/// The extension of object layers.
pub(crate) const LAYER: &str = "tv4l";
/// The extension of shape layers.
pub(crate) const SHAPES: &str = "tv4s";

impl Project {
    /// Reads a project and its layers, from the path of the `.tv4p` or of the folder that has it. A
    /// folder without a `.tv4p` may be one of layers; and a file may be a single layer. What a file is,
    /// its content says, whatever it is called.
    ///
    /// That the file cannot be read is a failure; layers of a project that cannot be read are listed.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::open(path, true)
    }

    /// Reads a project without its layers, for what needs none of them.
    pub(crate) fn read_alone(path: &Path) -> Result<Self, Failure> {
        Self::open(path, false)
    }

    fn open(path: &Path, with_layers: bool) -> Result<Self, Failure> {
        let mut read = Self::default();
        let project = if path.is_dir() { project_in(path)? } else { Some(path.to_owned()) };
        let Some(project) = project else {
            read.take_layers(path)?;
            read.take_shapes(path)?;
            if read.files().next().is_none() && read.unread.is_empty() {
                let name = path.display();
                let message = format!("{name}: no .tv4p, .tv4l or .tv4s in this folder");
                return Err(Failure::usage(message));
            }
            return Ok(read);
        };
        let file = ProjectFile::read(&project)?;
        match FileKind::of(&file.document) {
            Some(FileKind::Project) => {}
            Some(FileKind::ObjectLayer) => {
                return Ok(Self { layers: vec![file], ..Self::default() });
            }
            Some(FileKind::ShapeLayer) => {
                return Ok(Self { shapes: vec![file], ..Self::default() });
            }
            None => {
                let class = file.document.class_name(&file.document.root).into_owned();
                let message = format!("{}: neither a project nor a layer", file.name);
                return Err(Failure::no(message).line(format!("its root is of class {class}")));
            }
        }
        if !with_layers {
            return Ok(Self { project: Some(file), ..Self::default() });
        }
        let folder = project.parent().filter(|folder| !folder.as_os_str().is_empty());
        let stem = project.file_stem().unwrap_or_default().to_string_lossy();
        for folder in entries(folder.unwrap_or(Path::new(".")))? {
            if is_called(&folder, &format!("{stem}.Layers")) && folder.is_dir() {
                read.take_layers(&folder)?;
            } else if is_called(&folder, &format!("{stem}.Shapes")) && folder.is_dir() {
                read.take_shapes(&folder)?;
            }
        }
        read.project = Some(file);
        Ok(read)
    }

    /// The files that were read: the project, then the object layers, then the shape layers.
    pub(crate) fn files(&self) -> impl Iterator<Item = &ProjectFile> {
        self.project.iter().chain(&self.layers).chain(&self.shapes)
    }

    fn take_layers(&mut self, folder: &Path) -> Result<(), Failure> {
        self.layers = files_in(folder, LAYER, &mut self.unread)?;
        Ok(())
    }

    fn take_shapes(&mut self, folder: &Path) -> Result<(), Failure> {
        self.shapes = files_in(folder, SHAPES, &mut self.unread)?;
        Ok(())
    }
}

impl ProjectFile {
    /// Reads one file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of(path, Source::read(path)?)
    }

    /// The same of a file that was read.
    pub(crate) fn of(path: &Path, source: Source) -> Result<Self, Failure> {
        let Source { name, file } = source;
        let bytes = file.into_bytes();
        let bytes = Bytes::from(bytes);
        match document(&bytes) {
            Ok(document) => Ok(Self { path: path.to_owned(), name, document }),
            Err(Unreadable::Other(other)) => {
                Err(Failure::no(format!("{name}: this is {other}, no ALB1 file")).hint(PURPOSE))
            }
            Err(Unreadable::Values(engine)) => {
                let message = format!("{name}: this is a save or packet of {engine}, no ALB1 file");
                let show = format!("to see its content: formwork decode '{name}'");
                Err(Failure::no(message).hint(PURPOSE).hint(show))
            }
            Err(Unreadable::Empty) => Err(Failure::no(format!("{name}: {EMPTY}"))),
            Err(Unreadable::Fault(error)) => Err(Failure::in_bytes(&name, &bytes, error)),
        }
    }
}

/// What those commands are for that read projects.
const PURPOSE: &str =
    "diff, graph and terrain are for Terrain Builder's files: .tv4p, .tv4l and .tv4s";

/// What an empty file is said to be.
const EMPTY: &str = "the file is empty";

/// Why bytes are no document.
enum Unreadable {
    /// There are none.
    Empty,
    /// They are something else.
    Other(Other),
    /// They are values, stored by this engine.
    Values(&'static str),
    /// They are damaged.
    Fault(Error),
}

/// The document, which shares the memory of `bytes`.
fn document(bytes: &Bytes) -> Result<Document, Unreadable> {
    Document::from_bytes(bytes).map_err(|error| {
        if bytes.is_empty() {
            return Unreadable::Empty;
        }
        let detection = detect(bytes);
        match (detection.other, detection.leading()) {
            (Some(Other::Alb1), _) | (None, []) => Unreadable::Fault(error),
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

/// The files with an extension; what cannot be read goes to `unread`, also where the file system
/// refuses it: a link that leads nowhere is no reason to say nothing about the rest.
fn files_in(
    folder: &Path,
    extension: &str,
    unread: &mut Vec<Unread>,
) -> Result<Vec<ProjectFile>, Failure> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if !has_extension(&path, extension) || path.is_dir() {
            continue;
        }
        let (name, (why, other)) = match Source::read(&path) {
            Ok(Source { name, file }) => match document(&file.into_bytes().into()) {
                Ok(document) => {
                    files.push(ProjectFile { path, name, document });
                    continue;
                }
                Err(unreadable) => (name, unreadable.reason()),
            },
            Err(failure) => {
                let name = input::name(&path);
                let why = failure.lines(&name).join(" ");
                (name, (why, None))
            }
        };
        unread.push(Unread { path, name, why, other });
    }
    Ok(files)
}

impl Unreadable {
    /// Why, in a sentence without a stop, and what the bytes are instead.
    fn reason(self) -> (String, Option<Other>) {
        match self {
            Self::Other(other) => (format!("this is {other}, no ALB1 file"), Some(other)),
            Self::Values(engine) => {
                (format!("this is a save or packet of {engine}, no ALB1 file"), None)
            }
            Self::Empty => (EMPTY.to_owned(), None),
            Self::Fault(error) => (error.to_string(), None),
        }
    }
}

/// The one project in a folder, if there is any.
fn project_in(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut projects = entries(folder)?;
    projects.retain(|path| has_extension(path, PROJECT) && !path.is_dir());
    match &projects[..] {
        [] => Ok(None),
        [project] => Ok(Some(project.clone())),
        several => {
            let folder = folder.display();
            let message = format!("{folder}: {} projects in this folder", several.len());
            let failure = Failure::usage(message).line("name one of them:");
            let names = several.iter().map(|path| path.display().to_string());
            Err(names.fold(failure, Failure::line))
        }
    }
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let read = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>());
    let name = folder.display().to_string();
    let mut paths = read.map_err(|error| Failure::stream("could not be read", &name, &error))?;
    paths.sort();
    Ok(paths)
}

/// Whether the extension is this one. Terrain Builder is a Windows program: case means nothing.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Whether a file has this name, in whatever case.
fn is_called(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|found| found.to_string_lossy().eq_ignore_ascii_case(name))
}
