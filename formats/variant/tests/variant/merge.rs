//! What a merge of two changed values is, row by row, and what two values differ in.

use formwork_edit::{
    Compare, Difference, DifferenceKind, Merge, Names, Place, Side, Step, ValuePath, mend,
    new_stray, remove,
};
use formwork_variant::{Array, ElementType, FullObject, Object, Variant, VariantType, Vector2};
use formwork_variant::{Decoder, Dialect, variant};

const G4: Dialect = Dialect::GODOT4;

fn typed(elements: Vec<Variant>, of: VariantType) -> Variant {
    let mut array = Array::from(elements);
    array.set_element_type(Some(ElementType::Builtin(of)));
    Variant::Array(array)
}

fn object(class: &str, properties: &[(&str, Variant)]) -> Variant {
    let properties = properties.iter().map(|(name, value)| ((*name).into(), value.clone()));
    let (class, properties) = (class.into(), properties.collect());
    Object::Full(Box::new(FullObject { class, properties })).into()
}

#[test]
fn additions_are_taken_and_what_both_replaced_is_a_conflict() {
    // The base, ours, theirs; the result where ours is kept, and where theirs is; the conflicts.
    let rows: Vec<(&str, [Variant; 3], [Variant; 2], &[&str])> = vec![
        (
            "both add at the end",
            [variant!([1]), variant!([1, "a"]), variant!([1, "b"])],
            [variant!([1, "a", "b"]), variant!([1, "a", "b"])],
            &[],
        ),
        (
            "both add at the start",
            [variant!([1]), variant!(["a", 1]), variant!(["b", 1])],
            [variant!(["a", "b", 1]), variant!(["a", "b", 1])],
            &[],
        ),
        (
            "both add to nothing",
            [variant!([]), variant!(["a"]), variant!([true])],
            [variant!(["a", true]), variant!(["a", true])],
            &[],
        ),
        (
            "both add the same",
            [variant!([1]), variant!([1, "a"]), variant!([1, "a"])],
            [variant!([1, "a"]), variant!([1, "a"])],
            &[],
        ),
        (
            "both add the same among others",
            [variant!([1]), variant!([1, "a", "b"]), variant!([1, "b"])],
            [variant!([1, "a", "b"]), variant!([1, "a", "b"])],
            &[],
        ),
        (
            "both replace the same element",
            [variant!([1, 2]), variant!(["a", 2]), variant!([true, 2])],
            [variant!(["a", 2]), variant!([true, 2])],
            &[""],
        ),
        (
            "both remove an element, and ours adds one",
            [variant!([1, 2]), variant!(["a", 2]), variant!([2])],
            [variant!(["a", 2]), variant!(["a", 2])],
            &[],
        ),
        (
            "both remove an element, and theirs adds one",
            [variant!([1, 2]), variant!([2]), variant!(["a", 2])],
            [variant!(["a", 2]), variant!(["a", 2])],
            &[],
        ),
        (
            "ours replaces an element, and theirs adds one",
            [variant!([1, 2]), variant!(["a", 2]), variant!([1, 2, "b"])],
            [variant!(["a", 2, "b"]), variant!(["a", 2, "b"])],
            &[],
        ),
        (
            "both change an element",
            [variant!([1, "x"]), variant!([2, "x"]), variant!([3, "x"])],
            [variant!([2, "x"]), variant!([3, "x"])],
            &["0"],
        ),
        (
            "both add a key with other values",
            [variant!({}), variant!({ "a": 1 }), variant!({ "a": 2 })],
            [variant!({ "a": 1 }), variant!({ "a": 2 })],
            &["a"],
        ),
        (
            "both add a key with the same value",
            [variant!({}), variant!({ "a": 1 }), variant!({ "a": 1 })],
            [variant!({ "a": 1 }), variant!({ "a": 1 })],
            &[],
        ),
        (
            "both add other keys in the place of one that both remove",
            [variant!({ "x": 1 }), variant!({ "a": 1 }), variant!({ "b": 1 })],
            [variant!({ "a": 1, "b": 1 }), variant!({ "a": 1, "b": 1 })],
            &[],
        ),
        (
            "ours changes what theirs removes",
            [variant!({ "a": 1 }), variant!({ "a": 2 }), variant!({})],
            [variant!({ "a": 2 }), variant!({})],
            &["a"],
        ),
        (
            "theirs changes what ours removes",
            [variant!({ "a": 1 }), variant!({}), variant!({ "a": 2 })],
            [variant!({}), variant!({ "a": 2 })],
            &["a"],
        ),
        (
            "ours is typed, and theirs has more",
            [variant!([1]), typed(vec![Variant::Int(1)], VariantType::Int), variant!([1, 2])],
            [
                typed(vec![Variant::Int(1), Variant::Int(2)], VariantType::Int),
                typed(vec![Variant::Int(1), Variant::Int(2)], VariantType::Int),
            ],
            &[],
        ),
        (
            "theirs is typed, and ours has more",
            [variant!([1]), variant!([1, 2]), typed(vec![Variant::Int(1)], VariantType::Int)],
            [
                typed(vec![Variant::Int(1), Variant::Int(2)], VariantType::Int),
                typed(vec![Variant::Int(1), Variant::Int(2)], VariantType::Int),
            ],
            &[],
        ),
        (
            "both are typed, each in its own way",
            [variant!([]), typed(vec![], VariantType::Int), typed(vec![], VariantType::String)],
            [typed(vec![], VariantType::Int), typed(vec![], VariantType::String)],
            &[""],
        ),
        (
            "properties of an object",
            [
                object("N", &[("a", 1.into()), ("b", 1.into())]),
                object("N", &[("a", 2.into()), ("b", 1.into())]),
                object("N", &[("a", 1.into()), ("b", 3.into()), ("c", 4.into())]),
            ],
            [
                object("N", &[("a", 2.into()), ("b", 3.into()), ("c", 4.into())]),
                object("N", &[("a", 2.into()), ("b", 3.into()), ("c", 4.into())]),
            ],
            &[],
        ),
        (
            "objects of other classes",
            [
                object("N", &[("a", 1.into())]),
                object("M", &[("a", 1.into())]),
                object("N", &[("a", 2.into())]),
            ],
            [object("M", &[("a", 1.into())]), object("N", &[("a", 2.into())])],
            &[""],
        ),
        (
            "other types",
            [variant!([1]), variant!({ "a": 1 }), variant!([2])],
            [variant!({ "a": 1 }), variant!([2])],
            &[""],
        ),
    ];
    for (name, [base, ours, theirs], expected, conflicts) in &rows {
        for (side, expected) in [Side::Ours, Side::Theirs].into_iter().zip(expected) {
            let merged = Merge::new().prefer(side).values(base, ours, theirs);
            assert!(merged.value.is_identical(expected), "{name}, {side:?}: {}", merged.value);
            let [mut own, mut others] = [ours, theirs].map(|it| Names::new(it, G4));
            let found: Vec<_> =
                merged.conflicts.iter().map(|it| it.name(&mut own, &mut others)).collect();
            assert_eq!(&found, conflicts, "{name}");
            for conflict in &merged.conflicts {
                let holder = if conflict.ours.is_some() { Side::Ours } else { Side::Theirs };
                assert_eq!(conflict.side, holder, "{name}");
            }
        }
    }
}

/// The differences as lines: `changed player/gold`.
fn differences(compare: Compare, old: &Variant, new: &Variant) -> Vec<String> {
    let found = compare.values(old, new);
    let name = |it: &Difference<'_>| match it.kind {
        DifferenceKind::Removed => it.old.name(old, G4),
        _ => it.new.name(new, G4),
    };
    found.iter().map(|it| format!("{} {}", it.kind.name(), name(it))).collect()
}

#[test]
fn elements_are_the_same_by_type_and_by_half_of_their_keys() {
    let rows: Vec<(&str, Variant, Variant, &[&str])> = vec![
        ("another number", variant!([1]), variant!([2]), &["changed 0"]),
        ("another type", variant!([1]), variant!(["x"]), &["removed 0", "added 0"]),
        ("a float for an int", variant!([1]), variant!([1.0]), &["removed 0", "added 0"]),
        (
            "half of the keys",
            variant!([{ "a": 1, "b": 2 }]),
            variant!([{ "a": 3, "c": 2 }]),
            &["removed 0/b", "added 0/c", "changed 0/a"],
        ),
        (
            "less than half of the keys",
            variant!([{ "a": 1, "b": 2, "c": 3 }]),
            variant!([{ "a": 1, "d": 2, "e": 3 }]),
            &["removed 0", "added 0"],
        ),
        (
            "half of the keys of the longer one",
            variant!([{ "a": 1 }]),
            variant!([{ "a": 1, "b": 1 }]),
            &["added 0/b"],
        ),
        (
            "less than half of the keys of the longer one",
            variant!([{ "a": 1 }]),
            variant!([{ "a": 1, "b": 1, "c": 1 }]),
            &["removed 0", "added 0"],
        ),
        (
            "an object of the class",
            object("N", &[("a", 1.into())]),
            object("N", &[("a", 2.into())]),
            &["changed a"],
        ),
        (
            "an object of another class",
            object("N", &[("a", 1.into())]),
            object("M", &[("a", 2.into())]),
            &["changed "],
        ),
    ];
    for (name, old, new, expected) in rows {
        assert_eq!(differences(Compare::new(), &old, &new), expected, "{name}");
    }
}

#[test]
fn a_tolerance_is_for_floats_of_one_type_and_number() {
    let single = |numbers: &[f32]| Variant::<f32>::PackedFloat32Array(numbers.to_vec());
    let rows: Vec<(&str, Variant, Variant, bool)> = vec![
        ("as far as it goes", Variant::Float(1.0), Variant::Float(1.5), true),
        ("further", Variant::Float(1.0), Variant::Float(1.75), false),
        ("vectors", Vector2::new(1.0, 2.0).into(), Vector2::new(1.5, 1.5).into(), true),
        (
            "one component further",
            Vector2::new(1.0, 2.0).into(),
            Vector2::new(1.5, 1.0).into(),
            false,
        ),
        ("arrays", single(&[1.0]), single(&[1.25]), true),
        ("arrays of other lengths", single(&[1.0]), single(&[1.0, 1.0]), false),
        ("an array without elements", single(&[]), single(&[1.0]), false),
        ("numbers of other widths", single(&[1.0]), Variant::PackedFloat64Array(vec![1.0]), false),
        ("an int and a float", Variant::Int(1), Variant::Float(1.0), false),
        ("ints", Variant::Int(1), Variant::Int(2), false),
    ];
    for (name, old, new, is_same) in rows {
        let compare = Compare::new().tolerance(0.5);
        assert_eq!(compare.values(&old, &new).is_empty(), is_same, "{name}");
        assert_eq!(compare.values(&new, &old).is_empty(), is_same, "{name}, turned");
        assert_eq!(Compare::new().values(&old, &new).len(), 1, "{name}");
    }
}

#[test]
fn an_int_becomes_the_float_it_was_if_that_is_exact() {
    let rows = [
        (11, Variant::Float(11.0)),
        (-3, Variant::Float(-3.0)),
        (1 << 53, Variant::Float(9_007_199_254_740_992.0)),
        ((1 << 53) + 1, Variant::Int((1 << 53) + 1)),
        (i64::MAX, Variant::Int(i64::MAX)),
        (i64::MIN, Variant::Float(-9_223_372_036_854_775_808.0)),
    ];
    for (number, expected) in rows {
        let mut new: Variant = Variant::Int(number);
        let mended = mend(&Variant::Float(1.5), &mut new, G4);
        assert!(new.is_identical(&expected), "{number}: {new}");
        assert_eq!(mended.floats.len(), usize::from(expected.is_float()), "{number}");
        let mut new: Variant = Variant::Int(number);
        assert!(mend(&Variant::Int(1), &mut new, G4).floats.is_empty());
        assert!(new.is_identical(&Variant::Int(number)));
    }
}

#[test]
fn only_what_is_there_and_no_key_is_removed() {
    let place = |steps: &[Step]| Place::from(steps.to_vec());
    let two = || vec![variant!({ "a": [1, 2] }), variant!(3)];
    let rows: Vec<(usize, Place, Option<Variant>)> = vec![
        (0, place(&[]), Some(variant!({ "a": [1, 2] }))),
        (1, place(&[]), Some(variant!(3))),
        (2, place(&[]), None),
        (3, place(&[]), None),
        (0, place(&[Step::Value(0)]), Some(variant!([1, 2]))),
        (0, place(&[Step::Key(0)]), None),
        (0, place(&[Step::Value(1)]), None),
        (0, place(&[Step::Element(0)]), None),
        (0, place(&[Step::Value(0), Step::Element(1)]), Some(variant!(2))),
        (0, place(&[Step::Value(0), Step::Element(2)]), None),
        (1, place(&[Step::Element(0)]), None),
        (2, place(&[Step::Value(0)]), None),
    ];
    for (number, place, expected) in rows {
        let mut values = two();
        match (remove(&mut values, number, &place), expected) {
            (Ok(removed), Some(expected)) => {
                assert!(removed.is_identical(&expected), "{number} {place:?}: {removed}");
                assert_ne!(values, two(), "{number} {place:?}");
            }
            (Err(error), None) => {
                assert_eq!(error.rule().name(), "edit.remove", "{number} {place:?}");
                assert_eq!(values, two(), "{number} {place:?}");
            }
            (result, expected) => panic!("{number} {place:?}: {result:?}, not {expected:?}"),
        }
    }
    let mut one = vec![variant!(3)];
    assert!(remove(&mut one, 0, &place(&[])).is_err());
    assert_eq!(one, [variant!(3)]);
}

/// Little-endian words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_packet_is_found_in_the_bytes_or_left_to_the_value() {
    // { "a": 7, 1: 8, "1": 9, 2: 10 }
    let pairs = words(&[27, 4, 4, 1, 0x61, 2, 7, 2, 1, 2, 8, 4, 1, 0x31, 2, 9, 2, 2, 2, 10]);
    let array = words(&[28, 2, 2, 7, 2, 8]);
    let text = words(&[4, 1, 0x61]);
    let followed = [&array[..], &[0; 4]].concat();
    let twice = words(&[27, 2, 4, 1, 0x61, 2, 7, 4, 1, 0x61, 2, 8]);
    let rows: &[(&str, &[u8], &str, Option<std::ops::Range<usize>>)] = &[
        ("the whole", &array, "", Some(0..24)),
        ("an element", &array, "1", Some(16..24)),
        ("the last element", &array, "-1", Some(16..24)),
        ("an element in brackets", &array, "[0]", Some(8..16)),
        ("an element that is not there", &array, "2", None),
        ("a name in an array", &array, "\"1\"", None),
        ("a key", &pairs, "a", Some(20..28)),
        ("a text before a number", &pairs, "1", Some(56..64)),
        ("a text in quotation marks", &pairs, "\"1\"", Some(56..64)),
        ("a number as a key", &pairs, "2", Some(72..80)),
        ("a number that is no text", &pairs, "\"2\"", None),
        ("a pair by its position", &pairs, "[0]", Some(20..28)),
        ("no position in quotation marks", &pairs, "\"[0]\"", None),
        ("in what holds nothing", &text, "0", None),
        ("bytes behind the value", &followed, "1", None),
        ("the whole before others", &followed, "", None),
        ("two pairs with one key", &twice, "a", None),
    ];
    for (name, packet, path, expected) in rows {
        let found = ValuePath::new(path).find_packet(packet, &Decoder::new(G4)).unwrap();
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn a_new_stray_is_one_that_was_not_there_before() {
    let dictionary = |value: Variant| {
        let mut pairs = variant!({ "a": 1 });
        let inner = pairs.as_dictionary_mut().unwrap();
        inner.insert("b", value);
        inner.set_types(None, Some(ElementType::Builtin(VariantType::Int)));
        pairs
    };
    let values =
        [variant!([1]), dictionary(2.into()), dictionary("x".into()), dictionary("y".into())];
    let known = |texts: &[&str]| texts.iter().map(|&text| text.into()).collect::<Vec<Variant>>();
    let (number, stray) = new_stray(&known(&[]), &values).unwrap();
    assert_eq!((number, stray.place.name(&values[2], G4)), (2, "b".to_owned()));
    assert_eq!(
        (stray.value, stray.declared),
        (&"x".into(), &ElementType::Builtin(VariantType::Int))
    );
    let (number, stray) = new_stray(&known(&["x"]), &values).unwrap();
    assert_eq!((number, stray.value), (3, &"y".into()));
    assert!(new_stray(&known(&["y", "x"]), &values).is_none());
    assert!(new_stray(&[], &values[..2]).is_none());
    // Of another type it is another value.
    assert!(new_stray(&[Variant::StringName("x".into())], &values[2..3]).is_some());
}
