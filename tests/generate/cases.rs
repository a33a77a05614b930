//! What is promised of numbered cases.

use formwork::dialect::Precision;
use formwork::generate::case::{Case, Cases, Profile, Reading};
use formwork::variant::Real;
use formwork::{Attitude, Decoder, Dialect, Encoder, Format};

fn dialects() -> impl Iterator<Item = Dialect> {
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    Dialect::all().chain(Dialect::all().filter_map(double))
}

fn reading(dialect: Dialect, allow_objects: bool) -> Reading {
    Reading { format: Format::Variant(dialect), allow_objects }
}

/// A valid case is what the engine writes: both attitudes read it, and it is written back the same.
fn is_canonical<R: Real>(case: &Case, dialect: Dialect, allow_objects: bool) {
    for attitude in [Attitude::Engine, Attitude::Canonical] {
        let decoder = Decoder::new(dialect).allow_objects(allow_objects).attitude(attitude);
        let value = decoder
            .decode::<R>(&case.bytes)
            .unwrap_or_else(|error| panic!("{dialect}, case {}: {error}", case.number));
        let again = Encoder::new(dialect).encode(&value).expect("it was read");
        assert_eq!(again, case.bytes, "{dialect}, case {}", case.number);
        assert_eq!(case.subject, dialect.type_name(value.variant_type()));
    }
}

#[test]
fn valid_cases_are_read_in_both_attitudes_and_written_back_the_same() {
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
                Precision::Single => decoder.decode_prefix::<f32>(&case.bytes).err(),
                Precision::Double => decoder.decode_prefix::<f64>(&case.bytes).err(),
            };
            let found = read.map(|error| (error.rule(), error.offset()));
            assert_eq!(found, case.broken.map(|broken| (broken.rule, broken.offset)));
            accepted += u64::from(found.is_none());
        }
        println!("{dialect}: {} enumerated, {accepted} accepted", cases.enumerated());
        assert_ne!(cases.case(cases.enumerated()).profile, Profile::Enumerate);
    }
}
