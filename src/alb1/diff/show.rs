//! Values as short texts.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::side::Side;
use crate::alb1::{Object, Value};

/// A number or string: two of the same type have the same text only if they are the same, bit for
/// bit. Of an object, array or pair, nothing.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::SignedChar(letter) => match u8::try_from(*letter).map(char::from) {
            Ok(letter) if letter.is_ascii_graphic() => format!("'{letter}'"),
            _ => letter.to_string(),
        },
        Value::UnsignedChar(number) => number.to_string(),
        Value::SignedShort(number) => number.to_string(),
        Value::UnsignedShort(number) => number.to_string(),
        Value::SignedInt(number) | Value::SignedLong(number) => number.to_string(),
        Value::UnsignedInt(number) => number.to_string(),
        Value::UnsignedLong(number) => format!("0x{number:08X}"),
        Value::Bool(0) => "false".into(),
        Value::Bool(1) => "true".into(),
        Value::Bool(byte) => byte.to_string(),
        Value::Float(number) => float(*number),
        Value::Double(number) => double(*number),
        Value::String(text) => quoted(&text.to_str()),
        Value::ArrayOfSignedShort(all) => list(all, i16::to_string),
        Value::ArrayOfSignedInt(all) => list(all, i32::to_string),
        Value::ArrayOfFloat(all) => list(all, |number| float(*number)),
        Value::ArrayOfDouble(all) => list(all, |number| double(*number)),
        Value::Empty => "empty".into(),
        Value::Array(_) | Value::Raw(_) | Value::Object(_) | Value::Pair(_) => String::new(),
        Value::ObjectPointer(_) => String::new(),
    }
}

/// What is said of the type where a text shows whole values: nothing of those that the text itself
/// tells from all others.
pub(super) fn type_mark(value: &Value) -> String {
    match value {
        Value::SignedChar(0x21..=0x7E) | Value::Bool(0 | 1) => String::new(),
        Value::SignedInt(_) | Value::UnsignedLong(_) | Value::Double(_) => String::new(),
        Value::String(_) | Value::Empty | Value::ArrayOfDouble(_) => String::new(),
        other => format!(" ({})", other.field_type()),
    }
}

fn list<T>(all: &[T], show: impl Fn(&T) -> String) -> String {
    format!("[{}]", all.iter().map(show).collect::<Vec<_>>().join(", "))
}

/// With the fewest digits that lead back to the same bits.
pub(super) fn float(number: f32) -> String {
    if number.is_nan() { format!("NaN(0x{:08x})", number.to_bits()) } else { format!("{number:?}") }
}

/// As [`float`].
pub(super) fn double(number: f64) -> String {
    if number.is_nan() {
        format!("NaN(0x{:016x})", number.to_bits())
    } else {
        format!("{number:?}")
    }
}

/// A text in quotes, on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            // Not the line breaks and the characters that turn the direction of writing, either.
            c if c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c) => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The name of a tag or class: in quotes where it is not just letters and digits.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#';
    if name.chars().all(plain) && !name.is_empty() { name.into() } else { quoted(name).into() }
}

/// What a pointer leads to.
pub(super) fn target((class, name): (String, Option<String>)) -> String {
    match name {
        Some(name) => format!("-> {class} {name}"),
        None => format!("-> {class}"),
    }
}

/// Characters of a summary, about.
const SUMMARY: usize = 160;

/// A value of any type, in a short line.
pub(super) fn summary(side: &Side<'_>, value: &Value) -> String {
    match value {
        Value::Object(object) => object_summary(side, object),
        Value::Array(elements) => format!("{} elements", elements.len()),
        Value::Raw(bytes) => format!("{} raw bytes", bytes.len()),
        Value::ObjectPointer(pointer) => target(side.target(*pointer)),
        Value::Pair(halves) => {
            let [key, data] = &**halves;
            format!("{}: {}", summary(side, &key.value), summary(side, &data.value))
        }
        other => self::value(other),
    }
}

/// The class of an object, and what fits of its fields.
fn object_summary(side: &Side<'_>, object: &Object) -> String {
    let mut out = side.class(object).into_owned();
    for field in &object.fields {
        let text = match &field.value {
            Value::Object(object) => side.class(object).into_owned(),
            Value::Pair(_) => continue,
            other => summary(side, other),
        };
        if out.len() + text.len() > SUMMARY {
            out.push_str(" ...");
            break;
        }
        // Writing to a string does not fail.
        let _ = write!(out, " {}={text}", side.tag(field.tag));
    }
    out
}
