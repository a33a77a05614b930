//! Packets of Godot's high-level multiplayer: the bytes around values in the packets of ENet.
//!
//! * NetworkedMultiplayerENet (2.1 to 3.x, Pandemonium) gives a packet a head of eight bytes: the
//!   unique id of the sender, that of the receiver (0 for all, negative for all but one); in sources of
//!   2017 (2.1, 3.0) ENet's flags follow in another four, in those of 3.2 no more. A packet of
//!   `put_var` follows as it is; a packet of the scene tree starts with a byte for the command.
//! * ENetPacketPeer and ENetMultiplayerPeer (4.x) give it no head.
//! * A remote call of 3.x is the byte 0, a node (an id, or with the top bit set the position of its path in
//!   the packet), the name of the method and a zero, the number of arguments, the arguments as
//!   bare values. Setting a property is the byte 1, the node, the name, the value.
//! * A remote call of 4.x is a byte with the command and the widths of two numbers, the node, the
//!   number of the method, the number of arguments, the arguments: a bool is one byte, an int two to
//!   nine, all others are bare values. One PoolByteArray alone may be its bare bytes.
//!
//! Sources, of the engine's repository: `modules/enet/networked_multiplayer_enet.cpp`,
//! `core/io/multiplayer_api.cpp` (3.x); `modules/enet/enet_multiplayer_peer.cpp`,
//! `modules/multiplayer/scene_rpc_interface.cpp`, `scene/main/multiplayer_api.cpp` (4.x); and, for
//! 3.2.3, the captures in `formats/captures`.

mod records;

pub use records::{
    ArgumentByte, CallHead, CommandWord, NodeWord, PeerFlags, PeerHead, PeerNotice, SystemHead,
};

use formwork::record;
use formwork::wire::Cursor;
use formwork_variant::Variant;
use formwork_variant::codec::Encoder;
use formwork_variant::dialect::Dialect;
use formwork_variant::{Error, Result};

use super::evidence::Dialects;
use super::found::Place;
use super::wrapping::Wrapping;
use crate::rule;

/// A value in a packet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// The offset and the number of bytes.
    pub(super) offset: usize,
    pub(super) size: usize,
    pub(super) place: Place,
    /// Its packet, if the bytes there have another form: the arguments of Godot 4.
    pub(super) rebuilt: Option<Vec<u8>>,
}

impl Piece {
    /// Returns the value's packet.
    pub(super) fn packet<'a>(&'a self, message: &'a [u8]) -> &'a [u8] {
        match &self.rebuilt {
            Some(packet) => packet,
            None => message.get(self.offset..self.offset + self.size).unwrap_or_default(),
        }
    }
}

/// The content of a packet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Content {
    pub(super) pieces: Vec<Piece>,
    /// Whether the values are weak evidence.
    pub(super) weak: bool,
}

impl Content {
    /// Returns a content without values.
    const fn nothing() -> Self {
        Self { pieces: Vec::new(), weak: true }
    }
}

impl Wrapping {
    /// Returns the values in a packet, in a dialect. With `clean`, values that the engine would not have written
    /// exactly this way are refused.
    ///
    /// # Errors
    ///
    /// Returns an error if the packet is not of this kind, or a value in it is not valid.
    pub(super) fn content(
        self,
        dialects: &Dialects,
        dialect: Dialect,
        message: &[u8],
        clean: bool,
    ) -> Result<Content> {
        if !self.is_of(dialect) {
            return Err(strange(0, "a dialect that sends such packets"));
        }
        let reader = Reader { dialects, dialect, clean };
        match self {
            Self::None => reader.one(message, 0, Place::Alone),
            Self::Datagram => reader.several(message),
            Self::Godot3 => reader.scene(message, false),
            Self::Godot2 => reader.scene(message, true),
            Self::Godot4 => reader.command(message, 0),
        }
    }

    /// Whether the packet is a notice about peers.
    pub(super) fn is_notice(self, channel: u8, message: &[u8]) -> bool {
        let mut input = Cursor::new(message);
        channel == 0
            && !matches!(self, Self::None | Self::Datagram)
            && record::read::<PeerNotice>(&mut input)
                .is_ok_and(|notice| notice.message < 2 && input.left() == 0)
    }
}

#[cold]
fn strange(offset: usize, expected: &str) -> Error {
    Error::new(rule::PACKET, offset as u64, expected, "something else")
}

struct Reader<'d> {
    dialects: &'d Dialects,
    dialect: Dialect,
    clean: bool,
}

impl Reader<'_> {
    /// Reads a value, to the end.
    fn one(&self, message: &[u8], start: usize, place: Place) -> Result<Content> {
        let bytes = message.get(start..).unwrap_or_default();
        let read = self.dialects.one(self.dialect, bytes, self.clean);
        let weak = read.map_err(|error| error.shifted(start as u64))?;
        let pieces = vec![Piece { offset: start, size: bytes.len(), place, rebuilt: None }];
        Ok(Content { pieces, weak })
    }

    /// Reads values one after another, to the end.
    fn several(&self, message: &[u8]) -> Result<Content> {
        let (lengths, weak) = self.dialects.several(self.dialect, message, self.clean)?;
        let mut offset = 0;
        let pieces = lengths.into_iter().map(|size| {
            let piece = Piece { offset, size, place: Place::Alone, rebuilt: None };
            offset += size;
            piece
        });
        Ok(Content { pieces: pieces.collect(), weak })
    }

    /// Reads a packet of NetworkedMultiplayerENet.
    fn scene(&self, message: &[u8], flags: bool) -> Result<Content> {
        let mut input = Cursor::new(message);
        let head: PeerHead = record::read(&mut input)?;
        if head.source < 1 {
            return Err(strange(0, "the unique id of a peer"));
        }
        if flags {
            let flags: PeerFlags = record::read(&mut input)?;
            // Reliable, unsequenced, and a few others.
            if flags.flags >= 1 << 9 {
                return Err(strange(size_of::<PeerHead>(), "flags of ENet"));
            }
        }
        let start = input.position() as usize;
        if let Ok(content) = self.one(message, start, Place::Alone) {
            return Ok(content);
        }
        match message.get(start) {
            Some(0 | 1) => self.call(message, start),
            // Such packets give numbers to paths, or confirm the numbers.
            Some(2) if is_path(message.get(start + 5..)) => Ok(Content::nothing()),
            Some(3) if is_path(message.get(start + 1..)) => Ok(Content::nothing()),
            Some(4) => self.bytes(message, start + 1),
            _ => self.one(message, start, Place::Alone),
        }
    }

    /// Reads a packet of `send_bytes`: values, or any other bytes.
    fn bytes(&self, message: &[u8], start: usize) -> Result<Content> {
        Ok(self.one(message, start, Place::Bytes).unwrap_or_else(|_| Content::nothing()))
    }

    /// Reads a remote call of Godot 3 and before, or the setting of a property.
    fn call(&self, message: &[u8], start: usize) -> Result<Content> {
        let mut input = Cursor::at(message, start);
        let head: CallHead = record::read(&mut input)?;
        let end = end_of_call(message, start, head.node)?;
        let name = input.rest().split(|&byte| byte == 0).next().unwrap_or_default();
        let name = identifier(name).ok_or_else(|| strange(input.position() as usize, "a name"))?;
        let mut at = input.position() as usize + name.len() + 1;
        let is_call = head.command == 0;
        let mut count = 1;
        if is_call {
            count = *message.get(at).ok_or_else(|| strange(at, "a number of arguments"))?;
            at += 1;
        }
        let mut pieces = Vec::new();
        for argument in 0..count {
            let rest = message.get(at..end).unwrap_or_default();
            let read = self.dialects.prefix(self.dialect, rest, self.clean);
            let (_, size) = read.map_err(|error| error.shifted(at as u64))?;
            let name: Box<str> = name.into();
            let place = if is_call {
                Place::Call { method: name, argument }
            } else {
                Place::Property { name }
            };
            pieces.push(Piece { offset: at, size, place, rebuilt: None });
            at += size;
        }
        if at != end {
            return Err(strange(at, "the end of the arguments"));
        }
        Ok(Content { pieces, weak: false })
    }

    /// Reads a packet of Godot 4's SceneMultiplayer.
    fn command(&self, message: &[u8], start: usize) -> Result<Content> {
        let mut input = Cursor::at(message, start);
        let word: CommandWord = record::read(&mut input)?;
        if word.unused() {
            return Err(strange(start, "a command"));
        }
        match word.command() {
            0 => self.call4(message, start, word),
            // Paths, nodes that are created and removed, and their state: no plain values.
            1 | 2 | 4 | 5 | 6 if message.len() > start + 2 => Ok(Content::nothing()),
            3 => self.bytes(message, start + 1),
            7 => {
                input = Cursor::at(message, start);
                let head: SystemHead = record::read(&mut input)?;
                match head.commands[1] {
                    3 if start == 0 => self.command(message, input.position() as usize),
                    0..=2 => Ok(Content::nothing()),
                    _ => Err(strange(start + 1, "a command of the multiplayer")),
                }
            }
            _ => Err(strange(start, "a command")),
        }
    }

    fn call4(&self, message: &[u8], start: usize, word: CommandWord) -> Result<Content> {
        let mut input = Cursor::at(message, start + 1);
        let mut end = message.len();
        match word.node_width() {
            0 => drop(record::read::<u8>(&mut input)?),
            1 => drop(record::read::<u16>(&mut input)?),
            2 => end = end_of_call(message, start, record::read::<NodeWord>(&mut input)?)?,
            _ => return Err(strange(start, "a width of the node's number")),
        }
        let method = match word.wide_method() {
            true => record::read::<u16>(&mut input)?,
            false => record::read::<u8>(&mut input)?.into(),
        };
        let method: Box<str> = format!("#{method}").into();
        let mut at = input.position() as usize;
        if at > end {
            return Err(strange(at, "arguments"));
        }
        if word.bytes_only() {
            let bytes = message.get(at..end).unwrap_or_default();
            if bytes.is_empty() {
                return Ok(Content { pieces: Vec::new(), weak: true });
            }
            let value = Variant::PackedByteArray(bytes.to_vec());
            let place = Place::Call { method, argument: 0 };
            let rebuilt = Some(self.rebuilt(&value)?);
            let pieces = vec![Piece { offset: at, size: bytes.len(), place, rebuilt }];
            return Ok(Content { pieces, weak: true });
        }
        let count = record::read::<u8>(&mut input)?;
        at = input.position() as usize;
        let mut pieces = Vec::new();
        for argument in 0..count {
            let place = Place::Call { method: method.clone(), argument };
            let piece = self.argument(message.get(..end).unwrap_or_default(), at, place)?;
            at += piece.size;
            pieces.push(piece);
        }
        if at != end {
            return Err(strange(at, "the end of the arguments"));
        }
        let plain = pieces.iter().all(|piece| piece.rebuilt.is_some());
        Ok(Content { pieces, weak: plain })
    }

    /// Reads an argument of a remote call of Godot 4.
    fn argument(&self, message: &[u8], start: usize, place: Place) -> Result<Piece> {
        let mut input = Cursor::at(message, start);
        let first: ArgumentByte = record::read(&mut input)?;
        let (is_bool, is_int) = (first.type_id() == 1, first.type_id() == 2);
        let value: Variant<f64> = match first.width() {
            width @ (0 | 2) if is_bool => Variant::Bool(width == 2),
            0 if is_int => Variant::Int(record::read::<i8>(&mut input)?.into()),
            1 if is_int => Variant::Int(record::read::<i16>(&mut input)?.into()),
            2 if is_int => Variant::Int(record::read::<i32>(&mut input)?.into()),
            3 if is_int => Variant::Int(record::read::<i64>(&mut input)?),
            0 => {
                let rest = message.get(start..).unwrap_or_default();
                let read = self.dialects.prefix(self.dialect, rest, self.clean);
                let (_, size) = read.map_err(|error| error.shifted(start as u64))?;
                return Ok(Piece { offset: start, size, place, rebuilt: None });
            }
            _ => return Err(strange(start, "an argument")),
        };
        let rebuilt = Some(self.rebuilt(&value)?);
        Ok(Piece { offset: start, size: input.position() as usize - start, place, rebuilt })
    }

    fn rebuilt(&self, value: &Variant<f64>) -> Result<Vec<u8>> {
        Encoder::new(self.dialect).double().encode(value)
    }
}

/// Returns the end of the arguments of a call, which is the start of the path, if the packet has it. Offsets in a
/// packet count from `start`.
fn end_of_call(message: &[u8], start: usize, node: NodeWord) -> Result<usize> {
    if !node.in_packet() {
        return Ok(message.len());
    }
    let end = start.saturating_add(node.number() as usize);
    if end <= start || !is_path(message.get(end..)) {
        return Err(strange(start + 1, "the place of a path"));
    }
    Ok(end)
}

/// Whether the bytes are a text and a zero.
fn is_path(bytes: Option<&[u8]>) -> bool {
    let text = bytes.and_then(|bytes| bytes.strip_suffix(&[0]));
    text.and_then(|text| std::str::from_utf8(text).ok())
        .is_some_and(|text| !text.is_empty() && !text.contains(|c: char| c.is_control()))
}

/// Returns the bytes as the name of a method or property.
fn identifier(bytes: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(bytes).ok()?;
    let valid = |c: char| c.is_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(valid) && !name.starts_with(|c: char| c.is_ascii_digit()))
        .then_some(name)
}
