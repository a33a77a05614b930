//! Rules about compressed and encrypted files.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// Compressed and encrypted files nest no deeper than four layers.
    pub const DEPTH = "container.depth", Limit;
    /// Nothing follows a compressed or encrypted file.
    pub const TRAILING = "container.trailing", Trailing;
    /// A compressed file starts with `GCPF`.
    pub const GCPF_MAGIC = "gcpf.magic", Malformed;
    /// The mode of a compressed file is one of the engines' compressions.
    pub const GCPF_MODE = "gcpf.mode", Malformed;
    /// The block size of a compressed file is not 0.
    pub const GCPF_BLOCK_SIZE = "gcpf.block_size", Malformed;
    /// A block of a compressed file unpacks to the bytes that are missing, at most the block size, and
    /// is used up by that.
    pub const GCPF_BLOCK = "gcpf.block", Malformed;
    /// A content that is compressed is at most 4294967295 bytes long.
    pub const GCPF_LENGTH = "gcpf.length", Unrepresentable;
    /// A compressed file is written in a compression that engines write, too (so not in Brotli).
    pub const GCPF_WRITTEN = "gcpf.written", Unrepresentable;
    /// An encrypted file starts with `GDEC`.
    pub const GDEC_MAGIC = "gdec.magic", Malformed;
    /// For an encrypted file a key or password is given.
    pub const GDEC_KEY_GIVEN = "gdec.key_given", Unsupported;
    /// The key of an encrypted file is the right one, and the file is undamaged: its content has the MD5 sum that its
    /// head holds.
    pub const GDEC_KEY = "gdec.key", Malformed;
    /// The content of an encrypted file is filled up with zeros to a multiple of 16 bytes.
    pub const GDEC_PADDING = "gdec.padding", Malformed;
    /// Data that is compressed without the engine's frame can be packed again.
    pub const STREAM_WRITTEN = "stream.written", Unrepresentable;
    /// A length in the header of a game can say the length of the new content.
    pub const HEADER_LENGTH = "header.length", Unrepresentable;
}
