//! The quadtree that holds the objects of a layer: the raw bytes of the field `tree` of a `CLayer`.
//!
//! A node has a box, and up to four children, whose boxes are its quarters: nodes, or on the lowest level leaves. A
//! leaf has groups, one for each template, and a group has the objects of that template. Terrain Builder makes all
//! nodes of the levels 0 to 7 and all cells of level 8 beforehand, so that even an empty tree has 87,381 nodes.
//!
//! [`TreeWalk`] goes through the bytes, [`objects`] and [`groups`] pick what was placed; [`Tree`] holds all
//! of it, can be changed, and writes it back byte for byte; [`Grid`] knows every box.

mod boxes;
mod build;
mod descent;
mod edit;
mod grid;
mod layout;
mod objects;
mod placed;
mod record;
pub mod rule;
mod version;
mod walk;
mod whole;

pub use boxes::{Misplaced, misplaced};
pub use build::Rebuild;
pub(crate) use build::empty_bytes;
pub use descent::Cell;
pub use grid::Grid;
pub(crate) use layout::Layout;
pub use objects::Objects;
pub use placed::{Placed, groups, objects};
pub use record::{BoundingBox, ChildMask, Children, Colour, Group, Leaf, Node, Object};
pub use version::Version;
pub use walk::{Stop, TreeItem, TreeWalk};
pub use whole::Tree;
