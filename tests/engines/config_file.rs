//! Tests ConfigFile text: engines read the text of this library, and save it in the same form.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use formwork_godot::config_file::{ConfigFile, to_config_file};
use formwork_variant::Variant;
use formwork_variant::variant;

use crate::engine::{Engine, with_each_engine};

/// Loads each text, prints the values of some keys, and saves it again.
const SCRIPT: &str = r#"extends SceneTree
func _init():
	for name in ["new", "changed"]:
		var file = ConfigFile.new()
		print("> ", name, " ", file.load("res://" + name + ".cfg"))
		for section in file.get_sections():
			for key in file.get_section_keys(section):
				if section == "told":
					print("> ", key, "=", file.get_value(section, key))
		file.save("res://" + name + ".saved.cfg")
	quit()
"#;

/// Returns the engine's output for these texts.
fn told(engine: &Engine, folder: &Path, new: &str, changed: &str) -> Vec<String> {
    fs::write(folder.join("main.gd"), SCRIPT).expect("there is room");
    fs::write(folder.join("project.godot"), "config_version=4\n").expect("there is room");
    fs::write(folder.join("new.cfg"), new).expect("there is room");
    fs::write(folder.join("changed.cfg"), changed).expect("there is room");
    let mut command = engine.run(folder);
    command.env("HOME", folder).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().expect("the engine runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned).collect()
}

#[test]
#[ignore = "needs an engine"]
fn engines_read_the_texts_that_we_write() {
    with_each_engine(|engine| {
        let dialect = engine.dialect;
        let mut value: Variant = variant!({
            "told": { "name": "Größe; \"x\" [y]", "hp": 12, "list": [1, "two", null], "on": true },
            "more": { "float": 0.1, "deep": { "a": { 1: [2.5, [], {}] } }, "lines": "a\nb\tc\\d" },
        });
        // The engine prints what it reads.
        let sample = formwork_testkit::formats()
            .join("config_file/samples")
            .join(format!("{}.config.cfg", engine.release));
        let old = fs::read_to_string(sample).unwrap_or_else(|_| "; of nobody\n[told]\n".to_owned());
        let file = ConfigFile::parse(&old).expect("an engine saved it");
        let mut changed: Variant = file.read(dialect);
        let told_values = value["told"].clone();
        let sections = changed.as_dictionary_mut().expect("it is one of sections");
        for section in ["player", "pools"] {
            let Some(old) = sections.remove(section) else { continue };
            value.as_dictionary_mut().expect("it is one").insert(Variant::from(section), old);
        }
        let players = value.at_mut("player").and_then(Variant::as_dictionary_mut);
        // Godot 3 saves a key with a blank in it without quotes, which it cannot read.
        players.map(|pairs| pairs.remove("oddkey"));
        let sections = changed.as_dictionary_mut().expect("it is one of sections");
        sections.insert(Variant::from("told"), told_values);
        if !engine.is_godot4() {
            // It does not escape the bracket in a section's name either, so the name cannot be read.
            sections.remove("odd ] section");
        }

        let new = to_config_file(&value, dialect).expect("all of it has a text");
        let changed = file.with_values(&changed, dialect).expect("all of it has a text");
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let told = told(engine, folder.path(), &new, &changed);
        let [loaded, name, hp, _, on, loaded_changed, rest @ ..] = told.as_slice() else {
            panic!("{}: {told:?}", engine.release)
        };
        assert_eq!((loaded.as_str(), loaded_changed.as_str()), ("new 0", "changed 0"));
        assert_eq!((name.as_str(), hp.as_str()), ("name=Größe; \"x\" [y]", "hp=12"));
        assert_eq!(on.to_lowercase(), "on=true");
        assert_eq!(rest, &told[1..5], "{}", engine.release);
        // The engine saves exactly the text of this library.
        let saved = fs::read_to_string(folder.path().join("new.saved.cfg")).expect("it was saved");
        assert_eq!(saved, new, "{}", engine.release);
        let saved = fs::read_to_string(folder.path().join("changed.saved.cfg")).expect("it, too");
        let again: Variant = ConfigFile::parse(&saved).expect("an engine saved it").read(dialect);
        let ours: Variant = ConfigFile::parse(&changed).expect("we wrote it").read(dialect);
        assert!(again.is_identical(&ours), "{}: {again} is not {ours}", engine.release);
    });
}
