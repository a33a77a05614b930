//! What is found in a capture, and what is to be said about it.

use std::fmt;
use std::net::SocketAddr;

use formwork_variant::Variant;
use formwork_variant::codec::Decoder;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Error, Result};

use super::file::Time;

macro_rules! names {
    ($(#[doc = $outer:literal])+ $type:ident { $( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, )+ }) => {
        $(#[doc = $outer])+
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum $type { $( $(#[doc = $doc])+ $variant, )+ }

        impl $type {
            /// Every one, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),+];

            /// The stable name, for scripts and the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

names! {
    /// How values travel.
    Framing {
        /// A datagram is a value (PacketPeerUDP), or values one behind another.
        Bare = "bare",
        /// A stream of values, each behind its length (StreamPeer, PacketPeerStream).
        Frames = "frames",
        /// A stream of values, each behind its length in big endian (`big_endian`).
        FramesBe = "frames-be",
        /// The packets of ENet, with or without what the high-level multiplayer puts around a value.
        ENet = "enet",
        /// The binary messages of a WebSocket.
        WebSocket = "websocket",
    }
}

impl Framing {
    /// Frames with lengths in this order.
    pub(super) const fn of_frames(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Frames,
            ByteOrder::Big => Self::FramesBe,
        }
    }
}

names! {
    /// What carries a conversation.
    Transport {
        /// Datagrams.
        Udp = "udp",
        /// A connection.
        Tcp = "tcp",
    }
}

names! {
    /// Why a conversation is not values, as far as its first bytes tell.
    Other {
        /// There were no bytes in it.
        Nothing = "nothing",
        /// The start of HTTP.
        Http = "http",
        /// Records of TLS or DTLS: encrypted.
        Tls = "tls",
        /// Questions and answers about names, by port and header.
        Dns = "dns",
        /// STUN, by its cookie: WebRTC.
        Stun = "stun",
        /// ENet, without anything in it that is a value.
        ENet = "enet",
        /// ENet whose datagrams are compressed in a way that is not read.
        ENetCompressed = "enet-compressed",
        /// Text.
        Text = "text",
        /// Some of it can be read as values, but not enough for that to be no chance.
        Doubtful = "doubtful",
        /// Anything else.
        Unknown = "unknown",
    }
}

/// Where in a packet of the high-level multiplayer a value stands.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// It is all of the packet, or stands there with other values.
    Alone,
    /// An argument of a remote call.
    Call {
        /// The method's name; for Godot 4 its number, as in `#3`: that is all that is sent.
        method: Box<str>,
        /// Which argument, from 0.
        argument: u8,
    },
    /// A property that is set from afar (`rset`).
    Property {
        /// The property's name.
        name: Box<str>,
    },
    /// What was sent with `send_bytes`.
    Bytes,
}

/// A value that was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// When the packet was recorded that completed it, if the capture says so.
    pub time: Option<Time>,
    /// What carried it.
    pub transport: Transport,
    /// Where it came from.
    pub source: SocketAddr,
    /// Where it went.
    pub destination: SocketAddr,
    /// Where it starts: in the datagram, in the packet of ENet or message of the WebSocket, or in the
    /// direction of the TCP connection, counted from the first byte that was sent (from the first that
    /// was recorded where that is not known).
    pub offset: u64,
    /// How it travelled.
    pub framing: Framing,
    /// Where in the packet it stands.
    pub place: Place,
    /// The dialect of its conversation.
    pub dialect: Dialect,
    /// How many bytes it takes there.
    pub size: u64,
    pub(super) packet: Vec<u8>,
    pub(super) limits: formwork_variant::Limits,
}

impl Found {
    /// The value's packet, as the engine would write it alone.
    #[must_use]
    pub fn packet(&self) -> &[u8] {
        &self.packet
    }

    /// Returns the value.
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode`]; none is to be expected of a dialect of single precision, for it was read before.
    pub fn value(&self) -> Result<Variant> {
        self.decoder().decode(&self.packet)
    }

    /// Returns the decoder that reads the [packet](Self::packet): for a value of double precision.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        Decoder::new(self.dialect).limits(self.limits).allow_objects(true)
    }
}

/// What is known about a conversation: all datagrams between two addresses, or a connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversation {
    /// What carried it.
    pub transport: Transport,
    /// The two ends; who was heard first is first.
    pub ends: [SocketAddr; 2],
    /// Packets recorded, from the first end and from the second.
    pub packets: [u64; 2],
    /// Bytes in them, without the headers of the network.
    pub bytes: [u64; 2],
    /// How values travelled in it, if there were any.
    pub framing: Option<Framing>,
    /// The dialect of the values, if there were any.
    pub dialect: Option<Dialect>,
    /// Other dialects that are as likely, in which the values are different ones.
    pub or: Vec<Dialect>,
    /// Values found.
    pub values: u64,
    /// Values that are broken, or in a packet that is.
    pub broken: u64,
    /// What is wrong with the first of them. Its offset counts as those of values do.
    pub fault: Option<Error>,
    /// Messages without values: what the multiplayer says to itself, and what is not the engine's.
    pub without: u64,
    /// Why it is not values, if it is not.
    pub other: Option<Other>,
    /// Places where bytes were not recorded.
    pub gaps: u64,
    /// How many bytes were not recorded.
    pub lost: u64,
    /// Bytes of a stream that were passed over in search of a frame.
    pub skipped: u64,
    /// Packets of which the end was cut off when they were recorded.
    pub cut: u64,
    /// Datagrams of ENet that are compressed in a way that is not read.
    pub compressed: u64,
}

impl Conversation {
    pub(super) fn new(transport: Transport, ends: [SocketAddr; 2]) -> Self {
        Self {
            transport,
            ends,
            packets: [0; 2],
            bytes: [0; 2],
            framing: None,
            dialect: None,
            or: Vec::new(),
            values: 0,
            broken: 0,
            fault: None,
            without: 0,
            other: None,
            gaps: 0,
            lost: 0,
            skipped: 0,
            cut: 0,
            compressed: 0,
        }
    }

    /// Whether it carries values and something of it could not be given as such.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.dialect.is_some()
            && (self.broken > 0
                || self.gaps > 0
                || self.skipped > 0
                || self.cut > 0
                || self.compressed > 0)
    }

    pub(super) fn fault(&mut self, error: Error) {
        self.broken += 1;
        self.fault.get_or_insert(error);
    }
}

/// What a capture had in it, in all.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The conversations that are over, in the order in which they ended.
    pub conversations: Vec<Conversation>,
    /// How many more there were than are remembered one by one.
    pub forgotten: u64,
    /// Packets recorded.
    pub packets: u64,
    /// Packets that are not IP, or another protocol over IP than UDP and TCP.
    pub others: u64,
    /// Packets with headers that are wrong or cut off.
    pub malformed: u64,
    /// Packets behind a link layer that is not known, by the number of its type.
    pub links: Vec<(i32, u64)>,
    /// Packets put together from fragments that are not whole.
    pub incomplete: u64,
    /// Blocks that hold packets in a way that is not read.
    pub unread_blocks: u64,
    /// Packets left out because of their ports.
    pub left_out: u64,
}
