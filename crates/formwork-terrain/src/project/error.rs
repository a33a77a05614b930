//! The reasons why a project, or a file of it, could not be opened.

use std::fmt;
use std::io;
use std::path::PathBuf;

use bytes::Bytes;
use formwork::{Error, Path};
use formwork_godot::detect::Other;

/// The reason why a project could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// A folder could not be listed.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The folder has neither a project nor a layer.
    Empty {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has several projects.
    Several {
        /// The folder.
        folder: PathBuf,
        /// The projects in it.
        projects: Vec<PathBuf>,
    },
    /// The file could not be read.
    File {
        /// The name of the file in messages.
        name: String,
        /// The path of the file.
        path: PathBuf,
        /// The reason why it was not read.
        why: Unreadable,
    },
    /// The root of the file has a class that roots of projects and layers do not have.
    Root {
        /// The name of the file in messages.
        name: String,
        /// The class of its root.
        class: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { folder, error } => {
                write!(f, "{}: could not be read: {error}", folder.display())
            }
            Self::Empty { folder } => {
                let folder = folder.display();
                write!(f, "{folder}: no terrain project: no .tv4p, .tv4l or .tv4s in this folder")
            }
            Self::Several { folder, projects } => {
                write!(f, "{}: {} projects in this folder", folder.display(), projects.len())
            }
            Self::File { name, why, .. } => write!(f, "{name}: {why}"),
            Self::Root { name, .. } => write!(f, "{name}: neither a project nor a layer"),
        }
    }
}

impl std::error::Error for OpenError {}

/// The reason why a file was not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unreadable {
    /// The system refuses to read it.
    Refused(io::Error),
    /// It is a folder.
    Folder,
    /// It has no bytes.
    Empty,
    /// It has another format.
    Other(Other),
    /// It holds values of the engine with this name.
    Values(&'static str),
    /// It is an ALB1 file that is damaged.
    Damaged {
        /// The bytes of the file.
        bytes: Bytes,
        /// The fault of the bytes.
        error: Error,
    },
    /// It is a layer that lacks a field, or has a field of another type.
    Incomplete(Error),
}

impl fmt::Display for Unreadable {
    /// Writes a sentence without a stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "could not be read: {error}"),
            Self::Folder => f.write_str("this is a folder, not a file"),
            Self::Empty => f.write_str("the file is empty"),
            Self::Other(other) => write!(f, "this is {other}, no ALB1 file"),
            Self::Values(engine) => {
                write!(f, "this is a save or packet of {engine}, no ALB1 file")
            }
            Self::Damaged { error, .. } => error.fmt(f),
            Self::Incomplete(error) => {
                if *error.path() != Path::default() {
                    write!(f, "{}: ", error.path())?;
                }
                write!(f, "expected {}, found {}", error.expected(), error.found())
            }
        }
    }
}
