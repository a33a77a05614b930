//! Serde reads and writes a `Variant` exactly as the codec does.

use formwork_variant::dialect::Precision;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::{Config, variant};
use formwork_variant::serde::{from_variant, to_variant_in};
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};
use formwork_variant::{Real, Variant, codec};

use crate::serde::{Seeds, damaged, dialects};

fn values<R: Real>(dialect: Dialect, rounds: usize, mut each: impl FnMut(Variant<R>)) {
    let mut seeds = Seeds::new();
    for round in 0..rounds {
        let seed = seeds.next([16, 128, 1024][round % 3]);
        let mut u = Unstructured::new(&seed);
        each(variant(&mut u, dialect, &Config::default()).unwrap());
    }
}

fn goes_through_serde<R: Real>(dialect: Dialect) {
    let encoder = Encoder::new(dialect).in_precision();
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    values::<R>(dialect, 750, |value| {
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
        values::<f32>(dialect, 750, |value| {
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

/// Reads bytes with serde, with the codec and as a walk, which must all give the same. Returns whether that is a value.
fn read_alike<R: Real>(decoder: &Decoder<R>, bytes: &[u8]) -> bool {
    let dialect = decoder.dialect();
    let length = decoder.decode_prefix(bytes).map(|(_, length)| length);
    assert_eq!(decoder.walk(bytes).finish(), length, "{dialect}: {bytes:?}");
    match (decoder.decode(bytes), decoder.deserialize::<Variant<R>>(bytes)) {
        (Ok(value), Ok(read)) => {
            assert!(read.is_identical(&value), "{dialect}: {bytes:?}\n{value:?}\n{read:?}");
            true
        }
        (Err(expected), Err(error)) => {
            // Of two errors the codec reports the first. If serde reads through a Variant<f32>, a number that
            // changes in 64 bits is found last.
            let later = || decoder.in_precision::<f32>().decode(bytes).err() == Some(error.clone());
            let is_later = expected.rule() == codec::rule::FLOAT_NAN && later();
            assert!(error == expected || is_later, "{dialect}: {bytes:?}\n{expected}\n{error}");
            false
        }
        (decoded, read) => panic!("{dialect}: {bytes:?}\n{decoded:?}\n{read:?}"),
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
            for strictness in [Strictness::Engine, Strictness::Canonical] {
                let decoder = Decoder::new(dialect).allow_objects(true).strictness(strictness);
                let is_value = read_alike(&decoder, &bytes);
                *(if is_value { &mut same } else { &mut errors }) += 1;
                read_alike(&decoder.double(), &bytes);
            }
        });
    }
    println!("{same} values, {errors} errors");
    assert!(same > 1000 && errors > 1000, "{same} values, {errors} errors");
}

/// A packet of Godot 4, of words.
fn packet(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_nan_that_changes_in_64_bits_is_refused_where_the_codec_refuses_it() {
    const SIGNALLING: u32 = 0x7f80_0001;
    const QUIET: u32 = 0x7fc0_0001;
    let vector = |nan| [5, 0, nan];
    let plane = |nan| [14, 0, nan, 0, 0];
    for nan in [SIGNALLING, QUIET] {
        let packets = [
            packet(&vector(nan)),
            // Behind an int in an array, as a key, as a value.
            packet(&[&[28, 2, 2, 7][..], &vector(nan)].concat()),
            packet(&[&[27, 1][..], &vector(nan), &[0]].concat()),
            packet(&[&[27, 1, 0][..], &plane(nan)].concat()),
            // The value is read by way of a Variant, for a key that is a container.
            packet(&[&[27, 1, 28, 1][..], &vector(nan), &plane(0)].concat()),
            packet(&[&[27, 1, 28, 0][..], &plane(nan)].concat()),
            // A PackedVector2Array.
            packet(&[35, 2, 0, 0, 0, nan]),
            // In a Color and in a PackedFloat32Array there are 32 bits either way.
            packet(&[20, 0, nan, 0, 0]),
            packet(&[32, 1, nan]),
        ];
        for (number, bytes) in packets.iter().enumerate() {
            for strictness in [Strictness::Engine, Strictness::Canonical] {
                let decoder = Decoder::new(Dialect::GODOT4).strictness(strictness);
                let expected = decoder.double().decode(bytes);
                let refused =
                    strictness == Strictness::Canonical && nan == SIGNALLING && number < 7;
                assert_eq!(expected.is_err(), refused, "{number}: {expected:?}");
                match (decoder.deserialize::<Variant<f64>>(bytes), expected) {
                    (Ok(read), Ok(value)) => assert!(read.is_identical(&value), "{number}"),
                    (read, expected) => assert_eq!(read.err(), expected.err(), "{number}"),
                }
                // In 32 bits nothing changes.
                assert!(decoder.deserialize::<Variant>(bytes).is_ok(), "{number}");
            }
        }
    }
}
