//! A value and its JSON, in both forms.

use arbitrary::Unstructured;

use super::{any, choose, difference, in_precision, shown};
use formwork_variant::dialect::Dialect;
use formwork_variant::generate::{Config, variant};
use formwork_variant::json::{Json, Style, to_json, to_native_json};
use formwork_variant::{Encoder, Error};
use formwork_variant::{Object, Real, Variant};

/// Checks that the lossless form gives every value back, bit by bit, and so does the native form where it
/// holds the value. Any JSON is refused, or read to a value that passes both checks.
///
/// With the top bit of the first byte set, the rest makes a value, else it is JSON.
pub fn json(data: &[u8]) {
    if let Some((dialect, generate, bytes)) = choose(data) {
        in_precision!(dialect, check(dialect, generate, bytes));
    }
}

fn check<R: Real>(dialect: Dialect, generate: bool, bytes: &[u8]) {
    if generate {
        let made = variant::<R>(&mut Unstructured::new(bytes), dialect, &Config::default());
        let Ok(value) = made else { return };
        lossless(&value, dialect);
        native(&value);
        // Texts do not show the bits of NaNs, but the encoded bytes do.
        let encoder = Encoder::new(dialect).in_precision::<R>();
        let json = to_json(&value, dialect, Style::Compact);
        let again = Json::lossless(dialect).in_precision().read(json.as_bytes());
        let again = again.and_then(|value| encoder.encode(&value));
        assert_eq!(again, encoder.encode(&value), "{dialect}: {json}");
        return;
    }
    for json in [Json::lossless(dialect), Json::native()].map(Json::in_precision::<R>) {
        match json.read(bytes) {
            Ok(value) => {
                lossless(&value, dialect);
                native(&value);
            }
            Err(error) => assert!(error.offset() <= bytes.len() as u64, "{error}"),
        }
    }
    for json in [Json::lossless(dialect), Json::native()].map(Json::in_precision::<R>) {
        if let Ok(values) = json.read_all(bytes) {
            values.iter().for_each(|value| lossless(value, dialect));
        }
    }
}

fn lossless<R: Real>(value: &Variant<R>, dialect: Dialect) {
    let json = to_json(value, dialect, Style::Compact);
    let again = expect(Json::lossless(dialect).in_precision().read(json.as_bytes()), &json);
    assert_eq!(difference(&again, value), None, "{dialect}: {}", shown(value));
    assert_eq!(to_json(&again, dialect, Style::Compact), json);
    let pretty = to_json(value, dialect, Style::Pretty);
    let again =
        expect(Json::lossless(dialect).in_precision::<R>().read(pretty.as_bytes()), &pretty);
    assert_eq!(to_json(&again, dialect, Style::Compact), json);
}

/// Checks the native form. A value that the native form refuses is no finding.
fn native<R: Real>(value: &Variant<R>) {
    let Ok(json) = to_native_json(value, Style::Compact) else { return };
    let again = expect(Json::native().in_precision().read(json.as_bytes()), &json);
    assert_eq!(to_native_json(&again, Style::Compact).as_ref(), Ok(&json));
    if !any(value, loses_its_number) {
        assert_eq!(difference(&again, value), None, "{}: {json}", shown(value));
    }
}

/// Returns whether the native form drops the value's number, by the engine's definition.
const fn loses_its_number<R: Real>(value: &Variant<R>) -> bool {
    matches!(value, Variant::Rid(_) | Variant::Signal(_) | Variant::Object(Object::Null))
}

fn expect<R: Real>(read: Result<Variant<R>, Error>, json: &str) -> Variant<R> {
    match read {
        Ok(value) => value,
        Err(error) => panic!("{error}: {json}"),
    }
}
