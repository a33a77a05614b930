//! Files changed by what is in them.

use crate::mutate::place;
use formwork_kit::Format;
use formwork_kit::mutator;

/// Another file, in the place of this one: the first `size` bytes of `data`. Its size is the result.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u64) -> usize {
    mutator::mutate_in_place(data, size, max_size, seed, Format::Alb1)
}

/// The first file with something of the second in it.
pub fn cross_over(first: &[u8], second: &[u8], out: &mut [u8], seed: u64) -> usize {
    place(mutator::cross_over(first, second, out.len(), seed, Format::Alb1), out)
}
