//! Runs the runners of docs/decoders.md against decoders that give prepared answers.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use formwork_kit::case::Reading;
use formwork_kit::oracle::Responder;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::suite::{Suite, Tier};
use formwork_testkit::hex;
use formwork_variant::Dialect;

use super::Format;

/// The Rust runner, word for word.
mod rust {
    use super::prepared as my_decoder;

    include!("runner.rs");
}

/// The decoder of the Rust runner.
mod prepared {
    use std::cell::RefCell;
    use std::collections::HashMap;

    #[derive(Clone)]
    pub enum Error {
        Unsupported,
        Refused,
    }

    /// The value and the number of bytes that it takes.
    type Answer = Result<(Vec<u8>, u32), Error>;

    thread_local! {
        pub static ANSWERS: RefCell<HashMap<Vec<u8>, Answer>> = RefCell::default();
    }

    pub fn decode(packet: &[u8]) -> Answer {
        ANSWERS.with_borrow(|answers| answers[packet].clone())
    }

    pub fn encode(value: &[u8]) -> Vec<u8> {
        value.to_vec()
    }
}

/// What a decoder makes of a packet.
#[derive(Clone)]
enum Answered {
    Read(u32, Vec<u8>),
    Refused,
    Unsupported,
    Crashed,
}

/// The answers of a decoder without a fault, by packet.
struct Prepared {
    suite: Suite,
    answers: HashMap<Vec<u8>, Answered>,
}

impl Prepared {
    fn new() -> Self {
        let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
        let suite = Suite::new(reading);
        let responder = Responder::new(reading);
        let answer = |packet: &[u8]| match responder.answer(packet) {
            Answer::Accepted { consumed, bytes } => {
                Answered::Read(consumed.expect("it is known"), bytes)
            }
            _ => Answered::Refused,
        };
        let answers = suite.vectors().iter().map(|one| (one.packet.clone(), answer(&one.packet)));
        Self { answers: answers.collect(), suite }
    }

    /// Gives another answer to the first row of a result; its id.
    fn spoil(&mut self, result: &str, answer: Answered) -> String {
        let rows = self.suite.vectors().iter().filter(|one| one.tier != Tier::Limits);
        let mut rows = rows.filter(|one| one.result() == result && one.packet.len() > 8);
        let row = rows.next().expect("there is one");
        self.answers.insert(row.packet.clone(), answer);
        row.id.clone()
    }

    fn file(&self) -> Vec<u8> {
        let mut file = Vec::new();
        self.suite.write(&mut file).expect("memory can be written");
        file
    }

    /// Returns a line for each packet: the packet, its answer, the bytes used, the encoding.
    fn table(&self) -> String {
        let mut table = String::new();
        for (packet, answer) in &self.answers {
            let (what, used, bytes) = match answer {
                Answered::Read(used, bytes) => ("read", *used, hex(bytes)),
                Answered::Refused => ("refused", 0, String::new()),
                Answered::Unsupported => ("unsupported", 0, String::new()),
                Answered::Crashed => ("crashed", 0, String::new()),
            };
            writeln!(table, "{} {what} {used} {bytes}", hex(packet)).expect("writing to a string");
        }
        table
    }
}

/// The part of the page in a language.
fn block(language: &str) -> String {
    let path = formwork_testkit::repository().join("docs/decoders.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("a runner");
    let (code, _) = rest.split_once("```").expect("its end");
    assert!(code.lines().count() <= 30, "{language}: {} lines", code.lines().count());
    code.to_owned()
}

const PYTHON: &str = r#"
class DecodeError(Exception): pass
class Unsupported(Exception): pass
table = {line.split(" ")[0]: line.rstrip("\n").split(" ")[1:] for line in open("answers.txt")}
def decode(packet):
    what, used, value = table[packet.hex()]
    if what == "refused": raise DecodeError("no")
    if what == "unsupported": raise Unsupported()
    if what == "crashed": raise IndexError("oh")
    return bytes.fromhex(value), int(used)
def encode(value): return value
"#;

const JAVASCRIPT: &str = r#"
import { readFileSync } from "node:fs";
export class DecodeError extends Error {}
export class Unsupported extends Error {}
const lines = readFileSync("answers.txt", "ascii").trimEnd().split("\n").map((line) => line.split(" "));
const table = new Map(lines.map(([packet, ...answer]) => [packet, answer]));
export function decode(packet) {
  const [what, used, value] = table.get(packet.toString("hex"));
  if (what === "refused") throw new DecodeError("no");
  if (what === "unsupported") throw new Unsupported();
  if (what === "crashed") throw new RangeError("oh");
  return { value: Buffer.from(value, "hex"), used: Number(used) };
}
export const encode = (value) => value;
"#;

/// Runs a runner in a folder with the file and the answers. Returns its exit status and its lines.
fn ran(folder: &Path, program: &str, runner: &str, prepared: &Prepared) -> (i32, Vec<String>) {
    std::fs::write(folder.join("answers.txt"), prepared.table()).expect("it can be written");
    std::fs::write(folder.join("suite.jsonl"), prepared.file()).expect("it can be written");
    let mut command = Command::new(program);
    command.args([runner, "suite.jsonl"]).current_dir(folder);
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let status = output.status.code().expect("it is not killed");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (status, said.lines().map(str::to_owned).collect())
}

/// Checks what a runner says of a decoder without a fault, and of one with each.
fn hold(program: &str, runner: &str, decoder: &str, texts: [&str; 2]) {
    if Command::new(program).arg("--version").output().is_err() {
        println!("no {program} here: its runner is not tried");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let [language, code] = texts;
    std::fs::write(folder.path().join(runner), block(language)).expect("it can be written");
    std::fs::write(folder.path().join(decoder), code).expect("it can be written");
    let mut prepared = Prepared::new();
    let last = "0 failed; 0 refused that engines read but do not write";
    assert_eq!(ran(folder.path(), program, runner, &prepared), (0, vec![last.to_owned()]));

    prepared.spoil("acceptable", Answered::Refused);
    let last = "0 failed; 1 refused that engines read but do not write";
    assert_eq!(ran(folder.path(), program, runner, &prepared), (0, vec![last.to_owned()]));

    prepared.spoil("acceptable", Answered::Unsupported);
    let crash = prepared.spoil("invalid", Answered::Crashed);
    let other = prepared.spoil("valid", Answered::Read(8, vec![0; 4]));
    let (status, lines) = ran(folder.path(), program, runner, &prepared);
    assert_eq!((status, lines.len()), (1, 3), "{lines:?}");
    for (id, result) in [(crash, "invalid"), (other, "valid")] {
        let start = format!("FAIL {id} {result} ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{start}: {lines:?}");
    }
    assert_eq!(lines[2], "2 failed; 0 refused that engines read but do not write");
}

#[test]
fn the_python_runner_finds_what_a_decoder_does_wrong() {
    hold("python3", "runner.py", "my_decoder.py", ["python", PYTHON]);
}

#[test]
fn the_javascript_runner_finds_what_a_decoder_does_wrong() {
    hold("node", "runner.mjs", "my_decoder.mjs", ["javascript", JAVASCRIPT]);
}

#[test]
fn the_rust_runner_finds_what_a_decoder_does_wrong() {
    assert_eq!(block("rust"), include_str!("runner.rs"));
    let mut prepared = Prepared::new();
    let failures = |prepared: &Prepared| {
        let answers = prepared.answers.iter().map(|(packet, answer)| {
            let answer = match answer {
                Answered::Read(used, bytes) => Ok((bytes.clone(), *used)),
                Answered::Unsupported => Err(prepared::Error::Unsupported),
                _ => Err(prepared::Error::Refused),
            };
            (packet.clone(), answer)
        });
        prepared::ANSWERS.set(answers.collect());
        rust::failures(&String::from_utf8(prepared.file()).expect("it is ASCII"))
    };
    assert_eq!(failures(&prepared), Vec::<String>::new());
    prepared.spoil("acceptable", Answered::Refused);
    assert_eq!(failures(&prepared), Vec::<String>::new());
    prepared.spoil("acceptable", Answered::Unsupported);
    let other = prepared.spoil("valid", Answered::Read(8, vec![0; 4]));
    let read = prepared.spoil("invalid", Answered::Read(8, vec![0; 4]));
    let failed = failures(&prepared);
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert!(failed.iter().any(|one| one.starts_with(&format!("{other} valid"))), "{failed:?}");
    assert!(failed.iter().any(|one| one.starts_with(&format!("{read} invalid"))), "{failed:?}");
}

#[test]
fn the_other_runners_are_as_short() {
    for language in ["go", "csharp"] {
        block(language);
        println!("there is no {language} here: its runner is not tried");
    }
}
