//! `encode`: converts values to bytes.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::alb1;
use super::config_file;
use super::container::{Closing, ContainerOptions};
use super::content::{Fidelity, Replacing};
use super::contents::InputOptions;
use super::documents::{AnyDocument, registry};
use super::encoding::{Encoding, New};
use super::failure::{Failure, Status};
use super::file::Chosen;
use super::folder::{
    IntoOptions, Made, for_each, password_is_no_stream, print_failed, without_ending,
};
use super::form::{As, Form};
use super::format::{Format, LimitOptions};
use super::framing::FramingName;
use super::input::stdin_once;
use super::key::KeyOptions;
use super::lines::{FileReport, whole_name};
use super::output::{OutputOptions, print_object};
use super::quantity::counted;
use super::source::{self, Source};
use super::values;

/// Turn JSON or text back into a file
///
/// Reads every form that 'decode' prints, except the text of ALB1 files. Use --like to make a file
/// like an existing one, or choose --format and --framing. JSON of an ALB1 file needs neither.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Encode {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Input form
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM")]
    form: As,
    /// Format to write, such as godot3, godot4.2, pandemonium or alb1 [default: detected from
    /// --like or from the JSON of an ALB1 file]
    #[arg(short, long, value_name = "FORMAT", value_parser = super::format::format, value_hint = ValueHint::Other)]
    pub(crate) format: Option<Format>,
    /// Format to write [default: that of --like, or by the name of OUTPUT]
    #[arg(long, value_name = "FORMAT", hide = true, conflicts_with = "like")]
    pub(crate) own_format: Option<String>,
    /// How to store the values [default: as in the file of --like]
    ///
    /// Without --like: frames if the file is compressed or encrypted, or if the name of OUTPUT ends
    /// in .save; otherwise bare.
    #[arg(long, value_enum, value_name = "FRAMING")]
    pub(crate) framing: Option<FramingName>,
    /// Make a file like SAVE: same format, framing, compression and number of values
    #[arg(long, value_name = "SAVE")]
    pub(crate) like: Option<PathBuf>,
    /// Copy a header of BYTES bytes from the file of --like (hex: 0x10)
    #[arg(long, value_name = "BYTES", value_parser = super::format::bytes, requires = "like")]
    skip: Option<u64>,
    /// Write each element of the list in FILE as a value of its own
    #[arg(long)]
    pub(crate) all: bool,
    /// Write the values exactly as in FILE, even where SAVE suggests otherwise
    ///
    /// Without this option, floats of SAVE stay floats (other programs write 11.0 as 11), keys keep
    /// the order of SAVE, and values that did not change keep their bytes.
    #[arg(long, requires = "like")]
    as_given: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object per file about what was done
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(crate) container: ContainerOptions,
    #[command(flatten)]
    key: KeyOptions,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    #[command(flatten)]
    into: IntoOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork encode game.json --like game.save -o new.save
  formwork encode game.json --format godot4.2 -o game.save
  formwork encode game.json --format godot4.2 --framing frames -o game.dat
  formwork encode value.txt --as text --format godot4 -o value.bin
  formwork encode island.json -o island.tv4p
  echo '{"hp":100}' | formwork encode - --format godot3 -o packet.bin

Change a save:
The old file is kept as game.save.bak:
  formwork decode game.save -o game.json
  formwork encode game.json --like game.save --dry-run
  formwork encode game.json --like game.save -o game.save

Folders:
This encodes what 'decode saves --into json' made, each file like the one in 'saves':
  formwork encode json --like saves --into new-saves

Several values:
This writes three values, each after its length, as three calls of store_var do:
  echo '[1, "two", 3.0]' | formwork encode - --all --format godot4 --framing frames -o three.bin

Compression and encryption:
  formwork encode game.json --format godot4 --wrapper zstd -o game.save
  formwork encode game.json --format godot4 --wrapper encrypted --password 'correct horse' -o game.save
This changes the password:
  formwork encode game.json --like game.save --password 'correct horse' --new-password 'staple' -o game.save

Packs of games:
This changes a save in a pack. All other files of the pack keep their bytes; the old pack is kept as game.pck.bak:
  formwork decode 'game.pck!start.save' -o start.json
  formwork encode start.json --like 'game.pck!start.save' -o 'game.pck!start.save'

Numbers:
Godot 2 keeps floats in 32 bits: 0.1 becomes 0.10000000149011612, as in the game itself.

Exit status: 0 success, 1 the text is not valid or the engine has no such value, 2 wrong use, 3 a file could not be read or written. If anything fails, OUTPUT stays as it was."#;

/// Makes a new file of a text, if the text or the options are for it.
type Maker = fn(&Encoding<'_>) -> Result<Option<New>, Failure>;

/// All makers, in the order in which they are asked.
const MAKERS: [Maker; 4] =
    [registry::encode_new, alb1::encode_new, config_file::encode_new, values::encode_new];

impl Encode {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let (file, json) = (self.file.clone(), self.json);
        let is_free = !self.output.is_stdout() || self.dry_run;
        let ended = self.make();
        if let (true, Err(failure)) = (json && is_free, &ended) {
            print_failed(&file, failure)?;
        }
        ended
    }

    fn make(self) -> Result<Status, Failure> {
        if !source::is_stdin(&self.file) && self.file.is_dir() {
            return self.run_folder();
        }
        if self.into.into.is_some() {
            return Err(Failure::usage("--into is for folders; use -o for one file"));
        }
        let files = [Some(self.file.as_path()), self.like.as_deref()];
        let passwords = [self.key.file(), self.container.new_key.file()];
        stdin_once(files.into_iter().chain(passwords).flatten())?;
        let form = match self.form {
            As::Values(form) => form,
            As::Raw => return self.pack(),
            As::Pack => {
                return Err(Failure::usage("--as pack is for 'decode'").hint(
                    "to put a pack behind an executable: formwork pack FOLDER --behind EXECUTABLE",
                ));
            }
        };
        match &self.like {
            // A custom format makes every file anew.
            Some(like) if registry::own().is_none() => self.like(form, like),
            _ => self.anew(form),
        }
    }

    /// Makes a file without one that it should be like.
    fn anew(&self, form: Form) -> Result<Status, Failure> {
        let encoding = Encoding {
            file: &self.file,
            form,
            format: self.format,
            own_format: self.own_format.as_deref(),
            framing: self.framing,
            like: self.like.as_deref(),
            all: self.all,
            container: &self.container,
            limits: self.limits,
            output: &self.output,
            text: OnceCell::new(),
        };
        for make in MAKERS {
            let made = make(&encoding).map_err(|failure| failure.in_new_value(""))?;
            if let Some(New { content, dialect }) = made {
                let closing = self.container.closing(&[], dialect, self.key.key()?)?;
                return self.write_closed(&source::name(&self.file), content, &closing, None);
            }
        }
        Err(Failure::usage("the output format is missing"))
    }

    /// Makes a file like another one: whatever that is, its content is replaced by that of the text.
    fn like(&self, form: Form, like: &Path) -> Result<Status, Failure> {
        let text = Source::read(&self.file)?;
        let key = self.key.key()?;
        let options = InputOptions {
            format: self.format,
            framing: self.framing,
            skip: self.skip,
            key: self.key.clone(),
            ..InputOptions::default()
        };
        let model = options.open(like, key.as_ref(), self.limits)?;
        model.refuse_several(self.all, "--all")?;
        let dialect = self.format.and_then(Format::dialect).or(model.dialect());
        let closing = self.container.closing(model.source().layers(), dialect, key)?;
        let closing = closing.keeping(model.source());
        let fidelity = if self.as_given { Fidelity::Anew } else { Fidelity::Mended };
        let replacing = Replacing { form, fidelity, is_list: self.all };
        let mut found = None;
        let chosen = Chosen::all(self.limits);
        // Several engines may read the file alike; the remarks are those of the first one.
        let (name, kind, limits) = (model.name(), model.compares_as(), self.limits);
        let new = model.change(chosen, &mut |document| {
            let mut replace = |content: &mut AnyDocument<'_>| {
                let replaced = content.replace(&text, replacing);
                let replaced = replaced.map_err(|failure| failure.in_new_value(""))?;
                found.get_or_insert(replaced.found);
                Ok(replaced.changed)
            };
            AnyDocument { name, kind, limits, document }.changed(&mut replace)
        })?;
        let mut found = found.unwrap_or_default();
        if !self.as_given {
            found.rewritten = model.rewritten(&new.content);
        }
        found.remarks().iter().for_each(|remark| super::remark(remark));
        let summary = (&*found.summary(), found.count());
        self.write_closed(&text.name, new.content, &closing, Some(summary))
    }

    /// Encodes the files of a folder, each like the file of its name in the folder of --like, if
    /// that is given.
    fn run_folder(self) -> Result<Status, Failure> {
        let passwords = [self.key.file(), self.container.new_key.file()];
        passwords.into_iter().try_for_each(password_is_no_stream)?;
        let form = self.form;
        let jobs = self.into.jobs(&self.file, |name| {
            without_ending(name, form).unwrap_or_else(|| name.to_owned())
        })?;
        let folder = self.into.into.clone().unwrap_or_default();
        Ok(for_each(&jobs, "encoded", |job| {
            if without_ending(&job.name, form).is_none() {
                return Ok(Made::LeftOut("its name does not end as those that 'decode' makes"));
            }
            let like = self.like.clone().map(|like| match job.to.strip_prefix(&folder) {
                Ok(name) if like.is_dir() => like.join(name),
                _ => like,
            });
            let (file, output) = (job.from.clone(), OutputOptions::made_by(job));
            let into = IntoOptions::default();
            let container = self.container.clone().of_several();
            let one = Self { file, like, output, into, container, ..self.clone() };
            one.run().map(Made::Written)
        }))
    }

    /// Puts bytes into containers unchanged.
    fn pack(&self) -> Result<Status, Failure> {
        if self.framing.is_some() || self.all || self.format == Some(Format::Alb1) {
            return Err(Failure::usage(
                "--as raw stores bytes as they are, so --framing, --all and --format alb1 do not apply",
            ));
        }
        if self.like.is_none() && !self.container.is_said() {
            return Err(Failure::usage("--as raw needs --wrapper WRAPPER or --like SAVE"));
        }
        let source = Source::read(&self.file)?;
        let key = self.key.key()?;
        let model = match &self.like {
            Some(like) => Some(Source::open(like, self.skip, key.as_ref(), self.limits)?),
            None => None,
        };
        let dialect = self.format.and_then(Format::dialect);
        let layers = model.as_ref().map_or(&[][..], |model| model.layers());
        let mut closing = self.container.closing(layers, dialect, key)?;
        if let Some(model) = &model {
            closing = closing.keeping(model);
        }
        self.write_closed(&source.name, source.file.into_bytes(), &closing, None)
    }

    /// Writes the content made from `name` in its containers, and reports that.
    fn write_closed(
        &self,
        name: &str,
        content: Vec<u8>,
        closing: &Closing,
        summary: Option<(&str, usize)>,
    ) -> Result<Status, Failure> {
        let bytes = closing.close(name, &content)?;
        let named = |name: fn(&Path) -> String| {
            self.output.path().map_or_else(|| "standard output".to_owned(), name)
        };
        let target = named(source::name);
        let size = counted(bytes.len() as u64, "byte");
        let done = match summary {
            Some((summary, _)) => format!("{target}: {size}, {summary}"),
            None => format!("{target}: {size}"),
        };
        if self.json && self.output.is_stdout() && !self.dry_run {
            return Err(Failure::usage(
                "--json and the new file cannot both go to standard output",
            )
            .hint("use -o FILE"));
        }
        let report = FileReport {
            output: Some(named(whole_name)),
            written: !self.dry_run,
            size: Some(bytes.len()),
            changes: summary.map(|(_, count)| [("changed", count as i64)].into()),
            ..FileReport::new(&self.file)
        };
        if self.dry_run && self.json {
            print_object(&report)?;
            return Ok(Status::Done);
        }
        if self.dry_run {
            super::report_line(&format!("would write to {done}"));
            return Ok(Status::Done);
        }
        let output = match &self.like {
            Some(like) => self.output.changing(like),
            None => self.output.clone(),
        };
        output.told().write_binary(|out| {
            // The output records a write error itself.
            let _ = out.write_all(&bytes);
            Ok(())
        })?;
        if self.json {
            print_object(&report)?;
        } else if self.like.is_some() || !self.output.is_stdout() {
            super::report_line(&done);
        }
        Ok(Status::Done)
    }
}
