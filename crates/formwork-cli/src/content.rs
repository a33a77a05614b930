//! The content of an opened file: what the commands that change a file ask of any format.

use std::borrow::Cow;
use std::mem;

pub(crate) use formwork::document::Fidelity;
use formwork::document::{self, Json};
use formwork_alb1::Document;
use formwork_edit::Side;

use super::changed::{Changed, ShownValue};
use super::edit::Found;
use super::failure::Failure;
use super::form::Form;
use super::packets::Input;
use super::source::Source;

/// The content of an opened file. Each change is made whole or not at all, and returns what changed.
pub(crate) trait Content {
    /// Returns the name of the file in messages.
    fn name(&self) -> &str;

    /// Reads the file, if that was put off.
    fn ready(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// Sets the values at paths.
    fn set(
        &mut self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure>;

    /// Removes the values at paths, which are those of the content as it is.
    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure>;

    /// Returns the content as a text that [`replace`](Self::replace) takes back.
    fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure>;

    /// Replaces the content by that of a text.
    fn replace(&mut self, text: &Source, replacing: Replacing) -> Result<Replaced, Failure>;

    /// Makes the changes from `base` to `theirs`. Without a preferred side, conflicts keep the content.
    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure>;

    /// Returns each value as JSON, and whether the text of all is a list. A quadtree is JSON with `trees`, else bytes.
    fn json(&mut self, trees: bool) -> Result<(Vec<Json>, bool), Failure>;
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

/// How a text replaces a content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replacing {
    pub(crate) form: Form,
    pub(crate) fidelity: Fidelity,
    /// Whether the text is a list of values, however many there are.
    pub(crate) is_list: bool,
}

impl Replacing {
    /// Replaces values by those of a text in this form, as many as there are.
    pub(crate) const fn by(form: Form, fidelity: Fidelity) -> Self {
        Self { form, fidelity, is_list: false }
    }
}

/// The changes that a text made.
#[derive(Debug)]
pub(crate) struct Replaced {
    pub(crate) changed: Vec<Changed>,
    pub(crate) found: Found,
}

impl From<Vec<Changed>> for Replaced {
    fn from(changed: Vec<Changed>) -> Self {
        Self { found: Found::of(&changed), changed }
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

/// The options about typed values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed<'t> {
    /// The type of the values.
    pub(crate) type_name: Option<&'t str>,
    /// The form of the values.
    pub(crate) form: Option<Form>,
    /// The bytes of the file that is the value.
    pub(crate) file: Option<&'t [u8]>,
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
    /// A document of any other format, and the name of the format.
    Document(&'static str, Box<dyn document::Document>),
    /// A file that is not opened.
    Unopened,
}

impl Version {
    /// Returns the class of the root, if the content is an object.
    pub(crate) fn class(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Alb1(document) => Some(document.class_name(&document.root)),
            _ => None,
        }
    }

    /// Returns whether both are of one kind, and not unopened.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Document(format, _), Self::Document(other, _)) => format == other,
            (Self::Unopened, _) => false,
            _ => mem::discriminant(self) == mem::discriminant(other),
        }
    }

    /// Makes the failure for versions of different kinds.
    pub(crate) fn differ(name: &str) -> Failure {
        Failure::usage(format!(
            "{name}: the three files are not of one kind (saves, JSON, or files of Terrain Builder)"
        ))
    }
}
