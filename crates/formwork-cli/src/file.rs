//! A file whose format is known: what commands ask of any format.

use std::fmt;
use std::io::Write;
use std::path::Path;

use formwork::document::{Document, Json};
use formwork_variant::Dialect;
use formwork_variant::json::Style;

use super::changed::Changed;
use super::container::Torn;
use super::converting::{Converted, Converting};
use super::decoded;
use super::failure::{Failure, Status};
use super::form::Form;
use super::format::{LimitOptions, StrictnessName};
use super::layers::inside;
use super::output::{OutputOptions, Sink};
use super::remark;
use super::report::Report;
use super::rows::Rows;
use super::source::Source;
use super::verdict::Verdict;

/// A file of any format. What a format cannot do is refused.
pub(crate) trait File: fmt::Debug {
    /// Returns the bytes of the file, and the containers around them.
    fn source(&self) -> &Source;

    /// Returns the name of the file in messages.
    fn name(&self) -> &str {
        &self.source().name
    }

    /// Returns the kind of the file in a few words, such as `a pack`.
    fn kind(&self) -> &str;

    /// Makes the failure of a command that the format does not have.
    fn refusal(&self) -> Failure {
        let (name, kind) = (self.name(), self.kind());
        Failure::usage(format!("{name}: this is {kind}, which has no values of an engine"))
    }

    /// Refuses an option for files of several values, if it is given.
    fn refuse_several(&self, is_given: bool, option: &str) -> Result<(), Failure> {
        let (name, kind) = (self.name(), self.kind());
        match is_given {
            true => Err(Failure::usage(format!(
                "{name}: {kind} is one document, so {option} does not apply"
            ))),
            false => Ok(()),
        }
    }

    /// Returns whether the content is a text in a container or pack, which is printed as it is unless an option asks for
    /// values.
    fn shows_text(&self) -> bool {
        false
    }

    /// Prints values of the file.
    fn get(self: Box<Self>, _: &Wanted<'_>, _: Sink<'_>) -> Result<Status, Failure> {
        Err(self.refusal())
    }

    /// Writes the whole content in another form.
    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure>;

    /// Writes what is left of a damaged file.
    fn recover(&self, _: &Decoding<'_>, _: &Torn) -> Result<Status, Failure> {
        Err(whole_or_not(self.name(), self.kind()))
    }

    /// Adds the facts about the file to the report of `info`. The status is "no" where a part cannot be read.
    fn describe(&self, report: &mut Report, asked: Describing) -> Status;

    /// Checks whether the file is as its engine writes it.
    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure>;

    /// Opens the content as a document, which is changed, compared and merged.
    fn document(&self, _: Chosen) -> Result<Box<dyn Document>, Failure> {
        Err(self.refusal())
    }

    /// Returns the kind of files with which this one is compared and merged.
    fn compares_as(&self) -> &'static str {
        SAVE
    }

    /// Prints a remark if the engine ignores bytes, and returns whether it does.
    fn say_unread(&self) -> Result<bool, Failure> {
        Ok(false)
    }

    /// Returns the values as JSON.
    fn json(self: Box<Self>, _: Chosen) -> Result<JsonValues, Failure> {
        Err(self.refusal())
    }

    /// Returns the engine whose types the values have.
    fn types(&self) -> Option<Dialect> {
        None
    }

    /// Returns the value at the end of names of members, if it can be read without the rest of the file.
    fn member(&self, _names: &[&str]) -> Option<JsonValues> {
        None
    }

    /// Makes a change. Parts that did not change keep their bytes.
    fn change(&self, chosen: Chosen, change: &mut Change<'_>) -> Result<NewContent, Failure> {
        let document = self.document(chosen)?;
        self.refuse_several(chosen.index.is_some(), "--index")?;
        change(document)
    }

    /// Converts the values to those of another engine.
    fn convert(&self, _: &Converting<'_>) -> Result<Converted, Failure> {
        Err(self.refusal())
    }

    /// Returns the engine whose containers a changed file has, if it is known.
    fn dialect(&self) -> Option<Dialect> {
        None
    }

    /// Returns the number of values that a new content has with other bytes that the engine ignores.
    fn rewritten(&self, _: &[u8]) -> usize {
        0
    }

    /// Shows the meaning of every byte.
    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure>;

    /// Returns whether equal values do not mean that files are equal.
    fn has_more_than_values(&self) -> bool {
        false
    }

    /// Writes the content as text that is compared line by line.
    fn text(self: Box<Self>, limits: LimitOptions, text: &mut Vec<u8>) -> Result<Status, Failure> {
        self.get(&Wanted::whole(limits), Sink::Memory(text))
    }
}

/// Makes the failure for a damaged file of which no part can be read alone.
pub(crate) fn whole_or_not(name: &str, kind: &str) -> Failure {
    Failure::usage(format!("{name}: {kind} is read whole or not at all"))
        .hint(format!("to see what is left of it: formwork dump '{name}'"))
}

/// The values that a command reads or changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    /// The number of one of several values.
    pub(crate) index: Option<i64>,
    pub(crate) limits: LimitOptions,
    /// Whether JSON has quadtrees as nodes and objects.
    pub(crate) trees: bool,
}

impl Chosen {
    /// Chooses all values.
    pub(crate) const fn all(limits: LimitOptions) -> Self {
        Self { index: None, limits, trees: false }
    }
}

/// The values of a file as JSON.
pub(crate) struct JsonValues {
    pub(crate) values: Vec<Json>,
    /// The dialect of values of an engine.
    pub(crate) dialect: Option<Dialect>,
    /// The remark about bytes that were not read.
    pub(crate) unread: Option<String>,
}

impl JsonValues {
    /// Makes the JSON of a file that was read whole, and that no engine wrote.
    pub(crate) const fn of(values: Vec<Json>) -> Self {
        Self { values, dialect: None, unread: None }
    }
}

/// The kind of saves and of all files of values of an engine.
pub(crate) const SAVE: &str = "save";

/// The kind of Terrain Builder's files.
pub(crate) const ALB1: &str = "alb1";

/// A change of a document, which returns the new content.
pub(crate) type Change<'c> = dyn FnMut(Box<dyn Document>) -> Result<NewContent, Failure> + 'c;

/// A changed content, without containers.
#[derive(Debug)]
pub(crate) struct NewContent {
    pub(crate) content: Vec<u8>,
    pub(crate) changed: Vec<Changed>,
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
    /// Whether a content of a container or pack that is not values is printed as it is.
    pub(crate) shows_text: bool,
    pub(crate) limits: LimitOptions,
}

impl Wanted<'_> {
    /// Returns the whole content as JSON.
    pub(crate) const fn whole(limits: LimitOptions) -> Self {
        let (style, index, shows_text) = (Style::Pretty, None, false);
        Self { paths: &[], form: None, is_raw: false, style, index, shows_text, limits }
    }

    /// Returns whether all of a content that is not values is printed as it is.
    pub(crate) const fn is_whole_text(&self) -> bool {
        self.shows_text && self.paths.is_empty()
    }
}

/// How a file is decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding<'d> {
    pub(crate) form: Form,
    pub(crate) style: Style,
    pub(crate) limits: LimitOptions,
    /// The number of one of several values.
    pub(crate) index: Option<i64>,
    /// Whether values are a list even if there is one.
    pub(crate) all: bool,
    /// Whether the output names the format, too.
    pub(crate) names_format: bool,
    /// Whether quadtrees are shown as nodes and objects.
    pub(crate) trees: bool,
    /// Whether what the file points at is shown, too.
    pub(crate) views: bool,
    /// The folder for the files of a pack.
    pub(crate) into: Option<&'d Path>,
    pub(crate) strictness: StrictnessName,
    /// Whether no option asks for values, so that another content is written as it is.
    pub(crate) is_plain: bool,
    pub(crate) output: &'d OutputOptions,
}

impl Decoding<'_> {
    /// Writes a content of a container or pack as it is.
    pub(crate) fn write_as_it_is(&self, file: &dyn File) -> Result<Status, Failure> {
        let (name, kind, source) = (file.name(), file.kind(), file.source());
        let inside = inside(source.layers());
        remark(&format!("{name}: {inside}this is {kind}, printed as it is"));
        self.output.write_bytes(source.content())
    }

    /// Writes the only document of a file of this format.
    pub(crate) fn write(
        &self,
        file: &dyn File,
        format: &str,
        document: &dyn Document,
    ) -> Result<Status, Failure> {
        let Self { form, style, .. } = *self;
        self.write_one(format, |out| {
            let written = document.write_text("", form.name(), style, out);
            written.map_err(|error| Failure::in_value(file.name(), error))
        })?;
        Ok(Status::Done)
    }

    /// Writes the only value of a file of this format, which `write` writes.
    pub(crate) fn write_one(
        &self,
        format: &str,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.sink(format).write(write)
    }

    /// Returns the output for the only value of a file of this format.
    pub(crate) fn sink(&self, format: &str) -> Sink<'_> {
        match self.names_format {
            false => Sink::Output(self.output),
            true => Sink::Between(self.output, decoded::head(format, None) + "[", "]}\n"),
        }
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
