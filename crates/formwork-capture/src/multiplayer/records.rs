//! What stands around values in packets of the high-level multiplayer, as the engines' sources lay it
//! out.

use binrw::{BinRead, BinWrite};
use formwork_records::schema::Schema;
use formwork_records::wire::Block;
use modular_bitfield::prelude::*;

/// What NetworkedMultiplayerENet puts in front of a packet.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerHead {
    /// The unique id of the sender; the server's is 1.
    pub source: i32,
    /// That of the receiver; 0 for all, negative for all but one.
    pub target: i32,
}

/// What it puts behind that in Godot 2.1 and 3.0, by sources of 2017.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PeerFlags {
    /// The flags that the packet is sent with (ENet's `ENET_PACKET_FLAG_...`).
    pub flags: u32,
}

/// What the server tells about its peers, on the channel 0.
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
    /// The number that the sender gave its path, or where in the packet its path stands.
    pub number: B31,
    /// The path stands in the packet.
    pub in_packet: bool,
}

/// What a remote call of Godot 3 starts with. The name and a zero follow.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct CallHead {
    /// 0 for a call, 1 for a property.
    pub command: u8,
    /// The node.
    pub node: NodeWord,
}

/// What a packet of Godot 4's multiplayer starts with.
#[derive(Schema)]
#[bitfield]
#[repr(u8)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
pub struct CommandWord {
    /// 0 for a call, 3 for bytes, 7 for what the multiplayer itself has to say.
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

/// What an argument of a remote call of Godot 4 starts with.
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

/// What Godot 4's multiplayer says to itself. What is relayed follows.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct SystemHead<'a> {
    /// The command, and which: 3 for a packet to be relayed.
    #[br(count = 2)]
    pub commands: Block<'a, u8>,
    /// From or for which peer.
    pub peer: i32,
}
