//! The pairs of a map.

use std::collections::HashMap;

use super::show;
use super::side::{Side, hash};
use super::trail::Step;
use crate::{Field, Value};

/// A key, in the order in which pairs are listed: numbers, then everything else as text.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) enum Key {
    Number(i64, String),
    Text(String),
}

/// A pair of a map.
#[derive(Debug)]
pub(super) struct Entry<'d> {
    pub(super) key: Key,
    /// Number of earlier pairs with the same key.
    pub(super) earlier: usize,
    /// The element itself.
    pub(super) pair: &'d Field,
    /// Position among the elements.
    pub(super) position: usize,
}

impl<'d> Entry<'d> {
    /// The pairs of a map, ordered by their keys unless everything counts.
    pub(super) fn all(side: &Side<'_>, elements: &'d [Field]) -> Vec<Self> {
        let mut entries: Vec<Self> = elements
            .iter()
            .enumerate()
            .map(|(position, pair)| {
                let key = match pair.value.as_pair() {
                    Some([key, _]) => Key::of(&key.value),
                    None => Key::Text(String::new()),
                };
                Self { key, earlier: 0, pair, position }
            })
            .collect();
        if !side.strict {
            entries.sort_by(|one, other| one.key.cmp(&other.key));
        }
        let mut seen: HashMap<Key, usize> = HashMap::new();
        for entry in &mut entries {
            let times = seen.entry(entry.key.clone()).or_default();
            entry.earlier = *times;
            *times += 1;
        }
        entries
    }

    /// Returns a number that is the same for the pair of another map with this key.
    pub(super) fn token(&self) -> u64 {
        hash(&(&self.key, self.earlier))
    }

    pub(super) fn step(&self) -> Step<'d> {
        Step::Named(match &self.key {
            Key::Number(_, text) | Key::Text(text) => text.clone(),
        })
    }
}

impl Key {
    /// Keys that are neither numbers nor strings are told apart by their order only.
    fn of(value: &Value) -> Self {
        let mark = show::type_mark(value);
        match value.as_integer() {
            Some(number) => Self::Number(number, format!("={number}{mark}")),
            None => Self::Text(show::value(value) + &mark),
        }
    }
}
