//! TIFF: pictures, in both orders of bytes.
//!
//! Source: Adobe, "TIFF, Revision 6.0" (1992), part 1. What the directories point at is seen by views.

use formwork::{BinRead, BinWrite, Block, Each, Open, Schema, ToEnd, binrw};

/// Pictures.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Tiff {
    /// `II` for little endian, `MM` for big endian.
    #[br(assert(matches!(order, 0x4949 | 0x4d4d)))]
    #[schema(letters)]
    pub order: u16,
    /// All else.
    #[br(is_big = order == 0x4d4d)]
    #[bw(is_big = *order == 0x4d4d)]
    pub body: Body,
}

/// What follows the order of bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(magic = 42u16)]
#[schema(view(directory: Directory, at = first))]
pub struct Body {
    /// Where the directory of the first picture is.
    pub first: u32,
    /// Directories, their values and the strips, in any order.
    pub content: ToEnd<u8>,
}

/// A picture.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[schema(view(following: Directory, at = next, if = next > 0))]
pub struct Directory {
    /// The number of fields.
    pub count: u16,
    /// The fields, by their tags.
    #[br(count = count)]
    pub fields: Each<Field>,
    /// Where the next picture is; 0 after the last one.
    pub next: u32,
}

/// What is said of a picture.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u16)]
pub enum Tag {
    Kind = 254,
    Width = 256,
    Height = 257,
    Bits = 258,
    Compression = 259,
    Photometric = 262,
    Description = 270,
    Make = 271,
    Model = 272,
    Strips = 273,
    Orientation = 274,
    Samples = 277,
    RowsInStrip = 278,
    BytesOfStrips = 279,
    AcrossResolution = 282,
    DownResolution = 283,
    Planes = 284,
    Unit = 296,
    Software = 305,
    Date = 306,
    Artist = 315,
    Colors = 320,
    More = 338,
    SampleFormat = 339,
}

/// The type of values.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u16)]
pub enum Type {
    Byte = 1,
    Text = 2,
    Short = 3,
    Long = 4,
    Rational = 5,
    SignedByte = 6,
    Undefined = 7,
    SignedShort = 8,
    SignedLong = 9,
    SignedRational = 10,
    Float = 11,
    Double = 12,
}

/// A field. Up to four bytes of values are in place of their offset.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[schema(view(text: ToEnd<u8>, at = at, bytes = count, if = kind.number() == 2 && count > 4))]
#[schema(view(shorts: Block<u16>, at = at, count = count, if = kind.number() == 3 && count > 2))]
#[schema(view(longs: Block<u32>, at = at, count = count, if = kind.number() == 4 && count > 1))]
#[schema(view(rationals: Each<Rational>, at = at, count = count, if = kind.number() == 5))]
pub struct Field {
    pub tag: Open<Tag>,
    /// The type of the values.
    pub kind: Open<Type>,
    /// How many there are.
    pub count: u32,
    /// Where they are.
    #[schema(hex)]
    pub at: u32,
}

/// A fraction.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Rational {
    pub numerator: u32,
    pub denominator: u32,
}
