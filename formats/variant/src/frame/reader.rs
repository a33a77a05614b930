//! Frames of anything that can be read.

use std::io::Read;

use super::{ByteOrder, Frame, FrameBuffer};
use crate::codec::Decoder;
use crate::{Real, Variant};
use formwork::{Error, Result};
use formwork_records::limits::Limits;

/// Reads frame after frame, however the reader cuts the bytes.
///
/// It never reads past the frame that it was asked for, so the reader can be used for something
/// else afterwards; and it takes a word and a packet at a time, so a file is best wrapped in a
/// [`BufReader`](std::io::BufReader). A length is believed only as far as bytes arrive: memory grows
/// with what is there, not with what is announced.
#[derive(Clone, Debug)]
pub struct FrameReader<R> {
    reader: R,
    buffer: FrameBuffer,
    /// A faulty length or the end was met: nothing can follow.
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

    /// Where in the stream the next frame starts.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The reader itself.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// The next frame; [`None`] where the reader ends before one.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader ends inside the frame, its length is negative or exceeds the limits (after
    /// either, there are no more frames), or the reader fails. A reader that only failed for now (a timeout, a socket
    /// that would block: [`Error::io_error_kind`] says so) may be asked again: what was read is kept.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        while !self.ended {
            let needed = self.buffer.needed();
            if needed == 0 {
                break;
            }
            let room = self.buffer.room();
            // `read_to_end` retries where it is interrupted, and lets the vector grow only as bytes
            // arrive.
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

    /// The value of the next frame, read as [`Decoder::decode_frame`] reads it; [`None`] where the
    /// reader ends before a frame.
    ///
    /// # Errors
    ///
    /// As [`FrameReader::next_frame`], and where the packet is no value. In that case the next call
    /// goes on with the next frame.
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
