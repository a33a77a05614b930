//! `rm`: takes values out of a file.

use std::path::PathBuf;

use clap::Args;
use formwork::alb1::Document;
use formwork::edit::{ValuePath, remove};
use formwork::variant::{Real, Variant};

use super::change::{Change, ChangeOptions, Changed, Context, brief, brief_field};
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
        self.options.run(&self.file, &Removing { paths: &self.paths })
    }
}

/// What is to be removed.
struct Removing<'p> {
    paths: &'p [String],
}

impl Change for Removing<'_> {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let dialect = context.dialect;
        self.paths
            .iter()
            .map(|path| {
                let failed = |error| context.failed(path, &error);
                let chosen = context.chosen(values)?;
                let found = ValuePath::new(path).find_in(chosen, dialect);
                let (number, place) = found.map_err(failed)?;
                let several = chosen.len() > 1;
                let name = place.name(&chosen[number], dialect);
                let outer = if several { number.to_string() } else { String::new() };
                let number = context.number(number);
                let removed = if chosen.len() == values.len() {
                    remove(values, path, dialect)
                } else {
                    let mut one = vec![std::mem::take(&mut values[number])];
                    let removed = remove(&mut one, path, dialect);
                    values[number] = one.pop().unwrap_or_default();
                    removed
                };
                let removed = removed.map_err(failed)?;
                let before = Some(brief(&removed, dialect));
                Ok(Changed { place: name, before, after: None }.inside(&outer))
            })
            .collect()
    }

    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        self.paths
            .iter()
            .map(|path| {
                let removed = document.remove(path).map_err(|error| context.failed(path, &error))?;
                let before = Some(brief_field(document, &removed.value));
                Ok(Changed { place: path.clone(), before, after: None })
            })
            .collect()
    }
}
