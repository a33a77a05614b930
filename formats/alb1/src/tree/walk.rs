//! The tree in its bytes, read from front to back.

use super::descent::{Cell, Descent, Next};
use super::objects::Objects;
use super::record::{Group, Leaf, Node};
use super::version::Version;
use crate::tree::rule;
use formwork::{Error, Result};
use formwork_records::schema::Sizes;
use formwork_records::wire::{Cursor, read_record};

/// Part of a tree at which a [`TreeWalk`] stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop<'a> {
    /// Offset of the part, in bytes from the start of the tree.
    pub offset: usize,
    /// Its place; for a group that of its leaf. The level counts from the root, whatever level the
    /// node says it has.
    pub cell: Cell,
    /// Content of the part.
    pub item: TreeItem<'a>,
}

/// A part of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreeItem<'a> {
    /// A node. (The box of version 3 as 64-bit numbers, the very same.)
    Node(Node<f64>),
    /// A leaf.
    Leaf(Leaf<f64>),
    /// A group of the leaf before, with its objects.
    Group {
        /// Hash of the template's name.
        template: u32,
        /// The objects.
        objects: Objects<'a>,
    },
}

/// Goes through the bytes of a tree from front to back and allocates nothing.
///
/// Everything that the format does not rule out is accepted: leaves without groups, groups without
/// objects, templates that come twice, levels and boxes of any kind. After an error it ends.
///
/// ```
/// use formwork_alb1::tree::{Grid, TreeItem, Tree, Version, TreeWalk};
///
/// let bytes = Tree::empty(&Grid::new(Version::V4, Grid::ROOTS[0])).to_vec()?;
/// assert_eq!(bytes.len(), 3_670_002);
/// let mut nodes = 0;
/// for stop in TreeWalk::new(&bytes, Version::V4) {
///     nodes += usize::from(matches!(stop?.item, TreeItem::Node(_)));
/// }
/// assert_eq!(nodes, 87_381);
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeWalk<'a> {
    version: Version,
    input: Cursor<'a>,
    descent: Descent,
    ended: bool,
}

impl<'a> TreeWalk<'a> {
    /// A walk through the content of the array `tree` of a layer.
    #[must_use]
    pub fn new(bytes: &'a [u8], version: Version) -> Self {
        Self { version, input: Cursor::new(bytes), descent: Descent::new(), ended: false }
    }

    /// Bytes walked so far.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.input.position()
    }

    #[inline]
    fn step(&mut self, next: Next) -> Result<Option<Stop<'a>>> {
        let offset = self.input.position();
        let at = offset as u64;
        let (cell, item) = match next {
            Next::Node(cell) => {
                let node = self.version.read_node(&mut self.input)?;
                self.descent.node(node.kind, node.children, at)?;
                (cell, TreeItem::Node(node))
            }
            Next::Leaf(cell) => {
                let leaf = self.version.read_leaf(&mut self.input)?;
                let count = self.descent.leaf(leaf.group_count, at)?;
                self.promise(offset, count, Group::HEAD_SIZE, "groups")?;
                (cell, TreeItem::Leaf(leaf))
            }
            Next::Group => {
                let group: Group = read_record(&mut self.input)?;
                let count = self.descent.count(group.object_count, at)?;
                let objects = match Objects::take(&mut self.input, count) {
                    Some(objects) => objects,
                    None => return Err(self.too_many(offset, count, Objects::EACH, "objects")),
                };
                self.descent.group();
                (self.descent.cell(), TreeItem::Group { template: group.template, objects })
            }
            Next::End if self.input.left() == 0 => return Ok(None),
            Next::End => {
                let found = formwork::wire::more_bytes(self.input.left()).to_string();
                return Err(Error::new(rule::FILLED, at, "the end of the array", found));
            }
        };
        Ok(Some(Stop { offset, cell, item }))
    }

    /// Checks that the bytes left are enough for a count.
    #[inline]
    fn promise(&self, offset: usize, count: u32, each: usize, what: &str) -> Result<()> {
        if u64::from(count) * each as u64 > self.input.left() as u64 {
            return Err(self.too_many(offset, count, each, what));
        }
        Ok(())
    }

    #[cold]
    fn too_many(&self, offset: usize, count: u32, each: usize, what: &str) -> Error {
        let (least, left) = (u64::from(count) * each as u64, self.input.left() as u64);
        let expected = format!("{count} {what} of at least {each} bytes");
        Error::incomplete(offset as u64, least.saturating_sub(left), expected, left)
    }
}

impl<'a> Iterator for TreeWalk<'a> {
    type Item = Result<Stop<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.descent.next();
        match self.step(next) {
            Ok(Some(stop)) => Some(Ok(stop)),
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                // The array is whole: no more bytes can arrive.
                Some(Err(error.under(self.descent.path(next)).closed()))
            }
        }
    }
}

impl std::iter::FusedIterator for TreeWalk<'_> {}
