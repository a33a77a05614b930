//! Declared records as documents: JSON both ways, changes, settled counts and checksums, differences.

use crate::examples::{elf, git_index, gzip, messagepack, png, tar, wav, zip};
use crate::sample;
use formwork::document::{Confidence, Document, Edit, Format, Json, JsonText, RecordFormat};
use formwork::record::{self, Declared};

static PNG: RecordFormat = RecordFormat::new::<png::Png>("png", "pictures");
static WAV: RecordFormat = RecordFormat::new::<wav::Wave>("wav", "sounds");

fn json(text: &str) -> Json {
    Json::read(text.as_bytes()).unwrap()
}

/// Checks for samples and made values that their JSON makes the same bytes.
fn both_ways<T: Declared>(names: &[&str]) {
    let format = RecordFormat::new::<T>("format", "a format");
    let samples = names.iter().map(|name| sample(name));
    let made = (0..300).filter_map(|seed| record::generate_bytes::<T>(seed).ok());
    let mut count = 0;
    for bytes in samples.chain(made) {
        let document = format.open(&bytes).unwrap();
        assert_eq!(document.to_bytes(), bytes);
        let json = document.to_json();
        let text = format!("{json:#}");
        assert_eq!(Json::read(text.as_bytes()).unwrap(), json, "{text}");
        let again = format.make(&json).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(again.to_bytes() == bytes, "{text}\n{:#}", again.to_json());
        count += 1;
    }
    assert!(count > 250, "{count} values");
}

#[test]
fn json_of_wav_is_lossless() {
    both_ways::<wav::Wave>(&["tone.wav", "list.wav"]);
}

#[test]
fn json_of_png_is_lossless() {
    both_ways::<png::Png>(&["rgb.png", "palette.png"]);
}

#[test]
fn json_of_gzip_is_lossless() {
    both_ways::<gzip::Gzip>(&["plain.gz", "named.gz"]);
}

#[test]
fn json_of_tar_is_lossless() {
    both_ways::<tar::Tar>(&["two.tar"]);
}

#[test]
fn json_of_the_index_of_git_is_lossless() {
    both_ways::<git_index::Index>(&["version2.index", "version3.index", "version4.index"]);
}

#[test]
fn json_of_messagepack_is_lossless() {
    both_ways::<messagepack::Value>(&["save.mpk"]);
}

#[test]
fn json_of_zip_is_lossless() {
    both_ways::<zip::Zip>(&["two.zip"]);
}

#[test]
fn json_of_elf_is_lossless() {
    both_ways::<elf::Elf>(&["answer.o", "big.o"]);
}

fn changed(document: &mut dyn Document, edits: &[Edit]) -> Vec<String> {
    document.edit(edits).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn a_change_settles_sizes_and_checksums() {
    let mut document = PNG.open(&sample("rgb.png")).unwrap();
    let changes = changed(&mut *document, &[Edit::set("chunks/1/content/text", "a".into())]);
    let text = "chunks/1/content/text: \"four by four\" -> \"a\"";
    assert_eq!(changes[..2], ["chunks/1/size: 18 -> 7", text]);
    assert!(changes.len() == 3 && changes[2].starts_with("chunks/1/crc: "), "{changes:?}");
    let bytes = document.to_bytes();
    assert_eq!(record::check::<png::Png>(&bytes), Ok(()));
    assert_eq!(bytes.len(), sample("rgb.png").len() - 11);
}

#[test]
fn what_is_settled_may_be_left_out() {
    let mut document = PNG.open(&sample("rgb.png")).unwrap();
    let chunk = json(r#"{"content": {"$Text": {"keyword": "Author", "text": "me"}}}"#);
    let changes = changed(&mut *document, &[Edit::add("chunks/+1", chunk)]);
    assert_eq!(changes.len(), 1);
    let chunk = document.get("chunks/1").unwrap();
    assert_eq!(chunk.get("size"), Some(&9.into()));
    assert_eq!(chunk.get("id"), Some(&"tEXt".into()));
    assert_eq!(record::check::<png::Png>(&document.to_bytes()), Ok(()));
}

#[test]
fn zeros_that_fill_up_follow_the_size() {
    let mut document = WAV.open(&sample("list.wav")).unwrap();
    let path = |document: &dyn Document| {
        let json = document.to_json();
        let chunks = json.find("form/chunks").unwrap();
        let Json::Array(chunks) = chunks else { panic!("a list") };
        let list = chunks.iter().position(|it| it.get("id") == Some(&"LIST".into())).unwrap();
        format!("form/chunks/{list}/content/entries/0")
    };
    let entry = path(&*document);
    for (text, has_pad) in [("odd\0 ", true), ("even\0 ", false), ("x", true), ("", false)] {
        document.edit(&[Edit::set(format!("{entry}/text"), text.into())]).unwrap();
        let there = document.get(&entry).unwrap();
        assert_eq!(there.get("pad").is_some(), has_pad, "{text:?}: {there}");
        assert_eq!(record::check::<wav::Wave>(&document.to_bytes()), Ok(()));
    }
}

#[test]
fn what_other_fields_decide_cannot_be_set() {
    let bytes = sample("rgb.png");
    let mut document = PNG.open(&bytes).unwrap();
    for (path, value, expected) in [
        (
            "chunks/0/size",
            json("99"),
            "chunks[0].size: expected 13, as the other fields give it, found 99",
        ),
        (
            "chunks/0/crc",
            json("1"),
            "chunks[0].crc: expected \"0x26930929\", as the other fields give it",
        ),
        ("chunks/1/id", json("\"tIME\""), "chunks[1].id: expected \"tEXt\", as the other fields"),
        ("chunks/0/content/width", json("0"), "chunks[0].content.width: expected `width > 0`"),
        (
            "chunks/0/content/width",
            json("-1"),
            "chunks[0].content.width: expected a number: u32, found -1",
        ),
        ("chunks/0/content/color", json("\"Pink\""), "expected one of 0 Gray, 2 Rgb, 3 Palette"),
        (
            "chunks/0/content/compression",
            json("1"),
            "chunks[0].content.compression: expected a zero, found 1",
        ),
        ("chunks/0/content/size", json("1"), "expected one of width, height"),
        ("chunks/9", json("1"), "expected an element from 0 to 3, found `chunks/9`"),
        ("chunks/1/content", json("{\"$Txt\":1}"), "an object with one of $Header, $Palette"),
        (
            "chunks/1",
            json("{\"content\":{\"$Other\":\"\"}}"),
            "expected a value: no other field gives it",
        ),
    ] {
        let error = document.edit(&[Edit::set(path, value)]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
        assert!(document.to_bytes() == bytes, "nothing changed");
    }
}

#[test]
fn what_other_fields_decide_cannot_be_removed() {
    let mut document = PNG.open(&sample("rgb.png")).unwrap();
    let error = document.edit(&[Edit::remove("chunks/0/crc")]).unwrap_err().to_string();
    assert!(error.starts_with("chunks[0].crc: expected a value, as the other fields give it"));
    assert_eq!(
        document.edit(&[Edit::remove("chunks/1"), Edit::remove("chunks/1")]).unwrap().len(),
        2
    );
}

#[test]
fn wrong_checksums_stay_until_something_changes() {
    let bytes = sample("wrong_crc.png");
    let mut document = PNG.open(&bytes).unwrap();
    let same = document.to_json();
    assert_eq!(document.set_json(&same).unwrap(), []);
    assert!(document.to_bytes() == bytes);
    let problems = PNG.problems(&bytes);
    assert_eq!((problems.len(), problems[0].offset()), (1, 0x3b));
    document.edit(&[Edit::set("chunks/0/content/interlace", 1.into())]).unwrap();
    assert_eq!(PNG.problems(&document.to_bytes()), []);
}

#[test]
fn files_are_recognised() {
    let (png, wav) = (sample("rgb.png"), sample("tone.wav"));
    assert_eq!((PNG.sniff(&png), WAV.sniff(&png)), (Confidence::Whole, Confidence::None));
    assert_eq!((PNG.sniff(&wav), WAV.sniff(&wav)), (Confidence::None, Confidence::Whole));
    assert_eq!(PNG.sniff(&png[..60]), Confidence::Start);
    assert_eq!(PNG.problems(&png[..60]).len(), 1);
    assert!(PNG.open(&png[..60]).is_err());
}

#[test]
fn two_files_differ_where_they_differ() {
    let bytes = sample("rgb.png");
    let (one, mut other) = (PNG.open(&bytes).unwrap(), PNG.open(&bytes).unwrap());
    other
        .edit(&[Edit::remove("chunks/1"), Edit::set("chunks/0/content/height", 5.into())])
        .unwrap();
    let changes: Vec<_> = one.diff(&*other).iter().map(|it| it.path.clone()).collect();
    assert_eq!(changes, ["chunks/0/content/height", "chunks/0/crc", "chunks/1"]);
}

#[test]
fn rows_are_the_lines_of_the_dump() {
    let bytes = sample("wrong_crc.png");
    let (mut lines, mut paths) = (Vec::new(), Vec::new());
    let mut each = |row: &formwork::document::Row<'_>| {
        lines.push(row.to_string());
        paths.push(row.path().to_string());
        Ok(())
    };
    PNG.rows(&bytes, &mut each).unwrap();
    let dump = record::dump::<png::Png>(&bytes);
    assert_eq!(lines.join("\n"), dump.split_once('\n').unwrap().1.trim_end());
    assert!(paths.contains(&"chunks[0].content.width".to_owned()));
}

#[test]
fn paths_lead_to_what_is_there_and_add_where_that_is_allowed() {
    let text =
        r#"{"list":[10,20],"o":{"a":1,"+0":2,"b/c":3,"d.e":4},"t":{"$T":{"w":5}},"empty":[]}"#;
    let whole = json(text);
    // What a path finds, and as what it is known.
    let found: [(&str, Option<(&str, &str)>); 22] = [
        ("list/0", Some(("10", "list/0"))),
        ("list/1", Some(("20", "list/1"))),
        ("list/2", None),
        ("list/-1", Some(("20", "list/1"))),
        ("list/-2", Some(("10", "list/0"))),
        ("list/-3", None),
        ("list/+", None),
        ("list[1]", Some(("20", "list/1"))),
        ("list[2]", None),
        ("empty/0", None),
        ("empty/-1", None),
        ("o/a", Some(("1", "o/a"))),
        ("o.a", Some(("1", "o/a"))),
        ("/o//a/", Some(("1", "o/a"))),
        ("o/a/b", None),
        ("o/b/c", Some(("3", r#"o/"b/c""#))),
        (r#"o/"b/c""#, Some(("3", r#"o/"b/c""#))),
        ("o/d.e", Some(("4", r#"o/"d.e""#))),
        (r#"o/"+0""#, Some(("2", r#"o/"+0""#))),
        ("t/w", Some(("5", "t/w"))),
        ("t/$T/w", Some(("5", "t/w"))),
        ("t/v", None),
    ];
    for (path, expected) in found {
        let place = whole.place(path).ok();
        let value = whole.find(path).ok().map(ToString::to_string);
        assert_eq!(value.as_deref(), expected.map(|it| it.0), "{path}");
        assert_eq!(place.as_deref(), expected.map(|it| it.1), "{path}");
        if let Some((value, place)) = expected {
            assert_eq!(whole.find(place).unwrap().to_string(), value, "{path}");
        }
    }
    // What a set value is known as, and its container then: where it may add, and where not.
    type Row<'r> = (&'r str, Option<(&'r str, &'r str)>, bool);
    let set: [Row<'_>; 12] = [
        ("list/1", Some(("list/1", "[10,9]")), true),
        ("list/2", None, false),
        ("list/-3", None, false),
        ("list/+", Some(("list/2", "[10,20,9]")), false),
        ("list/+0", Some(("list/0", "[9,10,20]")), false),
        ("list/+2", Some(("list/2", "[10,20,9]")), false),
        ("list/+3", None, false),
        ("list/a", None, false),
        ("empty/+0", Some(("empty/0", "[9]")), false),
        ("t/w", Some(("t/w", "9")), true),
        ("o/a/b", None, false),
        ("new/a", None, false),
    ];
    for (path, expected, is_there) in set {
        for adds in [true, false] {
            let mut changed = whole.clone();
            let place = changed.set(path, 9.into(), adds);
            match expected.filter(|_| adds || is_there) {
                Some((expected, around)) => {
                    let place = place.unwrap();
                    assert_eq!(place, expected, "{path}");
                    assert_eq!(changed.find(&place), Ok(&9.into()), "{path}");
                    let holder = if path == "t/w" { path } else { path.split_once('/').unwrap().0 };
                    assert_eq!(changed.find(holder).unwrap().to_string(), around, "{path}");
                }
                None => {
                    assert_eq!(place.unwrap_err().rule().name(), "document.path", "{path}");
                    assert_eq!(changed, whole, "{path}");
                }
            }
        }
    }
    for (path, adds) in
        [("o/new", true), ("t/v", true), ("top", true), ("o/new", false), ("t/v", false)]
    {
        let mut changed = whole.clone();
        assert_eq!(changed.set(path, 9.into(), adds).is_ok(), adds, "{path}");
        assert_eq!(changed.find(path).is_ok(), adds, "{path}");
    }
    let removed = [
        ("list/0", Some(("10", "list", "[20]"))),
        ("list/-1", Some(("20", "list", "[10]"))),
        ("list/2", None),
        ("list/+", None),
        ("o/b/c", Some(("3", "o", r#"{"a":1,"+0":2,"d.e":4}"#))),
        (r#"o/"b/c""#, Some(("3", "o", r#"{"a":1,"+0":2,"d.e":4}"#))),
        ("t/w", Some(("5", "t", r#"{"$T":{}}"#))),
        ("t/v", None),
        ("empty/0", None),
        ("", None),
    ];
    for (path, expected) in removed {
        let mut changed = whole.clone();
        match (changed.remove(path), expected) {
            (Ok(removed), Some((value, around, left))) => {
                assert_eq!(removed.to_string(), value, "{path}");
                assert_eq!(changed.find(around).unwrap().to_string(), left, "{path}");
            }
            (Err(_), None) => assert_eq!(changed, whole, "{path}"),
            (result, expected) => panic!("{path}: {result:?}, not {expected:?}"),
        }
    }
}

#[test]
fn changes_of_json_are_those_of_its_parts() {
    let row = |count: usize| Json::Array((0..count).map(Json::from).collect());
    let with = |count: usize, at: usize| {
        Json::Array(
            (0..count).map(|it| if it == at { Json::from(99) } else { it.into() }).collect(),
        )
    };
    let rows: Vec<(&str, Json, Json, &[&str])> = vec![
        ("the same", json("[1,2]"), json("[1,2]"), &[]),
        ("a number", json("1"), json("2"), &["the value: 1 -> 2"]),
        ("an element more", json("[1,3]"), json("[1,2,3]"), &["1: added 2"]),
        ("an element less", json("[1,2,3]"), json("[1,3]"), &["1: removed 2"]),
        ("a name with a slash", json(r#"{"a/b":1}"#), json(r#"{"a/b":2}"#), &[r#""a/b": 1 -> 2"#]),
        ("a name with a plus", json(r#"{"+1":1}"#), json(r#"{"+1":2}"#), &[r#""+1": 1 -> 2"#]),
        (
            "another member of a variant",
            json(r#"{"x":{"$T":{"a":1}}}"#),
            json(r#"{"x":{"$T":{"a":2}}}"#),
            &["x/a: 1 -> 2"],
        ),
        (
            "another number of a variant that is one",
            json(r#"{"x":{"$float":"1"}}"#),
            json(r#"{"x":{"$float":"2"}}"#),
            &[r#"x: {"$float":"1"} -> {"$float":"2"}"#],
        ),
        (
            "another variant",
            json(r#"{"x":{"$T":{"a":1}}}"#),
            json(r#"{"x":{"$U":{"a":1}}}"#),
            &[r#"x: {"$T":{"a":1}} -> {"$U":{"a":1}}"#],
        ),
        ("a row of 64 numbers", row(64), with(64, 5), &["5: 5 -> 99"]),
    ];
    for (name, before, after, expected) in rows {
        let found = formwork::document::changes(&before, &after);
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{name}");
    }
    // A longer row of scalars is one change.
    let found = formwork::document::changes(&row(65), &with(65, 5));
    assert_eq!((found.len(), &*found[0].path), (1, ""));
}

#[test]
fn json_nests_as_deep_as_the_limit_and_no_deeper() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(Json::read(nested(1025).as_bytes()).is_ok());
    let error = Json::read(nested(1026).as_bytes()).unwrap_err();
    assert_eq!((error.rule().name(), error.offset()), ("json.syntax", 1025));
}

#[test]
fn children_have_the_paths_that_lead_to_them() {
    let json = JsonText
        .open(br#"{"a":1,"b/c":{"$Vector2":[1,2]},"d":{"$T":{"e":[true,null]}},"":"x"}"#)
        .unwrap();
    let mut left = vec![String::new()];
    let mut seen = Vec::new();
    while let Some(path) = left.pop() {
        for child in json.children(&path, 0..9).unwrap() {
            let value = json.get(&child.path).unwrap();
            if let Some(shown) = &child.shown {
                assert_eq!(*shown, value.to_string());
            }
            seen.push(format!("{} {} {:?}", child.path, child.type_name, child.length));
            left.extend(child.length.map(|_| child.path));
        }
    }
    seen.sort();
    assert_eq!(
        seen,
        [
            r#""" string None"#,
            r#""b/c" Vector2 Some(2)"#,
            r#""b/c"/0 number None"#,
            r#""b/c"/1 number None"#,
            "a number None",
            "d T Some(1)",
            "d/e array Some(2)",
            "d/e/0 boolean None",
            "d/e/1 null None",
        ]
    );
    assert_eq!(json.children("a", 0..9), Ok(Vec::new()));
    assert_eq!(json.children("", 2..3).unwrap()[0].path, "d");
    assert!(json.children("", 7..9).unwrap().is_empty());
    assert!(json.children("nothing", 0..1).is_err());
}

#[test]
fn changes_are_taken_back() {
    let text = br#"{"a":1,"list":[1,2,3,4],"o":{"x":{"y":2}}}"#;
    for edits in [
        vec![Edit::set("a", 2.into()), Edit::remove("list/1"), Edit::remove("list/1")],
        vec![Edit::add("list/+0", 9.into()), Edit::add("o/z", 5.into())],
        vec![Edit::set("o", 1.into())],
        vec![Edit::remove("o")],
    ] {
        let mut document = JsonText.open(text).unwrap();
        let changes = document.edit(&edits).unwrap();
        let back = document.undoing(&changes);
        document.edit(&back).unwrap();
        assert_eq!(document.to_json(), Json::read(text).unwrap(), "{edits:?}");
    }
}
