//! Reading on where fields are damaged.
//!
//! Open values form a list, from the root inwards. A field is taken if it fits into the innermost; sizes are trusted
//! only as far as the data after them agrees. If nothing fits, the bytes are searched forwards for the first place that
//! surely continues one of the open values.
//!
//! Each byte is searched at most three times, and weighed against no more open values than the limit of depth allows,
//! so the time grows with the size of the file, for any content.

use super::evidence::SURE;
use super::lost::Reason;
use super::open::{Expects, Fit, Open, What};
use super::rescue::Rescue;
use crate::read::HEAD;
use crate::record::RootRecord;
use crate::{Field, Object};

impl Rescue<'_> {
    /// Reads the root's fields, from a place on.
    pub(super) fn root(&mut self, root: RootRecord, at: usize) -> Object {
        let RootRecord { class, address, .. } = root;
        self.open_root(class, address);
        let mut at = at;
        while self.open.len() > 1 || at < self.bytes.len() {
            at = match self.found.take() {
                Some(found) => self.resume(at, found),
                None => self.step(at),
            };
        }
        let missing = self.missing_names(0);
        let Some(open) = self.open.pop() else {
            return Object { class, address, fields: Vec::new() };
        };
        if !missing.is_empty() {
            let end = self.bytes.len();
            self.lost_at(end..end, Reason::Cut, missing);
        }
        Object { class, address, fields: open.fields }
    }

    /// Does one thing at a place; where to go on.
    pub(super) fn step(&mut self, at: usize) -> usize {
        let level = self.open.len().saturating_sub(1);
        let Some(top) = self.open.get(level) else { return self.bytes.len() };
        let (end, full, next) = (top.end, top.is_full(), top.next);
        if at >= self.bytes.len() || (full && top.what == What::Pair) {
            self.close(at, at);
            return at;
        }
        let fit = self.fit(level, next, at);
        if end == Some(at) {
            // The size may be too small: then what is open goes on here, and nothing around it does.
            let goes_on = fit.is_some_and(|fit| fit.skipped == 0)
                && self.evidence(level, next, at) >= SURE
                && self.outer(level, at).is_none();
            if !goes_on {
                self.close(at, at);
                return at;
            }
            self.forget_end(level);
        } else if end.is_some_and(|end| end < at) {
            self.forget_end(level);
        }
        if full {
            return self.behind_last(level, at);
        }
        if let Some(fit) = fit
            && (fit.skipped == 0 || self.evidence(level, next, at) >= SURE)
        {
            self.pass_over(level, fit, at..at);
            return self.read(at, fit);
        }
        if let Some((outer, _)) = self.outer(level, at) {
            while self.open.len() > outer + 1 {
                self.close(at, at);
            }
            return at;
        }
        if let Some(kind) = self.open.get(level).and_then(Open::due)
            && self.is_damaged_kind(kind, level, at)
        {
            self.note(at..at + HEAD, Reason::Rebuilt, "the head of the field");
            let fit = Fit { next: next + 1, skipped: 0, kind: Some(kind) };
            return self.read(at, fit);
        }
        self.unknown(level, at).unwrap_or_else(|| self.search(at, at))
    }

    /// An object that has all its fields, and still does not end where its size says.
    pub(super) fn behind_last(&mut self, level: usize, at: usize) -> usize {
        let has_end = self.open.get(level).is_some_and(|open| open.end.is_some());
        if level > 0 && (!has_end || self.outer(level, at).is_some()) {
            self.close(at, at);
            return at;
        }
        self.unknown(level, at).unwrap_or_else(|| self.search(at, at))
    }

    /// Reads a field that its class is not known to have, if after it everything is in order.
    pub(super) fn unknown(&mut self, level: usize, at: usize) -> Option<usize> {
        let (tag, field_type) = self.head_at(at)?;
        self.tags.name(tag)?;
        let open = self.open.get(level)?;
        if !matches!(open.expects, Expects::Slots(_)) {
            return None;
        }
        let (bound, next) = (open.end.unwrap_or(self.bytes.len()), open.next);
        let extent = field_type.extent(self.bytes.get(at + HEAD..bound)?)?;
        let extent = usize::try_from(extent).ok()?.max(HEAD);
        self.trials = self.trials.checked_sub(extent)?;
        let (value, end) = self.value_at(self.bytes.get(..bound)?, at + HEAD, field_type)?;
        if end != bound && self.evidence(level, next, end) < SURE {
            return None;
        }
        self.note(at..end, Reason::Doubtful, "a field that its class is not known to have");
        self.put(level, Field { tag, value });
        Some(end)
    }
}
