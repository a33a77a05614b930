//! Reads bytes, writes their value, and reads again: after the first step nothing changes.

use super::walk::walk;
use super::{any, choose, difference, in_precision, shown};
use formwork_variant::codec;
use formwork_variant::dialect::{Dialect, NullObject};
use formwork_variant::{Decoder, Encoder, Strictness};
use formwork_variant::{Error, Rule};
use formwork_variant::{Object, Real, Variant};

/// Checks that the encoded value of accepted bytes is canonical (except for the cases of
/// `keeps_what_it_does_not_know`) and reads as the same value. Bytes that the canonical strictness accepts
/// are written back unchanged, and the engine's strictness reads the same value without a warning. Bytes that
/// only the canonical strictness refuses give a warning. A walk through the bytes accepts and refuses the
/// same inputs.
pub fn fixed_point(data: &[u8]) {
    if let Some((dialect, objects, bytes)) = choose(data) {
        in_precision!(dialect, check(dialect, objects, bytes));
    }
}

fn check<R: Real>(dialect: Dialect, objects: bool, bytes: &[u8]) {
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(objects);
    let strict = decoder.strictness(Strictness::Canonical);
    let encoder = Encoder::new(dialect).in_precision::<R>();
    walk(&decoder, bytes);
    walk(&strict, bytes);
    walk(&decoder.double(), bytes);
    let mut notes = Vec::new();
    let engine = decoder.decode_with_warnings(bytes, &mut notes);
    let canonical = strict.decode_prefix(bytes);
    for error in [engine.as_ref().err(), canonical.as_ref().err()].into_iter().flatten() {
        assert!(error.offset() <= bytes.len() as u64, "{dialect}: {error}");
    }
    for note in &notes {
        assert!(note.offset <= bytes.len() as u64, "{dialect}: {note:?}");
    }
    let (value, length) = match (engine, canonical) {
        (Ok((value, length)), Ok((strictly, strict_length))) => {
            assert!(notes.is_empty(), "{dialect}: canonical, but {notes:?}");
            assert_eq!(length, strict_length, "{dialect}");
            assert_eq!(difference(&value, &strictly), None, "{dialect}");
            let again = encoder.encode(&strictly);
            assert_eq!(again.as_deref(), Ok(&bytes[..length]), "{dialect}: {}", shown(&value));
            (value, length)
        }
        (Ok(read), Err(error)) => {
            assert!(!notes.is_empty(), "{dialect}: nothing to note, but {error}");
            read
        }
        (Err(error), Ok(_)) => panic!("{dialect}: canonical, but the engine refuses: {error}"),
        (Err(_), Err(_)) => return,
    };
    assert!(length <= bytes.len(), "{dialect}: read {length} of {} bytes", bytes.len());
    let again = match encoder.encode(&value) {
        Ok(again) => again,
        Err(error) => {
            assert!(engine_loses_it_too(dialect, &error), "{dialect}: {error}");
            return;
        }
    };
    if dialect.quirks().null_object == NullObject::Nil && any(&value, is_null_object) {
        // The engine writes null objects as plain nulls, which can merge two keys. The fixed point starts at
        // the written bytes.
        return check::<R>(dialect, objects, &again);
    }
    match decoder.decode(&again) {
        Ok(reread) => {
            assert_eq!(difference(&reread, &value), None, "{dialect}: {}", shown(&value));
            assert_eq!(encoder.encode(&reread).as_ref(), Ok(&again), "{dialect}");
        }
        Err(error) => panic!("{dialect} does not read what it wrote: {error}"),
    }
    if let Err(error) = strict.decode(&again) {
        assert!(keeps_what_it_does_not_know(&error), "{dialect} wrote what is odd: {error}");
    }
}

/// Returns whether the error is about the number of a type that does not exist. Such numbers are written as
/// they were read, though no engine makes them: an input event's type in Godot 2, the element type of a typed
/// array in Pandemonium.
pub(super) fn keeps_what_it_does_not_know(error: &Error) -> bool {
    matches!(error.rule(), codec::rule::INPUT_EVENT_TYPE | codec::rule::CONTAINER_ELEMENT_TYPE)
}

/// Returns whether the error is about a value that the engine reads and writes, but would not read back the
/// same. The library holds such a value and refuses to write it:
///
/// - a string that starts with a second byte order mark after the one that reading drops (the next reading
///   would drop the second mark too);
/// - elements that the engine's typed array turned into arrays, one level below the deepest.
pub(super) fn engine_loses_it_too(dialect: Dialect, error: &Error) -> bool {
    match error.rule() {
        codec::rule::DIALECT_VALUE => {
            !dialect.quirks().byte_order_mark && error.expected().contains("U+FEFF")
        }
        Rule::DEPTH_LIMIT => dialect.quirks().typed_arrays,
        _ => false,
    }
}

const fn is_null_object<R: Real>(value: &Variant<R>) -> bool {
    matches!(value, Variant::Object(Object::Null))
}
