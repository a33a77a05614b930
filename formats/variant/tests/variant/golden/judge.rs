//! The answers of the real engines are no faults to the judge that compares decoders with this crate.

use formwork_kit::Format;
use formwork_kit::case::Reading;
use formwork_kit::oracle::Judge;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::target::Outcome;

use crate::cases::{Case, ENGINES};
use crate::golden::verdicts::reason;

/// The engine's answer, as a responder in its scripts gives it. What the engine leaves unset in it, such
/// as the ids of objects, is taken from `ours`.
fn answer(case: &Case, packet: &[u8], ours: &Outcome) -> Option<Answer> {
    if !case.0["ok"].as_bool()? {
        return Some(Answer::Rejected { offset: None, message: "refused".into() });
    }
    let used = case.0["used"].as_u64().map(|used| used.min(packet.len() as u64) as u32);
    let mut bytes = case.bytes("reencoded").unwrap_or_default();
    if let Outcome::Answered(Answer::Accepted { bytes: ours, .. }) = ours {
        for offset in case.offsets("reencoded_unspecified") {
            if let (Some(byte), Some(our)) = (bytes.get_mut(offset), ours.get(offset)) {
                *byte = *our;
            }
        }
    }
    Some(Answer::Accepted { consumed: used, bytes })
}

#[test]
fn nothing_is_found_in_a_real_engine_but_for_the_exceptions() {
    for engine in &ENGINES {
        let format = Format::Variant(engine.dialect());
        let (mut agreed, mut excepted, mut wrong) = (0, 0, Vec::new());
        for (number, case) in engine.lines("decode.jsonl").iter().enumerate() {
            let packet = case.bytes("hex").expect("inputs have bytes");
            let judge = Judge::new(Reading { format, allow_objects: case.flag("allow_objects") });
            let Some(answer) = answer(case, &packet, &judge.reference(&packet)) else {
                // The engine crashed.
                excepted += 1;
                continue;
            };
            let difference = judge.judge(&packet, &Outcome::Answered(answer));
            let Some(difference) = difference else {
                agreed += 1;
                continue;
            };
            // Godot 2 writes dictionaries in the order of its hash table.
            let by_hash = engine.name.starts_with("Godot 2")
                && difference.about == "Dictionary: pairs in another order";
            if by_hash || reason(engine, case).is_some() {
                excepted += 1;
            } else {
                wrong.push(format!("line {}: {difference:?}", number + 1));
            }
        }
        println!("{}: {agreed} agreed, {excepted} by exception", engine.name);
        assert!(agreed > 1000, "{}: {agreed}", engine.name);
        assert!(wrong.is_empty(), "{}: {}\n{}", engine.name, wrong.len(), wrong.join("\n"));
    }
}
