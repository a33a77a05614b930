//! Assignment of values to containers: typed containers convert or refuse values, and dictionaries hold each
//! key once.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::convert::convert;
use super::key::key_bytes;
use super::types::{Engine, Type};
use super::value::{Element, Value};
use crate::defect::{Defect, defect};

/// The class of every object if objects are not in full form.
const STAND_IN: &[u8] = b"EncodedObjectAsID";

/// Returns the element type that the engine's container ends up with.
pub(crate) fn kept(element: Element) -> Option<Element> {
    match element {
        Element::Builtin(Type::Nil) => None,
        element if defect(Defect::TypedClassKept) => Some(element),
        Element::Builtin(Type::Object) | Element::Class(_) | Element::Script(_) => {
            Some(Element::Class(STAND_IN.to_vec()))
        }
        builtin => Some(builtin),
    }
}

fn is_of(element: &Element, value: &Value) -> bool {
    match element {
        Element::Builtin(of) => value.type_of() == *of,
        Element::Class(_) | Element::Script(_) => matches!(value, Value::Nil | Value::Object(_)),
    }
}

/// Returns the value as a container of this element type takes it, or [`None`] if the container refuses it.
fn taken(element: &Element, value: Value) -> Option<Value> {
    match element {
        _ if is_of(element, &value) => Some(value),
        Element::Builtin(_) if defect(Defect::TypedNotConverted) => None,
        Element::Builtin(wanted) => convert(value, *wanted),
        Element::Class(_) | Element::Script(_) => None,
    }
}

/// Returns the elements of a typed array, converted where needed. Elements that do not convert are left out.
pub(crate) fn assign(element: &Element, values: Vec<Value>) -> Vec<Value> {
    let count = values.len();
    let kept: Vec<_> = values.into_iter().filter_map(|value| taken(element, value)).collect();
    if defect(Defect::TypedOneEmpties) && kept.len() != count { Vec::new() } else { kept }
}

/// The pairs of a dictionary under construction. A repeated key gets the later value and keeps the earlier
/// position.
pub(crate) struct Entries {
    engine: Engine,
    key: Option<Element>,
    pairs: Vec<(Value, Value)>,
    /// Positions by the bytes of the key, filled from the second pair on.
    index: HashMap<Vec<u8>, usize>,
}

impl Entries {
    pub(crate) fn new(engine: Engine, key: Option<Element>) -> Self {
        Self { engine, key, pairs: Vec::new(), index: HashMap::new() }
    }

    pub(crate) fn insert(&mut self, key: Value, value: Value) {
        let Some(key) = self.typed(key) else { return };
        let key = match key {
            Value::Int(number) if defect(Defect::KeyIntText) => {
                Value::String(number.to_string().into_bytes())
            }
            key => key,
        };
        if defect(Defect::KeyProto) && matches!(&key, Value::String(text) if text == b"__proto__") {
            return;
        }
        if defect(Defect::KeyNullDropped) && matches!(key, Value::Nil) {
            return;
        }
        if defect(Defect::DuplicatesKept) {
            return self.pairs.push((key, value));
        }
        if defect(Defect::KeysQuadratic) {
            let bytes = |key: &Value| {
                let mut bytes = Vec::new();
                key_bytes(self.engine, key, &mut bytes).then_some(bytes)
            };
            let known = bytes(&key).and_then(|wanted| {
                self.pairs.iter().position(|(key, _)| bytes(key).is_some_and(|key| key == wanted))
            });
            match known {
                Some(position) => self.pairs[position].1 = value,
                None => self.pairs.push((key, value)),
            }
            return;
        }
        match self.enter(&key) {
            None => self.pairs.push((key, value)),
            Some(_) if defect(Defect::DuplicateFirstWins) => {}
            Some(position) if defect(Defect::DuplicateMoved) => {
                let moved = self.pairs.remove(position).0;
                for at in self.index.values_mut() {
                    match (*at).cmp(&position) {
                        Ordering::Less => {}
                        Ordering::Equal => *at = self.pairs.len(),
                        Ordering::Greater => *at -= 1,
                    }
                }
                self.pairs.push((moved, value));
            }
            Some(position) if defect(Defect::DuplicateNewKey) => {
                self.pairs[position] = (key, value);
            }
            Some(position) => self.pairs[position].1 = value,
        }
    }

    /// Returns the key as a typed dictionary takes it, or [`None`] if the dictionary refuses it.
    fn typed(&self, key: Value) -> Option<Value> {
        match &self.key {
            Some(element) if !defect(Defect::TypedKeysUnchecked) => taken(element, key),
            _ => Some(key),
        }
    }

    /// Returns the position of the same key. A new key is entered at the next position.
    fn enter(&mut self, key: &Value) -> Option<usize> {
        if self.pairs.is_empty() {
            return None;
        }
        let mut bytes = Vec::new();
        if self.pairs.len() == 1 && key_bytes(self.engine, &self.pairs[0].0, &mut bytes) {
            self.index.insert(std::mem::take(&mut bytes), 0);
        }
        bytes.clear();
        if !key_bytes(self.engine, key, &mut bytes) {
            return None;
        }
        let next = self.pairs.len();
        let position = *self.index.entry(bytes).or_insert(next);
        (position < next).then_some(position)
    }

    pub(crate) fn into_pairs(mut self) -> Vec<(Value, Value)> {
        if defect(Defect::DictionarySorted) {
            self.pairs.sort_by_cached_key(|(key, _)| {
                let mut bytes = Vec::new();
                key_bytes(self.engine, key, &mut bytes);
                bytes
            });
        }
        self.pairs
    }
}
