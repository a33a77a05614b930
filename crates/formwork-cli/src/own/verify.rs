//! Checking files: `verify`.

use std::path::PathBuf;

use clap::Args;
use formwork::Error;
use formwork::document::{Confidence, Format};

use super::file::{File, FormatOptions};
use super::look::finding;
use crate::failure::{Failure, Status};
use crate::lines::{Finding, Grade};
use crate::say;
use crate::style::Palette;
use crate::verify::{SHOWN, Summary, Verdict};

/// Check that files are valid
///
/// Prints one line per file: 'ok' or 'not ok', and why. A file is ok if it can be read, and a writer that keeps to the
/// declaration writes these bytes: checksums are right, texts are UTF-8, what is declared to be zero is zero.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// Files to check ('-' or nothing: standard input)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// List all problems instead of the first three
    #[arg(long)]
    all: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: FormatOptions,
}

impl Verify {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let (palette, mut status) = (Palette::stdout(), Status::Done);
        let mut summary = Summary::default();
        for path in &self.files {
            let verdict = match self.format.read(formats, path) {
                Ok(file) => file.verdict(self.all),
                Err(failure) => match failure.answer() {
                    Some(answer) => Verdict::damaged(answer, failure.error()),
                    // The other files may be readable.
                    None => {
                        status = status.and(say(&failure));
                        continue;
                    }
                },
            };
            let ended = summary.take(path, &verdict, (self.json, false), &palette)?;
            status = status.and(ended);
        }
        Ok(status)
    }
}

impl File<'_> {
    fn verdict(&self, all: bool) -> Verdict {
        let problems = self.format.problems(self.source.bytes());
        let start = format!("{}: {}", self.source.name, self.format.name());
        if problems.is_empty() {
            return Verdict::ok(format!("{start}: as it is declared"));
        }
        let is_damaged = self.confidence != Confidence::Whole;
        let most = if all { problems.len() } else { SHOWN };
        let mut line: Vec<_> = problems.iter().take(most).map(ToString::to_string).collect();
        if let more @ 1.. = problems.len().saturating_sub(most) {
            line.push(format!("and {more} more"));
        }
        let what = if is_damaged { "damaged" } else { "has warnings" };
        let line = format!("{start}: {what}: {}", line.join("; "));
        Verdict { ok: false, line, findings: self.graded(&problems) }
    }

    /// Returns what is wrong with the file.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.graded(&self.format.problems(self.source.bytes()))
    }

    fn graded(&self, problems: &[Error]) -> Vec<Finding> {
        let is_damaged = self.confidence != Confidence::Whole;
        let last = problems.len().saturating_sub(1);
        let graded = problems.iter().enumerate().map(|(index, error)| {
            // Nothing is read after the fault that is last.
            let is_fault = is_damaged && index == last;
            finding(if is_fault { Grade::Damage } else { Grade::Warning }, error)
        });
        graded.collect()
    }
}
