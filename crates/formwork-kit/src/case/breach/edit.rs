//! A packet that is being changed at one site.

use std::ops::Range;

use arbitrary::{Result, Unstructured};
use formwork::variant::VariantType;
use formwork::variant::dialect::{Dialect, Quirks};
use formwork::variant::packet::DictionaryHeader;
use formwork::wire::{Padding, utf8};

use super::survey::{Packet, Role, Site, Survey, word};

/// A packet that is being changed at one site.
pub(super) struct Edit<'e, 'u, 'a> {
    pub(super) u: &'u mut Unstructured<'a>,
    pub(super) dialect: Dialect,
    pub(super) quirks: &'static Quirks,
    /// Whether objects in full form are accepted.
    pub(super) objects: bool,
    /// The packet as it was.
    pub(super) survey: &'e Survey,
    pub(super) site: Site,
    pub(super) packet: &'e Packet,
    pub(super) bytes: &'e mut Vec<u8>,
    /// What an engine would write for the same value: the packet as it was, unless the change says
    /// otherwise. Only where that is asked for.
    pub(super) pair: Option<Vec<u8>>,
}

impl Edit<'_, '_, '_> {
    pub(super) fn word(&self, at: usize) -> u32 {
        word(self.bytes, at)
    }

    pub(super) fn set(&mut self, at: usize, number: u32) {
        replace(self.bytes, at..at + 4, &number.to_le_bytes());
    }

    pub(super) fn set_bits(&mut self, at: usize, bits: u32) {
        self.set(at, self.word(at) | bits);
    }

    /// Puts other bytes in the place of some.
    pub(super) fn splice(&mut self, range: Range<usize>, bytes: &[u8]) {
        replace(self.bytes, range, bytes);
    }

    pub(super) fn insert(&mut self, at: usize, bytes: &[u8]) {
        self.splice(at..at, bytes);
    }

    /// Replaces a range of the canonical bytes.
    pub(super) fn splice_pair(&mut self, range: Range<usize>, bytes: &[u8]) {
        if let Some(pair) = &mut self.pair {
            replace(pair, range, bytes);
        }
    }

    /// The text at the site.
    pub(super) fn text(&self) -> &[u8] {
        let start = self.site.at + 4;
        self.bytes.get(start..start + self.site.length).unwrap_or_default()
    }

    /// Where the padding of the text or bytes at the site begins and ends.
    pub(super) const fn padding(&self) -> Range<usize> {
        let end = self.site.at + 4 + self.site.length;
        end..end + Padding::needed(self.site.length)
    }

    /// Writes another text at the site, with its length and padding.
    pub(super) fn set_text(&mut self, text: &[u8]) {
        let range = self.site.at..self.padding().end;
        let mut record = (text.len() as u32).to_le_bytes().to_vec();
        record.extend_from_slice(text);
        record.resize(4 + text.len() + Padding::needed(text.len()), 0);
        self.splice(range, &record);
    }

    /// The places in the text where a character starts or the text ends.
    pub(super) fn boundaries(&self, text: &[u8]) -> Vec<usize> {
        let mut boundaries = vec![0];
        let mut at = 0;
        while let Some(rest) = text.get(at..)
            && let Ok((_, length)) = utf8::sequence(rest)
        {
            at += length;
            boundaries.push(at);
        }
        boundaries
    }

    /// The number of a type, which stands in the header of its packets.
    pub(super) fn id(&self, variant_type: VariantType) -> u32 {
        self.dialect.type_id(variant_type).map_or(0, u32::from)
    }

    /// Whether the packet is a key or in one.
    pub(super) fn is_in_key(&self) -> bool {
        let mut next = Some(self.packet);
        while let Some(packet) = next {
            if packet.role == Role::Key {
                return true;
            }
            next = packet.around.and_then(|around| self.survey.packets.get(around));
        }
        false
    }

    /// Where in the header the form of the element type at the site stands, from the lowest bit: a
    /// dictionary has one for its keys and one for its values.
    pub(super) fn kind_shift(&self) -> u32 {
        let is_first = self.site.at == self.packet.start + 4;
        let has_keys = DictionaryHeader::from(self.packet.header).key_kind() != 0;
        let is_dictionary = self.packet.variant_type == VariantType::Dictionary;
        if is_dictionary && !(is_first && has_keys) { 18 } else { 16 }
    }

    /// The form of the element type at the site.
    pub(super) fn kind(&self) -> u32 {
        self.packet.header >> self.kind_shift() & 3
    }

    /// Gives the element type at the site another form.
    pub(super) fn set_kind(&mut self, kind: u32) {
        let shift = self.kind_shift();
        self.set(self.packet.start, self.packet.header & !(3 << shift) | kind << shift);
    }

    /// Bytes behind `at`.
    pub(super) fn left(&self, at: usize) -> u64 {
        self.bytes.len().saturating_sub(at) as u64
    }

    /// A number above `least` that a 31-bit word holds: by one, by much, the largest, or any.
    pub(super) fn above(&mut self, least: u64) -> Result<Option<u32>> {
        const MOST: u64 = i32::MAX as u64;
        if least >= MOST {
            return Ok(None);
        }
        let number = match self.u.int_in_range(0..=3_u8)? {
            0 => least + 1,
            1 => (least + 0x1_0000).min(MOST),
            2 => MOST,
            _ => self.u.int_in_range(least + 1..=MOST)?,
        };
        Ok(u32::try_from(number).ok())
    }

    /// A word that is negative to those to whom it has a sign.
    pub(super) fn negative(&mut self) -> Result<u32> {
        Ok(match self.u.int_in_range(0..=2_u8)? {
            0 => u32::MAX,
            1 => 1 << 31,
            _ => self.u.arbitrary::<u32>()? | 1 << 31,
        })
    }

    /// Some of these bits, one at least.
    pub(super) fn some_of(&mut self, bits: u32) -> Result<u32> {
        let some = self.u.arbitrary::<u32>()? & bits;
        if some != 0 && self.u.arbitrary()? {
            return Ok(some);
        }
        let index = self.u.choose_index(bits.count_ones().max(1) as usize)?;
        let nth = (0..32).map(|shift| 1 << shift).filter(|bit| bits & bit != 0).nth(index);
        Ok(nth.unwrap_or_default())
    }
}

/// Puts other bytes in the place of some.
fn replace(all: &mut Vec<u8>, range: Range<usize>, bytes: &[u8]) {
    let end = range.end.min(all.len());
    let start = range.start.min(end);
    match all.get_mut(start..end) {
        Some(same) if same.len() == bytes.len() => same.copy_from_slice(bytes),
        _ => drop(all.splice(start..end, bytes.iter().copied())),
    }
}

/// The bytes of words.
pub(super) fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
