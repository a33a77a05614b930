//! A finding in plain words.

use std::fmt::Write as _;

use super::folder::Files;
use super::ready::Expected;
use super::words::{block, inline};
use super::{Context, answer, replay};
use crate::oracle::{Finding, Kind};

/// What a kind of finding means, in a sentence.
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
        Kind::DifferentValue => "The decoder reads another value than the packet holds.",
        Kind::WrongConsumed => {
            "The decoder says that the value took another number of bytes than it did, so that what \
             follows it is read from the wrong place."
        }
        Kind::StateLeak => {
            "What the decoder makes of this packet depends on the packets that it read before."
        }
        Kind::OutOfTurn => {
            "The decoder sent what is no answer, or more answers than it was asked for."
        }
    }
}

/// The text of `README.md`.
pub(super) fn page(finding: &Finding, about: &Context, files: &Files) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut out, finding, about, files);
    out
}

fn write(
    out: &mut String,
    finding: &Finding,
    about: &Context,
    files: &Files,
) -> Result<(), std::fmt::Error> {
    let difference = &finding.difference;
    writeln!(out, "# {}: {}\n", difference.kind, inline(&difference.about))?;
    writeln!(out, "{}\n", meaning(difference.kind))?;
    writeln!(out, "{}", block(&difference.detail))?;

    writeln!(out, "| | |\n|---|---|")?;
    let format = about.reading.format;
    let objects = if about.reading.allow_objects { ", objects allowed" } else { "" };
    let attitude = format!("{:?}", about.attitude).to_lowercase();
    writeln!(out, "| format | {format} (attitude: {attitude}{objects}) |")?;
    writeln!(out, "| target | {} |", inline(&about.target))?;
    if let Some(reference) = &about.reference {
        writeln!(out, "| reference | {} |", inline(reference))?;
    }
    writeln!(out, "| subject | {} |", inline(&finding.subject))?;
    writeln!(
        out,
        "| found by | case {} of seed {}, profile {} |",
        finding.number, about.seed, finding.profile
    )?;
    writeln!(out, "| shown by | {} cases |", finding.count)?;
    writeln!(
        out,
        "| smallest packet | {} bytes, of {} at first |",
        finding.packet.len(),
        finding.first.len()
    )?;
    if !finding.before.is_empty() {
        writeln!(out, "| packets before it | {} |", finding.before.len())?;
    }
    if let Some(broken) = finding.broken {
        let (rule, sentence) = (broken.rule, broken.rule.demand());
        writeln!(
            out,
            "| broken on purpose | `{rule}` at byte {} of first.bin; it demands that {sentence} |",
            broken.offset
        )?;
    }

    writeln!(out, "\n## What a correct decoder does\n")?;
    writeln!(out, "{}", Expected::of(finding, about).sentence())?;
    let (reference, said) = answer::told(&finding.reference, about);
    let who = if about.reference.is_some() { "The reference" } else { "formwork's own decoder" };
    writeln!(out, "\n{who} {}{}", inline(&reference), end(said.as_deref()))?;
    writeln!(out, "## What the target does\n")?;
    let (target, said) = answer::told(&finding.target, about);
    writeln!(out, "It {}{}", inline(&target), end(said.as_deref()))?;

    writeln!(out, "## To try it again\n")?;
    writeln!(out, "In this folder:\n\n{}", block(&replay(about)))?;
    writeln!(out, "## Files\n")?;
    for name in files.names() {
        writeln!(out, "* `{name}`: {}", purpose(name))?;
    }
    Ok(())
}

/// The end of a sentence, and what was said as a block.
fn end(said: Option<&str>) -> String {
    match said {
        Some(said) => format!(":\n\n{}", block(said)),
        None => ".\n".to_owned(),
    }
}

fn purpose(name: &str) -> &'static str {
    match name {
        "packet.bin" => "the smallest packet that shows it",
        "first.bin" => "the packet that showed it first",
        "dump.txt" => "every byte of packet.bin, explained",
        "packet.json" => "its value as lossless JSON",
        "packet.txt" => "its value as text",
        "replay.sh" => "tries it again",
        name if name.starts_with("before/") => "has to be read before packet.bin, in order",
        name if name.starts_with("target.") => "what the target made of packet.bin",
        name if name.starts_with("reference.") => "what the reference made of packet.bin",
        _ => "a test to copy: one marked place calls the decoder",
    }
}
