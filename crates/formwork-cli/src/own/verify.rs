//! Checking files: `verify`.

use std::path::PathBuf;

use clap::Args;
use formwork::document::Format;

use super::file::FormatOptions;
use crate::failure::{Failure, Status};
use crate::say;
use crate::style::Palette;
use crate::verdict::Verdict;
use crate::verify::Summary;

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
                Ok(file) => file.verdict(self.all, "as it is declared"),
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
