//! Counts, their measurement by valgrind, and the file that stores them.

use std::path::PathBuf;
use std::process::Command;

use crate::tasks::Task;

/// The number of rounds before the counted ones, so that work that happens only once is not counted.
const BEFORE: u64 = 50;

/// The number of counted rounds.
const ROUNDS: u64 = 200;

/// The count of one task.
pub struct Count {
    /// Its name.
    pub name: String,
    /// Instructions for one.
    pub instructions: u64,
    /// The peer that was counted beside it, and its instructions for one.
    pub beside: Option<(&'static str, u64)>,
}

/// All counts of a compiler.
pub struct Counts {
    /// The name of the compiler.
    pub compiler: String,
    /// The counts, in the order of the tasks.
    pub all: Vec<Count>,
}

/// The text before the compiler's name in the file.
const COMPILER: &str = "compiler ";

impl Counts {
    fn path() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("counts.txt")
    }

    /// Reads the file.
    pub fn load() -> Result<Self, String> {
        let path = Self::path();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut counts = Self { compiler: String::new(), all: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            if let Some(compiler) = line.strip_prefix(COMPILER) {
                counts.compiler = compiler.to_owned();
                continue;
            }
            let count = line.rsplit_once(' ').and_then(|(name, count)| {
                let instructions = count.parse().ok()?;
                Some(Count { name: name.trim().to_owned(), instructions, beside: None })
            });
            counts.all.push(count.ok_or_else(|| format!("{}: no count: {line}", path.display()))?);
        }
        Ok(counts)
    }

    /// Writes the file.
    pub fn save(&self) -> Result<(), String> {
        let mut text = String::from(
            "# Instructions for one thing of a kind: cargo run --release -p formwork-counts -- --write\n",
        );
        text += &format!("{COMPILER}{}\n", self.compiler);
        for Count { name, instructions, .. } in &self.all {
            text += &format!("{name:<22}{instructions:>8}\n");
        }
        std::fs::write(Self::path(), text).map_err(|error| error.to_string())
    }

    /// Returns the count of this name.
    pub fn of(&self, name: &str) -> Option<u64> {
        self.all.iter().find(|count| count.name == name).map(|count| count.instructions)
    }
}

/// Returns the version of the compiler, and its host.
pub fn compiler() -> Result<String, String> {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(&compiler)
        .args(["--version", "--verbose"])
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // Its version, and the kind of machine.
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    Ok(format!("{} {host}", text.lines().next().unwrap_or_default()))
}

/// The word of the command line that names the peer of a task.
pub const BESIDE: &str = "beside";

impl Count {
    /// Counts the instructions that one thing of a task takes, and that its peer takes for it.
    pub fn of(task: &Task) -> Result<Self, String> {
        let one = |side| {
            let [few, many] = [BEFORE, BEFORE + ROUNDS].map(|rounds| total(task, side, rounds));
            Ok::<_, String>(many?.saturating_sub(few?) / (ROUNDS * task.things))
        };
        let beside = task.beside.map(|(peer, _)| Ok::<_, String>((peer.name(), one(BESIDE)?)));
        let instructions = one("run")?;
        Ok(Self { name: task.name.to_owned(), instructions, beside: beside.transpose()? })
    }
}

/// Counts all instructions of a process that repeats a task, or its peer, `rounds` times.
fn total(task: &Task, side: &str, rounds: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([side, task.name, &rounds.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error} (it must be installed)"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said
        .lines()
        .filter_map(|line| line.split_once("Collected :"))
        .find_map(|(_, count)| count.trim().parse().ok());
    match count {
        Some(count) if output.status.success() => Ok(count),
        _ => Err(format!("valgrind counted nothing for {}:\n{said}", task.name)),
    }
}
