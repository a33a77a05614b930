//! Kinds of the files of Terrain Builder.

use super::layer::ObjectLayer;
use super::project::Project;
use super::shape::ShapeLayer;
use super::typed::Typed;
use crate::Document;

/// Kind of a file, by the class of its root.
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
    /// Returns the name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::ObjectLayer => "object layer",
            Self::ShapeLayer => "shape layer",
        }
    }

    /// Returns the kind of a document; [`None`] if no file of Terrain Builder has a root of this class.
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
