//! `rm`: removes values from a file.

use std::path::PathBuf;

use clap::Args;

use super::change::ChangeOptions;
use super::failure::{Failure, Status};

/// Remove values from a file
///
/// Removes entries of dictionaries, elements of arrays, and fields of ALB1 files. Everything else stays byte for
/// byte. The old file is kept as NAME.bak.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Rm {
    /// File to change ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What to remove, such as player/bag/1 ('formwork get --help' explains paths)
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    #[command(flatten)]
    options: ChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork rm game.save player/bag/0
  formwork rm game.save player/bag/-1 player/curse
  formwork rm game.save player/curse --dry-run
  formwork rm replay.bin 2                       the third of several values

Exit status: 0 removed, 1 there is no such value or it cannot be removed, 2 wrong use, 3 the file could not be read or written. If anything fails, the file stays as it was."#;

impl Rm {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        self.options.run(&self.file, &mut |content| content.remove(&self.paths))
    }
}
