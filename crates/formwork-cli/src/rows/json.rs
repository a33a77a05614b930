//! The rows of a dump as JSON.

use formwork::document::{self, RowKind};
use formwork_godot::inspect::{Kind, Span, Value};
use formwork_variant::Error;
use serde_json::Value as Json;

use super::super::lines::{Finding, Grade, Row, hex, line};
use super::super::slashes::{finding, with_slashes};

/// Returns the row of a span.
pub(super) fn span(span: &Span<'_>) -> String {
    let kind = match span.kind {
        Kind::Open => "open",
        Kind::Leaf => "field",
        Kind::Part => "bits",
        _ => "unread",
    };
    let (value, means) = value(&span.value);
    line(&Row {
        kind,
        offset: Some(span.offset),
        size: span.length,
        depth: Some(span.depth as usize),
        name: Some(span.name.to_string()),
        r#type: Some(span.layout.to_string()),
        value: Some(value),
        means,
        bytes: matches!(span.kind, Kind::Leaf | Kind::Rest).then(|| hex(span.bytes)),
        message: span.note.map(|note| note.to_string()),
        ..Row::default()
    })
}

/// Returns the value of a span and the meaning of a number. Numbers, strings and booleans are as in
/// JSON, all others as in the text form.
fn value(value: &Value<'_>) -> (Json, Option<&'static str>) {
    let whole = |number: i128| match (i64::try_from(number), u64::try_from(number)) {
        (Ok(number), _) => number.into(),
        (_, Ok(number)) => number.into(),
        _ => number.to_string().into(),
    };
    match value {
        Value::None => (Json::Null, None),
        Value::Integer(number, name) => (whole(*number), *name),
        Value::Flag(flag) => ((*flag).into(), None),
        // Parses the digits of the number in its own precision.
        Value::Single(number) => {
            let json = serde_json::from_str(&format!("{number:?}"));
            (json.unwrap_or_else(|_| number.to_string().into()), None)
        }
        Value::Double(number) if number.is_finite() => ((*number).into(), None),
        Value::Text(bytes) if let Ok(text) = std::str::from_utf8(bytes) => (text.into(), None),
        value => (value.to_string().into(), None),
    }
}

/// Returns the row of a field of a document.
pub(super) fn document(row: &document::Row<'_>) -> String {
    let kind = match row.kind {
        RowKind::Sum => "sum",
        RowKind::Fault => "fault",
        RowKind::Rest => "unread",
        _ => "field",
    };
    let grade = if row.kind == RowKind::Fault { Grade::Damage } else { Grade::Warning };
    // The fields of a record or list have the values.
    let value = match row.json() {
        Some(json) => serde_json::from_str(&json.to_string()).ok(),
        None => (!row.value.is_empty()).then(|| (*row.value).into()),
    };
    line(&Row {
        kind,
        offset: Some(row.offset),
        size: Some(row.bytes.len() as u64),
        depth: Some(row.depth),
        path: Some(with_slashes(&format!("{:#}", row.path()))),
        name: Some((*row.name).to_owned()),
        r#type: Some((*row.type_name).to_owned()),
        value,
        bytes: Some(hex(row.bytes)),
        finding: row.error.as_ref().map(|error| finding(grade, error)),
        ..Row::default()
    })
}

/// Returns the row of a fault.
pub(super) fn fault(fault: &Error) -> String {
    let (offset, finding) = (Some(fault.offset()), Some(Finding::damage(fault)));
    line(&Row { kind: "fault", offset, finding, ..Row::default() })
}

/// Returns the row of a remark about the rows that follow.
pub(super) fn remark(text: &str) -> String {
    line(&Row { kind: "note", message: Some(text.to_owned()), ..Row::default() })
}

/// Returns the row of a remark about an offset.
pub(super) fn place(offset: u64, text: &str) -> String {
    let message = Some(text.to_owned());
    line(&Row { kind: "note", offset: Some(offset), message, ..Row::default() })
}

/// Returns the row of a value that is stored as text.
pub(super) fn text(offset: u64, bytes: &[u8], name: &str, value: &str) -> String {
    line(&Row {
        kind: "text",
        offset: Some(offset),
        size: Some(bytes.len() as u64),
        name: Some(name.to_owned()),
        value: Some(value.into()),
        ..Row::default()
    })
}

/// Returns the row of unknown bytes.
pub(super) fn plain(offset: u64, bytes: &[u8]) -> String {
    let (size, bytes) = (Some(bytes.len() as u64), Some(hex(bytes)));
    line(&Row { kind: "unknown", offset: Some(offset), size, bytes, ..Row::default() })
}
