//! Finds faults in a project on disk.

use formwork::Path;
use formwork_alb1::finding::{Finding, FindingKind, Severity};
use formwork_alb1::terrain::{PathKind, Templates};

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
        let mut libraries = self.libraries(drives, reader).into_iter();
        for path in file_paths(&file.document) {
            if path.kind == PathKind::InProject {
                let Some(library) = libraries.next() else { continue };
                let message = match library.state {
                    LibraryState::Read(library) => {
                        templates.add(&library);
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
    }
}
