//! Looking into a value: deep lookups in one line.

use super::{Array, Container, ContainerMut, Dictionary, Object, Real, Variant, VariantString};

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
        match value.container()? {
            Container::Dictionary(dictionary) => dictionary.get(self),
            Container::Object(object) => object.property(self),
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => None,
        }
    }

    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>> {
        match value.container_mut()? {
            ContainerMut::Dictionary(dictionary) => dictionary.get_mut(self),
            ContainerMut::Object(object) => {
                let mut properties = object.properties.iter_mut();
                properties.find(|(name, _)| *name == self).map(|(_, value)| value)
            }
            ContainerMut::Array(_) => None,
        }
    }
}

impl Index for usize {
    fn of<R: Real>(self, value: &Variant<R>) -> Option<&Variant<R>> {
        match value.container()? {
            Container::Array(array) => array.get(self),
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
                typed.elements.get(self)
            }
            Container::Dictionary(dictionary) => {
                let key = i64::try_from(self).ok()?;
                let mut pairs = dictionary.iter();
                pairs.find(|(candidate, _)| candidate.as_int() == Some(key)).map(|(_, value)| value)
            }
            Container::Object(_) => None,
        }
    }

    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>> {
        match value.container_mut()? {
            ContainerMut::Array(array) => array.get_mut(self),
            ContainerMut::Dictionary(dictionary) => {
                let key = i64::try_from(self).ok()?;
                let mut pairs = dictionary.iter_mut();
                pairs.find(|(candidate, _)| candidate.as_int() == Some(key)).map(|(_, value)| value)
            }
            ContainerMut::Object(_) => None,
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
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The whole number, if it is one.
    #[must_use]
    pub const fn as_int(&self) -> Option<i64> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    /// The number, if it is one; a whole number counts.
    #[must_use]
    pub const fn as_float(&self) -> Option<f64> {
        if let Self::Float(value) = self {
            Some(*value)
        } else if let Self::Int(value) = self {
            Some(*value as f64)
        } else {
            None
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
        if let Self::String(text) | Self::StringName(text) = self { Some(text) } else { None }
    }

    /// The array, if it is one (of any kind that holds values).
    #[must_use]
    pub const fn as_array(&self) -> Option<&Array<R>> {
        if let Self::Array(array) = self {
            Some(array)
        } else if let Self::TypedArray(typed) | Self::PackedTypedArray(typed) = self {
            Some(&typed.elements)
        } else {
            None
        }
    }

    /// The dictionary, if it is one.
    #[must_use]
    pub const fn as_dictionary(&self) -> Option<&Dictionary<R>> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// Whether there is no value: null, or a null object.
    #[must_use]
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil | Self::Object(Object::Null))
    }
}
