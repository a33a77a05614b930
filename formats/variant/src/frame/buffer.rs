//! Reads frames from bytes that arrive piece by piece.

use super::{ByteOrder, Frame, Front, HEAD, Pending, cut, front, path};
use crate::codec::Decoder;
use crate::{Real, Variant};
use formwork::Result;
use formwork_records::limits::Limits;

/// Takes bytes as they arrive and returns whole frames: for sockets, and for anything that is not a
/// [`Read`](std::io::Read).
///
/// Holds the bytes that were pushed and not yet taken, and never reserves memory for an announced length.
///
/// ```
/// use formwork_variant::frame::{ByteOrder, FrameBuffer};
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
    pending: Pending,
    index: u64,
}

impl FrameBuffer {
    /// An empty buffer, with the default limits.
    #[must_use]
    pub fn new(order: ByteOrder) -> Self {
        Self { order, limits: Limits::default(), pending: Pending::default(), index: 0 }
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

    /// Returns the vector to which arriving bytes are appended.
    pub(super) fn room(&mut self) -> &mut Vec<u8> {
        self.pending.room()
    }

    /// Returns the next frame; [`None`] if it is not complete yet.
    ///
    /// # Errors
    ///
    /// Returns an error if a length is negative or exceeds the limits. The start of the next frame is unknown then,
    /// so every later call returns the same error.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let Front::Whole(length) = self.front()? else {
            return Ok(None);
        };
        let (index, offset) = (self.index, self.pending.offset() + HEAD as u64);
        self.index += 1;
        self.pending.take(HEAD);
        Ok(Some(Frame { index, offset, packet: self.pending.take(length) }))
    }

    /// Returns the value of the next frame, read as [`Decoder::decode_frame`] reads it; [`None`] if the frame is not
    /// complete yet.
    ///
    /// # Errors
    ///
    /// As [`FrameBuffer::next_frame`], and if the packet is no value. In that case the frame is taken, and the next
    /// call continues with the next one.
    pub fn next_value<N: Real>(&mut self, decoder: &Decoder<N>) -> Result<Option<Variant<N>>> {
        self.next_frame()?.map(|frame| decoder.decode_frame(&frame)).transpose()
    }

    /// Returns the state of the next frame.
    fn front(&self) -> Result<Front> {
        front(self.pending.rest(), self.order, &self.limits, self.pending.offset())
            .map_err(|error| error.under(path(self.index)))
    }

    /// Returns the least number of bytes that are missing until [`FrameBuffer::next_frame`] returns a frame or an
    /// error; 0 if it does so now. (As long as the length word is incomplete, only its bytes are counted: reading
    /// exactly this number of bytes never reads past the frame.)
    #[must_use]
    pub fn needed(&self) -> u64 {
        match self.front() {
            Ok(Front::Cut { needed, .. }) => needed,
            Ok(Front::Whole(_)) | Err(_) => 0,
        }
    }

    /// Returns the number of bytes that were pushed and not yet returned.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Returns the offset of the next frame in the whole stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.pending.offset()
    }

    /// Checks whether the stream may end here.
    ///
    /// # Errors
    ///
    /// Returns an error if part of a frame is there and the rest is not, or as [`FrameBuffer::next_frame`].
    pub fn finish(&self) -> Result<()> {
        match self.front()? {
            Front::Cut { needed, expected } if self.pending() > 0 => {
                let error = cut(self.offset(), self.pending(), needed, expected);
                Err(error.under(path(self.index)))
            }
            _ => Ok(()),
        }
    }
}
