//! Changes to a save with `encode --like`: what stays, what is noted, and what is refused.

use std::path::{Path, PathBuf};

use crate::cases::formats;
use crate::files::plain_files;
use crate::run::{Ended, run, run_with};

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Returns the JSON as jq 1.6 and JavaScript print it: 11.0 as 11 (outside of strings).
fn without_fractions(json: &str) -> String {
    let mut out = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for character in json.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character == '"' {
            in_string = true;
        } else if !character.is_ascii_digit() && out.ends_with(".0") {
            out.truncate(out.len() - 2);
        }
        out.push(character);
    }
    out
}

/// Encodes the JSON like a file, to standard output.
fn encode_like(json: &str, like: &Path, options: &[&str]) -> Ended {
    let mut arguments =
        vec!["encode", "-", "-o", "-", "--like", like.to_str().expect("a plain name")];
    arguments.extend(options);
    run_with(&arguments, json.as_bytes())
}

/// Makes a file with a dictionary in a frame.
fn save(folder: &Path, json: &str, format: &str) -> PathBuf {
    let path = folder.join("old.save");
    let name = path.to_str().expect("a plain name");
    let options = ["encode", "-", "--format", format, "-o", name];
    run_with(&options, json.as_bytes()).with_status(0);
    path
}

#[test]
fn every_save_comes_back_byte_for_byte_from_programs_that_print_floats_as_ints() {
    let mut kept = 0;
    for file in plain_files() {
        let mut arguments = vec!["decode", file.path()];
        arguments.extend(file.options());
        let json = run(&arguments).with_status(0).text().to_owned();
        let ended = encode_like(&without_fractions(&json), &file.path, &file.options());
        let ended = ended.with_status(0);
        assert!(ended.stdout == file.bytes(), "{}: {}", file.path(), ended.stderr);
        assert!(ended.stderr.contains("nothing changed"), "{}: {}", file.path(), ended.stderr);
        kept += usize::from(ended.stderr.contains("kept as float: "));
    }
    assert!(kept > 10, "{kept} files have floats that are whole numbers");
}

#[test]
fn what_was_kept_as_float_is_said_in_groups() {
    let folder = folder("edit-floats");
    let old = save(&folder, r#"{"hp":10.0,"enemies":[{"hp":1.0},{"hp":2.0}],"gold":5}"#, "godot4");
    let new = r#"{"hp":10,"enemies":[{"hp":1},{"hp":2}],"gold":5}"#;
    let ended = encode_like(new, &old, &[]).with_status(0);
    assert_eq!(ended.stdout, std::fs::read(&old).expect("it is there"));
    assert!(
        ended.stderr.contains("note: kept as float: hp, enemies/*/hp (2)\n"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.ends_with("bytes, nothing changed\n"), "{}", ended.stderr);
    // `--as-given` confirms the change of types.
    let ended = encode_like(new, &old, &["--as-given"]).with_status(0);
    assert_ne!(ended.stdout, std::fs::read(&old).expect("it is there"));
    let expected = "note: type changed: hp: float -> int, enemies/*/hp: float -> int (2)\n";
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
}

#[test]
fn changes_of_type_are_reported() {
    let folder = folder("edit-types");
    let old = save(&folder, r#"{"gold":5,"name":"Bob","left":null}"#, "godot4");
    let ended = encode_like(r#"{"gold":"5","name":"Bob","left":null}"#, &old, &[]).with_status(0);
    assert!(ended.stderr.contains("note: type changed: gold: int -> String\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("1 value changed (gold)\n"), "{}", ended.stderr);
    let ended = encode_like(r#"{"gold":9999.0,"name":"Bob","left":1}"#, &old, &[]).with_status(0);
    let expected = "note: type changed: gold: int -> float, left: Nil -> int\n";
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
}

#[test]
fn what_changed_is_said_by_its_path() {
    let folder = folder("edit-paths");
    let json = r#"{"player":{"gold":100,"bag":["rope","lamp"]},"seen":true}"#;
    let old = save(&folder, json, "godot4");
    let target = folder.join("new.save");
    let name = target.to_str().expect("a plain name");
    let encode = |json: &str, options: &[&str]| {
        let like = old.to_str().expect("a plain name");
        let mut arguments = vec!["encode", "-", "--like", like, "-o", name];
        arguments.extend(options);
        run_with(&arguments, json.as_bytes()).with_status(0).stderr
    };
    let changed = json.replace("100", "9999");
    let said = encode(&changed, &["--dry-run"]);
    let length = std::fs::metadata(&old).expect("it is there").len();
    let line = format!("{name}: {length} bytes, 1 value changed (player/gold)\n");
    assert_eq!(said, format!("would write to {line}"));
    assert!(!target.exists(), "--dry-run writes nothing");
    assert_eq!(encode(&changed, &[]), line);
    assert_eq!(std::fs::metadata(&target).expect("it was written").len(), length);
    let said = encode(r#"{"player":{"gold":100,"bag":["rope"],"hp":1},"seen":true}"#, &[]);
    let expected = "2 values changed (player/hp (new), player/bag/1 (gone))\n";
    assert!(said.ends_with(expected), "{said}");
    let said = encode(r#"{"player":{"gold":100,"bag":["rope","lamp"]}}"#, &[]);
    assert!(said.ends_with("1 value changed (seen (gone))\n"), "{said}");
    // JavaScript puts keys that are numbers first; a JSON object has no order.
    let said = encode(r#"{"seen":true,"player":{"bag":["rope","lamp"],"gold":100}}"#, &[]);
    assert!(said.ends_with("nothing changed\n"), "{said}");
    assert!(said.contains("kept the order of the keys: the value, player\n"), "{said}");
    assert_eq!(std::fs::read(&target).ok(), std::fs::read(&old).ok());
}

#[test]
fn odd_padding_is_kept_where_the_text_is_the_same() {
    let folder = folder("edit-padding");
    // {"name": "Bob", "gold": 5} of Godot 2, with arbitrary bytes in the padding.
    let mut bytes = b"\x12\0\0\0\x02\0\0\x80".to_vec();
    for text in [&b"name"[..], b"Bob\x07", b"gold"] {
        bytes.extend(b"\x04\0\0\0");
        let length = if text.ends_with(b"\x07") { 3_u32 } else { 4 };
        bytes.extend(length.to_le_bytes());
        bytes.extend(text);
    }
    bytes.extend(b"\x02\0\0\0\x05\0\0\0");
    bytes[0] = 20;
    let old = folder.join("old.bin");
    std::fs::write(&old, &bytes).expect("it can be written");
    let options = ["--format", "godot2", "--framing", "bare"];
    let ended = encode_like(r#"{"name":"Bob","gold":5}"#, &old, &options).with_status(0);
    assert_eq!(ended.stdout.escape_ascii().to_string(), bytes.escape_ascii().to_string());
    // Another value, and a new one before the string.
    let ended = encode_like(r#"{"new":1,"name":"Bob","gold":6}"#, &old, &options).with_status(0);
    assert!(
        ended.stdout.windows(4).any(|word| word == b"Bob\x07"),
        "{}",
        ended.stdout.escape_ascii()
    );
    let ended = encode_like(r#"{"name":"Rob","gold":5}"#, &old, &options).with_status(0);
    assert!(ended.stdout.windows(4).any(|word| word == b"Rob\0"));
    assert!(ended.stderr.contains("written as zeros now"), "{}", ended.stderr);
}

#[test]
fn where_the_engine_is_open_and_matters_it_has_to_be_said() {
    let folder = folder("edit-open");
    // An int and a string, which every engine reads alike.
    let old = folder.join("old.save");
    let frames = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x0c\0\0\0\x04\0\0\0\x03\0\0\0Bob\0";
    std::fs::write(&old, frames).expect("it can be written");
    let ended = encode_like(r#"[6, "Bob"]"#, &old, &[]).with_status(0);
    assert_eq!(ended.stdout[8], 6);
    assert!(ended.stderr.ends_with("1 value changed (0)\n"), "{}", ended.stderr);
    let ended = encode_like(r#"[[1], "Bob"]"#, &old, &[]).with_status(2);
    assert!(ended.stdout.is_empty());
    for expected in ["choose one", "--format godot3", "--format godot4", "--format godot2"] {
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
    let ended = encode_like(r#"[[1], "Bob"]"#, &old, &["--format", "godot3"]).with_status(0);
    assert_eq!(ended.stdout[4], 19, "an Array of Godot 3");
}

#[test]
fn what_is_no_json_is_named() {
    let save = formats().join("godot4/golden/4.6.3/files/small.save");
    let save = save.to_str().expect("a plain name");
    let ended = run(&["encode", save, "--format", "godot4", "-o", "-"]).with_status(1);
    assert!(ended.stderr.contains("this is a save, not JSON"), "{}", ended.stderr);
    for utf16 in [&b"\xff\xfe{\0}\0"[..], b"\xfe\xff\0{\0}", b"{\0}\0", b"\0{\0}"] {
        let options = ["encode", "-", "--format", "godot4", "-o", "-"];
        let ended = run_with(&options, utf16).with_status(1);
        assert!(ended.stderr.contains("UTF-16, not UTF-8"), "{}", ended.stderr);
    }
}

#[test]
fn the_line_about_the_rule_says_what_it_demands() {
    let ended = run_with(&["encode", "-", "--format", "godot4", "-o", "-"], b"{").with_status(1);
    assert!(ended.stderr.contains("(rule input.complete)"), "{}", ended.stderr);
    let json = br#"{"$Vector9":[1]}"#;
    let ended = run_with(&["encode", "-", "--format", "godot4", "-o", "-"], json).with_status(1);
    let expected = "rule json.syntax requires that the JSON is well formed";
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
}

#[test]
fn a_save_that_is_replaced_by_its_own_edit_is_kept() {
    let folder = folder("replaced_by_its_own_edit");
    let path = save(&folder, r#"{"gold":1}"#, "godot4");
    let old = std::fs::read(&path).expect("it is there");
    let name = path.to_str().expect("a plain name");
    let edit = |json: &str, more: &[&str]| {
        let arguments = ["encode", "-", "--like", name, "-o", name, "--format", "godot4"];
        run_with(&[&arguments, more].concat(), json.as_bytes()).with_status(0)
    };
    let backup = |number: &str| folder.join(format!("old.save.bak{number}"));
    // An unchanged file leaves no copy, nor does a dry run.
    edit(r#"{"gold":1}"#, &[]);
    edit(r#"{"gold":2}"#, &["--dry-run"]);
    assert!(!backup("").exists());
    let ended = edit(r#"{"gold":2}"#, &[]);
    assert!(ended.stderr.contains("old.save.bak"), "{}", ended.stderr);
    assert_eq!(std::fs::read(backup("")).expect("a copy"), old);
    let second = std::fs::read(&path).expect("it is there");
    edit(r#"{"gold":3}"#, &[]);
    assert_eq!(std::fs::read(backup("")).expect("a copy"), second);
    assert_eq!(std::fs::read(backup(".2")).expect("a copy"), old);
    edit(r#"{"gold":4}"#, &["--no-backup"]);
    assert!(!backup(".3").exists());
    // Any other file that is overwritten gets a backup too.
    let other = folder.join("new.save");
    let other = other.to_str().expect("a plain name");
    let arguments = ["encode", "-", "--like", name, "-o", other, "--format", "godot4"];
    for json in [r#"{"gold":5}"#, r#"{"gold":6}"#] {
        run_with(&arguments, json.as_bytes()).with_status(0);
    }
    let kept = run_with(&["get", &format!("{other}.bak"), "gold"], b"");
    assert_eq!(kept.with_status(0).text(), "5\n");
}
