//! Reading piece by piece, for readers that do not need a whole value.

use super::super::decoder::Decoder;
use super::event::Event;
use super::{Header, LEAST, Reader};
use crate::dialect::{Dialect, Precision};
use crate::packet::WideHeader;
use crate::{Level, Real, VariantType};
use formwork::{Path, PathSegment, Result};
use formwork_records::wire::word_at;

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

impl<'a> Reader<'a, '_> {
    /// Returns a reader that takes no notes, and reads real numbers in the dialect's precision.
    pub(crate) fn of<R: Real>(decoder: &Decoder<R>, bytes: &'a [u8]) -> Self {
        match decoder.dialect.precision() {
            Precision::Single => Self::new(&decoder.in_precision::<f32>(), bytes, None),
            Precision::Double => Self::new(&decoder.double(), bytes, None),
        }
    }

    /// Returns the reader's place.
    #[inline]
    pub(crate) fn place(&self) -> Place {
        Place { position: self.position(), depth: self.open.count(), promised: self.promised }
    }

    /// Goes back to an earlier place.
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

    /// Returns the largest number of containers around a value.
    pub(crate) const fn most_depth(&self) -> usize {
        self.depth
    }

    /// Returns the largest size of a text in bytes.
    pub(crate) const fn most_bytes(&self) -> u64 {
        self.decoder.limits.packet_bytes
    }

    /// Returns the type of the next packet and whether its header marks numbers of 64 bits, if the header has no
    /// other flags.
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

    /// Takes the next header, whose position is passed to `take`, and the bytes that `take` reads after it. If
    /// `take` returns [`None`], the header is not taken either.
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

    // Fast paths: each takes the next packet if it has the given type and no warning applies; otherwise it takes
    // nothing, and `Reader::packet` reads the packet. The caller has checked the depth limit.

    /// Takes an int.
    #[inline(always)]
    pub(crate) fn plain_int(&mut self) -> Option<i64> {
        match self.plain_header()? {
            (VariantType::Int, wide) => {
                self.behind_header(|reader, start| reader.int(wide, start).ok())
            }
            _ => None,
        }
    }

    /// Takes a float.
    #[inline(always)]
    pub(crate) fn plain_float(&mut self) -> Option<f64> {
        match self.plain_header()? {
            (VariantType::Float, wide) => {
                self.behind_header(|reader, start| reader.float(wide, start).ok())
            }
            _ => None,
        }
    }

    /// Takes a bool.
    #[inline(always)]
    pub(crate) fn plain_bool(&mut self) -> Option<bool> {
        match self.plain_header()? {
            (VariantType::Bool, false) => {
                self.behind_header(|reader, _| match reader.read::<u32>().ok()? {
                    0 => Some(false),
                    1 => Some(true),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Takes a String or StringName with the same bytes in memory.
    #[inline(always)]
    pub(crate) fn plain_words(&mut self) -> Option<(VariantType, &'a str)> {
        match self.plain_header()? {
            (variant_type @ (VariantType::String | VariantType::StringName), false) => {
                let text = self.behind_header(|reader, _| reader.plain_text())?;
                Some((variant_type, text))
            }
            _ => None,
        }
    }

    /// Takes the numbers of a math type of at most four of 32 bits, followed by zeros.
    #[inline(always)]
    pub(crate) fn plain_few(&mut self, wanted: VariantType) -> Option<[f32; 4]> {
        match self.plain_header()? {
            (variant_type, false) if variant_type == wanted => {
                self.behind_header(|reader, _| reader.few(wanted))
            }
            _ => None,
        }
    }

    /// Takes the front of an array or dictionary without attributes. The contents come next.
    #[inline(always)]
    pub(crate) fn plain_front(&mut self, wanted: VariantType) -> bool {
        let Some((variant_type, false)) = self.plain_header() else { return false };
        if variant_type != wanted {
            return false;
        }
        let opened = self.behind_header(|reader, _| {
            let opened = match wanted == VariantType::Dictionary {
                true => reader.dictionary(0),
                false => reader.array(0),
            };
            if let Event::Begin(begin) = opened.ok()?
                && begin.says_more
            {
                reader.open.pop();
                return None;
            }
            Some(())
        });
        opened.is_some()
    }

    /// Skips the `length` bytes of a key that was recognised by its packet.
    #[inline(always)]
    pub(crate) fn take_key(&mut self, length: usize) {
        self.input.take(length);
        self.promised = self.promised.saturating_sub(LEAST);
    }

    /// Returns the path into the packet that could not be read, and clears it.
    fn inside(&mut self) -> Path {
        let inside = self.inside.take().map(|inside| PathSegment::Field(inside.path_name()));
        inside.into_iter().collect()
    }

    /// Reads the bytes after a header, up to the values in the packet.
    #[inline]
    pub(crate) fn packet(&mut self, header: Header) -> Result<Event<'a>> {
        match self.content(header, true) {
            Ok(event) => {
                self.inside = None;
                Ok(event)
            }
            Err(error) => Err(error.under(self.inside())),
        }
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

    /// Returns the innermost container around the next value.
    #[inline]
    pub(crate) fn level(&self) -> Option<&Level> {
        self.open.last()
    }

    /// Closes the innermost container, which is complete.
    #[inline]
    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// Leaves the containers inside of the `depth` outermost.
    pub(crate) fn close_to(&mut self, depth: usize) {
        self.open.truncate(depth);
    }
}
