//! The commands for ALB1 files.

mod forms;
mod info;
mod recover;
mod verify;

pub(crate) use forms::{encoded, encoded_file};

use std::io::Write;

use bytes::Bytes;
use formwork_alb1::json::DocumentJson;
use formwork_alb1::terrain::FileKind;
use formwork_alb1::{Document, Reader, Value};
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Layer;
use formwork_variant::Error;

use super::failure::{Failure, Status};
use super::file::{Checking, Decodes, Decoding, Describing, Version, Wanted};
use super::form::Form;
use super::format::LimitOptions;
use super::lost_path::no_place;
use super::output::Sink;
use super::packets::Input;
use super::report::Report;
use super::source::Source;
use super::verdict::Verdict;

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

impl super::file::File for File {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &str {
        "an ALB1 file"
    }

    fn values(self: Box<Self>, _: LimitOptions) -> Result<Input, Failure> {
        let name = self.name;
        Err(Failure::usage(format!("{name}: an ALB1 file contains no values of an engine")))
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        let name = &self.name;
        if wanted.index.is_some() {
            return Err(Failure::usage(format!(
                "{name}: an ALB1 file is one document, so --index does not apply"
            )));
        }
        let json = DocumentJson::new().style(wanted.style);
        let form = wanted.form.unwrap_or_default();
        if wanted.paths.iter().all(String::is_empty) {
            return self.write_as(form, json, false, sink);
        }
        if form == Form::Native {
            return Err(Failure::usage(format!(
                "{name}: 'native' is a form for saves, not for ALB1 files"
            )));
        }
        let document = self.document()?;
        let mut found = Vec::with_capacity(wanted.paths.len());
        for path in wanted.paths {
            found.push(document.get(path).map_err(|error| no_place(name, path, &error))?);
        }
        sink.write(|out| {
            let mut values = found.into_iter();
            values.try_for_each(|value| {
                print_field(&document, value, (wanted.is_raw, form), json, name, out)
            })
        })?;
        Ok(Status::Done)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Whole)?;
        let Decoding { form, style, trees, output, .. } = *decoding;
        let json = DocumentJson::new().style(style).trees(trees);
        self.write_as(form, json, trees, Sink::Output(output))
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.alb1(self, asked.is_named, asked.size)
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        Ok(self.verdict(checking.strictness, checking.all))
    }

    fn version(self: Box<Self>, _: LimitOptions) -> Result<Version, Failure> {
        Ok(Version::Alb1(Box::new(self.document()?)))
    }
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
    let kind = FileKind::of(document);
    let meaning = match kind {
        Some(FileKind::Project) => ".tv4p; its layers are files beside it",
        Some(FileKind::ObjectLayer) => ".tv4l; objects that were placed",
        Some(FileKind::ShapeLayer) => ".tv4s; polygons and polylines",
        None => "no file of Terrain Builder has a root of this class",
    };
    (kind.map_or("unknown", FileKind::name), meaning)
}

/// Prints the value of a field.
fn print_field(
    document: &Document,
    value: &Value,
    (is_raw, form): (bool, Form),
    json: DocumentJson,
    name: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let is_bare = is_raw || form == Form::Text;
    if let (true, Value::String(text)) = (is_bare, value) {
        // The output records a write error itself.
        let _ = writeln!(out, "{}", text.to_str());
        return Ok(());
    }
    let written = json.write_value(document, value, &mut *out);
    written.map_err(|error| Failure::in_value(name, error))?;
    let _ = out.write_all(b"\n");
    Ok(())
}
