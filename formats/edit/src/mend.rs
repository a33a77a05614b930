//! Reverts the differences between an old and a new value that only the program between them made.

use std::collections::HashMap;

use super::{Place, Step, keys};
use formwork_variant::{Array, Container, ContainerMut, Dialect, Real, Variant};

/// The places that [`mend`] restored.
#[derive(Clone, Debug, Default)]
pub struct Mended {
    /// The places of ints that are floats again.
    pub floats: Vec<Place>,
    /// The places of dictionaries whose order of keys was restored.
    pub in_order: Vec<Place>,
}

/// Restores floats and the order of keys that a new value lost in a program between it and the old one. Other programs,
/// and people, write 11.0 as 11, and put keys into another order. Entries of dictionaries are matched by key, elements of
/// arrays by position.
///
/// ```
/// use formwork_edit::mend;
/// use formwork_variant::{Dialect, variant};
///
/// let old = variant!({ "speed": 1.5, "gold": 3 });
/// let mut new = variant!({ "gold": 4, "speed": 2 });
/// mend(&old, &mut new, Dialect::GODOT4);
/// assert_eq!(new, variant!({ "speed": 2.0, "gold": 4 }));
/// ```
pub fn mend<R: Real>(old: &Variant<R>, new: &mut Variant<R>, dialect: Dialect) -> Mended {
    let mut mended = Mended::default();
    let mut waiting = Waiting(Vec::new());
    waiting.add(Pair { place: Place::default(), old, new });
    // (A list instead of recursion: depth needs no stack.)
    while let Some(mut pair) = waiting.0.pop() {
        mended.floats.extend(pair.keep_float());
        let Pair { place, old, new } = pair;
        let (Some(old), Some(new)) = (old.container(), new.container_mut()) else { continue };
        let inside = |step| place.inside(step);
        let before = waiting.0.len();
        match (old, new) {
            (Container::Array(old), ContainerMut::Array(new)) => {
                waiting.add_elements(old, new, inside);
            }
            (
                Container::TypedArray(old) | Container::PackedTypedArray(old),
                ContainerMut::Array(new),
            ) => waiting.add_elements(&old.elements, new, inside),
            (Container::Dictionary(old), ContainerMut::Dictionary(new)) => {
                let mut aligned = keys::align(old, new, dialect);
                if keys::restore_order(new, &mut aligned) {
                    mended.in_order.push(place.clone());
                }
                for (at, ((key, value), from)) in new.iter_mut().zip(aligned).enumerate() {
                    let from = from.and_then(|from| old.as_slice().get(from));
                    let Some((old_key, old)) = from else { continue };
                    waiting.add(Pair { place: inside(Step::Key(at)), old: old_key, new: key });
                    waiting.add(Pair { place: inside(Step::Value(at)), old, new: value });
                }
            }
            (Container::Object(old), ContainerMut::Object(new)) if old.class == new.class => {
                let by_name: HashMap<_, _> =
                    old.properties.iter().rev().map(|(name, value)| (name, value)).collect();
                for (at, (name, new)) in new.properties.iter_mut().enumerate() {
                    let Some(old) = by_name.get(name) else { continue };
                    waiting.add(Pair { place: inside(Step::Property(at)), old, new });
                }
            }
            _ => {}
        }
        // The list is a stack: the first pair is popped first.
        waiting.0[before..].reverse();
    }
    mended
}

/// A value of the old file, and the new value in its place.
struct Pair<'v, 'n, R: Real> {
    place: Place,
    old: &'v Variant<R>,
    new: &'n mut Variant<R>,
}

/// Pairs that are not handled yet.
struct Waiting<'v, 'n, R: Real>(Vec<Pair<'v, 'n, R>>);

impl<'v, 'n, R: Real> Waiting<'v, 'n, R> {
    fn add(&mut self, pair: Pair<'v, 'n, R>) {
        // Containers are not compared: each level of nested ones would be compared anew.
        let holds_values = pair.new.container().is_some();
        if holds_values || !pair.old.is_identical(pair.new) {
            self.0.push(pair);
        }
    }

    fn add_elements(
        &mut self,
        old: &'v Array<R>,
        new: &'n mut Array<R>,
        inside: impl Fn(Step) -> Place,
    ) {
        for (at, (old, new)) in old.iter().zip(new.iter_mut()).enumerate() {
            self.add(Pair { place: inside(Step::Element(at)), old, new });
        }
    }
}

impl<R: Real> Pair<'_, '_, R> {
    /// Converts an int in the place of a float to a float: other programs, and people, write 11.0
    /// as 11. Returns the place if it did.
    fn keep_float(&mut self) -> Option<Place> {
        let (Variant::Float(_), &Variant::Int(number)) = (self.old, &*self.new) else {
            return None;
        };
        let float = number as f64;
        if float as i128 != i128::from(number) {
            return None;
        }
        *self.new = Variant::Float(float);
        Some(self.place.clone())
    }
}
