//! Unusual or wrong quadtrees of object layers.

use arbitrary::{Arbitrary, Result, Unstructured};
use formwork_alb1::tree;
use formwork_alb1::tree::{Children, Group, Leaf, Node, Stop, Tree, TreeItem, TreeWalk, Version};
use formwork_records::schema::record_of;
use formwork_variant::Rule;
use formwork_variant::generate::Config;

use super::super::enumerate::layer;
use super::super::terrain;
use super::made;
use crate::case::{Broken, Made};

const NODE: &str = record_of::<Node<f64>>().name;
const LEAF: &str = record_of::<Leaf<f64>>().name;
const GROUP: &str = record_of::<Group>().name;

/// Boxes, levels, colours and hashes of any kind; leaves without groups, groups without objects.
pub(super) fn odd(u: &mut Unstructured<'_>, _: &Config) -> Result<Made> {
    let tree = Tree::arbitrary(u)?;
    let subject = if tree.leaves.is_empty() { NODE } else { LEAF };
    Ok(made(subject, &layer(tree.version, tree.to_vec().unwrap_or_default())))
}

/// A fault of a quadtree.
struct Fault {
    subject: &'static str,
    rule: Rule,
    /// Where, from the start of the tree.
    offset: usize,
}

pub(super) fn broken(u: &mut Unstructured<'_>, _: &Config) -> Result<Made> {
    let tree = terrain::tree(u)?;
    let mut bytes = tree.to_vec().unwrap_or_default();
    let stops: Vec<Stop<'_>> =
        TreeWalk::new(&bytes, tree.version).map_while(|stop| stop.ok()).collect();
    let stop = u.choose(&stops)?;
    let part = Part { offset: stop.offset, version: tree.version };
    let (fault, patch) = match stop.item {
        TreeItem::Node(_) if u.ratio(1_u8, 4_u8)? => part.filled(u, NODE, bytes.len())?,
        TreeItem::Leaf(_) if u.ratio(1_u8, 4_u8)? => part.filled(u, LEAF, bytes.len())?,
        TreeItem::Node(node) => part.node(u, &node)?,
        TreeItem::Leaf(_) => part.leaf(u)?,
        TreeItem::Group { .. } => part.group(u)?,
    };
    match patch {
        Patch::Put(at, new) => super::super::breach::put(&mut bytes, at, &new),
        Patch::Append(count) => bytes.resize(bytes.len() + count, 0),
        Patch::Cut(end) => bytes.truncate(end),
    }
    let length = bytes.len();
    let document = layer(tree.version, bytes);
    let mut made = made(fault.subject, &document);
    // The tree is at the end of the file.
    let start = made.bytes.len() - length;
    made.broken = Some(Broken { rule: fault.rule, offset: (start + fault.offset) as u64 });
    Ok(made)
}

/// A change to the bytes.
enum Patch {
    Put(usize, Vec<u8>),
    Append(usize),
    Cut(usize),
}

/// A node, leaf or group, and where it is.
struct Part {
    offset: usize,
    version: Version,
}

impl Part {
    const fn fault(&self, subject: &'static str, rule: Rule) -> Fault {
        Fault { subject, rule, offset: self.offset }
    }

    /// A kind that no node has, or a child mask that does not go with the kind.
    fn node(&self, u: &mut Unstructured<'_>, node: &Node<f64>) -> Result<(Fault, Patch)> {
        let mask = self.offset + self.version.node_size() - size_of::<u8>();
        let patch = match u.int_in_range(0..=2_u8)? {
            0 => {
                let kind = *u.choose(&[0, 2, 15, 17, -2, i8::MAX, i8::MIN])?;
                Patch::Put(self.offset, kind.to_le_bytes().into())
            }
            1 if node.kind == Children::None.kind() => Patch::Put(mask, vec![0x01]),
            _ => Patch::Put(mask, vec![u8::from(node.children) | 0x10 << u.int_in_range(0..=3)?]),
        };
        Ok((self.fault(NODE, tree::rule::NODE), patch))
    }

    fn leaf(&self, u: &mut Unstructured<'_>) -> Result<(Fault, Patch)> {
        let count = self.offset + self.version.leaf_size() - size_of::<i32>();
        let (rule, bytes) = wrong_count(u)?;
        Ok((self.fault(LEAF, rule), Patch::Put(count, bytes)))
    }

    fn group(&self, u: &mut Unstructured<'_>) -> Result<(Fault, Patch)> {
        let (rule, bytes) = wrong_count(u)?;
        Ok((self.fault(GROUP, rule), Patch::Put(self.offset, bytes)))
    }

    /// Ends the tree before this node or leaf, or makes it end elsewhere than its array.
    fn filled(
        &self,
        u: &mut Unstructured<'_>,
        subject: &'static str,
        length: usize,
    ) -> Result<(Fault, Patch)> {
        if self.offset > 0 && u.arbitrary()? {
            return Ok((self.fault(subject, Rule::INPUT_COMPLETE), Patch::Cut(self.offset)));
        }
        let fault = Fault { subject: NODE, rule: tree::rule::FILLED, offset: length };
        Ok((fault, Patch::Append(u.int_in_range(1..=64)?)))
    }
}

/// A count that is negative, or more than any file holds.
fn wrong_count(u: &mut Unstructured<'_>) -> Result<(Rule, Vec<u8>)> {
    let (rule, count) = *u.choose(&[
        (tree::rule::COUNT, -1),
        (tree::rule::COUNT, i32::MIN),
        (Rule::INPUT_COMPLETE, i32::MAX),
        // Times the bytes of an object, in 32 bits, it would be few.
        (Rule::INPUT_COMPLETE, 0x0666_6667),
    ])?;
    Ok((rule, count.to_le_bytes().into()))
}

/// The version of the tree that a small layer holds, and where in the file the tree starts.
#[cfg(test)]
pub(in super::super) fn tree_of(document: &formwork_alb1::Document) -> Option<(Version, Vec<u8>)> {
    let version = document.root.get(super::small::tag(super::small::VERSION))?.as_integer()?;
    let tree = document.root.get(super::small::tag(super::small::TREE))?.as_raw()?;
    Some((Version::of_layer_version(version as i32), tree.to_vec()))
}
