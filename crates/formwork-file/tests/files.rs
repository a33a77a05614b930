//! Files of every format through the one interface.

use std::path::PathBuf;

use formwork::document::{Format as _, JsonText};
use formwork_file::{
    Dialect, Edit, Error, Field, File, Formats, Grade, Json, Options, Side, Variant, to_vec,
    variant,
};
use formwork_godot::wrapper::{Cipher, Compression, Key, compress, encrypt};

fn save() -> Variant {
    variant!({ "gold": 5, "player": { "name": "Kim", "bag": ["lamp", "rope", "key"] } })
}

fn opened(value: &Variant, dialect: Dialect) -> File {
    Options::new().engine(dialect).open(&to_vec(value, dialect).unwrap()).unwrap()
}

fn paths(file: &File, path: &str) -> Vec<String> {
    file.children(path, 0..100).unwrap().into_iter().map(|child| child.path).collect()
}

#[test]
fn each_kind_of_file_is_known_and_comes_back() {
    let packet = to_vec(&save(), Dialect::GODOT3).unwrap();
    let kinds: &[(&str, Vec<u8>)] = &[
        ("save", packet.clone()),
        ("save", compress(&packet, Compression::Zstd).unwrap()),
        ("json", br#"{"gold": 5}"#.to_vec()),
        ("config", b"[a]\nb=Vector2( 1, 2 )\n".to_vec()),
        ("text-resource", b"[gd_resource type=\"Curve\" format=3]\n\n[resource]\na = 1\n".to_vec()),
    ];
    for (name, bytes) in kinds {
        let file = formwork_file::open(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.format().name(), *name);
        assert_eq!(file.to_bytes(), *bytes, "{name}");
        assert!(!paths(&file, "").is_empty(), "{name}");
        assert!(file.problems().is_empty(), "{name}: {:?}", file.problems());
    }
    let mut layer = formwork_alb1::Document::new("CLayer");
    layer.add("", "mname", formwork_alb1::Text::new("houses").unwrap()).unwrap();
    let mut file = formwork_file::open(&layer.to_vec().unwrap()).unwrap();
    assert_eq!(file.format().name(), "alb1");
    file.set("mname", "trees").unwrap();
    assert_eq!(file.get("mname").unwrap().to_string(), r#""trees""#);
}

#[test]
fn a_file_of_no_format_says_so() {
    let error = formwork_file::open(b"\xff\xfe\xfd some noise").unwrap_err();
    assert_eq!(error.rule(), formwork_file::KNOWN);
    let error = Options::new().format("nonsense").open(b"{}").unwrap_err();
    assert!(error.expected().contains("json, value-text, save"), "{error}");
}

#[test]
fn an_encrypted_save_needs_its_password() {
    let packet = to_vec(&save(), Dialect::GODOT4).unwrap();
    let bytes = encrypt(&packet, Cipher::Cfb, &Key::from_password("secret")).unwrap();
    assert!(formwork_file::open(&bytes).is_err());
    let options = Options::new().password("secret");
    let mut file = options.open(&bytes).unwrap();
    file.set("player/name", "Lee").unwrap();
    let again = options.open(&file.to_bytes()).unwrap();
    assert_eq!(again.shown("player/name").unwrap(), r#""Lee""#);
    // Places count in what is encrypted.
    let range = again.place("player/name").unwrap().unwrap();
    let content = again.content().unwrap();
    assert_eq!(
        content[range.start as usize..range.end as usize],
        to_vec(&"Lee".into(), Dialect::GODOT4).unwrap()
    );
}

#[test]
fn changes_are_taken_back_and_made_again_byte_for_byte() -> Result<(), Error> {
    let mut file = opened(&save(), Dialect::GODOT4);
    let mut states = vec![file.to_bytes()];
    file.set("gold", "9999")?;
    states.push(file.to_bytes());
    file.remove(&["player/bag/0".to_owned(), "player/bag/1".to_owned()])?;
    states.push(file.to_bytes());
    file.edit(&[Edit::add("player/level", 3.into())])?;
    states.push(file.to_bytes());
    let words: Vec<_> = file.changes()?.iter().map(|it| file.described(it)).collect();
    assert_eq!(words.len(), 4, "{words:?}");
    assert!(words.contains(&r#"player/bag/0: removed "lamp""#.to_owned()), "{words:?}");
    assert!(file.set("gold", "many").is_err());
    for state in states.iter().rev().skip(1) {
        assert!(file.undo()?);
        assert_eq!(file.to_bytes(), *state);
    }
    assert!(!file.undo()? && file.changes()?.is_empty());
    for state in &states[1..] {
        assert!(file.redo()?);
        assert_eq!(file.to_bytes(), *state);
    }
    assert!(!file.redo()?);
    Ok(())
}

#[test]
fn paths_of_children_lead_to_them() {
    let odd = variant!({ "a/b": 1, "c": { 12: 2, "12": 3, "": 4 }, "d": [(Variant::Nil)] });
    for dialect in [Dialect::GODOT3, Dialect::GODOT4] {
        let file = opened(&odd, dialect);
        let mut open = vec![String::new()];
        let mut seen = Vec::new();
        while let Some(path) = open.pop() {
            for child in file.children(&path, 0..100).unwrap() {
                let value = file.get(&child.path).unwrap();
                if child.length.is_none() {
                    seen.push(file.document().shown(&value));
                    assert_eq!(Some(seen.last().unwrap()), child.shown.as_ref(), "{}", child.path);
                }
                open.push(child.path);
            }
        }
        seen.sort();
        assert_eq!(seen.len(), 5, "{seen:?}");
    }
}

#[test]
fn a_place_has_the_packet_of_its_value() {
    let file = opened(&save(), Dialect::GODOT3);
    let range = file.place("player/bag/1").unwrap().unwrap();
    let content = file.content().unwrap();
    let packet = &content[range.start as usize..range.end as usize];
    assert_eq!(packet, to_vec(&"rope".into(), Dialect::GODOT3).unwrap());
    let fields = file.fields_of("player/bag/1", 100).unwrap();
    assert!(fields.iter().any(|field| field.value.contains("rope")), "{fields:?}");
    assert!(fields.iter().all(|field| range.contains(&field.range.start)), "{fields:?}");
    // They are those of the whole file.
    let all = file.fields(range);
    let ranges = |fields: &[Field]| -> Vec<_> {
        fields.iter().filter(|it| !it.range.is_empty()).map(|it| it.range.clone()).collect()
    };
    assert!(ranges(&all).ends_with(&ranges(&fields)), "{all:?}");
    assert!(file.place("player/bag/9").is_err(), "no such value");
}

#[test]
fn a_save_becomes_one_of_another_engine() {
    let value = variant!({ "at": (formwork_variant::Vector2i { x: 1, y: 2 }), "hp": 7 });
    let (newer, losses) = opened(&value, Dialect::GODOT4).convert(Dialect::GODOT3).unwrap();
    assert_eq!(losses.len(), 1);
    assert_eq!(newer.get("at").unwrap().to_string(), r#"{"$Vector2":[1.0,2.0]}"#);
    let (back, losses) = newer.convert(Dialect::GODOT4).unwrap();
    assert!(losses.is_empty() && back.get("hp").unwrap() == 7.into());
    let json = formwork_file::open(b"{}").unwrap();
    assert_eq!(json.convert(Dialect::GODOT4).unwrap_err().rule(), formwork_file::VALUES);
}

#[test]
fn settings_and_texts_of_values_become_those_of_another_engine() {
    let settings =
        formwork_file::open(b"; mine\n[map]\nat=Vector2i(1, 2)\nbig={ \"at\": Vector2i(3, 4) }\n");
    let (older, losses) = settings.unwrap().convert(Dialect::GODOT3).unwrap();
    let places: Vec<_> = losses.iter().map(|loss| &*loss.place).collect();
    assert_eq!(places, ["map/at", "map/big/at"]);
    let text = String::from_utf8(older.to_bytes()).unwrap();
    assert!(text.starts_with("; mine\n[map]\nat=Vector2( 1, 2 )\n"), "{text}");
    assert_eq!(older.get("map/at").unwrap().to_string(), r#"{"$Vector2":[1.0,2.0]}"#);
    let value = formwork_file::open(b"{\n\"at\": Vector2i(1, 2)\n}").unwrap();
    assert_eq!(value.format().name(), "value-text");
    let (older, losses) = value.convert(Dialect::GODOT3).unwrap();
    assert_eq!((losses.len(), &*losses[0].place), (1, "at"));
    assert_eq!(older.to_bytes(), b"{\n\"at\": Vector2( 1, 2 )\n}");
}

#[test]
fn problems_say_how_bad_they_are() {
    let grades = |bytes: &[u8]| -> Vec<Grade> {
        formwork_file::open(bytes).unwrap().problems().iter().map(|it| it.grade).collect()
    };
    assert_eq!(grades(b"{\"a\": 1,}"), [Grade::Warning]);
    assert_eq!(grades(b"[a]\nb=1\n[a]\nb=Vector2(\n".as_slice().split_at(8).0), []);
    assert_eq!(JsonText.problems(b"{\"a\": 1")[0].grade, Grade::Damage);
}

#[test]
fn what_two_made_of_one_save_is_in_one() {
    let file = |value: Variant| opened(&value, Dialect::GODOT4);
    let at = |x, y| Variant::from(formwork_variant::Vector2 { x, y });
    let base = file(variant!({ "gold": 1, "at": (at(0.0, 0.0)), "bag": ["rope"] }));
    let theirs = file(variant!({ "gold": 7, "at": (at(0.0, 5.0)), "bag": ["rope", "map"] }));
    let mut ours = file(variant!({ "gold": 5, "at": (at(9.0, 0.0)), "bag": ["lamp", "rope"] }));
    let merged = ours.merge(&base, &theirs, Side::Theirs).unwrap();
    let places: Vec<_> = merged.conflicts.iter().map(|it| &*it.place).collect();
    // A vector is one value.
    assert_eq!(places, ["gold", "at"]);
    assert_eq!(ours.get("bag").unwrap().to_string(), r#"["lamp","rope","map"]"#);
    assert_eq!(ours.get("at").unwrap().to_string(), r#"{"$Vector2":[0.0,5.0]}"#);
    let json = formwork_file::open(b"{}").unwrap();
    assert!(ours.merge(&json, &theirs, Side::Ours).is_err());
}

#[test]
fn the_rest_of_a_damaged_file_is_a_file() {
    for dialect in [Dialect::GODOT3, Dialect::GODOT4] {
        let packet = to_vec(&save(), dialect).unwrap();
        let options = Options::new().engine(dialect);
        let (file, lost) = Formats::OURS.recover(&packet[..packet.len() - 8], &options).unwrap();
        assert_eq!(file.get("gold").unwrap(), 5.into());
        assert_eq!(lost.len(), 1, "{lost:?}");
        let (_, lost) = Formats::OURS.recover(&packet, &options).unwrap();
        assert!(lost.is_empty());
    }
    use formwork_alb1::terrain::{Polygon, Root, Shape, ShapeLayer, Vertex};
    let mut layer = ShapeLayer::new(formwork_alb1::Text::new("fields").unwrap());
    let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)].map(|(x, y)| Vertex::at(x, y));
    let polygon = Polygon::new(formwork_alb1::Text::new("one").unwrap(), corners.into());
    layer.shapes.push(Shape::Polygon(polygon));
    let mut bytes = layer.to_document().unwrap().to_vec().unwrap();
    bytes.truncate(bytes.len() - 100);
    let (file, lost) = Formats::OURS.recover(&bytes, &Options::new()).unwrap();
    assert_eq!(file.format().name(), "alb1");
    assert!(!lost.is_empty());
}

#[test]
fn a_file_is_made_of_json() {
    let json = Json::read(br#"{"gold":5}"#).unwrap();
    for (options, name) in [
        (Options::new().engine(Dialect::GODOT3), "save"),
        (Options::new().format("json"), "json"),
        (Options::new().format("godot4"), "save"),
    ] {
        let file = Formats::OURS.make(&json, &options).unwrap();
        assert_eq!((file.format().name(), file.get("gold").unwrap()), (name, 5.into()));
    }
}

#[test]
fn words_are_found_in_every_level() {
    let file = opened(&save(), Dialect::GODOT4);
    let found = |word: &str| -> Vec<String> {
        file.search(word, 10).into_iter().map(|child| child.path).collect()
    };
    assert_eq!(found("ROPE"), ["player/bag/1"]);
    assert_eq!(found("bag"), ["player/bag"]);
    assert_eq!(file.search("", 3).len(), 3);
    let wide: Variant = Variant::Array((0..5000).map(Variant::Int).collect());
    assert_eq!(opened(&wide, Dialect::GODOT4).search("4999", 10)[0].path, "4999");
    // In the order of the file, also where a level is longer than what is looked at in one step.
    let entry = |at: i64| variant!({ "word": (format!("word {at}")), "more": [at] });
    let rows: Variant = Variant::Array((0..3000).map(entry).collect());
    let found = opened(&rows, Dialect::GODOT4).search("word 2", 5000);
    let numbers: Vec<_> = (0..3000).filter(|at| at.to_string().starts_with('2')).collect();
    let paths: Vec<_> = numbers.iter().map(|at| format!("{at}/word")).collect();
    assert_eq!(found.into_iter().map(|it| it.path).collect::<Vec<_>>(), paths);
}

/// The samples of saves open, and an edit that sets a value to itself keeps their bytes.
#[test]
fn golden_files_stay_as_they_are() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../formats");
    let (mut folders, mut count) = (vec![folder], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("golden data") {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
            if !["save", "cfg", "tres", "json", "godot", "binary"].contains(&ending) {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let Ok(mut file) = formwork_file::open(&bytes) else { continue };
            let json = file.to_json();
            let changes = file.set_json(&json);
            changes.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(file.to_bytes(), bytes, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

/// Whatever the bytes are: they are a file, or an error says why not; and what a rescue makes of them is a file.
#[test]
fn any_bytes_are_opened_refused_or_rescued() {
    let packet = to_vec(&save(), Dialect::GODOT4).unwrap();
    let samples: [&[u8]; 4] =
        [&packet, br#"{"a": [1, {"b": "c"}]}"#, b"[a]\nb=Vector2( 1, 2 )\n", b"ALB1\x01\0\0\0"];
    for sample in samples {
        for at in 0..sample.len() {
            for value in [None, Some(0), Some(0xff), Some(sample[at] ^ 1)] {
                let mut bytes = sample.to_vec();
                match value {
                    None => bytes.truncate(at),
                    Some(value) => bytes[at] = value,
                }
                for options in [Options::new(), Options::new().engine(Dialect::GODOT4)] {
                    if let Ok(file) = options.open(&bytes) {
                        assert_eq!(file.to_bytes(), bytes);
                        for child in file.children("", 0..10).unwrap() {
                            file.get(&child.path).unwrap();
                            file.place(&child.path).unwrap();
                        }
                    }
                    if let Ok((file, _)) = Formats::OURS.recover(&bytes, &options) {
                        assert!(file.document().content().is_ok());
                    }
                }
            }
        }
    }
}

/// A lone value is put into the bytes; several are put into the values, and these are written. Both make the same file.
#[test]
fn a_value_put_into_the_bytes_makes_the_file_of_a_value_that_is_written() {
    let value = variant!({
        "gold": 5, "big": 5_000_000_000_i64, "speed": 1.5, "name": "Kim", "on": true,
        "at": (formwork_variant::Vector2 { x: 1.0, y: 2.5 }), "bag": ["lamp", ["rope"], { 12: 7 }],
    });
    let new = [
        ("gold", "6"),
        ("gold", "5000000000"),
        ("big", "1"),
        ("speed", "2.25"),
        ("name", "Kimberley"),
        ("name", ""),
        ("on", "false"),
        ("at", "Vector2( 3, 4 )"),
        ("bag/0", "lantern"),
        ("bag/1/0", "a much longer rope"),
        ("bag/2/12", "8"),
        ("gold", "5"),
    ];
    let key = Key::from_password("secret");
    for dialect in [Dialect::GODOT3, Dialect::GODOT4] {
        let packet = to_vec(&value, dialect).unwrap();
        let framed = |packets: &[&[u8]]| -> Vec<u8> {
            let frame = |packet: &&[u8]| [&(packet.len() as u32).to_le_bytes(), *packet].concat();
            packets.iter().flat_map(frame).collect()
        };
        let headed = [&(packet.len() as u32).to_le_bytes()[..], b"GAME", &packet].concat();
        let cipher = if dialect == Dialect::GODOT4 { Cipher::Cfb } else { Cipher::Ecb };
        let files = [
            (packet.clone(), 0, ""),
            (framed(&[&packet]), 0, ""),
            (framed(&[&packet, &packet]), 0, "1/"),
            (compress(&packet, Compression::Zstd).unwrap(), 0, ""),
            (encrypt(&framed(&[&packet]), cipher, &key).unwrap(), 0, ""),
            (headed, 8, ""),
        ];
        for (bytes, skip, before) in files {
            let options = Options::new().engine(dialect).password("secret").skip(skip);
            let open = || options.open(&bytes).unwrap();
            for (path, text) in new {
                let path = format!("{before}{path}");
                let (mut one, mut other) = (open(), open());
                let value = one.document().typed(&path, text).unwrap();
                let edit = Edit::set(&*path, value);
                let changes = one.edit(std::slice::from_ref(&edit)).unwrap();
                assert_eq!(other.edit(&[edit.clone(), edit]).unwrap(), changes, "{path}");
                // An encrypted file has another random start each time.
                let content = |file: &File| file.content().unwrap();
                assert_eq!(content(&one), content(&other), "{dialect}: {path} {text}");
                let again = options.open(&one.to_bytes()).unwrap();
                assert_eq!(again.to_json(), one.to_json(), "{path}");
                assert_eq!(again.to_json(), other.to_json(), "{path}");
            }
        }
    }
}

#[test]
fn texts_in_containers_are_opened_and_stay_in_them() {
    let key = Key::from_password("correct horse");
    let json: &[u8] = br#"{"gold": 5, "bag": ["lamp"]}"#;
    let settings: &[u8] = b"[map]\nat=Vector2i(1, 2)\n";
    let options = Options::new().key(key.clone());
    for content in [json, settings] {
        let packed = compress(content, Compression::Zstd).unwrap();
        let both = encrypt(&packed, Cipher::Cfb, &key).unwrap();
        for bytes in [packed, encrypt(content, Cipher::Cfb, &key).unwrap(), both] {
            let mut file = options.open(&bytes).unwrap();
            let plain = options.open(content).unwrap();
            assert_eq!(file.format().name(), plain.format().name());
            assert_eq!(file.to_json(), plain.to_json());
            assert_eq!(file.to_bytes(), bytes);
            assert_eq!(file.problems(), []);
            assert_eq!(file.diff(&plain), []);
            assert_eq!(file.document().content().unwrap(), content);
            let path = if content == json { "gold" } else { "map/at" };
            assert!(file.bytes(path).is_ok());
            let new = if content == json { "7" } else { "Vector2i(3, 4)" };
            file.set(path, new).unwrap();
            let changed = options.open(&file.to_bytes()).unwrap();
            assert_eq!(changed.format().name(), plain.format().name());
            assert_eq!(changed.shown(path).unwrap(), new);
            assert_eq!(changed.summary().last(), file.summary().last());
            assert!(file.undo().unwrap());
            assert_eq!(file.to_bytes(), bytes);
            if content == settings {
                let (older, losses) = file.convert(Dialect::GODOT3).unwrap();
                assert_eq!(losses.len(), 1);
                let content = older.document().content().unwrap();
                assert_eq!(content, b"[map]\nat=Vector2( 1, 2 )\n");
                assert_ne!(older.to_bytes(), content);
            }
        }
    }
    // Without the key it is a file that cannot be opened, as an encrypted save.
    let locked = encrypt(json, Cipher::Cfb, &key).unwrap();
    assert_eq!(Options::new().open(&locked).unwrap_err().rule().name(), "gdec.key_given");
}
