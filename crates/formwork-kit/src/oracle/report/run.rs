//! The pages over all findings of a run.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde::Serialize;

use super::words::inline;
use super::{Context, folder, junit, name, replay};
use crate::oracle::stored::to_hex;
use crate::oracle::{Cut, Finding};

/// A run, as `findings.json` has it.
#[derive(Serialize)]
struct Run<'a> {
    format: String,
    target: &'a str,
    reference: Option<&'a str>,
    /// As text: a number of JSON is one of 53 bits to many programs.
    seed: String,
    findings: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    kind: &'static str,
    about: &'a str,
    detail: &'a str,
    folder: String,
    subject: &'a str,
    profile: &'static str,
    case: String,
    count: u64,
    cut: Cut,
    /// The smallest packet, in hex.
    packet: String,
    /// The packet that means the same, in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    bytes: usize,
    first_bytes: usize,
    before: usize,
    broken_rule: Option<&'static str>,
    broken_offset: Option<u64>,
    replay: String,
}

impl<'a> Entry<'a> {
    fn of(finding: &'a Finding, about: &Context, folder: &Path) -> Self {
        let difference = &finding.difference;
        Self {
            kind: difference.kind.name(),
            about: &difference.about,
            detail: &difference.detail,
            folder: name(finding),
            subject: &finding.subject,
            profile: finding.profile.name(),
            case: finding.number.to_string(),
            count: finding.count,
            cut: finding.cut,
            packet: to_hex(&finding.packet),
            pair: finding.pair.as_ref().map(|pair| to_hex(&pair.packet)),
            bytes: finding.packet.len(),
            first_bytes: finding.first.len(),
            before: finding.before.len(),
            broken_rule: finding.broken.map(|broken| broken.rule.name()),
            broken_offset: finding.broken.map(|broken| broken.offset),
            replay: replay(&folder.join(name(finding)).join("packet.bin"), about),
        }
    }
}

/// Writes `index.md`, `findings.json` and `junit.xml` into `folder`, each in place of one that is
/// there: the pages over findings whose folders are in `folder`, too.
///
/// # Errors
///
/// Fails if a file cannot be written.
pub fn write_run(folder: &Path, findings: &[Finding], about: &Context) -> io::Result<()> {
    let place = std::path::absolute(folder)?;
    let run = Run {
        format: about.reading.format.to_string(),
        target: &about.target,
        reference: about.reference.as_deref(),
        seed: about.seed.to_string(),
        findings: findings.iter().map(|finding| Entry::of(finding, about, &place)).collect(),
    };
    let mut json = serde_json::to_vec_pretty(&run)?;
    json.push(b'\n');
    folder::replace_file(folder, "findings.json", &json)?;
    folder::replace_file(folder, "junit.xml", junit::document(findings, about).as_bytes())?;
    folder::replace_file(folder, "index.md", index(findings, about).as_bytes())
}

fn index(findings: &[Finding], about: &Context) -> String {
    let format = about.reading.format;
    let mut out = format!(
        "# Findings\n\nFormat {format}, seed {}, target: {}\n\n",
        about.seed,
        inline(&about.target)
    );
    // Writing to a string does not fail.
    let _ = if findings.is_empty() {
        writeln!(out, "Nothing was found.")
    } else {
        index_table(&mut out, findings)
    };
    out
}

fn index_table(out: &mut String, findings: &[Finding]) -> std::fmt::Result {
    writeln!(
        out,
        "| kind | about | subject | profile | cases | bytes |\n|---|---|---|---|---|---|"
    )?;
    findings.iter().try_for_each(|finding| {
        let difference = &finding.difference;
        writeln!(
            out,
            "| {} | [{}]({}/README.md) | {} | {} | {} | {} |",
            difference.kind,
            inline(&difference.about),
            name(finding),
            inline(&finding.subject),
            finding.profile,
            finding.count,
            finding.packet.len()
        )
    })
}
