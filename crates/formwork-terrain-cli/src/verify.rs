//! `terrain verify PROJECT`: the faults of a project.

use std::collections::BTreeMap;

use clap::Args;
use formwork_alb1::Finding;
use formwork_terrain::project::Project;

use super::print::PrintOptions;
use super::roots::RootOptions;
use super::shown;
use formwork_program::failure::{Failure, Status};
use formwork_program::lines;
use formwork_program::project::Unpacked;
use formwork_program::remark;

/// Find what is wrong in a project
///
/// Finds everything that 'formwork verify' finds in each file, and also: pointers to missing
/// layers, wrong counts, templates that are in no library or in two, objects and shapes outside the
/// map, texture layers that are too fine, unknown road types, missing libraries and rasters, and
/// paths into a user's profile.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(mut_arg("json", |it| it.long_help(None)))]
pub(crate) struct Verify {
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Output:
Each finding is one line: the file, the offset, the field, what is wrong, and the kind of the finding. The names of the kinds stay the same in later releases.

What is looked up:
Rasters and models are looked for only if --root tells where their drive is. Templates are looked up in the libraries that exist.

Exit status: 0 nothing found, 1 something found, 2 wrong use, 3 a file could not be read."#;

impl Verify {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let findings = project.verify(&self.roots.drives(), &Unpacked);
        let rows: Vec<_> = findings.iter().map(with_file).collect();
        self.print.list(&rows, || findings.iter().map(|it| shown(it) + "\n").collect())?;
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
        if findings.len() > FEW {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            findings.iter().for_each(|it| *counts.entry(it.kind.name()).or_default() += 1);
            let counts: Vec<_> =
                counts.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            remark(&format!("{} findings: {}", findings.len(), counts.join(", ")));
        }
        Ok(Status::No)
    }
}

/// Returns a finding as JSON, with the name of its file.
fn with_file(finding: &Finding) -> lines::Finding {
    lines::Finding { file: Some(finding.file.clone()), ..finding.into() }
}

/// Number of findings that are few enough to count at a glance.
const FEW: usize = 10;
