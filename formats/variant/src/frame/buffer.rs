//! Frames of bytes that arrive piece by piece.

use super::{ByteOrder, Frame, Front, HEAD, Pending, cut, front, path};
use crate::codec::Decoder;
use crate::{Real, Variant};
use formwork::Result;
use formwork_records::limits::Limits;

/// Takes bytes as they come and hands out whole frames: for sockets, and for anything that is not a
/// [`Read`](std::io::Read).
///
/// Holds what was pushed and not taken yet, and never reserves room for what a length announces.
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

    /// Where bytes that arrive are added.
    pub(super) fn room(&mut self) -> &mut Vec<u8> {
        self.pending.room()
    }

    /// The next frame; [`None`] where it is not all there yet.
    ///
    /// # Errors
    ///
    /// Returns an error if a length is negative or exceeds the limits. Nothing is known about what follows it, so the
    /// same error comes again and again.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let Front::Whole(length) = self.front()? else {
            return Ok(None);
        };
        let (index, offset) = (self.index, self.pending.offset() + HEAD as u64);
        self.index += 1;
        self.pending.take(HEAD);
        Ok(Some(Frame { index, offset, packet: self.pending.take(length) }))
    }

    /// The value of the next frame, read as [`Decoder::decode_frame`] reads it; [`None`] where the
    /// frame is not all there yet.
    ///
    /// # Errors
    ///
    /// As [`FrameBuffer::next_frame`], and where the packet is no value. In that case the frame is
    /// handed out, and the next call goes on with the next one.
    pub fn next_value<N: Real>(&mut self, decoder: &Decoder<N>) -> Result<Option<Variant<N>>> {
        self.next_frame()?.map(|frame| decoder.decode_frame(&frame)).transpose()
    }

    /// What the next frame is.
    fn front(&self) -> Result<Front> {
        front(self.pending.rest(), self.order, &self.limits, self.pending.offset())
            .map_err(|error| error.under(path(self.index)))
    }

    /// How many more bytes are needed at least until [`FrameBuffer::next_frame`] has something to
    /// say; 0 where it has now. (As long as the length word is not there, no more than that is
    /// asked for, so reading just so many bytes never reads past the frame.)
    #[must_use]
    pub fn needed(&self) -> u64 {
        match self.front() {
            Ok(Front::Cut { needed, .. }) => needed,
            Ok(Front::Whole(_)) | Err(_) => 0,
        }
    }

    /// Bytes that were pushed and not handed out yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Where in the whole stream the next frame starts.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.pending.offset()
    }

    /// Says whether the stream may end here.
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
