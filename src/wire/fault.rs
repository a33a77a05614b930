//! How errors pass through binrw's.

use std::fmt;

use super::rule;
use crate::error::{Error, Rule};

/// An [`Error`] inside binrw's.
#[derive(Clone, Debug)]
struct Fault(Error);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Wraps an error for a derived reader.
#[cold]
pub(crate) fn raise(error: Error) -> binrw::Error {
    binrw::Error::Custom { pos: error.offset(), err: Box::new(Fault(error)) }
}

/// Returns the error of the derived reader or writer that failed at `position`.
#[cold]
pub(crate) fn error_of(error: &binrw::Error, position: u64) -> Error {
    match error.root_cause() {
        binrw::Error::Custom { pos, err } => match err.downcast_ref::<Fault>() {
            Some(fault) => fault.0.clone(),
            None => Error::new(rule::RECORD_ASSERT, *pos, "", error.root_cause().to_string()),
        },
        binrw::Error::Io(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            Error::incomplete(position, 1, "more bytes", 0)
        }
        binrw::Error::Io(io) => Error::io(position, std::io::Error::new(io.kind(), io.to_string())),
        binrw::Error::AssertFail { pos, message } => {
            Error::new(rule::RECORD_ASSERT, *pos, "", message.clone())
        }
        binrw::Error::BadMagic { pos, .. } => {
            Error::new(rule::RECORD_MAGIC, *pos, "", error.root_cause().to_string())
        }
        binrw::Error::NoVariantMatch { pos } => Error::new(
            rule::RECORD_VARIANT,
            *pos,
            "a number or variant that is declared",
            "another",
        ),
        other => Error::new(Rule::INPUT_COMPLETE, position, "", other.to_string()),
    }
}
