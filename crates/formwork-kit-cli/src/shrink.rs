//! `shrink`: finds the smallest packet that still shows a fault.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueHint};
use formwork_kit::Format;
use formwork_kit::case::Reading;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::shrink::{Budget, shrink};
use formwork_kit::oracle::target::{Outcome, Target, TargetSpec};
use formwork_kit::oracle::{Judge, Kind};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::target::TargetOptions;
use formwork_program::failure::{Failure, Status};
use formwork_program::interrupt;
use formwork_program::lines;
use formwork_program::output::{OutputOptions, to_stdout};
use formwork_program::quantity::{counted, duration};
use formwork_program::remark;
use formwork_program::source::Source;

/// Reduce a packet that shows a decoder fault
///
/// Tries smaller and smaller packets and keeps those that still show the fault: first without parts
/// of the value, then without some bytes, with zeros and with lower numbers. What is broken in the
/// packet stays broken.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(group(ArgGroup::new("question").args(["target", "predicate"]).required(true)))]
#[command(mut_arg("target", |it| it.required(false).default_value("").hide_default_value(true)))]
#[command(mut_arg("batch", |it| it.hide(true)))]
#[command(mut_args(|it| match it.get_id().as_str() {
    "reference" | "per_case" | "reject_status" | "answer" | "strictness" | "any_nan"
    | "allow_objects" => it.conflicts_with("predicate"),
    _ => it,
}))]
pub(crate) struct Shrink {
    /// Packet to start from ('-' or nothing: standard input)
    #[arg(value_name = "PACKET")]
    packet: PathBuf,
    /// Format of the packet, such as godot3, godot4.2, pandemonium or alb1
    #[arg(short, long, value_name = "FORMAT", value_parser = formwork_program::format::format, value_hint = ValueHint::Other)]
    format: Format,
    /// The decoder reads objects with class and properties
    #[arg(long)]
    allow_objects: bool,
    /// Command to ask instead of a decoder
    ///
    /// It gets the packet in the file '{}' or on standard input, and exits with status 0 if the
    /// packet is still interesting.
    #[arg(short, long, value_name = "COMMAND")]
    predicate: Option<String>,
    #[command(flatten)]
    decoder: TargetOptions,
    /// Try at most COUNT packets
    #[arg(long, value_name = "COUNT", default_value_t = Budget::default().runs)]
    runs: u64,
    /// Stop after this time; the packet then depends on how fast the machine is
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork-kit shrink found.bin --format godot3 --target 'python3 decoder.py' -o small.bin
  formwork-kit shrink found.bin --format godot4 --target './decode' --per-case --answer verdict -o small.bin
  formwork-kit shrink found.bin --format godot3 --predicate './still_crashes.sh {}' -o small.bin
  formwork-kit shrink layer.tv4l --format alb1 --predicate "sh -c '! ./import {}'" --time 10m -o small.tv4l

Which packets are kept:
With --target, a smaller packet must show a finding of the same kind, about the same thing, as 'formwork-kit fuzz' reports it. With --predicate, the command decides. It runs without a shell; write sh -c '...' if you need one. If it takes too long (--time-limit) or a signal ends it, the answer is no.
A packet must show the fault twice. Each smaller packet is written to OUTPUT at once, so Ctrl-C keeps the smallest one so far.

Exit status: 0 success, 2 wrong use, or PACKET does not show the fault every time, 3 something could not be read, written or started."#;

impl Shrink {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        self.output.refuse_terminal()?;
        let mut asked = self.asked()?;
        let Source { name, file, .. } = Source::read(&self.packet)?;
        let bytes = file.into_bytes();
        let sign = self.sign(&mut asked, &name, &bytes)?;
        interrupt::only_ask()?;

        let bar = self.bar(bytes.len());
        let mut failed = None;
        let (mut unsteady, mut runs, mut is_kept) = (0, 0, false);
        let budget = Budget { runs: self.runs, time: self.time };
        let shrunk = shrink(&bytes, self.format, budget, &mut |packet| {
            if failed.is_some() || interrupt::is_asked() {
                return false;
            }
            runs += 1;
            bar.set_position(runs);
            let shows = asked.shows_twice(packet, &sign).and_then(|twice| {
                unsteady += u64::from(twice == Shows::Once);
                if twice == Shows::Twice {
                    bar.set_message(told(bytes.len(), packet.len()));
                    self.keep(packet, std::mem::replace(&mut is_kept, true))?;
                }
                Ok(twice == Shows::Twice)
            });
            shows.unwrap_or_else(|failure| {
                failed = Some(failure);
                false
            })
        });
        bar.finish_and_clear();
        if let Some(failure) = failed {
            return Err(failure);
        }
        if shrunk.packet.len() == bytes.len() && shrunk.packet == bytes {
            self.keep(&bytes, is_kept)?;
        }
        if unsteady > 0 {
            remark(&format!(
                "{} showed the fault only once: not kept",
                counted(unsteady, "packet")
            ));
        }
        let interrupted = interrupt::is_asked();
        let finished = shrunk.finished && !interrupted;
        if interrupted {
            remark("interrupted; there may be a smaller packet");
        } else if !finished {
            remark("--runs or --time is used up; there may be a smaller packet");
        }
        self.finish(
            &shrunk.packet,
            &Summary {
                kind: sign.kind.map(Kind::name),
                about: sign.about.as_deref(),
                first_size: bytes.len(),
                size: shrunk.packet.len(),
                runs,
                finished,
            },
        )
    }

    /// Starts the decoder, or the predicate, that is asked about packets.
    fn asked(&self) -> Result<Asked, Failure> {
        if let Some(command) = &self.predicate {
            let spec = TargetSpec::per_case(command);
            let spec = spec.map_err(|error| Failure::usage(error.to_string()))?;
            // Any status other than 0 is a "no", and not a crash to investigate.
            let spec = spec.reject_statuses((1..=255).collect());
            let target =
                self.decoder.open(&spec, None).map_err(|error| cannot("predicate", &error))?;
            return Ok(Asked { what: "predicate", target, reference: None, judge: None });
        }
        let reading = Reading { format: self.format, allow_objects: self.allow_objects };
        let target = self.decoder.open(&self.decoder.spec()?, None);
        let reference = self.decoder.reference()?.map(|spec| self.decoder.open(&spec, None));
        Ok(Asked {
            what: "target",
            target: target.map_err(|error| cannot("target", &error))?,
            reference: reference.transpose().map_err(|error| cannot("reference", &error))?,
            judge: Some(self.decoder.judge(reading)),
        })
    }

    /// Returns the sign of the given packet, if it is the same each time.
    fn sign(&self, asked: &mut Asked, name: &str, packet: &[u8]) -> Result<Sign, Failure> {
        let [first, second] = [asked.alone(packet)?, asked.alone(packet)?];
        match (first, second) {
            (Some(first), Some(second)) if first.kind == second.kind => {
                // A message may contain a part that changes each time.
                let about = first.about.filter(|about| second.about.as_ref() == Some(about));
                Ok(Sign { about, ..first })
            }
            (None, None) => Err(Failure::usage(match &self.predicate {
                Some(_) => format!("{name}: the predicate does not accept this packet itself"),
                None => format!("{name}: nothing is wrong with the target's answer to this packet"),
            })),
            _ => Err(Failure::usage(format!(
                "{name}: the {} gives two different answers to this packet",
                asked.what
            ))),
        }
    }

    fn bar(&self, size: usize) -> ProgressBar {
        if !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(self.runs);
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos} packets tried, {msg}") {
            bar.set_style(style);
        }
        bar.set_message(told(size, size));
        bar
    }

    /// Writes the smallest packet so far, if there is a file for it. A backup is kept of the user's file, and not of an
    /// earlier packet.
    fn keep(&self, packet: &[u8], again: bool) -> Result<(), Failure> {
        if self.output.is_stdout() { Ok(()) } else { self.put(packet, again) }
    }

    fn put(&self, packet: &[u8], no_backup: bool) -> Result<(), Failure> {
        let no_backup = no_backup || self.output.has_no_backup();
        self.output.told().without_backup(no_backup).write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(packet);
            Ok(())
        })
    }

    /// Writes the packet, and reports the result.
    fn finish(&self, packet: &[u8], summary: &Summary<'_>) -> Result<Status, Failure> {
        let text = told(summary.first_size, summary.size);
        if self.output.is_stdout() {
            self.put(packet, false)?;
            remark(&text);
        } else {
            let line = match io::stdout().is_terminal() {
                true => text,
                false => format!("{{\"summary\":{}}}", lines::line(summary)),
            };
            to_stdout(|out| {
                // The output records a write error itself.
                let _ = writeln!(out, "{line}");
                Ok(())
            })?;
        }
        Ok(Status::Done)
    }
}

fn told(first: usize, bytes: usize) -> String {
    format!("{} of {first}", counted(bytes as u64, "byte"))
}

fn cannot(what: &str, error: &io::Error) -> Failure {
    Failure::unreadable(format!("the {what}: {error}"))
}

/// The result, as a JSON line.
#[derive(Serialize)]
struct Summary<'a> {
    kind: Option<&'static str>,
    about: Option<&'a str>,
    first_size: usize,
    size: usize,
    runs: u64,
    finished: bool,
}

/// The fault that a packet shows.
#[derive(Debug)]
struct Sign {
    /// The kind of fault; none for a predicate.
    kind: Option<Kind>,
    /// The subject of the fault; none where it changes each time.
    about: Option<String>,
}

/// The number of runs in which a packet showed the fault.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Shows {
    Never,
    Once,
    Twice,
}

/// The program that is asked about packets.
struct Asked {
    what: &'static str,
    /// The decoder, or the predicate.
    target: Box<dyn Target>,
    reference: Option<Box<dyn Target>>,
    /// The judge of answers; none for a predicate.
    judge: Option<Judge>,
}

impl Asked {
    /// Returns the sign of the packet in a new process.
    fn alone(&mut self, packet: &[u8]) -> Result<Option<Sign>, Failure> {
        self.target.restart().map_err(|error| cannot(self.what, &error))?;
        self.next(packet)
    }

    /// Returns the sign of the packet in the running process.
    fn next(&mut self, packet: &[u8]) -> Result<Option<Sign>, Failure> {
        let outcome = run(self.what, &mut *self.target, packet)?;
        let Some(judge) = &self.judge else {
            let yes = matches!(outcome, Some(Outcome::Answered(Answer::Accepted { .. })));
            return Ok(yes.then_some(Sign { kind: None, about: None }));
        };
        let reference = self.reference.as_mut();
        let reference =
            reference.map(|reference| run("reference", &mut **reference, packet)).transpose()?;
        let difference = match (&outcome, &reference) {
            (None, _) => None,
            (Some(outcome), None) => judge.judge(packet, outcome),
            (Some(outcome), Some(reference)) => {
                reference.as_ref().and_then(|it| judge.judge_against(packet, outcome, it))
            }
        };
        Ok(difference
            .map(|it| Sign { kind: Some(it.kind), about: Some(it.signature().to_owned()) }))
    }

    /// Returns whether the packet shows this sign, and again in a new process.
    fn shows_twice(&mut self, packet: &[u8], sign: &Sign) -> Result<Shows, Failure> {
        let same = |shown: Option<Sign>| {
            shown.is_some_and(|shown| {
                shown.kind == sign.kind && (sign.about.is_none() || shown.about == sign.about)
            })
        };
        if !same(self.next(packet)?) {
            return Ok(Shows::Never);
        }
        Ok(if same(self.alone(packet)?) { Shows::Twice } else { Shows::Once })
    }
}

fn run(what: &str, target: &mut dyn Target, packet: &[u8]) -> Result<Option<Outcome>, Failure> {
    let mut outcomes = Vec::new();
    target.run(&[packet], &mut outcomes).map_err(|error| cannot(what, &error))?;
    Ok(outcomes.pop())
}
