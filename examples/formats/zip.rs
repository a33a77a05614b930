//! ZIP: compressed files, then their directory.
//!
//! Source: PKWARE, "APPNOTE.TXT", version 6.3.10. Files whose size follows their content are not declared.

use formwork::{BinRead, BinWrite, Block, Schema, ToEnd, Within, binrw};

/// Files, and a directory of them.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Zip {
    /// Files, entries of the directory, and the end.
    pub parts: ToEnd<Part>,
}

/// A file, an entry of the directory, or the end.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub enum Part {
    /// A file.
    #[brw(magic = b"PK\x03\x04")]
    File {
        /// The version that is needed to read it.
        version: u16,
        /// Flags: bit 3 is not set.
        #[br(assert(flags & 8 == 0, "a file whose size is in front of it"))]
        #[schema(hex)]
        flags: u16,
        /// How it is compressed: 0 is not, 8 is deflate.
        method: u16,
        /// When it was changed.
        #[schema(hex)]
        time: u32,
        /// The CRC-32 of the file.
        #[schema(hex)]
        crc: u32,
        /// Bytes of the compressed file.
        packed: u32,
        /// Bytes of the file.
        size: u32,
        /// Bytes of the name.
        name_length: u16,
        /// Bytes of the extra fields.
        extra_length: u16,
        /// The name, with slashes.
        #[br(count = name_length)]
        #[schema(text)]
        name: Block<u8>,
        /// Extra fields.
        #[br(args { bytes: extra_length })]
        extra: Within<ToEnd<Extra>>,
        /// The compressed file.
        #[br(count = packed)]
        content: Block<u8>,
    },
    /// An entry of the directory.
    #[brw(magic = b"PK\x01\x02")]
    Entry {
        /// The version and system that made it.
        #[schema(hex)]
        made_by: u16,
        /// The version that is needed to read it.
        version: u16,
        /// Flags.
        #[schema(hex)]
        flags: u16,
        /// How it is compressed: 0 is not, 8 is deflate.
        method: u16,
        /// When it was changed.
        #[schema(hex)]
        time: u32,
        /// The CRC-32 of the file.
        #[schema(hex)]
        crc: u32,
        /// Bytes of the compressed file.
        packed: u32,
        /// Bytes of the file.
        size: u32,
        /// Bytes of the name.
        name_length: u16,
        /// Bytes of the extra fields.
        extra_length: u16,
        /// Bytes of the comment.
        comment_length: u16,
        /// The disk that the file begins on.
        disk: u16,
        /// Attributes of the file.
        #[schema(hex)]
        internal: u16,
        /// Attributes of the file on the system that made it.
        #[schema(hex)]
        external: u32,
        /// Where the file is.
        #[schema(hex)]
        at: u32,
        /// The name, with slashes.
        #[br(count = name_length)]
        #[schema(text)]
        name: Block<u8>,
        /// Extra fields.
        #[br(args { bytes: extra_length })]
        extra: Within<ToEnd<Extra>>,
        /// A comment.
        #[br(count = comment_length)]
        #[schema(text)]
        comment: Block<u8>,
    },
    /// The end of the directory.
    #[brw(magic = b"PK\x05\x06")]
    End {
        /// This disk, and that of the directory.
        disks: [u16; 2],
        /// The number of entries on this disk, and of all.
        entries: [u16; 2],
        /// Bytes of the directory.
        size: u32,
        /// Where the directory is.
        #[schema(hex)]
        at: u32,
        /// Bytes of the comment.
        comment_length: u16,
        /// A comment.
        #[br(count = comment_length)]
        #[schema(text)]
        comment: Block<u8>,
    },
}

/// An extra field.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Extra {
    /// What it is.
    #[schema(hex)]
    pub id: u16,
    /// Bytes of the content.
    pub size: u16,
    /// The content.
    #[br(count = size)]
    pub content: Block<u8>,
}
