//! Packets one after another: what came before matters, where a decoder keeps something from one
//! packet to the next.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::Format;

use super::attempts::digest;
use super::{Budget, Shrunk, shrink};

/// Whether packets still show a fault: those that come before, and the last.
pub type SameSequence<'s> = dyn FnMut(&[Vec<u8>], &[u8]) -> bool + 's;

/// The result of shrinking a packet and those before it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ShrunkSequence {
    /// The packets that have to come before.
    pub before: Vec<Vec<u8>>,
    /// The packet that shows the fault then.
    pub packet: Vec<u8>,
    /// How many questions were asked.
    pub runs: u64,
    /// Whether nothing that was left to try would have helped: the budget was enough.
    pub finished: bool,
}

/// The fewest and smallest packets found for which `same` says yes, beginning with these, for which it
/// is taken to say yes: first packets of `before` are left out, in halves, quarters, ..., then each is
/// made small as by [`shrink`], and the last one, too.
pub fn shrink_sequence(
    before: &[Vec<u8>],
    packet: &[u8],
    format: Format,
    budget: Budget,
    same: &mut SameSequence<'_>,
) -> ShrunkSequence {
    let mut sequence = Sequence {
        before: before.to_vec(),
        packet: packet.to_vec(),
        format,
        budget,
        started: Instant::now(),
        runs: 0,
        spent: false,
        tried: HashSet::new(),
        same,
    };
    // Smaller packets may make others needless, and these again may make packets smaller.
    while sequence.leave_out() | sequence.make_small() && !sequence.spent {}
    let Sequence { before, packet, runs, spent, .. } = sequence;
    ShrunkSequence { before, packet, runs, finished: !spent }
}

struct Sequence<'a, 's> {
    before: Vec<Vec<u8>>,
    packet: Vec<u8>,
    format: Format,
    budget: Budget,
    started: Instant,
    runs: u64,
    spent: bool,
    /// Digests of the sequences that were refused for lack of a packet.
    tried: HashSet<u64>,
    same: &'a mut SameSequence<'s>,
}

impl Sequence<'_, '_> {
    /// Returns the remaining budget.
    fn left(&self) -> Budget {
        Budget {
            runs: self.budget.runs.saturating_sub(self.runs),
            time: self.budget.time.map(|time| time.saturating_sub(self.started.elapsed())),
        }
    }

    /// Leaves out packets; whether any could be.
    fn leave_out(&mut self) -> bool {
        let mut any = false;
        let mut size = self.before.len().next_power_of_two();
        while size > 0 {
            let mut end = self.before.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut fewer = self.before.clone();
                fewer.drain(start..end);
                end = start;
                if !self.tried.insert(digest(&(&fewer, &self.packet))) {
                    continue;
                }
                let left = self.left();
                if left.runs == 0 || left.time == Some(Duration::ZERO) {
                    self.spent = true;
                    return any;
                }
                self.runs += 1;
                if (self.same)(&fewer, &self.packet) {
                    self.before = fewer;
                    any = true;
                }
            }
            size /= 2;
        }
        any
    }

    /// Makes each packet small; whether any could be.
    fn make_small(&mut self) -> bool {
        let mut any = false;
        for at in 0..self.before.len() {
            let left = self.left();
            let Self { before, packet, same, .. } = self;
            let mut tried = before.clone();
            let Some(first) = before.get_mut(at) else { break };
            let shrunk = shrink(first, self.format, left, &mut |smaller| {
                if let Some(place) = tried.get_mut(at) {
                    *place = smaller.to_vec();
                }
                same(&tried, packet)
            });
            any |= *first != shrunk.packet;
            let Shrunk { packet, runs, finished } = shrunk;
            *first = packet;
            self.runs += runs;
            self.spent |= !finished;
        }
        let left = self.left();
        let Self { before, packet, same, .. } = self;
        let shrunk = shrink(packet, self.format, left, &mut |smaller| same(before, smaller));
        any |= *packet != shrunk.packet;
        self.packet = shrunk.packet;
        self.runs += shrunk.runs;
        self.spent |= !shrunk.finished;
        any
    }
}
