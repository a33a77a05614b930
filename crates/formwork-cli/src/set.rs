//! `set`: changes values in a file.

use std::path::{Path, PathBuf};

use clap::Args;

use super::change::ChangeOptions;
use super::content::{SetOptions, Typed};
use super::documents::registry::assignment;
use super::failure::{Failure, Status};
use super::form::Form;
use super::input::stdin_once;
use super::source::Source;
use super::style::shown;

/// Change values in a file
///
/// Everything else stays byte for byte: framing, compression, password, and what the game left in unused bytes.
/// The old file is kept as NAME.bak. VALUE is JSON or the engine's own text, such as 'Vector2(1, 2)'. It becomes a
/// value of the type that is there now: 11 stays a float where a float is, and a bare word is text where text is.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Set {
    /// File to change ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What to change and the new value, as often as you like ('formwork get --help' explains paths)
    #[arg(value_name = "PATH VALUE", required = true, allow_negative_numbers = true)]
    pairs: Vec<String>,
    /// Add the entry if it is not there yet
    #[arg(long)]
    add: bool,
    /// Give the value this type, such as int, float, String or Vector2 [default: the type that is there]
    #[arg(long = "type", value_name = "TYPE", conflicts_with = "form")]
    type_name: Option<String>,
    /// Take the value from FILE, for one PATH without a VALUE ('-' for standard input)
    ///
    /// A byte array becomes the bytes of FILE, a text its text. FILE may be of any size, where a VALUE in the command line
    /// may not.
    #[arg(long = "file", value_name = "FILE", conflicts_with = "form")]
    value_file: Option<PathBuf>,
    /// Take VALUE for this form, and let it have its own type
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    #[command(flatten)]
    options: ChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork set game.save player/gold 9999
  formwork set game.save player/gold 9999 player/name Alice --dry-run
  formwork set game.save player/position 'Vector2(10, 20)'
  formwork set game.save player/bag/+ '"lamp"' --add
  formwork set game.save player/level 3.5 --type float
  formwork set game.save player/gold 9999 --password 'correct horse' -o new.save
  formwork set game.save player/portrait --file portrait.png
  formwork set houses.tv4l mname trees

Types:
The new value keeps the type that is there. To change it, use --type TYPE, or --as json or --as text for a value that has a type of its own:
  formwork set game.save player/id 42 --type String
  formwork set game.save player/position '{"$Vector3":[1.0,2.0,3.0]}' --as json

New entries:
With --add, a path to an entry that is not there adds it. In an array, bag/+ is a new element at the end, and bag/+0 one before element 0.

Exit status: 0 changed, 1 there is no such value or VALUE does not fit, 2 wrong use, 3 the file could not be read or written. If anything fails, the file stays as it was."#;

impl Set {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if let Some(file) = &self.value_file {
            let ended = self.run_with_file(file);
            return match ended {
                Err(failure) => self.options.reported(&self.file, Err(failure)),
                ended => ended,
            };
        }
        let (pairs, rest) = self.pairs.as_chunks::<2>();
        if let [path] = rest {
            let failure = Failure::usage(format!("'{}' has no value", shown(path)));
            let failure = match pairs {
                [.., [place, word]] => failure.hint(format!(
                    "a value with blanks needs quotation marks: {} '{} {}'",
                    shown(place),
                    shown(word),
                    shown(path)
                )),
                [] => failure.hint(format!("write PATH VALUE, such as {}", assignment())),
            };
            return self.options.reported(&self.file, Err(failure));
        }
        let typed = Typed { type_name: self.type_name.as_deref(), form: self.form, file: None };
        let options = SetOptions { adds: self.add, typed };
        self.options.run(&self.file, &mut |content| content.set(pairs, options))
    }

    /// Sets the value at the only path to that in a file.
    fn run_with_file(&self, file: &Path) -> Result<Status, Failure> {
        let [path] = &self.pairs[..] else {
            return Err(Failure::usage("--file is the value of one PATH, which has no VALUE")
                .hint("such as: formwork set game.save player/portrait --file portrait.png"));
        };
        stdin_once([self.file.as_path(), file])?;
        let source = Source::read(file)?;
        let bytes = source.bytes();
        // (What is no text is only for byte arrays.)
        let text = String::from_utf8_lossy(bytes).trim_end_matches(['\r', '\n']).to_owned();
        let type_name = self.type_name.as_deref();
        let typed = Typed { type_name, form: None, file: Some(bytes) };
        let options = SetOptions { adds: self.add, typed };
        let pairs = [[path.clone(), text]];
        self.options.run(&self.file, &mut |content| content.set(&pairs, options))
    }
}
