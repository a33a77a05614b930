//! What kind of file a document is.

use super::layer::ObjectLayer;
use super::project::Project;
use super::shape::ShapeLayer;
use super::typed::Typed;
use crate::Document;

/// What a file is, by the class of its root.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum FileKind {
    /// A project (`.tv4p`): see [`Project`].
    Project,
    /// A layer of objects (`.tv4l`): see [`ObjectLayer`].
    ObjectLayer,
    /// A layer of shapes (`.tv4s`): see [`ShapeLayer`].
    ShapeLayer,
}

impl FileKind {
    /// What a document is; [`None`] where its root is of a class that no file of Terrain Builder has
    /// there.
    #[must_use]
    pub fn of(document: &Document) -> Option<Self> {
        let kinds = [
            (Project::CLASS, Self::Project),
            (ObjectLayer::CLASS, Self::ObjectLayer),
            (ShapeLayer::CLASS, Self::ShapeLayer),
        ];
        let class = document.class_name(&document.root);
        kinds.into_iter().find(|(known, _)| known.name == class).map(|(_, kind)| kind)
    }
}
