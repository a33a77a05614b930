//! Typed mutation for fuzzers that hold their inputs as bytes: libFuzzer, AFL++ and the like.
//!
//! A fuzzer that changes bytes seldom gets through the front door of a format: it breaks a count, and
//! the packet is refused. These functions take the packet apart, change one thing in it (an element,
//! a number, a text, a type, now and then a count on purpose) and write it again, counts, lengths
//! and padding with it. Any bytes will do; the same bytes and seed give the same result.
//!
//! ```
//! use formwork_kit::mutator::mutate_packet;
//! use formwork_kit::Format;
//! use formwork_variant::Dialect;
//!
//! let packet = [2, 0, 0, 0, 7, 0, 0, 0];
//! let other = mutate_packet(&packet, 100, 1, Format::Variant(Dialect::GODOT3));
//! assert!(other != packet && other.len() <= 100);
//! ```
//!
//! With `libfuzzer-sys`, for a decoder of one's own. A share of the mutations is left to libFuzzer
//! itself, which has the dictionary (`-dict`) and what it learned from comparisons:
//!
//! ```ignore
//! use formwork_kit::mutator::mutate_in_turn;
//! use libfuzzer_sys::fuzzer_mutate;
//!
//! libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
//!     let godot = formwork_kit::Format::Variant(formwork_variant::Dialect::GODOT4);
//!     mutate_in_turn(data, size, max_size, seed.into(), godot, fuzzer_mutate)
//! });
//! ```

use crate::Format;
use arbitrary::Unstructured;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::tree::{Mutation, Tree};

/// Bytes of choices for one mutation: enough for the largest value that the generator makes for one.
const CHOICES: usize = 512;

/// Mutations that are too long before one is cut.
const TRIES: usize = 4;

/// One mutation of this number is left to the fuzzer.
const TURNS: u64 = 4;

/// Another packet (or ALB1 file), of at most `max_size` bytes.
#[must_use]
pub fn mutate_packet(data: &[u8], max_size: usize, seed: u64, format: Format) -> Vec<u8> {
    mutate_with(data, &[], max_size, seed, format).1
}

/// Mutates with other packets from which values may come; returns the kind of mutation, too (none, where
/// there was nothing to change).
#[must_use]
pub fn mutate_with(
    data: &[u8],
    donors: &[Tree],
    max_size: usize,
    seed: u64,
    format: Format,
) -> (Option<Mutation>, Vec<u8>) {
    let tree = Tree::of(data, format);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut choices = [0; CHOICES];
    let mut last = None;
    for _ in 0..TRIES {
        random.fill_bytes(&mut choices);
        let made = tree.mutated(&mut Unstructured::new(&choices), donors).ok().flatten();
        match made {
            Some((mutation, bytes)) if bytes.len() <= max_size => return (Some(mutation), bytes),
            made => last = made.or(last),
        }
    }
    let (mutation, mut bytes) = match last {
        Some((mutation, bytes)) => (Some(mutation), bytes),
        None => (None, tree.into_bytes()),
    };
    bytes.truncate(max_size);
    (mutation, bytes)
}

/// Values of the second packet in the first, at most `max_size` bytes.
#[must_use]
pub fn cross_over(
    first: &[u8],
    second: &[u8],
    max_size: usize,
    seed: u64,
    format: Format,
) -> Vec<u8> {
    let (tree, donor) = (Tree::of(first, format), Tree::of(second, format));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut choices = [0; CHOICES];
    for _ in 0..TRIES {
        random.fill_bytes(&mut choices);
        let made = tree.crossed(&mut Unstructured::new(&choices), &donor).ok().flatten();
        if let Some(made) = made.filter(|made| made.len() <= max_size) {
            return made;
        }
    }
    mutate_packet(first, max_size, seed, format)
}

/// The form of [`mutate_packet`] that libFuzzer asks for: the packet is the first `size` bytes of
/// `data`, which has room for the result. The result is its new size, at most `max_size`.
pub fn mutate_in_place(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u64,
    format: Format,
) -> usize {
    let room = max_size.min(data.len());
    let made = mutate_packet(data.get(..size).unwrap_or_default(), room, seed, format);
    match data.get_mut(..made.len()) {
        Some(place) => {
            place.copy_from_slice(&made);
            made.len()
        }
        None => size.min(room),
    }
}

/// Returns whether the fuzzer's own mutator makes the mutation of this seed: one in four.
#[must_use]
pub const fn is_fuzzers_turn(seed: u64) -> bool {
    seed.is_multiple_of(TURNS)
}

/// Does what [`mutate_in_place`] does, but leaves a share of the mutations to `own`, the fuzzer's
/// own mutator (`LLVMFuzzerMutate`, in Rust `libfuzzer_sys::fuzzer_mutate`).
///
/// Only the fuzzer's own mutator uses its dictionary and the values that it saw in comparisons.
/// `own` gets the same three arguments, and returns the new size.
pub fn mutate_in_turn(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u64,
    format: Format,
    own: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    if is_fuzzers_turn(seed) {
        let room = max_size.min(data.len());
        return own(data, size, max_size).min(room);
    }
    mutate_in_place(data, size, max_size, seed, format)
}
