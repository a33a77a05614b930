//! Typed mutations of files.

use crate::mutate::place;
use formwork_kit::Format;
use formwork_kit::mutator;

/// Puts another file in the place of this one, the first `size` bytes of `data`. Returns the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u64) -> usize {
    mutator::mutate_in_place(data, size, max_size, seed, Format::Alb1)
}

/// Writes the first file with a part of the second in it. Returns its size.
pub fn cross_over(first: &[u8], second: &[u8], out: &mut [u8], seed: u64) -> usize {
    place(mutator::cross_over(first, second, out.len(), seed, Format::Alb1), out)
}
