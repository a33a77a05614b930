//! Quadtrees from objects, and changes to them.

use formwork::ErrorKind;
use formwork_alb1::tree;
use formwork_alb1::tree::{Cell, Colour, Grid, Object, Tree, Version, groups};
use formwork_testkit::Noise;

/// The grid of new layers.
pub(crate) fn grid(version: Version) -> Grid {
    Grid::new(version, Grid::ROOTS[0])
}

/// Returns a different colour for every template.
pub(crate) fn colour(template: u32) -> Colour {
    Colour::from(0xFF00_0000 | template)
}

fn object(id: u32, x: f64, y: f64) -> Object {
    Object { x, y, yaw: 90.0, scale: 1.0, z: -0.5, id, ..Object::default() }
}

/// Objects that share leaves and templates, or do not.
pub(crate) fn some_objects() -> Vec<(u32, Object)> {
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
fn a_tree_without_an_empty_cell_has_a_grid() {
    let small = grid(Version::V4).with_levels(0, 1).unwrap();
    let tree = Tree::build(&small, [(7, object(0, 1.0, 1.0))], colour).unwrap();
    assert_eq!(Grid::of(&tree), Ok(small));
    let mut more = tree.clone();
    more.insert(7, object(1, 1_000_000.0, 1.0), colour).unwrap();
    assert_eq!((more.leaves.len(), more.objects.len()), (2, 2));
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
        // As in real files, empty leaves are kept ...
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
        assert_eq!((error.rule(), error.kind()), (tree::rule::PLACE, ErrorKind::Unrepresentable));
        assert_eq!(error.path().to_string(), "objects[1]");
        assert!(error.found().starts_with("object 3 at x "), "{error}");
        let mut tree = Tree::empty(&grid(Version::V4));
        let error = tree.insert(1, object(3, x, y), colour).unwrap_err();
        assert_eq!(error.rule(), tree::rule::PLACE);
        assert_eq!(tree, Tree::empty(&grid(Version::V4)));
    }
}

#[test]
fn every_box_is_found_and_no_other() {
    for version in [Version::V3, Version::V4] {
        for root in Grid::ROOTS {
            let grid = Grid::new(version, root);
            let mut noise = Noise::new(1);
            for level in 0..=Grid::LEAVES {
                for _ in 0..50 {
                    let (x, y) = (noise.number(), noise.number());
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
