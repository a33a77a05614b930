//! The quadtree of real object layers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use formwork_alb1::tree::{
    Cell, Colour, Grid, Node, Object, Tree, TreeItem, TreeWalk, Version, groups, objects,
};
use formwork_alb1::{Document, Value};

use crate::corpus::each_sample;

/// Returns the tree of a layer; [`None`] for other files.
fn tree_of(document: &Document) -> Option<(Version, &[u8])> {
    let field = |name| document.root.get(document.tags.id(name)?);
    let version = field("mlayerVersion").and_then(Value::as_integer)?;
    Some((Version::of_layer_version(version as i32), field("tree").and_then(Value::as_raw)?))
}

/// Hands `visit` the tree of every real layer.
fn each_tree(mut visit: impl FnMut(&str, Version, &[u8])) {
    let mut count = 0;
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        if let Some((version, bytes)) = tree_of(&document) {
            visit(&sample.name, version, bytes);
            count += 1;
        }
    });
    println!("{count} real layers");
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_tree_is_written_back_byte_for_byte() {
    each_tree(|name, version, bytes| {
        let tree = match Tree::read(bytes, version) {
            Ok(tree) => tree,
            Err(error) => panic!("{name}: {error}"),
        };
        assert!(tree.to_vec().unwrap() == bytes, "{name}");
        let mut written = Vec::new();
        tree.write_to(&mut written).unwrap();
        assert!(written == bytes, "{name}");
        assert_eq!(tree.size().unwrap(), bytes.len() as u64, "{name}");
        let walked: Vec<_> = objects(bytes, version).map(Result::unwrap).collect();
        assert!(tree.placed().map(|(template, object)| (template, *object)).eq(walked), "{name}");
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn the_other_version_does_not_fit_a_real_tree() {
    each_tree(|name, version, bytes| {
        let other = if version == Version::V3 { Version::V4 } else { Version::V3 };
        assert!(Tree::read(bytes, other).is_err(), "{name}");
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn the_grid_has_the_boxes_of_real_trees_bit_for_bit() {
    let mut boxes = 0;
    each_tree(|name, version, bytes| {
        let root = Tree::read(bytes, version).unwrap().nodes[0].bounds;
        let grid = Grid::ROOTS.map(|root| Grid::new(version, root));
        let grid = grid.into_iter().find(|grid| grid.root() == root).expect(name);
        for stop in TreeWalk::new(bytes, version) {
            let stop = stop.unwrap();
            let bounds = match stop.item {
                TreeItem::Node(node) => {
                    assert_eq!(node.level, stop.cell.level as i32, "{name}");
                    node.bounds
                }
                TreeItem::Leaf(leaf) => {
                    assert_eq!(stop.cell.level, Grid::LEAVES, "{name}");
                    leaf.bounds
                }
                TreeItem::Group { .. } => continue,
            };
            assert_eq!(
                grid.cell(stop.cell).to_array().map(f64::to_bits),
                bounds.to_array().map(f64::to_bits),
                "{name}: {:?}",
                stop.cell
            );
            boxes += 1;
            // One in seven, to save time.
            if boxes % 7 == 0 {
                assert_eq!(grid.find(&bounds), Some(stop.cell), "{name}");
            }
        }
    });
    println!("{boxes} boxes");
}

/// An object and its template in bits, to compare and sort by.
#[derive(Debug, Eq, Ord, PartialEq, PartialOrd)]
struct BitRange {
    template: u32,
    id: u32,
    place: [u64; 2],
    rest: [u32; 5],
}

impl BitRange {
    fn of(template: u32, object: &Object) -> Self {
        let Object { x, y, yaw, pitch, roll, scale, z, id } = *object;
        let rest = [yaw, pitch, roll, scale, z].map(f32::to_bits);
        Self { template, id, place: [x, y].map(f64::to_bits), rest }
    }
}

/// The leaf of every object.
fn leaves_of(bytes: &[u8], version: Version) -> BTreeMap<BitRange, Vec<Cell>> {
    let mut all: BTreeMap<_, Vec<Cell>> = BTreeMap::new();
    for group in groups(bytes, version).map(Result::unwrap) {
        for object in group.objects.iter() {
            all.entry(BitRange::of(group.template, &object)).or_default().push(group.cell);
        }
    }
    all
}

fn nodes_of(bytes: &[u8], version: Version) -> HashMap<Cell, Node<f64>> {
    let stops = TreeWalk::new(bytes, version).map(Result::unwrap);
    stops
        .filter_map(|stop| match stop.item {
            TreeItem::Node(node) => Some((stop.cell, node)),
            _ => None,
        })
        .collect()
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_trees_are_built_anew_from_their_own_objects() {
    let (mut all, mut moved, mut left_over, mut colours, mut same) = (0, 0, 0, [0; 2], 0);
    each_tree(|name, version, bytes| {
        let tree = Tree::read(bytes, version).unwrap();
        let fill: HashMap<u32, Colour> =
            tree.leaves.iter().map(|leaf| (leaf.template, leaf.colour)).collect();
        let colour = |template| fill.get(&template).copied().unwrap_or(Colour::from(0));
        let placed: Vec<_> = tree.placed().map(|(template, object)| (template, *object)).collect();
        all += placed.len();

        // From nothing but the objects: those inside the box of their leaf come back to it.
        let built = Tree::build(&Grid::of(&tree).unwrap(), placed.clone(), colour).unwrap();
        let built = built.to_vec().unwrap();
        let (before, after) = (leaves_of(bytes, version), leaves_of(&built, version));
        assert!(before.keys().eq(after.keys()), "{name}: the same objects");
        let grid = Grid::of(&tree).unwrap();
        for (object, cells) in &before {
            let [x, y] = object.place.map(f64::from_bits);
            for (before, after) in cells.iter().zip(&after[object]) {
                assert_eq!(before == after, grid.cell(*before).contains(x, y), "{name}");
                moved += usize::from(before != after);
            }
        }

        // On top of the old tree: every object is in its old leaf.
        let rebuilt = tree.rebuild(placed, colour).unwrap();
        let rebuilt_bytes = rebuilt.to_vec().unwrap();
        assert!(leaves_of(&rebuilt_bytes, version) == before, "{name}");
        let (before, after) = (nodes_of(bytes, version), nodes_of(&rebuilt_bytes, version));
        for (cell, node) in &after {
            assert_eq!(node.colour, before[cell].colour, "{name}: {cell:?}");
            assert_eq!(node.bounds, before[cell].bounds, "{name}: {cell:?}");
        }
        left_over += before.len() - after.len();
        let kept: BTreeSet<_> = tree
            .leaves
            .iter()
            .map(|leaf| u64::from(u32::from(leaf.colour)) << 32 | u64::from(leaf.template))
            .collect();
        for leaf in &rebuilt.leaves {
            let known = u64::from(u32::from(leaf.colour)) << 32 | u64::from(leaf.template);
            colours[usize::from(kept.contains(&known))] += 1;
        }
        same += usize::from(rebuilt_bytes == bytes);
    });
    println!("{all} objects, {moved} of them outside the box of their leaf");
    println!("{left_over} nodes were left over; {same} trees are the very same bytes");
    assert_eq!(colours[0], 0);
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn an_empty_tree_has_the_bytes_of_an_empty_real_layer() {
    let mut seen = 0;
    each_tree(|name, version, bytes| {
        let empty = Tree::empty(&Grid::new(version, Grid::ROOTS[0]));
        if empty.size().unwrap() == bytes.len() as u64 {
            assert!(empty.to_vec().unwrap() == bytes, "{name}");
            seen += 1;
        }
    });
    println!("{seen} of them empty");
}
