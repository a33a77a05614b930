//! Mutations: they differ, are the same for the same seed, and reach code that changes of single bytes do
//! not.

use std::collections::HashSet;

use formwork_kit::Format;
use formwork_kit::mutator::{
    cross_over, mutate_in_place, mutate_in_turn, mutate_packet, mutate_with,
};
use formwork_kit::tree::Mutation;
use formwork_variant::Variant;
use formwork_variant::{Dialect, from_slice, to_vec};

use super::samples;

const GODOT3: Format = Format::Variant(Dialect::GODOT3);

#[test]
fn the_same_seed_gives_the_same_bytes_and_never_too_many() {
    for (number, (format, bytes)) in samples::all().into_iter().enumerate() {
        for (round, max_size) in [bytes.len() + 100, bytes.len(), 40, 1, 0].into_iter().enumerate()
        {
            let seed = (number * 8 + round) as u64;
            let made = mutate_packet(&bytes, max_size, seed, format);
            assert!(made.len() <= max_size, "{format}");
            assert_eq!(made, mutate_packet(&bytes, max_size, seed, format), "{format}");
            let mut place = bytes.clone();
            place.resize(bytes.len().max(max_size), 0);
            let size = mutate_in_place(&mut place, bytes.len(), max_size, seed, format);
            assert_eq!(place[..size], made, "{format}");
            let crossed = cross_over(&bytes, &made, max_size, seed, format);
            assert!(crossed.len() <= max_size, "{format}");
        }
    }
}

#[test]
fn every_kind_of_mutation_comes_up_in_every_format() {
    let mut kinds: HashSet<(Format, Mutation)> = HashSet::new();
    let mut formats = HashSet::new();
    for (format, bytes) in samples::all() {
        if format == Format::Alb1 && bytes.len() > 8000 {
            continue;
        }
        formats.insert(format);
        for seed in 0..if format == Format::Alb1 { 300 } else { 40 } {
            let (mutation, made) = mutate_with(&bytes, &[], bytes.len() + 20_000, seed, format);
            kinds.extend(mutation.map(|mutation| (format, mutation)));
            assert!(mutation.is_none() || made != bytes, "{format}");
        }
    }
    for format in formats {
        for &mutation in Mutation::ALL {
            // The numbers of an ALB1 file are in separate fields, and the only raw bytes in the samples are
            // quadtrees.
            if (format, mutation) == (Format::Alb1, Mutation::Block) {
                continue;
            }
            assert!(kinds.contains(&(format, mutation)), "{format}: {mutation}");
        }
    }
}

/// An element may be most of a large file, and a case has up to eight changes, so copies of large elements
/// are limited.
#[test]
fn copies_of_what_is_large_are_few() {
    let bytes = Variant::<f32>::PackedByteArray(vec![7; 100_000]);
    let packet = to_vec(&Variant::Array(vec![bytes].into()), Dialect::GODOT3).unwrap();
    let mut largest = 0;
    for seed in 0..500 {
        let (mutation, made) = mutate_with(&packet, &[], usize::MAX, seed, GODOT3);
        assert!(made.len() < 2 << 20, "{mutation:?}: {} bytes", made.len());
        largest = largest.max(made.len());
    }
    assert!(largest > 500_000, "several copies: {largest}");
}

/// The fuzzer's dictionary and its knowledge of comparisons are used only by its own mutator.
#[test]
fn the_fuzzers_own_mutator_has_its_turn() {
    let packet = to_vec(&Variant::<f32>::Int(7), Dialect::GODOT3).unwrap();
    let mut own_turns = 0;
    for seed in 0..400 {
        let (mut data, max_size) = (packet.clone(), 100);
        data.resize(max_size, 0);
        let mut asked = false;
        let own = |data: &mut [u8], size: usize, max_size: usize| {
            assert_eq!((size, max_size), (packet.len(), 100));
            assert_eq!(data[..size], packet);
            data[..3].copy_from_slice(b"own");
            asked = true;
            3
        };
        let size = mutate_in_turn(&mut data, packet.len(), max_size, seed, GODOT3, own);
        if asked {
            own_turns += 1;
            assert_eq!(&data[..size], b"own");
        } else {
            assert_eq!(data[..size], mutate_packet(&packet, max_size, seed, GODOT3));
        }
    }
    assert_eq!(own_turns, 100);
}

/// A size from the fuzzer that is too large is cut.
#[test]
fn a_size_beyond_the_room_is_cut() {
    for seed in 0..8 {
        let size = mutate_in_turn(&mut [0; 8], 4, 6, seed, GODOT3, |_, _, _| usize::MAX);
        assert!(size <= 6, "{size}");
    }
}

#[test]
fn nothing_becomes_something() {
    for format in [GODOT3, Format::Alb1] {
        assert!((0..20).any(|seed| !mutate_packet(&[], 100, seed, format).is_empty()));
    }
}

/// Returns the coverage that a fuzzer sees in a decoder with a hidden bug: the branches taken, and the number
/// of rounds of a loop. The bug needs an array of exactly three elements, the third of which is the int -7.
fn shown(bytes: &[u8]) -> (usize, bool, bool) {
    let value = from_slice(bytes, Dialect::GODOT3).ok();
    let Some(array) = value.as_ref().and_then(Variant::as_array) else { return (0, false, false) };
    let count = 1 + array.len().min(4);
    match array.get(2).filter(|_| array.len() == 3) {
        Some(Variant::Int(third)) => (count, true, *third == -7),
        _ => (count, false, false),
    }
}

/// Keeps and mutates the inputs with new coverage, the last one more often. Returns the number of executions
/// until the bug is found.
fn executions_until_found(seed: u64, most: u64) -> Option<u64> {
    let mut corpus = vec![to_vec(&Variant::<f32>::from(1), Dialect::GODOT3).unwrap()];
    let mut seen = HashSet::from([shown(&corpus[0])]);
    for execution in 1..=most {
        let chosen = execution as usize % (2 * corpus.len());
        let chosen = chosen.min(corpus.len() - 1);
        let made = mutate_packet(&corpus[chosen], 256, (seed << 32) + execution, GODOT3);
        let shown = shown(&made);
        if shown.2 {
            return Some(execution);
        }
        if seen.insert(shown) {
            corpus.push(made);
        }
    }
    None
}

#[test]
fn a_bug_behind_a_count_and_a_type_is_found_in_thousands_of_executions() {
    let found: Vec<_> = (1..=5).map(|seed| executions_until_found(seed, 50_000)).collect();
    println!("found after {found:?} executions");
    assert!(found.iter().all(Option::is_some), "{found:?}");
}
