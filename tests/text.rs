//! The text form against what the real engines printed.

#[path = "golden/cases.rs"]
mod cases;

use cases::{Case, ENGINES, Engine};
use formwork::text::to_text;
use formwork::variant::Variant;
use formwork::{Decoder, Dialect};

fn decoded(dialect: Dialect, bytes: &[u8], allow: bool) -> Option<Variant> {
    Decoder::new(dialect).allow_objects(allow).decode_prefix(bytes).ok().map(|(value, _)| value)
}

fn printed(engine: &Engine) -> Vec<(String, Vec<Variant>, Vec<u8>)> {
    let dialect = engine.dialect();
    let mut all = Vec::new();
    for (file, name) in [("values.jsonl", "name"), ("decode.jsonl", "kind")] {
        for case in engine.lines(file) {
            let Some(text) = case.engine_text() else { continue };
            if case.flag("text_volatile") { continue; }
            let label = format!("{} {}", case.text(name).unwrap_or_default(), case.text("hex").unwrap_or_default());
            let values: Vec<Variant> = [("hex", case.flag(if file == "values.jsonl" { "full_objects" } else { "allow_objects" })), ("reencoded", true)]
                .into_iter()
                .filter_map(|(field, allow)| decoded(dialect, &case.bytes(field)?, allow))
                .collect();
            all.push((label, values, text));
        }
    }
    all
}

#[test]
fn values_print_as_the_engine_prints_them() {
    let mut bad = 0;
    for engine in &ENGINES {
        let (mut same, mut other) = (0, 0);
        for (name, values, text) in printed(engine) {
            let ours: Vec<_> = values.iter().map(|value| to_text(value, engine.dialect())).collect();
            if ours.iter().any(|ours| ours.as_bytes() == text) { same += 1; } else {
                other += 1;
                if other < 60 {
                println!("{}\n  ours   {:?}\n  theirs {:?}", &name[..name.len().min(200)], ours.iter().map(|ours| cut(&ours.to_string_lossy())).collect::<Vec<_>>(), cut(&String::from_utf8_lossy(&text)));
                }
            }
        }
        println!("=== {}: {same} same, {other} other", engine.name);
        bad += other;
    }
    assert_eq!(bad, 0);
}

fn cut(text: &str) -> String { text.chars().take(300).collect() }
