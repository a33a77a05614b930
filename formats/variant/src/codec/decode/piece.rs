//! Reading piece by piece, for readers that make something else of a packet than a whole value.

use super::super::decoder::Decoder;
use super::{Header, LEAST, Reading, Receiver};
use crate::dialect::{Dialect, Precision};
use crate::packet::WideHeader;
use crate::{Level, Real, VariantType};
use formwork::Result;
use formwork_records::wire::word_at;

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

    /// Whether the value of a pair comes next.
    #[inline]
    pub(crate) fn is_at_value(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_at_value())
    }

    /// Goes back to where the reader was.
    pub(crate) fn go_back(&mut self, place: Place) {
        self.input.set_position(place.position);
        self.open.truncate(place.depth);
        self.promised = place.promised;
    }

    /// The bytes that are left.
    #[inline(always)]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.input.rest()
    }

    /// The dialect that is read.
    pub(crate) const fn dialect(&self) -> Dialect {
        self.decoder.dialect
    }

    /// How many containers may be around a value.
    pub(crate) const fn most_depth(&self) -> usize {
        self.depth
    }

    /// How long a text may be.
    pub(crate) const fn most_bytes(&self) -> u64 {
        self.decoder.limits.packet_bytes
    }

    /// The type of the packet that comes next and whether its header says that numbers have 64 bits, if it says no
    /// more.
    #[inline(always)]
    fn plain_header(&self) -> Option<(VariantType, bool)> {
        let word = word_at::<u32>(self.input.rest(), 0)?;
        let header = WideHeader::from(word);
        if header.unused() != 0 || header.unused_high() != 0 {
            return None;
        }
        let row = self.rows.get(self.quirks.type_id(word) as usize)?;
        Some((row.variant_type, header.flag_64()))
    }

    /// Takes the header that comes next, which begins at the position that `take` is given, and what that takes
    /// behind it. Where that takes nothing, nothing is taken.
    #[inline(always)]
    fn behind_header<T>(&mut self, take: impl FnOnce(&mut Self, usize) -> Option<T>) -> Option<T> {
        let (start, promised) = (self.input.position(), self.promised);
        self.input.take(size_of::<u32>());
        self.promised = promised.saturating_sub(LEAST);
        let taken = take(self, start);
        if taken.is_none() {
            self.input.set_position(start);
            self.promised = promised;
        }
        taken
    }

    // What follows takes the packet that comes next if it is of one type, in a place where nothing is to be said of
    // it, and nothing is to be said of itself. `Reading::packet` has the say about every other: then nothing is
    // taken. Whoever asks has looked at the depth.

    /// Takes an int.
    #[inline(always)]
    pub(crate) fn plain_int(&mut self) -> Option<i64> {
        match self.plain_header()? {
            (VariantType::Int, wide) => {
                self.behind_header(|reading, start| reading.int(wide, start).ok())
            }
            _ => None,
        }
    }

    /// Takes a float.
    #[inline(always)]
    pub(crate) fn plain_float(&mut self) -> Option<f64> {
        match self.plain_header()? {
            (VariantType::Float, wide) => {
                self.behind_header(|reading, start| reading.float(wide, start).ok())
            }
            _ => None,
        }
    }

    /// Takes a bool.
    #[inline(always)]
    pub(crate) fn plain_bool(&mut self) -> Option<bool> {
        match self.plain_header()? {
            (VariantType::Bool, false) => {
                self.behind_header(|reading, _| match reading.read::<u32>().ok()? {
                    0 => Some(false),
                    1 => Some(true),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Takes a String or StringName that stands in the input just as it is.
    #[inline(always)]
    pub(crate) fn plain_words(&mut self) -> Option<(VariantType, &'a str)> {
        match self.plain_header()? {
            (variant_type @ (VariantType::String | VariantType::StringName), false) => {
                let text = self.behind_header(|reading, _| reading.plain_text())?;
                Some((variant_type, text))
            }
            _ => None,
        }
    }

    /// Takes the numbers of a math type of at most four of 32 bits; zeros stand behind them.
    #[inline(always)]
    pub(crate) fn plain_few(&mut self, wanted: VariantType) -> Option<[f32; 4]> {
        match self.plain_header()? {
            (variant_type, false) if variant_type == wanted => {
                self.behind_header(|reading, _| reading.few(wanted))
            }
            _ => None,
        }
    }

    /// Takes the front of an array or dictionary that says nothing about itself. What it holds comes next.
    #[inline(always)]
    pub(crate) fn plain_front(&mut self, wanted: VariantType) -> bool {
        let Some((variant_type, false)) = self.plain_header() else { return false };
        if variant_type != wanted {
            return false;
        }
        let opened = self.behind_header(|reading, _| {
            let opened = match wanted == VariantType::Dictionary {
                true => reading.dictionary(0),
                false => reading.array(0),
            };
            if opened.ok()?.front.says_more() {
                reading.open.pop();
                return None;
            }
            Some(())
        });
        opened.is_some()
    }

    /// Takes so many bytes of a key that somebody knows.
    #[inline(always)]
    pub(crate) fn take_key(&mut self, length: usize) {
        self.input.take(length);
        self.promised = self.promised.saturating_sub(LEAST);
    }

    /// Takes the packet that comes next if it is an int, a float or a text of which nothing is to be said.
    /// [`Reading::packet`] has the say about every other: then nothing is taken.
    #[inline(always)]
    pub(crate) fn plain(&mut self) -> Option<Plain<'a>> {
        if self.open.count() > self.depth {
            return None;
        }
        let (variant_type, wide) = self.plain_header()?;
        let is_text = matches!(variant_type, VariantType::String | VariantType::StringName);
        self.behind_header(|reading, start| {
            if variant_type == VariantType::Int {
                reading.int(wide, start).ok().map(Plain::Int)
            } else if variant_type == VariantType::Float {
                reading.float(wide, start).ok().map(Plain::Float)
            } else if is_text && !wide {
                reading.plain_text().map(|text| Plain::Text(variant_type, text))
            } else {
                None
            }
        })
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
        if header.has_flags() {
            return None;
        }
        self.few(header.variant_type)
    }

    /// Takes the numbers of a math type of at most four of 32 bits.
    #[inline(always)]
    fn few(&mut self, variant_type: VariantType) -> Option<[f32; 4]> {
        let components = match variant_type.numbers() {
            Some(numbers) if numbers.element.is_none() && variant_type.is_real() => {
                numbers.components.len()
            }
            _ => return None,
        };
        if self.quirks.real_flag && self.decoder.dialect.precision() == Precision::Double {
            return None;
        }
        let mut reals = [0.0; 4];
        let taken = reals.get_mut(..components)?;
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
