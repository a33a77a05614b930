//! A text that becomes a new file.

use std::cell::OnceCell;
use std::path::Path;

use formwork_variant::Dialect;

use super::container::ContainerOptions;
use super::failure::Failure;
use super::form::Form;
use super::format::{Format, LimitOptions};
use super::framing::FramingName;
use super::output::OutputOptions;
use super::source::Source;

/// A text that becomes a new file, and the options for that.
pub(crate) struct Encoding<'e> {
    pub(crate) file: &'e Path,
    pub(crate) form: Form,
    pub(crate) format: Option<Format>,
    pub(crate) own_format: Option<&'e str>,
    pub(crate) framing: Option<FramingName>,
    pub(crate) like: Option<&'e Path>,
    /// Whether each element of a list is a separate value.
    pub(crate) all: bool,
    pub(crate) container: &'e ContainerOptions,
    pub(crate) limits: LimitOptions,
    pub(crate) output: &'e OutputOptions,
    pub(crate) text: OnceCell<Source>,
}

impl Encoding<'_> {
    /// Returns the text. Reads it the first time.
    pub(crate) fn text(&self) -> Result<&Source, Failure> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let text = Source::read(self.file)?;
        Ok(self.text.get_or_init(|| text))
    }
}

/// A new content, without containers.
pub(crate) struct New {
    pub(crate) content: Vec<u8>,
    /// The engine that it is for.
    pub(crate) dialect: Option<Dialect>,
}
