//! The names that a file gives to its tags and classes.

use crate::Table;
use crate::record::{TableEntry, TableRecord};
use formwork_records::schema::Sizes;

/// A table, for names in paths, and the places of its names in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) table: Table,
    places: Vec<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// Takes a table, which starts at `start`.
    pub(super) fn new(table: Table, bytes: &'a [u8], start: usize) -> Self {
        let mut at = start + TableRecord::HEAD_SIZE;
        let places = table.entries().map(|(_, name)| {
            let from = at + TableEntry::HEAD_SIZE;
            at = from + name.as_bytes().len();
            bytes.get(from..at).unwrap_or_default()
        });
        Self { places: places.collect(), table }
    }

    pub(super) fn get(&self, id: u16) -> Option<&'a [u8]> {
        self.places.get(self.table.position(id)?).copied()
    }
}
