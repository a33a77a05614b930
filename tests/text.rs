//! The text form against what the real engines printed.

#[path = "golden/cases.rs"]
#[allow(dead_code, reason = "shared with the golden tests, which use the rest")]
mod cases;

use cases::{Case, ENGINES, Engine};
use formwork::text::{from_text, to_text};
use formwork::variant::{Dictionary, FullObject, Object, Variant, VariantString};
use formwork::{Decoder, Dialect, Rule};

/// Whether the bytes do not hold everything that the engine printed.
fn tells_more_than_the_bytes(engine: &Engine, name: &str) -> bool {
    // Objects that were written as a bare number, the class of an array of such, and the variables
    // of a script that is not there any more.
    name.starts_with("obj_as_id")
        || name.starts_with("obj_scripted")
        || name.starts_with("typed_array_class_") && !name.ends_with("_full")
        || name.starts_with("typed_dict_class_") && !name.ends_with("_full")
        || name.starts_with("packed_typed_array_")
        // A byte order mark in front of a string is not read back.
        || name.contains("_feff")
        // The encoder of Godot 2 picks wrong subnames.
        || engine.dialect == "godot2" && name.starts_with("nodepath[") && name.matches(':').count() > 1
        // The encoder of Pandemonium loses the fourth component.
        || name.starts_with("vector4is_")
}

/// The values that a golden line's text may be printed from.
fn values(engine: &Engine, case: &Case) -> Vec<Variant> {
    let written = case.text("name").is_some();
    let allow = case.flag(if written { "full_objects" } else { "allow_objects" });
    // An object that was read back has properties that its bytes did not have: they are in
    // `reencoded`, where in turn stand-ins have other numbers.
    ["hex", "reencoded"]
        .into_iter()
        .filter_map(|field| case.bytes(field))
        .filter_map(|bytes| {
            let decoder = Decoder::new(engine.dialect()).allow_objects(allow);
            decoder.decode_prefix(&bytes).ok().map(|(value, _)| value)
        })
        .collect()
}

#[test]
fn values_print_as_the_engines_print_them() {
    let mut faults = Vec::new();
    for engine in &ENGINES {
        let mut counts = Vec::new();
        for file in ["values.jsonl", "decode.jsonl"] {
            let (mut same, mut left_out) = (0, 0);
            for case in engine.lines(file) {
                let Some(text) = case.engine_text() else { continue };
                let name = case.text("name").unwrap_or_default();
                if case.flag("text_volatile") || tells_more_than_the_bytes(engine, name) {
                    left_out += 1;
                    continue;
                }
                let ours: Vec<_> = values(engine, &case)
                    .iter()
                    .map(|value| to_text(value, engine.dialect()))
                    .collect();
                if ours.iter().any(|ours| ours.as_bytes() == text) {
                    same += 1;
                } else {
                    let label = case.text("name").or(case.text("kind")).unwrap_or_default();
                    let theirs = String::from_utf8_lossy(&text).into_owned();
                    faults.push(format!("{} {label}\n  {theirs:?}\n  {ours:?}", engine.name));
                }
            }
            counts.push(format!("{same} of {file} ({left_out} left out)"));
        }
        println!("{}: {}", engine.name, counts.join(", "));
    }
    for fault in &faults {
        println!("{}", fault.chars().take(1000).collect::<String>());
    }
    assert!(faults.is_empty(), "{} texts differ", faults.len());
}

/// Whether a text has a place where the engine prints nothing for a value.
fn has_hole(text: &str) -> bool {
    let blank = |line: &str| line.starts_with(": ") || line.ends_with(": ") || line.contains(": ,");
    text.is_empty()
        || text == "InputEvent()"
        || text.contains("[ ,")
        || text.contains(", ,")
        || text.contains("InputEvent()")
        || text.ends_with(",  ]")
        || text.lines().any(blank)
}

#[test]
fn texts_of_the_engines_read_and_print_again() {
    let mut faults = Vec::new();
    for engine in &ENGINES {
        let (mut same, mut holes) = (0, 0);
        for case in ["values.jsonl", "decode.jsonl"].into_iter().flat_map(|file| engine.lines(file))
        {
            let Some(bytes) = case.engine_text() else { continue };
            let text = match String::from_utf8(bytes.clone()) {
                Ok(text) => VariantString::from(text),
                Err(_) => VariantString::from_numbers(numbers(&bytes)),
            };
            match from_text::<f32>(&text, engine.dialect()) {
                Ok(value) if to_text(&value, engine.dialect()) == text => same += 1,
                Ok(value) => {
                    let ours = to_text(&value, engine.dialect());
                    faults.push(format!("{}\n  {text:?}\n  {ours:?}", engine.name));
                }
                Err(error) if has_hole(&text.to_string_lossy()) => {
                    assert_eq!(error.rule(), Rule::TextSyntax);
                    holes += 1;
                }
                Err(error) => faults.push(format!("{}\n  {text:?}\n  {error}", engine.name)),
            }
        }
        println!("{}: {same} texts come back, {holes} have holes", engine.name);
    }
    for fault in &faults {
        println!("{}", fault.chars().take(1000).collect::<String>());
    }
    assert!(faults.is_empty(), "{} texts differ", faults.len());
}

/// The characters of UTF-8 in its original, six-byte definition.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    let mut numbers: Vec<u32> = Vec::new();
    for &byte in bytes {
        match (byte.leading_ones(), numbers.last_mut()) {
            (0, _) => numbers.push(byte.into()),
            (1, Some(last)) => *last = *last << 6 | u32::from(byte & 0x3f),
            (ones, _) => numbers.push(u32::from(byte) & (0x7f >> ones)),
        }
    }
    numbers
}
