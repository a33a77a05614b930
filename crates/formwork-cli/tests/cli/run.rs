//! Runs the program.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use snapbox::{Assert, IntoData};

/// The result of a run of the program.
pub struct Ended {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ended {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("the output is UTF-8")
    }

    /// Checks the exit status of the program.
    pub fn with_status(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.stderr, self.stdout.escape_ascii());
        self
    }

    /// Compares standard output with a snapshot.
    #[track_caller]
    pub fn prints(self, expected: impl IntoData) -> Self {
        compare(self.text(), expected);
        self
    }

    /// Compares standard error, which has the messages, with a snapshot.
    #[track_caller]
    pub fn says(self, expected: impl IntoData) -> Self {
        compare(&self.stderr, expected);
        self
    }
}

/// Compares a text with a snapshot, without line breaks at its end. In a snapshot, `[..]` matches any part of
/// a line. `SNAPSHOTS=overwrite` updates the snapshots `str![..]`.
#[track_caller]
pub fn compare(text: &str, expected: impl IntoData) {
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(text.trim_end(), expected);
}

/// The commands of `formwork-kit`.
pub const KIT: [&str; 4] = ["fuzz", "generate", "respond", "shrink"];

/// Returns the call of the program that has the command. (`packets` belongs to `formwork-capture`.)
pub fn command<S: AsRef<OsStr>>(arguments: &[S]) -> Command {
    let mut words: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
    let at = words.iter().position(|word| !["-q", "-v"].iter().any(|it| word == it));
    let program = match at.map(|at| words[at].to_string_lossy()) {
        Some(name) if KIT.contains(&&*name) => env!("CARGO_BIN_EXE_formwork-kit"),
        Some(name) if name == "packets" => env!("CARGO_BIN_EXE_formwork-capture"),
        _ => env!("CARGO_BIN_EXE_formwork"),
    };
    if let (Some(at), true) = (at, program.contains("formwork-capture")) {
        words.remove(at);
    }
    let mut command = Command::new(program);
    command.args(words).env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with `input` on its standard input.
pub fn run_with<S: AsRef<OsStr>>(arguments: &[S], input: &[u8]) -> Ended {
    let mut child = command(arguments).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    std::thread::scope(|scope| {
        // The program may end without reading everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        let output = child.wait_with_output().expect("the program ends");
        Ended {
            status: output.status.code().expect("the program is not killed"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    })
}

pub fn run<S: AsRef<OsStr>>(arguments: &[S]) -> Ended {
    run_with(arguments, &[])
}

/// Returns the arguments of a verb of `terrain` with the project after the verb.
pub(crate) fn verb_first<'a>(project: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
    let words = if arguments.starts_with(&["objects", "move"]) { 2 } else { 1 };
    let (verb, rest) = arguments.split_at(words);
    [&["terrain"], verb, &[project], rest].concat()
}
