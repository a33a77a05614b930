//! `terrain split PROJECT`: splits an object layer into several files.

use std::path::{Path, PathBuf};

use clap::Args;
use formwork_alb1::Text;
use formwork_alb1::terrain::Root;
use formwork_terrain::object_change::{Cut, Parts};
use formwork_terrain::project::{OBJECT_LAYER, Project};

use super::changing::{Changing, FileReport};
use super::geojson::corner;
use super::libraries::libraries;
use super::point::number;
use super::roots::RootOptions;
use super::selection::{PlaceOptions, SelectionOptions};
use super::{refused, shown, with_names};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::source::word;

/// Split an object layer into several
///
/// --bbox, --polygon and --template cut the layer in two: NAME-inside has the selected objects and
/// NAME-outside the others. --grid makes a file for each square with objects, such as
/// NAME-x200000-y1024; squares start at the corner of the first map frame. Objects keep their ids, and each part lists all templates of the layer.
///
/// The files go into the folder DIR. With --in-place they go beside the layer, which is taken out
/// of the project.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Split {
    /// Split this layer, by its name or file name
    #[arg(long = "layer", value_name = "NAME")]
    layer: Option<String>,
    /// Split into squares with sides of so many metres
    #[arg(long, value_name = "METRES", value_parser = number, allow_hyphen_values = true)]
    grid: Option<f64>,
    #[command(flatten)]
    places: PlaceOptions,
    /// Write the files into this folder
    #[arg(id = "output", long = "into", value_name = "DIR")]
    into: Option<PathBuf>,
    /// Keep no backup of the layer (with --in-place)
    #[arg(long, requires = "in_place")]
    no_backup: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    roots: RootOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain split island.tv4p --layer trees --grid 1024 --into parts
  formwork terrain split island.tv4p --layer trees --bbox 200000,0,202048,2048 --in-place
  formwork terrain split trees.tv4l --polygon forest.geojson --into parts --dry-run

In place:
The layer that is taken out is kept as NAME.bak. Close Terrain Builder first, or it overwrites the changes.

Exit status: 0 success, 1 the layer cannot be split, 2 wrong use, 3 a file could not be read or written."#;

impl Split {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let cut = match self.grid {
            Some(_) if self.places.is_asked() => {
                return Err(Failure::usage(
                    "--grid cuts all of a layer, so nothing selects objects",
                ));
            }
            Some(side) => Cut::Squares { side, corner: corner(project)? },
            None if self.places.is_asked() => Cut::Filter(self.places.filter()?),
            None => {
                return Err(Failure::usage(
                    "say how to split: --grid, --bbox, --polygon or --template",
                ));
            }
        };
        let selection = SelectionOptions {
            layers: self.layer.iter().cloned().collect(),
            ..SelectionOptions::default()
        };
        let (layers, _) = selection.layers(project)?;
        let [(file, layer)] = &layers[..] else {
            let message = format!("one layer is split at a time, not {}", layers.len());
            let failure = Failure::usage(message).hint("use --layer NAME");
            return Err(with_names(failure, &project.layers));
        };
        if self.change.is_in_place() && file.path.as_os_str() == "-" {
            return Err(Failure::usage("standard input cannot be changed in place"));
        }
        let folder = match (&self.into, self.change.is_in_place()) {
            (Some(folder), _) => folder.clone(),
            (None, true) => file.path.parent().map(Path::to_owned).unwrap_or_default(),
            (None, false) if self.change.is_dry_run() => PathBuf::new(),
            (None, false) => return Err(Failure::usage("say where to: --into DIR or --in-place")),
        };
        let libraries = libraries(project, &self.roots);
        let parts =
            Parts::of(layer, &libraries, &cut).map_err(|error| refused(&file.name, &error))?;
        let mut written = Vec::new();
        for (position, (part, objects)) in parts.names().enumerate() {
            let path = folder.join(format!("{}-{part}.{OBJECT_LAYER}", file.stem()));
            if path.symlink_metadata().is_ok() {
                let path = shown(path.display());
                return Err(Failure::usage(format!("{path}: this file is there already")));
            }
            let name = Text::from_bytes([layer.name.as_bytes(), b"-", part.as_bytes()].concat());
            written.push((position, name, path, objects));
        }
        let changing = Changing::named(self.change.without_backup(self.no_backup), self.json);
        if !folder.as_os_str().is_empty() && !self.change.is_dry_run() {
            std::fs::create_dir_all(&folder).map_err(|error| {
                Failure::stream("could not be made", &folder.display().to_string(), &error)
            })?;
        }
        // Each part has the cells of the whole layer: together they may be far larger than that, so each is made, written
        // and forgotten.
        let mut addresses = project.root_addresses();
        for (position, name, path, objects) in &written {
            let Some(part) = parts.part(*position, name.clone()) else { continue };
            let part = part.map_err(|error| refused(&file.name, &error))?;
            let mut document = file.document.clone();
            let failed = |error| Failure::in_value(&file.name, error);
            part.store_in(&mut document).map_err(failed)?;
            // The first part keeps the address of the layer, to which a project may point.
            if *position > 0 {
                document.root.address = addresses.free();
            }
            let bytes = document.to_vec().map_err(failed)?;
            let path_shown = shown(path.display());
            let line = format!("{path_shown}: {}", counted(*objects as u64, "object"));
            let mut report =
                FileReport::new(&file.path, line).layer(name).change("added", *objects);
            changing.replace(path, &bytes, &mut report)?;
            changing.report(&report)?;
        }
        if changing.is_in_place() {
            changing.report(&changing.remove(&file.path)?)?;
            if !self.no_backup && !changing.is_dry_run() {
                let new = written.iter().map(|(_, _, path, _)| path.as_path());
                say_way_back(&file.path, &new.collect::<Vec<_>>());
            }
        }
        Ok(Status::Done)
    }
}

/// Says how to undo a split in place: `undo` brings back the layer, and leaves its parts there.
fn say_way_back(layer: &Path, parts: &[&Path]) {
    /// Parts that are named, at most.
    const NAMED: usize = 4;
    let quoted = |path: &Path| word(&path.to_string_lossy());
    let which = match parts {
        [.., last] if parts.len() > NAMED => {
            format!("all {} parts, up to {}", parts.len(), quoted(last))
        }
        parts => parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(" "),
    };
    remark(&format!("to go back: formwork undo {}, and delete {which}", quoted(layer)));
}
