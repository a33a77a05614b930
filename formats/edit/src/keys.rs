//! Matches the pairs of a new dictionary with those of the old one.

use std::collections::HashMap;

use formwork_variant::json::{Style, to_json};
use formwork_variant::{Dialect, Dictionary, Real, Variant};

/// Returns, for each pair of `new`, the position of the pair of `old` with the same key. An int key
/// matches a float key where `old` has only that. Keys that are arrays or dictionaries, and were
/// changed by other programs, match by position.
pub(super) fn align<R: Real>(
    old: &Dictionary<R>,
    new: &Dictionary<R>,
    dialect: Dialect,
) -> Vec<Option<usize>> {
    let same = |position: usize, key: &Variant<R>| {
        old.as_slice().get(position).is_some_and(|(old, _)| old.is_identical(key))
    };
    let mut aligned: Vec<_> = new
        .iter()
        .enumerate()
        .map(|(position, (key, _))| same(position, key).then_some(position))
        .collect();
    if aligned.iter().all(Option::is_some) {
        return aligned;
    }
    let mut free: HashMap<String, usize> = HashMap::new();
    for (position, (key, _)) in old.iter().enumerate() {
        if aligned.get(position).is_none_or(Option::is_none) {
            free.insert(label(key, dialect), position);
        }
    }
    for (found, (key, _)) in aligned.iter_mut().zip(new.iter()) {
        if found.is_none() {
            *found = free.remove(&label(key, dialect)).or_else(|| {
                let number = key.as_int()?;
                free.remove(&label(&Variant::<R>::Float(number as f64), dialect))
            });
        }
    }
    let mut left: Vec<bool> = vec![false; old.len()];
    free.into_values().for_each(|position| left[position] = true);
    for (position, (found, (key, _))) in aligned.iter_mut().zip(new.iter()).enumerate() {
        let (Some((old, _)), true) = (old.as_slice().get(position), found.is_none()) else {
            continue;
        };
        let holds_values = matches!(key, Variant::Array(_) | Variant::Dictionary(_));
        if left[position] && holds_values && old.variant_type() == key.variant_type() {
            *found = Some(position);
        }
    }
    aligned
}

fn label<R: Real>(key: &Variant<R>, dialect: Dialect) -> String {
    to_json(key, dialect, Style::Compact)
}

/// Restores the order of the pairs of `old`: programs that write JSON need not keep the order of an object's members,
/// and engines print some values with sorted keys. A new pair stays after the pair before it. Returns whether a pair
/// moved.
pub(super) fn restore_order<R: Real>(
    new: &mut Dictionary<R>,
    aligned: &mut Vec<Option<usize>>,
) -> bool {
    let known: Vec<_> = aligned.iter().flatten().copied().collect();
    if known.is_sorted() {
        return false;
    }
    let mut before = 0;
    let pairs = std::mem::take(&mut **new);
    let mut placed: Vec<_> = pairs
        .into_iter()
        .zip(aligned.drain(..))
        .map(|(pair, old)| {
            // Places count from 1, so that new pairs at the start stay there.
            before = old.map_or(before, |old| old + 1);
            (before, pair, old)
        })
        .collect();
    placed.sort_by_key(|(place, _, _)| *place);
    for (_, pair, old) in placed {
        new.push(pair);
        aligned.push(old);
    }
    true
}
