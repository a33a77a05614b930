//! The records of the container, each declared once. The records of the quadtree are in
//! [`tree`](super::tree).
//!
//! Everything is little endian; there is no padding, no alignment, no checksum and no file offset.
//! Sources: the Untelo page on the Bohemia community wiki, checked and completed with 397 files of
//! Terrain Builder (see `formats/alb1`).

use formwork::{BinRead, BinWrite, Deferred, Each, Nested, Schema, ToEnd, Within};
use formwork_records::schema::{CLASS, FIELD, FIELD_TYPE, TAG};
use formwork_records::wire::Block;

/// A whole file.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FileRecord {
    /// The first 16 bytes.
    pub header: Deferred<Header>,
    /// Names of fields.
    pub tags: Deferred<TableRecord>,
    /// Names of classes.
    pub classes: Deferred<TableRecord>,
    /// The object that holds all others.
    pub root: Deferred<RootRecord>,
}

/// The first 16 bytes of a file.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct Header {
    /// `ALB1`: 0x31424C41.
    #[schema(letters)]
    pub magic: u32,
    /// Version of the format: 1 in every file seen.
    pub version: u32,
    /// In a project the same number as its field `version` (20 and 21 were seen), 0 in layers
    /// and shapes.
    pub project_version: u32,
    /// 0 in every file seen.
    pub reserved: u32,
}

/// The tag table or the class table: names by id. Appears twice after the header.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct TableRecord {
    /// 2 for the tag table, 3 for the class table.
    pub id: u16,
    /// 0x0F, which elsewhere says "pair" and here says nothing.
    pub field_type: u8,
    /// How many entries.
    pub count: u32,
    /// The entries; their ids ascend in every file seen.
    #[br(count = count)]
    pub entries: Deferred<Each<TableEntry<'static>>>,
}

/// A name of a table.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct TableEntry<'a> {
    /// By this number fields and objects speak of the name.
    pub id: u16,
    /// Bytes of the name.
    pub length: u16,
    /// The name, without a terminator.
    #[br(count = length)]
    #[schema(letters)]
    pub name: Block<'a, u8>,
}

/// Start of every field.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FieldRecord {
    /// The field's name in the tag table.
    #[schema(family = TAG)]
    pub tag: u16,
    /// Record of the value.
    #[schema(family = FIELD_TYPE)]
    pub field_type: u8,
}

/// A string (0x0B).
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct StringRecord<'a> {
    /// Bytes of the text.
    pub length: u16,
    /// The text, without a terminator. Only ASCII was seen; what other characters are written
    /// as is not known (the author's Windows code page is the guess).
    #[br(count = length)]
    #[schema(letters)]
    pub bytes: Block<'a, u8>,
}

/// An array (0x0C) of fields: one whose content is not `count` bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ArrayRecord {
    /// Bytes that follow this word.
    pub blob_size: u32,
    /// How many elements. Each takes three bytes or more, so three times this count is at most
    /// `blob_size - 4`: what tells it apart from raw bytes.
    pub count: u32,
    /// Complete fields, which fill the blob.
    #[br(count = count)]
    pub elements: Deferred<Each<Nested<FIELD>>>,
}

/// An array (0x0C) of raw bytes: one whose `count` is `blob_size - 4`. Only the quadtree of an
/// object layer was seen in this form.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct RawArrayRecord<'a> {
    /// Bytes that follow this word.
    pub blob_size: u32,
    /// How many bytes.
    pub count: u32,
    /// The bytes.
    #[br(count = count)]
    pub bytes: Block<'a, u8>,
}

/// An object (0x0D).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ObjectRecord {
    /// Bytes that follow this word.
    pub blob_size: u32,
    /// The object's class in the class table.
    #[schema(family = CLASS)]
    pub class: i16,
    /// Address of the object in Terrain Builder's memory: unique in the file, another one at every save.
    pub address: u32,
    /// The object's fields, in an order that its class always has. Tags may repeat.
    #[br(args { bytes: blob_size.saturating_sub(6) })]
    pub fields: Deferred<Within<ToEnd<Nested<FIELD>>>>,
}

/// The object after the tables: without a field header and without a length.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct RootRecord {
    /// The object's class in the class table.
    #[schema(family = CLASS)]
    pub class: i16,
    /// Address of the object in memory; pointers in sibling files lead here.
    pub address: u32,
    /// The object's fields.
    pub fields: Deferred<ToEnd<Nested<FIELD>>>,
}

/// An object pointer (0x0E): names the root object of another file of the same project.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ObjectPointer {
    /// The class of the object it leads to.
    #[schema(family = CLASS)]
    pub class: i16,
    /// The address of the object it leads to. 0 for "none" is a guess: no null pointer was seen.
    pub address: u32,
}

/// A pair (0x0F): two complete fields, without a length.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PairRecord {
    /// The first field; its tag is `key` in every file seen.
    pub first: Nested<FIELD>,
    /// The second field; its tag is `data` in every file seen.
    pub second: Nested<FIELD>,
}

/// An array of signed shorts (0x10). Never seen in a file: its form is guessed from the arrays of
/// floats and doubles.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ShortArrayRecord<'a> {
    /// How many.
    pub count: u8,
    /// The numbers.
    #[br(count = count)]
    pub numbers: Block<'a, i16>,
}

/// An array of signed ints (0x11). Never seen in a file: its form is guessed from the arrays of
/// floats and doubles.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct IntArrayRecord<'a> {
    /// How many.
    pub count: u8,
    /// The numbers.
    #[br(count = count)]
    pub numbers: Block<'a, i32>,
}

/// An array of floats (0x12).
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FloatArrayRecord<'a> {
    /// How many.
    pub count: u8,
    /// The numbers.
    #[br(count = count)]
    pub numbers: Block<'a, f32>,
}

/// An array of doubles (0x15): positions and rectangles.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct DoubleArrayRecord<'a> {
    /// How many.
    pub count: u8,
    /// The numbers.
    #[br(count = count)]
    pub numbers: Block<'a, f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_records::schema::{Extent, Sizes};

    #[test]
    fn the_size_of_the_head_is_that_of_the_declared_fields() {
        macro_rules! check {
            ($($record:ty: $size:literal),* $(,)?) => {
                $(
                    assert_eq!(<$record>::HEAD_SIZE, <$record>::LAYOUT.head_size());
                    assert_eq!(<$record>::HEAD_SIZE, $size, "{}", stringify!($record));
                )*
            };
        }
        check!(
            Header: 16,
            TableRecord: 7,
            TableEntry<'_>: 4,
            FieldRecord: 3,
            StringRecord<'_>: 2,
            ArrayRecord: 8,
            ObjectRecord: 10,
            RootRecord: 6,
            ObjectPointer: 6,
        );
    }
}
