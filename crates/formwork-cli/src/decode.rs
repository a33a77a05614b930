//! `decode`: values from bytes.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use formwork::json::Style;
use formwork::json::alb1::DocumentJson;
use formwork::variant::container::Key;
use formwork::variant::{Object, Real, Variant};

use super::container::{inside, named};
use super::contents::{Contents, InputOptions, Opened};
use super::failure::{Failure, Status};
use super::form::{As, Form};
use super::format::{AttitudeName, LimitOptions, by_precision};
use super::guess::Guess;
use super::input::Source;
use super::output::OutputOptions;
use super::packets::{FramingName, Input};
use super::remark;

/// Show what is in a file, as JSON or as the engine's own text.
///
/// An ALB1 file is one document. Of packets, a file with one value gives that value. A file with several gives a list of them, as with --all,
/// and a note about it; --index picks one.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER, after_help = "More and examples: --help")]
pub(crate) struct Decode {
    /// The file to read; '-' for standard input
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// The form to show it in [default: json; raw for the text in a compressed or encrypted file]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<As>,
    /// Give only the value with this number, counted from 0
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub(super) index: Option<usize>,
    /// Give a list of all values, even if there is only one
    #[arg(long)]
    pub(super) all: bool,
    /// Show the quadtree of an ALB1 layer as nodes, leaves and objects instead of base64
    #[arg(long)]
    pub(super) tree: bool,
    /// Read what is left of a cut or damaged file, and list what is lost: on standard error; for an
    /// ALB1 file under "$lost"
    #[arg(long)]
    recover: bool,
    /// With --recover: give one JSON object for programs, with the values in a list under "values" and
    /// what is lost under "$lost"
    #[arg(long, requires = "recover", conflicts_with = "index")]
    pub(super) json: bool,
    /// JSON without line breaks and blanks
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    pub(super) input: InputOptions,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    /// Accept what the engine accepts, or only what it would write itself
    #[arg(long, value_enum, default_value_t)]
    attitude: AttitudeName,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

const AFTER: &str = "\
There and back again:
  formwork decode game.save -o game.json
  formwork encode game.json --like game.save -o game.save

  formwork decode packet.bin --format godot3.6 --framing bare -o packet.json
  formwork encode packet.json --format godot3.6 --framing bare -o packet.bin

Several values in a file: a list in JSON, in the text form an array of the engine. 'encode --all'
(or --like a file with several values) takes the list apart again:
  formwork decode replay.bin --all | formwork encode - --all --like replay.bin -o copy.bin

A save that the game compressed is opened like any other. For one that it encrypted, say the
password that stands in the game's scripts (open_encrypted_with_pass):
  formwork decode game.save --password 'correct horse' -o game.json
  formwork encode game.json --like game.save --password 'correct horse' -o game.save

Settings that a game keeps in an encrypted ConfigFile are text inside, not values:
  formwork decode settings.cfg --password 'correct horse' -o plain.cfg
  formwork encode plain.cfg --as raw --like settings.cfg --password 'correct horse' -o settings.cfg

A cut or damaged save: all values up to the fault, and those of the frames behind it; what is lost is
listed (exit status 1); for programs, values and losses as one JSON object:
  formwork decode game.save --recover -o game.json
  formwork decode game.save --recover --json

A save with a header of the game's own in front of the values, here of 16 bytes:
  formwork decode game.save --skip 16 -o game.json
  formwork encode game.json --like game.save --skip 16 -o game.save

One with a header of 16 bytes in front of an encrypted part, and another of 8 inside it: --skip is for one
header, so what is inside is taken out first:
  formwork decode game.save --as raw --skip 16 --password 'correct horse' -o inside.bin
  formwork decode inside.bin --skip 8 -o game.json
  formwork encode game.json --like inside.bin --skip 8 -o inside.bin
  formwork encode inside.bin --as raw --like game.save --skip 16 --password 'correct horse' -o game.save

A damaged file of Terrain Builder, and a new one with all that could be read (exit status 1:
something was lost):
  formwork decode houses.tv4l --recover -o houses.json
  formwork encode houses.json -o rescued.tv4l

A project or layer of Terrain Builder, there and back again; nothing has to be said about it:
  formwork decode island.tv4p -o island.json
  formwork encode island.json -o island.tv4p

With --as text, an ALB1 file is a fact a line, without what every save changes, for comparing lines.

The bytes of packets are the same wherever they are what the engine itself would write; 'formwork
verify' says whether they are. A file that the game compressed, or that Godot 4 encrypted, gets other
bytes around the same content. The text form loses digits and the numbers of objects, as the engine's
own does.

Exit status: 0 done, 1 the data is not valid, 2 wrong use, 3 something could not be read or written.";

impl Decode {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key([&self.file])?;
        let form = match self.form.unwrap_or_default() {
            As::Values(form) => form,
            As::Raw => return self.raw(key.as_ref()),
        };
        if self.recover {
            return self.rescue(form, key.as_ref());
        }
        let contents = match Opened::open(&self.file, &self.input, key.as_ref(), self.limits)? {
            Opened::Contents(contents) => contents,
            Opened::Other(source, Some(other)) if self.asks_for_no_values() => {
                remark(&format!(
                    "{}: {}this is {other}, which is given as it is",
                    source.name,
                    inside(source.layers())
                ));
                return self.write_raw(source.content());
            }
            Opened::Other(source, other) => return Err(Guess::Nothing(other).refuse(&source)),
        };
        match contents {
            Contents::Packets(input) => {
                by_precision!(input.dialect, R => self.print::<R>(&input, form))
            }
            Contents::Alb1(file) => {
                if self.index.is_some() || self.all {
                    let name = &file.name;
                    return Err(Failure::usage(format!(
                        "{name}: an ALB1 file is one document: --index and --all are for several \
                         values"
                    )));
                }
                let json = DocumentJson::new().style(self.style()).trees(self.tree);
                file.decode(form, json, self.tree, &self.output)
            }
        }
    }

    /// Whether nothing is said that only values have.
    const fn asks_for_no_values(&self) -> bool {
        let is_plain = self.form.is_none() && self.index.is_none() && !self.all;
        is_plain && self.input.format.is_none()
    }

    pub(super) const fn style(&self) -> Style {
        if self.compact { Style::Compact } else { Style::Pretty }
    }

    /// What is inside, byte for byte.
    fn raw(&self, key: Option<&Key>) -> Result<Status, Failure> {
        if self.index.is_some() || self.all || self.recover {
            return Err(Failure::usage(
                "--as raw gives all bytes as they are: --index, --all and --recover are for values",
            ));
        }
        let source = Source::open(&self.file, self.input.skip, key, self.limits)?;
        self.write_raw(source.content())
    }

    fn write_raw(&self, bytes: &[u8]) -> Result<Status, Failure> {
        let write = |out: &mut dyn Write| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(bytes);
            Ok(())
        };
        if is_text(bytes) { self.output.write(write) } else { self.output.write_binary(write) }?;
        Ok(Status::Done)
    }

    fn print<R: Real>(&self, input: &Input, form: Form) -> Result<Status, Failure> {
        let name = &input.source.name;
        let read = input.values::<R>(self.attitude.into())?;
        let unread = read.unread(name);
        let mut values = read.values;
        let count = values.len();
        let style = self.style();
        let one = match self.index {
            Some(index) if index < count => Some(values.swap_remove(index)),
            Some(index) => {
                return Err(Failure::no(format!(
                    "{name}: there is no value number {index}; the file has {}",
                    counted(count)
                )));
            }
            None if self.all || count > 1 => None,
            None => match values.pop() {
                Some(value) => Some(value),
                None => return Err(Failure::no(format!("{name}: there is no value in it"))),
            },
        };
        if self.index.is_none() && !self.all && count > 1 {
            let back = self.way_back(input, form, true);
            remark(&format!("{name}: {count} values, given as one list; {back}"));
        }
        if count == 1
            && let Some(Variant::Object(Object::Id(number))) = one
        {
            remark(&format!("{name}: {}", only_a_number(number)));
        }
        self.output.write(|out| match one {
            Some(value) => form.write(&value, input.dialect, style, name, out),
            None => form.write_all(values, input.dialect, style, name, out),
        })?;
        let Some(unread) = unread else { return Ok(Status::Done) };
        remark(&unread);
        Ok(Status::No)
    }

    /// How to make bytes again of what is shown.
    pub(super) fn way_back(&self, input: &Input, form: Form, all: bool) -> String {
        let framing = match input.framing {
            FramingName::Bare => String::new(),
            framing => format!(" --framing {}", framing.name()),
        };
        let container = match input.source.layers() {
            [] => String::new(),
            layers => format!(" --container {}", named(layers)),
        };
        let form = match form {
            Form::Json => String::new(),
            form => format!(" --as {}", form.name()),
        };
        let all = if all { " --all" } else { "" };
        let dialect = input.dialect;
        format!("back to bytes: formwork encode{form}{all} --format {dialect}{framing}{container}")
    }
}

/// What to know about a save that the game believed to hold an object.
pub(super) fn only_a_number(number: u64) -> String {
    format!(
        "nothing is in it but the number of an object, {number}; the game stored the object \
         without full_objects, so the file has nothing of what was in it"
    )
}

/// Whether a terminal shows it as what it is.
fn is_text(bytes: &[u8]) -> bool {
    let shown = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(shown))
}

fn counted(count: usize) -> String {
    match count {
        0 => "none".into(),
        1 => "one, number 0".into(),
        count => format!("{count}, numbers 0 to {}", count - 1),
    }
}
