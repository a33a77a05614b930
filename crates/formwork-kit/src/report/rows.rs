//! Findings as rows of a suite: the runners of the suite read them, too.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::{Deserialize, Deserializer, Serialize};

use super::{Context, name};
use crate::oracle::Outcome;
use crate::oracle::protocol::Answer;
use crate::oracle::{Finding, Judge};
use crate::suite::lines::{ascii, head, members};
use crate::suite::spelling::{spelled, unspelled};
use crate::suite::{Expect, Vector, vector};

/// A row of a suite or of a report, as far as it is needed to try it again.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The packet.
    #[serde(rename = "hex", deserialize_with = "bytes")]
    pub packet: Vec<u8>,
    /// The packets that have to come before it.
    #[serde(default, deserialize_with = "lists")]
    pub before: Vec<Vec<u8>>,
    /// A packet that means the same.
    #[serde(default, deserialize_with = "some")]
    pub pair: Option<Vec<u8>>,
}

fn bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    unspelled(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

fn some<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
    bytes(from).map(Some)
}

fn lists<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<u8>>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| unspelled(text).map_err(serde::de::Error::custom)).collect()
}

/// Reads the rows of a suite, or of the findings of a run.
///
/// # Errors
///
/// Says which line is no row, and why.
pub fn rows(text: &str) -> Result<Vec<Row>, String> {
    // The first line is about the file.
    let lines = text.lines().enumerate().skip(1);
    let row = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))
    };
    lines.map(row).collect()
}

/// The members of a finding that a row of a suite does not have.
#[derive(Serialize)]
struct More<'a> {
    kind: &'static str,
    about: &'a str,
    detail: &'a str,
    subject: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<u64>,
    cases: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
}

/// Returns the file of the findings.
pub(super) fn file(findings: &[Finding], about: &Context) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    head(&mut out, about.reading.format, findings.len())?;
    for finding in findings {
        let mut row = members(&vector_of(finding, about), about.reading);
        let more = serde_json::to_string(&More {
            kind: finding.difference.kind.name(),
            about: &finding.difference.about,
            detail: &finding.difference.detail,
            subject: &finding.subject,
            case: (!finding.is_row).then_some(finding.number),
            cases: finding.count,
            before: finding.before.iter().map(|packet| spelled(packet)).collect(),
            pair: finding.pair.as_ref().map(|pair| spelled(&pair.packet)),
        })?;
        // Writing to a string does not fail.
        let _ = write!(row, ",{}", ascii(more.trim_start_matches('{')));
        writeln!(out, "{{{row}")?;
    }
    Ok(out)
}

/// Returns what is right for the packet of a finding: by this crate's decoder, or by the reference.
fn vector_of(finding: &Finding, about: &Context) -> Vector {
    let judge = Judge::new(about.reading).strictness(about.strictness);
    let mut vector = vector(&judge, "", "", &finding.packet);
    vector.id = name(finding);
    if about.reference.is_some() {
        (vector.expect, vector.rule) = match &finding.reference {
            Outcome::Answered(Answer::Accepted { consumed, bytes }) => {
                let others = judge.other_encodings(&finding.packet, *consumed, bytes, None);
                let used = consumed.unwrap_or(u32::MAX);
                let bytes = std::iter::once(bytes.clone()).chain(others);
                (Expect::Accepted { used, bytes: bytes.collect() }, None)
            }
            Outcome::Answered(Answer::Rejected { .. }) => (Expect::Refused, None),
            _ => (vector.expect, vector.rule),
        };
    }
    vector
}
