//! Detection of dialect and framing.

use std::collections::BTreeMap;

use formwork::detect::{Detection, Framing, Verdict, detect};
use formwork::variant::Variant;
use formwork::{Decoder, Dialect};

#[path = "golden/cases.rs"]
#[allow(dead_code, reason = "the golden tests use more of it")]
mod cases;

use cases::{ENGINES, Engine};

fn value(dialect: Dialect, bytes: &[u8]) -> Variant<f64> {
    Decoder::new(dialect).allow_objects(true).decode(bytes).expect("it was detected")
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Outcome {
    Right,
    Same,
    Ambiguous,
    Wrong,
}

fn outcome(engine: &Engine, bytes: &[u8], detection: &Detection) -> Outcome {
    match detection.best() {
        None if detection.verdict == Verdict::Ambiguous => Outcome::Ambiguous,
        None => Outcome::Wrong,
        Some(best) if best.framing != Framing::Bare => Outcome::Wrong,
        Some(best) if best.dialect.family() == engine.dialect().family() => Outcome::Right,
        Some(best) if value(best.dialect, bytes).is_identical(&value(engine.dialect(), bytes)) => {
            Outcome::Same
        }
        Some(_) => Outcome::Wrong,
    }
}

#[test]
fn golden_values() {
    let mut table = BTreeMap::new();
    for engine in &ENGINES {
        for case in engine.lines("values.jsonl") {
            let bytes = case.bytes("hex").unwrap();
            let detection = detect(&bytes);
            let outcome = outcome(engine, &bytes, &detection);
            *table.entry((engine.name, outcome)).or_insert(0) += 1;
            if outcome >= Outcome::Ambiguous {
                println!(
                    "{} {} {outcome:?} {}",
                    engine.name,
                    case.text("name").unwrap(),
                    &case.text("hex").unwrap()[..case.text("hex").unwrap().len().min(100)]
                );
                for c in &detection.candidates[..detection.leading] {
                    println!("      {} {} {} {:?}", c.dialect, c.framing, c.values, c.deviations);
                }
            }
        }
    }
    println!("{table:#?}");
}
