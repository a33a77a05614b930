//! `decode`: converts bytes to values.

use std::path::PathBuf;

use clap::Args;
use formwork_godot::wrapper::Key;
use formwork_variant::json::Style;

use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::file::Decoding;
use super::folder::{
    IntoOptions, Made, Sort, for_each, password_is_no_stream, report, report_left_out, with_ending,
};
use super::form::{As, Form};
use super::format::{LimitOptions, StrictnessName};
use super::lines::FileReport;
use super::output::{OutputOptions, print_object};
use super::pack;
use super::source::{Source, is_stdin};

/// Turn a file into JSON or text
///
/// A file with one value gives that value. A file with several values gives a list of them; --index
/// picks one. An ALB1 file gives one document.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Decode {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Output form [default: json; raw for text in a compressed or encrypted file]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<As>,
    /// Print only value number INDEX, counted from 0; -1 is the last one
    #[arg(long, value_name = "INDEX", conflicts_with = "all", allow_negative_numbers = true)]
    pub(super) index: Option<i64>,
    /// Print a list of all values, even if there is only one
    #[arg(long)]
    pub(super) all: bool,
    /// Print the quadtree of an ALB1 layer as nodes and objects instead of base64
    #[arg(long)]
    #[arg(hide_short_help = true)]
    pub(super) tree: bool,
    /// Read what is left of a damaged file, and list what is lost
    #[arg(long)]
    recover: bool,
    /// Print one JSON object for programs
    ///
    /// Its member "values" has the values in a list, "format" and "framing" say how they are stored; "framing" is
    /// null where the format has none. With --recover, "$lost" has what is lost; of an ALB1 file it is in the value.
    /// With --into, each file of a folder gives an object on a line of its own.
    #[arg(long, conflicts_with = "index")]
    #[arg(hide_short_help = true)]
    pub(super) json: bool,
    /// Print what the file points at beside its content: {"value": .., "views": {PATH: ..}}
    #[arg(long, hide = true, conflicts_with_all = ["json", "into"])]
    pub(super) views: bool,
    /// Put all files of a pack, or a decoded file for each file of a folder, into FOLDER
    ///
    /// Files that are in FOLDER already are kept. No file is put outside FOLDER.
    #[arg(long, value_name = "FOLDER", conflicts_with = "output")]
    into: Option<PathBuf>,
    /// Replace decoded files that are in FOLDER already, and keep each as NAME.bak
    #[arg(long, requires = "into")]
    force: bool,
    /// Print JSON without line breaks and spaces
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    pub(super) input: InputOptions,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    /// How strict to be about the bytes
    #[arg(long = "strictness", alias = "attitude", value_enum, default_value_t)]
    #[arg(value_name = "STRICTNESS")]
    #[arg(hide_short_help = true)]
    strictness: StrictnessName,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork decode game.save
  formwork decode game.save --as text
  formwork decode packet.bin --format godot3.6 --framing bare -o packet.json

Change a save:
  formwork decode game.save -o game.json
  formwork encode game.json --like game.save -o game.save

Several values:
A file with several values gives a JSON list, or an array in the text form. 'encode' turns the list back into several values:
  formwork decode replay.bin --all | formwork encode - --all --like replay.bin -o copy.bin

Folders:
This decodes all files in 'saves' and its subfolders into files such as json/slot1/game.save.json, and encodes them again:
  formwork decode saves --into json
  formwork encode json --like saves --into new-saves

Encrypted files:
The game's scripts contain the password, in a call of open_encrypted_with_pass:
  formwork decode game.save --password 'correct horse' -o game.json
  formwork encode game.json --like game.save --password 'correct horse' -o game.save
An encrypted ConfigFile (a .cfg file) is printed as its text, and --as json gives its values. Put the text back:
  formwork decode settings.cfg --password 'correct horse' -o plain.cfg
  formwork encode plain.cfg --as raw --like settings.cfg --password 'correct horse' -o settings.cfg

Damaged files:
--recover reads all values up to the damage. If each value has a length, it also reads those after it. It lists what is lost on standard error (under "$lost" for an ALB1 file) and ends with exit status 1:
  formwork decode game.save --recover -o game.json
  formwork decode game.save --recover --json
  formwork decode houses.tv4l --recover -o houses.json
  formwork encode houses.json -o rescued.tv4l

Headers of the game's own:
Some games write bytes of their own before the values, here 16 of them:
  formwork decode game.save --skip 16 -o game.json
  formwork encode game.json --like game.save --skip 16 -o game.save
If there is another header of 8 bytes inside an encrypted part, unpack that part first:
  formwork decode game.save --as raw --skip 16 --password 'correct horse' -o inside.bin
  formwork decode inside.bin --skip 8 -o game.json
  formwork encode game.json --like inside.bin --skip 8 -o inside.bin
  formwork encode inside.bin --as raw --like game.save --skip 16 --password 'correct horse' -o game.save

Packs of games:
A file in a pack is PACK!NAME. It is read and written like any other; a written pack keeps the old one as NAME.bak:
  formwork decode game.pck                 list the files
  formwork decode game.pck --into FOLDER   take all files out
  formwork decode game.exe --as pack -o game.pck   the pack without its executable
  formwork decode 'game.pck!note.txt' --as raw -o note.txt
  formwork encode note.txt --as raw --like 'game.pck!note.txt' -o 'game.pck!note.txt'

Files of Terrain Builder:
  formwork decode island.tv4p -o island.json
  formwork encode island.json -o island.tv4p
--as text prints one fact per line, without what every save changes. Use it to compare files.

Exact copies:
'encode' gives the same bytes back if the file is as the engine writes it; 'formwork verify' checks that. A file that was compressed, or encrypted by Godot 4, gets other bytes with the same content. The text form loses digits and object ids, as in the engine.

Exit status: 0 success, 1 the data is damaged or not valid, 2 wrong use, 3 a file could not be read or written."#;

impl Decode {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if !is_stdin(&self.file) && self.file.is_dir() {
            return self.run_folder();
        }
        if self.json && self.form.is_some_and(|form| form != As::Values(Form::Json)) {
            return Err(Failure::usage("--json prints JSON, so --as does not apply"));
        }
        let is_plain = self.form.is_none() && self.index.is_none() && !self.all && !self.recover;
        if self.into.is_some() && (!is_plain || self.json || self.force) {
            return Err(Failure::usage(
                "--into takes all files out of a pack as they are, so --as, --index, --all, --json, --recover \
                 and --force do not apply",
            ));
        }
        let key = self.input.key_to(&self.file)?;
        let form = match self.form.unwrap_or_default() {
            As::Values(form) => form,
            As::Raw => return self.raw(key.as_ref()),
            As::Pack => return self.pack(key.as_ref()),
        };
        if self.recover {
            let (skip, limits) = (self.input.skip, self.limits);
            let (source, torn) = Source::open_damaged(&self.file, skip, key.as_ref(), limits)?;
            let file = self.input.open_damaged(source, &torn, limits)?;
            return file.recover(&self.decoding(form), &torn);
        }
        let file = self.input.open_any(&self.file, key.as_ref(), self.limits)?;
        file.decode(&self.decoding(form))
    }

    /// Returns how the file is decoded.
    pub(super) fn decoding(&self, form: Form) -> Decoding<'_> {
        Decoding {
            form,
            style: self.style(),
            index: self.index,
            all: self.all,
            names_format: self.json,
            trees: self.tree,
            views: self.views,
            limits: self.limits,
            into: self.into.as_deref(),
            strictness: self.strictness,
            is_plain: self.asks_for_no_values(),
            output: &self.output,
        }
    }

    /// Decodes the files of a folder. Leaves out files of unknown formats.
    fn run_folder(self) -> Result<Status, Failure> {
        password_is_no_stream(self.input.key.file())?;
        let key = self.input.key.key()?;
        let form = self.form.unwrap_or_default();
        let into = IntoOptions { into: self.into.clone(), force: self.force };
        let jobs = into.jobs(&self.file, |name| with_ending(name, form))?;
        let mut broken = None;
        let mut tell = |told: &dyn Fn() -> FileReport| {
            if self.json {
                broken = print_object(&told()).err().or(broken.take());
            }
        };
        let status = for_each(&jobs, "decoded", |job| {
            let sort = Sort::of(&job.from, &self.input, key.as_ref(), self.limits);
            if let Sort::Unknown(_) = sort {
                let why = sort.why();
                tell(&|| report_left_out(&job.from, why));
                return Ok(Made::LeftOut(why));
            }
            let (file, output) = (job.from.clone(), OutputOptions::made_by(job));
            let one = Self { file, output, into: None, force: false, json: false, ..self.clone() };
            let ended = one.run();
            tell(&|| report(&job.from, Some(&job.to), ended.is_ok(), &ended));
            ended.map(Made::Written)
        });
        broken.map_or(Ok(status), Err)
    }

    /// Returns whether no option is given that applies to values only.
    const fn asks_for_no_values(&self) -> bool {
        let is_plain = self.form.is_none() && self.index.is_none() && !self.all && !self.json;
        is_plain && !self.recover && self.input.format.is_none()
    }

    pub(super) const fn style(&self) -> Style {
        if self.compact { Style::Compact } else { Style::Pretty }
    }

    /// Writes the pack of a game, without the executable before it.
    fn pack(&self, key: Option<&Key>) -> Result<Status, Failure> {
        if self.index.is_some() || self.all || self.recover {
            return Err(Failure::usage(
                "--as pack writes a pack as it is, so --index, --all and --recover do not apply",
            ));
        }
        let source = Source::open(&self.file, self.input.skip, key, self.limits)?;
        if !self.input.is_pack(source.content()) {
            let name = &source.name;
            return Err(Failure::no(format!("{name}: there is no pack in this file")));
        }
        let file = pack::File::new(source, self.limits);
        let alone = file.open()?.alone().map_err(|error| file.failure(error))?;
        self.output.write_bytes(&alone)
    }

    /// Writes the content, byte for byte.
    fn raw(&self, key: Option<&Key>) -> Result<Status, Failure> {
        if self.index.is_some() || self.all {
            return Err(Failure::usage(
                "--as raw prints bytes as they are, so --index and --all do not apply",
            ));
        }
        if self.recover {
            let (skip, limits) = (self.input.skip, self.limits);
            let (source, torn) = Source::open_damaged(&self.file, skip, key, limits)?;
            let said = torn.say(&source);
            self.output.write_bytes(source.content())?;
            return Ok(said);
        }
        let source = Source::open(&self.file, self.input.skip, key, self.limits)?;
        self.output.write_bytes(source.content())
    }
}
