//! New trees from objects, as Terrain Builder lays them out.

use std::collections::HashMap;
use std::sync::OnceLock;

use bytes::Bytes;

use super::descent::Cell;
use super::grid::Grid;
use super::layout::Layout;
use super::record::{BoundingBox, Colour, Group, Leaf, Object};
use super::version::Version;
use super::whole::{Part, PartItem, Tree};
use crate::tree::rule;
use formwork::{Error, Path, PathSegment, Result};

/// Returns the bytes of a tree without objects, in the root box that nearly all files have. They are megabytes that are
/// always the same: made once, and shared.
pub(crate) fn empty_bytes(version: Version) -> Result<Bytes> {
    static OF_VERSION_3: OnceLock<Bytes> = OnceLock::new();
    static OF_VERSION_4: OnceLock<Bytes> = OnceLock::new();
    let made = match version {
        Version::V3 => &OF_VERSION_3,
        Version::V4 => &OF_VERSION_4,
    };
    if let Some(bytes) = made.get() {
        return Ok(bytes.clone());
    }
    let bytes = Tree::empty(&Grid::new(version, Grid::ROOTS[0])).to_vec()?;
    Ok(made.get_or_init(|| bytes.into()).clone())
}

impl Tree {
    /// The tree of a layer without objects.
    #[must_use]
    pub fn empty(grid: &Grid) -> Self {
        build(grid, &Kept::default(), |_| Colour::from(0), &[])
    }

    /// The tree of a layer with these objects, each with the hash of its template.
    ///
    /// An object goes into the leaf whose box it is in. Groups of a leaf and objects of a group stay in
    /// the order in which they come. A leaf's main template is the one with most objects (of those
    /// with as many, the first), and its colour is what `colour` says of it: the fill colour of the
    /// template in its library. Nodes have the colour 0.
    ///
    /// # Errors
    ///
    /// Returns an error if an object is outside the root box; the path gives its position.
    ///
    /// ```
    /// use formwork_alb1::tree::{Colour, Grid, Object, Tree, Version};
    ///
    /// let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    /// let stone = Object { x: 200_010.0, y: 20.0, scale: 1.0, ..Object::default() };
    /// let tree = Tree::build(&grid, [(0x1234, stone)], |_| Colour::from(0xFF80_8080))?;
    /// assert_eq!((tree.leaves.len(), tree.leaves[0].template), (1, 0x1234));
    /// assert!(tree.leaves[0].bounds.contains(stone.x, stone.y));
    /// assert_eq!(Tree::read(&tree.to_vec()?, Version::V4)?, tree);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    pub fn build(
        grid: &Grid,
        objects: impl IntoIterator<Item = (u32, Object)>,
        colour: impl FnMut(u32) -> Colour,
    ) -> Result<Self> {
        let kept = Kept::default();
        let placed = place(grid, &kept, objects)?;
        Ok(build(grid, &kept, colour, &placed))
    }

    /// Builds the tree again with other objects: as [`Tree::build`], but it keeps the version and the boxes,
    /// the colours of nodes, and the main template and colour of a leaf that still has that
    /// template.
    ///
    /// Terrain Builder places some objects by another point than the one they are stored with, up to
    /// a hundred metres outside the box of their leaf. Such an object stays in its leaf as long as
    /// its id and position stay.
    ///
    /// # Errors
    ///
    /// As [`Tree::build`]; and where this tree's own parts do not agree or it is none that
    /// [`Grid::of`] knows.
    pub fn rebuild(
        &self,
        objects: impl IntoIterator<Item = (u32, Object)>,
        colour: impl FnMut(u32) -> Colour,
    ) -> Result<Self> {
        Rebuild::of(self)?.with(objects, colour)
    }
}

/// A tree that is built again several times: what [`Tree::rebuild`] keeps of it is looked up once.
#[derive(Debug)]
pub struct Rebuild {
    grid: Grid,
    kept: Kept,
}

impl Rebuild {
    /// Looks up what is kept of a tree.
    ///
    /// # Errors
    ///
    /// Returns an error where the tree's own parts do not agree or it is none that [`Grid::of`] knows.
    pub fn of(tree: &Tree) -> Result<Self> {
        let grid = Grid::of(tree)?;
        let kept = Kept::of(tree, &grid)?;
        Ok(Self { grid, kept })
    }

    /// Builds the tree with other objects, as [`Tree::rebuild`] does.
    ///
    /// # Errors
    ///
    /// As [`Tree::build`].
    pub fn with(
        &self,
        objects: impl IntoIterator<Item = (u32, Object)>,
        colour: impl FnMut(u32) -> Colour,
    ) -> Result<Tree> {
        let placed = place(&self.grid, &self.kept, objects)?;
        Ok(build(&self.grid, &self.kept, colour, &placed))
    }
}

/// Content of a tree that a rebuild keeps.
#[derive(Debug, Default)]
struct Kept {
    /// Colours of nodes, where they are not 0.
    nodes: HashMap<Cell, Colour>,
    /// Main templates and colours of leaves.
    leaves: HashMap<Cell, (u32, Colour)>,
    /// Objects that are outside the box of their leaf.
    astray: HashMap<(u32, [u64; 2]), Cell>,
}

impl Kept {
    fn of(tree: &Tree, grid: &Grid) -> Result<Self> {
        let mut kept = Self::default();
        let mut bounds = BoundingBox::default();
        for part in tree.parts() {
            let Part { cell, item, .. } = part?;
            match item {
                PartItem::Node(node) if u32::from(node.colour) != 0 => {
                    kept.nodes.insert(cell, node.colour);
                }
                PartItem::Node(_) => {}
                PartItem::Leaf(leaf) => {
                    bounds = leaf.bounds;
                    kept.leaves.insert(cell, (leaf.template, leaf.colour));
                }
                PartItem::Group(_, objects) if cell.level == grid.leaves() => {
                    let astray = objects.iter().filter(|it| !bounds.contains(it.x, it.y));
                    kept.astray.extend(astray.map(|object| (identity(object), cell)));
                }
                PartItem::Group(..) => {}
            }
        }
        Ok(kept)
    }
}

/// By what an object is known again: its id and where it is.
fn identity(object: &Object) -> (u32, [u64; 2]) {
    (object.id, [object.x, object.y].map(f64::to_bits))
}

/// An object in its leaf.
struct Placement {
    cell: Cell,
    template: u32,
    object: Object,
}

/// Every object in its leaf, in the order of the leaves.
fn place(
    grid: &Grid,
    kept: &Kept,
    objects: impl IntoIterator<Item = (u32, Object)>,
) -> Result<Vec<Placement>> {
    let leaf_of = |object: &Object| {
        let astray = if kept.astray.is_empty() { None } else { kept.astray.get(&identity(object)) };
        astray.copied().or_else(|| grid.leaf_at(object.x, object.y))
    };
    let mut placed = Vec::new();
    for (position, (template, object)) in objects.into_iter().enumerate() {
        let Some(cell) = leaf_of(&object) else {
            let path = Path::from(vec![
                PathSegment::Field("objects"),
                PathSegment::Index(position as u64),
            ]);
            return Err(outside(grid, &object).under(path));
        };
        placed.push(Placement { cell, template, object });
    }
    // Stable: within a leaf they stay in their order.
    placed.sort_by(|one, other| one.cell.order(other.cell));
    Ok(placed)
}

/// An object has no place in the tree.
#[cold]
pub(super) fn outside(grid: &Grid, object: &Object) -> Error {
    let BoundingBox { x0, y0, x1, y1 } = grid.root();
    let Object { x, y, id, .. } = object;
    let expected = format!("x from {x0} to {x1} and y from {y0} to {y1}");
    Error::new(rule::PLACE, 0, expected, format!("object {id} at x {x}, y {y}"))
}

/// The tree of what was placed.
fn build(
    grid: &Grid,
    kept: &Kept,
    colour: impl FnMut(u32) -> Colour,
    placed: &[Placement],
) -> Tree {
    let mut leaves = Leaves { kept, colour, numbers: HashMap::new() };
    let layout = Layout {
        grid,
        cell_of: |it: &Placement| it.cell,
        colour: |cell| kept.nodes.get(&cell).copied().unwrap_or(Colour::from(0)),
        leaf: |tree: &mut Tree, cell, bounds, placed: &[Placement]| {
            leaves.add(tree, cell, bounds, placed);
        },
    };
    let mut tree = Tree::default();
    tree.objects.reserve_exact(placed.len());
    layout.around(placed, tree)
}

struct Leaves<'k, F> {
    kept: &'k Kept,
    colour: F,
    /// The number of a template among the groups of the leaf at work.
    numbers: HashMap<u32, usize>,
}

impl<F: FnMut(u32) -> Colour> Leaves<'_, F> {
    fn add(&mut self, tree: &mut Tree, cell: Cell, bounds: BoundingBox<f64>, placed: &[Placement]) {
        self.numbers.clear();
        let mut groups: Vec<Vec<Object>> = Vec::new();
        let mut templates = Vec::new();
        for it in placed {
            let number = *self.numbers.entry(it.template).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Vec::new());
                templates.push(it.template);
            }
            if let Some(group) = groups.get_mut(number) {
                group.push(it.object);
            }
        }
        let first = tree.groups.len();
        for (template, objects) in templates.into_iter().zip(&groups) {
            tree.groups.push(Group {
                object_count: objects.len() as i32,
                template,
                ..Group::default()
            });
            tree.objects.extend_from_slice(objects);
        }
        let groups = tree.groups.get(first..).unwrap_or_default();
        let kept = self.kept.leaves.get(&cell);
        let kept = kept.filter(|(main, _)| groups.iter().any(|group| group.template == *main));
        let (template, colour) = kept.copied().unwrap_or_else(|| {
            let main = main_template(groups);
            (main, (self.colour)(main))
        });
        let group_count = groups.len() as i32;
        tree.leaves.push(Leaf { bounds, colour, template, group_count, ..Leaf::default() });
    }
}

/// The template with most objects, of those with as many the first; 0 where there is no group.
pub(super) fn main_template(groups: &[Group]) -> u32 {
    // `max_by_key` takes the last one.
    let most = groups.iter().rev().max_by_key(|group| group.object_count);
    most.map_or(0, |group| group.template)
}
