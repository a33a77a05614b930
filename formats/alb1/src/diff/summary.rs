//! Values of any type in a short line.

use std::fmt::Write as _;

use super::show;
use super::side::Side;
use crate::{Object, Value};

/// Characters of a summary, about.
const SUMMARY: usize = 160;

/// A value of any type, in a short line.
pub(super) fn summary(side: &Side<'_>, value: &Value) -> String {
    match value {
        Value::Object(object) => object_summary(side, object),
        Value::Array(elements) => format!("{} elements", elements.len()),
        Value::Raw(bytes) => format!("{} raw bytes", bytes.len()),
        Value::ObjectPointer(pointer) => show::target(side.target(*pointer)),
        Value::Pair(halves) => {
            let [key, data] = &**halves;
            format!("{}: {}", summary(side, &key.value), summary(side, &data.value))
        }
        other => show::value(other),
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
