//! `fuzz`: finds the faults of a decoder.

mod expect;
mod listing;
mod replay;
mod watch;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use formwork_kit::oracle::campaign::{Campaign, End, Options, Run, State};
use formwork_kit::oracle::check;
use formwork_kit::oracle::target::TargetSpec;
use formwork_kit::report;
use formwork_kit::suite::{Suite, Tier};

use super::cases::CaseOptions;
use super::target::TargetOptions;
use expect::Expected;
use formwork_program::failure::{Failure, Status};
use formwork_program::interrupt;
use formwork_program::output::OutputOptions;
use formwork_program::quantity::duration;
use formwork_program::style::shown;
use listing::Listing;
use watch::Watcher;

/// The form of the report.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Form {
    /// Text
    Text,
    /// One JSON object per finding, then a summary
    Json,
}

/// Test a decoder with generated packets
///
/// Sends packets to your decoder and judges its answers. The decoder speaks a small protocol
/// ('formwork-kit respond --help' describes it), or runs once per packet. First come the packets of the
/// suite (tiers smoke and core of 'generate --as suite'); what is wrong with those that have the same
/// property is one finding. Each finding is confirmed in a new process, reduced to a small packet and
/// reported once.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Fuzz {
    #[command(flatten)]
    cases: CaseOptions,
    #[command(flatten)]
    target: TargetOptions,
    /// Stop after COUNT packets [default: 100000, unless --time is given]
    ///
    /// A packet that repeats an earlier one counts, but is not sent again.
    #[arg(long, value_name = "COUNT")]
    count: Option<u64>,
    /// Stop after this time, whatever the decoder does
    ///
    /// A finding that is being examined then gets a tenth of the time more.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Stop after COUNT unexpected findings
    #[arg(long, value_name = "COUNT")]
    #[arg(hide_short_help = true)]
    stop_after: Option<usize>,
    /// Stop after the first unexpected finding
    #[arg(long, conflicts_with = "stop_after")]
    fail_fast: bool,
    /// Do not reduce packets
    #[arg(long)]
    #[arg(hide_short_help = true)]
    no_shrink: bool,
    /// Do not run the packets of the suite first, and group findings by their words only (as with --expect)
    #[arg(long, hide_short_help = true)]
    no_suite: bool,
    /// Do not measure how time grows with the size of packets
    #[arg(long, hide_short_help = true)]
    no_growth: bool,
    /// Write a report into FOLDER: findings.jsonl (rows of the suite), index.md, junit.xml
    ///
    /// FOLDER must be new or empty, or, with --resume, have the report that is continued.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Known findings, with reasons; one that no longer occurs is an error
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Write all findings to FILE, in the form of --expect
    #[arg(long, value_name = "FILE")]
    #[arg(hide_short_help = true)]
    write_expect: Option<PathBuf>,
    /// Save the progress in FILE [default: state.json in the folder of -o]
    #[arg(long, value_name = "FILE")]
    #[arg(hide_short_help = true)]
    state: Option<PathBuf>,
    /// Continue from the saved progress
    #[arg(long)]
    resume: bool,
    /// Run only packet number NUMBER, and show the result
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["resume", "check_target"])]
    #[arg(hide_short_help = true)]
    case: Option<u64>,
    /// Run only the packets in these files, and show each result
    ///
    /// A file that ends in .jsonl is a suite, or the findings of a report; any other one is a packet.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    #[arg(conflicts_with_all = ["resume", "check_target", "case"])]
    replay: Vec<PathBuf>,
    /// Only test whether the decoder speaks the protocol
    #[arg(long, conflicts_with = "resume")]
    check_target: bool,
    /// Do not test first whether the decoder speaks the protocol
    #[arg(long, conflicts_with = "check_target", hide_short_help = true)]
    no_check_target: bool,
    /// Output form [default: text on a terminal, otherwise json]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// Print JSON: --as json
    #[arg(long, conflicts_with = "form")]
    json: bool,
}

const AFTER: &str = r#"Examples:
  formwork-kit fuzz --format godot3 --target 'python3 decoder.py'
  formwork-kit fuzz --format godot4 --target './decoder --stdin' --per-case --answer verdict --time 5m
  formwork-kit fuzz --format godot3 --target 'node decoder.mjs' --check-target
  formwork-kit fuzz --format godot3 --target 'python3 decoder.py' -o findings --time 5m
  formwork-kit fuzz --format godot3 --target 'python3 decoder.py' -o findings --time 5m --resume
  formwork-kit fuzz --format godot3 --target 'node decoder.mjs' --expect known.toml
  formwork-kit fuzz --format godot3 --target 'node decoder.mjs' --replay findings/findings.jsonl
  formwork-kit fuzz --format godot3 -o findings \
    --target 'godot3-server --path examples/responders/godot3 -s responder.gd --port={port}'

What is right:
This program decides, as the engine of --format would; with --reference another decoder does. The width of a number in an answer does not matter, nor whether a NaN is quiet. Everything else does, even the order of a dictionary's pairs. Answers 'skipped' are counted and never wrong.

Kinds of findings:
  crash, hang, memory      no answer: the process ended, or took too much time
                           or memory
  slow                     CPU time grows much faster than the packets do
  accepts-invalid          accepted, although a rule is broken
  rejects-valid            rejected, although nothing is wrong
  rejects-acceptable       rejected, although the engine reads it (but would not
                           write it): a decoder may be strict on purpose
  different-value          another value
  wrong-consumed           another number of bytes
  pair-differs             another value, or none, for other bytes with the
                           same meaning
  state-leak               an answer that depends on earlier packets
  out-of-turn              not an answer, or one without a request

Known findings (--expect):
FILE is TOML with a table for each known finding. '*' matches anything:
  [[expected]]
  kind = "different-value"
  about = "int: rounded to 53 bits"
  reason = "JavaScript has no others"
  packet = "0200010001000000000020 00"    optional: a packet that shows it
  pair = "..."         with kind pair-differs: the other bytes
  cases = 100000       without a packet: it must occur within so many cases

Exit status: 0 no unexpected findings, 1 unexpected findings, or a known one did not occur, 2 wrong use, 3 something could not be read, written or started, 130 interrupted."#;

impl Fuzz {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let started = Instant::now();
        let until = self.time.map(|time| started + time);
        let latest = self.time.map(|time| started + time + time / 10);
        let spec = self.target.spec()?;
        let reference = self.target.reference()?;
        let listing = Listing::new(if self.json { Some(Form::Json) } else { self.form });
        if self.check_target {
            let limits = self.target.limits(latest);
            return listing.checks(&check::check(&spec, &limits, self.cases.reading()));
        }
        let is_run = self.case.is_none() && self.replay.is_empty();
        if is_run {
            self.has_own_folder()?;
        }
        let expected = Expected::read(self.expect.as_deref())?;
        let (cases, judge) = (self.cases.cases()?, self.target.judge(self.cases.reading()));
        let (mut start_up, mut reference_start_up) = (None, None);
        if is_run && !self.no_check_target {
            start_up = self.must_speak("target", &self.target.target, &spec, until)?;
            if let (Some(spec), Some(text)) = (&reference, &self.target.reference) {
                reference_start_up = self.must_speak("reference", text, spec, until)?;
            }
        }
        let expecting = |spec: &TargetSpec, start_up: Option<Duration>| {
            let mut target = self.target.open(spec, latest)?;
            if let Some(time) = start_up {
                target.expect_start_up(time);
            }
            Ok(target)
        };
        let open = || expecting(&spec, start_up);
        let open_reference = reference.as_ref().map(|spec| || expecting(spec, reference_start_up));
        let first = if is_run { self.first() } else { Vec::new() };
        let mut campaign = Campaign {
            cases: &cases,
            first: &first,
            judge: &judge,
            target: &open,
            reference: open_reference.as_ref().map(|open| open as _),
            options: self.options(&spec),
        };
        if let Some(number) = self.case {
            return replay::case(&campaign, &cases.case(number), &listing);
        }
        if !self.replay.is_empty() {
            return replay::files(&campaign, &self.replay, &listing);
        }
        // The packets of the expectations use a part of the time.
        let shown = expected.try_packets(&campaign, until).map_err(|error| self.failed(&error))?;
        campaign.options.time = self.time.map(|time| time.saturating_sub(started.elapsed()));
        self.campaign(&campaign, expected, &shown, listing)
    }

    /// Returns the packets of the suite, by name, that come before the cases; none if only some cases are wanted.
    fn first(&self) -> Vec<(String, Vec<u8>)> {
        // What is expected is expected of each finding by itself.
        let is_each_known = self.expect.is_some() || self.write_expect.is_some();
        if self.no_suite || is_each_known || !self.cases.said().is_empty() {
            return Vec::new();
        }
        let suite = Suite::new(self.cases.reading()).only(&[Tier::Smoke, Tier::Core]);
        suite.vectors().iter().map(|row| (row.id.clone(), row.packet.clone())).collect()
    }

    /// Refuses a target that does not answer even the simplest packets: a campaign would find only
    /// that. Returns the time that another target takes to start, if it was measured.
    fn must_speak(
        &self,
        what: &str,
        text: &str,
        spec: &TargetSpec,
        until: Option<Instant>,
    ) -> Result<Option<Duration>, Failure> {
        let limits = self.target.limits(until);
        let advice = match check::speaks(spec, &limits, self.cases.reading()) {
            Ok(Ok(start_up)) => return Ok(start_up),
            Ok(Err(advice)) => advice,
            Err(error) => format!("{error}"),
        };
        Err(Failure::unreadable(format!(
            "the {what} '{text}' does not speak the protocol: {advice}"
        ))
        .hint(
            "--check-target shows more, and 'formwork-kit respond --help' describes the protocol",
        ))
    }

    fn options(&self, spec: &TargetSpec) -> Options {
        let mut options = Options::default();
        options.time = self.time;
        options.count = match (self.count, self.time) {
            (None, None) => Some(100_000),
            (count, _) => count,
        };
        // With a process for each packet, larger batches bring nothing.
        options.batch = if spec.is_per_case() { 8 } else { self.target.limits(None).batch };
        options.growth = !self.no_growth;
        if self.no_shrink {
            options.shrink = None;
        }
        options
    }

    fn campaign(
        &self,
        campaign: &Campaign<'_>,
        expected: Expected,
        shown: &[Option<bool>],
        listing: Listing,
    ) -> Result<Status, Failure> {
        let seed = self.cases.seed();
        let context = self.target.context(self.cases.reading(), seed);
        let mut state = self.state()?;
        if let Some(folder) = &self.output {
            std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        }
        let mut watcher = Watcher::start(&listing, &expected, &context)?;
        watcher.folder = self.output.as_deref();
        watcher.state = self.state_file();
        watcher.stop_after = if self.fail_fast { Some(1) } else { self.stop_after };
        watcher.unexpected = expected.unexpected(&state.findings).count();
        watcher.found = state.findings.clone();
        let ended = campaign.run(&mut state, &mut watcher);
        watcher.finish();
        if let Some(path) = self.state_file() {
            state.save(&path).map_err(|error| unwritten(&path, &error))?;
        }
        let end = ended.map_err(|error| self.failed(&error))?;
        let failed = watcher.failed.take();
        if state.counts.cases == 0 && end == End::Time {
            return Err(self.failed(&io::Error::other("--time ran out before the first packet")));
        }
        if let Some(folder) = &self.output {
            let written = report::write(folder, &state.findings, &context);
            written.map_err(|error| unwritten(folder, &error))?;
        }
        if let Some(failure) = failed {
            return Err(failure);
        }
        if let Some(path) = &self.write_expect {
            let file = expected.file_of(&state.findings);
            OutputOptions::file_at(path).write(|out| {
                // The output records a write error itself.
                let _ = out.write_all(file.as_bytes());
                Ok(())
            })?;
        }
        let stale = expected.stale(&state, shown);
        listing.summary(&state, end, &expected, &stale)?;
        if interrupt::is_asked() {
            return Ok(Status::Interrupted);
        }
        let unexpected = expected.unexpected(&state.findings).next().is_some();
        Ok(if unexpected || !stale.is_empty() { Status::No } else { Status::Done })
    }

    /// Refuses a folder with a report, unless the run is continued, and a folder with other files.
    fn has_own_folder(&self) -> Result<(), Failure> {
        let Some(folder) = &self.output else { return Ok(()) };
        let name = shown(folder.display());
        let failed = |error: &io::Error| Failure::stream("could not be read", &name, error);
        let mut entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries.peekable(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&error)),
        };
        if entries.peek().is_none() {
            return Ok(());
        }
        match (report::is_report(folder), self.resume) {
            (true, true) => Ok(()),
            (true, false) => Err(Failure::usage(format!("{name}: there is a report here already"))
                .hint("to continue it, use --resume; to begin anew, choose another folder")),
            (false, _) => Err(Failure::usage(format!(
                "{name}: the folder has other files, so no report is written into it"
            ))
            .hint("choose another folder")),
        }
    }

    /// Returns the state at the start of the run.
    fn state(&self) -> Result<State, Failure> {
        let mut said = self.cases.said();
        said.extend(self.target.said());
        said.push(self.target.target.clone());
        let run = Run::new(self.cases.reading(), self.cases.seed(), said);
        if !self.resume {
            return Ok(State::new(run));
        }
        let Some(path) = self.state_file() else {
            return Err(Failure::usage("--resume needs --state FILE or -o FOLDER"));
        };
        let name = path.display().to_string();
        let state = State::load(&path)
            .map_err(|error| Failure::stream("could not be read", &name, &error))?;
        if state.run != run {
            let Run { format, seed, options, .. } = &state.run;
            let other = format!("{format}, seed {seed}, {}", options.join(" "));
            return Err(Failure::usage(format!("{name}: this is the progress of another run"))
                .line(format!("that run: {other}")));
        }
        Ok(state)
    }

    fn state_file(&self) -> Option<PathBuf> {
        let in_folder = || Some(self.output.as_ref()?.join("state.json"));
        self.state.clone().or_else(in_folder)
    }

    /// Makes the failure for a target that cannot be tested.
    fn failed(&self, error: &io::Error) -> Failure {
        Failure::unreadable(format!("the target '{}': {error}", self.target.target))
    }
}

pub(super) fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::stream("could not be written", &path.display().to_string(), error)
}
