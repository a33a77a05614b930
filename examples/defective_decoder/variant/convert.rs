//! Conversions between types, as Godot 4 applies them to elements of typed arrays and keys of typed
//! dictionaries.

use super::number::{leading_float, leading_int, whole32, whole64};
use super::rotation::{basis, quaternion};
use super::types::Type;
use super::value::{Array, NodePath, Text, Value};

/// Returns the value as the wanted type, if the engine converts it.
pub(crate) fn convert(value: Value, wanted: Type) -> Option<Value> {
    if value.type_of() == wanted {
        return Some(value);
    }
    Some(match (wanted, value) {
        (Type::Bool, Value::Int(number)) => Value::Bool(number != 0),
        (Type::Bool, Value::Float(number)) => Value::Bool(number != 0.0),
        (Type::Int, Value::Bool(value)) => Value::Int(value.into()),
        (Type::Int, Value::Float(number)) => Value::Int(whole64(number)),
        (Type::Float, Value::Bool(value)) => Value::Float(u8::from(value).into()),
        (Type::Float, Value::Int(number)) => Value::Float(number as f64),
        (Type::String, Value::StringName(text)) => Value::String(text),
        (Type::String, Value::NodePath(path)) => Value::String(path.to_text()),
        (Type::StringName, Value::String(text)) => Value::StringName(text),
        (Type::NodePath, Value::String(text)) => Value::NodePath(Box::new(NodePath::parse(&text))),
        (Type::Color, Value::Int(number)) => Value::Reals(wanted, color(number)),
        (Type::Color, Value::String(text)) => named_color(&text),
        (wanted, Value::Ints(of, numbers)) if wanted.reals() > 0 && ints_of(wanted) == Some(of) => {
            Value::Reals(wanted, numbers.into_iter().map(|number| number as f32).collect())
        }
        (wanted, Value::Reals(of, numbers)) if ints_of(of) == Some(wanted) => {
            Value::Ints(wanted, numbers.into_iter().map(|number| whole32(number.into())).collect())
        }
        (wanted, Value::Reals(of, numbers)) => Value::Reals(wanted, matrix(wanted, of, &numbers)?),
        (Type::Array, value) => unpacked(value)?,
        (wanted, Value::Array(array)) => packed(&array, wanted)?,
        _ => return None,
    })
}

/// Returns the type of ints with the same parts.
fn ints_of(of: Type) -> Option<Type> {
    Some(match of {
        Type::Vector2 => Type::Vector2i,
        Type::Rect2 => Type::Rect2i,
        Type::Vector3 => Type::Vector3i,
        Type::Vector4 => Type::Vector4i,
        _ => return None,
    })
}

/// Converts a matrix of one type to another type.
fn matrix(wanted: Type, of: Type, m: &[f32]) -> Option<Vec<f32>> {
    Some(match (wanted, of) {
        (Type::Quaternion, Type::Basis) => quaternion(m).to_vec(),
        (Type::Basis, Type::Quaternion) => basis(m).to_vec(),
        (Type::Transform3D, Type::Quaternion) => [&basis(m)[..], &[0.0; 3]].concat(),
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

/// Converts the number 0xRRGGBBAA to a colour.
fn color(number: i64) -> Vec<f32> {
    [24, 16, 8, 0].map(|shift| (number >> shift & 0xff) as f32 / 255.0).to_vec()
}

/// Converts a text to a colour: hexadecimal digits or a name. Any other text gives black.
fn named_color(text: &[u8]) -> Value {
    let digits = text.strip_prefix(b"#").unwrap_or(text);
    let each = match digits.len() {
        3 | 4 => 2,
        6 | 8 => 1,
        _ => 0,
    };
    let digits: Option<String> = digits
        .iter()
        .map(|&digit| digit.is_ascii_hexdigit().then(|| char::from(digit).to_string().repeat(each)))
        .collect();
    if each > 0
        && let Some(mut digits) = digits
    {
        if digits.len() == 6 {
            digits.push_str("ff");
        }
        return Value::Reals(Type::Color, color(i64::from_str_radix(&digits, 16).unwrap_or(0)));
    }
    // The list of names is long and not included here. A text of letters may be a name; these marks are
    // ignored in names.
    let mut letters = text.iter().filter(|byte| !b" -_'.".contains(byte)).peekable();
    if letters.peek().is_some() && letters.all(u8::is_ascii_alphabetic) {
        return Value::Untold(Type::Color);
    }
    Value::Reals(Type::Color, color(0xff))
}

/// Converts a packed array to an array.
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

/// Returns the element type of an array of vectors or colours.
fn element_of(of: Type) -> Type {
    match of {
        Type::PackedVector2Array => Type::Vector2,
        Type::PackedVector3Array => Type::Vector3,
        Type::PackedVector4Array => Type::Vector4,
        _ => Type::Color,
    }
}

/// Converts an array to a packed one. An element that does not convert becomes zero or black.
fn packed(array: &Array, wanted: Type) -> Option<Value> {
    let values = array.elements.iter();
    Some(match wanted {
        Type::PackedByteArray => Value::Bytes(values.map(|value| int32(value) as u8).collect()),
        Type::PackedInt32Array => Value::Int32s(values.map(int32).collect()),
        Type::PackedInt64Array => Value::Int64s(values.map(int).collect()),
        Type::PackedFloat32Array => {
            Value::Float32s(values.map(|value| float(value) as f32).collect())
        }
        Type::PackedFloat64Array => Value::Float64s(values.map(float).collect()),
        Type::PackedStringArray => match values.map(text).collect() {
            Some(texts) => Value::Strings(texts),
            None => Value::Untold(wanted),
        },
        Type::PackedVector2Array | Type::PackedVector3Array | Type::PackedVector4Array => {
            Value::Vectors(wanted, values.flat_map(|value| vector(value, wanted.reals())).collect())
        }
        Type::PackedColorArray => {
            let numbers = |value: &Value| match convert(value.clone(), Type::Color) {
                Some(Value::Reals(_, numbers)) => Some(numbers),
                Some(_) => None,
                None => Some(color(0xff)),
            };
            match values.map(numbers).collect::<Option<Vec<_>>>() {
                Some(numbers) => Value::Vectors(wanted, numbers.concat()),
                None => Value::Untold(wanted),
            }
        }
        _ => return None,
    })
}

fn int(value: &Value) -> i64 {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Int(number) => *number,
        Value::Float(number) => whole64(*number),
        Value::String(text) => leading_int(text),
        _ => 0,
    }
}

fn int32(value: &Value) -> i32 {
    match value {
        Value::Float(number) => whole32(*number),
        value => int(value) as i32,
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Bool(value) => u8::from(*value).into(),
        Value::Int(number) => *number as f64,
        Value::Float(number) => *number,
        Value::String(text) => leading_float(text),
        _ => 0.0,
    }
}

/// Returns the first `count` components of any vector, with zeros for missing ones.
fn vector(value: &Value, count: usize) -> Vec<f32> {
    let mut numbers = match value {
        Value::Reals(Type::Vector2 | Type::Vector3 | Type::Vector4, numbers) => numbers.clone(),
        Value::Ints(Type::Vector2i | Type::Vector3i | Type::Vector4i, numbers) => {
            numbers.iter().map(|&number| number as f32).collect()
        }
        _ => Vec::new(),
    };
    numbers.resize(count, 0.0);
    numbers
}

/// Returns the text that an array of texts gets for a value, or [`None`] if the value needs more than one
/// word.
fn text(value: &Value) -> Option<Text> {
    Some(match value {
        Value::Nil => b"<null>".to_vec(),
        Value::Bool(value) => value.to_string().into_bytes(),
        Value::Int(number) => number.to_string().into_bytes(),
        Value::String(text) | Value::StringName(text) => text.clone(),
        Value::NodePath(path) => path.to_text(),
        _ => return None,
    })
}
