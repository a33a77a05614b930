//! The quadtree of an object layer, where it is damaged.
//!
//! A quadtree has no lengths inside, but every node and leaf has its box, and the set of boxes is finite: each is a
//! cell of the grid. Four numbers that are exactly such a box identify a node or leaf and its place in the tree. Groups
//! between them are taken if their objects are plausible: in or near the leaf, with turns of 0 to 360 degrees and an id
//! that the layer has given. The tree is then rebuilt around the leaves that were found.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::tree::{
    BoundingBox, Cell, ChildMask, Children, Colour, Grid, Group, Layout, Leaf, Node, Object,
    Objects, Tree, TreeWalk, Version,
};
use formwork_records::schema::{Sizes, offset};
use formwork_records::wire::{Cursor, word, word_at};

/// Result of the repair of a damaged quadtree.
pub(super) struct Mended {
    /// The whole tree, laid out anew.
    pub(super) bytes: Vec<u8>,
    /// The objects in it.
    pub(super) objects: Vec<Object>,
    /// Ranges of the damaged tree that were not read.
    pub(super) lost: Vec<Range<usize>>,
}

/// Facts of the layer about its objects.
#[derive(Default)]
pub(super) struct Expected {
    /// Hashes of the templates.
    pub(super) templates: HashSet<u32>,
    /// The id that the next object would have.
    pub(super) next_id: Option<u32>,
}

/// Whether a tree can be read as it is.
pub(super) fn is_whole(bytes: &[u8], version: Version) -> bool {
    TreeWalk::new(bytes, version).all(|stop| stop.is_ok())
}

/// Mends a tree. [`None`] where no box of a tree was found.
pub(super) fn mend(bytes: &[u8], version: Version, expected: Expected) -> Option<Mended> {
    let grid = grid(bytes, version)?;
    let mut mending = Mending {
        boxes: Boxes::new(bytes, grid),
        expected,
        colours: Vec::new(),
        leaves: Vec::new(),
        by_cell: HashMap::new(),
        lost: Vec::new(),
        trials: bytes.len() / Objects::EACH * 4 + 1024,
    };
    mending.read();
    let tree = mending.layout();
    Some(Mended { bytes: tree.to_vec().ok()?, objects: tree.objects, lost: mending.lost })
}

/// The grid that the boxes of a tree are of: one that Terrain Builder has, or that of its root, whose box may be
/// damaged.
fn grid(bytes: &[u8], version: Version) -> Option<Grid> {
    /// How far boxes are searched for.
    const FAR: usize = 1 << 20;
    /// This number of boxes is enough to identify the grid.
    const ENOUGH: usize = 8;
    let own = Version::read_node(version, &mut Cursor::new(bytes)).ok();
    let own = own.filter(|root| root.level == 0).map(|root| root.bounds);
    let mut best = None;
    for root in Grid::ROOTS.into_iter().chain(own) {
        let grid = Grid::new(version, root);
        let boxes = Boxes::new(bytes, grid);
        let places = 1..bytes.len().min(FAR);
        let hits = places.filter(|&at| boxes.is_box(at)).take(ENOUGH).count();
        if hits == ENOUGH {
            return Some(grid);
        }
        if hits > 0 && best.is_none_or(|(most, _)| hits > most) {
            best = Some((hits, grid));
        }
    }
    best.map(|(_, grid)| grid)
}

/// Finds boxes of a grid in bytes.
#[derive(Clone, Copy)]
struct Boxes<'a> {
    bytes: &'a [u8],
    grid: Grid,
    /// The width of its leaves.
    leaf_width: f64,
}

impl<'a> Boxes<'a> {
    fn new(bytes: &'a [u8], grid: Grid) -> Self {
        Self { bytes, grid, leaf_width: width(&grid, grid.leaves()) }
    }

    /// Returns the cell of a level whose box, of this width, is at a place.
    #[inline]
    fn cell(&self, at: usize, level: u32, width: f64) -> Option<Cell> {
        // Nearly all places are ruled out by the width alone.
        let found = self.grid.version().width_at(self.bytes, at)?;
        if (found / width - 1.0).abs() < 0.05 { self.cell_of(at, level) } else { None }
    }

    /// Returns the cell of a level whose exact box is at a place.
    fn cell_of(&self, at: usize, level: u32) -> Option<Cell> {
        let bounds = self.grid.version().bounds_at(self.bytes, at)?;
        self.grid.find(&bounds).filter(|cell| cell.level == level)
    }

    /// Checks whether the box of a node or leaf is at a place.
    #[inline]
    fn is_box(&self, at: usize) -> bool {
        self.node(at).is_some() || self.leaf(at).is_some()
    }

    /// The node at a place: its cell and its colour.
    #[inline]
    fn node(&self, at: usize) -> Option<(Cell, Colour)> {
        // Nearly all places are ruled out by their first byte.
        let kind = word!(self.bytes.get(at..)?, Node, kind: i8)?;
        Children::of_kind(kind)?;
        self.node_of_kind(at)
    }

    /// Returns the node at a place, if the kind there is that of a node.
    fn node_of_kind(&self, at: usize) -> Option<(Cell, Colour)> {
        let size = self.grid.version().node_size();
        let record = self.bytes.get(at..at.checked_add(size)?)?;
        let (level, colour, children) = match self.grid.version() {
            Version::V3 => (
                word!(record, Node<f32>, level: i32)?,
                word!(record, Node<f32>, colour: Colour)?,
                word!(record, Node<f32>, children: ChildMask)?,
            ),
            Version::V4 => (
                word!(record, Node<f64>, level: i32)?,
                word!(record, Node<f64>, colour: Colour)?,
                word!(record, Node<f64>, children: ChildMask)?,
            ),
        };
        let level = u32::try_from(level).ok()?;
        if children.unused() != 0 || level >= self.grid.leaves() {
            return None;
        }
        let cell = self.cell(at + NODE_BOX, level, width(&self.grid, level))?;
        Some((cell, colour))
    }

    /// The leaf at a place.
    #[inline]
    fn leaf(&self, at: usize) -> Option<(Cell, Leaf<f64>)> {
        let cell = self.cell(at, self.grid.leaves(), self.leaf_width)?;
        let record = self.bytes.get(at..)?;
        let leaf = self.grid.version().read_leaf(&mut Cursor::new(record)).ok()?;
        Some((cell, leaf))
    }
}

/// How wide the boxes of a level are, down to the leaves.
fn width(grid: &Grid, level: u32) -> f64 {
    let root = grid.root();
    (root.x1 - root.x0) / 1_u64.checked_shl(level).unwrap_or_default() as f64
}

/// Offset of the box in a node.
const NODE_BOX: usize = offset::<Node, BoundingBox>("bounds");

/// Bytes of a group's count and template.
const GROUP_HEAD: usize = Group::LEAST;

/// A leaf that was found.
struct Found {
    cell: Cell,
    template: u32,
    colour: Colour,
    groups: Vec<(u32, Vec<Object>)>,
}

struct Mending<'a> {
    boxes: Boxes<'a>,
    expected: Expected,
    /// Those of the nodes that were found.
    colours: Vec<(Cell, Colour)>,
    leaves: Vec<Found>,
    /// The position of a cell's leaf.
    by_cell: HashMap<Cell, usize>,
    lost: Vec<Range<usize>>,
    /// Objects that may still be looked at without being taken.
    trials: usize,
}

impl Mending<'_> {
    fn read(&mut self) {
        let mut at = 0;
        while at < self.boxes.bytes.len() {
            if let Some(node) = self.boxes.node(at) {
                self.colours.push(node);
                at += self.boxes.grid.version().node_size();
            } else if let Some((cell, leaf)) = self.boxes.leaf(at) {
                at = self.leaf(at + self.boxes.grid.version().leaf_size(), cell, leaf);
            } else {
                at = self.search(at);
            }
        }
    }

    /// Checks whether a node, a leaf or the end is at a place.
    fn is_mark(&self, at: usize) -> bool {
        at == self.boxes.bytes.len() || self.boxes.is_box(at)
    }

    /// The position of a cell's leaf, which is made where there is none yet.
    fn leaf_of(&mut self, cell: Cell) -> usize {
        let leaves = &mut self.leaves;
        *self.by_cell.entry(cell).or_insert_with(|| {
            let colour = Colour::from(0);
            leaves.push(Found { cell, template: 0, colour, groups: Vec::new() });
            leaves.len() - 1
        })
    }

    /// Reads the groups of a leaf; where to go on.
    fn leaf(&mut self, at: usize, cell: Cell, leaf: Leaf<f64>) -> usize {
        let position = self.leaf_of(cell);
        if let Some(found) = self.leaves.get_mut(position) {
            (found.template, found.colour) = (leaf.template, leaf.colour);
        }
        let bounds = self.boxes.grid.cell(cell);
        let mut at = at;
        for _ in 0..leaf.group_count.max(0) {
            if self.is_mark(at) {
                break;
            }
            let Some((count, template)) = self.group_head(at) else { return at };
            let from = at + GROUP_HEAD;
            let near = |object: &Object| self.is_likely(object, &bounds);
            let whole = from + count as usize * Objects::EACH;
            // Where the next thing is in order, the group is, whatever its objects say.
            let fits = self.is_mark(whole) || self.starts_group(whole, &bounds);
            if !fits && !self.object(from).is_some_and(|first| near(&first)) {
                return at;
            }
            let (mut kept, mut damaged) = (Vec::new(), Vec::new());
            let mut end = from;
            // One by one: a count that lies must not make them be looked at again and again.
            for object in
                (0..count).map_while(|index| self.object(from + index as usize * Objects::EACH))
            {
                if !fits && !near(&object) {
                    // A damaged object, if others follow; otherwise the count is wrong.
                    let next = end + Objects::EACH;
                    let goes_on = self.object(next).is_some_and(|object| near(&object));
                    if !goes_on || self.starts_group(end, &bounds) || self.is_mark(end) {
                        break;
                    }
                    damaged.push(end..next);
                } else {
                    kept.push(object);
                }
                end += Objects::EACH;
            }
            at = end;
            damaged.into_iter().for_each(|range| self.lose(range));
            self.expected.templates.insert(template);
            self.put(position, template, kept);
            if end != whole {
                // The rest is searched, with this leaf as what it probably belongs to.
                if !self.starts_group(end, &bounds) {
                    return at;
                }
            }
        }
        at
    }

    fn put(&mut self, leaf: usize, template: u32, objects: Vec<Object>) {
        if let Some(found) = self.leaves.get_mut(leaf) {
            found.groups.push((template, objects));
        }
    }

    /// Reads the count and template at a place, if that number of objects can follow.
    fn group_head(&self, at: usize) -> Option<(u32, u32)> {
        let head = self.boxes.bytes.get(at..)?;
        let count = word!(head, Group, object_count: i32)? as u32;
        let template = word!(head, Group, template: u32)?;
        let rest = head.get(GROUP_HEAD..)?;
        (u64::from(count) * Objects::EACH as u64 <= rest.len() as u64).then_some((count, template))
    }

    fn object(&self, at: usize) -> Option<Object> {
        word_at(self.boxes.bytes, at)
    }

    fn objects(&self, at: usize, count: u32) -> Vec<Object> {
        (0..count as usize).map_while(|index| self.object(at + index * Objects::EACH)).collect()
    }

    /// Whether this is surely an object of a leaf with this box: Terrain Builder keeps some up to a
    /// hundred metres outside of it.
    fn is_likely(&self, object: &Object, bounds: &BoundingBox<f64>) -> bool {
        const AROUND: f64 = 100.0;
        let Object { x, y, yaw, pitch, roll, scale, z, id } = *object;
        let is_near = (bounds.x0 - AROUND..=bounds.x1 + AROUND).contains(&x)
            && (bounds.y0 - AROUND..=bounds.y1 + AROUND).contains(&y);
        is_near
            && [yaw, pitch, roll].iter().all(|turn| (0.0..=360.0).contains(turn))
            && (0.000_1..=1_000.0).contains(&scale)
            && z.abs() < 100_000.0
            && self.expected.next_id.is_none_or(|next| id < next)
    }

    /// Whether a group of a leaf with this box surely starts at a place.
    fn starts_group(&self, at: usize, bounds: &BoundingBox<f64>) -> bool {
        let Some((count, template)) = self.group_head(at) else { return false };
        let first = self.object(at + GROUP_HEAD);
        if count == 0 {
            return self.expected.templates.contains(&template);
        }
        first.is_some_and(|first| self.is_likely(&first, bounds))
    }

    /// Searches from a place on for a node, a leaf or a group; where to go on.
    fn search(&mut self, from: usize) -> usize {
        let mut at = from;
        while !self.is_mark(at) {
            if let Some((cell, template, objects)) = self.stray_group(at) {
                self.lose(from..at);
                let end = at + GROUP_HEAD + objects.len() * Objects::EACH;
                let position = self.leaf_of(cell);
                self.put(position, template, objects);
                return end;
            }
            at += 1;
        }
        self.lose(from..at);
        at
    }

    /// A group, with its leaf by where its objects are: of a known template, with objects all of which
    /// can be in one leaf.
    fn stray_group(&mut self, at: usize) -> Option<(Cell, u32, Vec<Object>)> {
        let (count, template) = self.group_head(at).filter(|(count, _)| *count > 0)?;
        if !self.expected.templates.contains(&template) {
            return None;
        }
        self.trials = self.trials.checked_sub(count as usize)?;
        let objects = self.objects(at + GROUP_HEAD, count);
        let mut votes =
            objects.iter().filter_map(|object| self.boxes.grid.leaf_at(object.x, object.y));
        let cell = votes.next()?;
        let bounds = self.boxes.grid.cell(cell);
        objects
            .iter()
            .all(|object| self.is_likely(object, &bounds))
            .then_some((cell, template, objects))
    }

    fn lose(&mut self, range: Range<usize>) {
        match self.lost.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.lost.push(range),
        }
    }

    /// The tree with the leaves that were found.
    fn layout(&mut self) -> Tree {
        self.leaves.sort_by(|one, other| one.cell.order(other.cell));
        let order = |one: Cell, other: Cell| one.order(other).then(one.level.cmp(&other.level));
        self.colours.sort_by(|(one, _), (other, _)| order(*one, *other));
        let mut colours = self.colours.iter().peekable();
        let layout = Layout {
            grid: &self.boxes.grid,
            cell_of: |leaf: &Found| leaf.cell,
            // Cells are asked for in their order, too. Of a node that was found twice, the last counts.
            colour: |cell| {
                let mut colour = Colour::from(0);
                while let Some((at, found)) = colours.next_if(|(at, _)| order(*at, cell).is_le()) {
                    colour = if *at == cell { *found } else { colour };
                }
                colour
            },
            leaf: |tree: &mut Tree, _, bounds, leaves: &[Found]| {
                if let Some(leaf) = leaves.first() {
                    add_leaf(tree, leaf, bounds);
                }
            },
        };
        layout.around(&self.leaves, Tree::default())
    }
}

fn add_leaf(tree: &mut Tree, leaf: &Found, bounds: BoundingBox<f64>) {
    let Found { template, colour, groups, .. } = leaf;
    let group_count = groups.len() as i32;
    tree.leaves.push(Leaf {
        bounds,
        colour: *colour,
        template: *template,
        group_count,
        ..Leaf::default()
    });
    for (template, objects) in groups {
        tree.groups.push(Group {
            object_count: objects.len() as i32,
            template: *template,
            ..Group::default()
        });
        tree.objects.extend_from_slice(objects);
    }
}
