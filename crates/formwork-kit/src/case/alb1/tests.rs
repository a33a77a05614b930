//! What the cases promise, against our own reader.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use formwork_alb1::{Document, FieldType, Reader};
use formwork_variant::Rule;
use formwork_variant::generate::Config;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::hostile::ATTACKS;
use crate::case::Made;

/// Calls with a seed of its own for each number.
fn seeded<T>(number: u64, call: impl FnOnce(&mut Unstructured<'_>) -> arbitrary::Result<T>) -> T {
    let mut seed = [0; 1024];
    Xoshiro256PlusPlus::seed_from_u64(number).fill_bytes(&mut seed);
    let length = [16, 64, 256, 1024][number as usize % 4];
    call(&mut Unstructured::new(&seed[..length])).expect("a seed that is short is no error")
}

/// A file that our reader accepts, and writes back byte for byte.
fn accepted(case: &Made, of: &str) {
    let document = Document::from_slice(&case.bytes)
        .unwrap_or_else(|error| panic!("{of}, {}: {error}\n{:02x?}", case.subject, case.bytes));
    assert!(document.to_vec().as_deref() == Ok(&case.bytes[..]), "{of}, {}", case.subject);
    assert!(!case.subject.is_empty(), "{of}");
}

#[test]
fn every_enumerated_file_is_read_and_differs_from_the_others() {
    let all = super::enumerate();
    let mut subjects: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, case) in all.iter().enumerate() {
        accepted(case, &format!("case {number}"));
        *subjects.entry(case.subject).or_default() += 1;
    }
    let different: BTreeSet<_> = all.iter().map(|case| &case.bytes).collect();
    assert_eq!(different.len(), all.len());
    // Every type of field is there, and every record of a file.
    let types = FieldType::ALL.iter().map(|field_type| field_type.variant());
    for subject in types.chain(["Header", "TableRecord", "CLayer", "Node", "Leaf"]) {
        assert!(subjects.contains_key(subject), "{subject}");
    }
    assert!(all == super::enumerate(), "the enumeration is the same every time");
}

#[test]
fn every_valid_file_is_read() {
    let config = Config::default();
    let mut subjects: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..20_000 {
        let case = seeded(number, |u| super::valid(u, &config));
        accepted(&case, &format!("seed {number}"));
        *subjects.entry(case.subject).or_default() += 1;
    }
    for root in super::terrain::ROOTS {
        assert!(subjects[root.name] > 1000, "{subjects:?}");
    }
    for field_type in FieldType::ALL {
        assert!(subjects[field_type.variant()] > 200, "{subjects:?}");
    }
}

#[test]
fn files_are_as_deep_as_can_be_read_and_one_deeper() {
    for number in 0..40 {
        let bytes = seeded(number, |u| super::deep(u, Reader::DEPTH - 1));
        assert!(Document::from_slice(&bytes).is_ok(), "{number}");
        let bytes = seeded(number, |u| super::deep(u, Reader::DEPTH));
        let error = Document::from_slice(&bytes).expect_err("too deep");
        assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{number}");
    }
}

#[test]
fn hostile_files_are_within_their_budget_and_reading_them_ends() {
    let config = Config::default();
    for (name, make) in ATTACKS {
        let mut longest = 0;
        for number in 0..400 {
            let (bytes, subject) = seeded(number, |u| make(u, &config));
            assert!(!subject.is_empty());
            longest = longest.max(bytes.len());
            match Document::from_slice(&bytes) {
                Ok(document) => assert!(document.to_vec().as_deref() == Ok(&bytes), "{name}"),
                Err(error) => assert!(error.offset() <= bytes.len() as u64, "{error}"),
            }
        }
        assert!(longest <= 20 * config.max_bytes, "{name}: {longest} bytes");
    }
}
