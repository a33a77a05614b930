//! Files that programs open through the traits `Format` and `Document`, and what commands do with any of them.

mod changes;
mod look;
pub(crate) mod registry;
mod values;

use std::fmt;

use formwork::document::{Confidence, Document, Format, JsonText};

use super::failure::Failure;
use super::source::Source;
pub(crate) use changes::{LINES, keep_forms, read_value, remove, replace, set, shown_change};
pub(crate) use look::{Printing, at, finding, is_inside, short, with_slashes};
pub(crate) use values::{Conflict, merge};

/// A file, and its format.
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) format: &'static dyn Format,
    pub(crate) confidence: Confidence,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, format, confidence } = self;
        let mut shown = f.debug_struct("File");
        shown.field("source", source).field("format", &format.name());
        shown.field("confidence", confidence).finish()
    }
}

/// Returns whether a text is JSON with something in it.
pub(crate) fn is_json(text: &str) -> bool {
    JsonText.sniff(text.as_bytes()) == Confidence::Whole
}

impl File {
    /// Opens the file.
    pub(crate) fn open(&self) -> Result<Box<dyn Document>, Failure> {
        let opened = self.format.open(self.source.content());
        opened.map_err(|error| {
            let error = error.shifted(self.source.skipped() as u64);
            Failure::in_source(&self.source, error)
        })
    }

    /// Returns the failure where values of an engine are asked for.
    pub(crate) fn no_values(&self) -> Failure {
        let (name, what) = (&self.source.name, self.format.description());
        Failure::usage(format!("{name}: this is {what}, which has no values of an engine"))
    }

    /// Returns the failure where an option is for files of several values.
    pub(crate) fn no_index(&self) -> Failure {
        let name = &self.source.name;
        let what = self.format.description();
        Failure::usage(format!("{name}: {what} is one value, so --index does not apply"))
            .hint("of several documents, a path begins with the number of one: 0/player/gold")
    }
}
