//! The definition of an equal value after a conversion there and back, and the properties of every conversion.

use formwork_edit::convert::{Converter, Loss, LossKind, Table};
use formwork_variant::dialect::Precision;
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};
use formwork_variant::{Object, Real, Variant};

pub fn dialects() -> Vec<Dialect> {
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    Dialect::all().chain(Dialect::all().filter_map(double)).collect()
}

/// Returns the value in the form in which engines do not differ: a path's property is its last subname, a null
/// object is null, nothing is shared. Everything else must be equal bit by bit.
pub fn plain<R: Real>(mut value: Variant<R>) -> Variant<R> {
    let mut waiting = vec![&mut value];
    while let Some(value) = waiting.pop() {
        match value {
            Variant::NodePath(path) => **path = std::mem::take(&mut **path).without_property(),
            Variant::Object(Object::Null) => *value = Variant::Nil,
            Variant::Object(Object::Full(object)) => {
                waiting.extend(object.properties.iter_mut().map(|(_, value)| value));
            }
            Variant::Array(array) => {
                array.set_shared(false);
                waiting.extend(array.iter_mut());
            }
            Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
                waiting.extend(typed.elements.iter_mut());
            }
            Variant::Dictionary(pairs) => {
                pairs.set_shared(false);
                waiting.extend(pairs.iter_mut().flat_map(|(key, value)| [key, value]));
            }
            _ => {}
        }
    }
    value
}

/// Converts a value and checks the properties of every conversion: the target writes the result and reads it back
/// the same, at either strictness; every loss is of a kind that the table announces; without losses the value comes
/// back. Returns the losses.
pub fn check<R: Real, S: Real>(value: &Variant<R>, from: Dialect, to: Dialect) -> Vec<Loss> {
    let converter = Converter::new(from, to).in_precision::<S>();
    let conversion = converter.convert(value.clone());
    let losses = conversion.losses().to_vec();
    // The table takes longer than a conversion.
    let announced =
        (!losses.is_empty()).then(|| Table::new(Some(from), Some(to)).losses().to_vec());
    for loss in &losses {
        let is_announced = announced.as_ref().is_some_and(|kinds| kinds.contains(&loss.kind));
        assert!(is_announced, "{from} to {to}: {loss}");
    }
    assert_eq!(conversion.clone().exact().is_ok(), losses.is_empty());
    let nearest = conversion.lossy();
    let bytes = Encoder::new(to)
        .in_precision()
        .encode(&nearest)
        .unwrap_or_else(|error| panic!("{from} to {to}: {error}\n{value:?}\n{nearest:?}"));
    let decoder = Decoder::new(to).in_precision().allow_objects(true);
    let mut notes = Vec::new();
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let read = decoder.strictness(strictness).decode_with_warnings(&bytes, &mut notes);
        let (again, length) = read.unwrap_or_else(|error| {
            panic!("{from} to {to}, {strictness:?}: {error}\n{value:?}\n{nearest:?}")
        });
        assert_eq!(length, bytes.len());
        assert!(notes.is_empty(), "{from} to {to}: {notes:?}\n{value:?}\n{nearest:?}");
        assert!(again.is_identical(&nearest), "{from} to {to}\n{nearest:?}\n{again:?}");
    }
    if losses.is_empty() {
        let back = Converter::new(to, from).in_precision::<R>().convert(nearest);
        // What Pandemonium writes and cannot read comes exact, and goes back in another form.
        if back.losses().iter().any(|loss| loss.kind == LossKind::Misread) {
            assert!(from.quirks().four_components_misread, "{from} to {to} and back\n{value:?}");
            return losses;
        }
        assert_eq!(back.losses(), [], "{from} to {to} and back\n{value:?}");
        let (back, value) = (plain(back.lossy()), plain(value.clone()));
        assert!(back.is_identical(&value), "{from} to {to} and back\n{value:?}\n{back:?}");
    }
    losses
}

/// Checks a value in the width of its dialect, to another in that one's.
pub fn check_to<R: Real>(value: &Variant<R>, from: Dialect, to: Dialect) -> Vec<Loss> {
    match to.precision() {
        Precision::Single => check::<R, f32>(value, from, to),
        Precision::Double => check::<R, f64>(value, from, to),
    }
}
