//! What the cases promise, against our own reader.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::breach::BREACHES;
use crate::alb1::Document;
use crate::error::{Class, Rule};
use crate::generate::Config;
use crate::generate::case::{Broken, Made};

/// Calls with a seed of its own for each number.
fn seeded<T>(number: u64, call: impl FnOnce(&mut Unstructured<'_>) -> arbitrary::Result<T>) -> T {
    let mut seed = [0; 1024];
    Xoshiro256PlusPlus::seed_from_u64(number).fill_bytes(&mut seed);
    let length = [16, 64, 256, 1024][number as usize % 4];
    call(&mut Unstructured::new(&seed[..length])).expect("a seed that is short is no error")
}

/// What our reader says to a file that it refuses.
fn refused(bytes: &[u8]) -> Option<Broken> {
    let error = Document::from_slice(bytes).err()?;
    Some(Broken { rule: error.rule(), offset: error.offset() })
}

#[test]
fn every_breach_is_what_the_reader_reports() {
    let config = Config::default();
    let mut made_by: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    let mut made = 0;
    for breach in BREACHES {
        for number in 0..400 {
            let Some(case) = seeded(number, |u| breach.made(u, &config)) else { continue };
            let found = refused(&case.bytes);
            assert_eq!(found, case.broken, "{} {number}: {:02x?}", breach.name, case.bytes);
            let counts = made_by.entry(breach.name).or_default();
            counts.0 += 1;
            counts.1.insert(case.subject);
            made += 1;
        }
    }
    for breach in BREACHES {
        let (count, subjects) = made_by.get(breach.name).cloned().unwrap_or_default();
        println!("{:28} {:24} {count} {subjects:?}", breach.name, breach.rule.name());
        assert!(count >= 100, "{}: {count}", breach.name);
    }
    assert!(made >= 3000);
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
    println!(
        "{} files, {} bytes: {subjects:?}",
        all.len(),
        all.iter().map(|case| case.bytes.len()).sum::<usize>()
    );
    let different: BTreeSet<_> = all.iter().map(|case| &case.bytes).collect();
    println!("{}", different.len());
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
    println!("{subjects:?}");
}
