//! A file whose format is known: what commands ask of any format.

use std::fmt;
use std::path::Path;

use formwork::document::Json;
use formwork_alb1::Document;
use formwork_variant::json::Style;
use formwork_variant::{Dialect, Real, Variant};

use super::failure::{Failure, Status};
use super::form::Form;
use super::format::{LimitOptions, StrictnessName};
use super::output::{OutputOptions, Sink};
use super::packets::Input;
use super::report::Report;
use super::source::Source;
use super::verdict::Verdict;

/// A file of any format. What a format cannot do is refused.
pub(crate) trait File: fmt::Debug {
    /// Returns the name of the file in messages.
    fn name(&self) -> &str;

    /// Returns the kind of the file in a few words, such as `a pack`.
    fn kind(&self) -> &str;

    /// Returns the content as values of an engine.
    fn values(self: Box<Self>, limits: LimitOptions) -> Result<Input, Failure>;

    /// Prints values of the file.
    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        self.values(wanted.limits)?.print(wanted, sink)
    }

    /// Writes the whole content in another form.
    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure>;

    /// Adds the facts about the file to the report of `info`. The status is "no" where a part cannot be read.
    fn describe(&self, report: &mut Report, asked: Describing) -> Status;

    /// Checks whether the file is as its engine writes it.
    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure>;

    /// Returns the file as a version of a content, to be merged with another one.
    fn version(self: Box<Self>, limits: LimitOptions) -> Result<Version, Failure> {
        self.values(limits).map(Box::new).map(Version::Values)
    }
}

/// The facts that `info` has of any file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Describing {
    /// Number of bytes of the file, with its containers.
    pub(crate) size: u64,
    /// Whether an option names the format.
    pub(crate) is_named: bool,
    /// Whether all members of a pack are listed.
    pub(crate) all: bool,
}

/// The values that are printed, and their form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    /// The paths of the values; none for the whole content.
    pub(crate) paths: &'w [String],
    pub(crate) form: Option<Form>,
    /// Whether strings have no quotation marks.
    pub(crate) is_raw: bool,
    pub(crate) style: Style,
    /// The number of one of several values.
    pub(crate) index: Option<i64>,
    pub(crate) limits: LimitOptions,
}

impl Wanted<'_> {
    /// Returns the whole content as JSON.
    pub(crate) const fn whole(limits: LimitOptions) -> Self {
        let (style, index) = (Style::Pretty, None);
        Self { paths: &[], form: None, is_raw: false, style, index, limits }
    }
}

/// How a file is decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding<'d> {
    pub(crate) form: Form,
    pub(crate) style: Style,
    /// The number of one of several values.
    pub(crate) index: Option<i64>,
    /// Whether values are a list even if there is one.
    pub(crate) all: bool,
    /// Whether the output names the format, too.
    pub(crate) names_format: bool,
    /// Whether quadtrees are shown as nodes and objects.
    pub(crate) trees: bool,
    /// The folder for the files of a pack.
    pub(crate) into: Option<&'d Path>,
    pub(crate) strictness: StrictnessName,
    /// Whether the format was detected.
    pub(crate) is_detected: bool,
    pub(crate) output: &'d OutputOptions,
}

impl Decoding<'_> {
    /// Writes the only value of a file.
    pub(crate) fn write<R: Real>(
        &self,
        file: &dyn File,
        value: &Variant<R>,
        dialect: Dialect,
    ) -> Result<Status, Failure> {
        let Self { form, style, output, .. } = *self;
        output.write(|out| form.write(value, dialect, style, file.name(), out))?;
        Ok(Status::Done)
    }

    /// Refuses the options for several values, for packs, and for the strictness of a decoder.
    pub(crate) fn refuse_but(&self, file: &dyn File, has: Decodes) -> Result<(), Failure> {
        let (name, kind) = (file.name(), file.kind());
        if self.into.is_some() && has != Decodes::Members {
            return Err(Failure::usage(format!(
                "{name}: this is no pack, so --into does not apply"
            )));
        }
        if self.strictness != StrictnessName::default() && has != Decodes::Strictly {
            return Err(Failure::usage(format!(
                "{name}: this is {kind}, so --strictness does not apply"
            )));
        }
        match self.index.is_some() || self.all {
            true => Err(Failure::usage(format!(
                "{name}: {kind} is one document, so --index and --all do not apply"
            ))),
            false => Ok(()),
        }
    }
}

/// The options of [`Decoding`] that one document has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Decodes {
    /// None.
    Whole,
    /// A folder for the members of a pack.
    Members,
    /// A strictness.
    Strictly,
}

/// How a file is checked.
#[derive(Clone, Copy)]
pub(crate) struct Checking<'c> {
    pub(crate) strictness: StrictnessName,
    /// Whether all warnings are listed.
    pub(crate) all: bool,
    /// Whether an option names the release of the engine.
    pub(crate) is_named: bool,
    /// Checks a file in a pack, and returns its verdict if it has a fault. Without it a pack is only named, as engines do
    /// no more with a pack in a pack.
    pub(crate) member: Option<&'c dyn Fn(Source) -> Option<Verdict>>,
}

/// Another version of a content, which is only read.
pub(crate) enum Version {
    /// No file, or an empty one.
    Nothing,
    /// The content as text.
    Text(Source, Form),
    /// Values of an engine.
    Values(Box<Input>),
    /// A document of Terrain Builder.
    Alb1(Box<Document>),
    /// A document of any other format, as JSON.
    Json(Json),
}

impl Version {
    /// Makes the failure for versions of different kinds.
    pub(crate) fn differ(name: &str) -> Failure {
        Failure::usage(format!(
            "{name}: the three files are not of one kind (saves, JSON, or files of Terrain Builder)"
        ))
    }
}
