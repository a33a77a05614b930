//! Packets in a row, each behind its length: what `store_var` files and StreamPeers carry.

use crate::schema::{Declared, Record, Shape};
use crate::wire::declare;

declare! {
    /// What stands before a packet in a file or stream. Files with the big-endian switch and
    /// streams with `big_endian` set swap this word only; the packet stays little endian.
    #[derive(Copy)]
    pub struct FrameHead {
        /// Bytes of the packet.
        pub length: u32,
    }
    then {
        /// The packet.
        packet: crate::schema::Variant [inline once],
    }
}

/// The record in front of a framed packet.
pub(crate) const RECORD: &Record = match FrameHead::SHAPE {
    Shape::Record(record) => record,
    _ => panic!("`declare!` declares records"),
};
