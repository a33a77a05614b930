//! Typed containers: how an engine treats elements that are not of the declared type.
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

use crate::dialect::{OtherElements, Quirks};
use crate::{ElementType, Object, Real, Variant, VariantString, VariantType};

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

/// Returns the elements of the engine's array of this type, and whether they differ from those that were read.
pub(super) fn assign<R: Real>(
    element: &ElementType,
    values: Vec<Variant<R>>,
    packed: bool,
    quirks: &Quirks,
) -> (Vec<Variant<R>>, bool) {
    if quirks.other_elements == OtherElements::LeftOut {
        return leave_out(element, values, packed);
    }
    if values.iter().all(|value| is_of(element, value)) {
        return (values, false);
    }
    (values.into_iter().filter_map(|value| as_element(element, value)).collect(), true)
}

/// Converts a value to an element of a container of this element type, as Godot 4 does, if it does.
pub(super) fn as_element<R: Real>(element: &ElementType, value: Variant<R>) -> Option<Variant<R>> {
    match element {
        _ if is_of(element, &value) => Some(value),
        ElementType::Builtin(VariantType::Object) => None,
        ElementType::Builtin(wanted) => convert::convert(value, *wanted),
        ElementType::Class(_) | ElementType::Script(_) | ElementType::Unknown(_) => None,
    }
}

/// Pandemonium: keeps only elements of exactly the declared type.
fn leave_out<R: Real>(
    element: &ElementType,
    values: Vec<Variant<R>>,
    packed: bool,
) -> (Vec<Variant<R>>, bool) {
    let count = values.len();
    let mut changed = false;
    let kept: Vec<_> = values
        .into_iter()
        .filter_map(|value| match (element, value) {
            // A packed array of nulls holds bools: the engine makes one of each null, and writes those.
            (ElementType::Builtin(VariantType::Nil), Variant::Nil) if packed => {
                changed = true;
                Some(Variant::Bool(false))
            }
            (element, value) => is_kept(element, &value, packed).then_some(value),
        })
        .collect();
    changed |= kept.len() != count;
    (kept, changed)
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
    Kind::of(value).is_of(element)
}

/// The properties of a value that decide whether it may be an element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'v> {
    /// No object.
    NullObject,
    /// An object by its number.
    ObjectId,
    /// An object in full, of this class.
    FullObject(&'v VariantString),
    /// A bool that is false.
    False,
    /// Any other value, of this type.
    Other(VariantType),
}

impl<'v> Kind<'v> {
    /// Returns the kind of a value.
    fn of<R: Real>(value: &'v Variant<R>) -> Self {
        let Variant::Object(object) = value else { return Self::Other(value.variant_type()) };
        match object {
            Object::Null => Self::NullObject,
            Object::Id(_) => Self::ObjectId,
            Object::Full(object) => Self::FullObject(&object.class),
        }
    }

    /// Returns whether a container of this element type accepts such a value unchanged.
    pub(super) fn is_of(self, element: &ElementType) -> bool {
        match (element, self) {
            (ElementType::Builtin(wanted), Self::False) => *wanted == VariantType::Bool,
            (ElementType::Class(_) | ElementType::Script(_), Self::False) => false,
            (ElementType::Builtin(VariantType::Object), Self::Other(other)) => {
                other == VariantType::Nil
            }
            (ElementType::Builtin(wanted), Self::Other(other)) => other == *wanted,
            (
                ElementType::Builtin(wanted),
                Self::NullObject | Self::ObjectId | Self::FullObject(_),
            ) => *wanted == VariantType::Object,
            (ElementType::Class(_) | ElementType::Script(_), Self::Other(other)) => {
                other == VariantType::Nil
            }
            (ElementType::Class(_) | ElementType::Script(_), Self::NullObject) => true,
            (ElementType::Class(class) | ElementType::Script(class), Self::ObjectId) => {
                is_ancestor_of_stand_in(class)
            }
            // Without the engine's class registry every object may be of a class derived from
            // the declared one; only those two are known to derive from few.
            (ElementType::Class(class) | ElementType::Script(class), Self::FullObject(own)) => {
                let name = own.as_bytes();
                !(name == b"RefCounted" || name == STAND_IN.as_bytes())
                    || class == own
                    || is_ancestor_of_stand_in(class)
            }
            // No value is of a type that does not exist.
            (ElementType::Unknown(_), _) => false,
        }
    }

    /// Returns whether the array that a dialect's engine reads keeps such a value unchanged.
    pub(super) fn stays(self, element: &ElementType, packed: bool, quirks: &Quirks) -> bool {
        let holds_bools = packed && *element == ElementType::Builtin(VariantType::Nil);
        if holds_bools && quirks.other_elements == OtherElements::LeftOut {
            return matches!(self, Self::False);
        }
        self.is_of(element)
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

    #[test]
    fn a_godot_array_leaves_out_the_elements_that_do_not_convert() {
        let quirks = crate::Dialect::GODOT4.quirks();
        let of = |variant_type, values| {
            assign(&ElementType::Builtin(variant_type), values, false, quirks)
        };
        // The answers of Godot 4.6.3: 5, 2.5, true, "x" and null as ints, and null, true as bools.
        let values = vec![
            Variant::<f32>::Int(5),
            Variant::Float(2.5),
            Variant::Bool(true),
            Variant::String("x".into()),
            Variant::Nil,
        ];
        let kept = vec![Variant::Int(5), Variant::Int(2), Variant::Int(1)];
        assert_eq!(of(VariantType::Int, values), (kept, true));
        let values = vec![Variant::<f32>::Nil, Variant::Bool(true)];
        assert_eq!(of(VariantType::Bool, values), (vec![Variant::Bool(true)], true));
        // Of a class, only objects and nulls stay.
        let class = ElementType::Class(VariantString::from(STAND_IN));
        let values = vec![Variant::<f32>::Int(5), Variant::Nil];
        assert_eq!(assign(&class, values, false, quirks), (vec![Variant::Nil], true));
    }
}
