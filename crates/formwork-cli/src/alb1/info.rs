//! `info` of ALB1 files.

use std::collections::BTreeMap;

use formwork_alb1::finding::{Finding, Severity};
use formwork_alb1::terrain::{ObjectLayer, Tags};
use formwork_alb1::tree::BoundingBox;
use formwork_alb1::{Document, FindingKind, Value};
use formwork_terrain::statistics::{Census, PlacedObjects};
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
        let (name, words) = kind(document);
        self.add("kind", Entry::named(name, words));
        let text = |tag| {
            let value = document.tags.id(tag).and_then(|tag| document.root.get(tag));
            value.and_then(Value::as_text).map(ToString::to_string)
        };
        if let Some(name) = text(Tags::<ObjectLayer>::name) {
            // A name may hold any bytes, such as control sequences of a terminal.
            self.add("name", Entry::line(shown(name)));
        }
        if let version @ 1.. = document.header.project_version {
            self.add("version", Entry::Number(version.into(), "(of the project)"));
        } else if let Some(version) = version_of_layer(document) {
            self.add("version", Entry::Number(version, "(of the layer)"));
        }
        if let Some(placed) = PlacedObjects::of(document) {
            self.placed(&placed);
        }
        let census = Census::of(document);
        self.add("objects", Entry::Number(census.object_count(), "including the root"));
        let fields = census.field_count();
        self.add("classes", Entry::Counts(census.objects));
        self.add("fields", Entry::Number(fields, "in all"));
        self.add("types", Entry::Counts(census.fields));
        self.add("raw", Entry::Number(census.raw, "bytes in raw arrays"));
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

impl Report {
    /// Adds the facts about the objects on the map.
    fn placed(&mut self, placed: &PlacedObjects) {
        let PlacedObjects { objects, templates, leaves, extent } = placed;
        self.add("placed", Entry::Number(*objects, "on the map"));
        self.add("templates", Entry::Number(templates.len() as u64, "used"));
        if let Some(BoundingBox { x0, y0, x1, y1 }) = extent {
            let extent = format!("{x0:.3}, {y0:.3} to {x1:.3}, {y1:.3} (west, south, east, north)");
            self.add("extent", Entry::line(extent));
        }
        self.add("leaves", Entry::Number(*leaves, "of the tree"));
    }
}

fn version_of_layer(document: &Document) -> Option<u64> {
    let version = document.root.get(document.tags.id(Tags::<ObjectLayer>::version)?)?;
    version.as_integer()?.try_into().ok()
}
