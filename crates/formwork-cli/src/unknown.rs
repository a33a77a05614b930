//! Contents of containers and packs that hold no values.

use formwork_godot::detect::Other;

use super::converting::{Converted, Converting};
use super::failure::{Failure, Status};
use super::file::{Checking, Decoding, Describing, Wanted};
use super::guess::{json_fault, nothing};
use super::layers::named;
use super::output::Sink;
use super::quantity::counted;
use super::report::{Entry, Report};
use super::rows::Rows;
use super::source::Source;
use super::verdict::Verdict;

/// A file of a format that is only known by its name, or not at all.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) other: Option<Other>,
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        match self.other {
            Some(other) => other.description(),
            None if self.source.content().is_empty() => "nothing",
            None => "data of no known format",
        }
    }

    fn refusal(&self) -> Failure {
        nothing(&self.source, self.other)
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        match wanted.is_whole_text() && self.other.is_some() {
            true => sink.write_bytes(self.source.content()),
            false => Err(self.refusal()),
        }
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        match decoding.is_plain && self.other.is_some() {
            true => decoding.write_as_it_is(self),
            false => Err(self.refusal()),
        }
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        let name = self.other.map_or("unknown", Other::name);
        report.add("format", Entry::named(name, self.kind()));
        report.add("size", Entry::Amount(asked.size, "byte"));
        Status::Done
    }

    fn verify(&self, _: Checking<'_>) -> Result<Verdict, Failure> {
        let Source { name, .. } = &self.source;
        if json_fault(&self.source, self.other).is_some() {
            return Err(self.refusal());
        }
        let size = counted(self.source.content().len() as u64, "byte");
        let holds = format!("{}, {size}, and no values", self.kind());
        Ok(Verdict::ok(match self.source.layers() {
            [] => format!("{name}: {holds}"),
            layers => format!("{name}: {}, can be opened; it contains {holds}", named(layers)),
        }))
    }

    fn convert(&self, _: &Converting<'_>) -> Result<Converted, Failure> {
        Ok(Converted::as_it_was(&self.source, self.kind()))
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        rows.unknown(&self.source, self.refusal())
    }
}
