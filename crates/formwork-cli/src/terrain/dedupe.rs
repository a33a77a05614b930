//! `terrain PROJECT dedupe`: objects that are there twice.

use clap::Args;
use formwork_terrain::object_change::Dedupe as Duplicates;
use formwork_terrain::project::Project;

use super::super::failure::{Failure, Status};
use super::super::output::{InPlaceOptions, OutputOptions};
use super::super::quantity::counted;
use super::super::remark;
use super::layer_files::{self, LayerFile};
use super::libraries::libraries;
use super::roots::RootOptions;
use super::selection::{SelectionOptions, number};
use super::{refused, shown};

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
    selection: SelectionOptions,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain dedupe island.tv4p --in-place --dry-run
  formwork terrain dedupe island.tv4p --layer trees --tolerance 0.5 -o trees.tv4l
  formwork terrain dedupe island.tv4p --template 't_*' --in-place

In place:
The project's number of objects changes too, and the old files are kept as NAME.bak. Close Terrain Builder first, or it overwrites the changes.

Exit status: 0 success, 1 nothing is selected, 2 wrong use, 3 a file could not be read or written."#;

impl Dedupe {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let filter = self.selection.places.filter()?;
        let libraries = libraries(project, &self.roots);
        let (layers, status) = self.selection.layers(project)?;
        self.selection.places.of_layers(&layers, &libraries, &filter)?;
        let duplicates = Duplicates { tolerance: self.tolerance };
        let (mut changed, mut said) = (Vec::new(), Vec::new());
        let all = layers.len();
        for it in layers {
            let mut it = LayerFile::new(it);
            let gone = duplicates.apply(&mut it.layer, &libraries, &filter);
            let gone = gone.map_err(|error| refused(&it.file.name, &error))?;
            if !gone.is_empty() {
                let objects = counted(gone.len() as u64, "object");
                said.push(format!("{}: {objects} taken out", shown(&it.layer.name)));
            }
            if !gone.is_empty() || all == 1 {
                changed.push(it);
            }
        }
        layer_files::write(project, &changed, self.change, &self.output)?;
        said.iter().for_each(|line| self.change.say(line));
        if said.is_empty() {
            remark("no object is there twice");
        }
        Ok(status)
    }
}
