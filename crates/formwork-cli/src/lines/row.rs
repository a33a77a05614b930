//! A row of a dump.

use serde::Serialize;
use serde_json::Value as Json;

use super::Finding;

/// A row of a dump, with all its bytes, uncut.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    /// The kind of row: `open`, `field`, `bits`, `sum`, `unread`, `fault`, `note`, `text` or
    /// `unknown`.
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// Size in bytes; missing where it is not known yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<usize>,
    /// The path of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) r#type: Option<String>,
    /// The value: numbers, strings and booleans as in JSON, all others as in the text form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Json>,
    /// The meaning of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) means: Option<&'static str>,
    /// The bytes, two hexadecimal digits each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<String>,
    /// The fault in this row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) finding: Option<Finding>,
    /// The message of the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// Returns bytes as two hexadecimal digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
