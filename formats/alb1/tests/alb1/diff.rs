//! Differences by meaning, and the text that shows the same ones.

use std::collections::{BTreeMap, BTreeSet};

use formwork_alb1::diff::{ChangeKind, Difference, Options, content, diff};
use formwork_alb1::terrain::hash;
use formwork_alb1::tree;
use formwork_alb1::tree::{Grid, Tree, Version, objects};
use formwork_alb1::{Document, Field, Object, ObjectPointer, Raw, Table, Text, Value};

use crate::corpus::{Sample, each_sample};

fn differences(old: &Document, new: &Document) -> Vec<Difference> {
    diff(old, new, &Options::default())
}

fn lines(old: &Document, new: &Document) -> Vec<String> {
    differences(old, new).iter().map(Difference::to_string).collect()
}

fn text_of(document: &Document) -> String {
    let mut text = String::new();
    content(document, &mut text).unwrap();
    text
}

/// Makes fields by their names.
pub(crate) struct Maker(pub(crate) Document);

impl Maker {
    pub(crate) fn new(class: &str) -> Self {
        Self(Document::new(class))
    }

    pub(crate) fn field(&self, name: &str, value: impl Into<Value>) -> Field {
        Field::new(self.0.tags.id(name).unwrap(), value)
    }

    pub(crate) fn object(&self, class: &str, address: u32, fields: Vec<Field>) -> Object {
        Object { class: self.0.classes.id(class).unwrap() as i16, address, fields }
    }

    pub(crate) fn items(&self, values: impl IntoIterator<Item = Value>) -> Vec<Field> {
        values.into_iter().map(|value| self.field("item", value)).collect()
    }

    pub(crate) fn pairs(&self, pairs: impl IntoIterator<Item = (Value, Value)>) -> Vec<Field> {
        let pair =
            |(key, data)| self.field("pair", [self.field("key", key), self.field("data", data)]);
        pairs.into_iter().map(pair).collect()
    }

    /// The document with these fields in its root.
    pub(crate) fn with(&self, fields: Vec<Field>) -> Document {
        let mut document = self.0.clone();
        document.root.fields = fields;
        document
    }
}

pub(crate) fn text(text: &str) -> Value {
    Text::new(text).unwrap().into()
}

pub(crate) fn int(number: i32) -> Value {
    Value::SignedInt(number)
}

/// Returns the differences between two documents with these fields. In both directions there are as many
/// differences, and the texts differ exactly if there are any.
fn between(maker: &Maker, old: Vec<Field>, new: Vec<Field>) -> Vec<String> {
    let (old, new) = (maker.with(old), maker.with(new));
    let there = lines(&old, &new);
    assert_eq!(there.is_empty(), text_of(&old) == text_of(&new), "{there:?}");
    assert_eq!(there.len(), lines(&new, &old).len());
    assert_eq!(lines(&old, &old), [""; 0]);
    there
}

#[test]
fn values() {
    let maker = Maker::new("CVisitor4Project");
    let one = |value: Value| vec![maker.field("mvalue", value)];
    for (old, new, expected) in [
        (int(1), int(2), "changed mvalue: 1 -> 2"),
        (int(1), Value::UnsignedInt(1), "type changed mvalue: 1 (signed int) -> 1 (unsigned int)"),
        (text("a\\b"), text("a\"c"), r#"changed mvalue: "a\\b" -> "a\"c""#),
        (Value::Float(0.1), Value::Float(0.3), "changed mvalue: 0.1 -> 0.3"),
        (Value::Double(0.0), Value::Double(-0.0), "changed mvalue: 0.0 -> -0.0"),
        (
            Value::Float(f32::from_bits(0x7FC0_0000)),
            Value::Float(f32::from_bits(0x7FC0_0001)),
            "changed mvalue: NaN(0x7fc00000) -> NaN(0x7fc00001)",
        ),
        (true.into(), Value::Bool(2), "changed mvalue: true -> 2"),
        (
            Value::UnsignedLong(1),
            Value::UnsignedLong(0xFF00_0000),
            "changed mvalue: 0x00000001 -> 0xFF000000",
        ),
        (Value::SignedChar(78), Value::SignedChar(-1), "changed mvalue: 'N' -> -1"),
        (
            Value::ArrayOfDouble([1.0, 2.0].into()),
            Value::ArrayOfDouble([1.0].into()),
            "changed mvalue: [1.0, 2.0] -> [1.0]",
        ),
        (
            Value::Raw(vec![1].into()),
            Value::Raw(vec![2].into()),
            "changed mvalue: 1 raw bytes -> 1 raw bytes",
        ),
        (Value::Empty, false.into(), "type changed mvalue: empty (empty) -> false (bool)"),
        (
            Value::ArrayOfSignedShort([1].into()),
            Value::ArrayOfSignedInt([1].into()),
            "type changed mvalue: [1] (array of signed short) -> [1] (array of signed int)",
        ),
    ] {
        assert_eq!(between(&maker, one(old.clone()), one(new)), [expected]);
        assert_eq!(between(&maker, one(old.clone()), one(old)), [""; 0]);
    }
}

#[test]
fn fields_of_an_object() {
    let maker = Maker::new("CVisitor4Project");
    let field = |name: &str, number| maker.field(name, int(number));
    let old = || vec![field("version", 1), field("libs", 2), field("build", 3), field("libs", 4)];
    let mut new = old();
    new[3] = field("libs", 5);
    assert_eq!(between(&maker, old(), new), ["changed libs[1]: 4 -> 5"]);
    let mut new = old();
    new.remove(0);
    assert_eq!(between(&maker, old(), new), ["removed version: 1"]);
    let mut new = old();
    new.push(field("mvalue", 7));
    assert_eq!(between(&maker, old(), new), ["added mvalue: 7"]);
    let new = vec![field("build", 3), field("version", 1), field("libs", 2), field("libs", 4)];
    let found = between(&maker, old(), new);
    assert!(found == ["moved build"] || found == ["moved version", "moved libs[0]"], "{found:?}");
}

#[test]
fn another_class() {
    let maker = Maker::new("CLayer");
    let world = |class: &str| vec![maker.field("world", maker.object(class, 1, vec![]))];
    assert_eq!(
        between(&maker, world("CWorld"), world("CMapFrame")),
        ["type changed world.(class): CWorld -> CMapFrame"]
    );
}

#[test]
fn pairs_by_their_keys_in_any_order() {
    let maker = Maker::new("CLayer");
    let libs = |pairs: &[(&str, i32)]| {
        let pairs = pairs.iter().map(|(key, data)| (text(key), int(*data)));
        vec![maker.field("libs", maker.pairs(pairs))]
    };
    let old = [("a", 1), ("b", 2), ("c", 3)];
    assert_eq!(between(&maker, libs(&old), libs(&[("c", 3), ("a", 1), ("b", 2)])), [""; 0]);
    assert_eq!(
        between(&maker, libs(&old), libs(&[("d", 4), ("c", 3), ("b", 5)])),
        [r#"removed libs["a"]: 1"#, r#"changed libs["b"].data: 2 -> 5"#, r#"added libs["d"]: 4"#]
    );
    // One key twice: the first is the first.
    let twice = [("a", 1), ("a", 2)];
    assert_eq!(
        between(&maker, libs(&twice), libs(&[("a", 1), ("a", 3)])),
        [r#"changed libs["a"].data: 2 -> 3"#]
    );
    assert_eq!(between(&maker, libs(&[]), libs(&[("a", 1)])), [r#"added libs["a"]: 1"#]);

    let numbers = |keys: [i32; 3]| {
        vec![maker.field("mcontents", maker.pairs(keys.map(|key| (int(key), int(-key)))))]
    };
    assert_eq!(
        between(&maker, numbers([2, 10, 11]), numbers([10, 2, 9])),
        ["added mcontents[=9]: -9", "removed mcontents[=11]: -11"]
    );
}

#[test]
fn strict_counts_the_order_of_pairs_addresses_and_the_header() {
    let maker = Maker::new("CLayer");
    let libs = |keys: [&str; 2]| {
        let pairs = maker.pairs(keys.map(|key| (text(key), int(1))));
        maker.with(vec![maker.field("libs", pairs)])
    };
    let (old, mut new) = (libs(["a", "b"]), libs(["b", "a"]));
    new.root.address += 4;
    new.header.project_version = 21;
    assert_eq!(lines(&old, &new), [""; 0]);
    let strict = Options { strict: true, ..Options::default() };
    let found = diff(&old, &new, &strict);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[1].to_string(), "changed (address): 0x10000000 -> 0x10000004");
    assert_eq!(found[2].kind, ChangeKind::Moved);
    assert_eq!(diff(&new, &new, &strict), []);
}

/// A list of objects with these names and values.
fn named(maker: &Maker, objects: &[(&str, i32)]) -> Vec<Field> {
    let objects = objects.iter().enumerate().map(|(position, (name, angle))| {
        let fields = vec![maker.field("name", text(name)), maker.field("angle", int(*angle))];
        maker.object("SKeyPoint", position as u32, fields).into()
    });
    vec![maker.field("mkey", maker.items(objects))]
}

#[test]
fn objects_by_their_names() {
    let maker = Maker::new("CLayer");
    let old = [("North", 1), ("South", 2), ("West", 3)];
    let between = |new: &[(&str, i32)]| between(&maker, named(&maker, &old), named(&maker, new));
    assert_eq!(
        between(&[("North", 1), ("Far", 9), ("South", 5), ("West", 3)]),
        [
            r#"added mkey["Far"]: SKeyPoint name="Far" angle=9"#,
            r#"changed mkey["South"].angle: 2 -> 5"#
        ]
    );
    assert_eq!(between(&old[..2]), [r#"removed mkey["West"]: SKeyPoint name="West" angle=3"#]);
    assert_eq!(between(&[("West", 3), ("North", 1), ("South", 2)]), [r#"moved mkey["West"]"#]);
    // Renamed, but otherwise the same.
    assert_eq!(
        between(&[("North", 1), ("South Town", 2), ("West", 3)]),
        [r#"changed mkey["South Town"].name: "South" -> "South Town""#]
    );
}

#[test]
fn objects_without_a_name_by_what_they_hold() {
    let maker = Maker::new("CLayer");
    let vertices = |points: &[f64]| {
        let vertices = points.iter().enumerate().map(|(position, x)| {
            let fields = vec![
                maker.field("center", Value::ArrayOfDouble([*x, 0.0, 0.0].into())),
                maker.field("mcolor", Value::UnsignedLong(7)),
            ];
            maker.object("CVertex", position as u32, fields).into()
        });
        vec![maker.field("mpVertices", maker.items(vertices))]
    };
    let old = [1.0, 2.0, 3.0, 4.0];
    let between = |new: &[f64]| between(&maker, vertices(&old), vertices(new));
    assert_eq!(
        between(&[1.0, 1.5, 2.0, 3.0, 4.0]),
        ["added mpVertices[1]: CVertex center=[1.5, 0.0, 0.0] mcolor=0x00000007"]
    );
    assert_eq!(
        between(&[1.0, 2.0, 3.5, 4.0]),
        ["changed mpVertices[2].center: [3.0, 0.0, 0.0] -> [3.5, 0.0, 0.0]"]
    );
    assert_eq!(between(&[2.0, 3.0, 4.0, 1.0]), ["moved mpVertices[3]"]);
}

#[test]
fn strings_and_masks() {
    let maker = Maker::new("CVisitor4Project");
    let libs = |names: &[&str]| {
        vec![maker.field("libs", maker.items(names.iter().map(|name| text(name))))]
    };
    assert_eq!(
        between(&maker, libs(&["a", "b", "c"]), libs(&["a", "x", "b"])),
        [r#"added libs[1]: "x""#, r#"removed libs[2]: "c""#]
    );
    let mask = |bits: &[bool]| {
        vec![maker.field("mgridMaskTile", maker.items(bits.iter().map(|bit| (*bit).into())))]
    };
    assert_eq!(
        between(&maker, mask(&[true, false, true]), mask(&[true, true, true])),
        ["changed mgridMaskTile[1]: false -> true"]
    );
    assert_eq!(
        between(&maker, mask(&[true, false]), mask(&[true])),
        ["changed mgridMaskTile: 2 bools, 1 of them true -> 1 bools, 1 of them true"]
    );
}

#[test]
fn pointers_by_what_they_lead_to() {
    let maker = Maker::new("CVisitor4Project");
    let active = |class: &str, address| {
        let class = maker.0.classes.id(class).unwrap() as i16;
        maker.with(vec![maker.field("mactiveLayer", ObjectPointer { class, address })])
    };
    let (old, new) = (active("CLayer", 100), active("CLayer", 200));
    assert_eq!(lines(&old, &new), [""; 0]);
    assert_eq!(
        lines(&old, &active("CAreaLayer", 100)),
        ["changed mactiveLayer: -> CLayer -> -> CAreaLayer"]
    );
    let roots = |address, name: &str| [(address, name.to_owned())].into();
    let known = |name: &str| Options {
        old_roots: roots(100, "houses"),
        new_roots: roots(200, name),
        ..Options::default()
    };
    assert_eq!(diff(&old, &new, &known("houses")), []);
    let found = diff(&old, &new, &known("castles"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].after.as_deref(), Some(r#"-> CLayer "castles""#));
    // Roots that are known for one side only make no difference.
    let half = Options { old_roots: roots(100, "houses"), ..Options::default() };
    assert_eq!(diff(&old, &new, &half), []);
}

#[test]
fn tables_by_their_names() {
    let old = Maker::new("CLayer").with(Vec::new());
    let mut new = old.clone();
    new.tags.add("mcolour").unwrap();
    assert_eq!(lines(&old, &new), [r#"added (tags): "mcolour""#]);
    assert_ne!(text_of(&old), text_of(&new));
    assert_eq!(lines(&new, &old), [r#"removed (tags): "mcolour""#]);
}

#[test]
fn other_ids_for_the_same_names_are_no_difference() {
    let maker = Maker::new("CLayer");
    let point = maker.object("SKeyPoint", 4, vec![maker.field("name", text("a"))]);
    let old = maker.with(vec![maker.field("data", point), maker.field("mvalue", int(1))]);
    let mut new = old.clone();
    let moved = |table: &Table| -> Table {
        table.entries().map(|(id, name)| (id + 500, name.clone())).collect()
    };
    (new.tags, new.classes) = (moved(&new.tags), moved(&new.classes));
    fn renumber(object: &mut Object) {
        object.class += 500;
        for field in &mut object.fields {
            field.tag += 500;
            if let Value::Object(object) = &mut field.value {
                renumber(object);
            }
        }
    }
    renumber(&mut new.root);
    assert_eq!(lines(&old, &new), [""; 0]);
    assert_eq!(text_of(&old), text_of(&new));
}

#[test]
fn long_lists_that_have_nothing_in_common_are_compared_in_time() {
    let maker = Maker::new("CLayer");
    let list = |numbers: std::ops::Range<i32>| {
        let parts = numbers.map(|number| {
            let fields = vec![maker.field("type", int(number)), maker.field("id", int(-number))];
            maker.object("SRoadElement", number as u32, fields).into()
        });
        maker.with(vec![maker.field("directiona", maker.items(parts))])
    };
    let found = differences(&list(0..20_000), &list(50_000..75_000));
    assert_eq!(found.len(), 45_000);
}

/// Returns the document as Terrain Builder saves it once more, elsewhere in memory, on another machine.
fn saved_again(document: &Document) -> Document {
    fn again(tags: &Table, classes: &Table, object: &mut Object) {
        object.address ^= 0x0550_5540;
        let is_id = object.all(tags.id("mname").unwrap()).any(|name| *name == text("__ID"));
        let class = classes.display(object.class as u16).into_owned();
        for field in &mut object.fields {
            let name = tags.display(field.tag);
            match (&*class, &*name, &mut field.value) {
                ("CVisitor4Project", "mworldfWorldWidth" | "mworldfWorldHeight", value) => {
                    *value = Value::Float(f32::from_bits(0x6E69_616A));
                }
                ("SMapFrame", "needToRebuildTerrain" | "needToGenerateLayers", value) => {
                    *value = (value.as_bool() == Some(false)).into();
                }
                ("SMapFrameConfiguration", "mgridMaskGeneratedLastTime", Value::Array(mask)) => {
                    for bit in mask {
                        bit.value = true.into();
                    }
                }
                ("SRawData", "mvalue", value) if is_id => *value = text("987654"),
                (_, _, value) => value_again(tags, classes, value),
            }
        }
    }
    fn value_again(tags: &Table, classes: &Table, value: &mut Value) {
        match value {
            Value::Object(object) => again(tags, classes, object),
            Value::ObjectPointer(pointer) => pointer.address ^= 0x0550_5540,
            Value::Array(fields) => {
                fields.iter_mut().for_each(|field| value_again(tags, classes, &mut field.value));
            }
            Value::Pair(halves) => {
                halves.iter_mut().for_each(|half| value_again(tags, classes, &mut half.value));
            }
            _ => {}
        }
    }
    let mut again_saved = document.clone();
    again(&document.tags, &document.classes, &mut again_saved.root);
    again_saved
}

#[test]
fn saving_again_changes_nothing() {
    let maker = Maker::new("CVisitor4Project");
    let frame = vec![
        maker.field("name", text("frame")),
        maker.field("needToRebuildTerrain", false),
        maker.field("needToGenerateLayers", true),
        maker.field(
            "config",
            maker.object(
                "SMapFrameConfiguration",
                12,
                vec![maker.field("mgridMaskGeneratedLastTime", maker.items([false.into()]))],
            ),
        ),
    ];
    let attribute = |name: &str, value: &str| {
        let fields = vec![maker.field("mname", text(name)), maker.field("mvalue", text(value))];
        (text(name), maker.object("SRawData", 16, fields).into())
    };
    let attributes = maker.pairs([attribute("HEIGHT", "12"), attribute("__ID", "1000")]);
    let document = maker.with(vec![
        maker.field("mworldfWorldWidth", Value::Float(1.5e30)),
        maker.field("mactiveLayer", ObjectPointer { class: 5, address: 77 }),
        maker.field("mframe", maker.items([maker.object("SMapFrame", 8, frame).into()])),
        maker.field("mrawData", attributes),
    ]);
    let again = saved_again(&document);
    assert!(!again.is_identical(&document));
    assert_eq!(lines(&document, &again), [""; 0]);
    assert_eq!(text_of(&document), text_of(&again));
    let strict = Options { strict: true, ..Options::default() };
    // Five addresses, and one in the pointer; five fields.
    assert_eq!(diff(&document, &again, &strict).len(), 11);
}

fn document(sample: &Sample) -> Document {
    Document::from_slice(&sample.bytes).unwrap()
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_files_do_not_differ_from_themselves_saved_again() {
    let strict = Options { strict: true, ..Options::default() };
    each_sample(|sample| {
        let document = document(&sample);
        assert_eq!(diff(&document, &document, &strict), [], "{}", sample.name);
        let again = saved_again(&document);
        assert_eq!(lines(&document, &again), [""; 0], "{}", sample.name);
        assert!(text_of(&document) == text_of(&again), "{}", sample.name);
        assert!(!diff(&document, &again, &strict).is_empty(), "{}", sample.name);
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_object_of_a_real_layer_is_a_line() {
    each_sample(|sample| {
        let document = document(&sample);
        let tag = |name: &str| document.tags.id(name).unwrap();
        let Some(Value::Raw(tree)) = document.root.get(tag("tree")) else { return };
        let version = document.root.get(tag("mlayerVersion")).and_then(Value::as_integer);
        let version = Version::of_layer_version(version.unwrap() as i32);
        let mut ids = BTreeSet::new();
        let mut count = 0;
        for object in objects(tree, version) {
            ids.insert(object.unwrap().1.id);
            count += 1;
        }
        let text = text_of(&document);
        let lines = text.lines().filter_map(|line| line.strip_prefix("tree[id "));
        let listed: Vec<u32> = lines
            .map(|line| line.split_once("] ").and_then(|(id, _)| id.parse().ok()).expect(line))
            .collect();
        assert_eq!(listed.len(), count, "{}", sample.name);
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), ids, "{}", sample.name);
    });
}

/// The center deltas of a project, found without the code under test.
fn deltas(document: &Document) -> BTreeMap<String, [u64; 2]> {
    let tag = |name: &str| document.tags.id(name).unwrap();
    let manager = document.root.get(tag("objManager")).and_then(Value::as_object).unwrap();
    let deltas = manager.get(tag("mobjectsDelta")).and_then(Value::as_array).unwrap();
    let pairs = deltas.iter().map(|pair| {
        let [key, data] = pair.value.as_pair().unwrap();
        let delta = data.value.as_object().unwrap();
        let number = |name: &str| delta.get(tag(name)).and_then(Value::as_real).unwrap().to_bits();
        (key.value.as_text().unwrap().to_str().into_owned(), [number("x"), number("z")])
    });
    pairs.collect()
}

/// Returns the states of real files, by their role in a project.
fn states() -> Vec<Vec<(String, Document)>> {
    let mut states: BTreeMap<(String, String), Vec<_>> = BTreeMap::new();
    each_sample(|sample| {
        let project = sample.name.split(['/', '\\']).next().unwrap_or_default().to_owned();
        let file = sample.name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let document = document(&sample);
        states.entry((project, file)).or_default().push((sample.name, document));
    });
    states.into_values().filter(|states| states.len() > 1).collect()
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn differences_of_real_states_are_those_of_their_texts() {
    let mut compared = 0;
    for states in states() {
        let texts: Vec<_> = states.iter().map(|(_, document)| text_of(document)).collect();
        for (at, (old_name, old)) in states.iter().enumerate() {
            // Each pair both ways, and each with itself.
            for (other, (new_name, new)) in states.iter().enumerate().skip(at) {
                let there = differences(old, new);
                let name = format!("{old_name} and {new_name}");
                assert_eq!(there.is_empty(), texts[at] == texts[other], "{name}");
                let back = differences(new, old);
                assert_eq!(there.len(), back.len(), "{name}");
                compared += 1;
            }
        }
    }
    println!("{compared} pairs of real states");
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn center_deltas_of_real_states() {
    let mut compared = 0;
    for states in states().iter().filter(|states| states[0].0.ends_with(".tv4p")) {
        for ((old_name, old), (new_name, new)) in states.iter().zip(&states[1..]) {
            let (before, after) = (deltas(old), deltas(new));
            let found = differences(old, new);
            let of = |kind: ChangeKind| {
                let found = found.iter().filter(move |difference| difference.kind == kind);
                found.map(|difference| difference.place().to_string())
            };
            let path =
                |key: &str| format!("objManager.mobjectsDelta[\"{}\"]", key.replace('\\', "\\\\"));
            let is_delta = |place: &String| place.starts_with("objManager.mobjectsDelta[");
            let only = |one: &BTreeMap<String, _>, other: &BTreeMap<String, [u64; 2]>| {
                let keys = one.keys().filter(|key| !other.contains_key(*key));
                keys.map(|key| path(key)).collect::<BTreeSet<_>>()
            };
            let name = format!("{old_name} and {new_name}");
            let places = |kind| of(kind).filter(is_delta).collect::<BTreeSet<_>>();
            assert_eq!(places(ChangeKind::Removed), only(&before, &after), "{name}");
            assert_eq!(places(ChangeKind::Added), only(&after, &before), "{name}");
            let changed = before.iter().filter_map(|(key, old)| Some((key, old, after.get(key)?)));
            let changed: BTreeSet<_> = changed
                .flat_map(|(key, old, new)| {
                    let numbers = ["x", "z"].into_iter().zip(old.iter().zip(new));
                    numbers
                        .filter(|(_, (old, new))| old != new)
                        .map(|(number, _)| format!("{}.data.{number}", path(key)))
                        .collect::<Vec<_>>()
                })
                .collect();
            assert_eq!(places(ChangeKind::Changed), changed, "{name}");
            assert_eq!(places(ChangeKind::Moved), BTreeSet::new(), "{name}");
            compared += 1;
        }
    }
    println!("{compared} pairs of real projects");
}

/// A layer with these templates and objects.
fn layer(templates: &[&str], placed: &[(&str, tree::Object)]) -> Document {
    let maker = Maker::new("CLayer");
    let libs = templates.iter().map(|name| (text(name), Value::SignedLong(1)));
    let placed = placed.iter().map(|(name, object)| (hash(name.as_bytes()), *object));
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    let tree = Tree::build(&grid, placed, |_| 0.into()).unwrap().to_vec().unwrap();
    maker.with(vec![
        maker.field("mlayerVersion", int(4)),
        maker.field("libs", Vec::new()),
        maker.field("libs", maker.pairs(libs)),
        maker.field("tree", Raw::from(tree)),
    ])
}

fn object(id: u32, x: f64, yaw: f32) -> tree::Object {
    tree::Object { id, x, y: 20.0, yaw, scale: 1.0, ..tree::Object::default() }
}

#[test]
fn objects_of_a_layer_by_their_ids() {
    let templates = ["oak_1", "stone"];
    let old = [("oak", object(0, 200_010.0, 0.0)), ("stone", object(1, 200_500.0, 90.5))];
    let between = |new: &[(&str, tree::Object)]| {
        let (old, new) = (layer(&templates, &old), layer(&templates, new));
        let found = lines(&old, &new);
        assert_eq!(found.is_empty(), text_of(&old) == text_of(&new));
        assert_eq!(found.len(), lines(&new, &old).len());
        found
    };
    assert_eq!(between(&[old[1], old[0]]), [""; 0]);
    assert_eq!(
        between(&[old[0], ("stone", object(1, 201_000.0, 0.1))]),
        [
            "moved tree[id 1].position: [200500.0, 20.0] -> [201000.0, 20.0]",
            "changed tree[id 1].yaw: 90.5 -> 0.1"
        ]
    );
    assert_eq!(
        between(&[("unknown", old[0].1), old[1]]),
        [format!("changed tree[id 0].template: \"oak_1\" -> 0x{:08x}", hash(b"unknown"))]
    );
    assert_eq!(
        between(&[old[1], ("oak", object(7, 200_010.0, 0.0))]),
        [
            r#"removed tree[id 0]: "oak_1" at [200010.0, 20.0] yaw=0.0 pitch=0.0 roll=0.0 scale=1.0 z=0.0"#,
            r#"added tree[id 7]: "oak_1" at [200010.0, 20.0] yaw=0.0 pitch=0.0 roll=0.0 scale=1.0 z=0.0"#
        ]
    );
    // Two with one id.
    assert_eq!(
        between(&[old[0], old[1], ("stone", object(1, 200_600.0, 0.0))]),
        [
            r#"added tree[id 1 again 1]: "stone" at [200600.0, 20.0] yaw=0.0 pitch=0.0 roll=0.0 scale=1.0 z=0.0"#
        ]
    );
    let found = differences(&layer(&templates, &old), &layer(&templates, &old[..1]));
    assert_eq!((found[0].kind, &*found[0].old.class), (ChangeKind::Removed, "CLayer"));
}

#[test]
fn a_quadtree_that_cannot_be_read_is_compared_by_its_bytes() {
    let good = layer(&[], &[]);
    let tag = good.tags.id("tree").unwrap();
    let with = |bytes: &[u8]| {
        let mut broken = good.clone();
        *broken.root.get_mut(tag).unwrap() = Raw::from(bytes.to_vec()).into();
        broken
    };
    let (one, other) = (with(&[9; 40]), with(&[9; 41]));
    assert_eq!(lines(&one, &other), ["changed tree: 40 raw bytes -> 41 raw bytes"]);
    assert_eq!(lines(&one, &one.clone()), [""; 0]);
    assert_eq!(lines(&good, &one).len(), 1);
    assert!(text_of(&other).contains("tree = raw 09 09"));
}

#[test]
fn objects_of_very_many_fields_are_compared_in_time() {
    // Looking for the name of each attribute's object, and for the templates of each tree, must not
    // go through all fields again and again.
    let maker = Maker::new("CLayer");
    let values = (0..200_000).map(|number| maker.field("mvalue", int(number))).collect();
    let mut old = maker.with(values);
    old.root.class = old.classes.id("SRawData").unwrap() as i16;
    let pairs = maker.pairs((0..20_000).map(|number| (text(&number.to_string()), int(1))));
    let mut fields = vec![maker.field("mlayerVersion", int(4)), maker.field("libs", pairs)];
    fields.extend((0..50_000).map(|_| maker.field("tree", Raw::from(vec![0; 9]))));
    for old in [old, maker.with(fields)] {
        let mut new = old.clone();
        let (tag, _) = new.tags.entries().last().unwrap();
        new.root.fields.push(Field::new(tag, Value::Empty));
        assert_eq!(differences(&old, &new).len(), 1);
        assert_ne!(text_of(&old), text_of(&new));
    }
}
