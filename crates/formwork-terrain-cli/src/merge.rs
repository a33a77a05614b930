//! `terrain merge PROJECT`: merges object layers into one.

use std::path::PathBuf;

use clap::Args;
use formwork_alb1::ObjectPointer;
use formwork_alb1::terrain::{ObjectLayer, Project as ProjectView};
use formwork_terrain::object_change::{Merge as MergeLayers, Merged};
use formwork_terrain::project::{Opening, Project, ProjectFile};

use super::changing::{Changing, FileReport};
use super::libraries::libraries;
use super::print::PrintOptions;
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use super::{refused, shown, stored, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::project::open_file;
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::source::word;

/// Merge object layers into one
///
/// The objects and templates of all named layers go into the first one: all layers of the project
/// where none is named. Objects keep their ids where these are free. The merged layer goes to -o.
/// With --in-place it replaces the first layer, and the others are taken out of the project.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Merge {
    /// Merge this layer, by its name or file name (can be repeated; the first one gets all objects)
    #[arg(long = "layer", value_name = "NAME")]
    layers: Vec<String>,
    /// Also merge the layer in this file, which stays as it is (can be repeated)
    #[arg(long = "with", value_name = "FILE.tv4l")]
    with: Vec<PathBuf>,
    /// Files that were named as --with is meant.
    #[arg(hide = true)]
    others: Vec<PathBuf>,
    /// Refuse layers that have the same ids, instead of giving new ones
    #[arg(long)]
    keep_ids: bool,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain merge island.tv4p --layer houses --layer sheds -o buildings.tv4l
  formwork terrain merge island.tv4p --layer houses --layer sheds --in-place
  formwork terrain merge houses.tv4l --with more-houses.tv4l -o all.tv4l

What is reported:
Objects that got a new id, objects that are there twice ('dedupe' takes these out), templates that the layers have from different libraries (that of the first layer counts), and templates whose names have the same hash.

In place:
The layers that are taken out are kept as NAME.bak. Close Terrain Builder first, or it overwrites the changes.

Exit status: 0 success, 1 the layers cannot be merged, 2 wrong use, 3 a file could not be read or written."#;

impl Merge {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        [Opening::Named(&self.layers), Opening::None]
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        if let Some(other) = self.others.first() {
            let (name, other) = (shown(other.display()), word(&other.to_string_lossy()));
            let message = format!("{name}: only one project, folder or layer is opened");
            return Err(Failure::usage(message).hint(format!(
                "use --with {other}, or put the layers into a folder and name that"
            )));
        }
        let changing = Changing::new(self.change, &self.print)?;
        let selection =
            SelectionOptions { layers: self.layers.clone(), ..SelectionOptions::default() };
        let (mut layers, status) = selection.layers(project)?;
        // In the order of the arguments: the first layer gets the objects of the others.
        layers.sort_by_key(|(file, _)| self.layers.iter().position(|name| file.is_named(name)));
        let others_from_outside =
            self.with.iter().map(|path| open_file(path)).collect::<Result<Vec<_>, _>>()?;
        let mut layers = layers.into_iter();
        let Some((file, mut layer)) = layers.next() else {
            return Err(Failure::usage("there is no object layer to merge"));
        };
        let inside: Vec<(&ProjectFile, ObjectLayer)> = layers.collect();
        let mut outside: Vec<(&ProjectFile, ObjectLayer)> = Vec::new();
        for file in &others_from_outside {
            outside.push((file, view(file)?));
        }
        if inside.is_empty() && outside.is_empty() {
            return Err(Failure::usage("one layer alone cannot be merged")
                .hint("name another with --layer NAME or --with FILE"));
        }
        let merge =
            MergeLayers { keep_ids: self.keep_ids, libraries: libraries(project, &self.roots) };
        let others: Vec<&ObjectLayer> = inside.iter().chain(&outside).map(|(_, it)| it).collect();
        let merged = merge.apply(&mut layer, &others).map_err(|error| {
            let failure = refused(&file.name, &error);
            match error.rule() == formwork_terrain::object_change::rule::ID && self.keep_ids {
                true => failure.hint("without --keep-ids the later one gets a new id"),
                false => failure,
            }
        })?;
        let merged_bytes = stored(&file.name, file.document.clone(), &layer)?;
        let name = shown(&layer.name);
        let mut first = report(file, &name, others.len(), &merged);
        let mut reports = Vec::new();
        if changing.is_in_place() {
            let new: i64 = outside.iter().map(|(_, it)| i64::from(it.object_count)).sum();
            let changed_project = follow(project, file, &inside, new)?;
            changing.replace(&file.path, &merged_bytes, &mut first)?;
            if let Some(Followed { project, bytes, mut report }) = changed_project {
                changing.replace(&project.path, &bytes, &mut report)?;
                reports.push(report);
            }
            // The first layer has all objects already when the others are removed.
            for (other, _) in &inside {
                reports.push(changing.remove(&other.path)?);
            }
        } else {
            changing.write(&file.path, &merged_bytes, &mut first)?;
        }
        std::iter::once(&first).chain(&reports).try_for_each(|report| changing.report(report))?;
        say_losses(&name, &merged);
        Ok(status)
    }
}

/// Returns the report on the merged layer.
fn report(file: &ProjectFile, name: &str, others: usize, merged: &Merged) -> FileReport {
    let objects = counted(merged.objects as u64, "object");
    let layers = counted(others as u64, "layer");
    let templates = counted(merged.new_templates as u64, "template");
    let line = format!("{name}: {objects} and {templates} added from {layers}");
    FileReport::new(&file.path, line)
        .layer(name)
        .change("added", merged.objects)
        .change("new_templates", merged.new_templates)
        .change("layers", others)
        .loss("new_ids", merged.renumbered)
        .loss("duplicates", merged.duplicates)
        .loss("other_library", merged.other_library.len())
        .loss("other_name", merged.other_name.len())
}

/// A changed project file, and its report.
struct Followed<'p> {
    project: &'p ProjectFile,
    bytes: Vec<u8>,
    report: FileReport,
}

/// Makes the bytes of a project whose layers `inside` were merged into the one in `file`, which has
/// `new` objects more, and its report. Returns none where nothing in the project changes.
fn follow<'p>(
    project: &'p Project,
    file: &ProjectFile,
    inside: &[(&ProjectFile, ObjectLayer)],
    new: i64,
) -> Result<Option<Followed<'p>>, Failure> {
    let Some(project) = &project.project else { return Ok(None) };
    let mut settings: ProjectView = view(project)?;
    let objects = &mut settings.objects;
    let goes = |(other, _): &(&ProjectFile, ObjectLayer)| {
        other.document.root.address == objects.active_layer.address
    };
    let mut report = FileReport::new(&project.path, String::new());
    let is_active = inside.iter().any(goes);
    if !is_active && new == 0 {
        return Ok(None);
    }
    if is_active {
        report = report.change("active_layer", 1);
        let root = &file.document.root;
        objects.active_layer = ObjectPointer { class: root.class, address: root.address };
    }
    if new != 0 {
        report = report.object_count(new);
    }
    let total = i64::from(objects.total_object_count) + new;
    objects.total_object_count = i32::try_from(total)
        .map_err(|_| Failure::no(format!("{}: too many objects for a project", project.name)))?;
    let bytes = stored(&project.name, project.document.clone(), &settings)?;
    Ok(Some(Followed { project, bytes, report }))
}

/// Reports what the merged layer does not keep of the layers.
fn say_losses(name: &str, merged: &Merged) {
    if merged.renumbered > 0 {
        let objects = counted(merged.renumbered as u64, "object");
        remark(&format!("{name}: {objects} got new ids, as theirs were taken"));
    }
    if merged.duplicates > 0 {
        let objects = counted(merged.duplicates as u64, "object");
        remark(&format!("{name}: {objects} there twice; 'dedupe' takes them out"));
    }
    if let [first, ..] = &merged.other_library[..] {
        let count = counted(merged.other_library.len() as u64, "template");
        let first = shown(first);
        remark(&format!(
            "{name}: {count} from another library in another layer, such as {first}: that of \
             the first layer stays"
        ));
    }
    if let [(before, after), ..] = &merged.other_name[..] {
        let count = counted(merged.other_name.len() as u64, "template");
        let (before, after) = (shown(before), shown(after));
        remark(&format!(
            "{name}: {count} with the hash of another, such as {before}, which is now {after}"
        ));
    }
}
