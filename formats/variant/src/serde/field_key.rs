//! Caches the names of a struct's fields as the packets of the dictionary keys.
//!
//! All structs of a list have the same names: each packet is made once, then copied to the output or compared with
//! the input. A known key need not be decoded, checked and compared with the earlier keys each time.

use crate::codec::key_packet;
use crate::dialect::Dialect;

/// The name of a field, and its packet.
pub(super) struct FieldKey {
    pub(super) name: &'static str,
    /// The packet, padded with zeros.
    packet: [u8; Self::ROOM],
    length: usize,
    /// The start of the packet as one number, and the mask of the bits that belong to it.
    start: u128,
    mask: u128,
}

/// Bytes of the start of a packet.
const START: usize = size_of::<u128>();

impl FieldKey {
    /// The size of the largest packet in bytes: names are short.
    pub(super) const ROOM: usize = 2 * START;

    /// The most fields of a struct that are tracked: one bit of a word each.
    pub(super) const MOST: usize = u64::BITS as usize;

    /// Returns the key of this name; [`None`] if the codec has a warning or an error for it, or if it is long.
    pub(super) fn new(dialect: Dialect, name: &'static str) -> Option<Self> {
        let written = key_packet(dialect, name)?;
        let mut packet = [0; Self::ROOM];
        packet.get_mut(..written.len())?.copy_from_slice(&written);
        let unused = START.saturating_sub(written.len()) as u32 * u8::BITS;
        let start = u128::from_le_bytes(*packet.first_chunk()?);
        Some(Self { name, packet, length: written.len(), start, mask: u128::MAX >> unused })
    }

    /// Returns the packet, padded with zeros, and its length.
    #[inline]
    pub(super) const fn packet(&self) -> (&[u8; Self::ROOM], usize) {
        (&self.packet, self.length)
    }

    /// Returns the length of the packet, if these bytes start with it. (A value follows every key, so bytes that are
    /// shorter than the start of a packet hold no complete key.)
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
