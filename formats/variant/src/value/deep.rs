//! Copying and comparing values that nest deeper than a stack reaches.

use super::container::nests;
use super::walk::{Event, Walk, all_alike};
use super::{Builder, Front, Making, Real, Variant};

impl<R: Real> Clone for Variant<R> {
    fn clone(&self) -> Self {
        if !nests(self) {
            return self.clone_here();
        }
        let mut walk = Walk::<R>::new(self);
        let mut builder = Builder::<R>::new();
        while let Some(event) = walk.next() {
            if let Event::Property(name, _) = event
                && let Some((object, ())) = builder.innermost()
            {
                object.name(name.clone());
            }
            let copy = match event.value() {
                Some(value) => match value.container().filter(|_| nests(value)) {
                    Some(container) => {
                        let making = Making::new(Front::of(container), container.len(), None);
                        builder.open(making, ());
                        walk.enter(container, ());
                        None
                    }
                    None => Some(value.clone_here()),
                },
                None => builder.close().map(|(copy, ())| copy.finish()),
            };
            if let Some(whole) = copy.and_then(|copy| builder.put(copy)) {
                return whole;
            }
        }
        Self::Nil
    }
}

impl<R: Real> PartialEq for Variant<R> {
    fn eq(&self, other: &Self) -> bool {
        all_through(self, other, Self::equals_here)
    }
}

/// Returns whether two values have the same shape and marks, and `same` holds for all in them that holds no
/// values itself.
pub(super) fn all_through<R: Real>(
    a: &Variant<R>,
    b: &Variant<R>,
    same: impl Fn(&Variant<R>, &Variant<R>) -> bool,
) -> bool {
    all_alike(a, b, |a, b, _| match (a.container(), b.container()) {
        (Some(a), Some(b)) => a.has_front_of(b),
        (None, None) => same(a, b),
        (Some(_), None) | (None, Some(_)) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, Dictionary, ElementType, FullObject, Object, VariantType};

    fn nested(depth: u32) -> Variant {
        let mut value = Variant::Int(7);
        for level in 0..depth {
            value = match level % 4 {
                0 => Variant::Array(vec![value, Variant::Nil].into()),
                1 => Variant::Dictionary(vec![(value, Variant::Bool(true))].into()),
                2 => {
                    let mut array = Array::from(vec![value]);
                    array.set_element_type(Some(ElementType::Builtin(VariantType::Object)));
                    Variant::Array(array)
                }
                _ => {
                    let properties = vec![("held".into(), value)];
                    let object = FullObject { class: "Node".into(), properties };
                    Variant::Object(Object::Full(Box::new(object)))
                }
            };
        }
        value
    }

    #[test]
    fn deep_values_are_copied_compared_and_shown_on_a_small_stack() {
        let small = || {
            let value = nested(20_000);
            let copy = value.clone();
            assert!(copy == value);
            assert!(copy.is_identical(&value));
            assert!(copy != nested(19_999));
            assert!(format!("{value:?}").contains("[..]"));
        };
        let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(small);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn copies_keep_marks() {
        let mut pairs = Dictionary::<f32>::from(vec![(Variant::Int(1), nested(3))]);
        pairs.set_shared(true);
        pairs.set_types(None, Some(ElementType::Class("Node".into())));
        let value = Variant::Array(vec![Variant::Dictionary(pairs)].into());
        assert!(value.clone().is_identical(&value));
        let mut other = value.clone();
        if let Some(Variant::Dictionary(pairs)) = other.get_mut(0) {
            pairs.set_shared(false);
        }
        assert_ne!(other, value);
    }
}
