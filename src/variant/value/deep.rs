//! Copying, comparing and showing values that nest deeper than a stack reaches.

use std::cell::Cell;
use std::fmt;

use super::container::holds_values;
use super::{FullObject, Object, Real, TypedArray, Variant};

impl<R: Real> Clone for Variant<R> {
    fn clone(&self) -> Self {
        if !nests(self) {
            return self.clone_here();
        }
        let mut open = vec![Copying::of(self)];
        loop {
            let Some(innermost) = open.last_mut() else { return Self::Nil };
            match innermost.children.get(innermost.made.len()).copied() {
                Some(child) if nests(child) => open.push(Copying::of(child)),
                Some(child) => innermost.made.push(child.clone_here()),
                None => {
                    let Some(Copying { source, made, .. }) = open.pop() else { return Self::Nil };
                    let copy = with_children(source, made);
                    match open.last_mut() {
                        Some(outer) => outer.made.push(copy),
                        None => return copy,
                    }
                }
            }
        }
    }
}

impl<R: Real> PartialEq for Variant<R> {
    fn eq(&self, other: &Self) -> bool {
        all_through(self, other, Self::equals_here)
    }
}

/// Whether two values have the same shape and marks, and `same` holds for all in them that holds no
/// values itself.
pub(super) fn all_through<R: Real>(
    a: &Variant<R>,
    b: &Variant<R>,
    same: impl Fn(&Variant<R>, &Variant<R>) -> bool,
) -> bool {
    // What containers hold waits in a list, so that depth costs no stack.
    let mut waiting = Vec::new();
    let mut next = Some((a, b));
    while let Some((a, b)) = next {
        if !same_outside(a, b, &mut waiting).unwrap_or_else(|| same(a, b)) {
            return false;
        }
        next = waiting.pop();
    }
    true
}

/// Whether two containers are the same but for the values in them, which are left waiting; [`None`]
/// where the two are not containers of one kind.
fn same_outside<'v, R: Real>(
    a: &'v Variant<R>,
    b: &'v Variant<R>,
    waiting: &mut Vec<(&'v Variant<R>, &'v Variant<R>)>,
) -> Option<bool> {
    Some(match (a, b) {
        (Variant::Array(a), Variant::Array(b)) => {
            waiting.extend(a.iter().zip(b.iter()));
            a.len() == b.len() && a.has_marks_of(b)
        }
        (Variant::Dictionary(a), Variant::Dictionary(b)) => {
            for ((a_key, a_value), (b_key, b_value)) in a.iter().zip(b.iter()) {
                waiting.extend([(a_key, b_key), (a_value, b_value)]);
            }
            a.len() == b.len() && a.has_marks_of(b)
        }
        (Variant::TypedArray(a), Variant::TypedArray(b))
        | (Variant::PackedTypedArray(a), Variant::PackedTypedArray(b)) => {
            waiting.extend(a.elements.iter().zip(b.elements.iter()));
            a.elements.len() == b.elements.len()
                && a.elements.has_marks_of(&b.elements)
                && a.element == b.element
        }
        (Variant::Object(Object::Full(a)), Variant::Object(Object::Full(b))) => {
            let mut same = a.class == b.class && a.properties.len() == b.properties.len();
            for ((a_name, a), (b_name, b)) in a.properties.iter().zip(&b.properties) {
                same &= a_name == b_name;
                waiting.push((a, b));
            }
            same
        }
        _ => return None,
    })
}

/// A container that is being copied.
struct Copying<'v, R: Real> {
    source: &'v Variant<R>,
    children: Vec<&'v Variant<R>>,
    made: Vec<Variant<R>>,
}

impl<'v, R: Real> Copying<'v, R> {
    fn of(source: &'v Variant<R>) -> Self {
        let children = children(source);
        let made = Vec::with_capacity(children.len());
        Self { source, children, made }
    }
}

/// The values in a value, in their order.
fn children<R: Real>(value: &Variant<R>) -> Vec<&Variant<R>> {
    match value {
        Variant::Array(array) => array.iter().collect(),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
            typed.elements.iter().collect()
        }
        Variant::Dictionary(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
        Variant::Object(Object::Full(object)) => {
            object.properties.iter().map(|(_, value)| value).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a value holds values that hold values.
fn nests<R: Real>(value: &Variant<R>) -> bool {
    match value {
        Variant::Array(array) => array.iter().any(holds_values),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
            typed.elements.iter().any(holds_values)
        }
        Variant::Dictionary(pairs) => {
            pairs.iter().any(|(key, value)| holds_values(key) || holds_values(value))
        }
        Variant::Object(Object::Full(object)) => {
            object.properties.iter().any(|(_, value)| holds_values(value))
        }
        _ => false,
    }
}

/// A copy of a container around copies of what it holds.
fn with_children<R: Real>(source: &Variant<R>, made: Vec<Variant<R>>) -> Variant<R> {
    let typed = |typed: &TypedArray<R>, made| {
        let elements = typed.elements.with_elements(made);
        Box::new(TypedArray { element: typed.element.clone(), elements })
    };
    match source {
        Variant::Array(array) => Variant::Array(array.with_elements(made)),
        Variant::TypedArray(source) => Variant::TypedArray(typed(source, made)),
        Variant::PackedTypedArray(source) => Variant::PackedTypedArray(typed(source, made)),
        Variant::Dictionary(pairs) => {
            let mut made = made.into_iter();
            let copies = std::iter::from_fn(|| Some((made.next()?, made.next()?)));
            Variant::Dictionary(pairs.with_elements(copies.collect()))
        }
        Variant::Object(Object::Full(object)) => {
            let names = object.properties.iter().map(|(name, _)| name.clone());
            let properties = names.zip(made).collect();
            let copy = FullObject { class: object.class.clone(), properties };
            Variant::Object(Object::Full(Box::new(copy)))
        }
        other => other.clone_here(),
    }
}

thread_local! {
    /// How many containers the `Debug` output is inside of.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Shows what a container holds, unless that lies too deep.
pub(super) fn debug_inside(
    f: &mut fmt::Formatter<'_>,
    show: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    /// Few enough for a small stack, more than anyone reads.
    const DEEPEST: u32 = 64;

    /// Counts back, also where showing panics.
    struct Back(u32);

    impl Drop for Back {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }

    let back = Back(INSIDE.get());
    if back.0 == DEEPEST {
        return f.write_str("[..]");
    }
    INSIDE.set(back.0 + 1);
    show(f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Array, Dictionary, ElementType, VariantType};

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
