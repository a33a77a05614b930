//! `terrain PROJECT verify`: what is broken in a project.

use std::path::Path;

use clap::Args;
use formwork::alb1::Document;
use formwork::alb1::finding::{Finding, FindingKind, Weight};
use formwork::alb1::terrain::{PathKind, Templates};
use formwork_terrain::check::{Files, locate};
use formwork_terrain::paths::{FilePath, file_paths};
use formwork_terrain::verify;

use super::super::failure::{Failure, Status};
use super::super::input::Source;
use super::super::output::OutputOptions;
use super::super::project::{Project, ProjectFile};
use super::super::remark;
use super::roots::{Place, RootOptions};
use super::shown;

/// Find what is wrong in a project
///
/// Finds everything that 'formwork verify' finds in each file, and also: pointers to missing
/// layers, wrong counts, templates that are in no library, objects outside the map, unknown road
/// types, missing libraries and rasters, and paths into a user's profile.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Verify {
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Output:
Each finding is one line: the file, the offset, the field, what is wrong, and the kind of the finding. The names of the kinds stay the same in later releases.

What is looked up:
Rasters and models are looked for only if --root tells where their drive is. Templates are looked up in the libraries that exist.

Exit status: 0 nothing found, 1 something found, 2 wrong use, 3 a file could not be read."#;

impl Verify {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let mut findings = Vec::new();
        for unread in &project.unread {
            findings.push(Finding {
                file: unread.name.clone(),
                offset: None,
                path: formwork::Path::default(),
                kind: FindingKind::LayerUnread,
                message: unread.why.clone(),
            });
        }
        let mut libraries = Templates::new();
        if let Some(file) = &project.project {
            self.paths(file, &mut libraries, &mut findings);
            locate(&file.name, &file.document, &mut findings);
        }
        let layers: Vec<_> = project.layers.iter().chain(&project.shapes).map(named).collect();
        let files = Files {
            project: project.project.as_ref().map(named),
            layers: &layers,
            complete: project.project.is_some() && project.unread.is_empty(),
            libraries: (libraries.libraries().len() > 0).then_some(&libraries),
        };
        let all = verify::project(&files);
        findings.extend(all.into_iter().filter(|it| it.kind.weight() != Weight::Odd));
        self.output.write(|out| {
            for finding in &findings {
                // Why it failed is remembered by the output itself.
                let _ = writeln!(out, "{}", shown(finding));
            }
            Ok(())
        })?;
        if project.project.is_some() && project.layers.is_empty() {
            remark(
                "no object layer is beside the project: if this copy is only a part of it, the \
                 active layer and the number of objects are not broken, but cannot be checked",
            );
        }
        if findings.is_empty() {
            remark("nothing found");
            return Ok(Status::Done);
        }
        Ok(Status::No)
    }

    /// Looks for the files that a project names, and reads its libraries.
    fn paths(&self, file: &ProjectFile, libraries: &mut Templates, findings: &mut Vec<Finding>) {
        let folder = file.path.parent().unwrap_or(Path::new(""));
        for path in file_paths(&file.document) {
            match (self.roots.find(&path, folder), path.kind) {
                (Place::Missing(here), PathKind::InProject) => {
                    let message = format!("the library {} is not there", here.display());
                    findings.push(finding(file, path, FindingKind::LibraryMissing, message));
                }
                (Place::Missing(here), _) => {
                    let (text, here) = (&path.text, here.display());
                    let message = format!("{text} is not there (looked for as {here})");
                    findings.push(finding(file, path, FindingKind::PathMissing, message));
                }
                (Place::There(here), PathKind::InProject) => {
                    let message = match Source::read(&here) {
                        Ok(Source { name, file }) => {
                            match formwork_terrain::library(file.bytes()) {
                                Ok(library) => {
                                    libraries.add(&library);
                                    continue;
                                }
                                Err(error) => format!("{name} is no template library: {error}"),
                            }
                        }
                        Err(failure) => {
                            let name = here.display().to_string();
                            let why = failure.lines(&name).into_iter().next().unwrap_or_default();
                            format!("{name} is no template library: {why}")
                        }
                    };
                    findings.push(finding(file, path, FindingKind::LibraryMissing, message));
                }
                _ => {}
            }
        }
    }
}

/// A file as the library wants it.
fn named(file: &ProjectFile) -> (&str, &Document) {
    (&file.name, &file.document)
}

fn finding(file: &ProjectFile, path: FilePath, kind: FindingKind, message: String) -> Finding {
    Finding { file: file.name.clone(), offset: None, path: path.at, kind, message }
}
