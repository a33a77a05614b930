//! `get`, `set`, `rm`, `edit` and `show`: one value changes, and all others stay.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::cases::formats;
use crate::run::{Ended, command, run, run_with};

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Copies a golden save.
fn save(folder: &Path, file: &str) -> String {
    let from = formats().join("godot3/golden/3.6.2/files").join(file);
    let to = folder.join(file);
    fs::copy(from, &to).expect("the golden save is there");
    to.to_str().expect("a plain name").to_owned()
}

/// Makes a file from JSON.
fn made(folder: &Path, json: &str, options: &[&str]) -> String {
    let path = folder.join("made.save").to_str().expect("a plain name").to_owned();
    let arguments = [&["encode", "-", "-o", &path, "--no-backup"], options].concat();
    run_with(&arguments, json.as_bytes()).with_status(0);
    path
}

fn get(file: &str, path: &str) -> String {
    run(&["get", file, path, "--compact"]).with_status(0).text().trim_end().to_owned()
}

#[test]
fn set_changes_one_value_keeps_a_backup_and_set_back_is_the_same_file() {
    let folder = folder("set");
    for name in ["small.save", "big.save", "multi.swapped.save"] {
        let file = save(&folder, name);
        let before = fs::read(&file).unwrap();
        let several = name.starts_with("multi");
        let path = if several { "11/player/level" } else { "version" };
        let old = get(&file, path);
        run(&["set", &file, path, "123456"]).with_status(0);
        assert_eq!(fs::read(format!("{file}.bak")).unwrap(), before);
        let after = fs::read(&file).unwrap();
        let differs = (0..before.len()).filter(|&at| before[at] != after[at]).count();
        assert!(before.len() == after.len() && differs <= 4, "{differs}");
        run(&["set", &file, path, &old, "--no-backup"]).with_status(0);
        assert_eq!(fs::read(&file).unwrap(), before);
        assert!(!Path::new(&format!("{file}.bak.2")).exists());
    }
}

#[test]
fn wrapped_and_encrypted_files_and_those_behind_a_header_are_changed_as_they_are() {
    let folder = folder("set-wrapped");
    let json = r#"{"gold": 100, "hp": 7.5}"#;
    for options in [
        &["--format", "godot4", "--wrapper", "zstd"][..],
        &["--format", "godot3", "--wrapper", "deflate"],
        &["--format", "godot4", "--framing", "frames-be"],
        &["--format", "godot4-double", "--framing", "frames"],
    ] {
        let file = made(&folder, json, options);
        run(&["set", &file, "gold", "9999", "--no-backup"]).with_status(0);
        assert_eq!(get(&file, ""), r#"{"gold":9999,"hp":7.5}"#, "{options:?}");
    }
    let secret = ["--password", "correct horse"];
    let file = made(
        &folder,
        json,
        &[&["--format", "godot4", "--wrapper", "encrypted"], &secret[..]].concat(),
    );
    run(&[&["set", &file, "gold", "9999"], &secret[..]].concat()).with_status(0);
    let ended = run(&[&["get", &file, "gold"], &secret[..]].concat()).with_status(0);
    assert_eq!(ended.text(), "9999\n");
    // The file is encrypted again.
    assert!(fs::read(&file).unwrap().starts_with(b"GDEC"));
    let file = made(&folder, json, &["--format", "godot4", "--framing", "frames"]);
    let own = [b"my header".as_slice(), &fs::read(&file).unwrap()].concat();
    fs::write(&file, &own).unwrap();
    run(&["set", &file, "gold", "9999", "--skip", "9"]).with_status(0);
    let after = fs::read(&file).unwrap();
    assert!(after.starts_with(b"my header") && after.len() == own.len());
    assert_eq!((0..own.len()).filter(|&at| own[at] != after[at]).count(), 2);
}

#[test]
fn a_value_keeps_its_type_unless_another_is_said() {
    let folder = folder("set-types");
    let json = r#"{"i":1,"f":2.0,"s":"a","b":true,"n":null,"v":{"$Vector2":[1.0,2.0]},"a":[1.0,{"x":2.0}],"p":{"$NodePath":"a"},"d":{},"by":{"$PackedByteArray":"AQI="},"t":["a"]}"#;
    let fresh = || made(&folder, json, &["--format", "godot4", "--framing", "frames"]);
    let cases: &[(&str, &[&str], &str)] = &[
        ("i", &["11"], "11"),
        ("i", &["-5"], "-5"),
        ("i", &["0x10"], "16"),
        ("i", &["1.5", "--type", "float"], "1.5"),
        ("i", &["x", "--type", "String"], "\"x\""),
        ("i", &["[1]", "--as", "json"], "[1]"),
        ("f", &["11"], "11.0"),
        ("f", &["nan"], r#"{"$float":"nan"}"#),
        ("f", &["11", "--as", "json"], "11"),
        ("s", &["b"], "\"b\""),
        ("s", &["42"], "\"42\""),
        ("s", &["null"], "\"null\""),
        ("s", &["\"q\\n\""], "\"q\\n\""),
        ("s", &[""], "\"\""),
        ("b", &["false"], "false"),
        ("n", &["5"], "5"),
        ("n", &["Vector2(1, 2)"], r#"{"$Vector2":[1.0,2.0]}"#),
        ("v", &["Vector2(3, 4)"], r#"{"$Vector2":[3.0,4.0]}"#),
        ("v", &["[3, 4]"], r#"{"$Vector2":[3.0,4.0]}"#),
        ("v", &[r#"{"$Vector2":[3,4]}"#], r#"{"$Vector2":[3.0,4.0]}"#),
        ("a", &[r#"[7,{"x":8}]"#], r#"[7.0,{"x":8.0}]"#),
        ("p", &["/root/x:y"], r#"{"$NodePath":"/root/x:y"}"#),
        ("d", &[r#"{"k": 1}"#], r#"{"k":1}"#),
        ("t/+", &["b", "--add"], "\"b\""),
        ("new", &["5", "--add"], "5"),
    ];
    for (path, value, expected) in cases {
        let file = fresh();
        let arguments = [&["set", &file, path, "--no-backup"], *value].concat();
        run(&arguments).with_status(0);
        let path = if *path == "t/+" { "t/1" } else { path };
        assert_eq!(get(&file, path), *expected, "{path} {value:?}");
    }
}

#[test]
fn nothing_is_written_in_a_dry_run_or_where_nothing_changes() {
    let folder = folder("set-dry");
    let file = save(&folder, "small.save");
    let before = fs::read(&file).unwrap();
    let ended = run(&["set", &file, "version", "4", "--dry-run"]).with_status(0);
    assert_eq!((ended.text(), &*ended.stderr), ("would change version: 3 -> 4\n", ""));
    let ended = run(&["set", &file, "version", "3"]).with_status(0);
    assert_eq!((ended.text(), &*ended.stderr), ("version: 3 as before\n", ""));
    run(&["rm", &file, "version", "--dry-run"]).with_status(0);
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    // A mistake in one of several changes prevents all of them.
    run(&["set", &file, "version", "4", "glod", "5"]).with_status(1);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn rm_takes_entries_elements_and_values_out() {
    let folder = folder("rm");
    let file = save(&folder, "small.save");
    // Positions count in the unchanged file.
    let names: Vec<_> = (0..3).map(|at| get(&file, &format!("inventory/{at}/name"))).collect();
    run(&["rm", &file, "inventory/0", "inventory/1", "inventory/1/id"]).with_status(0);
    assert_eq!(get(&file, "inventory/0/name"), names[2]);
    // The only value cannot be removed.
    run(&["rm", &file, ""]).with_status(1);
    let file = save(&folder, "multi.save");
    assert_eq!(get(&file, "1"), "true");
    let next = get(&file, "2");
    run(&["rm", &file, "1"]).with_status(0);
    assert_eq!(get(&file, "1"), next);
}

#[test]
fn one_of_several_values_is_chosen_by_its_number() {
    let folder = folder("index");
    let file = save(&folder, "multi.save");
    assert_eq!(get(&file, "11/player/level"), "17");
    let ended = run(&["get", &file, "player/level", "--index", "11"]).with_status(0);
    assert_eq!(ended.text(), "17\n");
    run(&["set", &file, "player/level", "18", "--index", "11"]).with_status(0);
    assert_eq!(get(&file, "11/player/level"), "18");
    run(&["set", &file, "player/level", "19", "--index", "-1"]).with_status(0);
    assert_eq!(run(&["get", &file, "11/player/level"]).with_status(0).text(), "19\n");
    run(&["rm", &file, "player/level", "--index", "-1"]).with_status(0);
    run(&["get", &file, "11/player/level"]).with_status(1);
    run(&["set", &file, "x", "1", "--index", "12"]).with_status(1);
}

#[test]
fn standard_input_and_output_are_files_like_others() {
    let folder = folder("stdio");
    let file = save(&folder, "small.save");
    let bytes = fs::read(&file).unwrap();
    let changed = run_with(&["set", "-", "player/level", "3"], &bytes).with_status(0).stdout;
    let ended = run_with(&["get", "-", "player/level"], &changed).with_status(0);
    assert_eq!(ended.text(), "3\n");
    let ended = run(&["set", &file, "player/level", "3", "-o", "-"]).with_status(0);
    assert_eq!(ended.stdout, changed);
    assert_eq!(fs::read(&file).unwrap(), bytes);
    let removed = run_with(&["rm", "-", "player/level"], &bytes).with_status(0).stdout;
    run_with(&["get", "-", "player/level"], &removed).with_status(1);
}

#[test]
fn a_damaged_file_is_not_changed() {
    let folder = folder("damaged");
    let file = save(&folder, "small.save");
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 100);
    fs::write(&file, &bytes).unwrap();
    for arguments in
        [&["set", &file, "version", "1"][..], &["rm", &file, "version"], &["get", &file, "version"]]
    {
        run(arguments).with_status(1);
    }
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[test]
fn a_file_alone_is_shown_as_decode_shows_it() {
    let folder = folder("show");
    let file = save(&folder, "small.save");
    let shown = run(&[&file]).with_status(0);
    assert_eq!(shown.stdout, run(&["decode", &file]).with_status(0).stdout);
    let inside = run(&[&file, "--path", "player/stats"]).with_status(0);
    assert_eq!(inside.stdout, run(&["get", &file, "player/stats"]).with_status(0).stdout);
    assert_eq!(run(&["show", &file]).with_status(0).stdout, shown.stdout);
}

/// Edits a file with a shell command as the editor.
#[cfg(unix)]
fn edit(file: &str, editor: &str, options: &[&str]) -> Ended {
    let mut command = command(&[&["edit", file], options].concat());
    command.env_remove("VISUAL").env("EDITOR", editor).stdin(std::process::Stdio::null());
    let output = command.output().expect("the program ends");
    Ended {
        status: output.status.code().expect("it is not killed"),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

#[cfg(unix)]
#[test]
fn edit_changes_what_was_changed_in_the_editor_and_nothing_else() {
    let folder = folder("edit");
    let file = save(&folder, "small.save");
    let before = fs::read(&file).unwrap();
    edit(&file, "true", &[]).with_status(0).prints("[..]small.save: nothing changed");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    edit(&file, "sed -i 's/\"level\": 17/\"level\": 99/; s/\"hp\": 73.5/\"hp\": 80/'", &[])
        .with_status(0);
    assert_eq!(fs::read(format!("{file}.bak")).unwrap(), before);
    run(&["set", &file, "player/level", "17", "player/hp", "73.5", "--no-backup"]).with_status(0);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_mistake_in_the_editor_is_shown_and_the_text_is_kept() {
    let folder = folder("edit-mistake");
    let file = save(&folder, "small.save");
    let before = fs::read(&file).unwrap();
    let ended = edit(&file, "sed -i 's/\"level\": 17/\"level\": oops/'", &[]).with_status(1);
    let (_, kept) = ended.stderr.rsplit_once("your text is kept in ").expect("it says where");
    let text = fs::read_to_string(kept.trim_end()).expect("the text is there");
    assert!(text.contains("oops"));
    fs::remove_file(kept.trim_end()).unwrap();
    // An editor that fails or does not exist changes nothing.
    edit(&file, "false", &[]).with_status(3);
    edit(&file, "no-such-editor", &[]).with_status(3);
    edit(&file, "", &[]).with_status(2);
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn saves_are_compared_value_by_value_across_wrappers_and_engines() {
    let folder = folder("diff-values");
    let file = save(&folder, "small.save");
    let packed = save(&folder, "small.zstd.save");
    assert!(run(&["diff", &file, &packed]).with_status(0).stdout.is_empty());
    let other = folder.join("other.save").to_str().unwrap().to_owned();
    run(&["set", &file, "player/level", "18", "inventory/+0", "5", "--add", "-o", &other])
        .with_status(0);
    let ended = run(&["diff", &file, &other]).with_status(1);
    let lines: Vec<_> = ended.text().lines().skip(2).collect();
    assert_eq!(lines, ["player/level: 17 -> 18", "inventory/0: added 5"]);
    let ended = run(&["diff", &file, &other, "--json"]).with_status(1);
    let lines: Vec<serde_json::Value> =
        ended.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = serde_json::json!(["changed", "player/level", 17, 18]);
    let members = ["kind", "path", "before", "after"].map(|name| lines[0][name].clone());
    assert_eq!(serde_json::Value::from(members.to_vec()), expected);
    let counted = run(&["diff", &file, &other, "--stat"]).with_status(1);
    counted.prints("[..]other.save: 1 changed, 1 added");
    assert!(run(&["diff", &file, &other, "--quiet"]).with_status(1).stdout.is_empty());
    let converted = folder.join("4.save").to_str().unwrap().to_owned();
    run(&["convert", &file, "--to", "godot4", "-o", &converted]).with_status(0);
    assert!(run(&["diff", &file, &converted]).with_status(0).stdout.is_empty());
    run(&["set", &converted, "player/hp", "73.501", "-o", &other]).with_status(0);
    run(&["diff", &file, &other]).with_status(1);
    run(&["diff", &file, &other, "--float-tolerance", "0.01"]).with_status(0);
    // The arguments that git passes.
    let ended =
        run(&["diff", "--git", "saves/a.save", &file, "1", "2", &other, "3", "4"]).with_status(0);
    ended.prints(str![[r#"
--- a/saves/a.save
+++ b/saves/a.save
player/hp: 73.5 -> 73.501
"#]]);
    let ended =
        run(&["diff", "--git", "a.save", "/dev/null", "1", "2", &other, "3", "4"]).with_status(0);
    assert_eq!(ended.text(), "b/a.save: only in NEW\n");
    let ended = run(&["diff", "--textconv", &packed]).with_status(0);
    assert_eq!(ended.stdout, run(&["decode", &packed]).with_status(0).stdout);
}

/// Changes a few fields of the smaller real files of Terrain Builder, if they are available.
/// (tests/alb1/edit.rs tests all files.)
#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn fields_of_real_files_are_set_and_set_back_to_the_same_bytes() {
    let Some(corpus) = formwork_testkit::corpus::folder() else { return };
    let folder = folder("alb1");
    let (mut waiting, mut files) = (vec![corpus], Vec::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.starts_with(b"ALB1") && bytes.len() < 20_000)
        {
            files.push(path);
        }
    }
    files.sort();
    files.truncate(formwork_testkit::rounds(12, 40));
    assert!(!files.is_empty());
    let mut count = 0;
    for from in &files {
        let file = folder.join("file.tv4l").to_str().unwrap().to_owned();
        let _ = fs::remove_file(&file);
        let bytes = fs::read(from).unwrap();
        fs::write(&file, &bytes).unwrap();
        let root = run(&["get", &file, "--compact"]).with_status(0);
        let root: serde_json::Value = serde_json::from_slice(&root.stdout).unwrap();
        let fields = root["$alb1"]["root"]["$object"]["fields"].as_array().unwrap().clone();
        let mut tried = Vec::new();
        for field in &fields {
            let (tag, kind) =
                (field["tag"].as_str().unwrap_or_default(), field["type"].as_str().unwrap());
            let new = match kind {
                "string" => "another text",
                "float" | "double" => "1.25",
                "signed_long" | "unsigned_long" | "signed_int" | "unsigned_int" => "17",
                _ => continue,
            };
            if tag.is_empty() || tried.contains(&kind) {
                continue;
            }
            tried.push(kind);
            let raw = run(&["get", &file, tag, "--raw"]).with_status(0);
            let old = raw.text().strip_suffix('\n').unwrap().to_owned();
            run(&["set", &file, tag, new, "--no-backup"]).with_status(0);
            run(&["set", &file, "--no-backup", "--", tag, &old]).with_status(0);
            assert!(fs::read(&file).unwrap() == bytes, "{}: {tag} = {old}", from.display());
            count += 1;
        }
    }
    println!("{} files, {count} fields", files.len());
    assert!(count >= files.len());
}

#[test]
fn bytes_are_set_as_a_list_or_in_base64_and_keep_their_type() {
    let folder = folder("set-bytes");
    let json = r#"{"seen": {"$PackedByteArray": "AQID"}, "cells": {"$PackedInt32Array": [1, 2]}}"#;
    let file = made(&folder, json, &["--format", "godot4"]);
    for (text, bytes) in [("[7, 255]", "B/8="), ("7,255", "B/8="), ("\"AQI=\"", "AQI="), ("[]", "")]
    {
        run(&["set", &file, "seen", text]).with_status(0);
        assert_eq!(get(&file, "seen"), format!(r#"{{"$PackedByteArray":"{bytes}"}}"#), "{text}");
    }
    run(&["set", &file, "seen", "[256]"]).with_status(1);
    for (filter, bytes) in [(".seen = [1, 2]", "AQI="), (".seen = []", "")] {
        run(&["query", &file, "-i", filter]).with_status(0);
        assert_eq!(get(&file, "seen"), format!(r#"{{"$PackedByteArray":"{bytes}"}}"#), "{filter}");
    }
    run(&["get", &file, "cells/+"]).with_status(1).says(str![[r#"
error: [..]made.save: cells is a PackedInt32Array, whose parts have no paths
  hint: to add a part: formwork query FILE -i '.cells |= items + [VALUE]'
"#]]);
    run(&["query", &file, "-i", ".cells |= items + [9]"]).with_status(0);
    assert_eq!(get(&file, "cells"), r#"{"$PackedInt32Array":[1,2,9]}"#);
}

#[test]
fn a_key_in_quotation_marks_is_added_anywhere() {
    let folder = folder("set-quoted");
    let json = r#"{"player": {"gold": 5}, "slots": {"$dictionary": [[2, "sword"]]}}"#;
    let file = made(&folder, json, &["--format", "godot4"]);
    for path in [r#"player/"x y""#, r#"player/"a/b""#, r#"slots/"2""#] {
        run(&["set", &file, path, "7", "--add"]).with_status(0);
        assert_eq!(get(&file, path), "7", "{path}");
    }
    assert_eq!(get(&file, "slots"), r#"{"$dictionary":[[2,"sword"],["2",7]]}"#);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_changed_in_place() {
    let folder = folder("set-pipe");
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    // (Nothing is read: that would wait for a writer.)
    run(&["set", pipe.to_str().unwrap(), "gold", "5"]).with_status(2).says(str![[r#"
error: [..]pipe: a pipe or device cannot be changed in place
  hint: use -o FILE for the changed file
"#]]);
}
