//! `info`: shows the format and the content of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::wrapper::Key;

use super::around::{Closed, take_out_all};
use super::contents::{InputOptions, Kind};
use super::failure::{Failure, Status};
use super::file::{Describing, File};
use super::folder::{Files, report_failed};
use super::format::LimitOptions;
use super::guess::{RAW_HINT, guessed};
use super::lines::line as json_line;
use super::manner;
use super::output::OutputOptions;
use super::packets::Input;
use super::progress::{self, Progress};
use super::quantity::counted;
use super::report::{Entry, Report};
use super::say;
use super::source::Source;
use super::style::{Palette, shown};

/// Show what a file is and which engine wrote it
///
/// Never fails on strange files: it prints what it can see. Of the files of a folder it prints a line
/// each, and a summary.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Info {
    /// Files or folders to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    /// List all files of a pack, not only the first ones, and all there is about files of a folder
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork info game.save
  formwork info game.save --password 'correct horse'
  formwork info saves/*
  formwork info saves                      all files in a folder, in a line each
  formwork info --json game.save
  formwork info island.tv4p island.Layers/*.tv4l
  formwork info game.pck --all             all files of a game
  formwork info 'game.x86_64!start.save'   a file in the pack behind an executable

How the format is detected:
Saves do not name the engine that wrote them, so the program tries all formats. 'why' gives the reason for its choice, 'or' lists what else fits. It names a release only if the bytes show it, as in 'Godot 4 (4.0 to 4.7 write the same)'. ALB1 files start with their name. A pack names the release that made it, and so settles the format of its files.

What else it finds:
If a game wrote a header of its own first, 'found' gives the --skip option that reads the values after it. For a damaged file, 'faults' gives the place of the damage. Compressed files are unpacked, and encrypted ones too if you give the password.

Exit status: 0 success (whatever the file is), 1 a file could be read only in part, 2 wrong use, 3 a file could not be read."#;

impl Info {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key(&self.files)?;
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let mut status = Status::Done;
        let files = Files::of(&self.files)?;
        let whole = self.json || self.all || manner::is_verbose() || !files.has_folders;
        let mut summary = Summary::default();
        self.output.write(|out| {
            let progress =
                Progress::new(if self.output.is_stdout() { 0 } else { files.files.len() });
            let mut gap = "";
            for (file, is_of_folder) in &files.files {
                progress.next(shown(file.display()));
                let looked = match self.look(file, key.as_ref()) {
                    Ok((looked, seen)) => {
                        // A file that was read only in part is no success.
                        let part = looked.has("faults");
                        status = status.and(seen).and(if part { Status::No } else { Status::Done });
                        looked
                    }
                    // The other files may be readable.
                    Err(failure) => {
                        status = status.and(say(&failure));
                        summary.unreadable += 1;
                        if self.json {
                            // The output records a write error itself.
                            let _ = writeln!(out, "{}", json_line(&report_failed(file, &failure)));
                        }
                        continue;
                    }
                };
                summary.add(&looked);
                if self.output.is_stdout() {
                    progress::end();
                }
                let printed = if self.json {
                    writeln!(out, "{}", looked.json(file))
                } else if whole || !is_of_folder {
                    let printed = write!(out, "{gap}").and_then(|()| looked.print(&palette, out));
                    gap = "\n";
                    printed
                } else {
                    writeln!(out, "{}", line(&looked, &palette))
                };
                progress.done();
                // The output records a write error itself.
                if printed.is_err() {
                    return Ok(());
                }
            }
            if files.has_folders {
                // The output records a write error itself.
                let _ = match self.json {
                    true => writeln!(out, "{}", summary.json()),
                    false => writeln!(out, "\n{}", summary.line()),
                };
            }
            Ok(())
        })?;
        Ok(status)
    }

    fn look(&self, file: &Path, key: Option<&Key>) -> Result<(Report, Status), Failure> {
        self.look_into(Source::read_with(file, key)?, key)
    }

    fn look_into(&self, source: Source, key: Option<&Key>) -> Result<(Report, Status), Failure> {
        let mut source = source.skipping(self.input.skip);
        let mut report = Report::new(&source.name);
        let size = source.bytes().len() as u64;
        let (containers, closed) = take_out_all(&mut source, key, self.limits);
        if !containers.is_empty() {
            report.add("wrapper", Entry::Wrappers(containers));
        }
        if let Some(closed) = closed {
            report.closed(&source.name, &closed, size);
            return Ok((report, Status::Done));
        }
        source.header_is_there()?;
        let is_named = self.input.format.is_some();
        let asked = Describing { size, is_named, all: self.all };
        let kind = self.input.kind(&source)?;
        let is_document = matches!(kind, Kind::Document(_));
        if !is_named && !is_document && report.newer(&source, size, self.all) {
            return Ok((report, Status::Done));
        }
        if !matches!(kind, Kind::Packets) {
            let status = match (self.input.open_as(kind, source, self.limits), kind) {
                (Ok(file), _) => file.describe(&mut report, asked),
                // The start of a damaged script is known all the same.
                (Err(failure), Kind::Script) => report.damaged_script(&failure, size),
                (Err(failure), _) => return Err(failure),
            };
            return Ok((report, status));
        }
        let guess = guessed(&mut source, self.input.dialect(), self.input.framing);
        let reading = report.detected(guess, is_named, &source);
        report.add("size", Entry::Amount(size, "byte"));
        let Some((dialect, framing)) = reading else {
            if !source.layers().is_empty() {
                report.add_for_people("hint", Entry::line(RAW_HINT));
            }
            return Ok((report, Status::Done));
        };
        let input = Input::known(source, dialect, framing, self.limits);
        let status = input.describe(&mut report, asked);
        Ok((report, status))
    }
}

/// Returns a file of a folder as a line: format, size, and whether it is damaged.
fn line(report: &Report, palette: &Palette) -> String {
    let Palette { name, error, .. } = *palette;
    let (format, size) = (report.word("format").unwrap_or(""), report.number("size"));
    let size = size.map(|size| size.to_string()).unwrap_or_default();
    let damaged = match (report.has("faults"), report.has("locked")) {
        (true, _) => format!("  {error}damaged{error:#}"),
        (_, true) => "  locked".to_owned(),
        _ => String::new(),
    };
    format!("{name}{format:<14}{name:#}  {size:>10}  {}{damaged}", report.name())
}

/// The formats of the files of folders.
#[derive(Default)]
struct Summary {
    files: u64,
    bytes: u64,
    /// For each format: the number of files, and how many of these are damaged.
    formats: BTreeMap<String, (u64, u64)>,
    locked: u64,
    unreadable: u64,
}

impl Summary {
    fn add(&mut self, report: &Report) {
        self.files += 1;
        self.bytes += report.number("size").unwrap_or_default();
        self.locked += u64::from(report.has("locked"));
        let format = report.word("format").unwrap_or_default().to_owned();
        let counts = self.formats.entry(format).or_default();
        counts.0 += 1;
        counts.1 += u64::from(report.has("faults"));
    }

    /// Returns the summary as a line, the most frequent format first.
    fn line(&self) -> String {
        let mut formats: Vec<_> = self.formats.iter().collect();
        formats.sort_by_key(|(name, (count, _))| (std::cmp::Reverse(*count), name.as_str()));
        let formats = formats.into_iter().map(|(name, (count, damaged))| match damaged {
            0 => format!("{count} {name}"),
            damaged => format!("{count} {name} ({damaged} damaged)"),
        });
        let mut line = format!(
            "{}, {}: {}",
            counted(self.files, "file"),
            counted(self.bytes, "byte"),
            formats.collect::<Vec<_>>().join(", ")
        );
        if self.files == 0 {
            line = "no files".to_owned();
        }
        for (count, what) in [(self.locked, "locked"), (self.unreadable, "could not be read")] {
            if count > 0 {
                line.push_str(&format!("; {count} {what}"));
            }
        }
        line
    }

    fn json(&self) -> serde_json::Value {
        let formats = self.formats.iter().map(|(name, (count, damaged))| {
            (name.clone(), serde_json::json!({ "file_count": count, "damaged_count": damaged }))
        });
        let formats: serde_json::Map<_, _> = formats.collect();
        serde_json::json!({
            "summary": {
                "file_count": self.files,
                "size": self.bytes,
                "formats": formats,
                "locked_count": self.locked,
                "unreadable_count": self.unreadable,
            }
        })
    }
}

impl Report {
    /// Returns the report of `info --all` on a file.
    pub(crate) fn about(
        source: Source,
        input: &InputOptions,
        limits: LimitOptions,
        key: Option<&Key>,
    ) -> Result<Self, Failure> {
        let (input, output) = (input.clone(), OutputOptions::default());
        let info = Info { files: Vec::new(), json: false, all: true, input, limits, output };
        info.look_into(source, key).map(|(report, _)| report)
    }

    /// Adds the facts about a container that cannot be opened.
    fn closed(&mut self, name: &str, closed: &Closed, size: u64) {
        let Closed { kind, failure } = closed;
        self.add("format", Entry::named(kind.name(), kind.description()));
        self.add("size", Entry::Amount(size, "byte"));
        match failure.status() {
            Status::Usage => self.locked(failure.lines(name)),
            _ => self.fault(failure.lines(name), failure.finding()),
        }
    }
}
