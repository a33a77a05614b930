//! The commands for ALB1 files.

mod forms;
mod info;
mod recover;
mod verify;

pub(crate) use forms::{encoded, encoded_file};

use bytes::Bytes;
use formwork_alb1::terrain::FileKind;
use formwork_alb1::{Document, Reader};
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Layer;
use formwork_variant::Error;

use super::failure::Failure;
use super::format::LimitOptions;
use super::source::Source;

/// An ALB1 file that is not parsed yet.
#[derive(Debug)]
pub(crate) struct File {
    /// The name of the file in messages.
    pub(crate) name: String,
    /// The bytes of the file. The raw arrays of documents share this memory.
    pub(crate) bytes: Bytes,
    /// The containers that the file was taken from, outermost first.
    pub(crate) layers: Vec<Layer>,
    limits: LimitOptions,
}

impl File {
    /// Makes a file of a source.
    pub(crate) fn new(source: Source, limits: LimitOptions) -> Self {
        let Source { name, file, .. } = source;
        let layers = file.layers().to_vec();
        Self { name, bytes: file.into_bytes().into(), layers, limits }
    }

    /// Reads the document.
    pub(crate) fn read(&self) -> Result<Document, Error> {
        Reader::new().limits(self.limits.limits()).read_shared(&self.bytes)
    }

    /// Reads the document, and fails with the name of the file.
    pub(crate) fn document(&self) -> Result<Document, Failure> {
        self.read().map_err(|error| match self.other() {
            Some(other) => Failure::no(format!("{}: this is {other}, no ALB1 file", self.name)),
            None => self.failure(error),
        })
    }

    /// Makes the failure for a fault in the file's bytes.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        Failure::in_bytes(&self.name, &self.bytes, error).unpacked(&self.layers)
    }

    /// Returns the format that the bytes start with, where it is not ALB1.
    pub(crate) fn other(&self) -> Option<Other> {
        Other::by_start(&self.bytes).filter(|&other| other != Other::Alb1)
    }
}

/// Returns the kind of file that a document is, by the class of its root: as a word for scripts,
/// and as a description.
pub(crate) fn kind(document: &Document) -> (&'static str, &'static str) {
    match FileKind::of(document) {
        Some(FileKind::Project) => ("project", ".tv4p; its layers are files beside it"),
        Some(FileKind::ObjectLayer) => ("object layer", ".tv4l; objects that were placed"),
        Some(FileKind::ShapeLayer) => ("shape layer", ".tv4s; polygons and polylines"),
        None => ("unknown", "no file of Terrain Builder has a root of this class"),
    }
}
