//! Cases by the thousand: what is wrong with the answers is tried again, made small and grouped.

mod first;
mod growth;
mod leak;
mod look;
mod producer;
mod state;
mod trial;

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

pub use state::{Counts, Run, State};
pub use trial::Seen;

use leak::Samples;
use look::Looked;
use trial::Trial;

use super::finding::{Cut, Deviation, Finding, Pair};
use super::judge::Judge;
use super::outcome::Outcome;
use super::protocol::Answer;
use super::shrink::Budget;
use super::target::Target;
use crate::case::{Case, Cases};

/// Starts or reaches a target.
pub type Opener<'a> = &'a (dyn Fn() -> io::Result<Box<dyn Target>> + 'a);

/// The options of a campaign.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Cases to go through in all, those before a state that is gone on with and those that are left out
    /// because they [repeat](crate::case::Repeats) another included; [`None`]: until the time is over or the watcher
    /// has enough.
    pub count: Option<u64>,
    /// Time to run. No case is begun later; what is being looked into then has a tenth of the time
    /// more, and is marked where it is cut short ([`Finding::cut`]).
    pub time: Option<Duration>,
    /// Packets that are sent before the first answer is waited for.
    pub batch: usize,
    /// How much work making a packet small may be; [`None`]: packets stay as they are.
    pub shrink: Option<Budget>,
    /// Whether to measure, once, how the target's time grows with the size of packets.
    pub growth: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { count: None, time: None, batch: 64, shrink: Some(Budget::default()), growth: true }
    }
}

/// Receives the progress of a campaign.
pub trait Watch {
    /// A finding, confirmed and made small, at once when that is done. [`ControlFlow::Break`] ends the
    /// campaign.
    ///
    /// # Errors
    ///
    /// Any that end the campaign.
    fn found(&mut self, finding: &Finding) -> io::Result<ControlFlow<()>>;

    /// Begins to measure how the target's time grows with the size of packets, within this share of the target's CPU time, at
    /// most. It is asked for no progress while that goes on.
    ///
    /// # Errors
    ///
    /// Any that end the campaign.
    fn grow(&mut self, _most: Duration) -> io::Result<()> {
        Ok(())
    }

    /// How far it has come; called every few milliseconds. [`ControlFlow::Break`] ends it.
    ///
    /// # Errors
    ///
    /// Any that end the campaign.
    fn progress(&mut self, state: &State) -> io::Result<ControlFlow<()>>;
}

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// All cases were run.
    Count,
    /// The time was over.
    Time,
    /// The watcher had enough.
    Stopped,
}

/// Runs the cases of a seed through a target, and finds out what is wrong with it.
///
/// A difference counts only if the packet shows it twice in a fresh process. Otherwise the packet is tried after the
/// packets that came before it: if the difference comes again, it is a state leak, and only the packets that are needed
/// are kept; if not, it is counted as not repeatable. Packets that were answered are sent again later, and must get the
/// same answer. If a case is [one of a pair](Case::pair), both halves are sent, and must be read as the same value.
///
/// The difference of the smallest packet is the finding: differences with the same kind and the same text are one,
/// whatever cases showed them.
pub struct Campaign<'a> {
    /// The cases.
    pub cases: &'a Cases,
    /// Packets that come before the cases, each once, by name. What is wrong with them is grouped by what the packets
    /// have in common, and the cases that have it are not looked into any more.
    pub first: &'a [(String, Vec<u8>)],
    /// Compares.
    pub judge: &'a Judge,
    /// Starts the target. Called twice: what is wrong is looked into in another process.
    pub target: Opener<'a>,
    /// Starts the reference, where it is not our own codec.
    pub reference: Option<Opener<'a>>,
    /// The options of the campaign.
    pub options: Options,
}

impl Campaign<'_> {
    /// Runs the cases that follow those of the state, and updates the state.
    ///
    /// # Errors
    ///
    /// Fails if a target cannot be started or reached at all, or the watcher fails.
    pub fn run(&self, state: &mut State, watch: &mut dyn Watch) -> io::Result<End> {
        let started = Instant::now();
        let time = self.options.time;
        let until = time.map(|time| started + time);
        let latest = time.map(|time| started + time + time / 10);
        let mut running = Running {
            campaign: self,
            target: (self.target)()?,
            reference: self.reference.map(|open| open()).transpose()?,
            trial: None,
            until,
            latest,
            trial_until: latest,
            measured: false,
            since: state.next,
            samples: Samples::default(),
            leaks: 0,
            row: None,
            stopped: false,
            started,
            before: state.seconds,
            state,
            watch,
        };
        let end = match running.run() {
            Err(error) if running.is_late(&error) => Ok(End::Time),
            end => end,
        };
        // What came last may have taken long: what grows does.
        running.clock();
        end
    }

    /// Runs a packet after others in a fresh process, and returns the difference as a report describes it. If there are
    /// others, the only difference is an answer other than that to the packet alone. If not, the other half of its
    /// pair, if it is given, must be read as the same value, too.
    ///
    /// # Errors
    ///
    /// Fails if a target cannot be started or reached at all.
    pub fn try_again(
        &self,
        before: &[Vec<u8>],
        packet: &[u8],
        pair: Option<&[u8]>,
    ) -> io::Result<Seen> {
        let mut trial = Trial::open(self.judge, self.target, self.reference)?;
        let mut seen = trial.alone_with(packet, pair.filter(|_| before.is_empty()))?;
        if before.is_empty() {
            let refined = |difference| self.judge.refined(difference, packet);
            seen.difference = seen.difference.map(refined);
        } else {
            seen = leak::between(&mut trial, self, before, packet, &seen)?;
        }
        seen.reference = trial.reference(packet, &seen);
        Ok(seen)
    }
}

/// The parts of a finding besides the case.
struct Found {
    difference: Deviation,
    packet: Vec<u8>,
    before: Vec<Vec<u8>>,
    pair: Option<Pair>,
    outcome: Outcome,
    reference: Outcome,
    cut: Cut,
}

/// A campaign that runs.
struct Running<'c, 's> {
    campaign: &'c Campaign<'c>,
    target: Box<dyn Target>,
    reference: Option<Box<dyn Target>>,
    /// Opened when it is first needed.
    trial: Option<Trial<'c>>,
    /// When no more cases are begun, ...
    until: Option<Instant>,
    /// ... and when nothing more is looked into.
    latest: Option<Instant>,
    /// When the trial that goes on has to be over.
    trial_until: Option<Instant>,
    /// Whether the packets that grow had their time in this run.
    measured: bool,
    /// The first case that the target's process has seen.
    since: u64,
    samples: Samples,
    /// State leaks that were looked into.
    leaks: usize,
    /// The name of the packet that is being looked into, while those before the cases are.
    row: Option<String>,
    /// Whether the watcher had enough.
    stopped: bool,
    started: Instant,
    /// Seconds that had passed before.
    before: f64,
    state: &'s mut State,
    watch: &'s mut dyn Watch,
}

impl Running<'_, '_> {
    /// Cases after which a process is replaced, so that what it has seen can be shown to another.
    const LIFE: u64 = 1 << 16;
    /// Cases that are made at a time, at least.
    const MADE: usize = 256;

    fn run(&mut self) -> io::Result<End> {
        let (cases, batch) = (self.campaign.cases, self.campaign.options.batch.max(1));
        self.give_until(self.until);
        if !self.run_first()? {
            return Ok(self.end().unwrap_or(End::Stopped));
        }
        let count = self.campaign.options.count.unwrap_or(u64::MAX);
        let until = cases.count().map_or(count, |all| all.min(count));
        let from = self.state.next;
        std::thread::scope(|scope| {
            // A thread that is woken for each case costs more than the case.
            let made = batch * Self::MADE.div_ceil(batch);
            let mut producer = producer::start(scope, cases, from..until, made);
            loop {
                if let Some(end) = self.end() {
                    return Ok(end);
                }
                // What is enumerated comes first, and what grows before what is random.
                let made = producer.next();
                let growth = self.campaign.options.growth && !self.state.grown && !self.measured;
                if growth && (made.is_none() || self.state.next >= cases.enumerated()) {
                    self.measured = true;
                    self.grow()?;
                }
                let Some(made) = made else { return Ok(End::Count) };
                let mut all = true;
                for cases in made.cases.chunks(batch) {
                    all = self.end().is_none() && self.batch(cases)?;
                    if !all {
                        break;
                    }
                    self.clock();
                    if self.watch.progress(self.state)?.is_break() {
                        return Ok(End::Stopped);
                    }
                }
                if all {
                    self.passed(made.next);
                }
                producer.give_back(made);
            }
        })
    }

    /// Notes that all cases below a number were run, but for those that repeat another.
    fn passed(&mut self, next: u64) {
        self.state.counts.repeated += next - self.state.next;
        self.state.next = next;
    }

    /// Brings the time in the state up to date.
    fn clock(&mut self) {
        self.state.seconds = self.before + self.started.elapsed().as_secs_f64();
    }

    /// Whether it is over.
    fn end(&self) -> Option<End> {
        if self.stopped {
            return Some(End::Stopped);
        }
        is_past(self.until).then_some(End::Time)
    }

    /// Whether an error says that the time was over, and it is.
    fn is_late(&self, error: &io::Error) -> bool {
        is_late(error, self.until)
    }

    /// How much of a time is left before the end.
    fn left(&self, time: Duration) -> Duration {
        self.until.map_or(time, |until| time.min(until.saturating_duration_since(Instant::now())))
    }

    /// Says to target and reference when to give up.
    fn give_until(&mut self, until: Option<Instant>) {
        self.target.until(until);
        if let Some(reference) = &mut self.reference {
            reference.until(until);
        }
    }

    /// Sends packets, for a share of the time at most, so that what comes of the first is looked into
    /// while there is time. Whether all have an outcome.
    fn send(
        &mut self,
        packets: &[&[u8]],
        outcomes: &mut Vec<Outcome>,
        references: &mut Vec<Outcome>,
    ) -> io::Result<bool> {
        let all = self.send_a_share(packets, outcomes, references);
        // What comes next, such as a new process, has the time of the run and not of the share.
        self.give_until(self.until);
        all
    }

    fn send_a_share(
        &mut self,
        packets: &[&[u8]],
        outcomes: &mut Vec<Outcome>,
        references: &mut Vec<Outcome>,
    ) -> io::Result<bool> {
        /// How many such shares the time has.
        const SHARES: u32 = 8;
        let share = self.campaign.options.time.map(|time| Instant::now() + time / SHARES);
        // One that takes longer than a share has all the time that there is.
        for until in [self.until.min(share), self.until] {
            self.give_until(until);
            let ran = self.target.run(packets, outcomes).and_then(|()| match &mut self.reference {
                Some(reference) => reference.run(packets, references),
                None => Ok(()),
            });
            match ran {
                Ok(()) => return Ok(true),
                Err(error) if error.kind() != io::ErrorKind::TimedOut || !is_past(until) => {
                    return Err(error);
                }
                Err(_) if self.reference.is_some() => outcomes.truncate(references.len()),
                Err(_) => {}
            }
            if !outcomes.is_empty() || is_past(self.until) {
                break;
            }
        }
        Ok(false)
    }

    /// Runs a batch of cases; whether it came to the end of it.
    fn batch(&mut self, cases: &[Case]) -> io::Result<bool> {
        let mut rest = cases;
        while let Some(first) = rest.first() {
            if first.number - self.since >= Self::LIFE {
                self.renew(first.number)?;
            }
            let packets: Vec<&[u8]> = rest.iter().flat_map(Case::packets).collect();
            let (mut outcomes, mut references) = (Vec::new(), Vec::new());
            let all = self.send(&packets, &mut outcomes, &mut references)?;
            if all && outcomes.len() < packets.len() {
                return Err(trial::no_outcome());
            }
            let (mut done, mut from, mut is_new) = (0, 0, false);
            for case in rest {
                let halves = from..from + case.packets().count();
                let Some(outcomes) = outcomes.get(halves.clone()) else { break };
                if is_past(self.latest) {
                    return Ok(false);
                }
                (done, from) = (done + 1, halves.end);
                self.passed(case.number);
                let looked = self.case(case, outcomes, references.get(halves))?;
                self.state.next = case.number + 1;
                if self.stopped {
                    return Ok(false);
                }
                if outcomes.iter().any(|outcome| !matches!(outcome, Outcome::Answered(_))) {
                    // The target has replaced its process.
                    self.since = case.number + 1;
                    self.samples.clear();
                } else if looked != Looked::Known {
                    // What the others in the batch were answered is no better.
                    self.renew(case.number + 1)?;
                    is_new = true;
                    break;
                }
            }
            rest = rest.get(done..).unwrap_or_default();
            if self.end().is_some() {
                return Ok(rest.is_empty());
            }
            if !all && !is_new {
                // What was on its way when the share was over was ended with its process.
                self.renew(self.state.next)?;
            }
        }
        if self.samples.are_due() {
            self.ask_again()?;
        }
        Ok(true)
    }

    /// Begins with a new process.
    fn renew(&mut self, number: u64) -> io::Result<()> {
        self.target.restart()?;
        self.since = number;
        self.samples.clear();
        Ok(())
    }

    /// Counts a case, and looks into what is wrong with it: with one of its packets, or with both together.
    fn case(
        &mut self,
        case: &Case,
        outcomes: &[Outcome],
        references: Option<&[Outcome]>,
    ) -> io::Result<Looked> {
        let judge = self.campaign.judge;
        let other = case.other_half();
        let reference = |half: usize| references.and_then(|references| references.get(half));
        let halves = [Some(case), other.as_ref()].into_iter().flatten();
        for (position, (half, outcome)) in halves.zip(outcomes).enumerate() {
            let reference = reference(position);
            let difference = match reference {
                Some(reference) => judge.judge_against(&half.bytes, outcome, reference),
                None => judge.judge(&half.bytes, outcome),
            };
            if let Some(difference) = difference {
                let looked = self.look_into(half, &difference, (outcome, None), reference)?;
                return Ok(self.wrong(case, looked));
            }
        }
        if let ([one, other], Some(pair)) = (outcomes, &case.pair) {
            let both = reference(0).zip(reference(1)).map(|(one, other)| [one, other]);
            if let Some(difference) = judge.judge_pair([one, other], both) {
                let pair = Pair { packet: pair.clone(), target: other.clone() };
                let seen = (one, Some(pair));
                let looked = self.look_into(case, &difference, seen, reference(0))?;
                return Ok(self.wrong(case, looked));
            }
        }
        let is_skipped = |outcome: Option<&Outcome>| {
            matches!(outcome, Some(Outcome::Answered(Answer::Skipped { .. })))
        };
        let skipped = is_skipped(outcomes.first()) || is_skipped(reference(0));
        self.count(case, |cell, counts| {
            *(if skipped { &mut cell.skipped } else { &mut cell.agreed }) += 1;
            *(if skipped { &mut counts.skipped } else { &mut counts.agreed }) += 1;
        });
        if let Some(outcome @ Outcome::Answered(Answer::Accepted { bytes, .. })) = outcomes.first()
        {
            self.state.counts.silent += u64::from(bytes.is_empty());
            self.samples.offer(case, outcome);
        }
        Ok(Looked::Known)
    }

    /// Counts a case with which something is wrong.
    fn wrong(&mut self, case: &Case, looked: Looked) -> Looked {
        self.count(case, |cell, counts| match looked {
            Looked::Known | Looked::Leak => {
                cell.findings += 1;
                counts.findings += 1;
            }
            Looked::Suspect => counts.unrepeatable += 1,
        });
        looked
    }

    fn count(&mut self, case: &Case, add: impl FnOnce(&mut super::Cell, &mut Counts)) {
        self.state.counts.cases += 1;
        add(self.state.matrix.cell(case.subject, case.profile), &mut self.state.counts);
    }
}

/// Whether an error says that the time was over, and it is.
fn is_late(error: &io::Error, until: Option<Instant>) -> bool {
    error.kind() == io::ErrorKind::TimedOut && is_past(until)
}

/// Whether this time has come.
fn is_past(time: Option<Instant>) -> bool {
    time.is_some_and(|time| Instant::now() >= time)
}
