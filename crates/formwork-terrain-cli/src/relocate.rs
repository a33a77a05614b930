//! `terrain relocate PROJECT`: drives and folders that were moved.

use std::str::FromStr;

use clap::Args;
use formwork_terrain::paths::{Replacement, drives};
use formwork_terrain::project::Project;
use serde::Serialize;

use super::changing::Changing;
use super::import_options::only_with;
use super::paths::replace;
use super::print::PrintOptions;
use super::table::table;
use super::{project_file, shown};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;

/// Move a project to other drives or folders
///
/// Each OLD=NEW changes every path that starts with OLD, as 'paths --replace' does: rasters, map
/// frames, models. Several change at once; where two fit, the longer OLD counts. Without one, lists the
/// drives that the project uses, and the folder that all paths of a drive are in.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Relocate {
    /// Folder or drive that has moved: C:=P:, 'P:\old=P:\new'
    #[arg(value_name = "OLD=NEW")]
    moves: Vec<Moved>,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain relocate island.tv4p
  formwork terrain relocate island.tv4p 'C:\Users\me\island=P:\island' --in-place
  formwork terrain relocate island.tv4p D:=P: 'P:\maps=P:\terrains' -o moved.tv4p

Models:
Models and layers.cfg start at the drive P: without saying so, and stay on it. With --in-place the shape layers of the project change too.

Exit status: 0 success, 1 two models would get the same path, 2 wrong use, 3 a file could not be read or written."#;

/// A folder that was moved.
#[derive(Clone, Debug)]
struct Moved(Replacement);

impl FromStr for Moved {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (old, new) = text.split_once('=').ok_or("write it as OLD=NEW, such as C:=P:")?;
        let replacement = Replacement::new(old, new);
        replacement
            .map(Self)
            .map_err(|error| format!("expected {}, found {}", error.expected(), error.found()))
    }
}

/// A drive that the project uses, as JSON.
#[derive(Debug, Serialize)]
struct Row {
    /// Empty for paths that start at the folder of the project.
    drive: String,
    #[serde(rename = "path_count")]
    paths: usize,
    folder: String,
}

impl Relocate {
    /// Returns whether the shape layers beside the project change, too.
    pub(super) fn needs_shapes(&self) -> bool {
        !self.moves.is_empty() && self.change.is_in_place()
    }

    pub(super) fn run(self, mut project: Project) -> Result<Status, Failure> {
        if !self.moves.is_empty() {
            let moves: Vec<_> = self.moves.into_iter().map(|Moved(it)| it).collect();
            let changing = Changing::new(self.change, &self.print)?;
            return replace(&mut project, &moves, &changing);
        }
        only_with(self.change, "OLD=NEW")?;
        let rows: Vec<Row> = drives(&project_file(&project)?.document)
            .into_iter()
            .map(|it| Row { drive: it.drive, paths: it.paths, folder: it.folder })
            .collect();
        self.print.list(&rows, || {
            let mut lines = vec![["drive", "paths", "folder"].map(str::to_owned)];
            for Row { drive, paths, folder } in &rows {
                let drive = if drive.is_empty() { "(project)" } else { drive };
                lines.push([shown(drive), paths.to_string(), shown(folder)]);
            }
            table(&lines)
        })?;
        Ok(Status::Done)
    }
}
