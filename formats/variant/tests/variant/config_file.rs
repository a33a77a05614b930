//! ConfigFile text, saved by engines and written by hand.

use formwork_godot::config_file::{ConfigFile, section_for, to_config_file};
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
        // Godot 3.2.3 cannot read all of its own output: it quotes no key and escapes no bracket.
        let own = [
            "a key has no blanks; the engine reads `oddkey`",
            "a key goes on over lines up to its `=`; the engine reads `section]event`",
        ];
        let is_own = name == "3.2.3.config.cfg";
        assert_eq!(file.faults(dialect).len(), usize::from(is_own), "{name}");
        let misread: Vec<_> = file.misread().into_iter().map(|it| it.says).collect();
        let own = if is_own { &own[..] } else { &[] };
        assert_eq!(misread, own, "{name}");
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
    value["player"].as_dictionary_mut().unwrap().remove("oddkey");
    let again = to_config_file(&value, Dialect::GODOT3_2).unwrap();
    let start = text.find("odd key").unwrap();
    let end = text.find("[pools]").unwrap();
    let mut expected = text.clone();
    expected.replace_range(start..end, "\n");
    let odd = ("[odd ] section]\n\nevent", "[odd]\n\n\"section]event\"");
    assert_eq!(again, expected.replace(odd.0, odd.1));
}

#[test]
fn only_changed_values_are_written() {
    let text = "; head\r\ntop = 1 ; first\r\n\r\n[a]\r\n; about x\r\nx=[ 1,\r\n  2 ] ; list\r\n\"y z\"=\"a;b\"\r\nx=Vector2(1,2)\r\n[b]\r\n";
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
    value.as_dictionary_mut().unwrap().insert("c]", variant!({ "k": 0 }));
    value[""].as_dictionary_mut().unwrap().remove("top");
    let expected = text.replace("\"a;b\"", "\"c\"").replace("top = 1 ; first\r\n", "");
    let added = "\"new key\"=5\r\n\r\n[c\\]]\r\n\r\nk=0\r\n";
    assert_eq!(changed(&value), format!("{expected}{added}"));
    // What was written is what was meant.
    let again: Variant = ConfigFile::parse(&changed(&value)).unwrap().read(Dialect::GODOT4);
    assert!(again["b"]["new key"] == 5 && again["c]"]["k"] == 0);
}

#[test]
fn what_is_no_value_is_kept_as_text() {
    let text = "[a]\nicon=Resource(\"res://icon.png\")\nlist=[SubResource(1), {\"a\": 2}]\nb=1\n";
    let file = ConfigFile::parse(text).unwrap();
    assert!(file.faults(Dialect::GODOT3).is_empty(), "references are none");
    let mut value: Variant = file.read(Dialect::GODOT3);
    assert_eq!(value["a"]["icon"]["$text"], "Resource(\"res://icon.png\")");
    assert_eq!(
        value["a"]["list"].at("1").unwrap()["a"],
        2,
        "what stands beside a reference is read"
    );
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
    for value in [variant!({ " a": { "c": 1 } }), variant!({ "a": { "b\0c": 1 } })] {
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

/// Returns what the engine reads: the sections, each with its keys and the texts of their values.
fn read(text: &str) -> String {
    let value: Variant = ConfigFile::parse(text).unwrap().read(Dialect::GODOT3);
    value.to_string().replace('\n', "")
}

/// As Godot 3.2.3 reads the same bytes (`ConfigFile.load`, `get_sections`, `get_section_keys`).
#[test]
fn keys_are_those_that_the_engine_reads() {
    for (text, expected) in [
        ("[a]\n=5\nx=1\n", r#"{"a": {"x": 1}}"#),
        ("[a]\nx=1\n[]\ny=2\n", r#"{"a": {"x": 1,"y": 2}}"#),
        ("[a]b]\nx=1\n", r#"{"a": {"b]x": 1}}"#),
        ("[a] x=1\n", r#"{"a": {"x": 1}}"#),
        ("[a]\nfoo\nbar=1\nz=2\n", r#"{"a": {"foobar": 1,"z": 2}}"#),
        ("[a]\nabc\"d ef\"=1\n\"a\"b=2\n\"k\" \"l\"=3\n", r#"{"a": {"ab": 2,"d ef": 1,"l": 3}}"#),
        ("[a]\na ; c\nb=1\n", r#"{"a": {"ab": 1}}"#),
        ("[a]\nx=1\nfoo", r#"{"a": {"x": 1}}"#),
        ("[a]\nx=\n\n5\ny= ; c\n6\n", r#"{"a": {"x": 5,"y": 6}}"#),
        ("[a]\n\u{e9}=1\n\"\u{f6}\"=2\n", "{\"a\": {\"\u{c3}\u{a9}\": 1,\"\u{f6}\": 2}}"),
        ("[a]\nx=1\nx=null\ny=null\nz=2\n", r#"{"a": {"z": 2}}"#),
        (
            "[a]\nx=1y=2\nz=1.5.6=3\nv=0x10=4\n",
            r#"{"a": {".6": 3,"v": 0,"x": 1,"x10": 4,"y": 2,"z": 1.5}}"#,
        ),
        (
            "[a]\nx=true b=1 c=null d=[1] e={} f=\"s\"g=#ff0000 i=4\n",
            r#"{"a": {"b": 1,"d": [1],"e": {},"f": "s","g": Color(1, 0, 0, 1),"i": 4,"x": true}}"#,
        ),
        ("[a]\r\nx=1\r\ny = 2\r\n", r#"{"a": {"x": 1,"y": 2}}"#),
        ("[a]\nx=[1,2\n; c\n,3,]\ny={\"a\":1,}\n", r#"{"a": {"x": [1, 2, 3],"y": {"a": 1}}}"#),
        ("\u{feff}[a]\nx=1\n", "{\"\": {\"\u{ef}\u{bb}\u{bf}[a]x\": 1}}"),
        ("# comment\n[a]\nx=1\n", r##"{"": {"#comment[a]x": 1}}"##),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn what_the_engine_reads_otherwise_is_said() {
    let says = |text: &str| {
        let misread = ConfigFile::parse(text).unwrap().misread();
        misread.into_iter().map(|it| format!("{}: {}", it.offset, it.says)).collect::<Vec<_>>()
    };
    assert_eq!(says("[a]\nx=1 y=2\n\"k l\"=3;x\nz = 4\n[b]\n"), [""; 0]);
    assert_eq!(
        says("x=1,\ny=2,"),
        [
            "3: `,` belongs to the next key; the engine reads `,y`",
            "8: `,` has no `=` behind it; the engine leaves it out",
        ]
    );
    assert_eq!(
        says("a b=1\nc\nd=2\ne#=3\n"),
        [
            "0: a key has no blanks; the engine reads `ab`",
            "6: a key goes on over lines up to its `=`; the engine reads `cd`",
        ]
    );
    assert_eq!(
        says("#a=1\n//b=2\n\u{e9}=3\n"),
        [
            "0: `#` begins no comment, as `;` does; the engine reads `#a`",
            "5: `//` begins no comment, as `;` does; the engine reads `//b`",
            "11: a key with other letters than A to Z needs quotation marks; the engine reads `\u{c3}\u{a9}`",
        ]
    );
    assert_eq!(
        says("=1\n[]\nx=1\n"),
        [
            "0: the engine leaves out a value without a key",
            "3: a heading without a name begins no section",
        ]
    );
}

#[test]
fn a_number_does_not_melt_into_the_key_after_it() {
    let text = "[a]\nx=\"text\"e5=3\ny=nil\"z\"e=4\n";
    let file = ConfigFile::parse(text).unwrap();
    let mut value: Variant = file.read(Dialect::GODOT4);
    assert_eq!(value["a"]["e5"], 3);
    value["a"]["x"] = 7.into();
    let new = file.with_values(&value, Dialect::GODOT4).unwrap();
    assert_eq!(new, text.replace("\"text\"", "7 "));
    let again: Variant = ConfigFile::parse(&new).unwrap().read(Dialect::GODOT4);
    assert!(again.is_identical(&value), "{again:?}");
    // So does a key that is new.
    let text = "[a]\nx=7\n[b]\ny=\"text\"e5";
    let file = ConfigFile::parse(text).unwrap();
    let mut value: Variant = file.read(Dialect::GODOT4);
    value["b"].as_dictionary_mut().unwrap().insert("new", Variant::from(-7));
    let new = file.with_values(&value, Dialect::GODOT4).unwrap();
    assert_eq!(new, "[a]\nx=7\n[b]\ny=\"text\"\nnew=-7 e5");
    let again: Variant = ConfigFile::parse(&new).unwrap().read(Dialect::GODOT4);
    assert!(again.is_identical(&value), "{again:?}");
}

#[test]
fn every_other_byte_stays() {
    let text = "[a]\nx=1,\ny=[1.50, { \"k\" : 2.00 ; c\n}, \"s\"]\nn=null z=5 ; five\n[b] q=1\n";
    let file = ConfigFile::parse(text).unwrap();
    let old: Variant = file.read(Dialect::GODOT4);
    let changed = |change: &dyn Fn(&mut Variant)| {
        let mut value = old.clone();
        change(&mut value);
        file.with_values(&value, Dialect::GODOT4).map_err(|error| error.to_string())
    };
    let section =
        |value: &mut Variant, name: &str| value[name].as_dictionary_mut().unwrap().clone();
    assert_eq!(section(&mut old.clone(), "a").len(), 3);
    // An element deep in a value.
    let deep = changed(&|value| value["a"][",y"].at_mut("1").unwrap()["k"] = 3.5.into());
    assert_eq!(deep.unwrap(), text.replace("2.00", "3.5"));
    // A new element, and a new key in a Dictionary.
    let longer = changed(&|value| {
        value["a"][",y"].as_array_mut().unwrap().push(7.into());
    });
    assert_eq!(longer.unwrap(), text.replace("\"s\"]", "\"s\", 7]"));
    // A new key does not take the comma that belongs to the next one.
    let added = changed(&|value| {
        value["b"].as_dictionary_mut().unwrap().insert("r", 2);
        value["a"].as_dictionary_mut().unwrap().insert("n", 6);
    });
    assert_eq!(added.unwrap(), text.replace("n=null", "n=6").replace("q=1\n", "q=1\nr=2\n"));
    // A pair that is removed takes nothing else along.
    let removed = changed(&|value| drop(value["a"].as_dictionary_mut().unwrap().remove("z")));
    assert_eq!(removed.unwrap(), text.replace(" z=5", ""));
    let removed = changed(&|value| drop(value["a"].as_dictionary_mut().unwrap().remove("x")));
    assert_eq!(removed.unwrap(), text.replace("x=1", ""));
    // The engine would erase it.
    let erased = changed(&|value| value["a"]["x"] = Variant::Nil).unwrap_err();
    assert!(erased.contains("remove the key instead"), "{erased}");
    // A key that would melt into a text behind which nothing stands is refused.
    let left = ConfigFile::parse("[a]\nx=1\nword\n").unwrap();
    let mut value: Variant = left.read(Dialect::GODOT4);
    value.as_dictionary_mut().unwrap().insert("b", variant!({ "c": 1 }));
    let error = left.with_values(&value, Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule().name(), "config_file.name");
}

#[test]
fn words_of_two_engines_are_named() {
    let mixed = |text: &str| {
        let file = ConfigFile::parse(text).unwrap();
        let words: Vec<_> = file.mixed_words().iter().map(|it| it.word.to_owned()).collect();
        (words.join(" "), file.family())
    };
    let both = "a=PoolStringArray(\"x\")\nb=PackedStringArray(\"x\")\n";
    assert_eq!(mixed(both), ("PoolStringArray PackedStringArray".into(), Some(Family::Godot4)));
    assert_eq!(mixed("a=Vector2( 1, 2 )\nb=Vector2(1, 2)\n"), (String::new(), None));
    assert_eq!(mixed("a=[key(Space)]\nb=&\"x\"\n").1, None);
}

#[test]
fn events_of_godot_2_are_read() {
    let text = "[input]\n\njump=[key(Space), jbutton(0, 1)]\n";
    let file = ConfigFile::parse(text).unwrap();
    assert_eq!(file.dialect(), Some(Dialect::GODOT2));
    assert_eq!(file.faults(Dialect::GODOT2), []);
    let mut value: Variant = file.read(Dialect::GODOT2);
    assert_eq!(value["input"]["jump"].at("0").unwrap()["$text"], "key(Space)");
    value["input"]["jump"].at_mut("0").unwrap()["$text"] = "key(Return)".into();
    let new = file.with_values(&value, Dialect::GODOT2).unwrap();
    assert_eq!(new, text.replace("Space", "Return"));
    assert_eq!(file.faults(Dialect::GODOT3).len(), 1, "only Godot 2 reads them");
}

#[test]
fn markers_of_a_conflict_are_named() {
    for text in ["[a]\n<<<<<<< HEAD\nx=1\n", "[a]\nx={\n>>>>>>> b\n}\n", "||||||| base\n"] {
        assert_eq!(ConfigFile::parse(text).unwrap_err().rule().name(), "config_file.conflict");
    }
    assert!(ConfigFile::parse("x=\"\n<<<<<<< \"\n").is_ok(), "in a text they are text");
}

#[test]
fn config_files_are_told_from_others() {
    for (text, called_so, is_one) in [
        ("[a]\nx=Vector2(1, 2)\n", false, true),
        ("# c\n[a]\nx=1\n", true, true),
        ("class Layers\n{\n  class grass\n  {\n    texture = \"\";\n  };\n};\n", true, false),
        (
            "hostname = \"x\"; // c\nmaxPlayers = 60;\nclass Missions\n{\n class DayZ { template=\"a\"; };\n};\n",
            true,
            false,
        ),
        ("// a comment\nhostname = \"x\";\n", true, false),
        ("name = foo\nroot = bar\n", true, false),
        ("[a]\nx=foo\n", true, true),
        ("[a]\nx=foo\n", false, false),
        ("; nothing yet\n", true, true),
        ("bind w +forward\n", true, false),
        ("[a]\nx=[1, 2\n", true, true),
    ] {
        assert_eq!(ConfigFile::is_one(text, called_so), is_one, "{text}");
    }
}

#[test]
fn the_section_of_a_new_key_is_added_once_and_found_in_its_path() {
    let rows = [
        ("a/key", "a/key", variant!({ "a": { "x": 1 }, "b/c": {} })),
        ("new/key", "new/key", variant!({ "a": { "x": 1 }, "b/c": {}, "new": {} })),
        ("key", "\"\"/key", variant!({ "a": { "x": 1 }, "b/c": {}, "": {} })),
        ("b/c/key", "\"b/c\"/key", variant!({ "a": { "x": 1 }, "b/c": {} })),
        ("b/d/key", "b/d/key", variant!({ "a": { "x": 1 }, "b/c": {}, "b": {} })),
        ("\"b/c\"/key", "\"b/c\"/key", variant!({ "a": { "x": 1 }, "b/c": {} })),
        ("\"n/m\"/key", "\"n/m\"/key", variant!({ "a": { "x": 1 }, "b/c": {}, "n/m": {} })),
        ("\"\"/key", "\"\"/key", variant!({ "a": { "x": 1 }, "b/c": {}, "": {} })),
    ];
    for (path, expected, value) in rows {
        let mut values: [Variant; 1] = [variant!({ "a": { "x": 1 }, "b/c": {} })];
        for _ in 0..2 {
            assert_eq!(section_for(&mut values, path), expected, "{path}");
            assert!(values[0].is_identical(&value), "{path}: {}", values[0]);
        }
    }
    // Of what is no ConfigFile nothing is changed.
    let mut values: [Variant; 1] = [variant!([1])];
    assert_eq!(section_for(&mut values, "a/key"), "a/key");
    assert_eq!(values, [variant!([1])]);
}
