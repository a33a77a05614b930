//! A row of a dump.

use serde::Serialize;
use serde_json::Value as Json;

use super::Finding;

/// A row of a dump, with all its bytes, uncut.
#[derive(Debug, Default, Serialize)]
pub struct Row {
    /// The kind of row: `open`, `field`, `bits`, `sum`, `unread`, `fault`, `note`, `text` or
    /// `unknown`.
    pub kind: &'static str,
    /// The offset of the first byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Size in bytes; missing where it is not known yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The number of rows around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The path of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The name of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The value: numbers, strings and booleans as in JSON, all others as in the text form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    /// The meaning of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<&'static str>,
    /// The bytes, two hexadecimal digits each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
    /// The fault in this row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// The message of the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Returns bytes as two hexadecimal digits each.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
