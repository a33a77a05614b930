//! Writes packets, each after its length.

use std::io::Write;

use super::{ByteOrder, FrameHead, HEAD, path};
use crate::codec::Encoder;
use crate::frame::rule;
use crate::{Real, Variant};
use formwork::{Error, Result};
use formwork_records::wire::put_record;

/// Writes one packet after its length.
///
/// # Errors
///
/// Returns an error if the packet is too long for a length word (nothing is written then), or if the writer fails.
pub fn write_frame(writer: impl Write, packet: &[u8], order: ByteOrder) -> Result<()> {
    FrameWriter::new(writer, order).write_packet(packet)
}

/// Returns the length word of a packet of `length` bytes.
pub(crate) fn head(length: usize, order: ByteOrder) -> Result<[u8; HEAD]> {
    match i32::try_from(length) {
        Ok(word) => {
            let mut head = [0; HEAD];
            put_record(&FrameHead::new(word as u32, order), &mut head.as_mut_slice());
            Ok(head)
        }
        Err(_) => {
            let expected = format!("at most {} bytes", i32::MAX);
            let error = Error::new(rule::LENGTH, 0, expected, length.to_string());
            Err(error.within("length"))
        }
    }
}

/// Writes the length of a packet before it, into the four bytes that `frame` has for it.
pub(crate) fn fill_head(frame: &mut [u8], order: ByteOrder) -> Result<()> {
    if let Some((room, packet)) = frame.split_first_chunk_mut() {
        *room = head(packet.len(), order)?;
    }
    Ok(())
}

/// Writes packets, each after its length. Each frame is passed to the writer in one piece.
#[derive(Clone, Debug)]
pub struct FrameWriter<W> {
    writer: W,
    order: ByteOrder,
    /// The frame being written; the allocation is kept for the next one.
    frame: Vec<u8>,
    offset: u64,
    index: u64,
}

impl<W: Write> FrameWriter<W> {
    /// A writer of frames to `writer`.
    #[must_use]
    pub const fn new(writer: W, order: ByteOrder) -> Self {
        Self { writer, order, frame: Vec::new(), offset: 0, index: 0 }
    }

    /// Writes a value in a separate frame. Nothing is written if the value cannot be expressed.
    ///
    /// # Errors
    ///
    /// Returns an error if the encoder's dialect cannot express the value, its packet is too long for a length word,
    /// or the writer fails.
    pub fn write_value<R: Real>(&mut self, value: &Variant<R>, encoder: &Encoder<R>) -> Result<()> {
        self.write_by(|frame| encoder.encode_into(value, frame))
    }

    /// Writes the packet that `write` appends.
    pub(crate) fn write_by(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        self.frame.clear();
        self.frame.resize(HEAD, 0);
        let start = self.offset + HEAD as u64;
        write(&mut self.frame).map_err(|error| error.shifted(start).under(path(self.index)))?;
        self.write()
    }

    /// Writes an existing packet.
    ///
    /// # Errors
    ///
    /// Returns an error if the packet is too long for a length word, or the writer fails.
    pub fn write_packet(&mut self, packet: &[u8]) -> Result<()> {
        self.frame.clear();
        self.frame.resize(HEAD, 0);
        self.frame.extend_from_slice(packet);
        self.write()
    }

    fn write(&mut self) -> Result<()> {
        fill_head(&mut self.frame, self.order)
            .map_err(|error| error.shifted(self.offset).under(path(self.index)))?;
        self.writer.write_all(&self.frame).map_err(|error| Error::io(self.offset, error))?;
        self.offset += self.frame.len() as u64;
        self.index += 1;
        Ok(())
    }

    /// Returns the number of bytes written so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The writer itself.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }
}
