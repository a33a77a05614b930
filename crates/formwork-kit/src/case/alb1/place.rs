//! Offsets of the fields in a written file.

use formwork_alb1::record::{ArrayRecord, Header, TableEntry, TableRecord};
use formwork_alb1::{Document, FieldType, Table, Value};
use formwork_records::schema::{Sizes, offset};

/// Size of the word before an object or array; the bytes that it measures start after it.
pub(super) const SIZE: usize = offset::<ArrayRecord, u32>("count");

/// Offset of the count in a table.
pub(super) const TABLE_COUNT: usize = offset::<TableRecord, u32>("count");

/// A field of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Offset of its tag.
    pub(super) offset: usize,
    /// Offset of its value.
    pub(super) value: usize,
    /// Offset of the end of the field.
    pub(super) end: usize,
    pub(super) field_type: FieldType,
    /// How many bytes an array of raw bytes has; of others, how many fields are in it.
    pub(super) count: usize,
    /// The field that it is in; none of those in the root.
    pub(super) parent: Option<usize>,
}

impl Place {
    /// Returns the offset of an array's count, and of its content.
    pub(super) const fn array_words(&self) -> (usize, usize) {
        (self.value + offset::<ArrayRecord, u32>("count"), self.value + ArrayRecord::HEAD_SIZE)
    }
}

/// A written file, and where everything in it is.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) bytes: Vec<u8>,
    /// Its fields, in the order of the file.
    pub(super) places: Vec<Place>,
    /// Offset of the tag table and of the class table, and the offsets of their entries.
    pub(super) tables: [(usize, Vec<usize>); 2],
    /// Offset of the root object.
    pub(super) root: usize,
}

impl File {
    /// Writes a document.
    pub(super) fn of(document: &Document) -> Self {
        let bytes = super::small::written(document);
        let tags = Header::HEAD_SIZE;
        let (tag_entries, classes) = entries(&document.tags, tags);
        let (class_entries, root) = entries(&document.classes, classes);
        let tables = [(tags, tag_entries), (classes, class_entries)];
        let mut file = Self { places: Vec::new(), tables, root, bytes };
        file.find_places(document);
        file
    }

    fn find_places(&mut self, document: &Document) {
        // What is open: the depth and the position of each.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for item in document.walk() {
            let Some(field) = item.field else { continue };
            let offset = item.offset as usize;
            self.close(&mut open, item.depth, offset);
            let count = match &field.value {
                Value::Raw(bytes) => bytes.len(),
                value => value.fields().len(),
            };
            let parent = open.last().map(|&(_, position)| position);
            open.push((item.depth, self.places.len()));
            self.places.push(Place {
                offset,
                value: item.value_offset() as usize,
                end: offset,
                field_type: field.value.field_type(),
                count,
                parent,
            });
        }
        self.close(&mut open, 0, self.bytes.len());
    }

    /// Ends the open fields at this depth or deeper at `end`.
    fn close(&mut self, open: &mut Vec<(usize, usize)>, depth: usize, end: usize) {
        while let Some((_, position)) = open.pop_if(|(inner, _)| *inner >= depth) {
            if let Some(place) = self.places.get_mut(position) {
                place.end = end;
            }
        }
    }

    pub(super) fn place(&self, position: usize) -> Option<&Place> {
        self.places.get(position)
    }

    /// The fields right in another one, or in the root.
    pub(super) fn inside(&self, parent: Option<usize>) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.parent == parent)
    }

    /// Returns the end of the innermost object or array that contains the field; [`None`] if only the root contains it.
    pub(super) fn blob_end(&self, place: &Place) -> Option<usize> {
        let mut above = place.parent;
        while let Some(around) = above.and_then(|position| self.place(position)) {
            if around.field_type.is_blob() {
                return Some(around.end);
            }
            above = around.parent;
        }
        None
    }

    /// Returns where whatever is around ends, as a place in the file.
    pub(super) fn limit(&self, place: &Place) -> usize {
        self.blob_end(place).unwrap_or(self.bytes.len())
    }

    /// The field that starts where `place` ends, beside it.
    pub(super) fn next_to(&self, place: &Place) -> Option<&Place> {
        self.places.iter().find(|next| next.offset == place.end && next.parent == place.parent)
    }
}

/// Returns the offsets of a table's entries, and the table's end.
fn entries(table: &Table, start: usize) -> (Vec<usize>, usize) {
    let mut at = start + TableRecord::HEAD_SIZE;
    let mut all = Vec::with_capacity(table.len());
    for (_, name) in table.entries() {
        all.push(at);
        at += TableEntry::HEAD_SIZE + name.as_bytes().len();
    }
    (all, at)
}
