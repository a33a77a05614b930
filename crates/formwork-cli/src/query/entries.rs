//! The entries of dictionaries, in their order, found by key.

use std::hash::{Hash, Hasher};

use formwork_variant::Real;
use indexmap::IndexMap;

use super::value::{TextKind, Value};

/// Keys and values in their order.
#[derive(Clone)]
pub(super) struct Entries<R: Real>(IndexMap<Key<R>, Value<R>>);

impl<R: Real> Default for Entries<R> {
    fn default() -> Self {
        Self(IndexMap::new())
    }
}

/// A key. A file may have one twice; the second is then number 1.
#[derive(Clone)]
struct Key<R: Real> {
    value: Value<R>,
    number: u32,
}

impl<R: Real> Hash for Key<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.value).hash(state);
        self.number.hash(state);
        match &self.value {
            Value::Bool(bool) => bool.hash(state),
            Value::Int(number) => number.hash(state),
            Value::Long(digits) => digits.hash(state),
            Value::Float(number) => number.to_bits().hash(state),
            Value::Text(text) => text.text.as_bytes().hash(state),
            // Those are rare as keys.
            Value::Nil | Value::List(_) | Value::Map(_) | Value::Native(_) => {}
        }
    }
}

impl<R: Real> PartialEq for Key<R> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
            && match (&self.value, &other.value) {
                (Value::Text(one), Value::Text(other)) => {
                    one.text == other.text
                        && std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind)
                }
                (one, other) => one.is_identical(other),
            }
    }
}

impl<R: Real> Eq for Key<R> {}

impl<R: Real> Entries<R> {
    /// Adds an entry, even where the key is there already.
    pub(super) fn push(&mut self, key: Value<R>, value: Value<R>) {
        let mut key = Key { value: key, number: 0 };
        while self.0.contains_key(&key) {
            key.number += 1;
        }
        self.0.insert(key, value);
    }

    /// Adds an entry, or gives the one that is there another value.
    pub(super) fn set(&mut self, key: Value<R>, value: Value<R>) {
        match self.position(&key) {
            Some(at) => self.0[at] = value,
            None => self.push(key, value),
        }
    }

    /// Returns the position of the entry with this key. A text finds names and paths, too, and a whole number the float
    /// of this value, where no key is exactly so.
    pub(super) fn position(&self, key: &Value<R>) -> Option<usize> {
        let exact = |value: Value<R>| self.0.get_index_of(&Key { value, number: 0 });
        exact(key.clone()).or_else(|| match key {
            Value::Text(text) => {
                let same = |kind| {
                    let text = super::value::Text { text: text.text.clone(), kind };
                    exact(Value::Text(text.into()))
                };
                same(TextKind::String)
                    .or_else(|| same(TextKind::StringName))
                    .or_else(|| same(TextKind::NodePath(Default::default())))
            }
            Value::Int(number) => exact(Value::Float(*number as f64)),
            // A float of fewer digits is another key.
            Value::Long(_) => {
                let float = key.float().map(Value::Float);
                float.filter(|it| it.cmp(key).is_eq()).and_then(exact)
            }
            Value::Float(_) => key.whole().and_then(|number| exact(Value::Int(number))),
            _ => None,
        })
    }

    /// Returns the value of the entry with this key.
    pub(super) fn get(&self, key: &Value<R>) -> Option<&Value<R>> {
        self.position(key).and_then(|at| self.0.get_index(at)).map(|(_, value)| value)
    }

    /// Gives the entry at a position another value.
    pub(super) fn put(&mut self, at: usize, value: Value<R>) {
        if let Some((_, old)) = self.0.get_index_mut(at) {
            *old = value;
        }
    }

    /// Removes the entry at a position; those after it move up.
    pub(super) fn remove(&mut self, at: usize) {
        self.0.shift_remove_index(at);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&Value<R>, &Value<R>)> {
        self.0.iter().map(|(key, value)| (&key.value, value))
    }
}

impl<R: Real> FromIterator<(Value<R>, Value<R>)> for Entries<R> {
    fn from_iter<I: IntoIterator<Item = (Value<R>, Value<R>)>>(pairs: I) -> Self {
        let mut entries = Self::default();
        pairs.into_iter().for_each(|(key, value)| entries.set(key, value));
        entries
    }
}
