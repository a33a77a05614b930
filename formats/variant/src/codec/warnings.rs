//! What bytes have that the engine accepts but would not write, in bounded memory.

use super::Warning;
use formwork::{Path, Rule};

/// How often each rule was bent, and where first.
///
/// However many deviations there are, this holds one [`Warning`] a rule; two of a rule about padding, which
/// the engine leaves in some places and not in others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WarningCounts(Vec<Counted>);

/// The warnings of one kind, counted.
#[derive(Clone, Debug, PartialEq)]
struct Counted {
    first: Warning,
    count: u64,
    /// The engine's own writer does so: padding that it leaves as its memory was.
    own: bool,
}

impl WarningCounts {
    /// Whether there is none: the bytes are just what the engine would write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is none of another rule than these.
    #[must_use]
    pub fn only(&self, rules: &[Rule]) -> bool {
        self.0.iter().all(|counted| rules.contains(&counted.first.rule))
    }

    /// Whether there is none but padding that the engine's own writer leaves as its memory was: what
    /// [`Canonicality::UnsetPadding`](super::Canonicality::UnsetPadding) excuses.
    #[must_use]
    pub fn only_padding_as_left(&self) -> bool {
        self.0.iter().all(|counted| counted.own)
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// How many there are of a rule.
    pub fn count(&self, rule: Rule) -> u64 {
        self.iter().filter(|(note, _)| note.rule == rule).map(|(_, count)| count).sum()
    }

    /// The first of each rule, and how many there are.
    pub fn iter(&self) -> impl Iterator<Item = (&Warning, u64)> {
        self.0.iter().map(|counted| (&counted.first, counted.count))
    }

    fn known(&mut self, rule: Rule, own: bool) -> Option<&mut Counted> {
        self.0.iter_mut().find(|counted| counted.first.rule == rule && counted.own == own)
    }

    /// Counts another one of a kind; says no where it is the first and needs its note.
    pub(super) fn again(&mut self, rule: Rule, own: bool) -> bool {
        self.known(rule, own).map(|known| known.count += 1).is_some()
    }

    /// The first of its kind.
    pub(super) fn first(&mut self, first: Warning, own: bool) {
        self.0.push(Counted { first, count: 1, own });
    }

    /// Adds those of a part of the input that starts at `base`, under `outer`.
    pub fn add(&mut self, part: Self, base: u64, outer: impl Fn() -> Path) {
        for mut counted in part.0 {
            match self.known(counted.first.rule, counted.own) {
                Some(known) => known.count += counted.count,
                None => {
                    let Warning { rule, offset, path } = counted.first;
                    let (offset, path) = (offset + base, path.under(outer()));
                    counted.first = Warning { rule, offset, path };
                    self.0.push(counted);
                }
            }
        }
    }
}

/// Where a reader says what is deviant.
pub(super) enum Notes<'n> {
    /// Each one.
    Each(&'n mut Vec<Warning>),
    /// The first of each rule.
    Counted(&'n mut WarningCounts),
}

impl Notes<'_> {
    /// Whether a deviation of this rule needs a note; `own` says that the engine's writer does so.
    pub(super) fn wants(&mut self, rule: Rule, own: bool) -> bool {
        match self {
            Self::Each(_) => true,
            Self::Counted(deviations) => !deviations.again(rule, own),
        }
    }

    pub(super) fn take(&mut self, note: Warning, own: bool) {
        match self {
            Self::Each(notes) => notes.push(note),
            Self::Counted(deviations) => deviations.first(note, own),
        }
    }
}
