//! Files of settings (`project.binary`): every command reads them as one Dictionary.

use serde_json::Value;
use snapbox::str;

use crate::cases::formats;
use crate::run::{run, run_with};

const SAMPLES: [&str; 4] = [
    "3.2.3.settings.binary",
    "3.2.3.export.binary",
    "3.6.2.letters.binary",
    "4.6.3.settings.binary",
];

fn path(name: &str) -> String {
    formats().join("settings/samples").join(name).to_str().expect("a plain name").to_owned()
}

/// Makes a folder for outputs. Returns it and the name of a file in it.
fn out(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join(name).to_str().expect("a plain name").to_owned();
    (folder, file)
}

#[test]
fn settings_are_decoded_changed_and_encoded() {
    for name in SAMPLES {
        let file = path(name);
        let bytes = std::fs::read(&file).expect("the sample is there");
        let info = run(&["info", "--json", &file]).with_status(0);
        let info: Value = serde_json::from_slice(&info.stdout).expect("it is JSON");
        assert_eq!(info["framing"], "settings", "{info}");
        run(&["verify", &file]).with_status(0);
        let json = run(&["decode", &file]).with_status(0).stdout;
        let (_folder, copy) = out("project.binary");
        run_with(&["encode", "-", "--like", &file, "-o", &copy], &json).with_status(0);
        assert_eq!(std::fs::read(&copy).unwrap(), bytes, "{name}: nothing changed");
        let changed = String::from_utf8(json).unwrap().replace("\"Sample\"", "\"Simple\"");
        run_with(&["encode", "-", "--like", &file, "-o", &copy], changed.as_bytes()).with_status(0);
        let at = bytes.windows(6).position(|it| it == b"Sample").unwrap();
        let mut expected = bytes.clone();
        expected[at..at + 6].copy_from_slice(b"Simple");
        assert_eq!(std::fs::read(&copy).unwrap(), expected, "{name}");
        run(&["dump", &file]).with_status(0);
    }
}

#[test]
fn settings_are_made_without_a_file_to_be_like() {
    let json = br#"{"application/config/name":"x","game/size":[1,2.5]}"#;
    let arguments = ["encode", "-", "--format", "godot4", "--framing", "settings"];
    let ended = run_with(&arguments, json).with_status(0);
    assert!(ended.stdout.starts_with(b"ECFG\x02\0\0\0\x17\0\0\0application/config/name"));
    let back = run_with(&["decode", "-", "--compact"], &ended.stdout).with_status(0);
    assert_eq!(back.text().trim_end().as_bytes(), json);
}

#[test]
fn settings_are_converted() {
    let file = path("3.6.2.settings.binary");
    run(&["convert", &file, "--to", "godot4"]).with_status(1).says(str![[r#"
loss: [..]settings/samples/3.6.2.settings.binary: input/jump/events/0: object of class "InputEventKey" becomes Dictionary with @class "InputEventKey": godot4.7 has other classes, with other properties
loss: [..]settings/samples/3.6.2.settings.binary: input/jump/events/1: object of class "InputEventJoypadButton" becomes Dictionary with @class "InputEventJoypadButton": godot4.7 has other classes, with other properties
error: [..]settings/samples/3.6.2.settings.binary: 2 values have no exact counterpart in godot4.7; nothing was written
  2 object: godot4.7 has other classes, with other properties
    with --lossy: a dictionary of the properties, with the name of the class under @class
  hint: use --lossy to write the nearest values
"#]]);
    let ended = run(&["convert", &file, "--to", "godot4", "--lossy"]).with_status(0);
    let json = run_with(&["decode", "-"], &ended.stdout).with_status(0);
    assert!(json.text().contains("$PackedStringArray"), "{}", json.text());
}

#[test]
fn the_length_of_a_name_counts_characters() {
    run(&["verify", &path("3.2.3.letters.binary")]).with_status(1).prints(str!["not ok  [..]settings/samples/3.2.3.letters.binary: godot3, settings, 0 settings: damaged: offset 1009 (0x3f1), dictionary[9].key: expected 15, the bytes of the name (engines do not read on behind it), found 11, its characters (malformed, rule settings.name_length)"]);
}
