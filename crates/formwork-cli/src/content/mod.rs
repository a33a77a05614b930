//! The content of an opened file: what the commands that change a file ask of any format.

mod alb1;
mod document;
mod typed;
mod values;

use formwork::document::Json;
use formwork_variant::edit::Side;

use super::changed::{Changed, ShownValue};
use super::contents::{Contents, InputOptions};
use super::failure::Failure;
use super::form::Form;
use super::format::LimitOptions;
use super::packets::Input;
use super::query::Updating;
use super::source::Source;
use super::{pack, script};
pub(crate) use alb1::{Alb1, replace_document};
pub(crate) use document::AnyDocument;
pub(crate) use typed::{Typed, keep_marks};
pub(crate) use values::{Context, Values, line, one, replace_values};

/// The content of an opened file. Each change is made whole or not at all, and returns what changed.
pub(crate) trait Content {
    /// Returns the name of the file in messages.
    fn name(&self) -> &str;

    /// Sets the values at paths.
    fn set(
        &mut self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure>;

    /// Removes the values at paths, which are those of the content as it is.
    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure>;

    /// Returns the content as a text that [`replace`](Self::replace) takes back.
    fn text(&self, form: Form) -> Result<Vec<u8>, Failure>;

    /// Replaces the content by that of a text.
    fn replace(&mut self, text: &Source, form: Form) -> Result<Vec<Changed>, Failure>;

    /// Makes the changes from `base` to `theirs`. Without a preferred side, conflicts keep the content.
    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure>;

    /// Makes the content what a filter gives.
    fn update(&mut self, updating: &Updating<'_>) -> Result<Vec<Changed>, Failure>;
}

/// A change that a command makes; returns what changed.
pub(crate) type Change<'c> = dyn FnMut(&mut dyn Content) -> Result<Vec<Changed>, Failure> + 'c;

/// How values are set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetOptions<'t> {
    /// Whether values that are not there are added.
    pub(crate) adds: bool,
    /// What the typed values are.
    pub(crate) typed: Typed<'t>,
}

/// Another version of a content, which is only read.
pub(crate) enum Version {
    /// No file, or an empty one.
    Nothing,
    /// The content as text.
    Text(Source, Form),
    /// Values of an engine.
    Values(Box<Input>),
    /// A file of Terrain Builder.
    Alb1(Box<super::alb1::File>),
    /// A document of any other format, as JSON.
    Json(Json),
}

impl Version {
    /// Reads a file.
    pub(crate) fn of(
        source: Source,
        options: &InputOptions,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        Ok(match Contents::of(source, options, limits)? {
            Contents::Packets(input) => Self::Values(Box::new(input)),
            Contents::Config(file) => Self::Values(Box::new(file.into_packet(limits)?)),
            Contents::Alb1(file) => Self::Alb1(Box::new(file)),
            Contents::Document(file) => Self::Json(file.open()?.to_json()),
            Contents::Resource(file) => return Err(file.read_only()),
            Contents::Script(file) => return Err(script::File::read_only(&file.source.name)),
            Contents::Pack(file) => return Err(pack::File::no_values(&file.source.name)),
        })
    }

    /// Makes the failure for versions of different kinds.
    fn differ(name: &str) -> Failure {
        Failure::usage(format!(
            "{name}: the three files are not of one kind (saves, JSON, or files of Terrain Builder)"
        ))
    }
}

/// The result of a merge.
pub(crate) struct Merged {
    pub(crate) changed: Vec<Changed>,
    /// The places that both versions changed, each in its own way.
    pub(crate) conflicts: Vec<Conflict>,
    /// Whether only a part of a file was read.
    pub(crate) is_partial: bool,
    /// The objects of a layer that were taken, and the place of the change that has them all.
    pub(crate) taken: Option<(String, &'static str)>,
}

/// A place that both versions changed, with its values.
pub(crate) struct Conflict {
    pub(crate) place: String,
    pub(crate) base: Option<ShownValue>,
    pub(crate) ours: Option<ShownValue>,
    pub(crate) theirs: Option<ShownValue>,
}
