//! Tests records of families of formats on their files: borrowed blocks, type parameters, padding, deferred places, and
//! the nested parts of a family.

#![allow(missing_docs, reason = "made for the test alone")]

mod alb1;
mod files;
mod resource;
mod variant;

use std::fmt::Debug;

use formwork::record::{self, Declared, With};
use formwork::wire::Cursor;

/// Returns the bytes of a file below `formats`.
fn sample(name: &str) -> Vec<u8> {
    let path = formwork_testkit::formats().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares a record with the front of a sample: see [`hold`].
fn hold_front<T: Declared + PartialEq + Debug>(with: With<'_>, bytes: &[u8]) {
    let mut input = Cursor::new(bytes);
    with.read::<T>(&mut input).unwrap();
    hold::<T>(with, &bytes[..input.position() as usize]);
}

/// Compares a record with its sample: it is read, written byte for byte, checked, dumped and audited.
///
/// Deferred places are in the sample, but not in the value.
fn hold<T: Declared + PartialEq + Debug>(with: With<'_>, bytes: &[u8]) {
    let name = std::any::type_name::<T>();
    let mut input = Cursor::new(bytes);
    let mut value = with.read::<T>(&mut input).unwrap_or_else(|error| panic!("{name}: {error}"));
    let own = &bytes[..input.position() as usize];
    assert_eq!(with.to_vec(&value).as_deref(), Ok(own), "{name}");
    with.settle(&mut value).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(with.to_vec(&value).as_deref(), Ok(own), "{name}, settled");
    let dump = with.dump::<T>(bytes);
    let fault = dump.find("fault:").or(dump.find("odd:"));
    assert_eq!(fault, None, "{name}\n{}", &dump[fault.map_or(0, |at| at.saturating_sub(1500))..]);
    assert_eq!(with.check::<T>(bytes), Ok(()), "{name}");
    let short = if bytes.len() > 3000 { vec![] } else { vec![bytes] };
    let audit =
        with.audit::<T>(&short, 40).ok().unwrap_or_else(|faults| panic!("{name}: {faults}"));
    assert!(audit.made > 0, "{name}: {audit}");
    let made = (0..20).filter_map(|seed: u8| {
        let bytes: Vec<u8> =
            (0..200).map(|at: u8| at.wrapping_mul(at) ^ seed.wrapping_mul(77)).collect();
        record::arbitrary::<T>(&mut arbitrary::Unstructured::new(&bytes)).ok()
    });
    let made: Vec<T> = made.collect();
    assert!(!made.is_empty(), "{name}: no value of a fuzzer's bytes");
    for value in made {
        assert!(with.to_vec(&value).is_ok(), "{name}: {value:?}");
    }
    for copy in with.broken::<T>(bytes).take(200) {
        assert!(with.check::<T>(&copy.apply(bytes)).is_err(), "{name}: {copy}");
    }
    assert!(with.page::<T>().starts_with("# "), "{name}");
}
