//! Findings in plain words.

use std::fmt::{self, Write as _};
use std::path::Path;

use crate::all_rules;
use formwork_variant::Rule;

use super::words::{block, inline};
use super::{Context, answer, bytes, dump, name, replay};
use crate::oracle::{Cut, Finding, Kind, protocol};

/// Describes a kind of finding in a sentence.
pub(super) const fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Crash => "The process of the decoder ended while it read this packet.",
        Kind::Hang => "The decoder did not finish reading this packet in time.",
        Kind::Memory => "The decoder wanted far more memory for this packet than it may have.",
        Kind::Slow => {
            "The decoder took far more time for this packet than its size calls for: the time grows \
             faster than the packet."
        }
        Kind::AcceptsInvalid => "The decoder accepts a packet that should be refused.",
        Kind::RejectsValid => "The decoder refuses a packet that is valid.",
        Kind::RejectsAcceptable => {
            "The decoder refuses a packet that engines read, though they would not write it. A decoder may be that \
             strict."
        }
        Kind::DifferentValue => "The decoder reads another value than the packet holds.",
        Kind::WrongConsumed => {
            "The decoder says that the value took another number of bytes than it did, so that what \
             follows it is read from the wrong place."
        }
        Kind::PairDiffers => {
            "The decoder reads two packets differently that mean the same: this one, and the one that \
             the engine writes for its value."
        }
        Kind::StateLeak => {
            "What the decoder makes of this packet depends on the packets that it read before."
        }
        Kind::OutOfTurn => {
            "The decoder sent what is no answer, or more answers than it was asked for."
        }
    }
}

/// The text of `index.md`, beside the file of the rows.
pub(super) fn page(findings: &[Finding], about: &Context, rows: &Path) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut out, findings, about, rows);
    out
}

fn write(out: &mut String, findings: &[Finding], about: &Context, rows: &Path) -> fmt::Result {
    let format = about.reading.format;
    let objects = if about.reading.allow_objects { ", objects allowed" } else { "" };
    let strictness = format!("{:?}", about.strictness).to_lowercase();
    writeln!(out, "# Findings\n\n| | |\n|---|---|")?;
    writeln!(out, "| format | {format} (strictness: {strictness}{objects}) |")?;
    writeln!(out, "| target | {} |", inline(&about.target))?;
    if let Some(reference) = &about.reference {
        writeln!(out, "| reference | {} |", inline(reference))?;
    }
    writeln!(out, "| seed | {} |\n", about.seed)?;
    if findings.is_empty() {
        return writeln!(out, "Nothing was found.");
    }
    writeln!(out, "To try all of them again:\n\n{}", block(&replay(rows, about)))?;
    findings.iter().try_for_each(|finding| section(out, finding, about))
}

fn section(out: &mut String, finding: &Finding, about: &Context) -> fmt::Result {
    let difference = &finding.difference;
    writeln!(out, "## {}: {}\n", difference.kind, inline(&difference.about))?;
    let (reference, mut right) = answer::told(&finding.reference, about);
    let (target, mut wrong) = answer::told(&finding.target, about);
    // Two answers that read alike differ in their bytes, which are shown below.
    let alike = right.is_some() && right == wrong;
    if alike {
        (right, wrong) = (None, None);
    }
    writeln!(out, "{}\n", if alike { ALIKE } else { meaning(difference.kind) })?;
    writeln!(out, "{}", block(&difference.detail))?;
    for rule in rules(&difference.about) {
        writeln!(out, "The rule `{rule}`: {}\n", rule.description().trim())?;
    }
    match finding.cut {
        Cut::Shrinking => {
            writeln!(out, "Making the packet small was cut short: there may be a smaller one.\n")?
        }
        Cut::Confirming => {
            writeln!(out, "This was seen once: the time was over before it was tried again.\n")?;
        }
        Cut::Nothing => {}
    }

    writeln!(out, "| | |\n|---|---|")?;
    writeln!(out, "| row | `{}` |", name(finding))?;
    let subject = inline(&finding.subject);
    match finding.is_row {
        true => writeln!(out, "| found by | `{subject}` of the suite |")?,
        false => writeln!(
            out,
            "| found by | case {} of seed {}, profile {}, about {subject} |",
            finding.number, about.seed, finding.profile,
        )?,
    }
    let cases = if finding.count == 1 { "case" } else { "cases" };
    writeln!(out, "| shown by | {} {cases} |", finding.count)?;
    writeln!(
        out,
        "| smallest packet | {} bytes, of {} at first |",
        finding.packet.len(),
        finding.first.len()
    )?;
    if let Some(pair) = &finding.pair {
        writeln!(out, "| the other half of its pair | {} bytes |", pair.packet.len())?;
    }
    if !finding.before.is_empty() {
        writeln!(out, "| packets before it | {} |", finding.before.len())?;
    }
    if let Some(broken) = finding.broken {
        let (rule, sentence) = (broken.rule, broken.rule.demand());
        writeln!(
            out,
            "| broken on purpose at first | `{rule}` at byte {}; it demands that {sentence} |",
            broken.offset
        )?;
    }

    let who = if about.reference.is_some() { "The reference" } else { "A correct decoder" };
    writeln!(out, "\n{who} {}{}", inline(&reference), end(right.as_deref()))?;
    writeln!(out, "The target {}{}", inline(&target), end(wrong.as_deref()))?;
    if let Some(pair) = &finding.pair {
        let (target, value) = answer::told(&pair.target, about);
        writeln!(
            out,
            "With the other half of the pair, the target {}{}",
            inline(&target),
            end(value.as_deref())
        )?;
    }
    writeln!(out, "The bytes:\n")?;
    writeln!(
        out,
        "{}",
        block(&bytes::shown(&finding.packet, &finding.reference, &finding.target))
    )?;
    let explained = dump(&finding.packet, about.reading.format);
    let mut lines = explained.lines();
    let mut shown = lines.by_ref().take(EXPLAINED).collect::<Vec<_>>().join("\n");
    match lines.count() {
        0 => {}
        // Writing to a string does not fail.
        more => _ = write!(shown, "\n... and {more} more lines"),
    }
    writeln!(out, "What they are:\n\n{}", block(&shown))?;
    Ok(())
}

/// Lines that explain a packet, at most.
const EXPLAINED: usize = 64;

/// Text for two answers that read as the same value.
const ALIKE: &str = "The decoder's answer reads as the right value, as the engine mends what is wrong with it; \
    its bytes are not those that the engine writes.";

/// The rules that a text names.
fn rules(text: &str) -> impl Iterator<Item = Rule> {
    let is_part =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    let words: Vec<&str> = text.split(|letter| !is_part(letter)).collect();
    all_rules()
        .chain(protocol::rule::ALL.iter().copied())
        .filter(move |rule| words.contains(&rule.name()))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Ends a sentence, followed by the message `said` as a block.
fn end(said: Option<&str>) -> String {
    match said {
        Some(said) => format!(":\n\n{}", block(said)),
        None => ".\n".to_owned(),
    }
}
