//! The bytes and lists of a quadtree that are accepted, and those that are refused.

use formwork::Deferred;
use formwork::{ErrorKind, Rule};
use formwork_alb1::tree;
use formwork_alb1::tree::{Children, Grid, Group, Node, Tree, Version};
use formwork_testkit::Noise;

use crate::tree_build::{colour, some_objects};

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
            assert_eq!((error.rule(), error.kind()), (Rule::INPUT_COMPLETE, ErrorKind::Malformed));
            assert!(error.offset() <= length as u64, "{length}: {error}");
        }
        bytes.push(0);
        let error = Tree::read(&bytes, version).unwrap_err();
        assert_eq!((error.rule(), error.offset()), (tree::rule::FILLED, bytes.len() as u64 - 1));
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
    assert_eq!((kind.rule(), kind.offset()), (tree::rule::NODE, 0));
    let high = read(&|_, bytes| bytes[41] = 0x1F);
    assert_eq!((high.rule(), high.found()), (tree::rule::NODE, "the child mask 0x1f"));
    let none = read(&|_, bytes| bytes[0] = 0xFF);
    assert_eq!(none.rule(), tree::rule::NODE);
    // The first leaf: after the root, a node, and a node of leaves.
    let leaf = 3 * version.node_size();
    for (count, rule) in [(-1, tree::rule::COUNT), (i32::MAX, Rule::INPUT_COMPLETE)] {
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
    assert_eq!(tree.to_vec().unwrap_err().rule(), Rule::DEPTH_LIMIT);
    let bytes = [&bytes[..26], &bytes[..]].concat();
    let error = Tree::read(&bytes, Version::V3).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (Rule::DEPTH_LIMIT, 64 * 26));
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
        tree.groups.insert(0, Group { object_count: 0, template: 1, objects: Deferred::HERE });
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
        |tree| tree.nodes.truncate(tree.nodes.len() - 1),
        |tree| tree.nodes.push(tree.nodes[0]),
        |tree| tree.leaves.truncate(tree.leaves.len() - 1),
        |tree| tree.leaves.push(tree.leaves[0]),
        |tree| tree.groups.truncate(tree.groups.len() - 1),
        |tree| tree.groups.push(tree.groups[0]),
        |tree| tree.objects.truncate(tree.objects.len() - 1),
        |tree| tree.objects.push(tree.objects[0]),
        |tree| *tree = Tree::default(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut tree = tree.clone();
        change(&mut tree);
        let mut written = Vec::new();
        let error = tree.write_to(&mut written).unwrap_err();
        assert_eq!((error.rule(), error.kind()), (tree::rule::PARTS, ErrorKind::Unrepresentable));
        assert!(written.is_empty(), "{number}");
        assert_eq!(tree.to_vec().unwrap_err(), error);
    }
    // Numbers that 32 bits do not hold.
    let mut tree = tree;
    tree.nodes[2].bounds.x0 = 0.1;
    let error = tree.to_vec().unwrap_err();
    assert_eq!((error.rule(), error.offset()), (tree::rule::BOX, 52));
    tree.version = Version::V4;
    assert_eq!(Tree::read(&tree.to_vec().unwrap(), Version::V4).unwrap(), tree);
}

#[test]
fn every_arbitrary_tree_comes_back() {
    use arbitrary::{Arbitrary, Unstructured};
    let mut noise = Noise::new(7);
    let (mut leaves, mut objects) = (0, 0);
    for round in 0..2000 {
        let seed = noise.bytes(round * 2);
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
