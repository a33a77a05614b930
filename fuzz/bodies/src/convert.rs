//! Conversion of a packet from one dialect to another.

use super::{choose, dialect_of, in_precision, shown};
use formwork_edit::convert::Converter;
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::{Decoder, Encoder};
use formwork_variant::{Real, Variant};

/// Checks that every value that an engine reads is written in every other dialect, as itself or in the
/// nearest form, and read back the same. The other dialect follows from the bytes, so that real packets make
/// a corpus.
pub fn convert(data: &[u8]) {
    let Some((from, objects, bytes)) = choose(data) else { return };
    let sum = bytes.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte));
    let Some(to) = dialect_of(sum) else { return };
    in_precision!(from, check(from, to, objects, bytes));
}

fn check<R: Real>(from: Dialect, to: Dialect, objects: bool, bytes: &[u8]) {
    let decoder = Decoder::new(from).in_precision::<R>().allow_objects(objects);
    let Ok((value, _)) = decoder.decode_prefix(bytes) else { return };
    match to.precision() {
        Precision::Single => check_to::<R, f32>(value, from, to),
        Precision::Double => check_to::<R, f64>(value, from, to),
    }
}

fn check_to<R: Real, S: Real>(value: Variant<R>, from: Dialect, to: Dialect) {
    let name = shown(&value);
    let nearest = Converter::new(from, to).in_precision::<S>().convert(value).lossy();
    let bytes = match Encoder::new(to).in_precision().encode(&nearest) {
        Ok(bytes) => bytes,
        Err(error) => panic!("{from} to {to}: {name} is not written: {error}"),
    };
    match Decoder::new(to).in_precision::<S>().allow_objects(true).decode(&bytes) {
        Ok(again) => {
            assert!(
                again.is_identical(&nearest),
                "{from} to {to}: {name} is read as another value"
            );
        }
        Err(error) => panic!("{from} to {to}: {name} is not read: {error}"),
    }
}
