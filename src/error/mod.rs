//! The one public error type: what class of fault, which named rule, where, on what path.

mod path;
mod rule;

use std::fmt;
use std::io;
use std::sync::Arc;

pub use path::{Path, Step};
pub use rule::{Class, Declaration, Rule};

/// Why something could not be read or written.
///
/// One word wide; everything in it is built only when something went wrong.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    /// What the reader or writer underneath said.
    io: Option<IoError>,
    class: Class,
    rule: Rule,
    offset: u64,
    path: Path,
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

/// What the library's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error that breaks `rule` at `offset`.
    #[cold]
    pub(crate) fn new(
        rule: Rule,
        offset: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self(Box::new(Inner {
            class: rule.class(),
            io: None,
            rule,
            offset,
            path: Path::default(),
            expected: expected.into(),
            found: found.into(),
        }))
    }

    /// The input ends `needed` bytes before `what` at `offset` is complete.
    #[cold]
    pub(crate) fn incomplete(offset: u64, needed: u64, expected: String, left: u64) -> Self {
        let mut error = Self::new(Rule::INPUT_COMPLETE, offset, expected, format!("{left} left"));
        error.0.class = Class::Incomplete { needed };
        error
    }

    /// The reader or writer underneath failed.
    #[cold]
    pub(crate) fn io(offset: u64, error: &io::Error) -> Self {
        // An io::Error cannot be copied: what it says and what it is can.
        let copy = match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(error.kind(), error.to_string()),
        };
        let mut made = Self::new(Rule::INPUT_IO, offset, "a working stream", error.to_string());
        made.0.io = Some(IoError(Arc::new(copy)));
        made
    }

    /// The same error, with `outer` before its path.
    #[cold]
    pub(crate) fn under(mut self, outer: Path) -> Self {
        self.0.path = std::mem::take(&mut self.0.path).under(outer);
        self
    }

    /// The same error, in a field of what is being read.
    #[cold]
    pub(crate) fn within(self, field: &'static str) -> Self {
        self.under(Path::from(vec![Step::Field(field)]))
    }

    /// The same error, `base` bytes further on: for input that is a part of something.
    #[cold]
    #[must_use]
    pub fn shifted(mut self, base: u64) -> Self {
        self.0.offset = self.offset() + base;
        self
    }

    /// The same error, at `offset`, if nobody said yet where it is.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn at(mut self, offset: u64) -> Self {
        if self.is_nowhere() {
            self.0.offset = offset;
        }
        self
    }

    /// Whether nobody said yet where the error is: it comes from code that cannot know.
    #[cfg(feature = "serde")]
    pub(crate) fn is_nowhere(&self) -> bool {
        self.0.offset == Self::NOWHERE
    }

    /// The offset of an error before anybody said where it is.
    pub(crate) const NOWHERE: u64 = u64::MAX;

    /// The same error, where more input cannot arrive.
    #[cold]
    pub(crate) fn closed(mut self) -> Self {
        self.0.class = self.0.rule.class();
        self
    }

    /// What kind of answer this is.
    #[must_use]
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.0.rule
    }

    /// Where in the input the fault is, in bytes from its start (for a fault in a text, in bytes of
    /// the text; when writing, in bytes of what would have been written).
    #[must_use]
    pub fn offset(&self) -> u64 {
        if self.0.offset == Self::NOWHERE { 0 } else { self.0.offset }
    }

    /// Which field it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What should have been there.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What was there.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// What kind of failure it was, where the reader or writer underneath failed: after
    /// [`WouldBlock`](io::ErrorKind::WouldBlock), for example, one may try again.
    #[must_use]
    pub fn io_error_kind(&self) -> Option<io::ErrorKind> {
        self.0.io.as_ref().map(|error| error.0.kind())
    }

    /// How many more bytes are needed at least, when the input only stops too early.
    #[must_use]
    pub fn needed(&self) -> Option<u64> {
        match self.0.class {
            Class::Incomplete { needed } => Some(needed),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { class, rule, path, expected, found, .. } = &*self.0;
        let offset = self.offset();
        write!(f, "offset {offset} (0x{offset:x})")?;
        if !path.is_empty() {
            write!(f, ", {path}")?;
        }
        match expected.as_str() {
            // The words of somebody else's code.
            "" => write!(f, ": {found}")?,
            expected => write!(f, ": expected {expected}, found {found}")?,
        }
        match class {
            Class::Incomplete { needed } => write!(f, "; at least {needed} more bytes needed")?,
            class => write!(f, " ({}, rule {rule})", class.name())?,
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {
    /// The [`io::Error`], where the reader or writer underneath failed.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|error| &*error.0 as &(dyn std::error::Error + 'static))
    }
}

/// For the streams that tokio-util drives: where in the stream it failed is not known then, and the
/// offset is 0. (Only for them: elsewhere an error says where.)
#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::io(0, &error)
    }
}
