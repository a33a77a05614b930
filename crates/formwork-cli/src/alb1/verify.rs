//! `verify` of ALB1 files.

use std::fmt::Write as _;

use formwork_alb1::finding::{Finding, Severity};
use formwork_alb1::terrain::FileKind;
use formwork_alb1::{Document, PlacedObjects};
use formwork_terrain::verify::document as check;

use super::{File, kind};
use crate::format::{Format, StrictnessName};
use crate::layers::within;
use crate::lines::{self, Grade};
use crate::quantity::counted;
use crate::verdict::{SHOWN, Verdict};

impl File {
    /// Checks whether the file is as Terrain Builder writes it, and returns the line about it.
    pub(super) fn verdict(&self, strictness: StrictnessName, all: bool) -> Verdict {
        if let Some(other) = self.other() {
            let line = format!("{}: this is {other}, no ALB1 file", self.source.name);
            return Verdict::not_ok(line, Grade::Damage, "another_format");
        }
        let start =
            format!("{}: {}{}", self.source.name, Format::ALB1, within(self.source.layers()));
        let document = match self.read() {
            Ok(document) => document,
            Err(error) => {
                return Verdict::damaged(format!("{start}: damaged: {error}"), Some(&error));
            }
        };
        let (kind, _) = kind(&document);
        // The objects of a layer are in its tree, which is one field of its only object.
        let count = match (PlacedObjects::of(&document), FileKind::of(&document)) {
            (Some(placed), _) => format!(", {}", counted(placed.objects, "placed object")),
            (None, Some(FileKind::ObjectLayer)) => String::new(),
            (None, _) => format!(", {}", counted(objects(&document) as u64, "object")),
        };
        let start = format!("{start}, {kind}{count}");
        match document.difference(self.source.bytes()) {
            Ok(None) => {}
            Ok(Some(offset)) => {
                let where_ = format!("offset {offset} (0x{offset:x})");
                let says = "Terrain Builder would write it differently from";
                let line = format!("{start}: {says} {where_} on");
                let finding = lines::Finding::new(Grade::Warning, "written_differently");
                let finding = lines::Finding { offset: Some(offset), ..finding };
                return Verdict { ok: false, ..Verdict::ok(line) }.finding(finding);
            }
            Err(error) => {
                let line = format!("{start}: cannot be written again: {error}");
                let finding = lines::Finding::of(Grade::Warning, &error);
                return Verdict { ok: false, ..Verdict::ok(line) }.finding(finding);
            }
        }
        let mut findings = check(&self.source.name, &document);
        if findings.is_empty() {
            return Verdict::ok(format!("{start}: as Terrain Builder writes it"));
        }
        // The line has room for the first findings only.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.kind.severity()));
        let mut oddities =
            Oddities { shown: if all { usize::MAX } else { SHOWN }, ..Oddities::default() };
        findings.iter().for_each(|finding| oddities.add(finding));
        let broken = findings.iter().any(|finding| finding.kind.severity() == Severity::Broken);
        let accepted = strictness == StrictnessName::Engine && !broken;
        let odd = if broken { "damaged" } else { "has warnings" };
        let line = format!("{start}: {odd}: {}", oddities.line());
        let all = findings.iter().map(lines::Finding::from);
        Verdict { ok: accepted, line, findings: all.collect(), more: Vec::new() }
    }
}

/// Counts the objects in a document, with its root.
fn objects(document: &Document) -> usize {
    document.walk().filter(|item| item.object().is_some()).count()
}

/// The findings on a file, as many as fit into a line.
#[derive(Default)]
struct Oddities {
    count: usize,
    shown: usize,
    text: String,
}

impl Oddities {
    fn add(&mut self, oddity: &Finding) {
        self.count += 1;
        if self.count > self.shown {
            return;
        }
        let semicolon = if self.count > 1 { "; " } else { "" };
        let Finding { file: _, offset, path, kind, message } = oddity;
        // Writing to a string does not fail.
        let _ = write!(self.text, "{semicolon}{kind}");
        if let Some(offset) = offset {
            let _ = write!(self.text, " at offset {offset} (0x{offset:x})");
        }
        if !path.is_empty() {
            let _ = write!(self.text, ", {path}");
        }
        let _ = write!(self.text, ": {message}");
    }

    fn line(mut self) -> String {
        if let more @ 1.. = self.count.saturating_sub(self.shown) {
            let _ = write!(self.text, "; and {more} more");
        }
        self.text
    }
}
