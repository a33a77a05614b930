//! The rows of a dump for programs: a JSON object a line, with all bytes and nothing cut.

use formwork_variant::inspect::{Kind, Span, Value};
use formwork_variant::{Error, PathSegment};
use serde_json::{Map, Value as Json, json};

/// Returns the line of a span.
pub(super) fn span(span: &Span<'_>) -> String {
    let kind = match span.kind {
        Kind::Open => "open",
        Kind::Leaf => "field",
        Kind::Part => "bits",
        _ => "unread",
    };
    let name = match &span.name {
        PathSegment::Field(field) => (*field).to_owned(),
        PathSegment::Name(name) => name.to_string(),
        PathSegment::Index(index) => format!("[{index}]"),
    };
    let mut row = Map::new();
    let mut add = |name: &str, value: Json| drop(row.insert(name.to_owned(), value));
    add("kind", kind.into());
    add("offset", span.offset.into());
    add("length", span.length.map_or(Json::Null, Json::from));
    add("depth", span.depth.into());
    add("name", name.into());
    add("type", span.layout.to_string().into());
    let (value, means) = value(&span.value);
    add("value", value);
    if let Some(means) = means {
        add("means", means.into());
    }
    if let Some(note) = span.note {
        add("note", note.to_string().into());
    }
    if matches!(span.kind, Kind::Leaf | Kind::Rest) {
        add("bytes", hex(span.bytes).into());
    }
    Json::Object(row).to_string()
}

/// Returns what bytes say: numbers, texts and flags as JSON has them, all else as people read it; and what a number
/// stands for.
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
        // The digits that the number has in its own width.
        Value::Single(number) => {
            let json = serde_json::from_str(&format!("{number:?}"));
            (json.unwrap_or_else(|_| number.to_string().into()), None)
        }
        Value::Double(number) if number.is_finite() => ((*number).into(), None),
        Value::Text(bytes) if let Ok(text) = std::str::from_utf8(bytes) => (text.into(), None),
        value => (value.to_string().into(), None),
    }
}

/// Returns the line of a fault.
pub(super) fn fault(fault: &Error) -> String {
    json!({
        "kind": "fault",
        "offset": fault.offset(),
        "path": fault.path().to_string(),
        "expected": fault.expected(),
        "found": fault.found(),
        "rule": fault.rule().name(),
    })
    .to_string()
}

/// Returns the line of something that is said about the rows behind it.
pub(super) fn remark(text: &str) -> String {
    json!({ "kind": "note", "text": text }).to_string()
}

/// Returns the line of something that has a place and no bytes that are shown.
pub(super) fn place(offset: u64, text: &str) -> String {
    json!({ "kind": "note", "offset": offset, "text": text }).to_string()
}

/// Returns the line of a value that stands as text.
pub(super) fn text(offset: u64, bytes: &[u8], name: &str, value: &str) -> String {
    json!({
        "kind": "text",
        "offset": offset,
        "length": bytes.len(),
        "name": name,
        "value": value,
    })
    .to_string()
}

/// Returns the line of bytes that are nothing known.
pub(super) fn plain(bytes: &[u8], offset: u64) -> String {
    json!({
        "kind": "unknown",
        "offset": offset,
        "length": bytes.len(),
        "bytes": hex(bytes),
    })
    .to_string()
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
