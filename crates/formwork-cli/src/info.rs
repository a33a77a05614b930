//! `info`: shows the format and the content of files.

use super::report::CERTAIN;
use super::report::SAID;
use super::report::Sure;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::wrapper::Key;
use formwork_variant::{Dialect, Error, Strictness};
use formwork_variant::{Object, Variant};

use super::alb1;
use super::around::{Closed, take_out_all};
use super::census::Census;
use super::config_file;
use super::contents::InputOptions;
use super::documents;
use super::failure::{Failure, Status};
use super::findings::{Deviation, Findings};
use super::folder::{Files, report_failed};
use super::format::{LimitOptions, by_precision};
use super::framing::FramingName;
use super::guess::{
    Guess, RAW_HINT, Reading, behind_in_words, engine_in_words, engine_name, lines,
};
use super::lines::{Finding, line as json_line};
use super::manner;
use super::output::OutputOptions;
use super::pack;
use super::packets::Input;
use super::progress::{self, Progress};
use super::quantity::counted;
use super::report::{Entry, Report};
use super::resource;
use super::say;
use super::script;
use super::source::Source;
use super::style::{Palette, shown};
use super::values::only_a_number;

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
                    writeln!(out, "{}", looked.json())
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
        if let Some((format, confidence)) = self.input.document(&source)? {
            report.content_of(&documents::File { source, format, confidence }, size);
            return Ok((report, Status::Done));
        }
        let said = self.input.format.is_some();
        if !said && report.newer(&source, size, self.all) {
            return Ok((report, Status::Done));
        }
        if self.input.is_alb1(source.content()) {
            self.input.refuse_for_alb1(&source)?;
            let status = report.alb1(&alb1::File::new(source, self.limits), said, size);
            return Ok((report, status));
        }
        let dialect = self.input.dialect().or(source.engine);
        if self.input.is_pack(source.content()) {
            report.pack(&pack::File::new(source, self.limits), self.all);
            return Ok((report, Status::Done));
        }
        if self.input.is_resource(source.content()) {
            let file = resource::File::new(source, dialect, self.limits);
            report.resource(&file, size);
            return Ok((report, Status::Done));
        }
        if self.input.is_script(source.content()) {
            match script::File::new(source, dialect, self.limits) {
                Ok(file) => report.script(&file, size),
                Err(failure) => report.damaged_script(&failure, size),
            }
            return Ok((report, Status::Done));
        }
        if self.input.framing.is_none() && config_file::is_one(&source) {
            let file = config_file::File::new(source, self.input.dialect());
            report.config_file(&file, size);
            return Ok((report, Status::Done));
        }
        let guess = Guess::of(&source, self.input.dialect(), self.input.framing);
        let said = match (said, source.engine) {
            (true, _) => Some(SAID),
            (false, engine) => {
                let found = match &guess {
                    Guess::One(reading) => Some(reading.dialect.family()),
                    Guess::Alike(readings) => readings.first().map(|it| it.dialect.family()),
                    _ => None,
                };
                // A file of another engine may be in the pack.
                let engine = engine.filter(|it| found.is_none_or(|found| found == it.family()));
                engine.map(|_| PACKED)
            }
        };
        let reading = report.format(guess, said, source.content());
        report.add("size", Entry::Amount(size, "byte"));
        let Some((dialect, framing)) = reading else {
            if !source.layers().is_empty() {
                report.add_for_people("hint", Entry::line(RAW_HINT));
            }
            return Ok((report, Status::Done));
        };
        let input = Input::known(source, dialect, framing, self.limits);
        report.contents(&input);
        Ok((report, Status::Done))
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

    /// Adds the format, its certainty, and the options for reading it; `said` is the certainty
    /// where the format is given.
    fn format(
        &mut self,
        guess: Guess,
        said: Option<Sure>,
        bytes: &[u8],
    ) -> Option<(Dialect, FramingName)> {
        let (sure, reading, others) = match guess {
            Guess::Said(dialect, framing) => {
                self.add("format", Entry::named(dialect.to_string(), dialect.description()));
                self.add("sure", Entry::named(SAID.0, SAID.1));
                self.add("framing", Entry::named(framing.name(), framing.description()));
                return Some((dialect, framing));
            }
            Guess::Behind(offset, readings) => {
                self.behind(offset, &readings, bytes);
                return None;
            }
            Guess::One(reading) if said.is_some() => (said.unwrap_or(SAID), reading, Vec::new()),
            Guess::One(reading) if reading.likely => (LIKELY, reading, Vec::new()),
            Guess::One(reading) => (CERTAIN, reading, Vec::new()),
            Guess::Alike(readings) => first(readings).map(|(one, others)| (ALIKE, one, others))?,
            Guess::Ambiguous(readings) => {
                first(readings).map(|(one, others)| (AMBIGUOUS, one, others))?
            }
            Guess::Partial(reading) => (PARTIAL, reading, Vec::new()),
            Guess::Nothing(other) => {
                let (name, what) = match other {
                    Some(other) => (other.name(), other.description()),
                    None if bytes.is_empty() => ("empty", "an empty file"),
                    None => ("unknown", "no known format fits"),
                };
                self.add("format", Entry::named(name, what));
                if !bytes.is_empty() {
                    self.add("starts", Entry::line(start(bytes)));
                }
                return None;
            }
        };
        let Reading { dialect, framing, .. } = reading;
        let said = said.is_some();
        let releases = reading.candidate.as_ref().filter(|_| !said).map(|it| it.releases(bytes));
        let name = if said { dialect.to_string() } else { engine_name(dialect) };
        self.add("format", Entry::named(name, engine(&reading, said, releases.as_deref())));
        let (name, mut words) = (sure.0, sure.1.to_owned());
        if let Some(reached) = reading.reached {
            words = format!("{reached} of {} bytes fit", bytes.len());
        }
        self.add("sure", Entry::named(name, words));
        if !reading.why.is_empty() {
            self.add("why", Entry::line(reading.why.as_str()));
        }
        self.others(sure == AMBIGUOUS, &reading, &others, bytes);
        if let Some(releases) = releases {
            let names = releases.into_iter().map(Dialect::name).collect();
            self.add_for_programs("releases", Entry::List(names));
        }
        self.add("framing", Entry::named(framing.name(), framing.description()));
        Some((dialect, framing))
    }

    /// Adds the facts about values after a header of the game.
    fn behind(&mut self, offset: u64, readings: &[Reading], bytes: &[u8]) {
        let words = "values after a header of the game's own";
        self.add("format", Entry::named("unknown", words));
        self.add("starts", Entry::line(start(bytes)));
        self.add_for_people("found", Entry::line(behind_in_words(offset, readings)));
        let first = readings.first().map(|it| (engine_name(it.dialect), it.framing.name()));
        if let Some((format, framing)) = first {
            self.add_for_programs("skip", Entry::Amount(offset, "byte"));
            self.add_for_programs("inner_format", Entry::named(format, ""));
            self.add_for_programs("framing", Entry::named(framing, ""));
        }
    }

    /// Adds the other formats that fit.
    fn others(&mut self, ambiguous: bool, reading: &Reading, others: &[Reading], bytes: &[u8]) {
        let listed = if ambiguous {
            // The values in each format help the user to choose.
            let all: Vec<_> = std::iter::once(reading).chain(others).cloned().collect();
            lines(&all, bytes)
        } else {
            let mut names: Vec<_> = others.iter().map(|other| engine_name(other.dialect)).collect();
            names.extend(reading.as_far.iter().copied().map(engine_name));
            if names.is_empty() { Vec::new() } else { vec![names.join(", ")] }
        };
        if !listed.is_empty() {
            self.add_for_people("or", Entry::Lines(listed));
            let names = others.iter().map(|other| other.dialect);
            let names = names.chain(reading.as_far.iter().copied()).map(engine_name);
            self.add_for_programs("or", Entry::List(names.collect()));
        }
    }

    /// Adds the facts about the values.
    fn contents(&mut self, input: &Input) {
        let census = Census::of(input);
        let outermost = census.outermost.iter().map(|name| (*name).to_owned()).collect();
        self.add_for_programs("value_count", Entry::Number(census.values, ""));
        self.add("values", Entry::Values(census.values, outermost));
        if let Some(settings) = census.settings {
            self.add("settings", Entry::Amount(settings, "name"));
        }
        if census.values > 0 {
            let types = census.by_count();
            let types = types.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
            self.add("types", Entry::Counts(types));
            self.add("nesting", Entry::Amount(census.deepest as u64, "container level"));
        }
        if census.values == 1
            && census.settings.is_none()
            && let Some(number) = number_of_object(input)
        {
            self.add("object", Entry::line(only_a_number(number)));
        }
        let (mut findings, mut checked) = (Findings::none(census.values), Ok(()));
        if !census.is_canonical {
            findings = Findings::default();
            checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        }
        let whole = checked.is_ok();
        self.find(findings.deviations.iter().map(Deviation::finding));
        self.find(census.faults.iter().map(Finding::damage));
        if let (Err(error), []) = (&checked, &census.faults[..]) {
            self.find([Finding::damage(error)]);
        }
        let faults = faults(checked.err(), &census.faults);
        if findings.values > 0 {
            self.add("form", form(&findings, whole));
        }
        if !findings.deviations.is_empty() {
            self.add_for_people("warnings", Entry::Lines(warnings(&findings)));
        }
        let located = !findings.deviations.is_empty() || !faults.is_empty();
        if !faults.is_empty() {
            self.add_for_people("faults", Entry::Lines(faults));
        }
        if located && !input.source.layers().is_empty() {
            self.add_for_people("offsets", Entry::line("count in the unpacked content"));
        }
        if census.unread > 0 {
            self.add("unread", Entry::Amount(census.unread, "byte"));
        }
    }
}

/// Returns the id of the object that a file with one value has instead of the object.
fn number_of_object(input: &Input) -> Option<u64> {
    /// Maximum number of bytes of such a packet, with its length.
    const LONGEST: usize = 16;
    if input.source.content().len() > LONGEST {
        return None;
    }
    let values = by_precision!(input.dialect, R => {
        let read = input.values::<R>(Strictness::Engine).ok()?;
        read.values.iter().map(|value| {
            if let Variant::Object(Object::Id(number)) = value { Some(*number) } else { None }
        }).collect::<Option<Vec<_>>>()
    });
    match values.as_deref() {
        Some([number]) => Some(*number),
        _ => None,
    }
}

const PACKED: Sure = ("pack", "the pack that it is in names the engine's release");

const LIKELY: Sure = ("likely", "other formats fit too, but give less likely values");
const ALIKE: Sure = ("alike", "the values are certain; several engines read them the same way");
const AMBIGUOUS: Sure = ("ambiguous", "other formats fit too, and give other values");
const PARTIAL: Sure = ("partial", "no format fits the whole file; this one fits best");

/// Describes the engine, with the releases that write the same, and the damage.
fn engine(reading: &Reading, said: bool, releases: Option<&[Dialect]>) -> String {
    let dialect = reading.dialect;
    let words = match releases {
        _ if said => dialect.description().to_owned(),
        Some(releases) => engine_in_words(dialect, releases),
        None => {
            let family = Dialect::all().filter(|it| it.family() == dialect.family());
            let words = engine_in_words(dialect, &family.collect::<Vec<_>>());
            words.split(" (").next().unwrap_or_default().to_owned()
        }
    };
    match reading.damage() {
        Some(damage) => format!("{words}, {damage}"),
        None => words,
    }
}

fn first(readings: Vec<Reading>) -> Option<(Reading, Vec<Reading>)> {
    let mut readings = readings.into_iter();
    let first = readings.next()?;
    Some((first, readings.collect()))
}

/// Returns the first bytes in hexadecimal, for users who recognize them.
fn start(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(16)];
    let hex: Vec<_> = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let dots = if bytes.len() > head.len() { " .." } else { "" };
    format!("{}{dots}", hex.join(" "))
}

/// Compares the bytes with those that the engine would write.
fn form(findings: &Findings, whole: bool) -> Entry {
    let (name, words) = match (findings.deviations.is_empty(), findings.unset_padding) {
        (false, _) => ("deviating", "the engine reads it, but would write it differently"),
        (true, true) => ("padding", "as the engine writes it, except for padding"),
        (true, false) => ("canonical", "as the engine writes it"),
    };
    let partly = if whole { "" } else { ", as far as it can be read" };
    Entry::named(name, format!("{words}{partly}"))
}

/// Returns the warnings, one line for each rule.
fn warnings(findings: &Findings) -> Vec<String> {
    /// Number of offsets that are listed for each rule.
    const LISTED: usize = 3;
    let mut groups: BTreeMap<&str, (u64, Vec<String>)> = BTreeMap::new();
    for Deviation { rule, offset, .. } in &findings.deviations {
        let (count, offsets) = groups.entry(rule).or_default();
        *count += 1;
        if offsets.len() < LISTED {
            offsets.push(format!("{offset} (0x{offset:x})"));
        }
    }
    let line = |(rule, (count, offsets)): (&str, (u64, Vec<String>))| {
        let more = if count > offsets.len() as u64 { ", ..." } else { "" };
        format!("{count} x {rule}, at offset {}{more}", offsets.join(", "))
    };
    groups.into_iter().map(line).collect()
}

fn faults(refused: Option<Error>, seen: &[Error]) -> Vec<String> {
    /// Number of faults that are listed.
    const LISTED: usize = 5;
    // Where packets are framed, the inspector continues after a fault; the reader does not.
    let mut faults: Vec<_> = match (refused, seen) {
        (Some(error), []) => vec![error.to_string()],
        (_, seen) => seen.iter().take(LISTED).map(ToString::to_string).collect(),
    };
    if let more @ 1.. = seen.len().saturating_sub(LISTED) {
        faults.push(format!("and {more} more"));
    }
    faults
}
