//! Values of any kind, whether a dialect can hold them or not.

#![deny(clippy::wildcard_enum_match_arm)]

use arbitrary::Unstructured;

use super::fixed_point::keeps_what_it_does_not_know;
use super::{any, choose, in_precision, shown};
use formwork_variant::codec;
use formwork_variant::dialect::{Dialect, NullObject};
use formwork_variant::generate::any_variant;
use formwork_variant::{
    Array, Container, Dictionary, FullObject, Object, Real, TypedArray, Variant,
};
use formwork_variant::{Decoder, Encoder, Strictness};

/// Checks that a value is refused by the encoder, or read back by the canonical reader to the last bit. With
/// the top bit of the first byte set, the value is checked in both precisions, not only in the dialect's.
///
/// Most engines write a null object as a plain null, so it is read back as a plain null.
pub fn any_value(data: &[u8]) {
    let Some((dialect, other, bytes)) = choose(data) else { return };
    if other {
        check::<f32>(dialect, bytes);
        check::<f64>(dialect, bytes);
    } else {
        in_precision!(dialect, check(dialect, bytes));
    }
}

fn check<R: Real>(dialect: Dialect, bytes: &[u8]) {
    let Ok(value) = any_variant::<R>(&mut Unstructured::new(bytes)) else { return };
    let encoder = Encoder::new(dialect).in_precision::<R>();
    let mut out = vec![1, 2, 3];
    if encoder.encode_into(&value, &mut out).is_err() {
        assert_eq!(out, [1, 2, 3], "{dialect} writes a part of {}", shown(&value));
        return;
    }
    let packet = &out[3..];
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    let has_null_object = dialect.quirks().null_object == NullObject::Nil
        && any(&value, |value| matches!(value, Variant::Object(Object::Null)));
    let canonical = decoder.strictness(Strictness::Canonical).decode(packet);
    let read = match canonical {
        Err(error) if keeps_what_it_does_not_know(&error) => decoder.decode(packet),
        read => read,
    };
    match read {
        Ok(again) => {
            let same = if has_null_object {
                again.is_identical(&with_plain_nulls(&value))
            } else {
                again.is_identical(&value)
            };
            assert!(same, "{dialect} reads {} for {}", whole(&again), whole(&value));
            assert_eq!(encoder.encode(&again).as_deref(), Ok(packet), "{dialect}");
        }
        // The engine would write both keys, and keep one.
        Err(error) if error.rule() == codec::rule::DICTIONARY_KEYS && has_null_object => {}
        Err(error) => panic!("{dialect} does not read {}: {error}", whole(&value)),
    }
}

/// Returns the value as text; `Debug` itself leaves out deep parts.
fn whole<R: Real>(value: &Variant<R>) -> String {
    format!("{value:?}")
}

/// Returns a copy with null in the place of null objects. (The recursion is as deep as the value, which an
/// engine reads.)
fn with_plain_nulls<R: Real>(value: &Variant<R>) -> Variant<R> {
    let list = |list: &Array<R>| {
        let mut copy: Array<R> = list.iter().map(with_plain_nulls).collect();
        copy.set_element_type(list.element_type().cloned());
        copy.set_shared(list.is_shared());
        copy
    };
    let typed = |typed: &TypedArray<R>| {
        Box::new(TypedArray { element: typed.element.clone(), elements: list(&typed.elements) })
    };
    match value.container() {
        Some(Container::Array(array)) => Variant::Array(list(array)),
        Some(Container::TypedArray(array)) => Variant::TypedArray(typed(array)),
        Some(Container::PackedTypedArray(array)) => Variant::PackedTypedArray(typed(array)),
        Some(Container::Dictionary(dictionary)) => {
            let pairs = dictionary.iter();
            let pairs = pairs.map(|(key, value)| (with_plain_nulls(key), with_plain_nulls(value)));
            let mut copy: Dictionary<R> = pairs.collect();
            copy.set_types(dictionary.key_type().cloned(), dictionary.value_type().cloned());
            copy.set_shared(dictionary.is_shared());
            Variant::Dictionary(copy)
        }
        Some(Container::Object(object)) => {
            let named = object.properties.iter();
            let properties =
                named.map(|(name, value)| (name.clone(), with_plain_nulls(value))).collect();
            let copy = FullObject { class: object.class.clone(), properties };
            Variant::Object(Object::Full(Box::new(copy)))
        }
        None if value.is_nil() => Variant::Nil,
        None => value.clone(),
    }
}
