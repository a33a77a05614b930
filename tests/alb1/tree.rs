//! The quadtree of object layers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use formwork::alb1::tree::{
    Cell, Children, Colour, Grid, Group, Item, Node, Object, Tree, Version, Walk, groups, objects,
};
use formwork::alb1::{Document, Value};
use formwork::{Class, Rule};

use crate::corpus::each_sample;

/// The tree of a layer; nothing for other files.
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
fn the_other_version_does_not_fit_a_real_tree() {
    each_tree(|name, version, bytes| {
        let other = if version == Version::V3 { Version::V4 } else { Version::V3 };
        assert!(Tree::read(bytes, other).is_err(), "{name}");
    });
}

#[test]
fn the_grid_has_the_boxes_of_real_trees_bit_for_bit() {
    let mut boxes = 0;
    each_tree(|name, version, bytes| {
        let root = Tree::read(bytes, version).unwrap().nodes[0].bounds;
        let grid = Grid::ROOTS.map(|root| Grid::new(version, root));
        let grid = grid.into_iter().find(|grid| grid.root() == root).expect(name);
        for stop in Walk::new(bytes, version) {
            let stop = stop.unwrap();
            let bounds = match stop.item {
                Item::Node(node) => {
                    assert_eq!(node.level, stop.cell.level as i32, "{name}");
                    node.bounds
                }
                Item::Leaf(leaf) => {
                    assert_eq!(stop.cell.level, Grid::LEAVES, "{name}");
                    leaf.bounds
                }
                Item::Group { .. } => continue,
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

/// The bits of an object, to compare and sort by.
fn bits(object: &Object) -> (u32, [u64; 2], [u32; 5]) {
    let Object { x, y, yaw, pitch, roll, scale, z, id } = *object;
    (id, [x, y].map(f64::to_bits), [yaw, pitch, roll, scale, z].map(f32::to_bits))
}

/// The leaf of every object.
fn leaves_of(
    bytes: &[u8],
    version: Version,
) -> BTreeMap<(u32, [u64; 2], [u32; 5], u32), Vec<Cell>> {
    let mut all: BTreeMap<_, Vec<Cell>> = BTreeMap::new();
    for group in groups(bytes, version).map(Result::unwrap) {
        for object in group.objects.iter() {
            let (id, place, rest) = bits(&object);
            all.entry((id, place, rest, group.template)).or_default().push(group.cell);
        }
    }
    all
}

fn nodes_of(bytes: &[u8], version: Version) -> HashMap<Cell, Node<f64>> {
    let stops = Walk::new(bytes, version).map(Result::unwrap);
    stops
        .filter_map(|stop| match stop.item {
            Item::Node(node) => Some((stop.cell, node)),
            _ => None,
        })
        .collect()
}

#[test]
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
            let [x, y] = object.1.map(f64::from_bits);
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

/// The grid of new layers.
fn grid(version: Version) -> Grid {
    Grid::new(version, Grid::ROOTS[0])
}

/// A colour of its own for every template.
fn colour(template: u32) -> Colour {
    Colour::from(0xFF00_0000 | template)
}

fn object(id: u32, x: f64, y: f64) -> Object {
    Object { x, y, yaw: 90.0, scale: 1.0, z: -0.5, id, ..Object::default() }
}

/// Objects that share leaves and templates, or do not.
fn some_objects() -> Vec<(u32, Object)> {
    vec![
        (7, object(0, 200_000.0, 0.0)),
        (9, object(1, 200_001.0, 1.0)),
        (9, object(2, 200_002.0, 2.0)),
        (7, object(3, 200_003.0, 3.0)),
        (7, object(4, 200_090.0, 60.0)),
        (5, object(5, 0.0, 892_127.0)),
        (5, object(6, 1_339_999.0, -7_872.0)),
    ]
}

#[test]
fn an_empty_tree_is_terrain_builders() {
    for (version, size) in [(Version::V4, 3_670_002), (Version::V3, 2_271_906)] {
        let tree = Tree::empty(&grid(version));
        assert_eq!((tree.nodes.len(), tree.size().unwrap()), (87_381, size));
        let bytes = tree.to_vec().unwrap();
        assert_eq!(Tree::read(&bytes, version).unwrap(), tree);
        assert_eq!(Grid::of(&tree).unwrap(), grid(version));
        assert_eq!(bytes[0], 1);
        // The last cell: level 8, no children.
        assert_eq!(bytes[bytes.len() - version.node_size()], 0xFF);
        assert_eq!(bytes[bytes.len() - 9..], [8, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}

#[test]
fn an_empty_tree_has_the_bytes_of_an_empty_real_layer() {
    let mut seen = 0;
    each_tree(|name, version, bytes| {
        let empty = Tree::empty(&grid(version));
        if empty.size().unwrap() == bytes.len() as u64 {
            assert!(empty.to_vec().unwrap() == bytes, "{name}");
            seen += 1;
        }
    });
    println!("{seen} of them empty");
}

#[test]
fn objects_are_where_they_belong() {
    for version in [Version::V3, Version::V4] {
        let tree = Tree::build(&grid(version), some_objects(), colour).unwrap();
        let bytes = tree.to_vec().unwrap();
        assert_eq!(Tree::read(&bytes, version).unwrap(), tree);
        assert_eq!((tree.leaves.len(), tree.groups.len(), tree.objects.len()), (4, 5, 7));
        let mut all = Vec::new();
        for group in groups(&bytes, version).map(Result::unwrap) {
            assert_eq!(group.cell.level, Grid::LEAVES);
            assert_eq!(group.leaf.bounds, grid(version).cell(group.cell));
            for (position, object) in group.objects.iter().enumerate() {
                assert!(group.leaf.bounds.contains(object.x, object.y));
                assert_eq!(group.objects.get(position), Some(object));
                let at = group.objects.offset() + 40 * position;
                assert_eq!(bytes[at + 36..at + 40], object.id.to_le_bytes());
                all.push((group.template, object));
            }
        }
        all.sort_by_key(|(_, object)| object.id);
        assert_eq!(all, some_objects());
        // Two groups with two objects each: the first one counts.
        let leaf = tree.leaves.iter().find(|leaf| leaf.group_count == 2).unwrap();
        assert_eq!((leaf.template, leaf.colour), (7, colour(7)));
    }
}

#[test]
fn a_tree_built_object_by_object_is_the_same() {
    for version in [Version::V3, Version::V4] {
        let mut tree = Tree::empty(&grid(version));
        for (template, object) in some_objects() {
            tree.insert(template, object, colour).unwrap();
        }
        let built = Tree::build(&grid(version), some_objects(), colour).unwrap();
        assert_eq!(tree, built);

        for (template, object) in some_objects() {
            assert_eq!(tree.remove(object.id, colour).unwrap(), Some((template, object)));
            assert!(tree.remove(object.id, colour).unwrap().is_none());
            tree.size().unwrap();
        }
        assert!(tree.objects.is_empty() && tree.groups.is_empty());
        // As in real files, what is empty stays ...
        assert_eq!(tree.leaves.len(), 4);
        for leaf in &tree.leaves {
            assert_eq!((leaf.template, leaf.colour, leaf.group_count), (0, Colour::from(0), 0));
        }
        // ... until the tree is built anew.
        assert_eq!(tree.rebuild([], colour).unwrap(), Tree::empty(&grid(version)));
        for (template, object) in some_objects() {
            tree.insert(template, object, colour).unwrap();
        }
        assert_eq!(tree, built);
    }
}

#[test]
fn the_main_template_is_one_of_the_groups() {
    let mut tree = Tree::build(&grid(Version::V4), some_objects(), colour).unwrap();
    let position = tree.leaves.iter().position(|leaf| leaf.group_count == 2).unwrap();
    tree.leaves[position].template = 9;
    tree.leaves[position].colour = Colour::from(0x1234_5678);
    tree.nodes[3].colour = Colour::from(5);
    // What was kept once is kept again.
    let rebuilt = tree.rebuild(some_objects(), colour).unwrap();
    assert_eq!(rebuilt, tree);
    tree.remove(1, colour).unwrap();
    assert_eq!(tree.leaves[position].template, 9);
    tree.remove(2, colour).unwrap();
    assert_eq!((tree.leaves[position].template, tree.leaves[position].colour), (7, colour(7)));
}

#[test]
fn an_object_outside_the_leaf_stays_there_while_it_is_not_moved() {
    let mut tree = Tree::build(&grid(Version::V4), some_objects(), colour).unwrap();
    let stray = tree.objects.iter().position(|object| object.id == 4).unwrap();
    tree.objects[stray].x += 100.0;
    let mut all: Vec<_> = tree.placed().map(|(template, object)| (template, *object)).collect();
    assert_eq!(tree.rebuild(all.clone(), colour).unwrap(), tree);
    all[stray].1.x += 1.0;
    let moved = tree.rebuild(all, colour).unwrap();
    assert_ne!(moved.leaves, tree.leaves);
    assert!(moved.leaves.iter().any(|leaf| leaf.bounds.contains(200_191.0, 60.0)));
}

#[test]
fn an_object_outside_the_root_box_is_refused() {
    for (x, y) in [(-0.1, 0.0), (1_340_000.0, 0.0), (0.0, 892_128.0), (f64::NAN, 0.0)] {
        let all = [(1, object(0, 5.0, 5.0)), (1, object(3, x, y))];
        let error = Tree::build(&grid(Version::V4), all, colour).unwrap_err();
        assert_eq!((error.rule(), error.class()), (Rule::Alb1TreePlace, Class::Inexpressible));
        assert_eq!(error.path().to_string(), "objects[1]");
        assert!(error.found().starts_with("object 3 at x "), "{error}");
        let mut tree = Tree::empty(&grid(Version::V4));
        let error = tree.insert(1, object(3, x, y), colour).unwrap_err();
        assert_eq!(error.rule(), Rule::Alb1TreePlace);
        assert_eq!(tree, Tree::empty(&grid(Version::V4)));
    }
}

/// A tree of few levels, so that every byte of it can be changed.
fn small(version: Version) -> Tree {
    let grid = Grid::new(version, Grid::ROOTS[0]).with_levels(1, 3).unwrap();
    Tree::build(&grid, some_objects(), colour).unwrap()
}

#[test]
fn every_prefix_of_a_tree_is_refused() {
    for version in [Version::V3, Version::V4] {
        let tree = small(version);
        let mut bytes = tree.to_vec().unwrap();
        for length in 0..bytes.len() {
            let error = Tree::read(&bytes[..length], version).unwrap_err();
            assert_eq!((error.rule(), error.class()), (Rule::InputComplete, Class::Malformed));
            assert!(error.offset() <= length as u64, "{length}: {error}");
        }
        bytes.push(0);
        let error = Tree::read(&bytes, version).unwrap_err();
        assert_eq!((error.rule(), error.offset()), (Rule::Alb1TreeFilled, bytes.len() as u64 - 1));
    }
}

#[test]
fn every_changed_byte_is_refused_or_written_back() {
    for version in [Version::V3, Version::V4] {
        let bytes = small(version).to_vec().unwrap();
        let mut accepted = 0;
        for at in 0..bytes.len() {
            for value in [0, 1, 0x0F, 0x10, 0x7F, 0x80, 0xFF, bytes[at] ^ 1] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                if let Ok(tree) = Tree::read(&bytes, version) {
                    assert!(tree.to_vec().unwrap() == bytes, "{at}: {value}");
                    accepted += 1;
                }
            }
        }
        assert!(accepted > bytes.len());
    }
}

#[test]
fn what_the_format_rules_out_is_refused() {
    let version = Version::V4;
    let tree = small(version);
    let read = |change: &dyn Fn(&mut Tree, &mut Vec<u8>)| {
        let (mut tree, mut bytes) = (tree.clone(), tree.to_vec().unwrap());
        change(&mut tree, &mut bytes);
        Tree::read(&bytes, version).unwrap_err()
    };
    let kind = read(&|_, bytes| bytes[0] = 2);
    assert_eq!((kind.rule(), kind.offset()), (Rule::Alb1TreeNode, 0));
    let high = read(&|_, bytes| bytes[41] = 0x1F);
    assert_eq!((high.rule(), high.found()), (Rule::Alb1TreeNode, "the child mask 0x1f"));
    let none = read(&|_, bytes| bytes[0] = 0xFF);
    assert_eq!(none.rule(), Rule::Alb1TreeNode);
    // The first leaf: behind the root, a node, and a node of leaves.
    let leaf = 3 * version.node_size();
    for (count, rule) in [(-1, Rule::Alb1TreeCount), (i32::MAX, Rule::InputComplete)] {
        let groups = read(&|_, bytes| {
            bytes[leaf + 40..leaf + 44].copy_from_slice(&i32::to_le_bytes(count));
        });
        assert_eq!((groups.rule(), groups.offset()), (rule, leaf as u64));
        assert_eq!(groups.path().to_string(), "nw.nw.nw");
        let objects = read(&|_, bytes| {
            bytes[leaf + 44..leaf + 48].copy_from_slice(&i32::to_le_bytes(count));
        });
        assert_eq!((objects.rule(), objects.offset()), (rule, leaf as u64 + 44));
        assert_eq!(objects.path().to_string(), "nw.nw.nw.groups[0]");
    }
}

#[test]
fn a_tree_deeper_than_any_is_refused() {
    let mut tree = Tree { version: Version::V3, ..Tree::default() };
    let inner = small(Version::V3).nodes[0];
    let (kind, children) = (Children::Nodes.kind(), 8.into());
    tree.nodes = vec![Node { kind, children, ..inner }; 64];
    tree.nodes.push(Node { kind, children: 0.into(), ..inner });
    let bytes = tree.to_vec().unwrap();
    assert_eq!(Tree::read(&bytes, Version::V3).unwrap(), tree);
    tree.nodes.insert(0, tree.nodes[0]);
    assert_eq!(tree.to_vec().unwrap_err().rule(), Rule::DepthLimit);
    let bytes = [&bytes[..26], &bytes[..]].concat();
    let error = Tree::read(&bytes, Version::V3).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (Rule::DepthLimit, 64 * 26));
    assert_eq!(error.path().steps().len(), 64);
}

#[test]
fn what_is_irregular_but_real_is_accepted() {
    for version in [Version::V3, Version::V4] {
        let mut tree = small(version);
        // A leaf with a main template and no groups, ...
        let removed = tree.leaves[0].group_count as usize;
        let objects: i32 = tree.groups.drain(..removed).map(|group| group.object_count).sum();
        tree.objects.drain(..objects as usize);
        tree.leaves[0].group_count = 0;
        // ... one with an empty group, ...
        tree.groups.insert(0, Group { object_count: 0, template: 1 });
        tree.leaves[1].group_count += 1;
        // ... the same template in all groups, an object far away, a level that is not the depth.
        for group in &mut tree.groups {
            group.template = 1;
        }
        tree.objects[0].x = f64::INFINITY;
        tree.nodes[1].level = -5;
        let bytes = tree.to_vec().unwrap();
        assert_eq!(Tree::read(&bytes, version).unwrap(), tree);
    }
}

#[test]
fn lists_that_do_not_agree_are_refused_before_a_byte_is_written() {
    let tree = small(Version::V3);
    let changes: [fn(&mut Tree); 9] = [
        |tree| drop(tree.nodes.pop()),
        |tree| tree.nodes.push(tree.nodes[0]),
        |tree| drop(tree.leaves.pop()),
        |tree| tree.leaves.push(tree.leaves[0]),
        |tree| drop(tree.groups.pop()),
        |tree| tree.groups.push(tree.groups[0]),
        |tree| drop(tree.objects.pop()),
        |tree| tree.objects.push(tree.objects[0]),
        |tree| *tree = Tree::default(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut tree = tree.clone();
        change(&mut tree);
        let mut written = Vec::new();
        let error = tree.write_to(&mut written).unwrap_err();
        assert_eq!((error.rule(), error.class()), (Rule::Alb1TreeParts, Class::Inexpressible));
        assert!(written.is_empty(), "{number}");
        assert_eq!(tree.to_vec().unwrap_err(), error);
    }
    // Numbers that 32 bits do not hold.
    let mut tree = tree;
    tree.nodes[2].bounds.x0 = 0.1;
    let error = tree.to_vec().unwrap_err();
    assert_eq!((error.rule(), error.offset()), (Rule::Alb1TreeBox, 52));
    tree.version = Version::V4;
    assert_eq!(Tree::read(&tree.to_vec().unwrap(), Version::V4).unwrap(), tree);
}

#[test]
fn every_box_is_found_and_no_other() {
    for version in [Version::V3, Version::V4] {
        for root in Grid::ROOTS {
            let grid = Grid::new(version, root);
            let mut state = 1_u64;
            for level in 0..=Grid::LEAVES {
                for _ in 0..50 {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let (x, y) = (state >> 40, state >> 16 & 0xFF_FFFF);
                    let cell = Cell { level, x: x % (1 << level), y: y % (1 << level) };
                    let bounds = grid.cell(cell);
                    assert_eq!(grid.find(&bounds), Some(cell));
                    let mut other = bounds;
                    other.x1 = f64::from_bits(other.x1.to_bits() ^ 1);
                    assert_eq!(grid.find(&other), None);
                    let middle = [(bounds.x0, bounds.x1), (bounds.y0, bounds.y1)]
                        .map(|(low, high)| low + (high - low) / 2.0);
                    let leaf = grid.leaf_at(middle[0], middle[1]).unwrap();
                    assert_eq!(leaf.up_to(level), cell);
                }
            }
            assert_eq!(grid.find(&Default::default()), None);
        }
    }
}

#[cfg(feature = "arbitrary")]
#[test]
fn every_arbitrary_tree_comes_back() {
    use formwork::generate::arbitrary::{Arbitrary, Unstructured};
    let mut state = 7_u64;
    let (mut leaves, mut objects) = (0, 0);
    for round in 0..2000 {
        let mut seed = vec![0; round * 2];
        for byte in &mut seed {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *byte = state as u8;
        }
        let tree = Tree::arbitrary(&mut Unstructured::new(&seed)).unwrap();
        let bytes = tree.to_vec().unwrap();
        let read = Tree::read(&bytes, tree.version).unwrap();
        assert_eq!(format!("{read:?}"), format!("{tree:?}"));
        assert!(read.to_vec().unwrap() == bytes);
        leaves += tree.leaves.len();
        objects += tree.objects.len();
    }
    println!("{leaves} leaves, {objects} objects");
    assert!(leaves > 1000 && objects > 1000);
}
