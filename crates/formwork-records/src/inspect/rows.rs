//! Rows of documents, out of the spans of an inspector.

use std::io;

use formwork::document::{Row, RowKind};
use formwork::{Error, Path, PathSegment, Result};

use super::{Kind, Span};

/// Letters of a value in a row, at most.
const MOST_LETTERS: usize = 160;

/// Passes a row for each span or fault to `each`.
///
/// # Errors
///
/// Returns the first error of `each`.
pub fn of_spans<'a>(
    spans: impl Iterator<Item = Result<Span<'a>>>,
    each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut around: Vec<PathSegment> = Vec::new();
    for item in spans {
        match item {
            Ok(span) => {
                around.truncate(span.depth as usize);
                around.push(span.name.clone());
                each(&of_span(&span, &around.clone().into()))?;
            }
            Err(error) => fault(error, each)?,
        }
    }
    Ok(())
}

/// Passes a row for a fault to `each`.
///
/// # Errors
///
/// Returns the error of `each`.
pub fn fault(error: Error, each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>) -> io::Result<()> {
    let path = error.path().clone();
    let mut row = Row::new(RowKind::Fault, error.offset(), &[], &path);
    row.error = Some(error);
    each(&row)
}

fn of_span<'s>(span: &Span<'s>, path: &'s Path) -> Row<'s> {
    let (kind, bytes) = match span.kind {
        Kind::Leaf => (RowKind::Field, span.bytes),
        Kind::Rest => (RowKind::Rest, span.bytes),
        Kind::Open | Kind::Part => (RowKind::Field, &[][..]),
    };
    let mut row = Row::new(kind, span.offset, bytes, path);
    row.depth = span.depth as usize;
    row.name = span.name.to_string();
    row.type_name = span.layout.to_string();
    row.value = format!("{:.MOST_LETTERS$}", span.value);
    if let Some(note) = span.note {
        row.value = format!("{} ({note})", row.value);
    }
    row
}
