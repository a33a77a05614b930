//! Finds values after a header that the game wrote: a magic word, a version, a line of text.

use super::reading::{decoder, is_clean, is_header, look_of};
use super::{Candidate, Detection, Detector, Other, told_apart};
use formwork_records::schema::Sizes;
use formwork_variant::codec::WarningCounts;
use formwork_variant::frame::{ByteOrder, FrameHead, Frames, Framing};

/// Values that come after a header of the game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BehindHeader {
    /// Bytes of the header: the offset of the values.
    pub offset: u64,
    /// The offset of the fault, if frames with values are at the start of the input: then the file has damage, and no
    /// header.
    pub fault: Option<u64>,
    /// The detection of the values, which go to the end of the input.
    pub detection: Detection,
}

/// Looks for the first offset from which the rest of `bytes` is values, in frames or one bare value. A game may write
/// such a header before `store_var`: a magic word, a version or a line of text.
///
/// Only useful if [`detect`](super::detect) finds nothing, or values in a row, which nothing writes. The header may be
/// 4096 bytes long. Takes time in proportion to the bytes.
///
/// ```
/// use formwork_variant::Framing;
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
        let mut budget = Budget { bytes: 4 * bytes.len() as u64 + (1 << 16), detections: 16 };
        (1..=farthest).find_map(|offset| self.values_from(bytes, offset, &mut budget))
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
        likely.then_some(BehindHeader { offset: offset as u64, fault, detection })
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
