//! `terrain PROJECT layers`: the object and shape layers.

use std::fs;
use std::path::Path;

use clap::Args;
use formwork::alb1::ObjectPointer;
use formwork::alb1::terrain::{ObjectLayer, Project as ProjectView, ShapeLayer};
use formwork::detect::Other;
use serde::Serialize;

use super::super::failure::{Failure, Status};
use super::super::output::OutputOptions;
use super::super::project::{Project, ProjectFile};
use super::{print_json, shown, view};

/// List the object and shape layers
///
/// Shows file, name, number of objects or shapes, state and size of each layer. The id is the time
/// when the layer was made. Files that should be layers but cannot be read, such as Git LFS
/// pointers, are listed with the reason; the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct Layers {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: OutputOptions,
}

/// Every layer.
#[derive(Debug, Serialize)]
struct List {
    object_layers: Vec<Row>,
    shape_layers: Vec<Row>,
    unread: Vec<Unread>,
}

/// A layer.
#[derive(Debug, Default, Serialize)]
struct Row {
    file: String,
    name: String,
    /// Object layers have a number: when they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<usize>,
    visible: bool,
    locked: bool,
    active: bool,
    priority: u32,
    /// Bytes of the file.
    size: u64,
}

/// A file that has the name of a layer.
#[derive(Debug, Serialize)]
struct Unread {
    file: String,
    why: String,
    git_lfs_pointer: bool,
    size: u64,
}

impl Layers {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let list = List::of(project)?;
        // What is read only in part is no yes.
        let status = if list.unread.is_empty() { Status::Done } else { Status::No };
        if self.json {
            print_json(&list, &self.output)?;
            return Ok(status);
        }
        self.output.write(|out| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(list.table().as_bytes());
            Ok(())
        })?;
        Ok(status)
    }
}

impl List {
    fn of(project: &Project) -> Result<Self, Failure> {
        let active = match &project.project {
            Some(file) => {
                let objects = view::<ProjectView>(file)?.objects;
                [Some(objects.active_layer), Some(objects.active_area_layer)]
            }
            None => [None, None],
        };
        let mut unread: Vec<Unread> = Vec::new();
        for it in &project.unread {
            let is_pointer = it.other == Some(Other::GitLfsPointer);
            unread.push(Unread::new(it.name.clone(), it.why.clone(), is_pointer, &it.path));
        }
        let object_layers = rows(&project.layers, active[0], &mut unread, |file| {
            let layer: ObjectLayer = view(file)?;
            Ok(Row {
                name: layer.name.to_string(),
                id: Some(layer.id),
                version: Some(layer.version),
                objects: Some(layer.object_count),
                visible: layer.visible,
                locked: layer.locked,
                priority: layer.priority,
                ..Row::default()
            })
        });
        let shape_layers = rows(&project.shapes, active[1], &mut unread, |file| {
            let layer: ShapeLayer = view(file)?;
            Ok(Row {
                name: layer.name.to_string(),
                shapes: Some(layer.shapes.len()),
                visible: layer.visible,
                locked: layer.locked,
                priority: layer.priority,
                ..Row::default()
            })
        });
        Ok(Self { object_layers, shape_layers, unread })
    }

    fn table(&self) -> String {
        let mut table = String::new();
        let heads = ["file", "name", "id", "version", "objects", "shapes", "state", "bytes"];
        let mut lines = vec![heads.map(str::to_owned)];
        for row in self.object_layers.iter().chain(&self.shape_layers) {
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
        let mut widths = [0; 8];
        for line in &lines {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for line in &lines {
            let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            table.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            table.push('\n');
        }
        for Unread { file, why, .. } in &self.unread {
            table.push_str(&format!("{file}: {why}\n"));
        }
        table
    }
}

impl Unread {
    fn new(file: String, why: String, git_lfs_pointer: bool, path: &Path) -> Self {
        let size = fs::metadata(path).map(|metadata| metadata.len()).unwrap_or_default();
        Self { file, why, git_lfs_pointer, size }
    }
}

/// A row for each file; one that lacks what a layer has is no reason not to list the others.
fn rows(
    files: &[ProjectFile],
    active: Option<ObjectPointer>,
    unread: &mut Vec<Unread>,
    row: impl Fn(&ProjectFile) -> Result<Row, Failure>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for file in files {
        match row(file) {
            Ok(row) => rows.push(Row {
                file: file.name.clone(),
                active: active.is_some_and(|active| active.address == file.document.root.address),
                size: fs::metadata(&file.path).map(|metadata| metadata.len()).unwrap_or_default(),
                ..row
            }),
            Err(failure) => {
                let why = failure.lines(&file.name).join(" ");
                unread.push(Unread::new(file.name.clone(), why, false, &file.path));
            }
        }
    }
    rows
}
