//! Order of nodes, leaves and groups in a quadtree, for reading bytes and for writing trees alike.

use std::cmp::Ordering;

use super::record::{ChildMask, Children};
use crate::tree::rule;
use formwork::{Error, Path, PathSegment, Rule};

/// A place in the quadtree: a square of the grid that its root box is halved into.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Cell {
    /// How often the root box was halved.
    pub level: u32,
    /// Columns to the west of it.
    pub x: u64,
    /// Rows to the south of it.
    pub y: u64,
}

impl Cell {
    /// The child with this bit in the child mask: 0 north west, 1 north east, 2 south west, 3 south
    /// east.
    #[must_use]
    pub const fn child(self, bit: u32) -> Self {
        let (east, north) = (bit & 1, (bit & 2) ^ 2);
        Self {
            level: self.level.saturating_add(1),
            x: self.x << 1 | east as u64,
            y: self.y << 1 | (north >> 1) as u64,
        }
    }

    /// The bit of the child mask that leads from the level above `level` towards this cell.
    #[must_use]
    pub const fn bit(self, level: u32) -> u32 {
        let down = self.level.saturating_sub(level);
        if level == 0 || down >= u64::BITS {
            return 0;
        }
        let (east, north) = ((self.x >> down) & 1, (self.y >> down) & 1);
        (east | (north ^ 1) << 1) as u32
    }
}

impl Cell {
    /// Returns the names of the cells on the way from the root to this one: `nw`, `se`, `sw`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        (1..=self.level).filter_map(move |level| NAMES.get(self.bit(level) as usize).copied())
    }

    /// Returns the name of the cell among the children of its node.
    pub(crate) fn name(self) -> &'static str {
        match self.level {
            0 => "root",
            level => NAMES.get(self.bit(level) as usize).copied().unwrap_or_default(),
        }
    }

    /// Compares the places of two cells in the stream; equal if one contains the other.
    pub(crate) fn order(self, other: Self) -> Ordering {
        let level = self.level.min(other.level);
        let (one, other) = (self.up_to(level), other.up_to(level));
        // The highest bit in which the two differ decides; where both axes differ there, north goes
        // before south.
        let (x, y) = (one.x ^ other.x, one.y ^ other.y);
        if y.leading_zeros() <= x.leading_zeros() {
            other.y.cmp(&one.y)
        } else {
            one.x.cmp(&other.x)
        }
    }

    /// The cell of this level that it is in.
    #[must_use]
    pub fn up_to(self, level: u32) -> Self {
        let up = self.level.saturating_sub(level);
        let [x, y] = [self.x, self.y].map(|number| number.checked_shr(up).unwrap_or_default());
        Self { level: self.level - up, x, y }
    }
}

/// The names of the children, by bit.
const NAMES: [&str; 4] = ["nw", "ne", "sw", "se"];

/// Next part of the tree.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Next {
    Node(Cell),
    Leaf(Cell),
    Group,
    End,
}

/// A node whose children are not all there yet.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    cell: Cell,
    /// Bits of the children that are still to come.
    left: u8,
    leaves: bool,
}

/// Goes through a quadtree, depth first.
#[derive(Clone, Debug)]
pub(super) struct Descent {
    open: [Open; Descent::DEEPEST],
    depth: usize,
    started: bool,
    /// Cell of the node or leaf that was read last.
    cell: Cell,
    /// Groups of the leaf that are still to come, and that were there.
    groups: (u32, u32),
}

impl Descent {
    /// Most levels of nodes. (The numbers of a cell have this number of bits; real files need 14.)
    pub(super) const DEEPEST: usize = 64;

    pub(super) fn new() -> Self {
        Self {
            open: [Open::default(); Self::DEEPEST],
            depth: 0,
            started: false,
            cell: Cell::default(),
            groups: (0, 0),
        }
    }

    /// Returns the kind of the next part. The call must be followed by [`Descent::node`], [`Descent::leaf`] or
    /// [`Descent::group`].
    #[inline]
    pub(super) fn next(&mut self) -> Next {
        if self.groups.0 > 0 {
            return Next::Group;
        }
        if !self.started {
            return Next::Node(Cell::default());
        }
        while let Some(above) = self.depth.checked_sub(1) {
            if let Some(open) = self.open.get(above)
                && open.left != 0
            {
                let cell = open.cell.child(open.left.trailing_zeros());
                return if open.leaves { Next::Leaf(cell) } else { Next::Node(cell) };
            }
            self.depth = above;
        }
        Next::End
    }

    /// The next one is a node like this.
    #[inline]
    pub(super) fn node(&mut self, kind: i8, mask: ChildMask, offset: u64) -> Result<(), Error> {
        self.step();
        let bits = u8::from(mask);
        let Some(children) = Children::of_kind(kind) else {
            return Err(self.refuse(offset, "a node of the kind 1, 16 or -1", kind.to_string()));
        };
        if bits > 0x0F || (children == Children::None && bits != 0) {
            let expected = match children {
                Children::None => "no children below a node of the kind -1",
                _ => "a child mask of four bits",
            };
            return Err(self.refuse(offset, expected, format!("the child mask {bits:#04x}")));
        }
        if bits != 0 {
            let Some(open) = self.open.get_mut(self.depth) else {
                let expected = format!("at most {} nodes in each other", Self::DEEPEST);
                return Err(Error::new(Rule::DEPTH_LIMIT, offset, expected, "one more"));
            };
            *open = Open { cell: self.cell, left: bits, leaves: children == Children::Leaves };
            self.depth += 1;
        }
        Ok(())
    }

    /// Passes a leaf with `group_count` groups.
    #[inline]
    pub(super) fn leaf(&mut self, group_count: i32, offset: u64) -> Result<u32, Error> {
        self.step();
        let count = self.count(group_count, offset)?;
        self.groups = (count, 0);
        Ok(count)
    }

    /// The next one is a group.
    #[inline]
    pub(super) const fn group(&mut self) {
        self.groups = (self.groups.0.saturating_sub(1), self.groups.1.saturating_add(1));
    }

    /// Returns the cell of the node or leaf that was passed last.
    pub(super) const fn cell(&self) -> Cell {
        self.cell
    }

    /// The way from the root to what came next: `nw.se.sw.groups[3]`.
    #[cold]
    pub(super) fn path(&self, next: Next) -> Path {
        let cell = match next {
            Next::Node(cell) | Next::Leaf(cell) => cell,
            Next::Group => self.cell,
            Next::End => Cell::default(),
        };
        let mut steps: Vec<_> = cell.names().map(PathSegment::Field).collect();
        if next == Next::Group {
            steps.extend([PathSegment::Field("groups"), PathSegment::Index(self.groups.1.into())]);
        }
        Path::from(steps)
    }

    /// Takes the step that [`Descent::next`] announced.
    #[inline]
    fn step(&mut self) {
        self.started = true;
        if let Some(open) = self.depth.checked_sub(1).and_then(|above| self.open.get_mut(above)) {
            self.cell = open.cell.child(open.left.trailing_zeros());
            open.left &= open.left.wrapping_sub(1);
        }
    }

    /// A count of groups or objects.
    #[inline]
    pub(super) fn count(&self, count: i32, offset: u64) -> Result<u32, Error> {
        u32::try_from(count).map_err(|_| {
            let expected = "a count of 0 to 2147483647";
            Error::new(rule::COUNT, offset, expected, count.to_string())
        })
    }

    #[cold]
    fn refuse(&self, offset: u64, expected: &str, found: String) -> Error {
        Error::new(rule::NODE, offset, expected, found)
    }
}
