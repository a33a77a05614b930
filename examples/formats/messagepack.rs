//! MessagePack: values of the kinds of JSON in few bytes.
//!
//! Source: <https://github.com/msgpack/msgpack/blob/master/spec.md>.

use formwork::{BinRead, BinWrite, Block, Each, Schema, binrw};

/// A value.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Value {
    /// Its kind, and small numbers and lengths.
    #[br(assert(tag != 0xc1))]
    #[schema(hex)]
    pub tag: u8,
    /// The rest.
    #[br(args(tag))]
    pub body: Body,
}

/// What follows the tag.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(tag: u8))]
pub enum Body {
    /// Up to 15 pairs.
    #[br(pre_assert(tag & 0xf0 == 0x80))]
    FixMap(#[br(count = tag & 15)] Each<Pair>),
    /// Up to 15 values.
    #[br(pre_assert(tag & 0xf0 == 0x90))]
    FixArray(#[br(count = tag & 15)] Each<Value>),
    /// A text of up to 31 bytes.
    #[br(pre_assert(tag & 0xe0 == 0xa0))]
    FixText(
        #[br(count = tag & 31)]
        #[schema(text)]
        Block<u8>,
    ),
    /// Bytes, or a text.
    #[br(pre_assert(tag == 0xc4 || tag == 0xd9))]
    Bytes8 {
        length: u8,
        #[br(count = length)]
        bytes: Block<u8>,
    },
    /// Bytes, or a text.
    #[br(pre_assert(tag == 0xc5 || tag == 0xda))]
    Bytes16 {
        length: u16,
        #[br(count = length)]
        bytes: Block<u8>,
    },
    /// Bytes, or a text.
    #[br(pre_assert(tag == 0xc6 || tag == 0xdb))]
    Bytes32 {
        length: u32,
        #[br(count = length)]
        bytes: Block<u8>,
    },
    /// Bytes of a type of an application.
    #[br(pre_assert(tag == 0xc7))]
    Extension8 {
        length: u8,
        kind: i8,
        #[br(count = length)]
        bytes: Block<u8>,
    },
    /// Bytes of a type of an application.
    #[br(pre_assert(tag == 0xc8))]
    Extension16 {
        length: u16,
        kind: i8,
        #[br(count = length)]
        bytes: Block<u8>,
    },
    /// Bytes of a type of an application.
    #[br(pre_assert(tag == 0xc9))]
    Extension32 {
        length: u32,
        kind: i8,
        #[br(count = length)]
        bytes: Block<u8>,
    },
    #[br(pre_assert(tag == 0xca))]
    Float32(f32),
    #[br(pre_assert(tag == 0xcb))]
    Float64(f64),
    #[br(pre_assert(tag == 0xcc))]
    Unsigned8(u8),
    #[br(pre_assert(tag == 0xcd))]
    Unsigned16(u16),
    #[br(pre_assert(tag == 0xce))]
    Unsigned32(u32),
    #[br(pre_assert(tag == 0xcf))]
    Unsigned64(u64),
    #[br(pre_assert(tag == 0xd0))]
    Signed8(i8),
    #[br(pre_assert(tag == 0xd1))]
    Signed16(i16),
    #[br(pre_assert(tag == 0xd2))]
    Signed32(i32),
    #[br(pre_assert(tag == 0xd3))]
    Signed64(i64),
    /// 1, 2, 4, 8 or 16 bytes of a type of an application.
    #[br(pre_assert(tag >= 0xd4 && tag <= 0xd8))]
    FixExtension {
        kind: i8,
        #[br(count = 1u32 << (tag - 0xd4))]
        bytes: Block<u8>,
    },
    #[br(pre_assert(tag == 0xdc))]
    Array16 {
        count: u16,
        #[br(count = count)]
        values: Each<Value>,
    },
    #[br(pre_assert(tag == 0xdd))]
    Array32 {
        count: u32,
        #[br(count = count)]
        values: Each<Value>,
    },
    #[br(pre_assert(tag == 0xde))]
    Map16 {
        count: u16,
        #[br(count = count)]
        pairs: Each<Pair>,
    },
    #[br(pre_assert(tag == 0xdf))]
    Map32 {
        count: u32,
        #[br(count = count)]
        pairs: Each<Pair>,
    },
    /// A small number, nil, false or true: the tag says it all.
    Nothing,
}

/// A key and its value.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Pair {
    pub key: Value,
    pub value: Value,
}
