//! The records of the container, each declared once. The records of the quadtree are in
//! [`tree`](super::tree).
//!
//! Everything is little endian; there is no padding, no alignment, no checksum and no file offset.
//! Sources: the Untelo page on the Bohemia community wiki, checked and completed with 397 files of
//! Terrain Builder (see `formats/alb1`).

use crate::schema::{Meaning, NestedField};
use crate::wire::declare;

declare! {
    /// A whole file.
    #[derive(Copy, Eq)]
    pub struct FileRecord {}
    then {
        /// The first 16 bytes.
        header: Header [once],
        /// Names of fields.
        tags: TableRecord [once],
        /// Names of classes.
        classes: TableRecord [once],
        /// The object that holds all others.
        root: RootRecord [once],
    }
}

declare! {
    /// The first 16 bytes of a file.
    #[derive(Copy, Eq)]
    pub struct Header {
        /// `ALB1`: 0x31424C41.
        pub magic: u32 [named Meaning::Letters],
        /// Version of the format: 1 in every file seen.
        pub version: u32,
        /// In a project the same number as its field `version` (20 and 21 were seen), 0 in layers
        /// and shapes.
        pub project_version: u32,
        /// 0 in every file seen.
        pub reserved: u32,
    }
}

declare! {
    /// The tag table or the class table: names by id. Stands twice behind the header.
    #[derive(Copy, Eq)]
    pub struct TableRecord {
        /// 2 for the tag table, 3 for the class table.
        pub id: u16,
        /// 0x0F, which elsewhere says "pair" and here says nothing.
        pub field_type: u8,
        /// How many entries.
        pub count: u32,
    }
    then {
        /// The entries; their ids ascend in every file seen.
        entries: TableEntry<'static> [each count],
    }
}

declare! {
    /// A name of a table.
    pub struct TableEntry<'a> {
        /// By this number fields and objects speak of the name.
        pub id: u16,
        /// Bytes of the name.
        pub length: u16,
        /// The name, without a terminator.
        pub name: Block<'a, u8> [text length],
    }
}

declare! {
    /// What every field starts with.
    #[derive(Copy, Eq)]
    pub struct FieldRecord {
        /// The field's name in the tag table.
        pub tag: u16 [named Meaning::Tag],
        /// Which record the value is.
        pub field_type: u8 [named Meaning::FieldType],
    }
}

declare! {
    /// A string (0x0B).
    pub struct StringRecord<'a> {
        /// Bytes of the text.
        pub length: u16,
        /// The text, without a terminator. Only ASCII was seen; what other characters are written
        /// as is not known (the author's Windows code page is the guess).
        pub bytes: Block<'a, u8> [text length],
    }
}

declare! {
    /// An array (0x0C) of fields: one whose content is not `count` bytes.
    #[derive(Copy, Eq)]
    pub struct ArrayRecord {
        /// Bytes that follow this word.
        pub blob_size: u32,
        /// How many elements. Each takes three bytes or more, so three times this count is at most
        /// `blob_size - 4`: what tells it apart from raw bytes.
        pub count: u32,
    }
    then {
        /// Complete fields, which fill the blob.
        elements: NestedField [each count],
    }
}

declare! {
    /// An array (0x0C) of raw bytes: one whose `count` is `blob_size - 4`. Only the quadtree of an
    /// object layer was seen in this form.
    pub struct RawArrayRecord<'a> {
        /// Bytes that follow this word.
        pub blob_size: u32,
        /// How many bytes.
        pub count: u32,
        /// The bytes.
        pub bytes: Block<'a, u8> [block count],
    }
}

declare! {
    /// An object (0x0D).
    #[derive(Copy, Eq)]
    pub struct ObjectRecord {
        /// Bytes that follow this word.
        pub blob_size: u32,
        /// The object's class in the class table.
        pub class: i16 [named Meaning::Class],
        /// Where the object was in Terrain Builder's memory: unique in the file, another one at every
        /// save.
        pub address: u32,
    }
    then {
        /// The object's fields, in an order that its class always has. Tags may repeat.
        fields: NestedField [fill blob_size],
    }
}

declare! {
    /// The object that stands behind the tables: without a field header and without a length.
    #[derive(Copy, Eq)]
    pub struct RootRecord {
        /// The object's class in the class table.
        pub class: i16 [named Meaning::Class],
        /// Where the object was in memory; pointers in sibling files lead here.
        pub address: u32,
    }
    then {
        /// The object's fields.
        fields: NestedField [to end],
    }
}

declare! {
    /// An object pointer (0x0E): names the root object of another file of the same project.
    #[derive(Copy, Default, Eq)]
    pub struct ObjectPointer {
        /// The class of the object it leads to.
        pub class: i16 [named Meaning::Class],
        /// The address of the object it leads to. 0 for "none" is a guess: no null pointer was seen.
        pub address: u32,
    }
}

declare! {
    /// A pair (0x0F): two complete fields, without a length.
    #[derive(Copy, Eq)]
    pub struct PairRecord {}
    then {
        /// The first field; its tag is `key` in every file seen.
        first: NestedField [once],
        /// The second field; its tag is `data` in every file seen.
        second: NestedField [once],
    }
}

declare! {
    /// An array of signed shorts (0x10). Never seen in a file: its form is guessed from the arrays of
    /// floats and doubles.
    pub struct ShortArrayRecord<'a> {
        /// How many.
        pub count: u8,
        /// The numbers.
        pub numbers: Block<'a, i16> [block count],
    }
}

declare! {
    /// An array of signed ints (0x11). Never seen in a file: its form is guessed from the arrays of
    /// floats and doubles.
    pub struct IntArrayRecord<'a> {
        /// How many.
        pub count: u8,
        /// The numbers.
        pub numbers: Block<'a, i32> [block count],
    }
}

declare! {
    /// An array of floats (0x12).
    pub struct FloatArrayRecord<'a> {
        /// How many.
        pub count: u8,
        /// The numbers.
        pub numbers: Block<'a, f32> [block count],
    }
}

declare! {
    /// An array of doubles (0x15): positions and rectangles.
    pub struct DoubleArrayRecord<'a> {
        /// How many.
        pub count: u8,
        /// The numbers.
        pub numbers: Block<'a, f64> [block count],
    }
}
