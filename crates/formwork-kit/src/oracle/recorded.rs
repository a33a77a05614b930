//! Recorded answers of published decoders, judged again: a change of this crate's verdict on any of them is seen without
//! the decoders.
//!
//! `fuzz/third_party/answers/NAME.jsonl` has the decoder on its first line, and a packet, the answer to it and the
//! verdict on each other one. `fuzz/third_party/known/NAME.toml` explains every verdict. The decoders are asked again by
//! `fuzz/third_party/run`, and `FORMWORK_WRITE_ANSWERS=1 fuzz/third_party/run` records what they answer.
//! `FORMWORK_WRITE_VERDICTS=1 cargo test -p formwork-kit --lib recorded` judges the recorded answers anew.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::protocol::Answer;
use super::stored;
use super::target::{Limits, Outcome, Target, TargetSpec, open};
use super::{Deviation, Expectations, Judge};
use crate::case::{Cases, Profile, Reading};

/// The longest packet, and the longest answer, that is recorded.
const LONGEST: usize = 512;

/// A decoder: its name and version, what ran it when its answers were recorded, what it reads, and the command that
/// starts it from the folder of this package.
#[derive(Deserialize, Serialize)]
struct Decoder {
    decoder: String,
    runtime: String,
    format: String,
    answers: String,
    target: String,
    /// The numbers of cases that are recorded: of the enumeration, and of all other profiles with seed 1.
    cases: [u64; 2],
}

/// A packet and the answer to it.
#[derive(Deserialize, Serialize)]
struct Line {
    #[serde(with = "stored::hex")]
    packet: Vec<u8>,
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
}

/// The record of a decoder.
struct Record {
    path: PathBuf,
    decoder: Decoder,
    judge: Judge,
    known: Expectations,
    lines: Vec<Line>,
}

impl Record {
    fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/third_party");
        let files = fs::read_dir(folder.join("answers")).expect("there are records");
        files.map(|file| Self::read(&folder, file.expect("a file").path())).collect()
    }

    fn read(folder: &Path, path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).expect("a record is text");
        let mut lines = text.lines();
        let decoder = lines.next().expect("the decoder");
        let decoder: Decoder = serde_json::from_str(decoder).expect(decoder);
        let lines = lines.map(|line| serde_json::from_str(line).expect(line)).collect();
        let name = path.file_stem().expect("a name");
        let known = folder.join("known").join(name).with_extension("toml");
        let known = fs::read_to_string(&known).unwrap_or_else(|_| panic!("{}", known.display()));
        let known = Expectations::parse(&known).expect("known findings");
        let format = decoder.format.parse().expect("a format");
        let judge = Judge::new(Reading { format, allow_objects: false })
            .form(decoder.answers.parse().expect("a form"))
            .any_nan(true);
        Self { path, decoder, judge, known, lines }
    }

    fn difference(&self, packet: &[u8], outcome: &Outcome) -> Option<Deviation> {
        let difference = self.judge.judge(packet, outcome)?;
        Some(self.judge.refined(difference, packet))
    }

    fn line(&self, packet: Vec<u8>, outcome: Outcome) -> Line {
        let verdict = self.difference(&packet, &outcome).map(|it| shown(&it));
        Line { packet, outcome, verdict }
    }

    /// Writes the record with these lines.
    fn write(&self, lines: &[Line]) {
        let decoder = serde_json::to_string(&self.decoder).expect("a line");
        let lines = lines.iter().map(|line| serde_json::to_string(line).expect("a line"));
        let text: Vec<_> = [decoder].into_iter().chain(lines).collect();
        fs::write(&self.path, text.join("\n") + "\n").expect("the record can be written");
    }

    /// The packets of what is known and cases, each once.
    fn packets(&self) -> Vec<Vec<u8>> {
        let cases = |profiles, count| {
            let cases = Cases::new(self.judge.reading(), 1).profiles(profiles);
            (0..count).map(move |number| cases.case(number).bytes)
        };
        let [enumerated, mixed] = self.decoder.cases;
        let known = self.known.iter().filter_map(|known| known.packet.clone());
        let mut packets: Vec<Vec<u8>> = known
            .chain(cases(&[Profile::Enumerate], enumerated))
            .chain(cases(&Profile::ALL[1..], mixed))
            .collect();
        let mut seen = HashSet::new();
        packets.retain(|packet| packet.len() <= LONGEST && seen.insert(packet.clone()));
        packets
    }

    /// Asks the decoder for lines about these packets.
    fn asked(&self, packets: impl IntoIterator<Item = Vec<u8>>) -> Vec<Line> {
        let spec = TargetSpec::persistent(&self.decoder.target).expect("a target");
        let limits = Limits { time: Duration::from_millis(500), ..Limits::default() };
        let mut target = open(&spec, &limits).expect(&self.decoder.target);
        packets.into_iter().map(|it| self.line(it.clone(), outcome(&mut *target, &it))).collect()
    }
}

fn shown(difference: &Deviation) -> String {
    format!("{}: {}", difference.kind, difference.about)
}

/// The outcome of a packet without the decoder's own words, which differ between releases of its language.
fn outcome(target: &mut dyn Target, packet: &[u8]) -> Outcome {
    let mut outcomes = Vec::new();
    target.run(&[packet], &mut outcomes).expect("the decoder is there");
    let mut outcome = outcomes.remove(0);
    match &mut outcome {
        Outcome::Crashed { stderr: words, .. }
        | Outcome::OutOfMemory { stderr: words, .. }
        | Outcome::Answered(
            Answer::Rejected { message: words, .. } | Answer::Skipped { what: words },
        ) => words.clear(),
        _ => {}
    }
    outcome
}

#[test]
fn the_verdict_on_every_recorded_answer_is_the_recorded_one() {
    let records = Record::all();
    assert!(records.len() >= 4);
    for record in records {
        let name = &record.decoder.decoder;
        assert!(record.lines.len() > 500, "{name}: {}", record.lines.len());
        if std::env::var_os("FORMWORK_WRITE_VERDICTS").is_some() {
            let anew = |it: &Line| record.line(it.packet.clone(), it.outcome.clone());
            record.write(&record.lines.iter().map(anew).collect::<Vec<_>>());
            continue;
        }
        for line in &record.lines {
            let difference = record.difference(&line.packet, &line.outcome);
            let shown = difference.as_ref().map(shown);
            assert_eq!(shown, line.verdict, "{name}, {}", stored::to_hex(&line.packet));
            if let Some(difference) = difference {
                let is_known = record.known.of(difference.kind, &difference.about).is_some();
                assert!(is_known, "{name}: {shown:?} is not explained");
            }
        }
        for known in record.known.iter() {
            let Some(packet) = &known.packet else { continue };
            let line = record.lines.iter().find(|line| line.packet == *packet);
            let line = line.unwrap_or_else(|| panic!("{name}: {} is not recorded", known.about));
            let difference = record.difference(packet, &line.outcome);
            let shows = difference.is_some_and(|it| known.covers(it.kind, &it.about));
            assert!(shows, "{name}: {} is not shown by its packet", known.about);
        }
    }
}

/// Asks the decoders themselves, which `fuzz/third_party/run` installs.
#[test]
#[ignore = "needs Node, npm packages and a crate"]
fn the_decoders_answer_as_recorded() {
    let is_written = std::env::var_os("FORMWORK_WRITE_ANSWERS").is_some();
    for record in Record::all() {
        if is_written {
            let is_known = |line: &Line| {
                record.known.iter().any(|it| it.packet.as_ref() == Some(&line.packet))
            };
            let is_certain = |line: &Line| match &line.outcome {
                Outcome::Answered(Answer::Accepted { bytes, .. }) => bytes.len() <= LONGEST,
                Outcome::Answered(_) | Outcome::Crashed { .. } => true,
                _ => false,
            };
            let mut lines = record.asked(record.packets());
            // Whether an answer is late depends on the machine.
            lines.retain(|line| is_known(line) || is_certain(line));
            record.write(&lines);
        } else {
            let again = record.asked(record.lines.iter().map(|line| line.packet.clone()));
            for (line, again) in record.lines.iter().zip(again) {
                let packet = stored::to_hex(&line.packet);
                assert_eq!(again.outcome, line.outcome, "{}, {packet}", record.decoder.decoder);
            }
        }
    }
}
