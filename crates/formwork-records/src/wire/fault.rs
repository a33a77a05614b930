//! Passes errors of this library through binrw's errors, and turns binrw's errors into [`Error`].

use std::fmt;

use super::{Cursor, rule};
use crate::schema::{Expression, Failed, Field, Repetition, Schema, Shape, Why, locate};
use formwork::{Error, Path, Rule};

/// An [`Error`] inside an error of a derived reader. (binrw requires a separate type that is also `Display`.)
#[derive(Clone, Debug)]
struct Fault(Error);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Wraps an error so that a derived reader can return it.
#[cold]
pub fn raise(error: Error) -> binrw::Error {
    binrw::Error::Custom { pos: error.offset(), err: Box::new(Fault(error)) }
}

/// Turns the error of a derived writer, at `position`, into an [`Error`].
#[cold]
pub fn error_from(error: &binrw::Error, position: u64) -> Error {
    match error.root_cause() {
        binrw::Error::Custom { err, .. } => match err.downcast_ref::<Fault>() {
            Some(fault) => fault.0.clone(),
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

/// Turns the error of the derived reader of the record at `start` into an [`Error`]: the cursor has the position of the
/// failure, and the declaration determines the field.
#[cold]
pub fn read_error<T: Schema>(error: &binrw::Error, input: &Cursor<'_>, start: usize) -> Error {
    let own = unplaced_error::<T>(error, input, start);
    let Shape::Record(record) = T::SHAPE else { return own };
    let cause = error.root_cause();
    let failed = Failed {
        at: usize::try_from(own.offset()).ok(),
        is_check: matches!(cause, binrw::Error::AssertFail { .. }),
        is_number: matches!(cause, binrw::Error::NoVariantMatch { .. }),
    };
    let Some(place) = locate(record, input.all(), start, failed) else { return own };
    let offset = place.offset;
    let error = match place.why {
        Why::Unknown => own,
        Why::Magic(magic) => {
            wrong_magic(offset, magic, input.all().get(offset..).unwrap_or_default())
        }
        Why::Check(check, values) => broken_check(offset, check, &values),
        Why::Number(names, number) => unknown_number(offset, names, number),
    };
    error.under(Path::from(place.path))
}

/// Turns the error of the derived reader of the record at `start` into an [`Error`] without the name of the field.
#[cold]
pub fn unplaced_error<T: Schema>(error: &binrw::Error, input: &Cursor<'_>, start: usize) -> Error {
    match error.root_cause() {
        binrw::Error::Io(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            let (offset, wanted) = match (input.failed(), head_size(T::SHAPE)) {
                (Some((offset, _)), head) if offset < start + head => (start, head),
                (Some(failed), _) => failed,
                (None, _) => (start, 1),
            };
            let left = input.all().len().saturating_sub(offset);
            let needed = wanted.saturating_sub(left) as u64;
            Error::incomplete(offset as u64, needed, format!("{wanted} bytes"), left as u64)
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

/// Returns the error for an assertion about the field at `offset` that does not hold, with these values of the fields
/// to which it refers.
#[cold]
pub fn broken_check(offset: usize, check: Expression, values: &[(String, i128)]) -> Error {
    let mut found = Vec::new();
    for (name, value) in values {
        let text = format!("{name} = {value}");
        if !found.contains(&text) {
            found.push(text);
        }
    }
    let found = if found.is_empty() { "something else".to_owned() } else { found.join(", ") };
    Error::new(rule::RECORD_ASSERT, offset as u64, format!("`{check}`"), found)
}

/// Returns the error for a number at `offset` that is none of these.
#[cold]
pub fn unknown_number(offset: usize, names: &[(i128, &str)], number: i128) -> Error {
    let known: Vec<String> = names.iter().map(|(known, name)| format!("{known} {name}")).collect();
    Error::new(rule::RECORD_NUMBER, offset as u64, known.join(" or "), number.to_string())
}

/// Returns the number of bytes of the words at the start of a record. They count as read at once.
fn head_size(shape: Shape) -> usize {
    let Shape::Record(record) = shape else { return 0 };
    let once = |field: &&Field| field.occurs == Repetition::Once && !field.nested;
    record.fields.iter().take_while(once).map_while(|field| field.shape().size()).sum()
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
