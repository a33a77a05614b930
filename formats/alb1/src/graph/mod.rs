//! The objects of one or more files, and how they lead to each other.
//!
//! An object holds others, in its fields and in the arrays and pairs in them. Besides, a pointer leads to an object of
//! its own file or to the root object of another file: Terrain Builder's projects have two such pointers, to the active
//! object layer and the active shape layer, which are separate files.

mod build;
mod dot;
#[cfg(feature = "json")]
mod json;
mod name;
#[cfg(feature = "petgraph")]
mod petgraph;

use std::iter::FusedIterator;

use super::{Document, Finding, Object, ObjectPointer};
use formwork::{Path, PathSegment};

pub use dot::Dot;
#[cfg(feature = "petgraph")]
pub use petgraph::Edge;

/// The objects of some files, as a graph.
///
/// ```
/// use formwork_alb1::{Document, Field, Graph, ObjectPointer};
///
/// let layer = Document::new("CLayer");
/// let mut project = Document::new("CVisitor4Project");
/// project.root.address = 0x2000_0000;
/// let active = project.tags.id("mactiveLayer").unwrap();
/// let pointer = ObjectPointer { class: layer.root.class, address: layer.root.address };
/// project.root.fields.push(Field::new(active, pointer));
///
/// let graph = Graph::new([("map.tv4p", &project), ("default.tv4l", &layer)]);
/// assert_eq!(graph.findings(), []);
/// let found = graph.pointers()[0].to.unwrap();
/// assert_eq!(graph.class_name(found), "CLayer");
/// assert_eq!(graph.file_name(found), "default.tv4l");
///
/// // Without the layer the pointer leads nowhere.
/// let graph = Graph::new([("map.tv4p", &project)]);
/// assert_eq!(graph.findings()[0].kind.name(), "pointer.dangling");
/// ```
#[derive(Clone, Debug)]
pub struct Graph<'d> {
    files: Vec<File<'d>>,
    objects: Vec<Node<'d>>,
    pointers: Vec<Pointer>,
    findings: Vec<Finding>,
}

/// An object of a [`Graph`]: its position among all objects.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ObjectId(usize);

impl ObjectId {
    /// The position: 0 for the root of the first file, then in the order of the files.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A pointer of a [`Graph`].
#[derive(Clone, Debug)]
pub struct Pointer {
    /// The innermost object that it is in.
    pub from: ObjectId,
    /// Target; [`None`] for a null pointer and for a dangling one.
    pub to: Option<ObjectId>,
    /// Offset in the file, in bytes from its start.
    pub offset: u64,
    /// The way to it from the object that it is in.
    pub way: Path,
    /// Content of the pointer.
    pub pointer: ObjectPointer,
}

#[derive(Clone, Debug)]
struct File<'d> {
    name: String,
    document: &'d Document,
    root: ObjectId,
}

#[derive(Clone, Debug)]
struct Node<'d> {
    /// The position of its file.
    file: usize,
    object: &'d Object,
    offset: u64,
    /// The object that holds it; none for a root object.
    parent: Option<ObjectId>,
    /// How many objects surround it.
    depth: u32,
    /// The way to it from the object that holds it.
    way: Path,
    /// The first half of the pair of which it is the second.
    key: Option<&'d super::Value>,
    /// The objects it holds.
    holds: Vec<ObjectId>,
    /// The positions of its pointers.
    pointers: Vec<usize>,
}

impl<'d> Graph<'d> {
    /// The graph of documents, each with the name of its file.
    #[must_use]
    pub fn new<N: Into<String>>(files: impl IntoIterator<Item = (N, &'d Document)>) -> Self {
        build::graph(files.into_iter().map(|(name, document)| (name.into(), document)))
    }

    /// Returns faults and oddities in the order of the files and of the places in them, pointers last.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// All pointers, in the order of the files.
    #[must_use]
    pub fn pointers(&self) -> &[Pointer] {
        &self.pointers
    }

    /// All objects, in the order of the files: a root object, what is in it, the next root object.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId)
    }

    /// The root objects, in the order of the files.
    pub fn roots(&self) -> impl ExactSizeIterator<Item = ObjectId> {
        self.files.iter().map(|file| file.root)
    }

    /// The first object with an address in the file with this name.
    #[must_use]
    pub fn find(&self, file: &str, address: u32) -> Option<ObjectId> {
        let file = self.files.iter().position(|known| known.name == file)?;
        let is_it = |node: &Node<'_>| node.file == file && node.object.address == address;
        self.objects.iter().position(is_it).map(ObjectId)
    }

    /// The object. [`None`] only for an id of another graph; so everywhere below.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&'d Object> {
        self.node(id).map(|node| node.object)
    }

    /// The document that an object is in.
    #[must_use]
    pub fn document(&self, id: ObjectId) -> Option<&'d Document> {
        self.file(id).map(|file| file.document)
    }

    /// The name of the file that an object is in.
    #[must_use]
    pub fn file_name(&self, id: ObjectId) -> &str {
        self.file(id).map_or("", |file| &file.name)
    }

    /// Returns the offset of an object in its file, in bytes from the start: that of its field, or of the record of the
    /// root object.
    #[must_use]
    pub fn offset(&self, id: ObjectId) -> Option<u64> {
        self.node(id).map(|node| node.offset)
    }

    /// The name of an object's class, as [`Document::class_name`].
    #[must_use]
    pub fn class_name(&self, id: ObjectId) -> String {
        match (self.document(id), self.object(id)) {
            (Some(document), Some(object)) => document.class_name(object).into_owned(),
            _ => String::new(),
        }
    }

    /// The object that holds this one; none for a root object.
    #[must_use]
    pub fn parent(&self, id: ObjectId) -> Option<ObjectId> {
        self.node(id)?.parent
    }

    /// The objects that an object holds, in the order of the file.
    #[must_use]
    pub fn holds(&self, id: ObjectId) -> &[ObjectId] {
        self.node(id).map_or(&[], |node| &node.holds)
    }

    /// The pointers in an object that are in no object in it.
    pub fn pointers_of(&self, id: ObjectId) -> impl Iterator<Item = &Pointer> {
        let positions = self.node(id).map_or(&[][..], |node| &node.pointers);
        positions.iter().filter_map(|&position| self.pointers.get(position))
    }

    /// The way to an object from the one that holds it: a field, and what is around it there.
    #[must_use]
    pub fn way(&self, id: ObjectId) -> Path {
        self.node(id).map(|node| node.way.clone()).unwrap_or_default()
    }

    /// The path of an object in its file; empty for a root object.
    #[must_use]
    pub fn path(&self, id: ObjectId) -> Path {
        let mut ways = Vec::new();
        let mut next = self.node(id);
        while let Some(node) = next {
            ways.push(node.way.steps());
            next = node.parent.and_then(|parent| self.node(parent));
        }
        let steps: Vec<PathSegment> = ways.into_iter().rev().flatten().cloned().collect();
        steps.into()
    }

    /// Goes from an object to all that it leads to, through what it holds and through pointers: each
    /// object once, also where pointers lead back; first what it holds, then where its pointers lead.
    #[must_use]
    pub fn depth_first(&self, from: ObjectId) -> DepthFirst<'_, 'd> {
        DepthFirst { graph: self, seen: vec![false; self.objects.len()], waiting: vec![from] }
    }

    /// The objects that no way leads to from these.
    pub fn unreachable(&self, from: impl IntoIterator<Item = ObjectId>) -> Vec<ObjectId> {
        let waiting = from.into_iter().collect();
        let mut walk = DepthFirst { graph: self, seen: vec![false; self.objects.len()], waiting };
        walk.by_ref().for_each(drop);
        let seen = walk.seen.iter().enumerate();
        seen.filter(|(_, seen)| !**seen).map(|(position, _)| ObjectId(position)).collect()
    }

    fn node(&self, id: ObjectId) -> Option<&Node<'d>> {
        self.objects.get(id.0)
    }

    fn file(&self, id: ObjectId) -> Option<&File<'d>> {
        self.node(id).and_then(|node| self.files.get(node.file))
    }
}

/// Objects in the order in which they are reached. See [`Graph::depth_first`].
#[derive(Clone, Debug)]
pub struct DepthFirst<'g, 'd> {
    graph: &'g Graph<'d>,
    seen: Vec<bool>,
    /// Objects to go to, the next one last.
    waiting: Vec<ObjectId>,
}

impl Iterator for DepthFirst<'_, '_> {
    type Item = ObjectId;

    fn next(&mut self) -> Option<ObjectId> {
        while let Some(id) = self.waiting.pop() {
            match self.seen.get_mut(id.0) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let start = self.waiting.len();
            self.waiting.extend_from_slice(self.graph.holds(id));
            self.waiting.extend(self.graph.pointers_of(id).filter_map(|pointer| pointer.to));
            if let Some(new) = self.waiting.get_mut(start..) {
                new.reverse();
            }
            return Some(id);
        }
        None
    }
}

impl FusedIterator for DepthFirst<'_, '_> {}
