//! Reads the intact parts of damaged frames.

use std::ops::Range;

use super::{ByteOrder, FrameHead, Frames, Front, HEAD, cut, front, path, rule};
use crate::Real;
use crate::codec::resync::{Parts, Resync};
use crate::codec::{Decoder, Recovered};
use formwork::{Error, Path, Result, Rule};
use formwork_records::wire::word_at;

impl<R: Real> Decoder<R> {
    /// Reads the intact parts of the frames in `bytes`, of which any may be cut or damaged. Reads as the engine
    /// does, whatever the strictness. Undamaged frames give the same values as [`Decoder::decode_frames`]. The bytes
    /// of a frame after its value, which the engine ignores, are listed as lost.
    ///
    /// `gaps` are ranges of `bytes`, in order, that are known to be empty: blocks of a compressed file that could
    /// not be unpacked.
    ///
    /// Time and memory are proportional to the number of bytes.
    ///
    /// ```
    /// use formwork_variant::frame::ByteOrder;
    /// use formwork_variant::{Decoder, Dialect, Variant};
    ///
    /// // Three frames; the packet of the second is of a type that does not exist.
    /// let file = [
    ///     8, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 8, 0, 0, 0, 99, 0, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0,
    ///     2, 0, 0, 0, 7, 0, 0, 0,
    /// ];
    /// let decoder = Decoder::new(Dialect::GODOT3);
    /// let recovered = decoder.recover_frames(&file, ByteOrder::Little, &[]);
    /// assert_eq!(recovered.values, [Variant::Int(5), Variant::Int(7)]);
    /// assert_eq!(recovered.lost.len(), 1);
    /// assert_eq!(recovered.lost[0].range, 16..24);
    /// assert_eq!(recovered.lost[0].error.path().to_string(), "frame[1]");
    /// ```
    #[must_use]
    pub fn recover_frames(
        &self,
        bytes: &[u8],
        order: ByteOrder,
        gaps: &[Range<u64>],
    ) -> Recovered<R> {
        let resync = || Resync::new(self, bytes, gaps, FrameParts { order });
        if gaps.is_empty()
            && let Ok(recovered) = resync().frames()
        {
            return recovered;
        }
        let mut resync = resync();
        let mut at = 0;
        while at < bytes.len() {
            // Each step moves forward.
            at = resync.frame(at).max(at + 1);
            resync.index += 1;
        }
        resync.recovered
    }
}

/// Frames whose lengths are in a byte order.
struct FrameParts {
    order: ByteOrder,
}

impl<R: Real> Resync<'_, R, FrameParts> {
    /// Reads frames whose packets all start with a value, and lists the bytes after the values.
    fn frames(mut self) -> Result<Recovered<R>> {
        for frame in Frames::new(self.bytes, self.parts.order).limits(*self.decoder.size_limits()) {
            let frame = frame?;
            let start = frame.offset as usize;
            let read = self.decoder.decode_prefix(frame.packet)?;
            self.take(start, start + frame.packet.len(), Ok(read));
            self.index += 1;
        }
        Ok(self.recovered)
    }

    /// Reads the intact parts of the frame at `at`, and returns the start of the next.
    fn frame(&mut self, at: usize) -> usize {
        let all = self.bytes.len();
        let start = at + HEAD;
        if let Some(gap) = self.gap_in(at, start) {
            let error = Error::new(rule::LENGTH, at as u64, "a frame", "a gap");
            let next = self.search(gap).unwrap_or(all);
            self.miss(at..next, error);
            return next;
        }
        let end = match self.front(at) {
            Ok(Front::Whole(length)) => Some(start + length),
            Ok(Front::Cut { needed, expected }) if all < start => {
                self.miss(at..all, cut(at as u64, all - at, needed, expected));
                return all;
            }
            Ok(Front::Cut { needed, .. }) => {
                Some(all.saturating_add(usize::try_from(needed).unwrap_or(usize::MAX)))
            }
            Err(_) => None,
        };
        if let Some(end) = self.packet(start, end) {
            return end;
        }
        let announced = end.filter(|&end| end <= all);
        let next = self.search(start).or(announced).unwrap_or(all);
        let read = self.read(start, next);
        // If the next frame is at the announced position, the length is right.
        if announced == Some(next) {
            self.take(start, next, read);
            return next;
        }
        let (values, lost) = (self.recovered.values.len(), self.recovered.lost.len());
        self.wrong_length(start, next - start);
        let end = read.as_ref().map_or(next, |&(_, length)| start + length);
        self.take(start, end, read);
        // Without a valid length, the bytes after the value may not belong to the frame.
        let found = format!("{} bytes that are none", next - end);
        self.miss(end..next, Error::new(Rule::INPUT_TRAILING, end as u64, "a frame", found));
        if self.recovered.values.len() == values
            && let Some(length) = self.recovered.lost.get_mut(lost)
        {
            // The packet is lost, too.
            length.value = None;
        }
        next
    }

    fn front(&self, at: usize) -> Result<Front> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        front(rest, self.parts.order, self.decoder.size_limits(), at as u64)
    }

    /// Returns the end of the frame at `at`, if its packet is exactly one value.
    fn whole_frame(&mut self, at: usize) -> Option<usize> {
        if !FrameParts::seems(self, at) {
            return None;
        }
        let Ok(Front::Whole(length)) = self.front(at) else { return None };
        let start = at + HEAD;
        let (_, taken) = self.try_out(start, start + length)?;
        (taken == length).then_some(start + length)
    }
}

impl<R: Real> Parts<R> for FrameParts {
    const FILLED: Rule = rule::FILLED;
    const MAY_END_CUT: bool = false;

    fn path(index: u64) -> Path {
        path(index)
    }

    /// Returns whether a frame begins at `at` whose packet is a value.
    fn begins(resync: &mut Resync<'_, R, Self>, at: usize) -> bool {
        resync.whole_frame(at).is_some()
    }

    /// Returns whether a frame seems to begin at `at`, by its length and the type of its packet.
    fn seems(resync: &Resync<'_, R, Self>, at: usize) -> bool {
        if at == resync.bytes.len() {
            return true;
        }
        let Some(head) = resync.view(at, resync.bytes.len()).split_at_checked(HEAD) else {
            return false;
        };
        let is_packet = word_at(head.1, 0).is_some_and(|word| resync.decoder.is_header(word));
        // All packets are whole words.
        let is_length = FrameHead::length_at(head.0, resync.parts.order)
            .is_some_and(|length| length >= 4 && length.is_multiple_of(4));
        is_packet && is_length && resync.front(at).is_ok()
    }

    /// Returns whether a sequence of frames fits at `at`: to the end, or with too many bytes to be a coincidence.
    fn resumes(resync: &mut Resync<'_, R, Self>, from: usize) -> bool {
        /// The least number of bytes in the values of a valid sequence of frames: an empty string in an array is
        /// also a frame with a null.
        const LEAST: usize = 24;
        /// A number of bytes that is no coincidence, whatever follows.
        const ENOUGH: usize = 64;
        resync.pay(1);
        if !Self::seems(resync, from) {
            return false;
        }
        let (mut at, mut frames, mut weight) = (from, 0, 0);
        while at < resync.bytes.len() && weight < ENOUGH {
            let Some(end) = resync.whole_frame(at) else {
                return frames > 1 && weight >= LEAST;
            };
            let packet = end - at - HEAD;
            weight += if packet > HEAD { packet } else { 0 };
            frames += 1;
            at = end;
        }
        weight >= LEAST
    }

    fn wrong_length(resync: &Resync<'_, R, Self>, start: usize, length: usize) -> Error {
        let at = start - HEAD;
        match resync.front(at) {
            Ok(Front::Whole(found)) => {
                let expected = format!("{length}, as long as the value");
                Error::new(rule::LENGTH, at as u64, expected, found.to_string()).within("length")
            }
            Ok(Front::Cut { needed, expected }) => {
                cut(at as u64, resync.bytes.len() - at, needed, expected)
            }
            Err(error) => error,
        }
    }
}
