//! Objects of layers moved, merged, split, of other templates, found twice: on made layers and on every real one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use formwork_alb1::terrain::{ObjectLayer, Root, Shape, hash};
use formwork_alb1::tree::{BoundingBox, Colour, Grid, Object, Tree, Version, objects};
use formwork_alb1::{Document, Text};
use formwork_terrain::Area;
use formwork_terrain::object_change::{
    Cut, Dedupe, Merge, Parts, Retemplate, Selection, Shift, TemplateChange, Transform, rule,
};
use formwork_terrain::object_list::{self, Filter, marked};
use formwork_terrain::verify;

use crate::corpus::each_sample;
use crate::terrain::text;

const ALL: fn() -> Filter = Filter::default;

fn within(bounds: BoundingBox<f64>) -> Filter {
    let mut filter = ALL();
    filter.bounds = Some(bounds);
    filter
}

/// A layer with these objects, which have ids from 0 on, and the templates `oak` and `elm`.
fn layer(placed: &[(&str, f64, f64)]) -> ObjectLayer {
    let mut layer = ObjectLayer::new(text("trees"), 7).unwrap();
    layer.add_template(text("oak"), text("Trees"));
    layer.add_template(text("elm"), text("Trees"));
    let object = |(id, (name, x, y)): (u32, &(&str, f64, f64))| {
        let object = Object { id, x: *x, y: *y, scale: 1.0, ..Object::default() };
        (hash(name.as_bytes()), object)
    };
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]).with_levels(3, 14).unwrap();
    let tree = Tree::build(&grid, (0..).zip(placed).map(object), |_| Colour::from(5)).unwrap();
    layer.set_tree(&tree).unwrap();
    layer
}

/// A real object layer.
struct Real {
    name: String,
    document: Document,
    /// The kinds of its faults.
    findings: BTreeSet<String>,
}

impl Real {
    fn findings(name: &str, document: &Document) -> BTreeSet<String> {
        let findings = verify::document(name, document);
        findings.iter().map(|finding| finding.kind.to_string()).collect()
    }

    /// Returns the file with this layer in it, which must have no new faults.
    fn stored(&self, layer: &ObjectLayer) -> Vec<u8> {
        let mut changed = self.document.clone();
        layer.store_in(&mut changed).unwrap();
        let bytes = changed.to_vec().unwrap();
        let read = Document::from_slice(&bytes).unwrap();
        let after = Self::findings(&self.name, &read);
        assert!(after.is_subset(&self.findings), "{}: {after:?}", self.name);
        bytes
    }
}

/// Every real object layer.
fn each_layer(mut visit: impl FnMut(&str, &Real, ObjectLayer)) {
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        if let Ok(layer) = ObjectLayer::of(&document) {
            let findings = Real::findings(&sample.name, &document);
            let real = Real { name: sample.name.clone(), document, findings };
            visit(&sample.name, &real, layer);
        }
    });
}

/// The bits of an object, and its template.
type Bits = (u32, [u64; 7], u32);

fn bits(hash: u32, it: &Object) -> Bits {
    let small =
        [it.yaw, it.pitch, it.roll, it.scale, it.z].map(|number| u64::from(number.to_bits()));
    let [yaw, pitch, roll, scale, z] = small;
    (hash, [it.x.to_bits(), it.y.to_bits(), yaw, pitch, roll, scale, z], it.id)
}

/// Returns the objects of a layer, in sorted order.
fn all(layer: &ObjectLayer) -> Vec<Bits> {
    let read = objects(&layer.tree, layer.tree_version());
    let mut all: Vec<_> = read.map(|it| it.unwrap()).map(|(hash, it)| bits(hash, &it)).collect();
    all.sort_unstable();
    all
}

fn by_template(layer: &ObjectLayer) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    all(layer).into_iter().for_each(|(hash, ..)| *counts.entry(hash).or_default() += 1);
    counts
}

/// A filter for the objects west of the middle one, if that leaves some on both sides.
fn western(layer: &ObjectLayer) -> Option<Filter> {
    let mut x: Vec<f64> =
        all(layer).iter().map(|(_, numbers, _)| f64::from_bits(numbers[0])).collect();
    x.sort_by(f64::total_cmp);
    let middle = *x.get(x.len() / 2)?;
    let bounds = BoundingBox { x0: 0.0, y0: -1e9, x1: middle, y1: 1e9 };
    let count = x.iter().filter(|x| **x <= middle).count();
    (count < x.len()).then(|| within(bounds))
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn moving_there_and_back_restores_every_real_layer() {
    each_layer(|name, real, layer| {
        let before = all(&layer);
        let file = real.document.to_vec().unwrap();
        // Sixteenths of a metre upwards, and back: where no digit is lost, every byte is as it was.
        let mut moved = layer.clone();
        let up = Transform { by: [0.0, 0.0, 4.0], ..Transform::default() };
        let down = Transform { by: [0.0, 0.0, -4.0], ..Transform::default() };
        let count = up.apply(&mut moved, &[], &ALL()).unwrap();
        assert_eq!(count, before.len(), "{name}");
        down.apply(&mut moved, &[], &ALL()).unwrap();
        let z = |bits: &Bits| f32::from_bits(bits.1[6] as u32);
        let is_exact = |bits: &Bits| z(bits) + 4.0 - 4.0 == z(bits) && bits.1[6] != 0x8000_0000;
        if before.iter().all(is_exact) {
            assert!(real.stored(&moved) == file, "{name}");
        }

        // To the east, over the borders of leaves: each object is where it was.
        let Some(filter) = western(&layer) else { return };
        let mut moved = layer.clone();
        let east = Transform { by: [512.0, 0.0, 0.0], ..Transform::default() };
        let west = Transform { by: [-512.0, 0.0, 0.0], ..Transform::default() };
        east.apply(&mut moved, &[], &filter).unwrap();
        real.stored(&moved);
        let ids =
            |layer: &ObjectLayer| all(layer).into_iter().map(|(_, _, id)| id).collect::<Vec<_>>();
        let mut sorted = (ids(&layer), ids(&moved));
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        assert_eq!(sorted.0, sorted.1, "{name}");
        // What was not selected has every bit.
        let bounds = filter.bounds.unwrap();
        let selected = |it: &Bits| f64::from_bits(it.1[0]) <= bounds.x1;
        let left: Vec<_> = before.iter().filter(|it| !selected(it)).collect();
        let now: BTreeSet<_> = all(&moved).into_iter().collect();
        assert!(left.iter().all(|it| now.contains(*it)), "{name}");
        let exact = before.iter().filter(|it| selected(it)).all(|it| {
            let x = f64::from_bits(it.1[0]);
            x + 512.0 - 512.0 == x
        });
        if exact {
            let mut back = layer.clone();
            east.apply(&mut back, &[], &ALL()).unwrap();
            west.apply(&mut back, &[], &ALL()).unwrap();
            assert!(all(&back) == before, "{name}");
        }
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn splitting_and_merging_keeps_the_objects_of_every_real_layer() {
    each_layer(|name, real, layer| {
        /// Each part is megabytes: a few of them say enough.
        const MOST_PARTS: usize = 4;
        let mut cuts = vec![Cut::Squares { side: 5000.0, corner: [200_000.0, 0.0] }];
        cuts.extend(western(&layer).map(Cut::Filter));
        for cut in cuts {
            let parts = match Parts::of(&layer, &[], &cut) {
                Ok(parts) => parts,
                Err(error) => {
                    assert_eq!(error.rule(), rule::PARTS, "{name}");
                    continue;
                }
            };
            let names: Vec<String> = parts.names().map(|(name, _)| name.to_owned()).collect();
            let mut layers = Vec::new();
            for (position, part) in names.iter().enumerate().take(MOST_PARTS) {
                let part = parts.part(position, text(part)).unwrap().unwrap();
                real.stored(&part);
                layers.push(part);
            }
            if names.len() > layers.len() {
                continue;
            }
            let (first, others) = layers.split_first().unwrap();
            let mut merged = first.clone();
            let merge = Merge { keep_ids: true, ..Merge::default() };
            let others: Vec<&ObjectLayer> = others.iter().collect();
            let report = match merge.apply(&mut merged, &others) {
                Ok(report) => report,
                // Real layers have ids twice, if rarely.
                Err(error) => {
                    assert_eq!(error.rule(), rule::ID, "{name}");
                    let ids: BTreeSet<u32> = all(&layer).into_iter().map(|(.., id)| id).collect();
                    assert!(ids.len() < all(&layer).len(), "{name}");
                    continue;
                }
            };
            assert_eq!(report.renumbered, 0, "{name}");
            assert!(all(&merged) == all(&layer), "{name}");
            assert_eq!(merged.next_object_id, layer.next_object_id, "{name}");
            real.stored(&merged);
        }
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn other_templates_touch_nothing_else_of_every_real_layer() {
    each_layer(|name, real, layer| {
        let counts = by_template(&layer);
        let hashes: Vec<u32> = counts.keys().copied().collect();
        let [one, other, ..] = hashes[..] else { return };
        let change = |old: u32, new: u32| TemplateChange {
            old: text(&marked(old)),
            new: text(&marked(new)),
            library: None,
        };
        // The two take each other's place, and then again.
        let swap =
            Retemplate { changes: vec![change(one, other), change(other, one)], libraries: vec![] };
        let mut changed = layer.clone();
        let done = swap.apply(&mut changed, &ALL()).unwrap();
        assert_eq!(done.objects, [counts[&one], counts[&other]], "{name}");
        real.stored(&changed);
        let now = by_template(&changed);
        assert_eq!((now[&one], now[&other]), (counts[&other], counts[&one]), "{name}");
        assert!(changed.templates == layer.templates, "{name}");
        swap.apply(&mut changed, &ALL()).unwrap();
        assert!(all(&changed) == all(&layer), "{name}");
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn only_what_is_there_twice_goes_from_every_real_layer() {
    each_layer(|name, real, layer| {
        let mut unchanged = layer.clone();
        let before = all(&layer);
        let gone = Dedupe { tolerance: 0.001 }.apply(&mut unchanged, &[], &ALL()).unwrap();
        assert_eq!(all(&unchanged).len() + gone.len(), before.len(), "{name}");
        let file = real.stored(&unchanged);
        assert!(!gone.is_empty() || file == real.document.to_vec().unwrap(), "{name}");
        let left: BTreeSet<_> = before.into_iter().collect();
        assert!(all(&unchanged).iter().all(|it| left.contains(it)), "{name}");
        // A layer merged with itself has everything twice, and then once again.
        let mut twice = unchanged.clone();
        let report = Merge::default().apply(&mut twice, &[&unchanged]).unwrap();
        let count = all(&unchanged).len();
        assert_eq!(
            (report.objects, report.duplicates, report.renumbered),
            (count, count, count),
            "{name}"
        );
        let ids: BTreeSet<u32> = all(&twice).into_iter().map(|(.., id)| id).collect();
        let once: BTreeSet<u32> = all(&unchanged).into_iter().map(|(.., id)| id).collect();
        assert_eq!(ids.len(), once.len() + count, "{name}");
        Dedupe { tolerance: 0.0 }.apply(&mut twice, &[], &ALL()).unwrap();
        assert!(all(&twice) == all(&unchanged), "{name}");
    });
}

#[test]
fn an_object_that_stays_in_its_leaf_changes_nothing_but_its_own_bytes() {
    let before =
        layer(&[("oak", 200_010.0, 20.0), ("elm", 200_010.5, 20.0), ("oak", 200_900.0, 900.0)]);
    let mut after = before.clone();
    let mut filter = ALL();
    filter.add_template("elm").unwrap();
    let step = Transform { by: [0.5, 0.0, 0.0], ..Transform::default() };
    assert_eq!(step.apply(&mut after, &[], &filter), Ok(1));
    let changed: Vec<usize> =
        (0..before.tree.len()).filter(|at| before.tree[*at] != after.tree[*at]).collect();
    assert_eq!(before.tree.len(), after.tree.len());
    assert!(changed.last().unwrap() - changed.first().unwrap() < 8, "{changed:?}");
}

#[test]
fn turning_goes_clockwise_and_back() {
    let before = layer(&[("oak", 200_100.0, 200.0), ("elm", 200_300.0, 100.0)]);
    let mut after = before.clone();
    let turn =
        |degrees| Transform { rotate: degrees, about: [200_200.0, 100.0], ..Transform::default() };
    turn(90.0).apply(&mut after, &[], &ALL()).unwrap();
    let places: BTreeSet<[i64; 3]> = objects(&after.tree, after.tree_version())
        .map(|it| it.unwrap().1)
        .map(|it| [it.x as i64, it.y as i64, it.yaw as i64])
        .collect();
    assert_eq!(places, [[200_200, 0, 90], [200_300, 200, 90]].into());
    turn(270.0).apply(&mut after, &[], &ALL()).unwrap();
    assert_eq!(all(&after), all(&before));
    let mut scaled = before.clone();
    let scale =
        Transform { scale: 2.0, spread: 0.5, about: [200_200.0, 100.0], ..Transform::default() };
    scale.apply(&mut scaled, &[], &ALL()).unwrap();
    let first = objects(&scaled.tree, scaled.tree_version()).next().unwrap().unwrap().1;
    assert_eq!((first.x, first.y, first.scale), (200_150.0, 150.0, 2.0));
}

#[test]
fn hostile_numbers_are_refused_and_nothing_changes() {
    let before = layer(&[("oak", 200_010.0, 20.0)]);
    let normal = Transform::default;
    for (transform, expected) in [
        (Transform { by: [f64::NAN, 0.0, 0.0], ..normal() }, "a finite number"),
        (Transform { by: [0.0, 0.0, f64::INFINITY], ..normal() }, "a finite number"),
        (Transform { rotate: f64::NEG_INFINITY, ..normal() }, "a finite number"),
        (Transform { about: [f64::NAN, 0.0], rotate: 1.0, ..normal() }, "a finite number"),
        (Transform { scale: 0.0, ..normal() }, "a factor above 0"),
        (Transform { scale: -1.0, ..normal() }, "a factor above 0"),
        (Transform { spread: f64::NAN, ..normal() }, "a finite number"),
        (Transform { scale: 1e-60, ..normal() }, "a scale above 0, 100000 at most"),
        (Transform { scale: 1e30, ..normal() }, "a scale above 0, 100000 at most"),
        (Transform { by: [0.0, 0.0, 1e30], ..normal() }, "a number from -100000 to 100000"),
        (
            Transform { by: [1e9, 0.0, 0.0], ..normal() },
            "x from 0 to below 1340000 and y from -7872.609746890492 to below 892127.3902531095",
        ),
        (Transform { spread: 1e308, about: [-1e300, 0.0], ..normal() }, "a finite number"),
    ] {
        let mut layer = before.clone();
        let error = transform.apply(&mut layer, &[], &ALL()).unwrap_err();
        assert_eq!(error.expected(), expected, "{transform:?}");
        assert_eq!(layer, before);
    }
    for tolerance in [f64::NAN, f64::INFINITY, -1.0, 1e-300] {
        let mut layer = before.clone();
        let error = Dedupe { tolerance }.apply(&mut layer, &[], &ALL()).unwrap_err();
        assert_eq!(error.rule(), rule::NUMBER);
        assert_eq!(layer, before);
    }
    for side in [f64::NAN, f64::INFINITY, 0.0, -5.0] {
        let cut = Cut::Squares { side, corner: [0.0; 2] };
        assert_eq!(Parts::of(&before, &[], &cut).unwrap_err().rule(), rule::NUMBER);
    }
    assert!(Area::new(vec![]).is_err());
    assert!(Area::new(vec![vec![vec![[0.0, 0.0], [1.0, 1.0]]]]).is_err());
}

#[test]
fn a_layer_that_would_stay_whole_is_not_split() {
    let whole = layer(&[("oak", 200_010.0, 20.0), ("elm", 200_020.0, 20.0)]);
    let nothing = within(BoundingBox { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 });
    for (cut, found) in [
        (Cut::Filter(ALL()), "all objects inside"),
        (Cut::Filter(nothing), "all objects outside"),
        (
            Cut::Squares { side: 500.0, corner: [200_000.0, 0.0] },
            "all objects in the square x200000-y0",
        ),
    ] {
        assert_eq!(Parts::of(&whole, &[], &cut).unwrap_err().found(), found);
    }
    let empty = layer(&[]);
    assert_eq!(Parts::of(&empty, &[], &Cut::Filter(ALL())).unwrap_err().found(), "no object");
    // More squares than there is room for.
    let many: Vec<(&str, f64, f64)> =
        (0..1100).map(|at| ("oak", 200_000.5 + f64::from(at) * 2.0, 1.0)).collect();
    let cut = Cut::Squares { side: 1.0, corner: [200_000.0, 0.0] };
    let error = Parts::of(&layer(&many), &[], &cut).unwrap_err();
    assert_eq!(error.expected(), "1000 squares with objects at most");
}

#[test]
fn colliding_ids_get_new_ones_or_are_refused() {
    let one = layer(&[("oak", 200_010.0, 20.0), ("oak", 200_020.0, 20.0)]);
    let other =
        layer(&[("elm", 200_010.0, 20.0), ("elm", 200_900.0, 20.0), ("oak", 200_020.0, 20.0)]);
    let mut merged = one.clone();
    let report = Merge::default().apply(&mut merged, &[&other]).unwrap();
    assert_eq!((report.objects, report.renumbered, report.duplicates), (3, 2, 1));
    let ids: Vec<u32> = all(&merged).into_iter().map(|(.., id)| id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 5);
    assert_eq!((merged.object_count, merged.next_object_id), (5, 5));

    let mut refused = one.clone();
    let keep = Merge { keep_ids: true, ..Merge::default() };
    let error = keep.apply(&mut refused, &[&other]).unwrap_err();
    assert_eq!((error.rule(), error.found()), (rule::ID, "two objects with the id 0"));
    assert_eq!(refused, one);

    // No id is left above the highest one.
    let mut full = other.clone();
    let placed = objects(&other.tree, other.tree_version()).map(|it| it.unwrap());
    let placed = placed.map(|(hash, it)| (hash, Object { id: i32::MAX as u32, ..it }));
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]).with_levels(3, 14).unwrap();
    full.set_tree(&Tree::build(&grid, placed, |_| Colour::from(0)).unwrap()).unwrap();
    let error = Merge::default().apply(&mut refused, &[&full]).unwrap_err();
    assert_eq!(error.found(), "none");
    assert_eq!(refused, one);
}

#[test]
fn templates_of_merged_layers_are_in_its_lists_and_differences_are_said() {
    let mut one = layer(&[("oak", 200_010.0, 20.0)]);
    let mut other = layer(&[("oak_1", 200_020.0, 20.0), ("ash", 200_030.0, 20.0)]);
    other.templates.remove("elm");
    other.add_template(text("elm"), text("Elsewhere"));
    other.add_template(text("ash"), text("Elsewhere"));
    let report = Merge::default().apply(&mut one, &[&other]).unwrap();
    assert_eq!((report.new_templates, report.other_library), (1, vec![text("elm")]));
    assert_eq!(one.templates.get("ash"), Some(&(hash(b"Elsewhere") as i32)));
    assert_eq!(one.templates.get("elm"), Some(&(hash(b"Trees") as i32)));
    let names: Vec<String> = one.templates.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, ["ash", "elm", "oak"]);
    assert_eq!(one.libraries.get("Elsewhere"), Some(&(hash(b"Elsewhere") as i32)));

    // A template that was renamed keeps the hash of its first name, which another layer has, too.
    let mut renamed = layer(&[("fir", 200_040.0, 20.0)]);
    renamed.add_template(text("fir_2"), text("Trees"));
    let mut first = layer(&[]);
    first.add_template(text("fir"), text("Trees"));
    let report = Merge::default().apply(&mut first, &[&renamed]).unwrap();
    assert_eq!(report.other_name, [(text("fir_2"), text("fir"))]);
}

#[test]
fn unknown_and_doubled_templates_are_refused() {
    let before = layer(&[("oak", 200_010.0, 20.0), ("elm", 200_020.0, 20.0)]);
    let change = |old: &str, new: &str, library: Option<&str>| TemplateChange {
        old: text(old),
        new: text(new),
        library: library.map(text),
    };
    for (changes, found) in [
        (vec![change("oak", "yew", None)], "\"yew\""),
        (vec![change("oak", "  ", Some("Trees"))], "\"  \""),
        (vec![change("oak", "oak", None)], "\"oak\" for \"oak\""),
        (vec![change("oak", "elm", None), change("oak", "#00000001", None)], "\"oak\" twice"),
    ] {
        let mut layer = before.clone();
        let retemplate = Retemplate { changes, libraries: vec![] };
        let error = retemplate.apply(&mut layer, &ALL()).unwrap_err();
        assert_eq!((error.rule(), error.found()), (rule::TEMPLATE, found));
        assert_eq!(layer, before);
    }
    // A library makes an unknown name known; what no object has is not added.
    let mut layer = before.clone();
    let changes = vec![change("oak", "yew", Some("More")), change("none", "gone", Some("More"))];
    let done = Retemplate { changes, libraries: vec![] }.apply(&mut layer, &ALL()).unwrap();
    assert_eq!((done.objects, done.new_templates), (vec![1, 0], 1));
    assert!(layer.templates.get("yew").is_some() && layer.templates.get("gone").is_none());
    assert_eq!(by_template(&layer)[&hash(b"yew")], 1);
    // Only in the selection.
    let mut filter = ALL();
    filter.add_template("elm").unwrap();
    let mut layer = before.clone();
    let changes = vec![change("oak", "elm", None)];
    let done = Retemplate { changes, libraries: vec![] }.apply(&mut layer, &filter).unwrap();
    assert_eq!(done.objects, [0]);
    assert_eq!(layer, before);
}

#[test]
fn tables_of_templates_say_which_line_is_wrong() {
    let read = |table: &str| TemplateChange::from_csv(table.as_bytes());
    assert_eq!(read("old,new\noak,elm\n").unwrap().len(), 1);
    assert_eq!(read("\u{feff}new, old\nelm,oak\n").unwrap()[0].old, text("oak"));
    for (table, why) in [
        ("", "line 1: expected the columns old and new"),
        ("old,new,size\na,b,c\n", "line 1: expected the columns old, new, library, found \"size\""),
        ("old,new\noak,\n", "line 2: expected two templates, found an empty name"),
        ("old,new\n日本,elm\n", "line 2: \"日本\" has a character that is not in Windows-1252"),
        ("old,new\n", "there is no template in it"),
    ] {
        assert_eq!(read(table).unwrap_err(), why, "{table:?}");
    }
}

#[test]
fn duplicates_are_those_of_one_template_within_the_tolerance() {
    let before = layer(&[
        ("oak", 200_010.0, 20.0),
        ("oak", 200_010.2, 20.0),
        ("elm", 200_010.0, 20.0),
        ("oak", 200_010.0, 20.0),
        ("oak", 200_011.0, 20.0),
    ]);
    for (tolerance, gone) in
        [(0.0, vec![3]), (0.1, vec![3]), (0.25, vec![1, 3]), (1.0, vec![1, 3, 4])]
    {
        let mut layer = before.clone();
        assert_eq!(
            Dedupe { tolerance }.apply(&mut layer, &[], &ALL()),
            Ok(gone.clone()),
            "{tolerance}"
        );
        assert_eq!(layer.object_count, 5 - gone.len() as i32);
        assert_eq!(layer.next_object_id, before.next_object_id);
    }
}

/// Objects are compared with a handful of others only: a search among all of them would take minutes.
#[test]
fn duplicates_are_found_among_many_objects_on_one_spot_or_far_out() {
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]).with_levels(3, 14).unwrap();
    let near = (0..60_000).map(|id| Object {
        id,
        x: 200_010.0,
        y: 20.0,
        z: (id % 3) as f32,
        ..Object::default()
    });
    let far = (60_000..90_000).map(|id| Object {
        id,
        x: 200_010.0,
        y: 20.0,
        z: f32::MAX / 90_000.0 * id as f32,
        ..Object::default()
    });
    let placed = near.chain(far).map(|object| (hash(b"oak"), object));
    let mut layer = layer(&[]);
    layer.set_tree(&Tree::build(&grid, placed, |_| Colour::from(0)).unwrap()).unwrap();
    let gone = Dedupe { tolerance: 0.01 }.apply(&mut layer, &[], &ALL()).unwrap();
    assert_eq!(gone.len(), 60_000 - 3);
}

#[test]
fn a_selection_is_by_polygon_box_and_template_together() {
    let layer =
        layer(&[("oak", 200_010.0, 10.0), ("elm", 200_010.0, 10.5), ("oak", 200_090.0, 90.0)]);
    let triangle = vec![[200_000.0, 0.0], [200_100.0, 0.0], [200_000.0, 100.0]];
    let area = Area::new(vec![vec![triangle]]).unwrap();
    let mut filter = ALL();
    filter.area = Some(area);
    let count = |filter: &Filter| Selection::of(&layer, &[], filter).unwrap();
    assert_eq!(count(&filter).objects, 2);
    filter.add_template("oak").unwrap();
    let selection = count(&filter);
    assert_eq!((selection.objects, selection.centre()), (1, Some([200_010.0, 10.0])));
    let all = count(&ALL());
    assert_eq!(all.centre(), Some([200_050.0, 50.0]));
    assert_eq!(count(&filter).and(all).objects, 4);
    filter.bounds = Some(BoundingBox { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 });
    assert_eq!(count(&filter), Selection::default());
}

/// A list out of a changed layer is a list as of any other.
#[test]
fn lists_are_written_of_changed_layers() {
    let mut changed = layer(&[("oak", 200_010.0, 20.0)]);
    let step = Transform { by: [1000.0, 0.0, 0.0], ..Transform::default() };
    step.apply(&mut changed, &[], &ALL()).unwrap();
    let filter = ALL();
    let list = object_list::LayerObjects::new(&changed, &[], &filter).unwrap();
    let mut names: HashMap<Vec<u8>, f64> = HashMap::new();
    list.each(|entry| {
        names.insert(entry.template.to_vec(), entry.placement.x);
        Ok(())
    })
    .unwrap();
    assert_eq!(names, [(b"oak".to_vec(), 201_010.0)].into());
    assert_eq!(Text::new("oak").unwrap().as_bytes(), b"oak");
}

#[test]
fn shapes_key_points_and_roads_move_where_the_filter_selects_them() {
    let (mut shapes, mut project) = (crate::terrain::shapes(), crate::terrain::project());
    let before = shapes.clone();
    let bounds = |x0, y0, x1, y1| within(BoundingBox { x0, y0, x1, y1 });
    // Only the line lies in it with all its points.
    let moved = Shift([5.0, -0.5]).shapes(&mut shapes, &bounds(0.0, 0.0, 10.0, 9.0)).unwrap();
    assert_eq!((moved, &shapes.shapes[0]), (1, &before.shapes[0]));
    let places: Vec<_> = shapes.shapes[1].vertices().iter().map(|it| it.center).collect();
    assert_eq!(places, [[5.0, -0.5, 0.0], [15.0, -0.5, 0.0]]);
    let objects = &mut project.objects;
    let all = Filter::default();
    assert_eq!(Shift([1.0, 2.0]).key_points(&mut objects.key_points.points, &all).unwrap(), 1);
    assert_eq!(objects.key_points.points[0].position, [1.0, 2.0]);
    let roads = &mut objects.placed_roads.roads;
    assert_eq!(Shift([1.0, 2.0]).roads(roads, 3.5, &all).unwrap(), 1);
    assert_eq!((roads[0].position, roads[0].elevation), ([200_011.0, 22.0], 3.5));
    assert_eq!(Shift([1.0, 2.0]).roads(roads, 3.5, &bounds(0.0, 0.0, 1.0, 1.0)).unwrap(), 0);
    let far = Shift([f64::MAX, 0.0]);
    assert!(far.of([f64::MAX, 0.0]).is_err());
    let before = shapes.clone();
    let mut huge = before.clone();
    let Shape::Polyline(line) = &mut huge.shapes[1] else { panic!() };
    line.vertices[1].center[0] = f64::MAX;
    assert_eq!(far.shapes(&mut huge, &all).unwrap_err().rule(), rule::NUMBER);
}
