//! Answers that depend on what was asked before.

use std::io;
use std::ops::Range;

use super::look::{Confirm, Looked};
use super::trial::{Seen, Trial, is_same};
use super::{Campaign, Cut, Found, Running};
use crate::case::{Case, Cases, Repeats};
use crate::oracle::finding::{Deviation, Kind};
use crate::oracle::outcome::Outcome;
use crate::oracle::shrink::{Budget, shrink_sequence};

/// Questions that making a leak small may take. Each costs two processes.
const QUESTIONS: u64 = 400;

/// Accepted cases that are asked again later.
#[derive(Default)]
pub(super) struct Samples {
    kept: Vec<(Case, Outcome)>,
    /// Cases that were accepted.
    accepted: usize,
    /// Those that were when the samples were asked again last.
    asked: usize,
}

impl Samples {
    /// Samples at most.
    const MOST: usize = 16;
    /// Keeps one case of this number.
    const EVERY: usize = 61;
    /// Cases after which they are asked again.
    const ROUND: usize = 1024;

    /// Keeps one case of [`EVERY`], and forgets the oldest.
    pub(super) fn offer(&mut self, case: &Case, outcome: &Outcome) {
        if self.accepted.is_multiple_of(Self::EVERY) {
            let position = (self.accepted / Self::EVERY) % Self::MOST;
            let sample = (case.clone(), outcome.clone());
            match self.kept.get_mut(position) {
                Some(oldest) => *oldest = sample,
                None => self.kept.push(sample),
            }
        }
        self.accepted += 1;
    }

    /// Whether it is time to ask again.
    pub(super) const fn are_due(&self) -> bool {
        self.accepted - self.asked >= Self::ROUND
    }

    /// Forgets all: they were asked of another process.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Running<'_, '_> {
    /// State leaks that are looked into. One leak shows in many packets.
    const LEAKS: usize = 6;

    /// Asks samples again, and looks into those that are answered in another way.
    pub(super) fn ask_again(&mut self) -> io::Result<()> {
        self.samples.asked = self.samples.accepted;
        let kept = std::mem::take(&mut self.samples.kept);
        let packets: Vec<&[u8]> = kept.iter().map(|(case, _)| case.bytes.as_slice()).collect();
        let mut outcomes = Vec::new();
        self.target.run(&packets, &mut outcomes)?;
        let changed = kept.iter().zip(&outcomes).find(|((_, before), now)| !is_same(before, now));
        let Some(((case, _), _)) = changed else {
            self.samples.kept = kept;
            return Ok(());
        };
        let until = self.state.next;
        if self.look_before(case, until, None)? == Looked::Suspect {
            self.state.counts.unrepeatable += 1;
        }
        self.renew(until)
    }

    /// Looks for what the packets before have to do with a difference that a packet alone does not
    /// show; they are those of the cases below `until` that the process has seen.
    pub(super) fn look_before(
        &mut self,
        case: &Case,
        until: u64,
        difference: Option<&Deviation>,
    ) -> io::Result<Looked> {
        let what = match difference {
            Some(Deviation { kind, about, .. }) => format!("{kind}: {about}"),
            None => "another answer than before".to_owned(),
        };
        if self.leaks >= Self::LEAKS {
            let mut findings = self.state.findings.iter_mut();
            match findings.find(|finding| finding.difference.kind == Kind::StateLeak) {
                Some(finding) => {
                    finding.count += 1;
                    return Ok(Looked::Leak);
                }
                None => self.unrepeatable(case, &what),
            }
            return Ok(Looked::Suspect);
        }
        self.leaks += 1;
        match self.look_behind(case, until, difference) {
            Ok(true) => return Ok(Looked::Leak),
            Ok(false) => self.unrepeatable(case, &what),
            Err(error) if self.is_late(&error) => {
                let what = format!("{what} (the time was over before it was looked into)");
                self.unrepeatable(case, &what);
            }
            Err(error) => return Err(error),
        }
        Ok(Looked::Suspect)
    }

    /// Whether the packets before have to do with a difference: then it is a finding.
    fn look_behind(
        &mut self,
        case: &Case,
        until: u64,
        difference: Option<&Deviation>,
    ) -> io::Result<bool> {
        let failed = difference.filter(|difference| {
            matches!(difference.kind, Kind::Crash | Kind::Hang | Kind::Memory)
        });
        match (self.before(case, until)?, failed) {
            (Some(before), _) => self.settle_leak(case, before),
            (None, Some(failed)) => self.wears_out(case, failed),
            (None, None) => Ok(false),
        }
    }

    /// Whether a process that is sent the same cases as the one that failed fails again, somewhere: then
    /// it is no packet that is to blame, but how many there were.
    fn wears_out(&mut self, case: &Case, failed: &Deviation) -> io::Result<bool> {
        let (cases, since, judge) = (self.campaign.cases, self.since, self.campaign.judge);
        let batch = self.campaign.options.batch.max(1) as u64;
        let mut ends = Vec::new();
        for _ in 0..2 {
            let mut repeats = Repeats::before(cases, since);
            let trial = self.trial()?;
            trial.restart()?;
            let mut from = since;
            // It may last a little longer.
            let most = case.number + (case.number - since) / 2 + batch;
            let found = loop {
                if from > most {
                    return Ok(false);
                }
                let sent = packets(cases, from..from + batch, &mut repeats);
                let (numbers, packets): (Vec<u64>, Vec<Vec<u8>>) = sent.into_iter().unzip();
                let failure = |outcome: &Outcome, packet: &[u8]| {
                    let is_failure = !matches!(outcome, Outcome::Answered(_));
                    let found = is_failure.then(|| judge.judge(packet, outcome)).flatten();
                    found.filter(|found| found.kind == failed.kind)
                };
                let outcomes = trial.run(&packets)?;
                let mut both = outcomes.iter().zip(&packets).zip(numbers);
                let first = both.find_map(|((outcome, packet), number)| {
                    failure(outcome, packet).map(|_| (outcome.clone(), packet.clone(), number))
                });
                if let Some(found) = first {
                    break found;
                }
                from += batch;
            };
            ends.push(found);
        }
        let Some((outcome, packet, number)) = ends.pop() else { return Ok(false) };
        let (kind, about) = match failed.kind {
            Kind::Memory => (Kind::Memory, "memory grows from packet to packet".to_owned()),
            kind => (Kind::StateLeak, format!("{kind} after many packets")),
        };
        let detail = format!(
            "in a process that was sent the cases {since} to {number}, and not on the last alone: {}",
            failed.detail
        );
        let difference = Deviation::new(kind, about, detail);
        let reference = judge.reference(&packet);
        let (before, pair, cut) = (Vec::new(), None, Cut::Nothing);
        self.add(case, Found { difference, packet, before, pair, outcome, reference, cut })?;
        Ok(true)
    }

    /// Returns the packets after which the answer differs from that of a fresh process, twice.
    fn before(&mut self, case: &Case, until: u64) -> io::Result<Option<Vec<Vec<u8>>>> {
        let (cases, since) = (self.campaign.cases, self.since);
        let batch = self.campaign.options.batch;
        let trial = self.trial()?;
        let alone = trial.alone(&case.bytes)?.outcome;
        // The last few are enough most of the time.
        for length in [batch as u64, 1 << 11, Self::LIFE] {
            let from = since.max(until.saturating_sub(length));
            let sent = packets(cases, from..until, &mut Repeats::before(cases, from));
            let before: Vec<_> = sent.into_iter().map(|(_, packet)| packet).collect();
            let mut differs = true;
            for _ in 0..2 {
                let behind = trial.after(&before, &case.bytes, batch)?.outcome;
                let again = trial.alone(&case.bytes)?.outcome;
                differs &= !is_same(&behind, &alone) && is_same(&again, &alone);
                if !differs {
                    break;
                }
            }
            if differs {
                return Ok(Some(before));
            }
            if from == since {
                break;
            }
        }
        Ok(None)
    }

    /// Makes a leak small, and adds it to the findings, if it is one.
    fn settle_leak(&mut self, case: &Case, before: Vec<Vec<u8>>) -> io::Result<bool> {
        let (mut before, mut packet) = (before, case.bytes.clone());
        let mut cut = Cut::Nothing;
        let left = self.share_left();
        let judge = self.campaign.judge;
        let batch = self.campaign.options.batch;
        if let Some(budget) = self.campaign.options.shrink {
            let trial = self.trial()?;
            let mut failed = None;
            let mut leaks = |before: &[Vec<u8>], packet: &[u8]| {
                let differs = trial.after(before, packet, batch).and_then(|behind| {
                    let alone = trial.alone(packet)?;
                    Ok(!is_same(&behind.outcome, &alone.outcome))
                });
                differs.unwrap_or_else(|error| {
                    failed.get_or_insert(error);
                    false
                })
            };
            let budget = Budget { runs: budget.runs.min(QUESTIONS), time: left };
            let format = judge.reading().format;
            let shrunk = shrink_sequence(&before, &packet, format, budget, &mut leaks);
            if let Some(error) = failed {
                return Err(error);
            }
            if !shrunk.finished {
                cut = Cut::Shrinking;
            }
            (before, packet) = (shrunk.before, shrunk.packet);
        }
        // A packet that is not answered, or answered twice, leaves the next the wrong answer: then that
        // is what is wrong.
        for earlier in before.iter().take(4) {
            if let Confirm::Twice(confirmed) = self.confirm(earlier, None)?
                && matches!(confirmed.difference.kind, Kind::OutOfTurn | Kind::Hang)
            {
                return self.settle(case, earlier, *confirmed).map(|_| true);
            }
        }
        let campaign = self.campaign;
        let trial = self.trial()?;
        let alone = trial.alone(&packet)?;
        let behind = between(trial, campaign, &before, &packet, &alone)?;
        let reference = trial.reference(&packet, &behind);
        let Some(difference) = behind.difference else {
            return Ok(false);
        };
        let outcome = behind.outcome;
        let pair = None;
        self.add(case, Found { difference, packet, before, pair, outcome, reference, cut })
            .map(|_| true)
    }
}

/// Returns the packets that a target is sent for the cases of these numbers, with the number of each;
/// `repeats` knows those that come before.
fn packets(cases: &Cases, numbers: Range<u64>, repeats: &mut Repeats) -> Vec<(u64, Vec<u8>)> {
    let sent = numbers.map(|number| cases.case(number)).filter(|case| !repeats.is_one(case));
    let of = |case: Case| -> Vec<_> {
        case.packets().map(|packet| (case.number, packet.to_vec())).collect()
    };
    sent.flat_map(of).collect()
}

/// Runs a packet after others; the difference is whether the answer differs from that to the packet alone.
pub(super) fn between(
    trial: &mut Trial<'_>,
    campaign: &Campaign<'_>,
    before: &[Vec<u8>],
    packet: &[u8],
    alone: &Seen,
) -> io::Result<Seen> {
    let mut behind = trial.after(before, packet, campaign.options.batch)?;
    // One leak shows in many types.
    let (what, wrong) = match &behind.difference {
        Some(Deviation { kind, detail, .. }) => (kind.name(), format!("{kind}: {detail}")),
        None => ("another answer", "another answer".to_owned()),
    };
    behind.difference = (!is_same(&behind.outcome, &alone.outcome)).then(|| {
        let about = format!("{what} after other packets");
        let count = match before.len() {
            1 => "1 packet".to_owned(),
            several => format!("{several} packets"),
        };
        let detail = format!("only behind {count} that came before: {wrong}");
        Deviation::new(Kind::StateLeak, about, detail)
    });
    Ok(behind)
}
