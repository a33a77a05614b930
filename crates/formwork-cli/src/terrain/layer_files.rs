//! Object layers changed and written: in place, or one of them elsewhere.

use formwork::alb1::terrain::{ObjectLayer, Root};
use formwork_terrain::project::{Project, ProjectFile};

use super::super::failure::Failure;
use super::super::output::{InPlaceOptions, OutputOptions};
use super::super::remark;
use super::unchangeable;

/// A layer that was read, and what became of it.
pub(super) struct LayerFile<'p> {
    pub(super) file: &'p ProjectFile,
    pub(super) layer: ObjectLayer,
    /// How many objects its file says it has.
    objects_before: i32,
}

impl<'p> LayerFile<'p> {
    pub(super) fn new((file, layer): (&'p ProjectFile, ObjectLayer)) -> Self {
        let objects_before = layer.object_count;
        Self { file, layer, objects_before }
    }

    /// Makes the bytes of the file.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        bytes(self.file, &self.layer)
    }
}

/// Makes the bytes of a file with this layer in it.
pub(super) fn bytes(file: &ProjectFile, layer: &ObjectLayer) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::in_value(&file.name, error);
    let mut document = file.document.clone();
    layer.store_in(&mut document).map_err(failed)?;
    document.to_vec().map_err(failed)
}

/// Refuses several layers where the command would write one file.
pub(super) fn refuse_several(layers: usize, change: InPlaceOptions) -> Result<(), Failure> {
    if layers > 1 && !change.is_in_place() && !change.is_dry_run() {
        let message = format!("{layers} layers would change, and only one can be written");
        return Err(
            Failure::usage(message).hint("use --layer NAME for one of them, or --in-place for all")
        );
    }
    Ok(())
}

/// Writes changed layers: each where it is, or the only one to the output. In place the project follows, where the number
/// of objects is another one. All files are made before the first is written.
pub(super) fn write(
    project: &Project,
    layers: &[LayerFile<'_>],
    change: InPlaceOptions,
    output: &OutputOptions,
) -> Result<(), Failure> {
    refuse_several(layers.len(), change)?;
    let mut files = Vec::new();
    for it in layers {
        files.push((it, it.bytes()?));
    }
    let more = |it: &LayerFile<'_>| i64::from(it.layer.object_count) - i64::from(it.objects_before);
    let more: i64 = layers.iter().map(more).sum();
    if change.is_in_place() {
        let mut changed = None;
        if let Some(file) = project.project.as_ref().filter(|_| more != 0) {
            let file = file.with_more_objects(more);
            let name = &project.project.as_ref().map_or("", |file| &file.name);
            changed = Some(file.map_err(|error| unchangeable(name, error))?);
        }
        for (it, bytes) in &files {
            change.replace(&it.file.path, bytes)?;
        }
        if let Some(file) = changed {
            change.replace(&file.path, &file.bytes).inspect_err(|_| {
                remark("the layers are written, the project is not");
            })?;
        }
        return Ok(());
    }
    for (it, bytes) in &files {
        change.write(&it.file.path, bytes, output)?;
    }
    if project.project.is_some() && more != 0 && !change.is_dry_run() {
        remark("the project keeps its number of objects; with --in-place it follows");
    }
    Ok(())
}
