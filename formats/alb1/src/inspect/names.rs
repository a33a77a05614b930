//! The names that a file gives to its tags and classes.

use crate::Table;
use crate::record::{TableEntry, TableRecord};
use formwork_records::schema::Sizes;

/// The two tables: for names in paths, and for the places of the names in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) tags: Table,
    tag_names: Vec<&'a [u8]>,
    classes: Table,
    class_names: Vec<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// Takes the tag table, which starts at `start`.
    pub(super) fn set_tags(&mut self, table: Table, bytes: &'a [u8], start: usize) {
        self.tag_names = places(&table, bytes, start);
        self.tags = table;
    }

    /// Takes the class table, which starts at `start`.
    pub(super) fn set_classes(&mut self, table: Table, bytes: &'a [u8], start: usize) {
        self.class_names = places(&table, bytes, start);
        self.classes = table;
    }

    pub(super) fn tag(&self, id: u16) -> Option<&'a [u8]> {
        self.tag_names.get(self.tags.position(id)?).copied()
    }

    pub(super) fn class(&self, id: u16) -> Option<&'a [u8]> {
        self.class_names.get(self.classes.position(id)?).copied()
    }
}

/// The names of a table's entries.
fn places<'a>(table: &Table, bytes: &'a [u8], start: usize) -> Vec<&'a [u8]> {
    let mut at = start + TableRecord::HEAD_SIZE;
    let names = table.entries().map(|(_, name)| {
        let from = at + TableEntry::HEAD_SIZE;
        at = from + name.as_bytes().len();
        bytes.get(from..at).unwrap_or_default()
    });
    names.collect()
}
