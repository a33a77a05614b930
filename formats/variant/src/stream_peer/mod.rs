//! Reads and writes the data of StreamPeers besides whole values: numbers, strings, plain bytes.
//!
//! - [`StreamPeerWriter`] puts to any writer;
//! - [`StreamPeerReader`] gets from any reader (also a slice of bytes) and waits for missing bytes;
//! - [`StreamPeerBuffer`] is for sockets: bytes are pushed as they arrive. If they do not suffice, the error has the
//!   least number of missing bytes, and nothing is taken.
//!
//! The methods have the engines' own names. A stream carries no types: the reader must know the types that were
//! written.
//!
//! ```
//! use formwork_variant::Dialect;
//! use formwork_variant::frame::ByteOrder;
//! use formwork_variant::stream_peer::{StreamPeerBuffer, StreamPeerWriter};
//!
//! // As a StreamPeer with `big_endian = true`.
//! let mut peer = StreamPeerWriter::new(Vec::new(), Dialect::GODOT4, ByteOrder::Big);
//! peer.put_u16(0x1234)?;
//! peer.put_utf8_string(&"lamp".into())?;
//! let bytes = peer.into_inner();
//! assert_eq!(bytes, [0x12, 0x34, 0, 0, 0, 4, b'l', b'a', b'm', b'p']);
//!
//! let mut peer = StreamPeerBuffer::new(Dialect::GODOT4, ByteOrder::Big);
//! peer.push(&bytes[..7]);
//! assert_eq!(peer.get_u16()?, 0x1234);
//! assert_eq!(peer.get_utf8_string(None).unwrap_err().needed(), Some(3));
//! peer.push(&bytes[7..]);
//! assert_eq!(peer.get_utf8_string(None)?, "lamp");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # Layout
//!
//! | method | bytes |
//! | --- | --- |
//! | `put_8` to `put_u64` | the number, two's complement if signed |
//! | `put_half` | IEEE 754 binary16 (Godot 4.4 and later) |
//! | `put_float`, `put_double` | IEEE 754 binary32, binary64 |
//! | `put_string` | the length as u32, one byte a character (Godot 3.1 and later) |
//! | `put_utf8_string` | the length in bytes as u32, UTF-8; **in Godot 2 no length** |
//! | `put_data` | the bytes |
//! | `put_var` | the length as i32, the packet: a [frame](crate::frame) |
//!
//! Nothing is padded or terminated. `big_endian` ([`ByteOrder::Big`]) reverses the bytes of every number and length,
//! but not those of a packet.
//!
//! A File's (FileAccess's) `store_8`, `16`, `32` and `64` are `put_u8` to `put_u64`; `store_half`,
//! `store_float` (and `store_real`), `store_double`, `store_pascal_string`, `store_buffer` and
//! `store_var` are `put_half`, `put_float`, `put_double`, `put_utf8_string` of Godot 3,
//! `put_data` and `put_var`. `endian_swap` (Godot 4: `big_endian`) acts like `big_endian` here.
//! `store_string` writes no length, `store_line` writes none and appends a line feed (10).
//!
//! # Differences between releases
//!
//! * Godot 2 has no `put_string`, its `put_utf8_string` writes no length, and `get_string` and `get_utf8_string`
//!   need the number of bytes. (godotengine/godot, core/io/stream_peer.cpp, issues 12712 and 15228.)
//! * Godot 3.0 writes the length (pull request 10334 counts it in bytes), but the two getters still need it; before
//!   pull request 16169 `get_double` has only the precision of a float.
//! * Godot 3.1: `put_string`; the getters read the length if the count is negative, which is their default (22335).
//! * Godot 4.4: `put_half`, `get_half` (97716).
//! * If a string is not valid, engines print an error and return an empty string (2 and 3) or one with replacements
//!   (4). Here it is an error with the offset.
//!
//! The bytes of Godot 3.2.3 are in `formats/frames/samples`.
//!
//! [`ByteOrder::Big`]: crate::frame::ByteOrder::Big

mod buffer;
mod half;
mod number;
mod reader;
mod writer;

pub use buffer::StreamPeerBuffer;
pub use reader::StreamPeerReader;
pub use writer::StreamPeerWriter;
