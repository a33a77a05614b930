//! WAV: sound as chunks in a RIFF file, with its LIST of texts.
//!
//! Source: "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft, 1991).

use formwork::{BinRead, BinWrite, Block, Open, Schema, ToEnd, Within, binrw};

const FORMAT: u32 = u32::from_le_bytes(*b"fmt ");
const LIST: u32 = u32::from_le_bytes(*b"LIST");

/// Sound in a file of chunks.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"RIFF")]
pub struct Wave {
    /// Bytes that follow.
    pub size: u32,
    /// The content.
    #[br(args { bytes: size })]
    pub form: Within<Form>,
}

/// The content of the file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"WAVE")]
pub struct Form {
    /// The chunks.
    pub chunks: ToEnd<Chunk>,
}

/// A chunk.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Chunk {
    /// What it holds.
    #[schema(letters)]
    pub id: u32,
    /// Bytes of its content.
    pub size: u32,
    /// The content.
    #[br(args(id, size))]
    pub content: Content,
    /// A byte that makes the size even.
    #[br(if(size % 2 == 1))]
    #[schema(zero)]
    pub pad: Option<u8>,
}

/// The content of a chunk.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(id: u32, size: u32))]
pub enum Content {
    /// How the samples are stored.
    #[br(pre_assert(id == FORMAT))]
    Format(#[br(args { bytes: size })] Within<Format>),
    /// Texts about the sound.
    #[br(pre_assert(id == LIST))]
    List(#[br(args { bytes: size })] Within<List>),
    /// Samples, and chunks that this declaration does not know.
    Other(#[br(count = size)] Block<u8>),
}

/// How the samples are stored.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Format {
    /// How a sample is coded.
    pub coding: Open<Coding>,
    /// Channels.
    #[br(assert(channels > 0))]
    pub channels: u16,
    /// Samples of each channel in a second.
    pub rate: u32,
    /// Bytes in a second.
    pub bytes_per_second: u32,
    /// Bytes of one sample of all channels.
    pub block: u16,
    /// Bits of one sample.
    pub bits: u16,
    /// What the coding needs beyond that.
    pub more: ToEnd<u8>,
}

/// How a sample is coded.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u16)]
pub enum Coding {
    Pcm = 1,
    Adpcm = 2,
    Float = 3,
    ALaw = 6,
    MuLaw = 7,
    Extensible = 0xfffe,
}

/// Texts about the sound.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct List {
    /// The kind of list: `INFO`.
    #[schema(letters)]
    pub kind: [u8; 4],
    /// The texts.
    pub entries: ToEnd<Entry>,
}

/// A text.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Entry {
    /// What it says: `INAM` for the title.
    #[schema(letters)]
    pub id: [u8; 4],
    /// Bytes of the text, with its zero.
    pub size: u32,
    /// The text.
    #[br(count = size)]
    #[schema(text)]
    pub text: Block<u8>,
    /// A byte that makes the size even.
    #[br(if(size % 2 == 1))]
    #[schema(zero)]
    pub pad: Option<u8>,
}
