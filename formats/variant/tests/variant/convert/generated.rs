//! Generated values.

use formwork_testkit::Noise;
use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::{Config, variant};
use formwork_variant::{Real, Variant};

use crate::convert::same::{check_to, dialects};

/// Seeds that are the same in every run.
fn seed(round: usize) -> Vec<u8> {
    Noise::new(round as u64).bytes([16, 128, 1024][round % 3])
}

fn converts<R: Real>(from: Dialect, rounds: usize) -> (usize, usize) {
    let (mut exact, mut lossy) = (0, 0);
    for round in 0..rounds {
        let seed = seed(round);
        let mut u = Unstructured::new(&seed);
        let value: Variant<R> = variant(&mut u, from, &Config::default()).expect("a value");
        for to in dialects() {
            let losses = check_to(&value, from, to);
            *if losses.is_empty() { &mut exact } else { &mut lossy } += 1;
        }
    }
    (exact, lossy)
}

#[test]
fn every_generated_value_converts_to_every_dialect() {
    for from in dialects() {
        let (exact, lossy) = match from.precision() {
            Precision::Single => converts::<f32>(from, 80),
            Precision::Double => converts::<f64>(from, 80),
        };
        // Neither is an accident.
        assert!(exact > 500 && lossy > 200, "{from}: {exact} exact, {lossy} with losses");
    }
}
