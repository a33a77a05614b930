//! The tag table and the class table.

use std::borrow::Cow;
use std::collections::HashMap;

use super::record::TableEntry;
use super::text::Text;
use crate::wire::Block;

/// Names by id, in the order of the file.
///
/// Every file seen holds the same two tables, whatever it uses of them: Terrain Builder's whole
/// dictionary. Ids are looked up in the file's own table all the same.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Vec<(u16, Text)>,
    /// The position of an id's first entry.
    by_id: HashMap<u16, usize>,
    /// The position of a name's first entry.
    by_name: HashMap<Text, usize>,
}

impl Table {
    /// A table of these entries.
    pub(super) fn of<'n>(entries: impl Iterator<Item = (u16, &'n str)>) -> Self {
        entries.map(|(id, name)| (id, Text::from_bytes(name.as_bytes()))).collect()
    }

    /// The record of the table; names longer than a length word says were refused before.
    pub(super) fn entry_records(&self) -> impl Iterator<Item = TableEntry<'_>> {
        self.entries.iter().map(|(id, name)| TableEntry {
            id: *id,
            length: name.as_bytes().len() as u16,
            name: Block(Cow::Borrowed(name.as_bytes())),
        })
    }

    /// The entries in the order of the file.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (u16, &Text)> {
        self.entries.iter().map(|(id, name)| (*id, name))
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The name with this id. (Of entries with the same id, the first counts.)
    #[must_use]
    pub fn name(&self, id: u16) -> Option<&Text> {
        self.by_id.get(&id).and_then(|&position| self.entries.get(position)).map(|(_, name)| name)
    }

    /// The name with this id, as text; where the table does not have it, the id with `#` before it.
    #[must_use]
    pub fn display(&self, id: u16) -> Cow<'_, str> {
        self.name(id).map_or_else(|| format!("#{id}").into(), Text::to_str)
    }

    /// The id of this name. (Of entries with the same name, the first counts.)
    #[must_use]
    pub fn id(&self, name: &str) -> Option<u16> {
        // Names are ASCII, where text and bytes are the same.
        let name = Text::new(name)?;
        self.by_name.get(&name).and_then(|&position| self.entries.get(position)).map(|(id, _)| *id)
    }

    /// Adds a name behind the others, with an id one above the highest; the id it has where the table
    /// has it already. [`None`] where no id is left or a character is not in Windows-1252.
    pub fn add(&mut self, name: &str) -> Option<u16> {
        if let Some(id) = self.id(name) {
            return Some(id);
        }
        let id = self.entries.iter().map(|(id, _)| *id).max().unwrap_or(0).checked_add(1)?;
        self.push(id, Text::new(name)?);
        Some(id)
    }

    /// Adds an entry behind the others.
    pub fn push(&mut self, id: u16, name: Text) {
        let position = self.entries.len();
        self.by_id.entry(id).or_insert(position);
        self.by_name.entry(name.clone()).or_insert(position);
        self.entries.push((id, name));
    }
}

impl FromIterator<(u16, Text)> for Table {
    fn from_iter<I: IntoIterator<Item = (u16, Text)>>(entries: I) -> Self {
        let mut table =
            Self { entries: Vec::new(), by_id: HashMap::new(), by_name: HashMap::new() };
        for (id, name) in entries {
            table.push(id, name);
        }
        table
    }
}

/// Tables are equal that have equal entries in one order.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Table {}
