//! All objects of a tree, and where they are.

use super::descent::Cell;
use super::objects::Objects;
use super::record::{Leaf, Object};
use super::version::Version;
use super::walk::{TreeItem, TreeWalk};
use formwork::Result;

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
    let mut walk = TreeWalk::new(bytes, version);
    let mut last = None;
    std::iter::from_fn(move || {
        loop {
            let stop = match walk.next()? {
                Ok(stop) => stop,
                Err(error) => return Some(Err(error)),
            };
            match (stop.item, last) {
                (TreeItem::Leaf(leaf), _) => last = Some(leaf),
                (TreeItem::Group { template, objects }, Some(leaf)) => {
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
/// use formwork_alb1::tree::{Grid, Tree, Version, objects};
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
