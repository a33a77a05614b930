//! Pairing of the fields and elements of two lists.

use std::collections::HashMap;

use super::align::{Fate, align};
use super::entry::Entry;
use super::side::{Side, hash, is_map, is_mask};
use crate::Field;
use crate::walk::occurrences;

/// Returns, for each field or element of the new list, which of the old list it is.
pub(super) fn paired(
    (old_side, old): (&Side<'_>, &[Field]),
    (new_side, new): (&Side<'_>, &[Field]),
    of_object: bool,
) -> Vec<Option<usize>> {
    if of_object {
        return by_token(&field_tokens(old), &field_tokens(new));
    }
    if is_map(old) && is_map(new) {
        return by_token(&pair_tokens(old_side, old), &pair_tokens(new_side, new));
    }
    if is_mask(old) && is_mask(new) && old.len() == new.len() {
        return (0..new.len()).map(Some).collect();
    }
    let mut pairs = vec![None; new.len()];
    for fate in Elements::of(old_side, old).align(&Elements::of(new_side, new)) {
        if let (Some(old), Some(new)) = fate.positions() {
            pairs[new] = Some(old);
        }
    }
    pairs
}

fn by_token(old: &[u64], new: &[u64]) -> Vec<Option<usize>> {
    let places: HashMap<_, _> = old.iter().enumerate().map(|(at, token)| (*token, at)).collect();
    new.iter().map(|token| places.get(token).copied()).collect()
}

/// Fields of an object are told apart by their tags.
fn field_tokens(fields: &[Field]) -> Vec<u64> {
    let tokens = fields.iter().zip(occurrences(fields));
    tokens.map(|(field, earlier)| hash(&(field.tag, earlier.unwrap_or_default()))).collect()
}

/// Pairs of a map are told apart by their keys.
fn pair_tokens(side: &Side<'_>, pairs: &[Field]) -> Vec<u64> {
    let mut entries = Entry::all(side, pairs);
    entries.sort_unstable_by_key(|entry| entry.position);
    entries.iter().map(Entry::token).collect()
}

/// Properties that distinguish the elements of a list: their names, their content and their common parts.
pub(super) struct Elements {
    /// Names of the elements whose name is unique.
    pub(super) names: Vec<Option<String>>,
    parts: Vec<Vec<u64>>,
}

impl Elements {
    pub(super) fn of(side: &Side<'_>, elements: &[Field]) -> Self {
        Self { names: side.names(elements), parts: side.parts(elements) }
    }

    /// Returns what became of the elements in a new list.
    pub(super) fn align(&self, new: &Self) -> Vec<Fate> {
        align(&self.tokens(), &new.tokens(), |one, other| {
            let both = self.parts.get(one).zip(new.parts.get(other));
            both.map_or(0.0, |(old, new)| likeness(old, new))
        })
    }

    fn tokens(&self) -> Vec<u64> {
        let both = self.parts.iter().zip(&self.names);
        both.map(|(parts, name)| name.as_ref().map_or_else(|| hash(parts), hash)).collect()
    }
}

/// Returns how much of two elements is the same, of 0 to 1, by the hashes of their parts: the first is
/// of what must be the same.
fn likeness(old: &[u64], new: &[u64]) -> f64 {
    if old.first() != new.first() {
        return 0.0;
    }
    let same = old.iter().zip(new).skip(1).filter(|(old, new)| old == new).count();
    let parts = old.len().max(new.len()).saturating_sub(1);
    if parts == 0 { 0.0 } else { same as f64 / parts as f64 }
}
