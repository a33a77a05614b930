//! A second process of the target, in which what was seen is tried again.

use std::io;
use std::time::{Duration, Instant};

use super::Opener;
use crate::oracle::finding::{Deviation, Pair};
use crate::oracle::judge::Judge;
use crate::oracle::outcome::Outcome;
use crate::oracle::protocol::Answer;
use crate::oracle::target::Target;

/// The outcomes of a packet, and their difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Seen {
    /// The target's outcome.
    pub outcome: Outcome,
    /// The reference's outcome.
    pub reference: Outcome,
    /// The other half of the pair that the packet is one of, where it was sent, too.
    pub pair: Option<Pair>,
    /// The difference, if any.
    pub difference: Option<Deviation>,
}

/// A separate target for isolated re-runs, with its reference, and the judge.
pub(super) struct Trial<'a> {
    judge: &'a Judge,
    target: Box<dyn Target>,
    reference: Option<Box<dyn Target>>,
}

impl<'a> Trial<'a> {
    pub(super) fn open(
        judge: &'a Judge,
        target: Opener<'_>,
        reference: Option<Opener<'_>>,
    ) -> io::Result<Self> {
        let reference = reference.map(|open| open()).transpose()?;
        Ok(Self { judge, target: target()?, reference })
    }

    /// Says when to give up whatever is going on, and how long the target takes to start, as far as
    /// that was seen elsewhere.
    pub(super) fn prepare(&mut self, until: Option<Instant>, start_up: Option<Duration>) {
        self.target.until(until);
        if let Some(reference) = &mut self.reference {
            reference.until(until);
        }
        if let Some(time) = start_up {
            self.target.expect_start_up(time);
        }
    }

    /// The packet in a process that has seen no other.
    pub(super) fn alone(&mut self, packet: &[u8]) -> io::Result<Seen> {
        self.alone_with(packet, None)
    }

    /// Sends the packet to a fresh process, followed by the other half of its pair.
    pub(super) fn alone_with(&mut self, packet: &[u8], pair: Option<&[u8]>) -> io::Result<Seen> {
        self.target.restart()?;
        self.next_with(packet, pair)
    }

    /// Sends the packet to the running process and, if its answer is right, the other half of its pair.
    pub(super) fn next_with(&mut self, packet: &[u8], pair: Option<&[u8]>) -> io::Result<Seen> {
        let mut seen = self.next(packet)?;
        if let Some(pair) = pair
            && seen.difference.is_none()
        {
            let other = self.next(pair)?;
            let references = self.reference.as_ref().map(|_| [&seen.reference, &other.reference]);
            let outcomes = [&seen.outcome, &other.outcome];
            let apart = || self.judge.judge_pair(outcomes, references);
            seen.difference = other.difference.or_else(apart);
            seen.pair = Some(Pair { packet: pair.to_vec(), target: other.outcome });
        }
        Ok(seen)
    }

    /// Begins with a process that has seen no packets.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        self.target.restart()
    }

    /// The outcomes of packets in the process as it is.
    pub(super) fn run(&mut self, packets: &[Vec<u8>]) -> io::Result<Vec<Outcome>> {
        let packets: Vec<&[u8]> = packets.iter().map(Vec::as_slice).collect();
        let mut outcomes = Vec::new();
        self.target.run(&packets, &mut outcomes)?;
        Ok(outcomes)
    }

    /// The packet in the process as it is.
    pub(super) fn next(&mut self, packet: &[u8]) -> io::Result<Seen> {
        let outcome = run_one(&mut *self.target, packet)?;
        let reference = match &mut self.reference {
            Some(reference) => run_one(&mut **reference, packet)?,
            // Written only when it is reported.
            None => Outcome::Answered(Answer::Skipped { what: String::new() }),
        };
        let difference = match self.reference {
            Some(_) => self.judge.judge_against(packet, &outcome, &reference),
            None => self.judge.judge(packet, &outcome),
        };
        Ok(Seen { outcome, reference, pair: None, difference })
    }

    /// The reference's outcome, for a report.
    pub(super) fn reference(&self, packet: &[u8], seen: &Seen) -> Outcome {
        match self.reference {
            Some(_) => seen.reference.clone(),
            None => self.judge.reference(packet),
        }
    }

    /// Runs the packet after others in a fresh process.
    pub(super) fn after(
        &mut self,
        before: &[Vec<u8>],
        packet: &[u8],
        batch: usize,
    ) -> io::Result<Seen> {
        self.restart()?;
        for chunk in before.chunks(batch.max(1)) {
            self.run(chunk)?;
        }
        self.next(packet)
    }

    /// Returns the CPU time that the target takes for a packet `times` times; [`None`] if it is unknown or the target
    /// does not answer.
    pub(super) fn cpu_time(&mut self, packet: &[u8], times: usize) -> io::Result<Option<Duration>> {
        self.target.restart()?;
        // Started, and its tables filled.
        let warm = run_one(&mut *self.target, packet)?;
        let Some(start) = self.target.cpu_time() else { return Ok(None) };
        if !matches!(warm, Outcome::Answered(Answer::Accepted { .. })) {
            return Ok(None);
        }
        for _ in 0..times {
            if !matches!(run_one(&mut *self.target, packet)?, Outcome::Answered(_)) {
                return Ok(None);
            }
        }
        Ok(self.target.cpu_time().and_then(|end| end.checked_sub(start)))
    }
}

/// The outcome of one packet.
fn run_one(target: &mut dyn Target, packet: &[u8]) -> io::Result<Outcome> {
    let mut outcomes = Vec::with_capacity(1);
    target.run(&[packet], &mut outcomes)?;
    outcomes.pop().ok_or_else(no_outcome)
}

/// A target owes an outcome for each packet.
pub(super) fn no_outcome() -> io::Error {
    io::Error::other("the target gave no outcome for a packet")
}

/// Whether two outcomes say the same: messages may differ, as they may hold addresses.
pub(super) fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Answered(one), Outcome::Answered(other)) => match (one, other) {
            (Answer::Rejected { .. }, Answer::Rejected { .. })
            | (Answer::Skipped { .. }, Answer::Skipped { .. }) => true,
            _ => one == other,
        },
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
