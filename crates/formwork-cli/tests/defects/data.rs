//! Measures the suite as data: which planted defects a decoder shows in its answers to the packets, compared
//! byte for byte with the file.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use formwork_kit::Format;
use formwork_kit::case::Reading;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::target::{self, Limits, Outcome};
use formwork_kit::suite::{Recorded, Suite};
use formwork_testkit::from_hex;
use serde_json::Value;

use crate::decoder;

/// The numbers of packets sent at a time. The first batch is small, as most defects show soon, and each
/// packet after one that crashes a decoder costs a process.
const BATCHES: [usize; 2] = [16, 256];

/// A line of the file.
pub(crate) struct Line {
    pub(crate) id: String,
    packet: Vec<u8>,
    /// The number of bytes of the value and its right encodings, or [`None`] if the packet is invalid.
    right: Option<(u64, Vec<Vec<u8>>)>,
}

/// The first line that a decoder answered wrong.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Shown {
    /// The number of packets sent up to this line.
    pub(crate) packets: usize,
    pub(crate) id: String,
    /// The kind of the wrong answer.
    pub(crate) how: &'static str,
}

/// Returns the text of the file.
pub(crate) fn file(format: Format) -> String {
    let mut text = Vec::new();
    let reading = Reading { format, allow_objects: false };
    Suite::new(reading, &recorded(format)).write(&mut text).expect("memory can be written");
    String::from_utf8(text).expect("it is ASCII")
}

/// Returns the lines of the file, parsed as plain JSON.
pub(crate) fn lines(file: &str) -> Vec<Line> {
    let bytes = |hex: &Value| from_hex(hex.as_str().expect("hex"));
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("it is JSON");
        let right = (line["result"] != "invalid").then(|| {
            let encodings = line["bytes"].as_array().expect("a list");
            let used = line["used"].as_u64().expect("a number");
            (used, encodings.iter().map(bytes).collect())
        });
        let id = line["id"].as_str().expect("a name").to_owned();
        Line { id, packet: bytes(&line["hex"]), right }
    };
    file.lines().skip(1).map(line).collect()
}

/// Returns the packets of the golden files and the files of the samples.
fn recorded(format: Format) -> Vec<Recorded> {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats");
    if format == Format::Alb1 {
        let mut paths = Vec::new();
        files(&formats.join("alb1/samples"), &mut paths);
        paths.sort();
        let read = |path: PathBuf| std::fs::read(path).expect("samples can be read");
        let packets = paths.into_iter().map(read).filter(|bytes| bytes.starts_with(b"ALB1"));
        return packets.map(|packet| Recorded { what: "sample".into(), packet }).collect();
    }
    let engine = if decoder::name(format) == "godot3" {
        "godot3/golden/3.6.2"
    } else {
        "godot4/golden/4.6.3"
    };
    let text =
        std::fs::read_to_string(formats.join(engine).join("decode.jsonl")).expect("it can be read");
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("it is JSON");
        if line["allow_objects"] == true {
            return None;
        }
        let what = line["kind"].as_str().expect("a kind").replace('_', "-");
        Some(Recorded { what, packet: from_hex(line["hex"].as_str().expect("hex")) })
    };
    text.lines().filter_map(line).collect()
}

fn files(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() { files(&path, paths) } else { paths.push(path) }
    }
}

/// The defects with which decoders do not answer at all.
const HANGING: [&str; 2] = ["measured-first", "silent-on-empty"];

/// Asks the decoder with the defect until an answer is wrong.
pub(crate) fn shown(format: Format, defect: Option<&str>, lines: &[Line]) -> Option<Shown> {
    let spec = decoder::spec(format, defect);
    // A decoder that answers has enough time on a busy machine.
    let time = match defect {
        Some(defect) if HANGING.contains(&defect) => Limits::default().time,
        _ => Duration::from_secs(60),
    };
    let [mut size, most] = BATCHES;
    let limits = Limits { time, memory: 256 << 20, batch: most, ..Limits::default() };
    let mut target = target::open(&spec, &limits).expect("the decoder starts");
    let mut asked = 0;
    while asked < lines.len() {
        let some = &lines[asked..lines.len().min(asked + size)];
        let packets: Vec<&[u8]> = some.iter().map(|line| line.packet.as_slice()).collect();
        let mut outcomes = Vec::new();
        target.run(&packets, &mut outcomes).expect("the decoder can be reached");
        for (at, (line, outcome)) in some.iter().zip(&outcomes).enumerate() {
            if let Some(how) = wrong(line, outcome) {
                return Some(Shown { packets: asked + at + 1, id: line.id.clone(), how });
            }
        }
        asked += some.len();
        size = most.min(2 * size);
    }
    None
}

/// Returns the fault of the answer to a line, if there is one.
fn wrong(line: &Line, outcome: &Outcome) -> Option<&'static str> {
    match (outcome, &line.right) {
        (Outcome::Answered(Answer::Skipped { .. }), _) => None,
        (Outcome::Answered(Answer::Rejected { .. }), None) => None,
        (Outcome::Answered(Answer::Rejected { .. }), Some(_)) => Some("refused"),
        (Outcome::Answered(Answer::Accepted { .. }), None) => Some("accepted"),
        (Outcome::Answered(Answer::Accepted { consumed, bytes }), Some((used, right))) => {
            if !right.is_empty() && !right.contains(bytes) {
                Some("other bytes")
            } else if consumed.is_some_and(|consumed| u64::from(consumed) != *used) {
                Some("other length")
            } else {
                None
            }
        }
        (Outcome::Crashed { .. }, _) => Some("crash"),
        (Outcome::Hung { .. }, _) => Some("no answer"),
        (Outcome::OutOfMemory { .. }, _) => Some("memory"),
        _ => Some("no proper answer"),
    }
}

/// Asks the decoders with these defects. Twice as many run at a time as there are cores, so that a hanging
/// decoder does not idle a core.
pub(crate) fn all(format: Format, defects: &[&str], lines: &[Line]) -> Vec<Option<Shown>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![None; defects.len()]);
    let workers = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(defect) = defects.get(position) else { break };
                    let one = shown(format, Some(defect), lines);
                    found.lock().expect("no thread panicked")[position] = one;
                }
            });
        }
    });
    found.into_inner().expect("no thread panicked")
}
