//! `convert`: converts values of one engine to another.

mod table;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use formwork_edit::convert::LossKind;
use formwork_variant::Dialect;

use super::container::ContainerOptions;
use super::contents::InputOptions;
use super::converting::{Converting, Losses, ReportForm};
use super::failure::{Failure, Status};
use super::folder::{
    IntoOptions, Made, Sort, for_each, password_is_no_stream, report, report_left_out,
};
use super::format::{Format, LimitOptions};
use super::framing::FramingName;
use super::input::stdin_once;
use super::key::KeyOptions;
use super::layers::named;
use super::manner;
use super::output::{OutputOptions, print_object};
use super::quantity::counted;
use super::remark;
use super::report_line;
use super::source::{self, is_stdin};
use table::TableForm;

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
            let file = file.clone();
            let container = self.container.clone().of_several();
            return Self { container, ..self }.convert_folder(&file, to);
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
        let losses = Losses::new(self.report, false);
        let ended = self.convert_file(file, to, &losses, &self.output.version_of(file));
        if self.json {
            self.report_json(file, self.output.path(), to, &losses, &ended)?;
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
            let losses = Losses::new(self.report, !all);
            let ended = self.convert_file(&job.from, to, &losses, &OutputOptions::made_by(job));
            if self.json {
                let report = self.report_json(&job.from, Some(&job.to), to, &losses, &ended);
                broken = report.err().or(broken.take());
            }
            for (kind, (count, first)) in losses.into_kinds() {
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
        losses: &Losses,
        ended: &Result<Status, Failure>,
    ) -> Result<(), Failure> {
        let losses = losses.counts().into_iter().map(|(kind, count)| (kind.name(), count as i64));
        let mut line = report(file, output, ended.is_ok() && !self.dry_run, ended);
        line.format = Some(to.to_string());
        line.losses = Some(losses.collect());
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

    /// Converts a file. Its containers become those of the other engine.
    fn convert_file(
        &self,
        file: &Path,
        to: Dialect,
        losses: &Losses,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        let key = self.key.key()?;
        let file = self.options().open_any(file, key.as_ref(), self.limits)?;
        let (name, source) = (file.name(), file.source());
        let closing = self.container.closing(source.layers(), Some(to), key)?.keeping(source);
        let (is_lossy, is_named) = (self.lossy, self.from.is_some());
        let converted = file.convert(&Converting { to, is_lossy, is_named, losses })?;
        let bytes = closing.close(name, &converted.content)?;
        self.write(&bytes, output, &converted.what)?;
        for it in &converted.remarks {
            remark(&format!("{name}: {it}"));
        }
        let [from, into] = [source.layers(), closing.layers()].map(|layers| match layers {
            [] => "none".to_owned(),
            layers => named(layers),
        });
        if from != into {
            remark(&format!("{name}: wrapper {from} becomes {into}"));
        }
        Ok(converted.status)
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
}
