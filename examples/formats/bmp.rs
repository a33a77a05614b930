//! BMP: the pictures of Windows.
//!
//! Source: Microsoft, "Bitmap Storage" and `BITMAPINFOHEADER`.

use formwork::{BinRead, BinWrite, Block, Open, Schema, ToEnd, Within, binrw};

/// A picture.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"BM")]
pub struct Bitmap {
    /// Bytes of the file.
    #[br(assert(size >= 14))]
    pub size: u32,
    #[schema(zero)]
    pub reserved: [u16; 2],
    /// Where the pixels are.
    #[br(assert(pixels_at >= 54, "pixels behind a head of 40 bytes or more"))]
    pub pixels_at: u32,
    /// What follows these 14 bytes.
    #[br(args { bytes: size - 14, inner: (pixels_at,) })]
    pub content: Within<Content>,
}

/// The head, the colours and the pixels.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(pixels_at: u32))]
#[brw(little)]
pub struct Content {
    /// Bytes of the head.
    #[br(assert(matches!(head_size, 40 | 52 | 56 | 108 | 124)))]
    #[br(assert(head_size <= pixels_at - 14))]
    pub head_size: u32,
    /// Pixels in a row.
    #[br(assert((0..=65_535).contains(&width)))]
    pub width: i32,
    /// Rows, the lowest one first; if negative, the highest one first.
    #[br(assert((-65_535..=65_535).contains(&height)))]
    pub height: i32,
    /// Always 1.
    #[br(assert(planes == 1))]
    pub planes: u16,
    /// Bits of a pixel.
    #[br(assert(matches!(bits, 1 | 4 | 8 | 16 | 24 | 32)))]
    pub bits: u16,
    /// How the pixels are compressed.
    pub compression: Open<Compression>,
    /// Bytes of the pixels; 0 may stand for those of pixels that are not compressed.
    pub pixel_bytes: u32,
    /// Pixels of a metre, across and down.
    pub per_metre: [i32; 2],
    /// Number of colours in the table; 0 for as many as the bits tell apart.
    pub colors_used: u32,
    /// Number of colours that matter; 0 for all.
    pub colors_important: u32,
    /// What longer heads have: masks of the colours, and the colour space.
    #[br(count = head_size - 40)]
    #[schema(hex)]
    pub more: Block<u8>,
    /// The colours: blue, green, red, and a zero.
    #[br(count = (pixels_at - 14 - head_size) / 4)]
    #[schema(hex)]
    pub colors: Block<u32>,
    /// The rows, each of them filled up to a multiple of four bytes.
    #[br(count = if compression.number() == 0 {
        (width as u32 * bits as u32).div_ceil(32) * 4 * (if height < 0 { 0 - height } else { height }) as u32
    } else { pixel_bytes })]
    pub pixels: Block<u8>,
    /// A colour profile.
    pub rest: ToEnd<u8>,
}

/// How pixels are compressed.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u32)]
pub enum Compression {
    None = 0,
    RunLength8 = 1,
    RunLength4 = 2,
    Fields = 3,
}
