//! Each breach comes up, and the other half of a pair has the same value.

use std::collections::BTreeMap;

use crate::Format;
use formwork_variant::codec::{self, Decoder};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::case::Broken;

/// Every dialect, in each precision that it has.
fn dialects() -> Vec<Dialect> {
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    Dialect::all().chain(Dialect::all().filter_map(double)).collect()
}

fn seeds(seed: u64) -> impl Iterator<Item = [u8; 1024]> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut bytes = [0; 1024];
        random.fill_bytes(&mut bytes);
        bytes
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(1200).map(|byte| format!("{byte:02x}")).collect()
}

/// What a reader in this strictness makes of the packet; bytes behind the value are no fault to engines.
fn verdict<R: Real>(
    decoder: Decoder,
    strictness: Strictness,
    bytes: &[u8],
) -> std::result::Result<Variant<R>, Broken> {
    let decoder = decoder.in_precision::<R>().strictness(strictness);
    let read = match strictness {
        Strictness::Engine => decoder.decode_prefix(bytes).map(|(value, _)| value),
        Strictness::Canonical => decoder.decode(bytes),
    };
    read.map_err(|error| Broken { rule: error.rule(), offset: error.offset() })
}

/// What is wrong with the pair of a packet, which has to have the same value. (What is broken in the packet is what a
/// reader says.)
fn fault<R: Real>(reading: &Reading, made: &Made) -> Option<String> {
    let dialect = reading.format.dialect().unwrap();
    let decoder = Decoder::new(dialect).allow_objects(reading.allow_objects);
    let pair = made.pair.as_ref()?;
    let value = verdict::<R>(decoder, Strictness::Engine, &made.bytes);
    let other = verdict::<R>(decoder, Strictness::Canonical, pair);
    match (&value, &other) {
        (Ok(value), Ok(other)) if other.is_identical(value) => None,
        _ => Some(format!("{value:?}, and its pair {} {other:?}", hex(pair))),
    }
}

fn checked<R: Real>(
    reading: &Reading,
    strictness: Strictness,
    seed: u64,
    count: usize,
) -> Vec<String> {
    let dialect = reading.format.dialect().unwrap();
    let make = match strictness {
        Strictness::Engine => near_valid,
        Strictness::Canonical => edge,
    };
    let (mut made, mut faults) = (0, Vec::new());
    for seed in seeds(seed).take(count) {
        let mut u = Unstructured::new(&seed);
        let Some(packet) = make(&mut u, reading, &Config::default()).unwrap() else { continue };
        made += 1;
        if let Some(fault) = fault::<R>(reading, &packet) {
            faults.push(format!("{dialect} {} {fault} in {}", packet.subject, hex(&packet.bytes)));
        }
    }
    println!("{dialect} {}: {made} of {count} made, {} wrong", reading.allow_objects, faults.len());
    assert!(made * 10 > count * 9, "{dialect}: only {made} of {count} are made");
    faults
}

fn all_checked(strictness: Strictness) {
    let count = formwork_testkit::rounds(300, 1500);
    let mut faults = Vec::new();
    for (number, dialect) in dialects().into_iter().enumerate() {
        for allow_objects in [false, true] {
            let reading = Reading { format: Format::Variant(dialect), allow_objects };
            let seed = 2 * number as u64 + u64::from(allow_objects);
            faults.extend(match dialect.precision() {
                Precision::Single => checked::<f32>(&reading, strictness, seed, count),
                Precision::Double => checked::<f64>(&reading, strictness, seed, count),
            });
        }
    }
    faults.iter().take(20).for_each(|fault| println!("{fault}\n"));
    assert!(faults.is_empty(), "{} are not as was said", faults.len());
}

#[test]
fn near_valid_packets_are_made_of_nearly_every_seed() {
    all_checked(Strictness::Engine);
}

#[test]
fn edge_packets_have_pairs_with_the_same_value() {
    all_checked(Strictness::Canonical);
}

/// How often each breach was done in a hundred attempts, in the dialects that know it.
fn attempts<R: Real>(
    dialect: Dialect,
    allow_objects: bool,
    done: &mut BTreeMap<(&'static str, &'static str), Vec<(Dialect, usize)>>,
    faults: &mut Vec<String>,
) {
    let reading = Reading { format: Format::Variant(dialect), allow_objects };
    for breach in BREACHES {
        let maker = Maker::new(dialect, allow_objects, &Config::default(), breach.strictness);
        if !maker.applies(breach) {
            continue;
        }
        let mut count = 0;
        let enough = formwork_testkit::rounds(6, 60);
        for seed in seeds(77).take(60) {
            if count == enough {
                break;
            }
            let mut u = Unstructured::new(&seed);
            let choices: [u8; CHOICES] = u.arbitrary().unwrap();
            let choices = &mut Unstructured::new(&choices);
            let made = maker.attempt::<R>(&mut u, choices, breach).unwrap();
            count += usize::from(made.is_some());
            if let Some(fault) = made.and_then(|made| {
                let fault = fault::<R>(&reading, &made)?;
                Some(format!("{fault} in {}", hex(&made.bytes)))
            }) {
                faults.push(format!("{dialect} {}, {}: {fault}", breach.rule, breach.how));
            }
        }
        done.entry((breach.rule.name(), breach.how)).or_default().push((dialect, count));
    }
}

#[test]
fn every_breach_comes_up_in_every_dialect_that_knows_it() {
    let (mut done, mut faults) = (BTreeMap::new(), Vec::new());
    for dialect in dialects() {
        for allow_objects in [false, true] {
            match dialect.precision() {
                Precision::Single => {
                    attempts::<f32>(dialect, allow_objects, &mut done, &mut faults);
                }
                Precision::Double => {
                    attempts::<f64>(dialect, allow_objects, &mut done, &mut faults);
                }
            }
        }
    }
    let mut never = Vec::new();
    for breach in BREACHES {
        let counts = done.get(&(breach.rule.name(), breach.how)).cloned().unwrap_or_default();
        let most = counts.iter().map(|(_, count)| *count).max();
        let least = counts.iter().map(|(_, count)| *count).min();
        println!(
            "{} {}: {} readings, {least:?} to {most:?}",
            breach.rule,
            breach.how,
            counts.len()
        );
        if counts.is_empty() || least == Some(0) {
            never.push((breach.rule, breach.how, counts));
        }
    }
    faults.iter().take(30).for_each(|fault| println!("{fault}\n"));
    assert!(faults.is_empty(), "{} are not as was said", faults.len());
    assert!(never.is_empty(), "never done: {never:#?}");
}

/// Rules that packets of values are held to, and that no packet breaks.
const NEVER_BROKEN: &[(Rule, &str)] = &[
    (Rule::INPUT_IO, "a slice does not fail"),
    (codec::rule::REAL_FITS, "packets of double-precision builds are read into a Variant<f64>"),
    (codec::rule::DIALECT_TYPE, "about values that are written"),
    (codec::rule::DIALECT_VALUE, "about values that are written"),
];

#[test]
fn every_rule_of_packets_is_broken_by_a_breach_or_cannot_be() {
    for &rule in Rule::SHARED.iter().chain(codec::rule::ALL) {
        let rows = BREACHES.iter().filter(|breach| breach.rule == rule).count();
        let reason = NEVER_BROKEN.iter().find(|(never, _)| *never == rule);
        assert!((rows > 0) != reason.is_some(), "{rule}: {rows} breaches, {reason:?}");
    }
}

#[test]
fn hostile_packets_are_no_larger_than_is_said_and_reading_them_ends() {
    let config = Config { max_bytes: 1024, ..Config::default() };
    let mut largest = 0;
    for dialect in dialects() {
        let reading = Reading { format: Format::Variant(dialect), allow_objects: true };
        let (mut read, mut refused) = (0, 0);
        for seed in seeds(5).take(1000) {
            let mut u = Unstructured::new(&seed);
            let made = hostile(&mut u, &reading, &config).unwrap().unwrap();
            assert!(made.bytes.len() <= 1024 * hostile::FACTOR, "{}", made.bytes.len());
            largest = largest.max(made.bytes.len());
            let decoder = Decoder::new(dialect).allow_objects(true);
            for strictness in [Strictness::Engine, Strictness::Canonical] {
                match verdict::<f32>(decoder, strictness, &made.bytes) {
                    Ok(_) => read += 1,
                    Err(broken) => {
                        assert!(broken.offset <= made.bytes.len() as u64);
                        refused += 1;
                    }
                }
            }
        }
        assert!(read > 100 && refused > 500, "{dialect}: {read} read, {refused} refused");
    }
    assert!(largest > 100_000, "{largest}");
}
