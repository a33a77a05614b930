//! Changes of an opened file, and other versions of it.

use std::ops::Deref;

use formwork::document::Document;
pub(crate) use formwork::document::Fidelity;

use super::changed::{Changed, ShownValue};
use super::edit::Found;
use super::failure::Failure;
use super::file::{ALB1, Chosen, File};
use super::form::Form;
use super::source::Source;

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

/// The result of a merge.
pub(crate) struct Merged {
    pub(crate) changed: Vec<Changed>,
    /// The places that both versions changed, each in its own way.
    pub(crate) conflicts: Vec<Conflict>,
    /// Whether only a part of a file was read.
    pub(crate) is_partial: bool,
    /// The path of one of the changes, and what it is in words, where these tell more.
    pub(crate) told: Option<(String, String)>,
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
    /// A file of a known format.
    File(Box<dyn File>),
    /// A document of Terrain Builder that was read with its project.
    InProject(Box<dyn Document>),
    /// A file that is not opened.
    Unopened,
}

impl Version {
    /// Returns the name of the format by which versions are compared and merged; [`None`] where there is none.
    pub(crate) fn kind(&self) -> Option<&'static str> {
        match self {
            Self::File(file) => Some(file.compares_as()),
            Self::InProject(_) => Some(ALB1),
            Self::Nothing | Self::Text(..) | Self::Unopened => None,
        }
    }

    /// Returns the name of the file in messages.
    pub(crate) fn name(&self) -> &str {
        if let Self::File(file) = self { file.name() } else { "" }
    }

    /// Opens the content as a document.
    pub(crate) fn document(&self, chosen: Chosen) -> Result<OpenedVersion<'_>, Failure> {
        match self {
            Self::InProject(document) => Ok(OpenedVersion::Before(&**document)),
            Self::File(file) => file.document(chosen).map(OpenedVersion::Now),
            Self::Nothing | Self::Text(..) | Self::Unopened => Err(Self::differ("")),
        }
    }

    /// Prints a remark if the engine ignores bytes, and returns whether it does.
    pub(crate) fn say_unread(&self) -> Result<bool, Failure> {
        if let Self::File(file) = self { file.say_unread() } else { Ok(false) }
    }

    /// Returns the class of the root, if the content is an object.
    pub(crate) fn class(&self, chosen: Chosen) -> Option<String> {
        let document = (self.kind() == Some(ALB1)).then(|| self.document(chosen).ok())??;
        Some(document.look("").ok()?.type_name)
    }

    /// Makes the failure for versions of different kinds.
    pub(crate) fn differ(name: &str) -> Failure {
        Failure::usage(format!(
            "{name}: the three files are not of one kind (saves, JSON, or files of Terrain Builder)"
        ))
    }
}

/// A document that is opened now, or was before.
pub(crate) enum OpenedVersion<'v> {
    Before(&'v dyn Document),
    Now(Box<dyn Document>),
}

impl<'v> Deref for OpenedVersion<'v> {
    type Target = dyn Document + 'v;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Before(document) => *document,
            Self::Now(document) => &**document,
        }
    }
}
