//! A row of a dump.

use serde::Serialize;
use serde_json::Value as Json;

use super::Finding;

/// A row of a dump, with all its bytes and nothing cut.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    /// What the row is: `open`, `field`, `bits`, `sum`, `unread`, `fault`, `note`, `text` or `unknown`.
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// How many bytes it has; missing where that is not known yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<usize>,
    /// Where the field is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) r#type: Option<String>,
    /// Numbers, texts and flags as JSON has them, all else as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Json>,
    /// What a number stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) means: Option<&'static str>,
    /// The bytes, two digits each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<String>,
    /// What is wrong here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) finding: Option<Finding>,
    /// What is said in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// Returns bytes as two digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
