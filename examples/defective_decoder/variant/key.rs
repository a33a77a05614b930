//! Equality of dictionary keys.

use super::types::{Engine, Type};
use super::value::{NodePath, Value};
use crate::defect::{Defect, defect};

/// Appends bytes that are equal for two keys if and only if the engine takes them for one key. Returns
/// `false` for a key that is not equal to itself, so that each occurrence is another key.
pub(crate) fn key_bytes(engine: Engine, key: &Value, bytes: &mut Vec<u8>) -> bool {
    append(engine, key, true, bytes)
}

fn append(engine: Engine, value: &Value, is_key: bool, bytes: &mut Vec<u8>) -> bool {
    let alike = engine == Engine::Godot4 && is_key && !defect(Defect::KeyNamesApart);
    let of = match value {
        Value::StringName(_) if alike => Type::String,
        Value::Float(number) if defect(Defect::KeyNumbersMerged) && number.fract() == 0.0 => {
            bytes.push(Type::Int as u8);
            bytes.extend((*number as i64).to_le_bytes());
            return true;
        }
        Value::Array(_) if defect(Defect::KeyArraysApart) => return false,
        value => value.type_of(),
    };
    bytes.push(of as u8);
    match value {
        Value::Nil | Value::Callable => {}
        Value::Bool(value) => bytes.push((*value).into()),
        Value::Int(number) => bytes.extend(number.to_le_bytes()),
        Value::Float(number) => {
            // In Godot 4, a NaN inside a container is not equal to itself.
            let apart = !is_key && engine == Engine::Godot4;
            if number.is_nan() && (apart || defect(Defect::KeyNanApart)) {
                return false;
            }
            bytes.extend(normal(*number).to_le_bytes());
        }
        Value::String(text) | Value::StringName(text) if defect(Defect::KeyCaseFolded) => {
            append_text(&text.to_ascii_lowercase(), bytes);
        }
        Value::String(text) | Value::StringName(text) => append_text(text, bytes),
        Value::Reals(_, numbers) | Value::Vectors(_, numbers) => append_reals(numbers, bytes),
        Value::Ints(_, numbers) | Value::Int32s(numbers) => {
            append_count(numbers.len(), bytes);
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::NodePath(path) => append_path(path, bytes),
        Value::Rid(id) => bytes.extend(id.to_le_bytes()),
        // The packet is answered without a value, so its keys do not matter.
        Value::Untold(_) => return false,
        // Reading makes a new object each time.
        Value::Object(id) => return *id == 0,
        Value::Signal(name, id) => {
            append_text(name, bytes);
            bytes.extend(id.to_le_bytes());
        }
        Value::Dictionary(dictionary) => {
            if engine == Engine::Godot3 && !defect(Defect::KeyDictionariesMerged) {
                return false;
            }
            append_count(dictionary.pairs.len(), bytes);
            for (key, value) in &dictionary.pairs {
                if !append(engine, key, true, bytes) || !append(engine, value, false, bytes) {
                    return false;
                }
            }
        }
        Value::Array(array) => {
            append_count(array.elements.len(), bytes);
            return array.elements.iter().all(|value| append(engine, value, false, bytes));
        }
        Value::Bytes(all) => append_text(all, bytes),
        Value::Int64s(numbers) => {
            append_count(numbers.len(), bytes);
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::Float32s(numbers) if engine == Engine::Godot3 => {
            append_count(numbers.len(), bytes);
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::Float32s(numbers) => append_reals(numbers, bytes),
        Value::Float64s(numbers) => {
            append_count(numbers.len(), bytes);
            bytes.extend(numbers.iter().flat_map(|&number| normal(number).to_le_bytes()));
        }
        Value::Strings(texts) => {
            append_count(texts.len(), bytes);
            texts.iter().for_each(|text| append_text(text, bytes));
        }
    }
    true
}

/// Maps all NaNs to one NaN, and both zeros to one.
fn normal(number: f64) -> f64 {
    if number.is_nan() {
        f64::NAN
    } else if number == 0.0 && !defect(Defect::KeyZerosApart) {
        0.0
    } else {
        number
    }
}

fn append_count(count: usize, bytes: &mut Vec<u8>) {
    bytes.extend((count as u32).to_le_bytes());
}

fn append_text(text: &[u8], bytes: &mut Vec<u8>) {
    append_count(text.len(), bytes);
    bytes.extend_from_slice(text);
}

fn append_reals(numbers: &[f32], bytes: &mut Vec<u8>) {
    append_count(numbers.len(), bytes);
    bytes.extend(numbers.iter().flat_map(|&number| normal(number.into()).to_le_bytes()));
}

fn append_path(path: &NodePath, bytes: &mut Vec<u8>) {
    bytes.push(path.absolute.into());
    for texts in [&path.names, &path.subnames] {
        append_count(texts.len(), bytes);
        texts.iter().for_each(|text| append_text(text, bytes));
    }
}
