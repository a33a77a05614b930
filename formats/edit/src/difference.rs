//! Lists the differences between two values, path by path.

use super::align;
use super::{Place, Step};
use formwork_records::three_way::positions;
use formwork_variant::parts::Fingerprints;
use formwork_variant::{Numbers, Payload, Real, Variant};

/// A place in which two values differ.
#[derive(Clone, Debug)]
pub struct Difference<'v, R: Real = f32> {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The place in the old value; for an added entry, the container around it.
    pub old: Place,
    /// The place in the new value; for a removed entry, the container around it.
    pub new: Place,
    /// The old value.
    pub before: Option<&'v Variant<R>>,
    /// The new value.
    pub after: Option<&'v Variant<R>>,
}

/// The kinds of differences.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// The value differs.
    Changed,
    /// An entry, element or property is new.
    Added,
    /// An entry, element or property is gone.
    Removed,
    /// The same value is at another place of its container.
    Moved,
    /// The attributes of a container differ, such as the type of its elements.
    Front,
}

impl DifferenceKind {
    /// Returns its name: `changed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Front => "front",
        }
    }
}

/// Compares values. Entries of dictionaries are matched by their keys, elements of arrays by their similarity: an
/// inserted element is one difference.
///
/// ```
/// use formwork_edit::{Compare, DifferenceKind};
/// use formwork_variant::{Dialect, variant};
///
/// let old = variant!({ "player": { "gold": 100 }, "bag": ["sword", "lamp"] });
/// let new = variant!({ "player": { "gold": 9999 }, "bag": ["rope", "sword", "lamp"] });
/// let found: Vec<_> = Compare::new()
///     .values(&old, &new)
///     .into_iter()
///     .map(|it| (it.kind, it.new.name(&new, Dialect::GODOT4)))
///     .collect();
/// let expected = [(DifferenceKind::Changed, "player/gold"), (DifferenceKind::Added, "bag/0")];
/// assert_eq!(found, expected.map(|(kind, name)| (kind, name.to_owned())));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Compare {
    tolerance: f64,
}

impl Compare {
    /// Compares bit for bit.
    #[must_use]
    pub const fn new() -> Self {
        Self { tolerance: 0.0 }
    }

    /// Takes floats for the same that differ by at most this much.
    #[must_use]
    pub const fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance }
    }

    /// Returns the differences, in the order of the values.
    #[must_use]
    pub fn values<'v, R: Real>(
        &self,
        old: &'v Variant<R>,
        new: &'v Variant<R>,
    ) -> Vec<Difference<'v, R>> {
        let mut found = Vec::new();
        let prints = Fingerprints::of([old, new]);
        let mut waiting = vec![[(Place::default(), old), (Place::default(), new)]];
        while let Some([(old_place, old), (new_place, new)]) = waiting.pop() {
            if prints.are_identical(old, new) || self.is_close(old, new) {
                continue;
            }
            let mut add = |kind, old: &Place, new: &Place, before, after| {
                found.push(Difference { kind, old: old.clone(), new: new.clone(), before, after });
            };
            let containers = old.container().zip(new.container());
            let aligned = containers.and_then(|(old, new)| align::entries(old, new, &prints));
            let (Some((of_old, of_new)), Some(aligned)) = (containers, aligned) else {
                add(DifferenceKind::Changed, &old_place, &new_place, Some(old), Some(new));
                continue;
            };
            if !of_old.has_types_of(of_new) {
                add(DifferenceKind::Front, &old_place, &new_place, Some(old), Some(new));
            }
            let kept = positions(&aligned, of_old.len());
            for (at, _) in kept.iter().enumerate().filter(|(_, kept)| kept.is_none()) {
                let step = Step::to(of_old, at);
                let (place, before) = (old_place.inside(step), step.of(of_old));
                add(DifferenceKind::Removed, &place, &new_place, before, None);
            }
            let before = waiting.len();
            for ((at, from), moved) in aligned.iter().enumerate().zip(moved(&aligned)) {
                let step = Step::to(of_new, at);
                let (place, Some(new)) = (new_place.inside(step), step.of(of_new)) else {
                    continue;
                };
                let from = from.map(|from| Step::to(of_old, from));
                let Some((step, old)) = from.and_then(|step| Some((step, step.of(of_old)?))) else {
                    add(DifferenceKind::Added, &old_place, &place, None, Some(new));
                    continue;
                };
                let from = old_place.inside(step);
                if moved {
                    add(DifferenceKind::Moved, &from, &place, Some(old), Some(new));
                }
                if !prints.are_identical(old, new) {
                    waiting.push([(from, old), (place, new)]);
                }
            }
            // The first value must be the next one.
            waiting[before..].reverse();
        }
        found
    }

    /// Returns whether two values are the same, with the tolerance for floats.
    fn is_close<R: Real>(&self, old: &Variant<R>, new: &Variant<R>) -> bool {
        if self.tolerance <= 0.0 || old.variant_type() != new.variant_type() {
            return false;
        }
        floats(old).zip(floats(new)).is_some_and(|(old, new)| {
            let mut both = old.iter().zip(&new);
            old.len() == new.len() && both.all(|(old, new)| (old - new).abs() <= self.tolerance)
        })
    }
}

/// Returns the floats that a value is or consists of.
fn floats<R: Real>(value: &Variant<R>) -> Option<Vec<f64>> {
    if let Variant::Float(number) = value {
        return Some(vec![*number]);
    }
    let Payload::Numbers(numbers) = value.payload() else { return None };
    Some(match numbers {
        Numbers::Real(list) => list.converted(Real::to),
        Numbers::Single(list) => list.converted(Into::into),
        Numbers::Double(list) => list.converted(|number| number),
        Numbers::Int(_) | Numbers::Long(_) => return None,
    })
}

/// Returns which entries are in another order than before: all except the longest sequence that kept its order.
fn moved(aligned: &[Option<usize>]) -> Vec<bool> {
    let known: Vec<(usize, usize)> =
        aligned.iter().enumerate().filter_map(|(at, from)| Some((at, (*from)?))).collect();
    let mut moved = vec![false; aligned.len()];
    if known.is_sorted_by_key(|(_, from)| *from) {
        return moved;
    }
    known.iter().for_each(|(at, _)| moved[*at] = true);
    // The last entry of the best sequence of each length, and the predecessor of each entry.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; known.len()];
    for (number, (_, from)) in known.iter().enumerate() {
        let length = ends.partition_point(|&end| known[end].1 < *from);
        before[number] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut row = ends.last().copied();
    while let Some(number) = row {
        moved[known[number].0] = false;
        row = before[number];
    }
    moved
}
