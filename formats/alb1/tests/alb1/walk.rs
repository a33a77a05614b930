//! Walking through documents, and paths.

use std::fmt::Write as _;

use formwork_alb1::{Document, Field, FieldPath, FieldType, Object, Text, Value, diff};

use crate::corpus::{each_sample, more_samples};
use crate::samples;

/// Checks that every item is at its offset, and that its path leads back to it. Returns the number of items.
pub(crate) fn check(name: &str, document: &Document, bytes: &[u8]) -> usize {
    let mut count = 0;
    let mut end = None;
    let mut walk = document.walk();
    let mut path = String::new();
    while let Some(item) = walk.next() {
        count += 1;
        let at = usize::try_from(item.offset).unwrap();
        let Some(field) = item.field else {
            assert_eq!((item.depth, walk.path().to_string()), (0, String::new()), "{name}");
            assert!(std::ptr::eq(item.object().unwrap(), &document.root));
            assert_eq!(bytes[at..at + 2], document.root.class.to_le_bytes(), "{name}");
            assert_eq!(bytes[at + 2..at + 6], document.root.address.to_le_bytes(), "{name}");
            continue;
        };
        assert_eq!(bytes[at..at + 2], field.tag.to_le_bytes(), "{name} at {at}");
        let field_type = FieldType::from_id(bytes[at + 2]).unwrap();
        assert_eq!(field_type, field.value.field_type(), "{name} at {at}");
        // A field ends where the next one starts that is not in it; a scalar's end is seen at once.
        if let Some(end) = end {
            assert_eq!(at, end, "{name}");
        }
        let extent = field_type.extent(&bytes[at + 3..]).unwrap() as usize;
        let nests = !field.value.fields().is_empty();
        end = (!nests).then_some(at + 3 + extent);
        path.clear();
        write!(path, "{}", FieldPath::from(&walk.path())).unwrap();
        let found = document.field(&path.parse().unwrap()).unwrap_or_else(|error| {
            panic!("{name}: {path}: {error}");
        });
        assert!(std::ptr::eq(found, field), "{name}: {path}");
    }
    assert!(end.is_none_or(|end| end == bytes.len()), "{name}");
    assert!(walk.path().is_empty());
    count
}

/// The paths of differences lead to the fields: those that a few hundred changes have. How many there were.
fn check_differences(name: &str, document: &Document) -> usize {
    let mut changed = document.clone();
    let mut paths = Vec::new();
    let mut walk = document.walk();
    while let Some(item) = walk.next() {
        if let Some(Value::Double(_) | Value::Float(_) | Value::Bool(0 | 1)) = item.value() {
            paths.push(walk.path());
        }
    }
    // Some in each part of the file, but few enough that aligning the lists is quick.
    let step = paths.len() / 300 + 1;
    for path in paths.iter().step_by(step) {
        let field = changed.field_mut(&FieldPath::from(path)).unwrap();
        field.value = match field.value {
            Value::Double(number) => Value::Double(number + 1.0),
            Value::Float(number) => Value::Float(number + 1.0),
            Value::Bool(byte) => Value::Bool(1 - byte),
            ref other => panic!("{other:?}"),
        };
    }
    let mut count = 0;
    for difference in diff::diff(document, &changed, &diff::Options::default()) {
        for (place, document) in [(&difference.old, document), (&difference.new, &changed)] {
            let path = place.to_string();
            // What is no field has a name in brackets, or is in the bytes of a quadtree.
            if difference.kind != diff::ChangeKind::Changed || path.contains("(class)") {
                continue;
            }
            let found = document.get(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found.as_array().is_none(), "{name}: {path}");
            count += 1;
        }
    }
    count
}

#[test]
fn paths_of_differences_lead_to_the_fields() {
    let mut places = 0;
    let mut check = |name: &str, bytes: &[u8]| {
        let document = Document::from_slice(bytes).unwrap();
        places += check_differences(name, &document);
    };
    for (name, bytes) in samples::files() {
        if bytes.starts_with(b"ALB1") {
            check(name, &bytes);
        }
    }
    more_samples(|sample| check(&sample.name, &sample.bytes));
    assert!(places > 20, "{places} places");
}

/// Objects that have a name or a number, keys with a type, characters that are written as numbers.
#[test]
fn elements_are_found_by_what_a_difference_calls_them() {
    let mut document = Document::new("CLayer");
    let mut tag = |name| document.tags.add(name).unwrap();
    let [list, item, name, id, scale] = ["roads", "item", "name", "id", "scale"].map(&mut tag);
    let [pair, key, data, map] = ["pair", "key", "data", "map"].map(&mut tag);
    let object = |fields| Field::new(item, Object { class: 3, address: 16, fields });
    let number = |number| Field::new(scale, Value::SignedInt(number));
    document.root.fields = vec![
        Field::new(
            list,
            vec![
                object(vec![Field::new(name, text("a\n\"b")), number(1)]),
                object(vec![
                    Field::new(name, text("")),
                    Field::new(id, Value::SignedInt(4)),
                    number(2),
                ]),
                object(vec![Field::new(name, text("twice")), number(3)]),
                object(vec![Field::new(name, text("twice")), number(4)]),
            ],
        ),
        Field::new(
            map,
            vec![Field::new(
                pair,
                [Field::new(key, Value::SignedShort(-3)), Field::new(data, Value::SignedInt(5))],
            )],
        ),
    ];
    for (path, number) in [
        ("roads[\"a\\u{a}\\\"b\"].scale", 1),
        ("roads[id 4].scale", 2),
        ("map[=-3 (signed short)].data", 5),
    ] {
        assert_eq!(document.get(path).unwrap(), &Value::SignedInt(number), "{path}");
        let printed = path.parse::<FieldPath>().unwrap().to_string();
        assert_eq!(document.get(&printed).unwrap(), &Value::SignedInt(number), "{printed}");
    }
    let error = document.get("roads[\"twice\"]").unwrap_err();
    assert_eq!(error.expected(), "a name that one object has; take its index instead");
    assert_eq!(error.found(), "2 objects with [\"twice\"]");
    for path in ["roads[id]", "roads[id x]", "roads[id 5]", "roads[a.b 4]"] {
        assert!(document.get(path).is_err(), "{path}");
    }
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_field_of_every_real_file_is_where_the_walk_says() {
    let mut fields = 0;
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        fields += check(&sample.name, &document, &sample.bytes);
    });
    println!("{fields} fields");
}

fn text(text: &str) -> Value {
    Text::new(text).unwrap().into()
}

/// Repeated tags in the root, in an object, in a pair; names that a path cannot hold.
fn awkward() -> Document {
    let mut document = Document::new("CLayer");
    let [libs, pair, key, data, name] =
        ["libs", "pair", "key", "data", "mname"].map(|name| document.tags.id(name).unwrap());
    let dotted = document.tags.add("a.b").unwrap();
    let empty = document.tags.add("").unwrap();
    let hash = document.tags.add("#6").unwrap();
    document.tags.push(900, Text::new("mname").unwrap());
    let entry = |word: &str, number| {
        Field::new(pair, [Field::new(key, text(word)), Field::new(data, Value::SignedInt(number))])
    };
    let number = |key_: i32, number| {
        let key_ = Field::new(key, Value::SignedInt(key_));
        Field::new(pair, [key_, Field::new(data, Value::SignedInt(number))])
    };
    let twice = [Field::new(data, true), Field::new(data, false)];
    let inner = vec![
        Field::new(name, text("one")),
        Field::new(name, text("two")),
        Field::new(data, Value::ArrayOfDouble([1.0, 2.0].into())),
    ];
    let raw = Value::Raw(vec![1, 2, 3].into());
    document.root.fields = vec![
        Field::new(libs, vec![entry("a\\b.p3d", 1), entry("say \"hi\"]", 2)]),
        Field::new(name, text("layer")),
        Field::new(libs, vec![number(-12, 3), number(12, 4), number(12, 5)]),
        Field::new(data, Object { class: 5, address: 8, fields: inner }),
        Field::new(900, text("the same name")),
        Field::new(dotted, true),
        Field::new(empty, raw),
        Field::new(hash, Value::Empty),
        Field::new(60000, Value::Array(Vec::new())),
        Field::new(pair, twice),
    ];
    document
}

#[test]
fn printed_paths_lead_back_in_awkward_documents() {
    let document = awkward();
    let bytes = document.to_vec().unwrap();
    assert_eq!(check("awkward", &document, &bytes), 1 + 10 + 6 + 9 + 3 + 2);
    let mut walk = document.walk();
    let mut paths = Vec::new();
    while walk.next().is_some() {
        paths.push(walk.path().to_string());
    }
    for path in ["libs[0]", "libs[1][2].data", "data.mname[1]", "mname", "#900", "pair.data[1]"] {
        assert!(paths.iter().any(|printed| printed == path), "{path} in {paths:?}");
    }
}

#[test]
fn pairs_are_found_by_key() {
    let document = awkward();
    for (path, number) in [
        (r#"libs[0]["a\\b.p3d"].data"#, 1),
        (r#"libs[0]["a\b.p3d"].data"#, 1),
        (r#"libs[0]["say \"hi\"]"].data"#, 2),
        ("libs[1][=-12].data", 3),
        ("#23[1][0].#5", 3),
    ] {
        assert_eq!(document.get(path).unwrap(), &Value::SignedInt(number), "{path}");
        let printed = path.parse::<FieldPath>().unwrap().to_string();
        assert_eq!(document.get(&printed).unwrap(), &Value::SignedInt(number), "{printed}");
    }
}

#[test]
fn a_path_that_leads_nowhere_says_where_it_ends() {
    let document = awkward();
    for (path, at, so_far, expected, found) in [
        ("mnam", 0, "", "mname", "mnam in the root object, a CLayer"),
        ("data.mnaem[0]", 4, "data", "mname", "mnaem in an object of class CLayer"),
        (
            "libs",
            0,
            "",
            "[0] or [1] behind libs, which the object has 2 times",
            "the end of the path",
        ),
        ("libs[2]", 4, "", "[0] or [1] behind libs, which the object has 2 times", "[2]"),
        ("libs[1][3]", 7, "libs[1]", "an index from [0] to [2]", "[3] in an array of 3 elements"),
        ("libs[1].key", 7, "libs[1]", "an index from [0] to [2]", "key in an array of 3 elements"),
        (
            "libs[1][=12]",
            7,
            "libs[1]",
            "a key that one pair has; take its index instead",
            "2 pairs with [=12]",
        ),
        (
            r#"libs[0]["c"]"#,
            7,
            "libs[0]",
            "the key of one of the pairs",
            "[\"c\"] in an array of 2 elements",
        ),
        ("mname.x", 5, "mname", "the end of the path", "x in a string"),
        ("data.data[0]", 9, "data.data", "the end of the path", "[0] in an array of double"),
        ("", 0, "", "the path of a field", "the root object, which is in no field"),
        ("a..b", 1, "", "the name of a tag, or # and its id", "\"..b\""),
        ("libs[", 4, "", "an index as in [0], a key as in [\"key\"] or [=12]", "the end"),
        ("libs[1]x", 7, "", "a name, or a dot or [ behind a step", "\"x\""),
    ] {
        let error = document.get(path).unwrap_err();
        assert_eq!(error.rule().name(), "alb1.path", "{path}");
        let shown = (error.offset(), error.path().to_string());
        assert_eq!((shown.0, shown.1.as_str()), (at, so_far), "{path}");
        assert_eq!((error.expected(), error.found()), (expected, found), "{path}");
    }
}

#[test]
fn values_change_through_their_paths() {
    let mut document = awkward();
    *document.get_mut("data.mname[1]").unwrap() = text("three");
    assert_eq!(document.get("data.mname[1]").unwrap(), &text("three"));
    document.object_mut("data").unwrap().address = 9;
    document.object_mut("").unwrap().address = 10;
    assert_eq!((document.object("data").unwrap().address, document.root.address), (9, 10));
    assert_eq!(document.object("mname").unwrap_err().found(), "a string");
}
