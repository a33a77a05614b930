//! The nodes around leaves, as Terrain Builder lays them out.

use super::descent::Cell;
use super::grid::Grid;
use super::record::{BoundingBox, ChildMask, Children, Colour, Node};
use super::whole::Tree;

/// A tree that is laid out around leaves: all nodes down to the cells of the grid, and below them those
/// that lead to a leaf.
pub(crate) struct Layout<'g, T, C, L> {
    /// Grid of the nodes.
    pub(crate) grid: &'g Grid,
    /// The leaf that a thing is in.
    pub(crate) cell_of: fn(&T) -> Cell,
    /// The colour of a node. Nodes are asked for in the order of the bytes.
    pub(crate) colour: C,
    /// Adds the leaf with these things in it.
    pub(crate) leaf: L,
}

impl<T, C, L> Layout<'_, T, C, L>
where
    C: FnMut(Cell) -> Colour,
    L: FnMut(&mut Tree, Cell, BoundingBox<f64>, &[T]),
{
    /// The tree with these things in its leaves; they are in the order of their cells.
    pub(crate) fn around(mut self, things: &[T], mut tree: Tree) -> Tree {
        tree.version = self.grid.version();
        self.node(&mut tree, Cell::default(), self.grid.root(), things);
        tree
    }

    /// Adds a node with all below it; as deep as the grid has levels. `inside` is what is in it.
    fn node(&mut self, tree: &mut Tree, cell: Cell, bounds: BoundingBox<f64>, mut inside: &[T]) {
        let mut quarters = [&[][..]; 4];
        for (bit, quarter) in (0..).zip(&mut quarters) {
            // Most cells are empty.
            if inside.is_empty() {
                break;
            }
            let child = cell.child(bit);
            let end = inside.partition_point(|thing| (self.cell_of)(thing).order(child).is_le());
            (*quarter, inside) = inside.split_at_checked(end).unwrap_or_default();
        }
        let all = cell.level < self.grid.cells();
        let mask = (0..)
            .zip(&quarters)
            .fold(0, |mask, (bit, quarter)| mask | u8::from(all || !quarter.is_empty()) << bit);
        let children = match mask {
            0 => Children::None,
            _ if cell.level + 1 == self.grid.leaves() => Children::Leaves,
            _ => Children::Nodes,
        };
        tree.nodes.push(Node {
            kind: children.kind(),
            bounds,
            level: cell.level as i32,
            colour: (self.colour)(cell),
            children: ChildMask::from(mask),
            ..Node::default()
        });
        for (bit, quarter) in (0..).zip(quarters) {
            if mask >> bit & 1 == 0 {
                continue;
            }
            let bounds = self.grid.version().quarter(bounds, bit);
            match children {
                Children::Leaves => (self.leaf)(tree, cell.child(bit), bounds, quarter),
                _ => self.node(tree, cell.child(bit), bounds, quarter),
            }
        }
    }
}
