//! `terrain PROJECT verify`: what is broken in a project.

use clap::Args;
use formwork_terrain::project::Project;

use super::super::failure::{Failure, Status};
use super::super::output::OutputOptions;
use super::super::project::Unpacked;
use super::super::remark;
use super::roots::RootOptions;
use super::shown;

/// Find what is broken in a project, and say where.
///
/// All that 'formwork verify' finds in each file; and pointers to layers that are not there, counts that
/// are wrong, templates in no library, objects outside the map, roads of an unknown type, libraries and rasters that are missing, paths in the
/// profile of a user.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Verify {
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = "\
One line for each finding: the file, the offset, the field, what is wrong with it, and the name of the
kind of finding, which stays the same in later releases.

Rasters and models are looked for only where --root says where their drive is. Templates are looked
up in the libraries that are there.

Exit status: 0 nothing found, 1 something found, 2 wrong use, 3 a file could not be read.";

impl Verify {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let findings = project.verify(&self.roots.drives(), &Unpacked);
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
}
