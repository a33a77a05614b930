//! Sizes of records as constants.

use super::{Layout, Record, Schema};

/// Sizes of a declared type that readers of a known layout compute with.
pub trait Sizes: Schema {
    /// The smallest number of bytes on the wire: that of the fields of constant size.
    const LEAST: usize = least(Self::LAYOUT, Self::SIZE);
    /// The number of bytes of the leading fields of constant size.
    const HEAD_SIZE: usize = head(Self::LAYOUT, Self::SIZE);
}

impl<T: Schema> Sizes for T {}

/// [`Sizes`] of a layout.
pub trait Extent {
    /// Returns the number of bytes of the leading fields of constant size.
    fn head_size(self) -> usize;
}

impl Extent for Layout {
    fn head_size(self) -> usize {
        head(self, self.size())
    }
}

const fn least(layout: Layout, size: Option<usize>) -> usize {
    let (Layout::Record(record), None) = (layout, size) else { return whole(size) };
    let (mut least, mut at) = (0, 0);
    while at < record.fields.len() {
        least += whole(record.fields[at].size);
        at += 1;
    }
    least
}

const fn head(layout: Layout, size: Option<usize>) -> usize {
    let (Layout::Record(record), None) = (layout, size) else { return whole(size) };
    let (mut head, mut at) = (0, 0);
    while at < record.fields.len() {
        let Some(size) = record.fields[at].size else { break };
        head += size;
        at += 1;
    }
    head
}

const fn whole(size: Option<usize>) -> usize {
    match size {
        Some(size) => size,
        None => 0,
    }
}

/// Returns the record that a type was declared as.
///
/// # Panics
///
/// For types that are not records: meant for constants, which then do not compile.
#[must_use]
pub const fn record_of<T: Schema>() -> &'static Record {
    match T::LAYOUT {
        Layout::Record(record) => record,
        _ => panic!("the type is no record"),
    }
}

/// Returns the offset in the record `T` of the field with this name. The fields before it must have constant sizes, and
/// it must have as many bytes as a `W`.
///
/// # Panics
///
/// Panics if there is no such field, or if its offset or size is not constant; in a constant, at compile time.
#[must_use]
pub const fn offset<T: Schema, W: Schema>(name: &str) -> usize {
    let fields = record_of::<T>().fields;
    let (mut offset, mut at) = (0, 0);
    while at < fields.len() {
        let (Some(size), Some(wanted)) = (fields[at].size, W::SIZE) else {
            panic!("the field does not always stand in the same place")
        };
        if is_same(fields[at].name, name) {
            assert!(size == wanted, "the field has another size");
            return offset;
        }
        offset += size;
        at += 1;
    }
    panic!("the record has no such field")
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
