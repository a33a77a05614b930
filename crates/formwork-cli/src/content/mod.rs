//! The content of an opened file: what the commands that change a file ask of any format.

mod alb1;
mod document;
mod json;
mod typed;
mod values;

use formwork::document::Json;
use formwork_variant::edit::Side;

use super::changed::{Changed, ShownValue};
use super::failure::Failure;
use super::file::Version;
use super::form::Form;
use super::source::Source;
pub(crate) use alb1::Alb1;
pub(crate) use document::AnyDocument;
pub(crate) use json::{each, of_document, of_values};
pub(crate) use typed::Typed;
pub(crate) use values::{Context, Values, line, one};

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

    /// Replaces the content by that of a text. If the text is not exact, what other programs lose of numbers and of the
    /// order of keys is restored.
    fn replace(
        &mut self,
        text: &Source,
        form: Form,
        is_exact: bool,
    ) -> Result<Vec<Changed>, Failure>;

    /// Makes the changes from `base` to `theirs`. Without a preferred side, conflicts keep the content.
    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure>;

    /// Returns each value as JSON, and whether the text of all is a list. A quadtree is JSON with `trees`, else bytes.
    fn json(&self, trees: bool) -> Result<(Vec<Json>, bool), Failure>;
}

/// A change that a command makes; returns what changed.
pub(crate) type Change<'c> = dyn FnMut(&mut dyn Content) -> Result<Vec<Changed>, Failure> + 'c;

/// How values are set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetOptions<'t> {
    /// Whether values that are not there are added.
    pub(crate) adds: bool,
    /// The type and form of the values.
    pub(crate) typed: Typed<'t>,
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
