//! The elements of packed arrays have the same bytes as single values, for any number of elements.

use formwork_variant::dialect::Precision;
use formwork_variant::{Color, Real, Variant, Vector3};
use formwork_variant::{Decoder, Dialect, Encoder};

/// Numbers of elements near the size of the groups in which arrays are copied.
const COUNTS: [usize; 8] = [0, 1, 15, 16, 17, 31, 32, 35];

/// Bytes of a header, and of a count.
const WORD: usize = 4;

fn stand_as_their_elements<R: Real, T: Copy>(
    dialect: Dialect,
    make: impl Fn(R) -> T,
    value: impl Fn(T) -> Variant<R>,
    array: impl Fn(Vec<T>) -> Variant<R>,
) {
    let encoder = Encoder::new(dialect).in_precision::<R>();
    let decoder = Decoder::new(dialect).in_precision::<R>();
    for count in COUNTS {
        let elements: Vec<T> = (0..count).map(|at| make(R::of_f64(at as f64 + 0.1))).collect();
        let alone = |&element: &T| encoder.encode(&value(element)).unwrap()[WORD..].to_vec();
        let wanted: Vec<u8> = elements.iter().flat_map(alone).collect();
        let packed = array(elements);
        let bytes = encoder.encode(&packed).unwrap();
        assert_eq!(bytes[2 * WORD..], wanted, "{count}");
        assert_eq!(decoder.decode(&bytes).unwrap(), packed, "{count}");
    }
}

fn in_precision<R: Real>(dialect: Dialect) {
    let vector = |at: R| Vector3::new(at, R::of_f64(2.0), R::of_f64(-at.as_f64()));
    stand_as_their_elements(dialect, vector, Variant::Vector3, |vectors: Vec<_>| vectors.into());
    let color = |at: R| Color::new(at.as_f64() as f32, 2.0, 3.0, -4.0);
    stand_as_their_elements(dialect, color, Variant::Color, |colors: Vec<_>| colors.into());
}

#[test]
fn packed_arrays_hold_what_their_elements_are_alone() {
    in_precision::<f32>(Dialect::GODOT3);
    in_precision::<f32>(Dialect::GODOT4);
    let double = Dialect::GODOT4.with_precision(Precision::Double).unwrap();
    in_precision::<f64>(double);
}
