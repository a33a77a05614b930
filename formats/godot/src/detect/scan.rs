//! Finds values after a header that the game wrote (a magic word, a version, a line of text), and values before other
//! data.

use super::attempt::{decoder, is_clean, is_header, look_of};
use super::{Candidate, Detection, Detector, Other, told_apart};
use crate::Framing;
use formwork_records::schema::Sizes;
use formwork_variant::codec::WarningCounts;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::{ByteOrder, FrameHead, Frames};

/// Values that come after a header of the game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BehindHeader {
    /// Bytes of the header: the offset of the values.
    pub offset: u64,
    /// The offset of the fault, if frames with values are at the start of the input: then the file has damage, and no
    /// header.
    pub fault: Option<u64>,
    /// Bytes of other data after the values; 0 if the values go to the end of the input.
    pub behind: u64,
    /// The detection of the values.
    pub detection: Detection,
}

/// Values at the start of an input, before other data.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BeforeData {
    /// Bytes of the values.
    pub length: u64,
    /// The detection of the values.
    pub detection: Detection,
}

/// Looks for the first offset from which the rest of `bytes` is values, in frames or one bare value. A game may write
/// such a header before `store_var`: a magic word, a version or a line of text.
///
/// Only useful if [`detect`](super::detect) finds nothing, or values in a row, which nothing writes. The header may be
/// 4096 bytes long. Takes time in proportion to the bytes.
///
/// ```
/// use formwork_godot::Framing;
/// use formwork_godot::detect::behind_header;
/// use formwork_variant::frame::ByteOrder;
///
/// // `SAVE`, the version 3, and a frame with the array [1, 2] of Godot 4.
/// let mut file = b"SAVE\x03\0\0\0\x18\0\0\0".to_vec();
/// file.extend([28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
/// let found = behind_header(&file).unwrap();
/// assert_eq!(found.offset, 8);
/// let first = &found.detection.leading()[0];
/// assert_eq!(first.framing, Framing::Frames(ByteOrder::Little));
/// ```
#[must_use]
pub fn behind_header(bytes: &[u8]) -> Option<BehindHeader> {
    Detector::new().behind_header(bytes)
}

/// The limits of the search, in proportion to the input, so that no input is searched for long.
struct Budget {
    /// Bytes that may be read in trials.
    bytes: u64,
    /// Detections, each of which reads the whole rest.
    detections: u32,
}

impl Budget {
    /// Takes `bytes` from the budget; `false` if that much is not left.
    fn take(&mut self, bytes: u64) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.unwrap_or_default();
        left.is_some()
    }
}

/// Returns the offset of the first frame before `end` that holds no value of a reading, if frames with values are before
/// it: then there is no header, but damage.
fn fault_before(bytes: &[u8], end: usize, reading: &Candidate) -> Option<u64> {
    let Framing::Frames(order) = reading.framing else { return None };
    let (decoder, mut at, mut is_begun) = (decoder(reading.dialect), 0, false);
    for frame in Frames::new(bytes, order).map_while(Result::ok) {
        let mut found = WarningCounts::default();
        let Ok(met) = decoder.look_at_frame(&frame, &mut found) else { break };
        is_begun |= !met.is_null() && is_clean(&found);
        at = frame.offset as usize + frame.packet.len();
        if at >= end {
            return None;
        }
    }
    is_begun.then_some(at as u64)
}

impl Detector {
    /// Looks for values after a header, as [`behind_header`] does, of the known family and in the known framing.
    #[must_use]
    pub fn behind_header(&self, bytes: &[u8]) -> Option<BehindHeader> {
        /// The longest header to look past.
        const LONGEST: usize = 4096;
        /// Bytes of a header word and one more word.
        const LEAST: usize = 8;
        if Other::by_start(bytes).is_some() {
            return None;
        }
        let farthest = bytes.len().checked_sub(LEAST)?.min(LONGEST);
        let budget = || Budget { bytes: 4 * bytes.len() as u64 + (1 << 16), detections: 16 };
        let mut for_whole = budget();
        let to_end = (1..=farthest).find_map(|at| self.values_from(bytes, at, &mut for_whole));
        to_end.or_else(|| {
            let mut for_part = budget();
            (1..=farthest).find_map(|at| self.values_between(bytes, at, &mut for_part))
        })
    }

    /// Looks for values at the start of bytes that go on with other data: what a script writes with `store_8` after
    /// `store_var`, or the rest of an older and longer file.
    ///
    /// Only useful if [`detect`](super::detect) finds nothing that goes to the end. The data may not be the rest of a
    /// frame that is cut or damaged, and no frames may follow it.
    ///
    /// ```
    /// use formwork_godot::detect::Detector;
    ///
    /// // {"hp": 5} of Godot 3 in a frame, and the byte 1.
    /// let mut file = vec![28, 0, 0, 0, 18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0];
    /// file.extend([2, 0, 0, 0, 5, 0, 0, 0, 1]);
    /// assert_eq!(Detector::new().before_data(&file).unwrap().length, 32);
    /// ```
    #[must_use]
    pub fn before_data(&self, bytes: &[u8]) -> Option<BeforeData> {
        /// Words of structure that are no chance at the start of a file: in frames, and bare.
        const STRUCTURE: [u64; 2] = [3, 4];
        /// The same, where the format is known.
        const IF_KNOWN: u64 = 2;
        if Other::by_start(bytes).is_some() {
            return None;
        }
        let is_known = self.family.is_some() || self.framing.is_some();
        let [framed, bare] = if is_known { [IF_KNOWN; 2] } else { STRUCTURE };
        let orders = [ByteOrder::Little, ByteOrder::Big];
        let framings = orders.map(|order| (Framing::Frames(order), framed));
        framings.into_iter().chain([(Framing::Bare, bare)]).find_map(|(framing, structure)| {
            self.framing.is_none_or(|known| known == framing).then_some(())?;
            let end = match framing {
                Framing::Frames(order) => self.frames_end(bytes, order)?,
                _ => self.value_end(bytes)?,
            };
            let detection = self.framing(framing).detect(bytes.get(..end)?);
            let first = detection.leading().first()?;
            let look = look_of(&bytes[..end], first.dialect, first.framing);
            let is_likely = first.framing != Framing::BareSequence
                && first.deviations.only_padding_as_left()
                && look.has_structure(structure)
                && !look.is_implausible();
            is_likely.then_some(BeforeData { length: end as u64, detection })
        })
    }

    /// Returns the dialects that read packets differently, of the known family.
    fn dialects(&self) -> impl Iterator<Item = Dialect> {
        let family = self.family;
        let is_known = move |it: &Dialect| family.is_none_or(|known| known == it.family());
        told_apart().into_iter().filter(is_known)
    }

    /// Returns where frames with values end that are before other data.
    fn frames_end(&self, bytes: &[u8], order: ByteOrder) -> Option<usize> {
        let ends = self.dialects().map(|dialect| {
            let (decoder, mut at) = (decoder(dialect), 0);
            while let Some(packet) = whole_packet(&bytes[at..], order)
                && decoder.walk(packet).finish().is_ok_and(|length| length == packet.len())
            {
                at += FrameHead::LEAST + packet.len();
            }
            at
        });
        let end = ends.max().filter(|end| (1..bytes.len()).contains(end))?;
        let rest = &bytes[end..];
        (!self.is_damaged_frame(rest, order, bytes.len()) && !has_frames_behind(rest, order))
            .then_some(end)
    }

    /// Whether the bytes are a frame that is cut or damaged, in a file of `total` bytes.
    fn is_damaged_frame(&self, bytes: &[u8], order: ByteOrder, total: usize) -> bool {
        /// The shortest packet that is not null.
        const SHORTEST: usize = 8;
        /// How many times longer than the file a frame may be that was cut.
        const MOST: usize = 16;
        let Some(length) = packet_length(bytes, order) else { return false };
        let packet = bytes.get(FrameHead::LEAST..).unwrap_or_default();
        if length > packet.len() {
            let is_cut = |dialect| {
                match decoder(dialect).walk(packet).finish() {
                    // Only padding may be missing.
                    Ok(end) => end + 4 > packet.len(),
                    Err(error) => error.needed().is_some(),
                }
            };
            return length <= total.saturating_mul(MOST) && self.dialects().any(is_cut);
        }
        let behind = &packet[length..];
        let is_begun = |next| next <= total.saturating_mul(MOST);
        let goes_on = behind.is_empty() || packet_length(behind, order).is_some_and(is_begun);
        length >= SHORTEST && goes_on
    }

    /// Returns where a bare value ends that is before other data.
    fn value_end(&self, bytes: &[u8]) -> Option<usize> {
        let is_value = bytes.first_chunk().is_some_and(|&word| is_header(word) && word[0] != 0);
        let ends = self.dialects().filter_map(|it| decoder(it).walk(bytes).finish().ok());
        let end = is_value.then(|| ends.max()).flatten().filter(|&end| end < bytes.len())?;
        // A value with a wrong count ends early.
        self.framing(Framing::Bare).detect(bytes).partial().is_none().then_some(end)
    }

    /// Returns the detection of frames from the offset on, before other data.
    fn values_between(
        &self,
        bytes: &[u8],
        offset: usize,
        budget: &mut Budget,
    ) -> Option<BehindHeader> {
        /// Words of structure that are no chance, for all the offsets that are tried.
        const STRUCTURE: u64 = 5;
        let rest = &bytes[offset..];
        let framing = [ByteOrder::Little, ByteOrder::Big].into_iter().find_map(|order| {
            let framing = Framing::Frames(order);
            self.framing.is_none_or(|known| known == framing).then_some(())?;
            let packet = whole_packet(rest, order)?;
            (budget.take(packet.len() as u64) && self.is_one_value(packet, budget))
                .then_some(framing)
        })?;
        budget.detections = budget.detections.checked_sub(1)?;
        let BeforeData { length, detection } = self.framing(framing).before_data(rest)?;
        let first = detection.leading().first()?;
        let values = rest.get(..usize::try_from(length).ok()?)?;
        let is_enough = look_of(values, first.dialect, framing).has_structure(STRUCTURE);
        let (offset, behind) = (offset as u64, rest.len() as u64 - length);
        is_enough.then_some(BehindHeader { offset, fault: None, behind, detection })
    }

    /// Returns the detection of the bytes from the offset on, if they are values and not by chance.
    fn values_from(
        &self,
        bytes: &[u8],
        offset: usize,
        budget: &mut Budget,
    ) -> Option<BehindHeader> {
        let rest = &bytes[offset..];
        let known = |framing| self.framing.is_none_or(|known| known == framing);
        let framing = [ByteOrder::Little, ByteOrder::Big]
            .map(Framing::Frames)
            .into_iter()
            .find(|&framing| known(framing) && leads_to_end(rest, framing, budget));
        let framing = match framing {
            Some(framing) => framing,
            None if known(Framing::Bare) && self.is_one_value(rest, budget) => Framing::Bare,
            None => return None,
        };
        budget.detections = budget.detections.checked_sub(1)?;
        let detection = self.framing(framing).detect(rest);
        let first = detection.candidates.first()?;
        let likely = is_likely(rest, offset, first);
        let fault = fault_before(bytes, offset, first);
        likely.then_some(BehindHeader { offset: offset as u64, fault, behind: 0, detection })
    }

    /// Whether the bytes are one value in a dialect, by a fast test.
    fn is_one_value(&self, bytes: &[u8], budget: &mut Budget) -> bool {
        let is_value = bytes.first_chunk().is_some_and(|&word| is_header(word) && word[0] != 0);
        is_value
            && told_apart().into_iter().any(|dialect| {
                let known = self.family.is_none_or(|known| known == dialect.family());
                known && {
                    let (whole, cost) = match decoder(dialect).walk(bytes).finish() {
                        Ok(length) => (length == bytes.len(), length as u64),
                        Err(error) => (false, error.offset()),
                    };
                    budget.take(cost) && whole
                }
            })
    }
}

/// Returns the length of the packet in the first frame, if it can be one: the length precedes a header word.
fn packet_length(bytes: &[u8], order: ByteOrder) -> Option<usize> {
    let length = usize::try_from(FrameHead::length_at(bytes, order)?).ok()?;
    let word = bytes.get(FrameHead::LEAST..)?.first_chunk()?;
    (length >= 4 && length.is_multiple_of(4) && is_header(*word)).then_some(length)
}

/// Returns the packet in the first frame, if it can be one and is there as a whole.
fn whole_packet(bytes: &[u8], order: ByteOrder) -> Option<&[u8]> {
    let length = packet_length(bytes, order)?;
    bytes.get(FrameHead::LEAST..)?.get(..length)
}

/// Whether frames begin somewhere in the bytes and lead to their end.
fn has_frames_behind(bytes: &[u8], order: ByteOrder) -> bool {
    /// The shortest packet that is not null.
    const SHORTEST: usize = 8;
    let mut budget = Budget { bytes: 8 * bytes.len() as u64, detections: 0 };
    (1..bytes.len()).any(|at| {
        let rest = &bytes[at..];
        packet_length(rest, order).is_some_and(|length| length >= SHORTEST)
            && leads_to_end(rest, Framing::Frames(order), &mut budget)
    })
}

/// Whether the lengths of frames lead to the end of the bytes, and each length precedes a header word.
fn leads_to_end(bytes: &[u8], framing: Framing, budget: &mut Budget) -> bool {
    let Framing::Frames(order) = framing else { return false };
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some(length) = FrameHead::length_at(rest, order) else { return false };
        let behind = rest.get(FrameHead::LEAST..).unwrap_or_default();
        let is_packet = length >= 4
            && length.is_multiple_of(4)
            && behind.first_chunk().is_some_and(|&word| is_header(word));
        let next = usize::try_from(length).ok().and_then(|length| behind.get(length..));
        match next.filter(|_| is_packet && budget.take(8)) {
            Some(next) => rest = next,
            None => return false,
        }
    }
    true
}

/// Whether values after a header of `header` bytes are not chance: they are as an engine writes them, and have more
/// structure than a few words at the end of a file.
fn is_likely(bytes: &[u8], header: usize, candidate: &Candidate) -> bool {
    /// Words of structure that are right by chance so rarely that this can be neglected, for all the offsets that are
    /// tried.
    const STRUCTURE: u64 = 4;
    let look = look_of(bytes, candidate.dialect, candidate.framing);
    // A single number in a frame may come after a version.
    let is_framed = matches!(candidate.framing, Framing::Frames(_)) && header <= bytes.len();
    let enough = look.has_structure(if is_framed { STRUCTURE / 2 } else { STRUCTURE });
    candidate.framing != Framing::BareSequence
        && candidate.deviations.only_padding_as_left()
        && enough
        && !look.is_implausible()
}
