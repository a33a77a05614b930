//! Aligns the entries of an old container with those of a new one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::{Array, Container, Dictionary, FullObject, Real, Variant};

/// The most pairs for which all elements are compared with each other.
const EACH_WITH_EACH: usize = 1 << 20;

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
    let in_order = match old_middle.len().saturating_mul(new_middle.len()) {
        0..=EACH_WITH_EACH => longest(old_middle, new_middle),
        _ => greedy(old_middle, new_middle),
    };
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
    let width = new.len() + 1;
    let mut best = vec![0usize; (old.len() + 1) * width];
    let mut likenesses = vec![0usize; old.len() * width];
    for at in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            let likeness = likeness(&old[at], &new[other]);
            likenesses[at * width + other] = likeness;
            let paired = best[(at + 1) * width + other + 1] + likeness;
            let apart = best[(at + 1) * width + other].max(best[at * width + other + 1]);
            best[at * width + other] = paired.max(apart);
        }
    }
    let (mut at, mut other, mut row) = (0, 0, Vec::new());
    while at < old.len() && other < new.len() {
        let likeness = likenesses[at * width + other];
        let paired = best[(at + 1) * width + other + 1] + likeness;
        if likeness > 0 && best[at * width + other] == paired {
            row.push((at, other));
            (at, other) = (at + 1, other + 1);
        } else if best[at * width + other] == best[(at + 1) * width + other] {
            at += 1;
        } else {
            other += 1;
        }
    }
    row
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

/// Returns the pairs of identical values in the longest row that keeps the order of both.
fn longest<R: Real>(old: &[Variant<R>], new: &[Variant<R>]) -> Vec<(usize, usize)> {
    let (old_labels, new_labels) = labels(old, new);
    let width = new.len() + 1;
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for at in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            lengths[at * width + other] = if old_labels[at] == new_labels[other] {
                lengths[(at + 1) * width + other + 1] + 1
            } else {
                lengths[(at + 1) * width + other].max(lengths[at * width + other + 1])
            };
        }
    }
    let (mut at, mut other, mut row) = (0, 0, Vec::new());
    while at < old.len() && other < new.len() {
        if old_labels[at] == new_labels[other] {
            row.push((at, other));
            (at, other) = (at + 1, other + 1);
        } else if lengths[(at + 1) * width + other] >= lengths[at * width + other + 1] {
            at += 1;
        } else {
            other += 1;
        }
    }
    row
}

/// Returns pairs of identical values in a row that keeps the order of both: each value of `new` with the next
/// of `old` that it can be.
fn greedy<R: Real>(old: &[Variant<R>], new: &[Variant<R>]) -> Vec<(usize, usize)> {
    let (old_labels, new_labels) = labels(old, new);
    let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, label) in old_labels.into_iter().enumerate() {
        places.entry(label).or_default().push(at);
    }
    let (mut from, mut row) = (0, Vec::new());
    for (other, label) in new_labels.into_iter().enumerate() {
        let Some(places) = places.get(&label) else { continue };
        let next = places.partition_point(|&at| at < from);
        if let Some(&at) = places.get(next) {
            row.push((at, other));
            from = at + 1;
        }
    }
    row
}

/// Returns a number for each value; identical values have the same.
fn labels<R: Real>(old: &[Variant<R>], new: &[Variant<R>]) -> (Vec<usize>, Vec<usize>) {
    let mut known: HashMap<u64, Vec<(&Variant<R>, usize)>> = HashMap::new();
    let mut count = 0;
    let mut label = |value| {
        let same_hash = known.entry(hash(value)).or_default();
        match same_hash.iter().find(|(known, _)| known.is_identical(value)) {
            Some(&(_, label)) => label,
            None => {
                count += 1;
                same_hash.push((value, count));
                count
            }
        }
    };
    let of_old = old.iter().map(&mut label).collect();
    (of_old, new.iter().map(label).collect())
}

fn hash<R: Real>(value: &Variant<R>) -> u64 {
    let mut state = DefaultHasher::new();
    value.hash_key(false, &mut state);
    state.finish()
}

/// Returns, for each pair of `new`, the position of the pair of `old` with that key.
fn pairs<R: Real>(old: &Dictionary<R>, new: &Dictionary<R>) -> Vec<Option<usize>> {
    let is_at = |at: usize, key: &Variant<R>| {
        old.as_slice().get(at).is_some_and(|(old, _)| old.is_identical(key))
    };
    let mut aligned: Vec<_> =
        new.keys().enumerate().map(|(at, key)| is_at(at, key).then_some(at)).collect();
    if aligned.iter().all(Option::is_some) {
        return aligned;
    }
    let mut free: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, key) in old.keys().enumerate().rev() {
        if aligned.get(at).is_none_or(Option::is_none) {
            free.entry(hash(key)).or_default().push(at);
        }
    }
    for (found, key) in aligned.iter_mut().zip(new.keys()) {
        let Some(places) = free.get_mut(&hash(key)).filter(|_| found.is_none()) else { continue };
        // The first comes last.
        let place = places.iter().rposition(|&at| is_at(at, key));
        *found = place.map(|place| places.remove(place));
    }
    aligned
}
