//! The one public error type: class of fault, broken rule, offset, path.

mod path;
mod rule;
mod words;

use std::fmt;
use std::io;
use std::sync::Arc;

pub use path::{Path, PathSegment};
pub use rule::{Declaration, ErrorKind, Rule};
#[doc(hidden)]
pub use words::{bytes, elements, more_bytes};

/// Why something could not be read or written.
///
/// One word wide; everything in it is built only when something went wrong.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    io: Option<IoError>,
    class: ErrorKind,
    rule: Rule,
    offset: Option<u64>,
    path: Path,
    place: String,
    expected: String,
    found: String,
}

/// An io::Error, shared, because it cannot be copied.
#[derive(Clone, Debug)]
struct IoError(Arc<io::Error>);

impl PartialEq for IoError {
    fn eq(&self, other: &Self) -> bool {
        self.0.kind() == other.0.kind() && self.0.raw_os_error() == other.0.raw_os_error()
    }
}

/// Result of the library's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Making errors, for readers and writers by hand: the fault gives offset and words, each caller adds its step of the
/// path.
///
/// ```
/// use formwork::{Error, Result};
///
/// mod rule {
///     formwork::rules! {
///         /// All rules about scores.
///         pub const ALL;
///
///         /// A score is at most 9999.
///         pub const SCORE_RANGE = "score.range", Malformed;
///     }
/// }
///
/// fn score(bytes: &[u8]) -> Result<u16> {
///     let Some(bytes) = bytes.first_chunk() else {
///         let left = bytes.len() as u64;
///         return Err(Error::incomplete(0, 2 - left, "2 bytes", left));
///     };
///     match u16::from_le_bytes(*bytes) {
///         score @ ..=9999 => Ok(score),
///         score => Err(Error::new(rule::SCORE_RANGE, 0, "at most 9999", score.to_string())),
///     }
/// }
///
/// let file = [1, 0, 0xff, 0xff, 7];
/// let read = |index: usize| {
///     let error = |error: Error| error.within(index as u64).within("scores").shifted(2 * index as u64);
///     score(&file[2 * index..]).map_err(error)
/// };
/// assert_eq!(read(0), Ok(1));
/// assert_eq!(
///     read(1).unwrap_err().to_string(),
///     "offset 2 (0x2), scores[1]: expected at most 9999, found 65535 (malformed, rule score.range)"
/// );
/// assert_eq!(read(2).unwrap_err().needed(), Some(1));
/// // In a whole file nothing more arrives.
/// assert_eq!(read(2).unwrap_err().closed().kind(), formwork::ErrorKind::Malformed);
/// ```
impl Error {
    /// Returns an error that breaks `rule` at `offset`: what was expected there, and what was found.
    #[cold]
    #[must_use]
    pub fn new(
        rule: Rule,
        offset: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self(Box::new(Inner {
            class: rule.kind(),
            io: None,
            rule,
            offset: Some(offset),
            path: Path::default(),
            place: String::new(),
            expected: expected.into(),
            found: found.into(),
        }))
    }

    /// Returns the error of input that stops too early: `left` bytes are left at `offset`, where
    /// `expected` should be, and that takes `needed` more at least.
    ///
    /// Its class is [`ErrorKind::Incomplete`], its rule [`Rule::INPUT_COMPLETE`].
    #[cold]
    #[must_use]
    pub fn incomplete(offset: u64, needed: u64, expected: impl Into<String>, left: u64) -> Self {
        let mut error = Self::new(Rule::INPUT_COMPLETE, offset, expected, format!("{left} left"));
        error.0.class = ErrorKind::Incomplete { needed };
        error
    }

    /// Returns the error of a reader or writer that failed at `offset`.
    ///
    /// The [`io::Error`] is its [source](std::error::Error::source), and [`io_error_kind`](Self::io_error_kind)
    /// says of what kind it is.
    #[cold]
    #[must_use]
    pub fn io(offset: u64, error: io::Error) -> Self {
        let mut made = Self::new(Rule::INPUT_IO, offset, "a working stream", error.to_string());
        made.0.io = Some(IoError(Arc::new(error)));
        made
    }

    /// Puts `outer` before the path.
    #[cold]
    #[must_use]
    pub fn under(mut self, outer: Path) -> Self {
        self.0.path = std::mem::take(&mut self.0.path).under(outer);
        self
    }

    /// Puts a step before the path: the field or the position in a list that was being read.
    #[cold]
    #[must_use]
    pub fn within(self, step: impl Into<PathSegment>) -> Self {
        self.under(Path::from(vec![step.into()]))
    }

    /// Puts the steps of a path with slashes before the path.
    #[cold]
    pub(crate) fn within_names(self, path: &str) -> Self {
        let steps = path.split('/').map(|step| match step.parse() {
            Ok(index) => PathSegment::Index(index),
            Err(_) => PathSegment::Name(step.into()),
        });
        self.under(steps.collect())
    }

    /// Moves the error `base` bytes further on: for input that is a part of something.
    #[cold]
    #[must_use]
    pub fn shifted(mut self, base: u64) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(base));
        self
    }

    /// Returns the error as it is where no more input can arrive: what was incomplete is malformed.
    #[cold]
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.0.class = self.0.rule.kind();
        self
    }

    /// Returns the error with this offset, if it has none.
    #[must_use]
    pub fn or_at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Returns whether the error has no offset.
    #[must_use]
    pub fn is_nowhere(&self) -> bool {
        self.0.offset.is_none()
    }

    /// Returns the error without an offset: a value has none.
    #[cold]
    #[must_use]
    pub fn nowhere(mut self) -> Self {
        self.0.offset = None;
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.class
    }

    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.0.rule
    }

    /// Returns the offset of the fault in bytes from the start of the input (for a fault in a text, in bytes of
    /// the text; when writing, in bytes of what would have been written).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.0.offset.unwrap_or(0)
    }

    /// Returns the path of the field.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the place in the names that the user stored, `players/0/level`, where it is known: an error about a
    /// value of `serde` has it beside the path in the names of the declarations. Empty otherwise.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// Sets the place in the names that the user stored.
    #[cold]
    #[must_use]
    pub fn at_place(mut self, place: impl Into<String>) -> Self {
        self.0.place = place.into();
        self
    }

    /// Returns the words for what was expected.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// Returns the words for what was found.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// Returns the kind of failure of the reader or writer underneath: after
    /// [`WouldBlock`](io::ErrorKind::WouldBlock), for example, one may try again.
    #[must_use]
    pub fn io_error_kind(&self) -> Option<io::ErrorKind> {
        self.0.io.as_ref().map(|error| error.0.kind())
    }

    /// How many more bytes are needed at least, when the input only stops too early.
    #[must_use]
    pub fn needed(&self) -> Option<u64> {
        match self.0.class {
            ErrorKind::Incomplete { needed } => Some(needed),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { class, rule, path, place, expected, found, offset, .. } = &*self.0;
        if let Some(offset) = offset {
            write!(f, "offset {offset} (0x{offset:x})")?;
        }
        match (offset.is_some(), path.is_empty()) {
            (true, true) => f.write_str(": ")?,
            (false, true) => {}
            (has_offset, false) => {
                f.write_str(if has_offset { ", " } else { "" })?;
                write!(f, "{path}")?;
                if !place.is_empty() {
                    write!(f, " ({})", path::Escaped(place))?;
                }
                f.write_str(": ")?;
            }
        }
        match expected.as_str() {
            // The words of another crate.
            "" => f.write_str(found)?,
            expected => write!(f, "expected {expected}, found {found}")?,
        }
        match class {
            ErrorKind::Incomplete { needed } => {
                write!(f, "; at least {} needed", more_bytes(*needed))?;
            }
            class => write!(f, " ({}, rule {rule})", class.name())?,
        }
        Ok(())
    }
}

/// The same words: a program whose `main` returns the error prints this.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    /// The [`io::Error`], where the reader or writer underneath failed.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|error| &*error.0 as &(dyn std::error::Error + 'static))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::io(0, error)
    }
}
