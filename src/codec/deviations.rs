//! What bytes have that the engine accepts but would not write, in bounded memory.

use super::Note;
use crate::error::{Path, Rule};

/// How often each rule was bent, and where first.
///
/// However many deviations there are, this holds one [`Note`] a rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deviations(Vec<(Note, u64)>);

impl Deviations {
    /// Whether there is none: the bytes are just what the engine would write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is none of another rule than these.
    #[must_use]
    pub fn only(&self, rules: &[Rule]) -> bool {
        self.0.iter().all(|(note, _)| rules.contains(&note.rule))
    }

    /// The first of each rule, and how many there are.
    pub fn iter(&self) -> impl Iterator<Item = (&Note, u64)> {
        self.0.iter().map(|(note, count)| (note, *count))
    }

    /// Counts another one of a rule; says no where it is the first and needs its note.
    pub(super) fn again(&mut self, rule: Rule) -> bool {
        let known = self.0.iter_mut().find(|(note, _)| note.rule == rule);
        known.map(|(_, count)| *count += 1).is_some()
    }

    /// The first of its rule.
    pub(super) fn first(&mut self, note: Note) {
        self.0.push((note, 1));
    }

    /// Adds those of a part of the input that starts at `base`, under `outer`.
    pub(crate) fn add(&mut self, part: Self, base: u64, outer: impl Fn() -> Path) {
        for (mut note, count) in part.0 {
            match self.0.iter_mut().find(|(known, _)| known.rule == note.rule) {
                Some((_, known)) => *known += count,
                None => {
                    note.offset += base;
                    note.path = note.path.under(outer());
                    self.0.push((note, count));
                }
            }
        }
    }
}

/// Where a reader says what is deviant.
pub(super) enum Notes<'n> {
    /// Each one.
    Each(&'n mut Vec<Note>),
    /// The first of each rule.
    Counted(&'n mut Deviations),
}

impl Notes<'_> {
    /// Whether a deviation of this rule needs a note.
    pub(super) fn wants(&mut self, rule: Rule) -> bool {
        match self {
            Self::Each(_) => true,
            Self::Counted(deviations) => !deviations.again(rule),
        }
    }

    pub(super) fn take(&mut self, note: Note) {
        match self {
            Self::Each(notes) => notes.push(note),
            Self::Counted(deviations) => deviations.first(note),
        }
    }
}
