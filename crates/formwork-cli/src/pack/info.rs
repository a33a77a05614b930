//! `info` about packs.

use std::collections::BTreeMap;

use formwork_godot::detect::Other;
use formwork_godot::pack::Pack;

use super::{File, release_in_words};
use crate::failure::Status;
use crate::lines::Finding;
use crate::listing::Listed;
use crate::quantity::counted;
use crate::report::{Entry, Report};
use crate::store::{dialect, needs_key};

/// Number of files that are listed without `--all`.
pub(crate) const SHOWN: usize = 20;

/// Number of faults that are listed.
const FAULTS: usize = 10;

impl Report {
    /// Adds the facts about a pack; `all` lists every file of it.
    pub(crate) fn pack(&mut self, file: &File, all: bool) {
        let (name, what) = (Other::GodotPack.name(), Other::GodotPack.description());
        self.add("format", Entry::named(name, what));
        let size = file.source.bytes().len() as u64;
        let pack = match file.open() {
            Ok(pack) => pack,
            Err(failure) => {
                self.add("size", Entry::Amount(size, "byte"));
                let lines = failure.lines(&file.source.name);
                return match failure.status() {
                    Status::Usage => self.locked(lines),
                    _ => self.fault(lines, failure.finding()),
                };
            }
        };
        let words = match dialect(&pack) {
            Some(dialect) => format!("its values are {dialect}"),
            None => "an unknown release".to_owned(),
        };
        let release = pack.engine().to_string();
        self.add("engine", Entry::named(release, format!("{}; {words}", release_in_words(&pack))));
        self.add("version", Entry::Number(pack.version().into(), "of the pack format"));
        let range = pack.range();
        if pack.is_embedded() {
            let (at, size) = (range.start, counted(range.len() as u64, "byte"));
            self.add(
                "embedded",
                Entry::line(format!("behind an executable, from offset {at} on: {size}")),
            );
        }
        self.add("size", Entry::Amount(size, "byte"));
        if pack.is_sparse() {
            self.add("sparse", Entry::line("the contents stand in files outside the pack"));
        }
        self.add("files", Entry::Number(pack.count().into(), files_in_words(&pack)));
        if pack.sealed_directory().is_some() {
            self.locked(needs_key(&file.source.name).lines(&file.source.name));
            return;
        }
        let files = Listed::all(&pack);
        let mut kinds = BTreeMap::<String, u64>::new();
        for listed in &files {
            *kinds.entry(listed.kind().to_owned()).or_default() += 1;
        }
        if !kinds.is_empty() {
            self.add("kinds", Entry::Counts(kinds.into_iter().collect()));
            self.add("contents", Entry::Files(files, if all { usize::MAX } else { SHOWN }));
        }
        let faults = faults(&pack);
        if !faults.is_empty() {
            self.add_for_people("faults", Entry::Lines(faults));
            self.find(pack.check().iter().map(Finding::damage));
        }
    }
}

fn files_in_words(pack: &Pack<'_>) -> &'static str {
    match (pack.is_directory_encrypted(), pack.sealed_directory()) {
        (true, Some(_)) => "in an encrypted directory",
        (true, None) => "in an encrypted directory, which the key opens",
        (false, _) => "in the directory",
    }
}

fn faults(pack: &Pack<'_>) -> Vec<String> {
    let faults = pack.check();
    let mut lines: Vec<_> =
        faults.iter().take(FAULTS).map(|error| super::verify::said(pack, error)).collect();
    if let more @ 1.. = faults.len().saturating_sub(FAULTS) {
        lines.push(format!("and {more} more ('formwork verify --all' lists them)"));
    }
    lines
}
