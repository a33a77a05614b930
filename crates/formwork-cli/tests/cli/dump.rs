//! `dump`: rows that fit the width, for a terminal and for programs.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use snapbox::str;
use unicode_width::UnicodeWidthStr;

use crate::run::{Ended, command, run, run_with};

/// Returns all golden files and samples of every format.
fn samples() -> Vec<PathBuf> {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats");
    let (mut files, mut folders) = (Vec::new(), vec![formats]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_page = ["md", "tsv", "json", "jsonl"].iter().any(|end| name.ends_with(end));
            match path.is_dir() {
                true => folders.push(path),
                false if !is_page => files.push(path),
                false => {}
            }
        }
    }
    assert!(files.len() > 140, "{}", files.len());
    files.sort();
    files
}

/// Returns the output of `dump` at this number of columns.
fn dump_at(columns: usize, arguments: &[&str], input: &[u8]) -> Ended {
    let mut command = command(&[&["dump"][..], arguments].concat());
    command.env("COLUMNS", columns.to_string()).stdin(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input)));
        let output = child.wait_with_output().expect("it ends");
        Ended {
            status: output.status.code().expect("no signal ends it"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    })
}

fn assert_fits(columns: usize, what: &str, ended: &Ended) {
    assert!(ended.status < 3, "{what}: {}", ended.stderr);
    for row in ended.text().lines() {
        let width = row.width();
        assert!(width <= columns, "{what}: {width} of {columns} columns: {row}");
        assert!(!row.ends_with(' '), "{what}: {row:?}");
    }
}

/// A regression test: 1008 of 1107 rows of a small save were too wide.
#[test]
fn no_row_of_a_golden_file_is_wider_than_the_terminal() {
    let mut widths = [40, 80, 120].into_iter().cycle();
    // Files beside each other are of one kind.
    for file in samples().into_iter().step_by(formwork_testkit::rounds(4, 1)) {
        let path = file.to_str().expect("a plain name");
        for columns in widths.by_ref().take(formwork_testkit::rounds(1, 3)) {
            assert_fits(columns, path, &dump_at(columns, &[path], &[]));
        }
    }
}

#[test]
fn no_row_of_hostile_bytes_is_wider_than_the_terminal() {
    let tricks = "\u{1b}[2J\t\u{202e}\u{2028}漢字漢字漢字漢字漢字漢字漢字漢字e\u{301}👨\u{200d}👩\u{200d}👧☺\u{fe0f}\u{200b}";
    let mut hostile = vec![Vec::new(), vec![0xff; 300], tricks.repeat(20).into_bytes()];
    // Tricks in the text of a value, and nested arrays up to the fault.
    let text = tricks.repeat(9);
    let mut packet = [4_u32, text.len() as u32].map(u32::to_le_bytes).concat();
    packet.extend_from_slice(text.as_bytes());
    packet.resize(packet.len().next_multiple_of(4), 0);
    hostile.push(packet);
    hostile.push([28_u32, 1].map(u32::to_le_bytes).concat().repeat(90));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
    for length in [1, 7, 64, 400] {
        for _ in 0..6 {
            let mut bytes = vec![0; length];
            random.fill_bytes(&mut bytes);
            hostile.push(bytes);
        }
    }
    let save = fs::read(sample("godot4/golden/4.6.3/files/small.save")).expect("the sample");
    let layer = fs::read(sample("alb1/samples/valley.Layers/houses.tv4l")).expect("the sample");
    for bytes in [&save, &layer] {
        for _ in 0..12 {
            let mut bytes = bytes.clone();
            for _ in 0..4 {
                let at = random.next_u64() as usize % bytes.len();
                bytes[at] = random.next_u64() as u8;
            }
            hostile.push(bytes);
        }
    }
    let options: [&[&str]; 3] = [&["-"], &["-", "-v"], &["-", "-f", "godot4", "--framing", "bare"]];
    let mut widths = [20, 40, 80, 120].into_iter().cycle();
    for bytes in &hostile {
        for columns in widths.by_ref().take(formwork_testkit::rounds(1, 4)) {
            for arguments in options {
                let what = format!("{}", bytes.escape_ascii());
                assert_fits(columns, &what, &dump_at(columns, arguments, bytes));
            }
        }
    }
}

fn sample(name: &str) -> String {
    format!("{}/../../formats/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_width_is_said_by_an_option_then_by_columns_and_is_80_otherwise() {
    let save = sample("godot4/golden/4.6.3/files/small.save");
    let widest = |ended: Ended| {
        let text = ended.with_status(0);
        text.text().lines().map(UnicodeWidthStr::width).max().expect("rows")
    };
    assert_eq!(widest(dump_at(60, &[&save], &[])), 60);
    assert_eq!(widest(dump_at(60, &[&save, "--width", "100"], &[])), 100);
    let plain = command(&["dump", &save]).env_remove("COLUMNS").output().expect("it runs");
    let plain = String::from_utf8(plain.stdout).expect("text");
    // The tests may run on a terminal.
    assert!(plain.lines().map(UnicodeWidthStr::width).max().expect("rows") > 20);
    assert!(plain.contains('…'));
    assert!(widest(run(&["dump", &save, "--width", "0"])) > 120);
    assert!(!run(&["dump", &save, "--width", "0"]).text().contains("name…"));
}

#[test]
fn a_path_leads_to_the_rows_of_a_value() {
    let save = sample("godot4/golden/4.6.3/files/small.save");
    let rows = |arguments: &[&str]| {
        let all = [&["dump", &save, "--width", "0"][..], arguments].concat();
        run(&all).with_status(0).text().to_owned()
    };
    let json = run(&["decode", &save, "--compact"]).with_status(0);
    let json: serde_json::Value = serde_json::from_str(json.text()).expect("JSON");
    let (key, value) = json.as_object().and_then(|it| it.iter().next()).expect("an entry");
    let by_key = rows(&["--path", key]);
    let first = by_key.lines().nth(1).expect("a row");
    assert!(first.contains(" value "), "{first}");
    if let Some(text) = value.as_str() {
        assert!(first.contains(text), "{first}");
    }
    // The JSON has the exact path, and the rows have its names.
    let exact = run(&["dump", &save, "--json"]).with_status(0);
    let position = exact
        .text()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .filter(|row| row["depth"] == 2 && row["type"] == "Pair")
        .position(|row| {
            row["value"].as_str().is_some_and(|it| it.starts_with(&format!("{key:?}:")))
        })
        .expect("the pair");
    assert_eq!(rows(&["--path", &format!("dictionary[{position}].value")]), by_key);
    assert_eq!(rows(&["--path", &format!("[0]/packet/[{position}]/value")]), by_key);
    // Levels are counted from the selected row.
    let flat = rows(&["--path", key, "--depth", "0"]);
    assert_eq!(flat.lines().count(), 2, "{flat}");
    run(&["dump", &save, "--path", "no such key"]).with_status(1).says(str![[r#"
error: [..]godot4/golden/4.6.3/files/small.save: there is no entry 'no such key'
  hint: its entries are: version, saved_at, saved_at_ms, play_time, player, inventory, ...
"#]]);
}

#[test]
fn a_path_works_in_files_that_are_damaged_behind_it() {
    let save = fs::read(sample("godot4/golden/4.6.3/files/small.save")).expect("the sample");
    let whole = run_with(&["decode", "-", "--compact"], &save).with_status(0);
    let json: serde_json::Value = serde_json::from_str(whole.text()).expect("JSON");
    let first = run_with(&["dump", "-", "--json", "--depth", "2"], &save).with_status(0);
    let pair = first.text().lines().find(|line| line.contains("\"Pair\"")).expect("a pair");
    let pair: serde_json::Value = serde_json::from_str(pair).expect("JSON");
    let key =
        json.as_object().expect("an object").keys().find(|key| {
            pair["value"].as_str().is_some_and(|it| it.starts_with(&format!("{key:?}:")))
        });
    let arguments = ["dump", "-", "--width", "0", "--path", key.expect("the first key")];
    let expected = run_with(&arguments, &save).with_status(0);
    let cut = run_with(&arguments, &save[..save.len() - 9]).with_status(0);
    assert_eq!(cut.text(), expected.text());
}

#[test]
fn a_path_leads_to_a_field_of_terrain_builder() {
    let layer = sample("alb1/samples/valley.Layers/houses.tv4l");
    run(&["dump", &layer, "--path", "libs[1]"]).with_status(0).prints(str![[r#"
offset   bytes        text field = value
00000ace                   libs[1] array = 2 elements
00000ace 17 00 0c 2a… ...*  head = blob_size 42, count 2
00000ad9                    [0] pair
00000ad9 07 00 0f     ...    head
00000adc 08 00 0b 04… ....   key string = "barn"
00000ae5 05 00 07 93… ....   data signed long = -232248685
00000aec                    [1] pair
00000aec 07 00 0f     ...    head
00000aef 08 00 0b 04… ....   key string = "mill"
00000af8 05 00 07 93… ....   data signed long = -232248685
"#]]);
    run(&["dump", &layer, "--path", "no.such"]).with_status(1);
    let hero = sample("resource/samples/godot-4.6.3/hero.res");
    let major = run(&["dump", &hero, "--path", "head/major"]).with_status(0);
    assert_eq!(major.text().lines().count(), 2, "{}", major.text());
    let pack = sample("pack/samples/3.2.3/export.pck");
    run(&["dump", &pack, "--path", "head/start/magic"]).with_status(0);
    let config = sample("config_file/samples");
    let config = fs::read_dir(config).expect("samples").find_map(|entry| {
        let path = entry.expect("an entry").path();
        path.extension().is_some_and(|end| end == "cfg").then_some(path)
    });
    let config = config.expect("a sample");
    run(&["dump", config.to_str().expect("a name"), "--path", "no/such"]).with_status(1);
}

#[test]
fn a_byte_is_found_in_every_format() {
    let settings = b"top=1\n\n[player]\n\nname=\"Ada\"\nbag={\n\"a\": 1\n}\n";
    let rows = |arguments: &[&str], input: &[u8]| {
        let ended = run_with(&[&["dump", "-", "--json"][..], arguments].concat(), input);
        let rows = ended.with_status(0);
        let name = |row: &str| -> String {
            let row: serde_json::Value = serde_json::from_str(row).expect("JSON");
            format!("{} {}", row["kind"], row["name"]).replace('"', "")
        };
        rows.text().lines().map(name).collect::<Vec<_>>()
    };
    assert_eq!(rows(&["--at", "25"], settings), ["text player/name"]);
    assert_eq!(rows(&["--at", "41"], settings), ["text player/bag"]);
    assert_eq!(rows(&["--path", "top"], settings), ["text /top"]);
    assert_eq!(rows(&["--path", "player"], settings), ["text player/name", "text player/bag"]);
    assert_eq!(rows(&["--path", "/"], settings).len(), 3);
    let behind = [b"##", &settings[..]].concat();
    assert_eq!(rows(&["--skip", "2", "--at", "27"], &behind), ["text player/name"]);
    run_with(&["dump", "-", "--at", "8"], settings).with_status(1);
    let script = fs::read(sample("script/samples/godot-4.6.3.gdc")).expect("the sample");
    assert_eq!(rows(&["--at", "0"], &script), ["open script", "field magic"]);
    assert_eq!(rows(&["--path", "script/magic"], &script), ["field magic"]);
    let json = b"{\"a\": {\"b\": 5}}";
    assert_eq!(rows(&["--path", "a", "--depth", "0"], json), ["field a"]);
    assert_eq!(rows(&["--at", "12"], json), ["field text", "field a", "field b"]);
}

#[test]
fn unknown_bytes_are_shown_in_plain_rows() {
    let png = b"\x89PNG\r\n\x1a\nabcdefgh\0\0\0\xff";
    let shown = dump_at(80, &["-"], png);
    let expected = "\
00000000 89 50 4e 47 0d 0a 1a 0a 61 62 63 64 65 66 67 68  .PNG....abcdefgh
00000010 00 00 00 ff                                      ....
";
    assert_eq!(shown.text(), expected);
    assert_eq!(shown.status, 1);
    shown.says(str!["error: standard input: this is a PNG picture and contains no values"]);
    let at = dump_at(80, &["-", "--at", "0x11"], png);
    assert_eq!(at.text().lines().collect::<Vec<_>>(), [expected.lines().nth(1).expect("two")]);
    let json = run_with(&["dump", "-", "--json"], png).with_status(1);
    let row: serde_json::Value = serde_json::from_str(json.text()).expect("JSON");
    assert_eq!(row["bytes"], "89504e470d0a1a0a6162636465666768000000ff");
    run_with(&["dump", "-", "--at", "0x20"], png).with_status(1);
}

#[test]
fn json_has_every_byte_once_and_the_fault() {
    let save = fs::read(sample("godot4/golden/4.6.3/files/small.save")).expect("the sample");
    for bytes in [&save[..], &save[..save.len() - 5]] {
        let ended = run_with(&["dump", "-", "--json"], bytes);
        let mut hex = String::new();
        let mut faults = 0;
        for line in ended.text().lines() {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            faults += usize::from(row["kind"] == "fault");
            hex.push_str(row["bytes"].as_str().unwrap_or_default());
            assert!(!line.contains('…'), "{line}");
        }
        let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected);
        let is_cut = bytes.len() < save.len();
        assert_eq!((faults, ended.status), (usize::from(is_cut), i32::from(is_cut)));
    }
}

#[test]
fn verbose_rows_have_all_bytes() {
    let save = sample("godot4/golden/4.6.3/files/small.save");
    let bytes = fs::read(&save).expect("the sample");
    for columns in [40, 80, 120] {
        let shown = dump_at(columns, &[&save, "-v"], &[]);
        let mut next = 0;
        for row in shown.text().lines().skip(1) {
            let (offset, rest) = row.split_once(' ').expect("an offset");
            let offset = usize::from_str_radix(offset, 16).expect("hex digits");
            let found: Vec<u8> = rest
                .split(' ')
                .take_while(|word| word.len() == 2)
                .map_while(|word| u8::from_str_radix(word, 16).ok())
                .collect();
            if !rest.starts_with(' ') {
                assert_eq!(offset, next, "{row}");
                let found = &found[..found.len().min(bytes.len() - offset)];
                assert_eq!(found, &bytes[offset..offset + found.len()], "{row}");
                next = offset + found.len();
            }
        }
        assert_eq!(next, bytes.len());
    }
}
