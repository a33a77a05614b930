//! Findings as JUnit writes the results of tests: what most build servers read.

use std::fmt::{self, Write as _};

use super::{Context, name};
use crate::oracle::Finding;

/// A document with a failed test case for each finding; with a passed one where there is none.
pub(super) fn document(findings: &[Finding], about: &Context) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut out, findings, about);
    out
}

fn write(out: &mut String, findings: &[Finding], about: &Context) -> fmt::Result {
    let (tests, failures) = (findings.len().max(1), findings.len());
    let format = about.reading.format.to_string();
    let suite = escaped(&format!("formwork-kit fuzz --format {format} --target {}", about.target));
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites tests="{tests}" failures="{failures}">"#)?;
    writeln!(out, r#"  <testsuite name="{suite}" tests="{tests}" failures="{failures}">"#)?;
    if findings.is_empty() {
        writeln!(out, r#"    <testcase classname="{format}" name="nothing was found"/>"#)?;
    }
    for finding in findings {
        let difference = &finding.difference;
        let (kind, what) = (difference.kind, escaped(&difference.about));
        writeln!(out, r#"    <testcase classname="{format}.{kind}" name="{what}">"#)?;
        let found = match finding.is_row {
            true => format!("{} of the suite", finding.subject),
            false => format!(
                "case {} of seed {}, profile {}",
                finding.number, about.seed, finding.profile
            ),
        };
        let text = escaped(&format!("{}\n{found}; row {}", difference.detail, name(finding)));
        writeln!(out, r#"      <failure type="{kind}" message="{what}">{text}</failure>"#)?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

/// A text in XML 1.0, which has no place at all for most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}
