//! Any value that an engine holds, and any document that Terrain Builder holds, is written, read back the same
//! at both levels of strictness, and written again to the same bytes.
//!
//! `fuzz/run 60 round_trip` runs it.
//!
//! `cargo test -p formwork-bodies` runs this file without a fuzzer.

#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use formwork_alb1::Document;
use formwork_variant::dialect::Precision;
use formwork_variant::generate::{Config, variant};
use formwork_variant::{Decoder, Dialect, Encoder, Real, Strictness, Variant};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // The input is the choices of the generators. Choices that are missing count as zeros.
    let _ = round_trip(&mut Unstructured::new(input));
});

/// Makes a value of either family, and checks it.
fn round_trip(choices: &mut Unstructured<'_>) -> Result<()> {
    if choices.ratio(1, 4)? {
        document(&Document::arbitrary(choices)?);
        return Ok(());
    }
    let (dialect, config) = (Dialect::arbitrary(choices)?, Config::arbitrary(choices)?);
    match dialect.precision() {
        Precision::Single => value::<f32>(&variant(choices, dialect, &config)?, dialect),
        Precision::Double => value::<f64>(&variant(choices, dialect, &config)?, dialect),
    }
    Ok(())
}

/// Checks a value of Godot or Pandemonium.
fn value<R: Real>(value: &Variant<R>, dialect: Dialect) {
    let encoder = Encoder::new(dialect).in_precision::<R>();
    let bytes = encoder.encode(value).expect("what an engine holds can be written");
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let mut warnings = Vec::new();
        let read = decoder.strictness(strictness).decode_with_warnings(&bytes, &mut warnings);
        let (again, length) = read.expect("what was written can be read");
        assert_eq!((length, &warnings[..]), (bytes.len(), &[][..]), "{dialect}");
        assert!(again.is_identical(value), "{dialect}: {again:?} for {value:?}");
        assert_eq!(encoder.encode(&again).as_ref(), Ok(&bytes), "{dialect}");
    }
}

/// Checks a document of Terrain Builder. It has no levels of strictness.
fn document(document: &Document) {
    let bytes = document.to_vec().expect("any document can be written");
    let again = Document::from_slice(&bytes).expect("what was written can be read");
    assert!(again.is_identical(document), "{again:?} for {document:?}");
    assert_eq!(again.to_vec().as_ref(), Ok(&bytes));
}
