//! `terrain objects move PROJECT`: objects moved, turned, scaled.

use std::collections::HashSet;
use std::str::FromStr;

use clap::Args;
use formwork_alb1::terrain::{ObjectLayer, Project as ProjectView};
use formwork_alb1::tree;
use formwork_terrain::MapArea;
use formwork_terrain::object_change::Transform;
use formwork_terrain::project::{Opening, Project};

use super::changing::FileReport;
use super::layer_files::{self, LayerFile};
use super::object_changes::{ObjectChangeOptions, ObjectChanges};
use super::point::{Point, number, numbers};
use super::{refused, shown, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::quantity::counted;
use formwork_program::remark;

/// Move, turn, spread or scale objects
///
/// Changes the selected objects, all where nothing is selected. Everything else in a layer stays as it
/// is. First sizes and distances change, then directions, then places. The changed layer goes to
/// -o, or replaces the old one with --in-place; several layers change only with --in-place.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Move {
    /// Move by so many metres to the east, to the north and upwards
    #[arg(long, value_name = "X,Y[,Z]", allow_hyphen_values = true)]
    by: Option<By>,
    /// Turn by so many degrees clockwise: places around the centre, and each object
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, value_parser = number)]
    rotate: Option<f64>,
    /// Multiply the size of each object
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, value_parser = number)]
    scale: Option<f64>,
    /// Multiply the distances from the centre
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, value_parser = number)]
    spread: Option<f64>,
    /// Centre for --rotate and --spread [default: the middle of the selected objects]
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    about: Option<Point>,
    #[command(flatten)]
    objects: ObjectChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain objects move island.tv4p --by 1000,-500 --in-place
  formwork terrain objects move island.tv4p --layer houses --rotate 90 --about 200512,512 -o turned.tv4l
  formwork terrain objects move island.tv4p --template 't_*' --scale 1.2 --in-place --dry-run

Heights and angles:
A third number of --by is added to the height above the ground. --rotate adds to the direction (yaw) of each object, from 0 to below 360.

Exit status: 0 success, 1 nothing is selected or an object would leave the map, 2 wrong use, 3 a file could not be read or written."#;

/// Metres to the east, to the north and upwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct By(pub(super) [f64; 3]);

impl FromStr for By {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match numbers(text).as_deref() {
            Some(&[x, y]) => Ok(Self([x, y, 0.0])),
            Some(&[x, y, z]) => Ok(Self([x, y, z])),
            _ => Err("two or three finite numbers: X,Y or X,Y,Z"),
        }
    }
}

impl Move {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        self.objects.needs()
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let Self { by, rotate, scale, spread, .. } = self;
        if by.is_none() && rotate.is_none() && scale.is_none() && spread.is_none() {
            return Err(Failure::usage("say what to do: --by, --rotate, --scale or --spread"));
        }
        let mut objects = self.objects.open(project)?;
        let about = self.about.map(|Point(about)| about).or_else(|| objects.selected.centre());
        let transform = Transform {
            by: by.map_or([0.0; 3], |By(by)| by),
            rotate: rotate.unwrap_or_default(),
            scale: scale.unwrap_or(1.0),
            spread: spread.unwrap_or(1.0),
            about: about.unwrap_or_default(),
        };
        transform.check().map_err(|error| {
            let (path, expected, found) = (error.path(), error.expected(), error.found());
            Failure::usage(format!("--{path}: expected {expected}, found {found}"))
        })?;
        let mut changed = Vec::new();
        objects.each(|ObjectChanges { libraries, filter, .. }, mut it| {
            let moved = transform.apply(&mut it.layer, libraries, filter);
            let moved = moved.map_err(|error| refused(&it.file.name, &error))?;
            if moved > 0 {
                let count = counted(moved as u64, "object");
                let line = format!("{}: {count} changed", shown(&it.layer.name));
                let report = it.report(line).change("changed", moved);
                changed.push((it, report));
            }
            Ok(())
        })?;
        if changed.is_empty() {
            remark("nothing changes: every selected object is where it would go");
            return Ok(objects.status);
        }
        stay_on_map(project, &changed)?;
        layer_files::write(project, &mut changed, &objects.changing)?;
        Ok(objects.status)
    }
}

/// Refuses to move objects that are in a map frame out of all frames.
fn stay_on_map(project: &Project, layers: &[(LayerFile<'_>, FileReport)]) -> Result<(), Failure> {
    let Some(Ok(settings)) = project.project.as_ref().map(|file| file.view::<ProjectView>()) else {
        return Ok(());
    };
    let map = MapArea::of(&settings);
    let on_map = |layer: &ObjectLayer| -> HashSet<u32> {
        let objects = tree::objects(&layer.tree, layer.tree_version()).flatten();
        objects.filter(|(_, it)| map.has(it.x, it.y)).map(|(_, it)| it.id).collect()
    };
    for (it, _) in layers {
        let before = on_map(&view(it.file)?);
        let after = on_map(&it.layer);
        let count = before.difference(&after).count();
        if count > 0 {
            let (objects, layer) = (counted(count as u64, "object"), shown(&it.layer.name));
            return Err(Failure::no(format!("{layer}: {objects} would leave the map"))
                .line("nothing was written")
                .hint("formwork terrain frames PROJECT --bounds makes a map frame larger"));
        }
    }
    Ok(())
}
