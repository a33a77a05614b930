//! Packets in a row, each after its length: the format of `store_var` files and StreamPeers.
//!
//! - [`Frames`] splits a whole buffer, without copying;
//! - [`FrameReader`] reads frame after frame from any reader;
//! - [`FrameBuffer`] is for sockets: bytes are pushed as they arrive, whole frames are taken out;
//! - [`FrameWriter`] and [`write_frame`] write them.
//!
//! The value level, one value a frame, is [`Decoder::decode_frames`](crate::Decoder::decode_frames),
//! [`FrameReader::next_value`], [`FrameBuffer::next_value`] and [`FrameWriter::write_value`].
//!
//! With the feature `tokio`, `FrameCodec` and `VariantCodec` do the same for asynchronous streams, and
//! `DatagramCodec` for datagrams.
//!
//! # Frames in the engines
//!
//! | in the engine | bytes | here |
//! | --- | --- | --- |
//! | `File.store_var`, `FileAccess.store_var` | frames | this module; [`ByteOrder::Big`] after `endian_swap` (Godot 4: `big_endian`) |
//! | `StreamPeer.put_var` | frames | this module; [`ByteOrder::Big`] where `big_endian` is set |
//! | PacketPeerStream: `put_var`, `put_packet` | frames, always little endian | this module |
//! | PacketPeerUDP, DTLS, WebSocket and ENet peers | a datagram or message is one packet, without a length | [`Decoder::decode`](crate::Decoder::decode), [`Encoder::encode`](crate::Encoder::encode) |
//! | the remote debugger | Godot 2 and 3: a PacketPeerStream; Godot 4: frames of an Array each | this module |
//! | the rest of a StreamPeer | numbers, strings, bytes | the module `stream_peer` |
//!
//! A PacketPeerStream sends the same bytes as `StreamPeer.put_var`: each can be used at one end of a connection. By
//! default a PacketPeerStream sends packets of at most [`Limits::PACKET_PEER_STREAM_BYTES`] and receives at most
//! [`Limits::PACKET_PEER_STREAM_RECEIVED_BYTES`]: a longer one stops it permanently. It sends no empty packet.
//!
//! The remote debugger of Godot 2, 3 and Pandemonium sends values in a row: a String command, an int count, and as
//! many values as the count. That of Godot 4 sends Arrays: a String name, (from 4.2) an int thread id, an Array of
//! data.
//!
//! ```
//! use formwork_variant::frame::{ByteOrder, FrameReader, FrameWriter};
//! use formwork_variant::{Decoder, Dialect, Encoder, Variant};
//!
//! let mut writer = FrameWriter::new(Vec::new(), ByteOrder::Little);
//! writer.write_value(&"lamp".into(), &Encoder::new(Dialect::GODOT4))?;
//! writer.write_value(&Variant::Int(3), &Encoder::new(Dialect::GODOT4))?;
//! let file = writer.into_inner();
//!
//! let mut reader = FrameReader::new(file.as_slice(), ByteOrder::Little);
//! let decoder = Decoder::new(Dialect::GODOT4);
//! assert_eq!(reader.next_value(&decoder)?, Some("lamp".into()));
//! assert_eq!(reader.next_value(&decoder)?, Some(Variant::Int(3)));
//! assert_eq!(reader.next_value(&decoder)?, None);
//! # Ok::<(), formwork::Error>(())
//! ```

mod buffer;
#[cfg(feature = "tokio")]
mod codec;
mod pending;
mod reader;
mod recover;
pub mod rule;
mod slice;
mod value;
mod writer;

pub use buffer::FrameBuffer;
#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
pub use codec::{DatagramCodec, FrameCodec, VariantCodec};
pub use pending::Pending;
pub use reader::FrameReader;
pub use slice::{Frame, Frames};
pub use value::FrameValues;
#[cfg(feature = "stream_peer")]
pub(crate) use writer::fill_head;
#[cfg(any(feature = "stream_peer", feature = "tokio"))]
pub(crate) use writer::head;
pub use writer::{FrameWriter, write_frame};

use formwork::{
    BinRead, BinWrite, Deferred, Error, Nested, Path, PathSegment, Result, Rule, Schema, Within,
};
use formwork_records::limits::Limits;
use formwork_records::schema::{Record, Sizes, VARIANT, record_of};
use formwork_records::wire::{Cursor, read_record};

/// The length before a packet in a file or stream. Files with the big-endian switch and streams with `big_endian`
/// set swap this word only; the packet stays little endian.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct FrameHead {
    /// Bytes of the packet.
    pub length: u32,
    /// The packet.
    #[br(args { bytes: length })]
    #[schema(inline)]
    pub packet: Deferred<Within<Nested<VARIANT>>>,
}

/// The record before a framed packet.
pub const RECORD: &Record = record_of::<FrameHead>();

/// Bytes of the length word.
pub(crate) const HEAD: usize = FrameHead::LEAST;

/// The byte order of the length words. (Only theirs: packets are always little endian.)
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum ByteOrder {
    /// The lowest byte first: the default of files and streams.
    #[default]
    Little,
    /// The highest byte first: files with `endian_swap` (Godot 2 and 3, Pandemonium) or
    /// `big_endian` (Godot 4), streams with `big_endian` set.
    Big,
}

impl FrameHead {
    /// Returns the head of a packet of `length` bytes.
    pub(crate) const fn new(length: u32, order: ByteOrder) -> Self {
        Self { length: order.swapped(length), packet: Deferred::HERE }
    }

    /// Returns the length in a head whose bytes are in this order.
    pub(crate) const fn length_in(self, order: ByteOrder) -> u32 {
        order.swapped(self.length)
    }

    /// Returns the length in the head at the start of some bytes, if the head is complete.
    pub fn length_at(bytes: &[u8], order: ByteOrder) -> Option<u32> {
        let head: Self = read_record(&mut Cursor::new(bytes)).ok()?;
        Some(head.length_in(order))
    }
}

impl ByteOrder {
    /// Converts a number between this byte order and little endian, in either direction.
    const fn swapped(self, number: u32) -> u32 {
        match self {
            Self::Little => number,
            Self::Big => number.swap_bytes(),
        }
    }

    /// Returns the number whose bytes are in this order.
    #[must_use]
    pub const fn number(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    /// The number's bytes in this order.
    #[must_use]
    pub const fn bytes(self, number: u32) -> [u8; 4] {
        match self {
            Self::Little => number.to_le_bytes(),
            Self::Big => number.to_be_bytes(),
        }
    }
}

/// The state of the frame at the start of some bytes.
pub(crate) enum Front {
    /// A complete packet of this number of bytes after its length word.
    Whole(usize),
    /// An incomplete frame: `needed` is the least number of missing bytes, `expected` names their field.
    Cut { needed: u64, expected: &'static str },
}

/// Reads the head of the frame at the start of `bytes`, which are at `offset` of the whole input.
pub(crate) fn front(bytes: &[u8], order: ByteOrder, limits: &Limits, offset: u64) -> Result<Front> {
    if let Some(needed @ 1..) = HEAD.checked_sub(bytes.len()) {
        let needed = needed as u64;
        return Ok(Front::Cut { needed, expected: "a length word of 4 bytes" });
    }
    let head: FrameHead =
        read_record(&mut Cursor::new(bytes)).map_err(|error| error.shifted(offset))?;
    let word = head.length_in(order);
    let refuse = |rule, expected: String, found: String| {
        Err(Error::new(rule, offset, expected, found).within("length"))
    };
    // Godot 2 and 3 read the word of a stream as a signed number; no packet has 2 GiB.
    let Ok(length) = i32::try_from(word) else {
        let expected = "a length that is not negative".to_owned();
        return refuse(rule::LENGTH, expected, (word as i32).to_string());
    };
    let length = length as usize;
    if length as u64 > limits.packet_bytes {
        let expected = format!("at most {} bytes", limits.packet_bytes);
        return refuse(Rule::SIZE_LIMIT, expected, length.to_string());
    }
    Ok(match length.checked_sub(bytes.len() - HEAD) {
        None | Some(0) => Front::Whole(length),
        Some(missing) => Front::Cut { needed: missing as u64, expected: "a packet of that length" },
    })
}

/// The input ends inside a frame that starts at `offset`, with `bytes` of it there.
pub(crate) fn cut(offset: u64, bytes: usize, needed: u64, expected: &str) -> Error {
    let (name, skipped) = if bytes < HEAD { ("length", 0) } else { ("packet", HEAD) };
    let left = (bytes - skipped) as u64;
    Error::incomplete(offset + skipped as u64, needed, expected.to_owned(), left).within(name)
}

/// Returns the path of a frame.
#[must_use]
pub fn path(index: u64) -> Path {
    Path::from(vec![PathSegment::Field("frame"), PathSegment::Index(index)])
}
