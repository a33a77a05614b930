//! Accesses parts of a value: deep lookups in one line.

use std::ops;

use super::{Array, Container, ContainerMut, Dictionary, Object, Real, Variant, VariantString};

/// A step of a lookup: a dictionary key or property name (`&str`, `&String`), or a position in an array or integer
/// key of a dictionary (`usize`).
///
/// The trait is sealed.
pub trait Index: Copy + sealed::Sealed {
    /// Returns the element of `value` at this step, if there is one.
    #[doc(hidden)]
    fn of<R: Real>(self, value: &Variant<R>) -> Option<&Variant<R>>;

    /// Returns the element of `value` at this step, mutably.
    #[doc(hidden)]
    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>>;

    /// Returns the element of `value` at this step, mutably. A missing key is added.
    #[doc(hidden)]
    fn of_or_insert<R: Real>(self, value: &mut Variant<R>) -> &mut Variant<R>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &String {}
    impl Sealed for usize {}
}

impl Index for &String {
    fn of<R: Real>(self, value: &Variant<R>) -> Option<&Variant<R>> {
        self.as_str().of(value)
    }

    fn of_mut<R: Real>(self, value: &mut Variant<R>) -> Option<&mut Variant<R>> {
        self.as_str().of_mut(value)
    }

    fn of_or_insert<R: Real>(self, value: &mut Variant<R>) -> &mut Variant<R> {
        self.as_str().of_or_insert(value)
    }
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

    fn of_or_insert<R: Real>(self, value: &mut Variant<R>) -> &mut Variant<R> {
        if value.is_nil() {
            *value = Variant::Dictionary(Dictionary::new());
        }
        let found = value.variant_type();
        match value.container_mut() {
            Some(ContainerMut::Dictionary(dictionary)) => {
                let position = dictionary.position(self).unwrap_or_else(|| {
                    dictionary.push((self.into(), Variant::Nil));
                    dictionary.len() - 1
                });
                &mut dictionary[position].1
            }
            Some(ContainerMut::Object(object)) => {
                let known = object.properties.iter().position(|(name, _)| *name == self);
                let position = known.unwrap_or_else(|| {
                    object.properties.push((self.into(), Variant::Nil));
                    object.properties.len() - 1
                });
                &mut object.properties[position].1
            }
            Some(ContainerMut::Array(_)) | None => {
                panic!("no key {self:?} in a value of type {}", found.name())
            }
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

    fn of_or_insert<R: Real>(self, value: &mut Variant<R>) -> &mut Variant<R> {
        let found = value.variant_type();
        match self.of_mut(value) {
            Some(element) => element,
            None => panic!("no element {self} in a value of type {}", found.name()),
        }
    }
}

/// `value["player"]`, `value[3]`: returns the element, or [`Variant::Nil`] if there is none, whatever the type of
/// the value. Never panics. ([`Variant::get`] distinguishes a null element from a missing one.)
///
/// ```
/// use formwork_variant::variant;
///
/// let save = variant!({ "player": { "hp": 7, "items": ["sword", "lamp"] } });
/// assert_eq!(save["player"]["hp"], 7);
/// assert_eq!(save["player"]["items"][1], "lamp");
/// assert!(save["player"]["mana"].is_nil());
/// ```
impl<R: Real, I: Index> ops::Index<I> for Variant<R> {
    type Output = Self;

    fn index(&self, step: I) -> &Self {
        step.of(self).unwrap_or(const { &Self::Nil })
    }
}

/// `value["hp"] = 100.into()`: changes the element.
///
/// A key that a dictionary lacks, or a property that an object in full form lacks, is added; null becomes a
/// dictionary.
///
/// ```
/// use formwork_variant::{Variant, variant};
///
/// let mut save = Variant::default();
/// save["player"]["hp"] = 100.into();
/// assert_eq!(save, variant!({ "player": { "hp": 100 } }));
/// ```
///
/// # Panics
///
/// Panics if the step is a key and the value has no keys, and if there is no element at the position.
/// [`Variant::get_mut`] and [`Variant::at_mut`] never panic.
impl<R: Real, I: Index> ops::IndexMut<I> for Variant<R> {
    fn index_mut(&mut self, step: I) -> &mut Self {
        step.of_or_insert(self)
    }
}

impl<R: Real> Variant<R> {
    /// Goes one step into the value: `value.get("player")`, `value.get(3)`.
    ///
    /// A string is a key of a dictionary (a String or StringName) or a property of an object in full form; a number
    /// is a position in an array, or a key of a dictionary. Returns [`None`] if there is no such element.
    #[must_use]
    pub fn get(&self, step: impl Index) -> Option<&Self> {
        step.of(self)
    }

    /// Goes one step into the value as [`get`](Self::get) does, mutably.
    pub fn get_mut(&mut self, step: impl Index) -> Option<&mut Self> {
        step.of_mut(self)
    }

    /// Goes several steps into the value: steps separated by `/`, each a key, a property name or a
    /// position.
    ///
    /// A step that is a number is a position, unless a key is written so. Empty steps are skipped: a key that holds
    /// `/`, or is empty, is reached by [`get`](Self::get) only.
    ///
    /// ```
    /// use formwork_variant::{Variant, variant};
    ///
    /// let save = variant!({ "player": { "items": ["sword", "lamp"] } });
    /// assert_eq!(save.at("player/items/1").and_then(Variant::as_str), Some("lamp"));
    /// assert_eq!(save.at("player/items/2"), None);
    /// ```
    #[must_use]
    pub fn at(&self, steps: &str) -> Option<&Self> {
        steps.split('/').filter(|step| !step.is_empty()).try_fold(self, |value, step| {
            value.get(step).or_else(|| value.get(step.parse::<usize>().ok()?))
        })
    }

    /// Goes several steps into the value as [`at`](Self::at) does, mutably.
    ///
    /// ```
    /// use formwork_variant::variant;
    ///
    /// let mut save = variant!({ "player": { "items": ["sword", "lamp"] } });
    /// if let Some(item) = save.at_mut("player/items/1") {
    ///     *item = "torch".into();
    /// }
    /// assert_eq!(save["player"]["items"], variant!(["sword", "torch"]));
    /// ```
    pub fn at_mut(&mut self, steps: &str) -> Option<&mut Self> {
        steps.split('/').filter(|step| !step.is_empty()).try_fold(self, |value, step| {
            if value.get(step).is_some() {
                value.get_mut(step)
            } else {
                value.get_mut(step.parse::<usize>().ok()?)
            }
        })
    }

    /// Takes the value out and leaves null in its place.
    ///
    /// ```
    /// use formwork_variant::variant;
    ///
    /// let mut save = variant!({ "items": ["lamp"] });
    /// assert_eq!(save["items"].take(), variant!(["lamp"]));
    /// assert!(save["items"].is_nil());
    /// ```
    #[must_use]
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Returns the bool, if the value is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// Returns the whole number, if the value is one.
    #[must_use]
    pub const fn as_int(&self) -> Option<i64> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    /// Returns the number, if the value is one; a whole number counts.
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

    /// Returns the array, if the value is one (of any kind that holds values).
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

    /// The array, to change it; the element type of a typed one stays.
    #[must_use]
    pub const fn as_array_mut(&mut self) -> Option<&mut Array<R>> {
        if let Self::Array(array) = self {
            Some(array)
        } else if let Self::TypedArray(typed) | Self::PackedTypedArray(typed) = self {
            Some(&mut typed.elements)
        } else {
            None
        }
    }

    /// Returns the dictionary, if the value is one.
    #[must_use]
    pub const fn as_dictionary(&self) -> Option<&Dictionary<R>> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The dictionary, to change it.
    #[must_use]
    pub const fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary<R>> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The bytes, if it is a packed array of them.
    #[must_use]
    pub const fn as_bytes(&self) -> Option<&[u8]> {
        if let Self::PackedByteArray(bytes) = self { Some(bytes.as_slice()) } else { None }
    }

    /// Returns the object, if the value is one, in any form.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Object<R>> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// Returns whether it is a bool.
    #[must_use]
    pub const fn is_bool(&self) -> bool {
        self.as_bool().is_some()
    }

    /// Returns whether it is a whole number.
    #[must_use]
    pub const fn is_int(&self) -> bool {
        self.as_int().is_some()
    }

    /// Returns whether it is a number that is stored as a float. (A whole number is none, although
    /// [`as_float`](Self::as_float) takes it for one.)
    #[must_use]
    pub const fn is_float(&self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Returns whether it is a text: a String or StringName.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        self.as_string().is_some()
    }

    /// Returns whether it is an array of values, of any kind. (A packed array of numbers is none.)
    #[must_use]
    pub const fn is_array(&self) -> bool {
        self.as_array().is_some()
    }

    /// Returns whether it is a dictionary.
    #[must_use]
    pub const fn is_dictionary(&self) -> bool {
        self.as_dictionary().is_some()
    }

    /// Returns whether the value is an object, in any form. (The null object counts.)
    #[must_use]
    pub const fn is_object(&self) -> bool {
        self.as_object().is_some()
    }

    /// Returns whether there is no value: null, or a null object.
    #[must_use]
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil | Self::Object(Object::Null))
    }
}
