//! CBOR: values of the kinds of JSON, and more.
//!
//! Source: RFC 8949, "Concise Binary Object Representation (CBOR)".

use formwork::{BinRead, BinWrite, Block, Each, Schema, Until, Word, binrw};

/// A value.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(last = head.major == 7 && head.info == 31)]
pub struct Item {
    /// Its kind, and a small argument.
    #[br(assert(head.info < 28 || head.info == 31, "28 to 30 are reserved"))]
    #[br(assert(head.info != 31 || head.major > 1 && head.major != 6, "no number or tag is open"))]
    pub head: Head,
    /// The argument.
    #[br(if(head.info == 24))]
    pub one: Option<u8>,
    /// The argument, or a float of 16 bits.
    #[br(if(head.info == 25))]
    pub two: Option<u16>,
    /// The argument, or a float of 32 bits.
    #[br(if(head.info == 26))]
    pub four: Option<u32>,
    /// The argument, or a float of 64 bits.
    #[br(if(head.info == 27))]
    pub eight: Option<u64>,
    /// The content.
    #[br(args(head.major, head.info == 31, if head.info < 24 { u64::from(head.info) } else { one.map_or(0, |it| u64::from(it)) + two.map_or(0, |it| u64::from(it)) + four.map_or(0, |it| u64::from(it)) + eight.unwrap_or(0) }))]
    pub content: Content,
}

/// The first byte of a value.
#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Head {
    /// The kind: 0 a number, 1 a negative one, 2 bytes, 3 a text, 4 a list, 5 pairs, 6 a tag, 7 a simple value or a float.
    #[schema(bits = 3)]
    pub major: u8,
    /// The argument; 24 to 27: one, two, four, eight bytes of it follow; 31: the content is open, or ends.
    #[schema(bits = 5)]
    pub info: u8,
}

/// What follows the argument.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(major: u8, is_open: bool, argument: u64))]
pub enum Content {
    /// Values up to the end: parts of bytes or of a text, elements, or keys and their values in turn.
    #[br(pre_assert(is_open && major < 7))]
    Open(Until<Item>),
    #[br(pre_assert(major == 2))]
    Bytes(#[br(count = argument)] Block<u8>),
    #[br(pre_assert(major == 3))]
    Text(
        #[br(count = argument)]
        #[schema(text)]
        Block<u8>,
    ),
    #[br(pre_assert(major == 4))]
    List(#[br(count = argument)] Each<Item>),
    #[br(pre_assert(major == 5))]
    Map(#[br(count = argument)] Each<Pair>),
    /// A value whose meaning the argument says.
    #[br(pre_assert(major == 6))]
    Tagged(Box<Item>),
    /// A number, a simple value, a float, or the end: the head says it all.
    Nothing,
}

/// A key and its value.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Pair {
    pub key: Item,
    pub value: Item,
}
