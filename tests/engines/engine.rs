//! Finds the engines to test against.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use formwork_variant::Dialect;
use formwork_variant::dialect::Family;

/// The longest time that a test waits for an engine. It ends a hung engine, and does not measure its speed.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A program that runs as an engine, and its release.
#[derive(Debug)]
pub struct Engine {
    /// The program and its fixed arguments.
    command: Vec<String>,
    /// The release, such as `3.2.3` or `4.6.3`.
    pub release: String,
    pub dialect: Dialect,
}

impl Engine {
    /// Asks a program for its engine and release.
    fn ask(command: Vec<String>) -> Self {
        let said = version(&command);
        // Such as 3.6.stable.debian3.6+ds-2.
        let is_number = |part: &&str| part.parse::<u32>().is_ok();
        let numbers: Vec<_> = said.trim().split('.').take_while(is_number).take(3).collect();
        let [major, minor, ..] = numbers.as_slice() else {
            panic!("{command:?} --version said {said:?}, which is no version");
        };
        let dialect = format!("godot{major}.{minor}").parse();
        let dialect = dialect.unwrap_or_else(|error| panic!("{command:?} is {said:?}: {error}"));
        Self { command, release: numbers.join("."), dialect }
    }

    /// Whether it is a Godot 4, which has other scripts and another command line.
    pub fn is_godot4(&self) -> bool {
        self.dialect.family() == Family::Godot4
    }

    /// Whether its encoder leaves the padding of the names in a NodePath uninitialized.
    /// (godotengine/godot pull request 116105)
    pub fn leaves_padding(&self) -> bool {
        self.is_before(&[4, 6, 3])
    }

    /// Whether its StreamPeers have `put_half`. (godotengine/godot pull request 97716)
    pub fn has_half(&self) -> bool {
        !self.is_before(&[4, 4])
    }

    fn is_before(&self, other: &[u32]) -> bool {
        let numbers: Vec<u32> = self.release.split('.').filter_map(|n| n.parse().ok()).collect();
        numbers.as_slice() < other
    }

    /// The command that runs the project in `folder`.
    pub fn run(&self, folder: &Path) -> Command {
        let mut command = in_words(&self.command);
        if self.is_godot4() {
            command.arg("--headless");
        }
        command.arg("--path").arg(folder).args(["-s", "main.gd"]).current_dir(folder);
        command
    }
}

impl Engine {
    /// Starts the game of a pack, and returns its output.
    pub fn play(&self, pack: &[u8]) -> String {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("game.pck");
        std::fs::write(&path, pack).expect("there is room for a file");
        let mut command = in_words(&self.command);
        if self.is_godot4() {
            command.arg("--headless");
        }
        command.arg("--main-pack").arg(path).current_dir(folder.path()).env("HOME", folder.path());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let started = Instant::now();
        while child.try_wait().expect("the engine can be asked for").is_none() {
            if started.elapsed() > PATIENCE {
                child.kill().expect("the engine can be ended");
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn in_words(words: &[String]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::null());
    command
}

/// Returns the output of the program for `--version`.
fn version(words: &[String]) -> String {
    let mut command = in_words(words);
    command.arg("--version").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{words:?}: {error}"));
    let started = Instant::now();
    while child.try_wait().expect("the engine can be asked for").is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().expect("the engine can be ended");
            panic!("{words:?} --version does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut said = String::new();
    let mut stdout = child.stdout.take().expect("the output is piped");
    stdout.read_to_string(&mut said).expect("a version is text");
    said
}

/// Returns the programs that the environment names, or the installed one.
fn commands() -> Vec<Vec<String>> {
    if let Ok(named) = std::env::var("FORMWORK_ENGINES") {
        let entries = named.split([':', '\n']).map(str::trim).filter(|entry| !entry.is_empty());
        return entries.map(words).collect();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).any(|folder| folder.join(INSTALLED).is_file());
    if installed { vec![vec![INSTALLED.to_owned()]] } else { Vec::new() }
}

const INSTALLED: &str = "godot3-server";

/// Returns a path as one word, and a command split into words.
fn words(entry: &str) -> Vec<String> {
    if Path::new(entry).is_file() {
        return vec![entry.to_owned()];
    }
    entry.split_whitespace().map(str::to_owned).collect()
}

/// Calls `test` with every engine.
pub fn with_each_engine(test: impl Fn(&Engine)) {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    let engines = ENGINES.get_or_init(|| commands().into_iter().map(Engine::ask).collect());
    assert!(!engines.is_empty(), "there is no {INSTALLED}, and FORMWORK_ENGINES names none");
    engines.iter().for_each(test);
}
