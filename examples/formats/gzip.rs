//! gzip: one compressed file.
//!
//! Source: RFC 1952, "GZIP file format specification version 4.3".

use formwork::modular_bitfield::prelude::*;
use formwork::{Before, BinRead, BinWrite, Block, Open, Schema, Terminated, ToEnd, binrw};

/// A compressed file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"\x1f\x8b")]
pub struct Gzip {
    /// How it is compressed: 8 is deflate.
    #[br(assert(method == 8))]
    pub method: u8,
    /// Which fields are there.
    pub flags: Flags,
    /// When the file was changed: seconds since 1970.
    pub time: u32,
    /// How hard the compressor tried.
    pub extra_flags: u8,
    /// The system that it was made on.
    pub system: Open<System>,
    /// Fields of programs.
    #[br(if(flags.extra()))]
    pub extra: Option<Extra>,
    /// The name of the file.
    #[br(if(flags.name()))]
    pub name: Option<Terminated>,
    /// A comment.
    #[br(if(flags.comment()))]
    pub comment: Option<Terminated>,
    /// The lower half of the CRC-32 of everything in front.
    #[br(if(flags.header_crc()))]
    #[schema(hex)]
    pub header_crc: Option<u16>,
    /// The compressed bytes.
    #[br(args { left: 8 })]
    pub data: Before<ToEnd<u8>>,
    /// The CRC-32 of the file.
    #[schema(hex)]
    pub crc: u32,
    /// Bytes of the file.
    pub size: u32,
}

/// Fields of programs.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Extra {
    /// Bytes of the fields.
    pub length: u16,
    /// The fields.
    #[br(count = length)]
    pub data: Block<u8>,
}

/// Which fields are there.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u8| Self::from(raw))]
#[bw(map = |word: &Self| u8::from(*word))]
#[repr(u8)]
pub struct Flags {
    /// The file is probably text.
    pub text: bool,
    /// A checksum of the header.
    pub header_crc: bool,
    /// Fields of programs.
    pub extra: bool,
    /// The name.
    pub name: bool,
    /// A comment.
    pub comment: bool,
    #[schema(zero)]
    pub unused: B3,
}

/// The system that a file was made on.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum System {
    Fat = 0,
    Amiga = 1,
    Unix = 3,
    Macintosh = 7,
    Ntfs = 11,
    Unknown = 255,
}
