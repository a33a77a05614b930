//! Every box that a tree can have.

use super::descent::Cell;
use super::record::BoundingBox;
use super::version::Version;
use super::whole::{Part, PartItem, Tree};
use crate::tree::rule;
use formwork::{Error, Result};

/// The boxes of a tree: the root's, halved again and again.
///
/// Terrain Builder halves in the numbers of the version, `low + (high - low) / 2`, which gives the
/// boxes of real files bit for bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    version: Version,
    root: BoundingBox<f64>,
    cells: u32,
    leaves: u32,
}

impl Grid {
    /// The two root boxes that real files have: 900 km around the northing of 4 degrees north, where
    /// Terrain Builder's maps are unless told otherwise (222 of 226 files), and around the equator.
    pub const ROOTS: [BoundingBox<f64>; 2] = [
        BoundingBox {
            x0: 0.0,
            y0: -7_872.609_746_890_492,
            x1: 1_340_000.0,
            y1: 892_127.390_253_109_5,
        },
        BoundingBox { x0: 0.0, y0: -450_000.0, x1: 1_340_000.0, y1: 450_000.0 },
    ];

    /// The level of the cells that are always there, in every real file.
    pub const CELLS: u32 = 8;

    /// The level of the leaves in every real file.
    pub const LEAVES: u32 = 14;

    /// The levels that a grid may have: cells at most here, as all of them are made (a million), ...
    const MOST_CELLS: u32 = 10;
    /// ... and leaves below them, at most here.
    const MOST_LEAVES: u32 = 32;

    /// A grid with the levels that every real file has. Version 3 rounds the root box.
    #[must_use]
    pub fn new(version: Version, root: BoundingBox<f64>) -> Self {
        let root = version.round(root);
        Self { version, root, cells: Self::CELLS, leaves: Self::LEAVES }
    }

    /// Sets the levels. [`None`] unless the leaves are below the cells, these at most on
    /// level 10, those on level 32.
    #[must_use]
    pub fn with_levels(self, cells: u32, leaves: u32) -> Option<Self> {
        let sound = cells <= Self::MOST_CELLS && cells < leaves && leaves <= Self::MOST_LEAVES;
        sound.then_some(Self { cells, leaves, ..self })
    }

    /// The grid of a tree: version and root box, and the levels of the first empty cell and of the
    /// first leaf, where it has any.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree's parts do not agree or its levels cannot be those of a grid.
    pub fn of(tree: &Tree) -> Result<Self> {
        let (mut root, mut cells, mut leaves) = (None, None, None);
        for part in tree.parts() {
            let Part { cell, item, .. } = part?;
            match item {
                PartItem::Node(node) => {
                    root.get_or_insert(node.bounds);
                    if node.kind == super::Children::None.kind() {
                        cells.get_or_insert(cell.level);
                    }
                }
                PartItem::Leaf(_) => {
                    leaves.get_or_insert(cell.level);
                }
                PartItem::Group(..) => {}
            }
            if cells.is_some() && leaves.is_some() {
                break;
            }
        }
        let grid = Self::new(tree.version, root.unwrap_or_default());
        let leaves = leaves.unwrap_or(Self::LEAVES);
        // Without an empty cell nothing says where they would be but that leaves are below.
        let cells = cells.unwrap_or(Self::CELLS.min(leaves.saturating_sub(1)));
        grid.with_levels(cells, leaves).ok_or_else(|| {
            let found = format!("empty cells on level {cells}, leaves on level {leaves}");
            Error::new(rule::GRID, 0, "empty cells above the leaves", found)
        })
    }

    /// The version that the boxes are for.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The root box.
    #[must_use]
    pub const fn root(&self) -> BoundingBox<f64> {
        self.root
    }

    /// The level of the cells that are always there.
    #[must_use]
    pub const fn cells(&self) -> u32 {
        self.cells
    }

    /// The level of the leaves.
    #[must_use]
    pub const fn leaves(&self) -> u32 {
        self.leaves
    }

    /// Returns the box of a node or leaf, exactly as in the bytes. (Columns count from the west, rows from the south.)
    ///
    /// ```
    /// use formwork_alb1::tree::{Cell, Grid, Version};
    ///
    /// let grid = Grid::new(Version::V4, Grid::ROOTS[1]);
    /// let bounds = grid.cell(Cell { level: 2, x: 1, y: 3 });
    /// assert_eq!(bounds.to_array(), [335_000.0, 225_000.0, 670_000.0, 450_000.0]);
    /// assert_eq!(grid.find(&bounds), Some(Cell { level: 2, x: 1, y: 3 }));
    /// ```
    #[must_use]
    pub fn cell(&self, cell: Cell) -> BoundingBox<f64> {
        (1..=cell.level.min(u64::BITS))
            .fold(self.root, |bounds, level| self.version.quarter(bounds, cell.bit(level)))
    }

    /// The cell with exactly this box, down to the leaves.
    #[must_use]
    pub fn find(&self, bounds: &BoundingBox<f64>) -> Option<Cell> {
        let (mut cell, mut here) = (Cell::default(), self.root);
        // A point inside the box, away from its borders, leads to it.
        let x = bounds.x0 + (bounds.x1 - bounds.x0) / 2.0;
        let y = bounds.y0 + (bounds.y1 - bounds.y0) / 2.0;
        loop {
            if here.is_identical(bounds) {
                return Some(cell);
            }
            // A quarter that a point in the root box leads to has it in it, too.
            if cell.level == self.leaves || (cell.level == 0 && !here.contains(x, y)) {
                return None;
            }
            (cell, here) = self.towards(cell, here, x, y);
        }
    }

    /// The leaf that a point is in. [`None`] outside the root box.
    #[must_use]
    pub fn leaf_at(&self, x: f64, y: f64) -> Option<Cell> {
        let start = self.root.contains(x, y).then_some((Cell::default(), self.root))?;
        let descend = |(cell, here), _| self.towards(cell, here, x, y);
        Some((0..self.leaves).fold(start, descend).0)
    }

    /// The quarter that a point is in.
    #[inline(always)]
    fn towards(
        &self,
        cell: Cell,
        here: BoundingBox<f64>,
        x: f64,
        y: f64,
    ) -> (Cell, BoundingBox<f64>) {
        let middle = self.version.middle(&here);
        let bit = u32::from(x >= middle.0) | u32::from(y < middle.1) << 1;
        (cell.child(bit), here.quarter(middle, bit))
    }
}
