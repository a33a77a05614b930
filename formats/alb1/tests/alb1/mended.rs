//! Tables of damaged quadtrees: what is found in them, in which leaf, and the exact bytes that are lost.

use std::collections::BTreeMap;

use formwork_alb1::recover::{Reason, Recovered, recover};
use formwork_alb1::terrain::{ObjectLayer, Root, hash};
use formwork_alb1::tree::{
    BoundingBox, Cell, Colour, Grid, Object, Tree, TreeItem, TreeWalk, Version, groups,
};
use formwork_alb1::{Document, Text};
use formwork_records::wire::Components;

use crate::tree_build::grid;

/// The template that the layer lists, and one that it does not.
const OAK: u32 = hash(b"oak");
const STRANGE: u32 = 77;

/// A leaf, one beside it, and one far away.
fn leaves(version: Version) -> [Cell; 3] {
    let at = |x, y| grid(version).leaf_at(x, y).unwrap();
    let first = at(200_000.0, 1_000.0);
    [first, Cell { x: first.x + 1, ..first }, at(300_000.0, 1_000.0)]
}

/// Makes the bytes of parts of a tree.
#[derive(Clone)]
struct Parts {
    version: Version,
    bytes: Vec<u8>,
}

impl Parts {
    fn new(version: Version) -> Self {
        Self { version, bytes: Vec::new() }
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn word(&mut self, word: u32) -> &mut Self {
        self.raw(&word.to_le_bytes())
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn bounds(&mut self, bounds: BoundingBox<f64>) -> &mut Self {
        for border in bounds.to_array() {
            match self.version {
                Version::V3 => self.raw(&(border as f32).to_le_bytes()),
                Version::V4 => self.raw(&border.to_le_bytes()),
            };
        }
        self
    }

    fn node(&mut self, cell: Cell, kind: i8, colour: u32, mask: u8) -> &mut Self {
        let bounds = grid(self.version).cell(cell);
        self.raw(&kind.to_le_bytes()).bounds(bounds).word(cell.level).word(colour).raw(&[mask])
    }

    /// The node of the root, with no children that follow.
    fn root(&mut self) -> &mut Self {
        self.node(Cell::default(), 1, 0, 0x0F)
    }

    fn leaf(&mut self, cell: Cell, colour: u32, template: u32, groups: i32) -> &mut Self {
        let bounds = grid(self.version).cell(cell);
        self.bounds(bounds).word(colour).word(template).word(groups as u32)
    }

    fn group(&mut self, count: u32, template: u32) -> &mut Self {
        self.word(count).word(template)
    }

    fn object(&mut self, object: Object) -> &mut Self {
        for word in object.to_components() {
            self.word(word);
        }
        self
    }
}

/// An object in the middle of a leaf.
fn object(version: Version, cell: Cell, id: u32) -> Object {
    let bounds = grid(version).cell(cell);
    let (x, y) = ((bounds.x0 + bounds.x1) / 2.0, (bounds.y0 + bounds.y1) / 2.0);
    Object { x, y, scale: 1.0, id, ..Object::default() }
}

/// A layer with this tree, that lists the template [`OAK`] and would give the next object this id.
fn layer(parts: &Parts, next_id: i32) -> (Vec<u8>, usize) {
    let mut layer = ObjectLayer::new(Text::new("trees").unwrap(), 1).unwrap();
    layer.version = parts.version.layer_version();
    layer.add_template(Text::new("oak").unwrap(), Text::new("trees").unwrap());
    (layer.tree, layer.next_object_id) = (parts.bytes.clone().into(), next_id);
    let bytes = layer.to_document().unwrap().to_vec().unwrap();
    let all = &parts.bytes[..];
    let start = bytes.windows(all.len()).position(|some| some == all).unwrap();
    (bytes, start)
}

/// Returns the leaves of a rescued layer, in lines, and the ranges of the damaged tree that were lost.
fn mended(parts: &Parts, next_id: i32) -> (Vec<String>, Vec<[usize; 2]>) {
    let (bytes, start) = layer(parts, next_id);
    let recovered = recover(&bytes);
    let tree = tree_of(&recovered);
    let known = leaves(parts.version);
    let mut lines = Vec::new();
    let whole = tree.to_vec().unwrap();
    for stop in TreeWalk::new(&whole, tree.version) {
        let stop = stop.unwrap();
        match stop.item {
            TreeItem::Leaf(leaf) => {
                let name = known.iter().position(|cell| *cell == stop.cell);
                let name = name.map_or("elsewhere", |at| ["first", "beside", "far"][at]);
                let (colour, template) = (u32::from(leaf.colour), leaf.template);
                lines.push(format!("{name}: {colour} main {template}"));
            }
            TreeItem::Group { template, objects } => {
                let ids: Vec<_> = objects.iter().map(|object| object.id).collect();
                lines.push(format!("  {template}: {ids:?}"));
            }
            TreeItem::Node(_) => {}
        }
    }
    (lines, unread(&recovered, start))
}

/// Returns the ranges that could not be read, of a tree that starts here.
fn unread(recovered: &Recovered, start: usize) -> Vec<[usize; 2]> {
    let lost = recovered.lost.iter().filter(|lost| lost.reason == Reason::Unreadable);
    lost.map(|lost| [lost.range.start, lost.range.end].map(|at| at as usize - start)).collect()
}

fn tree_of(recovered: &Recovered) -> Tree {
    let layer = ObjectLayer::of(&recovered.document).unwrap();
    Tree::read(&layer.tree, layer.tree_version()).unwrap()
}

/// The lines of one leaf with groups of [`OAK`] and others.
fn lines(leaves: &[(&str, u32, u32, &[(u32, &[u32])])]) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, colour, main, groups) in leaves {
        lines.push(format!("{name}: {colour} main {main}"));
        lines.extend(groups.iter().map(|(template, ids)| format!("  {template}: {ids:?}")));
    }
    lines
}

/// A root, a leaf with a group that says one object more than it has, and a leaf behind it; where the group starts and
/// ends.
fn with_lying_group(version: Version, objects: &[Object]) -> (Parts, [usize; 2]) {
    let [first, beside, _] = leaves(version);
    let mut parts = Parts::new(version);
    parts.root().leaf(first, 5, STRANGE, 1);
    let start = parts.len();
    parts.group(objects.len() as u32 + 1, STRANGE);
    for it in objects {
        parts.object(*it);
    }
    let end = parts.len();
    let other = object(version, beside, 0);
    parts.leaf(beside, 6, OAK, 1).group(1, OAK).object(other);
    (parts, [start, end])
}

#[test]
fn an_object_is_taken_where_its_numbers_are_those_of_one() {
    for version in [Version::V3, Version::V4] {
        let [first, ..] = leaves(version);
        let bounds = grid(version).cell(first);
        let plain = object(version, first, 8);
        let nan = f32::NAN;
        let rows = [
            (plain, true),
            (Object { id: 9, ..plain }, false),
            (Object { id: 10, ..plain }, false),
            (Object { id: u32::MAX, ..plain }, false),
            (Object { id: 0, ..plain }, true),
            (Object { x: bounds.x0 - 99.99, ..plain }, true),
            (Object { x: bounds.x0 - 100.01, ..plain }, false),
            (Object { x: bounds.x1 + 99.9, ..plain }, true),
            (Object { x: bounds.x1 + 100.1, ..plain }, false),
            (Object { y: bounds.y0 - 100.0, ..plain }, true),
            (Object { y: bounds.y0 - 100.1, ..plain }, false),
            (Object { y: bounds.y1 + 100.0, ..plain }, true),
            (Object { y: bounds.y1 + 100.1, ..plain }, false),
            (Object { x: f64::NAN, ..plain }, false),
            (Object { yaw: 360.0, ..plain }, true),
            (Object { yaw: 360.1, ..plain }, false),
            (Object { yaw: -0.1, ..plain }, false),
            (Object { pitch: 360.0, ..plain }, true),
            (Object { pitch: 360.1, ..plain }, false),
            (Object { pitch: -0.1, ..plain }, false),
            (Object { roll: 360.0, ..plain }, true),
            (Object { roll: 360.1, ..plain }, false),
            (Object { roll: nan, ..plain }, false),
            (Object { scale: 0.0001, ..plain }, true),
            (Object { scale: 0.00009, ..plain }, false),
            (Object { scale: 1_000.0, ..plain }, true),
            (Object { scale: 1_000.1, ..plain }, false),
            (Object { scale: -1.0, ..plain }, false),
            (Object { z: 99_999.9, ..plain }, true),
            (Object { z: 100_000.0, ..plain }, false),
            (Object { z: -99_999.9, ..plain }, true),
            (Object { z: -100_000.0, ..plain }, false),
            (Object { z: nan, ..plain }, false),
        ];
        // All in one tree, each in a leaf of its own: a group of two objects that has one.
        let mut parts = Parts::new(version);
        parts.root();
        let (mut kept, mut lost) = (BTreeMap::new(), Vec::new());
        for (number, (object, taken)) in (0..).zip(rows) {
            let cell = Cell { x: first.x + 8 * number, ..first };
            let shift = grid(version).cell(cell).x0 - bounds.x0;
            parts.leaf(cell, 5, STRANGE, 1);
            let start = parts.len();
            parts.group(2, STRANGE).object(Object { x: object.x + shift, ..object });
            match taken {
                true => drop(kept.insert(cell.x, object.id)),
                false => lost.push([start, parts.len()]),
            }
        }
        let last = Cell { x: first.x + 8 * 40, ..first };
        parts.leaf(last, 6, STRANGE, 1).group(1, STRANGE).object(object(version, last, 0));
        kept.insert(last.x, 0);
        let (bytes, start) = layer(&parts, 9);
        let recovered = recover(&bytes);
        let whole = ObjectLayer::of(&recovered.document).unwrap();
        let found: BTreeMap<_, _> = groups(&whole.tree, version)
            .map(Result::unwrap)
            .map(|group| (group.cell.x, group.objects.get(0).unwrap().id))
            .collect();
        assert_eq!(found, kept, "{version:?}");
        assert_eq!(unread(&recovered, start), lost, "{version:?}");
        // Where the layer does not say which ids there are, any is one.
        for next_id in [0, -1] {
            let (parts, _) = with_lying_group(version, &[Object { id: u32::MAX, ..plain }]);
            assert_eq!(mended(&parts, next_id).1, [[0; 2]; 0], "{next_id}");
        }
    }
}

#[test]
fn a_group_that_lies_has_what_is_there() {
    let version = Version::V4;
    let [first, beside, _] = leaves(version);
    let it = |id| object(version, first, id);
    let odd = |id| Object { scale: 0.0, ..it(id) };
    let other = ("beside", 6, OAK, &[(OAK, &[0][..])][..]);
    let each = 40;
    // Objects of the group, the ids that are kept, and which of its bytes are lost.
    for (objects, kept, lost) in [
        (vec![it(1), it(2), it(3)], &[1, 2, 3][..], vec![]),
        // One in the middle is damaged.
        (vec![it(1), odd(2), it(3)], &[1, 3], vec![[8 + each, 8 + 2 * each]]),
        (
            vec![it(1), odd(2), it(3), odd(4), it(5)],
            &[1, 3, 5],
            vec![[8 + each, 8 + 2 * each], [8 + 3 * each, 8 + 4 * each]],
        ),
        // The last one, and two in a row, are not told from what is behind.
        (vec![it(1), it(2), odd(3)], &[1, 2], vec![[8 + 2 * each, 8 + 3 * each]]),
        (vec![it(1), odd(2), odd(3), it(4)], &[1], vec![[8 + each, 8 + 4 * each]]),
    ] {
        let (parts, [start, _]) = with_lying_group(version, &objects);
        let lost: Vec<_> = lost.iter().map(|range| range.map(|at| at + start)).collect();
        let expected = lines(&[("first", 5, STRANGE, &[(STRANGE, kept)]), other]);
        assert_eq!(mended(&parts, 9), (expected, lost), "{kept:?}");
    }
    // A count that is right is believed, whatever the objects say.
    let mut parts = Parts::new(version);
    parts.root().leaf(first, 5, STRANGE, 1).group(2, STRANGE).object(odd(1)).object(odd(99));
    parts.leaf(beside, 6, OAK, 0);
    let expected = lines(&[("first", 5, STRANGE, &[(STRANGE, &[1, 99])]), ("beside", 6, OAK, &[])]);
    assert_eq!(mended(&parts, 9), (expected, vec![]));
    // Also the last one of the tree.
    let mut parts = Parts::new(version);
    parts.root().leaf(first, 5, STRANGE, 1).group(1, STRANGE).object(odd(1));
    assert_eq!(mended(&parts, 9), (lines(&[("first", 5, STRANGE, &[(STRANGE, &[1])])]), vec![]));
    // And one that another group follows, by its first object.
    for (follower, is_there) in [(it(2), true), (odd(2), false)] {
        let mut parts = Parts::new(version);
        parts.root().leaf(first, 5, STRANGE, 2);
        let start = parts.len();
        parts.group(1, STRANGE).object(odd(1)).group(1, 78).object(follower);
        let (groups, lost): (&[(u32, &[u32])], _) = match is_there {
            true => (&[(STRANGE, &[1]), (78, &[2])], vec![]),
            false => (&[], vec![[start, parts.len()]]),
        };
        assert_eq!(mended(&parts, 9), (lines(&[("first", 5, STRANGE, groups)]), lost));
    }
}

#[test]
fn an_empty_group_is_one_of_a_known_template() {
    let version = Version::V4;
    let [first, beside, _] = leaves(version);
    let it = |id| object(version, first, id);
    let (known, unknown) = (OAK, 1234);
    // Behind a group that lies there is an empty one.
    for (template, is_group) in [(known, true), (STRANGE, true), (unknown, false)] {
        let mut parts = Parts::new(version);
        parts.root().leaf(first, 5, STRANGE, 2).group(2, STRANGE).object(it(1));
        let start = parts.len();
        parts.group(0, template).leaf(beside, 6, OAK, 1).group(1, OAK).object(it(2));
        let both: &[(u32, &[u32])] = &[(STRANGE, &[1]), (template, &[])];
        let there = if is_group { both } else { &both[..1] };
        let lost = if is_group { vec![] } else { vec![[start, start + 8]] };
        let other = ("beside", 6, OAK, &[(OAK, &[2][..])][..]);
        let expected = lines(&[("first", 5, STRANGE, there), other]);
        assert_eq!(mended(&parts, 9), (expected, lost), "{template}");
    }
    // Of a leaf that says how many groups it has, what is in order is believed.
    let mut parts = Parts::new(version);
    parts.root().leaf(first, 5, 0, 2).group(0, unknown).group(1, STRANGE).object(it(1));
    let expected = lines(&[("first", 5, 0, &[(unknown, &[]), (STRANGE, &[1])])]);
    assert_eq!(mended(&parts, 9), (expected, vec![]));
}

#[test]
fn a_leaf_has_as_many_groups_as_there_are() {
    let version = Version::V4;
    let [first, beside, _] = leaves(version);
    let it = |id| object(version, first, id);
    let other = |id| object(version, beside, id);
    // How many groups it says; the groups that are in it, and whether the last is found elsewhere.
    for (says, template, groups, lost) in [
        (2, STRANGE, &[(STRANGE, &[1][..]), (STRANGE, &[2])][..], false),
        (3, STRANGE, &[(STRANGE, &[1]), (STRANGE, &[2])], false),
        (i32::MAX, STRANGE, &[(STRANGE, &[1]), (STRANGE, &[2])], false),
        // The second is searched for: its template is known from the first.
        (1, STRANGE, &[(STRANGE, &[1]), (STRANGE, &[2])], false),
        (1, 79, &[(STRANGE, &[1])], true),
        (0, OAK, &[(OAK, &[2])], false),
        (-1, OAK, &[(OAK, &[2])], false),
    ] {
        let mut parts = Parts::new(version);
        parts.root().leaf(first, 5, STRANGE, says);
        let start = parts.len();
        parts.group(1, STRANGE).object(it(1)).group(1, template).object(it(2));
        let end = parts.len();
        parts.leaf(beside, 6, OAK, 1).group(1, OAK).object(other(3));
        let expected = lines(&[("first", 5, STRANGE, groups), ("beside", 6, OAK, &[(OAK, &[3])])]);
        let lost = match says {
            0 | -1 => vec![[start, start + 48]],
            _ if lost => vec![[start + 48, end]],
            _ => vec![],
        };
        assert_eq!(mended(&parts, 9), (expected, lost), "{says} {template}");
    }
    // Of a leaf that comes twice the later one counts, and it has the groups of both.
    let mut parts = Parts::new(version);
    parts.root().leaf(first, 5, STRANGE, 1).group(1, STRANGE).object(it(1));
    parts.leaf(beside, 6, OAK, 0).leaf(first, 7, OAK, 1).group(1, OAK).object(it(2));
    let expected =
        lines(&[("first", 7, OAK, &[(STRANGE, &[1]), (OAK, &[2])]), ("beside", 6, OAK, &[])]);
    assert_eq!(mended(&parts, 9), (expected, vec![]));
}

#[test]
fn a_stray_group_is_put_where_its_objects_are() {
    let version = Version::V4;
    let [first, beside, far] = leaves(version);
    let it = |cell, id| object(version, cell, id);
    let outside = |id| Object { x: -1.0, ..it(far, id) };
    let noise = [0xEE; 13];
    for (template, objects, found) in [
        (OAK, vec![it(far, 1), it(far, 2)], true),
        (STRANGE, vec![it(far, 1), it(far, 2)], false),
        // In two leaves, though not if they are near enough.
        (OAK, vec![it(far, 1), it(first, 2)], false),
        (OAK, vec![it(first, 1), it(beside, 2)], true),
        // One that is not plausible, or in no leaf at all.
        (OAK, vec![it(far, 1), Object { yaw: 361.0, ..it(far, 2) }], false),
        (OAK, vec![it(far, 1), it(far, 9)], false),
        (OAK, vec![outside(1)], false),
        (OAK, vec![], false),
    ] {
        let mut parts = Parts::new(version);
        parts.root().raw(&noise);
        let start = parts.len();
        parts.group(objects.len() as u32, template);
        for it in &objects {
            parts.object(*it);
        }
        let end = parts.len();
        // So that there is a leaf, behind it.
        let last = Cell { x: far.x + 9, y: 0, ..far };
        parts.raw(&noise).leaf(last, 6, OAK, 0);
        let ids: Vec<u32> = objects.iter().map(|it| it.id).collect();
        let there: &[(u32, &[u32])] = &[(OAK, &ids)];
        let name = if objects.first().is_some_and(|it| it.x < 250_000.0) { "first" } else { "far" };
        let (mut expected, lost) = match found {
            true => (lines(&[(name, 0, 0, there)]), vec![[start - 13, start], [end, end + 13]]),
            false => (vec![], vec![[start - 13, end + 13]]),
        };
        expected.extend(lines(&[("elsewhere", 6, OAK, &[])]));
        assert_eq!(mended(&parts, 9), (expected, lost), "{template} {objects:?}");
    }
    // Only as many as there are bytes for.
    let mut parts = Parts::new(version);
    parts.root().leaf(first, 5, STRANGE, 0);
    let start = parts.len();
    parts.group(2, OAK).object(it(first, 1));
    let expected = (lines(&[("first", 5, STRANGE, &[])]), vec![[start, parts.len()]]);
    assert_eq!(mended(&parts, 9), expected);
}

#[test]
fn nodes_are_known_by_their_box_and_level() {
    let version = Version::V4;
    let cell = Cell { level: 9, x: 3, y: 5 };
    let [first, ..] = leaves(version);
    let inner = |level| first.up_to(level);
    // A changed byte of a node on level 7, and whether its colour is that of the tree.
    let size = version.node_size();
    for (at, byte, is_node) in [
        (0, 1, true),
        (0, 16, true),
        (0, 0xFF, true),
        (0, 2, false),
        (0, 0, false),
        // West, south, east, north.
        (1, 0x55, false),
        (9, 0x55, false),
        (17, 0x55, false),
        (25, 0x55, false),
        // The level.
        (33, 6, false),
        (33, 8, false),
        (33, 14, false),
        (36, 0x80, false),
        // The mask.
        (41, 0, true),
        (41, 0x0F, true),
        (41, 0x10, false),
        (41, 0x80, false),
    ] {
        let mut parts = Parts::new(version);
        parts.root();
        let start = parts.len();
        parts.node(inner(7), 1, 99, 0x0F);
        parts.bytes[start + at] = byte;
        parts.leaf(first, 5, STRANGE, 0);
        let (bytes, begin) = layer(&parts, 9);
        let recovered = recover(&bytes);
        let colours: Vec<_> = tree_of(&recovered).nodes.iter().map(|it| it.colour).collect();
        let colours = colours.into_iter().filter(|it| *it != Colour::from(0)).count();
        assert_eq!(colours, usize::from(is_node), "{at} {byte}");
        let lost = recovered.lost.iter().find(|lost| lost.reason == Reason::Unreadable);
        let range = (begin + start) as u64..(begin + start + size) as u64;
        assert_eq!(lost.map(|it| it.range.clone()), (!is_node).then_some(range), "{at} {byte}");
    }
    // Of two the last counts; each is asked for by its own level.
    let mut parts = Parts::new(version);
    parts.root().node(inner(7), 1, 99, 1).node(inner(8), 1, 98, 1).node(inner(7), 1, 97, 1);
    parts.node(inner(13), 16, 96, 1).node(cell, 1, 95, 1).leaf(first, 5, STRANGE, 0);
    let recovered = recover(&layer(&parts, 9).0);
    let tree = tree_of(&recovered);
    let bytes = tree.to_vec().unwrap();
    let coloured: Vec<_> = TreeWalk::new(&bytes, version)
        .map(Result::unwrap)
        .filter_map(|stop| match stop.item {
            TreeItem::Node(node) if u32::from(node.colour) != 0 => {
                Some((stop.cell, u32::from(node.colour)))
            }
            _ => None,
        })
        .collect();
    assert_eq!(coloured, [(inner(7), 97), (inner(8), 98), (inner(13), 96)]);
}

#[test]
fn a_mended_tree_is_that_of_its_objects_byte_for_byte() {
    for version in [Version::V3, Version::V4] {
        for root in Grid::ROOTS {
            let grid = Grid::new(version, root);
            let all =
                [(7, 200_000.0, 1_000.0, 1), (9, 200_010.0, 1_010.0, 2), (7, 500_000.0, 0.5, 3)];
            let all = all.map(|(template, x, y, id)| {
                (template, Object { x, y, scale: 1.0, id, ..Object::default() })
            });
            let whole = Tree::build(&grid, all, |it| Colour::from(it + 1)).unwrap();
            let bytes = whole.to_vec().unwrap();
            // The cells are many: the tree without most of them, and with a root that has one child less.
            let node = version.node_size();
            let mut cut = Parts::new(version);
            let from = bytes.len() / 2;
            cut.raw(&bytes[..node * 40]);
            let walk = TreeWalk::new(&bytes, version).map(Result::unwrap);
            let mut starts: Vec<_> = walk.map(|stop| (stop.offset, stop.item)).collect();
            starts.push((bytes.len(), TreeItem::Node(whole.nodes[0])));
            for pair in starts.windows(2) {
                let [(start, item), (end, _)] = pair else { continue };
                if !matches!(item, TreeItem::Node(_)) {
                    cut.raw(&bytes[*start..*end]);
                }
            }
            assert!(cut.len() < from);
            let recovered = recover(&layer(&cut, 9).0);
            let layer = ObjectLayer::of(&recovered.document).unwrap();
            assert!(layer.tree == bytes, "{version:?} {root:?}");
            assert_eq!((layer.object_count, layer.next_object_id), (3, 9));
            let told = recovered.lost.iter().map(|it| (it.path.to_string(), it.reason));
            let expected = [
                ("objectCount", Reason::Doubtful),
                ("objectCount", Reason::Rebuilt),
                ("tree", Reason::Rebuilt),
            ];
            let expected = expected.map(|(path, reason)| (path.to_owned(), reason));
            assert_eq!(told.collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn a_layer_says_what_its_mended_tree_has() {
    let version = Version::V4;
    let [first, ..] = leaves(version);
    let it = |id| object(version, first, id);
    let parts = |version| {
        let mut parts = Parts::new(version);
        parts
            .root()
            .leaf(first, 5, STRANGE, 1)
            .group(2, STRANGE)
            .object(it(3))
            .object(it(20))
            .clone()
    };
    // Said: version, count, next id. Due: the same; and what is told of that.
    let told = |lines: &[&str]| lines.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let four = "mlayerVersion: 4 now, as its tree is";
    let count = |was| format!("objectCount: {was} objects, and the quadtree has 2");
    let two = "objectCount: 2 now, as many as there are";
    let next = "mobjectIDcounter: 21 now, above the numbers of all objects";
    for (said, due, expected) in [
        ((4, 2, 21), (4, 2, 21), told(&[])),
        ((4, 2, 500), (4, 2, 500), told(&[])),
        ((4, 2, 20), (4, 2, 21), told(&[next])),
        ((4, 2, 0), (4, 2, 21), told(&[next])),
        ((4, 3, 21), (4, 2, 21), told(&[&count(3), two])),
        ((4, -1, 21), (4, 2, 21), told(&[&count(-1), two])),
        ((3, 2, 21), (4, 2, 21), told(&[four])),
        ((0, 2, 21), (0, 2, 21), told(&[four])),
        ((9, 2, 21), (9, 2, 21), told(&[])),
    ] {
        let (bytes, _) = layer(&parts(version), 0);
        let mut document = Document::from_slice(&bytes).unwrap();
        let mut read = ObjectLayer::of(&document).unwrap();
        (read.version, read.object_count, read.next_object_id) = said;
        read.store_in(&mut document).unwrap();
        let recovered = recover(&document.to_vec().unwrap());
        let now = ObjectLayer::of(&recovered.document).unwrap();
        let due = if due.0 == 0 { (4, due.1, due.2) } else { due };
        let lines = recovered.lost.iter().filter(|it| it.range.is_empty());
        let lines: Vec<_> = lines.map(|it| format!("{}: {}", it.path, it.thought)).collect();
        assert_eq!(lines, expected, "{said:?}");
        assert_eq!((now.version, now.object_count, now.next_object_id), due, "{said:?}");
        assert_eq!(
            groups(&now.tree, version).map(|it| it.unwrap().objects.len()).sum::<usize>(),
            2
        );
        let placed = recovered.placed.unwrap();
        assert_eq!((placed.kept, placed.said), (2, u64::try_from(said.1).ok()), "{said:?}");
    }
}
