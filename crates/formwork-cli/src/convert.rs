//! `convert`: converts values of one engine to another.

use super::source;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Key;
use formwork_variant::convert::{Converter, Loss, LossKind, Table};
use formwork_variant::dialect::FloatWidth;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Array, Real, Variant};
use formwork_variant::{Dialect, Strictness};
use serde::Serialize;

use super::config_file::{File, is_one};
use super::container::ContainerOptions;
use super::contents::{Contents, InputOptions, Opened};
use super::encode::bytes;
use super::failure::{Failure, Status};
use super::folder::{
    IntoOptions, Made, Sort, for_each, password_is_no_stream, report, report_left_out,
};
use super::format::{Format, LimitOptions, by_precision};
use super::framing::FramingName;
use super::guess::{engine_name, other_than};
use super::input::stdin_once;
use super::key::KeyOptions;
use super::layers::named;
use super::lines::line;
use super::manner;
use super::output::{OutputOptions, print_object};
use super::pack;
use super::packets::Input;
use super::place::in_value;
use super::progress;
use super::quantity::counted;
use super::remark;
use super::report_line;
use super::script;
use super::source::{Source, is_stdin};
use super::style::Palette;
use super::terminal;

/// Convert a save from one engine to another
///
/// Engines number their types differently: Godot 4 reads garbage from a save of Godot 3. This
/// command writes the values as the other engine would. If a value has no exact counterpart there,
/// the command lists it and writes nothing. With --lossy it writes the nearest value instead.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Convert {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Engine that will read it, such as godot2, godot3, godot4.2 or pandemonium
    #[arg(short, long, value_name = "FORMAT", value_parser = super::format::format, value_hint = ValueHint::Other, required_unless_present = "table")]
    to: Option<Format>,
    /// Engine that wrote it [default: detected]
    #[arg(short, long, alias = "format", value_name = "FORMAT", value_parser = super::format::format, value_hint = ValueHint::Other)]
    from: Option<Format>,
    /// How the file stores its values [default: detected]
    #[arg(long, value_enum, value_name = "FRAMING")]
    framing: Option<FramingName>,
    /// Copy a header of BYTES bytes, which the game wrote before the values (hex: 0x10)
    ///
    /// In a compressed or encrypted file, these are bytes of the unpacked content.
    #[arg(long, value_name = "BYTES", value_parser = super::format::bytes)]
    skip: Option<u64>,
    /// Write the nearest value where there is no exact counterpart
    #[arg(long)]
    lossy: bool,
    /// How to list what is lost
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    report: ReportForm,
    /// List each loss in the files of a folder, not only how many of each kind
    #[arg(long)]
    all: bool,
    /// Print one JSON object per file about what was done
    #[arg(long)]
    json: bool,
    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "table")]
    dry_run: bool,
    #[command(flatten)]
    into: IntoOptions,
    /// Show which type becomes which, instead of converting a file
    #[arg(long, conflicts_with_all = ["file", "framing", "lossy", "container"])]
    table: bool,
    /// Form of the table [default: md]
    #[arg(long = "as", value_enum, value_name = "FORM", conflicts_with = "file")]
    form: Option<TableForm>,
    #[command(flatten)]
    container: ContainerOptions,
    #[command(flatten)]
    key: KeyOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[arg(skip)]
    lost: RefCell<Lost>,
}

/// The losses in all files.
#[derive(Clone, Debug, Default)]
struct Lost {
    /// Whether the losses are only counted.
    counts_only: bool,
    /// For each kind of loss: the number, and the first loss.
    kinds: BTreeMap<LossKind, (u64, String)>,
}

/// A form of what is lost.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum ReportForm {
    /// One line of text per loss
    #[default]
    Text,
    /// One line of JSON per loss
    Json,
}

/// Makes the failure where losses are refused: the number of each kind, and the values that would
/// be written.
fn refused(name: &str, losses: &BTreeMap<LossKind, u64>, to: Dialect) -> Failure {
    let all: u64 = losses.values().sum();
    let have = if all == 1 { "has" } else { "have" };
    let what = counted(all, "value");
    let message =
        format!("{name}: {what} {have} no exact counterpart in {to}; nothing was written");
    let mut failure = Failure::no(message);
    for (kind, count) in losses {
        let (description, nearest) = (kind.description(), kind.nearest());
        failure = failure.line(format!("{count} {}: {to} {description}", kind.name()));
        failure = failure.line(format!("  with --lossy: {nearest}"));
    }
    if losses.keys().eq([&LossKind::Rounded]) && to.quirks().float_width == FloatWidth::Narrow {
        failure = failure.line(
            "Godot 2 keeps floats in 32 bits, which is about 7 digits: 0.4 is 0.4000000059604645 there.",
        );
    }
    failure.hint("use --lossy to write the nearest values")
}

/// A form of the table.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum TableForm {
    /// Markdown
    #[default]
    Md,
    /// JSON
    Json,
}

const AFTER: &str = r#"Examples:
  formwork convert game.save -o new.save --to godot4
  formwork convert game.save -o old.save --to godot3.5 --lossy
  formwork convert packet.bin -o packet3.bin --from godot4.2 --framing bare --to godot3
  formwork convert --table --from godot4 --to godot3

Compressed and encrypted saves:
The output gets the same password, encrypted as the other engine does it. It gets the same compression, if the other engine can read that:
  formwork convert game.save -o new.save --to godot4 --password secret
  formwork convert game.save -o old.save --to godot2 --wrapper none
The text of a ConfigFile is converted in its wrapper. Content that is not values stays as it is:
  formwork convert settings.cfg -o new.cfg --to godot4 --password secret

Folders:
This converts all files in 'saves' and its subfolders. Files without values are left out and listed; nothing is overwritten without --force. The losses of all files are counted by kind; --all lists each:
  formwork convert saves --into saves4 --to godot4
  formwork convert saves --into saves4 --to godot4 --dry-run

Losses:
Standard error lists each loss: where it is, what it is, what it becomes and why. With --report json:
  {"index":0,"kind":"type","path":"player/cell", ...}

Exit status: 0 success, 1 the data is not valid or something would be lost, 2 wrong use, 3 a file could not be read or written. If anything fails, OUTPUT stays as it was."#;

impl Convert {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if self.table {
            return self.show_table();
        }
        let (Some(file), Some(to)) = (&self.file, self.to) else {
            return Err(Failure::usage("FILE and --to are missing"));
        };
        let Some(to) = to.dialect() else {
            return Err(Failure::usage(
                "--to alb1: values cannot become a file of Terrain Builder",
            ));
        };
        if !is_stdin(file) && file.is_dir() {
            return self.convert_folder(file, to);
        }
        if self.into.into.is_some() {
            return Err(Failure::usage("--into is for folders; use -o for one file"));
        }
        if self.json && self.output.is_stdout() && !self.dry_run {
            return Err(Failure::usage(
                "--json and the new file cannot both go to standard output",
            )
            .hint("use -o FILE"));
        }
        let passwords = [self.key.file(), self.container.new_key.file()];
        stdin_once(passwords.into_iter().flatten().chain([file.as_path()]))?;
        let ended = self.convert_file(file, to, &self.output.version_of(file));
        if self.json {
            self.report_json(file, self.output.path(), to, &ended)?;
        }
        ended
    }

    /// Converts the files of a folder. Leaves out files of unknown formats.
    fn convert_folder(&self, folder: &Path, to: Dialect) -> Result<Status, Failure> {
        let jobs = self.into.jobs(folder, Path::to_owned)?;
        password_is_no_stream(self.key.file())?;
        password_is_no_stream(self.container.new_key.file())?;
        let key = self.key.key()?;
        let all = self.all || manner::is_verbose();
        let mut kinds = BTreeMap::<LossKind, (u64, String)>::new();
        let mut broken = None;
        let done = if self.dry_run { "would be converted to" } else { "converted to" };
        let status = for_each(&jobs, &format!("{done} {to}"), |job| {
            let sort = Sort::of(&job.from, &self.options(), key.as_ref(), self.limits);
            if sort != Sort::Values {
                let why = match sort {
                    Sort::Unknown(_) => sort.why(),
                    _ => "no values of an engine",
                };
                if self.json {
                    broken = print_object(&report_left_out(&job.from, why)).err().or(broken.take());
                }
                return Ok(Made::LeftOut(why));
            }
            self.lost.replace(Lost { counts_only: !all, kinds: BTreeMap::new() });
            let ended = self.convert_file(&job.from, to, &OutputOptions::made_by(job));
            if self.json {
                let report = self.report_json(&job.from, Some(&job.to), to, &ended);
                broken = report.err().or(broken.take());
            }
            for (kind, (count, first)) in self.lost.take().kinds {
                kinds.entry(kind).or_insert((0, first)).0 += count;
            }
            ended.map(Made::Written)
        });
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(kind, (count, _))| (Reverse(*count), *kind));
        for (kind, (count, first)) in &kinds {
            let losses = if *count == 1 { "loss" } else { "losses" };
            remark(&format!("{count} {losses}, {}: {to} {}", kind.name(), kind.description()));
            remark(&format!("  the first: {first}"));
        }
        if !kinds.is_empty() && !all {
            remark("--all lists each loss");
        }
        broken.map_or(Ok(status), Err)
    }

    /// Prints the report on a file as JSON.
    fn report_json(
        &self,
        file: &Path,
        output: Option<&Path>,
        to: Dialect,
        ended: &Result<Status, Failure>,
    ) -> Result<(), Failure> {
        let losses = self.lost.borrow();
        let losses = losses.kinds.iter().map(|(kind, (count, _))| (kind.name(), *count as i64));
        let losses: BTreeMap<_, _> = losses.collect();
        let mut line = report(file, output, ended.is_ok() && !self.dry_run, ended);
        line.format = Some(to.to_string());
        line.losses = Some(losses);
        print_object(&line)
    }

    /// Returns the options for reading the input.
    fn options(&self) -> InputOptions {
        let (format, framing) = (self.from, self.framing);
        InputOptions {
            format,
            framing,
            skip: self.skip,
            key: self.key.clone(),
            ..InputOptions::default()
        }
    }

    /// Counts a loss, and prints it where each is wanted.
    fn lose(&self, kind: LossKind, line: impl FnOnce(bool) -> String) {
        let mut lost = self.lost.borrow_mut();
        let entry = lost.kinds.entry(kind).or_insert_with(|| (0, String::new()));
        entry.0 += 1;
        let is_first = entry.0 == 1;
        let line = (is_first || !lost.counts_only).then(|| line(lost.counts_only));
        let Some(line) = line else { return };
        if !lost.counts_only {
            progress::aside(|| {
                // A failure to write to standard error is ignored.
                let _ = writeln!(terminal::stderr(), "{line}");
            });
        }
        if let (true, Some(entry)) = (is_first, lost.kinds.get_mut(&kind)) {
            entry.1 = line;
        }
    }

    /// Returns the number of losses of each kind in a file.
    fn losses(&self) -> BTreeMap<LossKind, u64> {
        self.lost.borrow().kinds.iter().map(|(kind, (count, _))| (*kind, *count)).collect()
    }

    /// Converts a file.
    fn convert_file(
        &self,
        file: &Path,
        to: Dialect,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        let key = self.key.key()?;
        let options = self.options();
        let input = match Opened::open(file, &options, key.as_ref(), self.limits)? {
            Opened::Contents(Contents::Packets(input)) => input,
            Opened::Other(source, _) if self.framing.is_none() && is_one(&source) => {
                let file = File::new(source, options.dialect());
                return self.convert_config(&file, to, key, output);
            }
            Opened::Other(source, other) => return self.wrap_anew(source, other, to, key, output),
            Opened::Contents(Contents::Config(file)) => {
                return self.convert_config(&file, to, key, output);
            }
            Opened::Contents(Contents::Document(file)) if file.source.layers().is_empty() => {
                let name = &file.source.name;
                return Err(file.no_values().hint(format!(
                    "to make a save of its values: formwork encode {name} --format {to} -o NEW.save"
                )));
            }
            Opened::Contents(Contents::Document(file)) => {
                return self.wrap_anew(file.source, Some(Other::Json), to, key, output);
            }
            Opened::Contents(Contents::Pack(file)) => {
                return Err(pack::File::no_values(&file.source.name));
            }
            Opened::Contents(Contents::Resource(file)) => return Err(file.read_only()),
            Opened::Contents(Contents::Script(file)) => {
                return Err(script::File::read_only(&file.source.name));
            }
            Opened::Contents(Contents::Alb1(file)) => {
                let name = file.name;
                return Err(Failure::usage(format!(
                    "{name}: an ALB1 file contains no values of an engine"
                )));
            }
        };
        let closing = self.container.closing(input.source.layers(), Some(to), key)?;
        let closing = closing.keeping(&input.source);
        let mut status = Status::Done;
        let content = by_precision!(input.dialect, R => {
            by_precision!(to, S => self.convert::<R, S>(&input, to, &mut status)?)
        });
        let bytes = closing.close(&input.source.name, &content)?;
        self.write(&bytes, output, &format!("{to} (from {})", engine_name(input.dialect)))?;
        Ok(status)
    }

    /// Writes the new file, and reports it.
    fn write(&self, bytes: &[u8], output: &OutputOptions, what: &str) -> Result<(), Failure> {
        output.told().dry(self.dry_run).write_binary(|out| {
            // The output records a write error itself.
            let _ = out.write_all(bytes);
            Ok(())
        })?;
        let size = counted(bytes.len() as u64, "byte");
        match (output.path(), self.dry_run) {
            (path, true) => {
                let name = path.map_or_else(|| "standard output".to_owned(), source::name);
                report_line(&format!("would write to {name}: {size}, {what}"));
            }
            (Some(path), false) => report_line(&format!("{}: {size}, {what}", source::name(path))),
            (None, false) => {}
        }
        Ok(())
    }

    /// Writes settings as text, with the values converted to another engine.
    fn convert_config(
        &self,
        file: &File,
        to: Dialect,
        key: Option<Key>,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        let source = &file.source;
        let closing = self.container.closing(source.layers(), Some(to), key)?.keeping(source);
        let (from, into) = (named(source.layers()), named(closing.layers()));
        let style = Palette::stderr().note;
        let name = &source.name;
        let mut index = 0;
        let converted = file.convert(to, |place, loss| {
            index += 1;
            self.lose(loss.kind, |is_plain| match self.report {
                _ if is_plain => format!("{name}: {place}: {loss}"),
                ReportForm::Json => json(index, loss),
                ReportForm::Text => format!("{style}loss{style:#}: {name}: {place}: {loss}"),
            });
        })?;
        let losses = self.losses();
        if !losses.is_empty() && !self.lossy {
            return Err(refused(name, &losses, to));
        }
        let bytes = closing.close(name, &converted.content)?;
        self.write(&bytes, output, &converted.summary(to))?;
        for left in converted.left() {
            remark(&format!("{name}: {left}"));
        }
        if from != into {
            let into = if into.is_empty() { "none" } else { &into };
            remark(&format!("{name}: wrapper {from} becomes {into}"));
        }
        Ok(Status::Done)
    }

    /// Puts a content without values, unchanged, into the containers of the other engine.
    fn wrap_anew(
        &self,
        source: Source,
        other: Option<Other>,
        to: Dialect,
        key: Option<Key>,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        let closing = self.container.closing(source.layers(), Some(to), key)?.keeping(&source);
        let (from, into) = (named(source.layers()), named(closing.layers()));
        let name = &source.name;
        let bytes = closing.close(name, source.content())?;
        self.write(&bytes, output, "the content as it was")?;
        let what = other.map_or("something that no format fits", Other::description);
        let or_none = |layers: String| if layers.is_empty() { "none".to_owned() } else { layers };
        let wrapper = match from == into {
            true => String::new(),
            false => format!("; wrapper {} becomes {}", or_none(from), or_none(into)),
        };
        remark(&format!("{name}: the content is {what} and stays as it is{wrapper}"));
        Ok(Status::Done)
    }

    /// Returns the bytes of the input's values, converted to another dialect.
    fn convert<R: Real, S: Real>(
        &self,
        input: &Input,
        to: Dialect,
        status: &mut Status,
    ) -> Result<Vec<u8>, Failure> {
        let name = &input.source.name;
        let encoder = self.limits.encoder(to);
        let limits = self.limits.limits();
        let converter = Converter::new(input.dialect, to).in_precision().limits(limits);
        let read = input.values::<R>(Strictness::Engine)?;
        if let Some(unread) = read.unread(name) {
            if !self.lossy {
                let failure = Failure::no(unread);
                let other = other_than(&input.source, input.dialect);
                return Err(match other.filter(|_| self.from.is_some()) {
                    Some(other) => failure.hint(format!("the file is {other}: leave out --from")),
                    None => failure.hint("use --lossy to leave them out"),
                });
            }
            remark(&unread);
            *status = Status::No;
        }
        let values = read.values;
        let several = values.len() > 1;
        let style = Palette::stderr().note;
        let converted: Vec<Variant<S>> = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                converter.convert_noting(value, |loss| {
                    self.lose(loss.kind, |is_plain| match self.report {
                        _ if is_plain => format!("{name}: {loss}"),
                        ReportForm::Json => json(index, &loss),
                        ReportForm::Text if several => {
                            format!("{style}loss{style:#}: {name}: value {index}: {loss}")
                        }
                        ReportForm::Text => format!("{style}loss{style:#}: {name}: {loss}"),
                    });
                })
            })
            .collect();
        let losses = self.losses();
        if !losses.is_empty() && !self.lossy {
            return Err(refused(name, &losses, to));
        }
        bytes(&converted, &encoder, input.framing).map_err(|(index, error)| {
            let name = if several { format!("{name}, value {index}") } else { name.clone() };
            let keys =
                converted.get(index).map_or_else(String::new, |it| in_value(it, error.path()));
            Failure::in_value(&name, error).in_keys(keys)
        })
    }

    fn show_table(&self) -> Result<Status, Failure> {
        let dialect = |format: Option<Format>| match format {
            Some(Format::Alb1) => {
                Err(Failure::usage("--table shows types of engines, not of ALB1"))
            }
            Some(Format::Variant(dialect)) => Ok(Some(dialect)),
            None => Ok(None),
        };
        let table = Table::new(dialect(self.from)?, dialect(self.to)?);
        let text = match self.form.unwrap_or_default() {
            TableForm::Md => table.to_string(),
            TableForm::Json => table_json(&table) + "\n",
        };
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(text.as_bytes());
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// A loss, as JSON.
#[derive(Serialize)]
struct LossLine<'l> {
    /// Number of the value in the file.
    index: usize,
    kind: &'static str,
    /// Its place, as keys of the stored values.
    path: &'l str,
    /// Its place, as fields of the format.
    field_path: String,
    r#type: &'static str,
    found: &'l str,
    nearest: &'l str,
    message: &'l str,
}

/// Returns a loss as a line of JSON.
fn json(index: usize, loss: &Loss) -> String {
    line(&LossLine {
        index,
        kind: loss.kind.name(),
        path: &loss.place,
        field_path: format!("{:#}", loss.path),
        r#type: loss.variant_type.name(),
        found: &loss.found,
        nearest: &loss.nearest,
        message: &loss.why,
    })
}

/// Returns the table as JSON.
fn table_json(table: &Table) -> String {
    let object = |(types, row): (&[String], &[String])| -> Variant {
        types.iter().map(String::as_str).zip(row.iter().map(String::as_str)).collect()
    };
    let rows: Array = table.rows().map(|row| object((table.head(), row))).collect();
    let losses = table.losses().iter().map(|kind| -> Variant {
        let says = [
            ("kind", kind.name()),
            ("description", kind.description()),
            ("nearest", kind.nearest()),
        ];
        says.into_iter().collect()
    });
    let losses: Array = losses.collect();
    plain([("types", Variant::Array(rows)), ("losses", Variant::Array(losses))])
}

/// Returns fields as an object of plain JSON, whose form is the same in every dialect.
fn plain<const N: usize>(fields: [(&str, Variant); N]) -> String {
    to_json(&fields.into_iter().collect(), Dialect::GODOT4, Style::Compact)
}
