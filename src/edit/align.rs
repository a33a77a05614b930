//! Which value of an old container a value of the new one is.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::variant::{Array, Dictionary, Real, Variant};

/// Elements that are compared each with each, at most: so many pairs.
const EACH_WITH_EACH: usize = 1 << 20;

/// Returns, for each element of `new`, the position of the element of `old` that it is: those that are
/// identical, in their order, as many as can be; between these, those at the same position of a run.
pub(crate) fn elements<R: Real>(old: &Array<R>, new: &Array<R>) -> Vec<Option<usize>> {
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
    // The runs between what is identical, with an end behind the last.
    let ends = in_order.iter().copied().chain([(old_middle.len(), new_middle.len())]);
    let (mut old_at, mut new_at) = (0, 0);
    for (old_to, new_to) in ends {
        for (old, new) in (old_at..old_to).zip(new_at..new_to) {
            aligned[front + new] = Some(front + old);
        }
        if new_to < new_middle.len() {
            aligned[front + new_to] = Some(front + old_to);
        }
        (old_at, new_at) = (old_to + 1, new_to + 1);
    }
    aligned
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
pub(crate) fn pairs<R: Real>(old: &Dictionary<R>, new: &Dictionary<R>) -> Vec<Option<usize>> {
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
