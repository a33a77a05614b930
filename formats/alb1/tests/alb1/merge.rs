//! Three documents merged: real files with edits of two sides, where there are such files.

use std::collections::BTreeSet;

use formwork_alb1::diff;
use formwork_alb1::diff::{ChangeKind, Options, diff};
use formwork_alb1::terrain::{ObjectLayer, Root};
use formwork_alb1::tree::{Colour, Object, Tree};
use formwork_alb1::{Addresses, Document, FieldPath, Text, Value};
use formwork_testkit::Noise;

use crate::corpus::{Sample, each_file};

/// Something that a person does to a file.
#[derive(Clone, Debug)]
enum Edit {
    /// Gives a field another value.
    Set(String, Value),
    /// Takes an element out of an array.
    Remove(String),
    /// Puts a changed copy of an element before it.
    Copy(String),
    /// Lifts an object of a layer.
    Lift(usize, f32),
}

impl Edit {
    /// Returns the path of the edit; [`None`] for an object of a layer.
    fn path(&self) -> Option<&str> {
        match self {
            Self::Set(path, _) | Self::Remove(path) | Self::Copy(path) => Some(path),
            Self::Lift(..) => None,
        }
    }

    fn apply(&self, document: &mut Document) {
        match self {
            Self::Set(path, value) => drop(document.set(path, value.clone()).unwrap()),
            Self::Remove(path) => drop(document.remove(path).unwrap()),
            Self::Copy(path) => {
                let mut copy = document.get(path).unwrap().clone();
                assert!(Addresses::of(document).renew(&mut copy));
                assert!(mark(&mut copy), "{path}");
                let (list, position) = element(path).unwrap();
                let tag = document.field(&path.parse().unwrap()).unwrap().tag;
                let tag = document.tags.display(tag).into_owned();
                document.insert(list, position, &tag, copy).unwrap();
            }
            Self::Lift(number, by) => {
                let mut layer = ObjectLayer::of(document).unwrap();
                let mut tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
                tree.objects[*number].z += by;
                layer.set_tree(&tree).unwrap();
                layer.store_in(document).unwrap();
            }
        }
    }

    /// Whether the two are about one thing, or one of them is around the other.
    fn touches(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Lift(one, _), Self::Lift(other, _)) => one == other,
            _ => match (self.path(), other.path()) {
                // How a tree is laid out depends on these.
                (Some(path), None) | (None, Some(path)) => {
                    ["tree", "mlayerVersion"].contains(&path)
                }
                (Some(one), Some(other)) => {
                    let inside = |inner: &str, outer: &str| {
                        inner
                            .strip_prefix(outer)
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                    };
                    let (one, other) = (whole(one), whole(other));
                    inside(one, other) || inside(other, one)
                }
                (None, None) => false,
            },
        }
    }
}

/// Returns the pair if the path leads into its key, because the data belongs to the key; otherwise the path itself.
fn whole(path: &str) -> &str {
    path.strip_suffix(".key").unwrap_or(path)
}

/// The array and the position in it that a path ends with.
fn element(path: &str) -> Option<(&str, usize)> {
    let (list, position) = path.strip_suffix(']')?.rsplit_once('[')?;
    Some((list, position.parse().ok()?))
}

fn is_element(document: &Document, path: &str) -> bool {
    let list = element(path).map(|(list, _)| document.get(list));
    list.is_some_and(|list| list.is_ok_and(|list| list.as_array().is_some()))
}

/// Changes the first text or number that is found in a value; whether there is one.
fn mark(value: &mut Value) -> bool {
    if let Some(other) = other(value, 41) {
        *value = other;
        return true;
    }
    value.fields_mut().iter_mut().any(|field| mark(&mut field.value))
}

/// Another value of the type, where that is simple.
fn other(value: &Value, number: u64) -> Option<Value> {
    Some(match value {
        Value::String(text) => {
            Value::String(Text::new(&format!("{}x{number}", text.to_str())).unwrap())
        }
        Value::Double(old) => Value::Double(old + 0.5 + number as f64),
        Value::Float(old) => Value::Float(old + 0.5 + number as f32),
        Value::SignedInt(old) => Value::SignedInt(old.wrapping_add(1 + number as i32)),
        Value::UnsignedInt(old) => Value::UnsignedInt(old.wrapping_add(1 + number as u32)),
        Value::UnsignedLong(old) => Value::UnsignedLong(old.wrapping_add(1 + number as u32)),
        Value::ArrayOfDouble(old) => {
            let numbers = old.iter().map(|it| it + 1.0 + number as f64);
            Value::ArrayOfDouble(numbers.collect::<Vec<_>>().into())
        }
        Value::Bool(old) => Value::Bool(u8::from(*old == 0)),
        _ => return None,
    })
}

/// The edits that can be made to a document, by chance.
struct Edits {
    paths: Vec<(String, Option<Value>)>,
    /// How many objects are in a layer's tree.
    objects: usize,
    noise: Noise,
}

impl Edits {
    fn of(document: &Document, seed: u64) -> Self {
        let mut paths = Vec::new();
        let mut walk = document.walk();
        while let Some(item) = walk.next() {
            let value = item.value().cloned();
            let path = FieldPath::from(&walk.path()).to_string();
            if !path.is_empty() {
                paths.push((path, value));
            }
        }
        let tree = ObjectLayer::of(document)
            .and_then(|layer| Tree::read(&layer.tree, layer.tree_version()));
        let objects = tree.map_or(0, |tree| tree.objects.len());
        Self { paths, objects, noise: Noise::new(seed) }
    }

    /// An edit that counts, and the document with it.
    fn next(&mut self, base: &Document) -> (Edit, Document) {
        loop {
            let number = self.noise.below(1000) as u64;
            let (path, value) = &self.paths[self.noise.below(self.paths.len())];
            let edit = match self.noise.below(6) {
                0 if self.objects > 0 => {
                    Edit::Lift(self.noise.below(self.objects), 0.25 + number as f32)
                }
                // A mask is one thing: nobody takes a tile out of it.
                1 | 2 if matches!(value, Some(Value::Bool(_))) => continue,
                // Of a field that an object has twice, each has such a path, too.
                1 | 2 if !is_element(base, path) => continue,
                1 => Edit::Remove(path.clone()),
                2 => {
                    let mut copy = base.get(path).unwrap().clone();
                    if !mark(&mut copy) {
                        continue;
                    }
                    Edit::Copy(path.clone())
                }
                3.. => match value.as_ref().and_then(|value| other(value, number)) {
                    Some(value) => Edit::Set(path.clone(), value),
                    None => continue,
                },
                _ => continue,
            };
            let mut edited = base.clone();
            edit.apply(&mut edited);
            if !differences(base, &edited).is_empty() {
                return (edit, edited);
            }
        }
    }
}

fn document(sample: &Sample) -> Document {
    Document::from_slice(&sample.bytes).unwrap()
}

fn differences(old: &Document, new: &Document) -> Vec<String> {
    diff(old, new, &Options::default()).iter().map(ToString::to_string).collect()
}

/// How many edits of a file are tried: fewer of large ones.
fn rounds(sample: &Sample) -> u64 {
    match sample.bytes.len() {
        0..50_000 => 6,
        50_000..1_000_000 => 3,
        _ => 1,
    }
}

#[test]
fn where_one_side_did_nothing_the_other_side_stays_byte_for_byte() {
    let (mut merged, mut faults) = (0, Vec::<String>::new());
    each_file(|sample| {
        let base = document(&sample);
        let mut edits = Edits::of(&base, sample.bytes.len() as u64);
        for _ in 0..rounds(&sample) {
            let (edit, edited) = edits.next(&base);
            let bytes = edited.to_vec().unwrap();
            for sides in [[&base, &edited], [&edited, &base], [&edited, &edited]] {
                for prefer_theirs in [false, true] {
                    let found = diff::merge(&base, sides[0], sides[1], prefer_theirs);
                    let is_same = found.document.to_vec().unwrap() == bytes;
                    if !is_same || !found.conflicts.is_empty() {
                        faults.push(format!("{}: {edit:?}: {:?}", sample.name, found.conflicts));
                    }
                }
            }
            merged += 1;
        }
        let same = diff::merge(&base, &base, &base, false);
        assert!(same.document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
    });
    assert_eq!(faults, [""; 0], "{} of {merged}", faults.len());
    println!("{merged} edits");
}

#[test]
fn two_edits_of_a_real_file_are_both_in_the_merged_one_and_nothing_else() {
    let (mut merged, mut faults) = (0, Vec::<String>::new());
    each_file(|sample| {
        let base = document(&sample);
        let mut edits = Edits::of(&base, 7 + sample.bytes.len() as u64);
        for _ in 0..rounds(&sample) {
            let (one, ours) = edits.next(&base);
            let (mut other, mut theirs) = edits.next(&base);
            while one.touches(&other) {
                (other, theirs) = edits.next(&base);
            }
            let at = |edit: &Edit| match edit.path() {
                Some(path) => edits.paths.iter().position(|(known, _)| known == path),
                None => Some(usize::MAX),
            };
            let mut expected = base.clone();
            // The later one first, so that the path of the other leads where it led, and those of the tree before
            // the layer may be none.
            let in_order = if at(&one) > at(&other) { [&one, &other] } else { [&other, &one] };
            in_order.iter().for_each(|edit| edit.apply(&mut expected));
            let found = diff::merge(&base, &ours, &theirs, false);
            let name = format!("{}: {one:?} and {other:?}", sample.name);
            // Two copies get other addresses than one after the other.
            let both_new = matches!((&one, &other), (Edit::Copy(_), Edit::Copy(_)));
            let is_same = differences(&expected, &found.document).is_empty()
                && (both_new || found.document.to_vec().unwrap() == expected.to_vec().unwrap());
            if !is_same || !found.conflicts.is_empty() {
                faults.push(format!("{name}: {:?}", found.conflicts));
            }
            merged += 1;
        }
    });
    assert_eq!(faults, [""; 0], "{} of {merged}", faults.len());
    println!("{merged} pairs of edits");
}

#[test]
fn edits_of_one_field_are_a_conflict_that_is_listed_by_its_path() {
    let mut conflicts = 0;
    each_file(|sample| {
        let base = document(&sample);
        let mut edits = Edits::of(&base, 13 + sample.bytes.len() as u64);
        for _ in 0..rounds(&sample) {
            let (one, ours) = edits.next(&base);
            let Edit::Set(path, value) = &one else { continue };
            let Some(value) = other(value, 5) else { continue };
            let twice = Edit::Set(path.clone(), value);
            let mut theirs = base.clone();
            twice.apply(&mut theirs);
            let changed = diff(&base, &ours, &Options::default());
            // A name or a key identifies an element: with another one it is another element.
            if !matches!(&changed[..], [one] if one.kind == ChangeKind::Changed)
                || theirs.is_identical(&base)
                || theirs.is_identical(&ours)
            {
                continue;
            }
            let name = format!("{}: {path}", sample.name);
            for (prefer_theirs, kept) in [(false, &ours), (true, &theirs)] {
                let found = diff::merge(&base, &ours, &theirs, prefer_theirs);
                let [conflict] = &found.conflicts[..] else {
                    panic!("{name}: {:?}", found.conflicts);
                };
                assert_eq!(conflict.place, changed[0].place().to_string(), "{name}");
                let [base, ours] = [&conflict.base, &conflict.ours];
                assert!(base.is_some() && ours.is_some() && base != ours, "{name}");
                assert!(conflict.theirs.is_some() && conflict.theirs != conflict.ours, "{name}");
                assert!(found.document.to_vec().unwrap() == kept.to_vec().unwrap(), "{name}");
            }
            conflicts += 1;
        }
    });
    println!("{conflicts} conflicts");
}

/// Returns the layer without the objects at these positions.
fn without(base: &Document, positions: &[usize]) -> Document {
    let mut layer = ObjectLayer::of(base).unwrap();
    let mut tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
    let ids: Vec<u32> = positions.iter().map(|at| tree.objects[*at].id).collect();
    for id in ids {
        tree.remove(id, |_| Colour::from(0)).unwrap().unwrap();
    }
    layer.set_tree(&tree).unwrap();
    let mut document = base.clone();
    layer.store_in(&mut document).unwrap();
    document
}

#[test]
fn objects_that_both_sides_took_away_are_counted_once_each() {
    let mut merged = 0;
    each_file(|sample| {
        let base = document(&sample);
        let Ok(layer) = ObjectLayer::of(&base) else { return };
        let Ok(tree) = Tree::read(&layer.tree, layer.tree_version()) else { return };
        let ids: BTreeSet<u32> = tree.objects.iter().map(|object| object.id).collect();
        if tree.objects.len() < 8 || ids.len() != tree.objects.len() {
            return;
        }
        // The attributes of the layer are right from the start.
        let base = without(&base, &[0]);
        let count = tree.objects.len() - 1;
        let (ours, theirs) = (without(&base, &[1, 2]), without(&base, &[4, 6]));
        let found = diff::merge(&base, &ours, &theirs, false);
        assert_eq!(found.conflicts, [], "{}", sample.name);
        let layer = ObjectLayer::of(&found.document).unwrap();
        assert_eq!(layer.object_count as usize, count - 4, "{}", sample.name);
        let expected = without(&base, &[1, 2, 4, 6]);
        assert_eq!(differences(&expected, &found.document), [""; 0], "{}", sample.name);
        // Another number on each side is no conflict, either.
        let theirs = without(&base, &[4]);
        let found = diff::merge(&base, &ours, &theirs, true);
        assert_eq!(found.conflicts, [], "{}", sample.name);
        let expected = without(&base, &[1, 2, 4]);
        assert_eq!(differences(&expected, &found.document), [""; 0], "{}", sample.name);
        merged += 1;
    });
    println!("{merged} layers");
}

#[test]
fn a_real_state_of_one_side_is_merged_without_conflicts() {
    let mut before: Option<(String, Document)> = None;
    let mut merged = 0;
    each_file(|sample| {
        let (file, next) = (sample.name.rsplit('/').next().unwrap().to_owned(), document(&sample));
        let last = before.replace((file.clone(), next.clone()));
        let Some((_, base)) = last.filter(|(known, _)| *known == file) else { return };
        let found = diff::merge(&base, &next, &base, false);
        assert_eq!(found.conflicts, [], "{}", sample.name);
        assert!(found.document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
        let found = diff::merge(&base, &base, &next, false);
        assert_eq!(found.conflicts, [], "{}", sample.name);
        assert_eq!(differences(&next, &found.document), [""; 0], "{}", sample.name);
        merged += 1;
    });
    println!("{merged} pairs of states");
}

/// How many bytes a simple value has in the file at most.
fn size(value: &Value) -> usize {
    match value {
        Value::Bool(_) => 1,
        Value::String(text) => 4 + text.as_bytes().len(),
        Value::ArrayOfDouble(numbers) => 4 + 8 * numbers.len(),
        _ => 8,
    }
}

/// How many bytes two lists begin with alike.
fn alike<'b>(one: impl Iterator<Item = &'b u8>, other: impl Iterator<Item = &'b u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

#[test]
fn a_thousand_random_edits_touch_nothing_else_and_are_made_back() {
    let mut made = 0;
    each_file(|sample| {
        let base = document(&sample);
        let mut edits = Edits::of(&base, 99 + sample.bytes.len() as u64);
        edits.objects = 0;
        // The shipped files are few and small.
        let rounds = if sample.name.starts_with("valley.") { 250 } else { rounds(&sample) };
        for _ in 0..rounds {
            let (edit, mut edited) = edits.next(&base);
            let path = edit.path().unwrap();
            let name = format!("{}: {edit:?}", sample.name);
            let (old, new) = (&sample.bytes[..], edited.to_vec().unwrap());
            let start = alike(old.iter(), new.iter());
            let left = old.len().min(new.len()) - start;
            let end = alike(old.iter().rev().take(left), new.iter().rev().take(left));
            match &edit {
                Edit::Set(path, value) => {
                    let was = base.get(path).unwrap();
                    // With another length, the sizes of the arrays around it change, too.
                    if old.len() == new.len() {
                        assert!(old.len() - start - end <= size(value), "{name}");
                    }
                    edited.set(path, was.clone()).unwrap();
                }
                Edit::Remove(path) => {
                    let (list, position) = element(path).unwrap();
                    let gone = base.field(&path.parse().unwrap()).unwrap();
                    let tag = base.tags.display(gone.tag).into_owned();
                    assert!(new.len() < old.len(), "{name}");
                    edited.insert(list, position, &tag, gone.value.clone()).unwrap();
                }
                Edit::Copy(path) => drop(edited.remove(path).unwrap()),
                Edit::Lift(..) => unreachable!("no objects"),
            }
            assert!(edited.to_vec().unwrap() == old, "{name}: {path}");
            made += 1;
        }
    });
    println!("{made} edits");
    assert!(made >= 1000, "{made}");
}

/// A layer with objects added at these places; each gets the next id, as Terrain Builder counts.
fn with_added(base: &Document, places: &[(f64, f64)]) -> Document {
    let mut layer = ObjectLayer::of(base).unwrap();
    let mut tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
    let (template, like) = tree.placed().next().map(|(hash, one)| (hash, *one)).unwrap();
    let mut objects: Vec<_> = tree.placed().map(|(hash, object)| (hash, *object)).collect();
    for &(x, y) in places {
        let id = layer.next_object_id as u32;
        objects.push((template, Object { id, x, y, ..like }));
        layer.next_object_id += 1;
    }
    tree = tree.rebuild(objects, |_| Colour::from(0)).unwrap();
    layer.set_tree(&tree).unwrap();
    let mut document = base.clone();
    layer.store_in(&mut document).unwrap();
    document
}

/// A layer that is shipped, with objects in it.
pub(crate) fn houses() -> Document {
    let path = formwork_testkit::formats().join("alb1/samples/valley.Layers/houses.tv4l");
    Document::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn objects_that_both_sides_added_under_one_id_are_both_kept() {
    let base = houses();
    let count = ObjectLayer::of(&base).unwrap().object_count;
    let ours = with_added(&base, &[(200_300.0, 300.0), (200_400.0, 400.0)]);
    let theirs = with_added(&base, &[(200_900.0, 900.0), (200_400.0, 400.0), (200_950.0, 950.0)]);
    for prefer_theirs in [false, true] {
        let merged = diff::merge(&base, &ours, &theirs, prefer_theirs);
        assert_eq!((&merged.conflicts[..], merged.renumbered), (&[][..], 1));
        let layer = ObjectLayer::of(&merged.document).unwrap();
        let tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
        let objects: Vec<_> = tree.placed().map(|(_, it)| it).collect();
        let ids: BTreeSet<u32> = objects.iter().map(|it| it.id).collect();
        assert_eq!((ids.len(), layer.object_count), (objects.len(), count + 4));
        assert!(ids.iter().all(|id| (*id as i64) < layer.next_object_id.into()), "{ids:?}");
        for x in [200_300.0, 200_400.0, 200_900.0, 200_950.0] {
            assert_eq!(objects.iter().filter(|it| it.x == x).count(), 1, "{x}");
        }
        // What is ours has the ids of ours.
        assert!(differences(&ours, &merged.document).iter().all(|it| !it.starts_with("removed")));
        assert_eq!(formwork_terrain::verify::document("merged", &merged.document), []);
        // To merge the same again adds nothing.
        let again = diff::merge(&base, &merged.document, &theirs, prefer_theirs);
        assert_eq!((&again.conflicts[..], again.renumbered), (&[][..], 0));
        assert_eq!(differences(&merged.document, &again.document), [""; 0]);
    }
}

#[test]
fn an_object_that_both_sides_changed_is_named_with_its_template_and_what_differs() {
    let base = houses();
    let lift = |x: f64, z: f32| {
        let mut layer = ObjectLayer::of(&base).unwrap();
        let mut tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
        let object = tree.objects.iter_mut().find(|object| object.id == 0).unwrap();
        object.x += x;
        object.z = z;
        layer.set_tree(&tree).unwrap();
        let mut document = base.clone();
        layer.store_in(&mut document).unwrap();
        document
    };
    let merged = diff::merge(&base, &lift(0.0, 5.0), &lift(0.0, 7.0), false);
    let [conflict] = &merged.conflicts[..] else { panic!("{:?}", merged.conflicts) };
    assert_eq!(conflict.place, "tree[id 0]");
    let all = [&conflict.base, &conflict.ours, &conflict.theirs].map(|it| it.as_deref().unwrap());
    assert_eq!(all, [r#""barn" z=0.0"#, r#""barn" z=5.0"#, r#""barn" z=7.0"#]);
    let layer = ObjectLayer::of(&base).unwrap();
    let tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
    let position = tree.objects.iter().position(|object| object.id == 0).unwrap();
    let merged = diff::merge(&base, &without(&base, &[position]), &lift(0.5, 0.0), false);
    let [conflict] = &merged.conflicts[..] else { panic!("{:?}", merged.conflicts) };
    assert_eq!((conflict.ours.as_deref(), &*conflict.place), (None, "tree[id 0]"));
    assert_eq!(conflict.theirs.as_deref(), Some(r#""barn" at [200100.625, 200.25]"#));
}

#[test]
fn the_number_of_objects_of_a_project_follows_both_sides() {
    let path = formwork_testkit::formats().join("alb1/samples/valley.tv4p");
    let base = Document::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let field = "objManager.mlTotalObjectCount";
    let with = |by: i32| {
        let mut document = base.clone();
        let old = base.get(field).unwrap().as_integer().unwrap() as i32;
        document.set(field, Value::SignedLong(old + by)).unwrap();
        document
    };
    for (ours, theirs, both) in [(1, 2, 3), (-2, 5, 3), (0, 4, 4), (4, 0, 4), (1, 1, 1)] {
        let merged = diff::merge(&base, &with(ours), &with(theirs), false);
        assert_eq!(merged.conflicts, [], "{ours} {theirs}");
        assert_eq!(differences(&with(both), &merged.document), [""; 0], "{ours} {theirs}");
    }
}
