//! ALB1 files in every command.

use formwork_alb1::terrain::{ObjectLayer, Root, ShapeLayer};
use formwork_alb1::{Document, Field, Object, Text, Value};
use serde_json::Value as Json;

use crate::run::{run, run_with};

/// Returns a project with a name, a list, two objects and raw bytes.
fn project() -> Document {
    let mut document = Document::new("CVisitor4Project");
    document.header.project_version = 21;
    let tag = |name: &str| document.tags.id(name).expect("a name of Terrain Builder");
    let class = document.classes.id("SKeyPoint").expect("a class of Terrain Builder") as i16;
    let text = |text: &str| Text::new(text).expect("plain letters");
    let key_point = |address: u32| {
        let fields = vec![Field::new(tag("name"), text("Airfield"))];
        Field::new(tag("item"), Object { class, address, fields })
    };
    document.root.fields = vec![
        Field::new(tag("mname"), text("island")),
        Field::new(tag("version"), Value::SignedInt(21)),
        Field::new(tag("malpha"), 0.1_f32),
        Field::new(tag("mkey"), vec![key_point(0x1000), key_point(0x2000)]),
        Field::new(tag("tree"), Value::Raw(vec![0xAB; 100_000].into())),
    ];
    document
}

fn bytes(document: &Document) -> Vec<u8> {
    document.to_vec().expect("it can be written")
}

/// Returns the output of `verify` for the bytes.
fn verify(bytes: &[u8], options: &[&str], status: i32) -> String {
    let arguments = [&["verify", "-"], options].concat();
    run_with(&arguments, bytes).with_status(status).text().to_owned()
}

#[test]
fn json_gives_every_byte_back_and_needs_no_format() {
    let bytes = bytes(&project());
    for options in [&["--compact"][..], &[], &["--format", "alb1"], &["--as", "json"]] {
        let decode = [&["decode", "-"], options].concat();
        let json = run_with(&decode, &bytes).with_status(0).stdout;
        for options in [&[][..], &["--format", "alb1"]] {
            let encode = [&["encode", "-", "-o", "-"], options].concat();
            let again = run_with(&encode, &json).with_status(0).stdout;
            assert!(again == bytes, "{options:?}");
        }
        // A byte order mark and a blank at the start, as editors put them.
        let marked = ["\u{feff} ".as_bytes(), &json].concat();
        assert!(run_with(&["encode", "-", "-o", "-"], &marked).with_status(0).stdout == bytes);
    }
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_files_come_back_from_the_program() {
    let Some(folder) = formwork_testkit::corpus::folder() else { return };
    let mut folders = vec![folder];
    let (mut seen, mut count) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if !["tv4p", "tv4l", "tv4s"].contains(&extension.as_str()) {
                continue;
            }
            seen += 1;
            if seen % formwork_testkit::rounds(5, 1) != 0 {
                continue;
            }
            let name = path.to_str().expect("a plain name");
            let bytes = std::fs::read(&path).expect("it can be read");
            let json = run(&["decode", name]).with_status(0).stdout;
            let again = run_with(&["encode", "-", "-o", "-"], &json).with_status(0).stdout;
            assert!(again == bytes, "{name}");
            let line = run(&["verify", name]).with_status(0);
            assert!(line.text().ends_with(": as Terrain Builder writes it\n"), "{}", line.text());
            let info = run(&["info", "--json", name]).with_status(0);
            let info: Json = serde_json::from_slice(&info.stdout).expect("it is JSON");
            assert_ne!(info["kind"], "unknown", "{name}");
            count += 1;
        }
    }
    assert!(count > 0, "no file");
}

#[test]
fn the_layer_that_is_shipped_is_whole_and_printed_as_it_was_written() {
    let lakes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/alb1/samples/lakes.json");
    let bytes = run(&["encode", lakes, "-o", "-"]).with_status(0).stdout;
    let line = verify(&bytes, &[], 0);
    assert_eq!(
        line,
        "ok  standard input: alb1, shape layer, 7 objects: as Terrain Builder writes it\n"
    );
    let json = run_with(&["decode", "-"], &bytes).with_status(0).stdout;
    assert!(json == std::fs::read(lakes).expect("it can be read"));
}

#[test]
fn an_edited_value_is_encoded() {
    let json = run_with(&["decode", "-"], &bytes(&project())).with_status(0);
    let edited = json.text().replace("\"island\"", "\"another island\"");
    let again = run_with(&["encode", "-", "-o", "-"], edited.as_bytes()).with_status(0).stdout;
    let document = Document::from_slice(&again).expect("it can be read");
    let name = document.root.fields[0].value.as_text().expect("a text");
    assert_eq!(name, &"another island");
}

#[test]
fn new_layers_are_as_terrain_builder_writes_them() {
    let name = || Text::new("houses").expect("plain letters");
    let shapes = ShapeLayer::new(name()).to_document().expect("a layer");
    verify(&bytes(&shapes), &[], 0);
    let objects = ObjectLayer::new(name(), 1).expect("a layer").to_document().expect("a document");
    verify(&bytes(&objects), &[], 0);
}

#[test]
fn info_counts_and_names() {
    let bytes = bytes(&project());
    let info = |bytes: &[u8], status: i32| -> Json {
        let ended = run_with(&["info", "--json", "-"], bytes).with_status(status);
        serde_json::from_slice(&ended.stdout).expect("it is JSON")
    };
    let project = info(&bytes, 0);
    for (key, value) in [("format", "alb1"), ("kind", "project"), ("name", "island")] {
        assert_eq!(project[key], value);
    }
    for (key, value) in
        [("size", bytes.len()), ("version", 21), ("object_count", 3), ("raw_size", 100_000)]
    {
        assert_eq!(project[key], value, "{key}");
    }
    assert_eq!(project["classes"]["SKeyPoint"], 2);
    assert_eq!(project["types"]["object"], 2);
    // Every broken file gives a finding.
    for length in [4, 15, 300, bytes.len() - 1] {
        let cut = info(&bytes[..length], 1);
        assert_eq!(cut["format"], "alb1");
        assert!(cut["findings"][0]["message"].is_string());
    }
}

#[test]
fn the_protocol_is_that_of_packets() {
    let bytes = bytes(&project());
    let request = |bytes: &[u8]| {
        let length = u32::try_from(bytes.len()).expect("it is short");
        [&length.to_le_bytes()[..], bytes].concat()
    };
    let input = [request(&bytes), request(&bytes[..20])].concat();
    for answer in ["bytes", "json", "text"] {
        let arguments = ["respond", "--format", "alb1", "--answer", answer];
        let answers = run_with(&arguments, &input).with_status(0).stdout;
        let word = |at: usize| {
            u32::from_le_bytes(answers[at..at + 4].try_into().expect("four bytes")) as usize
        };
        assert_eq!((answers[0], word(1)), (0, bytes.len()));
        let (first, second) = (&answers[9..9 + word(5)], &answers[9 + word(5)..]);
        match answer {
            "bytes" => assert!(first == bytes),
            "json" => {
                let again = run_with(&["encode", "-", "-o", "-"], first).with_status(0).stdout;
                assert!(again == bytes);
            }
            _ => assert!(first.starts_with(b"(class) CVisitor4Project\n")),
        }
        assert_eq!(second[0], 1);
        assert!(second.ends_with(b"more bytes needed"), "{}", second.escape_ascii());
    }
}

#[test]
fn options_of_other_formats_are_wrong_use() {
    let bytes = bytes(&project());
    for options in [
        &["--as", "native"][..],
        &["--index", "0"],
        &["--all"],
        &["--framing", "bare"],
        &["--format", "alb1", "--framing", "frames"],
    ] {
        let ended = run_with(&[&["decode", "-"], options].concat(), &bytes).with_status(2);
        assert!(ended.stdout.is_empty() && ended.stderr.starts_with("error: "), "{options:?}");
    }
    let json = run_with(&["decode", "-"], &bytes).with_status(0).stdout;
    for options in [
        &["--format", "godot3"][..],
        &["--framing", "bare"],
        &["--all"],
        &["--format", "alb1", "--as", "text"],
    ] {
        run_with(&[&["encode", "-", "-o", "-"], options].concat(), &json).with_status(2);
    }
}
