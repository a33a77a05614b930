//! Detection of dialect and framing, measured on what the real engines wrote.
//!
//! `cargo test --test detect -- --nocapture` prints the tables.

use std::time::{Duration, Instant};

use formwork::detect::{Candidate, Detection, Framing, Other, Verdict, detect};
use formwork::dialect::{Family, Precision};
use formwork::frame::{ByteOrder, write_frame};
use formwork::variant::{Array, Dictionary, Variant, Vector2, Vector3};
use formwork::{Decoder, Dialect, Encoder, Result};

#[path = "golden/cases.rs"]
#[allow(dead_code, reason = "the golden tests use more of it")]
mod cases;

use cases::{ENGINES, Engine};

/// The values that stand in `bytes`.
fn values(bytes: &[u8], dialect: Dialect, framing: Framing) -> Vec<Variant<f64>> {
    let decoder = Decoder::new(dialect).allow_objects(true);
    let values: Result<Vec<_>> = match framing {
        Framing::Frames(order) => decoder.decode_frames(bytes, order).collect(),
        _ => decoder.values(bytes).collect(),
    };
    values.expect("it was detected")
}

/// How detections of what one engine wrote came out.
#[derive(Debug, Default)]
struct Row {
    /// The engine's family, and nothing else fits.
    certain: usize,
    /// The engine's family or another in which it means the same.
    same: usize,
    ambiguous: usize,
    wrong: Vec<String>,
}

impl Row {
    fn count(&mut self, name: &str, bytes: &[u8], engine: &Engine, framing: Framing) {
        let truth = |candidate: &Candidate| {
            let same_family = candidate.dialect.family() == engine.dialect().family();
            let same = || {
                let expected = values(bytes, engine.dialect(), framing);
                let found = values(bytes, candidate.dialect, framing);
                found.len() == expected.len()
                    && found.iter().zip(&expected).all(|(a, b)| a.is_identical(b))
            };
            candidate.framing == framing && (same_family || same())
        };
        let detection = detect(bytes);
        match detection.verdict {
            Verdict::Certain if truth(&detection.candidates[0]) => self.certain += 1,
            Verdict::SameMeaning if detection.leading().iter().all(truth) => self.same += 1,
            // The truth must not be set aside.
            Verdict::Ambiguous if detection.leading().iter().any(truth) => self.ambiguous += 1,
            verdict => {
                let found =
                    detection.candidates.first().map(|first| (first.dialect, first.framing));
                self.wrong.push(format!("{} {name}: {verdict:?} {found:?}", engine.name));
            }
        }
    }

    fn print(&self, name: &str) {
        let Self { certain, same, ambiguous, wrong } = self;
        println!("{name:<16}{certain:>9}{same:>14}{ambiguous:>11}{:>7}", wrong.len());
    }
}

fn framed(packets: &[Vec<u8>], order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    packets.iter().for_each(|packet| write_frame(&mut bytes, packet, order).unwrap());
    bytes
}

/// Measures the golden values in a framing, `together` of them at a time.
fn measure(title: &str, framing: Framing, together: usize) -> Vec<Row> {
    println!("\n{title}\n{:<16}  certain  same meaning  ambiguous  wrong", "");
    ENGINES
        .iter()
        .map(|engine| {
            let mut row = Row::default();
            for cases in engine.lines("values.jsonl").chunks(together) {
                let packets: Vec<_> = cases.iter().filter_map(|case| case.bytes("hex")).collect();
                let bytes = match framing {
                    Framing::Frames(order) => framed(&packets, order),
                    _ => packets.concat(),
                };
                let single = framing == Framing::BareSequence && packets.len() == 1;
                let framing = if single { Framing::Bare } else { framing };
                row.count(cases[0].text("name").unwrap_or("?"), &bytes, engine, framing);
            }
            row.print(engine.name);
            row
        })
        .collect()
}

/// Asserts that nothing is wrong, and no more is ambiguous than is known to be.
fn assert_rows(rows: &[Row], ambiguous: [usize; 5]) {
    for (row, most) in rows.iter().zip(ambiguous) {
        assert!(row.wrong.is_empty(), "{}", row.wrong.join("\n"));
        assert!(row.ambiguous <= most, "{} ambiguous instead of {most}", row.ambiguous);
    }
}

#[test]
fn golden_values_are_never_mistaken() {
    let rows = measure("bare values", Framing::Bare, 1);
    assert_rows(&rows, [13, 15, 15, 32, 64]);
}

#[test]
fn golden_values_in_frames_are_never_mistaken() {
    let rows = measure("little-endian frames", Framing::Frames(ByteOrder::Little), 1);
    assert_rows(&rows, [99, 99, 99, 99, 99]);
    let rows = measure("big-endian frames", Framing::Frames(ByteOrder::Big), 1);
    assert_rows(&rows, [99, 99, 99, 99, 99]);
    let rows = measure("three frames", Framing::Frames(ByteOrder::Little), 3);
    assert_rows(&rows, [99, 99, 99, 99, 99]);
    let rows = measure("three bare values", Framing::BareSequence, 3);
    assert_rows(&rows, [99, 99, 99, 99, 99]);
}
