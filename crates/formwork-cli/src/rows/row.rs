//! A row of any format, before it is printed.

use formwork::document::{self, RowKind};
use formwork_godot::inspect::{Kind, Span};
use formwork_variant::Error;

use super::super::slashes::with_slashes;

/// A field, a fault or bytes, which have a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Row<'r> {
    /// A field that an inspector describes.
    Span(&'r Span<'r>),
    /// The fault after which an inspector reads nothing.
    Fault(&'r Error),
    /// A field of a document.
    Document(&'r document::Row<'r>),
    /// A value that is stored as text, and its path.
    Text { offset: u64, bytes: &'r [u8], name: &'r str, value: &'r str },
    /// Bytes that have no rows here, in words.
    Place { offset: u64, size: u64, text: &'r str },
    /// Bytes without a meaning.
    Plain { offset: u64, bytes: &'r [u8] },
}

impl Row<'_> {
    /// Returns the number of enclosing rows.
    pub(super) fn depth(&self) -> u32 {
        match self {
            Self::Span(span) => span.depth,
            Self::Document(row) => u32::try_from(row.depth).unwrap_or(u32::MAX),
            _ => 0,
        }
    }

    /// Returns the path, if the row has one itself.
    pub(super) fn path(&self) -> Option<String> {
        match self {
            Self::Document(row) => Some(with_slashes(&format!("{:#}", row.path()))),
            Self::Text { name, .. } => Some(name.trim_matches('/').to_owned()),
            _ => None,
        }
    }

    /// Returns whether the row has the byte at `offset`. (Inspectors find it themselves.)
    pub(super) fn covers(&self, offset: u64) -> bool {
        let (start, size) = match *self {
            Self::Span(_) | Self::Fault(_) => return false,
            Self::Document(row) => (row.offset, row.bytes.len() as u64),
            Self::Text { offset, bytes, .. } | Self::Plain { offset, bytes } => {
                (offset, bytes.len() as u64)
            }
            Self::Place { offset, size, .. } => (offset, size),
        };
        offset.checked_sub(start).is_some_and(|after| after < size)
    }

    /// Returns whether the row is a fault.
    pub(super) fn is_fault(&self) -> bool {
        match self {
            Self::Fault(_) => true,
            Self::Document(row) => row.kind == RowKind::Fault,
            _ => false,
        }
    }

    /// Returns whether the row shows that bytes could not be read.
    pub(super) fn is_unread(&self) -> bool {
        self.is_fault() || matches!(self, Self::Span(span) if span.kind == Kind::Rest)
    }
}
