//! The values that an engine keeps of those that it reads into a container: of repeated keys, and of elements and keys
//! that are not of the declared type.
//!
//! Godot 4 converts single elements of a typed array, and omits those that it cannot convert (it prints an error for
//! each). A typed dictionary does the same with its keys and does not check its values. Pandemonium omits every
//! element of another type. (Source: the answers of Godot 4.6.3 and Pandemonium in `formats/*/golden`;
//! `typed_elements.tsv` there has those of 4.6.3 for each pair of types.)

#![deny(clippy::wildcard_enum_match_arm)]

mod color;
mod convert;
mod list;
mod shown;

use crate::codec::rule;
use crate::dialect::{OtherElements, Quirks};
use crate::{ElementType, Making, Object, Real, Variant, VariantString, VariantType};
use formwork::Rule;

/// The class that the engine gives an object stored as an id.
pub(super) const STAND_IN: &str = "EncodedObjectAsID";

/// The element type that the engine's container ends up with; [`None`] is an untyped one.
///
/// `Err` holds a script path that the engine refuses.
pub(super) fn as_engine_keeps(
    element: ElementType,
    objects_allowed: bool,
) -> Result<Option<ElementType>, String> {
    Ok(Some(match element {
        ElementType::Builtin(VariantType::Nil) => return Ok(None),
        ElementType::Builtin(VariantType::Object)
        | ElementType::Class(_)
        | ElementType::Script(_)
            if !objects_allowed =>
        {
            // Godot 4 replaces every other class by this one if objects are not in full form.
            ElementType::Class(VariantString::from(STAND_IN))
        }
        // An object of any class.
        ElementType::Class(name) if name.is_empty() => ElementType::Builtin(VariantType::Object),
        ElementType::Script(path) if !path.as_bytes().starts_with(b"res://") => {
            return Err(path.to_string());
        }
        kept @ (ElementType::Builtin(_)
        | ElementType::Class(_)
        | ElementType::Script(_)
        | ElementType::Unknown(_)) => kept,
    }))
}

/// Puts a value that was read into a container: a key that is not of the declared type becomes one, or its pair is left
/// out, and a repeated key gives its value to the first. Returns the rule that the pair breaks, if any.
#[inline(always)]
pub(super) fn put<R: Real>(container: &mut Making<R>, value: Variant<R>) -> Option<Rule> {
    if container.front.types[0].is_none() {
        return container.put(value).map(|_| rule::DICTIONARY_KEYS);
    }
    put_typed(container, value)
}

#[inline(never)]
fn put_typed<R: Real>(container: &mut Making<R>, value: Variant<R>) -> Option<Rule> {
    let mut broken = None;
    let has_its_key = container.change_key(|front, key| match front.first_type() {
        Some(wanted) if !is_of(wanted, &key) => {
            broken = Some(rule::CONTAINER_ELEMENT);
            as_element(wanted, key)
        }
        _ => Some(key),
    });
    if has_its_key && container.put(value).is_some() {
        broken = Some(rule::DICTIONARY_KEYS);
    }
    broken
}

/// Makes the engine's container of one that was read to its end. Returns whether it has other elements.
#[inline(never)]
pub(super) fn keep<R: Real>(made: Making<R>, quirks: &Quirks) -> (Variant<R>, bool) {
    let mut container = made.finish();
    let others = if let Variant::Array(elements) = &mut container
        && let Some(wanted) = elements.element_type().cloned()
    {
        keep_elements(&wanted, elements, false, quirks)
    } else if let Variant::TypedArray(typed) = &mut container {
        keep_elements(&typed.element, &mut typed.elements, false, quirks)
    } else if let Variant::PackedTypedArray(typed) = &mut container {
        keep_elements(&typed.element, &mut typed.elements, true, quirks)
    } else {
        false
    };
    (container, others)
}

/// Keeps the elements of an array of this type. Returns whether there were others.
fn keep_elements<R: Real>(
    wanted: &ElementType,
    elements: &mut Vec<Variant<R>>,
    packed: bool,
    quirks: &Quirks,
) -> bool {
    if elements.iter().all(|element| is_kept(wanted, element, packed)) {
        return false;
    }
    match quirks.other_elements {
        OtherElements::Converted => {
            let all = std::mem::take(elements).into_iter();
            *elements = all.filter_map(|element| as_element(wanted, element)).collect();
        }
        // Only those of exactly the declared type stay.
        OtherElements::LeftOut => elements.retain_mut(|element| {
            // A packed array of nulls holds bools: the engine makes one of each null, and writes those.
            if packed && *wanted == ElementType::Builtin(VariantType::Nil) && element.is_nil() {
                *element = Variant::Bool(false);
            }
            is_kept(wanted, element, packed)
        }),
    }
    true
}

/// Converts a value to an element of a container of this element type, as Godot 4 does, if it does.
fn as_element<R: Real>(element: &ElementType, value: Variant<R>) -> Option<Variant<R>> {
    match element {
        _ if is_of(element, &value) => Some(value),
        ElementType::Builtin(VariantType::Object) => None,
        ElementType::Builtin(wanted) => convert::convert(value, *wanted),
        ElementType::Class(_) | ElementType::Script(_) | ElementType::Unknown(_) => None,
    }
}

/// Returns whether the engine's array of this type keeps the value unchanged when it is read.
pub(super) fn is_kept<R: Real>(element: &ElementType, value: &Variant<R>, packed: bool) -> bool {
    if packed && *element == ElementType::Builtin(VariantType::Nil) {
        return matches!(value, Variant::Bool(false));
    }
    is_of(element, value)
}

/// Returns whether a container of this element type accepts the value unchanged.
#[must_use]
pub fn is_of<R: Real>(element: &ElementType, value: &Variant<R>) -> bool {
    let object = if let Variant::Object(object) = value { Some(object) } else { None };
    match (element, object) {
        // No value is of a type that does not exist.
        (ElementType::Unknown(_), _) => false,
        (ElementType::Builtin(wanted), Some(_)) => *wanted == VariantType::Object,
        (ElementType::Builtin(VariantType::Object), None) => value.is_nil(),
        (ElementType::Builtin(wanted), None) => *wanted == value.variant_type(),
        (ElementType::Class(_) | ElementType::Script(_), None) => value.is_nil(),
        (ElementType::Class(_) | ElementType::Script(_), Some(Object::Null)) => true,
        (ElementType::Class(class) | ElementType::Script(class), Some(Object::Id(_))) => {
            is_ancestor_of_stand_in(class)
        }
        // Without the engine's class registry every object may be of a class derived from the declared one; only
        // those two are known to derive from few.
        (ElementType::Class(class) | ElementType::Script(class), Some(Object::Full(object))) => {
            let name = object.class.as_bytes();
            !(name == b"RefCounted" || name == STAND_IN.as_bytes())
                || *class == object.class
                || is_ancestor_of_stand_in(class)
        }
    }
}

/// Returns whether the class is one of the placeholder object's, which derives from RefCounted. (In Pandemonium that
/// class is called Reference.)
fn is_ancestor_of_stand_in(class: &VariantString) -> bool {
    matches!(class.as_bytes(), b"Object" | b"RefCounted" | b"Reference") || *class == STAND_IN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(element: &ElementType, mut values: Vec<Variant<f32>>) -> (Vec<Variant<f32>>, bool) {
        let quirks = crate::Dialect::GODOT4.quirks();
        let others = keep_elements(element, &mut values, false, quirks);
        (values, others)
    }

    #[test]
    fn a_godot_array_leaves_out_the_elements_that_do_not_convert() {
        let of = |variant_type, values| kept(&ElementType::Builtin(variant_type), values);
        // The answers of Godot 4.6.3: 5, 2.5, true, "x" and null as ints, and null, true as bools.
        let values = vec![
            Variant::Int(5),
            Variant::Float(2.5),
            Variant::Bool(true),
            Variant::String("x".into()),
            Variant::Nil,
        ];
        let ints = vec![Variant::Int(5), Variant::Int(2), Variant::Int(1)];
        assert_eq!(of(VariantType::Int, values), (ints, true));
        let values = vec![Variant::Nil, Variant::Bool(true)];
        assert_eq!(of(VariantType::Bool, values), (vec![Variant::Bool(true)], true));
        // Of a class, only objects and nulls stay.
        let class = ElementType::Class(VariantString::from(STAND_IN));
        assert_eq!(kept(&class, vec![Variant::Int(5), Variant::Nil]), (vec![Variant::Nil], true));
    }
}
