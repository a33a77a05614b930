//! Summaries of the layers of a project.

use std::fs;
use std::path::Path;

use formwork_alb1::ObjectPointer;
use formwork_alb1::terrain;
use formwork_alb1::terrain::{ObjectLayer, ShapeLayer};
use serde::Serialize;

use super::error::Unreadable;
use super::{Project, ProjectFile};

/// All layers of a project.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LayerList {
    /// The object layers.
    pub object_layers: Vec<LayerSummary>,
    /// The shape layers.
    pub shape_layers: Vec<LayerSummary>,
    /// The files with the extension of a layer that could not be read.
    #[serde(rename = "unread_layers")]
    pub unread: Vec<UnreadSummary>,
}

/// A layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LayerSummary {
    /// The name of the file in messages.
    pub file: String,
    /// The name of the layer.
    #[serde(rename = "layer")]
    pub name: String,
    /// The number of an object layer: the time of its creation, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i32>,
    /// The version of an object layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    /// The number of objects in an object layer, as stored in its counter.
    #[serde(rename = "object_count", skip_serializing_if = "Option::is_none")]
    pub objects: Option<i32>,
    /// The number of shapes in a shape layer.
    #[serde(rename = "shape_count", skip_serializing_if = "Option::is_none")]
    pub shapes: Option<usize>,
    /// Whether it is shown.
    pub visible: bool,
    /// Whether it is locked.
    pub locked: bool,
    /// Whether it is the active layer of the project.
    pub active: bool,
    /// Its place in the stack.
    pub priority: u32,
    /// Bytes of the file.
    pub size: u64,
}

/// A file that could not be read as a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UnreadSummary {
    /// The name of the file in messages.
    pub file: String,
    /// The reason why it could not be read, in a sentence without a full stop.
    #[serde(rename = "message")]
    pub why: String,
    /// Whether it is a pointer of Git LFS.
    pub git_lfs_pointer: bool,
    /// Bytes of the file.
    pub size: u64,
}

impl Project {
    /// Returns summaries of all layers. An incomplete layer is listed as unread.
    ///
    /// # Errors
    ///
    /// Returns an error if the project does not record which of its layers are active.
    pub fn layer_list(&self) -> formwork::Result<LayerList> {
        let active = match &self.project {
            Some(file) => {
                let objects = file.view::<terrain::Project>()?.objects;
                [Some(objects.active_layer), Some(objects.active_area_layer)]
            }
            None => [None, None],
        };
        let mut unread: Vec<UnreadSummary> = Vec::new();
        for it in &self.unread {
            unread.push(UnreadSummary {
                file: it.name.clone(),
                why: it.why.to_string(),
                git_lfs_pointer: it.is_git_lfs_pointer(),
                size: size(&it.path),
            });
        }
        let object_layers = rows(&self.layers, active[0], &mut unread, |file| {
            let layer: ObjectLayer = file.view()?;
            Ok(LayerSummary {
                name: layer.name.to_string(),
                id: Some(layer.id),
                version: Some(layer.version),
                objects: Some(layer.object_count),
                visible: layer.visible,
                locked: layer.locked,
                priority: layer.priority,
                ..LayerSummary::default()
            })
        });
        let shape_layers = rows(&self.shapes, active[1], &mut unread, |file| {
            let layer: ShapeLayer = file.view()?;
            Ok(LayerSummary {
                name: layer.name.to_string(),
                shapes: Some(layer.shapes.len()),
                visible: layer.visible,
                locked: layer.locked,
                priority: layer.priority,
                ..LayerSummary::default()
            })
        });
        Ok(LayerList { object_layers, shape_layers, unread })
    }
}

fn rows(
    files: &[ProjectFile],
    active: Option<ObjectPointer>,
    unread: &mut Vec<UnreadSummary>,
    row: impl Fn(&ProjectFile) -> formwork::Result<LayerSummary>,
) -> Vec<LayerSummary> {
    let mut rows = Vec::new();
    for file in files {
        let (name, size) = (file.name.clone(), size(&file.path));
        match row(file) {
            Ok(row) => rows.push(LayerSummary {
                file: name,
                active: active.is_some_and(|active| active.address == file.document.root.address),
                size,
                ..row
            }),
            Err(error) => {
                let why = Unreadable::Incomplete(error).to_string();
                unread.push(UnreadSummary { file: name, why, git_lfs_pointer: false, size });
            }
        }
    }
    rows
}

/// Returns the size of a file in bytes; 0 if it does not exist.
fn size(path: &Path) -> u64 {
    fs::metadata(path).map(|metadata| metadata.len()).unwrap_or_default()
}
