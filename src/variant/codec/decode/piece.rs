//! Reading piece by piece, for readers that make something else of a packet than a whole value.

use super::super::decoder::Decoder;
use super::{Header, Reading};
use crate::variant::VariantType;
use crate::variant::dialect::Precision;
use crate::variant::packet::PackedBytes;
use crate::variant::{Level, Real};
use crate::wire::{Padding, word, word_at};

/// A place in a packet to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) position: usize,
    pub(crate) depth: usize,
    promised: u64,
}

impl Place {
    pub(crate) const fn new(position: usize, depth: usize, promised: u64) -> Self {
        Self { position, depth, promised }
    }

    /// Bytes that were still to come.
    pub(crate) const fn promised(self) -> u64 {
        self.promised
    }
}

impl<'a> Reading<'a, '_> {
    /// A reader that takes no notes.
    pub(crate) fn of<R: Real>(decoder: &Decoder<R>, bytes: &'a [u8]) -> Self {
        Self::new(decoder, bytes, None)
    }

    /// Where the reader is.
    pub(crate) fn place(&self) -> Place {
        Place { position: self.position(), depth: self.open.len(), promised: self.promised }
    }

    /// Goes back to where the reader was.
    pub(crate) fn go_back(&mut self, place: Place) {
        self.input.set_position(place.position);
        self.open.truncate(place.depth);
        self.promised = place.promised;
    }

    /// The containers around what comes next, the outermost first.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.open
    }

    /// The value that was read is done.
    pub(crate) fn advance(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.advance();
        }
    }

    /// The innermost container is complete.
    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// The type of the packet that comes next, if there is one.
    pub(crate) fn next_type(&self) -> Option<VariantType> {
        let word = word_at(self.input.rest(), 0)?;
        self.decoder.dialect.row(self.quirks.type_id(word)).map(|row| row.variant_type)
    }

    /// Whether the real numbers behind a header have 64 bits, and keep them: an engine of single
    /// precision reads them into 32.
    pub(crate) fn may_be_double(&self, header: Header) -> bool {
        self.quirks.real_flag
            && header.variant_type.is_real()
            && self.decoder.dialect.precision() == Precision::Double
    }

    /// The text of a string that stands in the packet just as it is, which nearly every one does. All
    /// quirks for strings are in [`Reading::content`], which has the say about every other.
    ///
    /// (By hand, because a record that binrw reads owns what it holds.)
    pub(crate) fn plain_text(&mut self, header: Header) -> Option<&'a str> {
        let bytes = self.plain_block(header)?;
        let text = std::str::from_utf8(bytes).ok()?;
        if bytes.contains(&0) || text.starts_with('\u{feff}') {
            return None;
        }
        self.pass(bytes.len());
        Some(text)
    }

    /// The bytes of a byte array that stands in the packet with all its padding.
    pub(crate) fn plain_bytes(&mut self, header: Header) -> Option<&'a [u8]> {
        let bytes = self.plain_block(header)?;
        self.pass(bytes.len());
        Some(bytes)
    }

    /// Bytes behind their length, padded with zeros.
    fn plain_block(&self, header: Header) -> Option<&'a [u8]> {
        if header.word > 0xff {
            return None;
        }
        let rest = self.input.rest();
        // A text and bytes start alike.
        let word = word!(rest, PackedBytes<'static>, count: u32)?;
        let length = usize::try_from(i32::try_from(word).ok()?).ok()?;
        if length as u64 > self.decoder.limits.packet_bytes {
            return None;
        }
        let (bytes, behind) = rest.get(4..)?.split_at_checked(length)?;
        let padding = behind.get(..Padding::needed(length))?;
        padding.iter().all(|&byte| byte == 0).then_some(bytes)
    }

    /// Passes over what [`Reading::plain_block`] found.
    fn pass(&mut self, length: usize) {
        self.input.take(4 + length + Padding::needed(length));
    }
}
