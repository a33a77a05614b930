//! What a game has beside its values: a header with lengths and checksums, other data behind them, compressed data
//! without a frame, archives around files, values as text.

use std::fs;
use std::path::PathBuf;

use formwork_godot::pack::{EngineRelease, Pack, PackBuilder, PackChange, ZipPack};
use formwork_godot::wrapper::{Cipher, Key, Layer, Stream, close, encrypt};
use formwork_variant::{Dialect, Limits, to_vec, variant};

use crate::run::{Ended, run, run_with};

const JSON: &[u8] = br#"{"gold":3,"name":"A"}"#;

fn packet(gold: i64) -> Vec<u8> {
    to_vec(&variant!({ "gold": gold }), Dialect::GODOT3).expect("a value of Godot 3")
}

fn frame(gold: i64) -> Vec<u8> {
    let packet = packet(gold);
    [&(packet.len() as u32).to_le_bytes()[..], &packet].concat()
}

/// Runs the command on a file of these bytes, and returns the changed file.
fn changed(command: &[&str], file: &[u8]) -> (Vec<u8>, Ended) {
    let ended = run_with(&[command, &["-o", "-"]].concat(), file).with_status(0);
    (ended.stdout.clone(), ended)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn the_length_of_a_pascal_string_follows_each_command() {
    let pascal = |json: &[u8]| [&(json.len() as u32).to_le_bytes(), json].concat();
    let new = pascal(br#"{"gold":300000,"name":"A"}"#);
    let told = "note: standard input: in the game's header: length (u32) of what follows the header at offset 0: 21 -> 26\n";
    let set = ["set", "-", "gold", "300000", "--skip", "4"];
    let (bytes, ended) = changed(&set, &pascal(JSON));
    assert_eq!(bytes, new);
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let query = ["query", "-i", ".gold = 300000", "-", "--skip", "4"];
    assert_eq!(changed(&query, &pascal(JSON)).0, new);
    let (bytes, _) = changed(&["rm", "-", "name", "--skip", "4"], &pascal(JSON));
    assert_eq!(bytes, pascal(br#"{"gold":3}"#));

    let folder = folder("pascal");
    let path = folder.join("pascal.save");
    fs::write(&path, pascal(JSON)).expect("it can be written");
    let path = path.to_str().expect("a plain name");
    let like = ["encode", "-", "--like", path, "--skip", "4", "-o", "-"];
    let ended = run_with(&like, br#"{"gold":300000,"name":"A"}"#).with_status(0);
    assert_eq!(ended.stdout, new);
    // Nothing changes, so nothing is said.
    let ended = run_with(&like, JSON).with_status(0);
    assert_eq!(ended.stdout, pascal(JSON));
    assert!(!ended.stderr.contains("header"), "{}", ended.stderr);
}

#[test]
fn the_length_before_a_bare_value_follows() {
    let file = |packet: Vec<u8>| [&(packet.len() as u64).to_le_bytes()[..], &packet].concat();
    let value = |name: &str| {
        to_vec(&variant!({ "gold": 5, "name": name }), Dialect::GODOT3).expect("a value")
    };
    let set = ["set", "-", "name", "a longer name", "--skip", "8", "--format", "godot3"];
    assert_eq!(changed(&set, &file(value("A"))).0, file(value("a longer name")));
}

#[test]
fn a_header_of_which_nothing_is_known_is_kept_and_told() {
    let file = [b"GSAV\x01\0\0\0", JSON].concat();
    let (bytes, ended) = changed(&["set", "-", "gold", "9", "--skip", "8"], &file);
    assert_eq!(bytes, [&b"GSAV\x01\0\0\0"[..], br#"{"gold":9,"name":"A"}"#].concat());
    let told = "note: standard input: the game's header stays as it is; if it holds a length or checksum of what follows, \
                the game will refuse the file";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
}

#[test]
fn a_length_that_cannot_say_the_new_size_is_refused() {
    let folder = folder("short-length");
    let path = folder.join("short.save");
    let file = [&21_u16.to_le_bytes()[..], JSON].concat();
    fs::write(&path, &file).expect("it can be written");
    let long = folder.join("long.txt");
    fs::write(&long, "x".repeat(70_000)).expect("it can be written");
    let [path, long] = [&path, &long].map(|it| it.to_str().expect("a plain name"));
    let ended = run(&["set", path, "name", "--file", long, "--skip", "2"]).with_status(1);
    assert!(ended.stderr.contains("header.length"), "{}", ended.stderr);
    assert_eq!(fs::read(path).expect("it is there"), file);
    run(&["set", path, "name", "B", "--skip", "2"]).with_status(0);
}

#[test]
fn a_checksum_in_a_line_before_json_follows() {
    let crc = |json: &[u8]| format!("{:08x}", crc32fast::hash(json)).into_bytes();
    let file = |json: &[u8]| [&crc(json), &b"\n"[..], json, b"\n"].concat();
    let (bytes, ended) = changed(&["set", "-", "gold", "300000", "--skip", "9"], &file(JSON));
    assert_eq!(bytes, file(br#"{"gold":300000,"name":"A"}"#));
    assert!(
        ended.stderr.contains("CRC-32 of the text that follows the header"),
        "{}",
        ended.stderr
    );
    let info = run_with(&["info", "-"], &file(JSON)).with_status(0);
    assert!(
        info.text().contains("from offset 9 on it is JSON text: use --skip 9"),
        "{}",
        info.text()
    );
}

#[test]
fn info_finds_json_and_compressed_data_behind_a_header() {
    let zstd = close(&packet(3), &[Layer::Stream(Stream::Zstd)], None).expect("it can be packed");
    let sealed = encrypt(&frame(3), Cipher::Ecb, &Key::from_password("pw")).expect("it can be");
    for (header, content, what) in [
        (&b"GSAV\x01\0\0\0"[..], JSON, "JSON text"),
        (b"\x15\0\0\0", JSON, "JSON text"),
        (b"GAME\x02\0\0\0\x15\0\0\0\x11\x22\x33\x44", JSON, "JSON text"),
        (b"version 3\n", JSON, "JSON text"),
        (b"\x1c\0\0\0", &zstd, "Zstandard data without the frame of the engine"),
        (b"SAVE", &sealed, "an encrypted file (GDEC)"),
    ] {
        let file = [header, content].concat();
        let at = header.len();
        let said = format!("from offset {at} on it is {what}: use --skip {at}");
        let info = run_with(&["info", "-"], &file).with_status(0);
        assert!(info.text().contains(&said), "{}", info.text());
        let json = run_with(&["info", "-", "--json"], &file).with_status(0);
        assert!(json.text().contains(&format!("\"skip\":{at}")), "{}", json.text());
    }
    let ended = run_with(&["get", "-", "gold"], &[b"GSAV\x01\0\0\0", JSON].concat()).with_status(1);
    assert!(ended.stderr.contains("use --skip 8"), "{}", ended.stderr);
}

#[test]
fn data_behind_the_values_is_kept_and_named() {
    let fields: &[u8] = b"\x01\x00\x00\x20\x40";
    let old = run_with(
        &["encode", "-", "--format", "godot4", "--framing", "frames"],
        br#"{"k00":0,"k01":1,"k02":2,"k03":3,"k04":4,"k05":5,"k06":6,"k07":7}"#,
    );
    let old = old.with_status(0).stdout;
    for behind in [fields, b"\0", b"\x07\0\0\0", &[0; 64], &old[37..], &old[60..], &old[81..]] {
        let file = |gold| [&frame(gold), behind].concat();
        let ended = run_with(&["get", "-", "gold"], &file(3)).with_status(0);
        ended.prints("3").says(format!(
            "note: standard input: {} behind the values, from offset 32 on, {} other data, and kept as they are",
            if behind.len() == 1 { "1 byte".to_owned() } else { format!("{} bytes", behind.len()) },
            if behind.len() == 1 { "is" } else { "are" },
        ));
        assert_eq!(changed(&["set", "-", "gold", "900"], &file(3)).0, file(900));
        assert_eq!(changed(&["query", "-i", ".gold = 900", "-"], &file(3)).0, file(900));
        run_with(&["query", ".gold", "-"], &file(3)).with_status(0).prints("3");
        run_with(&["decode", "-", "--compact"], &file(3)).with_status(0).prints("{\"gold\":3}");
        run_with(&["verify", "-"], &file(3)).with_status(0);
        if behind == fields {
            let ended = run_with(&["decode", "-", "--recover"], &file(3)).with_status(0);
            assert!(ended.stderr.contains("5 bytes behind the values"), "{}", ended.stderr);
        }
        // Behind a header, too.
        let headed = |gold| [&b"\x00\xf1\x53\x65\0\0\0\0"[..], &file(gold)].concat();
        let info = run_with(&["info", "-"], &headed(3)).with_status(0);
        assert!(info.text().contains("use --skip 8"), "{}", info.text());
        let set = ["set", "-", "gold", "900", "--skip", "8"];
        assert_eq!(changed(&set, &headed(3)).0, headed(900));
        let said = ["--format", "godot3", "--framing", "frames"];
        let set = [&set[..], &said].concat();
        assert_eq!(changed(&set, &headed(3)).0, headed(900));
    }
    // A cut frame is damage, and no data.
    let cut = [&frame(3)[..], &frame(4)[..20]].concat();
    run_with(&["get", "-", "gold"], &cut).with_status(1);
    // Bare values have data behind them, too.
    let file = [&packet(3)[..], fields].concat();
    run_with(&["get", "-", "gold"], &file).with_status(0).prints("3");
    // An empty Dictionary in the middle.
    let file = [b"SOMETHING", &[8, 0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0][..], fields].concat();
    run_with(&["decode", "-", "--skip", "9", "--format", "godot3"], &file)
        .with_status(0)
        .prints("{}");
}

#[test]
fn json_behind_a_length_ends_where_that_says() {
    let file =
        |json: &[u8]| [&(json.len() as u32).to_le_bytes(), json, b"\x01\0\0\x20\x40"].concat();
    run_with(&["get", "-", "gold", "--skip", "4"], &file(JSON)).with_status(0).prints("3");
    let (bytes, _) = changed(&["set", "-", "gold", "300000", "--skip", "4"], &file(JSON));
    assert_eq!(bytes, file(br#"{"gold":300000,"name":"A"}"#));
}

#[test]
fn compressed_data_without_a_frame_is_opened_and_written_back() {
    for stream in Stream::all() {
        let layers = [Layer::Stream(stream)];
        let save = variant!({ "gold": 3, "bag": ["lamp", "rope", "lamp", "rope"] });
        let value = |gold: i64| {
            let mut save = save.clone();
            save["gold"] = gold.into();
            close(&to_vec(&save, Dialect::GODOT3).expect("a value"), &layers, None).expect("packed")
        };
        let name = stream.name();
        run_with(&["get", "-", "gold"], &value(3)).with_status(0).prints("3");
        assert_eq!(changed(&["set", "-", "gold", "90000"], &value(3)).0, value(90_000), "{name}");
        let info = run_with(&["info", "-"], &value(3)).with_status(0);
        assert!(info.text().contains(name), "{}", info.text());
        // JSON in it, and a header with the length of what is unpacked.
        let json = |json: &[u8]| {
            let packed = close(json, &layers, None).expect("it can be packed");
            [&(json.len() as u32).to_le_bytes()[..], &(packed.len() as u32).to_le_bytes(), &packed]
                .concat()
        };
        let set = ["set", "-", "gold", "300000", "--skip", "8"];
        let new = br#"{"gold":300000,"name":"A"}"#;
        assert_eq!(changed(&set, &json(JSON)).0, json(new), "{name}");
        // `encode` makes such data.
        let encode = ["encode", "-", "--format", "godot4", "--framing", "bare", "--wrapper", name];
        let made = run_with(&encode, br#"{"gold":3,"bag":[1,2,3]}"#).with_status(0).stdout;
        run_with(&["get", "-", "gold"], &made).with_status(0).prints("3");
    }
    // Other data that is compressed stays what it is.
    let other = close(&[0xfe; 300], &[Layer::Stream(Stream::Zstd)], None).expect("packed");
    let info = run_with(&["info", "-"], &other).with_status(0);
    assert!(info.text().contains("Zstandard data"), "{}", info.text());
}

#[test]
fn the_text_of_a_value_is_a_save() {
    let four = "{\n\"gold\": 3,\n\"pos\": Vector2(1, 2)\n}";
    run_with(&["get", "-", "gold"], four.as_bytes()).with_status(0).prints("3");
    run_with(&["query", ".pos.x", "-"], four.as_bytes()).with_status(0).prints("1.0");
    let (bytes, _) = changed(&["set", "-", "gold", "9"], four.as_bytes());
    assert_eq!(String::from_utf8(bytes).unwrap(), four.replace('3', "9"));
    let (bytes, _) = changed(&["query", "-i", ".gold += 1", "-"], four.as_bytes());
    assert_eq!(String::from_utf8(bytes).unwrap(), four.replace('3', "4"));
    run_with(&["verify", "-"], four.as_bytes()).with_status(0);
    let three = "{\n\"gold\": 3,\n\"pos\": Vector2( 1, 2 )\n}\n";
    let to_three = ["convert", "-", "--to", "godot3", "-o", "-"];
    let made = run_with(&to_three, four.as_bytes()).with_status(0).stdout;
    assert_eq!(String::from_utf8(made).unwrap(), three.trim_end());
    assert_eq!(
        changed(&["set", "-", "pos", "Vector2(5, 6)"], three.as_bytes()).0,
        three.replace("1, 2", "5, 6").into_bytes()
    );

    let folder = folder("value-text");
    let [one, other] = ["one.txt", "other.txt"].map(|name| folder.join(name));
    fs::write(&one, four).unwrap();
    fs::write(&other, four.replace('3', "7")).unwrap();
    let ended = run(&["diff", one.to_str().unwrap(), other.to_str().unwrap()]).with_status(1);
    assert!(ended.text().contains("gold: 3 -> 7"), "{}", ended.text());
    // In a wrapper, too.
    let key = Key::from_password("pw");
    let sealed = encrypt(four.as_bytes(), Cipher::Ecb, &key).expect("it can be");
    run_with(&["get", "-", "gold", "--password", "pw"], &sealed).with_status(0).prints("3");
    let set = ["set", "-", "gold", "9", "--password", "pw"];
    let nine = encrypt(four.replace('3', "9").as_bytes(), Cipher::Ecb, &key).expect("it can be");
    assert_eq!(changed(&set, &sealed).0, nine);
}

#[test]
fn a_zip_archive_is_a_pack() {
    let put =
        |name: &str, content: &[u8]| PackChange::Put { name: name.into(), content: content.into() };
    let empty = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let long = "a long note. ".repeat(50);
    let files = [
        put("settings.cfg", b"[a]\n\nx=1\n"),
        put("assets/start.save", &frame(3)),
        put("note.txt", long.as_bytes()),
    ];
    let archive = ZipPack::open(empty).unwrap().with_changes(&files).unwrap();
    let folder = folder("zip");
    let path = folder.join("mod.zip");
    fs::write(&path, &archive).unwrap();
    let zip = path.to_str().unwrap();
    let member = |name: &str| format!("{zip}!{name}");
    run(&["get", &member("settings.cfg"), "a/x"]).with_status(0).prints("1");
    run(&["get", &member("res://settings.cfg"), "a/x"]).with_status(0).prints("1");
    run(&["get", &member("start.save"), "gold"]).with_status(0).prints("3");
    let info = run(&["info", zip]).with_status(0);
    assert!(
        info.text().contains("settings.cfg") && info.text().contains("zip archive"),
        "{}",
        info.text()
    );
    run(&["verify", zip]).with_status(0);
    let ended = run(&["get", &member("other.cfg"), "a/x"]).with_status(3);
    assert!(ended.stderr.contains("there is no file 'other.cfg' in this pack"), "{}", ended.stderr);

    run(&["set", &member("settings.cfg"), "a/x", "5"]).with_status(0);
    assert_eq!(fs::read(folder.join("mod.zip.bak")).unwrap(), archive);
    let bytes = fs::read(&path).unwrap();
    let [old, new] = [&archive, &bytes].map(|bytes| ZipPack::open(bytes).unwrap());
    let limits = Limits::default();
    assert_eq!(new.content(new.find("settings.cfg").unwrap(), &limits).unwrap(), b"[a]\n\nx=5\n");
    // The other files keep their stored bytes.
    for name in ["assets/start.save", "note.txt"] {
        let [old, new] = [&old, &new].map(|zip| zip.find(name).unwrap().clone());
        assert_eq!((old.stored_size, old.crc32), (new.stored_size, new.crc32));
    }
    let added = folder.join("added.json");
    fs::write(&added, "[1, 2]").unwrap();
    let ended = run(&["pack", zip, "--put", added.to_str().unwrap(), "--remove", "note.txt"])
        .with_status(0);
    assert!(
        ended.stderr.contains("added: added.json") && ended.stderr.contains("removed: note.txt"),
        "{}",
        ended.stderr
    );
    let out = folder.join("out");
    run(&["decode", zip, "--into", out.to_str().unwrap()]).with_status(0);
    assert_eq!(fs::read(out.join("added.json")).unwrap(), b"[1, 2]");
    assert_eq!(fs::read(out.join("assets/start.save")).unwrap(), frame(3));
    assert!(!out.join("note.txt").exists());
    // A damaged archive is no pack.
    fs::write(&path, &bytes[..bytes.len() - 30]).unwrap();
    run(&["decode", zip]).with_status(1);
    run(&["get", &member("settings.cfg"), "a/x"]).with_status(1);
}

#[test]
fn bytes_go_out_of_a_value_and_into_it() {
    let folder = folder("bytes");
    let [save, picture] = ["game.save", "picture.png"].map(|name| folder.join(name));
    let bytes: Vec<u8> = (0..200_000_u32).map(|at| (at * 7 % 251) as u8).collect();
    fs::write(&picture, &bytes).unwrap();
    let value = variant!({ "icon": (vec![1_u8, 2, 3]), "name": "A", "gold": 3 });
    fs::write(&save, to_vec(&value, Dialect::GODOT4).unwrap()).unwrap();
    let [save, picture] = [&save, &picture].map(|it| it.to_str().unwrap());
    assert_eq!(run(&["get", save, "icon", "--raw"]).with_status(0).stdout, [1, 2, 3]);
    run(&["set", save, "icon", "--file", picture]).with_status(0);
    assert_eq!(run(&["get", save, "icon", "--raw"]).with_status(0).stdout, bytes);
    // A text takes the text of a file, a number its number, and a new value is bytes.
    fs::write(picture, "B\n").unwrap();
    run(&["set", save, "name", "--file", picture]).with_status(0);
    run(&["get", save, "name", "--compact"]).with_status(0).prints("\"B\\n\"");
    fs::write(picture, "77\n").unwrap();
    run(&["set", save, "gold", "--file", picture]).with_status(0);
    run(&["get", save, "gold"]).with_status(0).prints("77");
    run(&["set", save, "more", "--file", picture, "--add"]).with_status(0);
    assert_eq!(run(&["get", save, "more", "--raw"]).with_status(0).stdout, b"77\n");
    let ended = run(&["set", save, "gold", "5", "--file", picture]).with_status(2);
    assert!(ended.stderr.contains("--file is the value of one PATH"), "{}", ended.stderr);
    // JSON has texts.
    let set = ["set", "-", "name", "--file", picture, "-o", "-"];
    let json = run_with(&set, JSON).with_status(0).stdout;
    assert_eq!(String::from_utf8(json).unwrap(), r#"{"gold":3,"name":"77\n"}"#);
    fs::write(picture, [0xff, 0xfe]).unwrap();
    run_with(&set, JSON).with_status(1);
}

#[test]
fn the_pack_of_an_executable_stands_alone() {
    let folder = folder("alone");
    for (version, release) in [(1, (3, 6)), (2, (4, 4)), (3, (4, 6))] {
        let engine = EngineRelease { major: release.0, minor: release.1, patch: 0 };
        let builder = PackBuilder::new(version, engine).file("res://start.save", frame(3));
        let game = builder.behind([b"MZ", &[7; 333][..]].concat()).build().unwrap();
        let path = folder.join("game.exe");
        fs::write(&path, game).unwrap();
        let path = path.to_str().unwrap();
        let pack = run(&["decode", path, "--as", "pack"]).with_status(0).stdout;
        let alone = Pack::open(&pack).unwrap();
        assert!(!alone.is_embedded() && alone.check().is_empty(), "{version}");
        assert_eq!(alone.content(alone.find("start.save").unwrap()).unwrap(), frame(3));
    }
    let ended = run_with(&["decode", "-", "--as", "pack"], JSON).with_status(1);
    assert!(ended.stderr.contains("there is no pack in this file"), "{}", ended.stderr);
}
