//! Looking into a value: deep lookups in one line.

use super::{Array, Dictionary, Object, Real, Variant, VariantString};

/// What a step of a lookup can be: a dictionary key or property name (`&str`), or a position in an
/// array or integer key of a dictionary (`usize`).
pub trait Index: Copy {
    /// The element of `value` at this step.
    fn of<R: Real>(self, value: &Variant<R>) -> Option<&Variant<R>>;

    /// The same, to change it.
    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>>;
}

impl Index for &str {
    fn of<R: Real>(self, value: &Variant<R>) -> Option<&Variant<R>> {
        match value {
            Variant::Dictionary(dictionary) => dictionary.get(self),
            Variant::Object(Object::Full(object)) => object.property(self),
            _ => None,
        }
    }

    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>> {
        match value {
            Variant::Dictionary(dictionary) => dictionary.get_mut(self),
            Variant::Object(Object::Full(object)) => {
                let mut properties = object.properties.iter_mut();
                properties.find(|(name, _)| *name == self).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl Index for usize {
    fn of<R: Real>(self, value: &Variant<R>) -> Option<&Variant<R>> {
        match value {
            Variant::Array(array) => array.get(self),
            Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
                typed.elements.get(self)
            }
            Variant::Dictionary(dictionary) => {
                let key = i64::try_from(self).ok()?;
                let mut pairs = dictionary.iter();
                pairs.find(|(candidate, _)| candidate.as_int() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>> {
        match value {
            Variant::Array(array) => array.get_mut(self),
            Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
                typed.elements.get_mut(self)
            }
            Variant::Dictionary(dictionary) => {
                let key = i64::try_from(self).ok()?;
                let mut pairs = dictionary.iter_mut();
                pairs.find(|(candidate, _)| candidate.as_int() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl<R: Real> Variant<R> {
    /// One step into the value: `value.get("player")`, `value.get(3)`.
    #[must_use]
    pub fn get(&self, step: impl Index) -> Option<&Self> {
        step.of(self)
    }

    /// The same, to change what is there.
    pub fn get_mut(&mut self, step: impl Index) -> Option<&mut Self> {
        step.of_mut(self)
    }

    /// A deep lookup: the steps separated by `/`, each a key, a property name or a position.
    ///
    /// ```
    /// use formwork::variant::{Dictionary, Variant};
    ///
    /// let mut player = Dictionary::<f32>::new();
    /// player.insert("items", Variant::Array(vec!["sword".into(), "lamp".into()].into()));
    /// let mut save = Dictionary::<f32>::new();
    /// save.insert("player", Variant::Dictionary(player));
    /// let save = Variant::Dictionary(save);
    ///
    /// assert_eq!(save.at("player/items/1").and_then(Variant::as_str), Some("lamp"));
    /// ```
    #[must_use]
    pub fn at(&self, steps: &str) -> Option<&Self> {
        steps.split('/').filter(|step| !step.is_empty()).try_fold(self, |value, step| {
            value.get(step).or_else(|| value.get(step.parse::<usize>().ok()?))
        })
    }

    /// The bool, if it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    #[must_use]
    pub const fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is one; a whole number counts.
    #[must_use]
    pub const fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The text, if it is a String or StringName and UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.as_string().and_then(VariantString::as_str)
    }

    /// The text, if it is a String or StringName.
    #[must_use]
    pub const fn as_string(&self) -> Option<&VariantString> {
        match self {
            Self::String(text) | Self::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// The array, if it is one (of any kind that holds values).
    #[must_use]
    pub const fn as_array(&self) -> Option<&Array<R>> {
        match self {
            Self::Array(array) => Some(array),
            Self::TypedArray(typed) | Self::PackedTypedArray(typed) => Some(&typed.elements),
            _ => None,
        }
    }

    /// The dictionary, if it is one.
    #[must_use]
    pub const fn as_dictionary(&self) -> Option<&Dictionary<R>> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    /// Whether there is no value: null, or a null object.
    #[must_use]
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil | Self::Object(Object::Null))
    }
}
