//! A whole tree, to be changed and written.

use std::io::Write;

use super::descent::{Cell, Descent, Next};
use super::objects::Objects;
use super::record::{Group, Leaf, Node, Object};
use super::version::{Version, put};
use super::walk::{TreeItem, TreeWalk};
use crate::tree::rule;
use formwork::{Error, Result};
use formwork_records::schema::Sizes;
use formwork_records::wire::{Element, error_from};

/// A whole tree, flat: every list is in the order of the bytes.
///
/// The children of each node follow from the masks and counts, exactly as in the bytes; writing refuses a tree whose
/// lists are longer or shorter than these require.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The width of the boxes' numbers on the wire.
    pub version: Version,
    /// The nodes, the root first.
    pub nodes: Vec<Node<f64>>,
    /// The leaves.
    pub leaves: Vec<Leaf<f64>>,
    /// The groups of all leaves.
    pub groups: Vec<Group>,
    /// The objects of all groups.
    pub objects: Vec<Object>,
}

impl Tree {
    /// Reads the content of the array `tree` of a layer.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not one whole tree; offsets count from the start of `bytes`.
    pub fn read(bytes: &[u8], version: Version) -> Result<Self> {
        let mut tree = Self { version, ..Self::default() };
        for stop in TreeWalk::new(bytes, version) {
            match stop?.item {
                TreeItem::Node(node) => tree.nodes.push(node),
                TreeItem::Leaf(leaf) => tree.leaves.push(leaf),
                TreeItem::Group { template, objects } => {
                    // What was counted on the wire goes back into the same word.
                    let object_count = objects.len() as i32;
                    tree.groups.push(Group { object_count, template, ..Group::default() });
                    objects.append_to(&mut tree.objects);
                }
            }
        }
        Ok(tree)
    }

    /// Bytes of the tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the lists do not agree with the masks and counts, if a box of version 3 holds a number that
    /// does not fit 32 bits, or if nodes are more than 64 deep.
    pub fn size(&self) -> Result<u64> {
        let mut parts = self.parts();
        for part in parts.by_ref() {
            part?;
        }
        Ok(parts.offset)
    }

    /// The content of the array.
    ///
    /// # Errors
    ///
    /// As [`Tree::size`].
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        // As many as it has where its parts agree.
        let mut bytes = Vec::with_capacity(
            self.nodes.len() * self.version.node_size()
                + self.leaves.len() * self.version.leaf_size()
                + self.groups.len() * Group::HEAD_SIZE
                + self.objects.len() * Objects::EACH,
        );
        self.write(&mut bytes, |_| Ok(()))?;
        Ok(bytes)
    }

    /// Writes the content of the array, in one go from start to end.
    ///
    /// # Errors
    ///
    /// As [`Tree::size`], before anything is written; and where `writer` fails.
    pub fn write_to(&self, mut writer: impl Write) -> Result<()> {
        /// Bytes that are written at a time.
        const AT_A_TIME: usize = 1 << 16;
        self.size()?;
        let mut written = 0;
        let mut hand_on = |bytes: &mut Vec<u8>| {
            writer.write_all(bytes).map_err(|error| Error::io(written, error))?;
            written += bytes.len() as u64;
            bytes.clear();
            Ok(())
        };
        let mut bytes = Vec::with_capacity(AT_A_TIME);
        self.write(
            &mut bytes,
            |bytes| {
                if bytes.len() < AT_A_TIME { Ok(()) } else { hand_on(bytes) }
            },
        )?;
        hand_on(&mut bytes)
    }

    /// Writes a tree whose parts agree, and calls `after` after each part.
    fn write(
        &self,
        bytes: &mut Vec<u8>,
        mut after: impl FnMut(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        for part in self.parts() {
            let Part { offset, item, .. } = part?;
            match item {
                PartItem::Node(node) => self.version.write_node(node, bytes),
                PartItem::Leaf(leaf) => self.version.write_leaf(leaf, bytes),
                PartItem::Group(group, objects) => put(group, bytes).and_then(|()| {
                    Object::to_block(objects, |block| {
                        bytes.extend_from_slice(block);
                        Ok(())
                    })
                }),
            }
            .map_err(|error| error_from(&error, offset))?;
            after(bytes)?;
        }
        Ok(())
    }

    /// The objects with the hashes of their templates.
    ///
    /// If the lists do not agree with the masks and counts, the objects end early.
    pub fn placed(&self) -> impl Iterator<Item = (u32, &Object)> {
        self.parts().map_while(Result::ok).flat_map(|part| {
            let (template, objects) = match part.item {
                PartItem::Group(group, objects) => (group.template, objects),
                _ => (0, &[][..]),
            };
            objects.iter().map(move |object| (template, object))
        })
    }

    /// The parts in the order of the bytes.
    pub(super) fn parts(&self) -> Parts<'_> {
        Parts { tree: self, descent: Descent::new(), at: At::default(), offset: 0, ended: false }
    }
}

/// Number of elements of each list before a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct At {
    pub(super) nodes: usize,
    pub(super) leaves: usize,
    pub(super) groups: usize,
    pub(super) objects: usize,
}

/// A part of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'t> {
    /// Its place; of a group that of its leaf.
    pub(super) cell: Cell,
    /// Numbers of the parts before it.
    pub(super) at: At,
    /// Bytes before it.
    pub(super) offset: u64,
    pub(super) item: PartItem<'t>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum PartItem<'t> {
    Node(&'t Node<f64>),
    Leaf(&'t Leaf<f64>),
    Group(&'t Group, &'t [Object]),
}

/// Goes through the lists of a tree, and makes sure that they agree.
#[derive(Clone, Debug)]
pub(super) struct Parts<'t> {
    tree: &'t Tree,
    descent: Descent,
    pub(super) at: At,
    /// Bytes of what came so far.
    offset: u64,
    ended: bool,
}

impl<'t> Parts<'t> {
    fn step(&mut self, next: Next) -> Result<Option<Part<'t>>> {
        let (tree, at, offset) = (self.tree, self.at, self.offset);
        let missing = |what: &str| Error::new(rule::PARTS, offset, what, "no more");
        let (cell, item) = match next {
            Next::Node(cell) => {
                let node = tree.nodes.get(at.nodes).ok_or_else(|| missing("a node"))?;
                self.bounds(&node.bounds)?;
                self.descent.node(node.kind, node.children, offset)?;
                self.at.nodes += 1;
                self.offset += tree.version.node_size() as u64;
                (cell, PartItem::Node(node))
            }
            Next::Leaf(cell) => {
                let leaf = tree.leaves.get(at.leaves).ok_or_else(|| missing("a leaf"))?;
                self.bounds(&leaf.bounds)?;
                self.descent.leaf(leaf.group_count, offset)?;
                self.at.leaves += 1;
                self.offset += tree.version.leaf_size() as u64;
                (cell, PartItem::Leaf(leaf))
            }
            Next::Group => {
                let group = tree.groups.get(at.groups).ok_or_else(|| missing("a group"))?;
                let count = self.descent.count(group.object_count, offset)? as usize;
                let objects = at.objects.checked_add(count);
                let objects = objects.and_then(|end| tree.objects.get(at.objects..end));
                let objects = objects.ok_or_else(|| missing(&format!("{count} objects")))?;
                self.descent.group();
                self.at.groups += 1;
                self.at.objects += count;
                self.offset += (Group::HEAD_SIZE + Objects::EACH * count) as u64;
                (self.descent.cell(), PartItem::Group(group, objects))
            }
            Next::End => {
                let At { nodes, leaves, groups, objects } = at;
                let Tree { version: _, nodes: n, leaves: l, groups: g, objects: o } = tree;
                if (n.len(), l.len(), g.len(), o.len()) == (nodes, leaves, groups, objects) {
                    return Ok(None);
                }
                let expected = format!(
                    "{nodes} nodes, {leaves} leaves, {groups} groups and {objects} objects"
                );
                let found = format!("{}, {}, {} and {}", n.len(), l.len(), g.len(), o.len());
                return Err(Error::new(rule::PARTS, offset, expected, found));
            }
        };
        Ok(Some(Part { cell, at, offset, item }))
    }

    #[inline]
    fn bounds(&self, bounds: &super::BoundingBox<f64>) -> Result<()> {
        if self.tree.version.holds(bounds) {
            return Ok(());
        }
        let (offset, found) = (self.offset, format!("{bounds:?}"));
        Err(Error::new(rule::BOX, offset, "a box of 32-bit numbers", found))
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Result<Part<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.descent.next();
        let step = self.step(next);
        self.ended = !matches!(step, Ok(Some(_)));
        step.map_err(|error| error.under(self.descent.path(next))).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_take_at_most_twice_the_bytes() {
        // What a list has room for is at most twice that, and three times that while it grows.
        let version = Version::V3;
        assert!(size_of::<Node<f64>>() <= 2 * version.node_size());
        assert!(size_of::<Leaf<f64>>() <= 2 * version.leaf_size());
        assert_eq!(size_of::<Group>(), Group::HEAD_SIZE);
        assert_eq!(size_of::<Object>(), Objects::EACH);
    }
}
