//! Packed arrays as ordinary ones and back, as Godot 4 makes them of each other.

use super::convert::{convert, whole32, whole64};
use super::shown::shown;
use crate::variant::{
    Array, Color, Real, Variant, VariantString, VariantType, Vector2, Vector3, Vector4,
};

/// A packed array as an ordinary one.
pub(super) fn unpacked<R: Real>(value: Variant<R>) -> Option<Variant<R>> {
    fn each<T, R: Real>(values: Vec<T>, make: impl Fn(T) -> Variant<R>) -> Array<R> {
        values.into_iter().map(make).collect()
    }
    Some(Variant::Array(match value {
        Variant::PackedByteArray(values) => each(values, |byte| Variant::Int(byte.into())),
        Variant::PackedInt32Array(values) => each(values, |number| Variant::Int(number.into())),
        Variant::PackedInt64Array(values) => each(values, Variant::Int),
        Variant::PackedFloat32Array(values) => each(values, |number| Variant::Float(number.into())),
        Variant::PackedFloat64Array(values) => each(values, Variant::Float),
        Variant::PackedStringArray(values) => each(values, Variant::String),
        Variant::PackedVector2Array(values) => each(values, Variant::Vector2),
        Variant::PackedVector3Array(values) => each(values, Variant::Vector3),
        Variant::PackedVector4Array(values) => each(values, Variant::Vector4),
        Variant::PackedColorArray(values) => each(values, Variant::Color),
        _ => return None,
    }))
}

/// An ordinary array as a packed one: each element as well as it converts, else as zero.
pub(super) fn packed<R: Real>(array: Array<R>, wanted: VariantType) -> Option<Variant<R>> {
    let values = array.into_iter();
    Some(match wanted {
        VariantType::PackedByteArray => {
            Variant::PackedByteArray(values.map(|value| int32(&value) as u8).collect())
        }
        VariantType::PackedInt32Array => {
            Variant::PackedInt32Array(values.map(|value| int32(&value)).collect())
        }
        VariantType::PackedInt64Array => {
            Variant::PackedInt64Array(values.map(|value| int(&value)).collect())
        }
        VariantType::PackedFloat32Array => {
            Variant::PackedFloat32Array(values.map(|value| float(&value) as f32).collect())
        }
        VariantType::PackedFloat64Array => {
            Variant::PackedFloat64Array(values.map(|value| float(&value)).collect())
        }
        VariantType::PackedVector2Array => Variant::PackedVector2Array(
            values.map(|value| vector(&value)).map(|[x, y, _, _]| Vector2::new(x, y)).collect(),
        ),
        VariantType::PackedVector3Array => Variant::PackedVector3Array(
            values.map(|value| vector(&value)).map(|[x, y, z, _]| Vector3::new(x, y, z)).collect(),
        ),
        VariantType::PackedVector4Array => Variant::PackedVector4Array(
            values.map(|value| Vector4::from_array(vector(&value))).collect(),
        ),
        VariantType::PackedColorArray => Variant::PackedColorArray(values.map(color).collect()),
        VariantType::PackedStringArray => {
            Variant::PackedStringArray(values.map(|value| shown(&value)).collect())
        }
        _ => return None,
    })
}

fn int<R: Real>(value: &Variant<R>) -> i64 {
    match value {
        Variant::Bool(value) => (*value).into(),
        Variant::Int(number) => *number,
        Variant::Float(number) => whole64(*number),
        Variant::String(text) => leading_int(text),
        _ => 0,
    }
}

/// An int of 32 bits: a float is not made one of 64 before.
fn int32<R: Real>(value: &Variant<R>) -> i32 {
    match value {
        Variant::Float(number) => whole32(*number),
        value => int(value) as i32,
    }
}

fn float<R: Real>(value: &Variant<R>) -> f64 {
    match value {
        Variant::Bool(value) => f64::from(u8::from(*value)),
        Variant::Int(number) => *number as f64,
        Variant::Float(number) => *number,
        Variant::String(text) => leading_float(text),
        _ => 0.0,
    }
}

/// The components of any vector; those that it does not have are zero.
fn vector<R: Real>(value: &Variant<R>) -> [R; 4] {
    let real = |number: i32| R::from_f64(f64::from(number));
    let zero = R::default();
    match value {
        Variant::Vector2(v) => [v.x, v.y, zero, zero],
        Variant::Vector3(v) => [v.x, v.y, v.z, zero],
        Variant::Vector4(v) => v.to_array(),
        Variant::Vector2i(v) => [real(v.x), real(v.y), zero, zero],
        Variant::Vector3i(v) => [real(v.x), real(v.y), real(v.z), zero],
        Variant::Vector4i(v) => v.to_array().map(real),
        _ => [zero; 4],
    }
}

/// A colour; black where the value is none.
fn color<R: Real>(value: Variant<R>) -> Color {
    match convert(value, VariantType::Color) {
        Some(Variant::Color(color)) => color,
        _ => Color::new(0.0, 0.0, 0.0, 1.0),
    }
}

/// The number a text starts with, as Godot's `to_int` reads it: all digits up to the first `.`,
/// whatever stands between them.
fn leading_int(text: &VariantString) -> i64 {
    let mut number = 0_i64;
    let mut negative = false;
    let mut over = false;
    for &byte in text.as_bytes().split(|&byte| byte == b'.').next().unwrap_or_default() {
        match byte {
            b'0'..=b'9' => {
                let next = number.checked_mul(10).and_then(|n| n.checked_add((byte - b'0').into()));
                over |= next.is_none();
                number = next.unwrap_or(i64::MAX);
            }
            b'-' if number == 0 => negative = !negative,
            _ => {}
        }
    }
    match (negative, over) {
        (true, true) => i64::MIN,
        (true, false) => -number,
        (false, _) => number,
    }
}

/// The number a text starts with, as Godot's `to_float` reads it: behind blanks a sign, digits with a
/// point among them, an exponent. (It is read exactly; the engine may be off by one in the last place.)
fn leading_float(text: &VariantString) -> f64 {
    let bytes = text.as_bytes();
    let skip = |at: usize, holds: fn(u8) -> bool| {
        at + bytes[at..].iter().take_while(|&&byte| holds(byte)).count()
    };
    let digits = |at: usize| skip(at, |byte| byte.is_ascii_digit());
    let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let start = skip(0, |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    let whole = sign(start);
    let mut end = digits(whole);
    let mut count = end - whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        count += fraction - end - 1;
        end = fraction;
    }
    let negative = bytes.get(start) == Some(&b'-');
    if count == 0 {
        return if negative { -0.0 } else { 0.0 };
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = sign(end + 1);
        let last = digits(exponent);
        // Without digits there is no exponent.
        end = if last > exponent { last } else { end };
    }
    let number = std::str::from_utf8(&bytes[whole..end]).ok().and_then(|text| text.parse().ok());
    let number: f64 = number.unwrap_or_default();
    if negative { -number } else { number }
}
