//! `terrain PROJECT merge`: object layers that become one.

use std::path::PathBuf;

use clap::Args;
use formwork::alb1::ObjectPointer;
use formwork::alb1::terrain::{ObjectLayer, Project as ProjectView, Root};
use formwork_terrain::object_change::{Merge as MergeLayers, Merged};
use formwork_terrain::project::{Project, ProjectFile};

use super::super::failure::{Failure, Status};
use super::super::output::{InPlaceOptions, OutputOptions};
use super::super::project::open_file;
use super::super::quantity::counted;
use super::super::remark;
use super::layer_files::bytes;
use super::libraries::libraries;
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use super::{refused, shown, view};

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
    /// Refuse layers that have the same ids, instead of giving new ones
    #[arg(long)]
    keep_ids: bool,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    output: OutputOptions,
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
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let selection =
            SelectionOptions { layers: self.layers.clone(), ..SelectionOptions::default() };
        let (mut layers, status) = selection.layers(project)?;
        // As they were named: the first one gets the others.
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
        let merged_bytes = bytes(file, &layer)?;
        if self.change.is_in_place() {
            let new: i64 = outside.iter().map(|(_, it)| i64::from(it.object_count)).sum();
            self.write_in_place(project, file, &inside, &merged_bytes, new)?;
        } else {
            self.change.write(&file.path, &merged_bytes, &self.output)?;
        }
        self.say(&shown(&layer.name), others.len(), &merged);
        Ok(status)
    }

    /// Replaces the first layer, lets the project follow, and takes the others away. All files are made
    /// before the first is written, and what goes is in the first layer before.
    fn write_in_place(
        &self,
        project: &Project,
        file: &ProjectFile,
        inside: &[(&ProjectFile, ObjectLayer)],
        merged: &[u8],
        new: i64,
    ) -> Result<(), Failure> {
        let mut changed = None;
        if let Some(project) = &project.project {
            let mut settings: ProjectView = view(project)?;
            let objects = &mut settings.objects;
            let goes = |(other, _): &(&ProjectFile, ObjectLayer)| {
                other.document.root.address == objects.active_layer.address
            };
            if inside.iter().any(goes) {
                let root = &file.document.root;
                objects.active_layer = ObjectPointer { class: root.class, address: root.address };
            }
            let total = i64::from(objects.total_object_count) + new;
            objects.total_object_count = i32::try_from(total).map_err(|_| {
                Failure::no(format!("{}: too many objects for a project", project.name))
            })?;
            let mut document = project.document.clone();
            let failed = |error| Failure::in_value(&project.name, error);
            settings.store_in(&mut document).map_err(failed)?;
            changed = Some((project, document.to_vec().map_err(failed)?));
        }
        self.change.replace(&file.path, merged)?;
        if let Some((project, bytes)) = changed {
            self.change.replace(&project.path, &bytes)?;
        }
        inside.iter().try_for_each(|(other, _)| self.change.remove(&other.path))
    }

    fn say(&self, name: &str, others: usize, merged: &Merged) {
        let objects = counted(merged.objects as u64, "object");
        let layers = counted(others as u64, "layer");
        let templates = counted(merged.new_templates as u64, "template");
        self.change.say(&format!("{name}: {objects} and {templates} added from {layers}"));
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
}
