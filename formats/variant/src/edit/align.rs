//! Aligns the entries of an old container with those of a new one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::{Array, Container, Dictionary, FullObject, Real, Variant};
use formwork::align::{best, equal};

/// The most pairs for which all elements of two runs are compared with each other.
const RUNS: usize = 1 << 12;

/// Returns, for each entry of `new`, the position of the same entry in `old`. [`None`] if the two containers are of
/// different kinds.
pub(super) fn entries<R: Real>(
    old: Container<'_, R>,
    new: Container<'_, R>,
) -> Option<Vec<Option<usize>>> {
    match (old, new) {
        (Container::Array(old), Container::Array(new)) => Some(elements(old, new)),
        (Container::TypedArray(old), Container::TypedArray(new))
        | (Container::PackedTypedArray(old), Container::PackedTypedArray(new)) => {
            Some(elements(&old.elements, &new.elements))
        }
        (Container::Dictionary(old), Container::Dictionary(new)) => Some(pairs(old, new)),
        (Container::Object(old), Container::Object(new)) if old.class == new.class => {
            Some(properties(old, new))
        }
        (
            Container::Array(_)
            | Container::TypedArray(_)
            | Container::PackedTypedArray(_)
            | Container::Dictionary(_)
            | Container::Object(_),
            _,
        ) => None,
    }
}

fn properties<R: Real>(old: &FullObject<R>, new: &FullObject<R>) -> Vec<Option<usize>> {
    let mut places: HashMap<_, _> =
        old.properties.iter().enumerate().rev().map(|(at, (name, _))| (name, at)).collect();
    new.properties.iter().map(|(name, _)| places.remove(name)).collect()
}

/// Returns, for each element of `new`, the position of the element of `old` that it is: those that are
/// identical, in their order, as many as can be; between these, those that are most alike.
fn elements<R: Real>(old: &Array<R>, new: &Array<R>) -> Vec<Option<usize>> {
    let mut aligned = vec![None; new.len()];
    let front = old.iter().zip(new.iter()).take_while(|(old, new)| old.is_identical(new)).count();
    let (old_rest, new_rest) = (&old[front..], &new[front..]);
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let back = pairs.take_while(|(old, new)| old.is_identical(new)).count();
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    (0..front).for_each(|at| aligned[at] = Some(at));
    (0..back).for_each(|at| aligned[new_end + at] = Some(old_end + at));
    let (old_middle, new_middle) = (&old[front..old_end], &new[front..new_end]);
    let (of_old, of_new) = labels(old_middle, new_middle);
    let in_order = equal(&of_old, &of_new);
    // The runs between the identical elements, and an end after the last.
    let ends = in_order.iter().copied().chain([(old_middle.len(), new_middle.len())]);
    let (mut old_at, mut new_at) = (0, 0);
    for (old_to, new_to) in ends {
        let runs = (&old_middle[old_at..old_to], &new_middle[new_at..new_to]);
        for (old, new) in likest(runs.0, runs.1) {
            aligned[front + new_at + new] = Some(front + old_at + old);
        }
        if new_to < new_middle.len() {
            aligned[front + new_to] = Some(front + old_to);
        }
        (old_at, new_at) = (old_to + 1, new_to + 1);
    }
    aligned
}

/// Returns the pairs of values of two runs without identical ones: those most alike, in their order. In long runs
/// those at the same position.
fn likest<R: Real>(old: &[Variant<R>], new: &[Variant<R>]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > RUNS {
        return (0..old.len().min(new.len())).map(|at| (at, at)).collect();
    }
    best([old.len(), new.len()], |at, other| likeness(&old[at], &new[other]))
}

/// Returns the similarity of two values: more for each common entry. 0 if they are unrelated: of two types, or
/// dictionaries with other keys.
fn likeness<R: Real>(old: &Variant<R>, new: &Variant<R>) -> usize {
    if old.variant_type() != new.variant_type() {
        return 0;
    }
    match (old.container(), new.container()) {
        (Some(Container::Dictionary(old)), Some(Container::Dictionary(new))) => {
            let (mut shared, mut same) = (0, 0);
            for (at, (_, value)) in pairs(old, new).into_iter().zip(new.iter()) {
                let Some((_, before)) = at.and_then(|at| old.as_slice().get(at)) else { continue };
                shared += 1;
                same += usize::from(before.is_identical(value));
            }
            if 2 * shared >= old.len().max(new.len()) { 1 + shared + 2 * same } else { 0 }
        }
        (Some(Container::Array(old)), Some(Container::Array(new))) => {
            1 + old.iter().zip(new.iter()).filter(|(old, new)| old.is_identical(new)).count()
        }
        _ => 1,
    }
}

/// Returns a number for each value; identical values have the same.
fn labels<'v, R: Real>(
    old: impl IntoIterator<Item = &'v Variant<R>>,
    new: impl IntoIterator<Item = &'v Variant<R>>,
) -> (Vec<usize>, Vec<usize>) {
    let mut known: HashMap<u64, Vec<(&Variant<R>, usize)>> = HashMap::new();
    let mut count = 0;
    let mut label = |value: &'v Variant<R>| {
        let mut state = DefaultHasher::new();
        value.hash_key(false, &mut state);
        let same_hash = known.entry(state.finish()).or_default();
        match same_hash.iter().find(|(known, _)| known.is_identical(value)) {
            Some(&(_, label)) => label,
            None => {
                count += 1;
                same_hash.push((value, count));
                count
            }
        }
    };
    let of_old = old.into_iter().map(&mut label).collect();
    (of_old, new.into_iter().map(label).collect())
}

/// Returns, for each pair of `new`, the position of the pair of `old` with that key.
fn pairs<R: Real>(old: &Dictionary<R>, new: &Dictionary<R>) -> Vec<Option<usize>> {
    let both = old.keys().zip(new.keys()).enumerate();
    let mut aligned: Vec<_> =
        both.map(|(at, (old, new))| old.is_identical(new).then_some(at)).collect();
    aligned.resize(new.len(), None);
    if aligned.iter().all(Option::is_some) {
        return aligned;
    }
    let (of_old, of_new) = labels(old.keys(), new.keys());
    // The free pairs of the old dictionary, by their keys; the first comes last.
    let mut free: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, label) in of_old.into_iter().enumerate().rev() {
        if aligned.get(at).is_none_or(Option::is_none) {
            free.entry(label).or_default().push(at);
        }
    }
    for (found, label) in aligned.iter_mut().zip(of_new) {
        *found = found.or_else(|| free.get_mut(&label)?.pop());
    }
    aligned
}
