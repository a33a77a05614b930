//! Comparing two files: `diff`.

use std::path::PathBuf;

use clap::Args;
use formwork::document::Format;

use super::file::FormatOptions;
use crate::documents::shown_change;
use crate::failure::{Failure, Status};
use crate::input::stdin_once;
use crate::output::OutputOptions;

/// Compare two files
///
/// Compares fields and elements by what they say. Elements that moved because others were added or removed are the
/// same.
#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// File to compare ('-' for standard input)
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// File to compare with
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Print one JSON object per difference
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing; only set the exit status
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Diff {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        stdin_once([&self.old, &self.new])?;
        let read = |path| self.format.read(formats, path).map_err(Failure::because_unreadable);
        let (old, new) = (read(&self.old)?, read(&self.new)?);
        if old.format.name() != new.format.name() {
            let (old, new) = (old.format.name(), new.format.name());
            return Err(Failure::usage(format!("a {old} and a {new} cannot be compared")));
        }
        let opened = [&old, &new].map(|file| file.open().map_err(Failure::because_unreadable));
        let [old_document, new_document] = opened;
        let changes = old_document?.diff(&*new_document?);
        if !self.quiet {
            self.output.write(|out| {
                for change in changes.iter().map(shown_change) {
                    match self.json {
                        true => change.json(&new.source.name).print(out),
                        // The output records a write error itself.
                        false => drop(writeln!(out, "{}", change.line())),
                    }
                }
                Ok(())
            })?;
        }
        Ok(if changes.is_empty() { Status::Done } else { Status::No })
    }
}
