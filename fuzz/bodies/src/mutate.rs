//! Typed mutations of inputs: the first byte selects, the rest is a packet.

use super::choose;
use formwork_kit::Format;
use formwork_kit::mutator;

/// The selecting byte changes once in this number of mutations.
const SELECTS: u64 = 16;

/// Puts another input in the place of this one, the first `size` bytes of `data`. Returns the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u64) -> usize {
    let input = data.get(..size).unwrap_or_default();
    let (Some((dialect, ..)), Some(most)) = (choose(input), max_size.checked_sub(1)) else {
        // An empty input becomes a single byte, which selects any dialect.
        let Some(first) = data.first_mut().filter(|_| max_size > 0) else { return 0 };
        *first = seed as u8;
        return 1;
    };
    let Some((first, packet)) = data.split_first_mut() else { return 0 };
    if seed % SELECTS == 1 {
        *first = (seed / SELECTS) as u8;
        return size.min(max_size);
    }
    1 + mutator::mutate_in_place(packet, size - 1, most, seed, Format::Variant(dialect))
}

/// Writes the first input with a part of the second in it. Returns its size.
pub fn cross_over(first: &[u8], second: &[u8], out: &mut [u8], seed: u64) -> usize {
    let (Some((dialect, _, packet)), Some(most)) = (choose(first), out.len().checked_sub(1)) else {
        return 0;
    };
    let other = second.get(1..).unwrap_or_default();
    let made = mutator::cross_over(packet, other, most, seed, Format::Variant(dialect));
    let selected = first.iter().take(1).copied();
    place(selected.chain(made), out)
}

/// Copies bytes to the start of `out`. Returns how many were copied.
pub(super) fn place(bytes: impl IntoIterator<Item = u8>, out: &mut [u8]) -> usize {
    out.iter_mut().zip(bytes).map(|(place, byte)| *place = byte).count()
}

/// Gives a fuzz target two functions that mutate and cross its inputs. A share of the mutations is left to
/// libFuzzer, whose mutator knows the constants that the target compares with.
#[macro_export]
macro_rules! mutators {
    ($mutate:path, $cross_over:path) => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            if $crate::is_fuzzers_turn(seed.into()) {
                libfuzzer_sys::fuzzer_mutate(data, size, max_size)
            } else {
                $mutate(data, size, max_size, seed.into())
            }
        });
        libfuzzer_sys::fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
            $cross_over(first, second, out, seed.into())
        });
    };
}
