//! The commands for ALB1 files.

mod forms;
mod info;
mod recover;
mod verify;

pub(crate) use forms::encode_new;

use std::io::Write;

use formwork::document;
use formwork_alb1::diff;
use formwork_alb1::inspect::Inspector;
use formwork_alb1::json::DocumentJson;
use formwork_alb1::recover::recover_within;
use formwork_alb1::terrain::FileKind;
use formwork_alb1::{ALB1, Document, Reader, Value};
use formwork_godot::detect::Other;
use formwork_variant::Error;

use super::container::Torn;
use super::documents;
use super::failure::{Failure, Status};
use super::file::{Checking, Chosen, Decodes, Decoding, Describing, JsonValues, Wanted};
use super::form::Form;
use super::format::LimitOptions;
use super::lost_path::no_place;
use super::output::Sink;
use super::recover::way_to_recover;
use super::report::Report;
use super::rows::{Place, Rows};
use super::source::Source;
use super::style::shown;
use super::verdict::Verdict;

/// An ALB1 file that is not parsed yet.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    limits: LimitOptions,
}

/// Returns a path with slashes in the form of paths of ALB1 files: `list/0/name` as `list[0].name`.
fn with_dots(path: &str) -> String {
    let mut meant = String::new();
    for step in path.split('/').filter(|step| !step.is_empty()) {
        if step.bytes().all(|it| it.is_ascii_digit()) {
            meant = format!("{meant}[{step}]");
        } else {
            meant = if meant.is_empty() { step.to_owned() } else { format!("{meant}.{step}") };
        }
    }
    meant
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        "an ALB1 file"
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        let name = &self.source.name;
        self.refuse_several(wanted.index.is_some(), "--index")?;
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
        let document = self.parsed()?;
        let mut found = Vec::with_capacity(wanted.paths.len());
        for path in wanted.paths {
            let value = document.get(path).map_err(|error| {
                let (failure, meant) = (no_place(name, path, &error), with_dots(path));
                match path.contains('/') && document.get(&meant).is_ok() {
                    true => failure.hint(format!("fields are separated by '.': {}", shown(meant))),
                    false => failure,
                }
            });
            found.push(value?);
        }
        sink.write(|out| {
            let mut values = found.into_iter();
            values.try_for_each(|value| {
                print_field(&document, value, (wanted.is_raw, form), json, name, out)
            })
        })?;
        Ok(Status::Done)
    }

    fn json(self: Box<Self>, chosen: Chosen) -> Result<JsonValues, Failure> {
        documents::json(&*self, chosen)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Whole)?;
        let Decoding { form, style, trees, .. } = *decoding;
        let json = DocumentJson::new().style(style).trees(trees);
        self.write_as(form, json, trees, decoding.sink(Other::Alb1.name()))
    }

    fn recover(&self, decoding: &Decoding<'_>, torn: &Torn) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Strictly)?;
        let said = torn.say(&self.source);
        Ok(self.write_left(decoding)?.and(said))
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.alb1(self, asked.is_named, asked.size)
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        Ok(self.verdict(checking.strictness, checking.all))
    }

    fn document(&self, chosen: Chosen) -> Result<Box<dyn document::Document>, Failure> {
        let format = ALB1.limits(self.limits.limits()).trees(chosen.trees);
        let opened = format.open_shared(self.source.file.shared());
        opened.map_err(|error| self.unreadable(error))
    }

    fn compares_as(&self) -> &'static str {
        super::file::ALB1
    }

    fn text(self: Box<Self>, _: LimitOptions, text: &mut Vec<u8>) -> Result<Status, Failure> {
        let mut content = String::new();
        let _ = diff::content(&self.parsed()?, &mut content);
        text.extend_from_slice(content.as_bytes());
        Ok(Status::Done)
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        rows.seek(|path| self.place(path));
        let inspector = Inspector::new(self.source.bytes());
        rows.fields(match rows.all_elements() {
            true => inspector,
            false => inspector.whole_fields(true).shown_elements(SHOWN),
        });
        Ok(())
    }
}

/// Number of elements of a list that `dump` shows.
const SHOWN: u64 = 16;

impl File {
    /// Makes a file of a source.
    pub(crate) const fn new(source: Source, limits: LimitOptions) -> Self {
        Self { source, limits }
    }

    /// Reads the document. Its raw arrays share the memory of the file.
    pub(crate) fn read(&self) -> Result<Document, Error> {
        Reader::new().limits(self.limits.limits()).read_shared(&self.source.file.shared())
    }

    /// Reads the document, and fails with the name of the file.
    pub(crate) fn parsed(&self) -> Result<Document, Failure> {
        self.read().map_err(|error| self.unreadable(error))
    }

    /// Makes the failure for a file that cannot be read.
    fn unreadable(&self, error: Error) -> Failure {
        match self.other() {
            Some(other) => {
                Failure::no(format!("{}: this is {other}, no ALB1 file", self.source.name))
            }
            None => {
                let failure = self.failure(error);
                let left = || recover_within(self.source.bytes(), self.limits.limits());
                match failure.is_damage() && left().is_ok_and(|left| left.fields > 0) {
                    true => failure.hint(way_to_recover(&self.source)),
                    false => failure,
                }
            }
        }
    }

    /// Returns the place of a field in the rows of `dump`.
    fn place(&self, path: &str) -> Result<Place, Failure> {
        let document = self.parsed()?;
        let wanted =
            document.get(path).map_err(|error| no_place(&self.source.name, path, &error))?;
        let is_it = |value: &Value| std::ptr::eq(value, wanted);
        let found = document.walk().find(|item| item.value().is_some_and(is_it));
        let missing = || Failure::no(format!("{}: no row starts at this path", self.source.name));
        found.map(|item| Place::Value(item.offset)).ok_or_else(missing)
    }

    /// Makes the failure for a fault in the file's bytes.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        Failure::in_source(&self.source, error)
    }

    /// Returns the format that the bytes start with, where it is not ALB1.
    pub(crate) fn other(&self) -> Option<Other> {
        Other::by_start(self.source.bytes()).filter(|&other| other != Other::Alb1)
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
