//! Files of five engines, opened as documents.

use std::fs;
use std::path::{Path, PathBuf};

use formwork::document::{ChangeKind, Child, Confidence, Edit, Format, Json, RowKind};
use formwork_godot::Opener;
use formwork_godot::document::{
    CONFIG_FILES, PACKS, RESOURCES, SAVES, SCRIPTS, SaveFormat, formats,
};
use formwork_variant::{Dialect, Encoder, Variant, to_vec, variant};

/// Returns a golden file.
fn golden(path: &str) -> PathBuf {
    formwork_testkit::formats().join(path)
}

/// Returns the golden files with these extensions.
fn all(extensions: &[&str]) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![golden("")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_one = |end: &&str| path.extension().is_some_and(|it| it == *end);
            if path.is_dir() {
                folders.push(path);
            } else if extensions.iter().any(is_one) && !path.iter().any(|it| it == "json_text") {
                found.push(path);
            }
        }
    }
    found
}

fn is_encrypted(path: &Path) -> bool {
    path.to_string_lossy().contains("encrypted.")
}

#[test]
fn every_file_has_one_format_and_keeps_its_bytes() {
    let expected: [(&dyn Format, &[&str], usize); 5] = [
        (&PACKS, &["pck", "exe", "x86_64"], 17),
        (&RESOURCES, &["res", "scn"], 20),
        (&SCRIPTS, &["gdc"], 3),
        (&SAVES, &["save", "binary"], 78),
        (&CONFIG_FILES, &["cfg", "godot"], 11),
    ];
    for (format, extensions, count) in expected {
        let mut files = all(extensions);
        files.retain(|path| format.name() == "pack" || !is_encrypted(path));
        assert_eq!(files.len(), count, "{}", format.name());
        for path in files {
            let bytes = fs::read(&path).unwrap();
            let whole = formats().into_iter().filter(|it| it.sniff(&bytes) == Confidence::Whole);
            let names: Vec<_> = whole.map(Format::name).collect();
            assert_eq!(names, [format.name()], "{path:?}");
            // (The directory of an encrypted pack cannot be read.)
            let mut document = match format.open(&bytes) {
                Ok(document) => document,
                // (The directory of one pack is encrypted.)
                Err(error) if error.rule().name() == "pack.sealed" => continue,
                Err(error) => panic!("{path:?}: {error}"),
            };
            assert!(!document.summary().is_empty());
            let json = document.to_json();
            if !matches!(format.name(), "resource" | "script") {
                assert_eq!(document.set_json(&json), Ok(Vec::new()), "{path:?}");
            }
            assert!(document.to_bytes() == bytes, "{path:?}");
        }
    }
}

#[test]
fn values_are_typed_added_and_removed_in_files_of_every_engine() {
    let mut count = 0;
    for path in all(&["save", "binary"]).into_iter().filter(|path| !is_encrypted(path)) {
        let bytes = fs::read(&path).unwrap();
        let mut save = SAVES.open(&bytes).unwrap();
        let before = save.to_json();
        if !matches!(before, Json::Object(_)) || before.tag().is_some() {
            continue;
        }
        count += 1;
        let added = save.edit(&[Edit::add("formwork", 5.into())]).unwrap();
        assert_eq!(added.len(), 1);
        assert_eq!((added[0].kind, &*added[0].path), (ChangeKind::Added, "formwork"));

        let mut again = SAVES.open(&save.to_bytes()).unwrap();
        assert_eq!(again.typed("formwork", " 0x10"), Ok(16.into()));
        assert_eq!(again.typed("formwork", "1.5").unwrap_err().expected(), "int");
        let changed = again.edit(&[Edit::set("formwork", 16.into())]).unwrap();
        assert_eq!(changed[0].to_string(), "formwork: 5 -> 16");
        assert_eq!(save.diff(&*again), changed);
        again.remove(&["formwork".into(), "formwork".into()]).unwrap();
        assert_eq!(again.to_json(), before, "{path:?}");
    }
    assert_eq!(count, 48);
}

#[test]
fn all_edits_are_made_or_none() {
    let mut save = SAVES.make(&Json::read(br#"{"gold": 5, "bag": ["lamp"]}"#).unwrap()).unwrap();
    let bytes = save.to_bytes();
    let edits = [Edit::set("gold", 6.into()), Edit::set("glod", 7.into())];
    assert_eq!(save.edit(&edits).unwrap_err().rule().name(), "edit.path");
    assert_eq!((save.to_bytes(), save.get("gold")), (bytes, Ok(5.into())));

    // A new element has the type of the others.
    assert_eq!(save.typed("bag/+", "7"), Ok("7".into()));
    let edits = [Edit::add("bag/+0", "rope".into()), Edit::remove("bag/1")];
    let changes: Vec<_> = save.edit(&edits).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(changes, [r#"bag/0: added "rope""#, r#"bag/1: removed "lamp""#]);
    assert_eq!(save.shown(&save.to_json()), "{\n\"bag\": [\"rope\"],\n\"gold\": 5\n}");
}

#[test]
fn a_file_of_several_values_is_a_list() {
    let bytes = fs::read(golden("godot4/golden/4.6.3/files/multi.save")).unwrap();
    let mut save = SAVES.open(&bytes).unwrap();
    assert!(save.holds_several());
    let Json::Array(values) = save.to_json() else { panic!() };
    let changes = save.set_json(&Json::Array(values[..1].to_vec())).unwrap();
    assert_eq!(changes.len(), values.len() - 1);
    assert!(changes.iter().all(|change| change.kind == ChangeKind::Removed));
    assert_eq!(SAVES.open(&save.to_bytes()).unwrap().to_json(), values[0]);
}

#[test]
fn an_encrypted_file_needs_its_password() {
    let bytes = fs::read(golden("godot4/golden/4.6.3/files/small.encrypted.save")).unwrap();
    assert_eq!(SAVES.sniff(&bytes), Confidence::Start);
    assert!(SAVES.open(&bytes).is_err());
    let plain = fs::read(golden("godot4/golden/4.6.3/files/small.save")).unwrap();
    let format = SaveFormat::new(Opener::new().password("correct horse"));
    let mut save = format.open(&bytes).unwrap();
    assert_eq!(save.to_json(), SAVES.open(&plain).unwrap().to_json());
    save.edit(&[Edit::add("new", true.into())]).unwrap();
    assert_eq!(format.open(&save.to_bytes()).unwrap().get("new"), Ok(true.into()));
}

#[test]
fn every_byte_of_a_save_is_in_a_row() {
    for path in all(&["save"]) {
        let bytes = fs::read(&path).unwrap();
        let is_wrapped = bytes.starts_with(b"GCPF") || bytes.starts_with(b"GDEC");
        if is_wrapped || is_encrypted(&path) {
            continue;
        }
        let mut seen = 0;
        SAVES
            .rows(&bytes, &mut |row| {
                assert_ne!(row.kind, RowKind::Fault, "{path:?}");
                seen += row.bytes.len();
                Ok(())
            })
            .unwrap();
        assert_eq!(seen, bytes.len(), "{path:?}");
    }
}

#[test]
fn damaged_files_have_problems_and_rows() {
    let samples = [
        "godot3/golden/3.6.2/files/small.save",
        "script/samples/godot-4.6.3.gdc",
        "resource/samples/godot-4.6.3/hero.res",
        "pack/samples/4.6.3/packer.pck",
    ];
    for (sample, format) in
        samples.into_iter().zip([&SAVES as &dyn Format, &SCRIPTS, &RESOURCES, &PACKS])
    {
        let bytes = fs::read(golden(sample)).unwrap();
        assert_eq!(format.problems(&bytes), [], "{sample}");
        for length in (0..bytes.len().min(600)).chain([bytes.len() - 1]) {
            let cut = &bytes[..length];
            assert!(!format.problems(cut).is_empty(), "{sample}, {length} bytes");
            format.rows(cut, &mut |_| Ok(())).unwrap();
        }
    }
}

#[test]
fn settings_of_godot_keep_their_text() {
    let text = b"; mine\n[player]\n\nname=\"Ada\"   ; who plays\nhp=7\n";
    let mut file = CONFIG_FILES.open(text).unwrap();
    let edits =
        [Edit::set("player/hp", 8.into()), Edit::add("audio/volume", Json::read(b"0.5").unwrap())];
    let changes: Vec<_> = file.edit(&edits).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["player/hp: 7 -> 8", "audio/volume: added 0.5"]);
    let expected =
        "; mine\n[player]\n\nname=\"Ada\"   ; who plays\nhp=8\n\n[audio]\n\nvolume=0.5\n";
    assert_eq!(String::from_utf8(file.to_bytes()).unwrap(), expected);
    let made = CONFIG_FILES.make(&file.to_json()).unwrap();
    assert_eq!(made.to_json(), file.to_json());
    assert_eq!(CONFIG_FILES.problems(b"[a]\nb=Vector2(\n")[0].rule().name(), "config_file.syntax");
}

#[test]
fn files_of_a_pack_are_added_replaced_and_removed() {
    let mut count = 0;
    for sample in all(&["pck", "exe", "x86_64"]) {
        let bytes = fs::read(&sample).unwrap();
        let Ok(mut pack) = PACKS.open(&bytes) else { continue };
        let Ok(Json::Object(files)) = pack.get("files") else { panic!() };
        let is_absolute = files.iter().any(|file| file.0.starts_with("res://"));
        let name = if is_absolute { "res://new/a.txt" } else { "new/a.txt" };
        let path = format!("files/\"{name}\"");
        // (A pack with encrypted files is only read.)
        let Ok(changes) = pack.edit(&[Edit::add(&*path, "text".into())]) else { continue };
        count += 1;
        assert_eq!(changes[0].to_string(), format!("{path}: added \"text\""), "{sample:?}");
        let mut again = PACKS.open(&pack.to_bytes()).unwrap();
        assert_eq!(PACKS.problems(&again.to_bytes()), PACKS.problems(&bytes));
        again.edit(&[Edit::remove(path)]).unwrap();
        assert!(again.to_json() == PACKS.open(&bytes).unwrap().to_json(), "{sample:?}");
        let other = Edit::set("version", 99.into());
        assert_eq!(again.edit(&[other]).unwrap_err().rule().name(), "document.settled");
        for odd in [Edit::add("note", 1.into()), Edit::remove("version")] {
            assert!(again.edit(&[odd]).is_err());
        }
        let error = again.edit(&[Edit::add("files/b", Json::read(b"{\"$hex\":\"+f\"}").unwrap())]);
        assert_eq!(error.unwrap_err().path().to_string(), "files.b");
    }
    assert_eq!(count, 15);
}

/// A regression test: what nests more than 200 deep was refused, though it has JSON.
#[test]
fn deep_values_change_while_they_have_json() {
    // Unoptimized code takes more stack than the thread of a test has.
    let test = std::thread::Builder::new().stack_size(32 << 20).spawn(|| {
        let nested = |count: usize, mut value: Variant| {
            (0..count).for_each(|_| {
                value = Variant::Array([std::mem::take(&mut value)].into_iter().collect())
            });
            value
        };
        let encoder = Encoder::new(Dialect::GODOT4);
        for depth in [199, 200, 201, 700, 1000] {
            let bytes = encoder.encode(&nested(depth, 7.into())).unwrap();
            let format = SaveFormat::new(Opener::new().dialect(Dialect::GODOT4));
            let mut save = format.open(&bytes).unwrap();
            let path = vec!["0"; depth].join("/");
            let changes = save.edit(&[Edit::set(&*path, 9.into())]).unwrap();
            assert_eq!(changes.len(), 1, "{depth}");
            assert_eq!(
                save.to_bytes(),
                encoder.encode(&nested(depth, 9.into())).unwrap(),
                "{depth}"
            );
            assert_eq!(save.to_json().to_string().matches('[').count(), depth);
            // (The JSON of 30 more would be too deep where there are 1,000.)
            let more =
                Json::read(format!("{}1{}", "[".repeat(30), "]".repeat(30)).as_bytes()).unwrap();
            let is_deep = depth == 1000 || depth == 199 || depth == 200;
            assert_eq!(save.edit(&[Edit::set(&*path, more)]).is_err(), is_deep, "{depth}");
        }
    });
    test.unwrap().join().unwrap();
}

#[test]
fn files_of_a_pack_are_read_one_by_one() {
    let json = br#"{"version": 2, "engine": [4, 2, 0], "files":
        {"a.txt": "one", "b.bin": {"$hex": "00ff"}, "levels/1.txt": "three"}}"#;
    let mut pack = PACKS.make(&Json::read(json).unwrap()).unwrap();
    assert_eq!(pack.to_json(), Json::read(json).unwrap());
    let level: Vec<_> = pack.children("files", 0..9).unwrap();
    let shown =
        |it: &Child| format!("{} {} {}", it.path, it.type_name, it.shown.as_deref().unwrap());
    let shown: Vec<_> = level.iter().map(shown).collect();
    let expected = [
        "files/\"a.txt\" text \"one\"",
        "files/\"b.bin\" bytes 2 bytes",
        "files/\"levels/1.txt\" text \"three\"",
    ];
    assert_eq!(shown, expected);
    for child in level {
        assert_eq!(pack.look(&child.path).unwrap(), child);
        let bytes = pack.bytes_at(&child.path).unwrap().unwrap();
        let value = pack.of_bytes(&child.path, None, &bytes).unwrap();
        assert_eq!(pack.get(&child.path).unwrap(), value);
    }
    assert_eq!(pack.get("engine/1").unwrap().to_string(), "2");
    assert!(pack.get("files/nothing").is_err() && pack.children("nothing", 0..1).is_err());
    let edits = [
        Edit::set("files/\"b.bin\"", "two".into()),
        Edit::add("files/new", "four".into()),
        Edit::remove("files/\"a.txt\""),
    ];
    let changes: Vec<_> = pack.edit(&edits).unwrap().iter().map(ToString::to_string).collect();
    let expected = [
        "files/\"a.txt\": removed \"one\"",
        "files/\"b.bin\": {\"$hex\":\"00ff\"} -> \"two\"",
        "files/new: added \"four\"",
    ];
    assert_eq!(changes, expected);
    let gone = pack.remove(&["files/new".to_owned(), "files/new".to_owned()]).unwrap();
    assert_eq!(gone.len(), 1);
    assert_eq!(
        pack.to_json().get("files").unwrap().to_string(),
        r#"{"b.bin":"two","levels/1.txt":"three"}"#
    );
    assert!(pack.edit(&[Edit::set("files/nothing", 1.into())]).is_err());
    assert!(
        pack.edit(&[Edit::set("files/\"b.bin\"", 1.into())]).is_err(),
        "a number is no content"
    );
}

#[test]
fn files_of_a_pack_in_the_same_bytes_are_refused() {
    let json = br#"{"version": 2, "engine": [4, 2, 0], "files": {"a": "oneone", "b": "twotwo"}}"#;
    let mut bytes = PACKS.make(&Json::read(json).unwrap()).unwrap().to_bytes();
    let place_of = |name: &[u8]| {
        let entry = [&[4, 0, 0, 0][..], name, &[0; 3]].concat();
        bytes.windows(8).position(|it| it == entry).unwrap() + 8
    };
    let (one, two) = (place_of(b"a"), place_of(b"b"));
    bytes.copy_within(one..one + 8, two);
    assert_eq!(PACKS.open(&bytes).err().unwrap().rule().name(), "pack.overlap");
}

#[test]
fn a_key_is_added_to_the_section_whose_name_has_slashes() {
    for path in ["a/b/y", r#""a/b"/y"#] {
        let mut file = CONFIG_FILES.open(b"[a/b]\n\nx=1\n").unwrap();
        file.edit(&[Edit::add(path, 2.into())]).unwrap();
        assert_eq!(file.to_bytes(), b"[a/b]\n\nx=1\ny=2\n", "{path}");
    }
}

#[test]
fn a_text_that_nests_deeper_than_json_is_refused() {
    let text = format!("a={}1{}\n", "{1:".repeat(400), "}".repeat(400));
    let error = CONFIG_FILES.open(text.as_bytes()).err().unwrap();
    assert!(error.expected().contains("1024"), "{error}");
    let save = SAVES.make(&Json::from(1)).unwrap();
    assert!(save.typed("", &text[2..]).is_err());
}

#[test]
fn scripts_are_only_read_and_of_resources_numbers_are_changed() {
    let samples = [
        ("resource/samples/godot-4.6.3/hero.res", &RESOURCES as &dyn Format, "resource.fixed"),
        ("script/samples/godot-4.6.3.gdc", &SCRIPTS, "document.read_only"),
    ];
    for (sample, format, rule) in samples {
        let bytes = fs::read(golden(sample)).unwrap();
        let mut document = format.open(&bytes).unwrap();
        let error = document.edit(&[Edit::add("new", 1.into())]).unwrap_err();
        assert_eq!(error.rule().name(), rule);
        assert!(document.get("new").is_err());
        assert_eq!(document.to_bytes(), bytes);
        assert!(format.make(&Json::Null).is_err());
    }
}

#[test]
fn a_save_that_was_changed_in_its_bytes_is_read_from_them() {
    let save = variant!({ "gold": 5, "bag": ["lamp"] });
    let packet = to_vec(&save, Dialect::GODOT4).unwrap();
    let mut document = SAVES.open(&packet).unwrap();
    document.edit(&[Edit::set("gold", 6.into())]).unwrap();
    assert_eq!(document.to_json().to_string(), r#"{"gold":6,"bag":["lamp"]}"#);
    document.edit(&[Edit::set("gold", 7.into())]).unwrap();
    document.edit(&[Edit::add("bag/+", "rope".into())]).unwrap();
    let expected = to_vec(&variant!({ "gold": 7, "bag": ["lamp", "rope"] }), Dialect::GODOT4);
    assert_eq!(document.to_bytes(), expected.unwrap());
}

#[test]
fn an_opener_names_the_engine_of_new_files() {
    let json = Json::read(br#"{"$Vector2": [1.0, 2.0]}"#).unwrap();
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        let format = SaveFormat::new(Opener::new().dialect(dialect));
        let save = format.make(&json).unwrap();
        assert_eq!(save.to_json(), json, "{dialect}");
        assert_eq!(save.summary()[0], ("engine".to_owned(), dialect.name().into()));
    }
}

#[test]
fn each_child_has_the_path_of_its_value() {
    let mut count = 0;
    for path in all(&["save", "bin", "dat"]) {
        let Ok(document) = SAVES.open(&fs::read(&path).unwrap()) else { continue };
        let mut left = vec![String::new()];
        while let Some(around) = left.pop() {
            let children = document.children(&around, 0..usize::MAX).unwrap();
            let halves = [0..children.len() / 2, children.len() / 2..usize::MAX];
            let parts = halves.map(|range| document.children(&around, range).unwrap());
            assert_eq!(parts.concat(), children);
            for child in children {
                let value = document.get(&child.path).unwrap();
                if let Some(shown) = &child.shown {
                    assert_eq!(
                        *shown,
                        document.shown(&value),
                        "{}: {}",
                        path.display(),
                        child.path
                    );
                }
                assert!(child.path.ends_with(&child.name), "{child:?}");
                left.extend(child.length.map(|_| child.path));
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}
