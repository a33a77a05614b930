//! All views report a fault with the same path.

use formwork_edit::convert::{Converter, LossKind};
use formwork_variant::json::{Json, Style, from_json, from_native_json, to_native_json};
use formwork_variant::text::from_text;
use formwork_variant::{Array, FullObject, Object, Vector2i};
use formwork_variant::{Decoder, Dialect, Error, Limits, Strictness, Variant, to_vec};

/// The path of the value that no view accepts.
const PATH: &str = "dictionary[0].value.object.properties[1].array[1]";

/// A dictionary, an object and an array around a value.
fn around(value: Variant) -> Variant {
    let array = Variant::Array(Array::from(vec![Variant::Nil, value]));
    let properties = vec![("x".into(), Variant::Nil), ("p".into(), array)];
    let object = FullObject { class: "Node".into(), properties };
    let pair = ("a".into(), Variant::Object(Object::Full(Box::new(object))));
    Variant::Dictionary(vec![pair].into())
}

#[test]
fn a_value_that_is_not_to_be_had_has_one_path_in_every_view() {
    // Godot 3 has no such type.
    let vector = around(Vector2i::new(1, 2).into());
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut of = |view, error: Error| found.push((view, error.path().to_string()));
    of("encoder", to_vec(&vector, Dialect::GODOT3).unwrap_err());
    of("serde", formwork_variant::serde::to_vec(&vector, Dialect::GODOT3).unwrap_err());
    // Godot 4 has no such type.
    let image = around(Variant::Image(Box::default()));
    of("native, written", to_native_json(&image, Style::Compact).unwrap_err());
    let text = "{\"a\": Object(Node,\"x\":null,\"p\":[null, Vector5(1)])}";
    of("text", from_text(&text.into(), Dialect::GODOT4).unwrap_err());
    let json = r#"{"a":{"$Object":{"class":"Node","properties":[["x",null],["p",[null,{"$Vector5":1}]]]}}}"#;
    of("json", from_json(json.as_bytes(), Dialect::GODOT4).unwrap_err());
    let json = r#"{"type":"Dictionary","args":["s:a",{"type":"Node","props":["s:x",null,"p",[null,"v:1"]]}]}"#;
    of("native, read", from_native_json(json.replace("s:x", "x").as_bytes()).unwrap_err());
    let mut bytes = to_vec(&around(Variant::Callable), Dialect::GODOT4).unwrap();
    let last = bytes.len() - 4;
    bytes[last] = 99;
    let decoder = Decoder::new(Dialect::GODOT4).allow_objects(true);
    of("decoder", decoder.decode(&bytes).unwrap_err());
    of("serde, read", decoder.deserialize::<Variant>(&bytes).unwrap_err());

    let conversion = Converter::new(Dialect::GODOT4, Dialect::GODOT3).convert(vector);
    let loss = conversion.losses().iter().find(|loss| loss.kind == LossKind::Type).unwrap();
    found.push(("convert", loss.path.to_string()));
    for (view, path) in &found {
        assert_eq!(path, PATH, "{view}");
    }
    assert_eq!(found.len(), 9);
}

#[test]
fn what_is_too_deep_has_one_path_in_every_view() {
    let value = around(Variant::Int(7));
    let limits = Limits::default().depth(2);
    let encoder = formwork_variant::Encoder::new(Dialect::GODOT4);
    let bytes = encoder.encode(&value).unwrap();
    let decoder = Decoder::new(Dialect::GODOT4).allow_objects(true).limits(limits);
    let json = Json::lossless(Dialect::GODOT4);
    let text = json.to_string(&value).unwrap();
    let native = Json::native().to_string(&value).unwrap();
    // The array has the second element of these as its first: null is not too deep to be told from it.
    let first = PATH.replace("array[1]", "array[0]");
    for (view, error) in [
        ("encoder", encoder.limits(limits).encode(&value).unwrap_err()),
        ("serde", encoder.limits(limits).serialize(&value).unwrap_err()),
        ("decoder", decoder.decode(&bytes).unwrap_err()),
        ("serde, read", decoder.deserialize::<Variant>(&bytes).unwrap_err()),
        ("json", json.limits(limits).read(text.as_bytes()).unwrap_err()),
        ("native, read", Json::native().limits(limits).read(native.as_bytes()).unwrap_err()),
    ] {
        assert_eq!(error.rule(), formwork_variant::Rule::DEPTH_LIMIT, "{view}");
        assert_eq!(error.path().to_string(), first, "{view}");
    }
}

#[test]
fn a_key_that_comes_twice_has_one_path_in_every_view() {
    let pair = || (Variant::from("a"), Variant::Nil);
    let twice = Variant::Array(vec![Variant::Dictionary(vec![pair(), pair()].into())].into());
    let path = "array[0].dictionary[1].key";
    for (view, error) in [
        ("encoder", to_vec(&twice, Dialect::GODOT4).unwrap_err()),
        ("serde", formwork_variant::serde::to_vec(&twice, Dialect::GODOT4).unwrap_err()),
        ("json", from_json(&br#"[{"a":null,"a":null}]"#[..], Dialect::GODOT4).unwrap_err()),
    ] {
        assert_eq!(error.path().to_string(), path, "{view}");
    }
}

/// Decoder and encoder recurse a fixed number of levels deep and then go on without; objects they never recurse into.
#[test]
fn a_fault_has_the_path_of_all_levels_however_deep_it_is() {
    let dialect = Dialect::GODOT4;
    for with_objects in [false, true] {
        let nest = |depth: u32, innermost: Variant| {
            (0..depth).fold(innermost, |value, level| match level % 3 {
                0 => Variant::Array(vec![Variant::Nil, value].into()),
                1 if with_objects => {
                    let properties = vec![("p".into(), Variant::Nil), ("q".into(), value)];
                    let object = FullObject { class: "Node".into(), properties };
                    Variant::Object(Object::Full(Box::new(object)))
                }
                _ => {
                    let pairs = vec![("a".into(), Variant::Nil), ("b".into(), value)];
                    Variant::Dictionary(pairs.into())
                }
            })
        };
        let path = |depth: u32, rest: &str| {
            let step = |level| match level % 3 {
                0 => "array[1]",
                1 if with_objects => "object.properties[1]",
                _ => "dictionary[1].value",
            };
            let steps = (0..depth).rev().map(step).chain((!rest.is_empty()).then_some(rest));
            steps.collect::<Vec<_>>().join(".")
        };
        let decoder = Decoder::new(dialect).allow_objects(true);
        let canonical = decoder.strictness(Strictness::Canonical);
        // (Printed paths leave steps out where they have more.)
        for depth in 0..18 {
            // Godot 4 has no such type.
            let error = to_vec(&nest(depth, Variant::Image(Box::default())), dialect).unwrap_err();
            assert_eq!(error.path().to_string(), path(depth, ""), "encoder");

            let value = nest(depth, Variant::Bool(true));
            let bytes = to_vec(&value, dialect).unwrap();
            assert_eq!(canonical.decode(&bytes).unwrap(), value);
            let cut = decoder.decode(&bytes[..bytes.len() - 1]).unwrap_err();
            assert_eq!(cut.path().to_string(), path(depth, "bool"), "cut");
            assert_eq!(cut.needed(), Some(1), "{depth}");
            let mut odd = bytes.clone();
            *odd.iter_mut().nth_back(3).unwrap() = 2;
            let error = canonical.decode(&odd).unwrap_err();
            assert_eq!(error.path().to_string(), path(depth, "bool"), "canonical");

            // The second key becomes the first one's.
            let pairs = vec![("k".into(), Variant::Int(1)), ("j".into(), Variant::Int(2))];
            let mut bytes =
                to_vec(&nest(depth, Variant::Dictionary(pairs.into())), dialect).unwrap();
            *bytes.iter_mut().rfind(|byte| **byte == b'j').unwrap() = b'k';
            let once = vec![("k".into(), Variant::Int(2))];
            let expected = nest(depth, Variant::Dictionary(once.into()));
            assert_eq!(decoder.decode(&bytes).unwrap(), expected, "{depth}");
            let error = canonical.decode(&bytes).unwrap_err();
            assert_eq!(error.rule().to_string(), "dictionary.keys", "{depth}");
            let found = error.path().to_string();
            assert!(found.starts_with(&path(depth, "dictionary[")), "{found}");
        }
    }
}
