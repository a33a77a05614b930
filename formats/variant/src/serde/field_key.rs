//! The names of a struct's fields, as the packets that they are as keys of a dictionary.
//!
//! Every struct of a list has the same names: their packets are made once, and then written as they are, and
//! compared with what stands in the input. So a key is not taken apart, checked and looked for among those
//! before it again and again.

use crate::codec::key_packet;
use crate::dialect::Dialect;

/// The name of a field, and its packet.
pub(super) struct FieldKey {
    pub(super) name: &'static str,
    /// The packet, with zeros behind it.
    packet: [u8; Self::ROOM],
    length: usize,
    /// The start of the packet as one number, and which of its bits count.
    start: u128,
    mask: u128,
}

/// Bytes of the start of a packet.
const START: usize = size_of::<u128>();

impl FieldKey {
    /// Bytes of the largest packet: names are short.
    pub(super) const ROOM: usize = 2 * START;

    /// How many fields of a struct are known by the bits of one word.
    pub(super) const MOST: usize = u64::BITS as usize;

    /// Returns the key of this name; [`None`] where something is to be said of it, and where it is long.
    pub(super) fn new(dialect: Dialect, name: &'static str) -> Option<Self> {
        let written = key_packet(dialect, name)?;
        let mut packet = [0; Self::ROOM];
        packet.get_mut(..written.len())?.copy_from_slice(&written);
        let unused = START.saturating_sub(written.len()) as u32 * u8::BITS;
        let start = u128::from_le_bytes(*packet.first_chunk()?);
        Some(Self { name, packet, length: written.len(), start, mask: u128::MAX >> unused })
    }

    /// The packet with zeros behind it, and how long it is.
    #[inline]
    pub(super) const fn packet(&self) -> (&[u8; Self::ROOM], usize) {
        (&self.packet, self.length)
    }

    /// Returns how long the packet is, if these bytes start with it. (Behind every key there is a value, so what
    /// is shorter than the start of one is no key that is whole.)
    #[inline]
    pub(super) fn at_start(&self, bytes: &[u8]) -> Option<usize> {
        let start = u128::from_le_bytes(*bytes.first_chunk()?);
        if start & self.mask != self.start {
            return None;
        }
        let is_whole = self.length <= START
            || bytes.get(START..self.length) == self.packet.get(START..self.length);
        is_whole.then_some(self.length)
    }
}
