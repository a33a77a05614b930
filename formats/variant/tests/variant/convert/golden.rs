//! Converts the output of real engines.

use formwork_variant::Variant;
use formwork_variant::frame::ByteOrder;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};
use serde_json::Value;

use crate::cases::{ENGINES, Engine};
use crate::convert::same::{check_to, dialects};

#[test]
fn every_golden_value_converts_to_every_dialect_and_back() {
    for engine in &ENGINES {
        let from = engine.dialect();
        let decoder = Decoder::new(from).allow_objects(true);
        let (mut exact, mut lossy) = (0, 0);
        for case in engine.lines("values.jsonl") {
            let bytes = case.bytes("hex").expect("values have bytes");
            let value: Variant = decoder.decode(&bytes).expect("golden values are read");
            for to in dialects() {
                let losses = check_to(&value, from, to);
                *if losses.is_empty() { &mut exact } else { &mut lossy } += 1;
            }
        }
        println!("{}: {exact} exact, {lossy} with losses", engine.name);
        assert!(exact > 0 && lossy > 0, "{}: {exact} exact, {lossy} with losses", engine.name);
    }
}

/// Converts every input that an engine accepts and writes again to every dialect and back.
fn accepted(engine: &Engine) {
    let from = engine.dialect();
    let (mut exact, mut lossy) = (0, 0);
    let step = formwork_testkit::rounds(7, 1);
    for case in engine.lines("decode.jsonl").into_iter().step_by(step) {
        let decoder = Decoder::new(from).allow_objects(case.flag("allow_objects"));
        let bytes = case.bytes("hex").expect("cases have bytes");
        let Ok((value, _)) = decoder.decode_prefix(&bytes) else { continue };
        // Engines hold some values that they do not write as they are.
        let canonical = Decoder::new(from).allow_objects(true).strictness(Strictness::Canonical);
        let written = Encoder::new(from).encode(&value).and_then(|it| canonical.decode(&it));
        if !written.is_ok_and(|again| again.is_identical(&value)) {
            continue;
        }
        for to in dialects() {
            let losses = check_to(&value, from, to);
            *if losses.is_empty() { &mut exact } else { &mut lossy } += 1;
        }
    }
    println!("{}: {exact} exact, {lossy} with losses", engine.name);
    assert!(
        exact > 10_000 / step && lossy > 0,
        "{}: {exact} exact, {lossy} with losses",
        engine.name
    );
}

/// A test for each engine, side by side.
macro_rules! accepted {
    ($($name:ident: $index:literal)*) => { $(
        #[test]
        fn $name() {
            accepted(&ENGINES[$index]);
        }
    )* };
}

accepted! {
    what_godot_2_accepts_converts_to_every_dialect_and_back: 0
    what_godot_3_2_accepts_converts_to_every_dialect_and_back: 1
    what_godot_3_6_accepts_converts_to_every_dialect_and_back: 2
    what_godot_4_accepts_converts_to_every_dialect_and_back: 3
    what_pandemonium_accepts_converts_to_every_dialect_and_back: 4
}

/// The values of a golden save.
fn values(engine: &Engine, file: &str) -> Vec<Variant> {
    let bytes = std::fs::read(engine.file("files").join(file)).expect("golden files are there");
    let decoder = Decoder::new(engine.dialect()).allow_objects(true);
    decoder.decode_frames(&bytes, ByteOrder::Little).collect::<Result<_, _>>().expect("values")
}

/// The JSON of a value with the names of types as Godot 4 has them.
fn json(value: &Variant, dialect: Dialect) -> Value {
    let parsed = serde_json::from_str(&to_json(value, dialect, Style::Compact)).expect("JSON");
    renamed(parsed, dialect)
}

fn renamed(value: Value, dialect: Dialect) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let type_named = |name: &str| dialect.type_named(name).map(|it| it.name());
                let name = match name.strip_prefix('$').and_then(type_named) {
                    // An array with an element type, in Pandemonium.
                    Some("TypedArray") => "$Array".to_owned(),
                    Some(name) => format!("${name}"),
                    None => name,
                };
                (name, renamed(value, dialect))
            });
            Value::Object(fields.collect())
        }
        Value::Array(values) => {
            Value::Array(values.into_iter().map(|value| renamed(value, dialect)).collect())
        }
        leaf => leaf,
    }
}

#[test]
fn golden_saves_are_the_same_json_in_every_engine() {
    let mut same = 0;
    for engine in &ENGINES {
        let from = engine.dialect();
        for file in ["small.save", "big.save", "multi.save"] {
            for value in values(engine, file) {
                for target in &ENGINES {
                    let to = target.dialect();
                    let losses = check_to(&value, from, to);
                    if !losses.is_empty() {
                        continue;
                    }
                    let converter = formwork_edit::convert::Converter::new(from, to);
                    let converted = converter.convert(value.clone()).exact().expect("no losses");
                    assert_eq!(json(&converted, to), json(&value, from), "{file} {from} {to}");
                    same += 1;
                }
            }
        }
    }
    println!("{same} values the same");
    assert!(same >= 200, "{same}");
}
