//! Finds faults in a project on disk.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use formwork::Path;
use formwork_alb1::Text;
use formwork_alb1::finding::{Finding, FindingKind, Severity};
use formwork_alb1::terrain::{Library, LibraryTemplate, ObjectLayer, PathKind, Templates, hash};
use formwork_alb1::tree::{Version, groups};

use super::drives::{Drives, Location};
use super::file::ReadFile;
use super::libraries::LibraryState;
use super::{Project, ProjectFile, named};
use crate::check::{Files, locate};
use crate::paths::{FilePath, file_paths};
use crate::verify;

impl Project {
    /// Returns the faults of the project and its layers: all findings of [`verify::project`] except mere oddities; and
    /// layers that could not be read, and missing libraries and files.
    ///
    /// Templates are looked up in the libraries that exist. Files are looked for in the folders of `drives`.
    #[must_use]
    pub fn verify(&self, drives: &Drives, reader: &dyn ReadFile) -> Vec<Finding> {
        let mut findings = Vec::new();
        for unread in &self.unread {
            findings.push(Finding {
                file: unread.name.clone(),
                offset: None,
                path: Path::default(),
                kind: FindingKind::LayerUnread,
                message: unread.why.to_string(),
            });
        }
        let mut templates = Templates::new();
        if let Some(file) = &self.project {
            self.paths(file, drives, reader, &mut templates, &mut findings);
            locate(&file.name, &file.document, &mut findings);
        }
        let layers: Vec<_> = self.layers.iter().chain(&self.shapes).map(named).collect();
        let files = Files {
            project: self.project.as_ref().map(named),
            layers: &layers,
            complete: self.project.is_some() && self.unread.is_empty(),
            libraries: (templates.libraries().len() > 0).then_some(&templates),
        };
        let all = verify::project(&files);
        findings.extend(all.into_iter().filter(|it| it.kind.severity() != Severity::Warning));
        findings
    }

    /// Looks for the files that the project names, and takes the templates of its libraries.
    fn paths(
        &self,
        file: &ProjectFile,
        drives: &Drives,
        reader: &dyn ReadFile,
        templates: &mut Templates,
        findings: &mut Vec<Finding>,
    ) {
        let mut found = |path: FilePath, kind, message| {
            let file = file.name.clone();
            findings.push(Finding { file, offset: None, path: path.at, kind, message });
        };
        let mut read = Vec::new();
        let mut libraries = self.libraries(drives, reader).into_iter();
        for path in file_paths(&file.document) {
            if path.kind == PathKind::InProject {
                let Some(library) = libraries.next() else { continue };
                let message = match library.state {
                    LibraryState::Read(library) => {
                        templates.add(&library);
                        read.push((path, library));
                        continue;
                    }
                    LibraryState::Unreadable { name, why } => {
                        format!("{name} is no template library: {why}")
                    }
                    LibraryState::Missing(here) => {
                        format!("the library {} is not there", here.display())
                    }
                    LibraryState::Unknown => continue,
                };
                found(path, FindingKind::LibraryMissing, message);
            } else if let Location::Missing(here) = drives.find(&path, self.folder()) {
                let (text, here) = (&path.text, here.display());
                let message = format!("{text} is not there (looked for as {here})");
                found(path, FindingKind::PathMissing, message);
            }
        }
        let used = self.hashes_of_objects();
        let mut seen: HashMap<&Text, &Text> = HashMap::new();
        for (path, library) in &read {
            if let Some(message) = foreign_hashes(library, &used) {
                found(path.clone(), FindingKind::LibraryHash, message);
            }
            if let Some(message) = names_twice(library, &mut seen) {
                found(path.clone(), FindingKind::TemplateTwice, message);
            }
        }
    }

    /// Returns the hashes that the objects of all layers have, as far as these can be read.
    fn hashes_of_objects(&self) -> HashSet<u32> {
        let trees = self.layers.iter().filter_map(|file| ObjectLayer::tree_in(&file.document));
        let groups = trees.flat_map(|(tree, version)| {
            let version = version.map_or_else(Version::default, Version::of_layer_version);
            groups(tree, version).map_while(Result::ok)
        });
        groups.filter(|group| !group.objects.is_empty()).map(|group| group.template).collect()
    }
}

/// Describes the templates of a library whose hash is not that of their name. A hash that objects have is that of the
/// template's first name.
fn foreign_hashes(library: &Library, used: &HashSet<u32>) -> Option<String> {
    let is_foreign = |it: &&LibraryTemplate| {
        !it.has_hash_of_name() && it.hash.is_some_and(|hash| !used.contains(&hash))
    };
    let foreign: Vec<_> = library.templates.iter().filter(is_foreign).collect();
    let first = foreign.first()?;
    // A library writes them with a sign.
    let (says, expected) =
        (first.hash.unwrap_or_default() as i32, hash(first.name.as_bytes()) as i32);
    let mut counts: HashMap<Option<u32>, usize> = HashMap::new();
    foreign.iter().for_each(|it| *counts.entry(it.hash).or_default() += 1);
    let same: usize = counts.into_values().filter(|count| *count > 1).sum();
    let same = if same > 0 { format!("; {same} share one with another") } else { String::new() };
    let (library, name) = (&library.name, &first.name);
    let count = match foreign.len() {
        1 => "1 template has a Hash that is not that of its name".to_owned(),
        count => format!("{count} templates have a Hash that is not that of their name"),
    };
    Some(format!(
        "in the library {library} {count}, the first is {name}: {says}, not {expected}{same}"
    ))
}

/// Describes the templates of a library whose names the library, or one that was `seen`, has already.
fn names_twice<'l>(library: &'l Library, seen: &mut HashMap<&'l Text, &'l Text>) -> Option<String> {
    let mut first = None;
    let mut count = 0;
    for LibraryTemplate { name, .. } in &library.templates {
        match seen.entry(name) {
            Entry::Vacant(slot) => {
                slot.insert(&library.name);
            }
            Entry::Occupied(other) => {
                first.get_or_insert((name, *other.get()));
                count += 1;
            }
        }
    }
    let ((name, other), library) = (first?, &library.name);
    let templates = if count == 1 { "template" } else { "templates" };
    Some(format!(
        "the library {library} has {count} {templates} whose name is taken, the first is {name}, which the library \
         {other} has: that one counts"
    ))
}
