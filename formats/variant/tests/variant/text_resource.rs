//! Resources and scenes as text: `.tres`, `.tscn`.

use formwork_godot::config_file::ConfigFile;
use formwork_variant::{Dialect, Variant, variant};

use crate::cases::formats;

const SAVE: &str = r#"[gd_resource type="Resource" script_class="Save" load_steps=3 format=3 uid="uid://b1"]

[ext_resource type="Script" path="res://save.gd" id="1_ab"]

[sub_resource type="Resource" id="Resource_x1"]
script = ExtResource("1_ab")
type = 2
name = &"sword"

[resource]
script = ExtResource("1_ab")
gold = 273
items = Array[ExtResource("1_ab")]([SubResource("Resource_x1"),  null])
"inventory size" = 3
metadata/note = "two
lines ; [no heading]"
bag = {
"a": 1.50,
"b": SubResource("Resource_x1")
}
empty = null
"#;

const SCENE: &str = r#"[gd_scene load_steps=3 format=2]

[ext_resource path="res://a.gd" type="Script" id=1]

[sub_resource type="RectangleShape2D" id=1]
extents = Vector2( 10, 20 )

[node name="Main" type="Node2D"]
script = ExtResource( 1 )

[node name="Player" type="Area2D" parent="."]
position = Vector2( 1, 2 )

[node name="Shape" type="CollisionShape2D" parent="Player" groups=[
"hit",
]]
shape = SubResource( 1 )

[connection signal="pressed" from="Player" to="." method="_on_pressed" binds= [ 1 ]]
[connection signal="pressed" from="Player" to="." method="_other"]

[editable path="Player"]
"#;

fn parse(text: &str) -> ConfigFile<'_> {
    ConfigFile::parse_resource(text).unwrap()
}

fn changed(text: &str, change: impl FnOnce(&mut Variant)) -> String {
    let file = parse(text);
    let dialect = file.dialect().unwrap();
    let mut value: Variant = file.read(dialect);
    change(&mut value);
    file.with_values(&value, dialect).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn values_stand_at_paths() {
    let (file, dialect) = (parse(SAVE), Dialect::GODOT4);
    assert_eq!(file.dialect(), Some(dialect));
    assert_eq!((file.faults(dialect), file.misread()), (vec![], vec![]));
    let value: Variant = file.read(dialect);
    assert_eq!(value["gd_resource"]["script_class"], "Save");
    assert_eq!(value["gd_resource"]["load_steps"], 3);
    assert_eq!(value["ext_resource"]["1_ab"]["path"], "res://save.gd");
    let sub = &value["sub_resource"]["Resource_x1"];
    assert_eq!((&sub["@type"], &sub["type"]), (&"Resource".into(), &2.into()));
    assert!(matches!(sub["name"], Variant::StringName(_)));
    assert_eq!(sub["script"]["$text"], "ExtResource(\"1_ab\")");
    let own = &value["resource"];
    assert_eq!((&own["gold"], &own["inventory size"]), (&273.into(), &3.into()));
    assert_eq!(own["metadata/note"], "two\nlines ; [no heading]");
    assert_eq!(own["items"].at("0").unwrap()["$text"], "SubResource(\"Resource_x1\")");
    assert!(own["empty"].is_nil(), "a property may be null");

    let (file, dialect) = (parse(SCENE), Dialect::GODOT3);
    assert_eq!(file.dialect(), Some(dialect));
    assert_eq!((file.faults(dialect), file.misread()), (vec![], vec![]));
    let value: Variant = file.read(dialect);
    assert_eq!(value["node"]["."]["@type"], "Node2D");
    assert_eq!(value["node"]["Player"]["position"].to_string(), "Vector2(1, 2)");
    assert_eq!(value["node"]["Player/Shape"]["shape"]["$text"], "SubResource( 1 )");
    assert_eq!(value["node"]["Player/Shape"]["@groups"], variant!(["hit"]));
    assert_eq!(value["sub_resource"]["1"]["extents"].to_string(), "Vector2(10, 20)");
    assert_eq!(value["connection"]["Player:pressed->.:_on_pressed"]["binds"], variant!([1]));
    assert_eq!(value["editable"]["Player"], variant!({}));
    let kinds = file.kinds();
    assert_eq!(kinds.iter().find(|it| it.0 == "node").unwrap().1, 3);
}

#[test]
fn every_byte_that_does_not_change_stays() {
    for text in [SAVE, SCENE] {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            assert_eq!(changed(&text, |_| ()), text);
        }
    }
    let new = changed(SAVE, |value| {
        value["resource"]["gold"] = 9999.into();
        value["resource"]["bag"]["b"] = variant!({ "$text": "ExtResource(\"1_ab\")" });
        value["sub_resource"]["Resource_x1"]["type"] = 5.into();
        value["sub_resource"]["Resource_x1"]["@type"] = "Item".into();
        value["gd_resource"]["script_class"] = "Slot".into();
    });
    let expected = SAVE
        .replace("gold = 273", "gold = 9999")
        .replace("\"b\": SubResource(\"Resource_x1\")", "\"b\": ExtResource(\"1_ab\")")
        .replace("\ntype = 2", "\ntype = 5")
        .replace("[sub_resource type=\"Resource\"", "[sub_resource type=\"Item\"")
        .replace("script_class=\"Save\"", "script_class=\"Slot\"");
    assert_eq!(new, expected);
    // A whole list is written anew with its declared type, which is a reference.
    let new = changed(SAVE, |value| value["resource"]["items"].as_array_mut().unwrap().clear());
    let old = "Array[ExtResource(\"1_ab\")]([SubResource(\"Resource_x1\"),  null])";
    assert_eq!(new, SAVE.replace(old, "Array[ExtResource(\"1_ab\")]([])"));
    let new = changed(SCENE, |value| {
        value["node"]["Player"]["position"] =
            Variant::Vector2(formwork_variant::Vector2::new(3.0, 4.0));
        value["connection"]["Player:pressed->.:_on_pressed"]["binds"] = variant!([2]);
    });
    assert_eq!(new, SCENE.replace("( 1, 2 )\n\n", "( 3, 4 )\n\n").replace("[ 1 ]]", "[ 2 ]]"));
}

#[test]
fn keys_and_sections_are_added_and_removed() {
    let dictionary = |value: &mut Variant, path: [&str; 2]| -> Variant {
        value[path[0]].as_dictionary_mut().unwrap().remove(path[1]).unwrap()
    };
    let new = changed(SAVE, |value| {
        dictionary(value, ["resource", "inventory size"]);
        value["resource"].as_dictionary_mut().unwrap().insert("new key", 1);
        value["gd_resource"].as_dictionary_mut().unwrap().remove("uid");
        value["sub_resource"]["Resource_x1"].as_dictionary_mut().unwrap().insert("@x", 1);
    });
    let expected = SAVE
        .replace("\"inventory size\" = 3\n", "")
        .replace("empty = null\n", "empty = null\n\"new key\" = 1\n")
        .replace(" uid=\"uid://b1\"]", "]")
        .replace("id=\"Resource_x1\"]", "id=\"Resource_x1\" x=1]");
    assert_eq!(new, expected);
    let new = changed(SCENE, |value| {
        dictionary(value, ["node", "Player/Shape"]);
        dictionary(value, ["connection", "Player:pressed->.:_other"]);
        let sub = variant!({ "@type": "CircleShape2D", "radius": 5.0 });
        value["sub_resource"].as_dictionary_mut().unwrap().insert("2", sub);
        let external = variant!({ "path": "res://b.gd", "type": "Script" });
        value["ext_resource"].as_dictionary_mut().unwrap().insert("2", external);
        let node = variant!({ "@type": "Sprite", "visible": false });
        value["node"].as_dictionary_mut().unwrap().insert("Player/Sprite", node);
        let connection = variant!({ "flags": 3 });
        value["connection"].as_dictionary_mut().unwrap().insert("A:b->C/D:e", connection);
    });
    let expected = r#"[gd_scene load_steps=3 format=2]

[ext_resource path="res://a.gd" type="Script" id=1]
[ext_resource path="res://b.gd" type="Script" id=2]

[sub_resource type="RectangleShape2D" id=1]
extents = Vector2( 10, 20 )

[sub_resource type="CircleShape2D" id=2]
radius = 5.0

[node name="Main" type="Node2D"]
script = ExtResource( 1 )

[node name="Player" type="Area2D" parent="."]
position = Vector2( 1, 2 )

[node name="Sprite" type="Sprite" parent="Player"]
visible = false

[connection signal="pressed" from="Player" to="." method="_on_pressed" binds= [ 1 ]]
[connection signal="b" from="A" to="C/D" method="e" flags=3]

[editable path="Player"]
"#;
    assert_eq!(new, expected);
}

#[test]
fn faults_have_a_place() {
    let fault = |text: &str| {
        let error = ConfigFile::parse_resource(text).unwrap_err();
        (error.rule().name(), error.offset())
    };
    assert_eq!(fault("[resource]\na = 1\n"), ("config_file.syntax", 0));
    assert_eq!(fault("\u{feff}[gd_resource]\na = 1\n"), ("config_file.syntax", 0));
    assert_eq!(fault("[gd_resource type=]\n"), ("config_file.syntax", 18));
    assert_eq!(fault("[gd_resource type=\"A\"\n"), ("config_file.syntax", 22));
    assert_eq!(fault("[gd_resource]\n<<<<<<< HEAD\n"), ("config_file.conflict", 14));
    let text = SAVE.replace("gold = 273", "gold = SubResource(\"2\")");
    let faults = parse(&text).faults(Dialect::GODOT4);
    let [lost] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!(
        (lost.rule().name(), lost.path().to_string()),
        ("config_file.reference", "resource.gold".into())
    );
    assert_eq!(lost.offset(), text.find("SubResource(\"2\")").unwrap() as u64);
    // A heading that engines do not write twice.
    let twice = format!("{SCENE}\n[node name=\"Player\" parent=\".\"]\nz = 1\n");
    let value: Variant = parse(&twice).read(Dialect::GODOT3);
    assert_eq!(value["node"]["Player (2)"]["z"], 1);
    assert_eq!(changed(&twice, |_| ()), twice);
}

#[test]
fn what_a_text_cannot_hold_is_refused() {
    let error = |change: &dyn Fn(&mut Variant)| {
        let file = parse(SAVE);
        let mut value: Variant = file.read(Dialect::GODOT4);
        change(&mut value);
        file.with_values(&value, Dialect::GODOT4).unwrap_err().rule().name()
    };
    let insert = |value: &mut Variant, kind: &str, id: &str| {
        let kinds = value.as_dictionary_mut().unwrap();
        let inside =
            Variant::Dictionary(std::iter::once((id.into(), variant!({ "a": 1 }))).collect());
        kinds.insert(kind, inside);
    };
    assert_eq!(error(&|value| insert(value, "other", "1")), "config_file.name");
    assert_eq!(error(&|value| insert(value, "connection", "1")), "config_file.name");
    assert_eq!(error(&|value| insert(value, "node", ".")), "config_file.name");
    let text = |text: &str| variant!([{ "$text": text }]);
    assert_eq!(error(&|value| value["resource"]["gold"] = text("1, 2")), "config_file.value");
    let field = |value: &mut Variant| {
        value["gd_resource"].as_dictionary_mut().unwrap().insert("a b", 1);
    };
    assert_eq!(error(&field), "config_file.name");
}

#[test]
fn scenes_of_engines_are_read() {
    for engine in ["godot3", "godot4"] {
        let text = std::fs::read_to_string(formats().join("pack").join(engine).join("main.tscn"));
        let text = text.expect("the sample is there");
        let file = parse(&text);
        assert_eq!(file.faults(file.dialect().unwrap()), [], "{engine}");
        assert_eq!(changed(&text, |_| ()), text, "{engine}");
    }
}

#[test]
fn cut_texts_are_read_or_refused() {
    for text in [SAVE, SCENE] {
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            match ConfigFile::parse_resource(&text[..at]) {
                Ok(_) => assert_eq!(changed(&text[..at], |_| ()), text[..at]),
                Err(error) => assert!(error.offset() <= at as u64, "{error}"),
            }
        }
    }
}
