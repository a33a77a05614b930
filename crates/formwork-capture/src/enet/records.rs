//! The records of ENet's datagrams, as `protocol.h` of ENet 1.3 lays them out. (Godot's copy has the same
//! layout: its changes are about addresses and DTLS.)

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
    /// A counter that distinguishes a connection from the one before it with the same number.
    pub session: B2,
    /// Whether all bytes after the head are compressed.
    pub compressed: bool,
    /// Whether a time follows this word.
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
    /// Whether the command is outside the order of the channel.
    pub unsequenced: bool,
    /// Whether the command must be acknowledged.
    pub acknowledge: bool,
}

/// The start of a datagram. An optional time and an optional checksum follow, then the commands.
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
    /// The channel; 255 is for ENet itself.
    pub channel: u8,
    /// The number of the command among those of its channel that must be acknowledged.
    pub sequence: u16,
}

/// The acknowledgement of a command.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Acknowledge {
    /// The number of the command that arrived.
    pub sequence: u16,
    /// The time in the datagram of the command.
    pub time: u16,
}

/// The parameters of a connection, as the sender of this record wants them.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Connection {
    /// The sender's number for the receiver.
    pub peer: u16,
    /// The session in datagrams to the sender. In a request to connect: the session before, or 255.
    pub incoming_session: u8,
    /// The session in datagrams to the receiver. In a request to connect: the session before, or 255.
    pub outgoing_session: u8,
    /// The size of the largest datagram in bytes.
    pub mtu: u32,
    /// The number of bytes that may be under way.
    pub window: u32,
    /// The number of channels.
    pub channels: u32,
    /// The bandwidth of the sender.
    pub bandwidth: BandwidthLimit,
    /// The parameters of the sender's throttle.
    pub throttle: ThrottleConfigure,
    /// A number chosen for this connection.
    #[brw(little)]
    pub number: u32,
}

/// A request to connect.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Connect {
    /// The parameters of the wanted connection.
    pub connection: Connection,
    /// Data of the program: Godot's NetworkedMultiplayerENet sends the client's unique id.
    pub data: u32,
}

/// The end of a connection.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Disconnect {
    /// Data of the program.
    pub data: u32,
}

/// A request for an acknowledgement, without other content.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Ping {}

/// A packet that must arrive.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendReliable {
    /// The number of bytes of the packet, which follows.
    pub length: u16,
}

/// A packet that may be lost, but not come late.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendUnreliable {
    /// The number of the packet among the unreliable packets of the channel.
    pub unreliable_sequence: u16,
    /// The number of bytes of the packet, which follows.
    pub length: u16,
}

/// A part of a packet that does not fit into a datagram.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendFragment {
    /// The number of the first part.
    pub start_sequence: u16,
    /// The number of bytes of this part, which follows.
    pub length: u16,
    /// The number of parts.
    pub count: u32,
    /// The position of this part among the parts.
    pub number: u32,
    /// The number of bytes of the packet.
    pub total: u32,
    /// The offset of this part in the packet.
    pub offset: u32,
}

/// A packet that may be lost, and may come late.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct SendUnsequenced {
    /// A number that distinguishes the packet from a copy of it.
    pub group: u16,
    /// The number of bytes of the packet, which follows.
    pub length: u16,
}

/// A change of the sender's bandwidth.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct BandwidthLimit {
    /// The number of bytes a second that the sender can receive; 0 means any number.
    pub incoming_bandwidth: u32,
    /// The number of bytes a second that the sender can send; 0 means any number.
    pub outgoing_bandwidth: u32,
}

/// The parameters of the throttle that the receiver is to use.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct ThrottleConfigure {
    /// The interval of the throttle's measurements in milliseconds.
    pub throttle_interval: u32,
    /// The speed at which the throttle opens.
    pub throttle_acceleration: u32,
    /// The speed at which the throttle closes.
    pub throttle_deceleration: u32,
}

/// Whether a command has the flag that it must be acknowledged.
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
            /// Reads the command that the head announces. Returns [`None`] if no command has that number, if
            /// its flags are not those that ENet gives it, or if it is cut.
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
    /// The acknowledgement of a command.
    1 Acknowledge(Acknowledge) Never;
    /// A request to connect.
    2 Connect(Connect) Always;
    /// The answer to a request to connect.
    3 VerifyConnect(Connection) Always;
    /// The end of a connection; without an acknowledgement if the connection ends at once.
    4 Disconnect(Disconnect) Either;
    /// A request for an acknowledgement, without other content.
    5 Ping(Ping) Always;
    /// A packet that must arrive.
    6 SendReliable(SendReliable, length) Always;
    /// A packet that may be lost, but not come late.
    7 SendUnreliable(SendUnreliable, length) Never;
    /// A part of a packet that must arrive.
    8 SendFragment(SendFragment, length) Always;
    /// A packet that may be lost, and may come late.
    9 SendUnsequenced(SendUnsequenced, length) Never;
    /// A change of the sender's bandwidth.
    10 BandwidthLimit(BandwidthLimit) Always;
    /// The parameters of the throttle that the receiver is to use.
    11 ThrottleConfigure(ThrottleConfigure) Always;
    /// A part of a packet that may be lost.
    12 SendUnreliableFragment(SendFragment, length) Either;
}

/// The number of a peer without a number.
const NO_PEER: u16 = 0x0fff;

/// The bytes of a datagram before its commands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) word: PeerWord,
    /// The number of bytes of the head.
    pub(super) length: usize,
}

impl Head {
    /// Reads the head of a datagram. Only the peers know whether it has a checksum, so the caller decides.
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
