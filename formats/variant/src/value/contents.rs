//! The contents of a container, taken out of it.

use std::vec::IntoIter;

use super::{Array, Object, Real, Variant, VariantString};

/// The values that a container held, one after another.
pub enum Contents<R: Real> {
    /// The elements of an array of any kind.
    Elements(IntoIter<Variant<R>>),
    /// The pairs, and the value whose key came last.
    Pairs(IntoIter<(Variant<R>, Variant<R>)>, Option<Variant<R>>),
    /// The properties of an object, with their names.
    Properties(IntoIter<(VariantString, Variant<R>)>),
}

impl<R: Real> Contents<R> {
    /// Takes the contents out of a value.
    pub fn of(value: Variant<R>) -> Self {
        if let Variant::Dictionary(pairs) = value {
            return Self::Pairs(pairs.into_vec().into_iter(), None);
        }
        if let Variant::Object(Object::Full(object)) = value {
            return Self::Properties(object.into_parts().1.into_iter());
        }
        let elements = if let Variant::Array(array) = value {
            array
        } else if let Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) = value {
            typed.elements
        } else {
            Array::new()
        };
        Self::Elements(elements.into_vec().into_iter())
    }

    /// Returns the next value, and the name of the property that it is.
    #[allow(clippy::should_implement_trait, reason = "nobody needs more than the next entry")]
    pub fn next(&mut self) -> Option<(Variant<R>, Option<VariantString>)> {
        match self {
            Self::Elements(elements) => elements.next().map(|value| (value, None)),
            Self::Pairs(pairs, waiting) => {
                if let Some(value) = waiting.take() {
                    return Some((value, None));
                }
                let (key, value) = pairs.next()?;
                *waiting = Some(value);
                Some((key, None))
            }
            Self::Properties(properties) => {
                properties.next().map(|(name, value)| (value, Some(name)))
            }
        }
    }

    /// Returns the number of elements, pairs or properties.
    #[allow(clippy::len_without_is_empty, reason = "the number is a capacity")]
    pub fn len(&self) -> usize {
        match self {
            Self::Elements(elements) => elements.len(),
            Self::Pairs(pairs, _) => pairs.len(),
            Self::Properties(properties) => properties.len(),
        }
    }

    /// Returns the English noun for the contents.
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Elements(_) => "elements",
            Self::Pairs(..) => "pairs",
            Self::Properties(_) => "properties",
        }
    }
}
