//! A `Variant` is to serde just what it is to the codec.

use formwork::generate::arbitrary::Unstructured;
use formwork::generate::{Config, variant};
use formwork::serde::{from_variant, to_variant_in};
use formwork::variant::dialect::Precision;
use formwork::variant::{Real, Variant};
use formwork::{Attitude, Decoder, Dialect, Encoder};

use crate::{Seeds, damaged, dialects};

fn values<R: Real>(dialect: Dialect, rounds: usize, mut each: impl FnMut(Variant<R>)) {
    let mut seeds = Seeds::new();
    for round in 0..rounds {
        let seed = seeds.next([16, 128, 1024][round % 3]);
        let mut u = Unstructured::new(&seed);
        each(variant(&mut u, dialect, &Config::default()).unwrap());
    }
}

fn goes_through_serde<R: Real>(dialect: Dialect) {
    let encoder = Encoder::new(dialect);
    let decoder = Decoder::new(dialect).allow_objects(true);
    values::<R>(dialect, 1500, |value| {
        let bytes = encoder.encode(&value).unwrap();
        let serialized = encoder.serialize(&value);
        let serialized = serialized.unwrap_or_else(|error| panic!("{dialect}: {error}\n{value:?}"));
        assert!(serialized == bytes, "{dialect}: {value:?}\n{bytes:?}\n{serialized:?}");
        let read: Variant<R> = decoder
            .deserialize(&bytes)
            .unwrap_or_else(|error| panic!("{dialect}: {error}\n{value:?}"));
        assert!(read.is_identical(&value), "{dialect}: {value:?}\n{read:?}");
        let made: Variant<R> = to_variant_in(&value).unwrap();
        assert!(made.is_identical(&value), "{dialect}: {value:?}\n{made:?}");
        let made: Variant<R> = from_variant(&value).unwrap();
        assert!(made.is_identical(&value), "{dialect}: {value:?}\n{made:?}");
    });
}

#[test]
fn every_value_goes_through_serde_unchanged() {
    for dialect in dialects() {
        match dialect.precision() {
            Precision::Single => goes_through_serde::<f32>(dialect),
            Precision::Double => goes_through_serde::<f64>(dialect),
        }
    }
}

#[test]
fn serde_json_brings_every_value_back() {
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::PANDEMONIUM, Dialect::GODOT4] {
        values::<f32>(dialect, 1500, |value| {
            let json = serde_json::to_string(&value).unwrap();
            let read: Variant = serde_json::from_str(&json)
                .unwrap_or_else(|error| panic!("{dialect}: {error}\n{json}\n{value:?}"));
            // All but the bits of a NaN.
            let (read, value) = (format!("{read:?}"), format!("{value:?}"));
            let differ = read.bytes().zip(value.bytes()).position(|(a, b)| a != b);
            if let Some(at) = differ {
                let around = |text: &str| {
                    String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(60)..]).into_owned()
                };
                panic!("{dialect}: {:.300}\n{:.300}", around(&read), around(&value));
            }
            assert_eq!(read.len(), value.len(), "{dialect}: {json}");
        });
    }
}

#[test]
fn odd_bytes_give_the_same_value_or_error_as_the_codec() {
    let mut seeds = Seeds::new();
    let (mut same, mut errors) = (0, 0);
    for dialect in Dialect::all() {
        let encoder = Encoder::new(dialect);
        values::<f32>(dialect, 700, |value| {
            let bytes = damaged(&encoder.encode(&value).unwrap(), &mut seeds);
            for attitude in [Attitude::Engine, Attitude::Canonical] {
                let decoder = Decoder::new(dialect).allow_objects(true).attitude(attitude);
                let read = decoder.deserialize::<Variant>(&bytes);
                match (decoder.decode::<f32>(&bytes), read) {
                    (Ok(value), Ok(read)) => {
                        same += 1;
                        assert!(
                            read.is_identical(&value),
                            "{dialect}: {bytes:?}\n{value:?}\n{read:?}"
                        );
                    }
                    (Err(expected), Err(error)) => {
                        errors += 1;
                        assert_eq!(error, expected, "{dialect}: {bytes:?}");
                    }
                    (decoded, read) => panic!("{dialect}: {bytes:?}\n{decoded:?}\n{read:?}"),
                }
            }
        });
    }
    println!("{same} values, {errors} errors");
    assert!(same > 1000 && errors > 1000, "{same} values, {errors} errors");
}
