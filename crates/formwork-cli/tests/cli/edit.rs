//! Changes to a save with `encode --like`: what stays, what is noted, and what is refused.

use std::path::{Path, PathBuf};

use snapbox::str;

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
    edit(r#"{"gold":2}"#, &[]).says(str![[r#"
note: the old [..]old.save is kept as [..]old.save.bak
[..]old.save: 32 bytes, 1 value changed (gold)
"#]]);
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
