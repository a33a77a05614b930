//! ConfigFile text (`.cfg`, `project.godot`): read as one Dictionary, changed in place, converted.

use serde_json::Value;
use snapbox::str;

use crate::cases::formats;
use crate::run::{run, run_with};

fn path(name: &str) -> String {
    formats().join("config_file/samples").join(name).to_str().expect("a plain name").to_owned()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect("the sample is there")
}

const PASSWORD: [&str; 2] = ["--password", "correct horse"];

#[test]
fn a_config_file_is_named_decoded_and_changed() {
    for name in ["3.2.3.settings.godot", "4.6.3.settings.godot", "4.6.3.config.cfg"] {
        let (file, text) = (path(name), read(name));
        let info = run(&["info", "--json", &file]).with_status(0);
        let info: Value = serde_json::from_slice(&info.stdout).expect("it is JSON");
        assert_eq!(info["format"], "config", "{info}");
        run(&["verify", &file]).with_status(0);
        let json = String::from_utf8(run(&["decode", &file]).with_status(0).stdout).unwrap();
        let same = run_with(&["encode", "-", "--like", &file], json.as_bytes()).with_status(0);
        assert_eq!(same.text(), text, "{name}: nothing changed");
        let (old, new) =
            if name.ends_with("godot") { ("Sample", "Simple") } else { ("12.5", "13.5") };
        let changed = json.replacen(old, new, 1);
        let ended = run_with(&["encode", "-", "--like", &file], changed.as_bytes());
        assert_eq!(ended.with_status(0).text(), text.replacen(old, new, 1), "{name}");
        let dump = run(&["dump", &file]).with_status(0);
        assert!(dump.text().lines().count() > 5, "{}", dump.text());
    }
}

#[test]
fn an_encrypted_config_file_is_changed_in_its_wrapper() {
    for (name, plain) in [
        ("3.2.3.config.encrypted.cfg", "3.2.3.config.cfg"),
        ("4.6.3.config.encrypted.cfg", "4.6.3.config.cfg"),
    ] {
        let file = path(name);
        // Decoding gives the text unchanged, and the values with `--as json`.
        let text = run(&[&["decode", &file], &PASSWORD[..]].concat()).with_status(0);
        assert_eq!(text.text(), read(plain));
        let json =
            run(&[&["decode", &file, "--as", "json"], &PASSWORD[..]].concat()).with_status(0);
        let changed = json.text().replacen("12.5", "13.5", 1);
        let arguments = [&["encode", "-", "--like", &file], &PASSWORD[..]].concat();
        let again = run_with(&arguments, changed.as_bytes()).with_status(0).stdout;
        let text = run_with(&[&["decode", "-"], &PASSWORD[..]].concat(), &again).with_status(0);
        assert_eq!(text.text(), read(plain).replacen("12.5", "13.5", 1), "{name}");
    }
}

#[test]
fn values_are_converted_in_their_text() {
    let text = "; pools\n[a]\nlist=PoolStringArray( \"b\" ) ; c\nplace=Vector2( 1, 2 )\nn=1\n";
    let ended = run_with(&["convert", "-", "--to", "godot4"], text.as_bytes()).with_status(0);
    let new = text.replace("PoolStringArray( \"b\" )", "PackedStringArray(\"b\")");
    assert_eq!(ended.text(), new);
    let ended = run_with(&["convert", "-", "--from", "godot4", "--to", "godot3"], new.as_bytes());
    assert_eq!(ended.with_status(0).text(), text);
    let settings = path("3.2.3.settings.godot");
    run(&["convert", &settings, "--to", "godot4"]).with_status(1).says(str![[r#"
loss: [..]config_file/samples/3.2.3.settings.godot: input/jump: events/0: object of class "InputEventKey" becomes Dictionary with @class "InputEventKey": godot4.7 has other classes, with other properties
loss: [..]config_file/samples/3.2.3.settings.godot: input/jump: events/1: object of class "InputEventJoypadButton" becomes Dictionary with @class "InputEventJoypadButton": godot4.7 has other classes, with other properties
error: [..]config_file/samples/3.2.3.settings.godot: 2 values have no exact counterpart in godot4.7; nothing was written
  2 object: godot4.7 has other classes, with other properties
    with --lossy: a dictionary of the properties, with the name of the class under @class
  hint: use --lossy to write the nearest values
"#]]);
}

#[test]
fn an_open_engine_is_asked_for_where_it_matters() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("game.cfg");
    std::fs::write(&file, "[a]\nb=1\n").unwrap();
    let file = file.to_str().unwrap();
    let encode = |json: &str, more: &[&str]| {
        run_with(&[&["encode", "-", "--like", file], more].concat(), json.as_bytes())
    };
    assert_eq!(encode(r#"{"a":{"b":2}}"#, &[]).with_status(0).text(), "[a]\nb=2\n");
    let packed = r#"{"a":{"b":{"$PackedStringArray":["x"]}}}"#;
    encode(packed, &[]).with_status(2).says(str![[r#"
error: [..]game.cfg: no engine's words stand in it, and each writes the new values differently; choose one:
  --format godot4
  --format godot3
"#]]);
    let ended = encode(packed, &["--format", "godot4"]).with_status(0);
    assert_eq!(ended.text(), "[a]\nb=PackedStringArray(\"x\")\n");
}

#[test]
fn a_new_config_file_is_written_by_its_name() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("new.cfg");
    let file = file.to_str().unwrap();
    let json = r#"{"a":{"b c":1},"":{"top":[1,2]}}"#;
    run_with(&["encode", "-", "--format", "godot4", "-o", file], json.as_bytes()).with_status(0);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "top=[1, 2]\n\n[a]\n\n\"b c\"=1\n");
}

#[test]
fn scenes_and_resources_as_text_and_json_are_named() {
    let named = |text: &str| {
        let info = run_with(&["info", "--json", "-"], text.as_bytes()).with_status(0);
        let info: Value = serde_json::from_slice(&info.stdout).expect("it is JSON");
        info["format"].as_str().map(str::to_owned)
    };
    assert_eq!(named("[gd_scene format=2]\n\n[node name=\"a\"]\n").as_deref(), Some("tscn"));
    assert_eq!(named("[gd_resource type=\"Theme\" format=3]\n").as_deref(), Some("tres"));
    assert_eq!(named("{\"hp\": 1}\n").as_deref(), Some("json"));
    assert_eq!(named("; a note\nword\n").as_deref(), Some("text"));
}
