//! Frames of bytes that arrive piece by piece.

use super::{ByteOrder, Frame, Front, HEAD, cut, front};
use crate::error::{Error, Result};
use crate::limits::Limits;

/// Takes bytes as they come and hands out whole frames: for sockets, and for anything that is not a
/// [`Read`](std::io::Read).
///
/// Holds what was pushed and not taken yet, and never reserves room for what a length announces.
///
/// ```
/// use formwork::frame::{ByteOrder, FrameBuffer};
///
/// let mut buffer = FrameBuffer::new(ByteOrder::Little);
/// buffer.push(&[8, 0, 0, 0, 2, 0]);
/// assert!(buffer.next_frame()?.is_none());
/// assert_eq!(buffer.needed(), 6);
/// buffer.push(&[0, 0, 5, 0, 0, 0]);
/// assert_eq!(buffer.next_frame()?.unwrap().packet, [2, 0, 0, 0, 5, 0, 0, 0]);
/// assert!(buffer.finish().is_ok());
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrameBuffer {
    order: ByteOrder,
    limits: Limits,
    bytes: Vec<u8>,
    /// How many of the bytes belong to frames that were handed out.
    taken: usize,
    /// Where in the whole stream the first byte that was not handed out stands.
    offset: u64,
    index: u64,
}

impl FrameBuffer {
    /// An empty buffer, with the default limits.
    #[must_use]
    pub fn new(order: ByteOrder) -> Self {
        let limits = Limits::default();
        Self { order, limits, bytes: Vec::new(), taken: 0, offset: 0, index: 0 }
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds bytes that arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.room().extend_from_slice(bytes);
    }

    /// Where bytes that arrive are added.
    pub(super) fn room(&mut self) -> &mut Vec<u8> {
        // Only when at least half is done with, so that every byte is moved once at most on average.
        if self.taken > 0 && self.taken >= self.bytes.len() / 2 {
            self.bytes.drain(..self.taken);
            self.taken = 0;
        }
        &mut self.bytes
    }

    /// The next frame; [`None`] where it is not all there yet.
    ///
    /// # Errors
    ///
    /// Where a length is negative or exceeds the limits. Nothing is known about what follows it, so
    /// the same error comes again and again.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let (index, offset) = (self.index, self.offset);
        let rest = &self.bytes[self.taken..];
        let Front::Whole(length) = front(rest, self.order, &self.limits, index, offset)? else {
            return Ok(None);
        };
        self.taken += HEAD + length;
        self.offset += (HEAD + length) as u64;
        self.index += 1;
        let packet = &self.bytes[self.taken - length..self.taken];
        Ok(Some(Frame { index, offset: offset + HEAD as u64, packet }))
    }

    /// How many more bytes are needed at least until [`FrameBuffer::next_frame`] has something to
    /// say; 0 where it has now. (As long as the length word is not there, no more than that is
    /// asked for, so reading just so many bytes never reads past the frame.)
    #[must_use]
    pub fn needed(&self) -> u64 {
        match front(&self.bytes[self.taken..], self.order, &self.limits, self.index, self.offset) {
            Ok(Front::Cut { needed, .. }) => needed,
            Ok(Front::Whole(_)) | Err(_) => 0,
        }
    }

    /// Bytes that were pushed and not handed out yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// Where in the whole stream the next frame starts.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Says whether the stream may end here.
    ///
    /// # Errors
    ///
    /// Where part of a frame is there and the rest is not, or as [`FrameBuffer::next_frame`].
    pub fn finish(&self) -> Result<()> {
        let rest = &self.bytes[self.taken..];
        match front(rest, self.order, &self.limits, self.index, self.offset)? {
            Front::Cut { needed, expected } if !rest.is_empty() => Err(self.cut(needed, expected)),
            _ => Ok(()),
        }
    }

    fn cut(&self, needed: u64, expected: &str) -> Error {
        cut(self.index, self.offset, self.pending(), needed, expected)
    }
}
