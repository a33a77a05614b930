//! Merges three values: a base and its two changed versions.

use super::{Names, Place, Step, align};
use crate::{Builder, Container, Front, Making, Real, Variant, VariantString};
use formwork_records::three_way::{Slot, slots};

/// One of the two sides that changed a value.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Side {
    /// We.
    #[default]
    Ours,
    /// The others.
    Theirs,
}

/// A place that both sides changed, each in its own way.
#[derive(Clone, Debug)]
pub struct Conflict<'v, R: Real = f32> {
    /// The side in whose value the place is.
    pub side: Side,
    /// The place of the conflict.
    pub place: Place,
    /// The value in the base.
    pub base: Option<&'v Variant<R>>,
    /// Our value.
    pub ours: Option<&'v Variant<R>>,
    /// Their value.
    pub theirs: Option<&'v Variant<R>>,
}

impl<R: Real> Conflict<'_, R> {
    /// Returns the place as users type it, `player/bag/1`, with the names of the value that it is in.
    #[must_use]
    pub fn name(&self, ours: &mut Names<'_, R>, theirs: &mut Names<'_, R>) -> String {
        match self.side {
            Side::Ours => ours.name(&self.place),
            Side::Theirs => theirs.name(&self.place),
        }
    }
}

/// A merged value.
#[derive(Clone, Debug)]
pub struct Merged<'v, R: Real = f32> {
    /// The value.
    pub value: Variant<R>,
    /// The places that both sides changed, in the order of the values.
    pub conflicts: Vec<Conflict<'v, R>>,
}

/// Merges values: takes the changes of both sides. Entries of dictionaries are matched by their keys, elements of
/// arrays by their similarity; if both sides add elements, all are taken, ours first.
///
/// ```
/// use formwork_variant::edit::{Merge, Names, Side};
/// use formwork_variant::{Dialect, Variant, variant};
///
/// let base: Variant = variant!({ "gold": 1, "level": 1, "bag": ["rope"] });
/// let ours = variant!({ "gold": 5, "level": 2, "bag": ["rope", "lamp"] });
/// let theirs = variant!({ "gold": 7, "level": 1, "bag": ["map", "rope"] });
/// let merged = Merge::new().values(&base, &ours, &theirs);
/// assert_eq!(merged.value, variant!({ "gold": 5, "level": 2, "bag": ["map", "rope", "lamp"] }));
/// let names = |value| Names::new(value, Dialect::GODOT4);
/// assert_eq!(merged.conflicts[0].name(&mut names(&ours), &mut names(&theirs)), "gold");
///
/// let merged = Merge::new().prefer(Side::Theirs).values(&base, &ours, &theirs);
/// assert_eq!(merged.value.at("gold"), Some(&7.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Merge {
    prefer: Side,
}

/// The next step of the merge.
enum Next<'v, R: Real> {
    /// A value that all three have.
    All { base: &'v Variant<R>, ours: &'v Variant<R>, theirs: &'v Variant<R>, place: Vec<Step> },
    /// A value that is taken unchanged.
    One(&'v Variant<R>),
    /// The name of the property whose value comes next.
    Name(VariantString),
    /// A place that both sides changed.
    Conflict(Conflict<'v, R>),
    /// The end of a container.
    End,
}

impl Merge {
    /// Keeps ours in a conflict.
    #[must_use]
    pub const fn new() -> Self {
        Self { prefer: Side::Ours }
    }

    /// Sets the side whose value is kept in a conflict.
    #[must_use]
    pub const fn prefer(self, prefer: Side) -> Self {
        Self { prefer }
    }

    /// Merges the two changed versions of a value.
    #[must_use]
    pub fn values<'v, R: Real>(
        &self,
        base: &'v Variant<R>,
        ours: &'v Variant<R>,
        theirs: &'v Variant<R>,
    ) -> Merged<'v, R> {
        let mut builder: Builder<R> = Builder::new();
        let mut conflicts = Vec::new();
        let mut waiting = vec![Next::All { base, ours, theirs, place: Vec::new() }];
        let mut value = None;
        while let Some(next) = waiting.pop() {
            let made = match next {
                Next::All { base, ours, theirs, place } => {
                    if ours.is_identical(theirs) || theirs.is_identical(base) {
                        ours.clone()
                    } else if ours.is_identical(base) {
                        theirs.clone()
                    } else if let Some((making, mut inside)) =
                        self.container([base, ours, theirs], &place)
                    {
                        builder.open(making, ());
                        waiting.push(Next::End);
                        inside.reverse();
                        waiting.append(&mut inside);
                        continue;
                    } else {
                        let all = (Some(base), Some(ours), Some(theirs));
                        conflicts.push(conflict(all, Side::Ours, place));
                        self.preferred(ours, theirs).clone()
                    }
                }
                Next::One(value) => value.clone(),
                Next::Conflict(conflict) => {
                    conflicts.push(conflict);
                    continue;
                }
                Next::Name(name) => {
                    if let Some((making, ())) = builder.innermost() {
                        making.name(name);
                    }
                    continue;
                }
                Next::End => match builder.close() {
                    Some((making, ())) => making.finish(),
                    None => continue,
                },
            };
            value = builder.put(made);
        }
        Merged { value: value.unwrap_or_default(), conflicts }
    }

    const fn preferred<T: Copy>(&self, ours: T, theirs: T) -> T {
        match self.prefer {
            Side::Ours => ours,
            Side::Theirs => theirs,
        }
    }

    /// Begins a container that all three have. Returns [`None`] if they are of different kinds, or if both sides
    /// replaced the same entry.
    fn container<'v, R: Real>(
        &self,
        values: [&'v Variant<R>; 3],
        place: &[Step],
    ) -> Option<(Making<R>, Vec<Next<'v, R>>)> {
        let [base, ours, theirs] = values.map(Variant::container);
        let (base, ours, theirs) = (base?, ours?, theirs?);
        let (of_ours, of_theirs) = (align::entries(base, ours)?, align::entries(base, theirs)?);
        let is_keyed = matches!(ours, Container::Dictionary(_) | Container::Object(_));
        let mut added = align::entries(ours, theirs)?;
        for (at, found) in added.iter_mut().enumerate() {
            *found = found.filter(|&other| {
                let is_same = || match (entry(ours, other), entry(theirs, at)) {
                    (Some((_, _, ours)), Some((_, _, theirs))) => ours.is_identical(theirs),
                    _ => false,
                };
                of_theirs[at].is_none() && of_ours[other].is_none() && (is_keyed || is_same())
            });
        }
        let is_gone = |side: &[Option<usize>]| {
            let mut gone = vec![true; base.len()];
            side.iter().flatten().for_each(|&at| gone[at] = false);
            gone
        };
        let both_removed = is_gone(&of_ours).into_iter().zip(is_gone(&of_theirs));
        let both_removed = both_removed.into_iter().any(|(ours, theirs)| ours && theirs);
        let mut added_by_both = vec![false; of_ours.len()];
        added.iter().flatten().for_each(|&at| added_by_both[at] = true);
        let only_ours = (0..of_ours.len()).any(|at| of_ours[at].is_none() && !added_by_both[at]);
        let only_theirs =
            (0..of_theirs.len()).any(|at| of_theirs[at].is_none() && added[at].is_none());
        if !is_keyed && both_removed && only_ours && only_theirs {
            return None;
        }
        let fronts = [base, ours, theirs].map(Front::of);
        let [front_of_base, front_of_ours, front_of_theirs] = fronts;
        let front = if front_of_ours == front_of_base || front_of_ours == front_of_theirs {
            front_of_theirs
        } else if front_of_theirs == front_of_base {
            front_of_ours
        } else {
            return None;
        };
        let mut inside = Vec::new();
        for slot in slots(base.len(), &of_ours, &of_theirs, &added) {
            self.slot(slot, [base, ours, theirs], place, &mut inside);
        }
        Some((Making::new(front, ours.len(), None), inside))
    }

    /// Adds the merged form of an entry.
    fn slot<'v, R: Real>(
        &self,
        slot: Slot,
        [base, ours, theirs]: [Container<'v, R>; 3],
        place: &[Step],
        inside: &mut Vec<Next<'v, R>>,
    ) {
        let of_base = slot.base.and_then(|at| entry(base, at));
        let of_ours = slot.ours.and_then(|at| entry(ours, at));
        let of_theirs = slot.theirs.and_then(|at| entry(theirs, at));
        let Some((key, step, _)) = of_ours.or(of_theirs) else { return };
        let place: Vec<_> = place.iter().copied().chain([step]).collect();
        let side = if of_ours.is_some() { Side::Ours } else { Side::Theirs };
        let value = |entry: Option<Entry<'v, R>>| entry.map(|(_, _, value)| value);
        let all = (value(of_base), value(of_ours), value(of_theirs));
        let next = match all {
            (Some(base), Some(ours), Some(theirs)) => Some(Next::All { base, ours, theirs, place }),
            // Removed by one side, and unchanged by the other.
            (Some(base), Some(one), None) | (Some(base), None, Some(one))
                if one.is_identical(base) =>
            {
                None
            }
            (None, Some(one), None) | (None, None, Some(one)) => Some(Next::One(one)),
            (None, Some(one), Some(other)) if one.is_identical(other) => Some(Next::One(one)),
            (_, ours, theirs) => {
                inside.push(Next::Conflict(conflict(all, side, place)));
                self.preferred(ours, theirs).map(Next::One)
            }
        };
        let Some(next) = next else { return };
        match key {
            Key::None => {}
            Key::Value(key) => inside.push(Next::One(key)),
            Key::Name(name) => inside.push(Next::Name(name.clone())),
        }
        inside.push(next);
    }
}

fn conflict<'v, R: Real>(
    (base, ours, theirs): Three<'v, R>,
    side: Side,
    place: Vec<Step>,
) -> Conflict<'v, R> {
    Conflict { side, place: place.into(), base, ours, theirs }
}

/// The values of the base and of both sides at one place.
type Three<'v, R> = (Option<&'v Variant<R>>, Option<&'v Variant<R>>, Option<&'v Variant<R>>);

/// An entry: the key by which it is matched, the step to it, and its value.
type Entry<'v, R> = (Key<'v, R>, Step, &'v Variant<R>);

/// The key by which an entry is matched.
#[derive(Clone, Copy)]
enum Key<'v, R: Real> {
    None,
    Value(&'v Variant<R>),
    Name(&'v VariantString),
}

/// Returns the entry at a position of a container.
fn entry<'v, R: Real>(container: Container<'v, R>, at: usize) -> Option<Entry<'v, R>> {
    match container {
        Container::Dictionary(pairs) => {
            pairs.as_slice().get(at).map(|(key, value)| (Key::Value(key), Step::Value(at), value))
        }
        Container::Object(object) => {
            let property = object.properties.get(at)?;
            Some((Key::Name(&property.0), Step::Property(at), &property.1))
        }
        Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
            let step = Step::Element(at);
            Some((Key::None, step, step.of(container)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, variant};

    type Text = String;

    /// Merges, and returns the result and the names of the conflicts.
    fn merged(base: &Variant, ours: &Variant, theirs: &Variant) -> (Variant, Vec<Text>) {
        let merged = Merge::new().values(base, ours, theirs);
        let [mut ours, mut theirs] = [ours, theirs].map(|it| Names::new(it, Dialect::GODOT4));
        let names = merged.conflicts.iter().map(|it| it.name(&mut ours, &mut theirs));
        (merged.value.clone(), names.collect())
    }

    #[test]
    fn changes_of_either_side_are_taken_and_equal_ones_once() {
        let base = variant!({ "a": 1, "b": { "c": 2, "d": 3 }, "e": [1, 2, 3], "f": 0 });
        let ours =
            variant!({ "a": 5, "b": { "c": 2, "d": 4 }, "e": [1, 2, 3, 4], "f": 9, "g": "new" });
        let theirs =
            variant!({ "b": { "d": 3, "c": 7 }, "a": 1, "e": [2, 3, 4], "f": 9, "h": "too" });
        let (value, conflicts) = merged(&base, &ours, &theirs);
        assert_eq!(conflicts, Vec::<Text>::new());
        let expected = variant!({
            "b": { "d": 4, "c": 7 }, "a": 5, "e": [2, 3, 4], "f": 9, "h": "too", "g": "new"
        });
        assert!(value.is_identical(&expected), "{value:?}");
        // The sides are symmetric, except for the order of the additions.
        let (turned, conflicts) = merged(&base, &theirs, &ours);
        assert!(conflicts.is_empty() && turned.as_dictionary().map(|it| it.len()) == Some(6));
    }

    #[test]
    fn what_both_changed_is_a_conflict_and_ours_is_kept() {
        let base = variant!({ "gold": 1, "bag": ["a", "b"], "gone": { "x": 1 }, "lost": 1 });
        let ours = variant!({ "gold": 5, "bag": ["a", "B"], "gone": { "x": 2 }, "new": 1 });
        let theirs = variant!({ "gold": 7, "bag": ["a", "bb"], "lost": 2, "new": 2 });
        let (value, conflicts) = merged(&base, &ours, &theirs);
        assert!(value.is_identical(&ours), "{value:?}");
        assert_eq!(conflicts, ["gold", "bag/1", "lost", "gone", "new"]);
        let merged = Merge::new().prefer(Side::Theirs).values(&base, &ours, &theirs);
        let expected = variant!({ "gold": 7, "bag": ["a", "bb"], "lost": 2, "new": 2 });
        assert!(merged.value.is_identical(&expected), "{:?}", merged.value);
        assert_eq!(merged.conflicts.len(), 5);
        // Both sides replaced the same entry.
        let (_, conflicts) = merged_of(&[variant!([1]), variant!(["x"]), variant!([true])]);
        assert_eq!(conflicts, [""]);
    }

    fn merged_of([base, ours, theirs]: &[Variant; 3]) -> (Variant, Vec<Text>) {
        merged(base, ours, theirs)
    }

    #[test]
    fn deep_values_are_merged_on_a_small_stack() {
        let nest = |leaf: i64| {
            (0..2_000)
                .fold(Variant::<f32>::from(leaf), |value, _| Variant::Array(vec![value].into()))
        };
        let (base, ours) = (nest(1), nest(2));
        let mut theirs = base.clone();
        theirs.as_array_mut().expect("an array").push(7.into());
        let merged = Merge::new().values(&base, &ours, &theirs);
        assert_eq!(merged.conflicts.len(), 0);
        assert_eq!(merged.value.as_array().map(|it| it.len()), Some(2));
    }
}
