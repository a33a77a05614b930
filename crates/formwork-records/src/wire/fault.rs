//! Passes errors of this library through binrw's errors, and turns binrw's errors into [`Error`].

use std::fmt;

use binrw::Endian;

use super::{Cursor, rule};
use crate::schema::{Schema, Sizes};
use formwork::record::Readable;
use formwork::{Error, ErrorKind, PathSegment, Rule};

/// An [`Error`] inside an error of a derived reader. (binrw requires a separate type that is also `Display`.)
#[derive(Clone, Debug)]
struct Fault {
    error: Error,
    /// Whether the input cannot hold a list, whose elements were not read.
    is_list: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// Wraps an error so that a derived reader can return it.
#[cold]
pub fn raise(error: Error) -> binrw::Error {
    binrw::Error::Custom { pos: error.offset(), err: Box::new(Fault { error, is_list: false }) }
}

/// Wraps the error of a list that the input cannot hold.
#[cold]
pub fn raise_list(error: Error) -> binrw::Error {
    binrw::Error::Custom { pos: error.offset(), err: Box::new(Fault { error, is_list: true }) }
}

fn fault_in(error: &binrw::Error) -> Option<&Fault> {
    match error.root_cause() {
        binrw::Error::Custom { err, .. } => err.downcast_ref(),
        _ => None,
    }
}

/// Turns the error of a derived writer, at `position`, into an [`Error`].
#[cold]
pub fn error_from(error: &binrw::Error, position: u64) -> Error {
    match error.root_cause() {
        binrw::Error::Custom { .. } => match fault_in(error) {
            Some(fault) => fault.error.clone(),
            None => unexpected(error, position),
        },
        binrw::Error::Io(io) => Error::io(position, copy(io)),
        other => unexpected(other, position),
    }
}

/// Returns a copy of an [`io::Error`](std::io::Error), as far as it can be copied: its kind and its message.
#[cold]
fn copy(error: &std::io::Error) -> std::io::Error {
    match error.raw_os_error() {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => std::io::Error::new(error.kind(), error.to_string()),
    }
}

/// Turns the error of the derived reader of the record at `start` into an [`Error`]: the declaration determines the
/// field, and the cursor has the position of missing bytes.
#[cold]
pub fn read_error<T>(
    error: &binrw::Error,
    input: &Cursor<'_>,
    start: usize,
    endian: Endian,
) -> Error
where
    T: Readable,
{
    let own = unplaced_error::<T>(error, input, start);
    let with = match endian {
        Endian::Little => formwork::record::with(&()),
        Endian::Big => formwork::record::with(&()).big_endian(),
    };
    let bytes = input.all().get(start..).unwrap_or_default();
    let Err(placed) = with.read::<T>(&mut formwork::wire::Cursor::new(bytes)) else { return own };
    let placed = placed.shifted(start as u64);
    let is_cut = |error: &Error| matches!(error.kind(), ErrorKind::Incomplete { .. });
    if !is_cut(&own) || !is_cut(&placed) || own.offset() > placed.offset() {
        return placed;
    }
    let is_list = fault_in(error).is_some_and(|fault| fault.is_list);
    let segments = placed.path().steps().iter();
    let segments = segments.take_while(|it| !is_list || !matches!(it, PathSegment::Index(_)));
    own.under(segments.cloned().collect())
}

/// Turns the error of the derived reader of the record at `start` into an [`Error`] without the name of the field.
#[cold]
fn unplaced_error<T: Schema>(error: &binrw::Error, input: &Cursor<'_>, start: usize) -> Error {
    match error.root_cause() {
        binrw::Error::Io(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            let (offset, wanted) = match (input.failed(), T::HEAD_SIZE) {
                (Some((offset, _)), head) if offset < start + head => (start, head),
                (Some(failed), _) => failed,
                (None, _) => (start, 1),
            };
            let left = input.all().len().saturating_sub(offset);
            let needed = wanted.saturating_sub(left) as u64;
            Error::incomplete(
                offset as u64,
                needed,
                formwork::wire::bytes(wanted).to_string(),
                left as u64,
            )
        }
        other => error_from(other, position_of(other).unwrap_or(start as u64)),
    }
}

/// Returns the error for bytes at `offset` that differ from the declared ones.
#[cold]
pub fn wrong_magic(offset: usize, magic: &[u8], there: &[u8]) -> Error {
    let found = there.get(..magic.len()).unwrap_or(there);
    let (expected, found) = (magic.escape_ascii(), found.escape_ascii());
    Error::new(rule::RECORD_MAGIC, offset as u64, format!("`{expected}`"), format!("`{found}`"))
}

/// Returns the position of binrw's error.
const fn position_of(error: &binrw::Error) -> Option<u64> {
    match error {
        binrw::Error::BadMagic { pos, .. }
        | binrw::Error::AssertFail { pos, .. }
        | binrw::Error::NoVariantMatch { pos }
        | binrw::Error::EnumErrors { pos, .. }
        | binrw::Error::Custom { pos, .. } => Some(*pos),
        _ => None,
    }
}

/// Turns an error of binrw without an equivalent here into an [`Error`] with binrw's message.
#[cold]
fn unexpected(error: &binrw::Error, position: u64) -> Error {
    let rule = match error {
        binrw::Error::AssertFail { .. } | binrw::Error::Custom { .. } => rule::RECORD_ASSERT,
        binrw::Error::BadMagic { .. } => rule::RECORD_MAGIC,
        binrw::Error::NoVariantMatch { .. } | binrw::Error::EnumErrors { .. } => {
            rule::RECORD_NUMBER
        }
        _ => Rule::INPUT_IO,
    };
    let text = match error {
        binrw::Error::AssertFail { message, .. } => message.clone(),
        binrw::Error::Custom { err, .. } => err.to_string(),
        other => other.to_string(),
    };
    Error::new(rule, position, "a readable record", text)
}
