//! All fields of a document in the order of the file, with the place of each.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::path::{Kind, tag_step};
use super::record::{FieldRecord, Header, RootRecord};
use super::{Document, Field, Object, Table, Value};
use formwork::{Path, PathSegment};
use formwork_records::schema::Sizes;

impl Document {
    /// Goes through the root object and all fields below it, in the order of the file.
    ///
    /// ```
    /// use formwork_alb1::{Document, Field, Value};
    ///
    /// let mut layer = Document::new("CLayer");
    /// let id = layer.tags.id("mlayerID").unwrap();
    /// layer.root.fields.push(Field::new(id, Value::SignedInt(7)));
    ///
    /// let bytes = layer.to_vec()?;
    /// let mut walk = layer.walk();
    /// while let Some(item) = walk.next() {
    ///     if let Some(Value::SignedInt(number)) = item.value() {
    ///         assert_eq!(walk.path().to_string(), "mlayerID");
    ///         let at = item.value_offset() as usize;
    ///         assert_eq!(bytes[at..at + 4], number.to_le_bytes());
    ///     }
    /// }
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk { document: self, open: Vec::new(), offset: 0 }
    }

    /// Returns the offset of the root object in the file: after the header and the tables.
    #[must_use]
    pub fn root_offset(&self) -> u64 {
        size_of::<Header>() as u64 + self.tags.size() + self.classes.size()
    }

    /// Returns where the last field ends, whether or not the format can say all that is in the document.
    pub(super) fn extent(&self) -> u64 {
        let mut walk = self.walk();
        walk.by_ref().for_each(drop);
        walk.offset
    }
}

/// The root object or a field, and where it is. See [`Document::walk`].
#[derive(Clone, Copy, Debug)]
pub struct Item<'d> {
    /// Offset in the file as it would be written, which is the file that was read if nothing was changed: for a field
    /// that of its tag, for the root object that of its class.
    pub offset: u64,
    /// How many objects, arrays and pairs it is in: 0 for the root object, 1 for the root's fields.
    pub depth: usize,
    /// The field; [`None`] for the root object, which is in no field.
    pub field: Option<&'d Field>,
    root: &'d Object,
}

impl<'d> Item<'d> {
    /// Returns the content of the field; [`None`] for the root object.
    #[must_use]
    pub fn value(&self) -> Option<&'d Value> {
        self.field.map(|field| &field.value)
    }

    /// Returns the offset of the value: after tag and type. For the root object as [`Item::offset`].
    #[must_use]
    pub fn value_offset(&self) -> u64 {
        self.offset + self.field.map_or(0, |_| FieldRecord::HEAD_SIZE as u64)
    }

    /// The object that this is, or that the field holds.
    #[must_use]
    pub fn object(&self) -> Option<&'d Object> {
        self.field.map_or(Some(self.root), |field| field.value.as_object())
    }
}

/// All fields of a document in the order of the file. See [`Document::walk`].
///
/// It does not recurse, and allocates only the list of what is open.
#[derive(Clone, Debug)]
pub struct Walk<'d> {
    document: &'d Document,
    /// Containers of the next item.
    open: Vec<Level<'d>>,
    /// Offset of the next item; 0 before the first.
    offset: u64,
}

impl Walk<'_> {
    /// Returns the path of the item that was returned last: tag names, `[i]` for elements of an array and for fields
    /// whose tag their object has several times. Empty for the root object, before the first item and after the last.
    ///
    /// [`Document::get`] takes the same paths.
    #[must_use]
    pub fn path(&self) -> Path {
        self.path_below(0)
    }

    /// Returns the path from the item inwards that `depth` objects, arrays and pairs surround.
    pub(super) fn path_below(&self, depth: usize) -> Path {
        let mut steps = Vec::with_capacity(2 * self.open.len());
        for level in self.open.iter().skip(depth) {
            level.push_steps(&self.document.tags, &mut steps);
        }
        steps.into()
    }
}

impl<'d> Iterator for Walk<'d> {
    type Item = Item<'d>;

    fn next(&mut self) -> Option<Item<'d>> {
        let root = &self.document.root;
        let depth = self.open.len();
        if self.offset == 0 {
            let offset = self.document.root_offset();
            self.offset = offset + RootRecord::HEAD_SIZE as u64;
            self.open.push(Level::of(Kind::Tags, &root.fields));
            return Some(Item { offset, depth, field: None, root });
        }
        while let Some(level) = self.open.last_mut() {
            let Some(field) = level.fields.get(level.next) else {
                self.open.pop();
                continue;
            };
            level.next += 1;
            let (offset, depth) = (self.offset, self.open.len());
            self.offset += FieldRecord::HEAD_SIZE as u64 + field.value.size_without_fields();
            if let Some(kind) = Kind::of(&field.value) {
                self.open.push(Level::of(kind, field.value.fields()));
            }
            return Some(Item { offset, depth, field: Some(field), root });
        }
        None
    }
}

impl std::iter::FusedIterator for Walk<'_> {}

/// Fields of which some were returned.
#[derive(Clone, Debug)]
struct Level<'d> {
    kind: Kind,
    fields: &'d [Field],
    /// Position after that of the item returned last.
    next: usize,
    /// Occurrence number of each field whose tag repeats. Determined when a path is first requested, and only once: a
    /// hostile object may have a million fields.
    occurrences: OnceCell<Box<[Option<u32>]>>,
}

impl<'d> Level<'d> {
    fn of(kind: Kind, fields: &'d [Field]) -> Self {
        Self { kind, fields, next: 0, occurrences: OnceCell::new() }
    }

    /// The steps to the field that was returned last, if any was.
    fn push_steps(&self, tags: &Table, steps: &mut Vec<PathSegment>) {
        let Some(position) = self.next.checked_sub(1) else { return };
        match (self.kind, self.fields.get(position)) {
            (Kind::Positions, _) => steps.push(PathSegment::Index(position as u64)),
            (Kind::Tags, Some(field)) => {
                steps.push(tag_step(tags, field.tag));
                let occurrences = self.occurrences.get_or_init(|| occurrences(self.fields));
                if let Some(&Some(occurrence)) = occurrences.get(position) {
                    steps.push(PathSegment::Index(occurrence.into()));
                }
            }
            (Kind::Tags, None) => (),
        }
    }
}

/// For each field the number of fields before it with its tag, where there is another one at all.
pub(super) fn occurrences(fields: &[Field]) -> Box<[Option<u32>]> {
    let mut totals: HashMap<u16, (u32, u32)> = HashMap::with_capacity(fields.len().min(256));
    for field in fields {
        totals.entry(field.tag).or_default().0 += 1;
    }
    let mut occurrence = |field: &Field| {
        let (total, earlier) = totals.get_mut(&field.tag)?;
        let occurrence = *earlier;
        *earlier += 1;
        (*total > 1).then_some(occurrence)
    };
    fields.iter().map(&mut occurrence).collect()
}
