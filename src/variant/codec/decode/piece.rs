//! Reading piece by piece, for readers that make something else of a packet than a whole value.

use super::super::decoder::Decoder;
use super::{Header, Opened, Packet, Reading, Receiver};
use crate::error::Result;
use crate::variant::dialect::Precision;
use crate::variant::{Level, Real, Variant, VariantType};
use crate::wire::word_at;

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

    /// The type of the packet that comes next, if there is one.
    #[inline]
    pub(crate) fn next_type(&self) -> Option<VariantType> {
        let word = word_at(self.input.rest(), 0)?;
        self.rows.get(self.quirks.type_id(word) as usize).map(|row| row.variant_type)
    }

    /// Where the reader is.
    pub(crate) fn place(&self) -> Place {
        Place {
            position: self.position(),
            depth: self.open.as_slice().len(),
            promised: self.promised,
        }
    }

    /// Goes back to where the reader was.
    pub(crate) fn go_back(&mut self, place: Place) {
        self.input.set_position(place.position);
        self.open.truncate(place.depth);
        self.promised = place.promised;
    }

    /// Reads what follows a header, as one packet.
    pub(crate) fn packet<R: Real>(&mut self, header: Header) -> Result<Packet<R>> {
        let mut packet = None;
        match self.content(header, &mut packet) {
            Ok(()) => {
                self.inside = None;
                Ok(packet.unwrap_or(Packet::Value(Variant::Nil)))
            }
            Err(error) => Err(error.under(self.inside())),
        }
    }

    /// The containers around what comes next, the outermost first.
    pub(crate) fn levels(&self) -> &[Level] {
        self.open.as_slice()
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

    /// Whether the real numbers behind a header have 64 bits, and keep them: an engine of single
    /// precision reads them into 32.
    pub(crate) fn may_be_double(&self, header: Header) -> bool {
        self.quirks.real_flag
            && header.variant_type.is_real()
            && self.decoder.dialect.precision() == Precision::Double
    }
}

impl<'a, R: Real> Receiver<'a, R> for Option<Packet<R>> {
    #[inline(always)]
    fn take(&mut self, _: &mut Reading<'a, '_>, value: Variant<R>) -> Result<()> {
        *self = Some(Packet::Value(value));
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, _: &mut Reading<'a, '_>, _: usize, opened: Opened) -> Result<()> {
        *self = Some(Packet::Open(opened));
        Ok(())
    }
}
