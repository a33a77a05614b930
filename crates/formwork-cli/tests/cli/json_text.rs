//! JSON saves as Godot 3.2.3 wrote them: a change keeps all bytes outside the changed value.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::cases::formats;
use crate::run::{compare, run, run_with};

const PASSWORD: [&str; 2] = ["--password", "correct horse"];

/// Makes a folder with copies of the samples.
fn samples(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("json-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    for entry in fs::read_dir(formats().join("json_text/samples")).unwrap().flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a plain name").to_owned()
}

/// Returns the content of a file without its wrappers.
fn content(file: &str) -> String {
    let raw = [&["decode", file, "--as", "raw"], &PASSWORD[..]].concat();
    run(&raw).with_status(0).text().to_owned()
}

#[test]
fn a_change_keeps_every_other_byte_in_any_wrapper() {
    let folder = samples("change");
    for (name, gold, hp) in [
        ("3.2.3.lines.save", "0/gold", "0/hp"),
        ("3.2.3.printed.json", "player/gold", "player/hp"),
        ("3.2.3.lines.zstd.save", "0/gold", "0/hp"),
        ("3.2.3.printed.fastlz.save", "player/gold", "player/hp"),
        ("3.2.3.lines.encrypted.save", "0/gold", "0/hp"),
    ] {
        let file = path(&folder, name);
        let (before, bytes) = (content(&file), fs::read(&file).unwrap());
        assert_eq!(run(&[&["get", &file, gold], &PASSWORD[..]].concat()).text(), "120\n");
        let set = [&["set", &file, gold, "9999", hp, "80"], &PASSWORD[..]].concat();
        let told = run(&[&set[..], &["--dry-run"]].concat()).with_status(0);
        assert_eq!(
            told.text(),
            format!("would change {gold}: 120 -> 9999\nwould change {hp}: 72.5 -> 80.0\n")
        );
        assert_eq!(fs::read(&file).unwrap(), bytes, "{name}");
        let told = run(&set).with_status(0);
        assert_eq!(told.text(), format!("{gold}: 120 -> 9999\n{hp}: 72.5 -> 80.0\n"));
        assert_eq!(content(&file), before.replace("120", "9999").replace("72.5", "80.0"));
        assert_eq!(fs::read(format!("{file}.bak")).unwrap(), bytes, "{name}");
        // Setting the same value again changes no byte, not even an encrypted one.
        let now = fs::read(&file).unwrap();
        let told = run(&set).with_status(0);
        assert_eq!(told.text(), format!("{gold}: 9999 as before\n{hp}: 80.0 as before\n"));
        assert_eq!(fs::read(&file).unwrap(), now);
        run(&["undo", &file]).with_status(0);
        assert_eq!(fs::read(&file).unwrap(), bytes, "{name}");
    }
}

#[test]
fn entries_come_and_go_in_the_style_of_the_text() {
    let folder = samples("entries");
    let file = path(&folder, "3.2.3.printed.json");
    let before = content(&file);
    run(&["set", &file, "player/bag/+", "sword", "player/mana", "5", "--add"]).with_status(0);
    let expected = before
        .replace("\"lamp\"\n", "\"lamp\",\n\t\t\t\"sword\"\n")
        .replace("-2.25\n\t\t}\n", "-2.25\n\t\t},\n\t\t\"mana\": 5\n");
    assert_eq!(content(&file), expected);
    run(&["rm", &file, "player/bag/-1", "player/mana", "--no-backup"]).with_status(0);
    assert_eq!(content(&file), before);
    run(&["rm", &file, "player/sword"]).with_status(1);
    // In a file with a document on each line, the others keep their lines.
    let lines = path(&folder, "3.2.3.lines.save");
    let before = content(&lines);
    run(&["rm", &lines, "0"]).with_status(0);
    assert_eq!(content(&lines), before.split_inclusive('\n').nth(1).unwrap());
    run(&["get", &lines, "gold", "--index", "0"]).with_status(2);
}

#[test]
fn values_keep_their_types() {
    let text = "{\"whole\": 5, \"real\": 5.0, \"text\": \"5\", \"id\": 18446744073709551615}";
    let set = |pairs: &[&str]| {
        let arguments = [&["set", "-"], pairs, &["-o", "-"]].concat();
        run_with(&arguments, text.as_bytes()).with_status(0).text().to_owned()
    };
    assert_eq!(set(&["real", "7"]), text.replace("5.0", "7.0"));
    assert_eq!(set(&["whole", "7.0"]), text.replace(" 5,", " 7,"));
    assert_eq!(set(&["whole", "7.5"]), text.replace(" 5,", " 7.5,"));
    assert_eq!(set(&["real", "7", "--as", "json"]), text.replace("5.0", "7"));
    assert_eq!(set(&["text", "7"]), text.replace("\"5\"", "\"7\""));
    assert_eq!(set(&["text", "7", "--as", "json"]), text.replace("\"5\"", "7"));
    assert_eq!(set(&["whole", "\"word\"", "--as", "json"]), text.replace(" 5,", " \"word\","));
    run_with(&["set", "-", "whole", "word"], text.as_bytes()).with_status(1);
    assert_eq!(
        set(&["id", "18446744073709551614"]),
        text.replace("18446744073709551615", "18446744073709551614")
    );
    run_with(&["set", "-", "whole", "7", "--type", "String"], text.as_bytes()).with_status(2);
    let filter = ".whole += 1 | .real += 1 | .id -= 1";
    let query = run_with(&["query", "-", "-i", filter, "-o", "-"], text.as_bytes());
    assert_eq!(
        query.with_status(0).text(),
        text.replace(" 5,", " 6,").replace("5.0", "6.0").replace("1615", "1614")
    );
}

#[test]
fn filters_take_each_line() {
    let folder = samples("query");
    let file = path(&folder, "3.2.3.lines.save");
    let before = content(&file);
    assert_eq!(
        run(&["query", &file, ".node", "-r"]).text(),
        "res://player.tscn\nres://door.tscn\n"
    );
    // Only in files of Terrain Builder, a key that is not there leads to the field with this tag.
    let field = br#"{"tag": "a", "value": {"x": 1}}"#;
    assert_eq!(run_with(&["query", "-", ".x"], field).text(), "null\n");
    assert_eq!(run(&["query", &file, "-s", "length"]).text(), "2\n");
    run(&["query", &file, "-i", ".node"]).with_status(2);
    assert_eq!(content(&file), before);
    let told = run(&["query", &file, "-i", "if .gold then .gold += 1 else . end"]).with_status(0);
    assert_eq!(told.text(), "0/gold: 120 -> 121\n");
    assert_eq!(content(&file), before.replace("120", "121"));
    run(&["query", &file, "-i", "-s", ".[:1]"]).with_status(0);
    assert_eq!(content(&file), before.replace("120", "121").split_inclusive('\n').next().unwrap());
}

#[test]
fn differences_and_merges_are_by_value() {
    let folder = samples("merge");
    let base = path(&folder, "3.2.3.printed.fastlz.save");
    let (ours, theirs) = (path(&folder, "ours.save"), path(&folder, "theirs.save"));
    run(&["set", &base, "player/gold", "5", "player/bag/+", "sword", "--add", "-o", &ours]);
    run(&["set", &base, "door/open", "true", "player/hp", "72.75", "-o", &theirs]).with_status(0);
    let differ = run(&["diff", &base, &ours]).with_status(1);
    let lines: Vec<_> = differ.text().lines().skip(2).collect();
    assert_eq!(lines, ["player/gold: 120 -> 5", "player/bag/2: added \"sword\""]);
    let near = run(&["diff", &base, &theirs, "--float-tolerance", "0.5", "--json"]);
    assert_eq!(near.with_status(1).text().lines().count(), 1);
    assert_eq!(run(&["diff", &base, &ours, "--stat"]).status, 1);
    let merge = ["merge", &base, &ours, &theirs, "-o", &path(&folder, "merged.save")];
    run(&merge).with_status(0);
    let merged = content(&path(&folder, "merged.save"));
    let expected = content(&ours).replace("false", "true").replace("72.5", "72.75");
    assert_eq!(merged, expected);
    run(&["set", &theirs, "player/gold", "7"]).with_status(0);
    run(&merge).with_status(1);
    run(&[&merge[..], &["--theirs"]].concat()).with_status(0);
    run(&["get", &path(&folder, "merged.save"), "player/gold"]).with_status(0).prints("7");
    // A save of an engine has another format.
    let save = formats().join("godot3/golden/3.6.2/files/small.save");
    run(&["diff", &base, save.to_str().unwrap()]).with_status(2);
    run(&["merge", &base, save.to_str().unwrap(), &theirs]).with_status(2);
}

#[cfg(unix)]
#[test]
fn the_editor_shows_json_and_changes_what_was_changed() {
    let folder = samples("edit");
    let file = path(&folder, "3.2.3.lines.encrypted.save");
    let before = content(&file);
    let edit = [&["edit", &file], &PASSWORD[..]].concat();
    let mut command = crate::run::command(&edit);
    let ended = command.env("VISUAL", "sed -i 's/120/121/'").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "0/gold: 120 -> 121\n");
    assert_eq!(content(&file), before.replace("120", "121"));
}

#[cfg(unix)]
#[test]
fn what_the_game_saved_meanwhile_is_kept_beside_an_edit() {
    let folder = samples("joined");
    let file = path(&folder, "3.2.3.printed.json");
    let before = content(&file);
    let edit = |changed: &str| {
        let program = env!("CARGO_BIN_EXE_formwork");
        let game = format!("'{program}' set -q '{file}' {changed} --no-backup >/dev/null");
        let editor =
            format!("sh -c '{}; sed -i s/120/121/ \"$1\"' sh", game.replace('\'', "'\\''"));
        let ended = crate::run::command(&["edit", &file]).env("VISUAL", editor).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    };
    let (status, said) = edit("player/hp 80");
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(content(&file), before.replace("120", "121").replace("72.5", "80.0"));
    fs::write(&file, &before).unwrap();
    let (status, said) = edit("player/gold 5");
    assert_eq!(status, Some(3), "{said}");
    compare(
        &said,
        str![[r#"
error: [..]3.2.3.printed.json: another program changed the same values while you edited them; nothing was written
  player/gold: in the file 5, in your text 121
  hint: your text is kept in [..].json
"#]],
    );
    assert_eq!(content(&file), before.replace("120", "5"));
}

#[test]
fn a_decoded_save_is_encoded_like_it() {
    let folder = samples("encode");
    let (file, json) = (path(&folder, "3.2.3.lines.encrypted.save"), path(&folder, "made.json"));
    let bytes = fs::read(&file).unwrap();
    let decoded = run(&[&["decode", &file, "-o", &json], &PASSWORD[..]].concat());
    decoded.with_status(0);
    let changed = fs::read_to_string(&json).unwrap().replace("120", "121");
    let encode = [&["encode", &json, "--like", &file, "-o", &file], &PASSWORD[..]].concat();
    run(&encode).with_status(0);
    assert_eq!(fs::read(&file).unwrap(), bytes);
    fs::write(&json, changed).unwrap();
    let before = content(&file);
    run(&encode).with_status(0);
    assert_eq!(content(&file), before.replace("120", "121"));
}

#[test]
fn headers_and_marks_stay() {
    for before in ["SAVE{\"gold\": 1}", "SAVE\u{feff}\n[{\"gold\": 1}]\n"] {
        let gold = if before.contains('[') { "0/gold" } else { "gold" };
        let arguments = ["set", "-", gold, "2", "--skip", "4", "-o", "-"];
        let ended = run_with(&arguments, before.as_bytes()).with_status(0);
        assert_eq!(ended.text(), before.replace('1', "2"));
    }
}

#[test]
fn every_command_says_something_sensible() {
    let folder = samples("look");
    let file = path(&folder, "3.2.3.lines.zstd.save");
    let info = run(&["info", &file, "--json"]).with_status(0);
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(
        (&info["format"], &info["content"]),
        (&"json".into(), &serde_json::json!({"documents": 2}))
    );
    let verify = run(&["verify", &file]).with_status(0);
    assert_eq!(verify.text(), format!("ok  {file}: json in zstd: can be read\n"));
    run(&["dump", &file, "--path", "0/none"]).with_status(1);
    run(&["decode", &file, "--as", "text"]).with_status(2);
    run(&["convert", &path(&folder, "3.2.3.lines.save"), "--to", "godot4"]).with_status(2);
    let broken = "{\"gold\": 1}\n{\"gold\": }\n";
    for command in
        [&["get", "-"][..], &["verify", "-"], &["decode", "-"], &["set", "-", "0/gold", "2"]]
    {
        run_with(command, broken.as_bytes()).with_status(1);
    }
}

#[test]
fn json_in_a_pack_is_changed_there() {
    let folder = samples("pack");
    let into = path(&folder, "files");
    fs::create_dir_all(&into).unwrap();
    fs::copy(folder.join("3.2.3.printed.json"), Path::new(&into).join("start.json")).unwrap();
    let pack = path(&folder, "game.pck");
    run(&["pack", &into, "-o", &pack, "--format", "godot3"]).with_status(0);
    let member = format!("{pack}!start.json");
    run(&["set", &member, "player/gold", "5"]).with_status(0);
    assert_eq!(run(&["get", &member, "player/gold"]).with_status(0).text(), "5\n");
    run(&["verify", &pack]).with_status(0);
    run(&["diff", &pack, &format!("{pack}.bak")]).with_status(1).prints(str![[r#"
--- [..]game.pck!start.json
+++ [..]game.pck.bak!start.json
player/gold: 5 -> 120
"#]]);
}

#[test]
fn a_typing_mistake_does_not_change_the_kind_of_a_value() {
    let file = path(&samples("kinds"), "3.2.3.printed.json");
    let before = fs::read(&file).unwrap();
    for (place, text) in [("player/gold", "7O"), ("player", "5"), ("player/gold", "[1]")] {
        run(&["set", &file, place, text]).with_status(1);
        assert_eq!(fs::read(&file).unwrap(), before);
    }
    run(&["set", &file, "player/gold", "\"7O\"", "--as", "json"]).with_status(0);
    assert_eq!(run(&["get", &file, "player/gold"]).with_status(0).text(), "\"7O\"\n");
}

#[test]
fn json_with_a_fault_is_damaged_also_in_a_folder() {
    let folder = samples("faulty");
    for entry in fs::read_dir(&folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let faulty =
        ["{\"a\": 1, \"b\": {\"c\": 2;}}", "{\"a\":1 \"b\":2}", "{\"a\":1}\n{\"a\":2\n", ""];
    for (number, text) in faulty.into_iter().enumerate() {
        let file = path(&folder, &format!("{number}.save"));
        fs::write(&file, text).unwrap();
        run(&["verify", &file]).with_status(1);
        let is_faulty = !text.is_empty();
        let info = run(&["info", &file, "--json"]).with_status(i32::from(is_faulty));
        let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
        let findings = info["findings"].as_array().map_or(0, Vec::len);
        assert_eq!(findings, usize::from(is_faulty), "{info}");
    }
    let folder_path = folder.to_str().unwrap();
    run(&["verify", folder_path]).with_status(1).prints(str![[r#"
damaged  json.syntax: 3 in 3 files
         [..]0.save: damaged: offset 21 (0x15): expected `,` or `}`, found `;}}` (malformed, rule json.syntax)
damaged  cannot be read: 1 in 1 file
         [..]3.save: the file is empty
4 files: 0 ok, 4 not ok
"#]]);
    // A file that the engine hides its folder with.
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(".gdignore"), "").unwrap();
    run(&["verify", folder_path]).with_status(0);
}
