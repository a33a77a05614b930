//! Tests an engine with cases for tests of decoders: it refuses those that break a rule, and reads the others as the
//! library does.

use std::collections::BTreeMap;

use formwork_kit::Format;
use formwork_kit::case::{Case, Cases, Profile, Reading};
use formwork_variant::frame::{ByteOrder, write_frame};
use formwork_variant::{Array, Variant, VariantType};
use formwork_variant::{Decoder, Dialect, Rule};

use crate::engine::{Engine, with_each_engine};
use crate::exception::CASES;
use crate::exchange::Exchange;
use crate::sample::Sample;
use crate::session::{Session, write_all};

/// The number of cases of each profile.
const COUNT: u64 = 2000;

/// Whether the case is about depth: a value of the greatest depth has no room for one more container.
fn is_deep(case: &Case) -> bool {
    case.bytes.len() > 8000 || case.broken.is_some_and(|broken| broken.rule == Rule::DEPTH_LIMIT)
}

/// Returns the packet in an array of one element: a null answer then means that the engine refused the packet.
fn asked(case: &Case, dialect: Dialect) -> Vec<u8> {
    if is_deep(case) {
        return case.bytes.clone();
    }
    let array = dialect.type_id(VariantType::Array).expect("every dialect has it");
    let mut packet = [u32::from(array), 1].map(u32::to_le_bytes).concat();
    packet.extend_from_slice(&case.bytes);
    packet
}

/// Returns the engine's answer for each packet, which is null if it refused the packet.
fn answers(engine: &Engine, packets: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let session = Session::start(engine);
    let count = packets.len() as i64;
    let silent: Array = (0..count).map(Variant::Int).collect();
    session.call("values", [count.into(), false.into(), false.into(), Variant::Array(silent)]);
    let mut bytes = Vec::new();
    for packet in packets {
        write_frame(&mut bytes, packet, ByteOrder::Little).expect("a vector takes anything");
    }
    let answers = session.send_while(
        |stream| write_all(stream, &bytes),
        |session| {
            let answer = |_: &Vec<u8>| {
                let answer = session.packet(ByteOrder::Little);
                assert!(session.value().is_nil(), "no text was asked for");
                answer
            };
            packets.iter().map(answer).collect()
        },
    );
    session.finish();
    answers
}

#[test]
#[ignore = "needs an engine"]
fn an_engine_refuses_near_valid_packets_and_reads_the_others_as_we_do() {
    with_each_engine(|engine| {
        let reading = Reading { format: Format::Variant(engine.dialect), allow_objects: false };
        let decoder = Decoder::new(engine.dialect);
        let mut cases = Vec::new();
        for profile in [Profile::Valid, Profile::Edge, Profile::NearValid] {
            let all = Cases::new(reading, 5).profiles(&[profile]);
            cases.extend((0..COUNT).map(|number| all.case(number)));
        }
        let packets: Vec<_> = cases.iter().map(|case| asked(case, engine.dialect)).collect();
        let answers = answers(engine, &packets);
        let mut exchange = Exchange::new(engine, CASES);
        let (mut wrong, mut agreed) = (Vec::new(), BTreeMap::<_, usize>::new());
        for ((case, packet), answer) in cases.iter().zip(&packets).zip(&answers) {
            let Case { number, profile, subject, broken, .. } = case;
            let name = format!("{profile} {number} {subject} {broken:?}");
            // The packet is read as it was sent: in its array.
            let ours = decoder.decode_prefix(packet).map(|(value, _)| value);
            let refused = answer == &[0; 4];
            match ours {
                Err(_) if refused => {
                    let rule = broken.map_or("none", |broken| broken.rule.name());
                    *agreed.entry(rule).or_default() += 1;
                }
                Ok(value) if !refused => {
                    let sample = Sample::with_objects(name, value, engine.dialect, false);
                    match sample {
                        Some(sample) => exchange.take(&sample, answer, None),
                        None => wrong.push(format!("not written: {case:?}")),
                    }
                }
                ours => {
                    let hex: String =
                        packet.iter().take(300).map(|byte| format!("{byte:02x}")).collect();
                    wrong.push(format!("{name}: refused: {refused}, ours {ours:?}: {hex}"));
                }
            }
        }
        wrong
            .iter()
            .take(20)
            .for_each(|it| println!("{}", it.chars().take(1200).collect::<String>()));
        println!("Godot {}, refused by both: {agreed:?}", engine.release);
        assert!(wrong.is_empty(), "{}: {} verdicts differ", engine.release, wrong.len());
        exchange.finish();
    });
}
