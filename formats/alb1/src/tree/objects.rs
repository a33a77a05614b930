//! Encoded objects of a quadtree.

use bytemuck::pod_read_unaligned;

use super::record::Object;
use formwork_records::wire::{Components, Cursor, Element, Number};

/// The objects of a group, in their bytes: nothing is copied before it is asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Objects<'a> {
    records: &'a [[u8; Objects::EACH]],
    offset: usize,
}

impl<'a> Objects<'a> {
    /// Bytes of an object.
    pub const EACH: usize = <Object as Element>::BYTES;

    /// Returns the next `count` objects, if the input has that number.
    #[inline]
    pub(super) fn take(input: &mut Cursor<'a>, count: u32) -> Option<Self> {
        let offset = input.position();
        let bytes = input.take(usize::try_from(count).ok()?.checked_mul(Self::EACH)?)?;
        let (records, _) = bytes.as_chunks();
        Some(Self { records, offset })
    }

    /// Returns the offset of the first object, in bytes from the start of the tree.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// How many.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The object at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<Object> {
        self.records.get(position).map(object)
    }

    /// The objects, one after another.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Object> + use<'a> {
        self.records.iter().map(object)
    }

    /// Adds all of them to a list, as a block.
    pub fn append_to(&self, list: &mut Vec<Object>) {
        list.extend(self.iter());
    }
}

#[inline]
fn object(record: &[u8; Objects::EACH]) -> Object {
    let words: [u32; 10] = pod_read_unaligned(record);
    Object::from_components(words.map(Number::little))
}
