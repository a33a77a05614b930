//! Measures the suite as data: which planted defects a decoder shows in its answers to the packets, compared
//! byte for byte with the file.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use formwork_kit::Format;
use formwork_kit::case::Reading;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::target::{self, Limits, Outcome};
use formwork_kit::suite::Suite;
use formwork_testkit::from_hex;
use serde_json::Value;

use crate::decoder;

/// The numbers of packets sent at a time. The first batch is small, as most defects show soon, and each
/// packet after one that crashes a decoder costs a process.
const BATCHES: [usize; 2] = [16, 256];

/// A line of the file.
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) tier: String,
    /// The result and the rule, as the lists of the tier `smoke` have them.
    pub(crate) result: String,
    pub(crate) packet: Vec<u8>,
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

/// The texts of the files, which several tests read.
static FILES: [OnceLock<String>; decoder::FORMATS.len()] =
    [const { OnceLock::new() }; decoder::FORMATS.len()];

/// Returns the text of the file.
pub(crate) fn file(format: Format) -> &'static str {
    let at = decoder::FORMATS.iter().position(|it| *it == format).expect("one of the formats");
    FILES[at].get_or_init(|| made(format))
}

/// Makes the text of the file.
pub(crate) fn made(format: Format) -> String {
    let mut text = Vec::new();
    let reading = Reading { format, allow_objects: false };
    Suite::new(reading).write(&mut text).expect("memory can be written");
    String::from_utf8(text).expect("it is ASCII")
}

/// Returns the lines of the file, parsed as plain JSON.
pub(crate) fn lines(file: &str) -> Vec<Line> {
    // What repeats is written once.
    let bytes = |text: &Value| {
        let pieces = text.as_str().expect("hex").split(',').map(|piece| {
            let (hex, times) = piece.split_once('*').unwrap_or((piece, "1"));
            from_hex(hex).repeat(times.parse().expect("a number"))
        });
        pieces.collect::<Vec<_>>().concat()
    };
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("it is JSON");
        let right = (line["result"] != "invalid").then(|| {
            let encodings = line["bytes"].as_array().expect("a list");
            let used = line["used"].as_u64().expect("a number");
            (used, encodings.iter().map(bytes).collect())
        });
        let text = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
        let result = format!("{} {}", text("result"), text("rule"));
        Line { id: text("id"), tier: text("tier"), result, packet: bytes(&line["hex"]), right }
    };
    file.lines().skip(1).map(line).collect()
}

/// The defects with which decoders do not answer at all.
const HANGING: [&str; 2] = ["measured-first", "silent-on-empty"];

/// Asks the decoder with the defect until an answer is wrong.
pub(crate) fn shown(format: Format, defect: Option<&str>, lines: &[Line]) -> Option<Shown> {
    let mut first = None;
    // A decoder that answers has enough time on a busy machine.
    let time = match defect {
        Some(defect) if HANGING.contains(&defect) => Duration::from_secs(1),
        _ => Duration::from_secs(60),
    };
    ask(format, defect, lines, time, |at, how| {
        first = Some(Shown { packets: at + 1, id: lines[at].id.clone(), how });
        false
    });
    first
}

/// Returns the lines that a decoder with the defect answers wrong, or late; of very many, the first.
pub(crate) fn every(format: Format, defect: &str, lines: &[Line]) -> Vec<usize> {
    let most = if HANGING.contains(&defect) { 2 } else { 600 };
    let mut found = Vec::new();
    ask(format, Some(defect), lines, Duration::from_secs(1), |at, _| {
        found.push(at);
        found.len() < most
    });
    found
}

/// Asks the decoder with the defect, and calls `found` for each wrong answer until it says that it is enough.
fn ask(
    format: Format,
    defect: Option<&str>,
    lines: &[Line],
    time: Duration,
    mut found: impl FnMut(usize, &'static str) -> bool,
) {
    let spec = decoder::spec(format, defect);
    let is_hanging = defect.is_some_and(|defect| HANGING.contains(&defect));
    // A packet that is asked alone is waited for once, and not again to know which one it was.
    let [mut size, most] = if is_hanging { [1, 1] } else { BATCHES };
    let limits = Limits { time, memory: 256 << 20, batch: most, ..Limits::default() };
    let mut target = target::open(&spec, &limits).expect("the decoder starts");
    let mut asked = 0;
    while asked < lines.len() {
        let some = &lines[asked..lines.len().min(asked + size)];
        let packets: Vec<&[u8]> = some.iter().map(|line| line.packet.as_slice()).collect();
        let mut outcomes = Vec::new();
        target.run(&packets, &mut outcomes).expect("the decoder can be reached");
        for (at, (line, outcome)) in some.iter().zip(&outcomes).enumerate() {
            if let Some(how) = wrong(line, outcome)
                && !found(asked + at, how)
            {
                return;
            }
        }
        asked += some.len();
        size = most.min(2 * size);
    }
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

/// Calls `ask` for each of these defects. Twice as many run at a time as there are cores, so that a hanging
/// decoder does not idle a core.
pub(crate) fn each<T: Clone + Default + Send>(
    defects: &[&str],
    ask: impl Fn(&str) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![T::default(); defects.len()]);
    let workers = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(defect) = defects.get(position) else { break };
                    let one = ask(defect);
                    found.lock().expect("no thread panicked")[position] = one;
                }
            });
        }
    });
    found.into_inner().expect("no thread panicked")
}
