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
fn real_files_come_back_from_the_program() {
    let Some(folder) = std::env::var_os("FORMWORK_ALB1_CORPUS").filter(|name| !name.is_empty())
    else {
        println!("skipped: FORMWORK_ALB1_CORPUS names no folder of real files");
        return;
    };
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let mut count = 0;
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
fn verify_says_what_is_odd() {
    let layer = ShapeLayer::new(Text::new("fields").expect("plain letters"));
    let mut document = layer.to_document().expect("a layer");
    let line = verify(&bytes(&document), &[], 0);
    assert_eq!(
        line,
        "ok  standard input: alb1, shape layer, 1 object: as Terrain Builder writes it\n"
    );
    let tag = document.tags.id("mbVisible").expect("a tag");
    let root = document.root.address;
    let object = |class, address| Object { class, address, fields: Vec::new() };
    document.root.fields.extend([
        Field::new(tag, Value::Bool(7)),
        Field::new(60000, Value::Empty),
        Field::new(tag, object(99, 0)),
        Field::new(tag, object(1, root)),
        Field::new(tag, vec![Field::new(tag, true), Field::new(tag, Value::Empty)]),
    ]);
    let bytes = bytes(&document);
    for (options, status, start) in
        [(&["--all"][..], 1, "not ok  "), (&["--all", "--strictness", "engine"], 0, "ok  ")]
    {
        let line = verify(&bytes, options, status);
        assert!(line.starts_with(start), "{line}");
        for part in [
            "has warnings: tag.unknown at offset ",
            ", #60000: the tag table has no tag 60000; class.unknown at ",
            "; address.zero at ",
            "; address.duplicate at ",
            " has the address 0x10000000, too; ",
            "; bool.byte at offset ",
            ", mbVisible[1]: the bool is 7; ",
            "array.mixed at ",
            ": an element is mbVisible of type bool, another is mbVisible of type empty",
        ] {
            assert!(line.contains(part), "{part} in {line}");
        }
    }
    assert!(verify(&bytes, &[], 1).ends_with("; and 7 more\n"));
    // The offset is that of the field: its tag and type come before the byte.
    let line = verify(&bytes, &["--all"], 1);
    let (_, offset) = line.split_once("bool.byte at offset ").expect("an offset");
    let offset: usize =
        offset.split(' ').next().and_then(|digits| digits.parse().ok()).expect("it");
    assert_eq!(bytes[offset + 3], 7);
}

#[test]
fn broken_and_other_files_are_named() {
    let bytes = bytes(&project());
    let line = verify(&bytes[..bytes.len() - 1], &[], 1);
    assert!(line.starts_with("not ok  standard input: alb1: damaged: offset "), "{line}");
    let ended = run_with(&["decode", "-"], &bytes[..bytes.len() - 1]).with_status(1);
    assert!(ended.stderr.contains("\n  at offset "), "{}", ended.stderr);
    assert!(ended.stderr.contains("(rule input.complete)"), "{}", ended.stderr);
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n";
    let mut raster = vec![0; 96];
    raster[0] = 2;
    raster.extend([8, 0, 0, 0, 0x78, 0xda, 3, 0, 0, 0, 0, 1]);
    for (bytes, format, words) in [
        (&pointer[..], "git-lfs", "this is a Git LFS pointer"),
        (b"_B_GRID\0\0\0\0\0", "v4w", "this is a texture grid of Terrain Builder"),
        (&raster, "v4d", "this is a raster cache of Terrain Builder"),
        (b"<?xml version=\"1.0\"?>\n<Library name=\"a\">", "tml", "this is a template library"),
        (b"import\nP:\\maps\n", "vdat", "this is the last folders"),
    ] {
        let info = run_with(&["info", "--json", "-"], bytes).with_status(0);
        let info: Json = serde_json::from_slice(&info.stdout).expect("it is JSON");
        assert_eq!(info["format"], format);
        for command in ["decode", "dump"] {
            let ended = run_with(&[command, "-"], bytes).with_status(1);
            assert!(ended.stderr.contains(words), "{}", ended.stderr);
        }
        assert!(verify(bytes, &[], 1).contains(words));
    }
    let ended = run_with(&["decode", "-", "--format", "alb1"], pointer).with_status(1);
    assert!(ended.stderr.contains("this is a Git LFS pointer"), "{}", ended.stderr);
    assert!(verify(pointer, &["--format", "alb1"], 1).contains("this is a Git LFS pointer"));
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
        assert!(cut["findings"][0]["message"].as_str().is_some_and(|it| it.contains("more byte")));
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
fn text_has_a_line_for_each_fact() {
    let text = run_with(&["decode", "-", "--as", "text"], &bytes(&project())).with_status(0);
    assert!(text.text().contains("mname = \"island\"\n"), "{}", text.text());
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

#[test]
fn a_fault_in_the_json_is_located() {
    let json = run_with(&["decode", "-"], &bytes(&project())).with_status(0);
    let wrong = json.text().replacen("\"Airfield\"", "7", 1);
    let ended = run_with(&["encode", "-", "-o", "-"], wrong.as_bytes()).with_status(1);
    assert!(ended.stderr.contains("expected a string, found a number"), "{}", ended.stderr);
    assert!(ended.stderr.contains("  at line 13, column "), "{}", ended.stderr);
    assert!(ended.stderr.contains(", in mkey[0].name\n"), "{}", ended.stderr);
}

#[test]
fn a_dump_shows_every_field_and_the_letters_of_the_magic() {
    let bytes = bytes(&project());
    let dump = run_with(&["dump", "-"], &bytes).with_status(0);
    for part in ["\"ALB1\"", "CVisitor4Project at 0x", "mname ", "\"island\"", "100000 bytes"] {
        assert!(dump.text().contains(part), "{part}: {}", dump.text());
    }
    let at = run_with(&["dump", "-", "--at", "0"], &bytes).with_status(0);
    assert!(at.text().lines().last().is_some_and(|line| line.contains("magic")), "{}", at.text());
    let cut = run_with(&["dump", "-"], &bytes[..bytes.len() - 7]).with_status(1);
    assert!(cut.text().contains("fault at "), "{}", cut.text());
    assert!(!cut.text().contains("#0"), "{}", cut.text());
}

#[test]
fn the_schema_page_is_printed() {
    let page = run(&["schema", "--format", "alb1", "--as", "md"]).with_status(0);
    for part in ["# ALB1 files", "### Node", "[Node](#node) or [Leaf](#leaf)", "### CLayer"] {
        assert!(page.text().contains(part), "{part}");
    }
}

/// Returns a layer without objects, and the offset of the second node of its quadtree.
fn layer() -> (Vec<u8>, usize) {
    let layer = ObjectLayer::new(Text::new("houses").expect("plain letters"), 1).expect("a layer");
    let bytes = bytes(&layer.to_document().expect("a document"));
    let tree = bytes.windows(64).position(|some| layer.tree.starts_with(some)).expect("a tree");
    let second = tree + layer.tree_version().node_size();
    (bytes, second)
}

#[test]
fn a_layer_whose_quadtree_cannot_be_read_is_not_ok_for_any_command() {
    let (whole, second) = layer();
    let line = verify(&whole, &[], 0);
    assert_eq!(
        line,
        "ok  standard input: alb1, object layer, 0 placed objects: as Terrain Builder writes it\n"
    );
    let mut broken = whole.clone();
    broken[second] = 0x55;
    for options in [&[][..], &["--strictness", "engine"]] {
        let line = verify(&broken, options, 1);
        let place = format!("damaged: tree.broken at offset {second} ");
        assert!(line.starts_with("not ok  ") && line.contains(&place), "{place}: {line}");
    }
    let info = run_with(&["info", "-"], &broken).with_status(1);
    for words in [format!("offset {second} "), "--recover".to_owned()] {
        assert!(info.text().contains(&words), "{words}: {}", info.text());
    }
    let terrain = run_with(&["terrain", "verify", "-"], &broken).with_status(1);
    assert!(terrain.text().contains("tree.broken"), "{}", terrain.text());
    run_with(&["terrain", "objects", "-"], &broken).with_status(1);
    run_with(&["dump", "--depth", "2", "-"], &whole).with_status(0);
    // Base64 can hold the broken tree, but `--tree` cannot show it.
    run_with(&["decode", "-"], &broken).with_status(0);
    run_with(&["decode", "-", "--tree"], &whole).with_status(0);
    let decoded = run_with(&["decode", "-", "--tree"], &broken).with_status(1);
    assert!(decoded.stderr.contains("tree.broken"), "{}", decoded.stderr);
    let again = run_with(&["encode", "-", "-o", "-"], &decoded.stdout).with_status(0).stdout;
    assert!(again == broken);
    run_with(&["decode", "-", "--as", "text"], &whole).with_status(0);
    let decoded = run_with(&["decode", "-", "--as", "text"], &broken).with_status(1);
    assert!(decoded.stderr.contains("tree.broken"), "{}", decoded.stderr);
}

#[test]
fn a_tree_of_another_version_than_its_layer_says_is_refused() {
    let (whole, _) = layer();
    let json = run_with(&["decode", "-", "--tree"], &whole).with_status(0);
    let (said, other) = (
        "{\"tag\": \"mlayerVersion\", \"type\": \"signed_int\", \"value\": 4}",
        "{\"tag\": \"mlayerVersion\", \"type\": \"signed_int\", \"value\": 3}",
    );
    assert!(json.text().contains(said), "{}", &json.text()[..600]);
    let edited = json.text().replace(said, other);
    let ended = run_with(&["encode", "-", "-o", "-"], edited.as_bytes()).with_status(1);
    assert_eq!(ended.stdout, b"");
    assert!(
        ended.stderr.contains("a tree of version 3, as mlayerVersion is 3"),
        "{}",
        ended.stderr
    );
}

/// Flips the lowest bit of the border of a box among the empty cells.
#[test]
fn a_layer_with_one_bit_flipped_in_a_box_is_not_as_terrain_builder_writes_it() {
    let path = crate::cases::formats().join("alb1/samples/valley.Layers/houses.tv4l");
    let mut bytes = std::fs::read(path).unwrap();
    run_with(&["verify", "-"], &bytes).with_status(0);
    let is_border = |at: &usize| {
        let number = bytes[*at..].first_chunk::<8>().copied().map(f64::from_le_bytes);
        number.is_some_and(|it| (100_000.0..1_000_000.0).contains(&it))
    };
    let border = (bytes.len() / 2..).find(is_border).unwrap();
    bytes[border] ^= 1;
    let ended = run_with(&["verify", "-"], &bytes).with_status(1);
    assert!(ended.text().contains("has warnings: tree.box at offset"), "{}", ended.text());
}
