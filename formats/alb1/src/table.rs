//! The tag table and the class table.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::record::{TableEntry, TableRecord};
use super::text::Text;
use formwork_records::schema::Sizes;
use formwork_records::wire::Block;

/// Names by id, in the order of the file.
///
/// Every file seen holds the same two tables, whatever it uses of them: Terrain Builder's whole
/// dictionary. Ids are looked up in the file's own table all the same.
///
/// Copies share their names until one of them changes.
#[derive(Clone, Default)]
pub struct Table(Arc<Names>);

#[derive(Clone, Default)]
struct Names {
    entries: Vec<(u16, Text)>,
    /// Bytes of all names.
    size: u64,
    /// Made when something is first looked up.
    index: OnceLock<Index>,
}

/// Index of the entries.
#[derive(Clone, Default)]
struct Index {
    /// The ids in ascending order, each with the position of its first entry.
    by_id: Vec<(u16, usize)>,
    /// The position of a name's first entry.
    by_name: HashMap<Text, usize>,
}

impl Index {
    fn of(entries: &[(u16, Text)]) -> Self {
        let mut by_id: Vec<_> = (0..).zip(entries).map(|(at, (id, _))| (*id, at)).collect();
        by_id.sort_unstable();
        by_id.dedup_by_key(|(id, _)| *id);
        let mut by_name = HashMap::with_capacity(entries.len());
        for (position, (_, name)) in entries.iter().enumerate() {
            by_name.entry(name.clone()).or_insert(position);
        }
        Self { by_id, by_name }
    }

    /// Appends an entry to the index.
    fn push(&mut self, position: usize, id: u16, name: &Text) {
        if let Err(place) = self.by_id.binary_search_by_key(&id, |(id, _)| *id) {
            self.by_id.insert(place, (id, position));
        }
        self.by_name.entry(name.clone()).or_insert(position);
    }

    fn position(&self, id: u16) -> Option<usize> {
        let place = self.by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.by_id.get(place).map(|(_, position)| *position)
    }
}

impl Table {
    /// A table of these entries.
    pub(super) fn of<'n>(entries: impl Iterator<Item = (u16, &'n str)>) -> Self {
        entries.map(|(id, name)| (id, Text::from_bytes(name.as_bytes()))).collect()
    }

    /// The record of the table; names longer than a length word says were refused before.
    pub(super) fn entry_records(&self) -> impl Iterator<Item = TableEntry<'_>> {
        self.0.entries.iter().map(|(id, name)| TableEntry {
            id: *id,
            length: name.as_bytes().len() as u16,
            name: Block(Cow::Borrowed(name.as_bytes())),
        })
    }

    /// The entries in the order of the file.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (u16, &Text)> {
        self.0.entries.iter().map(|(id, name)| (*id, name))
    }

    /// Bytes of the table in a file.
    pub(super) fn size(&self) -> u64 {
        let entries = self.len() as u64 * TableEntry::HEAD_SIZE as u64;
        TableRecord::HEAD_SIZE as u64 + entries + self.0.size
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// The name with this id. (Of entries with the same id, the first counts.)
    #[must_use]
    pub fn name(&self, id: u16) -> Option<&Text> {
        self.position(id).and_then(|position| self.0.entries.get(position)).map(|(_, name)| name)
    }

    /// The position of the first entry with this id.
    pub(crate) fn position(&self, id: u16) -> Option<usize> {
        self.index().position(id)
    }

    fn index(&self) -> &Index {
        self.0.index.get_or_init(|| Index::of(&self.0.entries))
    }

    /// The name with this id, as text; where the table does not have it, the id with `#` before it.
    #[must_use]
    pub fn display(&self, id: u16) -> Cow<'_, str> {
        self.name(id).map_or_else(|| format!("#{id}").into(), Text::to_str)
    }

    /// The id of this name. (Of entries with the same name, the first counts.)
    #[must_use]
    pub fn id(&self, name: &str) -> Option<u16> {
        let by_name = &self.index().by_name;
        // Names are ASCII, where text and bytes are the same.
        let position = match name.is_ascii() {
            true => by_name.get(name.as_bytes()),
            false => by_name.get(&Text::new(name)?),
        };
        self.0.entries.get(*position?).map(|(id, _)| *id)
    }

    /// Appends a name, with an id one above the highest, and returns the id; if the table has the name already, returns
    /// its id. Returns [`None`] if no id is left or a character is not in Windows-1252.
    pub fn add(&mut self, name: &str) -> Option<u16> {
        if let Some(id) = self.id(name) {
            return Some(id);
        }
        let id = self.0.entries.iter().map(|(id, _)| *id).max().unwrap_or(0).checked_add(1)?;
        self.push(id, Text::new(name)?);
        Some(id)
    }

    /// Appends an entry.
    pub fn push(&mut self, id: u16, name: Text) {
        let Names { entries, size, index } = Arc::make_mut(&mut self.0);
        *size += name.as_bytes().len() as u64;
        if let Some(index) = index.get_mut() {
            index.push(entries.len(), id, &name);
        }
        entries.push((id, name));
    }

    /// Whether the two share their names.
    pub(super) fn is_copy(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl FromIterator<(u16, Text)> for Table {
    fn from_iter<I: IntoIterator<Item = (u16, Text)>>(entries: I) -> Self {
        let entries: Vec<(u16, Text)> = entries.into_iter().collect();
        let size = entries.iter().map(|(_, name)| name.as_bytes().len() as u64).sum();
        Self(Arc::new(Names { entries, size, index: OnceLock::new() }))
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.entries()).finish()
    }
}

/// Tables are equal that have equal entries in one order.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.is_copy(other) || self.0.entries == other.0.entries
    }
}

impl Eq for Table {}
