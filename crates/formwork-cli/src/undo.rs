//! `undo`: restores the state before a change.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Status};
use super::lines::FileReport;
use super::lines::whole_name;
use super::output::print_object;
use super::source::{is_stdin, name};
use super::style::shown;
use super::{remark, report_line, store};

/// Undo the last change of a file
///
/// Every command that replaces a file keeps the old one as NAME.bak. This command exchanges the two: NAME.bak becomes
/// the file, and the file becomes NAME.bak. To do the change again, run it once more.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Undo {
    /// File to change back, such as game.save
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Go back to backup NUMBER: 1 is NAME.bak, 2 is NAME.bak.2
    #[arg(
        value_name = "NUMBER",
        default_value_t = 1,
        hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(1..=9_999)
    )]
    number: u64,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object about what was done
    #[arg(long)]
    json: bool,
}

const AFTER: &str = r#"Examples:
  formwork undo game.save
  formwork undo game.save 3
  formwork undo game.pck
  formwork diff game.save.bak game.save

Backups:
NAME.bak is the file before the last change, NAME.bak.2 the file before the change before that. At most ten backups are kept: the last nine, and as NAME.bak.10 the oldest. With --no-backup a command keeps none.
An undone change is not lost: it is in NAME.bak. The backup that was used is taken out of the list.

Exit status: 0 done, 2 wrong use, 3 there is no such backup, or a file could not be read or written."#;

impl Undo {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let Self { file, number, dry_run, json } = self;
        if is_stdin(&file) {
            return Err(Failure::usage("standard input has no backups; name a file"));
        }
        let had_file = file.exists();
        let backup = store::undo(&file, number, dry_run)?;
        if json {
            let (written, backup) = (!dry_run, Some(whole_name(&backup)));
            print_object(&FileReport { written, backup, ..FileReport::new(&file) })?;
            return Ok(Status::Done);
        }
        let (name, backup) = (name(&file), shown(backup.display()));
        let would = if dry_run { "would be " } else { "" };
        report_line(&format!("{name}: {would}restored from {backup}"));
        if had_file && !dry_run {
            remark(&format!("the undone state is kept as {name}.bak"));
        }
        Ok(Status::Done)
    }
}
