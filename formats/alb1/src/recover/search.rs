//! Searching for where to go on after damage.

use super::evidence::{OBJECT_WORDS, SURE};
use super::layout::Holds;
use super::lost::Reason;
use super::open::{Expects, Fit, Found, Open, What};
use super::rescue::Rescue;
use crate::FieldType;
use crate::read::HEAD;
use crate::record::FieldRecord;
use formwork_records::wire::word_at;

impl Rescue<'_> {
    /// Searches from a place on for where to go on, and goes there; from `lost` on, everything before
    /// it is lost.
    pub(super) fn search(&mut self, lost: usize, from: usize) -> usize {
        let file = self.bytes.len();
        let Some((at, found)) = self.find(from) else {
            let mut thought = Vec::new();
            for level in (0..self.open.len()).rev() {
                thought.extend(Some(self.missing_names(level)).filter(|names| !names.is_empty()));
            }
            self.lost_at(lost..file, Reason::Unreadable, thought.join("; "));
            self.mark_gap(0);
            while self.open.len() > 1 {
                self.close(lost, file);
            }
            if let Some(root) = self.open.last_mut() {
                root.next = usize::MAX;
            }
            return file;
        };
        let (level, passed) = match &found {
            Found::Fits(level, fit) => (*level, fit.next.saturating_sub(1)),
            Found::Element { level, next, .. } => (*level, *next),
            Found::Orphan => (self.open.len().saturating_sub(1), 0),
        };
        let mut thought = Vec::new();
        for level in (level + 1..self.open.len()).rev() {
            thought.extend(Some(self.missing_names(level)).filter(|names| !names.is_empty()));
        }
        thought.extend(Some(self.passed_names(level, passed)).filter(|names| !names.is_empty()));
        if at > lost {
            self.lost_at(lost..at, Reason::Unreadable, thought.join("; "));
        }
        self.mark_gap(level);
        while self.open.len() > level + 1 {
            self.close(lost, at);
        }
        self.found = Some(found);
        at
    }

    /// Goes on at a field that was found.
    pub(super) fn resume(&mut self, at: usize, found: Found) -> usize {
        match found {
            Found::Fits(_, fit) => self.read(at, fit),
            Found::Element { next, array, element, .. } => {
                if let Some(open) = self.open.last_mut() {
                    open.next = next + 1;
                }
                let tag = self.layouts.get(array).map_or(0, |kind| kind.tag);
                let what = What::Array { count: None };
                let mut open = Open::new(what, tag, at, Expects::Element(element));
                open.has_gap = true;
                self.open.push(open);
                at
            }
            Found::Orphan => {
                let level = self.open.len();
                let next = self.open.last().map_or(0, |open| open.next);
                let to = self.read(at, Fit { next, skipped: 0, kind: None });
                if let Some(open) = self.open.get_mut(level) {
                    open.is_orphan = true;
                }
                to
            }
        }
    }

    /// The first place from `from` on that surely continues something open, or is surely an object.
    pub(super) fn find(&self, from: usize) -> Option<(usize, Found)> {
        let mut ends: Vec<usize> = self.open.iter().filter_map(|open| open.end).collect();
        ends.sort_unstable();
        let rest = self.bytes.get(from..)?;
        for (at, head) in (from..).zip(rest.windows(HEAD)) {
            let Some(FieldRecord { tag, field_type }) = word_at(head, 0) else { continue };
            if !self.layouts.has_head(tag, field_type) && ends.binary_search(&at).is_err() {
                continue;
            }
            if let Some((level, fit)) = self.outer(self.open.len(), at) {
                return Some((at, Found::Fits(level, fit)));
            }
            let Some(head) = self.head_at(at) else { continue };
            if let Some(found) = self.element_of_lost(head, at) {
                return Some((at, found));
            }
            if head.1 == FieldType::Object
                && let Some(class) = self.class_at(at)
                && self.layouts.may_hold(tag, class)
                && self.begins(class, at + HEAD + OBJECT_WORDS)
            {
                return Some((at, Found::Orphan));
            }
        }
        None
    }

    /// The first place from `from` on that surely continues something open.
    pub(super) fn find_fields(&self, from: usize) -> Option<usize> {
        let (at, found) = self.find(from)?;
        (!matches!(found, Found::Orphan)).then_some(at)
    }

    /// Whether an object of a class may have its fields there.
    pub(super) fn begins(&self, class: i16, at: usize) -> bool {
        let first = self.layouts.slots(class).and_then(<[usize]>::first);
        let first = first.and_then(|&kind| self.layouts.get(kind));
        first.is_some_and(|first| Some((first.tag, first.field_type)) == self.head_at(at))
    }

    /// The array that a field is an element of, where only one that is still expected can hold it.
    pub(super) fn element_of_lost(&self, head: (u16, FieldType), at: usize) -> Option<Found> {
        if !matches!(head.1, FieldType::Object | FieldType::Pair) {
            return None;
        }
        for (level, open) in self.open.iter().enumerate().rev() {
            let Expects::Slots(slots) = open.expects else { continue };
            let mut one = None;
            for (next, &array) in slots.iter().enumerate().skip(open.next) {
                let Some(Holds::Elements(Some(element))) =
                    self.layouts.get(array).map(|kind| &kind.holds)
                else {
                    continue;
                };
                if self.is_kind(*element, head, at)
                    && HEAD as u32 + self.weigh(*element, at).0 >= SURE
                {
                    if one.is_some() {
                        return None;
                    }
                    one = Some(Found::Element { level, next, array, element: *element });
                }
            }
            if one.is_some() {
                return one;
            }
        }
        None
    }
}
