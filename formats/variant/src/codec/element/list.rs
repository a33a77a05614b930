//! Packed arrays as ordinary ones and back, as Godot 4 makes them of each other.

use super::color;
use super::shown::shown;
use super::whole::{whole32, whole64};
use crate::{
    Array, Color, Numbers, Real, Variant, VariantString, VariantType, Vector2, Vector3, Vector4,
};

/// A packed array as an ordinary one.
pub(super) fn unpacked<R: Real>(value: Variant<R>) -> Option<Variant<R>> {
    value.into_elements().map(Variant::Array)
}

/// Converts an ordinary array to a packed one: each element as well as it converts, otherwise to zero.
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
        VariantType::PackedColorArray => {
            Variant::PackedColorArray(values.map(|value| colour(&value)).collect())
        }
        VariantType::PackedStringArray => {
            Variant::PackedStringArray(values.map(|value| shown(&value)).collect())
        }
        VariantType::Nil
        | VariantType::Bool
        | VariantType::Int
        | VariantType::Float
        | VariantType::String
        | VariantType::Vector2
        | VariantType::Vector2i
        | VariantType::Rect2
        | VariantType::Rect2i
        | VariantType::Vector3
        | VariantType::Vector3i
        | VariantType::Transform2D
        | VariantType::Vector4
        | VariantType::Vector4i
        | VariantType::Plane
        | VariantType::Quaternion
        | VariantType::Aabb
        | VariantType::Basis
        | VariantType::Transform3D
        | VariantType::Projection
        | VariantType::Color
        | VariantType::StringName
        | VariantType::NodePath
        | VariantType::Rid
        | VariantType::Object
        | VariantType::Callable
        | VariantType::Signal
        | VariantType::Dictionary
        | VariantType::Array
        | VariantType::Image
        | VariantType::InputEvent => return None,
        // Godot 4 has none of these types.
        VariantType::TypedArray
        | VariantType::PackedTypedArray
        | VariantType::PackedVector2iArray
        | VariantType::PackedVector3iArray
        | VariantType::PackedVector4iArray => return None,
    })
}

fn int<R: Real>(value: &Variant<R>) -> i64 {
    if let Variant::Bool(value) = value {
        (*value).into()
    } else if let Variant::Int(number) = value {
        *number
    } else if let Variant::Float(number) = value {
        whole64(*number)
    } else if let Variant::String(text) = value {
        leading_int(text)
    } else {
        0
    }
}

/// An int of 32 bits: a float is not made one of 64 before.
fn int32<R: Real>(value: &Variant<R>) -> i32 {
    if let Variant::Float(number) = value { whole32(*number) } else { int(value) as i32 }
}

fn float<R: Real>(value: &Variant<R>) -> f64 {
    if let Variant::Bool(value) = value {
        f64::from(u8::from(*value))
    } else if let Variant::String(text) = value {
        leading_float(text)
    } else {
        value.as_float().unwrap_or_default()
    }
}

/// The components of any vector; those that it does not have are zero.
fn vector<R: Real>(value: &Variant<R>) -> [R; 4] {
    let numbers = value.variant_type().numbers();
    let is_vector = numbers.is_some_and(|it| it.is_vector && it.element.is_none());
    let number = |at: usize| match value.numbers()? {
        Numbers::Real(list) => list.number(at),
        Numbers::Int(list) => list.number(at).map(|number| R::from_f64(number.into())),
        Numbers::Single(_) | Numbers::Double(_) | Numbers::Long(_) => None,
    };
    std::array::from_fn(|at| number(at).filter(|_| is_vector).unwrap_or_default())
}

/// Returns a colour; black for any other value.
fn colour<R: Real>(value: &Variant<R>) -> Color {
    if let Variant::Color(color) = value {
        *color
    } else if let Variant::Int(number) = value {
        color::of_number(*number)
    } else if let Variant::String(text) = value {
        color::of_text(text)
    } else {
        Color::new(0.0, 0.0, 0.0, 1.0)
    }
}

/// Returns the number that a text starts with, as Godot's `to_int` reads it: all digits up to the first `.`,
/// whatever is between them.
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

/// Returns the number that a text starts with, as Godot's `to_float` reads it: after blanks a sign, digits with a
/// point among them, an exponent. (It is read exactly; the engine may differ in the last place.)
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
