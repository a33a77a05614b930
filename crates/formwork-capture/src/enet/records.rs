//! The records of ENet's datagrams, as `protocol.h` of ENet 1.3 lays it out. (Godot's copy has the
//! same layout: its changes are about addresses and DTLS.)

use formwork::wire::Cursor;
use formwork::{BinRead, BinWrite, Schema, binrw, record};
use modular_bitfield::prelude::*;

/// The first word of a datagram, highest byte first.
#[derive(Schema)]
#[bitfield]
#[repr(u16)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u16| raw.into())]
#[bw(map = |word: &Self| u16::from(*word))]
pub struct PeerWord {
    /// The receiver's number for the sender; 4095 while connecting.
    pub peer: B12,
    /// Tells a connection from the one before it with the same number.
    pub session: B2,
    /// All bytes after the head are compressed.
    pub compressed: bool,
    /// A time follows this word.
    pub timed: bool,
}

/// The first byte of a command.
#[derive(Schema)]
#[bitfield]
#[repr(u8)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
pub struct CommandByte {
    /// The number of the command.
    pub number: B4,
    /// Zero.
    #[schema(zero)]
    pub unused: B2,
    /// It is outside the order of the channel.
    pub unsequenced: bool,
    /// It must be acknowledged.
    pub acknowledge: bool,
}

/// The start of a datagram. The time and the checksum follow, if there are any, then the commands.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct DatagramHead {
    /// The receiver's number for the sender, and flags.
    pub peer: PeerWord,
}

/// The start of a command.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct CommandHead {
    /// The number of the command, and flags.
    pub command: CommandByte,
    /// The channel; 255 is ENet's own.
    pub channel: u8,
    /// The number of the command among those of its channel that must be acknowledged.
    pub sequence: u16,
}

/// A command arrived.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Acknowledge {
    /// Its number.
    pub sequence: u16,
    /// The time in its datagram.
    pub time: u16,
}

/// A connection, as the peer that sends this wants it.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Connection {
    /// The sender's number for the receiver.
    pub peer: u16,
    /// The session in datagrams to the sender; where it wants to connect the one before, or 255.
    pub incoming_session: u8,
    /// The session in datagrams to the receiver; where the sender wants to connect the one before,
    /// or 255.
    pub outgoing_session: u8,
    /// The most bytes of a datagram.
    pub mtu: u32,
    /// Bytes that may be on the way.
    pub window: u32,
    /// The number of channels.
    pub channels: u32,
    /// The bandwidth of the sender.
    pub bandwidth: BandwidthLimit,
    /// How what is sent is throttled.
    pub throttle: ThrottleConfigure,
    /// A number made up for this connection.
    #[brw(little)]
    pub number: u32,
}

/// A peer wants to connect.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Connect {
    /// The connection that it wants.
    pub connection: Connection,
    /// For the program: Godot's NetworkedMultiplayerENet sends the client's unique id.
    pub data: u32,
}

/// The end of a connection.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Disconnect {
    /// For the program.
    pub data: u32,
}

/// Asks for nothing but an acknowledgement.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Ping {}

/// A packet that must arrive.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendReliable {
    /// Bytes of the packet, which follows.
    pub length: u16,
}

/// A packet that may be lost, but not come late.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendUnreliable {
    /// Its number among those of the channel.
    pub unreliable_sequence: u16,
    /// Bytes of the packet, which follows.
    pub length: u16,
}

/// A part of a packet that does not fit into a datagram.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendFragment {
    /// The number of the first part.
    pub start_sequence: u16,
    /// Bytes of this part, which follows.
    pub length: u16,
    /// How many parts there are.
    pub count: u32,
    /// The position of this part among them.
    pub number: u32,
    /// Bytes of the packet.
    pub total: u32,
    /// The position of this part in the packet.
    pub offset: u32,
}

/// A packet that may be lost and may come late.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendUnsequenced {
    /// Tells it from a copy of itself.
    pub group: u16,
    /// Bytes of the packet, which follows.
    pub length: u16,
}

/// The sender's bandwidth has changed.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct BandwidthLimit {
    /// Bytes a second that the sender can take; 0 for any number.
    pub incoming_bandwidth: u32,
    /// Bytes a second that the sender can send; 0 for any number.
    pub outgoing_bandwidth: u32,
}

/// How the receiver is to throttle what it sends.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct ThrottleConfigure {
    /// Milliseconds over which the throttle measures.
    pub throttle_interval: u32,
    /// How fast it opens.
    pub throttle_acceleration: u32,
    /// How fast it closes.
    pub throttle_deceleration: u32,
}

/// Whether a command carries the flag that it must be acknowledged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Flagged {
    Always,
    Never,
    Either,
}

macro_rules! commands {
    ($( $(#[doc = $doc:literal])+ $number:literal $name:ident($record:ident $(, $data:ident)?) $flagged:ident; )+) => {
        /// A command, without its head.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Command<'a> { $(
            $(#[doc = $doc])+
            $name($record $(, commands!(@data $data 'a))?),
        )+ }

        impl<'a> Command<'a> {
            /// Reads the command that the head announces. [`None`] if no command has that number,
            /// its flags are not those that ENet gives it, or it is cut.
            fn read(head: CommandHead, input: &mut Cursor<'a>) -> Option<Self> {
                let flagged = |flagged| match flagged {
                    Flagged::Always => head.command.acknowledge(),
                    Flagged::Never => !head.command.acknowledge(),
                    Flagged::Either => true,
                };
                Some(match head.command.number() {
                    $( $number if flagged(Flagged::$flagged) => {
                        let record = record::read::<$record>(input).ok()?;
                        $( let data = input.take(usize::from(record.$data))?; )?
                        Self::$name(record $(, commands!(@value data $data))?)
                    } )+
                    _ => return None,
                })
            }
        }
    };
    (@data $data:ident $life:lifetime) => { &$life [u8] };
    (@value $value:ident $data:ident) => { $value };
}

commands! {
    /// A command arrived.
    1 Acknowledge(Acknowledge) Never;
    /// A peer wants to connect.
    2 Connect(Connect) Always;
    /// The answer to it.
    3 VerifyConnect(Connection) Always;
    /// The end of a connection; not to be acknowledged where it is at once.
    4 Disconnect(Disconnect) Either;
    /// Asks for nothing but an acknowledgement.
    5 Ping(Ping) Always;
    /// A packet that must arrive.
    6 SendReliable(SendReliable, length) Always;
    /// A packet that may be lost, but not come late.
    7 SendUnreliable(SendUnreliable, length) Never;
    /// A part of a packet that must arrive.
    8 SendFragment(SendFragment, length) Always;
    /// A packet that may be lost and may come late.
    9 SendUnsequenced(SendUnsequenced, length) Never;
    /// The sender's bandwidth has changed.
    10 BandwidthLimit(BandwidthLimit) Always;
    /// How the receiver is to throttle what it sends.
    11 ThrottleConfigure(ThrottleConfigure) Always;
    /// A part of a packet that may be lost.
    12 SendUnreliableFragment(SendFragment, length) Either;
}

/// The number of a peer that has none yet.
const NO_PEER: u16 = 0x0fff;

/// The bytes of a datagram before its commands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) word: PeerWord,
    /// Bytes of the head.
    pub(super) length: usize,
}

impl Head {
    /// The head of a datagram. Whether there is a checksum only the peers know.
    pub(super) fn read(datagram: &[u8], checksum: bool) -> Option<Self> {
        let mut input = Cursor::new(datagram);
        let head = record::read::<DatagramHead>(&mut input).ok()?;
        let word = head.peer;
        let time = if word.timed() { size_of::<u16>() } else { 0 };
        input.take(time + if checksum { size_of::<u32>() } else { 0 })?;
        Some(Self { word, length: input.position() as usize })
    }

    /// Returns the commands in the bytes after the head, if all the bytes are commands.
    pub(super) fn commands<'a>(&self, bytes: &'a [u8]) -> Option<Vec<(CommandHead, Command<'a>)>> {
        let mut input = Cursor::new(bytes);
        let mut commands = Vec::new();
        while input.left() > 0 {
            let head = record::read::<CommandHead>(&mut input).ok()?;
            let flags = head.command;
            let unsequenced = matches!(flags.number(), 4 | 9);
            // An acknowledgement quotes the time, so there must be one.
            if flags.unused() != 0
                || flags.unsequenced() && !unsequenced
                || flags.acknowledge() && !self.word.timed()
            {
                return None;
            }
            let command = Command::read(head, &mut input)?;
            let connects = matches!(command, Command::Connect(_));
            if connects != (self.word.peer() == NO_PEER) || connects && !commands.is_empty() {
                return None;
            }
            commands.push((head, command));
        }
        Some(commands).filter(|commands| !commands.is_empty())
    }
}
