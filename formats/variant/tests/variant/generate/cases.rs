//! The guarantees of numbered cases.

use formwork_kit::Format;
use formwork_kit::case::{Case, Cases, Profile, Reading};
use formwork_variant::Real;
use formwork_variant::dialect::Precision;
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};

fn dialects() -> impl Iterator<Item = Dialect> {
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    Dialect::all().chain(Dialect::all().filter_map(double))
}

fn reading(dialect: Dialect, allow_objects: bool) -> Reading {
    Reading { format: Format::Variant(dialect), allow_objects }
}

/// A valid case is the engine's own form: both levels of strictness read it, and it is written back the same.
fn is_canonical<R: Real>(case: &Case, dialect: Dialect, allow_objects: bool) {
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(allow_objects);
        let decoder = decoder.strictness(strictness);
        let value = decoder
            .decode(&case.bytes)
            .unwrap_or_else(|error| panic!("{dialect}, case {}: {error}", case.number));
        let again = Encoder::new(dialect).in_precision::<R>().encode(&value).expect("it was read");
        assert_eq!(again, case.bytes, "{dialect}, case {}", case.number);
        assert_eq!(case.subject, dialect.type_name(value.variant_type()));
    }
}

#[test]
fn valid_cases_are_read_at_both_strictnesses_and_written_back_the_same() {
    for dialect in dialects() {
        for allow_objects in [false, true] {
            let cases = Cases::new(reading(dialect, allow_objects), 5).profiles(&[Profile::Valid]);
            let mut case = cases.case(0);
            for number in 0..1000 {
                cases.case_into(number, &mut case);
                assert_eq!(case.profile, Profile::Valid);
                match dialect.precision() {
                    Precision::Single => is_canonical::<f32>(&case, dialect, allow_objects),
                    Precision::Double => is_canonical::<f64>(&case, dialect, allow_objects),
                }
            }
        }
    }
}

#[test]
fn the_enumeration_says_what_our_reader_says() {
    for dialect in dialects() {
        let cases = Cases::new(reading(dialect, true), 5);
        let decoder = Decoder::new(dialect).allow_objects(true);
        let mut accepted = 0;
        for number in 0..cases.enumerated() {
            let case = cases.case(number);
            assert_eq!((case.number, case.profile), (number, Profile::Enumerate));
            let read = match dialect.precision() {
                Precision::Single => decoder.decode_prefix(&case.bytes).err(),
                Precision::Double => decoder.double().decode_prefix(&case.bytes).err(),
            };
            let found = read.map(|error| (error.rule(), error.offset()));
            assert_eq!(found, case.broken.map(|broken| (broken.rule, broken.offset)));
            accepted += u64::from(found.is_none());
        }
        println!("{dialect}: {} enumerated, {accepted} accepted", cases.enumerated());
        assert_ne!(cases.case(cases.enumerated()).profile, Profile::Enumerate);
    }
}

#[test]
fn the_enumeration_has_what_only_several_values_show() {
    let word = |number: u32| number.to_le_bytes();
    for dialect in Dialect::all() {
        let cases = Cases::new(reading(dialect, true), 5);
        assert!(cases.case(0).bytes.is_empty());
        let all: Vec<Vec<u8>> =
            (0..cases.enumerated()).map(|number| cases.case(number).bytes).collect();
        let written = |text: &str| {
            let value: formwork_variant::Variant =
                formwork_variant::text::from_text(&text.into(), dialect)
                    .expect("it is a text form");
            formwork_variant::to_vec(&value, dialect).expect("it can be written")
        };
        // Written one by one: in a dictionary some of them are one key.
        let with_keys = |keys: &[&str]| {
            let header = written("{}").get(..4).expect("it has a header word").to_vec();
            let pairs = keys
                .iter()
                .zip(1..)
                .flat_map(|(key, value)| [written(key), written(&format!("{value}"))].concat());
            header.into_iter().chain(word(keys.len() as u32)).chain(pairs).collect::<Vec<u8>>()
        };
        for keys in [
            &[r#""__proto__""#][..],
            &[r#""A""#, r#""a""#],
            &["0.0", "-0.0"],
            &["1", "1.0"],
            &[r#""a""#, r#""b""#, r#""a""#],
        ] {
            assert!(all.contains(&with_keys(keys)), "{dialect}: {keys:?}");
        }
        assert!(all.iter().any(|bytes| bytes.len() > 65_535), "{dialect}");
    }
    let cases = Cases::new(Reading { format: Format::Alb1, allow_objects: false }, 5);
    assert!(cases.case(0).bytes.is_empty());
    assert_eq!(cases.case(0).broken.map(|broken| broken.offset), Some(0));
}

/// Returns the result of this crate's reader for a case, at the engine's strictness and at the canonical one.
fn verdicts<R: Real>(
    case: &Case,
    dialect: Dialect,
    objects: bool,
) -> [Result<(), (formwork_variant::Rule, u64)>; 2] {
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(objects);
    let said = |error: formwork_variant::Error| (error.rule(), error.offset());
    let engine = decoder.decode_prefix(&case.bytes).map(drop).map_err(said);
    let canonical =
        decoder.strictness(Strictness::Canonical).decode(&case.bytes).map(drop).map_err(said);
    [engine, canonical]
}

#[test]
fn each_profile_is_what_it_says() {
    for dialect in dialects() {
        for objects in [false, true] {
            let cases = Cases::new(reading(dialect, objects), 9);
            let first = cases.enumerated();
            let mut counts = std::collections::BTreeMap::<_, u64>::new();
            let mut wrong = Vec::new();
            for number in first..first + 300 {
                let case = cases.case(number);
                *counts.entry(case.profile).or_default() += 1;
                let [engine, canonical] = match dialect.precision() {
                    Precision::Single => verdicts::<f32>(&case, dialect, objects),
                    Precision::Double => verdicts::<f64>(&case, dialect, objects),
                };
                let broken = case.broken.map(|broken| (broken.rule, broken.offset));
                let right = match case.profile {
                    Profile::Valid => engine.is_ok() && canonical.is_ok() && broken.is_none(),
                    Profile::NearValid => broken.is_some() && engine.err() == broken,
                    Profile::Edge => engine.is_ok() && canonical.err() == broken,
                    _ => true,
                };
                if !right {
                    wrong.push((number, case.profile, case.subject, broken, engine, canonical));
                }
            }
            println!("{dialect} {objects}: {counts:?} {wrong:?}");
            assert!(wrong.is_empty());
        }
    }
}

#[test]
fn alb1_cases_are_what_they_say() {
    let cases = Cases::new(Reading { format: Format::Alb1, allow_objects: false }, 3);
    let first = cases.enumerated();
    assert!(first > 0);
    let mut counts = std::collections::BTreeMap::<_, u64>::new();
    for number in (0..first).step_by(7).chain(first..first + 500) {
        let case = cases.case(number);
        *counts.entry(case.profile).or_default() += 1;
        let read = formwork_alb1::Document::from_slice(&case.bytes);
        let found = read.as_ref().err().map(|error| (error.rule(), error.offset()));
        let broken = case.broken.map(|broken| (broken.rule, broken.offset));
        match case.profile {
            Profile::Valid => {
                let document = read.unwrap_or_else(|error| panic!("case {number}: {error}"));
                assert_eq!(document.to_vec().expect("it was read"), case.bytes, "case {number}");
            }
            Profile::Edge => assert_eq!(found, None, "case {number}"),
            Profile::NearValid => {
                assert!(broken.is_some(), "case {number}");
                assert_eq!(found, broken, "case {number}");
            }
            Profile::Enumerate => assert_eq!(found, broken, "case {number}"),
            _ => {}
        }
    }
    assert_eq!(counts.len(), Profile::ALL.len(), "{counts:?}");
}

#[test]
fn real_packets_are_changed_and_judged() {
    let dialect = Dialect::GODOT3;
    // {"hp": 7, "name": "abc"} and [1.5, Vector2].
    let packets: Vec<Vec<u8>> =
        [r#"{"hp": 7, "name": "abc"}"#, r#"[1.5, Vector2( 1, 2 ), PoolByteArray( 1, 2, 3 )]"#]
            .iter()
            .map(|text| {
                let value: formwork_variant::Variant =
                    formwork_variant::text::from_text(&(*text).into(), dialect)
                        .expect("it is in the engine's text form");
                formwork_variant::to_vec(&value, dialect).expect("it can be written")
            })
            .collect();
    let plain = Cases::new(reading(dialect, false), 21);
    let cases = plain.clone().packets(packets.clone());
    let first = cases.enumerated();
    let (mut others, mut related) = (0, 0);
    for number in first..first + 400 {
        let case = cases.case(number);
        assert_eq!(case, cases.case(number));
        others += u64::from(case != plain.case(number));
        let has = |part: &[u8]| case.bytes.windows(part.len()).any(|window| window == part);
        related += u64::from(has(b"name") || has(b"hp") || has(&packets[1][8..16]));
        let [engine, canonical] = verdicts::<f32>(&case, dialect, false);
        match case.profile {
            Profile::Valid => assert!(engine.is_ok() && canonical.is_ok()),
            Profile::Edge => assert!(engine.is_ok()),
            _ => assert!(engine.is_err() || case.profile == Profile::Hostile),
        }
    }
    assert!(others > 150, "{others}");
    assert!(related > 60, "{related}");
    // Packets that no case of the wanted kind comes of do no harm.
    let valid = plain.profiles(&[Profile::Valid]).packets(vec![vec![0xff], Vec::new()]);
    for number in 0..50 {
        assert_eq!(valid.case(number).profile, Profile::Valid);
    }
}

#[test]
fn what_another_dialect_can_say_is_the_same_value_there() {
    let (from, to) = (Dialect::GODOT3, Dialect::GODOT4);
    let cases = Cases::new(reading(from, false), 2).profiles(&[Profile::Valid]);
    let mut said = 0;
    for number in 0..500 {
        let case = cases.case(number);
        let Some(bytes) = cases.in_dialect(&case, to) else { continue };
        said += 1;
        let back = Cases::new(reading(to, false), 2);
        let other = Case { bytes, ..case.clone() };
        assert_eq!(back.in_dialect(&other, from), Some(case.bytes), "case {number}");
    }
    assert!(said > 250, "{said}");
}

/// Returns a digest of all properties of the first cases, and of the first after the enumeration.
fn digest(cases: &Cases) -> String {
    use sha2::{Digest, Sha256};
    let mut sum = Sha256::new();
    let first = cases.enumerated();
    for number in (0..2000.min(first)).chain(first..first + 2000) {
        let Case { number, profile, subject, bytes, broken, pair, .. } = cases.case(number);
        let broken = broken.map(|broken| (broken.rule.name(), broken.offset));
        sum.update(format!("{number} {profile} {subject} {broken:?} {pair:?} {}\n", bytes.len()));
        sum.update(&bytes);
    }
    sum.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_seed_and_a_number_stay_the_same_case() {
    const PINNED: [(&str, bool, &str); 7] = [
        ("godot2", false, "9f678ec6f6bae7e9"),
        ("godot3.2", false, "2c932944386b8900"),
        ("godot3.6", true, "af9162ce7b7e5cc4"),
        ("pandemonium5", false, "c333fe094c96852b"),
        ("godot4.6", true, "338b63449d51af1b"),
        ("godot4.6-double", false, "0975a4b7ae573db5"),
        ("alb1", false, "496461e3b5aab472"),
    ];
    let found = PINNED.map(|(name, allow_objects, _)| {
        let format: Format = name.parse().expect("the format has this name");
        (name, allow_objects, digest(&Cases::new(Reading { format, allow_objects }, 1)))
    });
    let pinned = PINNED.map(|(name, objects, digest)| (name, objects, digest.to_owned()));
    assert_eq!(
        found,
        pinned,
        "the cases of version {} have changed: seeds that people noted down mean something else \
         now. Cases::VERSION has to go up with the digests (the first ones here).",
        Cases::VERSION
    );
}

#[test]
fn a_dictionary_has_words_that_fuzzers_read() {
    for name in ["godot2", "godot3", "pandemonium", "godot4", "alb1"] {
        let words = formwork_kit::dictionary(name.parse().expect("it is a format"));
        assert!(words.lines().count() > 100, "{name}");
        for line in words.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, word) = line.split_once('=').expect("a name and a word");
            assert!(key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{line}");
            let inner = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
            let mut rest = inner.unwrap_or_else(|| panic!("{line}")).chars();
            while let Some(c) = rest.next() {
                assert!(c.is_ascii_graphic() || c == ' ', "{line}");
                assert_ne!(c, '"', "{line}");
                if c == '\\' && rest.next() == Some('x') {
                    assert!(rest.by_ref().take(2).all(|c| c.is_ascii_hexdigit()), "{line}");
                }
            }
        }
    }
}
