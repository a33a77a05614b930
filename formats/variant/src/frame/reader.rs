//! Reads frames from any reader.

use std::io::Read;

use super::{ByteOrder, Frame, FrameBuffer};
use crate::codec::Decoder;
use crate::{Real, Variant};
use formwork::{Error, Result};
use formwork_records::limits::Limits;

/// Reads frame after frame, however the reader cuts the bytes.
///
/// It never reads past the requested frame, so the reader can be used for other data afterwards. It reads a word and
/// a packet at a time, so a file should be wrapped in a [`BufReader`](std::io::BufReader). Memory grows with the
/// bytes that arrive, not with the announced length.
#[derive(Clone, Debug)]
pub struct FrameReader<R> {
    reader: R,
    buffer: FrameBuffer,
    /// Whether a faulty length or the end was reached: nothing can follow.
    ended: bool,
}

impl<R: Read> FrameReader<R> {
    /// The frames that `reader` has, with the default limits.
    #[must_use]
    pub fn new(reader: R, order: ByteOrder) -> Self {
        Self { reader, buffer: FrameBuffer::new(order), ended: false }
    }

    /// Chooses the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.buffer = self.buffer.limits(limits);
        self
    }

    /// Returns the offset of the next frame in the stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The reader itself.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Returns the next frame; [`None`] if the reader ends before one.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader ends inside the frame, if the length is negative or exceeds the limits (after
    /// either, there are no more frames), or if the reader fails. After a temporary failure of the reader (a
    /// timeout, a socket that would block, see [`Error::io_error_kind`]) the method may be called again: the bytes
    /// read so far are kept.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        while !self.ended {
            let needed = self.buffer.needed();
            if needed == 0 {
                break;
            }
            let room = self.buffer.room();
            // `read_to_end` retries if it is interrupted, and lets the vector grow only as bytes arrive.
            let read = self.reader.by_ref().take(needed).read_to_end(room);
            match read {
                Err(error) => {
                    let offset = self.buffer.offset() + self.buffer.pending() as u64;
                    return Err(Error::io(offset, error));
                }
                Ok(count) if (count as u64) < needed => {
                    self.ended = true;
                    self.buffer.finish()?;
                }
                Ok(_) => {}
            }
        }
        if self.ended {
            return Ok(None);
        }
        if let Err(error) = self.buffer.finish() {
            self.ended = true;
            return Err(error);
        }
        self.buffer.next_frame()
    }

    /// Returns the value of the next frame, read as [`Decoder::decode_frame`] reads it; [`None`] if the reader ends
    /// before a frame.
    ///
    /// # Errors
    ///
    /// As [`FrameReader::next_frame`], and if the packet is no value. In that case the next call continues with the
    /// next frame.
    pub fn next_value<N: Real>(&mut self, decoder: &Decoder<N>) -> Result<Option<Variant<N>>> {
        self.next_frame()?.map(|frame| decoder.decode_frame(&frame)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lying_length_reserves_nothing() {
        let mut reader =
            FrameReader::new(&[0xff, 0xff, 0xff, 0x7f, 1, 2, 3][..], ByteOrder::Little);
        let error = reader.next_frame().expect_err("the packet is not there");
        assert_eq!(error.needed(), Some(i32::MAX as u64 - 3));
        assert!(reader.buffer.room().capacity() < 4096);
    }
}
