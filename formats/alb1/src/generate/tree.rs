//! `Arbitrary` for the quadtree of ALB1: its records, and whole trees whose parts agree.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::tree::{BoundingBox, ChildMask, Children, Group, Leaf, Node, Object, Tree, Version};
use formwork_records::generate::number;
use formwork_records::generate::{Config, choice::chance};
use formwork_records::wire::Real;

/// A node's kind is one of the three, its child mask one that goes with it.
impl<'a, T: Real> Arbitrary<'a> for Node<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let children = *u.choose(&Children::ALL)?;
        let mask = if children == Children::None { 0 } else { u.int_in_range(0..=0x0F)? };
        Ok(Self {
            kind: children.kind(),
            bounds: u.arbitrary()?,
            level: u.arbitrary()?,
            colour: u.arbitrary()?,
            children: ChildMask::from(mask),
            ..Self::default()
        })
    }
}

impl<'a, T: Real> Arbitrary<'a> for BoundingBox<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let config = Config::default();
        let mut side = || number::number(u, &config);
        Ok(Self { x0: side()?, y0: side()?, x1: side()?, y1: side()? })
    }
}

impl<'a, T: Real> Arbitrary<'a> for Leaf<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            bounds: u.arbitrary()?,
            colour: u.arbitrary()?,
            template: u.arbitrary()?,
            group_count: u.int_in_range(0..=3)?,
            ..Self::default()
        })
    }
}

impl<'a> Arbitrary<'a> for Group {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            object_count: u.int_in_range(0..=3)?,
            template: u.arbitrary()?,
            ..Self::default()
        })
    }
}

impl<'a> Arbitrary<'a> for Object {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        number::element(u, &Config::default())
    }
}

impl<'a> Arbitrary<'a> for Version {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(if u.arbitrary()? { Self::V3 } else { Self::V4 })
    }
}

/// A tree that can be written; a few levels deep, with numbers of all kinds.
impl<'a> Arbitrary<'a> for Tree {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        /// Nodes below each other, ...
        const DEEPEST: u32 = 16;
        /// ... and nodes in all.
        const MOST: usize = 64;
        let mut tree = Self { version: u.arbitrary()?, ..Self::default() };
        let mut waiting = vec![Waiting::Node(0)];
        while let Some(next) = waiting.pop() {
            match next {
                Waiting::Node(level) => {
                    let mut node: Node<f64> = u.arbitrary()?;
                    let last = level == DEEPEST || tree.nodes.len() + waiting.len() >= MOST;
                    if last || u.is_empty() {
                        node.kind = Children::None.kind();
                        node.children = ChildMask::from(0);
                    } else if level < 3 && chance(u, 70)? {
                        node.kind = Children::Nodes.kind();
                    }
                    node.bounds = tree.version.round(node.bounds);
                    let child = match node.kind {
                        kind if kind == Children::Leaves.kind() => Waiting::Leaf,
                        _ => Waiting::Node(level + 1),
                    };
                    let count = u8::from(node.children).count_ones() as usize;
                    waiting.extend(std::iter::repeat_n(child, count));
                    tree.nodes.push(node);
                }
                Waiting::Leaf => {
                    let mut leaf: Leaf<f64> = u.arbitrary()?;
                    leaf.bounds = tree.version.round(leaf.bounds);
                    for _ in 0..leaf.group_count {
                        let group: Group = u.arbitrary()?;
                        for _ in 0..group.object_count {
                            tree.objects.push(u.arbitrary()?);
                        }
                        tree.groups.push(group);
                    }
                    tree.leaves.push(leaf);
                }
            }
        }
        Ok(tree)
    }
}

/// Part of the tree that remains to be made.
#[derive(Clone, Copy)]
enum Waiting {
    Node(u32),
    Leaf,
}
