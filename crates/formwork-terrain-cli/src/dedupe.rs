//! `terrain dedupe PROJECT`: objects that occur twice.

use clap::Args;
use formwork_terrain::object_change::Dedupe as Duplicates;
use formwork_terrain::project::{Opening, Project};

use super::layer_files;
use super::object_changes::{ObjectChangeOptions, ObjectChanges};
use super::point::number;
use super::{refused, shown};
use formwork_program::failure::{Failure, Status};
use formwork_program::quantity::counted;
use formwork_program::remark;

/// Take out objects that are there twice
///
/// Two objects of a layer are the same if they have the same template and the same place, height
/// included, within the tolerance. How they are turned and scaled does not count. The one with the
/// lowest id stays.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Dedupe {
    /// Metres that two places may be apart
    #[arg(
        long,
        value_name = "METRES",
        default_value = "0.001",
        value_parser = number,
        allow_hyphen_values = true
    )]
    tolerance: f64,
    #[command(flatten)]
    objects: ObjectChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain dedupe island.tv4p --in-place --dry-run
  formwork terrain dedupe island.tv4p --layer trees --tolerance 0.5 -o trees.tv4l
  formwork terrain dedupe island.tv4p --template 't_*' --in-place

In place:
The project's number of objects changes too, and the old files are kept as NAME.bak. Close Terrain Builder first, or it overwrites the changes.

Exit status: 0 success, 1 nothing is selected, 2 wrong use, 3 a file could not be read or written."#;

impl Dedupe {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        self.objects.needs()
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let mut objects = self.objects.open(project)?;
        let duplicates = Duplicates { tolerance: self.tolerance };
        let mut changed = Vec::new();
        let mut total = 0;
        let all = objects.layers.len();
        objects.each(|ObjectChanges { libraries, filter, .. }, mut it| {
            let gone = duplicates.apply(&mut it.layer, libraries, filter);
            let gone = gone.map_err(|error| refused(&it.file.name, &error))?.len();
            let line = match gone {
                0 => String::new(),
                gone => {
                    let count = counted(gone as u64, "object");
                    format!("{}: {count} taken out", shown(&it.layer.name))
                }
            };
            if gone > 0 || all == 1 {
                let report = it.report(line).change("removed", gone);
                changed.push((it, report));
            }
            total += gone;
            Ok(())
        })?;
        layer_files::write(project, &mut changed, &objects.changing)?;
        if total == 0 {
            remark("no object is there twice");
        }
        Ok(objects.status)
    }
}
