//! Runs the runners of docs/decoders.md against decoders that give prepared answers.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

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
    suite: Arc<Suite>,
    answers: HashMap<Vec<u8>, Answered>,
}

impl Prepared {
    fn new() -> Self {
        let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
        let suite = super::suite(reading.format);
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

const GO: &str = r#"package decoder
import ("encoding/hex"; "errors"; "os"; "strconv"; "strings")
var ErrUnsupported = errors.New("unsupported")
var answers = map[string][]string{}
func init() {
	file, _ := os.ReadFile("answers.txt")
	for _, line := range strings.Split(strings.TrimRight(string(file), "\n"), "\n") {
		words := strings.Split(line, " ")
		answers[words[0]] = words[1:]
	}
}
func Decode(packet []byte) ([]byte, int, error) {
	answer := answers[hex.EncodeToString(packet)]
	used, _ := strconv.Atoi(answer[1])
	value, _ := hex.DecodeString(answer[2])
	switch answer[0] {
	case "refused": return nil, 0, errors.New("no")
	case "unsupported": return nil, 0, ErrUnsupported
	default: return value, used, nil
	}
}
func Encode(value []byte) []byte { return value }
"#;

const CSHARP: &str = r#"using System; using System.Collections.Generic; using System.IO; using System.Linq;
class DecodeException : Exception { public DecodeException(string message) : base(message) {} }
class UnsupportedException : Exception {}
static class MyDecoder {
    static byte[] Unhex(string text) =>
        Enumerable.Range(0, text.Length / 2).Select(at => Convert.ToByte(text.Substring(2 * at, 2), 16)).ToArray();
    static readonly Dictionary<string, string[]> answers =
        File.ReadLines("answers.txt").Select(line => line.Split(' ')).ToDictionary(words => words[0]);
    public static (byte[], int) Decode(byte[] packet) {
        string[] answer = answers[BitConverter.ToString(packet).Replace("-", "").ToLower()];
        switch (answer[1]) {
            case "refused": throw new DecodeException("no");
            case "unsupported": throw new UnsupportedException();
            case "crashed": throw new IndexOutOfRangeException("oh");
        }
        return (Unhex(answer[3]), int.Parse(answer[2]));
    }
    public static byte[] Encode(byte[] value) => value;
}
"#;

/// Makes a folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

/// Returns whether there is a program, and says that its runner is not tried where there is none.
fn is_there(program: &str, question: &str) -> bool {
    let is_there = Command::new(program).arg(question).output().is_ok();
    if !is_there {
        println!("no {program} here: its runner is not tried");
    }
    is_there
}

/// Runs a runner in its folder, with the file and the answers there. Returns its exit status and its lines.
fn ran(command: &mut Command, folder: &Path, prepared: &Prepared) -> (i32, Vec<String>) {
    std::fs::write(folder.join("answers.txt"), prepared.table()).expect("it can be written");
    std::fs::write(folder.join("godot3.jsonl"), prepared.file()).expect("it can be written");
    let output = command.current_dir(folder).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let status = output.status.code().expect("it is not killed");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (status, said.lines().map(str::to_owned).collect())
}

/// Checks what a runner says of a decoder without a fault, and of one with each.
fn hold(command: &mut Command, folder: &Path) {
    let mut prepared = Prepared::new();
    let command = command.arg("godot3.jsonl");
    let mut ran = |prepared: &Prepared| ran(command, folder, prepared);
    let last = "0 failed; 0 refused that engines read but do not write";
    assert_eq!(ran(&prepared), (0, vec![last.to_owned()]));

    prepared.spoil("acceptable", Answered::Refused);
    let last = "0 failed; 1 refused that engines read but do not write";
    assert_eq!(ran(&prepared), (0, vec![last.to_owned()]));

    prepared.spoil("acceptable", Answered::Unsupported);
    let crash = prepared.spoil("invalid", Answered::Crashed);
    let other = prepared.spoil("valid", Answered::Read(8, vec![0; 4]));
    let (status, lines) = ran(&prepared);
    assert_eq!(status, 1, "{lines:?}");
    let failed: Vec<_> = lines.iter().filter(|line| line.starts_with("FAIL ")).collect();
    assert_eq!(failed.len(), 2, "{lines:?}");
    for (id, result) in [(crash, "invalid"), (other, "valid")] {
        let start = format!("FAIL {id} {result} ");
        assert!(failed.iter().any(|line| line.starts_with(&start)), "{start}: {lines:?}");
    }
    let last = "2 failed; 0 refused that engines read but do not write";
    assert_eq!(lines.last().map(String::as_str), Some(last));
}

#[test]
fn the_python_runner_finds_what_a_decoder_does_wrong() {
    if is_there("python3", "--version") {
        let folder = folder(&[("runner.py", &block("python")), ("my_decoder.py", PYTHON)]);
        hold(Command::new("python3").arg("runner.py"), folder.path());
    }
}

#[test]
fn the_javascript_runner_finds_what_a_decoder_does_wrong() {
    if is_there("node", "--version") {
        let folder =
            folder(&[("runner.mjs", &block("javascript")), ("my_decoder.mjs", JAVASCRIPT)]);
        hold(Command::new("node").arg("runner.mjs"), folder.path());
    }
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

/// Needs `mcs`, Mono's compiler, and the folder of a .NET runtime in `FORMWORK_DOTNET`: there is no newer compiler among
/// the packages of Debian.
#[test]
#[ignore = "needs a compiler of C#: .ci/long decoders installs it"]
fn the_csharp_runner_finds_what_a_decoder_does_wrong() {
    let dotnet = std::env::var_os("FORMWORK_DOTNET").map(std::path::PathBuf::from);
    let Some(dotnet) = dotnet.filter(|it| it.is_dir() && is_there("mcs", "--help")) else {
        return println!("no .NET here: the runner in C# is not tried");
    };
    let shared = dotnet.join("shared/Microsoft.NETCore.App");
    let mut versions = std::fs::read_dir(shared).expect("there is a runtime");
    let runtime = versions.next().expect("a version").expect("it can be listed").path();
    let version = runtime.file_name().expect("a version").to_string_lossy().into_owned();
    let config = format!(
        r#"{{"runtimeOptions":{{"configProperties":{{"System.Globalization.Invariant":true}},
        "framework":{{"name":"Microsoft.NETCore.App","version":"{version}"}}}}}}"#
    );
    let files = [
        ("runner.cs", &*block("csharp")),
        ("my_decoder.cs", CSHARP),
        ("runner.runtimeconfig.json", &config),
    ];
    let folder = folder(&files);
    let mut compiler = Command::new("mcs");
    compiler.args(["-noconfig", "-nostdlib", "-langversion:latest", "-out:runner.dll"]);
    for library in [
        "System.Private.CoreLib",
        "System.Runtime",
        "System.Linq",
        "System.Text.Json",
        "System.Collections",
        "System.Console",
        "System.Runtime.Extensions",
        "System.IO.FileSystem",
        "System.Memory",
    ] {
        compiler.arg(format!("-r:{}/{library}.dll", runtime.display()));
    }
    let made = compiler.args(["runner.cs", "my_decoder.cs"]).current_dir(&folder).output();
    let made = made.expect("the compiler starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut run = Command::new(dotnet.join("dotnet"));
    hold(run.args(["exec", "runner.dll"]), folder.path());
}

#[test]
#[ignore = "needs Go: .ci/long decoders installs it"]
fn the_go_runner_finds_what_a_decoder_does_wrong() {
    if !is_there("go", "version") {
        return;
    }
    let imports = ["bytes", "encoding/hex", "encoding/json", "errors", "fmt", "os", "strings"];
    let imports: String = imports.map(|name| format!("import {name:?}\n")).concat();
    let runner = format!("package decoder\n{imports}import \"testing\"\n{}", block("go"));
    let module = "module decoder\n\ngo 1.18\n";
    let folder = folder(&[("suite_test.go", &runner), ("decoder.go", GO), ("go.mod", module)]);
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go");
    let mut command = Command::new("go");
    command.args(["test", "-count=1"]).env("GOCACHE", cache).env("GOTOOLCHAIN", "local");
    let mut prepared = Prepared::new();
    let mut ran = |prepared: &Prepared| {
        let (status, lines) = ran(&mut command, folder.path(), prepared);
        let failed = lines.into_iter().filter(|line| line.contains("suite_test.go:"));
        (status, failed.collect::<Vec<_>>())
    };
    assert_eq!(ran(&prepared), (0, Vec::new()));
    prepared.spoil("acceptable", Answered::Refused);
    assert_eq!(ran(&prepared), (0, Vec::new()));
    prepared.spoil("acceptable", Answered::Unsupported);
    let other = prepared.spoil("valid", Answered::Read(8, vec![0; 4]));
    let read = prepared.spoil("invalid", Answered::Read(8, vec![0; 4]));
    let (status, failed) = ran(&prepared);
    assert_eq!((status, failed.len()), (1, 2), "{failed:?}");
    for (id, result) in [(other, "valid"), (read, "invalid")] {
        let what = format!(": {id} {result} ");
        assert!(failed.iter().any(|line| line.contains(&what)), "{what}: {failed:?}");
    }
}

#[test]
fn the_other_runners_are_as_short() {
    for language in ["go", "csharp"] {
        assert!(!block(language).is_empty(), "{language}");
    }
}
