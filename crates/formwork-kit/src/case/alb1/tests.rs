//! What the cases promise, against our own reader.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::all_rules;
use arbitrary::Unstructured;
use formwork_alb1::tree;
use formwork_alb1::tree::Tree;
use formwork_alb1::{Document, FieldType, terrain};
use formwork_variant::generate::Config;
use formwork_variant::{ErrorKind, Rule};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::breach::BREACHES;
use super::edge::{ODDITIES, tree_of};
use super::hostile::ATTACKS;
use crate::case::{Broken, Made};

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
        assert!(count >= 100 && !subjects.is_empty(), "{}: {count}", breach.name);
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
fn every_odd_file_is_read_and_a_broken_quadtree_is_what_its_reader_reports() {
    let config = Config::default();
    let mut rules = HashSet::new();
    for (name, make) in ODDITIES {
        let mut different = BTreeSet::new();
        for number in 0..400 {
            let case = seeded(number, |u| make(u, &config));
            accepted(&case, name);
            if let Some(broken) = case.broken {
                let document = Document::from_slice(&case.bytes).unwrap();
                let (version, tree) = tree_of(&document).expect("only quadtrees are broken");
                let error = Tree::read(&tree, version).expect_err(name);
                let start = case.bytes.len() - tree.len();
                let found = Broken { rule: error.rule(), offset: start as u64 + error.offset() };
                assert_eq!(found, broken, "{name} {number}");
                rules.insert(broken.rule);
            }
            different.insert(case.bytes);
        }
        assert!(different.len() >= 10, "{name}: {}", different.len());
    }
    let expected = [Rule::INPUT_COMPLETE, tree::rule::NODE, tree::rule::COUNT, tree::rule::FILLED];
    assert_eq!(rules, expected.into());
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

/// Why no file breaks a rule, as far as the reader of files can tell.
fn unbreakable(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::SIZE_LIMIT => "a file of more than two gibibytes",
        tree::rule::NODE | tree::rule::COUNT | tree::rule::FILLED => {
            "the reader of files takes the quadtree for raw bytes; see the edge cases"
        }
        formwork_alb1::rule::PATH | formwork_alb1::rule::VALUE => "about texts that people type",
        formwork_alb1::rule::RECOVERED => "about what a rescue reads",
        terrain::rule::CLASS => "about objects of a document that are read into structs",
        _ => return None,
    })
}

#[test]
fn every_rule_of_the_reader_has_a_breach_or_a_reason_to_have_none() {
    let ours = |rule: &Rule| {
        rule.name().starts_with("alb1.")
            || matches!(*rule, Rule::INPUT_COMPLETE | Rule::DEPTH_LIMIT | Rule::SIZE_LIMIT)
    };
    let read = |rule: &Rule| matches!(rule.kind(), ErrorKind::Malformed | ErrorKind::Limit);
    for rule in all_rules().filter(ours).filter(read) {
        let breached = BREACHES.iter().any(|breach| breach.rule == rule);
        assert!(breached != unbreakable(rule).is_some(), "{rule}");
    }
    // A root object has no length: what follows a file is more fields of its root.
    assert!(BREACHES.iter().all(|breach| breach.rule != Rule::INPUT_TRAILING));
}
