//! NBT: the files of Minecraft, unpacked.
//!
//! Source: Notch, "Named Binary Tag specification" (2010), with the arrays of ints and longs that came later.

use formwork::{BinRead, BinWrite, Block, Each, Schema, Until, binrw};

/// What a tag holds.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Kind {
    End = 0,
    Byte = 1,
    Short = 2,
    Int = 3,
    Long = 4,
    Float = 5,
    Double = 6,
    Bytes = 7,
    Text = 8,
    List = 9,
    Compound = 10,
    Ints = 11,
    Longs = 12,
}

/// A value with a name.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(last = kind as u8 == 0)]
pub struct Tag {
    /// What it holds.
    pub kind: Kind,
    /// Its name.
    #[br(if(kind as u8 != 0))]
    pub name: Option<Name>,
    /// The value.
    #[br(args(kind as u8))]
    pub value: Value,
}

/// A text.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Name {
    /// Its bytes.
    pub length: u16,
    /// The text, in Java's own UTF-8.
    #[br(count = length)]
    #[schema(text)]
    pub text: Block<u8>,
}

/// A value.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(kind: u8))]
pub enum Value {
    #[br(pre_assert(kind == 1))]
    Byte(i8),
    #[br(pre_assert(kind == 2))]
    Short(i16),
    #[br(pre_assert(kind == 3))]
    Int(i32),
    #[br(pre_assert(kind == 4))]
    Long(i64),
    #[br(pre_assert(kind == 5))]
    Float(f32),
    #[br(pre_assert(kind == 6))]
    Double(f64),
    #[br(pre_assert(kind == 7))]
    Bytes {
        #[br(assert(count >= 0))]
        count: i32,
        #[br(count = count)]
        bytes: Block<i8>,
    },
    #[br(pre_assert(kind == 8))]
    Text(Name),
    /// Values of one kind.
    #[br(pre_assert(kind == 9))]
    List {
        of: Kind,
        #[br(assert(count >= 0))]
        count: i32,
        #[br(count = count, args { inner: (of as u8,) })]
        values: Each<Value>,
    },
    /// Tags up to one of the kind `End`.
    #[br(pre_assert(kind == 10))]
    Compound(Until<Tag>),
    #[br(pre_assert(kind == 11))]
    Ints {
        #[br(assert(count >= 0))]
        count: i32,
        #[br(count = count)]
        numbers: Block<i32>,
    },
    #[br(pre_assert(kind == 12))]
    Longs {
        #[br(assert(count >= 0))]
        count: i32,
        #[br(count = count)]
        numbers: Block<i64>,
    },
    /// The end of a compound.
    #[br(pre_assert(kind == 0))]
    End,
}
