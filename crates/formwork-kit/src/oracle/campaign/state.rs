//! How far a campaign has come: all that it needs to go on later.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::case::{Cases, Reading};
use crate::oracle::finding::{Finding, Kind};
use crate::oracle::matrix::Matrix;

/// How far a campaign has come, and what it found: all that it needs to go on later.
///
/// With serde it is one object; in a file, JSON.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct State {
    /// The run of this state. Only the same run can continue it.
    pub run: Run,
    /// The number of the next case.
    pub next: u64,
    /// Whether all packets that grow were tried.
    pub grown: bool,
    /// How many shapes of them were measured to the end.
    #[serde(default)]
    pub shapes: usize,
    /// Counts of the cases' results.
    pub counts: Counts,
    /// The findings, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// The first differences that did not reproduce.
    pub unrepeatable: Vec<String>,
    /// Results of the cases, by subject and profile.
    pub matrix: Matrix,
    /// Time that passed, in seconds.
    pub seconds: f64,
    /// Packets before the cases that were run.
    #[serde(default)]
    pub first: usize,
    /// The property of packets that is to blame for a finding, and its position.
    #[serde(default)]
    pub(super) blamed: Vec<(String, usize)>,
    #[serde(with = "groups")]
    pub(super) groups: HashMap<Key, Option<usize>>,
}

/// The settings of a campaign's run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Run {
    /// The format, by name.
    pub format: String,
    /// Whether objects in full form are accepted.
    pub allow_objects: bool,
    /// The seed of the cases.
    pub seed: u64,
    /// [`Cases::VERSION`].
    pub cases: u32,
    /// Everything else that decides what is found, as the caller puts it: the target, the profiles.
    pub options: Vec<String>,
}

impl Run {
    /// A run of the cases of a seed.
    #[must_use]
    pub fn new(reading: Reading, seed: u64, options: Vec<String>) -> Self {
        Self {
            format: reading.format.to_string(),
            allow_objects: reading.allow_objects,
            seed,
            cases: Cases::VERSION,
            options,
        }
    }
}

/// Counts of the results of a campaign's cases.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Cases that were run.
    pub cases: u64,
    /// Cases that were left out because they repeat one before them.
    #[serde(default)]
    pub repeated: u64,
    /// Those to which target and reference said the same.
    pub agreed: u64,
    /// Those that showed a finding.
    pub findings: u64,
    /// Those that the target, or the reference, does not claim to read.
    pub skipped: u64,
    /// Those that were accepted without a value to compare.
    pub silent: u64,
    /// Those to which the answer was wrong once, and right when they were asked again.
    pub unrepeatable: u64,
}

/// Tells differences apart before triage: the fault, and the kind of case.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub(super) struct Key {
    pub(super) kind: Kind,
    pub(super) about: String,
    pub(super) subject: String,
    pub(super) rule: Option<String>,
}

/// A map with keys that are no strings, as a list of pairs.
mod groups {
    use super::*;
    use serde::{Deserializer, Serializer};

    type Groups = HashMap<Key, Option<usize>>;

    pub(super) fn serialize<S: Serializer>(groups: &Groups, out: S) -> Result<S::Ok, S::Error> {
        let mut pairs: Vec<_> = groups.iter().collect();
        pairs.sort();
        out.collect_seq(pairs)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Groups, D::Error> {
        Ok(Vec::<(Key, Option<usize>)>::deserialize(from)?.into_iter().collect())
    }
}

impl State {
    /// Maximal number of listed differences that did not reproduce.
    pub(super) const UNREPEATABLE: usize = 20;

    /// The start of a run.
    #[must_use]
    pub fn new(run: Run) -> Self {
        Self {
            run,
            next: 0,
            grown: false,
            shapes: 0,
            counts: Counts::default(),
            findings: Vec::new(),
            unrepeatable: Vec::new(),
            matrix: Matrix::default(),
            seconds: 0.0,
            first: 0,
            blamed: Vec::new(),
            groups: HashMap::new(),
        }
    }

    /// Reads a state from a file. It can be gone on with if its [`State::run`] is the one wanted.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or is no state.
    pub fn load(path: &Path) -> io::Result<Self> {
        Ok(serde_json::from_slice(&std::fs::read(path)?)?)
    }

    /// Writes the state to a file, which is replaced in one step.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        serde_json::to_writer(&mut file, self)?;
        file.write_all(b"\n")?;
        File::sync_all(file.as_file())?;
        file.persist(path).map(drop).map_err(|error| error.error)
    }
}
