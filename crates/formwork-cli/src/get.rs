//! `get`: prints values of a file.

use std::path::PathBuf;

use clap::Args;
use formwork_variant::json::Style;

use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::file::Wanted;
use super::folder::print_failed;
use super::form::Form;
use super::format::LimitOptions;
use super::output::{OutputOptions, Sink};

/// Print values of a file
///
/// Prints the value at each PATH, as JSON if nothing else is chosen. Without a PATH, prints the whole value.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Get {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the value is, such as player/bag/1
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Output form [default: json]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// Print strings as they are, without quotation marks, and byte arrays as bytes
    #[arg(short, long)]
    raw: bool,
    /// Print JSON (the default)
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Print JSON without line breaks and spaces
    #[arg(short, long)]
    compact: bool,
    /// Look into value number INDEX of several, counted from 0; -1 is the last one
    #[arg(long, value_name = "INDEX", allow_negative_numbers = true)]
    index: Option<i64>,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork get game.save player/gold
  formwork get game.save player/name --raw
  formwork get game.save player/portrait --raw -o portrait.png
  formwork get game.save player/position --as text
  formwork get houses.tv4l mname

Paths:
  player/gold        the entry 'gold' of the dictionary 'player'
  bag/1, bag/-1      an element of an array, counted from 0, or from the end
  12, Vector2(1, 2)  an entry whose key is no string: the key as the engine prints it
  "a/b"              a key that holds '/': with quotation marks, if need be
  [3]                an entry by its position, counted from 0
  0/player/gold      in the first of several values
Errors and 'formwork dump' print exact paths, such as dictionary[2].value.array[0]. These work, too.
The paths of ALB1 files are those that 'formwork diff' prints: objManager.mroadbase.mroad["asphalt"].

Exit status: 0 printed, 1 there is no such value or the file is damaged, 2 wrong use, 3 the file could not be read."#;

impl Get {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let ended = self.open_and_print();
        if let (true, Err(failure)) = (self.json, &ended) {
            print_failed(&self.file, failure)?;
        }
        ended
    }

    fn open_and_print(&self) -> Result<Status, Failure> {
        let key = self.input.key_to(&self.file)?;
        let file = self.input.open(&self.file, key.as_ref(), self.limits)?;
        file.get(&self.wanted(), Sink::Output(&self.output))
    }

    /// Returns the values to print.
    const fn wanted(&self) -> Wanted<'_> {
        Wanted {
            paths: self.paths.as_slice(),
            form: self.form,
            is_raw: self.raw,
            style: if self.compact { Style::Compact } else { Style::Pretty },
            index: self.index,
            shows_text: false,
            limits: self.limits,
        }
    }
}
