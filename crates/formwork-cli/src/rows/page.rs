//! The form of rows: columns for people, JSON for programs.

use formwork::document::RowKind;

use super::columns::Columns;
use super::json;
use super::row::Row;

/// The form of the rows.
#[derive(Clone, Debug)]
pub(crate) enum Page {
    /// Columns for a terminal.
    Columns(Columns),
    /// A JSON object for each row.
    Json,
}

impl Page {
    /// Changes the columns, if there are any.
    pub(super) fn with(self, change: impl FnOnce(Columns) -> Columns) -> Self {
        match self {
            Self::Columns(columns) => Self::Columns(change(columns)),
            Self::Json => Self::Json,
        }
    }

    /// Returns the headings of the columns.
    pub(super) fn heading(&self) -> Option<String> {
        match self {
            Self::Columns(columns) => Some(columns.heading()),
            Self::Json => None,
        }
    }

    /// Returns the lines of a row; none for a part of a word that is not shown.
    pub(super) fn row(&self, row: &Row<'_>) -> Option<String> {
        Some(match (self, *row) {
            (Self::Columns(columns), Row::Span(span)) => return columns.span(span),
            (Self::Columns(columns), Row::Fault(error)) => columns.fault(error),
            (Self::Columns(columns), Row::Document(row)) => match (row.kind, &row.error) {
                (RowKind::Fault, Some(error)) => columns.fault(error),
                _ => columns.document(row),
            },
            (Self::Columns(columns), Row::Text { offset, bytes, name, value }) => {
                columns.text(offset, bytes, name, value)
            }
            (Self::Columns(columns), Row::Place { offset, text, .. }) => {
                columns.place(offset, text)
            }
            (Self::Columns(columns), Row::Plain { offset, bytes }) => columns.plain(offset, bytes),
            (Self::Json, Row::Span(span)) => json::span(span),
            (Self::Json, Row::Fault(error)) => json::fault(error),
            (Self::Json, Row::Document(row)) => json::document(row),
            (Self::Json, Row::Text { offset, bytes, name, value }) => {
                json::text(offset, bytes, name, value)
            }
            (Self::Json, Row::Place { offset, text, .. }) => json::place(offset, text),
            (Self::Json, Row::Plain { offset, bytes }) => json::plain(offset, bytes),
        })
    }

    /// Returns the lines of a remark about the rows that follow.
    pub(super) fn remark(&self, text: &str) -> String {
        match self {
            Self::Columns(columns) => columns.remark(text),
            Self::Json => json::remark(text),
        }
    }
}
