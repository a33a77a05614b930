//! Bytes that arrived and were not taken yet.

/// Holds the bytes that were pushed and not taken, and their offset in the whole stream.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    bytes: Vec<u8>,
    /// The number of bytes that were taken.
    taken: usize,
    /// The offset in the whole stream of the first byte that was not taken.
    offset: u64,
}

impl Pending {
    /// Returns the vector to which arriving bytes are appended.
    pub fn room(&mut self) -> &mut Vec<u8> {
        // Moves the rest only if at least half is taken, so that every byte is moved once at most on average.
        if self.taken > 0 && self.taken >= self.bytes.len() / 2 {
            self.bytes.drain(..self.taken);
            self.taken = 0;
        }
        &mut self.bytes
    }

    /// Returns the bytes that were not taken yet.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        self.bytes.get(self.taken..).unwrap_or_default()
    }

    /// Takes `count` bytes, or all if there are fewer.
    pub fn take(&mut self, count: usize) -> &[u8] {
        let count = count.min(self.len());
        let start = self.taken;
        self.taken += count;
        self.offset += count as u64;
        &self.bytes[start..self.taken]
    }

    /// Returns how many bytes were not taken yet.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// Returns whether all bytes were taken.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the offset of the next byte in the whole stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}
