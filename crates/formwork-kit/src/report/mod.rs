//! Writes the report of a run: everything that a reader needs to see a finding, to understand it, and to prevent a
//! regression.
//!
//! | file | what |
//! |---|---|
//! | `findings.jsonl` | a row of a [suite](crate::suite) for each finding: the smallest packet that shows it, and what is right. A runner of the suite reads it as it is. Beside what a row of the suite has, there are `kind`, `about`, `detail`, `subject` and `case` (what found it first), `cases` (how many showed it), `before` (packets that have to come before it) and `pair` (a packet that means the same) |
//! | `index.md` | each finding in words: both answers, the bytes that differ, and how to try it again |
//! | `junit.xml` | a failed test for each |
//!
//! Nothing is written outside the folder that is given, whatever the texts in a finding are, and a file is there whole or
//! not at all.

mod answer;
mod bytes;
mod junit;
mod page;
mod replay;
mod rows;
mod words;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use replay::replay;
pub use rows::{Row, rows};

use crate::Format;
use formwork_godot::inspect::{Inspector, Tree};
use formwork_variant::codec::Strictness;

use crate::case::Reading;
use crate::oracle::{AnswerForm, Finding, Judge};

/// The settings that all findings of a run share.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Context {
    /// How the decoders read.
    pub reading: Reading,
    /// The packets that this crate's decoder accepts.
    pub strictness: Strictness,
    /// The command of the target, as on the command line.
    pub target: String,
    /// The command of the reference, where that is not our own codec.
    pub reference: Option<String>,
    /// Other options of the command line that matter when a packet is tried again, word by word:
    /// `--per-case`.
    pub options: Vec<String>,
    /// The seed of the cases.
    pub seed: u64,
    /// The form of accepted answers.
    pub answer: AnswerForm,
    /// How this program is called, where a report says how to try something again.
    pub program: String,
    /// The folder in which the commands were given: what they name relative to it is found from there.
    pub folder: PathBuf,
}

impl Context {
    /// Returns the answer of this crate's decoder in this form, if it accepts the packet and the form can represent the
    /// value.
    fn ours(&self, packet: &[u8], form: AnswerForm) -> Option<Vec<u8>> {
        use crate::oracle::Outcome;
        use crate::oracle::protocol::Answer;
        let judge = Judge::new(self.reading).strictness(self.strictness).form(form);
        match judge.reference(packet) {
            Outcome::Answered(Answer::Accepted { bytes, .. }) if !bytes.is_empty() => Some(bytes),
            _ => None,
        }
    }
}

/// Returns the name of a finding's row: the kind, the start of its signature, and a digest of the packet. The same finding
/// has the same name in every run.
#[must_use]
pub fn name(finding: &Finding) -> String {
    words::name(finding)
}

/// The file with the rows.
pub const ROWS: &str = "findings.jsonl";

/// Writes the report on the findings of a run into `folder`, which is made if it is not there, each file in place of one
/// that is there.
///
/// # Errors
///
/// Fails if a file cannot be written.
pub fn write(folder: &Path, findings: &[Finding], about: &Context) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let place = std::path::absolute(folder)?.join(ROWS);
    replace(folder, ROWS, &rows::file(findings, about)?)?;
    replace(folder, "junit.xml", junit::document(findings, about).as_bytes())?;
    replace(folder, "index.md", page::page(findings, about, &place).as_bytes())
}

/// Returns whether a folder has a report, or the progress of a run.
#[must_use]
pub fn is_report(folder: &Path) -> bool {
    [ROWS, "state.json"].iter().any(|name| folder.join(name).is_file())
}

/// Puts a file called `name` into `parent`, in place of one of that name.
fn replace(parent: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".formwork-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is otherwise for its owner only. The user's mask still applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(parent)?;
    file.write_all(content)?;
    file.persist(parent.join(name)).map(drop).map_err(|error| error.error)
}

/// Every byte of a packet, explained.
fn dump(packet: &[u8], format: Format) -> String {
    /// Characters of a value that a line shows: a record with all of its numbers.
    const VALUE: usize = 200;
    /// Elements of a list that are shown, of ALB1 files.
    const SHOWN: u64 = 64;
    let tree = Tree::default().value_width(VALUE);
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = match format {
        Format::Variant(dialect) => tree.write_items(Inspector::new(packet, dialect), &mut out),
        Format::Alb1 => {
            let inspector = formwork_alb1::inspect::Inspector::new(packet);
            tree.write_items(inspector.whole_fields(true).shown_elements(SHOWN), &mut out)
        }
    };
    String::from_utf8_lossy(&out).into_owned()
}
