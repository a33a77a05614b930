//! The document: everything that is in an ALB1 file.

use std::borrow::Cow;

use super::{Header, Object, Table, dictionary};

/// A whole file: header, tables and the root object.
///
/// Everything is kept as it was read: the order of fields, repeated and unknown tags, unknown classes,
/// the bits of floats, the bytes of strings and raw arrays. So writing what was read gives the same
/// bytes; sizes and counts are computed when it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The first 16 bytes.
    pub header: Header,
    /// Names of fields.
    pub tags: Table,
    /// Names of classes.
    pub classes: Table,
    /// The object that holds all others.
    pub root: Object,
}

impl Default for Header {
    /// The header of a layer. A project has its version in it, too.
    fn default() -> Self {
        Self { magic: u32::from_le_bytes(*b"ALB1"), version: 1, project_version: 0, reserved: 0 }
    }
}

impl Document {
    /// A new document: Terrain Builder's whole dictionary, and a root object without fields, of a
    /// class by this name. (A class that Terrain Builder does not have is added to the table.)
    ///
    /// No class table can hold a name with a character that Windows-1252 does not have. The root then
    /// has the id -1, which the table does not have either, and not the class of something else.
    ///
    /// The address of the root is [`Document::FIRST_ADDRESS`].
    #[must_use]
    pub fn new(root_class: &str) -> Self {
        /// The id of no class.
        const NONE: u16 = u16::MAX;
        let mut classes = dictionary::classes();
        let class = classes.add(root_class).unwrap_or(NONE) as i16;
        Self {
            header: Header::default(),
            tags: dictionary::tags(),
            classes,
            root: Object { class, address: Self::FIRST_ADDRESS, fields: Vec::new() },
        }
    }

    /// The address of the root of a new document: somewhere in the middle of those that Terrain
    /// Builder writes.
    pub const FIRST_ADDRESS: u32 = 0x1000_0000;

    /// The name of an object's class; where the table does not have it, its id with `#` before it.
    #[must_use]
    pub fn class_name(&self, object: &Object) -> Cow<'_, str> {
        self.classes.display(object.class as u16)
    }

    /// Whether the two are equal with every float compared by its bits.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        let Self { header, tags, classes, root } = self;
        *header == other.header
            && *tags == other.tags
            && *classes == other.classes
            && root.is_identical(&other.root)
    }
}
