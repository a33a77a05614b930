//! The main property of the fuzz targets, in one file: any value that an engine holds, and any document that
//! Terrain Builder holds, is written, read back the same at both levels of strictness, and written again to
//! the same bytes.
//!
//! The fuzz target `round_trip` calls this function with inputs of a fuzzer, and the tests call it with
//! random bytes.

use arbitrary::{Arbitrary, Unstructured};
use formwork_alb1::Document;
use formwork_kit::difference::Comparison;
use formwork_variant::Real;
use formwork_variant::dialect::Precision;
use formwork_variant::generate::{Config, variant};
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};

/// Checks an input. The first byte chooses the dialect, or ALB1 with its top bit set. The other bytes are the
/// choices from which a value is made.
pub fn round_trip(input: &[u8]) {
    let Some((&first, choices)) = input.split_first() else { return };
    let choices = &mut Unstructured::new(choices);
    if first >= 0x80 {
        return document(choices);
    }
    let Some(dialect) = crate::dialect_of(first) else { return };
    match dialect.precision() {
        Precision::Single => value::<f32>(choices, dialect),
        Precision::Double => value::<f64>(choices, dialect),
    }
}

/// Checks a value of Godot or Pandemonium.
fn value<R: Real>(choices: &mut Unstructured<'_>, dialect: Dialect) {
    let Ok(config) = Config::arbitrary(choices) else { return };
    let Ok(value) = variant::<R>(choices, dialect, &config) else { return };

    let encoder = Encoder::new(dialect).in_precision::<R>();
    let bytes = encoder.encode(&value).expect("what an engine holds can be written");
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(config.objects);
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let mut warnings = Vec::new();
        let read = decoder.strictness(strictness).decode_with_warnings(&bytes, &mut warnings);
        let (again, length) = read.expect("what was written can be read");
        assert_eq!((length, &warnings[..]), (bytes.len(), &[][..]), "{dialect}");
        // The bytes show whether the bits of NaNs and the signs of zeros are the same.
        let comparison = Comparison::new().any_nan(true).any_zero(true);
        assert_eq!(comparison.values(&again, &value), None, "{dialect}");
        assert_eq!(encoder.encode(&again).as_ref(), Ok(&bytes), "{dialect}");
    }
}

/// Checks a document of Terrain Builder. A document can be read in only one way.
fn document(choices: &mut Unstructured<'_>) {
    let Ok(document) = Document::arbitrary(choices) else { return };

    let bytes = document.to_vec().expect("any document can be written");
    let again = Document::from_slice(&bytes).expect("what was written can be read");
    assert!(again.is_identical(&document), "{again:?} for {document:?}");
    assert_eq!(again.to_vec().as_ref(), Ok(&bytes));
}
