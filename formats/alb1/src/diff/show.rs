//! Values as short texts.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::field_type::TextForm;
use crate::{FieldNumber, NumberSink, OwnValue, Value};

/// A number or string: two of the same type have the same text only if they are the same, bit for
/// bit. Of an object, array or pair, nothing.
pub(super) fn value(value: &Value) -> String {
    match value.give_numbers(Shown(value.field_type().text_form())) {
        Ok(text) => text,
        Err(OwnValue::Bool(0)) => "false".into(),
        Err(OwnValue::Bool(1)) => "true".into(),
        Err(OwnValue::Bool(byte)) => byte.to_string(),
        Err(OwnValue::String(text)) => quoted(&text.to_str()),
        Err(OwnValue::Empty) => "empty".into(),
        Err(
            OwnValue::Array(_)
            | OwnValue::Raw(_)
            | OwnValue::Object(_)
            | OwnValue::ObjectPointer(_)
            | OwnValue::Pair(_),
        ) => String::new(),
    }
}

/// Shows numbers in a form.
struct Shown(TextForm);

impl NumberSink for Shown {
    type Output = String;

    fn number<N: FieldNumber>(self, number: N) -> String {
        match self.0 {
            TextForm::Plain => plain(number),
            TextForm::Letter => match u8::try_from(number.as_i64()).map(char::from) {
                Ok(letter) if letter.is_ascii_graphic() => format!("'{letter}'"),
                _ => plain(number),
            },
            TextForm::BitRange => {
                let digits = 2 * size_of::<N>();
                let bits = number.as_i64() as u64 & (u64::MAX >> (64 - 4 * digits));
                format!("0x{bits:0digits$X}")
            }
        }
    }

    fn numbers<N: FieldNumber>(self, numbers: &[N]) -> String {
        format!("[{}]", numbers.iter().map(|&number| plain(number)).collect::<Vec<_>>().join(", "))
    }
}

/// A number in decimal digits.
fn plain<N: FieldNumber>(number: N) -> String {
    match N::REAL {
        false => number.to_string(),
        true if size_of::<N>() == size_of::<f32>() => float(number.converted()),
        true => double(number.converted()),
    }
}

/// Returns the mark of the type in a text of whole values: empty for types that the text of the value already shows.
pub(super) fn type_mark(value: &Value) -> String {
    match value {
        Value::SignedChar(0x21..=0x7E) | Value::Bool(0 | 1) => String::new(),
        Value::SignedInt(_) | Value::UnsignedLong(_) | Value::Double(_) => String::new(),
        Value::String(_) | Value::Empty | Value::ArrayOfDouble(_) => String::new(),
        other => format!(" ({})", other.field_type()),
    }
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

/// Returns the text of a pointer's target.
pub(super) fn target((class, name): (String, Option<String>)) -> String {
    match name {
        Some(name) => format!("-> {class} {name}"),
        None => format!("-> {class}"),
    }
}
