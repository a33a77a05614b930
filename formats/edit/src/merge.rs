//! Merges three values: a base and its two changed versions.

use super::{Names, Place, Step, align};
use formwork_records::three_way::{Slot, changed, slots};
use formwork_variant::parts::Fingerprints;
use formwork_variant::parts::{Builder, Front, Making};
use formwork_variant::{Container, Real, Variant};

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
/// use formwork_edit::{Merge, Names, Side};
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

/// An entry of a container, or the whole value.
struct Entry<'v, R: Real> {
    /// The value in the base, ours and theirs.
    all: [Option<&'v Variant<R>>; 3],
    /// A container that has the entry, of ours if it has one, and the position there.
    holder: Option<(Container<'v, R>, usize)>,
    /// The place of the entry in the same side.
    place: Place,
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
        let prints = Fingerprints::of([base, ours, theirs]);
        let is_same = |one: Option<&Variant<R>>, other: Option<&Variant<R>>| match (one, other) {
            (Some(one), Some(other)) => prints.are_identical(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let mut builder: Builder<R> = Builder::new();
        let (mut value, mut conflicts) = (None, Vec::new());
        let all = [base, ours, theirs].map(Some);
        // The next entry is the last; `None` is the end of a container.
        let mut waiting = vec![Some(Entry { all, holder: None, place: Place::default() })];
        while let Some(next) = waiting.pop() {
            let Some(entry) = next else {
                value = builder.close().and_then(|(making, ())| builder.put(making.finish()));
                continue;
            };
            let taken = match changed(entry.all, is_same) {
                Some(taken) => taken,
                None => {
                    if let Some((making, inside)) = entry.inside(&prints) {
                        entry.put_key(&mut builder);
                        builder.open(making, ());
                        waiting.push(None);
                        waiting.extend(inside.into_iter().rev().map(Some));
                        continue;
                    }
                    conflicts.push(entry.conflict());
                    let [_, ours, theirs] = entry.all;
                    match self.prefer {
                        Side::Ours => ours,
                        Side::Theirs => theirs,
                    }
                }
            };
            if let Some(taken) = taken {
                entry.put_key(&mut builder);
                value = builder.put(taken.clone());
            }
        }
        Merged { value: value.unwrap_or_default(), conflicts }
    }
}

impl<'v, R: Real> Entry<'v, R> {
    /// Begins a container that all three have, and returns its entries. Returns [`None`] if they are of different
    /// kinds, or if both sides changed its attributes or replaced the same entry.
    fn inside(&self, prints: &Fingerprints) -> Option<(Making<R>, Vec<Self>)> {
        let [base, ours, theirs] = self.all.map(|value| value.and_then(Variant::container));
        let (base, ours, theirs) = (base?, ours?, theirs?);
        let of_ours = align::entries(base, ours, prints)?;
        let of_theirs = align::entries(base, theirs, prints)?;
        let added = align::entries(ours, theirs, prints)?;
        let is_keyed = matches!(ours, Container::Dictionary(_) | Container::Object(_));
        let value = |container, at: Option<usize>| Step::to(container, at?).of(container);
        let slots = slots(base.len(), &of_ours, &of_theirs, added, |one, other| {
            let both = value(ours, Some(one)).zip(value(theirs, Some(other)));
            is_keyed || both.is_some_and(|(one, other)| prints.are_identical(one, other))
        });
        let has = |is: fn(&Slot) -> bool| slots.iter().any(is);
        let both_removed = slots.iter().filter_map(|slot| slot.base).count() < base.len();
        let only_ours = has(|slot| slot.base.or(slot.theirs).is_none());
        let only_theirs = has(|slot| slot.base.or(slot.ours).is_none());
        if !is_keyed && both_removed && only_ours && only_theirs {
            return None;
        }
        let fronts = [base, ours, theirs].map(Front::of);
        let front = changed(fronts.each_ref(), |one, other| one == other)?.clone();
        let inside = slots.into_iter().filter_map(|slot| {
            let (holder, at) = match slot.ours {
                Some(at) => (ours, at),
                None => (theirs, slot.theirs?),
            };
            let all = [value(base, slot.base), value(ours, slot.ours), value(theirs, slot.theirs)];
            let place = self.place.inside(Step::to(holder, at));
            Some(Self { all, holder: Some((holder, at)), place })
        });
        Some((Making::new(front, ours.len(), None), inside.collect()))
    }

    /// Puts the key of the entry, or the name of the property, into the container that is open.
    fn put_key(&self, builder: &mut Builder<R>) {
        let Some((holder, at)) = self.holder else { return };
        if let Some(key) = Step::Key(at).of(holder) {
            builder.put(key.clone());
        } else if let (Container::Object(object), Some((making, ()))) =
            (holder, builder.innermost())
            && let Some((name, _)) = object.properties.get(at)
        {
            making.name(name.clone());
        }
    }

    fn conflict(&self) -> Conflict<'v, R> {
        let [base, ours, theirs] = self.all;
        let side = if ours.is_some() { Side::Ours } else { Side::Theirs };
        Conflict { side, place: self.place.clone(), base, ours, theirs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_variant::{Dialect, variant};

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
