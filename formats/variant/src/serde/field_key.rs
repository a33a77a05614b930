//! Caches the names of a struct's fields as the packets of the dictionary keys.
//!
//! All structs of a list have the same names: each packet is made once, then copied to the output. A known key need
//! not be checked and compared with the earlier keys each time.

use crate::codec::key_packet;
use crate::dialect::Dialect;

/// The name of a field, and its packet.
pub(super) struct FieldKey {
    pub(super) name: &'static str,
    /// The packet, padded with zeros.
    packet: [u8; Self::ROOM],
    length: usize,
}

impl FieldKey {
    /// The size of the largest packet in bytes: names are short.
    pub(super) const ROOM: usize = 32;

    /// The most fields of a struct that are tracked: one bit of a word each.
    pub(super) const MOST: usize = u64::BITS as usize;

    /// Returns the key of this name; [`None`] if the codec has a warning or an error for it, or if it is long.
    pub(super) fn new(dialect: Dialect, name: &'static str) -> Option<Self> {
        let written = key_packet(dialect, name)?;
        let mut packet = [0; Self::ROOM];
        packet.get_mut(..written.len())?.copy_from_slice(&written);
        Some(Self { name, packet, length: written.len() })
    }

    /// Returns the packet, padded with zeros, and its length.
    #[inline]
    pub(super) const fn packet(&self) -> (&[u8; Self::ROOM], usize) {
        (&self.packet, self.length)
    }
}
