//! Changed object layers: written in place, or one of them to another file.

use formwork_alb1::terrain::ObjectLayer;
use formwork_terrain::project::{ChangedFile, Project, ProjectFile};

use super::changing::{Changing, FileReport};
use super::{stored, unchangeable};
use formwork_program::failure::Failure;
use formwork_program::remark;

/// A layer that was read, and its changes.
pub(super) struct LayerFile<'p> {
    pub(super) file: &'p ProjectFile,
    pub(super) layer: ObjectLayer,
    /// Number of objects that its file declares.
    objects_before: i32,
}

impl<'p> LayerFile<'p> {
    pub(super) fn new((file, layer): (&'p ProjectFile, ObjectLayer)) -> Self {
        let objects_before = layer.object_count;
        Self { file, layer, objects_before }
    }

    /// Starts the report of the layer, with its line of text.
    pub(super) fn report(&self, line: String) -> FileReport {
        FileReport::new(&self.file.path, line).layer(&self.layer.name)
    }
}

/// Refuses several layers where the command writes one file.
fn refuse_several(layers: usize, changing: &Changing) -> Result<(), Failure> {
    if layers > 1 && !changing.is_in_place() && !changing.is_dry_run() {
        let message = format!("{layers} layers would change, and only one can be written");
        return Err(
            Failure::usage(message).hint("use --layer NAME for one of them, or --in-place for all")
        );
    }
    Ok(())
}

/// Makes the project file whose layers have `more` objects more, and its report. Returns none where
/// there is no project, or where its number of objects is the same.
pub(super) fn following(
    project: &Project,
    more: i64,
) -> Result<Option<(ChangedFile, FileReport)>, Failure> {
    let Some(file) = project.project.as_ref().filter(|_| more != 0) else { return Ok(None) };
    let report = FileReport::new(&file.path, String::new()).object_count(more);
    let changed = file.with_more_objects(more).map_err(|error| unchangeable(&file.name, error))?;
    Ok(Some((changed, report)))
}

/// Writes and reports changed layers: each in place, or the only one to the output. In place, the
/// project is updated if its number of objects changes. All files are made before the first is
/// written.
pub(super) fn write(
    project: &Project,
    layers: &mut [(LayerFile<'_>, FileReport)],
    changing: &Changing,
) -> Result<(), Failure> {
    refuse_several(layers.len(), changing)?;
    let mut files = Vec::new();
    for (it, _) in layers.iter() {
        files.push(stored(&it.file.name, it.file.document.clone(), &it.layer)?);
    }
    let more = |(it, _): &(LayerFile<'_>, _)| {
        i64::from(it.layer.object_count) - i64::from(it.objects_before)
    };
    let more: i64 = layers.iter().map(more).sum();
    let mut followed = if changing.is_in_place() { following(project, more)? } else { None };
    for ((it, report), bytes) in layers.iter_mut().zip(&files) {
        changing.write(&it.file.path, bytes, report)?;
    }
    if let Some((file, report)) = &mut followed {
        changing.replace(&file.path, &file.bytes, report).inspect_err(|_| {
            remark("the layers are written, the project is not");
        })?;
    } else if project.project.is_some() && more != 0 && !changing.is_dry_run() {
        remark("the project keeps its number of objects; with --in-place it follows");
    }
    let reports = layers.iter().map(|(_, report)| report);
    let mut reports = reports.chain(followed.iter().map(|(_, report)| report));
    reports.try_for_each(|report| changing.report(report))
}
