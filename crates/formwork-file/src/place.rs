//! Places of values in the bytes, and the meaning of bytes.

use std::io;
use std::ops::Range;

use formwork::document::{Row, RowKind};
use formwork::{PathSegment, Result};

use crate::File;
use crate::guess::Configured;

/// A field that has bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Field {
    /// The bytes, in the content.
    pub range: Range<u64>,
    /// The number of fields around it.
    pub depth: usize,
    /// The name.
    pub name: String,
    /// The type.
    pub type_name: String,
    /// The value in words.
    pub value: String,
    /// The path in the layout.
    pub path: String,
}

impl File {
    /// Returns the bytes in which places count: of a compressed or encrypted file its content.
    ///
    /// # Errors
    ///
    /// Returns an error if the content cannot be unpacked.
    pub fn content(&self) -> Result<Vec<u8>> {
        self.document().content()
    }

    /// Returns where the value at a path is in the [content](Self::content); [`None`] where it is not known.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value.
    pub fn place(&self, path: &str) -> Result<Option<Range<u64>>> {
        if let Some(range) = self.document().place(path)? {
            return Ok(Some(range));
        }
        let wanted: Vec<&str> = path.split(['/', '.']).filter(|it| !it.is_empty()).collect();
        let mut found: Option<Range<u64>> = None;
        self.each_row(&mut |row| {
            let end = row.offset + row.bytes.len() as u64;
            match (&mut found, begins(row, &wanted)) {
                (Some(range), true) => range.end = range.end.max(end),
                (None, true) => found = Some(row.offset..end),
                (Some(_), false) => return false,
                (None, false) => {}
            }
            true
        });
        Ok(found.filter(|_| !wanted.is_empty()))
    }

    /// Returns the first fields of the value at a path, at most `most`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value.
    pub fn fields_of(&self, path: &str, most: usize) -> Result<Vec<Field>> {
        let mut found = Vec::new();
        let mut each = |row: &Row<'_>| {
            found.extend(field(row));
            if found.len() < most { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        };
        if self.document().rows(path, &mut each)? {
            return Ok(found);
        }
        let place = self.place(path)?;
        let mut fields = place.map(|range| self.fields(range)).unwrap_or_default();
        fields.truncate(most);
        Ok(fields)
    }

    /// Returns the fields that have bytes in a range of the [content](Self::content).
    #[must_use]
    pub fn fields(&self, range: Range<u64>) -> Vec<Field> {
        let mut found = Vec::new();
        self.each_row(&mut |row| {
            if row.offset < range.end && row.offset + row.bytes.len() as u64 > range.start {
                found.extend(field(row));
            }
            row.offset < range.end
        });
        found
    }

    /// Passes each row to a function, until that returns false.
    fn each_row(&self, each: &mut dyn FnMut(&Row<'_>) -> bool) {
        let bytes = self.to_bytes();
        let mut each = |row: &Row<'_>| match each(row) {
            true => Ok(()),
            false => Err(io::ErrorKind::Other.into()),
        };
        // An error only ends the rows early.
        let _ = Configured::new(self.guess(), self.options()).rows(&bytes, &mut each);
    }
}

/// Returns a row that is a field.
fn field(row: &Row<'_>) -> Option<Field> {
    (row.kind == RowKind::Field).then(|| Field {
        range: row.offset..row.offset + row.bytes.len() as u64,
        depth: row.depth,
        name: row.name.clone(),
        type_name: row.type_name.clone(),
        value: row.value.clone(),
        path: row.path().to_string(),
    })
}

/// Returns whether the path of a row begins with these steps.
fn begins(row: &Row<'_>, wanted: &[&str]) -> bool {
    let path = row.path();
    let mut steps = path.steps().iter();
    wanted.iter().all(|wanted| match steps.next() {
        Some(PathSegment::Field(name)) => name == wanted,
        Some(PathSegment::Name(name)) => &**name == *wanted,
        Some(PathSegment::Index(index)) => wanted.parse() == Ok(*index),
        _ => false,
    })
}
