//! Writes documents to files.

use super::{Document, Field, Object, Value};

pub(crate) fn write(document: &Document, out: &mut Vec<u8>) {
    out.extend_from_slice(b"ALB1");
    for word in [1, document.project_version, document.reserved] {
        out.extend(word.to_le_bytes());
    }
    for (id, table) in [2_u16, 3].into_iter().zip(&document.tables) {
        out.extend(id.to_le_bytes());
        out.push(0x0f);
        out.extend((table.len() as u32).to_le_bytes());
        for (id, name) in table {
            out.extend(id.to_le_bytes());
            out.extend((name.len() as u16).to_le_bytes());
            out.extend_from_slice(name);
        }
    }
    record(&document.root, out);
}

fn record(object: &Object, out: &mut Vec<u8>) {
    out.extend(object.class.to_le_bytes());
    out.extend(object.address.to_le_bytes());
    object.fields.iter().for_each(|each| field(each, out));
}

/// Appends a size and the bytes that `content` appends.
fn blob(out: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([0; 4]);
    content(out);
    let size = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&size.to_le_bytes());
}

fn field(field: &Field, out: &mut Vec<u8>) {
    out.extend(field.tag.to_le_bytes());
    out.push(field.value.of());
    match &field.value {
        Value::Int(of, number) => int(*of, *number, out),
        Value::Bool(byte) => out.push(*byte),
        Value::Float(number) => out.extend(number.to_le_bytes()),
        Value::Double(number) => out.extend(number.to_le_bytes()),
        Value::String(bytes) => {
            out.extend((bytes.len() as u16).to_le_bytes());
            out.extend_from_slice(bytes);
        }
        Value::Raw(bytes) => blob(out, |out| {
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend_from_slice(bytes);
        }),
        Value::Array(elements) => blob(out, |out| {
            out.extend((elements.len() as u32).to_le_bytes());
            elements.iter().for_each(|element| self::field(element, out));
        }),
        Value::Object(object) => blob(out, |out| record(object, out)),
        Value::Pointer(class, address) => {
            out.extend(class.to_le_bytes());
            out.extend(address.to_le_bytes());
        }
        Value::Pair(fields) => fields.iter().for_each(|each| self::field(each, out)),
        Value::Shorts(numbers) => {
            out.push(numbers.len() as u8);
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::Ints(numbers) => {
            out.push(numbers.len() as u8);
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::Floats(numbers) => {
            out.push(numbers.len() as u8);
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::Doubles(numbers) => {
            out.push(numbers.len() as u8);
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        Value::Empty => {}
    }
}

/// Appends an integer, clamped to the range of its type.
fn int(of: u8, number: i64, out: &mut Vec<u8>) {
    let within = |least: i64, most: i64| number.clamp(least, most);
    match of {
        0x01 => out.push(within(i8::MIN.into(), i8::MAX.into()) as u8),
        0x02 => out.push(within(0, u8::MAX.into()) as u8),
        0x03 => out.extend((within(i16::MIN.into(), i16::MAX.into()) as u16).to_le_bytes()),
        0x04 => out.extend((within(0, u16::MAX.into()) as u16).to_le_bytes()),
        0x05 | 0x07 => out.extend((within(i32::MIN.into(), i32::MAX.into()) as u32).to_le_bytes()),
        _ => out.extend((within(0, u32::MAX.into()) as u32).to_le_bytes()),
    }
}

impl Value {
    /// Returns the type byte.
    fn of(&self) -> u8 {
        match self {
            Self::Int(of, _) => *of,
            Self::Bool(_) => 0x09,
            Self::Float(_) => 0x0a,
            Self::String(_) => 0x0b,
            Self::Raw(_) | Self::Array(_) => 0x0c,
            Self::Object(_) => 0x0d,
            Self::Pointer(..) => 0x0e,
            Self::Pair(_) => 0x0f,
            Self::Shorts(_) => 0x10,
            Self::Ints(_) => 0x11,
            Self::Floats(_) => 0x12,
            Self::Empty => 0x13,
            Self::Double(_) => 0x14,
            Self::Doubles(_) => 0x15,
        }
    }
}
