//! Whether an adapter, the program that lets a decoder answer in the protocol, does so rightly.

mod question;
mod sample;

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use question::{Asker, hex};
use sample::Samples;

use super::target::{self, Limits, Outcome, TargetSpec};
use crate::case::Reading;

/// One thing that an adapter must do.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Check {
    /// What, in a few words.
    pub name: &'static str,
    /// Whether it does.
    pub passed: bool,
    /// The observation and, if the check failed, how to fix the target.
    pub detail: String,
}

/// Sends the simplest packets. Returns the time that the target took to start, as far as it is known; or how to fix the
/// target if none of them got an answer in the protocol. The content of the answers is not checked: a campaign does
/// that.
///
/// # Errors
///
/// Fails if the target cannot be started or reached at all, or the time limit is over.
pub fn speaks(
    spec: &TargetSpec,
    limits: &Limits,
    reading: Reading,
) -> io::Result<Result<Option<Duration>, String>> {
    let samples = Samples { reading };
    let mut target = target::open(spec, limits)?;
    let asked = Asker { target: &mut *target, samples: &samples, odd: Vec::new() }.speaks()?;
    Ok(asked.map(|()| target.start_up()))
}

/// Time that a target has to start, where the limits do not say otherwise: nobody wants to wait for the advice.
const START: Duration = Duration::from_secs(5);

/// Checks an adapter, from the first things to the last. Where it cannot be started or does not answer, nothing
/// else is checked; what cannot be asked of a target that is reached so (a UDP server has no input that ends) is
/// left out.
#[must_use]
pub fn check(spec: &TargetSpec, limits: &Limits, reading: Reading) -> Vec<Check> {
    let samples = Samples { reading };
    let is_default = limits.start == Limits::default().start;
    let limits = &Limits { start: if is_default { START } else { limits.start }, ..*limits };
    let mut checks = Vec::new();
    let mut add = |name, result: Result<String, String>| {
        let passed = result.is_ok();
        let detail = result.unwrap_or_else(|detail| detail);
        checks.push(Check { name, passed, detail });
        passed
    };
    let mut target = match target::open(spec, limits) {
        Ok(target) => target,
        Err(error) => {
            add("starts", Err(format!("{error}")));
            return checks;
        }
    };
    let mut asker = Asker { target: &mut *target, samples: &samples, odd: Vec::new() };
    match asker.speaks() {
        Ok(Ok(())) => add("starts", Ok("it answers".to_owned())),
        // Nothing else can be asked.
        Ok(Err(advice)) => {
            add("starts", Err(advice));
            return checks;
        }
        Err(error) => {
            add("starts", Err(error.to_string()));
            return checks;
        }
    };
    let result = asker.simple().unwrap_or_else(|error| Err(error.to_string()));
    add("accepts a simple packet", result);
    type Ask<'a> = fn(&mut Asker<'a>) -> io::Result<Result<String, String>>;
    let questions: [(&'static str, Ask<'_>); 6] = [
        ("refuses what is no packet, and goes on", Asker::garbage),
        ("answers an empty packet", Asker::empty),
        ("answers in order", Asker::order),
        ("takes a large packet", Asker::large),
        ("answers the same again", Asker::again),
        ("answers with what can be read", Asker::readable),
    ];
    for (name, ask) in questions {
        let result = ask(&mut asker).unwrap_or_else(|error| Err(error.to_string()));
        add(name, result);
    }
    add("says how many bytes it took", asker.sane());
    match target::end_of_input(spec, limits, &[&samples.simple()]) {
        Ok(None) => {}
        Ok(Some((outcomes, ended))) => {
            add("sends nothing but answers", sends_nothing_else(&outcomes, &ended));
            add("ends with its input", ends(&ended));
        }
        Err(error) => {
            add("ends with its input", Err(error.to_string()));
        }
    }
    checks
}

fn sends_nothing_else(outcomes: &[Outcome], ended: &target::Ended) -> Result<String, String> {
    let stray = match (outcomes, &ended.stray) {
        ([Outcome::OutOfTurn { found }], _) => found.clone(),
        (_, None) => {
            return Err("its output stays open when its input has ended. Stop there.".to_owned());
        }
        (_, Some(stray)) if stray.is_empty() => return Ok("answers only".to_owned()),
        (_, Some(stray)) => hex(stray),
    };
    Err(format!(
        "besides its answers it sent {stray}. Print nothing on standard output, and what is meant for \
         people on standard error. (On Windows, set standard output to binary.)"
    ))
}

fn ends(ended: &target::Ended) -> Result<String, String> {
    match ended.success {
        Some(true) => Ok(ended.status.clone()),
        None if !ended.is_process => Ok("the connection is closed".to_owned()),
        None => {
            Err("it goes on when its input has ended. End when no length can be read.".to_owned())
        }
        Some(false) => {
            let mut message = format!("it ends with {}", ended.status);
            if let Some(line) = ended.stderr.trim().lines().last() {
                // Writing to a string does not fail.
                let _ = write!(message, " (`{line}`)");
            }
            message += ". The end of the input is no fault: end with exit status 0.";
            Err(message)
        }
    }
}
