//! `encode`: converts values to bytes.

use super::framing::left_open;
use super::source;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use formwork_alb1::Document;
use formwork_alb1::json::is_document;
use formwork_variant::frame::FrameWriter;
use formwork_variant::{Dialect, Encoder, Error, Strictness};
use formwork_variant::{Real, Variant, settings};

use super::alb1;
use super::config_file::{self, is_called_so};
use super::container::{Closing, ContainerOptions};
use super::contents::{Contents, InputOptions};
use super::documents;
use super::documents::registry;
use super::edit::{Found, OldPacket};
use super::failure::{Failure, Status};
use super::folder::{IntoOptions, Made, for_each, password_is_no_stream, without_ending};
use super::form::{As, Form, without_mark};
use super::format::{Format, LimitOptions, by_precision};
use super::framing::FramingName;
use super::input::{file_and_start, stdin_once};
use super::key::KeyOptions;
use super::lines::FileReport;
use super::output::{OutputOptions, print_object};
use super::pack;
use super::packets::Input;
use super::place::in_value;
use super::quantity::counted;
use super::script;
use super::source::Source;

/// Turn JSON or text back into a file
///
/// Reads every form that 'decode' prints, except the text of ALB1 files. Use --like to make a file
/// like an existing one, or choose --format and --framing. JSON of an ALB1 file needs neither.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Encode {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Input form
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM")]
    form: As,
    /// Format to write, such as godot3, godot4.2, pandemonium or alb1 [default: detected from
    /// --like or from the JSON of an ALB1 file]
    #[arg(short, long, value_name = "FORMAT", value_parser = super::format::format, value_hint = ValueHint::Other)]
    format: Option<Format>,
    /// Format to write [default: that of --like, or by the name of OUTPUT]
    #[arg(long, value_name = "FORMAT", hide = true, conflicts_with = "like")]
    own_format: Option<String>,
    /// How to store the values [default: as in the file of --like]
    ///
    /// Without --like: frames if the file is compressed or encrypted, or if the name of OUTPUT ends
    /// in .save; otherwise bare.
    #[arg(long, value_enum, value_name = "FRAMING")]
    framing: Option<FramingName>,
    /// Make a file like SAVE: same format, framing, compression and number of values
    #[arg(long, value_name = "SAVE")]
    like: Option<PathBuf>,
    /// Copy a header of BYTES bytes from the file of --like (hex: 0x10)
    #[arg(long, value_name = "BYTES", value_parser = super::format::bytes, requires = "like")]
    skip: Option<u64>,
    /// Write each element of the list in FILE as a value of its own
    #[arg(long)]
    all: bool,
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
    container: ContainerOptions,
    #[command(flatten)]
    key: KeyOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    into: IntoOptions,
    #[command(flatten)]
    output: OutputOptions,
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

/// The form of the bytes.
struct Target {
    dialect: Dialect,
    framing: FramingName,
    all: bool,
    closing: Closing,
    /// The file of --like.
    model: Option<Input>,
}

/// The bytes of the values, and the differences from the old ones.
struct Edited {
    content: Vec<u8>,
    found: Found,
}

impl Encode {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if !source::is_stdin(&self.file) && self.file.is_dir() {
            return self.run_folder();
        }
        if self.into.into.is_some() {
            return Err(Failure::usage("--into is for folders; use -o for one file"));
        }
        let files = [Some(self.file.as_path()), self.like.as_deref()];
        let passwords = [self.key.file(), self.container.new_key.file()];
        stdin_once(files.into_iter().chain(passwords).flatten())?;
        if registry::own().is_some() {
            return self.made();
        }
        let As::Values(form) = self.form else { return self.pack() };
        if let Some((file, start)) = file_and_start(&self.file)
            && self.is_alb1(&source::name(&self.file), &start)?
        {
            let document = alb1::encoded_file(&self.file, (file, start), self.limits)?;
            return self.write_document(&source::name(&self.file), &document);
        }
        let source = Source::read(&self.file)?;
        if self.is_alb1(&source.name, source.bytes())? {
            let document = alb1::encoded(&source, self.limits)?;
            return self.write_document(&source.name, &document);
        }
        form.refuse_other(&source)?;
        let key = self.key.key()?;
        let (format, framing) = (self.format, self.framing);
        let key_options = self.key.clone();
        let options = InputOptions {
            format,
            framing,
            skip: self.skip,
            key: key_options,
            ..InputOptions::default()
        };
        let model = match &self.like {
            Some(like) => Some(Contents::open(like, &options, key.as_ref(), self.limits)?),
            None => None,
        };
        if let Some(status) = self.config_file(&source, form, model.as_ref())? {
            return Ok(status);
        }
        if let Some(Contents::Document(model)) = &model {
            return self.document(&source, form, model);
        }
        let mut target = self.target(model)?;
        match target.model.take() {
            Some(model) => self.write_like(&source, form, model, &target),
            None => by_precision!(target.dialect, R => self.write::<R>(&source, form, &target)),
        }
    }

    /// Makes a file of a custom format.
    fn made(&self) -> Result<Status, Failure> {
        let source = Source::read(&self.file)?;
        let json = documents::read_value(&source.name, source.bytes())?;
        let model = match &self.like {
            Some(like) => registry::detected(&Source::read(like)?, None)?,
            None => None,
        };
        let format = model.map(|(format, _)| format.name()).or(self.own_format.as_deref());
        let bytes = registry::made(&source, &json, format, self.output.path())?;
        let closing = self.container.closing(&[], None, None)?;
        self.write_closed(&source.name, bytes, &closing, None)
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
            Self { file, like, output, into, ..self.clone() }.run().map(Made::Written)
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

    /// Returns whether the input becomes an ALB1 file. The start of its JSON shows this, so no
    /// option is needed.
    fn is_alb1(&self, name: &str, start: &[u8]) -> Result<bool, Failure> {
        let said = self.format == Some(Format::Alb1);
        let json = self.form == As::Values(Form::Json);
        if !said && (!json || !is_document(without_mark(start))) {
            return Ok(false);
        }
        if let Some(format @ Format::Variant(_)) = self.format {
            return Err(Failure::usage(format!(
                "{name}: this is JSON of an ALB1 file, not of {format}"
            )));
        }
        if !json || self.framing.is_some() || self.all || self.container.is_said() {
            return Err(Failure::usage(
                "an ALB1 file is one document, so --as, --framing, --all and --wrapper do not apply",
            ));
        }
        Ok(true)
    }

    /// Writes settings as text, where LIKE is such a file, or OUTPUT has the extension of one.
    fn config_file(
        &self,
        source: &Source,
        form: Form,
        model: Option<&Contents>,
    ) -> Result<Option<Status>, Failure> {
        let dialect = self.format.and_then(Format::dialect);
        if self.framing.is_some() || self.all {
            return Ok(None);
        }
        let Some(model) = model else {
            let is_called_so = self.output.path().and_then(Path::to_str).is_some_and(is_called_so);
            let Some(dialect) = dialect.filter(|_| is_called_so) else { return Ok(None) };
            let content = config_file::encode_new(source, form, dialect, self.limits)?;
            let closing = self.container.closing(&[], Some(dialect), self.key.key()?)?;
            return self.write_closed(&source.name, content, &closing, None).map(Some);
        };
        let Contents::Config(model) = model else { return Ok(None) };
        let layers = model.source.layers();
        let closing = self.container.closing(layers, dialect, self.key.key()?)?;
        let closing = closing.keeping(&model.source);
        let content = model.encode(source, form, self.limits)?;
        self.write_closed(&source.name, content, &closing, None).map(Some)
    }

    /// Writes a document like another one, in any format: unchanged parts keep their bytes.
    fn document(
        &self,
        source: &Source,
        form: Form,
        model: &documents::File,
    ) -> Result<Status, Failure> {
        let name = &model.source.name;
        if self.all || form != Form::Json {
            let what = model.format.description();
            return Err(Failure::usage(format!(
                "{name}: {what} is made of JSON, so --as and --all do not apply"
            )));
        }
        let mut document = model.open()?;
        let json = documents::read_value(&source.name, source.bytes())?;
        let changed = documents::replace(&mut *document, name, &json)?;
        let closing = self.container.closing(model.source.layers(), None, self.key.key()?)?;
        let closing = closing.keeping(&model.source);
        let summary = match changed.len() {
            0 => "nothing changed".to_owned(),
            count => format!("{} changed", counted(count as u64, "value")),
        };
        self.write_closed(
            &source.name,
            document.to_bytes(),
            &closing,
            Some((&summary, changed.len())),
        )
    }

    fn target(&self, model: Option<Contents>) -> Result<Target, Failure> {
        let key = self.key.key()?;
        let Some(model) = model else {
            let Some(Format::Variant(dialect)) = self.format else {
                return Err(Failure::usage("the output format is missing")
                    .hint("use --like SAVE to make a file like SAVE")
                    .hint("or use --format, such as --format godot4"));
            };
            let closing = self.container.closing(&[], Some(dialect), key)?;
            let framed = self.output.is_save() || !closing.layers().is_empty();
            let usual = if framed { FramingName::Frames } else { FramingName::Bare };
            let framing = self.framing.unwrap_or(usual);
            return Ok(Target { dialect, framing, all: self.all, closing, model: None });
        };
        let model = match model {
            Contents::Packets(model) => model,
            Contents::Pack(file) => return Err(pack::File::no_values(&file.source.name)),
            Contents::Resource(file) => return Err(file.read_only()),
            Contents::Script(file) => return Err(script::File::read_only(&file.source.name)),
            Contents::Alb1(file) => {
                let name = file.name;
                return Err(Failure::usage(format!(
                    "{name}: an ALB1 file can be made only from JSON of an ALB1 file"
                )));
            }
            Contents::Document(file) => return Err(file.no_values()),
            Contents::Config(file) => {
                let name = file.source.name;
                return Err(Failure::usage(format!(
                    "{name}: settings as text are one value, so --framing and --all do not apply"
                )));
            }
        };
        let (dialect, framing) = (model.dialect, model.framing);
        let closing = self.container.closing(model.source.layers(), Some(dialect), key)?;
        let closing = closing.keeping(&model.source);
        Ok(Target { dialect, framing, all: self.all, closing, model: Some(model) })
    }

    /// Writes values into the file of --like, whose unchanged parts keep their bytes.
    fn write_like(
        &self,
        source: &Source,
        form: Form,
        mut model: Input,
        target: &Target,
    ) -> Result<Status, Failure> {
        let alike = std::mem::take(&mut model.alike);
        let edited = by_precision!(model.dialect, R => self.edited::<R>(source, form, &model))?;
        let first = (model.dialect, model.framing);
        for &(dialect, framing) in &alike {
            (model.dialect, model.framing) = (dialect, framing);
            let other = by_precision!(dialect, R => self.edited::<R>(source, form, &model));
            if other.is_err() || other.is_ok_and(|other| other.content != edited.content) {
                return Err(left_open(&model.source.name, first, &alike));
            }
        }
        edited.found.remarks().iter().for_each(|remark| super::remark(remark));
        let summary = edited.found.summary();
        self.write_closed(
            &source.name,
            edited.content,
            &target.closing,
            Some((&summary, edited.found.count())),
        )
    }

    fn edited<R: Real>(
        &self,
        source: &Source,
        form: Form,
        model: &Input,
    ) -> Result<Edited, Failure> {
        let olds = old_packets::<R>(model)?;
        let (dialect, limits) = (model.dialect, self.limits.limits());
        let all = self.all || olds.len() > 1;
        let mut values: Vec<Variant<R>> = if all {
            form.read_all(source, dialect, limits)?
        } else {
            vec![form.read(source, dialect, limits)?]
        };
        // Rounding is allowed: 0.1 in the input must not be refused because Godot 2 rounds it.
        let encoder = self.limits.encoder(dialect).rounding(true);
        // The native form has the type of every number.
        let keep = !self.as_given && form != Form::Native;
        let mut found = Found::default();
        found.length(olds.len(), values.len());
        let mut packets = Vec::with_capacity(values.len());
        let mut olds = olds.into_iter();
        for (index, value) in values.iter_mut().enumerate() {
            let old = olds.next();
            let number = all.then_some(index);
            if let Some(old) = &old {
                found.value(old, value, number, dialect, keep);
            }
            let packet = match &old {
                Some(old) if !self.as_given => found.write(old, value, &encoder),
                _ => encoder.encode(value),
            };
            packets.push(packet.map_err(|error| {
                let keys = in_value(value, error.path());
                let name = named(source, all, model.framing, index);
                Failure::in_value(&name, error).in_keys(keys)
            })?);
        }
        let content =
            model.join(&packets).map_err(|error| Failure::in_value(&source.name, error))?;
        Ok(Edited { content, found })
    }

    fn write<R: Real>(
        &self,
        source: &Source,
        form: Form,
        target: &Target,
    ) -> Result<Status, Failure> {
        let limits = self.limits.limits();
        let values: Vec<Variant<R>> = if target.all {
            form.read_all(source, target.dialect, limits)?
        } else {
            vec![form.read(source, target.dialect, limits)?]
        };
        // Rounding is allowed: 0.1 in the input must not be refused because Godot 2 rounds it.
        let encoder = self.limits.encoder(target.dialect).rounding(true);
        let bytes = bytes(&values, &encoder, target.framing).map_err(|(index, error)| {
            let keys = values.get(index).map_or_else(String::new, |it| in_value(it, error.path()));
            let name = named(source, target.all, target.framing, index);
            Failure::in_value(&name, error).in_keys(keys)
        })?;
        self.write_closed(&source.name, bytes, &target.closing, None)
    }

    /// Writes a document of Terrain Builder, in the containers of the file of --like.
    fn write_document(&self, name: &str, document: &Document) -> Result<Status, Failure> {
        let key = self.key.key()?;
        let mut closing = self.container.closing(&[], None, key.clone())?;
        if let Some(like) = &self.like {
            let options = InputOptions { skip: self.skip, ..InputOptions::default() };
            let Contents::Alb1(model) = Contents::open(like, &options, key.as_ref(), self.limits)?
            else {
                return Err(Failure::usage(format!(
                    "{}: JSON of an ALB1 file cannot become a file like this one",
                    source::name(like)
                )));
            };
            closing = self.container.closing(&model.layers, None, key)?;
        }
        let bytes = document.to_vec().map_err(|error| Failure::in_value(name, error))?;
        self.write_closed(name, bytes, &closing, None)
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
        let target = self.output.path().map_or("standard output".into(), source::name);
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
            output: Some(target),
            written: !self.dry_run,
            size: Some(bytes.len()),
            changes: summary.map(|(_, count)| [("changed", count as i64)].into()),
            ..FileReport::new(name)
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

/// Reads the packets of a file, with the number of unusual values in each.
fn old_packets<R: Real>(model: &Input) -> Result<Vec<OldPacket<'_, R>>, Failure> {
    // The errors of this call are the best ones.
    let count = model.values::<R>(Strictness::Engine)?.values.len();
    let decoder = model.decoder::<R>(Strictness::Engine);
    if model.framing == FramingName::Settings {
        let base = model.source.skipped() as u64;
        let refused = |error: Error| {
            let name = &model.source.name;
            let error = error.shifted(base);
            Failure::no(format!("{name}: the file cannot be written like this again: {error}"))
        };
        let packet = settings::to_packet(model.source.content(), &decoder).map_err(refused)?;
        return Ok(vec![OldPacket::read(packet, &decoder).map_err(refused)?.0]);
    }
    let mut packets = Vec::with_capacity(count);
    let mut starts = Vec::with_capacity(count);
    let read = model.packets(|packet, start| {
        let (_, length) = decoder.decode_prefix(packet)?;
        starts.push((start as usize, length));
        Ok(length)
    });
    read.map_err(|error| model.failure(error))?;
    for (start, length) in starts {
        let bytes = model.source.bytes().get(start..start + length).unwrap_or_default();
        let read = OldPacket::read(bytes, &decoder);
        packets.push(read.map_err(|error| model.failure(error.shifted(start as u64)))?.0);
    }
    Ok(packets)
}

/// Returns the name of a value of the source. (The path of an error names the frame, if there is
/// one.)
fn named(source: &Source, all: bool, framing: FramingName, index: usize) -> String {
    if all && framing == FramingName::Bare {
        return format!("{}, value {index}", source.name);
    }
    source.name.clone()
}

/// Returns the packets of the values, framed; or the number of a value that has no packet, and the
/// error.
pub(crate) fn bytes<R: Real>(
    values: &[Variant<R>],
    encoder: &Encoder<R>,
    framing: FramingName,
) -> Result<Vec<u8>, (usize, Error)> {
    let mut bytes = Vec::new();
    match framing {
        FramingName::Settings => {
            let [value] = values else {
                let found = counted(values.len() as u64, "value");
                let rule = settings::rule::DICTIONARY;
                return Err((
                    0,
                    Error::new(rule, 0, "one Dictionary for a file of settings", found),
                ));
            };
            let packet = encoder.encode(value).map_err(|error| (0, error))?;
            let file = framing.framing().join(encoder.dialect(), [packet]);
            bytes = file.map_err(|error| (0, error))?;
        }
        FramingName::Bare => {
            for (index, value) in values.iter().enumerate() {
                encoder.encode_into(value, &mut bytes).map_err(|error| (index, error))?;
            }
        }
        FramingName::Frames | FramingName::FramesBe => {
            let order = framing.order().unwrap_or_default();
            let mut frames = FrameWriter::new(&mut bytes, order);
            for (index, value) in values.iter().enumerate() {
                frames.write_value(value, encoder).map_err(|error| (index, error))?;
            }
        }
    }
    Ok(bytes)
}
