//! Reads the intact parts of damaged frames.
//!
//! The length of a frame gives the start of the next, so a damaged packet does not affect the frames after it. A
//! damaged length contradicts the packet; then the next frame is searched for: after the value in the packet, or
//! else from the first byte where a sequence of frames fits.

use std::ops::Range;

use super::{ByteOrder, FrameHead, Frames, Front, HEAD, front, path};
use crate::codec::{Damage, Decoder, Lost, Recovered, Salvaged, Strictness};
use crate::frame::rule;
use crate::{Real, Variant};
use formwork::{Error, Result, Rule};
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
        let decoder = self.strictness(Strictness::Engine);
        if gaps.is_empty()
            && let Ok(recovered) = decoder.read_frames(bytes, order)
        {
            return recovered;
        }
        let recovered = Recovered { values: Vec::new(), lost: Vec::new() };
        // The engine itself would read the file once; the trials may read it several times over.
        let trials = (bytes.len() as u64).saturating_mul(16).saturating_add(1 << 16);
        let mut rescue = Rescue { decoder, bytes, order, gaps, trials, index: 0, recovered };
        let mut at = 0;
        while at < bytes.len() {
            // Each step moves forward.
            at = rescue.frame(at).max(at + 1);
            rescue.index += 1;
        }
        rescue.recovered
    }

    /// Reads frames whose packets all start with a value, and lists the bytes after the values.
    fn read_frames(&self, bytes: &[u8], order: ByteOrder) -> Result<Recovered<R>> {
        let mut recovered = Recovered { values: Vec::new(), lost: Vec::new() };
        for frame in Frames::new(bytes, order).limits(*self.size_limits()) {
            let frame = frame?;
            let (value, length) = self.decode_prefix(frame.packet)?;
            let start = frame.offset + length as u64;
            let end = frame.offset + frame.packet.len() as u64;
            recovered.values.push(value);
            recovered.leave(start..end, frame.index);
        }
        Ok(recovered)
    }
}

impl<R: Real> Recovered<R> {
    /// Lists the bytes of a frame after its value, which is the last one; does nothing if there are none.
    fn leave(&mut self, range: Range<u64>, index: u64) {
        if range.is_empty() {
            return;
        }
        let found = formwork::wire::more_bytes(range.end - range.start).to_string();
        let error = Error::new(rule::FILLED, range.start, "the end of the packet", found);
        let (error, damage) = (error.under(path(index)), Damage::Unread);
        let value = Some(self.values.len().saturating_sub(1) as u64);
        self.list(Lost { value, damage, range, place: String::new(), error });
    }
}

struct Rescue<'a, R: Real> {
    decoder: Decoder<R>,
    bytes: &'a [u8],
    order: ByteOrder,
    gaps: &'a [Range<u64>],
    /// Bytes that may still be read to try something out: this keeps the time in proportion.
    trials: u64,
    index: u64,
    recovered: Recovered<R>,
}

impl<R: Real> Rescue<'_, R> {
    /// Reads the intact parts of the frame at `at`, and returns the start of the next.
    fn frame(&mut self, at: usize) -> usize {
        let all = self.bytes.len();
        if let Some(gap) = self.gap_in(at, at + HEAD) {
            let error = Error::new(rule::LENGTH, at as u64, "a frame", "a gap");
            let next = self.search(gap).unwrap_or(all);
            self.miss(at, next, error.under(path(self.index)));
            return next;
        }
        let (announced, fault, missing) = match self.front(at) {
            Ok(Front::Whole(length)) => (Some(at + HEAD + length), None, None),
            Ok(Front::Cut { needed, expected }) => {
                let error = super::cut(at as u64, all - at, needed, expected);
                if all - at < HEAD {
                    self.miss(at, all, error.under(path(self.index)));
                    return all;
                }
                (None, Some(error), Some(needed))
            }
            Err(error) => (None, Some(error), None),
        };
        let start = at + HEAD;
        // The value agrees with the length, or the length leads to another frame.
        if let Some(end) = announced {
            let read = self.read(start, end);
            if read.as_ref().is_ok_and(|&(_, length)| start + length == end) || self.begins(end) {
                self.take(start, end, read);
                return end;
            }
        }
        // The end of the value is more reliable than the length.
        if let Some(Ok((value, length))) = self.try_out(start)
            && self.begins(start + length)
        {
            let error = fault.unwrap_or_else(|| self.wrong_length(at, length));
            let error = error.under(path(self.index));
            self.recovered.miss(Damage::Length, at as u64..start as u64, error);
            self.recovered.values.push(value);
            return start + length;
        }
        if let Some(end) = announced.filter(|&end| self.seems(end)) {
            let read = self.read(start, end);
            self.take(start, end, read);
            return end;
        }
        // The frame may extend past the end: the file is cut.
        if let Some(missing) = missing {
            let salvaged = self.decoder.salvage(self.view(start, all), true);
            if salvaged.needed.is_some_and(|needed| needed <= missing) {
                self.add(start, salvaged, true);
                return all;
            }
        }
        let next = self.search(start).or(announced).unwrap_or(all);
        // The next frame is not at the announced position, so the length is wrong.
        let elsewhere = fault.is_none() && announced != Some(next);
        let fault = fault.or_else(|| elsewhere.then(|| self.wrong_length(at, next - start)));
        let is_distrusted = fault.is_some();
        let (values, lost) = (self.recovered.values.len(), self.recovered.lost.len());
        if let Some(error) = fault {
            let error = error.under(path(self.index));
            self.recovered.miss(Damage::Length, at as u64..start as u64, error);
        }
        let read = self.read(start, next);
        let end = read.as_ref().map_or(next, |&(_, length)| start + length);
        self.take(start, if is_distrusted { end } else { next }, read);
        // Without a valid length, the bytes after the value may not belong to the frame.
        if is_distrusted {
            let found = format!("{} bytes that are none", next - end);
            let error = Error::new(Rule::INPUT_TRAILING, end as u64, "a frame", found);
            self.miss(end, next, error.under(path(self.index)));
        }
        if self.recovered.values.len() == values
            && let Some(length) = self.recovered.lost.get_mut(lost)
        {
            // The packet is lost, too.
            length.value = None;
        }
        next
    }

    /// Adds the value of a packet, or its intact parts.
    fn take(&mut self, start: usize, end: usize, read: Result<(Variant<R>, usize)>) {
        match read {
            Ok((value, length)) => {
                self.recovered.values.push(value);
                self.recovered.leave((start + length) as u64..end as u64, self.index);
            }
            Err(_) => {
                let packet = self.view(start, end);
                let gap = start + packet.len();
                let is_cut = gap < end;
                let salvaged = self.decoder.salvage(packet, is_cut);
                self.add(start, salvaged, is_cut);
                let error = Error::new(Rule::INPUT_COMPLETE, gap as u64, "a packet", "a gap");
                self.miss(gap, end, error.under(path(self.index)));
            }
        }
    }

    /// Adds the intact parts of the packet at `start`. If its end is missing, a count that does not fit is not a
    /// separate damage.
    fn add(&mut self, start: usize, salvaged: Salvaged<R>, is_cut: bool) {
        let Salvaged { value, mut lost, .. } = salvaged;
        lost.retain(|lost| !is_cut || lost.damage != Damage::Count);
        let index = self.index;
        self.recovered.add(value, lost, start as u64, |error| error.closed().under(path(index)));
    }

    /// Records bytes from which nothing can be read.
    fn miss(&mut self, from: usize, to: usize, error: Error) {
        if from < to {
            self.recovered.miss(Damage::Unread, from as u64..to as u64, error);
        }
    }

    fn wrong_length(&self, at: usize, length: usize) -> Error {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let found = FrameHead::length_at(rest, self.order);
        let found = found.unwrap_or_default().to_string();
        Error::new(rule::LENGTH, at as u64, format!("{length}, as long as the value"), found)
            .within("length")
    }

    fn front(&self, at: usize) -> Result<Front> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        front(rest, self.order, self.decoder.size_limits(), at as u64)
    }

    /// The bytes of a range, up to the first gap in it.
    fn view(&self, from: usize, to: usize) -> &[u8] {
        let end = self.gap_behind(from).map_or(to, |gap| to.min((gap.start as usize).max(from)));
        self.bytes.get(from..end).unwrap_or_default()
    }

    /// The end of the first gap that touches a range.
    fn gap_in(&self, from: usize, to: usize) -> Option<usize> {
        self.gap_behind(from).filter(|gap| gap.start < to as u64).map(|gap| gap.end as usize)
    }

    /// Returns the first gap that ends after a position.
    fn gap_behind(&self, position: usize) -> Option<&Range<u64>> {
        self.gaps.get(self.gaps.partition_point(|gap| gap.end <= position as u64))
    }

    fn read(&self, start: usize, end: usize) -> Result<(Variant<R>, usize)> {
        self.decoder.decode_prefix(self.view(start, end))
    }

    /// Reads a value at `start`, however long it is, as long as there is time to try things out.
    fn try_out(&mut self, start: usize) -> Option<Result<(Variant<R>, usize)>> {
        if self.trials == 0 {
            return None;
        }
        let read = self.read(start, self.bytes.len());
        self.charge(&read);
        Some(read)
    }

    fn charge(&mut self, read: &Result<(Variant<R>, usize)>) {
        let taken = match read {
            Ok((_, length)) => *length as u64,
            Err(error) => error.offset(),
        };
        self.trials = self.trials.saturating_sub(taken + HEAD as u64);
    }

    /// Returns whether the input ends at `at`, or a frame begins there whose packet is a value.
    fn begins(&mut self, at: usize) -> bool {
        at == self.bytes.len() || self.whole_frame(at).is_some()
    }

    /// Returns the end of the frame at `at`, if its packet is exactly one value.
    fn whole_frame(&mut self, at: usize) -> Option<usize> {
        if self.trials == 0 || !self.seems(at) {
            return None;
        }
        let Ok(Front::Whole(length)) = self.front(at) else { return None };
        let start = at + HEAD;
        let read = self.read(start, start + length);
        self.charge(&read);
        read.is_ok_and(|(_, taken)| taken == length).then_some(start + length)
    }

    /// Returns whether a frame seems to begin at `at`, by its length and the type of its packet.
    fn seems(&self, at: usize) -> bool {
        if at == self.bytes.len() {
            return true;
        }
        let Some(head) = self.view(at, self.bytes.len()).split_at_checked(HEAD) else {
            return false;
        };
        let is_packet = word_at(head.1, 0).is_some_and(|word| self.decoder.is_header(word));
        // All packets are whole words.
        let is_length = FrameHead::length_at(head.0, self.order)
            .is_some_and(|length| length >= 4 && length.is_multiple_of(4));
        is_packet && is_length && self.front(at).is_ok()
    }

    /// Returns the first byte from `from` on where a sequence of frames fits: to the end, or with too many bytes to
    /// be a coincidence.
    fn search(&mut self, from: usize) -> Option<usize> {
        for at in from..self.bytes.len() {
            // The search is limited as well, because every frame may be damaged.
            self.trials = self.trials.checked_sub(1)?;
            if self.seems(at) && self.chain(at) {
                return Some(at);
            }
        }
        None
    }

    fn chain(&mut self, from: usize) -> bool {
        /// The least number of bytes in the values of a valid sequence of frames: an empty string in an array is
        /// also a frame with a null.
        const LEAST: usize = 24;
        /// A number of bytes that is no coincidence, whatever follows.
        const ENOUGH: usize = 64;
        let (mut at, mut frames, mut weight) = (from, 0, 0);
        while at < self.bytes.len() && weight < ENOUGH {
            let Some(end) = self.whole_frame(at) else {
                return frames > 1 && weight >= LEAST;
            };
            let packet = end - at - HEAD;
            weight += if packet > HEAD { packet } else { 0 };
            frames += 1;
            at = end;
        }
        weight >= LEAST
    }
}
