//! `info` of ALB1 files.

use std::collections::BTreeMap;

use formwork::document::Json;
use formwork_alb1::finding::{Finding, Severity};
use formwork_alb1::{Document, FindingKind};
use formwork_terrain::verify;

use super::{File, kind};
use crate::failure::Status;
use crate::format::Format;
use crate::lines;
use crate::report::{CERTAIN, SAID};
use crate::report::{Entry, Report};
use crate::style::shown;

impl Report {
    /// Adds the facts about an ALB1 file. `said` is set where the user named the format. The file
    /// has `size` bytes, with the containers around it. The status is "no" where a part cannot be
    /// read.
    pub(crate) fn alb1(&mut self, file: &File, said: bool, size: u64) -> Status {
        self.add("format", Entry::named(Format::ALB1, "a file of Terrain Builder (Visitor 4)"));
        let (name, words) = if said { SAID } else { CERTAIN };
        self.add("sure", Entry::named(name, words));
        self.add("size", Entry::Amount(size, "byte"));
        match file.read() {
            Ok(document) => self.document(&document),
            Err(error) => self.damaged(error.to_string(), lines::Finding::damage(&error)),
        }
    }

    /// Adds the fault of a part that cannot be read.
    fn damaged(&mut self, fault: String, finding: lines::Finding) -> Status {
        self.fault(vec![fault], finding);
        self.broken()
    }

    fn broken(&mut self) -> Status {
        self.add_for_people("rescue", Entry::line("formwork decode --recover reads what is left"));
        Status::No
    }

    fn document(&mut self, document: &Document) -> Status {
        let number = |digits: &Json| digits.to_string().parse().unwrap_or_default();
        for (title, value) in document.summary() {
            let entry = match value {
                Json::Object(counts) => {
                    Entry::Counts(counts.into_iter().map(|it| (it.0, number(&it.1))).collect())
                }
                Json::String(word) if title == "kind" => Entry::named(word, kind(document).1),
                // A name may hold any bytes, such as control sequences of a terminal.
                Json::String(text) => Entry::line(shown(text)),
                value => Entry::Number(number(&value), unit(title, document)),
            };
            self.add(title, entry);
        }
        let mut kinds: BTreeMap<FindingKind, u64> = BTreeMap::new();
        let findings = verify::document("", document);
        findings.iter().for_each(|finding| *kinds.entry(finding.kind).or_default() += 1);
        if !kinds.is_empty() {
            let kinds = kinds.into_iter().map(|(kind, count)| (kind.to_string(), count));
            self.add_for_people("odd", Entry::Counts(kinds.collect()));
        }
        let broken = findings.iter().find(|finding| finding.kind.severity() == Severity::Broken);
        self.find(findings.iter().map(lines::Finding::from));
        let Some(Finding { offset, path, message, .. }) = broken else { return Status::Done };
        let offset = offset.unwrap_or_default();
        self.add_for_people(
            "faults",
            Entry::line(format!("offset {offset} (0x{offset:x}), {path}: {message}")),
        );
        self.broken()
    }
}

/// Returns the words after a number of a summary.
fn unit(title: &str, document: &Document) -> &'static str {
    match title {
        "version" if document.header.project_version > 0 => "(of the project)",
        "version" => "(of the layer)",
        "placed" => "on the map",
        "templates" => "used",
        "leaves" => "of the tree",
        "objects" => "including the root",
        "fields" => "in all",
        _ => "bytes in raw arrays",
    }
}
