//! Boxes that are not where the tree puts them.

use super::descent::Cell;
use super::grid::Grid;
use super::record::BoundingBox;
use super::version::Version;
use super::walk::{TreeItem, TreeWalk};

/// A node or leaf whose box is not the part of the root box that its place in the tree gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misplaced {
    /// Offset of the node or leaf, in bytes from the start of the tree.
    pub offset: usize,
    /// Its place in the tree.
    pub cell: Cell,
    /// The box that it has.
    pub bounds: BoundingBox<f64>,
    /// The box that its place gives it.
    pub expected: BoundingBox<f64>,
}

/// Returns the nodes and leaves of a tree whose box is not exactly the part of the root box that their place
/// gives them: a quarter of the parent's, halved as [`Grid`] does. Ends where the bytes are no tree.
///
/// ```
/// use formwork_alb1::tree::{Grid, Tree, Version, misplaced};
///
/// let mut bytes = Tree::empty(&Grid::new(Version::V4, Grid::ROOTS[0])).to_vec()?;
/// assert_eq!(misplaced(&bytes, Version::V4).count(), 0);
/// bytes[Version::V4.node_size() + 1] ^= 1;
/// assert_eq!(misplaced(&bytes, Version::V4).count(), 1);
/// # Ok::<(), formwork::Error>(())
/// ```
pub fn misplaced(bytes: &[u8], version: Version) -> impl Iterator<Item = Misplaced> {
    let mut grid = None;
    TreeWalk::new(bytes, version).map_while(Result::ok).filter_map(move |stop| {
        let bounds = match stop.item {
            TreeItem::Node(node) => node.bounds,
            TreeItem::Leaf(leaf) => leaf.bounds,
            TreeItem::Group { .. } => return None,
        };
        let grid = grid.get_or_insert_with(|| Grid::new(version, bounds));
        let expected = grid.cell(stop.cell);
        let found = Misplaced { offset: stop.offset, cell: stop.cell, bounds, expected };
        (!bounds.is_identical(&expected)).then_some(found)
    })
}
