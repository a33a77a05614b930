//! The records around values in packets of the high-level multiplayer, after the engines' sources.

use formwork::{BinRead, BinWrite, Schema, binrw};
use modular_bitfield::prelude::*;

/// The head that NetworkedMultiplayerENet gives a packet.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerHead {
    /// The unique id of the sender; the server's is 1.
    pub source: i32,
    /// The unique id of the receiver; 0 for all, negative for all but one.
    pub target: i32,
}

/// The flags after the head in Godot 2.1 and 3.0, by sources of 2017.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerFlags {
    /// The flags that the packet is sent with (ENet's `ENET_PACKET_FLAG_...`).
    pub flags: u32,
}

/// A notice of the server about a peer, on the channel 0.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerNotice {
    /// 0: there is another; 1: one has gone.
    pub message: u32,
    /// Its unique id.
    pub peer: i32,
}

/// A node that something is for.
#[derive(Schema)]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct NodeWord {
    /// The number that the sender gave its path, or the position of the path in the packet.
    pub number: B31,
    /// The path is in the packet.
    pub in_packet: bool,
}

/// The start of a remote call of Godot 3. The name and a zero follow.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct CallHead {
    /// 0 for a call, 1 for a property.
    pub command: u8,
    /// The node.
    pub node: NodeWord,
}

/// The first byte of a packet of Godot 4's multiplayer.
#[derive(Schema)]
#[bitfield]
#[repr(u8)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
pub struct CommandWord {
    /// 0 for a call, 3 for bytes, 7 for a message of the multiplayer to itself.
    pub command: B3,
    /// Zero.
    #[schema(zero)]
    pub unused: bool,
    /// The width of the node's number: 8, 16 or 32 bits.
    pub node_width: B2,
    /// The method's number has 16 bits instead of 8.
    pub wide_method: bool,
    /// There are no arguments, or there is one, a PackedByteArray as it is.
    pub bytes_only: bool,
}

/// The first byte of an argument of a remote call of Godot 4.
#[derive(Schema)]
#[bitfield]
#[repr(u8)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
pub struct ArgumentByte {
    /// Number of the type in the dialect's table.
    pub type_id: B6,
    /// The width of an int: 8, 16, 32 or 64 bits.
    pub width: B2,
}

/// The start of a message of Godot 4's multiplayer to itself. A packet to be relayed follows.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct SystemHead {
    /// The command, and which: 3 for a packet to be relayed.
    pub commands: [u8; 2],
    /// From or for which peer.
    pub peer: i32,
}
