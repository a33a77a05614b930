//! Values as another type, where Godot 4 converts the elements of a typed array.

use super::types::Type;
use super::value::{Array, NodePath, Value};

/// The value as the type that is wanted, if the engine makes one of it.
pub(crate) fn convert(value: Value, wanted: Type) -> Option<Value> {
    if value.type_of() == wanted {
        return Some(value);
    }
    Some(match (wanted, value) {
        (Type::Bool, Value::Int(number)) => Value::Bool(number != 0),
        (Type::Bool, Value::Float(number)) => Value::Bool(number != 0.0),
        (Type::Int, Value::Bool(value)) => Value::Int(value.into()),
        (Type::Int, Value::Float(number)) => Value::Int(number as i64),
        (Type::Float, Value::Bool(value)) => Value::Float(u8::from(value).into()),
        (Type::Float, Value::Int(number)) => Value::Float(number as f64),
        (Type::String, Value::StringName(text)) => Value::String(text),
        (Type::String, Value::NodePath(path)) => Value::String(path.to_text()),
        (Type::StringName, Value::String(text)) => Value::StringName(text),
        (Type::NodePath, Value::String(text)) => Value::NodePath(Box::new(NodePath::parse(&text))),
        (Type::Color, Value::Int(number)) => {
            let part = |shift: u32| (number >> shift & 0xff) as f32 / 255.0;
            Value::Reals(wanted, vec![part(24), part(16), part(8), part(0)])
        }
        (wanted, Value::Ints(of, numbers)) if wanted.reals() > 0 && ints_of(wanted) == Some(of) => {
            Value::Reals(wanted, numbers.into_iter().map(|number| number as f32).collect())
        }
        (wanted, Value::Reals(of, numbers)) if ints_of(of) == Some(wanted) => {
            Value::Ints(wanted, numbers.into_iter().map(|number| number as i32).collect())
        }
        (wanted, Value::Reals(of, numbers)) => Value::Reals(wanted, matrix(wanted, of, &numbers)?),
        (Type::Array, value) => unpacked(value)?,
        (wanted, Value::Array(array)) => packed(&array, wanted)?,
        _ => return None,
    })
}

/// The type of ints with the same parts.
fn ints_of(of: Type) -> Option<Type> {
    Some(match of {
        Type::Vector2 => Type::Vector2i,
        Type::Rect2 => Type::Rect2i,
        Type::Vector3 => Type::Vector3i,
        Type::Vector4 => Type::Vector4i,
        _ => return None,
    })
}

/// Matrices of one kind as another's.
fn matrix(wanted: Type, of: Type, m: &[f32]) -> Option<Vec<f32>> {
    Some(match (wanted, of) {
        (Type::Basis, Type::Quaternion) => rotation(m),
        (Type::Transform3D, Type::Quaternion) => [&rotation(m)[..], &[0.0; 3]].concat(),
        (Type::Transform3D, Type::Basis) => [m, &[0.0; 3]].concat(),
        (Type::Transform3D, Type::Transform2D) => {
            vec![m[0], m[2], 0.0, m[1], m[3], 0.0, 0.0, 0.0, 1.0, m[4], m[5], 0.0]
        }
        (Type::Transform3D, Type::Projection) => {
            [0, 4, 8, 1, 5, 9, 2, 6, 10, 12, 13, 14].map(|at| m[at]).to_vec()
        }
        (Type::Transform2D, Type::Transform3D) => [0, 3, 1, 4, 9, 10].map(|at| m[at]).to_vec(),
        (Type::Projection, Type::Transform3D) => vec![
            m[0], m[3], m[6], 0.0, m[1], m[4], m[7], 0.0, m[2], m[5], m[8], 0.0, m[9], m[10],
            m[11], 1.0,
        ],
        _ => return None,
    })
}

/// A quaternion as a basis, row by row.
fn rotation(quaternion: &[f32]) -> Vec<f32> {
    let [x, y, z, w] = [0, 1, 2, 3].map(|at| f64::from(quaternion[at]));
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let rows = [
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    ];
    rows.iter().map(|&number| number as f32).collect()
}

/// A packed array as an array.
fn unpacked(value: Value) -> Option<Value> {
    fn each<T>(values: Vec<T>, value: impl Fn(T) -> Value) -> Vec<Value> {
        values.into_iter().map(value).collect()
    }
    let elements = match value {
        Value::Bytes(bytes) => each(bytes, |byte| Value::Int(byte.into())),
        Value::Int32s(numbers) => each(numbers, |number| Value::Int(number.into())),
        Value::Int64s(numbers) => each(numbers, Value::Int),
        Value::Float32s(numbers) => each(numbers, |number| Value::Float(number.into())),
        Value::Float64s(numbers) => each(numbers, Value::Float),
        Value::Strings(texts) => each(texts, Value::String),
        Value::Vectors(of, numbers) => {
            let vectors = numbers.chunks_exact(of.reals());
            vectors.map(|vector| Value::Reals(element_of(of), vector.to_vec())).collect()
        }
        _ => return None,
    };
    Some(Value::Array(Box::new(Array { element: None, elements })))
}

/// What an array of vectors or colours holds.
fn element_of(of: Type) -> Type {
    match of {
        Type::PackedVector2Array => Type::Vector2,
        Type::PackedVector3Array => Type::Vector3,
        Type::PackedVector4Array => Type::Vector4,
        _ => Type::Color,
    }
}

/// An array as a packed one: each element as well as it converts, else as nothing.
fn packed(array: &Array, wanted: Type) -> Option<Value> {
    let values = array.elements.iter();
    Some(match wanted {
        Type::PackedByteArray => Value::Bytes(values.map(|value| int(value) as u8).collect()),
        Type::PackedInt32Array => Value::Int32s(values.map(|value| int(value) as i32).collect()),
        Type::PackedInt64Array => Value::Int64s(values.map(int).collect()),
        Type::PackedFloat32Array => {
            Value::Float32s(values.map(|value| float(value) as f32).collect())
        }
        Type::PackedFloat64Array => Value::Float64s(values.map(float).collect()),
        Type::PackedStringArray => {
            let text = |value: &Value| match convert(value.clone(), Type::String) {
                Some(Value::String(text)) => Some(text),
                _ => None,
            };
            Value::Strings(values.map(text).collect::<Option<_>>()?)
        }
        Type::PackedVector2Array
        | Type::PackedVector3Array
        | Type::PackedVector4Array
        | Type::PackedColorArray => {
            let numbers = |value: &Value| match convert(value.clone(), element_of(wanted)) {
                Some(Value::Reals(_, numbers)) => numbers,
                _ if wanted == Type::PackedColorArray => vec![0.0, 0.0, 0.0, 1.0],
                _ => vec![0.0; wanted.reals()],
            };
            Value::Vectors(wanted, values.flat_map(numbers).collect())
        }
        _ => return None,
    })
}

fn int(value: &Value) -> i64 {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Int(number) => *number,
        Value::Float(number) => *number as i64,
        Value::String(text) => leading_number(text),
        _ => 0,
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Bool(value) => u8::from(*value).into(),
        Value::Int(number) => *number as f64,
        Value::Float(number) => *number,
        _ => 0.0,
    }
}

/// The digits of a text up to the first `.`, whatever stands between them.
fn leading_number(text: &[u8]) -> i64 {
    let mut number = 0_i64;
    let mut negative = false;
    for &byte in text.iter().take_while(|&&byte| byte != b'.') {
        match byte {
            b'0'..=b'9' => number = number.saturating_mul(10).saturating_add((byte - b'0').into()),
            b'-' if number == 0 => negative = !negative,
            _ => {}
        }
    }
    if negative { -number } else { number }
}
