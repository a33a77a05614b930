//! Triage of a wrong answer: does it reproduce, what is its smallest packet, was it found before?

use std::io;
use std::time::Duration;

use super::state::{Key, State};
use super::trial::Trial;
use super::{Cut, Found, Running, is_late};
use crate::case::Case;
use crate::oracle::finding::{Deviation, Finding, Kind, Pair};
use crate::oracle::outcome::Outcome;
use crate::oracle::shrink::{Budget, shrink};

/// The result of the triage of a difference.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Looked {
    /// There is none, or it is a finding, a new or a known one.
    Known,
    /// It is a finding that has to do with the packets before: the process is not to be trusted any
    /// more.
    Leak,
    /// It was not seen again. The process is not to be trusted, either.
    Suspect,
}

/// How a packet's fault reproduces in a fresh process.
pub(super) enum Confirm {
    /// Both times.
    Twice(Box<Confirmed>),
    /// One time of two.
    Once,
    /// Neither time.
    Never,
}

/// A fault that was seen twice.
pub(super) struct Confirmed {
    pub(super) difference: Deviation,
    pub(super) outcome: Outcome,
    pub(super) reference: Outcome,
    /// The other half of the pair, where it is both together that show it.
    pair: Option<Pair>,
    /// Whether it was called the same both times.
    stable: bool,
}

impl<'c> Running<'c, '_> {
    /// Looks into a difference, which the outcome shows, or it and that of the other half of a pair.
    pub(super) fn look_into(
        &mut self,
        case: &Case,
        difference: &Deviation,
        (outcome, pair): (&Outcome, Option<Pair>),
        reference: Option<&Outcome>,
    ) -> io::Result<Looked> {
        let key = Key {
            kind: difference.kind,
            about: difference.signature().to_owned(),
            subject: case.subject.to_owned(),
            rule: case.broken.map(|broken| broken.rule.name().to_owned()),
        };
        if self.is_known(&key, difference) || self.is_blamed(&case.bytes, difference) {
            return Ok(Looked::Known);
        }
        let other = pair.as_ref().map(|pair| pair.packet.as_slice());
        let confirmed = match self.confirm(&case.bytes, other) {
            Err(error) if self.is_late(&error) => {
                // The key is not remembered: a run that goes on looks into it again.
                let judge = self.campaign.judge;
                let packet = case.bytes.clone();
                let difference = judge.refined(difference.clone(), &packet);
                let reference = reference.cloned().unwrap_or_else(|| judge.reference(&packet));
                let (before, outcome, cut) = (Vec::new(), outcome.clone(), Cut::Confirming);
                self.add(
                    case,
                    Found { difference, packet, before, pair, outcome, reference, cut },
                )?;
                return Ok(Looked::Known);
            }
            confirmed => confirmed?,
        };
        match confirmed {
            Confirm::Twice(confirmed) => {
                let index = self.settle(case, &case.bytes, *confirmed)?;
                self.state.groups.insert(key, Some(index));
                if !self.campaign.first.is_empty() {
                    self.blame_smallest(index);
                }
                Ok(Looked::Known)
            }
            Confirm::Once => {
                self.unrepeatable(case, &format!("{}: {}", difference.kind, difference.about));
                Ok(Looked::Suspect)
            }
            Confirm::Never => self.look_before(case, case.number, Some(difference)),
        }
    }

    /// Whether such a difference was looked into before, or others like it often enough; if so it is
    /// counted.
    fn is_known(&mut self, key: &Key, difference: &Deviation) -> bool {
        let index = match self.state.groups.get(key) {
            Some(index) => *index,
            None => {
                let is_alike = |known: &Key| known.kind == key.kind && known.about == key.about;
                let alike = || self.state.groups.iter().filter(|(known, _)| is_alike(known));
                if alike().count() < most(difference) {
                    return false;
                }
                // Any of them, but always the same.
                alike().filter_map(|(_, index)| *index).min()
            }
        };
        if let Some(finding) = index.and_then(|index| self.state.findings.get_mut(index)) {
            finding.count += 1;
        }
        true
    }

    /// Tries a packet twice in a fresh process, followed by the other half of its pair.
    pub(super) fn confirm(&mut self, packet: &[u8], pair: Option<&[u8]>) -> io::Result<Confirm> {
        let trial = self.trial()?;
        let first = trial.alone_with(packet, pair)?;
        let second = trial.alone_with(packet, pair)?;
        Ok(match (&first.difference, &second.difference) {
            (Some(one), Some(other)) if one.kind == other.kind => {
                let reference = trial.reference(packet, &first);
                let stable = one.signature() == other.signature();
                let (difference, outcome, pair) = (one.clone(), first.outcome, first.pair);
                let pair = pair.filter(|_| difference.kind == Kind::PairDiffers);
                Confirm::Twice(Confirmed { difference, outcome, reference, pair, stable }.into())
            }
            (None, None) => Confirm::Never,
            _ => Confirm::Once,
        })
    }

    /// Makes a packet small that was seen to show a fault, and adds the fault to the findings, where it
    /// is not one of them; its position there.
    pub(super) fn settle(
        &mut self,
        case: &Case,
        packet: &[u8],
        confirmed: Confirmed,
    ) -> io::Result<usize> {
        let mut smallest = packet.to_vec();
        let mut cut = Cut::Nothing;
        let left = self.share_left();
        let until = self.until;
        let Confirmed { mut difference, mut outcome, mut reference, mut pair, stable } = confirmed;
        if let Some(budget) = self.campaign.options.shrink {
            let judge = self.campaign.judge;
            let format = judge.reading().format;
            // What is not one of a pair cannot show what only a pair shows.
            let is_pair = pair.is_some();
            let half = |packet: &[u8]| judge.other_half(packet).filter(|_| is_pair);
            let trial = self.trial()?;
            let (kind, signature) = (difference.kind, difference.signature().to_owned());
            let is_same = |found: &Deviation| {
                found.kind == kind && (!stable || found.signature() == signature)
            };
            let budget = Budget { runs: budget.runs.min(questions(kind)), time: left };
            // A fresh process for each attempt is the second choice. In a shared one the attempt follows others, and
            // there may be a leak.
            for fresh in [false, true] {
                let mut failed = None;
                let mut same = |packet: &[u8]| {
                    let pair = half(packet);
                    if is_pair && pair.is_none() {
                        return false;
                    }
                    let seen = match fresh {
                        true => trial.alone_with(packet, pair.as_deref()),
                        false => trial.next_with(packet, pair.as_deref()),
                    };
                    match seen {
                        Ok(seen) => seen.difference.as_ref().is_some_and(is_same),
                        Err(error) if is_late(&error, until) => false,
                        Err(error) => {
                            failed.get_or_insert(error);
                            false
                        }
                    }
                };
                let shrunk = shrink(packet, format, budget, &mut same);
                if let Some(error) = failed {
                    return Err(error);
                }
                cut = if shrunk.finished { Cut::Nothing } else { Cut::Shrinking };
                if shrunk.packet == packet {
                    break;
                }
                let seen = match trial.alone_with(&shrunk.packet, half(&shrunk.packet).as_deref()) {
                    Err(error) if is_late(&error, until) => {
                        cut = Cut::Shrinking;
                        break;
                    }
                    seen => seen?,
                };
                if let Some(found) = seen.difference.clone().filter(is_same) {
                    reference = trial.reference(&shrunk.packet, &seen);
                    (smallest, difference, outcome) = (shrunk.packet, found, seen.outcome);
                    pair = seen.pair.filter(|_| is_pair);
                    break;
                }
            }
        }
        let difference = self.campaign.judge.refined(difference, &smallest);
        self.add(
            case,
            Found {
                difference,
                packet: smallest,
                before: Vec::new(),
                pair,
                outcome,
                reference,
                cut,
            },
        )
    }

    /// Adds a fault to the findings, where it is not one of them; its position there.
    pub(super) fn add(&mut self, case: &Case, found: Found) -> io::Result<usize> {
        let Found { difference, packet, before, pair, outcome, reference, cut } = found;
        let known = self.state.findings.iter_mut().enumerate().find(|(_, finding)| {
            let other = &finding.difference;
            other.kind == difference.kind && other.about == difference.about
        });
        let known = known.map(|(index, finding)| {
            finding.count += 1;
            (index, finding.count, finding.cut)
        });
        if let Some((index, ..)) =
            known.filter(|(.., was)| *was != Cut::Confirming || cut == Cut::Confirming)
        {
            return Ok(index);
        }
        let finding = Finding {
            difference,
            packet,
            first: case.bytes.clone(),
            number: case.number,
            profile: case.profile,
            subject: self.row.clone().unwrap_or_else(|| case.subject.to_owned()),
            is_row: self.row.is_some(),
            broken: case.broken,
            before,
            pair,
            target: outcome,
            reference,
            count: known.map_or(1, |(_, count, _)| count),
            cut,
        };
        self.stopped |= self.watch.found(&finding)?.is_break();
        // One that was seen once, in a run that was cut short, is one now.
        if let Some((index, ..)) = known
            && let Some(place) = self.state.findings.get_mut(index)
        {
            *place = finding;
            return Ok(index);
        }
        self.state.findings.push(finding);
        Ok(self.state.findings.len() - 1)
    }

    /// Remembers what was seen but not again.
    pub(super) fn unrepeatable(&mut self, case: &Case, what: &str) {
        if self.state.unrepeatable.len() < State::UNREPEATABLE {
            self.state.unrepeatable.push(format!("case {}: {what}", case.number));
        }
    }

    /// A part of the time that is left, if the campaign has any: other findings want to be looked into as well.
    pub(super) fn share_left(&self) -> Option<Duration> {
        self.until.map(|_| self.left(Duration::MAX) / 4)
    }

    /// The process for trials.
    pub(super) fn trial(&mut self) -> io::Result<&mut Trial<'c>> {
        let campaign = self.campaign;
        let trial = match self.trial.take() {
            Some(trial) => trial,
            None => Trial::open(campaign.judge, campaign.target, campaign.reference)?,
        };
        let trial = self.trial.insert(trial);
        trial.prepare(self.trial_until, self.target.start_up());
        Ok(trial)
    }
}

/// How many kinds of cases are looked into that show what is called the same. It may be several faults
/// that the target has the same words for; each look costs.
const fn most(difference: &Deviation) -> usize {
    match difference.kind {
        // Its last words name the place in the code.
        Kind::Crash if !difference.said.is_empty() => 1,
        Kind::Hang | Kind::Memory => 6,
        Kind::Crash | Kind::OutOfTurn => 24,
        _ => 96,
    }
}

/// Questions that making a packet small may take.
const fn questions(kind: Kind) -> u64 {
    match kind {
        // Each costs the whole time limit,
        Kind::Hang | Kind::Memory => 40,
        // or a process: the start of an interpreter.
        Kind::Crash | Kind::OutOfTurn => 60,
        _ => u64::MAX,
    }
}
