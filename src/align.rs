//! Aligns two lists: which element of the one is which of the other.
//!
//! ```
//! use formwork::align::equal;
//!
//! // Of a, b, c, the first is gone, and a new one is before the last.
//! assert_eq!(equal(b"abc", b"bxc"), [(1, 0), (2, 2)]);
//! ```

use std::collections::HashMap;
use std::hash::Hash;

/// The most pairs for which all elements are compared with each other.
const EACH_WITH_EACH: usize = 1 << 20;

/// Returns the positions of equal elements of two lists, in the order of both, as many as can be. Of long lists each
/// element is paired with the next one that is equal, which may be fewer.
#[must_use]
pub fn equal<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    match old.len().saturating_mul(new.len()) {
        0..=EACH_WITH_EACH => {
            best([old.len(), new.len()], |at, other| usize::from(old[at] == new[other]))
        }
        _ => greedy(old, new),
    }
}

fn greedy<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&T, Vec<usize>> = HashMap::new();
    for (at, element) in old.iter().enumerate() {
        places.entry(element).or_default().push(at);
    }
    let (mut from, mut row) = (0, Vec::new());
    for (other, element) in new.iter().enumerate() {
        let Some(places) = places.get(element) else { continue };
        let next = places.partition_point(|&at| at < from);
        if let Some(&at) = places.get(next) {
            row.push((at, other));
            from = at + 1;
        }
    }
    row
}

/// Returns the pairs of positions in two lists of these lengths, in the order of both, whose likenesses have the greatest
/// sum. It takes time and memory for each two positions.
#[must_use]
pub fn best(lengths: [usize; 2], likeness: impl Fn(usize, usize) -> usize) -> Vec<(usize, usize)> {
    let [length, width] = [lengths[0], lengths[1] + 1];
    // The greatest sum of the pairs from each two positions on.
    let mut sums = vec![0; (length + 1) * width];
    for at in (0..length).rev() {
        for other in (0..lengths[1]).rev() {
            let paired = sums[(at + 1) * width + other + 1] + likeness(at, other);
            let apart = sums[(at + 1) * width + other].max(sums[at * width + other + 1]);
            sums[at * width + other] = paired.max(apart);
        }
    }
    let (mut at, mut other, mut row) = (0, 0, Vec::new());
    while at < length && other < lengths[1] {
        let (sum, likeness) = (sums[at * width + other], likeness(at, other));
        if likeness > 0 && sum == sums[(at + 1) * width + other + 1] + likeness {
            row.push((at, other));
            (at, other) = (at + 1, other + 1);
        } else if sum == sums[(at + 1) * width + other] {
            at += 1;
        } else {
            other += 1;
        }
    }
    row
}
