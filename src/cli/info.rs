//! `info`: what is this file?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::container::Key;
use formwork::{Dialect, Error};

use super::alb1;
use super::around::{Closed, take_out_all};
use super::census::Census;
use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::findings::Findings;
use super::format::{LimitOptions, by_precision};
use super::guess::{Guess, RAW_HINT, Reading, counted};
use super::input::Source;
use super::output::OutputOptions;
use super::packets::{FramingName, Input};
use super::report::{Entry, Group, Report};
use super::say;
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
    limits: LimitOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = "\
Packets carry no mark of the engine that wrote them. The format is found out by trying all of them;
'why' says what speaks for it, and 'or' what else it could be. ALB1 files start with their name.

A compressed file is looked into; an encrypted one, too, where its password is said.

Examples:
  formwork info game.save
  formwork info game.save --password 'correct horse'
  formwork info saves/*
  formwork info --json game.save
  formwork info island.tv4p island.Layers/*.tv4l

Exit status: 0 done (whatever the file is), 2 wrong use, 3 a file could not be read.";

impl Info {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key(&self.files)?;
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let mut status = Status::Done;
        self.output.write(|out| {
            for (position, file) in self.files.iter().enumerate() {
                let looked = match self.look(file, key.as_ref()) {
                    Ok(looked) => looked,
                    // The other files may be readable.
                    Err(failure) => {
                        status = status.and(say(&failure));
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

    fn look(&self, file: &Path, key: Option<&Key>) -> Result<Report, Failure> {
        let mut source = Source::read(file)?.skipping(self.input.skip);
        let mut report = Report::new(&source.name);
        let size = source.bytes.len() as u64;
        let (containers, closed) = take_out_all(&mut source, key, self.limits);
        if !containers.is_empty() {
            report.add("container", Entry::Containers(containers));
        }
        if let Some(closed) = closed {
            report.closed(&source.name, &closed, size);
            return Ok(report);
        }
        source.header_is_there()?;
        let said = self.input.format.is_some();
        if self.input.is_alb1(source.content()) {
            report.alb1(&alb1::File::new(source, self.limits), said, size);
            return Ok(report);
        }
        let guess = Guess::of(&source, self.input.dialect(), self.input.framing);
        let reading = report.format(guess, said, source.content());
        report.add("size", Entry::Number(size, "bytes"));
        let Some((dialect, framing)) = reading else {
            if !source.layers.is_empty() {
                report.add("hint", Entry::line(RAW_HINT));
            }
            return Ok(report);
        };
        let input = Input::known(source, dialect, framing, self.limits);
        report.contents(&input);
        Ok(report)
    }
}

impl Report {
    /// What can be said about a container that cannot be opened.
    fn closed(&mut self, name: &str, closed: &Closed, size: u64) {
        let Closed { kind, failure } = closed;
        self.add("format", Entry::named(kind.name(), kind.description()));
        self.add("size", Entry::Number(size, "bytes"));
        let title = if failure.status() == Status::Usage { "locked" } else { "faults" };
        self.add(title, Entry::Lines(failure.lines(name)));
    }

    /// What it is, how sure that is, and what to read it with; `said` where the format is.
    fn format(&mut self, guess: Guess, said: bool, bytes: &[u8]) -> Option<(Dialect, FramingName)> {
        let (sure, reading, others) = match guess {
            Guess::Said(dialect, framing) => {
                let reading =
                    Reading { dialect, framing, values: 0, why: String::new(), reached: None };
                (SAID, reading, Vec::new())
            }
            Guess::One(reading) if said => (SAID, reading, Vec::new()),
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
                    None => ("unknown", "no format that this program knows fits it"),
                };
                self.add("format", Entry::named(name, what));
                if !bytes.is_empty() {
                    self.add("starts", Entry::line(start(bytes)));
                }
                return None;
            }
        };
        let Reading { dialect, framing, why, reached, .. } = reading;
        self.add("format", Entry::named(dialect.to_string(), dialect.description()));
        let (name, mut words) = (sure.0, sure.1.to_owned());
        if let Some(reached) = reached {
            words.push_str(&format!(", {reached} of {} bytes", bytes.len()));
        }
        self.add("sure", Entry::named(name, words));
        if !why.is_empty() {
            self.add("why", Entry::line(why));
        }
        self.others(sure == ALIKE, &others);
        self.add("framing", Entry::named(framing.name(), framing.description()));
        Some((dialect, framing))
    }

    /// What else it could be.
    fn others(&mut self, alike: bool, others: &[Reading]) {
        let lines: Vec<_> = if alike {
            let names: Vec<_> = others.iter().map(|other| other.dialect.to_string()).collect();
            vec![names.join(", ")]
        } else {
            let line = |Reading { dialect, framing, values, why, .. }: &Reading| {
                let dash = if why.is_empty() { "" } else { " - " };
                format!("{dialect}, {}: {}{dash}{why}", framing.name(), counted(*values))
            };
            others.iter().map(line).collect()
        };
        if !others.is_empty() {
            self.add("or", Entry::Lines(lines));
        }
    }

    /// What is in it.
    fn contents(&mut self, input: &Input) {
        let census = Census::of(input);
        let outermost = census.outermost.iter().map(|name| (*name).to_owned()).collect();
        self.add("values", Entry::Values(census.values, outermost));
        if census.values > 0 {
            let types = census.by_count();
            let types = types.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
            self.add("types", Entry::Counts(types));
            self.add(
                "nesting",
                Entry::Number(census.deepest as u64, "containers at most around a value"),
            );
        }
        let mut findings = Findings::default();
        let checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        let whole = checked.is_ok();
        let faults = faults(checked.err(), &census.faults);
        if findings.values > 0 {
            self.add("form", form(&findings, whole));
        }
        if !findings.deviations.is_empty() {
            self.add("deviations", deviations(&findings));
        }
        let located = !findings.deviations.is_empty() || !faults.is_empty();
        if !faults.is_empty() {
            self.add("faults", Entry::Lines(faults));
        }
        if located && !input.source.layers.is_empty() {
            self.add("offsets", Entry::line("count in what is unpacked"));
        }
        if census.unread > 0 {
            self.add("unread", Entry::Number(census.unread, "bytes"));
        }
    }
}

/// How sure the format is: a word for scripts, a sentence for people.
type Sure = (&'static str, &'static str);
pub(crate) const SAID: Sure = ("said", "on the command line");
pub(crate) const CERTAIN: Sure = ("certain", "no other format fits as well");
const ALIKE: Sure = ("alike", "the values are certain, the engine is not: others read the same");
const AMBIGUOUS: Sure = ("ambiguous", "others fit as well, and read other values");
const PARTIAL: Sure = ("partial", "no format fits to the end; this one fits best");

fn first(readings: Vec<Reading>) -> Option<(Reading, Vec<Reading>)> {
    let mut readings = readings.into_iter();
    let first = readings.next()?;
    Some((first, readings.collect()))
}

/// The first bytes, for who knows what they may be.
fn start(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(16)];
    let hex: Vec<_> = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let dots = if bytes.len() > head.len() { " .." } else { "" };
    format!("{}{dots}", hex.join(" "))
}

/// How the bytes stand to what the engine would write.
fn form(findings: &Findings, whole: bool) -> Entry {
    let (name, words) = match (findings.deviations.is_empty(), findings.unset_padding) {
        (false, _) => ("deviating", "the engine accepts it, but would write something else"),
        (true, true) => ("padding", "what the engine writes; padding as it leaves it"),
        (true, false) => ("canonical", "what the engine writes"),
    };
    let partly = if whole { "" } else { ", as far as it can be read" };
    Entry::named(name, format!("{words}{partly}"))
}

/// The deviations by rule.
fn deviations(findings: &Findings) -> Entry {
    /// Offsets worth listing of each rule.
    const LISTED: usize = 3;
    let mut groups: BTreeMap<String, (u64, Vec<u64>)> = BTreeMap::new();
    for deviation in &findings.deviations {
        let (count, offsets) = groups.entry(deviation.rule.clone()).or_default();
        *count += 1;
        if offsets.len() < LISTED {
            offsets.push(deviation.offset);
        }
    }
    let groups = groups.into_iter();
    Entry::Groups(groups.map(|(rule, (count, offsets))| Group { rule, count, offsets }).collect())
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
