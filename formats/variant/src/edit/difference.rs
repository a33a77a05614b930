//! Lists the differences between two values, path by path.

use super::align;
use super::{Place, Step};
use crate::{Container, Numbers, Payload, Real, Variant};

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
/// use formwork_variant::edit::{Compare, DifferenceKind};
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

/// Two values to be compared, and their places.
struct Pair<'v, R: Real> {
    old: (Vec<Step>, &'v Variant<R>),
    new: (Vec<Step>, &'v Variant<R>),
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
        let mut waiting = vec![Pair { old: (Vec::new(), old), new: (Vec::new(), new) }];
        while let Some(Pair { old, new }) = waiting.pop() {
            if old.1.is_identical(new.1) || self.is_close(old.1, new.1) {
                continue;
            }
            let before = waiting.len();
            let is_alike = match (old.1.container(), new.1.container()) {
                (Some(of_old), Some(of_new)) => self.containers(
                    (&old.0, old.1, of_old),
                    (&new.0, new.1, of_new),
                    &mut found,
                    &mut waiting,
                ),
                _ => false,
            };
            if !is_alike {
                found.push(Difference {
                    kind: DifferenceKind::Changed,
                    old: old.0.into(),
                    new: new.0.into(),
                    before: Some(old.1),
                    after: Some(new.1),
                });
            }
            // The first value must be the next one.
            waiting[before..].reverse();
        }
        found
    }

    /// Compares two containers; their values are compared later. Returns false if they are of different kinds.
    fn containers<'v, R: Real>(
        &self,
        (old_steps, old_value, old): (&[Step], &'v Variant<R>, Container<'v, R>),
        (new_steps, new_value, new): (&[Step], &'v Variant<R>, Container<'v, R>),
        found: &mut Vec<Difference<'v, R>>,
        waiting: &mut Vec<Pair<'v, R>>,
    ) -> bool {
        let Some(aligned) = align::entries(old, new) else { return false };
        let place = |steps: &[Step], step: Option<Step>| {
            steps.iter().copied().chain(step).collect::<Vec<_>>()
        };
        if old.types() != new.types() || old.is_shared() != new.is_shared() {
            found.push(Difference {
                kind: DifferenceKind::Front,
                old: old_steps.to_vec().into(),
                new: new_steps.to_vec().into(),
                before: Some(old_value),
                after: Some(new_value),
            });
        }
        let moved = moved(&aligned);
        let mut is_gone = vec![true; old.len()];
        aligned.iter().flatten().for_each(|&at| is_gone[at] = false);
        for (at, _) in is_gone.iter().enumerate().filter(|(_, is_gone)| **is_gone) {
            let step = step_to(old, at);
            found.push(Difference {
                kind: DifferenceKind::Removed,
                old: place(old_steps, Some(step)).into(),
                new: new_steps.to_vec().into(),
                before: step.of(old),
                after: None,
            });
        }
        for (at, from) in aligned.into_iter().enumerate() {
            let (step, from) = (step_to(new, at), from.map(|from| step_to(old, from)));
            let new_place = place(new_steps, Some(step));
            let old_place = place(old_steps, from);
            let (before, after) = (from.and_then(|from| from.of(old)), step.of(new));
            let kind = match before {
                None => Some(DifferenceKind::Added),
                Some(_) => moved[at].then_some(DifferenceKind::Moved),
            };
            if let Some(kind) = kind {
                let (old, new) = (old_place.clone().into(), new_place.clone().into());
                found.push(Difference { kind, old, new, before, after });
            }
            if let (Some(before), Some(after)) = (before, after)
                && !before.is_identical(after)
            {
                waiting.push(Pair { old: (old_place, before), new: (new_place, after) });
            }
        }
        true
    }

    /// Returns whether two values are the same, with the tolerance for floats.
    fn is_close<R: Real>(&self, old: &Variant<R>, new: &Variant<R>) -> bool {
        if self.tolerance <= 0.0 || old.variant_type() != new.variant_type() {
            return false;
        }
        let close = |old: f64, new: f64| (old - new).abs() <= self.tolerance;
        match (old.payload(), new.payload()) {
            (Payload::Float(old), Payload::Float(new)) => close(old, new),
            (Payload::Numbers(old), Payload::Numbers(new)) => {
                let all = |old: Vec<f64>, new: Vec<f64>| {
                    old.len() == new.len()
                        && old.into_iter().zip(new).all(|(old, new)| close(old, new))
                };
                match (old, new) {
                    (Numbers::Real(old), Numbers::Real(new)) => {
                        all(old.converted(Real::to), new.converted(Real::to))
                    }
                    (Numbers::Single(old), Numbers::Single(new)) => {
                        all(old.converted(Into::into), new.converted(Into::into))
                    }
                    (Numbers::Double(old), Numbers::Double(new)) => {
                        all(old.converted(|it| it), new.converted(|it| it))
                    }
                    (
                        Numbers::Real(_)
                        | Numbers::Single(_)
                        | Numbers::Double(_)
                        | Numbers::Int(_)
                        | Numbers::Long(_),
                        _,
                    ) => false,
                }
            }
            _ => false,
        }
    }
}

/// Returns the step to the entry at this position.
const fn step_to<R: Real>(container: Container<'_, R>, at: usize) -> Step {
    match container {
        Container::Dictionary(_) => Step::Value(at),
        Container::Object(_) => Step::Property(at),
        Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
            Step::Element(at)
        }
    }
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
