//! The packets that were tried, and the best of them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use super::{Budget, Shrunk};

/// The best packet so far, and what may still be spent on a better one.
pub(super) struct Attempts<'a> {
    same: &'a mut dyn FnMut(&[u8]) -> bool,
    best: Vec<u8>,
    budget: Budget,
    started: Instant,
    runs: u64,
    /// Digests of what was asked about. Should two packets ever share one, the second is not tried,
    /// which costs a chance and nothing else.
    tried: HashSet<u64>,
    spent: bool,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(
        packet: &[u8],
        budget: Budget,
        same: &'a mut dyn FnMut(&[u8]) -> bool,
    ) -> Self {
        Self {
            same,
            best: packet.to_vec(),
            budget,
            started: Instant::now(),
            runs: 0,
            tried: HashSet::from_iter([digest(packet)]),
            spent: false,
        }
    }

    pub(super) fn best(&self) -> &[u8] {
        &self.best
    }

    /// Whether anything is left to spend.
    pub(super) const fn goes_on(&self) -> bool {
        !self.spent
    }

    /// Whether this packet is a better one: smaller, and shows the same.
    pub(super) fn is_better(&mut self, packet: Vec<u8>) -> bool {
        if compare(&packet, &self.best) != Ordering::Less
            || !self.tried.insert(digest(packet.as_slice()))
        {
            return false;
        }
        let is_late = self.budget.time.is_some_and(|time| self.started.elapsed() >= time);
        if self.runs >= self.budget.runs || is_late {
            self.spent = true;
            return false;
        }
        self.runs += 1;
        if (self.same)(&packet) {
            self.best = packet;
            return true;
        }
        false
    }

    pub(super) fn end(self) -> Shrunk {
        Shrunk { packet: self.best, runs: self.runs, finished: !self.spent }
    }
}

/// The order of packets: by length, then by the number of bytes that are not zero, then as numbers,
/// little endian. It has no endless descents, so that shrinking ends.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let filled = |packet: &[u8]| packet.iter().filter(|&&byte| byte != 0).count();
    a.len()
        .cmp(&b.len())
        .then_with(|| filled(a).cmp(&filled(b)))
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// Hashes alike in every run: the hasher begins with the same keys.
pub(super) fn digest(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
