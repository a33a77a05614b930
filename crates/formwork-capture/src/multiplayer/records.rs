//! The records around values in packets of the high-level multiplayer, as the engines' sources define them.

use formwork::{BinRead, BinWrite, Schema, binrw};
use modular_bitfield::prelude::*;

/// The head that NetworkedMultiplayerENet gives a packet.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerHead {
    /// The unique id of the sender; the server has 1.
    pub source: i32,
    /// The unique id of the receiver; 0 means all peers, and a negative id all peers except one.
    pub target: i32,
}

/// The flags after the head in Godot 2.1 and 3.0, according to sources of 2017.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerFlags {
    /// The flags with which the packet is sent (ENet's `ENET_PACKET_FLAG_...`).
    pub flags: u32,
}

/// A notice of the server about a peer, on channel 0.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerNotice {
    /// 0 for another peer, 1 for a peer that has left.
    pub message: u32,
    /// The unique id of the peer.
    pub peer: i32,
}

/// The node that a packet is about.
#[derive(Schema)]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct NodeWord {
    /// The number that the sender gave the node's path, or the offset of the path in the packet.
    pub number: B31,
    /// Whether the packet contains the path.
    pub in_packet: bool,
}

/// The start of a remote call of Godot 3. The name and a zero byte follow.
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
    /// 0 for a call, 3 for bytes, 7 for an internal message of the multiplayer.
    pub command: B3,
    /// Zero.
    #[schema(zero)]
    pub unused: bool,
    /// The width of the node's number: 8, 16 or 32 bits.
    pub node_width: B2,
    /// Whether the method's number has 16 bits instead of 8.
    pub wide_method: bool,
    /// Whether there are no arguments, or a single one, which is a PackedByteArray as plain bytes.
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
    /// The number of the type in the dialect's table.
    pub type_id: B6,
    /// The width of an int: 8, 16, 32 or 64 bits.
    pub width: B2,
}

/// The start of an internal message of Godot 4's multiplayer. A packet to be relayed follows.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct SystemHead {
    /// The command, and the kind of the message: 3 for a packet to be relayed.
    pub commands: [u8; 2],
    /// The peer that the packet comes from or goes to.
    pub peer: i32,
}
