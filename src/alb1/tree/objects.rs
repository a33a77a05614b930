//! Objects as they stand in the bytes, and all objects of a tree.

use bytemuck::pod_read_unaligned;

use super::descent::Cell;
use super::record::{Leaf, Object};
use super::version::Version;
use super::walk::{Item, Walk};
use crate::error::Result;
use crate::wire::{Components, Element, Input, Number};

/// The objects of a group, in their bytes: nothing is copied before it is asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Objects<'a> {
    records: &'a [[u8; Objects::EACH]],
    offset: usize,
}

impl<'a> Objects<'a> {
    /// Bytes of an object.
    pub const EACH: usize = <Object as Element>::BYTES;

    /// The next `count` objects, if so many are there.
    #[inline]
    pub(super) fn take(input: &mut Input<'a>, count: u32) -> Option<Self> {
        let offset = input.position();
        let bytes = input.take(usize::try_from(count).ok()?.checked_mul(Self::EACH)?)?;
        let (records, _) = bytes.as_chunks();
        Some(Self { records, offset })
    }

    /// Where the first one starts, in bytes from the start of the tree.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// How many.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The object at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<Object> {
        self.records.get(position).map(object)
    }

    /// The objects, one after another.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Object> + use<'a> {
        self.records.iter().map(object)
    }

    /// Adds all of them to a list, as a block.
    pub fn append_to(&self, list: &mut Vec<Object>) {
        list.extend(self.iter());
    }
}

#[inline]
fn object(record: &[u8; Objects::EACH]) -> Object {
    let words: [u32; 10] = pod_read_unaligned(record);
    Object::from_components(words.map(Number::little))
}

/// A group, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed<'a> {
    /// The place of the leaf.
    pub cell: Cell,
    /// The leaf.
    pub leaf: Leaf<f64>,
    /// Hash of the template's name.
    pub template: u32,
    /// The objects that have this template.
    pub objects: Objects<'a>,
}

/// All groups of a tree, in the order of its bytes; an error ends them.
pub fn groups(bytes: &[u8], version: Version) -> impl Iterator<Item = Result<Placed<'_>>> {
    let mut walk = Walk::new(bytes, version);
    let mut last = None;
    std::iter::from_fn(move || {
        loop {
            let stop = match walk.next()? {
                Ok(stop) => stop,
                Err(error) => return Some(Err(error)),
            };
            match (stop.item, last) {
                (Item::Leaf(leaf), _) => last = Some(leaf),
                (Item::Group { template, objects }, Some(leaf)) => {
                    return Some(Ok(Placed { cell: stop.cell, leaf, template, objects }));
                }
                _ => {}
            }
        }
    })
}

/// All objects of a tree with the hashes of their templates, in the order of its bytes; an error ends
/// them. [`groups`] says where they are, too.
///
/// ```
/// use formwork::alb1::tree::{Grid, Tree, Version, objects};
///
/// let bytes = Tree::empty(&Grid::new(Version::V3, Grid::ROOTS[0])).to_vec()?;
/// assert_eq!(objects(&bytes, Version::V3).count(), 0);
/// # Ok::<(), formwork::Error>(())
/// ```
pub fn objects(bytes: &[u8], version: Version) -> impl Iterator<Item = Result<(u32, Object)>> {
    groups(bytes, version).flat_map(|group| {
        let (placed, error) = match group {
            Ok(placed) => (Some(placed), None),
            Err(error) => (None, Some(Err(error))),
        };
        let all = placed.into_iter().flat_map(|placed| {
            placed.objects.iter().map(move |object| Ok((placed.template, object)))
        });
        all.chain(error)
    })
}
