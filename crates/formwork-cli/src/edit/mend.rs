//! Reverts the differences between an old and a new value that only the program between them made.

use std::collections::HashMap;

use formwork_variant::Dialect;
use formwork_variant::edit::{Place, Step};
use formwork_variant::{Array, Container, ContainerMut, Real, Variant};

use super::keys;

/// A value of the old file, and the new value in its place.
pub(crate) struct Pair<'v, 'n, R: Real> {
    steps: Vec<Step>,
    pub(crate) old: &'v Variant<R>,
    pub(crate) new: &'n mut Variant<R>,
    /// Whether the two values certainly correspond: not so in arrays of different lengths.
    pub(crate) is_sure: bool,
}

/// Calls `see` for each pair of values that differ, containers before their elements. Entries of
/// dictionaries are matched by key, elements of arrays by position. Restores the order of
/// dictionaries, and returns the places of those.
pub(crate) fn side_by_side<R: Real>(
    old: &Variant<R>,
    new: &mut Variant<R>,
    dialect: Dialect,
    mut see: impl FnMut(&mut Pair<'_, '_, R>),
) -> Vec<Place> {
    let mut put_in_order = Vec::new();
    let mut waiting = Waiting(Vec::new());
    waiting.add(Pair { steps: Vec::new(), old, new, is_sure: true });
    // (A list instead of recursion: depth needs no stack.)
    while let Some(mut pair) = waiting.0.pop() {
        see(&mut pair);
        let Pair { steps, old, new, is_sure } = pair;
        let (Some(old), Some(new)) = (old.container(), new.container_mut()) else { continue };
        let inside = |step| steps.iter().copied().chain([step]).collect();
        let before = waiting.0.len();
        match (old, new) {
            (Container::Array(old), ContainerMut::Array(new)) => {
                waiting.add_elements(old, new, is_sure, inside);
            }
            (
                Container::TypedArray(old) | Container::PackedTypedArray(old),
                ContainerMut::Array(new),
            ) => waiting.add_elements(&old.elements, new, is_sure, inside),
            (Container::Dictionary(old), ContainerMut::Dictionary(new)) => {
                let mut aligned = keys::align(old, new, dialect);
                if keys::restore_order(new, &mut aligned) {
                    put_in_order.push(steps.clone().into());
                }
                for (at, ((key, value), from)) in new.iter_mut().zip(aligned).enumerate() {
                    let from = from.and_then(|from| old.as_slice().get(from));
                    let Some((old_key, old)) = from else { continue };
                    let steps = inside(Step::Key(at));
                    waiting.add(Pair { steps, old: old_key, new: key, is_sure });
                    waiting.add(Pair { steps: inside(Step::Value(at)), old, new: value, is_sure });
                }
            }
            (Container::Object(old), ContainerMut::Object(new)) if old.class == new.class => {
                let by_name: HashMap<_, _> =
                    old.properties.iter().rev().map(|(name, value)| (name, value)).collect();
                for (at, (name, new)) in new.properties.iter_mut().enumerate() {
                    let Some(old) = by_name.get(name) else { continue };
                    waiting.add(Pair { steps: inside(Step::Property(at)), old, new, is_sure });
                }
            }
            _ => {}
        }
        // The list is a stack: the first pair is popped first.
        waiting.0[before..].reverse();
    }
    put_in_order
}

/// Pairs that are not handled yet.
struct Waiting<'v, 'n, R: Real>(Vec<Pair<'v, 'n, R>>);

impl<'v, 'n, R: Real> Waiting<'v, 'n, R> {
    fn add(&mut self, pair: Pair<'v, 'n, R>) {
        if !pair.old.is_identical(pair.new) {
            self.0.push(pair);
        }
    }

    fn add_elements(
        &mut self,
        old: &'v Array<R>,
        new: &'n mut Array<R>,
        is_sure: bool,
        inside: impl Fn(Step) -> Vec<Step>,
    ) {
        let is_sure = is_sure && old.len() == new.len();
        for (at, (old, new)) in old.iter().zip(new.iter_mut()).enumerate() {
            self.add(Pair { steps: inside(Step::Element(at)), old, new, is_sure });
        }
    }
}

impl<R: Real> Pair<'_, '_, R> {
    /// Converts an int in the place of a float to a float: other programs, and people, write 11.0
    /// as 11. Returns the place if it did.
    pub(crate) fn keep_float(&mut self) -> Option<Place> {
        let (Variant::Float(_), &Variant::Int(number)) = (self.old, &*self.new) else {
            return None;
        };
        let float = number as f64;
        if float as i128 != i128::from(number) {
            return None;
        }
        *self.new = Variant::Float(float);
        Some(self.steps.clone().into())
    }
}
