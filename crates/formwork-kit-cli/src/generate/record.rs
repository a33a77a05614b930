//! A case as a line of JSON.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::ValueEnum;
use formwork_kit::case::Case;
use serde::Serialize;

use super::verdict::Verdict;

/// How bytes are spelled in JSON.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Spelling {
    /// Two digits a byte
    #[default]
    Hex,
    /// Shorter
    Base64,
}

impl Spelling {
    fn of(self, bytes: &[u8]) -> String {
        match self {
            Self::Hex => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Self::Base64 => BASE64_STANDARD.encode(bytes),
        }
    }
}

/// The members of the line, except the value.
#[derive(Serialize)]
struct Line<'c> {
    number: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'c str>,
    profile: &'static str,
    subject: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    /// Other bytes with the same meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consumed: Option<usize>,
    /// Whether the value is left out: many JSON readers fail at this depth.
    #[serde(skip_serializing_if = "is_false")]
    too_deep: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Returns whether the JSON nests no deeper than common readers allow.
fn is_flat(json: &str) -> bool {
    const MOST: u32 = 100;
    let (mut depth, mut in_text, mut escaped) = (0_u32, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST {
            return false;
        }
    }
    true
}

/// Returns the line of a case: with its bytes, unless a file has them.
pub(super) fn line(
    case: &Case,
    file: Option<&str>,
    verdict: &Verdict,
    spelling: Spelling,
    pairs: bool,
) -> String {
    let pair = case.pair.as_ref().filter(|_| pairs);
    let (consumed, canonical, broken, value) = match verdict {
        Verdict::Accepted { consumed, canonical, unusual, value } => (
            Some(*consumed),
            Some(*canonical),
            unusual.as_ref(),
            Some(value).filter(|it| is_flat(it)),
        ),
        Verdict::Rejected(broken) => (None, None, Some(broken), None),
    };
    let line = Line {
        number: case.number,
        file,
        profile: case.profile.name(),
        subject: case.subject,
        bytes: file.is_none().then(|| spelling.of(&case.bytes)),
        pair: pair.map(|pair| spelling.of(pair)),
        verdict: if consumed.is_some() { "accepted" } else { "rejected" },
        canonical,
        consumed,
        too_deep: value.is_none() && consumed.is_some(),
        rule: broken.map(|broken| broken.rule.name()),
        offset: broken.map(|broken| broken.offset),
    };
    // Numbers and strings can always be written as JSON.
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    if let Some(value) = value {
        text.pop();
        text.push_str(",\"value\":");
        text.push_str(value);
        text.push('}');
    }
    text.push('\n');
    text
}
