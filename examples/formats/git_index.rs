//! The index of git, versions 2 to 4.
//!
//! Source: `Documentation/gitformat-index.txt` of git 2.47. Names of 4,095 bytes and more are not declared.

use formwork::modular_bitfield::prelude::*;
use formwork::wire::Git;
use formwork::{Before, BinRead, BinWrite, Block, Each, Schema, Terminated, ToEnd, Varint, binrw};

/// The files that the next commit will have.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"DIRC")]
pub struct Index {
    /// The version of the format.
    #[br(assert((2..=4).contains(&version)))]
    pub version: u32,
    /// The number of entries.
    pub count: u32,
    /// The files, by name.
    #[br(count = count, args { inner: (version,) })]
    pub entries: Each<Entry>,
    /// What git keeps beside the files.
    #[br(args { left: 20 })]
    pub extensions: Before<ToEnd<Extension>>,
    /// A checksum.
    #[schema(hex, sum = sha1, over = ..)]
    pub hash: [u8; 20],
}

/// A file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(version: u32))]
pub struct Entry {
    /// When its metadata changed: seconds and nanoseconds.
    pub changed: [u32; 2],
    /// When its content changed: seconds and nanoseconds.
    pub modified: [u32; 2],
    /// The device, and the number of the file there.
    pub device: [u32; 2],
    /// Its kind and who may run it.
    pub mode: u32,
    /// The owner and the group.
    pub owner: [u32; 2],
    /// Bytes of its content.
    pub size: u32,
    /// The hash of its content.
    #[schema(hex)]
    pub hash: [u8; 20],
    /// The length of its name, and more.
    #[br(assert(flags.length() < 4095), assert(version > 2 || !flags.extended()))]
    pub flags: Flags,
    /// More flags.
    #[br(if(flags.extended()))]
    #[schema(hex)]
    pub more: Option<u16>,
    /// The name, in version 4.
    #[br(if(version == 4))]
    pub suffix: Option<Suffix>,
    /// The name, in versions 2 and 3.
    #[br(if(version < 4), args(flags.length(), flags.extended() as u16 * 2))]
    pub name: Option<Name>,
}

/// The length of the name, and flags.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| Self::from(raw))]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
pub struct Flags {
    /// Bytes of the name.
    pub length: B12,
    /// Which side of a merge it is of.
    pub stage: B2,
    /// More flags follow.
    pub extended: bool,
    /// git does not look whether the file has changed.
    pub assume_valid: bool,
}

/// A name by what it does not share with the one in front.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Suffix {
    /// How many bytes of the name in front are taken away.
    pub removed: Varint<Git>,
    /// What is put in their place.
    #[schema(text)]
    pub added: Terminated,
}

/// A name.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(length: u16, more: u16))]
pub struct Name {
    /// The path, with slashes.
    #[br(count = length)]
    #[schema(text)]
    pub path: Block<u8>,
    /// Zeros up to a multiple of eight of the entry, at least one.
    #[br(count = 8 - (62 + more + length) % 8)]
    #[schema(zero)]
    pub zeros: Block<u8>,
}

/// What git keeps beside the files.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Extension {
    /// What it is: `TREE` for the trees that are known.
    #[schema(letters)]
    pub id: [u8; 4],
    /// Bytes of the content.
    pub size: u32,
    /// The content.
    #[br(count = size)]
    pub content: Block<u8>,
}

fn sha1(bytes: &[u8]) -> [u8; 20] {
    use sha1::{Digest, Sha1};
    Sha1::digest(bytes).into()
}
