//! Counts the deviations in bytes that the engine accepts but would not write, in bounded memory.

use super::decoder::Warning;
use crate::codec::rule;
use crate::dialect::Quirks;
use formwork::{Path, Rule};

/// The number of deviations from each rule, and the first of each.
///
/// There is one [`Warning`] a rule, however many deviations there are; two for a rule about padding, which the
/// engine leaves in some places and not in others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WarningCounts(Vec<Counted>);

/// The warnings of one kind, counted.
#[derive(Clone, Debug, PartialEq)]
struct Counted {
    first: Warning,
    count: u64,
    /// Whether the engine's own writer has the deviation: padding that it leaves uninitialised.
    own: bool,
}

impl WarningCounts {
    /// Returns whether there is no deviation: the bytes are exactly the engine's output.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether there are only deviations from these rules.
    #[must_use]
    pub fn only(&self, rules: &[Rule]) -> bool {
        self.0.iter().all(|counted| rules.contains(&counted.first.rule))
    }

    /// Returns whether there is no deviation except padding that the engine's own writer leaves uninitialised, which
    /// [`Canonicality::UnsetPadding`](super::Canonicality::UnsetPadding) allows.
    #[must_use]
    pub fn only_padding_as_left(&self) -> bool {
        self.0.iter().all(|counted| counted.own)
    }

    /// Returns the number of deviations.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of deviations from a rule.
    pub fn count(&self, rule: Rule) -> u64 {
        self.iter().filter(|(note, _)| note.rule == rule).map(|(_, count)| count).sum()
    }

    /// Iterates over the first deviation from each rule, and the number of deviations.
    pub fn iter(&self) -> impl Iterator<Item = (&Warning, u64)> {
        self.0.iter().map(|counted| (&counted.first, counted.count))
    }

    fn known(&mut self, rule: Rule, own: bool) -> Option<&mut Counted> {
        self.0.iter_mut().find(|counted| counted.first.rule == rule && counted.own == own)
    }

    /// Counts another deviation of a known kind; returns `false` if it is the first, whose details must be recorded.
    pub(super) fn again(&mut self, rule: Rule, own: bool) -> bool {
        self.known(rule, own).map(|known| known.count += 1).is_some()
    }

    /// Records the first deviation of its kind.
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

/// The destination of a reader's warnings.
pub(super) enum Notes<'n> {
    /// Each one.
    Each {
        /// The list of them.
        notes: &'n mut Vec<Warning>,
        /// Steps that their paths may still have in all: in deeply nested values, a path may take more memory than
        /// the values that it leads through.
        steps: usize,
    },
    /// The first of each rule.
    Counted(&'n mut WarningCounts),
    /// All are counted, and the first ones are kept.
    First {
        /// The first ones, at most [`KEPT`].
        notes: &'n mut Vec<Warning>,
        counts: &'n mut WarningCounts,
        steps: usize,
    },
}

/// Warnings of one packet that [`Decoder::check`](super::Decoder::check) keeps.
pub(super) const KEPT: usize = 10_000;

/// Steps of the paths in any packet; a larger one may have another for each 16 bytes.
const STEPS: usize = 1 << 14;

impl<'n> Notes<'n> {
    /// Takes each deviation of a packet of this many bytes.
    pub(super) const fn each(notes: &'n mut Vec<Warning>, bytes: usize) -> Self {
        Self::Each { notes, steps: STEPS + bytes / 16 }
    }

    /// Counts the deviations of a packet of this many bytes, and keeps the first ones.
    pub(super) const fn first(
        notes: &'n mut Vec<Warning>,
        counts: &'n mut WarningCounts,
        bytes: usize,
    ) -> Self {
        Self::First { notes, counts, steps: STEPS + bytes / 16 }
    }

    /// Returns whether a deviation of this rule must be recorded; `own` means that the engine's writer has it, too.
    pub(super) fn wants(&mut self, rule: Rule, own: bool) -> bool {
        match self {
            Self::Each { .. } => true,
            Self::First { notes, .. } if notes.len() < KEPT => true,
            Self::Counted(counts) | Self::First { counts, .. } => !counts.again(rule, own),
        }
    }

    /// Returns whether there is room for a path of this many steps.
    pub(super) fn has_room(&mut self, more: usize) -> bool {
        match self {
            Self::Each { steps, .. } | Self::First { steps, .. } => {
                let left = steps.checked_sub(more);
                *steps = left.unwrap_or(*steps);
                left.is_some()
            }
            Self::Counted(_) => true,
        }
    }

    pub(super) fn take(&mut self, note: Warning, own: bool) {
        match self {
            Self::Each { notes, .. } => notes.push(note),
            Self::Counted(counts) => counts.first(note, own),
            Self::First { notes, counts, .. } => {
                if !counts.again(note.rule, own) {
                    counts.first(note.clone(), own);
                }
                if notes.len() < KEPT {
                    notes.push(note);
                }
            }
        }
    }
}

/// Returns whether a deviation from this rule is padding that the engine's own writer leaves uninitialised. (All
/// engines leave that of the names in a NodePath.)
pub(super) fn is_left_by_engine(quirks: &Quirks, rule: Rule, in_node_path: bool) -> bool {
    match rule {
        rule::STRING_PADDING => quirks.text_padding_left || in_node_path,
        rule::BYTES_PADDING => quirks.bytes_padding_left,
        _ => false,
    }
}
