//! Values found in a capture, and descriptions of its conversations.

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
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),+];

            /// Returns the stable name, for scripts and the command line.
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
    /// The way in which values are transmitted.
    Framing {
        /// A datagram is a value (PacketPeerUDP), or several values one after another.
        Bare = "bare",
        /// A stream of values, each after its length (StreamPeer, PacketPeerStream).
        Frames = "frames",
        /// A stream of values, each after its length in big endian (`big_endian`).
        FramesBe = "frames-be",
        /// The packets of ENet, with or without the parts that the high-level multiplayer puts around a value.
        ENet = "enet",
        /// The binary messages of a WebSocket.
        WebSocket = "websocket",
    }
}

impl Framing {
    /// Returns the framing with lengths in this byte order.
    pub(super) const fn of_frames(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Frames,
            ByteOrder::Big => Self::FramesBe,
        }
    }
}

names! {
    /// The transport protocol of a conversation.
    Transport {
        /// Datagrams.
        Udp = "udp",
        /// A connection.
        Tcp = "tcp",
    }
}

names! {
    /// The protocol of a conversation without values, as far as its first bytes show.
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
        /// ENet without any values.
        ENet = "enet",
        /// ENet whose datagrams have a compression that is not read.
        ENetCompressed = "enet-compressed",
        /// Text.
        Text = "text",
        /// Some of it can be read as values, but that may be chance.
        Doubtful = "doubtful",
        /// Anything else.
        Unknown = "unknown",
    }
}

/// The place of a value in a packet of the high-level multiplayer.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// The value is the whole packet, or the packet consists of several values.
    Alone,
    /// An argument of a remote call.
    Call {
        /// The method's name; in Godot 4 its number, as in `#3`, because only that is sent.
        method: Box<str>,
        /// The position of the argument, from 0.
        argument: u8,
    },
    /// A property that is set remotely (`rset`).
    Property {
        /// The property's name.
        name: Box<str>,
    },
    /// Bytes sent with `send_bytes`.
    Bytes,
}

/// A value found in a capture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The time of recording of the packet that completed it, if the capture has times.
    pub time: Option<Time>,
    /// The transport protocol.
    pub transport: Transport,
    /// The address of the sender.
    pub source: SocketAddr,
    /// The address of the receiver.
    pub destination: SocketAddr,
    /// The offset in the datagram, in the packet of ENet or message of the WebSocket, or in the direction of the TCP
    /// connection. The latter counts from the first byte that was sent, or, if that is not known, from the first that
    /// was recorded.
    pub offset: u64,
    /// The framing.
    pub framing: Framing,
    /// The place in the packet.
    pub place: Place,
    /// The dialect of its conversation.
    pub dialect: Dialect,
    /// The number of its bytes there.
    pub size: u64,
    pub(super) packet: Vec<u8>,
    pub(super) limits: formwork_variant::Limits,
}

impl Found {
    /// Returns the value's packet, as the engine would write it alone.
    #[must_use]
    pub fn packet(&self) -> &[u8] {
        &self.packet
    }

    /// Returns the value.
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode`]. No error is expected for a dialect of single precision, because the value was read
    /// before.
    pub fn value(&self) -> Result<Variant> {
        self.decoder().decode(&self.packet)
    }

    /// Returns the decoder that reads the [packet](Self::packet), also for a value of double precision.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        Decoder::new(self.dialect).limits(self.limits).allow_objects(true)
    }
}

/// A description of a conversation: all datagrams between two addresses, or a connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversation {
    /// The transport protocol.
    pub transport: Transport,
    /// The two ends; the sender of the first packet is first.
    pub ends: [SocketAddr; 2],
    /// The numbers of recorded packets, from the first end and from the second.
    pub packets: [u64; 2],
    /// The bytes in them, without the headers of the network.
    pub bytes: [u64; 2],
    /// The framing of the values, if there were any.
    pub framing: Option<Framing>,
    /// The dialect of the values, if there were any.
    pub dialect: Option<Dialect>,
    /// Other dialects that are as likely and read different values.
    pub or: Vec<Dialect>,
    /// The number of values found.
    pub values: u64,
    /// The number of values that are broken, or in a broken packet.
    pub broken: u64,
    /// The fault of the first of them. Its offset counts as those of values do.
    pub fault: Option<Error>,
    /// The number of messages without values: internal ones of the multiplayer, and those of other programs.
    pub without: u64,
    /// The protocol, if the conversation does not hold values.
    pub other: Option<Other>,
    /// The number of bytes before a value in every message, if the conversation holds only such messages: see
    /// [`Capture::skip`](super::Capture::skip).
    pub behind: Option<usize>,
    /// The number of places where bytes were not recorded.
    pub gaps: u64,
    /// The number of bytes that were not recorded.
    pub lost: u64,
    /// The number of bytes of a stream that were passed over in search of a frame.
    pub skipped: u64,
    /// The number of packets whose end was cut off in recording.
    pub cut: u64,
    /// The number of ENet datagrams with a compression that is not read.
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
            behind: None,
            gaps: 0,
            lost: 0,
            skipped: 0,
            cut: 0,
            compressed: 0,
        }
    }

    /// Whether it carries values and some of its content could not be read.
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

/// The total content of a capture.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The conversations that are over, in the order of their ends.
    pub conversations: Vec<Conversation>,
    /// The number of conversations that were not listed.
    pub forgotten: u64,
    /// The number of recorded packets.
    pub packets: u64,
    /// The number of packets that are not IP, or have another protocol over IP than UDP and TCP.
    pub others: u64,
    /// The number of packets with headers that are wrong or cut off.
    pub malformed: u64,
    /// The numbers of packets with an unknown link layer, by the number of its type.
    pub links: Vec<(i32, u64)>,
    /// The number of packets whose fragments are not complete.
    pub incomplete: u64,
    /// The number of blocks with packets in a form that is not read.
    pub unread_blocks: u64,
    /// The number of packets left out because of their ports.
    pub left_out: u64,
}
