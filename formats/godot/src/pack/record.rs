//! The records that packs are made of, each declared once.

use modular_bitfield::prelude::*;

use formwork::{BinRead, BinWrite, Deferred, Schema, ToEnd};
use formwork_records::wire::{Block, Each};

/// The mark of a pack.
pub(super) const MAGIC: [u8; 4] = *b"GDPC";

/// The newest version of the format that is read and written.
pub(super) const NEWEST: u32 = 4;

/// The versions that are read and written, in words.
pub(super) const VERSIONS: &str = "a version of 0 to 4";

/// Bytes of an MD5 sum.
pub(super) const DIGEST: usize = 16;

/// Start of every pack: the version, which determines the form of the rest, and the engine that wrote the pack.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackStart {
    /// `GDPC`: 0x43504447.
    #[schema(letters)]
    pub magic: u32,
    /// Version of the format: 0 in Godot 1 and 2, 1 in Godot 3, 2 in Godot 4.0 to 4.4, 3 in Godot 4.5
    /// and 4.6, 4 in Godot 4.7.
    pub version: u32,
    /// The engine's release, such as the 4 of 4.6.3.
    pub major: u32,
    /// The engine's release, such as the 6 of 4.6.3.
    pub minor: u32,
    /// The engine's release, such as the 3 of 4.6.3.
    pub patch: u32,
}

/// Head of a pack of version 0 or 1: the directory follows.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PlainPackHead<'a> {
    /// Form and engine.
    pub start: PackStart,
    /// Zeros.
    #[br(count = 16)]
    pub reserved: Block<'a, u32>,
}

/// Flags of a whole pack.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct PackFlags {
    /// The directory is encrypted (`PACK_DIR_ENCRYPTED`).
    pub directory_encrypted: bool,
    /// `file_base` counts from the start of the pack, not of the file (`PACK_REL_FILEBASE`). From version 3 on
    /// it always does.
    pub relative: bool,
    /// The contents of the files are outside the pack (`PACK_SPARSE_BUNDLE`).
    pub sparse: bool,
    /// Written as 0.
    #[schema(zero)]
    pub unused: B29,
}

/// Head of a pack of version 2: the directory follows.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FlaggedPackHead<'a> {
    /// Form and engine.
    pub start: PackStart,
    /// Flags of the whole pack.
    pub flags: PackFlags,
    /// Offset from which the offsets of the files count.
    pub file_base: u64,
    /// Zeros.
    #[br(count = 16)]
    pub reserved: Block<'a, u32>,
}

/// Head of a pack of version 3 or 4, with the offset of the directory.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PlacedPackHead<'a> {
    /// Form and engine.
    pub start: PackStart,
    /// Flags of the whole pack.
    pub flags: PackFlags,
    /// Offset from which the offsets of the files count, from the start of the pack.
    pub file_base: u64,
    /// Offset of the directory, from the start of the pack.
    pub directory: u64,
    /// In version 4, 32 characters of one byte each in a sparse bundle whose directory is encrypted. Each content is
    /// then stored in a file whose name is the SHA-256 sum of its path followed by these characters. Zeros otherwise.
    #[br(count = 32)]
    pub salt: Block<'a, u8>,
    /// Zeros.
    #[br(count = 8)]
    pub reserved: Block<'a, u32>,
}

/// A file in the directory of a pack of version 0 or 1.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackEntry<'a> {
    /// Bytes of the name, with the zeros that may fill it up to a multiple of four.
    pub length: u32,
    /// The name, such as `res://icon.png`.
    #[br(count = length)]
    #[schema(text)]
    pub name: Block<'a, u8>,
    /// Offset of the content, from the start of the whole file.
    pub offset: u64,
    /// Bytes of the content.
    pub size: u64,
    /// The MD5 sum of the content, or zeros where none was made.
    #[br(count = 16)]
    pub digest: Block<'a, u8>,
}

/// Flags of a file.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct FileFlags {
    /// The content is encrypted (`PACK_FILE_ENCRYPTED`).
    pub encrypted: bool,
    /// The file of that name in another pack is gone (`PACK_FILE_REMOVAL`).
    pub removal: bool,
    /// The content is a difference from the file of that name in another pack (`PACK_FILE_DELTA`).
    pub delta: bool,
    /// Written as 0.
    #[schema(zero)]
    pub unused: B29,
}

/// A file in the directory of a pack of version 2 to 4.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FlaggedPackEntry<'a> {
    /// Bytes of the name, with the zeros that may fill it up to a multiple of four.
    pub length: u32,
    /// The name, such as `icon.png`; before Godot 4.4 `res://icon.png`.
    #[br(count = length)]
    #[schema(text)]
    pub name: Block<'a, u8>,
    /// Offset of the content, from `file_base` on.
    pub offset: u64,
    /// Bytes of the content; of an encrypted one, as it is when decrypted.
    pub size: u64,
    /// The MD5 sum of the content (of an encrypted one, when decrypted), or zeros where none was made.
    #[br(count = 16)]
    pub digest: Block<'a, u8>,
    /// Flags of the file.
    pub flags: FileFlags,
}

/// Returns the bytes of a file's entry without its name.
pub(super) const fn entry_size(version: u32) -> usize {
    let plain = 2 * size_of::<u64>() + size_of::<u32>() + DIGEST;
    if version < 2 { plain } else { plain + size_of::<u32>() }
}

/// The directory of a pack of version 0 or 1.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackDirectory {
    /// The number of files.
    pub count: u32,
    /// The files.
    #[br(count = count)]
    pub files: Each<PackEntry<'static>>,
}

/// The directory of a pack of version 2 to 4.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FlaggedPackDirectory {
    /// The number of files.
    pub count: u32,
    /// The files.
    #[br(count = count)]
    pub files: Each<FlaggedPackEntry<'static>>,
}

/// Bytes that a pack holds encrypted: a file, or what follows the count of an encrypted directory. It is an
/// encrypted file of Godot 4 without its mark.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct SealedHead<'a> {
    /// The MD5 sum of the content.
    #[br(count = 16)]
    pub digest: Block<'a, u8>,
    /// Bytes of the content.
    pub length: u64,
    /// The initialization vector.
    #[br(count = 16)]
    pub vector: Block<'a, u8>,
    /// The content, filled up with zeros to a multiple of 16 bytes, in AES-256-CFB with segments
    /// of 128 bits.
    pub data: Deferred<ToEnd<u8>>,
}

/// An encrypted directory.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct SealedDirectory<'a> {
    /// The number of files.
    pub count: u32,
    /// The files, encrypted.
    pub sealed: SealedHead<'a>,
}

/// Trailer after a pack in an executable, at the end of the file.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackTrailer {
    /// Bytes of the pack, which ends where this starts.
    pub length: u64,
    /// `GDPC`: 0x43504447.
    #[schema(letters)]
    pub magic: u32,
}
