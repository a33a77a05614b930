//! Each rule is broken, and the other half of a pair has the same value.

use std::collections::BTreeSet;

use crate::Format;
use formwork_variant::codec;
use formwork_variant::dialect::{NullObject, ObjectForms};
use formwork_variant::{ErrorKind, Rule};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

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

/// The rules that packets of a reading break in a strictness: exactly those for which the case is made.
fn breakable(dialect: Dialect, objects: bool, strictness: Strictness) -> BTreeSet<&'static str> {
    use codec::rule as r;
    let rules = dialect.quirks();
    let godot2 = rules.whole_header;
    let typed_words = dialect.type_id(VariantType::TypedArray).is_some();
    let full = rules.objects == ObjectForms::IdOrFull;
    let all = match strictness {
        Strictness::Engine => vec![
            (Rule::INPUT_COMPLETE, true),
            (Rule::SIZE_LIMIT, true),
            (Rule::DEPTH_LIMIT, rules.depth.is_some()),
            (r::HEADER_TYPE_ID, true),
            (r::STRING_LENGTH, true),
            (r::STRING_UTF8, true),
            (r::NODE_PATH_FORM, true),
            (r::ARRAY_COUNT, true),
            (r::CONTAINER_ELEMENT_TYPE, rules.typed_arrays),
            (r::CONTAINER_ELEMENT_FORM, rules.typed_arrays && objects || typed_words),
            (r::OBJECT_ALLOWED, !objects && full),
            (r::IMAGE_FORMAT, godot2),
        ],
        Strictness::Canonical => vec![
            (Rule::INPUT_COMPLETE, true),
            (Rule::INPUT_TRAILING, true),
            (r::HEADER_FLAGS, true),
            (r::BOOL_VALUE, true),
            (r::INT_WIDTH, !godot2),
            (r::FLOAT_WIDTH, !godot2),
            (r::FLOAT_NAN, godot2),
            (r::REAL_PRECISION, rules.real_flag),
            (r::STRING_CANONICAL, true),
            (r::STRING_PADDING, true),
            (r::STRING_TERMINATOR, true),
            (r::BYTES_PADDING, true),
            (r::NODE_PATH_FLAGS, true),
            (r::NODE_PATH_COUNTS, true),
            (r::ARRAY_COUNT, true),
            (r::CONTAINER_SHARED, !rules.shared_containers),
            (r::CONTAINER_ELEMENT_TYPE, typed_words),
            (r::CONTAINER_ELEMENT_FORM, rules.typed_arrays || typed_words),
            (r::CONTAINER_ELEMENT, rules.typed_arrays || typed_words),
            (r::DICTIONARY_KEYS, true),
            (r::OBJECT_FORM, full && (rules.null_object == NullObject::Nil || objects)),
            (r::OBJECT_PROPERTY_COUNT, full && objects),
            (r::IMAGE_FORMAT, godot2),
            (r::INPUT_EVENT_TYPE, godot2),
            (r::INPUT_EVENT_LENGTH, godot2),
        ],
    };
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(rule, _)| rule.name()).collect()
}

/// The rules that are still not broken after many packets.
fn unbroken(
    reading: &Reading,
    strictness: Strictness,
    mut left: BTreeSet<&'static str>,
) -> BTreeSet<&'static str> {
    let config = Config::default();
    let maker = Maker::new(reading, &config, strictness);
    for seed in seeds(5).take(20_000) {
        if left.is_empty() {
            break;
        }
        let made = maker.breach(&mut Unstructured::new(&seed)).unwrap();
        if let Some(broken) = made.and_then(|made| made.broken) {
            left.remove(broken.rule.name());
        }
    }
    left
}

#[test]
fn every_rule_that_packets_of_a_dialect_can_break_is_broken() {
    let all: Vec<Dialect> = dialects();
    // Neighbours differ little.
    let step = formwork_testkit::rounds(5, 1);
    for (number, dialect) in all.into_iter().enumerate().step_by(step as usize) {
        let allow_objects = number % 2 == 0;
        let reading = Reading { format: Format::Variant(dialect), allow_objects };
        for strictness in [Strictness::Engine, Strictness::Canonical] {
            let wanted = breakable(dialect, allow_objects, strictness);
            let left = unbroken(&reading, strictness, wanted);
            assert!(left.is_empty(), "{dialect} {allow_objects} {strictness:?}: {left:?}");
        }
    }
}

/// Why no file of ALB1 breaks a rule, as far as the reader of files can tell.
fn unbreakable(rule: Rule) -> Option<&'static str> {
    use formwork_alb1::{rule, terrain, tree};
    Some(match rule {
        Rule::SIZE_LIMIT => "a file of more than two gibibytes",
        tree::rule::NODE | tree::rule::COUNT | tree::rule::FILLED => {
            "the reader of files takes the quadtree for raw bytes; see the edge cases"
        }
        rule::PATH | rule::VALUE => "about texts that people type",
        rule::RECOVERED => "about what a rescue reads",
        terrain::rule::CLASS => "about objects of a document that are read into structs",
        _ => return None,
    })
}

#[test]
fn every_rule_of_files_is_broken_or_cannot_be() {
    let is_read = |rule: &Rule| {
        let is_own = rule.name().starts_with("alb1.");
        let is_shared =
            matches!(*rule, Rule::INPUT_COMPLETE | Rule::DEPTH_LIMIT | Rule::SIZE_LIMIT);
        (is_own || is_shared) && matches!(rule.kind(), ErrorKind::Malformed | ErrorKind::Limit)
    };
    let rules = crate::all_rules().filter(is_read).filter(|rule| unbreakable(*rule).is_none());
    let rules: BTreeSet<&str> = rules.map(Rule::name).collect();
    assert!(rules.len() > 5, "{rules:?}");
    let reading = Reading { format: Format::Alb1, allow_objects: false };
    assert_eq!(unbroken(&reading, Strictness::Engine, rules), BTreeSet::new());
}

#[test]
fn odd_files_are_read_and_every_rule_of_quadtrees_is_broken() {
    use formwork_alb1::tree::rule;
    let reading = Reading { format: Format::Alb1, allow_objects: false };
    let rules = [Rule::INPUT_COMPLETE, rule::NODE, rule::COUNT, rule::FILLED];
    let rules = rules.map(Rule::name).into();
    assert_eq!(unbroken(&reading, Strictness::Canonical, rules), BTreeSet::new());
    let config = Config::default();
    for seed in seeds(9).take(500) {
        let Some(made) = edge(&mut Unstructured::new(&seed), &reading, &config).unwrap() else {
            continue;
        };
        let document = formwork_alb1::Document::from_slice(&made.bytes).unwrap();
        assert!(document.to_vec().unwrap() == made.bytes, "{}", made.subject);
    }
}

/// Rules that packets of values are held to, and that no packet breaks.
const NEVER_BROKEN: &[(Rule, &str)] = &[
    (Rule::INPUT_IO, "a slice does not fail"),
    (codec::rule::REAL_FITS, "packets of double-precision builds are read into a Variant<f64>"),
    (codec::rule::DIALECT_TYPE, "about values that are written"),
    (codec::rule::DIALECT_VALUE, "about values that are written"),
];

#[test]
fn every_rule_of_packets_is_broken_in_some_dialect_or_cannot_be() {
    let mut broken = BTreeSet::new();
    for dialect in dialects() {
        for objects in [false, true] {
            broken.extend(breakable(dialect, objects, Strictness::Engine));
            broken.extend(breakable(dialect, objects, Strictness::Canonical));
        }
    }
    for &rule in Rule::SHARED.iter().chain(codec::rule::ALL) {
        let reason = NEVER_BROKEN.iter().find(|(never, _)| *never == rule);
        assert!(broken.contains(rule.name()) != reason.is_some(), "{rule}: {reason:?}");
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
