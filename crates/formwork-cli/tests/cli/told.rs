//! The output of commands about values matches the values.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use snapbox::str;

use crate::run::{Ended, run, run_with};

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("told-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Makes a file from JSON.
fn made(folder: &std::path::Path, name: &str, json: &str, format: &str) -> String {
    let path = folder.join(name).to_str().expect("a plain name").to_owned();
    let arguments = ["encode", "-", "-o", &path, "--format", format, "--framing", "frames"];
    run_with(&arguments, json.as_bytes()).with_status(0);
    path
}

fn get(file: &str, path: &str) -> String {
    run(&["get", file, path, "--compact"]).with_status(0).text().trim_end().to_owned()
}

fn lines(ended: &Ended) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("each line is JSON");
    ended.text().lines().map(parse).collect()
}

#[test]
fn a_change_is_seen_however_small_it_is() {
    let folder = folder("small");
    let json = r#"{"hp":1234567.25,"pos":{"$Vector2":[1.0,2.0]},"name":"two lines"}"#;
    let in_json = r#"pos: {"$Vector2":[1.0,2.0]} -> {"$Vector2":[1.0000002,2.0]}"#;
    let in_text = "pos: Vector2(1, 2) -> Vector2(1.0000002, 2)";
    for (format, change, same) in [
        ("godot2", in_json, "pos: Vector2( 1, 2 ) as before"),
        ("godot3", in_json, "pos: Vector2( 1, 2 ) as before"),
        ("godot4", in_text, "pos: Vector2(1.0000002, 2) as before"),
    ] {
        let file = made(&folder, format, json, format);
        let changes = [
            ("hp", "1234567.75", "hp: 1234567.25 -> 1234567.75\n"),
            ("name", "two\nlines", "name: \"two lines\" -> \"two\\nlines\"\n"),
            ("name", "two  lines", "name: \"two\\nlines\" -> \"two  lines\"\n"),
        ];
        for (path, value, expected) in changes {
            let ended = run(&["set", &file, path, value, "--no-backup"]).with_status(0);
            assert_eq!(ended.text(), expected, "{format}");
        }
        let set = ["set", &file, "pos", "[1.0000002, 2]", "--no-backup"];
        run(&set).with_status(0).prints(change);
        run(&set).with_status(0).prints(same);
    }
}

#[test]
fn long_texts_are_told_apart_in_every_command() {
    let folder = folder("long");
    let text = |end: &str| format!("{}{end}", "x".repeat(100));
    let [one, other, third] = ["1", "2", "3"].map(|end| {
        let json = json!({ "a": text(end) }).to_string();
        made(&folder, end, &json, "godot4")
    });
    let x = "x".repeat(20);
    let ended = run(&["diff", &one, &other]).with_status(1);
    ended.prints(format!("--- [..]1\n+++ [..]2\na: ...{x}1\" -> ...{x}2\""));
    let ended = run(&["merge", &one, &other, &third, "-o", &other]).with_status(1);
    let conflict = format!("conflict: a: ours ...{x}2\", theirs ...{x}3\", base ...{x}1\"\n");
    ended.prints(conflict + "1 conflict; ours is kept there (--ours and --theirs settle them)");
    let inside = made(&folder, "inside", &json!({ "a": r#"{"gold":1}"# }).to_string(), "godot4");
    let filter = ".a |= (fromjson | .gold = 2 | tojson)";
    let ended = run(&["query", &inside, "-i", filter]).with_status(0);
    assert_eq!(ended.text(), "a: \"{\\\"gold\\\":1}\" -> \"{\\\"gold\\\":2}\"\n");
}

#[test]
fn json_has_whole_values_under_the_keys_of_diff() {
    let folder = folder("json");
    let long = "x".repeat(500);
    let json = json!({ "gold": 100, "name": long, "pos": { "$Vector2": [1.0, 2.0] } }).to_string();
    let old = made(&folder, "old", &json, "godot4");
    let new = folder.join("new").to_str().unwrap().to_owned();
    let pairs = ["gold", "101", "name", "y", "pos", "[9, 9]"];
    let set = run(&[&["set", &old], &pairs[..], &["-o", &new, "--json"]].concat());
    let set = lines(&set.with_status(0));
    assert_eq!((&set[0]["before"], &set[0]["after"]), (&100.into(), &101.into()));
    assert_eq!((&set[1]["before"], &set[1]["after"]), (&long.clone().into(), &"y".into()));
    assert_eq!(set[2]["after"], json!({ "$Vector2": [9.0, 9.0] }));
    let diff = lines(&run(&["diff", &old, &new, "--json"]).with_status(1));
    for (one, other) in diff.iter().zip(&set) {
        for key in ["kind", "path", "before", "after"] {
            assert_eq!(one[key], other[key], "{key}");
        }
    }
    let query = run(&["query", &old, "-i", ".gold = 101", "--dry-run", "--json"]);
    let query = lines(&query.with_status(0));
    assert_eq!((&query[0]["kind"], &query[0]["after"]), (&"changed".into(), &101.into()));
    let rm = lines(&run(&["rm", &old, "pos", "pos", "--dry-run", "--json"]).with_status(0));
    assert_eq!(rm.len(), 1, "{rm:?}");
    assert_eq!((&rm[0]["kind"], &rm[0].get("after")), (&"removed".into(), &None));
    assert_eq!(rm[0]["before"], json!({ "$Vector2": [1.0, 2.0] }));
}

#[test]
fn all_changes_of_a_filter_are_told_to_programs_and_the_first_to_people() {
    let folder = folder("many");
    let json = json!({ "a": (0..50).collect::<Vec<_>>() }).to_string();
    let file = made(&folder, "many", &json, "godot4");
    let change = ["query", &file, "-i", ".a[] += 100", "--dry-run"];
    let told = run(&change).with_status(0);
    assert_eq!(told.text().lines().count(), 21);
    assert_eq!(told.text().lines().last(), Some("30 more values (-v lists them)"));
    let told = run(&[&change[..], &["-v"]].concat()).with_status(0);
    assert_eq!(told.text().lines().count(), 50);
    let told = lines(&run(&[&change[..], &["--json"]].concat()).with_status(0));
    assert_eq!((told.len(), &told[49]["after"]), (50, &149.into()));
}

#[test]
fn findings_have_a_rule_a_place_and_a_path() {
    let folder = folder("verify");
    let file = made(&folder, "save", r#"{"a":{"b":[true]}}"#, "godot3");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.len() - 4;
    bytes[at] = 2;
    fs::write(&file, &bytes).unwrap();
    let verify = |file: &str| lines(&run(&["verify", file, "--json"]).with_status(1)).remove(0);
    let found = &verify(&file)["findings"];
    assert_eq!(
        (found[0]["rule"].as_str(), found[0]["damage"].as_bool()),
        (Some("bool.value"), Some(false))
    );
    assert_eq!(found[0]["offset"], at);
    assert_eq!(found[0]["path"], "value 0: dictionary[0].value.dictionary[0].value.array[0].bool");
    fs::write(&file, &bytes[..at]).unwrap();
    let found = &verify(&file)["findings"];
    assert_eq!(
        (found[0]["rule"].as_str(), found[0]["damage"].as_bool()),
        (Some("input.complete"), Some(true))
    );
    assert_eq!(found[0]["offset"], 4);
}

#[test]
fn numbers_that_no_float_and_no_int_holds_are_refused() {
    let folder = folder("numbers");
    let json = r#"{"hp":72.5,"gold":1,"pos":{"$Vector2":[1.0,2.0]}}"#;
    let file = made(&folder, "numbers", json, "godot4");
    let before = fs::read(&file).unwrap();
    for (path, value) in [
        ("hp", "1e400"),
        ("hp", "-1e400"),
        ("hp", "1e-400"),
        ("pos", "Vector2(1e400, 2)"),
        ("pos", "[1e400, 2]"),
        ("gold", "0x-5"),
        ("gold", "0x+5"),
    ] {
        run(&["set", &file, path, value]).with_status(1);
        assert_eq!(fs::read(&file).unwrap(), before, "{path} {value}");
    }
    run(&["set", &file, "new", "1e400", "--add"]).with_status(1);
    for (path, value, now) in [
        ("hp", "inf", r#"{"$float":"inf"}"#),
        ("hp", "0e5", "0.0"),
        ("gold", "0x5", "5"),
        ("pos", "(5, 6)", r#"{"$Vector2":[5.0,6.0]}"#),
        ("pos", "7,8", r#"{"$Vector2":[7.0,8.0]}"#),
    ] {
        run(&["set", &file, path, value, "--no-backup"]).with_status(0);
        assert_eq!(get(&file, path), now, "{path} {value}");
    }
}

#[test]
fn results_are_on_standard_output_and_quiet_silences_notes_only() {
    let folder = folder("quiet");
    let file = made(&folder, "quiet", r#"{"gold":1,"name":"Ada"}"#, "godot4");
    let ended = run(&["set", &file, "gold", "2", "-q"]).with_status(0);
    assert_eq!((ended.text(), &*ended.stderr), ("gold: 1 -> 2\n", ""));
    let ended = run(&["query", &file, "-i", ".gold = 3", "-q"]).with_status(0);
    assert_eq!((ended.text(), &*ended.stderr), ("gold: 2 -> 3\n", ""));
    let ended = run(&["rm", &file, "gold", "-q"]).with_status(0);
    assert_eq!((ended.text(), &*ended.stderr), ("gold: removed 3\n", ""));
    // Standard output has the new file, so the changes go to standard error.
    let ended = run(&["set", &file, "gold", "2", "--add", "-o", "-"]).with_status(0);
    assert_eq!(ended.stderr, "gold: added 2\n");
}

#[test]
fn limits_hold_in_config_files() {
    let folder = folder("limits");
    let path = |name: &str| folder.join(name).to_str().expect("a plain name").to_owned();
    let deep = format!("{{\"a\":{{\"b\":{}1{}}}}}", "[".repeat(60), "]".repeat(60));
    let (json, config) = (path("deep.json"), path("conf.cfg"));
    fs::write(&json, deep).unwrap();
    fs::write(&config, "[a]\nb=[ [ [ 1 ] ] ]\n").unwrap();
    let encode = ["encode", &json, "--like", &config, "-o", &path("out.cfg")];
    run(&[&encode[..], &["--max-depth", "5"]].concat()).with_status(1);
    run(&encode).with_status(0);
    run(&["get", &config, "--max-depth", "1"]).with_status(1).says(str![
        "error: [..]conf.cfg: a/b: expected at most 1 containers around a value, found one more"
    ]);
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let folder = folder("options");
    let sample = |name: &str| crate::cases::formats().join(name).to_str().unwrap().to_owned();
    let into = folder.join("into").to_str().expect("a plain name").to_owned();
    let resource = sample("resource/samples/godot-4.6.3/hero.res");
    let script = sample("script/samples/godot-4.6.3-packed.gdc");
    let config = sample("config_file/samples/4.6.3.config.cfg");
    let layer = sample("alb1/samples/valley.Layers/houses.tv4l");
    for file in [&resource, &script, &config, &layer] {
        run(&["decode", file, "--into", &into]).with_status(2);
    }
    for file in [&resource, &config, &layer] {
        run(&["decode", file, "--strictness", "canonical"]).with_status(2);
    }
    run(&["info", &layer, "--skip", "4", "--format", "alb1"]).with_status(2);
    let graph = run(&["--color", "never", "graph", &layer, "--json"]).with_status(0);
    assert!(serde_json::from_slice::<Value>(&graph.stdout).is_ok(), "{}", graph.text());
}

#[test]
fn filters_write_no_infinity_that_nobody_asked_for() {
    let folder = folder("zero");
    let file = made(&folder, "zero", r#"{"gold":1.5,"at":{"$Vector2":[1.0,2.0]}}"#, "godot4");
    let before = fs::read(&file).unwrap();
    for filter in [".gold /= 0", ".at |= . / 0", ".gold |= . % 0"] {
        run(&["query", &file, "-i", filter]).with_status(1);
        assert_eq!(fs::read(&file).unwrap(), before, "{filter}");
    }
}

#[test]
fn a_failure_for_one_file_is_json_on_standard_output() {
    let folder = folder("failed");
    let save = made(&folder, "save", r#"{"gold":5}"#, "godot4");
    let none = folder.join("none").to_str().expect("a plain name").to_owned();
    let commands: [(&[&str], i32); 7] = [
        (&["get", &save, "silver"], 1),
        (&["set", &save, "silver", "1"], 1),
        (&["rm", &save, "silver"], 1),
        (&["set", &save, "gold"], 2),
        (&["query", "-i", &save, ".gold |= error(1)"], 1),
        (&["get", &none, "gold"], 3),
        (&["info", &none], 3),
    ];
    for (arguments, status) in commands {
        let ended = run(&[&["--color", "never"], arguments, &["--json"]].concat());
        let all = lines(&ended.with_status(status));
        let [line] = &all[..] else { panic!("{arguments:?}: {all:?}") };
        let file = if arguments.contains(&&*none) { &none } else { &save };
        assert_eq!(line["file"], json!(file), "{arguments:?}");
        assert_eq!(line["written"], json!(false), "{arguments:?}");
        assert!(line["error"]["message"].is_string(), "{arguments:?}: {line}");
    }
    let ended = run(&["set", &save, "gold", "1", "--json", "-o", "-"]).with_status(2);
    assert_eq!(ended.text(), "", "a new file on standard output is alone there");
}
