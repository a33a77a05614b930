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

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("it can be written");
    }
    folder
}

#[test]
fn what_the_engine_reads_is_shown_and_changed() {
    let text = "[a]\nx = 1,\ny=2 z=3\nn=null\n";
    let folder =
        folder(&[("game.cfg", text.as_bytes()), ("mark.cfg", "\u{feff}[a]\nx=1\n".as_bytes())]);
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (game, mark) = (file("game.cfg"), file("mark.cfg"));
    assert_eq!(run(&["get", &game, "a/,y", "a/z"]).with_status(0).text(), "2\n3\n");
    run(&["get", &game, "a/y"]).with_status(1);
    run(&["get", &game, "a/n"]).with_status(1);
    let verdict = run(&["verify", &game]).with_status(1).text().to_owned();
    assert!(
        verdict.contains("line 2: `,` belongs to the next key; the engine reads `,y`"),
        "{verdict}"
    );
    run(&["set", &game, "a/z", "4"]).with_status(0);
    assert_eq!(std::fs::read_to_string(&game).unwrap(), text.replace("z=3", "z=4"));
    let verdict = run(&["verify", &mark]).with_status(1).text().to_owned();
    assert!(verdict.contains("the byte order mark belongs to the first key"), "{verdict}");
    run(&["set", &mark, "a/x", "5"]).with_status(1);
}

#[test]
fn a_file_of_two_engines_or_of_another_program_is_told() {
    let mixed = b"a=PoolStringArray(\"x\")\nb=PackedStringArray(\"x\")\n";
    let conflict = b"[a]\n<<<<<<< HEAD\nx=1\n=======\nx=2\n>>>>>>> b\n";
    let folder = folder(&[
        ("mixed.cfg", mixed),
        ("layers.cfg", b"class Layers\n{\n  texture = \"\";\n};\n"),
        (
            "serverDZ.cfg",
            b"hostname = \"x\"; // c\nclass Missions\n{\n class DayZ { template=\"a\"; };\n};\n",
        ),
        ("extension_list.cfg", b"res://bin/x.gdextension\n"),
        ("a.uid", b"uid://dabc123\n"),
        ("engine.cfg", b"[input]\n\njump=[key(Space)]\n"),
    ]);
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    run(&["verify", folder.path().to_str().unwrap()]).with_status(0);
    let verdict = run(&["verify", &file("mixed.cfg")]).with_status(0).text().to_owned();
    let says = "it has words of Godot 3 (PoolStringArray, line 1) and of Godot 4 (PackedStringArray, \
                line 2): only Godot 4 reads both";
    assert!(verdict.contains(says), "{verdict}");
    for name in ["a.uid", "extension_list.cfg", "engine.cfg"] {
        run(&["verify", &file(name)]).with_status(0);
    }
    let info = run(&["info", &file("layers.cfg")]).with_status(0).text().to_owned();
    assert!(info.contains("text: text"), "{info}");
    std::fs::write(file("mixed.cfg"), conflict).unwrap();
    let verdict = run(&["verify", &file("mixed.cfg")]).with_status(1).text().to_owned();
    assert!(verdict.contains("line 2: the markers of a git conflict"), "{verdict}");
}

#[test]
fn text_resources_are_read_changed_and_merged() {
    let save = "[gd_resource type=\"Resource\" load_steps=2 format=3]\n\n\
                [ext_resource type=\"Script\" path=\"res://s.gd\" id=\"1\"]\n\n\
                [resource]\nscript = ExtResource(\"1\")\ngold = 273\nlevel = 4\n";
    let ours = save.replace("273", "9999");
    let theirs = save.replace("level = 4", "level = 5");
    let folder = folder(&[
        ("save.tres", save.as_bytes()),
        ("ours.tres", ours.as_bytes()),
        ("theirs.tres", theirs.as_bytes()),
    ]);
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let path = file("save.tres");
    run(&["verify", &path]).with_status(0);
    let got = run(&["get", &path, "resource/gold", "ext_resource/1/path"]).with_status(0);
    assert_eq!(got.text(), "273\n\"res://s.gd\"\n");
    let diff = run(&["diff", &path, &file("ours.tres")]).with_status(1).text().to_owned();
    assert!(diff.contains("resource/gold: 273 -> 9999"), "{diff}");
    let merged = run(&["merge", &path, &file("ours.tres"), &file("theirs.tres"), "-o", "-"]);
    assert_eq!(merged.with_status(0).text(), ours.replace("level = 4", "level = 5"));
    let json = run(&["decode", &path]).with_status(0).text().to_owned();
    let same = run_with(&["encode", "-", "--like", &path], json.as_bytes()).with_status(0);
    assert_eq!(same.text(), save);
    let query = run(&["query", "-i", &path, ".resource.gold += 1"]).with_status(0);
    assert_eq!(query.text(), "resource/gold: 273 -> 274\n");
    run(&["set", &path, "resource/icon", "ExtResource(\"1\")", "--add"]).with_status(0);
    run(&["rm", &path, "resource/level"]).with_status(0);
    let now = save.replace("273", "274").replace("level = 4", "icon = ExtResource(\"1\")");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), now);
    run(&["set", &path, "resource/icon", "ExtResource(\"2\")"]).with_status(0);
    let verdict = run(&["verify", &path]).with_status(1).text().to_owned();
    assert!(
        verdict.contains("expected the id of a resource in the file ([ext_resource ...])"),
        "{verdict}"
    );
}
