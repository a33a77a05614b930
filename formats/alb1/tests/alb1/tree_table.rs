//! Tables of grids and of edits of small trees: what goes in, and every node, leaf, group and object that comes out.

use std::fmt::Write as _;

use formwork_alb1::tree::{
    BoundingBox, Cell, Colour, Grid, Group, Leaf, Object, Tree, TreeItem, TreeWalk, Version,
    misplaced, rule,
};

/// A square of sixteen metres, with cells of eight and leaves of four.
fn grid(version: Version) -> Grid {
    let root = BoundingBox { x0: 0.0, y0: 0.0, x1: 16.0, y1: 16.0 };
    Grid::new(version, root).with_levels(1, 2).unwrap()
}

fn colour(template: u32) -> Colour {
    Colour::from(0x100 + template)
}

fn object(id: u32, x: f64, y: f64) -> Object {
    Object { id, x, y, scale: 1.0, ..Object::default() }
}

/// Returns a tree in lines: `place box colour level mask` of nodes, `place box colour main` of leaves, and the groups
/// with the ids of their objects.
pub(crate) fn shown(tree: &Tree) -> Vec<String> {
    let bytes = tree.to_vec().unwrap();
    assert_eq!(misplaced(&bytes, tree.version).next(), None);
    let mut lines = Vec::new();
    for stop in TreeWalk::new(&bytes, tree.version) {
        let stop = stop.unwrap();
        let names: Vec<_> = stop.cell.names().collect();
        let place = if names.is_empty() { "root".to_owned() } else { names.join(".") };
        let mut line = String::new();
        match stop.item {
            TreeItem::Node(node) => {
                let (colour, mask) = (u32::from(node.colour), u8::from(node.children));
                let bounds = node.bounds.to_array();
                write!(line, "{place} {bounds:?} {colour} {} {mask:04b}", node.level).unwrap();
                assert_eq!(node.kind == -1, mask == 0, "{line}");
            }
            TreeItem::Leaf(Leaf { bounds, colour, template, .. }) => {
                let (colour, bounds) = (u32::from(colour), bounds.to_array());
                write!(line, "{place} {bounds:?} {colour} main {template}").unwrap();
            }
            TreeItem::Group { template, objects } => {
                let ids: Vec<u32> = objects.iter().map(|object| object.id).collect();
                write!(line, "  {template}: {ids:?}").unwrap();
            }
        }
        lines.push(line);
    }
    lines
}

#[test]
fn a_point_on_a_border_is_in_the_east_and_in_the_north_of_it() {
    for version in [Version::V3, Version::V4] {
        let grid = grid(version);
        for ((x, y), expected) in [
            ((0.0, 0.0), Some((0, 0))),
            ((-0.0, -0.0), Some((0, 0))),
            ((3.9, 4.0), Some((0, 1))),
            ((4.0, 3.9), Some((1, 0))),
            ((4.0, 4.0), Some((1, 1))),
            ((7.9, 8.0), Some((1, 2))),
            ((8.0, 7.9), Some((2, 1))),
            ((8.0, 8.0), Some((2, 2))),
            ((12.0, 8.0), Some((3, 2))),
            ((8.0, 12.0), Some((2, 3))),
            ((15.9, 0.0), Some((3, 0))),
            ((0.0, 15.9), Some((0, 3))),
            ((15.9, 15.9), Some((3, 3))),
            ((16.0, 0.0), None),
            ((0.0, 16.0), None),
            ((-0.1, 0.0), None),
            ((0.0, -0.1), None),
            ((f64::NAN, 0.0), None),
            ((0.0, f64::NAN), None),
            ((f64::INFINITY, 0.0), None),
        ] {
            let found = grid.leaf_at(x, y);
            assert_eq!(found, expected.map(|(x, y)| Cell { level: 2, x, y }), "{x} {y}");
            // The borders of the leaf say the same.
            if let Some(cell) = found {
                assert!(grid.cell(cell).contains(x, y), "{x} {y}");
            }
        }
    }
}

#[test]
fn a_cell_has_the_bits_that_lead_to_it() {
    let nw = Cell { level: 1, x: 0, y: 1 };
    assert_eq!(
        [0, 1, 2, 3].map(|bit| Cell::default().child(bit)),
        [
            nw,
            Cell { level: 1, x: 1, y: 1 },
            Cell { level: 1, x: 0, y: 0 },
            Cell { level: 1, x: 1, y: 0 },
        ]
    );
    // West to east and south to north: 5 of 8 columns, 3 of 8 rows.
    let cell = Cell { level: 3, x: 5, y: 3 };
    assert_eq!([0, 1, 2, 3, 4].map(|level| cell.bit(level)), [0, 3, 0, 1, 1]);
    assert_eq!(cell.names().collect::<Vec<_>>(), ["se", "nw", "ne"]);
    assert_eq!(cell.up_to(2), Cell { level: 2, x: 2, y: 1 });
    assert_eq!(cell.up_to(1), Cell { level: 1, x: 1, y: 0 });
    assert_eq!((cell.up_to(0), cell.up_to(3), cell.up_to(9)), (Cell::default(), cell, cell));
    let deep = Cell { level: 65, x: u64::MAX, y: 0 };
    assert_eq!((deep.bit(65), deep.bit(2), deep.bit(1)), (3, 3, 0));
}

#[test]
fn only_exact_boxes_are_found() {
    for version in [Version::V3, Version::V4] {
        let grid = grid(version);
        assert_eq!(grid.find(&grid.root()), Some(Cell::default()));
        for level in 1..=2_u32 {
            for (x, y) in (0..1 << level).flat_map(|x| (0..1 << level).map(move |y| (x, y))) {
                let cell = Cell { level, x, y };
                let size = 16.0 / f64::from(1 << level);
                let bounds = BoundingBox {
                    x0: x as f64 * size,
                    y0: y as f64 * size,
                    x1: (x + 1) as f64 * size,
                    y1: (y + 1) as f64 * size,
                };
                assert_eq!(grid.cell(cell), bounds);
                assert_eq!(grid.find(&bounds), Some(cell));
                // Another number in one border is no box.
                for part in 0..4 {
                    for other in [f64::next_up as fn(f64) -> f64, f64::next_down] {
                        let mut near = bounds;
                        let BoundingBox { x0, y0, x1, y1 } = &mut near;
                        let border = [x0, y0, x1, y1].into_iter().nth(part).unwrap();
                        *border = other(*border);
                        assert_eq!(grid.find(&near), None, "{near:?}");
                    }
                }
            }
        }
        for (x0, y0, x1, y1) in [
            // Smaller than a leaf, not a quarter, elsewhere.
            (0.0, 0.0, 2.0, 2.0),
            (2.0, 2.0, 6.0, 6.0),
            (0.0, 0.0, 8.0, 16.0),
            (16.0, 0.0, 32.0, 16.0),
            (-8.0, 0.0, 0.0, 8.0),
            (-0.0, 0.0, 8.0, 8.0),
            (f64::NAN, 0.0, 8.0, 8.0),
            (0.0, 0.0, f64::INFINITY, 8.0),
        ] {
            assert_eq!(grid.find(&BoundingBox { x0, y0, x1, y1 }), None, "{x0} {y0} {x1} {y1}");
        }
    }
}

#[test]
fn levels_have_an_order_and_an_end() {
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    for (cells, leaves, sound) in [
        (0, 1, true),
        (0, 0, false),
        (1, 1, false),
        (2, 1, false),
        (9, 10, true),
        (10, 11, true),
        (10, 32, true),
        (10, 33, false),
        (11, 12, false),
    ] {
        let with = grid.with_levels(cells, leaves);
        let found = with.map(|it| (it.cells(), it.leaves()));
        assert_eq!(found, sound.then_some((cells, leaves)), "{cells} {leaves}");
    }
}

#[test]
fn the_grid_of_a_tree_is_that_of_its_first_empty_cell_and_leaf() {
    let at = |x, y| [(7, object(0, x, y))];
    for (cells, leaves) in [(1, 2), (1, 4), (3, 4), (2, 7)] {
        let grid = grid(Version::V4).with_levels(cells, leaves).unwrap();
        let tree = Tree::build(&grid, at(1.0, 1.0), colour).unwrap();
        assert_eq!(Grid::of(&tree), Ok(grid), "{cells} {leaves}");
    }
    // Also where a leaf comes before the first empty cell.
    let grid_of = grid(Version::V4).with_levels(1, 4).unwrap();
    let tree = Tree::build(&grid_of, at(1.0, 9.0), colour).unwrap();
    assert_eq!(Grid::of(&tree), Ok(grid_of));
    // Without a leaf they are where real files have them, and without an empty cell above the leaves.
    let empty = Tree::empty(&grid(Version::V3));
    assert_eq!(Grid::of(&empty), Ok(grid(Version::V3).with_levels(1, Grid::LEAVES).unwrap()));
    for (leaves, cells) in [(1, 0), (2, 1), (8, 7), (9, 8), (10, 8)] {
        let made = grid(Version::V4).with_levels(0, leaves).unwrap();
        let tree = Tree::build(&made, at(1.0, 1.0), colour).unwrap();
        let expected = made.with_levels(cells, leaves).unwrap();
        assert_eq!(Grid::of(&tree), Ok(expected), "{leaves}");
    }
    // No grid has its empty cells on the level of its leaves.
    let mut flat = Tree::build(&grid(Version::V4), at(1.0, 9.0), colour).unwrap();
    let below = flat.nodes[1];
    assert_eq!(u8::from(below.children), 0b0100);
    flat.nodes[0].children = 0b0001.into();
    flat.nodes.truncate(2);
    flat.nodes[0].kind = 16;
    flat.nodes.truncate(1);
    flat.leaves[0].bounds = below.bounds;
    assert_eq!(Grid::of(&flat).unwrap().leaves(), 1);
    assert_eq!(Grid::of(&Tree::default()).unwrap_err().rule(), rule::PARTS);
}

const ROOT: &str = "root [0.0, 0.0, 16.0, 16.0] 0 0 1111";
const NW: &str = "nw [0.0, 8.0, 8.0, 16.0] 0 1 0000";
const NE: &str = "ne [8.0, 8.0, 16.0, 16.0] 0 1 0000";
const SW: &str = "sw [0.0, 0.0, 8.0, 8.0] 0 1 0000";
const SE: &str = "se [8.0, 0.0, 16.0, 8.0] 0 1 0000";

#[test]
fn an_object_is_put_into_its_leaf_and_nothing_else_changes() {
    let mut tree = Tree::empty(&grid(Version::V4));
    assert_eq!(shown(&tree), [ROOT, NW, NE, SW, SE]);
    // Nothing says where the leaves of an empty tree are.
    tree = Tree::build(&grid(Version::V4), [(7, object(0, 9.0, 1.0))], colour).unwrap();
    let se =
        ["se [8.0, 0.0, 16.0, 8.0] 0 1 0100", "se.sw [8.0, 0.0, 12.0, 4.0] 263 main 7", "  7: [0]"];
    assert_eq!(shown(&tree), [&[ROOT, NW, NE, SW][..], &se].concat());
    // Into another node, before all others.
    tree.insert(9, object(1, 4.0, 12.0), colour).unwrap();
    let nw = [
        "nw [0.0, 8.0, 8.0, 16.0] 0 1 0010",
        "nw.ne [4.0, 12.0, 8.0, 16.0] 265 main 9",
        "  9: [1]",
    ];
    assert_eq!(shown(&tree), [&[ROOT][..], &nw, &[NE, SW], &se].concat());
    // A leaf beside it, and one behind it.
    tree.insert(5, object(2, 3.9, 12.0), colour).unwrap();
    tree.insert(5, object(3, 4.0, 11.9), colour).unwrap();
    let nw = [
        "nw [0.0, 8.0, 8.0, 16.0] 0 1 1011",
        "nw.nw [0.0, 12.0, 4.0, 16.0] 261 main 5",
        "  5: [2]",
        "nw.ne [4.0, 12.0, 8.0, 16.0] 265 main 9",
        "  9: [1]",
        "nw.se [4.0, 8.0, 8.0, 12.0] 261 main 5",
        "  5: [3]",
    ];
    assert_eq!(shown(&tree), [&[ROOT][..], &nw, &[NE, SW], &se].concat());
    // As the last of its template; another template behind the others, which stays the second.
    for (template, id) in [(9, 4), (8, 5), (9, 6), (8, 7), (3, 8)] {
        tree.insert(template, object(id, 5.0, 13.0), |_| Colour::from(1)).unwrap();
    }
    let mut nw = nw.to_vec();
    nw.splice(4..5, ["  9: [1, 4, 6]", "  8: [5, 7]", "  3: [8]"]);
    assert_eq!(shown(&tree), [&[ROOT][..], &nw, &[NE, SW], &se].concat());
    // Where the leaf is empty, what comes is its main template.
    tree.remove(0, colour).unwrap().unwrap();
    let mut se = se.to_vec();
    se[1] = "se.sw [8.0, 0.0, 12.0, 4.0] 0 main 0";
    se.pop();
    assert_eq!(shown(&tree), [&[ROOT][..], &nw, &[NE, SW], &se].concat());
    tree.insert(2, object(9, 8.0, 0.0), colour).unwrap();
    se[1] = "se.sw [8.0, 0.0, 12.0, 4.0] 258 main 2";
    se.push("  2: [9]");
    assert_eq!(shown(&tree), [&[ROOT][..], &nw, &[NE, SW], &se].concat());
    let before = tree.clone();
    let error = tree.insert(2, object(10, 16.0, 0.0), colour).unwrap_err();
    assert_eq!((error.rule(), tree == before), (rule::PLACE, true));
}

#[test]
fn nodes_are_made_down_to_the_leaf() {
    let grid = grid(Version::V3).with_levels(1, 4).unwrap();
    let mut tree = Tree::build(&grid, [(7, object(0, 0.0, 0.0))], colour).unwrap();
    tree.insert(8, object(1, 15.5, 15.5), colour).unwrap();
    let sw = [
        "sw [0.0, 0.0, 8.0, 8.0] 0 1 0100",
        "sw.sw [0.0, 0.0, 4.0, 4.0] 0 2 0100",
        "sw.sw.sw [0.0, 0.0, 2.0, 2.0] 0 3 0100",
        "sw.sw.sw.sw [0.0, 0.0, 1.0, 1.0] 263 main 7",
        "  7: [0]",
    ];
    let ne = [
        "ne [8.0, 8.0, 16.0, 16.0] 0 1 0010",
        "ne.ne [12.0, 12.0, 16.0, 16.0] 0 2 0010",
        "ne.ne.ne [14.0, 14.0, 16.0, 16.0] 0 3 0010",
        "ne.ne.ne.ne [15.0, 15.0, 16.0, 16.0] 264 main 8",
        "  8: [1]",
    ];
    assert_eq!(shown(&tree), [&[ROOT, NW][..], &ne, &sw, &[SE]].concat());
    // Only what is not there is made.
    tree.insert(8, object(2, 14.5, 12.5), colour).unwrap();
    let ne = [
        "ne [8.0, 8.0, 16.0, 16.0] 0 1 0010",
        "ne.ne [12.0, 12.0, 16.0, 16.0] 0 2 1010",
        "ne.ne.ne [14.0, 14.0, 16.0, 16.0] 0 3 0010",
        "ne.ne.ne.ne [15.0, 15.0, 16.0, 16.0] 264 main 8",
        "  8: [1]",
        "ne.ne.se [14.0, 12.0, 16.0, 14.0] 0 3 0100",
        "ne.ne.se.sw [14.0, 12.0, 15.0, 13.0] 264 main 8",
        "  8: [2]",
    ];
    assert_eq!(shown(&tree), [&[ROOT, NW][..], &ne, &sw, &[SE]].concat());
}

#[test]
fn leaves_on_another_level_are_no_place_for_nodes() {
    let grid = grid(Version::V4);
    // Of the first leaf the level is 2; in the south east there is one on level 1.
    let tree = Tree::build(&grid, [(7, object(0, 1.0, 9.0))], colour).unwrap();
    let mut mixed = tree.clone();
    mixed.nodes[0].kind = 1;
    let sw = mixed.nodes.len() - 2;
    (mixed.nodes[sw].kind, mixed.nodes[sw].children) = (1, 0b0001.into());
    let below = grid.cell(Cell { level: 2, x: 0, y: 1 });
    let inner = formwork_alb1::tree::Node { kind: -1, bounds: below, level: 2, ..tree.nodes[1] };
    let inner = formwork_alb1::tree::Node { children: 0.into(), ..inner };
    mixed.nodes.insert(sw + 1, inner);
    mixed.size().unwrap();
    for (x, y, fits) in [(1.0, 9.0, true), (5.0, 9.0, true), (9.0, 1.0, true), (1.0, 5.0, false)] {
        let mut edited = mixed.clone();
        let found = edited.insert(7, object(1, x, y), colour);
        assert_eq!(found.is_ok(), fits, "{x} {y}");
        if !fits {
            let error = found.unwrap_err();
            assert_eq!((error.rule(), error.expected()), (rule::GRID, "leaves on level 2 only"));
            assert_eq!(edited, mixed);
        }
    }
    // A child that is a node beside the place of the leaf, too.
    let mut edited = mixed.clone();
    let error = edited.insert(7, object(1, 5.0, 1.0), colour).unwrap_err();
    assert_eq!((error.rule(), edited == mixed), (rule::GRID, true));
}

#[test]
fn a_leaf_above_the_others_is_no_place_for_an_object() {
    // Leaves are on level 3; in the south east there is one on level 2, around the place of the object.
    let grid = grid(Version::V4).with_levels(1, 3).unwrap();
    let at = |id, x, y| (7, object(id, x, y));
    let mut tree = Tree::build(&grid, [at(0, 1.0, 9.0), at(1, 9.0, 1.0)], colour).unwrap();
    let above = tree.nodes.len() - 2;
    assert_eq!((tree.nodes[above].level, tree.nodes[above + 1].level), (1, 2));
    tree.leaves[1].bounds = tree.nodes[above + 1].bounds;
    tree.nodes[above].kind = 16;
    tree.nodes.pop();
    tree.size().unwrap();
    let before = tree.clone();
    for (x, y) in [(9.0, 1.0), (11.0, 3.0), (13.0, 1.0)] {
        let error = tree.insert(7, object(2, x, y), colour).unwrap_err();
        assert_eq!((error.rule(), error.expected()), (rule::GRID, "leaves on level 3 only"));
        assert_eq!(tree, before, "{x} {y}");
    }
    tree.insert(7, object(2, 1.0, 9.0), colour).unwrap();
    assert_eq!((tree.leaves.len(), tree.objects.len()), (2, 3));
}

/// A tree with one leaf between two others, whose groups are these: template and ids. Its main template and colour
/// are of an earlier day.
fn leaf_of(groups: &[(u32, &[u32])], main: u32) -> Tree {
    let mut tree = Tree::build(
        &grid(Version::V4),
        [(7, object(100, 1.0, 9.0)), (7, object(101, 5.0, 9.0)), (7, object(102, 9.0, 1.0))],
        colour,
    )
    .unwrap();
    (tree.leaves[1].template, tree.leaves[1].colour) = (main, Colour::from(1));
    tree.leaves[1].group_count = groups.len() as i32;
    tree.groups.remove(1);
    tree.objects.remove(1);
    let mut at = 1;
    for (position, (template, ids)) in groups.iter().enumerate() {
        let count = ids.len() as i32;
        let group = Group { object_count: count, template: *template, ..Group::default() };
        tree.groups.insert(1 + position, group);
        for id in *ids {
            tree.objects.insert(at, object(*id, 5.0, 9.0));
            at += 1;
        }
    }
    tree.size().unwrap();
    tree
}

#[test]
fn the_main_template_changes_only_when_it_is_gone() {
    type Groups<'g> = &'g [(u32, &'g [u32])];
    let rows: &[(Groups<'_>, u32, u32, Option<u32>, Groups<'_>, u32, u32)] = &[
        // Groups, main; the id; of which template it was; groups, main and colour then.
        (&[(7, &[1, 2]), (9, &[3])], 7, 1, Some(7), &[(7, &[2]), (9, &[3])], 7, 1),
        (&[(7, &[1, 2]), (9, &[3])], 7, 2, Some(7), &[(7, &[1]), (9, &[3])], 7, 1),
        // Another group goes: the main one stays, also where it is not the largest.
        (&[(7, &[1, 2]), (9, &[3])], 7, 3, Some(9), &[(7, &[1, 2])], 7, 1),
        (&[(7, &[1]), (9, &[3]), (5, &[4, 5])], 7, 3, Some(9), &[(7, &[1]), (5, &[4, 5])], 7, 1),
        (&[(9, &[3]), (5, &[4, 5]), (7, &[1])], 7, 3, Some(9), &[(5, &[4, 5]), (7, &[1])], 7, 1),
        // It goes itself: the largest, of equal ones the first.
        (&[(7, &[1]), (9, &[3])], 7, 1, Some(7), &[(9, &[3])], 9, 265),
        (&[(7, &[1]), (9, &[3]), (5, &[4, 5])], 7, 1, Some(7), &[(9, &[3]), (5, &[4, 5])], 5, 261),
        (&[(9, &[3]), (7, &[1]), (5, &[4])], 7, 1, Some(7), &[(9, &[3]), (5, &[4])], 9, 265),
        (&[(9, &[3]), (5, &[4]), (7, &[1])], 7, 1, Some(7), &[(9, &[3]), (5, &[4])], 9, 265),
        // A template twice: one of its groups is left.
        (&[(7, &[1]), (7, &[2]), (9, &[3])], 7, 1, Some(7), &[(7, &[2]), (9, &[3])], 7, 1),
        // A main template that no group had.
        (&[(9, &[3, 4]), (5, &[6])], 7, 6, Some(5), &[(9, &[3, 4])], 9, 265),
        (&[(9, &[3, 4]), (5, &[6])], 7, 3, Some(9), &[(9, &[4]), (5, &[6])], 7, 1),
        // The last one; and one that is left is an empty group.
        (&[(7, &[1])], 7, 1, Some(7), &[], 0, 0),
        (&[(7, &[1]), (9, &[])], 7, 1, Some(7), &[(9, &[])], 9, 265),
        // Of two with one id the first goes.
        (&[(9, &[1, 4, 4]), (7, &[4])], 9, 4, Some(9), &[(9, &[1, 4]), (7, &[4])], 9, 1),
        // None.
        (&[(7, &[1])], 7, 2, None, &[(7, &[1])], 7, 1),
        (&[], 0, 2, None, &[], 0, 1),
    ];
    for (groups, main, id, template, left, new_main, new_colour) in rows {
        let mut tree = leaf_of(groups, *main);
        let removed = tree.remove(*id, colour).unwrap();
        assert_eq!(
            removed.map(|(template, object)| (template, object.id)),
            template.map(|it| (it, *id))
        );
        let mut expected = leaf_of(left, *new_main);
        expected.leaves[1].colour = Colour::from(*new_colour);
        assert_eq!(tree, expected, "{groups:?} without {id}");
    }
    // In the first and in the last leaf; the others stay.
    for (id, leaf) in [(100, 0), (102, 2)] {
        let mut tree = leaf_of(&[(7, &[1]), (9, &[2])], 9);
        let mut expected = tree.clone();
        tree.remove(id, colour).unwrap().unwrap();
        (expected.leaves[leaf].template, expected.leaves[leaf].colour) = (0, Colour::from(0));
        expected.leaves[leaf].group_count = 0;
        expected.groups.remove(if leaf == 0 { 0 } else { 3 });
        expected.objects.remove(if leaf == 0 { 0 } else { 3 });
        assert_eq!(tree, expected, "{id}");
    }
    // A tree whose lists do not agree stays as it is.
    let mut broken = leaf_of(&[(7, &[1])], 7);
    broken.objects.pop();
    let before = broken.clone();
    assert_eq!(broken.remove(102, colour).unwrap_err().rule(), rule::PARTS);
    assert_eq!(broken, before);
}

#[test]
fn a_tree_built_anew_keeps_the_leaves_of_what_did_not_move() {
    let mut tree = leaf_of(&[(7, &[1, 2]), (9, &[3, 4, 5])], 7);
    // An object of the leaf that is outside of it.
    tree.objects[1].x = 4.5;
    tree.objects[2].x = 3.0;
    let all: Vec<(u32, Object)> = tree.placed().map(|(hash, object)| (hash, *object)).collect();
    assert_eq!(tree.rebuild(all.clone(), colour).unwrap(), tree);
    // Moved to the north: it is in the leaf of its new place; the main template is still there.
    let mut moved = all.clone();
    moved[2].1.y += 3.0;
    let expected = [
        ROOT,
        "nw [0.0, 8.0, 8.0, 16.0] 0 1 1101",
        "nw.nw [0.0, 12.0, 4.0, 16.0] 263 main 7",
        "  7: [2]",
        "nw.sw [0.0, 8.0, 4.0, 12.0] 263 main 7",
        "  7: [100]",
        "nw.se [4.0, 8.0, 8.0, 12.0] 1 main 7",
        "  7: [1]",
        "  9: [3, 4, 5]",
        NE,
        SW,
        "se [8.0, 0.0, 16.0, 8.0] 0 1 0100",
        "se.sw [8.0, 0.0, 12.0, 4.0] 263 main 7",
        "  7: [102]",
    ];
    assert_eq!(shown(&tree.rebuild(moved, colour).unwrap()), expected);
    // Without its main template a leaf has that with most objects.
    let rest = all.into_iter().filter(|(hash, object)| *hash == 9 || object.id >= 100);
    let rest = tree.rebuild(rest, colour).unwrap();
    assert_eq!(shown(&rest)[4..6], ["nw.se [4.0, 8.0, 8.0, 12.0] 265 main 9", "  9: [3, 4, 5]"]);
}
