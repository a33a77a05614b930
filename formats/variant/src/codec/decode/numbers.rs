//! Types that consist of numbers only.

use std::any::Any;

use binrw::{BinRead, Endian};

use super::scalar::{components_hold, components_widen};
use super::{Reader, tally};
use crate::dialect::Precision;
use crate::{Math, NumberKind, NumberSource, Real, RealMath, Variant, VariantType};
use formwork::{Error, Result};
use formwork_records::wire::{Block, CountArgs, Cursor, Element, read_record, read_record_in};

/// The numbers of a math type or packed array, in the bytes of a packet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RawNumbers<'a> {
    pub(crate) variant_type: VariantType,
    /// Whether real numbers have 64 bits in the packet.
    wide: bool,
    /// Whether the engine rounds real numbers of 64 bits to 32.
    #[cfg_attr(
        not(feature = "serde"),
        allow(dead_code, reason = "only serde shows single numbers")
    )]
    rounds: bool,
    bytes: &'a [u8],
}

/// Numbers of a value or element, bytes of each (the fewer of two widths), whether they are `real_t`, and whether
/// there is a count of elements: by type.
static LAYOUTS: [[u8; 4]; VariantType::ALL.len()] = {
    let mut layouts = [[0; 4]; VariantType::ALL.len()];
    let mut at = 0;
    while at < layouts.len() {
        let variant_type = VariantType::ALL[at];
        if let Some(numbers) = variant_type.numbers() {
            let width = match numbers.number {
                NumberKind::Double | NumberKind::Long => size_of::<u64>() as u8,
                NumberKind::Real | NumberKind::Single | NumberKind::Int => size_of::<u32>() as u8,
            };
            let is_packed = numbers.element.is_some() as u8;
            layouts[variant_type as usize] =
                [numbers.count as u8, width, variant_type.is_real() as u8, is_packed];
        }
        at += 1;
    }
    layouts
};

impl<'a> Reader<'a, '_> {
    /// Reads a value of a type that consists of numbers only, whose packet starts at `start`.
    #[inline(always)]
    pub(super) fn raw_numbers(
        &mut self,
        variant_type: VariantType,
        flag: bool,
        start: usize,
    ) -> Result<RawNumbers<'a>> {
        let [count, width, is_real, is_packed] = LAYOUTS[variant_type as usize];
        let is_real = is_real != 0;
        let wide = is_real && self.real_wide(variant_type, flag, start)?;
        let size = (usize::from(count) * usize::from(width)) << u32::from(wide);
        let bytes = match is_packed {
            0 => self
                .input
                .take(size)
                .inspect(|bytes| tally::math(bytes))
                .ok_or_else(|| self.cut_head(size))?,
            _ => self.packed(size)?,
        };
        let numbers = RawNumbers { variant_type, wide, rounds: wide && !self.doubles, bytes };
        if is_real && wide != self.doubles {
            let may_round = self.decoder.dialect.precision() == Precision::Single;
            numbers.convert(may_round, self.is_canonical(), start as u64)?;
        }
        Ok(numbers)
    }
}

impl<'a> Reader<'a, '_> {
    /// Reads a value of a type that consists of numbers only and has no header. `wide` is set if its real numbers have
    /// 64 bits.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are cut.
    pub fn bare_numbers(
        &mut self,
        variant_type: VariantType,
        wide: bool,
        endian: Endian,
    ) -> Result<RawNumbers<'a>> {
        let [count, width, is_real, is_packed] = LAYOUTS[variant_type as usize];
        let wide = wide && is_real != 0;
        let size = (usize::from(count) * usize::from(width)) << u32::from(wide);
        let bytes = match is_packed {
            0 => self.input.take(size).ok_or_else(|| self.cut_head(size))?,
            _ => {
                let elements = read_record_in::<u32>(&mut self.input, endian)? as usize;
                let (start, left) = (self.position() as u64, self.input.left() as u64);
                let bytes = elements.checked_mul(size).and_then(|length| self.input.take(length));
                bytes.ok_or_else(|| {
                    formwork::wire::missing(start, left, elements as u64, size).within("elements")
                })?
            }
        };
        Ok(RawNumbers { variant_type, wide, rounds: wide && !self.doubles, bytes })
    }
}

/// Returns the numbers of a math type or packed array, and the count of that, with the bytes of each in the other order.
/// `wide` is set if real numbers have 64 bits.
#[must_use]
pub fn in_other_order(variant_type: VariantType, wide: bool, bytes: &[u8]) -> Vec<u8> {
    let [.., is_real, is_packed] = LAYOUTS[variant_type as usize];
    let count = if is_packed == 0 { 0 } else { size_of::<u32>() };
    let (count, numbers) = bytes.split_at(count.min(bytes.len()));
    let numbers = RawNumbers::new(variant_type, wide && is_real != 0, numbers).swapped().1;
    count.iter().rev().copied().chain(numbers).collect()
}

/// A number in a packet.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum RawNumber {
    /// A float of 32 bits.
    Single(f32),
    /// A float of 64 bits.
    Double(f64),
    /// A whole number.
    Int(i64),
}

impl<'a> RawNumbers<'a> {
    /// Returns the numbers of a value of this type; `wide` says whether real numbers have 64 bits.
    pub(crate) const fn new(variant_type: VariantType, wide: bool, bytes: &'a [u8]) -> Self {
        Self { variant_type, wide, rounds: false, bytes }
    }
}

#[cfg(feature = "serde")]
impl<'a> RawNumbers<'a> {
    /// As [`new`](Self::new); [`None`] if the bytes are not those of a whole value.
    pub(crate) fn whole(variant_type: VariantType, wide: bool, bytes: &'a [u8]) -> Option<Self> {
        let numbers = Self::new(variant_type, wide, bytes);
        let [.., is_packed] = LAYOUTS[variant_type as usize];
        let is_whole = match is_packed {
            // A type without numbers has a size of 0.
            0 => bytes.len() == numbers.size() && !bytes.is_empty(),
            _ => bytes.len().is_multiple_of(numbers.size()),
        };
        is_whole.then_some(numbers)
    }

    /// Returns whether the numbers are real numbers of the engine.
    #[inline]
    pub(crate) const fn is_real(self) -> bool {
        let [_, _, is_real, _] = LAYOUTS[self.variant_type as usize];
        is_real != 0
    }

    /// Returns whether real numbers have 64 bits.
    pub(crate) const fn is_wide(self) -> bool {
        self.wide
    }

    /// Returns the bytes, and the number of elements of a packed array.
    pub(crate) fn parts(self) -> (&'a [u8], Option<usize>) {
        let [_, _, _, is_packed] = LAYOUTS[self.variant_type as usize];
        (self.bytes, (is_packed != 0).then(|| self.bytes.len() / self.size().max(1)))
    }

    /// Returns the type of the value.
    pub(crate) const fn variant_type(self) -> VariantType {
        self.variant_type
    }

    /// Returns the numbers, one by one.
    #[inline]
    pub(crate) fn each(self) -> impl ExactSizeIterator<Item = RawNumber> + use<'a> {
        let [_, width, ..] = LAYOUTS[self.variant_type as usize];
        let width = usize::from(width) << u32::from(self.wide);
        let is_int = matches!(
            self.variant_type.numbers().map(|numbers| numbers.number),
            Some(NumberKind::Int | NumberKind::Long)
        );
        self.bytes.chunks_exact(width.max(1)).map(move |bytes| match (bytes, is_int) {
            (&[a, b, c, d], false) => RawNumber::Single(f32::from_le_bytes([a, b, c, d])),
            (&[a, b, c, d], true) => RawNumber::Int(i32::from_le_bytes([a, b, c, d]).into()),
            (bytes, is_int) => {
                let bytes = bytes.first_chunk().copied().unwrap_or_default();
                match is_int {
                    true => RawNumber::Int(i64::from_le_bytes(bytes)),
                    false if self.rounds => RawNumber::Single(f64::from_le_bytes(bytes) as f32),
                    false => RawNumber::Double(f64::from_le_bytes(bytes)),
                }
            }
        })
    }

    /// Returns the elements of a packed array of a math type; [`None`] for other types.
    pub(crate) fn vectors(self) -> Option<impl ExactSizeIterator<Item = RawNumbers<'a>> + use<'a>> {
        let element = self.variant_type.numbers()?.element?;
        element.numbers()?;
        let vectors = self.bytes.chunks_exact(self.size().max(1));
        Some(vectors.map(move |bytes| Self { variant_type: element, bytes, ..self }))
    }

    /// Checks that a value whose real numbers have 64 bits, or 32, holds these.
    ///
    /// # Errors
    ///
    /// As [`convert`](Self::convert).
    pub(crate) fn fit(
        self,
        in_double: bool,
        may_round: bool,
        is_canonical: bool,
        offset: u64,
    ) -> Result<()> {
        match self.is_real() && self.wide != in_double {
            true => self.convert(may_round, is_canonical, offset),
            false => Ok(()),
        }
    }
}

impl RawNumbers<'_> {
    /// Returns whether real numbers have 64 bits, and the bytes with those of each number in the other order.
    #[must_use]
    pub fn swapped(self) -> (bool, Vec<u8>) {
        let [_, width, ..] = LAYOUTS[self.variant_type as usize];
        let width = usize::from(width) << u32::from(self.wide);
        let mut bytes = self.bytes.to_vec();
        bytes.chunks_exact_mut(width.max(1)).for_each(<[u8]>::reverse);
        (self.wide, bytes)
    }

    /// Returns the number of bytes of a value of a math type, or of an element of a packed array.
    const fn size(self) -> usize {
        let [count, width, ..] = LAYOUTS[self.variant_type as usize];
        (count as usize * width as usize) << (self.wide as u32)
    }

    /// Calls `look` with the numbers of the value, or of each element of a packed array. They have the width of `W`.
    pub(in crate::codec) fn values<W: Real>(self, look: impl Fn(&[W]) -> Result<()>) -> Result<()> {
        /// Numbers of the largest math type.
        const MOST: usize = 16;
        let number = |bytes: &[u8]| {
            W::from_bits(bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
        };
        for value in self.bytes.chunks_exact(self.size().max(1)) {
            let (mut numbers, mut count) = ([W::default(); MOST], 0);
            for (place, bytes) in numbers.iter_mut().zip(value.chunks_exact(size_of::<W>())) {
                *place = number(bytes);
                count += 1;
            }
            look(&numbers[..count])?;
        }
        Ok(())
    }

    /// Checks that real numbers of the other width hold these exactly. A single-precision engine that reads 64 bits
    /// rounds them itself; the warning for that is given elsewhere.
    ///
    /// # Errors
    ///
    /// Refuses numbers that 32 bits would round, unless they `may_round`; for canonical packets, NaNs that change in
    /// 64 bits.
    #[cold]
    #[inline(never)]
    fn convert(self, may_round: bool, is_canonical: bool, offset: u64) -> Result<()> {
        if self.wide && !may_round {
            self.values::<f64>(|numbers| components_hold::<f64, f32>(numbers, offset))
        } else if !self.wide && is_canonical {
            self.values::<f32>(|numbers| components_widen::<f32, f64>(numbers, offset))
        } else {
            Ok(())
        }
    }

    /// Makes the value.
    #[inline(never)]
    pub(crate) fn value<R: Real>(self) -> Variant<R> {
        match Variant::from_numbers(self.variant_type, self) {
            Ok(Ok(value)) => value,
            // The reader has checked that all numbers are there.
            Ok(Err(_)) | Err(_) => Variant::Nil,
        }
    }

    /// Makes the elements of a packed array.
    fn elements<T: Element>(self) -> Result<Vec<T>> {
        if let Some(elements) = T::of_block(self.bytes) {
            return Ok(elements);
        }
        let count = CountArgs { count: self.bytes.len() / T::BYTES };
        let block = Block::<T>::read_options(&mut Cursor::new(self.bytes), Endian::Little, count);
        Ok(block.map(|block| block.0.into_owned()).unwrap_or_default())
    }

    fn packed_in_precision<W: Real, R: Real, T: RealMath<R>>(self) -> Result<Vec<T>> {
        let mut values = self.elements::<T::In<W>>()?;
        // In the width of the packet they are of the same type.
        if let Some(same) = of_same_type(&mut values) {
            return Ok(same);
        }
        Ok(values.into_iter().map(T::from_precision).collect())
    }
}

/// Takes a list of elements of this type; [`None`] for a list of another type.
fn of_same_type<T: 'static>(elements: &mut dyn Any) -> Option<Vec<T>> {
    elements.downcast_mut::<Vec<T>>().map(std::mem::take)
}

impl<R: Real> NumberSource<R> for RawNumbers<'_> {
    type Error = Error;

    #[inline(always)]
    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        let input = &mut Cursor::new(self.bytes);
        if self.wide {
            Ok(T::from_precision(read_record::<T::In<f64>>(input)?))
        } else {
            Ok(T::from_precision(read_record::<T::In<f32>>(input)?))
        }
    }

    #[inline(always)]
    fn math<T: Math>(self) -> Result<T> {
        read_record(&mut Cursor::new(self.bytes))
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        if self.wide {
            self.packed_in_precision::<f64, R, T>()
        } else {
            self.packed_in_precision::<f32, R, T>()
        }
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.elements()
    }
}
