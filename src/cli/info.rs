//! `info`: what is this file?

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::Error;
use formwork::json::{Style, to_json};
use formwork::variant::{Array, Variant};

use super::census::Census;
use super::failure::{Failure, Status};
use super::findings::Findings;
use super::format::by_precision;
use super::guess::{Guess, Reading, counted};
use super::input::{Source, stdin_once};
use super::output::OutputOptions;
use super::packets::{FramingName, Input, InputOptions};
use super::report;
use super::style::Palette;

/// Say what a file is: which engine wrote it, and what is in it.
///
/// Never fails on strange files: it says what it sees.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER, after_help = "More and examples: --help")]
pub(crate) struct Info {
    /// The files to look at; '-' for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Say it as JSON, one object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = "\
Packets carry no mark of the engine that wrote them. The format is found out by trying all of them;
'why' says what speaks for it, and 'or' what else it could be.

Examples:
  formwork info game.save
  formwork info saves/*
  formwork info --json game.save

Exit status: 0 done (whatever the file is), 2 wrong use, 3 a file could not be read.";

/// What there is to say about a file, in the order of saying it: short names, and one or more lines
/// or numbers each.
struct Report {
    name: String,
    entries: Vec<(&'static str, Entry)>,
}

enum Entry {
    /// Lines.
    Text(Vec<String>),
    Number(u64),
    /// Things and how many of each.
    Counts(Vec<(String, u64)>),
}

impl Info {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        stdin_once(&self.files)?;
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let mut status = Status::Done;
        self.output.write(|out| {
            for (position, file) in self.files.iter().enumerate() {
                let looked = match self.look(file) {
                    Ok(looked) => looked,
                    // The other files may be readable.
                    Err(failure) => {
                        status = status.and(report(&failure));
                        continue;
                    }
                };
                let printed = if self.json {
                    writeln!(out, "{}", looked.json())
                } else {
                    let gap = if position > 0 { "\n" } else { "" };
                    write!(out, "{gap}").and_then(|()| looked.print(&palette, out))
                };
                // Why it failed is remembered by the output itself.
                if printed.is_err() {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(status)
    }

    fn look(&self, file: &Path) -> Result<Report, Failure> {
        let source = Source::read(file)?;
        let mut report = Report { name: source.name.clone(), entries: Vec::new() };
        let guess = Guess::of(&source.bytes, self.input.format, self.input.framing);
        let size = source.bytes.len() as u64;
        let reading = report.format(guess, &source.bytes);
        report.add("size", Entry::Number(size));
        let Some((dialect, framing)) = reading else { return Ok(report) };
        let input = Input::known(source, dialect, framing, self.input.limits);
        report.contents(&input);
        Ok(report)
    }
}

impl Report {
    fn add(&mut self, name: &'static str, entry: Entry) {
        self.entries.push((name, entry));
    }

    fn line(&mut self, name: &'static str, line: impl Into<String>) {
        self.lines(name, vec![line.into()]);
    }

    fn lines(&mut self, name: &'static str, lines: Vec<String>) {
        if !lines.is_empty() {
            self.add(name, Entry::Text(lines));
        }
    }

    /// What it is, how sure that is, and what to read it with.
    fn format(&mut self, guess: Guess, bytes: &[u8]) -> Option<(formwork::Dialect, FramingName)> {
        let (sure, reading, others) = match guess {
            Guess::Said(dialect, framing) => {
                let why = String::new();
                ("said", Reading { dialect, framing, values: 0, why }, Vec::new())
            }
            Guess::One(reading) => ("certain", reading, Vec::new()),
            Guess::Alike(readings) => ("alike", first(readings)?.0, Vec::new()),
            Guess::Ambiguous(readings) => {
                let (reading, others) = first(readings)?;
                ("ambiguous", reading, others)
            }
            Guess::Partial(reading) => ("partial", reading, Vec::new()),
            Guess::Nothing(other) => {
                let what = match other {
                    Some(other) => other.to_string(),
                    None if bytes.is_empty() => "an empty file".into(),
                    None => "unknown: no format fits it".into(),
                };
                self.line("format", what);
                if !bytes.is_empty() {
                    self.line("starts", start(bytes));
                }
                return None;
            }
        };
        let (dialect, framing) = (reading.dialect, reading.framing);
        self.line("format", format!("{dialect}: {}", dialect.description()));
        self.line("sure", sureness(sure));
        self.lines("why", Some(reading.why).filter(|why| !why.is_empty()).into_iter().collect());
        let others = others.iter().map(|Reading { dialect, framing, values, why }| {
            let dash = if why.is_empty() { "" } else { " - " };
            format!("{dialect}, {}: {}{dash}{why}", framing.name(), counted(*values))
        });
        self.lines("or", others.collect());
        self.line("framing", format!("{}: {}", framing.name(), framing.description()));
        Some((dialect, framing))
    }

    /// What is in it.
    fn contents(&mut self, input: &Input) {
        let census = Census::of(input);
        self.add("values", Entry::Number(census.values));
        let mut outermost = census.outermost.join(", ");
        if census.values > census.outermost.len() as u64 {
            outermost.push_str(", ...");
        }
        if !outermost.is_empty() {
            self.line("these", outermost);
        }
        let types = census.by_count();
        let types = types.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        self.add("types", Entry::Counts(types));
        self.add("nesting", Entry::Number(census.deepest as u64));
        let mut findings = Findings::default();
        let checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        self.lines("form", form(&findings, checked.is_ok()));
        self.lines("faults", faults(checked.err(), &census.faults));
        if census.unread > 0 {
            self.add("unread bytes", Entry::Number(census.unread));
        }
    }

    fn print(&self, palette: &Palette, out: &mut dyn Write) -> io::Result<()> {
        /// Room for the names of entries.
        const NAME: usize = 12;
        let Palette { name, value, .. } = *palette;
        writeln!(out, "{value}{}{value:#}", self.name)?;
        for (title, entry) in &self.entries {
            let lines = match entry {
                Entry::Text(lines) => lines.clone(),
                Entry::Number(number) => vec![in_words(title, *number)],
                Entry::Counts(counts) => {
                    let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
                    vec![counts.collect::<Vec<_>>().join(", ")]
                }
            };
            for (position, line) in lines.iter().enumerate() {
                let title = if position == 0 { title } else { "" };
                writeln!(out, "  {name}{title:NAME$}{name:#}  {line}")?;
            }
        }
        Ok(())
    }

    fn json(&self) -> String {
        let text = |text: &String| Variant::<f32>::from(text.as_str());
        let entries = self.entries.iter().map(|(name, entry)| {
            let value = match entry {
                Entry::Text(lines) => match lines.as_slice() {
                    [line] => text(line),
                    lines => Variant::Array(lines.iter().map(text).collect::<Array>()),
                },
                Entry::Number(number) => Variant::Int(i64::try_from(*number).unwrap_or(i64::MAX)),
                Entry::Counts(counts) => counts
                    .iter()
                    .map(|(what, count)| (what.as_str(), Variant::Int(*count as i64)))
                    .collect(),
            };
            (*name, value)
        });
        let all: Variant = std::iter::once(("file", text(&self.name))).chain(entries).collect();
        // Nothing in it but what plain JSON has: any dialect writes it alike.
        to_json(&all, formwork::Dialect::GODOT4, Style::Compact)
    }
}

fn first(readings: Vec<Reading>) -> Option<(Reading, Vec<Reading>)> {
    let mut readings = readings.into_iter();
    let first = readings.next()?;
    Some((first, readings.collect()))
}

/// How sure the format is, for people.
fn sureness(sure: &str) -> String {
    match sure {
        "said" => "as said on the command line",
        "certain" => "certain: no other format fits as well",
        "alike" => "the values are certain, the engine is not: other formats give the same",
        "ambiguous" => "no: other formats fit as well and give other values",
        _ => "no: no format fits to the end, this one fits best",
    }
    .into()
}

/// The first bytes, for who knows what they may be.
fn start(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(16)];
    let hex: Vec<_> = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let dots = if bytes.len() > head.len() { " .." } else { "" };
    format!("{}{dots}", hex.join(" "))
}

fn in_words(title: &str, number: u64) -> String {
    match (title, number) {
        ("size" | "unread bytes", number) => format!("{number} bytes"),
        ("nesting", 0) => "none: no value is in another".into(),
        ("nesting", 1) => "1 container around the innermost value".into(),
        ("nesting", number) => format!("{number} containers around the innermost value"),
        (_, number) => number.to_string(),
    }
}

/// How the bytes stand to what the engine would write.
fn form(findings: &Findings, whole: bool) -> Vec<String> {
    let mut groups: BTreeMap<&str, (u64, Vec<u64>)> = BTreeMap::new();
    for deviation in &findings.deviations {
        let (count, offsets) = groups.entry(&deviation.rule).or_default();
        *count += 1;
        if offsets.len() < 3 {
            offsets.push(deviation.offset);
        }
    }
    if groups.is_empty() {
        let padding =
            if findings.unset_padding { ", but for padding, as engines leave it" } else { "" };
        let partly = if whole { "" } else { ", as far as it can be read" };
        return vec![format!("canonical: what the engine writes{padding}{partly}")];
    }
    let groups = groups.into_iter().map(|(rule, (count, offsets))| {
        let offsets: Vec<_> =
            offsets.iter().map(|offset| format!("{offset} (0x{offset:x})")).collect();
        let more = if count > offsets.len() as u64 { ", ..." } else { "" };
        format!("not canonical: {count} x {rule} at offset {}{more}", offsets.join(", "))
    });
    groups.collect()
}

fn faults(refused: Option<Error>, seen: &[Error]) -> Vec<String> {
    /// Faults worth listing.
    const LISTED: usize = 5;
    // Where packets are framed the inspector goes on behind a fault, the reader does not.
    let mut faults: Vec<_> = match (refused, seen) {
        (Some(error), []) => vec![error.to_string()],
        (_, seen) => seen.iter().take(LISTED).map(ToString::to_string).collect(),
    };
    if let more @ 1.. = seen.len().saturating_sub(LISTED) {
        faults.push(format!("and {more} more"));
    }
    faults
}
