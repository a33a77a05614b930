//! Reads on after damage in a sequence of packets with a length before each.
//!
//! The length before a packet gives the start of the next part, so a damaged packet does not affect the parts after
//! it. A damaged length contradicts the packet; then the next part is searched for: after the value in the packet, or
//! else from the first byte where parts fit.

use std::ops::Range;

use super::{Damage, Decoder, Lost, Recovered, Salvaged, Strictness};
use crate::{Real, Variant};
use formwork::{Error, Path, Result, Rule};

/// The size in bytes of the length before a packet.
const WORD: usize = size_of::<u32>();

/// The parts of a sequence, such as frames or settings. Each has a packet after a length.
pub trait Parts<R: Real>: Sized {
    /// The rule that a value fills its packet.
    const FILLED: Rule;
    /// Whether the last packet may be cut even if its length fits. A count that does not fit into a cut packet is
    /// listed then.
    const MAY_END_CUT: bool;

    /// Returns the path of the value of a part.
    fn path(index: u64) -> Path;

    /// Returns whether a part begins at a position before the end, as long as there are trials left.
    fn begins(resync: &mut Resync<'_, R, Self>, at: usize) -> bool;

    /// Returns whether a length may lead to a position although no part [begins](Self::begins) there.
    fn seems(_: &Resync<'_, R, Self>, _at: usize) -> bool {
        false
    }

    /// Returns whether enough parts begin at a position that they are no coincidence.
    fn resumes(resync: &mut Resync<'_, R, Self>, at: usize) -> bool;

    /// Returns the error of the length before the packet at `start`, which is `length` bytes long.
    fn wrong_length(resync: &Resync<'_, R, Self>, start: usize, length: usize) -> Error;
}

/// A damaged sequence of packets that is being read.
pub struct Resync<'a, R: Real, P> {
    /// Reads at the engine's strictness.
    pub decoder: Decoder<R>,
    /// The sequence.
    pub bytes: &'a [u8],
    /// Ranges of the bytes that are known to be empty, in order.
    gaps: &'a [Range<u64>],
    /// Bytes that may still be read to try something out: this keeps the time in proportion.
    pub trials: u64,
    /// The number of parts that were found.
    pub index: u64,
    /// The values read and the losses until now.
    pub recovered: Recovered<R>,
    /// The kind of the sequence.
    pub parts: P,
}

impl<'a, R: Real, P: Parts<R>> Resync<'a, R, P> {
    /// Starts to read `bytes` as the engine does, whatever the strictness of the decoder.
    pub fn new(decoder: &Decoder<R>, bytes: &'a [u8], gaps: &'a [Range<u64>], parts: P) -> Self {
        let decoder = decoder.strictness(Strictness::Engine);
        // The engine itself would read the file once; the trials may read it several times over.
        let trials = (bytes.len() as u64).saturating_mul(16).saturating_add(1 << 16);
        let recovered = Recovered::whole(Vec::new());
        Self { decoder, bytes, gaps, trials, index: 0, recovered, parts }
    }

    /// Reads the intact parts of the packet at `start`, which ends at `end` by its length, and returns the end that
    /// was found; [`None`] if neither the length nor the value leads to one.
    pub fn packet(&mut self, start: usize, end: Option<usize>) -> Option<usize> {
        let all = self.bytes.len();
        if let Some(end) = end
            && let Some(read) = self.announced(start, end)
        {
            self.take(start, end, read);
            return Some(end);
        }
        // The end of the value is more reliable than the length.
        if let Some((value, length)) = self.try_out(start, all)
            && self.leads_on(start + length)
        {
            self.wrong_length(start, length);
            self.recovered.values.push(value);
            return Some(start + length);
        }
        if let Some(end) = end.filter(|&end| end <= all && P::seems(self, end)) {
            let read = self.read(start, end);
            self.take(start, end, read);
            return Some(end);
        }
        // The packet may extend past the end: the bytes are cut.
        let missing = end?.checked_sub(all).filter(|&missing| missing > 0)?;
        let salvaged = self.decoder.salvage(self.view(start, all), true);
        self.pay(salvaged.lost.last().map_or(0, |lost| lost.range.start));
        salvaged.needed.filter(|&needed| needed <= missing as u64)?;
        self.add(start, salvaged, true);
        Some(all)
    }

    /// Reads the packet in a range that its length gives, if the value agrees with the length, or the length leads to
    /// another part.
    pub fn announced(&mut self, start: usize, end: usize) -> Option<Result<(Variant<R>, usize)>> {
        if end > self.bytes.len() {
            return None;
        }
        let read = self.read(start, end);
        let is_filled = read.as_ref().is_ok_and(|&(_, length)| start + length == end);
        (is_filled || self.leads_on(end)).then_some(read)
    }

    /// Adds the value of a packet and lists the bytes after it, or adds the intact parts of the value.
    pub fn take(&mut self, start: usize, end: usize, read: Result<(Variant<R>, usize)>) {
        match read {
            Ok((value, length))
                if start + length < end
                    && let packet = self.view(start, end)
                    && packet.len() == end - start
                    && let Some(salvaged) =
                        self.decoder.salvage_whole(packet, (&value, length)) =>
            {
                self.add(start, salvaged, false);
            }
            Ok((value, length)) => {
                let number = self.recovered.values.len() as u64;
                self.recovered.values.push(value);
                let range = (start + length) as u64..end as u64;
                if !range.is_empty() {
                    let found = formwork::wire::more_bytes(range.end - range.start).to_string();
                    let error = Error::new(P::FILLED, range.start, "the end of the packet", found);
                    let (error, damage) = (error.under(P::path(self.index)), Damage::Unread);
                    let (value, place) = (Some(number), String::new());
                    self.recovered.list(Lost { value, damage, range, place, error });
                }
            }
            Err(_) => {
                let packet = self.view(start, end);
                let gap = start + packet.len();
                let is_cut = gap < end || P::MAY_END_CUT && end == self.bytes.len();
                let salvaged = self.decoder.salvage(packet, is_cut);
                self.add(start, salvaged, is_cut);
                let error = Error::new(Rule::INPUT_COMPLETE, gap as u64, "a packet", "a gap");
                self.miss(gap..end, error);
            }
        }
    }

    /// Adds the intact parts of the value of the packet at `start`.
    fn add(&mut self, start: usize, salvaged: Salvaged<R>, is_cut: bool) {
        let Salvaged { value, mut lost, .. } = salvaged;
        let has_counts = P::MAY_END_CUT || !is_cut;
        lost.retain(|lost| has_counts || lost.damage != Damage::Count);
        let index = self.index;
        let locate = |error: Error| error.closed().under(P::path(index));
        self.recovered.add(value, lost, start as u64, locate);
    }

    /// Lists bytes of the part from which nothing can be read.
    pub fn miss(&mut self, range: Range<usize>, error: Error) {
        if !range.is_empty() {
            self.recovered.miss(Damage::Unread, range, error.under(P::path(self.index)));
        }
    }

    /// Lists the length before the packet at `start`, which is `length` bytes long.
    pub fn wrong_length(&mut self, start: usize, length: usize) {
        let error = P::wrong_length(self, start, length);
        let range = start.saturating_sub(WORD)..start;
        self.recovered.miss(Damage::Length, range, error.under(P::path(self.index)));
    }

    /// Returns the bytes of a range, up to the first gap in it.
    pub fn view(&self, from: usize, to: usize) -> &'a [u8] {
        let end = self.gap_behind(from).map_or(to, |gap| to.min((gap.start as usize).max(from)));
        self.bytes.get(from..end).unwrap_or_default()
    }

    /// Returns the end of the first gap that touches a range.
    pub fn gap_in(&self, from: usize, to: usize) -> Option<usize> {
        self.gap_behind(from).filter(|gap| gap.start < to as u64).map(|gap| gap.end as usize)
    }

    /// Returns the first gap that ends after a position.
    fn gap_behind(&self, position: usize) -> Option<&Range<u64>> {
        self.gaps.get(self.gaps.partition_point(|gap| gap.end <= position as u64))
    }

    /// Reads the value at the start of a range.
    pub fn read(&self, start: usize, end: usize) -> Result<(Variant<R>, usize)> {
        self.decoder.decode_prefix(self.view(start, end))
    }

    /// Reads the value at the start of a range, as long as there are trials left.
    pub fn try_out(&mut self, start: usize, end: usize) -> Option<(Variant<R>, usize)> {
        if self.trials == 0 {
            return None;
        }
        let read = self.read(start, end);
        let taken = read.as_ref().map_or_else(Error::offset, |&(_, length)| length as u64);
        self.pay(taken + WORD as u64);
        read.ok()
    }

    /// Takes bytes from the trials.
    pub fn pay(&mut self, bytes: u64) {
        self.trials = self.trials.saturating_sub(bytes);
    }

    /// Returns whether the bytes end at a position, or a part begins there.
    pub fn leads_on(&mut self, at: usize) -> bool {
        at == self.bytes.len() || P::begins(self, at)
    }

    /// Returns the first position from `from` on where parts begin. The search is limited by the trials, because
    /// every part may be damaged.
    pub fn search(&mut self, from: usize) -> Option<usize> {
        for at in from..self.bytes.len() {
            if self.trials == 0 {
                return None;
            }
            if P::resumes(self, at) {
                return Some(at);
            }
        }
        None
    }
}
