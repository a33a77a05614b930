//! Values behind a header of the game's own: a magic word, a version, a line of text.

use super::reading::{is_header, look_of};
use super::{Candidate, Detection, Detector, Other};
use formwork_records::schema::Schema;
use formwork_variant::codec::Decoder;
use formwork_variant::frame::{ByteOrder, FrameHead, Framing};

/// Values that a header of the game's own stands in front of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BehindHeader {
    /// Bytes of the header: where the values begin.
    pub offset: u64,
    /// What the values are; they go to the end of the input.
    pub detection: Detection,
}

/// Looks for the first offset from which the rest of `bytes` is values, in frames or one that is bare: behind
/// what a game writes in front of `store_var`, such as a magic word, a version or a line of text.
///
/// Only asked where [`detect`](super::detect) finds nothing, or values in a row, which nothing writes. The header
/// may be 4096 bytes long. Takes time in proportion to the bytes.
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

/// What the search may cost: bounded in proportion to the input, so that no input is searched for long.
struct Budget {
    /// Bytes that may be read in trying.
    bytes: u64,
    /// Detections, each of which reads the whole rest.
    detections: u32,
}

impl Budget {
    /// Takes so much; says no where it is not there.
    fn take(&mut self, bytes: u64) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.unwrap_or_default();
        left.is_some()
    }
}

impl Detector {
    /// Looks for values behind a header, as [`behind_header`] does, of the family and in the framing that
    /// are known.
    #[must_use]
    pub fn behind_header(&self, bytes: &[u8]) -> Option<BehindHeader> {
        /// The longest header that is looked behind.
        const LONGEST: usize = 4096;
        /// A header word and another one.
        const LEAST: usize = 8;
        if Other::by_start(bytes).is_some() {
            return None;
        }
        let farthest = bytes.len().checked_sub(LEAST)?.min(LONGEST);
        let mut budget = Budget { bytes: 4 * bytes.len() as u64 + (1 << 16), detections: 16 };
        (1..=farthest).find_map(|offset| self.values_from(bytes, offset, &mut budget))
    }

    /// What the bytes from the offset on are, if that is values and no chance.
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
        likely.then_some(BehindHeader { offset: offset as u64, detection })
    }

    /// Whether the bytes are one value in a dialect, by a quick look.
    fn is_one_value(&self, bytes: &[u8], budget: &mut Budget) -> bool {
        let is_value = bytes.first_chunk().is_some_and(|&word| is_header(word) && word[0] != 0);
        is_value
            && super::releases::FAMILIES.iter().any(|&family| {
                let dialects = super::releases::dialects(family, super::Releases::Usual);
                let known = self.family.is_none_or(|known| known == family);
                known
                    && dialects.iter().any(|&dialect| {
                        let decoder = Decoder::new(dialect).double().allow_objects(true);
                        let (whole, cost) = match decoder.walk(bytes).finish() {
                            Ok(length) => (length == bytes.len(), length as u64),
                            Err(error) => (false, error.offset()),
                        };
                        budget.take(cost) && whole
                    })
            })
    }
}

/// Whether the lengths of frames lead to the end of the bytes, each in front of a header.
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

/// Whether values behind a header of so many bytes are no chance: as an engine writes them, and of so much
/// structure that not any few words at the end of a file come to it.
fn is_likely(bytes: &[u8], header: usize, candidate: &Candidate) -> bool {
    /// Words that are right by chance in one of so many files that it may be forgotten, in spite of all the
    /// offsets that are tried.
    const STRUCTURE: u64 = 4;
    let look = look_of(bytes, candidate.dialect, candidate.framing);
    // A single number in a frame may stand behind a version.
    let is_framed = matches!(candidate.framing, Framing::Frames(_)) && header <= bytes.len();
    let enough = look.has_structure(if is_framed { STRUCTURE / 2 } else { STRUCTURE });
    candidate.framing != Framing::BareSequence
        && candidate.deviations.only_padding_as_left()
        && enough
        && !look.is_implausible()
}
