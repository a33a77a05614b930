//! Objects of layers as text, and back into layers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use formwork::{Error, ErrorKind};
use formwork_alb1::Document;
use formwork_alb1::terrain::{Library, LibraryTemplate, ObjectLayer, Root, hash};
use formwork_alb1::tree::{
    BoundingBox, Colour, Grid, Object, Tree, TreeItem, TreeWalk, Version, groups, objects,
};
use formwork_terrain::object_list::{
    self, CsvReader, Entry, Filter, Form, Import, Imported, LayerObjects, Line, Mode, Placement,
    TextReader, Writer, keep_lines_of_layer, marked,
};
use formwork_testkit::Noise;

use crate::corpus::each_sample;
use crate::random::placement;
use crate::terrain::text;

fn exported(layer: &ObjectLayer, form: Form) -> Vec<u8> {
    let filter = Filter::default();
    let list = LayerObjects::new(layer, &[], &filter).unwrap();
    let mut writer = Writer::new(Vec::new(), form).unwrap();
    let checked = list.check(form).unwrap();
    assert_eq!(list.write(&mut writer).unwrap(), checked);
    assert_eq!(writer.written(), checked.objects);
    writer.finish().unwrap()
}

fn lines(list: &[u8], form: Form) -> Vec<Line<'_>> {
    match form {
        Form::Csv => CsvReader::new(list).collect::<Result<_, _>>().unwrap(),
        _ => TextReader::new(list).collect::<Result<_, _>>().unwrap(),
    }
}

fn apply(import: &Import, layer: &mut ObjectLayer, list: &[u8]) -> Result<Imported, Vec<Error>> {
    import.apply(layer, &lines(list, import.form))
}

fn version(layer: &ObjectLayer) -> Version {
    Version::of_layer_version(layer.version)
}

/// The bytes of every object, by its id and template, in a fixed order.
fn records(layer: &ObjectLayer) -> Vec<(u32, Object)> {
    let mut all: Vec<_> =
        objects(&layer.tree, version(layer)).collect::<Result<Vec<_>, _>>().unwrap();
    all.sort_by_key(|(template, object)| {
        (*template, object.id, object.x.to_bits(), object.y.to_bits())
    });
    all
}

fn bits(objects: &[(u32, Object)]) -> Vec<(u32, u32, [u64; 7])> {
    let numbers = |object: &Object| Placement::from(*object).numbers().map(f64::to_bits);
    objects.iter().map(|(hash, object)| (*hash, object.id, numbers(object))).collect()
}

/// Counts agree, every object is in the leaf whose box it is in, except for those that `astray` has,
/// and the document survives being written.
fn check(layer: &ObjectLayer, astray: &[u32]) {
    let (mut count, mut above) = (0, -1);
    for group in groups(&layer.tree, version(layer)) {
        let group = group.unwrap();
        for object in group.objects.iter() {
            count += 1;
            above = above.max(object.id as i32);
            let inside = group.leaf.bounds.contains(object.x, object.y);
            assert!(inside || astray.contains(&object.id), "{object:?}");
        }
    }
    assert_eq!(layer.object_count, count);
    assert!(layer.next_object_id > above);
    let document = layer.to_document().unwrap();
    let again = Document::from_slice(&document.to_vec().unwrap()).unwrap();
    assert!(again.is_identical(&document));
}

fn astray(layer: &ObjectLayer) -> Vec<u32> {
    groups(&layer.tree, version(layer))
        .map(Result::unwrap)
        .flat_map(|group| {
            let bounds = group.leaf.bounds;
            group.objects.iter().filter(move |it| !bounds.contains(it.x, it.y)).map(|it| it.id)
        })
        .collect()
}

/// A layer with two templates and some hundred objects.
fn layer(version: Version, seed: u64) -> ObjectLayer {
    let mut layer = ObjectLayer::new(text("trees"), 1_700_000_000).unwrap();
    layer.version = version.layer_version();
    layer.add_template(text("oak"), text("Trees"));
    layer.add_template(text("caf\u{e9}"), text("Houses"));
    let mut noise = Noise::new(seed);
    let placed: Vec<_> = (0..300)
        .map(|id| {
            let template = if id % 3 == 0 { hash(b"caf\xe9") } else { hash(b"oak") };
            (template, placement(&mut noise, false).object(id))
        })
        .collect();
    let grid = Grid::new(version, Grid::ROOTS[0]);
    let tree = Tree::build(&grid, placed, |template| Colour::from(template | 1)).unwrap();
    layer.tree = tree.to_vec().unwrap().into();
    layer.object_count = 300;
    layer.next_object_id = 300;
    layer
}

/// The layer gets exactly what the list has.
const MIRROR: Mode = Mode::Mirror;

fn import(mode: Mode, form: Form) -> Import {
    Import { mode, form, ..Import::default() }
}

/// Real layers: to text and back.
#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_layers_to_text_and_back() {
    let (mut layers, mut objects, mut unnamed) = (0, 0, 0);
    each_sample(|sample| {
        if !sample.name.ends_with(".tv4l") {
            return;
        }
        layers += 1;
        let document = Document::from_slice(&sample.bytes).unwrap();
        let before = ObjectLayer::of(&document).unwrap();
        let records_before = records(&before);
        objects += records_before.len();
        let filter = Filter::default();
        let list = LayerObjects::new(&before, &[], &filter).unwrap();
        unnamed += list.check(Form::Text).unwrap().unnamed.len();
        drop(list);

        for form in [Form::Text, Form::Csv] {
            let list = exported(&before, form);
            // An unchanged list changes nothing at all.
            let mut same = before.clone();
            let imported = apply(&import(MIRROR, form), &mut same, &list).unwrap();
            let all = Imported { kept: records_before.len(), ..Imported::default() };
            assert_eq!(imported, all, "{}", sample.name);
            let mut stored = document.clone();
            same.store_in(&mut stored).unwrap();
            assert!(stored.to_vec().unwrap() == sample.bytes, "{}", sample.name);

            // From the list alone.
            let mut replaced = before.clone();
            apply(&import(Mode::Replace, form), &mut replaced, &list).unwrap();
            check(&replaced, &[]);
            let templates = |layer| {
                let mut counts = HashMap::new();
                for (template, _) in records(layer) {
                    *counts.entry(template).or_insert(0) += 1;
                }
                counts
            };
            assert_eq!(templates(&replaced), templates(&before), "{}", sample.name);
            // Value to text to value to text.
            let sorted = |list: &[u8]| {
                let mut numbers: Vec<_> = lines(list, form)
                    .into_iter()
                    .map(|line| {
                        let numbers = line.entry.placement.numbers();
                        let template = line.entry.template.to_vec();
                        match form {
                            Form::Text => (template, numbers.map(|it| format!("{it:.6}"))),
                            _ => (template, numbers.map(|it| format!("{:x}", it.to_bits()))),
                        }
                    })
                    .collect();
                numbers.sort();
                numbers
            };
            assert_eq!(sorted(&exported(&replaced, form)), sorted(&list), "{}", sample.name);
        }

        // One object less and one more: all others keep their bits, and their leaves.
        let list = exported(&before, Form::Csv);
        let mut list = lines(&list, Form::Csv);
        if list.len() > 1 {
            let mut new = list.swap_remove(0);
            (new.entry.id, new.entry.placement.scale) = (None, 3.5);
            new.entry.placement.x += 0.125;
            list.push(new);
            let mut changed = before.clone();
            let imported = import(MIRROR, Form::Csv).apply(&mut changed, &list).unwrap();
            let kept = records_before.len() - 1;
            let expected = Imported { kept, added: 1, removed: 1, ..Imported::default() };
            assert_eq!(imported, expected, "{}", sample.name);
            let after: HashSet<_> = bits(&records(&changed)).into_iter().collect();
            let survived = bits(&records_before).into_iter().filter(|it| after.contains(it));
            assert!(survived.count() >= kept, "{}", sample.name);
            check(&changed, &astray(&before));
        }
    });
    println!("{layers} layers, {objects} objects, {unnamed} templates without a name");
}

/// Reading the text alone keeps what six decimals carry; reading it into the layer keeps all.
#[test]
fn both_versions_to_text_and_back() {
    for version in [Version::V3, Version::V4] {
        let before = layer(version, 5);
        check(&before, &[]);
        let list = exported(&before, Form::Text);
        let mut same = before.clone();
        let imported = apply(&import(MIRROR, Form::Text), &mut same, &list).unwrap();
        assert!(imported.kept == 300 && same == before);

        let mut replaced = before.clone();
        let imported = apply(&import(Mode::Replace, Form::Text), &mut replaced, &list).unwrap();
        assert_eq!((imported.removed, imported.added), (300, 300));
        assert_eq!(replaced.next_object_id, 600);
        check(&replaced, &[]);
        assert_eq!(exported(&replaced, Form::Text), list);
        assert_ne!(bits(&records(&replaced)), bits(&records(&before)));
    }
}

#[test]
fn an_object_moved_turned_added_and_removed() {
    let before = layer(Version::V4, 9);
    let list = String::from_utf8(exported(&before, Form::Text).iter().map(|b| *b & 0x7F).collect());
    let mut list: Vec<String> = list.unwrap().lines().map(str::to_owned).collect();
    // The last byte of `café` is not ASCII, and the list is one of bytes.
    let bytes = |list: &[String]| {
        let text = list.join("\r\n").replace("cafi", "caf\u{1}").into_bytes();
        text.into_iter().map(|byte| if byte == 1 { 0xE9 } else { byte }).collect::<Vec<u8>>()
    };
    // Turned: the same place, another yaw.
    let mut turned: Vec<&str> = list[10].split(';').collect();
    turned[3] = "12.5";
    list[10] = turned.join(";");
    // Moved: to the program that is an object less and another one more.
    let mut moved: Vec<&str> = list[20].split(';').collect();
    moved[1] = "200001.5";
    list[20] = moved.join(";");
    list.remove(30);
    list.push(list[40].clone());

    let mut after = before.clone();
    let imported = apply(&import(MIRROR, Form::Text), &mut after, &bytes(&list)).unwrap();
    let expected = Imported { kept: 297, changed: 1, added: 2, removed: 2, ..Imported::default() };
    assert_eq!(imported, expected);
    check(&after, &[]);
    assert_eq!((after.object_count, after.next_object_id), (300, 302));
    let (old, new) = (bits(&records(&before)), bits(&records(&after)));
    assert_eq!(new.iter().filter(|it| old.contains(it)).count(), 297);
    // The one that was turned has its id, and all its other bits.
    let turned: Vec<_> = new.iter().filter(|it| it.1 < 300 && !old.contains(it)).collect();
    let [(_, id, numbers)] = turned[..] else { panic!("{turned:?}") };
    let (_, _, were) = old.iter().find(|it| it.1 == *id).unwrap();
    let same: Vec<bool> = numbers.iter().zip(were).map(|(one, other)| one == other).collect();
    assert_eq!(same, [true, true, false, true, true, true, true]);
    assert_eq!(f64::from_bits(numbers[2]), 12.5);
}

#[test]
fn append_and_filters() {
    let before = layer(Version::V4, 1);
    let line = b"\"oak\";200100;100;0;0;0;1;0;\n\"oak\";200100;100;0;0;0;1;0;\n";
    let mut more = before.clone();
    let imported = apply(&import(Mode::Append, Form::Text), &mut more, line).unwrap();
    assert_eq!((imported.kept, imported.added, imported.removed), (300, 2, 0));
    check(&more, &[]);

    // Objects that a filter excludes are unchanged, whatever the list has.
    let mut filter = Filter::default();
    filter.bounds = Some(BoundingBox { x0: 200_000.0, y0: 0.0, x1: 210_000.0, y1: 30_000.0 });
    filter.add_template("o*").unwrap();
    assert!(filter.add_template("[").is_err());
    let list = LayerObjects::new(&before, &[], &filter).unwrap();
    let mut writer = Writer::new(Vec::new(), Form::Text).unwrap();
    let selected = list.write(&mut writer).unwrap().objects as usize;
    assert!(0 < selected && selected < 200);
    let text = writer.finish().unwrap();
    let rest = import(MIRROR, Form::Text);
    let rest = Import { filter: filter.clone(), ..rest };
    let mut same = before.clone();
    assert_eq!(apply(&rest, &mut same, &text).unwrap().kept, 300);
    assert!(same == before);
    let imported = apply(&rest, &mut same, b"").unwrap();
    assert_eq!((imported.kept, imported.removed), (300 - selected, selected));
    check(&same, &[]);
    assert_eq!(
        LayerObjects::new(&same, &[], &filter).unwrap().check(Form::Text).unwrap().objects,
        0
    );
}

/// Templates: of the layer, of a library, of a named library, by hash, and unknown ones.
#[test]
fn templates() {
    let mut trees = Library { name: text("Trees"), ..Library::default() };
    let elm = |name: &str, hash| LibraryTemplate { name: text(name), hash, ..Default::default() };
    trees.templates = vec![elm("elm", Some(hash(b"elm"))), elm("ash", Some(1234))];
    let mut import = import(Mode::Append, Form::Text);
    let line = |name: &str| format!("\"{name}\";200100;100;0;0;0;1;0;\n");
    let list = ["elm", "ash", "birch", "oak", "birch", "#00ABcdef", "yew"].map(line).concat();

    let before = layer(Version::V4, 2);
    let mut after = before.clone();
    let faults = apply(&import, &mut after, list.as_bytes()).unwrap_err();
    let said: Vec<_> = faults.iter().map(|it| (it.path().to_string(), it.found())).collect();
    let birch = ("line[3]".to_owned(), "\"birch\"");
    assert_eq!(said[..2], [("line[1]".to_owned(), "\"elm\""), ("line[2]".to_owned(), "\"ash\"")]);
    assert_eq!(said[2..], [birch.clone(), ("line[7]".to_owned(), "\"yew\"")]);
    assert!(faults.iter().all(|it| it.rule() == object_list::rule::TEMPLATE));
    assert!(after == before);

    import.libraries = vec![trees];
    let faults = apply(&import, &mut after, list.as_bytes()).unwrap_err();
    assert_eq!((faults.len(), faults[0].path().to_string()), (2, birch.0));

    import.library = Some(text("More"));
    let imported = apply(&import, &mut after, list.as_bytes()).unwrap();
    assert_eq!(imported.new_templates, [text("elm"), text("ash"), text("birch"), text("yew")]);
    check(&after, &[]);
    let added: Vec<u32> = {
        let mut new: Vec<_> = records(&after).into_iter().filter(|it| it.1.id >= 300).collect();
        new.sort_by_key(|it| it.1.id);
        new.into_iter().map(|it| it.0).collect()
    };
    let birch = hash(b"birch");
    let expected = [hash(b"elm"), 1234, birch, hash(b"oak"), birch, 0x00AB_CDEF, hash(b"yew")];
    assert_eq!(added, expected);
    let library = |name: &str| after.templates.get(&text(name)).map(|&hash| hash as u32);
    assert_eq!(library("ash"), Some(hash(b"Trees")));
    assert_eq!(library("birch"), Some(hash(b"More")));
    assert_eq!(after.libraries.get(&text("More")), Some(&(hash(b"More") as i32)));

    // A hash without a name is marked, and comes back as itself.
    let filter = Filter::default();
    let list = LayerObjects::new(&after, &import.libraries, &filter).unwrap();
    let mut writer = Writer::new(Vec::new(), Form::Text).unwrap();
    let exported = list.write(&mut writer).unwrap();
    assert_eq!(exported.unnamed.into_iter().collect::<Vec<_>>(), [(0x00AB_CDEF, 1)]);
    let list = writer.finish().unwrap();
    assert!(list.windows(9).any(|it| it == marked(0x00AB_CDEF).as_bytes()));
    let update = Import { mode: MIRROR, ..import };
    let mut same = after.clone();
    assert_eq!(apply(&update, &mut same, &list).unwrap().kept, 307);
    assert!(same == after);
}

/// A template that was renamed keeps its hash; where two hashes lead to one name, one is marked.
#[test]
fn renamed_templates() {
    for hashes in [&[hash(b"oak")][..], &[hash(b"oak_1")], &[hash(b"oak"), hash(b"oak_1")]] {
        let mut layer = ObjectLayer::new(text("trees"), 0).unwrap();
        layer.add_template(text("oak_1"), text("Trees"));
        let place = Placement { x: 200_000.0, y: 10.0, scale: 1.0, ..Placement::default() };
        let placed = (0..).zip(hashes).map(|(id, &hash)| (hash, place.object(id)));
        let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
        let tree = Tree::build(&grid, placed, |_| Colour::from(0)).unwrap();
        layer.tree = tree.to_vec().unwrap().into();
        layer.object_count = hashes.len() as i32;
        layer.next_object_id = hashes.len() as i32;
        let list = exported(&layer, Form::Text);
        let names: Vec<_> = lines(&list, Form::Text);
        assert!(names.iter().any(|line| &*line.entry.template == b"oak_1"));
        let mut again = layer.clone();
        apply(&import(Mode::Replace, Form::Text), &mut again, &list).unwrap();
        let hashes_of = |layer| records(layer).into_iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(hashes_of(&again), hashes_of(&layer));
    }
}

#[test]
fn what_a_layer_cannot_take() {
    let before = layer(Version::V4, 3);
    let list =
        b"\"oak\";200100;100;0;0;0;1;0;\n\"oak\";-1;5;0;0;0;1;0;\n\"oak\";5;1e9;0;0;0;1;0;\n";
    let mut after = before.clone();
    let faults = apply(&import(Mode::Append, Form::Text), &mut after, list).unwrap_err();
    let said: Vec<_> = faults.iter().map(|it| (it.rule(), it.offset())).collect();
    assert_eq!(said, [(object_list::rule::PLACE, 28), (object_list::rule::PLACE, 50)]);
    assert_eq!(faults[1].path().to_string(), "line[3]");
    assert!(after == before);

    let mut full = before.clone();
    full.next_object_id = i32::MAX;
    let one = b"\"oak\";200100;100;0;0;0;1;0;\n";
    let faults = apply(&import(Mode::Append, Form::Text), &mut full, one).unwrap_err();
    assert_eq!(faults[0].kind(), ErrorKind::Unrepresentable);

    let mut broken = before.clone();
    broken.tree = broken.tree.slice(..1000);
    assert!(apply(&import(Mode::Append, Form::Text), &mut broken, one).is_err());
    assert!(LayerObjects::new(&broken, &[], &Filter::default()).is_err());
}

/// An object with a number that no text can hold is refused, before anything is written.
#[test]
fn numbers_that_are_none() {
    let mut layer = layer(Version::V4, 4);
    let mut tree = Tree::read(&layer.tree, Version::V4).unwrap();
    tree.objects[17].yaw = f32::NAN;
    layer.tree = tree.to_vec().unwrap().into();
    let filter = Filter::default();
    let list = LayerObjects::new(&layer, &[], &filter).unwrap();
    for form in [Form::Text, Form::GeoJson] {
        let error = list.check(form).unwrap_err();
        assert_eq!((error.kind(), &*error.path().to_string()), (ErrorKind::Unrepresentable, "yaw"));
    }
    // CSV says that it is one, and the layer keeps its bits.
    let list = exported(&layer, Form::Csv);
    let mut same = layer.clone();
    assert_eq!(apply(&import(MIRROR, Form::Csv), &mut same, &list).unwrap().kept, 300);
    assert!(same.tree == layer.tree);
}

/// CSV has ids: an object that was moved is still the same.
#[test]
fn csv_knows_objects_by_id() {
    let before = layer(Version::V4, 6);
    let list = String::from_utf8(exported(&before, Form::Csv)).unwrap();
    let mut list: Vec<String> = list.lines().map(str::to_owned).collect();
    let mut moved: Vec<&str> = list[5].split(',').collect();
    let id: u32 = moved[1].parse().unwrap();
    moved[4] = "200000.0000001";
    list[5] = moved.join(",");
    list.reverse();
    let header = list.pop().unwrap();
    list.insert(0, header);
    let mut after = before.clone();
    let imported = apply(&import(MIRROR, Form::Csv), &mut after, list.join("\n").as_bytes());
    let expected = Imported { kept: 299, changed: 1, ..Imported::default() };
    assert_eq!(imported.unwrap(), expected);
    check(&after, &[]);
    let (_, object) = records(&after).into_iter().find(|it| it.1.id == id).unwrap();
    assert_eq!(object.x, 200_000.000_000_1);
}

/// Entries need not come from a text.
#[test]
fn a_layer_from_nothing() {
    let mut layer = ObjectLayer::new(text("new"), 7).unwrap();
    let entry = Entry {
        template: Cow::Borrowed(b"oak"),
        library: Some(Cow::Borrowed(b"Trees")),
        placement: Placement { x: 200_010.0, y: 10.0, scale: 1.0, ..Placement::default() },
        ..Entry::default()
    };
    let line = Line { number: 1, offset: 0, entry };
    let imported = Import::default().apply(&mut layer, &[line]).unwrap();
    assert_eq!((imported.added, imported.new_templates), (1, vec![text("oak")]));
    check(&layer, &[]);
    let document = Document::from_slice(&layer.to_document().unwrap().to_vec().unwrap()).unwrap();
    let read = ObjectLayer::of(&document).unwrap();
    assert!(read.tree == layer.tree && read.templates == layer.templates);
    let whole = TreeWalk::new(&read.tree, Version::V4)
        .filter(|stop| matches!(stop.as_ref().unwrap().item, TreeItem::Leaf(_)));
    assert_eq!(whole.count(), 1);
    assert_eq!(records(&read), [(hash(b"oak"), Placement::from(records(&read)[0].1).object(0))]);
}

fn placed(name: &str, id: u32, x: f64, y: f64) -> (u32, Object) {
    (hash(name.as_bytes()), Object { id, x, y, scale: 1.0, ..Object::default() })
}

/// A layer with oaks at 10, 20, 30, 40 m to the north, at 10, 20, ... m to the east.
fn row_of_oaks() -> ObjectLayer {
    let mut layer = ObjectLayer::new(text("trees"), 7).unwrap();
    layer.add_template(text("oak"), text("Trees"));
    let oaks = (0..4).map(|id| {
        let at = 10.0 * f64::from(id + 1);
        placed("oak", id, 200_000.0 + at, at)
    });
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    layer.set_tree(&Tree::build(&grid, oaks, |_| Colour::from(1)).unwrap()).unwrap();
    layer
}

/// The ids and places of a layer, by id.
fn places(layer: &ObjectLayer) -> Vec<(u32, f64)> {
    let mut all: Vec<_> = records(layer).iter().map(|(_, it)| (it.id, it.y)).collect();
    all.sort_by_key(|(id, _)| *id);
    all
}

/// Review alb1-cli, row 4: a list of one line took all other objects out.
#[test]
fn the_default_import_adds_and_changes_and_does_not_delete() {
    assert_eq!(Mode::default(), Mode::Update);
    let before = row_of_oaks();
    let list = b"\"oak\";200010;10;90;0;0;1;0;\n\"oak\";200099;99;0;0;0;1;0;\n";
    let mut after = before.clone();
    let imported = apply(&import(Mode::Update, Form::Text), &mut after, list).unwrap();
    let expected = Imported { kept: 3, changed: 1, added: 1, unlisted: 3, ..Imported::default() };
    assert_eq!(imported, expected);
    assert_eq!(places(&after), [(0, 10.0), (1, 20.0), (2, 30.0), (3, 40.0), (4, 99.0)]);
    check(&after, &[]);
    // A mirror is asked for by name.
    let mut mirrored = before.clone();
    let imported = apply(&import(MIRROR, Form::Text), &mut mirrored, list).unwrap();
    assert_eq!((imported.removed, imported.changed, imported.added), (3, 1, 1));
    assert_eq!(places(&mirrored), [(0, 10.0), (4, 99.0)]);
}

/// Review alb1-cli, row 2: objects of the layer that the selection excluded were added from the list again.
#[test]
fn an_import_with_a_filter_leaves_out_the_lines_outside_of_it() {
    let before = row_of_oaks();
    let lower = |import: Import| {
        let mut filter = Filter::default();
        filter.bounds = Some(BoundingBox { x0: 200_000.0, y0: 0.0, x1: 200_025.0, y1: 25.0 });
        Import { filter, ..import }
    };
    for form in [Form::Text, Form::Csv] {
        let all = exported(&before, form);
        for mode in [Mode::Update, MIRROR] {
            let mut same = before.clone();
            let imported = apply(&lower(import(mode, form)), &mut same, &all).unwrap();
            assert_eq!((imported.kept, imported.left_out.len()), (4, 2));
            assert!(same == before);
        }
        // New objects instead of the two that are selected, and of those only.
        let mut replaced = before.clone();
        let imported = apply(&lower(import(Mode::Replace, form)), &mut replaced, &all).unwrap();
        assert_eq!((imported.kept, imported.removed, imported.added), (2, 2, 2));
        assert_eq!(places(&replaced), [(2, 30.0), (3, 40.0), (4, 10.0), (5, 20.0)]);
        let mut more = before.clone();
        let imported = apply(&lower(import(Mode::Append, form)), &mut more, &all).unwrap();
        assert_eq!((imported.added, imported.left_out.len()), (2, 2));
    }
    // By its id: an object of the selection may be moved out of it; one outside is not moved in.
    let list = "id,template,x,y,yaw,pitch,roll,scale,z\n\
                0,oak,200035,35,0,0,0,1,0\n1,oak,200020,20,0,0,0,1,0\n2,oak,200015,15,0,0,0,1,0\n";
    for mode in [Mode::Update, MIRROR] {
        let mut after = before.clone();
        let imported = apply(&lower(import(mode, Form::Csv)), &mut after, list.as_bytes()).unwrap();
        assert_eq!((imported.changed, &imported.left_out[..]), (1, &[4][..]));
        assert_eq!(places(&after), [(0, 35.0), (1, 20.0), (2, 30.0), (3, 40.0)]);
    }
    // What is left out needs no template that anybody knows, and no library is asked for.
    let mut oaks = Filter::default();
    oaks.add_template("oak").unwrap();
    let oaks = Import { filter: oaks, ..import(Mode::Update, Form::Text) };
    let list = b"\"yew\";200010;10;0;0;0;1;0;\n\"oak\";200050;50;0;0;0;1;0;\n";
    let mut after = before.clone();
    let imported = apply(&oaks, &mut after, list).unwrap();
    assert_eq!((imported.added, &imported.left_out[..]), (1, &[1][..]));
    assert!(imported.new_templates.is_empty());
    // With a library neither: the layer does not get a template that no object has.
    let oaks = Import { library: Some(text("Trees")), ..oaks };
    let mut after = before.clone();
    let imported = apply(&oaks, &mut after, list).unwrap();
    assert!(imported.new_templates.is_empty() && after.templates == before.templates);
}

/// An object just outside the selection, whose six decimals are inside.
#[test]
fn an_object_at_the_edge_of_a_filter_is_not_added_again() {
    let mut before = row_of_oaks();
    let mut tree = Tree::read(&before.tree, Version::V4).unwrap();
    let first = tree.objects.iter_mut().find(|it| it.id == 0).unwrap();
    first.x = 200_010.000_000_04;
    before.set_tree(&tree).unwrap();
    let mut filter = Filter::default();
    filter.bounds = Some(BoundingBox { x0: 200_000.0, y0: 0.0, x1: 200_010.0, y1: 50.0 });
    let list = exported(&before, Form::Text);
    for mode in [Mode::Update, MIRROR, Mode::Replace] {
        let import = Import { filter: filter.clone(), ..import(mode, Form::Text) };
        let mut same = before.clone();
        assert_eq!(apply(&import, &mut same, &list).unwrap().kept, 4, "{mode:?}");
        assert!(same == before);
    }
}

/// Review alb1-cli, row 18.
#[test]
fn numbers_that_no_object_can_have_are_refused() {
    let before = row_of_oaks();
    let line =
        |numbers: &str| format!("template,x,y,yaw,pitch,roll,scale,z\noak,200500,500,{numbers}\n");
    for (numbers, path) in [
        ("0,0,0,0,0", "line[2].scale"),
        ("0,0,0,-1,0", "line[2].scale"),
        ("0,0,0,NaN,0", "line[2].scale"),
        ("NaN,0,0,1,0", "line[2].yaw"),
        ("0,inf,0,1,0", "line[2].pitch"),
        ("0,0,1e9,1,0", "line[2].roll"),
        ("0,0,0,1,-1e9", "line[2].z"),
    ] {
        let mut after = before.clone();
        let import = import(Mode::Update, Form::Csv);
        let faults = apply(&import, &mut after, line(numbers).as_bytes()).unwrap_err();
        assert_eq!(faults.len(), 1, "{numbers}");
        assert_eq!(
            (faults[0].rule(), &*faults[0].path().to_string()),
            (object_list::rule::NUMBER, path)
        );
        assert!(after == before);
    }
    // A direction is one after any number of turns.
    for numbers in ["720,0,0,1,0", "-90,-10.5,360,0.001,-5"] {
        let import = import(Mode::Update, Form::Csv);
        let added = apply(&import, &mut before.clone(), line(numbers).as_bytes()).unwrap().added;
        assert_eq!(added, 1, "{numbers}");
    }
    // What the layer has already may stay, and the rest of that object be changed.
    let mut odd = before.clone();
    let mut tree = Tree::read(&odd.tree, Version::V4).unwrap();
    tree.objects[0].scale = 0.0;
    odd.set_tree(&tree).unwrap();
    let list = exported(&odd, Form::Csv);
    let import = import(Mode::Update, Form::Csv);
    assert_eq!(apply(&import, &mut odd.clone(), &list).unwrap().kept, 4);
    let turned = String::from_utf8(list).unwrap().replace(",0,0,0,0,0\n", ",45,0,0,0,0\n");
    assert_eq!(apply(&import, &mut odd, turned.as_bytes()).unwrap().changed, 1);
}

/// Review alb1-cli, row 18.
#[test]
fn a_template_without_a_name_is_refused_also_with_a_library() {
    let before = row_of_oaks();
    for name in ["", " "] {
        let list = format!("\"{name}\";200100;100;0;0;0;1;0;\n");
        let import = Import { library: Some(text("Trees")), ..import(Mode::Append, Form::Text) };
        let mut after = before.clone();
        let faults = apply(&import, &mut after, list.as_bytes()).unwrap_err();
        assert_eq!(faults[0].path().to_string(), "line[1].template");
        assert!(after == before);
    }
}

/// Review alb1-cli, row 4: a column that named another layer, or none, was not looked at.
#[test]
fn lines_that_name_an_unknown_layer_are_refused() {
    let csv = |layers: &[&str]| {
        let mut csv = "layer,template,x,y,yaw,pitch,roll,scale,z\n".to_owned();
        for layer in layers {
            csv += &format!("{layer},oak,200100,100,0,0,0,1,0\n");
        }
        csv
    };
    let keep = |layers: &[&str]| {
        let csv = csv(layers);
        let mut kept = lines(csv.as_bytes(), Form::Csv);
        let left_out = keep_lines_of_layer(&mut kept, b"trees", &[b"rocks", b"trees"]);
        left_out.map(|left_out| (kept.len(), left_out))
    };
    assert_eq!(keep(&[]).unwrap(), (0, 0));
    assert_eq!(keep(&["", "trees", "rocks"]).unwrap(), (2, 1));
    assert_eq!(keep(&["", ""]).unwrap(), (2, 0));
    let faults = keep(&["trees", "tres", "rocks", "tres", "bush"]).unwrap_err();
    let said: Vec<_> = faults.iter().map(|it| (it.path().to_string(), it.found())).collect();
    assert_eq!(said[0], ("line[3].layer".to_owned(), "\"tres\""));
    assert_eq!(said[1], ("line[6].layer".to_owned(), "\"bush\""));
    assert_eq!(said.len(), 2);
    // Lines of other layers only are a list for another layer.
    let faults = keep(&["rocks", ""]).unwrap_err();
    assert_eq!((faults[0].rule(), faults[0].found()), (object_list::rule::LAYER, "\"rocks\""));
}

/// A library with templates that have models.
fn library(name: &str, templates: &[(&str, &str)]) -> Library {
    let template = |(name, file): &(&str, &str)| LibraryTemplate {
        name: text(name),
        file: text(file),
        ..LibraryTemplate::default()
    };
    Library { name: text(name), templates: templates.iter().map(template).collect() }
}

#[test]
fn of_several_libraries_the_one_that_is_given_decides() {
    let barn = [("barn", "valley\\barn.p3d")];
    let libraries = vec![library("houses", &barn), library("farms", &barn)];
    let list = b"\"barn\";200100;200;0;0;0;1;0;";
    let put = |given: Option<&str>| {
        let mut layer = ObjectLayer::new(text("new"), 0).unwrap();
        let libraries = libraries.clone();
        let import =
            Import { library: given.map(text), libraries, ..import(Mode::Update, Form::Text) };
        let imported = apply(&import, &mut layer, list).unwrap();
        let names: Vec<_> = layer.libraries.iter().map(|(name, _)| name.to_string()).collect();
        (names, imported.in_several)
    };
    let both = vec![(text("barn"), vec![text("houses"), text("farms")])];
    assert_eq!(put(None), (vec!["houses".to_owned()], both));
    assert_eq!(put(Some("farms")), (vec!["farms".to_owned()], vec![]));
    assert_eq!(put(Some("houses")), (vec!["houses".to_owned()], vec![]));
    // It has no such template.
    assert_eq!(put(Some("sheds")), (vec!["houses".to_owned()], vec![]));
}

#[test]
fn an_unknown_template_is_asked_about_by_case_file_and_class() {
    let libraries = vec![library(
        "rocks",
        &[("rock_monolith2", "dz\\rocks\\rock_Monolith2.p3d"), ("shed", "dz\\houses\\Shed_W1.p3d")],
    )];
    for (name, asked) in [
        ("ROCK_Monolith2", "rock_monolith2"),
        ("rock_monolith2.p3d", "rock_monolith2"),
        ("dz\\rocks\\rock_monolith2.p3d", "rock_monolith2"),
        ("P:\\DZ\\rocks\\rock_monolith2.p3d", "rock_monolith2"),
        ("/dz/rocks/rock_monolith2.p3d", "rock_monolith2"),
        ("other\\folder\\rock_monolith2.p3d", "rock_monolith2"),
        ("Land_Shed_W1", "shed"),
        ("land_shed", "shed"),
        ("shed_w1", "shed"),
    ] {
        let mut layer = ObjectLayer::new(text("new"), 0).unwrap();
        let import = Import { libraries: libraries.clone(), ..import(Mode::Update, Form::Text) };
        let list = format!("\"{name}\";200100;200;0;0;0;1;0;");
        let faults = apply(&import, &mut layer, list.as_bytes()).unwrap_err();
        assert_eq!(faults[0].found(), format!("\"{name}\" (did you mean \"{asked}\"?)"));
    }
    let mut layer = ObjectLayer::new(text("new"), 0).unwrap();
    let import = Import { libraries, ..import(Mode::Update, Form::Text) };
    let faults = apply(&import, &mut layer, b"\"oak\";200100;200;0;0;0;1;0;").unwrap_err();
    assert_eq!(faults[0].found(), "\"oak\"");
}

#[test]
fn an_object_keeps_its_height_where_the_list_has_none() {
    let mut layer = layer(Version::V4, 5);
    let list = exported(&layer, Form::Text);
    let without: Vec<u8> = list
        .split_inclusive(|&byte| byte == b'\n')
        .flat_map(|line| {
            let end = line[..line.len() - 2].iter().rposition(|&byte| byte == b';').unwrap();
            [&line[..=end], b"\n"].concat()
        })
        .collect();
    let before = layer.clone();
    let imported = apply(&import(MIRROR, Form::Text), &mut layer, &without).unwrap();
    assert_eq!((imported.changed, imported.added, imported.removed), (0, 0, 0));
    assert!(layer.tree == before.tree);
}
