//! MO: the translated messages of a program, as gettext compiles them.
//!
//! Source: GNU gettext manual, "The Format of GNU MO Files".

use formwork::{BinRead, BinWrite, Schema, ToEnd, binrw};

/// Messages, in the order of bytes of the machine that made them.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Messages {
    /// 0x950412de, in the order of bytes of all numbers.
    #[br(assert(magic == 0x9504_12de || magic == 0xde12_0495))]
    #[schema(hex)]
    pub magic: u32,
    /// The rest of the file.
    #[br(is_big = magic == 0xde12_0495)]
    #[bw(is_big = *magic == 0xde12_0495)]
    pub body: Body,
}

/// The head, and the texts that its tables lead to.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[schema(view(originals: ToEnd<Place>, at = originals_at, bytes = count * 8, if = count > 0))]
#[schema(view(translations: ToEnd<Place>, at = translations_at, bytes = count * 8, if = count > 0))]
pub struct Body {
    /// The version: 0 or 1, with 0 or 1 as its lower half.
    #[br(assert(matches!(version, 0 | 1 | 0x1_0000 | 0x1_0001)))]
    #[schema(hex)]
    pub version: u32,
    /// Number of messages.
    #[br(assert(count <= 0x100_0000))]
    pub count: u32,
    /// Where the table of original texts is.
    #[schema(hex)]
    pub originals_at: u32,
    /// Where the table of translations is.
    #[schema(hex)]
    pub translations_at: u32,
    /// Number of entries in the hash table.
    pub hash_count: u32,
    /// Where the hash table is.
    #[schema(hex)]
    pub hashes_at: u32,
    /// The tables and texts.
    pub content: ToEnd<u8>,
}

/// A text of a table.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[schema(view(text: ToEnd<u8>, at = offset, bytes = length, if = length > 0))]
pub struct Place {
    /// Bytes of the text, without the zero at its end.
    pub length: u32,
    /// Where the text is, in the character set that the first translation names.
    #[schema(hex)]
    pub offset: u32,
}
