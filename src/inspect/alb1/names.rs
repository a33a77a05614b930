//! The names that a file gives to its tags and classes.

use std::collections::HashMap;

use crate::alb1::Table;
use crate::alb1::record::{TableEntry, TableRecord};
use crate::schema::Schema;

/// The two tables: to make paths with, and where their names stand in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) tags: Table,
    tag_names: HashMap<u16, &'a [u8]>,
    class_names: HashMap<u16, &'a [u8]>,
}

impl<'a> Names<'a> {
    /// Takes the tag table, which starts at `start`.
    pub(super) fn set_tags(&mut self, table: Table, bytes: &'a [u8], start: usize) {
        self.tag_names = places(&table, bytes, start);
        self.tags = table;
    }

    /// Takes the class table, which starts at `start`.
    pub(super) fn set_classes(&mut self, table: &Table, bytes: &'a [u8], start: usize) {
        self.class_names = places(table, bytes, start);
    }

    pub(super) fn tag(&self, id: u16) -> Option<&'a [u8]> {
        self.tag_names.get(&id).copied()
    }

    pub(super) fn class(&self, id: u16) -> Option<&'a [u8]> {
        self.class_names.get(&id).copied()
    }
}

/// Of entries with the same id, the first counts.
fn places<'a>(table: &Table, bytes: &'a [u8], start: usize) -> HashMap<u16, &'a [u8]> {
    let mut places = HashMap::with_capacity(table.len());
    let mut at = start + TableRecord::HEAD_SIZE;
    for (id, name) in table.entries() {
        let from = at + TableEntry::HEAD_SIZE;
        at = from + name.as_bytes().len();
        if let Some(name) = bytes.get(from..at) {
            places.entry(id).or_insert(name);
        }
    }
    places
}
