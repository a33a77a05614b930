//! PNG: a picture as chunks, each with a checksum.
//!
//! Source: "Portable Network Graphics (PNG) Specification (Third Edition)" (W3C, 2025).

use formwork::{BinRead, BinWrite, Block, Schema, Terminated, ToEnd, Until, Within, binrw};

const HEADER: u32 = u32::from_be_bytes(*b"IHDR");
const PALETTE: u32 = u32::from_be_bytes(*b"PLTE");
const TEXT: u32 = u32::from_be_bytes(*b"tEXt");
const END: u32 = u32::from_be_bytes(*b"IEND");

/// A picture.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"\x89PNG\r\n\x1a\n")]
pub struct Png {
    /// The chunks, up to `IEND`.
    pub chunks: Until<Chunk>,
}

/// A chunk.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(last = id == END)]
pub struct Chunk {
    /// Bytes of the content.
    #[br(assert(size < 0x8000_0000))]
    pub size: u32,
    /// What it holds.
    #[schema(letters)]
    pub id: u32,
    /// The content.
    #[br(args(id, size))]
    pub content: Content,
    /// A checksum.
    #[schema(hex, sum = crc32fast::hash, over = id..=content)]
    pub crc: u32,
}

/// The content of a chunk.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(id: u32, size: u32))]
pub enum Content {
    /// The size of the picture and how its points are stored.
    #[br(pre_assert(id == HEADER))]
    Header(#[br(args { bytes: size })] Within<Header>),
    /// Colors that points refer to.
    #[br(pre_assert(id == PALETTE))]
    Palette(#[br(args { bytes: size })] Within<ToEnd<[u8; 3]>>),
    /// A text about the picture.
    #[br(pre_assert(id == TEXT))]
    Text(#[br(args { bytes: size })] Within<Text>),
    /// Compressed points, and chunks that this declaration does not know.
    Other(#[br(count = size)] Block<u8>),
}

/// The size of the picture and how its points are stored.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Header {
    /// Points in a row.
    #[br(assert(width > 0))]
    pub width: u32,
    /// Rows.
    #[br(assert(height > 0))]
    pub height: u32,
    /// Bits of one sample.
    #[br(assert(matches!(depth, 1 | 2 | 4 | 8 | 16)))]
    pub depth: u8,
    /// What a point is made of.
    pub color: Color,
    /// Always zero: deflate.
    #[schema(zero)]
    pub compression: u8,
    /// Always zero: one of five filters for each row.
    #[schema(zero)]
    pub filter: u8,
    /// Whether the rows are interlaced.
    #[br(assert(interlace < 2))]
    pub interlace: u8,
}

/// What a point is made of.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Color {
    Gray = 0,
    Rgb = 2,
    Palette = 3,
    GrayAlpha = 4,
    Rgba = 6,
}

/// A text about the picture.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Text {
    /// What it says: `Title`.
    pub keyword: Terminated,
    /// The text in Latin-1.
    #[schema(letters)]
    pub text: ToEnd<u8>,
}
