//! Writes reports of findings: everything that a reader needs to see a finding, to understand it, and to prevent a
//! regression.
//!
//! [`write()`] makes a folder for one finding:
//!
//! | file | what |
//! |---|---|
//! | `README.md` | what was found, what a correct decoder does, and how to try it again |
//! | `packet.bin`, `first.bin` | the smallest packet that shows it, and the packet that showed it first |
//! | `pair.bin` | the packet that means the same as the smallest one, where the two are read differently |
//! | `before/` | the packets that have to come before it, where a decoder keeps something from them |
//! | `dump.txt` | every byte of the smallest packet, explained |
//! | `packet.json`, `packet.txt` | its value, as far as our own reader reads one |
//! | `target.*`, `reference.*` | what the target and the reference made of it; `pair-target.*`: the target of `pair.bin` |
//! | `replay.sh` | one command that tries it again |
//! | `test.rs`, `test.py`, `test.mjs`, `test.c`, `test_godot3.gd`, `test_godot4.gd` | a test that holds the packet and what a correct decoder makes of it; one marked line calls the decoder |
//!
//! [`write_run`] makes the pages over all findings of a run: `index.md`, `findings.json` and
//! `junit.xml`.
//!
//! Nothing is written outside the folder that is given, whatever the texts in a finding are, and
//! a folder or page is there whole or not at all.

mod answer;
mod bytes;
mod expected;
mod folder;
mod junit;
mod page;
mod ready;
mod replay;
mod run;
mod words;

use std::io;
use std::path::{Path, PathBuf};

pub use replay::replay;
pub use run::write_run;

use crate::Format;
use folder::Files;
use formwork_godot::inspect::{Inspector, Tree};
use formwork_variant::codec::Strictness;

use super::{AnswerForm, Finding, Judge};
use crate::case::Reading;

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
        use super::protocol::Answer;
        use super::target::Outcome;
        let judge = Judge::new(self.reading).strictness(self.strictness).form(form);
        match judge.reference(packet) {
            Outcome::Answered(Answer::Accepted { bytes, .. }) if !bytes.is_empty() => Some(bytes),
            _ => None,
        }
    }
}

/// Returns the name of a finding's folder: the kind, the start of its signature, and a digest of both. The same finding
/// has the same name in every run.
#[must_use]
pub fn name(finding: &Finding) -> String {
    words::file_name(&finding.difference)
}

/// Writes a finding's folder into `folder`, which is made if it is not there, in place of one for the
/// same finding. Gives the path of the new folder.
///
/// # Errors
///
/// Fails if a file or folder cannot be written.
pub fn write(folder: &Path, finding: &Finding, about: &Context) -> io::Result<PathBuf> {
    let name = name(finding);
    let place = std::path::absolute(folder)?.join(&name);
    folder::replace(folder, &name, &files(finding, about, &place))
}

/// Writes what may have changed of a finding since its folder was written: how many cases showed it.
///
/// # Errors
///
/// Fails if a file or folder cannot be written.
pub fn refresh(folder: &Path, finding: &Finding, about: &Context) -> io::Result<()> {
    let place = std::path::absolute(folder)?.join(name(finding));
    if !place.is_dir() {
        return write(folder, finding, about).map(drop);
    }
    let files = files(finding, about, &place);
    folder::rewrite(&place, PAGE, &files)
}

/// Returns whether a folder has a report: the pages over findings, the progress of a run, or the folder of a finding.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub fn is_report(folder: &Path) -> io::Result<bool> {
    folder::is_report(folder)
}

/// The page of a finding.
const PAGE: &str = "README.md";

/// Returns the files of a finding's folder `place`.
fn files(finding: &Finding, about: &Context, place: &Path) -> Files {
    let mut files = Files::default();
    let packet = &finding.packet;
    files.add("packet.bin", packet.clone());
    files.add("first.bin", finding.first.clone());
    for (number, before) in finding.before.iter().enumerate() {
        files.add(format!("before/{number:04}.bin"), before.clone());
    }
    if let Some(pair) = &finding.pair {
        files.add("pair.bin", pair.packet.clone());
    }
    files.add("dump.txt", dump(packet, about.reading.format));
    let forms = [("packet.json", AnswerForm::Json), ("packet.txt", AnswerForm::Text)];
    for (name, form) in forms {
        if let Some(mut bytes) = about.ours(packet, form) {
            bytes.push(b'\n');
            files.add(name, bytes);
        }
    }
    answer::add(&mut files, "target", &finding.target, about);
    answer::add(&mut files, "reference", &finding.reference, about);
    if let Some(pair) = &finding.pair {
        answer::add(&mut files, "pair-target", &pair.target, about);
    }
    files.add_program("replay.sh", replay::script(about));
    ready::add(&mut files, finding, about);
    let page = page::page(finding, about, &files, place);
    files.add(PAGE, page);
    files.add_manifest();
    files
}

/// Every byte of a packet, explained.
fn dump(packet: &[u8], format: Format) -> Vec<u8> {
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
    out
}
