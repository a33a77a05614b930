//! One value a frame.

use std::iter::FusedIterator;

use super::{ByteOrder, Frame, Frames, path};
use crate::codec::{Decoder, Met, Strictness, WarningCounts};
use crate::frame::rule;
use crate::{Real, Variant};
use formwork::{Error, Result};

impl<R: Real> Decoder<R> {
    /// Reads the value of a frame's packet. Offsets and paths of errors are those of the whole input:
    /// `frame[2].dictionary[0].key`.
    ///
    /// Bytes of the packet after the value are ignored, as in `get_var`, but refused at canonical strictness.
    ///
    /// # Errors
    ///
    /// Returns an error if the packet does not start with a value. Because the frame is complete, its kind is never
    /// [`ErrorKind::Incomplete`](formwork::ErrorKind::Incomplete).
    pub fn decode_frame(&self, frame: &Frame<'_>) -> Result<Variant<R>> {
        self.decode_packet(frame.packet, frame.offset)
            .map_err(|error| error.under(path(frame.index)))
    }

    /// Reads the value of a complete packet, at `offset` of the input.
    pub(crate) fn decode_packet(&self, packet: &[u8], offset: u64) -> Result<Variant<R>> {
        self.in_packet(packet, offset, self.decode_prefix(packet))
    }

    /// Checks the result of reading the start of such a packet, and the number of bytes that were read.
    pub(crate) fn in_packet<T>(
        &self,
        packet: &[u8],
        offset: u64,
        made: Result<(T, usize)>,
    ) -> Result<T> {
        let whole = made.and_then(|(value, length)| {
            if self.strictness == Strictness::Canonical {
                filled(packet, length)?;
            }
            Ok(value)
        });
        whole.map_err(|error| error.closed().shifted(offset))
    }

    /// Checks whether a frame's packet is exactly one value, at either strictness; counts deviations, with offsets
    /// and paths inside the packet. Returns a summary of its contents.
    pub fn look_at_frame(&self, frame: &Frame<'_>, deviations: &mut WarningCounts) -> Result<Met> {
        self.look_at(frame.packet, deviations)
            .and_then(|(met, length)| filled(frame.packet, length).map(|()| met))
            .map_err(|error| error.closed().shifted(frame.offset).under(path(frame.index)))
    }

    /// The values of the frames that `bytes` is made of.
    ///
    /// ```
    /// use formwork_variant::frame::ByteOrder;
    /// use formwork_variant::{Decoder, Dialect, Variant};
    ///
    /// let file = [4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0];
    /// let decoder = Decoder::new(Dialect::GODOT3);
    /// let values = decoder.decode_frames(&file, ByteOrder::Little);
    /// assert_eq!(values.collect::<Result<Vec<_>, _>>()?, [Variant::Nil, Variant::Int(5)]);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn decode_frames<'a>(&self, bytes: &'a [u8], order: ByteOrder) -> FrameValues<'a, R> {
        let frames = Frames::new(bytes, order).limits(*self.size_limits());
        FrameValues { decoder: *self, frames }
    }
}

/// Returns whether a value of this length is all that the packet holds.
fn filled(packet: &[u8], length: usize) -> Result<()> {
    match packet.len() - length {
        0 => Ok(()),
        more => {
            let found = formwork::wire::more_bytes(more).to_string();
            Err(Error::new(rule::FILLED, length as u64, "the end of the packet", found))
        }
    }
}

/// An iterator over the values of frames, one each. Continues after a packet that is no value, and ends after a
/// faulty frame.
#[derive(Clone, Debug)]
pub struct FrameValues<'a, R: Real = f32> {
    decoder: Decoder<R>,
    frames: Frames<'a>,
}

impl<R: Real> Iterator for FrameValues<'_, R> {
    type Item = Result<Variant<R>>;

    fn next(&mut self) -> Option<Self::Item> {
        let frame = self.frames.next()?;
        Some(frame.and_then(|frame| self.decoder.decode_frame(&frame)))
    }
}

impl<R: Real> FusedIterator for FrameValues<'_, R> {}
