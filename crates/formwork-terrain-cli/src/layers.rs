//! `terrain layers PROJECT`: the object and shape layers.

use clap::Args;
use formwork_terrain::project::{LayerList, Project, UnreadSummary};

use super::print::PrintOptions;
use super::{incomplete, shown};
use formwork_program::failure::{Failure, Status};

/// List the object and shape layers
///
/// Shows file, name, number of objects or shapes, state and size of each layer. The id is the time
/// when the layer was made. Files that should be layers but cannot be read, such as Git LFS
/// pointers, are listed with the reason; the exit status is then 1.
#[derive(Args, Debug)]
#[command(mut_arg("json", |it| it.long_help(None)))]
pub(crate) struct Layers {
    #[command(flatten)]
    print: PrintOptions,
}

impl Layers {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let list = project.layer_list().map_err(|error| {
            incomplete(project.project.as_ref().map_or("", |file| &file.name), error)
        })?;
        // A list that was read only in part is no success.
        let status = if list.unread.is_empty() { Status::Done } else { Status::No };
        self.print.list(&list, || table(&list))?;
        Ok(status)
    }
}

/// Returns one line for each layer.
fn table(list: &LayerList) -> String {
    let heads = ["file", "name", "id", "version", "objects", "shapes", "state", "bytes"];
    let mut lines = vec![heads.map(str::to_owned)];
    for row in list.object_layers.iter().chain(&list.shape_layers) {
        let number = |number: Option<i32>| number.map(|it| it.to_string()).unwrap_or_default();
        let states = [(row.active, "active"), (!row.visible, "hidden"), (row.locked, "locked")];
        let states: Vec<_> = states.iter().filter(|(is, _)| *is).map(|(_, it)| *it).collect();
        lines.push([
            row.file.clone(),
            shown(&row.name),
            number(row.id),
            number(row.version),
            number(row.objects),
            row.shapes.map(|shapes| shapes.to_string()).unwrap_or_default(),
            states.join(" "),
            row.size.to_string(),
        ]);
    }
    let mut table = super::table::table(&lines);
    for UnreadSummary { file, why, .. } in &list.unread {
        table.push_str(&format!("{file}: {why}\n"));
    }
    table
}
