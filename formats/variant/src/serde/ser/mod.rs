//! Writes structs and enums to packets and values.

mod serializer;
mod sink;

use std::fmt;
use std::io::Write;

use ::serde::ser::Serialize;

use self::serializer::Writer;
use self::sink::{Memory, Packets, Sink, Tree};
use crate::codec::{Encoder, append_in};
use crate::dialect::Dialect;
use crate::frame::FrameWriter;
use crate::{Real, Variant};
use formwork::{Error, Result};

/// The packet of a value of your own, as the dialect's engine would write it.
///
/// # Errors
///
/// Returns an error if the dialect cannot express the value, or its `Serialize` fails. Nothing is written then.
pub fn to_vec<T: Serialize + ?Sized>(value: &T, dialect: Dialect) -> Result<Vec<u8>> {
    Encoder::new(dialect).serialize(value)
}

/// Writes the packet of a value of your own to `writer`. Nothing is written if the value cannot be expressed.
///
/// # Errors
///
/// As [`Encoder::serialize`], and if the writer fails.
pub fn to_writer<T: Serialize + ?Sized>(
    writer: impl Write,
    value: &T,
    dialect: Dialect,
) -> Result<()> {
    Encoder::new(dialect).serialize_to(value, writer)
}

/// Converts a value of your own to a [`Variant`].
///
/// # Errors
///
/// Returns an error if no engine has the value, if 32 bits do not hold a component of a math type exactly, or if its
/// `Serialize` fails.
pub fn to_variant<T: Serialize + ?Sized>(value: &T) -> Result<Variant> {
    to_variant_in(value)
}

/// Converts a value of your own to a [`Variant`] of the precision `R`.
///
/// # Errors
///
/// As [`to_variant`], and if that precision does not hold a component of a math type exactly.
pub fn to_variant_in<T: Serialize + ?Sized, R: Real>(value: &T) -> Result<Variant<R>> {
    let mut tree = Tree::new();
    // One writer serves the trees of both precisions: writing a value in memory is seldom time-critical.
    let sink: &mut dyn Sink = &mut tree;
    match value.serialize(Writer::new(sink)) {
        Ok(()) => Ok(tree.finish()),
        Err(error) => Err(error.or_at(0).under(tree.path())),
    }
}

impl<P: Real> Encoder<P> {
    /// Returns the packet of a value of your own; see [the module](crate::serde).
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], and if its `Serialize` fails.
    pub fn serialize<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.serialize_into(value, &mut out)?;
        Ok(out)
    }

    /// Writes the packet of a value of your own to `writer`. Nothing is written if the value cannot be expressed.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`], and if the writer fails.
    pub fn serialize_to<T: Serialize + ?Sized>(
        &self,
        value: &T,
        mut writer: impl Write,
    ) -> Result<()> {
        let bytes = self.serialize(value)?;
        writer.write_all(&bytes).map_err(|error| Error::io(0, error))
    }

    /// Appends the packet of a value of your own to `out`, which is left unchanged on an error.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`].
    pub fn serialize_into<T: Serialize + ?Sized>(
        &self,
        value: &T,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        serialize_in(self, value, out, &mut Memory::default())
    }
}

/// Appends a packet to `out`, which is left unchanged on an error.
fn serialize_in<T: Serialize + ?Sized, P: Real>(
    encoder: &Encoder<P>,
    value: &T,
    out: &mut Vec<u8>,
    memory: &mut Memory,
) -> Result<()> {
    let mut levels = std::mem::take(&mut memory.levels);
    let written = append_in(encoder, out, &mut levels, |writing| {
        let mut packets = Packets::new(&mut *writing, memory);
        let written = value.serialize(Writer::new(&mut packets));
        *memory = packets.into_memory();
        written.map_err(|error| error.or_at(writing.position() as u64))
    });
    memory.levels = levels;
    written
}

/// Writes packet after packet of values of your own, and keeps its memory: structs of the same types are written
/// without an allocation from the second packet on.
///
/// ```
/// use formwork_variant::serde::PacketWriter;
/// use formwork_variant::{Dialect, Encoder};
///
/// let mut packets = PacketWriter::new(Encoder::new(Dialect::GODOT4));
/// assert_eq!(packets.serialize(&true)?, [1, 0, 0, 0, 1, 0, 0, 0]);
/// assert_eq!(packets.serialize("asd")?, [4, 0, 0, 0, 3, 0, 0, 0, b'a', b's', b'd', 0]);
/// # Ok::<(), formwork::Error>(())
/// ```
pub struct PacketWriter<P: Real = f32> {
    encoder: Encoder<P>,
    memory: Memory,
    packet: Vec<u8>,
}

impl<P: Real> PacketWriter<P> {
    /// Makes a writer of packets as this encoder writes them.
    #[must_use]
    pub fn new(encoder: Encoder<P>) -> Self {
        Self { encoder, memory: Memory::default(), packet: Vec::new() }
    }

    /// Returns the packet of a value, until the next one is written.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`].
    pub fn serialize<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<&[u8]> {
        self.packet.clear();
        serialize_in(&self.encoder, value, &mut self.packet, &mut self.memory)?;
        Ok(&self.packet)
    }

    /// Appends the packet of a value to `out`, which is left unchanged on an error.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`].
    pub fn serialize_into<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        serialize_in(&self.encoder, value, out, &mut self.memory)
    }
}

impl<P: Real> fmt::Debug for PacketWriter<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PacketWriter").field("encoder", &self.encoder).finish_non_exhaustive()
    }
}

impl<W: Write> FrameWriter<W> {
    /// Writes a value of your own in a separate frame. Nothing is written if the value cannot be expressed.
    ///
    /// # Errors
    ///
    /// As [`FrameWriter::write_value`], and if its `Serialize` fails.
    pub fn serialize<T: Serialize + ?Sized, P: Real>(
        &mut self,
        value: &T,
        packets: &mut PacketWriter<P>,
    ) -> Result<()> {
        self.write_by(|frame| packets.serialize_into(value, frame))
    }
}
