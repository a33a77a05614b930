//! Typed containers: what an engine does with elements that are not of the declared type.

use crate::dialect::{Rules, TextStyle};
use crate::error::Rule;
use crate::variant::{ElementType, KeySet, Real, Variant, VariantString, VariantType};

/// The class that Godot puts in the place of every class where objects are not written in full.
const STAND_IN: &str = "EncodedObjectAsID";

/// What becomes of an element.
pub(super) enum Fit<R: Real> {
    /// It is of the type.
    Same(Variant<R>),
    /// It was turned into the type.
    Converted(Variant<R>),
    /// The engine complains and leaves it out.
    Dropped,
}

/// The element type that the engine's container ends up with.
///
/// `Err` holds a script path that the engine refuses.
pub(super) fn as_engine_keeps(
    element: ElementType,
    objects_allowed: bool,
) -> Result<ElementType, String> {
    let stand_in = || ElementType::Class(VariantString::from(STAND_IN));
    Ok(match element {
        // An object of any class.
        ElementType::Class(name) if objects_allowed && name.is_empty() => {
            ElementType::Builtin(VariantType::Object)
        }
        ElementType::Script(path) if objects_allowed => {
            if !path.as_bytes().starts_with(b"res://") {
                return Err(path.to_string());
            }
            ElementType::Script(path)
        }
        ElementType::Class(_) | ElementType::Script(_) if !objects_allowed => stand_in(),
        ElementType::Builtin(VariantType::Object) if !objects_allowed => stand_in(),
        kept => kept,
    })
}

/// What an engine makes of `value` as an element of a container of this type.
pub(super) fn fit<R: Real>(element: &ElementType, value: Variant<R>, rules: &Rules) -> Fit<R> {
    let wanted = match element {
        ElementType::Builtin(wanted) => *wanted,
        ElementType::Class(_) | ElementType::Script(_) => VariantType::Object,
        // No value is of a type that does not exist.
        ElementType::Unknown(_) => return Fit::Dropped,
    };
    let pandemonium = rules.text == TextStyle::Pandemonium;
    match (wanted, value) {
        (VariantType::Object, value @ (Variant::Nil | Variant::Object(_))) => Fit::Same(value),
        (VariantType::String, Variant::StringName(text)) if !pandemonium => {
            Fit::Converted(Variant::String(text))
        }
        (VariantType::StringName, Variant::String(text)) if !pandemonium => {
            Fit::Converted(Variant::StringName(text))
        }
        (wanted, value) if value.variant_type() == wanted => Fit::Same(value),
        _ => Fit::Dropped,
    }
}

/// Adds a pair to a dictionary that is being read; says which rule it bends, if one.
pub(super) fn insert_pair<R: Real>(
    pairs: &mut KeySet<R>,
    key: Variant<R>,
    value: Variant<R>,
    key_type: Option<&ElementType>,
    rules: &Rules,
) -> Option<Rule> {
    let mut bent = None;
    let key = match key_type {
        None => key,
        Some(wanted) => match fit(wanted, key, rules) {
            Fit::Same(key) => key,
            Fit::Converted(key) => {
                bent = Some(Rule::ContainerElement);
                key
            }
            Fit::Dropped => return Some(Rule::ContainerElement),
        },
    };
    if pairs.insert(key, value) {
        bent = Some(Rule::DictionaryKeys);
    }
    bent
}
