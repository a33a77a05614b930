//! `terrain frames PROJECT`: the map frames.

use clap::Args;
use formwork_alb1::terrain::{MapFrame, ObjectLayer, Project as ProjectView, Shape, ShapeLayer};
use formwork_alb1::tree;
use formwork_terrain::MapArea;
use formwork_terrain::frame::FrameChange;
use formwork_terrain::project::{Opening, Project, ProjectFile};
use serde::Serialize;

use super::changing::{Changing, FileReport};
use super::print::PrintOptions;
use super::selection::Bounds;
use super::table::table;
use super::{project_file, shown, stored, text, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::quantity::counted;
use formwork_program::remark;

/// List or change the map frames
///
/// Without a change, lists the frames: where they are, how many cells the height map has on a side, and how
/// large a cell is. The changed project goes to -o, or replaces the old one with --in-place.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Frames {
    /// Change this frame, by its name or number [default: the only one]
    #[arg(long, value_name = "NAME", help_heading = "Change")]
    frame: Option<String>,
    /// Give the frame this name
    #[arg(long, value_name = "NAME", help_heading = "Change")]
    name: Option<String>,
    /// Put the frame here: west, south, east, north in metres
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true, help_heading = "Change")]
    bounds: Option<Bounds>,
    /// Lock the frame, or unlock it
    #[arg(long, value_name = "true|false", help_heading = "Change")]
    lock: Option<bool>,
    /// Select the frame
    #[arg(long, help_heading = "Change")]
    select: bool,
    /// Folder that the frame is exported to
    #[arg(long, value_name = "PATH", help_heading = "Change")]
    export_folder: Option<String>,
    /// Its layers.cfg, as a path on the project drive
    #[arg(long, value_name = "PATH", help_heading = "Change")]
    layers_file: Option<String>,
    #[command(flatten, next_help_heading = "Change")]
    change: InPlaceOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain frames island.tv4p
  formwork terrain frames island.tv4p --frame 0 --name island --in-place
  formwork terrain frames island.tv4p --bounds 200000,0,220480,20480 -o larger.tv4p

What follows:
With new bounds, the frame is marked so that Terrain Builder builds its terrain and layers again, and its height raster moves with it. With a new name and --in-place, the shape layers that are exported to the frame follow. Every other field of a frame: 'formwork set'.

Exit status: 0 success, 1 the change is not possible, 2 wrong use, 3 a file could not be read or written."#;

/// A frame, as JSON.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    bounds: [f64; 4],
    cells: i32,
    cell_size: Option<f64>,
    locked: bool,
    selected: bool,
    height_raster: String,
    export_folder: String,
    layers_file: String,
    needs_terrain: bool,
    needs_layers: bool,
}

impl Row {
    fn of(frame: &MapFrame, selected: bool) -> Self {
        let [west, _, east, _] = frame.bounds;
        let cell_size = (east - west) / f64::from(frame.size);
        Self {
            name: frame.name.to_string(),
            bounds: frame.bounds,
            cells: frame.size,
            cell_size: Some(cell_size).filter(|size| size.is_finite()),
            locked: frame.locked,
            selected,
            height_raster: frame.height_raster.to_string(),
            export_folder: frame.configuration.export_folder.to_string(),
            layers_file: frame.configuration.layers_file.to_string(),
            needs_terrain: frame.needs_terrain,
            needs_layers: frame.needs_layers,
        }
    }
}

impl Frames {
    /// Returns the layers that are opened: those that may follow a new name, and those that may fall out of new bounds.
    pub(super) fn needs(&self) -> [Opening<'static>; 2] {
        let all_if = |needed| if needed { Opening::All } else { Opening::None };
        [all_if(self.bounds.is_some()), all_if(self.bounds.is_some() || self.name.is_some())]
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let file = project_file(project)?;
        let mut settings: ProjectView = view(file)?;
        let change = self.wanted()?;
        if change == FrameChange::default() {
            if self.change.is_in_place() || self.change.is_dry_run() || self.frame.is_some() {
                return Err(Failure::usage(
                    "say what to change: --name, --bounds, --lock, --select, --export-folder or \
                     --layers-file",
                ));
            }
            return self.list(&settings);
        }
        let changing = Changing::new(self.change, &self.print)?;
        let position = self.position(&settings)?;
        let map = MapArea::of(&settings);
        let before = change
            .apply(&mut settings, position)
            .map_err(|error| Failure::no(format!("{}: {error}", file.name)))?;
        let bytes = stored(&file.name, file.document.clone(), &settings)?;
        let mut followers = Vec::new();
        for shapes in project.shapes.iter().filter(|_| self.name.is_some()) {
            let mut layer: ShapeLayer = view(shapes)?;
            if change.follow(&mut layer, &before) {
                let bytes = stored(&shapes.name, shapes.document.clone(), &layer)?;
                followers.push((shapes, bytes));
            }
        }
        let old = file.document.to_vec().map_err(|error| Failure::in_value(&file.name, error))?;
        let same = bytes == old;
        let changes = if same { "as it was" } else { "1 map frame changed" };
        let report = FileReport::new(&file.path, format!("{}: {changes}", file.name));
        let mut reports = vec![report.change("frames", usize::from(!same))];
        changing.write(&file.path, &bytes, &mut reports[0])?;
        for (shapes, bytes) in followers.iter().filter(|_| changing.is_in_place()) {
            let line = format!("{}: follows the new name", shapes.name);
            let mut report = FileReport::new(&shapes.path, line).change("frame_name", 1);
            changing.replace(&shapes.path, bytes, &mut report)?;
            reports.push(report);
        }
        reports.iter().try_for_each(|report| changing.report(report))?;
        if self.bounds.is_some() {
            say_fallen_out(project, &map, &MapArea::of(&settings));
        }
        for (shapes, _) in followers.iter().filter(|_| !changing.is_in_place()) {
            let (name, before) = (&shapes.name, shown(&before));
            remark(&format!("{name}: still names {before}; with --in-place it follows"));
        }
        Ok(Status::Done)
    }

    fn wanted(&self) -> Result<FrameChange, Failure> {
        let text = |it: &String| text(it);
        let bounds = self.bounds.map(|Bounds(bounds)| bounds.to_array());
        Ok(FrameChange {
            name: self.name.as_ref().map(text).transpose()?,
            bounds,
            locked: self.lock,
            export_folder: self.export_folder.as_ref().map(text).transpose()?,
            layers_file: self.layers_file.as_ref().map(text).transpose()?,
            select: self.select,
        })
    }

    fn position(&self, settings: &ProjectView) -> Result<usize, Failure> {
        let frames = &settings.objects.map_frames.frames;
        let names = |failure: Failure| {
            let rows = frames.iter().enumerate();
            rows.fold(failure, |failure, (at, it)| {
                failure.line(format!("{at}  {}", shown(&it.name)))
            })
        };
        let Some(wanted) = &self.frame else {
            return match frames.len() {
                1 => Ok(0),
                count => Err(names(Failure::usage(format!(
                    "the project has {count} map frames: say which with --frame"
                )))),
            };
        };
        let named = frames.iter().position(|frame| frame.name == **wanted);
        let numbered = || wanted.parse().ok().filter(|number| *number < frames.len());
        named.or_else(numbered).ok_or_else(|| {
            names(Failure::usage(format!("there is no map frame {}", shown(wanted))))
        })
    }

    fn list(&self, settings: &ProjectView) -> Result<Status, Failure> {
        let frames = &settings.objects.map_frames;
        let rows = frames.frames.iter().enumerate();
        let rows: Vec<Row> =
            rows.map(|(at, it)| Row::of(it, usize::try_from(frames.selected) == Ok(at))).collect();
        self.print.list(&rows, || Self::text(&rows))?;
        Ok(Status::Done)
    }

    fn text(rows: &[Row]) -> String {
        let heads = ["frame", "name", "west", "south", "east", "north", "cells", "metres", "state"];
        let mut lines = vec![heads.map(str::to_owned)];
        for (position, row) in rows.iter().enumerate() {
            let [west, south, east, north] = row.bounds.map(|number| number.to_string());
            let states = [
                (row.selected, "selected"),
                (row.locked, "locked"),
                (row.needs_terrain, "terrain to build"),
                (row.needs_layers, "layers to generate"),
            ];
            let states: Vec<_> = states.iter().filter(|(is, _)| *is).map(|(_, it)| *it).collect();
            lines.push([
                position.to_string(),
                shown(&row.name),
                west,
                south,
                east,
                north,
                row.cells.to_string(),
                row.cell_size.map(|size| size.to_string()).unwrap_or_default(),
                states.join(", "),
            ]);
        }
        table(&lines)
    }
}

/// Names the layers with objects and vertices of shapes that are on the old map and not on the new one.
fn say_fallen_out(project: &Project, before: &MapArea, after: &MapArea) {
    let falls_out = |x: f64, y: f64| before.has(x, y) && !after.has(x, y);
    let say = |file: &ProjectFile, count: usize, what: &str| {
        if count > 0 {
            let (name, count) = (
                shown(file.title().map_or_else(|| file.stem().into_owned(), ToString::to_string)),
                counted(count as u64, what),
            );
            remark(&format!("{name}: {count} no longer on the map"));
        }
    };
    for file in &project.layers {
        let Ok(layer) = file.view::<ObjectLayer>() else { continue };
        let objects = tree::objects(&layer.tree, layer.tree_version()).flatten();
        say(file, objects.filter(|(_, it)| falls_out(it.x, it.y)).count(), "object");
    }
    for file in &project.shapes {
        let Ok(layer) = file.view::<ShapeLayer>() else { continue };
        let shapes = layer.shapes.iter().filter(|shape| !shape.is_deleted());
        let is_out = |shape: &&Shape| {
            shape.vertices().iter().any(|it| falls_out(it.center[0], it.center[1]))
        };
        say(file, shapes.filter(is_out).count(), "shape");
    }
    if let Some(Ok(settings)) = project.project.as_ref().map(|file| file.view::<ProjectView>()) {
        let objects = &settings.objects;
        let points =
            objects.key_points.points.iter().filter(|it| falls_out(it.position[0], it.position[1]));
        let roads = objects
            .placed_roads
            .roads
            .iter()
            .filter(|it| falls_out(it.position[0], it.position[1]));
        if let Some(file) = &project.project {
            say(file, points.count(), "key point");
            say(file, roads.count(), "placed road");
        }
    }
}
