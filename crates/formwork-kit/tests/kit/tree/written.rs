//! A tree that was not changed is written as it was.

use arbitrary::{Arbitrary, Unstructured};
use formwork::generate::{Config, arbitrary, variant};
use formwork::{Dialect, Format};
use formwork_kit::tree::Tree;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::samples;

fn is_written_as_it_was(bytes: &[u8], format: Format) {
    assert_eq!(Tree::of(bytes, format).write(), bytes, "{format}");
}

#[test]
fn what_real_programs_wrote_is_written_as_it_was() {
    for (format, bytes) in samples::all() {
        is_written_as_it_was(&bytes, format);
    }
}

#[test]
fn damaged_and_random_bytes_are_written_as_they_were() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (format, bytes) in samples::all() {
        for _ in 0..4 {
            let mut damaged = bytes.clone();
            let at = random.next_u64() as usize % (damaged.len() + 1);
            match damaged.get_mut(at) {
                Some(byte) => *byte = random.next_u64() as u8,
                None => damaged.push(0),
            }
            is_written_as_it_was(&damaged, format);
            damaged.truncate(at);
            is_written_as_it_was(&damaged, format);
        }
    }
    for dialect in Dialect::all() {
        for length in 0..64 {
            let mut bytes = vec![0; length];
            random.fill_bytes(&mut bytes);
            is_written_as_it_was(&bytes, Format::Variant(dialect));
            is_written_as_it_was(&bytes, Format::Alb1);
        }
    }
}

#[test]
fn what_the_generator_makes_is_written_as_it_was() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut seed = [0; 1024];
    for _ in 0..500 {
        random.fill_bytes(&mut seed);
        let mut u = Unstructured::new(&seed);
        let dialect = Dialect::arbitrary(&mut u).unwrap();
        let Ok(value) = variant::<f32>(&mut u, dialect, &Config::default()) else { continue };
        let Ok(bytes) = formwork::to_vec(&value, dialect) else { continue };
        is_written_as_it_was(&bytes, Format::Variant(dialect));
    }
}
