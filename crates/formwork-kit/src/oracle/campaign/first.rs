//! The packets that come before the cases: what they have in common tells which findings are one.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::look::Confirm;
use super::{Answer, Deviation, Outcome, Running};
use crate::case::{Case, Profile};
use crate::oracle::finding::Kind;

/// The share of the packets with a feature that have to be answered wrong for it to be to blame, as a fraction.
const SHARE: (usize, usize) = (3, 4);

/// A packet with a wrong answer.
struct Wrong {
    at: usize,
    difference: Deviation,
    features: BTreeSet<String>,
}

impl Running<'_, '_> {
    /// Runs the packets that come before the cases, once. Whether the campaign goes on.
    pub(super) fn run_first(&mut self) -> io::Result<bool> {
        let first = self.campaign.first;
        if self.state.first == first.len() {
            return Ok(true);
        }
        let judge = self.campaign.judge;
        let mut wrong: Vec<Wrong> = Vec::new();
        // How many packets have a feature, and how many of them are answered wrong.
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut at = 0;
        while at < first.len() {
            if self.end().is_some() {
                return Ok(false);
            }
            let batch = self.campaign.options.batch.max(1).min(first.len() - at);
            let some = &first[at..at + batch];
            let packets: Vec<&[u8]> = some.iter().map(|(_, packet)| packet.as_slice()).collect();
            let (mut outcomes, mut references) = (Vec::new(), Vec::new());
            if !self.send(&packets, &mut outcomes, &mut references)? {
                return Ok(false);
            }
            let mut crashed = false;
            for (place, outcome) in outcomes.iter().enumerate() {
                let packet = packets[place];
                let difference = match references.get(place) {
                    Some(reference) => judge.judge_against(packet, outcome, reference),
                    None => judge.judge(packet, outcome),
                };
                let features = judge.features(packet);
                let is_skipped = matches!(outcome, Outcome::Answered(Answer::Skipped { .. }));
                for feature in features.iter().filter(|_| !is_skipped) {
                    let (all, bad) = counts.entry(feature.clone()).or_default();
                    *all += 1;
                    *bad += usize::from(difference.is_some());
                }
                crashed |= !matches!(outcome, Outcome::Answered(_));
                self.state.counts.cases += 1;
                match difference {
                    Some(difference) => {
                        self.state.counts.findings += 1;
                        wrong.push(Wrong { at: at + place, difference, features });
                    }
                    None if is_skipped => {
                        self.state.counts.skipped += 1;
                    }
                    None => self.state.counts.agreed += 1,
                }
            }
            at += batch;
            if crashed {
                self.samples.clear();
            }
            self.clock();
            if self.watch.progress(self.state)?.is_break() {
                return Ok(false);
            }
        }
        self.target.restart()?;
        self.group(wrong, &counts)?;
        self.row = None;
        self.state.first = first.len();
        Ok(!self.stopped)
    }

    /// Makes findings of wrong answers: one for all that have the same feature to blame, or crash at the same place.
    fn group(
        &mut self,
        mut wrong: Vec<Wrong>,
        counts: &BTreeMap<String, (usize, usize)>,
    ) -> io::Result<()> {
        wrong.sort_by_key(|one| (self.campaign.first[one.at].1.len(), one.at));
        while !wrong.is_empty() && !self.stopped && self.end().is_none() {
            if self.watch.progress(self.state)?.is_break() {
                self.stopped = true;
                break;
            }
            let blamed = blame(&wrong, counts);
            let is_blamed =
                |one: &&Wrong| blamed.as_ref().is_none_or(|it| one.features.contains(it));
            let Some(example) = wrong.iter().find(is_blamed) else { break };
            let example = example.difference.clone();
            let is_one = |one: &Wrong| match &blamed {
                _ if is_same_crash(&one.difference, &example) => true,
                Some(blamed) => one.features.contains(blamed),
                None => {
                    one.difference.kind == example.kind && one.difference.about == example.about
                }
            };
            let (group, rest): (Vec<_>, Vec<_>) = wrong.into_iter().partition(is_one);
            wrong = rest;
            self.look_at_group(&group, blamed)?;
            // What the smallest packet of the finding has is to blame as well.
            let (more, rest): (Vec<_>, Vec<_>) = wrong
                .into_iter()
                .partition(|one| self.blamed(&one.features, &one.difference).is_some());
            wrong = rest;
            for one in more {
                if let Some(index) = self.blamed(&one.features, &one.difference)
                    && let Some(finding) = self.state.findings.get_mut(index)
                {
                    finding.count += 1;
                }
            }
        }
        Ok(())
    }

    /// Makes a finding of the first of a group that shows its difference again.
    fn look_at_group(&mut self, group: &[Wrong], blamed: Option<String>) -> io::Result<()> {
        /// Packets that are tried again until one is wrong twice.
        const TRIES: usize = 3;
        for one in group.iter().take(TRIES) {
            let (name, packet) = &self.campaign.first[one.at];
            self.row = Some(name.clone());
            let case = Case {
                number: one.at as u64,
                profile: Profile::Enumerate,
                subject: "suite",
                bytes: packet.clone(),
                broken: None,
                pair: None,
            };
            let confirmed = match self.confirm(packet, None) {
                Err(error) if self.is_late(&error) => return Ok(()),
                confirmed => confirmed?,
            };
            let Confirm::Twice(confirmed) = confirmed else {
                self.state.counts.unrepeatable += 1;
                self.unrepeatable(&case, &format!("{name}: {}", one.difference.about));
                continue;
            };
            let index = self.settle(&case, packet, *confirmed)?;
            if let Some(finding) = self.state.findings.get_mut(index) {
                finding.count += group.len() as u64 - 1;
            }
            let crash = group.iter().map(|one| &one.difference).find(|one| is_place(one));
            match blamed {
                Some(feature) => self.state.blamed.push((feature, index)),
                None => self.blame_smallest(index),
            }
            self.state.blamed.extend(crash.map(|one| (one.said.clone(), index)));
            break;
        }
        Ok(())
    }

    /// Notes what the smallest packet of a finding has, which is to blame for it: what is special about it or, where
    /// that is nothing, its innermost types.
    pub(super) fn blame_smallest(&mut self, index: usize) {
        const OUTER: [&str; 5] =
            ["type Array", "type Dictionary", "type Nil", "type Object", "type TypedArray"];
        let Some(finding) = self.state.findings.get(index) else { return };
        let features = self.campaign.judge.features(&finding.packet);
        let is_type = |feature: &&String| feature.starts_with("type ");
        let mut blamed: Vec<String> = features.iter().filter(|it| !is_type(it)).cloned().collect();
        if blamed.is_empty() {
            let inner = features.iter().filter(|it| !OUTER.contains(&it.as_str()));
            blamed = inner.cloned().collect();
        }
        self.state.blamed.extend(blamed.into_iter().map(|feature| (feature, index)));
    }

    /// Whether a packet has what is to blame for a finding; if so, that one is counted.
    pub(super) fn is_blamed(&mut self, packet: &[u8], difference: &Deviation) -> bool {
        if self.state.blamed.is_empty() {
            return false;
        }
        let features = self.campaign.judge.features(packet);
        let found = self.blamed(&features, difference);
        let finding = found.and_then(|index| self.state.findings.get_mut(index));
        finding.map(|finding| finding.count += 1).is_some()
    }

    /// Returns the finding for which one of the features is to blame, or that is the same crash.
    fn blamed(&self, features: &BTreeSet<String>, difference: &Deviation) -> Option<usize> {
        let is_one = |blamed: &String| {
            features.contains(blamed) || is_place(difference) && difference.said == *blamed
        };
        self.state.blamed.iter().find(|(blamed, _)| is_one(blamed)).map(|(_, index)| *index)
    }
}

/// Whether a difference names a place in the decoder's code.
fn is_place(difference: &Deviation) -> bool {
    difference.kind == Kind::Crash && !difference.said.is_empty()
}

fn is_same_crash(one: &Deviation, other: &Deviation) -> bool {
    is_place(one) && is_place(other) && one.said == other.said
}

/// Returns the feature that explains most of the wrong answers, of those with which nearly every packet is answered
/// wrong.
fn blame(wrong: &[Wrong], counts: &BTreeMap<String, (usize, usize)>) -> Option<String> {
    let mut explained: BTreeMap<&str, usize> = BTreeMap::new();
    for feature in wrong.iter().flat_map(|one| &one.features) {
        *explained.entry(feature).or_default() += 1;
    }
    let is_likely = |feature: &str| {
        let (all, bad) = counts.get(feature).copied().unwrap_or_default();
        bad * SHARE.1 >= all * SHARE.0
    };
    let likely = explained.into_iter().filter(|(feature, _)| is_likely(feature));
    // Of two that explain as much, the more special one: `rule` comes before `type`.
    likely
        .max_by(|(one, left), (other, right)| left.cmp(right).then(other.cmp(one)))
        .map(|(it, _)| it.to_owned())
}
