//! A file of a pack.

use std::ops::Range;

use super::record::{DIGEST, FileFlags, PackEntry};

/// Bytes before the content of an encrypted file: MD5 sum, length and initialization vector.
pub(super) const SEALED_HEAD: u64 = 40;

/// A file of a pack, as the directory describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedFile {
    /// The bytes of the name, with the zeros after it.
    pub(super) raw_name: Box<[u8]>,
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) digest: [u8; DIGEST],
    pub(super) flags: FileFlags,
    /// The offset of the file's entry in the directory.
    pub(super) entry: u64,
}

impl PackedFile {
    /// Returns the name as in the directory, such as `res://icon.png` or `icon.png`. (Invalid UTF-8 is replaced by
    /// `U+FFFD`.)
    #[must_use]
    pub fn name(&self) -> String {
        String::from_utf8_lossy(self.name_bytes()).into_owned()
    }

    /// Returns the bytes of the name, without the zeros that pad it.
    pub(super) fn name_bytes(&self) -> &[u8] {
        let end = self.raw_name.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.raw_name.get(..end).unwrap_or_default()
    }

    /// Returns the offset of the content, from the start of the whole file that the pack is in.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the length of the content in bytes; for an encrypted file, the length after decryption.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Returns the number of bytes that the content takes in the pack.
    #[must_use]
    pub fn stored_size(&self) -> u64 {
        match self.is_encrypted() {
            false => self.size,
            true => self
                .size
                .checked_next_multiple_of(16)
                .unwrap_or(u64::MAX)
                .saturating_add(SEALED_HEAD),
        }
    }

    /// Returns the MD5 sum of the content that the directory holds; [`None`] if that is zeros, as Godot 3's `PCKPacker`
    /// leaves it.
    #[must_use]
    pub fn digest(&self) -> Option<[u8; DIGEST]> {
        (self.digest != [0; DIGEST]).then_some(self.digest)
    }

    /// Whether the content is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.flags.encrypted()
    }

    /// Whether the entry marks the file of that name in another pack as removed. Such an entry has no content.
    #[must_use]
    pub fn is_removal(&self) -> bool {
        self.flags.removal()
    }

    /// Whether the content is a difference from the file of that name in another pack.
    #[must_use]
    pub fn is_delta(&self) -> bool {
        self.flags.delta()
    }

    /// Returns the range of bytes that the content takes.
    pub(super) fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.stored_size())
    }

    /// Makes a file of its entry at `at`; offsets count from `base`.
    pub(super) fn new(entry: PackEntry<'_>, flags: FileFlags, base: u64, at: u64) -> Self {
        let PackEntry { length: _, name, offset, size, digest } = entry;
        Self {
            raw_name: name.0.into(),
            offset: base.saturating_add(offset),
            size,
            digest: *digest.first_chunk().unwrap_or(&[0; DIGEST]),
            flags,
            entry: at,
        }
    }
}
