//! What is wrong or odd in the bytes of a record, in the order in which it stands there.

use crate::error::{Error, Path, PathSegment, Rule};
use crate::inspect::{Inspector, Kind, Layout, Note, Span, Value};
use crate::schema::{Field, Level, Record, Schema, Semantics, Shape};
use crate::wire::{rule, unknown_number};

/// Something follows the record.
#[cold]
pub(super) fn trailing(offset: u64, left: u64) -> Error {
    Error::new(Rule::INPUT_TRAILING, offset, "the end", format!("{left} more bytes"))
}

/// Everything that is wrong or odd. Nothing comes behind the first thing that is wrong.
pub(super) fn faults<T: Schema>(bytes: &[u8]) -> impl Iterator<Item = Error> + '_ {
    let mut inspector = Inspector::record::<T>(bytes);
    let mut is_over = false;
    std::iter::from_fn(move || {
        while !is_over {
            match inspector.next()? {
                Ok(span) => {
                    if let Some(error) = oddity::<T>(&span, &inspector.path()) {
                        return Some(error);
                    }
                }
                Err(fault) => {
                    is_over = true;
                    return Some(fault);
                }
            }
        }
        None
    })
}

fn oddity<T: Schema>(span: &Span<'_>, path: &Path) -> Option<Error> {
    if span.kind == Kind::Rest {
        return Some(trailing(span.offset, span.bytes.len() as u64));
    }
    let (rule, expected) = match span.note? {
        Note::PaddingNotZero | Note::UnusedBits(_) => (rule::RECORD_ZERO, "zeros"),
        Note::NotUtf8 => (rule::RECORD_TEXT, "a text in UTF-8"),
        // That other bytes should stand there is a fault of its own.
        Note::Unnamed if matches!(span.value, Value::Text(_)) => return None,
        Note::Unnamed => {
            let meaning = levels(T::SHAPE, path)
                .last()
                .and_then(|(record, position)| record.fields.get(*position))
                .map_or(T::MEANING, |field| field.meaning);
            if let (Semantics::Numbered(names), Value::Integer(number, _)) = (meaning, span.value) {
                let error = unknown_number(span.offset as usize, names, number);
                return Some(error.under(path.clone()));
            }
            (rule::RECORD_NUMBER, "a number that has a name")
        }
        // These are followed by a fault, or are nothing odd here.
        Note::PaddingMissing | Note::BehindZero | Note::Missing(_) => return None,
    };
    let found = match span.layout {
        Layout::One(Shape::Padding) => format!("`{}`", span.bytes.escape_ascii()),
        _ => format!("{:.60}", span.value),
    };
    Some(Error::new(rule, span.offset, expected, found).under(path.clone()))
}

/// The records that a path leads through, each with the field that it takes.
pub(super) fn levels(shape: Shape, path: &Path) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut shape = shape;
    for step in path.steps() {
        let (PathSegment::Field(name), Shape::Record(record)) = (step, shape) else { continue };
        let Some(position) = position_of(record, name) else { break };
        levels.push((record, position));
        if let Some(field) = record.fields.get(position) {
            shape = field.shape();
        }
    }
    levels
}

fn position_of(record: &'static Record, name: &str) -> Option<usize> {
    record.fields.iter().position(|field: &Field| field.name == name)
}
