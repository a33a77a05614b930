//! Bytes that arrived and were not taken yet.

/// Holds what was pushed and not taken, and knows where in the whole stream it stands.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    bytes: Vec<u8>,
    /// How many of the bytes were taken.
    taken: usize,
    /// Where in the whole stream the first byte that was not taken stands.
    offset: u64,
}

impl Pending {
    /// Returns where bytes that arrive are to be added.
    pub fn room(&mut self) -> &mut Vec<u8> {
        // Only when at least half is done with, so that every byte is moved once at most on average.
        if self.taken > 0 && self.taken >= self.bytes.len() / 2 {
            self.bytes.drain(..self.taken);
            self.taken = 0;
        }
        &mut self.bytes
    }

    /// Returns what was not taken yet.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        self.bytes.get(self.taken..).unwrap_or_default()
    }

    /// Takes so many bytes, at most those that are there.
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

    /// Returns whether nothing is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns where in the whole stream the next byte stands.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}
