//! The bytes that a command works on, and their name in messages.

use std::borrow::Cow;
use std::path::Path;

use formwork_godot::detect::Detector;
use formwork_godot::wrapper::{Key, Layer, Unwrapped};
use formwork_variant::{Dialect, Error};

use super::arguments::program;
use super::custom::own;
use super::failure::Failure;
use super::lines::STDIN;
use super::quantity::counted;
use super::style::shown;

/// A file, or standard input, with all its bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages.
    pub name: String,
    /// The content, and its containers.
    pub file: Unwrapped,
    /// The engine's release, if the pack of the file names it.
    pub engine: Option<Dialect>,
    /// The key for encrypted content, if the options give one.
    pub key: Option<Key>,
    /// Whether the source is a file in a pack.
    pub is_in_pack: bool,
}

impl Source {
    /// Returns the name as a word of a command line.
    pub fn word(&self) -> String {
        match &*self.name {
            STDIN => "-".to_owned(),
            name => word(name),
        }
    }

    /// Makes a source from bytes that are in no file.
    pub fn of_bytes(name: String, bytes: impl Into<Vec<u8>>) -> Self {
        let file = Unwrapped::new(bytes.into());
        Self { name, file, engine: None, key: None, is_in_pack: false }
    }

    /// Sets the number of bytes of the game's header, before the values or before a container.
    pub fn skipping(mut self, skip: Option<u64>) -> Self {
        self.file = self.file.header(skip.unwrap_or_default());
        self
    }

    /// Refuses a file that is shorter than the given header.
    pub fn header_is_there(&self) -> Result<(), Failure> {
        let (name, wanted) = (&self.name, self.file.missing_header());
        if wanted == 0 {
            return Ok(());
        }
        let length = self.bytes().len();
        let message = format!(
            "{name}: --skip {wanted} is more than the file has: {}",
            counted(length as u64, "byte")
        );
        Err(Failure::no(message))
    }

    /// Returns whether the content was in a container or in a pack.
    pub fn is_inside(&self) -> bool {
        self.is_in_pack || !self.layers().is_empty()
    }

    /// Returns all bytes, or those of the content of the containers.
    pub fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Returns the bytes after the header.
    pub fn content(&self) -> &[u8] {
        self.file.content()
    }

    /// Returns the containers that were removed, outermost first.
    pub fn layers(&self) -> &[Layer] {
        self.file.layers()
    }

    /// Returns what is after the values, in words.
    pub fn told_behind(&self) -> Option<String> {
        let behind = self.file.behind().len();
        let offset = self.bytes().len() - behind;
        (behind > 0).then(|| {
            let (size, are) = (counted(behind as u64, "byte"), if behind == 1 { "is" } else { "are" });
            format!("{size} behind the values, from offset {offset} on, {are} other data, and kept as they are")
        })
    }

    /// Returns whether the bytes after the content hold values, or what is left of some.
    pub fn holds_values_behind(&self) -> bool {
        let (behind, detector) = (self.file.behind(), Detector::new());
        let detection = detector.detect(behind);
        !detection.candidates.is_empty()
            || detection.partial().is_some()
            || detector.behind_header(behind).is_some()
    }

    /// Returns the bytes without those after the content.
    pub fn bytes_to_end(&self) -> &[u8] {
        &self.bytes()[..self.bytes().len() - self.file.behind().len()]
    }

    /// Returns the size of the game's header.
    pub const fn skipped(&self) -> usize {
        self.file.skipped()
    }
}

/// Returns a text as one word of a command line.
pub fn word(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| shown(text), Cow::into_owned)
}

/// Makes the failure for a folder `name` where a file is expected.
pub fn is_folder(name: &str) -> Failure {
    let failure = Failure::unreadable(format!("{name}: this is a folder, not a file"));
    if own().is_some() {
        return failure.hint(format!("for all files in it: {} info '{name}'", program()));
    }
    failure
        .hint(format!("for all files in it: formwork info '{name}'"))
        .hint(format!("for a Terrain Builder project: formwork terrain layers '{name}'"))
}

/// Returns whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the name of an input in messages.
pub fn name(path: &Path) -> String {
    if is_stdin(path) {
        return STDIN.into();
    }
    // A file name may hold any characters, such as a line break or a control sequence of a
    // terminal.
    shown(path.to_string_lossy())
}

impl Failure {
    /// Makes a failure for a fault in the bytes of a source.
    pub fn in_source(source: &Source, error: Error) -> Self {
        Self::in_bytes(&source.name, source.bytes(), error).unpacked(source.layers())
    }
}

/// Removes the byte order mark that editors put before a text.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}
