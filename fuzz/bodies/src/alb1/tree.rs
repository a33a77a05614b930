//! The quadtree of object layers: its bytes, generated trees, and changes to trees.

use arbitrary::{Arbitrary, Result, Unstructured};

use formwork_alb1::Document;
use formwork_alb1::terrain::{ObjectLayer, Root};
use formwork_alb1::tree::{Colour, Grid, Object, Tree, TreeItem, TreeWalk, Version, objects};
use formwork_records::wire::Components;

/// Checks that the bytes of a tree are written back unchanged, and that the walk finds in them what the
/// reader finds. A tree generated from the bytes can be written and read, also after objects are added and
/// removed. (Of a whole layer, the tree in it is used.)
pub fn tree(data: &[u8]) {
    let layer = Document::from_slice(data).ok().and_then(|it| ObjectLayer::of(&it).ok());
    let bytes = layer.as_ref().map_or(data, |layer| &layer.tree);
    for version in [Version::V3, Version::V4] {
        as_tree(bytes, version);
    }
    // Missing bytes count as zeros, so this ends.
    let _ = made(&mut Unstructured::new(data));
}

fn as_tree(bytes: &[u8], version: Version) {
    let mut walk = TreeWalk::new(bytes, version);
    let walked: Result<Vec<_>, _> = walk.by_ref().collect();
    assert!(walk.offset() <= bytes.len());
    let tree = match (Tree::read(bytes, version), &walked) {
        (Ok(tree), Ok(_)) => tree,
        (Err(error), Err(of_walk)) => {
            assert_eq!(error, *of_walk);
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            return;
        }
        (tree, _) => panic!("read {tree:?}, walked {walked:?}"),
    };
    assert_eq!(walk.offset(), bytes.len());
    assert_eq!(tree.to_vec().as_deref(), Ok(bytes));
    let (mut nodes, mut leaves, mut groups) = (0, 0, 0);
    for stop in walked.iter().flatten() {
        match stop.item {
            TreeItem::Node(_) => nodes += 1,
            TreeItem::Leaf(_) => leaves += 1,
            TreeItem::Group { .. } => groups += 1,
        }
    }
    let lists = (tree.nodes.len(), tree.leaves.len(), tree.groups.len());
    assert_eq!((nodes, leaves, groups), lists);
    let mut placed = tree.placed();
    for object in objects(bytes, version) {
        let (template, object) = object.expect("the tree was read");
        let (of_tree, same) = placed.next().expect("as many objects as in the bytes");
        assert_eq!((template, object.to_components()), (of_tree, same.to_components()));
    }
    assert!(placed.next().is_none());
}

/// Returns the bytes of the tree, after checking that they read as the same tree.
fn written(tree: &Tree) -> Vec<u8> {
    let bytes = match tree.to_vec() {
        Ok(bytes) => bytes,
        Err(error) => panic!("{tree:?} cannot be written: {error}"),
    };
    let mut pieces = Vec::new();
    assert_eq!(tree.write_to(&mut pieces), Ok(()));
    assert!(pieces == bytes);
    match Tree::read(&bytes, tree.version).and_then(|read| read.to_vec()) {
        Ok(again) => assert!(again == bytes, "{tree:?}"),
        Err(error) => panic!("{tree:?} cannot be read: {error}"),
    }
    bytes
}

fn made(u: &mut Unstructured<'_>) -> Result<()> {
    let tree = if u.ratio(1, 2)? {
        Tree::arbitrary(u)?
    } else {
        let cells = u.int_in_range(0..=3)?;
        let grid = Grid::new(u.arbitrary()?, Grid::ROOTS[usize::from(u.arbitrary::<bool>()?)]);
        let Some(grid) = grid.with_levels(cells, cells + u.int_in_range(1..=6)?) else {
            panic!("leaves stand below cells");
        };
        let count = u.int_in_range(0..=12)?;
        let placed: Result<Vec<_>> = (0..count).map(|_| placed(u, &grid)).collect();
        let placed = placed?;
        let tree = Tree::build(&grid, placed.clone(), colour).expect("all are inside");
        assert_eq!(tree.objects.len(), placed.len());
        // Without an empty cell, the tree does not show on which level empty cells would be.
        if Grid::of(&tree) == Ok(grid) {
            assert_eq!(tree.rebuild(placed, colour).as_ref(), Ok(&tree));
        }
        tree
    };
    written(&tree);
    changed(tree, u)
}

/// Returns a colour for a template.
fn colour(template: u32) -> Colour {
    Colour::from(template.rotate_left(8))
}

/// Returns an object of a template, anywhere in the grid or on a border.
fn placed(u: &mut Unstructured<'_>, grid: &Grid) -> Result<(u32, Object)> {
    let [x0, y0, x1, y1] = grid.root().to_array();
    let mut between = |low: f64, high: f64| {
        let share = f64::from(u.arbitrary::<u16>()?) / f64::from(1 << 16);
        Ok(low + (high - low) * share)
    };
    let (x, y) = (between(x0, x1)?, between(y0, y1)?);
    let id = u.int_in_range(0..=9)?;
    Ok((u.int_in_range(0..=3)?, Object { x, y, id, ..Object::default() }))
}

/// Adds and removes objects, and rebuilds the tree.
fn changed(mut tree: Tree, u: &mut Unstructured<'_>) -> Result<()> {
    /// The most levels of cells: a deeper grid has too many cells to be rebuilt again and again.
    const MOST_CELLS: u32 = 5;
    for _ in 0..12 {
        if u.is_empty() {
            break;
        }
        let (before, count) = (written(&tree), tree.objects.len());
        match u.int_in_range(0..=2)? {
            0 => {
                let Ok(grid) = Grid::of(&tree) else { return Ok(()) };
                let (template, object) = placed(u, &grid)?;
                match tree.insert(template, object, colour) {
                    Ok(()) => {
                        let is_it = |(hash, it): (u32, &Object)| hash == template && *it == object;
                        assert!(tree.placed().any(is_it), "{object:?} in {tree:?}");
                        assert_eq!(tree.objects.len(), count + 1);
                    }
                    Err(_) => assert!(written(&tree) == before),
                }
            }
            1 => {
                let id = u.int_in_range(0..=9)?;
                let found = tree.placed().find(|(_, object)| object.id == id);
                let found = found.map(|(template, object)| (template, object.to_components()));
                let removed = tree.remove(id, colour).expect("the parts agree");
                let removed = removed.map(|(template, object)| (template, object.to_components()));
                assert_eq!(removed, found);
                assert_eq!(tree.objects.len() + usize::from(found.is_some()), count);
            }
            _ => {
                if !Grid::of(&tree).is_ok_and(|grid| grid.cells() <= MOST_CELLS) {
                    continue;
                }
                let placed: Vec<_> = tree.placed().map(|(hash, object)| (hash, *object)).collect();
                if let Ok(again) = tree.rebuild(placed, colour) {
                    assert_eq!(again.objects.len(), count);
                    tree = again;
                }
            }
        }
        written(&tree);
    }
    Ok(())
}
