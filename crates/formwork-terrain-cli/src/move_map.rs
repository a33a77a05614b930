//! `terrain move PROJECT`: moves what is on the map.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_alb1::terrain::{
    FileKind, KeyPoint, ObjectLayer, PlacedRoad, Project as ProjectView, Shape, ShapeLayer,
};
use formwork_alb1::tree;
use formwork_terrain::MapArea;
use formwork_terrain::frame::FrameChange;
use formwork_terrain::object_change::{Shift, Transform};
use formwork_terrain::object_list::Filter;
use formwork_terrain::project::{
    Opening, PROJECT, Project, ProjectFile, SHAPE_LAYER, has_extension,
};

use super::changing::{Changing, FileReport};
use super::layer_files::LayerFile;
use super::libraries::libraries;
use super::move_objects::By;
use super::print::PrintOptions;
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use super::{refused, say_unread, selected, shown, stored, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::source::Source;

/// Move everything on the map: objects, shapes, key points and placed roads
///
/// With --layer, only the objects and shapes of these layers move; with --template, only objects. With --bbox and
/// --polygon, shapes move that lie in it with all their points, and roads whose key part does. Nothing moves that would
/// leave the map.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct MoveMap {
    /// Move by so many metres to the east, to the north and upwards
    #[arg(long, value_name = "X,Y[,Z]", allow_hyphen_values = true)]
    by: Option<By>,
    /// Move the map frames, too, with their height rasters
    #[arg(long, conflicts_with_all = ["layers", "bbox", "polygon", "templates"])]
    frames: bool,
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain move island.tv4p --by 1000,500 --in-place
  formwork terrain move island.tv4p --by 1000,500 --frames -o moved.tv4p
  formwork terrain move island.tv4p --by 0,-20 --bbox 200000,0,201000,1000 --in-place --dry-run
  formwork terrain move houses.tv4l --by 10,0 -o moved.tv4l

Output:
If one file changes, -o is that file. If PROJECT is a project and -o ends with .tv4p, -o is a whole new project, with all layers in the folders NAME.Layers and NAME.Shapes beside it. Rasters other than the height rasters of frames, and template libraries, stay where they are.

Heights:
A third number of --by is added to the height of objects and placed roads above the ground.

Exit status: 0 success, 1 nothing is selected or something would leave the map, 2 wrong use, 3 a file could not be read or written."#;

/// A file that changes.
struct Changed<'p> {
    file: &'p ProjectFile,
    bytes: Vec<u8>,
    report: FileReport,
}

impl MoveMap {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        [Opening::Named(&self.selection.layers); 2]
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let changing = Changing::new(self.change, &self.print)?;
        let filter = self.selection.places.filter()?;
        let Some(By([east, north, up])) = self.by else {
            return Err(Failure::usage("say where to: --by X,Y or --by X,Y,Z"));
        };
        let (by, shift) = ([east, north, up], Shift([east, north]));
        let mut settings: Option<ProjectView> = project.project.as_ref().map(view).transpose()?;
        let before = settings.as_ref().map(MapArea::of);
        if let (Some(settings), true) = (&mut settings, self.frames) {
            move_frames(settings, shift)?;
        }
        let map = Maps { before, after: settings.as_ref().map(MapArea::of) };

        let mut changed = Vec::new();
        let mut status = Status::Done;
        let objects = self.named(project, FileKind::ObjectLayer)?;
        if !objects.is_empty() {
            let libraries = libraries(project, &self.roots);
            let transform = Transform { by, ..Transform::default() };
            for file in objects {
                let mut it = LayerFile::new((file, view(file)?));
                let on_map = map.objects(&it.layer);
                let moved = transform.apply(&mut it.layer, &libraries, &filter);
                let moved = moved.map_err(|error| refused(&file.name, &error))?;
                if moved > 0 {
                    let count = map.objects_gone(&on_map, &it.layer);
                    refuse_gone(&shown(&it.layer.name), count, "object")?;
                    let line =
                        format!("{}: {}", shown(&it.layer.name), moved_in_words(moved, "object"));
                    let report = it.report(line).change("changed", moved);
                    let bytes = stored(&file.name, file.document.clone(), &it.layer)?;
                    changed.push(Changed { file, bytes, report });
                }
            }
        }
        if !self.selection.places.has_templates() {
            for file in self.named(project, FileKind::ShapeLayer)? {
                let mut layer: ShapeLayer = view(file)?;
                let gone = layer.clone();
                let moved = shift.shapes(&mut layer, &filter);
                let moved = moved.map_err(|error| refused(&file.name, &error))?;
                if moved > 0 && shift != Shift::default() {
                    refuse_gone(&shown(&layer.name), map.shapes_gone(&gone, &layer), "shape")?;
                    let line =
                        format!("{}: {}", shown(&layer.name), moved_in_words(moved, "shape"));
                    let report = FileReport::new(&file.path, line).layer(&layer.name);
                    let report = report.change("shapes", moved);
                    let bytes = stored(&file.name, file.document.clone(), &layer)?;
                    changed.push(Changed { file, bytes, report });
                }
            }
            if let (Some(file), Some(settings), []) =
                (&project.project, &mut settings, &self.selection.layers[..])
            {
                changed.extend(self.project(file, settings, by, (&filter, &map))?);
            }
        }
        if self.selection.layers.is_empty() {
            status = status.and(say_unread(project, FileKind::ObjectLayer, &[]));
            status = status.and(say_unread(project, FileKind::ShapeLayer, &[]));
        }
        if changed.is_empty() {
            if by == [0.0; 3] {
                remark("nothing changes: everything selected is where it would go");
                return Ok(status);
            }
            return Err(Failure::no("nothing is selected").line("nothing was written"));
        }
        self.write(project, changed, &changing)?;
        Ok(status)
    }

    /// Returns the layers of a kind that move. A name may be that of an object layer, of a shape layer or of both.
    fn named<'p>(
        &self,
        project: &'p Project,
        kind: FileKind,
    ) -> Result<Vec<&'p ProjectFile>, Failure> {
        let is_one = |kind: FileKind, name: &String| {
            selected(project, kind, std::slice::from_ref(name)).is_ok()
        };
        let other = match kind {
            FileKind::ShapeLayer => FileKind::ObjectLayer,
            _ => FileKind::ShapeLayer,
        };
        let names: Vec<String> = self.selection.layers.to_vec();
        let (here, others): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|name| is_one(kind, name));
        if let Some(unknown) = others.iter().find(|name| !is_one(other, name)) {
            // As for a layer of this kind, with the names that there are.
            return selected(project, kind, std::slice::from_ref(unknown));
        }
        match here.is_empty() && !others.is_empty() {
            true => Ok(Vec::new()),
            false => selected(project, kind, &here),
        }
    }

    /// Moves the key points and placed roads of a project, whose frames are where they will be.
    fn project<'p>(
        &self,
        file: &'p ProjectFile,
        settings: &mut ProjectView,
        by: [f64; 3],
        (filter, map): (&Filter, &Maps),
    ) -> Result<Option<Changed<'p>>, Failure> {
        let [east, north, up] = by;
        let shift = Shift([east, north]);
        let failed = |error| refused(&file.name, &error);
        let objects = &mut settings.objects;
        let (mut points, mut roads) = (0, 0);
        if shift != Shift::default() {
            let places = |points: &[KeyPoint]| -> Vec<[f64; 2]> {
                points.iter().map(|it| it.position).collect()
            };
            let old = places(&objects.key_points.points);
            points = shift.key_points(&mut objects.key_points.points, filter).map_err(failed)?;
            let gone = map.places_gone(&old, &places(&objects.key_points.points));
            refuse_gone(&file.name, gone, "key point")?;
        }
        if by != [0.0; 3] {
            let places = |roads: &[PlacedRoad]| -> Vec<[f64; 2]> {
                roads.iter().map(|it| it.position).collect()
            };
            let old = places(&objects.placed_roads.roads);
            roads = shift.roads(&mut objects.placed_roads.roads, up, filter).map_err(failed)?;
            let gone = map.places_gone(&old, &places(&objects.placed_roads.roads));
            refuse_gone(&file.name, gone, "placed road")?;
        }
        let frames = if self.frames && shift != Shift::default() {
            settings.objects.map_frames.frames.len()
        } else {
            0
        };
        if points + roads + frames == 0 {
            return Ok(None);
        }
        let counts = [(points, "key point"), (roads, "placed road"), (frames, "map frame")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = counts.map(|(count, what)| counted(count as u64, what)).collect();
        let line = format!("{}: {} moved", file.name, counts.join(", "));
        let report = FileReport::new(&file.path, line).change("key_points", points);
        let report = report.change("placed_roads", roads).change("frames", frames);
        let bytes = stored(&file.name, file.document.clone(), settings)?;
        Ok(Some(Changed { file, bytes, report }))
    }

    /// Writes the files: each in place, the only one to the output, or all files of the project beside the output. All of
    /// them are made before the first is written.
    fn write(
        &self,
        project: &Project,
        mut changed: Vec<Changed<'_>>,
        changing: &Changing,
    ) -> Result<(), Failure> {
        let output = self.print.output.path();
        let whole = output.filter(|path| project.project.is_some() && has_extension(path, PROJECT));
        if let (Some(path), false) = (whole, changing.is_in_place() || changing.is_dry_run()) {
            return copy(project, changed, path, changing);
        }
        if changed.len() > 1 && !changing.is_in_place() && !changing.is_dry_run() {
            let message =
                format!("{} files would change, and only one can be written", changed.len());
            return Err(Failure::usage(message)
                .hint("use --in-place for all, or -o NAME.tv4p for a new project"));
        }
        for Changed { file, bytes, report } in &mut changed {
            changing.write(&file.path, bytes, report)?;
        }
        changed.iter().try_for_each(|it| changing.report(&it.report))
    }
}

/// Writes a new project at `path`, with the changed files and all others as they are.
fn copy(
    project: &Project,
    changed: Vec<Changed<'_>>,
    path: &Path,
    changing: &Changing,
) -> Result<(), Failure> {
    let folders = [path.with_extension("Layers"), path.with_extension("Shapes")];
    if let Some(there) = folders.iter().find(|folder| folder.symlink_metadata().is_ok()) {
        let there = shown(there.display());
        return Err(Failure::usage(format!("{there}: this folder is there already")));
    }
    let [layers, shapes] = folders;
    let beside = |folder: &Path, from: &Path| folder.join(from.file_name().unwrap_or_default());
    let read = project.files().map(|file| &file.path);
    let unread = project.unread.iter().map(|file| &file.path).chain(&project.unopened);
    let is_project = |from: &PathBuf| project.project.as_ref().is_some_and(|it| it.path == *from);
    let mut changed: Vec<Option<Changed<'_>>> = changed.into_iter().map(Some).collect();
    let mut reports = Vec::new();
    let mut copied = 0;
    for from in read.chain(unread) {
        let folder = match has_extension(from, SHAPE_LAYER) {
            true => &shapes,
            false => &layers,
        };
        let to = if is_project(from) { path.to_owned() } else { beside(folder, from) };
        if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| {
                Failure::stream("could not be made", &shown(folder.display()), &error)
            })?;
        }
        let new = changed.iter_mut().find(|it| it.as_ref().is_some_and(|it| it.file.path == *from));
        match new.and_then(Option::take) {
            Some(Changed { bytes, mut report, .. }) => {
                changing.replace(&to, &bytes, &mut report)?;
                reports.push(report);
            }
            None => {
                let bytes = Source::read(from)?.file.into_bytes();
                changing.replace(&to, &bytes, &mut FileReport::new(from, String::new()))?;
                copied += 1;
            }
        }
    }
    reports.iter().try_for_each(|report| changing.report(report))?;
    let others = match copied {
        0 => String::new(),
        count => format!(", {} as it was", counted(count, "other file")),
    };
    let all = counted(reports.len() as u64, "file");
    remark(&format!("{}: a new project, {all} changed{others}", shown(path.display())));
    if let Some(file) = project.project.as_ref().filter(|it| it.path.parent() != path.parent())
        && !file.view::<ProjectView>().is_ok_and(|it| it.libraries.is_empty())
    {
        remark("the template libraries stay beside the old project");
    }
    Ok(())
}

/// Moves all frames of a project, with their height rasters.
fn move_frames(settings: &mut ProjectView, shift: Shift) -> Result<(), Failure> {
    for position in 0..settings.objects.map_frames.frames.len() {
        let [west, south, east, north] = settings.objects.map_frames.frames[position].bounds;
        let moved = shift.of([west, south]).and_then(|low| Ok((low, shift.of([east, north])?)));
        let ([west, south], [east, north]) =
            moved.map_err(|error| refused("the map frames", &error))?;
        let change =
            FrameChange { bounds: Some([west, south, east, north]), ..FrameChange::default() };
        change.apply(settings, position).map_err(|error| Failure::no(error.to_string()))?;
    }
    Ok(())
}

fn moved_in_words(count: usize, what: &str) -> String {
    format!("{} moved", counted(count as u64, what))
}

/// The map frames before and after the move; [`None`] without a project.
struct Maps {
    before: Option<MapArea>,
    after: Option<MapArea>,
}

impl Maps {
    fn was_on(&self, [x, y]: [f64; 2]) -> bool {
        self.before.as_ref().is_none_or(|map| map.has(x, y))
    }

    fn is_on(&self, [x, y]: [f64; 2]) -> bool {
        self.after.as_ref().is_none_or(|map| map.has(x, y))
    }

    /// Returns the ids of the objects of a layer that are on the map.
    fn objects(&self, layer: &ObjectLayer) -> HashSet<u32> {
        let objects = tree::objects(&layer.tree, layer.tree_version()).flatten();
        objects.filter(|(_, it)| self.was_on([it.x, it.y])).map(|(_, it)| it.id).collect()
    }

    /// Counts the objects that were on the map and are not on it in the moved layer.
    fn objects_gone(&self, on_map: &HashSet<u32>, layer: &ObjectLayer) -> usize {
        let objects = tree::objects(&layer.tree, layer.tree_version()).flatten();
        objects.filter(|(_, it)| on_map.contains(&it.id) && !self.is_on([it.x, it.y])).count()
    }

    /// Counts the shapes that were on the map with all points and are not.
    fn shapes_gone(&self, old: &ShapeLayer, new: &ShapeLayer) -> usize {
        let places = |shape: &Shape| -> Vec<[f64; 2]> {
            shape.vertices().iter().map(|it| [it.center[0], it.center[1]]).collect()
        };
        let pairs = old.shapes.iter().zip(&new.shapes);
        let is_gone = |(old, new): &(&Shape, &Shape)| {
            places(old).into_iter().all(|place| self.was_on(place))
                && !places(new).into_iter().all(|place| self.is_on(place))
        };
        pairs.filter(is_gone).count()
    }

    fn places_gone(&self, old: &[[f64; 2]], new: &[[f64; 2]]) -> usize {
        let pairs = old.iter().zip(new);
        pairs.filter(|(old, new)| self.was_on(**old) && !self.is_on(**new)).count()
    }
}

/// Refuses a move that takes something out of the map.
fn refuse_gone(name: &str, count: usize, what: &str) -> Result<(), Failure> {
    if count == 0 {
        return Ok(());
    }
    let count = counted(count as u64, what);
    Err(Failure::no(format!("{name}: {count} would leave the map"))
        .line("nothing was written")
        .hint("--frames moves the map frames, too; formwork terrain frames PROJECT --bounds makes one larger"))
}
