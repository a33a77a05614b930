//! ConfigFile text, saved by engines and written by hand.

use formwork_godot::config_file::{ConfigFile, to_config_file};
use formwork_variant::Variant;
use formwork_variant::dialect::Family;
use formwork_variant::{Dialect, Error, variant};

use crate::cases::formats;

fn sample(name: &str) -> String {
    let path = formats().join("config_file/samples").join(name);
    std::fs::read_to_string(path).expect("the sample is there")
}

const SAMPLES: [(&str, Dialect); 5] = [
    ("3.2.3.config.cfg", Dialect::GODOT3_2),
    ("3.2.3.settings.godot", Dialect::GODOT3_2),
    ("3.2.3.letters.godot", Dialect::GODOT3_2),
    ("4.6.3.config.cfg", Dialect::GODOT4_6),
    ("4.6.3.settings.godot", Dialect::GODOT4_6),
];

#[test]
fn engines_files_are_read_and_kept_to_the_byte() {
    for (name, dialect) in SAMPLES {
        let text = sample(name);
        let file = ConfigFile::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.family(), Some(dialect.family()), "{name}");
        let value: Variant = file.read(dialect);
        assert_eq!(file.with_values(&value, dialect).expect("nothing changed"), text, "{name}");
        // An engine may be unable to read its own output: 3.2.3 does not quote a key.
        let faults = file.faults(dialect).len();
        assert_eq!(faults, usize::from(name == "3.2.3.config.cfg"), "{name}");
    }
}

#[test]
fn what_is_saved_anew_is_what_the_engine_saves() {
    let text = sample("4.6.3.config.cfg");
    let value: Variant = ConfigFile::parse(&text).unwrap().read(Dialect::GODOT4_6);
    assert_eq!(value["player"]["name"], "Ada \"the\\first\"\n; not a comment\n[not a section]");
    assert_eq!(value["odd ] section"]["typed"].at("1"), Some(&Variant::Int(2)));
    assert_eq!(value[""]["top"].to_string(), "Vector2i(1, 2)");
    assert_eq!(to_config_file(&value, Dialect::GODOT4_6).unwrap(), text);
    // Godot 3 does not escape a bracket in a name, and then cannot read it.
    let text = sample("3.2.3.config.cfg");
    let mut value: Variant = ConfigFile::parse(&text).unwrap().read(Dialect::GODOT3_2);
    value["player"].as_dictionary_mut().unwrap().remove("odd key");
    let again = to_config_file(&value, Dialect::GODOT3_2).unwrap();
    let start = text.find("odd key").unwrap();
    let end = text.find("[pools]").unwrap();
    let mut expected = text.clone();
    expected.replace_range(start..end, "\n");
    assert_eq!(again, expected.replace("[odd ] section]", "[odd \\] section]"));
}

#[test]
fn only_changed_values_are_written() {
    let text = "\u{feff}; head\r\ntop = 1 ; first\r\n\r\n[a]\r\n; about x\r\nx=[ 1,\r\n  2 ] ; list\r\n\"y z\"=\"a;b\"\r\nx=Vector2(1,2)\r\n[b]\r\n";
    let file = ConfigFile::parse(text).unwrap();
    let mut value: Variant = file.read(Dialect::GODOT4);
    assert_eq!(value[""]["top"], 1);
    assert_eq!(value["a"]["x"].to_string(), "Vector2(1, 2)", "the last one counts");
    assert_eq!(value["b"], variant!({}));
    let changed = |value: &Variant| file.with_values(value, Dialect::GODOT4).unwrap();
    assert_eq!(changed(&value), text);
    value["a"]["y z"] = "c".into();
    assert_eq!(changed(&value), text.replace("\"a;b\"", "\"c\""));
    value["b"].as_dictionary_mut().unwrap().insert("new key", 5);
    value.as_dictionary_mut().unwrap().insert("c]", variant!({ "k": null }));
    value[""].as_dictionary_mut().unwrap().remove("top");
    let expected = text.replace("\"a;b\"", "\"c\"").replace("top = 1 ; first\r\n", "");
    let added = "\"new key\"=5\r\n\r\n[c\\]]\r\n\r\nk=null\r\n";
    assert_eq!(changed(&value), format!("{expected}{added}"));
    // What was written is what was meant.
    let again: Variant = ConfigFile::parse(&changed(&value)).unwrap().read(Dialect::GODOT4);
    assert!(again["b"]["new key"] == 5 && again["c]"]["k"].is_nil());
}

#[test]
fn what_is_no_value_is_kept_as_text() {
    let text = "[a]\nicon=Resource(\"res://icon.png\")\nlist=[SubResource(1), {\"a\": 2}]\nb=1\n";
    let file = ConfigFile::parse(text).unwrap();
    assert!(file.faults(Dialect::GODOT3).is_empty(), "references are none");
    let mut value: Variant = file.read(Dialect::GODOT3);
    assert_eq!(value["a"]["icon"]["$text"], "Resource(\"res://icon.png\")");
    value["a"]["b"] = 2.into();
    value["a"]["icon"]["$text"] = "Resource(\"res://other.png\")".into();
    let again = file.with_values(&value, Dialect::GODOT3).unwrap();
    assert_eq!(again, text.replace("b=1", "b=2").replace("icon.png", "other.png"));
    value["a"]["icon"]["$text"] = "1\nb=2".into();
    let error = file.with_values(&value, Dialect::GODOT3).unwrap_err();
    assert_eq!(error.rule().name(), "config_file.value");
    // What is wrong otherwise is a fault with its place.
    let text = "a=1\nb=yes\n";
    let faults = ConfigFile::parse(text).unwrap().faults(Dialect::GODOT4);
    assert_eq!(faults.iter().map(Error::offset).collect::<Vec<_>>(), [6]);
}

#[test]
fn words_of_engines_are_told_apart() {
    let family = |text: &str| ConfigFile::parse(text).unwrap().family();
    assert_eq!(family("a=1\nb=\"x\"\nc=[1, 2.5, true]\n"), None);
    assert_eq!(family("a=Vector2( 1, 2 )\n"), Some(Family::Godot3));
    assert_eq!(family("a=Vector2(1, 2)\n"), Some(Family::Godot4));
    assert_eq!(family("a=Vector2(1, 2)\nb=Vector2( 1, 2 )\n"), None, "of several");
    assert_eq!(family("config_version=4\n"), Some(Family::Godot3));
    assert_eq!(family("[a]\nconfig_version=4\n"), None);
}

#[test]
fn faults_of_a_text_have_a_place() {
    let fault = |text: &str| {
        let error = ConfigFile::parse(text).unwrap_err();
        (error.rule().name(), error.offset())
    };
    let syntax = "config_file.syntax";
    assert_eq!(fault("a=1\nword\n"), (syntax, 4));
    assert_eq!(fault("[a\nb=1\n"), (syntax, 0));
    assert_eq!(fault("a=[1, 2\nb=3\n"), (syntax, 2));
    assert_eq!(fault("a=[1)\n"), (syntax, 4));
    assert_eq!(fault("a=\"b\nc=1\n"), (syntax, 2));
    assert_eq!(fault("a=\nb=1\n"), (syntax, 0));
    assert_eq!(fault("a=; nothing\n"), (syntax, 0));
    assert_eq!(fault("\"a\\"), (syntax, 0));
}

#[test]
fn only_sections_of_keys_become_a_file() {
    let rule = |value: Variant| to_config_file(&value, Dialect::GODOT4).unwrap_err().rule().name();
    assert_eq!(rule(variant!([1])), "config_file.sections");
    assert_eq!(rule(variant!({ "a": 1 })), "config_file.sections");
    assert_eq!(rule(variant!({ 1: {} })), "config_file.sections");
    assert_eq!(rule(variant!({ "a": { 1: 2 } })), "config_file.sections");
    let hole = Variant::Callable;
    assert!(to_config_file(&variant!({ "a": { "b": hole } }), Dialect::GODOT3).is_err());
}

#[test]
fn names_that_no_text_holds_are_refused() {
    let text = "[a]\n\nb=1\n";
    let file = ConfigFile::parse(text).unwrap();
    for value in [variant!({ "a\nb": { "c": 1 } }), variant!({ "a": { "b\0c": 1 } })] {
        let whole = to_config_file(&value, Dialect::GODOT4).unwrap_err();
        let added = file.with_values(&value, Dialect::GODOT4).unwrap_err();
        assert_eq!(
            (whole.rule().name(), added.rule().name()),
            ("config_file.name", "config_file.name")
        );
    }
    let odd = variant!({ "a]b": { "c\nd\"e": 1 } });
    let whole = to_config_file(&odd, Dialect::GODOT4).unwrap();
    let again: Variant = ConfigFile::parse(&whole).unwrap().read(Dialect::GODOT4);
    assert!(again.is_identical(&odd), "{whole}");
}

#[test]
fn cut_and_changed_texts_are_read_or_refused() {
    for (name, dialect) in SAMPLES {
        let text = sample(name);
        let cuts = (0..text.len()).filter(|&at| text.is_char_boundary(at));
        for at in cuts {
            for text in [text[..at].to_owned(), text.replacen(&text[at..at], "\"]", 1)] {
                match ConfigFile::parse(&text) {
                    Ok(file) => {
                        let value: Variant = file.read(dialect);
                        let again = file.with_values(&value, dialect);
                        assert_eq!(again.expect("nothing changed"), text, "{name} at {at}");
                    }
                    Err(error) => assert!(error.offset() <= text.len() as u64, "{error}"),
                }
            }
        }
    }
}
