//! Reading piece by piece, for readers that make something else of a packet than a whole value.

use super::super::decoder::Decoder;
use super::{Header, LEAST, Reading, Receiver};
use crate::error::Result;
use crate::variant::dialect::Precision;
use crate::variant::packet::WideHeader;
use crate::variant::{Level, Real, VariantType};
use crate::wire::word_at;

/// A value that packets are full of.
pub(crate) enum Plain<'a> {
    Int(i64),
    Float(f64),
    /// A String or StringName that stands in the input just as it is.
    Text(VariantType, &'a str),
}

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
    #[inline]
    pub(crate) fn place(&self) -> Place {
        Place { position: self.position(), depth: self.open.count(), promised: self.promised }
    }

    /// How many elements, pairs or properties of the innermost container are still to come.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.open.last().map_or(0, |level| level.left() as usize)
    }

    /// Whether the key of a pair comes next.
    #[inline]
    pub(crate) fn is_at_key(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_at_key())
    }

    /// Goes back to where the reader was.
    pub(crate) fn go_back(&mut self, place: Place) {
        self.input.set_position(place.position);
        self.open.truncate(place.depth);
        self.promised = place.promised;
    }

    /// Takes the packet that comes next if it is an int, a float or a text of which nothing is to be said.
    /// [`Reading::packet`] has the say about every other: then nothing is taken.
    #[inline(always)]
    pub(crate) fn plain(&mut self) -> Option<Plain<'a>> {
        let (start, promised) = (self.input.position(), self.promised);
        let word = word_at::<u32>(self.input.rest(), 0)?;
        let header = WideHeader::from(word);
        let has_other_flags = header.unused() != 0 || header.unused_high() != 0;
        if has_other_flags || self.open.count() > self.depth {
            return None;
        }
        let variant_type = self.rows.get(self.quirks.type_id(word) as usize)?.variant_type;
        self.input.take(size_of::<u32>());
        self.promised = promised.saturating_sub(LEAST);
        let wide = header.flag_64();
        let is_text = matches!(variant_type, VariantType::String | VariantType::StringName);
        let plain = if variant_type == VariantType::Int {
            self.int(wide, start).ok().map(Plain::Int)
        } else if variant_type == VariantType::Float {
            self.float(wide, start).ok().map(Plain::Float)
        } else if is_text && !wide {
            self.plain_text().map(|text| Plain::Text(variant_type, text))
        } else {
            None
        };
        if plain.is_none() {
            self.input.set_position(start);
            self.promised = promised;
        }
        plain
    }

    /// Reads what follows a header, as one packet, which goes to `receiver`.
    #[inline]
    pub(crate) fn packet<R: Real>(
        &mut self,
        header: Header,
        receiver: &mut impl Receiver<'a, R>,
    ) -> Result<()> {
        match self.content(header, receiver) {
            Ok(()) => {
                self.inside = None;
                Ok(())
            }
            Err(error) => Err(error.under(self.inside())),
        }
    }

    /// Takes the numbers of a math type of at most four of 32 bits, where nothing is to be said of them; zeros
    /// stand behind them. [`Reading::packet`] has the say about every other: then nothing is taken.
    pub(crate) fn plain_reals(&mut self, header: Header) -> Option<[f32; 4]> {
        let numbers = header.variant_type.numbers().filter(|numbers| numbers.element.is_none())?;
        let may_be_wide =
            self.quirks.real_flag && self.decoder.dialect.precision() == Precision::Double;
        if header.has_flags() || !header.variant_type.is_real() || may_be_wide {
            return None;
        }
        let mut reals = [0.0; 4];
        let taken = reals.get_mut(..numbers.components.len())?;
        for (index, real) in taken.iter_mut().enumerate() {
            *real = word_at(self.input.rest(), index * size_of::<f32>())?;
        }
        self.input.take(size_of_val(taken));
        Some(reals)
    }

    /// The innermost container around what comes next.
    #[inline]
    pub(crate) const fn level(&self) -> Option<&Level> {
        self.open.last()
    }

    /// The value that was read is done.
    #[inline]
    pub(crate) fn advance(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.advance();
        }
    }

    /// The innermost container is complete.
    #[inline]
    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// Gives up what is open inside of so many containers.
    pub(crate) fn close_to(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    /// Whether the real numbers behind a header have 64 bits, and keep them: an engine of single
    /// precision reads them into 32.
    #[inline]
    pub(crate) fn may_be_double(&self, header: Header) -> bool {
        self.quirks.real_flag
            && header.variant_type.is_real()
            && self.decoder.dialect.precision() == Precision::Double
    }
}
