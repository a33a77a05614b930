//! Packed arrays.

use super::Reader;
use crate::defect::{Defect, defect};
use crate::input::{Fault, Result};
use crate::variant::types::Type;

impl Reader<'_, '_> {
    pub(super) fn bytes(&mut self, depth: usize) -> Result<Vec<u8>> {
        let count = if defect(Defect::BytesPaddedOverflow) {
            let count = self.input.u32()?;
            let padded = count.wrapping_add(3) & !3;
            if padded as usize > self.input.left() {
                return self.input.fault("the input ends too soon");
            }
            (count as usize).min(self.input.left())
        } else {
            self.packed_count(1)?
        };
        let bytes = self.input.take(count)?.to_vec();
        self.padding =
            if defect(Defect::BytesPaddingFour) { 4 - count % 4 } else { count.wrapping_neg() % 4 };
        if defect(Defect::BytesPaddingMissed) && depth > 0 {
            self.padding = 0;
        }
        if defect(Defect::BytesPaddingRequired) {
            self.input.take(self.padding)?;
        } else {
            // The engines do not check whether the padding is there.
            let before = self.input.at;
            self.input.skip(self.padding);
            self.padding = self.input.at - before;
        }
        Ok(bytes)
    }

    pub(super) fn packed<T, const N: usize>(
        &mut self,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>> {
        let count = self.packed_count(N)?;
        let (chunks, _) = self.input.take(count * N)?.as_chunks::<N>();
        Ok(chunks.iter().map(|&bytes| number(bytes)).collect())
    }

    pub(super) fn vectors(&mut self, of: Type, wide: bool) -> Result<Vec<f32>> {
        let wide = match of {
            Type::PackedColorArray => false,
            _ => self.real_flag(wide) && !defect(Defect::PackedRealFlagMissed),
        };
        let size = if wide { 8 } else { 4 };
        let count = self.packed_count(size * of.reals())?;
        let bytes = self.input.take(count * size * of.reals())?;
        let mut numbers: Vec<f32> = if wide {
            let (chunks, _) = bytes.as_chunks();
            chunks.iter().map(|&bytes| f64::from_le_bytes(bytes) as f32).collect()
        } else {
            let (chunks, _) = bytes.as_chunks();
            chunks.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        };
        if defect(Defect::PackedVectorSwapped) && of == Type::PackedVector2Array {
            numbers.chunks_exact_mut(2).for_each(|vector| vector.swap(0, 1));
        }
        if defect(Defect::PackedColorOpaque) && of == Type::PackedColorArray {
            numbers.chunks_exact_mut(4).for_each(|color| color[3] = 1.0);
        }
        Ok(numbers)
    }

    /// Reads the count of a packed array, whose elements have `size` bytes each.
    pub(super) fn packed_count(&mut self, size: usize) -> Result<usize> {
        let start = self.input.at;
        if defect(Defect::PackedNegativeEmpty) {
            let count = self.input.i32()?;
            return Ok(usize::try_from(count).unwrap_or(0).min(self.input.left() / size));
        }
        if defect(Defect::PackedProduct32Bits) {
            let count = self.input.u32()?;
            let bytes = count.wrapping_mul(size as u32) as usize;
            if bytes > self.input.left() {
                return self.input.fault("the input ends too soon");
            }
            return Ok(bytes / size);
        }
        let count = self.length()?;
        if defect(Defect::PackedReserve) {
            self.memory.scratch = vec![1; count * size];
        }
        let fits = count.checked_mul(size).is_some_and(|bytes| {
            if defect(Defect::PackedExactRefused) {
                bytes < self.input.left() || bytes == 0
            } else {
                bytes <= self.input.left()
            }
        });
        if defect(Defect::PackedCut) {
            return Ok(count.min(self.input.left() / size));
        }
        if !fits {
            return Err(Fault { offset: start, message: "the input ends too soon" });
        }
        Ok(count)
    }
}

/// Reads an element of an array of reals.
pub(super) fn single(bytes: [u8; 4]) -> f32 {
    let number = f32::from_le_bytes(bytes);
    if defect(Defect::PackedNanZero) && number.is_nan() { 0.0 } else { number }
}
