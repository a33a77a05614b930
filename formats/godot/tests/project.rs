//! Tests `project.binary` and `project.godot` of one project, as engines wrote both (`formats/settings`,
//! `formats/config_file`).

use std::fs;

use formwork_godot::project::{from_text, to_text};
use formwork_godot::settings;
use formwork_variant::{Decoder, Dialect, Variant};

fn sample(name: &str) -> Vec<u8> {
    let path = formwork_testkit::formats().join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn settings(name: &str, dialect: Dialect) -> Variant {
    let decoder = Decoder::new(dialect).allow_objects(true);
    settings::decode(&sample(name), &decoder).expect("the engine wrote it")
}

fn text(name: &str) -> String {
    String::from_utf8(sample(name)).expect("the text is UTF-8")
}

#[test]
fn the_text_of_settings_is_the_one_that_the_engine_writes() {
    for (binary, godot, dialect) in [
        ("3.2.3.settings.binary", "3.2.3.settings.godot", Dialect::GODOT3_2),
        ("3.2.3.letters.binary", "3.2.3.letters.godot", Dialect::GODOT3_2),
        ("4.6.3.settings.binary", "4.6.3.settings.godot", Dialect::GODOT4),
    ] {
        let settings = settings(&format!("settings/samples/{binary}"), dialect);
        let written = text(&format!("config_file/samples/{godot}"));
        assert_eq!(to_text(&settings, dialect).expect("it has a text"), written, "{godot}");
        let read: Variant = from_text(&written, dialect).expect("the engine wrote it");
        assert_eq!(to_text(&read, dialect).as_deref(), Ok(written.as_str()), "{godot}");
        // The text sorts the keys of values that are dictionaries, so values are compared as texts.
        let names = |value: &Variant| {
            let pairs = value.as_dictionary().expect("settings").iter();
            let mut names: Vec<_> =
                pairs.map(|(name, _)| name.as_str().expect("a name").to_owned()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&read), names(&settings), "{godot}");
    }
}

#[test]
fn the_features_of_an_exported_game_have_another_name_in_the_text() {
    let settings = settings("settings/samples/3.2.3.export.binary", Dialect::GODOT3_2);
    let text = to_text(&settings, Dialect::GODOT3_2).expect("it has a text");
    assert!(text.contains("\ncustom_features=\"kiosk,demo\"\n"), "{text}");
    let back: Variant = from_text(&text, Dialect::GODOT3_2).expect("it is the text");
    assert_eq!(back["_custom_features"], settings["_custom_features"]);
}

#[test]
fn what_is_no_project_is_refused() {
    let list: Variant = formwork_variant::variant!([1]);
    assert_eq!(to_text(&list, Dialect::GODOT4).unwrap_err().rule().name(), "settings.dictionary");
    let text = "config_version=5\n[a]\nicon=Resource(\"res://a.png\")\n";
    assert!(from_text::<f32>(text, Dialect::GODOT4).is_err());
    let twice: Variant = from_text("[a]\nb=1\nb=2\n", Dialect::GODOT4).expect("it is text");
    assert_eq!(twice["a/b"], 2);
}
