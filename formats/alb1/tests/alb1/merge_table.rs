//! Tables of three documents and of what a merge makes of them: the exact document, and every conflict.

use formwork_alb1::diff::merge;
use formwork_alb1::terrain::{ObjectLayer, Root};
use formwork_alb1::tree::{BoundingBox, Cell, Colour, Grid, Object, Tree, Version, groups};
use formwork_alb1::{Document, Field, ObjectPointer, Table, Text, Value};

use crate::diff::{Maker, int, text};

const ROOT: u32 = Document::FIRST_ADDRESS;

/// Merges, and returns the document and the conflicts: place, base, ours and theirs, with `-` where there is nothing.
fn merged(all: [&Document; 3], prefer_theirs: bool) -> (Document, Vec<String>) {
    let found = merge(all[0], all[1], all[2], prefer_theirs);
    let words = |it: &Option<String>| it.clone().unwrap_or_else(|| "-".to_owned());
    let conflicts = found.conflicts.iter().map(|it| {
        let [base, ours, theirs] = [&it.base, &it.ours, &it.theirs].map(words);
        format!("{}: {base}, {ours}, {theirs}", it.place)
    });
    (found.document, conflicts.collect())
}

/// Checks a row: what is merged where ours is preferred, and where theirs is.
fn check(all: [&Document; 3], expected: [&Document; 2], conflicts: &[&str]) {
    for (prefer_theirs, expected) in [false, true].into_iter().zip(expected) {
        let (document, found) = merged(all, prefer_theirs);
        assert_eq!(found, conflicts, "{prefer_theirs}");
        assert!(document.is_identical(expected), "{prefer_theirs}: {:#?}", document.root);
    }
}

/// What base, ours and theirs have, none where it is not there; what is merged, by preference; whether that is a
/// conflict.
type Row = ([Option<i32>; 3], [Option<i32>; 2], bool);

const ROWS: [Row; 18] = [
    ([Some(1), Some(1), Some(1)], [Some(1), Some(1)], false),
    ([Some(1), Some(2), Some(1)], [Some(2), Some(2)], false),
    ([Some(1), Some(1), Some(2)], [Some(2), Some(2)], false),
    ([Some(1), Some(2), Some(2)], [Some(2), Some(2)], false),
    ([Some(1), Some(2), Some(3)], [Some(2), Some(3)], true),
    ([None, None, None], [None, None], false),
    ([None, Some(1), None], [Some(1), Some(1)], false),
    ([None, None, Some(1)], [Some(1), Some(1)], false),
    ([None, Some(1), Some(1)], [Some(1), Some(1)], false),
    ([None, Some(1), Some(2)], [Some(1), Some(2)], true),
    ([Some(1), None, Some(1)], [None, None], false),
    ([Some(1), Some(1), None], [None, None], false),
    ([Some(1), None, None], [None, None], false),
    ([Some(1), None, Some(2)], [None, Some(2)], true),
    ([Some(1), Some(2), None], [Some(2), None], true),
    ([Some(0), Some(0), None], [None, None], false),
    ([Some(0), None, Some(1)], [None, Some(1)], true),
    ([Some(-1), Some(-1), Some(0)], [Some(0), Some(0)], false),
];

#[test]
fn one_thing_that_two_sides_changed() {
    let maker = Maker::new("CVisitor4Project");
    let world = |inner: Vec<Field>| {
        vec![
            maker.field("world", maker.object("CWorld", ROOT + 4, inner)),
            maker.field("build", int(9)),
        ]
    };
    let pairs = |all: Vec<(Value, Value)>| vec![maker.field("libs", maker.pairs(all))];
    type Wrap<'w> = (&'w str, &'w dyn Fn(Option<i32>) -> Vec<Field>);
    let wraps: [Wrap<'_>; 6] = [
        ("mvalue", &|it| it.map(|it| maker.field("mvalue", int(it))).into_iter().collect()),
        ("world.mvalue", &|it| {
            world(it.map(|it| maker.field("mvalue", int(it))).into_iter().collect())
        }),
        // A field behind another one with its tag.
        ("libs[1]", &|it| {
            let first = maker.field("libs", int(7));
            [first].into_iter().chain(it.map(|it| maker.field("libs", int(it)))).collect()
        }),
        (r#"libs["b"]"#, &|it| {
            let b = it.map(|it| (text("b"), int(it)));
            pairs([(text("a"), int(7))].into_iter().chain(b).chain([(text("c"), int(8))]).collect())
        }),
        ("libs[=2]", &|it| {
            let two = it.map(|it| (int(2), int(it)));
            pairs([(int(1), int(7))].into_iter().chain(two).collect())
        }),
        (r#"mkey["b"]"#, &|it| {
            let point = |name: &str, angle, address| {
                let fields =
                    vec![maker.field("name", text(name)), maker.field("angle", int(angle))];
                maker.object("SKeyPoint", address, fields).into()
            };
            let b = it.map(|it| point("b", it, ROOT + 12));
            let all = [point("a", 7, ROOT + 8)].into_iter().chain(b);
            vec![maker.field("mkey", maker.items(all))]
        }),
    ];
    for (place, wrap) in wraps {
        for (all, expected, is_conflict) in ROWS {
            // Of a list, what both added is two elements.
            if place.starts_with("mkey") && matches!(all, [None, Some(1), Some(2)]) {
                continue;
            }
            let documents = all.map(|it| maker.with(wrap(it)));
            let expected = expected.map(|it| maker.with(wrap(it)));
            let whole = all.iter().all(Option::is_some);
            // Of what all three have the conflict is inside.
            let inside = match place {
                _ if !whole => "",
                r#"mkey["b"]"# => ".angle",
                _ if place.starts_with("libs[\"") || place.starts_with("libs[=") => ".data",
                _ => "",
            };
            let words = all.map(|it| match it {
                None => "-".to_owned(),
                Some(it) if whole => it.to_string(),
                Some(it) => match place {
                    r#"libs["b"]"# => format!("\"b\": {it}"),
                    "libs[=2]" => format!("2: {it}"),
                    r#"mkey["b"]"# => format!("SKeyPoint name=\"b\" angle={it}"),
                    _ => it.to_string(),
                },
            });
            let conflict = format!("{place}{inside}: {}", words.join(", "));
            let conflicts: &[&str] = if is_conflict { &[&conflict] } else { &[] };
            let [base, ours, theirs] = &documents;
            check([base, ours, theirs], expected.each_ref(), conflicts);
        }
    }
}

#[test]
fn the_header_and_the_class_are_of_the_side_that_changed_them() {
    // Project versions or classes; nobody is asked where both changed them.
    for (all, expected) in [
        ([1, 1, 1], 1),
        ([1, 2, 1], 2),
        ([1, 1, 2], 2),
        ([1, 2, 2], 2),
        ([1, 2, 3], 2),
        ([0, 0, 20], 20),
        ([20, 0, 0], 0),
    ] {
        let [base, ours, theirs, expected] = [all[0], all[1], all[2], expected].map(|version| {
            let mut document = Document::new("CVisitor4Project");
            document.header.project_version = version;
            document
        });
        check([&base, &ours, &theirs], [&expected; 2], &[]);
    }
    let maker = Maker::new("CVisitor4Project");
    for (all, expected) in [
        (["CWorld"; 3], "CWorld"),
        (["CWorld", "CLayer", "CWorld"], "CLayer"),
        (["CWorld", "CWorld", "CLayer"], "CLayer"),
        (["CWorld", "CLayer", "CAreaLayer"], "CLayer"),
    ] {
        let [base, ours, theirs, expected] = [all[0], all[1], all[2], expected].map(|class| {
            maker.with(vec![maker.field("world", maker.object(class, ROOT + 4, Vec::new()))])
        });
        check([&base, &ours, &theirs], [&expected; 2], &[]);
    }
}

#[test]
fn pointers_by_where_they_lead() {
    let maker = Maker::new("CVisitor4Project");
    let pointer = |(class, address): (&str, u32)| {
        let class = maker.0.classes.id(class).unwrap() as i16;
        ObjectPointer { class, address }
    };
    let document = |to: (&str, u32)| {
        let objects = ["CWorld", "CKeyPoint"].into_iter().zip([ROOT + 4, ROOT + 8]);
        let objects = objects.map(|(class, address)| maker.object(class, address, Vec::new()));
        let tags = ["world", "keyPoint"].into_iter().zip(objects);
        let mut fields: Vec<_> = tags.map(|(tag, it)| maker.field(tag, it)).collect();
        fields.push(maker.field("mactiveLayer", pointer(to)));
        maker.with(fields)
    };
    let (one, two) = (("CWorld", ROOT + 4), ("CKeyPoint", ROOT + 8));
    let far = |class: &'static str, at: u32| (class, 0x100 * at);
    let (layer, area) = ("CLayer", "CAreaLayer");
    for (all, expected, is_conflict) in [
        // Elsewhere: where a file has its root is nobody's change.
        ([far(layer, 1), far(layer, 2), far(layer, 3)], [far(layer, 2); 2], false),
        ([far(layer, 1), far(layer, 1), far(layer, 3)], [far(layer, 1); 2], false),
        ([far(layer, 1), far(layer, 2), far(layer, 1)], [far(layer, 2); 2], false),
        ([far(area, 1), far(layer, 2), far(layer, 3)], [far(layer, 2); 2], false),
        // Of another class it leads to another thing.
        ([far(layer, 1), far(layer, 1), far(area, 3)], [far(area, 3); 2], false),
        ([far(layer, 1), far(area, 2), far(layer, 1)], [far(area, 2); 2], false),
        ([far(layer, 1), far(area, 2), far(area, 2)], [far(area, 2); 2], false),
        ([far(layer, 1), far(layer, 2), far(area, 3)], [far(layer, 2), far(area, 3)], true),
        ([far(layer, 1), far(layer, 1), far(area, 1)], [far(area, 1); 2], false),
        // Into the file: by the object.
        ([one, one, two], [two; 2], false),
        ([one, two, one], [two; 2], false),
        ([one, two, two], [two; 2], false),
        ([one, far(layer, 1), one], [far(layer, 1); 2], false),
        ([one, one, far(layer, 1)], [far(layer, 1); 2], false),
        ([one, far(layer, 1), two], [far(layer, 1), two], true),
        ([one, two, far(layer, 1)], [two, far(layer, 1)], true),
        ([one, far(layer, 1), far(layer, 2)], [far(layer, 1), far(layer, 2)], true),
        ([far(layer, 1), far(layer, 2), one], [far(layer, 2), one], true),
        ([far(layer, 1), one, far(layer, 2)], [one, far(layer, 2)], true),
        ([far(layer, 1), far(layer, 1), one], [one; 2], false),
        ([far(layer, 1), one, far(layer, 1)], [one; 2], false),
        ([far(layer, 1), one, two], [one, two], true),
        // Of one class, but only one of them is in the file.
        ([far("CWorld", 1), one, far("CWorld", 2)], [one, far("CWorld", 2)], true),
        ([far("CWorld", 1), far("CWorld", 2), one], [far("CWorld", 2), one], true),
        ([one, far("CWorld", 1), far("CWorld", 2)], [far("CWorld", 1), far("CWorld", 2)], true),
        ([far("CWorld", 1), far("CWorld", 1), one], [one; 2], false),
        ([far("CWorld", 1), one, far("CWorld", 1)], [one; 2], false),
        ([one, one, far("CWorld", 1)], [far("CWorld", 1); 2], false),
    ] {
        let [base, ours, theirs] = all.map(document);
        let words = all.map(|(class, _)| format!("-> {class}")).join(", ");
        let conflict = format!("mactiveLayer: {words}");
        let conflicts: &[&str] = if is_conflict { &[&conflict] } else { &[] };
        println!("{all:?}");
        let expected = expected.map(document);
        check([&base, &ours, &theirs], expected.each_ref(), conflicts);
    }
}

#[test]
fn what_every_save_changes_is_ours() {
    let maker = Maker::new("CVisitor4Project");
    let (some, none) = (|it| Some(it), None);
    // (In a class that has no such rule it is merged.)
    for (class, tag, ours) in [
        ("CVisitor4Project", "mworldfWorldWidth", true),
        ("CVisitor4Project", "mworldfWorldHeight", true),
        ("SMapFrame", "needToRebuildTerrain", true),
        ("SMapFrame", "needToGenerateLayers", true),
        ("SMapFrameConfiguration", "mgridMaskGeneratedLastTime", true),
        ("SMapFrame", "mworldfWorldWidth", false),
        ("CVisitor4Project", "needToRebuildTerrain", false),
        ("SMapFrame", "lock", false),
    ] {
        let document = |it: Option<i32>| {
            let mut maker = Maker(maker.0.clone());
            let field = it.map(|it| maker.field(tag, int(it))).into_iter().collect();
            if class == "CVisitor4Project" {
                return maker.with(field);
            }
            let object = maker.object(class, ROOT + 4, field);
            maker.0.root.fields = vec![maker.field("config", object)];
            maker.0
        };
        for (all, expected) in [
            ([some(1), some(2), some(3)], some(2)),
            ([some(1), some(1), some(3)], if ours { some(1) } else { some(3) }),
            ([some(1), none, some(3)], none),
            ([none, some(2), none], some(2)),
        ] {
            let [base, ours, theirs] = all.map(document);
            let (found, _) = merged([&base, &ours, &theirs], false);
            assert!(
                found.is_identical(&document(expected)),
                "{class} {tag} {all:?}: {:?}",
                found.root
            );
        }
    }
    // The number of a shape, and what only looks like it.
    let attribute = |name: &str, number: i32| {
        let value = text(&number.to_string());
        let fields = vec![maker.field("mname", text(name)), maker.field("mvalue", value)];
        maker.with(vec![maker.field("data", maker.object("SRawData", ROOT + 4, fields))])
    };
    for (name, theirs_kept) in [("__ID", false), ("__id", true), ("ID", true)] {
        let all = [1, 1, 3].map(|number| attribute(name, number));
        let expected = attribute(name, if theirs_kept { 3 } else { 1 });
        check([&all[0], &all[1], &all[2]], [&expected; 2], &[]);
    }
}

#[test]
fn masks_are_merged_tile_by_tile_while_they_have_one_length() {
    let maker = Maker::new("CVisitor4Project");
    let mask = |tiles: &str| {
        let tiles = tiles.chars().map(|tile| match tile {
            '0' | '1' => Value::Bool(u8::from(tile == '1')),
            other => text(&other.to_string()),
        });
        maker.with(vec![maker.field("mgridMaskTile", maker.items(tiles))])
    };
    let two = "mgridMaskTile: 2 elements, 2 elements, 3 elements";
    let longer = "mgridMaskTile: 2 elements, 3 elements, 3 elements";
    let mixed = "mgridMaskTile: 2 elements, 2 elements, 2 elements";
    let made = "mgridMaskTile: 0 elements, 1 elements, 1 elements";
    for (all, expected, conflicts) in [
        (["000", "100", "001"], ["101"; 2], &[][..]),
        (["00", "10", "01"], ["11"; 2], &[]),
        (["00", "11", "11"], ["11"; 2], &[]),
        (["00", "00", "000"], ["000"; 2], &[]),
        (["00", "000", "00"], ["000"; 2], &[]),
        (["00", "01", "000"], ["01", "000"], &[two]),
        (["00", "", "00"], [""; 2], &[]),
        (["", "00", ""], ["00"; 2], &[]),
        // What is no mask any more.
        (["00", "00", "aa"], ["aa"; 2], &[]),
        (["00", "10", "aaa"], ["10", "aaa"], &[two]),
        (["ab", "abc", "xab"], ["xabc"; 2], &[]),
        (["00", "001", "100"], ["001", "100"], &[longer]),
        (["00", "0a", "10"], ["0a", "10"], &[mixed]),
        (["0a", "00", "1a"], ["00", "1a"], &[mixed]),
        (["", "0", "1"], ["0", "1"], &[made]),
        // A list that was empty is none.
        (["", "a", "b"], ["ab"; 2], &[]),
        (["a", "", "ab"], ["b"; 2], &[]),
    ] {
        let all = all.map(mask);
        println!("{all:?}");
        let expected = expected.map(mask);
        check(all.each_ref(), expected.each_ref(), conflicts);
    }
}

#[test]
fn objects_of_a_project_are_counted_by_what_both_sides_did() {
    let maker = Maker::new("CVisitor4Project");
    let document = |class: &str, count: &Value| {
        let count = maker.field("mlTotalObjectCount", count.clone());
        maker.with(vec![maker.field("objManager", maker.object(class, ROOT + 4, vec![count]))])
    };
    let manager = "CVisitor4ObjectManager";
    let long = Value::SignedLong;
    let max = i32::MAX;
    let conflict = |all: &str| vec![format!("objManager.mlTotalObjectCount: {all}")];
    for (class, all, expected, conflicts) in [
        (manager, [10, 11, 12].map(long), [13; 2].map(long), vec![]),
        (manager, [10, 7, 15].map(long), [12; 2].map(long), vec![]),
        (manager, [10, 9, 8].map(long), [7; 2].map(long), vec![]),
        (manager, [10, 12, 12].map(long), [12; 2].map(long), vec![]),
        (manager, [10, 10, 12].map(long), [12; 2].map(long), vec![]),
        (manager, [10, 12, 10].map(long), [12; 2].map(long), vec![]),
        // More than there can be.
        (manager, [1, max, 3].map(long), [max, 3].map(long), conflict(&format!("1, {max}, 3"))),
        (manager, [max, 1, i32::MIN].map(long), [1, i32::MIN].map(long), {
            conflict(&format!("{max}, 1, {}", i32::MIN))
        }),
        // Another type, another class.
        (manager, [10, 11, 12].map(int), [11, 12].map(int), conflict("10, 11, 12")),
        ("CWorld", [10, 11, 12].map(long), [11, 12].map(long), conflict("10, 11, 12")),
    ] {
        let all = all.each_ref().map(|count| document(class, count));
        let expected = expected.each_ref().map(|count| document(class, count));
        let conflicts: Vec<&str> = conflicts.iter().map(String::as_str).collect();
        check(all.each_ref(), expected.each_ref(), &conflicts);
    }
}

/// A map of key points by these keys, at these addresses with these angles, and pointers to addresses.
fn keyed(points: &[(&str, u32, i32)], pointers: &[u32]) -> Document {
    let maker = Maker::new("CVisitor4Project");
    let pairs = points.iter().map(|(key, address, angle)| {
        let fields = vec![maker.field("angle", int(*angle))];
        (text(key), maker.object("SKeyPoint", *address, fields).into())
    });
    let class = maker.0.classes.id("SKeyPoint").unwrap() as i16;
    let pointers = pointers
        .iter()
        .map(|&address| maker.field("mactiveLayer", ObjectPointer { class, address }));
    let mut fields = vec![maker.field("libs", maker.pairs(pairs))];
    fields.extend(pointers);
    maker.with(fields)
}

#[test]
fn no_two_objects_have_one_address_after_a_merge() {
    let (a, b, c) = (0x20, 0x30, 0x40);
    // The first that is free.
    let fresh = ROOT + 4;
    let was = r#"libs["a"]: "a": SKeyPoint angle=1"#;
    let changed = format!(r#"{was}, "a": SKeyPoint angle=2, -"#);
    for (base, ours, theirs, expected, conflicts) in [
        // An entry with another key takes the place of the one that it was.
        (
            keyed(&[("a", a, 1)], &[]),
            keyed(&[("a", a, 1)], &[]),
            keyed(&[("b", a, 1)], &[a]),
            [keyed(&[("b", a, 1)], &[a]), keyed(&[("b", a, 1)], &[a])],
            vec![],
        ),
        // Where that one stays, it has another, also where it is pointed to.
        (
            keyed(&[("a", a, 1)], &[]),
            keyed(&[("a", a, 2)], &[]),
            keyed(&[("b", a, 1)], &[a]),
            [keyed(&[("b", fresh, 1), ("a", a, 2)], &[fresh]), keyed(&[("b", a, 1)], &[a])],
            vec![&*changed],
        ),
        // Where nobody has the object any more but a pointer of ours leads to it.
        (
            keyed(&[("a", a, 1)], &[]),
            keyed(&[("a", a, 1)], &[a]),
            keyed(&[("b", a, 1)], &[]),
            [keyed(&[("b", fresh, 1)], &[a]), keyed(&[("b", fresh, 1)], &[a])],
            vec![],
        ),
        // Saved anew, all of theirs are elsewhere: ours says where.
        (
            keyed(&[("a", a, 1), ("b", b, 1)], &[b]),
            keyed(&[("a", a + 0x100, 1), ("b", b + 0x100, 1)], &[b + 0x100]),
            keyed(&[("a", a + 0x200, 1), ("b", b + 0x200, 3)], &[a + 0x200]),
            [
                keyed(&[("a", a + 0x100, 1), ("b", b + 0x100, 3)], &[a + 0x100]),
                keyed(&[("a", a + 0x100, 1), ("b", b + 0x100, 3)], &[a + 0x100]),
            ],
            vec![],
        ),
        // Swapped by the save.
        (
            keyed(&[("a", a, 1), ("b", b, 1)], &[a]),
            keyed(&[("a", b, 1), ("b", a, 1)], &[b]),
            keyed(&[("a", a, 2), ("b", b, 1)], &[b]),
            [keyed(&[("a", b, 2), ("b", a, 1)], &[a]), keyed(&[("a", b, 2), ("b", a, 1)], &[a])],
            vec![],
        ),
        // Both added something: at one address, and one thing at two.
        (
            keyed(&[("a", a, 1)], &[]),
            keyed(&[("a", a, 1), ("b", b, 1)], &[]),
            keyed(&[("a", a, 1), ("c", b, 1)], &[b]),
            [
                keyed(&[("a", a, 1), ("b", b, 1), ("c", fresh, 1)], &[fresh]),
                keyed(&[("a", a, 1), ("b", b, 1), ("c", fresh, 1)], &[fresh]),
            ],
            vec![],
        ),
        (
            keyed(&[("a", a, 1)], &[]),
            keyed(&[("a", a, 1), ("b", b, 1)], &[]),
            keyed(&[("a", a, 1), ("b", c, 1)], &[c]),
            [keyed(&[("a", a, 1), ("b", b, 1)], &[b]), keyed(&[("a", a, 1), ("b", b, 1)], &[b])],
            vec![],
        ),
        // Theirs is at an address that something else of the base has.
        (
            keyed(&[("a", a, 1), ("b", b, 1)], &[]),
            keyed(&[("a", c, 1), ("b", b, 1)], &[]),
            keyed(&[("a", b, 1), ("b", a, 1), ("c", c, 1)], &[b, c]),
            [
                keyed(&[("a", c, 1), ("b", b, 1), ("c", fresh, 1)], &[c, fresh]),
                keyed(&[("a", c, 1), ("b", b, 1), ("c", fresh, 1)], &[c, fresh]),
            ],
            vec![],
        ),
    ] {
        check([&base, &ours, &theirs], expected.each_ref(), &conflicts);
    }
}

#[test]
fn elements_that_both_sides_added_are_two_unless_they_are_the_same() {
    let maker = Maker::new("CLayer");
    let points = |points: &[(u32, f64)], pointers: &[u32]| {
        let points = points.iter().map(|(address, x)| {
            let center = maker.field("center", Value::ArrayOfDouble([*x, 0.0].into()));
            maker.object("CVertex", *address, vec![center, maker.field("mcolor", int(1))]).into()
        });
        let class = maker.0.classes.id("CVertex").unwrap() as i16;
        let pointers = pointers
            .iter()
            .map(|&address| maker.field("mactiveLayer", ObjectPointer { class, address }));
        let list = maker.field("mpVertices", maker.items(points));
        maker.with([list].into_iter().chain(pointers).collect())
    };
    let fresh = ROOT + 4;
    for (base, ours, theirs, expected) in [
        (
            points(&[(0x20, 1.0)], &[]),
            points(&[(0x20, 1.0), (0x30, 2.0)], &[]),
            points(&[(0x20, 1.0), (0x40, 2.0)], &[0x40]),
            points(&[(0x20, 1.0), (0x30, 2.0)], &[0x30]),
        ),
        (
            points(&[(0x20, 1.0)], &[]),
            points(&[(0x20, 1.0), (0x30, 2.0)], &[]),
            points(&[(0x20, 1.0), (0x30, 3.0)], &[0x30]),
            points(&[(0x20, 1.0), (0x30, 2.0), (fresh, 3.0)], &[fresh]),
        ),
        (
            points(&[(0x20, 1.0)], &[]),
            points(&[(0x20, 1.0), (0x30, 2.0)], &[0x30]),
            points(&[(0x40, 3.0), (0x20, 1.0)], &[]),
            points(&[(0x40, 3.0), (0x20, 1.0), (0x30, 2.0)], &[0x30]),
        ),
        // Removed by one, kept by the other.
        (
            points(&[(0x20, 1.0), (0x30, 2.0), (0x40, 3.0)], &[]),
            points(&[(0x20, 1.0), (0x40, 3.0)], &[]),
            points(&[(0x30, 1.0), (0x20, 2.0), (0x40, 3.0), (0x50, 4.0)], &[0x30]),
            points(&[(0x20, 1.0), (0x40, 3.0), (0x50, 4.0)], &[0x20]),
        ),
    ] {
        check([&base, &ours, &theirs], [&expected; 2], &[]);
    }
}

/// A list of key points with these names, at these addresses, with these angles; some hold a point at another address.
/// And pointers to addresses.
type Point = (&'static str, u32, i32, Option<u32>);

fn listed(points: &[Point], pointers: &[u32]) -> Document {
    let maker = Maker::new("CVisitor4Project");
    let points = points.iter().map(|(name, address, angle, inner)| {
        let mut fields = vec![maker.field("name", text(name)), maker.field("angle", int(*angle))];
        fields.extend(inner.map(|address| {
            let angle = maker.field("angle", int(7));
            maker.field("data", maker.object("SKeyPoint", address, vec![angle]))
        }));
        maker.object("SKeyPoint", *address, fields).into()
    });
    let class = maker.0.classes.id("SKeyPoint").unwrap() as i16;
    let pointers = pointers
        .iter()
        .map(|&address| maker.field("mactiveLayer", ObjectPointer { class, address }));
    let list = maker.field("mkey", maker.items(points));
    maker.with([list].into_iter().chain(pointers).collect())
}

#[test]
fn an_object_is_what_it_was_in_the_base_before_it_is_what_it_is_called() {
    let (a, b) = (0x20, 0x30);
    for (base, ours, theirs, expected) in [
        // Ours has another name for it, which theirs gave to a new one.
        (
            listed(&[("a", a, 1, None)], &[]),
            listed(&[("b", a, 1, None)], &[]),
            listed(&[("a", a, 1, None), ("b", b, 1, None)], &[a, b]),
            listed(&[("b", a, 1, None), ("b", b, 1, None)], &[a, b]),
        ),
        // The other way round.
        (
            listed(&[("a", a, 1, None)], &[]),
            listed(&[("a", a, 1, None), ("b", b, 1, None)], &[]),
            listed(&[("b", a, 1, None)], &[a]),
            listed(&[("b", a, 1, None), ("b", b, 1, None)], &[a]),
        ),
        // What both put into one that ours has changed is one.
        (
            listed(&[("a", a, 1, None)], &[]),
            listed(&[("a", a, 2, Some(0x40))], &[]),
            listed(&[("a", a, 1, Some(0x50))], &[0x50]),
            listed(&[("a", a, 2, Some(0x40))], &[0x40]),
        ),
    ] {
        check([&base, &ours, &theirs], [&expected; 2], &[]);
    }
    // A field that both added is one, though they put different things into it.
    let maker = Maker::new("CVisitor4Project");
    let world = |it: Option<(u32, i32)>, pointer: Option<u32>| {
        let class = maker.0.classes.id("CWorld").unwrap() as i16;
        let world = it.map(|(address, value)| {
            let inner = vec![maker.field("mvalue", int(value))];
            maker.field("world", maker.object("CWorld", address, inner))
        });
        let pointer =
            pointer.map(|address| maker.field("mactiveLayer", ObjectPointer { class, address }));
        maker.with(world.into_iter().chain(pointer).collect())
    };
    let (base, ours) = (world(None, None), world(Some((a, 1)), None));
    let theirs = world(Some((b, 2)), Some(b));
    let expected = [world(Some((a, 1)), Some(a)), world(Some((a, 2)), Some(a))];
    let conflict = "world: -, CWorld mvalue=1, CWorld mvalue=2";
    check([&base, &ours, &theirs], expected.each_ref(), &[conflict]);
}

#[test]
fn a_name_that_a_table_has_twice_keeps_both_ids() {
    let twice = |tags: [u16; 2], value: i32| {
        let mut document = Document::new("CLayer");
        let entries = document.tags.entries().map(|(id, name)| (id, name.clone()));
        let name = Text::new("mname").unwrap();
        document.tags = entries.chain([(900, name)]).collect();
        let fields = tags.into_iter().map(|tag| Field::new(tag, int(value)));
        document.root.fields = fields.collect();
        document
    };
    let own = Document::new("CLayer").tags.id("mname").unwrap();
    for tags in [[own, 900], [900, own], [900, 900]] {
        let all = [1, 1, 2].map(|value| twice(tags, value));
        check(all.each_ref(), [&all[2]; 2], &[]);
        check([&all[0], &all[2], &all[1]], [&all[2]; 2], &[]);
    }
}

#[test]
fn names_are_one_whatever_their_ids_are() {
    let maker = Maker::new("CLayer");
    let class = |name: &str| maker.0.classes.id(name).unwrap() as i16;
    let other = |maker: &Maker, value: i32| {
        let pointer = ObjectPointer { class: class("CVertex"), address: 0x20 };
        let object = maker.object("CVertex", 0x20, vec![maker.field("mvalue", int(value))]);
        maker.with(vec![maker.field("data", object), maker.field("mactiveLayer", pointer)])
    };
    fn renumber(object: &mut formwork_alb1::Object, by: u16) {
        object.class += by as i16;
        for field in &mut object.fields {
            field.tag += by;
            match &mut field.value {
                Value::Object(object) => renumber(object, by),
                Value::ObjectPointer(pointer) => pointer.class += by as i16,
                _ => {}
            }
        }
    }
    let moved = |document: &Document| {
        let table = |table: &Table| -> Table {
            table.entries().map(|(id, name)| (id + 500, name.clone())).collect()
        };
        let mut moved = document.clone();
        (moved.tags, moved.classes) = (table(&moved.tags), table(&moved.classes));
        renumber(&mut moved.root, 500);
        moved
    };
    let documents = [1, 1, 2].map(|value| other(&maker, value));
    let [base, ours, theirs] = &documents;
    check([base, ours, &moved(theirs)], [theirs; 2], &[]);
    check([&moved(base), ours, theirs], [theirs; 2], &[]);
    check([base, &moved(ours), theirs], [&moved(theirs); 2], &[]);
    // A new name comes behind those of ours.
    let mut new = theirs.clone();
    let (tag, id) = (new.tags.add("mnew").unwrap(), new.classes.add("CNew").unwrap() as i16);
    new.root.fields.push(Field::new(
        tag,
        formwork_alb1::Object { class: id, address: 0x40, fields: Vec::new() },
    ));
    check([base, ours, &moved(&new)], [&new; 2], &[]);
}

/// A layer with objects of one template: their ids, how far east they are, and their heights.
fn layer(objects: &[(u32, f64, f32)], next: i32) -> ObjectLayer {
    let root = BoundingBox { x0: 0.0, y0: 0.0, x1: 16.0, y1: 16.0 };
    let grid = Grid::new(Version::V4, root).with_levels(1, 2).unwrap();
    let objects = objects
        .iter()
        .map(|&(id, x, z)| (7, Object { id, x, y: 1.0, z, scale: 1.0, ..Object::default() }));
    let tree = Tree::build(&grid, objects, |_| Colour::from(5)).unwrap();
    let mut layer =
        ObjectLayer { name: Text::new("a").unwrap(), version: 4, ..ObjectLayer::default() };
    layer.set_tree(&tree).unwrap();
    layer.next_object_id = next;
    layer
}

/// The objects of a layer as in [`layer`], in the order of the tree.
fn objects_of(document: &Document) -> (Vec<(u32, f64, f32)>, i32, i32) {
    let layer = ObjectLayer::of(document).unwrap();
    let placed = Tree::read(&layer.tree, layer.tree_version()).unwrap();
    let placed = placed.placed().map(|(_, it)| (it.id, it.x, it.z)).collect();
    (placed, layer.object_count, layer.next_object_id)
}

#[test]
fn objects_of_layers_by_their_ids() {
    const MAX: i32 = i32::MAX;
    const TOP: u32 = MAX as u32;
    type Objects = &'static [(u32, f64, f32)];
    type One = (Objects, i32);
    // Base, ours and theirs with the next id; merged, with the next id; how many were renumbered.
    let rows: &[([One; 3], One, usize)] = &[
        // Added by one side.
        (
            [(&[(0, 1.0, 0.0)], 1), (&[(0, 1.0, 0.0)], 1), (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2)],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2),
            0,
        ),
        // Both added another one under one id.
        (
            [
                (&[(0, 1.0, 0.0)], 1),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 2),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
            1,
        ),
        // The counter of any of the three is above all ids.
        (
            [
                (&[(0, 1.0, 0.0)], 1),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 10),
                (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 2),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (10, 3.0, 0.0)], 11),
            1,
        ),
        (
            [
                (&[(0, 1.0, 0.0)], 1),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 20),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (20, 3.0, 0.0)], 21),
            1,
        ),
        (
            [
                (&[(0, 1.0, 0.0)], 30),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 2),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (30, 3.0, 0.0)], 31),
            1,
        ),
        (
            [
                (&[(0, 1.0, 0.0)], -5),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], -5),
                (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], -5),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
            1,
        ),
        // Without a new id the next one is the larger of the two counters.
        (
            [(&[(0, 1.0, 0.0)], 9), (&[(0, 2.0, 0.0)], 4), (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 6)],
            (&[(0, 2.0, 0.0), (1, 3.0, 0.0)], 6),
            0,
        ),
        (
            [(&[(0, 1.0, 0.0)], 9), (&[(0, 2.0, 0.0)], 7), (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 6)],
            (&[(0, 2.0, 0.0), (1, 3.0, 0.0)], 7),
            0,
        ),
        // The one of theirs is in ours under another id already.
        (
            [
                (&[(0, 1.0, 0.0)], 1),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
                (&[(0, 1.0, 0.0), (1, 3.0, 0.0)], 2),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
            0,
        ),
        // Of the base it does not count: that one was there before.
        (
            [
                (&[(0, 3.0, 0.0)], 1),
                (&[(0, 3.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 3.0, 0.0), (1, 3.0, 0.0)], 2),
            ],
            (&[(0, 3.0, 0.0), (1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
            1,
        ),
        // Several, in the order of their ids.
        (
            [
                (&[], 0),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 3.0, 0.5), (1, 3.0, 0.0), (2, 2.5, 0.0)], 3),
            ],
            (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (2, 2.5, 0.0), (3, 3.0, 0.5), (4, 3.0, 0.0)], 5),
            2,
        ),
        // Removed by one and kept by the other; by both.
        (
            [
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
                (&[(1, 2.0, 0.0), (2, 3.0, 0.0)], 3),
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 3),
            ],
            (&[(1, 2.0, 0.0)], 3),
            0,
        ),
        // Moved by one, lifted by the other: two objects, and both changes.
        (
            [
                (&[(0, 1.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 9.0, 0.0), (1, 2.0, 0.0)], 2),
                (&[(0, 1.0, 0.0), (1, 2.0, 4.0)], 2),
            ],
            (&[(1, 2.0, 4.0), (0, 9.0, 0.0)], 2),
            0,
        ),
        // A counter that is below ids is not this merge's matter.
        (
            [
                (&[(0, 1.0, 0.0)], 1),
                (&[(0, 1.0, 0.0), (5, 2.0, 0.0)], 1),
                (&[(0, 1.0, 0.0), (7, 3.0, 0.0)], 1),
            ],
            (&[(0, 1.0, 0.0), (5, 2.0, 0.0), (7, 3.0, 0.0)], 1),
            0,
        ),
        // The last id that there is.
        (
            [(&[], MAX), (&[(0, 1.0, 0.0)], MAX), (&[(0, 2.0, 0.0)], MAX)],
            (&[(0, 1.0, 0.0), (TOP, 2.0, 0.0)], MAX),
            1,
        ),
    ];
    for (all, (expected, next), renumbered) in rows {
        let [base, ours, theirs] =
            all.map(|(objects, next)| layer(objects, next).to_document().unwrap());
        for prefer_theirs in [false, true] {
            let found = merge(&base, &ours, &theirs, prefer_theirs);
            assert_eq!(found.conflicts, [], "{all:?}");
            assert_eq!(found.renumbered, *renumbered, "{all:?}");
            let (objects, count, found_next) = objects_of(&found.document);
            assert_eq!((&objects[..], found_next), (*expected, *next), "{all:?}");
            assert_eq!(count as usize, expected.len(), "{all:?}");
        }
    }
}

#[test]
fn conflicts_of_the_objects_of_layers() {
    const MAX: i32 = i32::MAX;
    // Base, ours and theirs; what is kept of ours and of theirs; the conflict.
    let at = |id, z| [(id, 1.0, z)].to_vec();
    let both = |one: (u32, f64, f32), other| vec![one, other];
    for (all, next, expected, conflict) in [
        (
            [at(3, 0.0), at(3, 1.0), at(3, 2.0)],
            4,
            [at(3, 1.0), at(3, 2.0)],
            "tree[id 3]: 0x00000007 z=0.0, 0x00000007 z=1.0, 0x00000007 z=2.0",
        ),
        (
            [at(3, 0.0), vec![], at(3, 2.0)],
            4,
            [vec![], at(3, 2.0)],
            "tree[id 3]: 0x00000007 z=0.0, -, 0x00000007 z=2.0",
        ),
        (
            [at(3, 0.0), at(3, 1.0), vec![]],
            4,
            [at(3, 1.0), vec![]],
            "tree[id 3]: 0x00000007 z=0.0, 0x00000007 z=1.0, -",
        ),
        // No id is left for the second: what both added is in conflict then.
        (
            [vec![], both((0, 1.0, 0.0), (1, 1.0, 1.0)), both((0, 1.0, 2.0), (1, 1.0, 3.0))],
            MAX,
            [
                vec![(0, 1.0, 0.0), (1, 1.0, 1.0), (MAX as u32, 1.0, 2.0)],
                vec![(0, 1.0, 0.0), (1, 1.0, 3.0), (MAX as u32, 1.0, 2.0)],
            ],
            "tree[id 1]: -, 0x00000007 z=1.0, 0x00000007 z=3.0",
        ),
        (
            [
                vec![(u32::MAX, 2.0, 0.0)],
                both((u32::MAX, 2.0, 0.0), (1, 1.0, 1.0)),
                both((u32::MAX, 2.0, 0.0), (1, 1.0, 3.0)),
            ],
            4,
            [both((u32::MAX, 2.0, 0.0), (1, 1.0, 1.0)), both((u32::MAX, 2.0, 0.0), (1, 1.0, 3.0))],
            "tree[id 1]: -, 0x00000007 z=1.0, 0x00000007 z=3.0",
        ),
    ] {
        let all = all.map(|objects| layer(&objects, next).to_document().unwrap());
        for (prefer_theirs, expected) in [false, true].into_iter().zip(expected) {
            let (document, conflicts) = merged(all.each_ref(), prefer_theirs);
            assert_eq!(conflicts, [conflict], "{prefer_theirs}");
            let (objects, count, _) = objects_of(&document);
            assert_eq!((objects, count as usize), (expected.clone(), expected.len()), "{conflict}");
        }
    }
}

#[test]
fn a_tree_without_moves_stays_as_it_is() {
    let base = layer(&[(0, 1.0, 0.0), (1, 5.0, 0.0), (2, 9.0, 0.0)], 3);
    let edit = |layer: &ObjectLayer, edit: &dyn Fn(&mut Tree)| {
        let mut layer = layer.clone();
        let mut tree = Tree::read(&layer.tree, Version::V4).unwrap();
        edit(&mut tree);
        layer.set_tree(&tree).unwrap();
        layer
    };
    // A leaf without objects, and a node in a colour, that a tree built anew would not have.
    let base = edit(&base, &|tree| {
        tree.remove(2, |_| Colour::from(0)).unwrap().unwrap();
        tree.nodes[1].colour = Colour::from(77);
    });
    let lift = |layer: &ObjectLayer, at: usize, z: f32| edit(layer, &|tree| tree.objects[at].z = z);
    let document = |layer: &ObjectLayer| layer.to_document().unwrap();
    let [ours, theirs] = [lift(&base, 0, 1.0), lift(&base, 1, 2.0)];
    let both = lift(&lift(&base, 0, 1.0), 1, 2.0);
    check([&document(&base), &document(&ours), &document(&theirs)], [&document(&both); 2], &[]);
    // Of one side it is the tree of that side, byte for byte, also where none of its objects stayed.
    let emptied = edit(&base, &|tree| {
        tree.remove(0, |_| Colour::from(9)).unwrap();
    });
    for [one, other] in [[&emptied, &base], [&base, &emptied], [&emptied, &emptied]] {
        let all = [&base, one, other].map(document);
        check(all.each_ref(), [&document(&emptied); 2], &[]);
    }
    // With one that moved the empty leaf goes, and the colour stays.
    let moved = edit(&base, &|tree| tree.objects[1].x = 6.0);
    let (found, conflicts) = merged([&document(&base), &document(&ours), &document(&moved)], false);
    assert_eq!(conflicts, [""; 0]);
    let found = Tree::read(&ObjectLayer::of(&found).unwrap().tree, Version::V4).unwrap();
    let xs: Vec<_> = found.placed().map(|(_, it)| (it.x, it.z)).collect();
    assert_eq!((found.leaves.len(), xs), (2, vec![(1.0, 1.0), (6.0, 0.0)]));
    assert_eq!(found.nodes[1].colour, Colour::from(77));
    // Another template is another leaf's matter, too, though nothing moved.
    let other = edit(&base, &|tree| tree.groups[1].template = 8);
    let (found, conflicts) = merged([&document(&base), &document(&ours), &document(&other)], false);
    assert_eq!(conflicts, [""; 0]);
    let found = ObjectLayer::of(&found).unwrap();
    let found: Vec<_> = groups(&found.tree, Version::V4)
        .map(Result::unwrap)
        .map(|it| (it.cell, it.leaf.template, it.template, it.objects.len()))
        .collect();
    let cell = |x| Cell { level: 2, x, y: 0 };
    assert_eq!(found, [(cell(0), 7, 7, 1), (cell(1), 8, 8, 1)]);
}

#[test]
fn trees_that_cannot_be_merged_are_one_thing() {
    let plain = |z| layer(&[(0, 1.0, z), (1, 5.0, 0.0)], 2);
    let [base, ours, theirs] =
        [plain(0.0), plain(1.0), plain(2.0)].map(|it| it.to_document().unwrap());
    let size = ObjectLayer::of(&base).unwrap().tree.len();
    let conflict = format!("tree: {0} raw bytes, {0} raw bytes, {0} raw bytes", size);
    // Two objects with one id, a tree that cannot be read, another class, another version of one side.
    let twice = |document: &Document| {
        let mut layer = ObjectLayer::of(document).unwrap();
        let mut tree = Tree::read(&layer.tree, Version::V4).unwrap();
        tree.objects[1].id = 0;
        layer.set_tree(&tree).unwrap();
        layer.to_document().unwrap()
    };
    let damaged = |document: &Document| {
        let mut document = document.clone();
        let tag = document.tags.id("tree").unwrap();
        let Some(Value::Raw(bytes)) = document.root.get_mut(tag) else { panic!("a tree") };
        let mut damaged = bytes.to_vec();
        damaged[0] = 3;
        *bytes = damaged.into();
        document
    };
    let foreign = |document: &Document| {
        let mut document = document.clone();
        document.root.class = document.classes.id("CWorld").unwrap() as i16;
        document
    };
    let edits: [&dyn Fn(&Document) -> Document; 3] = [&twice, &damaged, &foreign];
    for edit in edits {
        let [base, ours, theirs] = [edit(&base), edit(&ours), edit(&theirs)];
        check([&base, &ours, &theirs], [&ours, &theirs], &[&conflict]);
    }
    for edit in [&twice as &dyn Fn(&Document) -> Document, &damaged] {
        for at in 0..3 {
            let mut all = [base.clone(), ours.clone(), theirs.clone()];
            all[at] = edit(&all[at]);
            let (_, conflicts) = merged(all.each_ref(), false);
            assert_eq!(conflicts, [&*conflict], "{at}");
        }
    }
    for at in 0..3 {
        let mut all = [base.clone(), ours.clone(), theirs.clone()];
        all[at].set("mlayerVersion", int(3)).unwrap();
        let (_, conflicts) = merged(all.each_ref(), false);
        assert_eq!(conflicts.last(), Some(&conflict), "{at}");
    }
}

#[test]
fn a_layer_that_says_another_number_of_objects_is_not_corrected() {
    let with = |objects: &[(u32, f64, f32)], count: i32| {
        let mut layer = layer(objects, 9);
        layer.object_count = count;
        layer.to_document().unwrap()
    };
    let (one, two) = ((0, 1.0, 0.0), (1, 5.0, 0.0));
    for (counts, expected, conflicts) in [
        ([1, 2, 2], 3, &[][..]),
        ([7, 2, 2], 2, &[]),
        ([1, 7, 1], 7, &[]),
        ([1, 1, 7], 7, &[]),
        ([1, 7, 8], 7, &["objectCount: 1, 7, 8"]),
    ] {
        let base = with(&[one], counts[0]);
        let ours = with(&[one, two], counts[1]);
        let theirs = with(&[one, (2, 9.0, 0.0)], counts[2]);
        let (document, found) = merged([&base, &ours, &theirs], false);
        assert_eq!(found, conflicts, "{counts:?}");
        let (objects, count, _) = objects_of(&document);
        assert_eq!((objects.len(), count), (3, expected), "{counts:?}");
    }
}
