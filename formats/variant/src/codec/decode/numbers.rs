//! Types that consist of numbers only.

use std::any::Any;

use binrw::{BinRead, Endian};

use super::Reader;
use super::scalar::{components_hold, components_widen};
use crate::dialect::Precision;
use crate::{Math, NumberKind, NumberSource, Real, RealMath, Variant, VariantType};
use formwork::{Error, Result};
use formwork_records::wire::{Block, CountArgs, Cursor, Element, read_record};

/// The numbers of a math type or packed array, in the bytes of a packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawNumbers<'a> {
    pub(crate) variant_type: VariantType,
    /// Whether real numbers have 64 bits in the packet.
    wide: bool,
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
            0 => self.input.take(size).ok_or_else(|| self.cut_head(size))?,
            _ => self.packed(size)?,
        };
        if is_real && wide != self.doubles {
            self.fits(wide, size, bytes, start)?;
        }
        Ok(RawNumbers { variant_type, wide, bytes })
    }

    /// Checks that a value of the other width holds the real numbers of the packet exactly: a number of a
    /// double-precision build that 32 bits would round is an error. A single-precision engine that reads 64 bits
    /// rounds them itself; the warning for that is given elsewhere.
    #[cold]
    #[inline(never)]
    fn fits(&self, wide: bool, size: usize, bytes: &[u8], start: usize) -> Result<()> {
        let offset = start as u64;
        if wide && self.decoder.dialect.precision() == Precision::Double {
            each::<f64>(bytes, size, |numbers| components_hold::<f64, f32>(numbers, offset))
        } else if !wide && self.is_canonical() {
            each::<f32>(bytes, size, |numbers| components_widen::<f32, f64>(numbers, offset))
        } else {
            Ok(())
        }
    }
}

/// Calls `look` with the numbers of each value of `size` bytes.
fn each<W: Real>(bytes: &[u8], size: usize, look: impl Fn(&[W]) -> Result<()>) -> Result<()> {
    /// RawNumbers of the largest math type.
    const MOST: usize = 16;
    let number = |bytes: &[u8]| {
        W::from_bits(bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    };
    for value in bytes.chunks_exact(size) {
        let (mut numbers, mut count) = ([W::default(); MOST], 0);
        for (place, bytes) in numbers.iter_mut().zip(value.chunks_exact(size_of::<W>())) {
            *place = number(bytes);
            count += 1;
        }
        look(&numbers[..count])?;
    }
    Ok(())
}

impl RawNumbers<'_> {
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
