//! The options for the tested decoder: its command, its limits, and the judgement of its answers.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use formwork_kit::case::Reading;
use formwork_kit::oracle::target::{self, BadTarget, Limits, Target, TargetSpec};
use formwork_kit::oracle::{AnswerForm, Judge};
use formwork_kit::report::Context;

use formwork_program::failure::Failure;
use formwork_program::format::StrictnessName;
use formwork_program::quantity::{duration, size};

/// Options that choose the decoder.
#[derive(Args, Clone, Debug)]
pub(crate) struct TargetOptions {
    /// Decoder to test: a command, or tcp://HOST:PORT, udp://HOST:PORT
    #[arg(short, long, value_name = "COMMAND")]
    pub(crate) target: String,
    /// Decoder that is right by definition, instead of this program
    #[arg(long, value_name = "COMMAND", conflicts_with = "strictness")]
    #[arg(hide_short_help = true)]
    pub(crate) reference: Option<String>,
    /// Run the command once per packet, with the packet on standard input or in the file '{}'
    ///
    /// Exit status 0 accepts the packet, 1 rejects it, and 77 says that the decoder does not read its type. Any other
    /// status is a crash.
    #[arg(long)]
    per_case: bool,
    /// With --per-case: exit statuses that mean "rejected" [default: 1]
    #[arg(long, value_name = "STATUS", value_delimiter = ',', requires = "per_case")]
    #[arg(hide_short_help = true)]
    reject_status: Vec<i32>,
    /// Longest time for an answer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2s")]
    time_limit: Duration,
    /// Longest time for the process to start
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    #[arg(hide_short_help = true)]
    start_limit: Duration,
    /// Memory limit of the process, 0 for none (Linux only)
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1G")]
    #[arg(hide_short_help = true)]
    memory: u64,
    /// Packets to send before reading an answer
    #[arg(long, value_name = "COUNT", default_value_t = 256, hide_short_help = true)]
    batch: usize,
    /// What accepted answers contain: bytes (the value written again), json, text, verdict
    /// (nothing)
    #[arg(long, value_name = "FORM", default_value_t)]
    answer: AnswerForm,
    /// How strict this program is when it judges answers
    #[arg(long = "strictness", alias = "attitude", value_enum, default_value_t)]
    #[arg(value_name = "STRICTNESS")]
    #[arg(hide_short_help = true)]
    strictness: StrictnessName,
    /// Treat all NaN values as equal: some languages change their bits
    #[arg(long, hide_short_help = true)]
    any_nan: bool,
}

/// Returns the name or path by which the program was called, so that it can be called from any
/// folder: a program that was found on the path is found there again.
fn program() -> String {
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    match called.components().count() {
        0 | 1 => "formwork-kit".to_owned(),
        _ => std::path::absolute(&called).unwrap_or(called).to_string_lossy().into_owned(),
    }
}

impl TargetOptions {
    /// Returns the target.
    pub(crate) fn spec(&self) -> Result<TargetSpec, Failure> {
        self.of(&self.target).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Returns the reference, where it is another program.
    pub(crate) fn reference(&self) -> Result<Option<TargetSpec>, Failure> {
        let spec = self.reference.as_deref().map(|text| self.of(text)).transpose();
        spec.map_err(|error| Failure::usage(error.to_string()))
    }

    fn of(&self, text: &str) -> Result<TargetSpec, BadTarget> {
        if !self.per_case {
            return TargetSpec::persistent(text);
        }
        let spec = TargetSpec::per_case(text)?;
        Ok(match self.reject_status.as_slice() {
            [] => spec,
            statuses => spec.reject_statuses(statuses.to_vec()),
        })
    }

    /// Returns the limits of the target, with the end of the run.
    pub(crate) fn limits(&self, until: Option<Instant>) -> Limits {
        Limits {
            time: self.time_limit,
            start: self.start_limit,
            memory: self.memory,
            batch: self.batch.max(1),
            until,
        }
    }

    /// Starts a target, which is abandoned at the time `until`.
    pub(crate) fn open(
        &self,
        spec: &TargetSpec,
        until: Option<Instant>,
    ) -> io::Result<Box<dyn Target>> {
        target::open(spec, &self.limits(until))
    }

    /// Returns the judge of answers.
    pub(crate) fn judge(&self, reading: Reading) -> Judge {
        Judge::new(reading)
            .strictness(self.strictness.into())
            .form(self.answer)
            .any_nan(self.any_nan)
    }

    /// Returns the facts for the reports.
    pub(crate) fn context(&self, reading: Reading, seed: u64) -> Context {
        Context {
            reading,
            strictness: self.strictness.into(),
            target: self.target.clone(),
            reference: self.reference.clone(),
            options: self.said(),
            seed,
            answer: self.answer,
            program: program(),
            folder: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// Returns the options that differ from the defaults, as on a command line: about calls, limits
    /// and judgement.
    pub(crate) fn said(&self) -> Vec<String> {
        let mut said = Vec::new();
        if self.per_case {
            said.push("--per-case".to_owned());
        }
        if !self.reject_status.is_empty() {
            let statuses: Vec<_> = self.reject_status.iter().map(i32::to_string).collect();
            said.push(format!("--reject-status={}", statuses.join(",")));
        }
        let usual = Limits::default();
        if self.time_limit != usual.time {
            said.push(format!("--time-limit={}ms", self.time_limit.as_millis()));
        }
        if self.start_limit != usual.start {
            said.push(format!("--start-limit={}ms", self.start_limit.as_millis()));
        }
        if self.memory != usual.memory {
            said.push(format!("--memory={}", self.memory));
        }
        if self.any_nan {
            said.push("--any-nan".to_owned());
        }
        said
    }
}
