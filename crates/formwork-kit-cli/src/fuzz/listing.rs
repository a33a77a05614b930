//! Output of a campaign: text, or JSON lines.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::Path;

use formwork_kit::case::Case;
use formwork_kit::oracle::campaign::{Counts, End, Seen, State};
use formwork_kit::oracle::check::Check;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::target::Outcome;
use formwork_kit::oracle::{Cut, Expectation, Finding, Matrix, Pair};
use formwork_kit::report;
use serde::Serialize;

use super::Form;
use super::expect::Expected;
use formwork_program::failure::{Failure, Status};
use formwork_program::interrupt;
use formwork_program::lines;
use formwork_program::output::to_stdout;
use formwork_program::quantity::counted;
use formwork_program::style::{Palette, shown};

/// Prints the events of a campaign.
pub(super) struct Listing {
    form: Form,
    palette: Palette,
}

/// A JSON object on a line, under the name of its kind.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    Difference(FindingLine<'a>),
    Packet(SeenLine<'a>),
    Check(CheckLine<'a>),
    Summary(Summary<'a>),
}

/// A finding, as a JSON line.
#[derive(Serialize)]
struct FindingLine<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    /// The reason why it is expected, if it is.
    reason: Option<&'a str>,
    /// The name of its row in the report, if there is one.
    row: Option<String>,
}

/// The result of a packet, as a JSON line.
#[derive(Serialize)]
struct SeenLine<'a> {
    name: &'a str,
    kind: Option<&'static str>,
    about: Option<&'a str>,
    detail: Option<&'a str>,
    target: &'a Outcome,
    /// The answer of the target to the other half of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<&'a Pair>,
    reference: &'a Outcome,
}

/// The result of a check of an adapter, as a JSON line.
#[derive(Serialize)]
struct CheckLine<'a> {
    name: &'a str,
    passed: bool,
    detail: &'a str,
}

/// The summary at the end, as a JSON line.
#[derive(Serialize)]
struct Summary<'a> {
    format: &'a str,
    /// A string, because many programs read a JSON number with 53 bits.
    seed: String,
    ended: &'static str,
    seconds: f64,
    counts: &'a Counts,
    differences: Vec<Tally<'a>>,
    stale: Vec<Tally<'a>>,
    unrepeatable: &'a [String],
    /// Whether the measurement of time against the size of packets was completed.
    growth_measured: bool,
    matrix: &'a Matrix,
}

/// A finding in the summary, or an expectation.
#[derive(Serialize)]
struct Tally<'a> {
    kind: &'static str,
    about: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<Cut>,
}

impl<'a> Tally<'a> {
    fn found(finding: &'a Finding, expected: &'a Expected) -> Self {
        let reason = expected.of(finding).map(|expected| expected.reason.as_str());
        let (kind, about) = (finding.difference.kind.name(), &finding.difference.about);
        let cut = Some(finding.cut).filter(|cut| *cut != Cut::Nothing);
        Self { kind, about, count: Some(finding.count), reason, cut }
    }

    fn stale(expected: &'a Expectation) -> Self {
        let (kind, about) = (expected.kind.name(), &expected.about);
        Self { kind, about, count: None, reason: Some(&expected.reason), cut: None }
    }
}

impl Listing {
    /// Makes a listing of this form, or of the one that suits standard output.
    pub(super) fn new(form: Option<Form>) -> Self {
        let usual = if io::stdout().is_terminal() { Form::Text } else { Form::Json };
        Self { form: form.unwrap_or(usual), palette: Palette::stdout() }
    }

    /// Prints a finding when it occurs.
    pub(super) fn finding(
        &self,
        finding: &Finding,
        expected: Option<&Expectation>,
        folder: Option<&Path>,
    ) -> Result<(), Failure> {
        let expected = expected.map(|expected| expected.reason.as_str());
        let line = match self.form {
            Form::Json => {
                let row = folder.map(|_| report::name(finding));
                json(&Line::Difference(FindingLine { finding, reason: expected, row }))
            }
            Form::Text => self.finding_text(finding, expected, folder),
        };
        print(&line)
    }

    fn finding_text(
        &self,
        finding: &Finding,
        expected: Option<&str>,
        folder: Option<&Path>,
    ) -> String {
        let Palette { error, note, dim, name, .. } = self.palette;
        let difference = &finding.difference;
        let style = if expected.is_some() { note } else { error };
        let about = shown(&difference.about);
        let mut text = format!("{style}{}{style:#}  {about}\n", difference.kind);
        let mut line = |title: &str, what: &str| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {name}{title:9}{name:#} {}", brief(what));
        };
        if let Some(reason) = expected {
            line("expected", reason);
        }
        if let Some(first) = difference.detail.lines().next() {
            line("detail", first);
        }
        line("packet", &bytes(&finding.packet));
        if !finding.before.is_empty() {
            line(
                "after",
                &match finding.before.len() {
                    1 => "1 packet that comes before it".to_owned(),
                    count => format!("{count} packets that come before it"),
                },
            );
        }
        line("target", &outcome(&finding.target));
        if let Some(pair) = &finding.pair {
            line("pair", &bytes(&pair.packet));
            line("target", &outcome(&pair.target));
        }
        line("reference", &outcome(&finding.reference));
        let mut case = match finding.is_row {
            true => format!("{} of the suite", finding.subject),
            false => format!("{} ({}, {})", finding.number, finding.profile, finding.subject),
        };
        if let Some(broken) = finding.broken {
            let _ = write!(case, ", breaks {} at offset {}", broken.rule, broken.offset);
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {name}{:9}{name:#} {dim}{case}{dim:#}", "case");
        let cut = remark_on(finding.cut).trim_start_matches(", ");
        if !cut.is_empty() {
            let _ = writeln!(text, "  {name}{:9}{name:#} {cut}", "cut short");
        }
        if let Some(folder) = folder {
            let (row, file) = (report::name(finding), folder.join(report::ROWS));
            let _ =
                writeln!(text, "  {name}{:9}{name:#} {row} of {}", "row", shown(file.display()));
        }
        text
    }

    /// Prints the results of the checks of an adapter.
    pub(super) fn checks(&self, checks: &[Check]) -> Result<Status, Failure> {
        let Palette { good, error, .. } = self.palette;
        let line = |check: &Check| {
            let Check { name, passed, detail } = check;
            let told = detail.lines().map(brief).collect::<Vec<_>>().join("\n");
            match (self.form, passed) {
                (Form::Json, &passed) => json(&Line::Check(CheckLine { name, passed, detail })),
                (Form::Text, true) => format!("{good}ok{good:#}  {name}: {told}\n"),
                (Form::Text, false) => format!("{error}not ok{error:#}  {name}: {told}\n"),
            }
        };
        print(&checks.iter().map(line).collect::<String>())?;
        let all = checks.iter().all(|check| check.passed);
        Ok(if all { Status::Done } else { Status::No })
    }

    /// Prints a case that is run by itself.
    pub(super) fn case(&self, case: &Case) -> Result<(), Failure> {
        if self.form == Form::Json {
            return Ok(());
        }
        let mut text = format!("{}, {}: {}\n", case.profile, case.subject, bytes(&case.bytes));
        if let Some(broken) = case.broken {
            // Writing to a string does not fail.
            let _ = writeln!(text, "breaks {} at offset {}", broken.rule, broken.offset);
        }
        print(&text)
    }

    /// Prints the result of a packet.
    pub(super) fn seen(&self, name: &str, seen: &Seen) -> Result<(), Failure> {
        let Seen { outcome: target, reference, pair, difference, .. } = seen;
        if self.form == Form::Json {
            let difference = difference.as_ref();
            return print(&json(&Line::Packet(SeenLine {
                name,
                kind: difference.map(|difference| difference.kind.name()),
                about: difference.map(|difference| difference.about.as_str()),
                detail: difference.map(|difference| difference.detail.as_str()),
                target,
                pair: pair.as_ref(),
                reference,
            })));
        }
        let Palette { error, good, .. } = self.palette;
        let verdict = match difference {
            Some(difference) => {
                format!("{error}{}{error:#}  {}", difference.kind, shown(&difference.about))
            }
            None => format!("{good}ok{good:#}"),
        };
        let (target, reference) = (brief(&outcome(target)), brief(&outcome(reference)));
        let pair = pair.as_ref().map_or(String::new(), |pair| {
            format!("  its pair  {}\n", brief(&outcome(&pair.target)))
        });
        print(&format!("{name}: {verdict}\n  target    {target}\n{pair}  reference {reference}\n"))
    }

    /// Prints the summary at the end.
    pub(super) fn summary(
        &self,
        state: &State,
        end: End,
        expected: &Expected,
        stale: &[&Expectation],
    ) -> Result<(), Failure> {
        let ended = match end {
            End::Count => "all cases were run",
            End::Time => "the time was over",
            End::Stopped if interrupt::is_asked() => "interrupted",
            End::Stopped => "stopped",
            _ => "ended",
        };
        if self.form == Form::Json {
            return print(&json(&Line::Summary(Summary {
                format: &state.run.format,
                seed: state.run.seed.to_string(),
                ended,
                seconds: state.seconds,
                counts: &state.counts,
                differences: state.findings.iter().map(|one| Tally::found(one, expected)).collect(),
                stale: stale.iter().map(|one| Tally::stale(one)).collect(),
                unrepeatable: &state.unrepeatable,
                growth_measured: state.grown,
                matrix: &state.matrix,
            })));
        }
        print(&self.summary_text(state, ended, expected, stale))
    }

    fn summary_text(
        &self,
        state: &State,
        ended: &str,
        expected: &Expected,
        stale: &[&Expectation],
    ) -> String {
        let Palette { error, note, good, dim, .. } = self.palette;
        let Counts { cases, repeated, agreed, findings, skipped, silent, unrepeatable, .. } =
            state.counts;
        let (seconds, found) = (state.seconds, state.findings.len());
        let speed = cases as f64 / seconds.max(0.001);
        let mut text = format!(
            "\n{}, seed {}: {cases} cases in {seconds:.1} s ({speed:.0}/s), {ended}\n",
            state.run.format, state.run.seed,
        );
        // Writing to a string does not fail, here and below.
        let _ = writeln!(text, "  {agreed} agreed, {findings} wrong, {skipped} skipped");
        if repeated > 0 {
            let _ =
                writeln!(text, "  {repeated} more left out: the packet of an earlier case again");
        }
        if silent > 0 {
            let _ = writeln!(text, "  {silent} accepted without a value to compare");
        }
        if unrepeatable > 0 {
            let _ = writeln!(text, "  {note}{unrepeatable} wrong only once{note:#}:");
            for what in &state.unrepeatable {
                let _ = writeln!(text, "    {}", shown(what));
            }
        }
        if state.shapes > 0 && !state.grown {
            let _ = writeln!(
                text,
                "  {note}not enough time to measure how all packets grow; --resume continues{note:#}"
            );
        }
        let _ = writeln!(text, "\n{}", state.matrix);
        for finding in &state.findings {
            let style = if expected.of(finding).is_some() { note } else { error };
            let (difference, count) = (&finding.difference, finding.count);
            let about = shown(&difference.about);
            let times = counted(count, "time");
            let cut = remark_on(finding.cut);
            let _ = writeln!(
                text,
                "{style}{:15}{style:#} {about}  {dim}{times}{cut}{dim:#}",
                difference.kind
            );
        }
        for expected in stale {
            let (kind, about) = (expected.kind, &expected.about);
            let _ = writeln!(text, "{error}did not occur{error:#}   {kind}: {about}");
        }
        let unexpected = expected.unexpected(&state.findings).count();
        let _ = match (unexpected, found) {
            (0, 0) if interrupt::is_asked() => writeln!(text, "interrupted: nothing found so far"),
            (0, 0) => writeln!(text, "{good}nothing found{good:#}"),
            (0, found) => {
                writeln!(text, "{good}{}, all expected{good:#}", counted(found as u64, "finding"))
            }
            (unexpected, found) if unexpected == found => {
                writeln!(text, "{error}{}{error:#}", counted(found as u64, "finding"))
            }
            (unexpected, found) => {
                writeln!(
                    text,
                    "{error}{}, {unexpected} not expected{error:#}",
                    counted(found as u64, "finding")
                )
            }
        };
        text
    }
}

/// Returns the remark on a finding whose search was cut short.
const fn remark_on(cut: Cut) -> &'static str {
    match cut {
        Cut::Shrinking => ", cut short: there may be a smaller packet",
        Cut::Confirming => ", seen once: time was up before it was tried again",
        _ => "",
    }
}

fn json(line: &Line<'_>) -> String {
    lines::line(line) + "\n"
}

fn print(text: &str) -> Result<(), Failure> {
    to_stdout(|out| {
        // The output records a write error itself.
        let _ = out.write_all(text.as_bytes());
        Ok(())
    })
}

/// Returns the first characters of a decoder's message.
fn brief(text: &str) -> String {
    /// Maximum number of characters in a line: the report has the whole message.
    const LONGEST: usize = 1000;
    let mut letters = text.chars();
    let first: String = letters.by_ref().take(LONGEST).collect();
    shown(first) + if letters.next().is_some() { "..." } else { "" }
}

/// Returns the first bytes in hexadecimal.
fn bytes(bytes: &[u8]) -> String {
    /// Number of bytes that fit into a line.
    const SHOWN: usize = 32;
    let (words, rest) = bytes.get(..SHOWN).unwrap_or(bytes).as_chunks::<4>();
    let mut text = format!("{}:", counted(bytes.len() as u64, "byte"));
    for word in words.iter().map(|word| &word[..]).chain([rest]).filter(|word| !word.is_empty()) {
        text.push(' ');
        for byte in word {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
        }
    }
    if bytes.len() > SHOWN {
        text.push_str(" ...");
    }
    text
}

/// Returns an outcome as one line.
fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered(Answer::Accepted { consumed, bytes: value }) => {
            let consumed = consumed
                .map_or(String::new(), |consumed| format!(" {}", counted(consumed.into(), "byte")));
            match value.is_empty() {
                true => format!("accepted{consumed}"),
                false => format!("accepted{consumed}, value {}", bytes(value)),
            }
        }
        Outcome::Answered(Answer::Rejected { offset, message }) => {
            let offset = offset.map_or(String::new(), |offset| format!(" at {offset}"));
            format!("rejected{offset}: {}", message.lines().next().unwrap_or_default())
        }
        Outcome::Answered(Answer::Skipped { what }) => format!("skipped: {what}"),
        Outcome::Crashed { status, .. } => format!("crashed: {status}"),
        Outcome::Hung { limit } => format!("no answer within {} ms", limit.as_millis()),
        Outcome::OutOfMemory { limit, .. } => format!("out of memory: the limit is {limit} bytes"),
        Outcome::OutOfTurn { found } => format!("out of turn: {found}"),
        _ => "something else".to_owned(),
    }
}
