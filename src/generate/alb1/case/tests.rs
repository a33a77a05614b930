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
