//! Changing a tree object by object.

use super::build::{main_template, outside};
use super::descent::Cell;
use super::grid::Grid;
use super::record::{ChildMask, Children, Colour, Group, Leaf, Node, Object};
use super::whole::{At, Part, PartItem, Tree};
use crate::tree::rule;
use formwork::{Error, Result};

impl Tree {
    /// Adds an object, as the last of its template in its leaf; nodes and leaf are made where there
    /// are none.
    ///
    /// Everything else stays as it is. Where the leaf had no group, the template becomes its main
    /// template, and its colour what `colour` says: the fill colour of the template in its library.
    ///
    /// This goes through the whole tree: for many objects, [`Tree::rebuild`] is faster.
    ///
    /// # Errors
    ///
    /// Returns an error if the object is outside the root box, if the tree's parts do not agree, or if [`Grid::of`]
    /// does not know its grid. The tree is unchanged then.
    pub fn insert(
        &mut self,
        template: u32,
        object: Object,
        colour: impl FnOnce(u32) -> Colour,
    ) -> Result<()> {
        let grid = Grid::of(self)?;
        let cell = grid.leaf_at(object.x, object.y).ok_or_else(|| outside(&grid, &object))?;
        let way = Way::to(cell, self)?;
        if !way.there {
            self.make_leaf(&grid, cell, &way)?;
        }
        let Some(leaf) = self.leaves.get_mut(way.at.leaves) else {
            return Ok(());
        };
        if leaf.group_count == 0 {
            (leaf.template, leaf.colour) = (template, colour(template));
        }
        let end = way.at.groups + leaf.group_count as usize;
        let mut behind = way.at.objects;
        for group in self.groups.get_mut(way.at.groups..end).unwrap_or_default() {
            behind += group.object_count as usize;
            if group.template == template {
                group.object_count += 1;
                self.objects.insert(behind, object);
                return Ok(());
            }
        }
        leaf.group_count += 1;
        self.groups.insert(end, Group { object_count: 1, template, ..Group::default() });
        self.objects.insert(behind, object);
        Ok(())
    }

    /// Makes a leaf without groups, and the nodes on the way to it.
    fn make_leaf(&mut self, grid: &Grid, cell: Cell, way: &Way) -> Result<()> {
        let children_on = |level| match level {
            level if level + 1 == cell.level => Children::Leaves,
            _ => Children::Nodes,
        };
        let Some(above) = self.nodes.get_mut(way.above) else {
            return Ok(());
        };
        let (children, mask) = (children_on(way.cell.level), u8::from(above.children));
        if mask != 0 && above.kind != children.kind() {
            let expected = format!("leaves on level {} only", cell.level);
            return Err(Error::new(rule::GRID, 0, expected, "some on another"));
        }
        above.kind = children.kind();
        above.children = ChildMask::from(mask | 1 << cell.bit(way.cell.level + 1));
        let new = (way.cell.level + 1..cell.level).map(|level| Node {
            kind: children_on(level).kind(),
            bounds: grid.cell(cell.up_to(level)),
            level: level as i32,
            children: ChildMask::from(1 << cell.bit(level + 1)),
            ..Node::default()
        });
        self.nodes.splice(way.at.nodes..way.at.nodes, new);
        let leaf = Leaf { bounds: grid.cell(cell), ..Leaf::default() };
        self.leaves.insert(way.at.leaves, leaf);
        Ok(())
    }

    /// Removes the (first) object with this id, and its group if that is empty then; nodes and leaf
    /// stay, as they do in real files. The object and the hash of its template, if there is one.
    ///
    /// If the last group of the leaf's main template is removed, the template with most objects takes its place, with
    /// the colour that `colour` returns; if no group is left, both become 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree's parts do not agree. The tree is unchanged then.
    pub fn remove(
        &mut self,
        id: u32,
        colour: impl FnOnce(u32) -> Colour,
    ) -> Result<Option<(u32, Object)>> {
        let mut above = At::default();
        let mut found = None;
        for part in self.parts() {
            let Part { at, item, .. } = part?;
            match item {
                PartItem::Node(_) => {}
                PartItem::Leaf(_) => above = at,
                PartItem::Group(_, objects) => {
                    if let Some(position) = objects.iter().position(|object| object.id == id) {
                        found = Some((at.groups, at.objects + position));
                        break;
                    }
                }
            }
        }
        let Some((group_position, position)) = found else {
            return Ok(None);
        };
        let leaf = self.leaves.get_mut(above.leaves);
        let Some((leaf, group)) = leaf.zip(self.groups.get_mut(group_position)) else {
            return Ok(None);
        };
        let (template, object) = (group.template, self.objects.remove(position));
        group.object_count -= 1;
        if group.object_count == 0 {
            self.groups.remove(group_position);
            leaf.group_count -= 1;
            let end = above.groups + leaf.group_count as usize;
            let left = self.groups.get(above.groups..end).unwrap_or_default();
            if left.is_empty() {
                (leaf.template, leaf.colour) = (0, Colour::from(0));
            } else if left.iter().all(|group| group.template != leaf.template) {
                leaf.template = main_template(left);
                leaf.colour = colour(leaf.template);
            }
        }
        Ok(Some((template, object)))
    }
}

/// The way to a leaf, as far as it is there.
struct Way {
    /// The position of the last node on it, ...
    above: usize,
    /// ... and where that is.
    cell: Cell,
    /// Numbers of the parts before the leaf, or before its place.
    at: At,
    /// Whether the leaf is there.
    there: bool,
}

impl Way {
    fn to(leaf: Cell, tree: &Tree) -> Result<Self> {
        let (mut above, mut cell) = (0, Cell::default());
        let mut parts = tree.parts();
        while let Some(part) = parts.next().transpose()? {
            let Part { cell: here, at, item, .. } = part;
            if here.order(leaf).is_gt() {
                return Ok(Self { above, cell, at, there: false });
            }
            if here.order(leaf).is_lt() {
                continue;
            }
            match item {
                PartItem::Leaf(_) if here == leaf => {
                    return Ok(Self { above, cell, at, there: true });
                }
                PartItem::Node(_) if here.level < leaf.level => (above, cell) = (at.nodes, here),
                _ => {
                    let expected = format!("leaves on level {} only", leaf.level);
                    return Err(Error::new(rule::GRID, 0, expected, "some on another"));
                }
            }
        }
        Ok(Self { above, cell, at: parts.at, there: false })
    }
}
