//! Arrays and dictionaries: values that hold values.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::debug::debug_inside;
use super::{Container, ContainerMut, Real, Variant, VariantString, VariantType};

/// The type of a typed container's elements.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ElementType {
    /// Values of one built-in type.
    Builtin(VariantType),
    /// Objects of an engine class.
    Class(VariantString),
    /// Objects of a script, by its path (`res://...`). Godot 4.
    Script(VariantString),
    /// A type id that the dialect lacks (Pandemonium keeps the id that it reads).
    Unknown(u32),
}

/// A list of values.
///
/// A plain `Vec` in a newtype: three machine words, so that a [`Variant`] stays small. An array with attributes
/// besides its elements (an element type in Godot 4, the "shared" mark in Godot 2) is moved to the heap with them.
#[derive(Clone)]
pub struct Array<R: Real = f32>(Repr<Vec<Variant<R>>, ArrayMarks>);

/// Key and value pairs in their order.
///
/// Three words, like [`Array`]. [`push`](Vec::push) adds a key that is there already a second time. A
/// decoder keeps one pair of those whose keys are the same, with the last value, as engines do.
#[derive(Clone)]
pub struct Dictionary<R: Real = f32>(Repr<Vec<Pair<R>>, DictionaryMarks>);

/// A key and its value.
type Pair<R> = (Variant<R>, Variant<R>);

/// The elements, and in rare cases attributes. The niche in the `Vec`'s capacity distinguishes the two, so this is
/// no larger than the `Vec`.
#[derive(Clone)]
enum Repr<V, M> {
    Plain(V),
    Marked(Box<(V, M)>),
}

impl<V: Default, M: Default> Repr<V, M> {
    fn elements(&self) -> &V {
        match self {
            Self::Plain(elements) => elements,
            Self::Marked(marked) => &marked.0,
        }
    }

    fn elements_mut(&mut self) -> &mut V {
        match self {
            Self::Plain(elements) => elements,
            Self::Marked(marked) => &mut marked.0,
        }
    }

    fn marks(&self) -> Option<&M> {
        match self {
            Self::Plain(_) => None,
            Self::Marked(marked) => Some(&marked.1),
        }
    }

    fn marks_mut(&mut self) -> &mut M {
        if let Self::Plain(elements) = self {
            *self = Self::Marked(Box::new((std::mem::take(elements), M::default())));
        }
        match self {
            Self::Marked(marked) => &mut marked.1,
            Self::Plain(_) => unreachable!("was made a marked one just above"),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ArrayMarks {
    shared: bool,
    element: Option<ElementType>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct DictionaryMarks {
    shared: bool,
    key: Option<ElementType>,
    value: Option<ElementType>,
}

impl<R: Real> Array<R> {
    /// An empty array.
    #[must_use]
    pub const fn new() -> Self {
        Self(Repr::Plain(Vec::new()))
    }

    /// Returns the type of the elements, if the array is typed. Godot 4.
    #[must_use]
    pub fn element_type(&self) -> Option<&ElementType> {
        self.0.marks()?.element.as_ref()
    }

    /// Sets or clears the element type. The elements are not changed.
    pub fn set_element_type(&mut self, element: Option<ElementType>) {
        if element.is_some() || self.0.marks().is_some() {
            self.0.marks_mut().element = element;
        }
    }

    /// Returns whether Godot 2's "shared" mark is set, as in the arrays that its scripts make.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.0.marks().is_some_and(|marks| marks.shared)
    }

    /// Sets Godot 2's "shared" mark.
    pub fn set_shared(&mut self, shared: bool) {
        if shared || self.0.marks().is_some() {
            self.0.marks_mut().shared = shared;
        }
    }

    /// The elements.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Variant<R>> {
        std::mem::take(self.0.elements_mut())
    }
}

impl<R: Real> Dictionary<R> {
    /// An empty dictionary.
    #[must_use]
    pub const fn new() -> Self {
        Self(Repr::Plain(Vec::new()))
    }

    /// The value of the first pair with a key: a text, a whole number, or any value.
    ///
    /// ```
    /// use formwork_variant::{Variant, Vector2, variant};
    ///
    /// let map: Variant = variant!({ "size": 2, 7: "seven", (Vector2::new(1.0, 2.0)): "rock" });
    /// let Variant::Dictionary(map) = map else { unreachable!() };
    /// assert_eq!(map.get("size"), Some(&2.into()));
    /// assert_eq!(map.get(7), Some(&"seven".into()));
    /// assert_eq!(map.get(&Variant::from(Vector2::new(1.0, 2.0))), Some(&"rock".into()));
    /// ```
    #[must_use]
    pub fn get(&self, key: impl DictionaryKey<R>) -> Option<&Variant<R>> {
        self.iter().find(|(candidate, _)| key.is(candidate)).map(|(_, value)| value)
    }

    /// The value of the first pair with a key, to change it.
    pub fn get_mut(&mut self, key: impl DictionaryKey<R>) -> Option<&mut Variant<R>> {
        self.iter_mut().find(|(candidate, _)| key.is(candidate)).map(|(_, value)| value)
    }

    /// Returns whether there is a pair with a key.
    #[must_use]
    pub fn contains_key(&self, key: impl DictionaryKey<R>) -> bool {
        self.position(key).is_some()
    }

    /// Removes the first pair with a key, and returns its value. The others keep their order.
    pub fn remove(&mut self, key: impl DictionaryKey<R>) -> Option<Variant<R>> {
        let position = self.position(key)?;
        Some(Vec::remove(self, position).1)
    }

    /// The keys, in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Variant<R>> + ExactSizeIterator {
        self.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Variant<R>> + ExactSizeIterator {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the position of the first pair with a key.
    pub fn position(&self, key: impl DictionaryKey<R>) -> Option<usize> {
        self.iter().position(|(candidate, _)| key.is(candidate))
    }

    /// Sets the value of a key: the first pair's with an equal key, or that of a new pair at the
    /// end. Returns the value that was there.
    ///
    /// Compares the key with each. Many pairs whose keys are known to differ are pushed or collected in less time.
    pub fn insert(
        &mut self,
        key: impl Into<Variant<R>>,
        value: impl Into<Variant<R>>,
    ) -> Option<Variant<R>> {
        let (key, value) = (key.into(), value.into());
        match self.iter_mut().find(|(candidate, _)| candidate.is_same_key(&key)) {
            Some((_, old)) => Some(std::mem::replace(old, value)),
            None => {
                self.push((key, value));
                None
            }
        }
    }

    /// Returns the type of the keys, if they are typed. Godot 4.4 and later.
    #[must_use]
    pub fn key_type(&self) -> Option<&ElementType> {
        self.0.marks()?.key.as_ref()
    }

    /// Returns the type of the values, if they are typed. Godot 4.4 and later.
    #[must_use]
    pub fn value_type(&self) -> Option<&ElementType> {
        self.0.marks()?.value.as_ref()
    }

    /// Sets or clears the types of keys and values. The pairs are not changed.
    pub fn set_types(&mut self, key: Option<ElementType>, value: Option<ElementType>) {
        if key.is_some() || value.is_some() || self.0.marks().is_some() {
            let marks = self.0.marks_mut();
            (marks.key, marks.value) = (key, value);
        }
    }

    /// Returns whether Godot 2's "shared" mark is set, as in the dictionaries that its scripts make.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.0.marks().is_some_and(|marks| marks.shared)
    }

    /// Sets Godot 2's "shared" mark.
    pub fn set_shared(&mut self, shared: bool) {
        if shared || self.0.marks().is_some() {
            self.0.marks_mut().shared = shared;
        }
    }

    /// The pairs.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<(Variant<R>, Variant<R>)> {
        std::mem::take(self.0.elements_mut())
    }
}

/// A key by which pairs of a [`Dictionary`] are found.
pub trait DictionaryKey<R: Real> {
    /// Returns whether the key of a pair is this one.
    fn is(&self, key: &Variant<R>) -> bool;
}

/// The text of a String or of a StringName.
impl<R: Real> DictionaryKey<R> for str {
    fn is(&self, key: &Variant<R>) -> bool {
        matches!(key, Variant::String(key) | Variant::StringName(key) if *key == *self)
    }
}

/// As a `str`.
impl<R: Real> DictionaryKey<R> for String {
    fn is(&self, key: &Variant<R>) -> bool {
        self.as_str().is(key)
    }
}

/// An int.
impl<R: Real> DictionaryKey<R> for i64 {
    fn is(&self, key: &Variant<R>) -> bool {
        matches!(key, Variant::Int(key) if key == self)
    }
}

/// An int.
impl<R: Real> DictionaryKey<R> for i32 {
    fn is(&self, key: &Variant<R>) -> bool {
        i64::from(*self).is(key)
    }
}

/// The key that [`Dictionary::insert`] takes for the same.
impl<R: Real> DictionaryKey<R> for Variant<R> {
    fn is(&self, key: &Self) -> bool {
        key.is_same_key(self)
    }
}

impl<R: Real, K: DictionaryKey<R> + ?Sized> DictionaryKey<R> for &K {
    fn is(&self, key: &Variant<R>) -> bool {
        (**self).is(key)
    }
}

macro_rules! container {
    ($name:ident, $element:ty) => {
        impl<R: Real> Deref for $name<R> {
            type Target = Vec<$element>;

            fn deref(&self) -> &Self::Target {
                self.0.elements()
            }
        }

        impl<R: Real> DerefMut for $name<R> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                self.0.elements_mut()
            }
        }

        impl<R: Real> Default for $name<R> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<R: Real> From<Vec<$element>> for $name<R> {
            fn from(elements: Vec<$element>) -> Self {
                Self(Repr::Plain(elements))
            }
        }

        impl<R: Real> FromIterator<$element> for $name<R> {
            fn from_iter<I: IntoIterator<Item = $element>>(elements: I) -> Self {
                Self(Repr::Plain(elements.into_iter().collect()))
            }
        }

        impl<R: Real> IntoIterator for $name<R> {
            type Item = $element;
            type IntoIter = std::vec::IntoIter<$element>;

            fn into_iter(self) -> Self::IntoIter {
                self.into_vec().into_iter()
            }
        }

        impl<'a, R: Real> IntoIterator for &'a mut $name<R> {
            type Item = &'a mut $element;
            type IntoIter = std::slice::IterMut<'a, $element>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter_mut()
            }
        }

        impl<'a, R: Real> IntoIterator for &'a $name<R> {
            type Item = &'a $element;
            type IntoIter = std::slice::Iter<'a, $element>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<R: Real> PartialEq for $name<R> {
            fn eq(&self, other: &Self) -> bool {
                Container::$name(self).has_front_of(Container::$name(other)) && **self == **other
            }
        }

        impl<R: Real> fmt::Debug for $name<R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if let Some(marks) = self.0.marks() {
                    write!(f, "{marks:?} ")?;
                }
                debug_inside(f, |f| (**self).fmt(f))
            }
        }
    };
}

container!(Array, Variant<R>);
container!(Dictionary, (Variant<R>, Variant<R>));

/// Dropping recurses a few levels deep and no further, so a value nested to any limit can be dropped on a small
/// stack.
impl<R: Real> Drop for Array<R> {
    fn drop(&mut self) {
        drop_inside(ContainerMut::Array(self));
    }
}

impl<R: Real> Drop for Dictionary<R> {
    fn drop(&mut self) {
        drop_inside(ContainerMut::Dictionary(self));
    }
}

/// Returns whether a value holds values that hold values.
#[inline]
pub(super) fn nests<R: Real>(value: &Variant<R>) -> bool {
    match value.container() {
        Some(Container::Array(array)) => array.iter().any(holds_values),
        Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
            typed.elements.iter().any(holds_values)
        }
        Some(Container::Dictionary(pairs)) => {
            pairs.iter().any(|(key, value)| holds_values(key) || holds_values(value))
        }
        Some(Container::Object(object)) => {
            object.properties.iter().any(|(_, value)| holds_values(value))
        }
        None => false,
    }
}

#[inline]
fn holds_values<R: Real>(value: &Variant<R>) -> bool {
    match value.container() {
        Some(Container::Array(array)) => !array.is_empty(),
        Some(Container::Dictionary(dictionary)) => !dictionary.is_empty(),
        Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
            !typed.elements.is_empty()
        }
        Some(Container::Object(object)) => !object.properties.is_empty(),
        None => false,
    }
}

/// The number of levels of containers that are dropped by recursion. (This drops nearly every value completely, in
/// the order of allocation, which is fastest for allocators.)
const DROPPED_BY_RECURSION: u32 = 24;

/// Drops the contents of a container.
pub(super) fn drop_inside<R: Real>(container: ContainerMut<'_, R>) {
    let mut deeper = Vec::new();
    empty(container, DROPPED_BY_RECURSION, &mut deeper);
    while let Some(mut value) = deeper.pop() {
        empty_value(&mut value, DROPPED_BY_RECURSION, &mut deeper);
    }
}

/// Takes everything out of a container and drops it; values more than `levels` levels deep are moved to `deeper`.
fn empty<R: Real>(container: ContainerMut<'_, R>, levels: u32, deeper: &mut Vec<Variant<R>>) {
    match container {
        ContainerMut::Array(array) => {
            for element in &mut std::mem::take(&mut **array) {
                empty_value(element, levels, deeper);
            }
        }
        ContainerMut::Dictionary(dictionary) => {
            for (key, value) in &mut std::mem::take(&mut **dictionary) {
                empty_value(key, levels, deeper);
                empty_value(value, levels, deeper);
            }
        }
        ContainerMut::Object(object) => {
            for (_, value) in &mut std::mem::take(&mut object.properties) {
                empty_value(value, levels, deeper);
            }
        }
    }
}

#[inline]
fn empty_value<R: Real>(value: &mut Variant<R>, levels: u32, deeper: &mut Vec<Variant<R>>) {
    let Some(container) = value.container_mut() else { return };
    match levels.checked_sub(1) {
        Some(levels) => empty(container, levels, deeper),
        None => deeper.push(std::mem::take(value)),
    }
}

/// An array whose elements are of one type, as Pandemonium 5 stores it (its TypedArray and
/// PackedTypedArray).
#[derive(Clone, Debug, PartialEq)]
pub struct TypedArray<R: Real = f32> {
    /// The type of the elements.
    pub element: ElementType,
    /// The elements.
    pub elements: Array<R>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_three_words_and_a_value_is_four() {
        assert_eq!(size_of::<Array>(), 24);
        assert_eq!(size_of::<Dictionary>(), 24);
        assert_eq!(size_of::<Variant>(), 32);
    }

    #[test]
    fn deep_values_drop_on_a_small_stack() {
        let nest = || {
            let mut value = Variant::<f32>::Nil;
            for _ in 0..200_000 {
                value = Variant::Array(vec![value].into());
            }
            drop(value);
        };
        std::thread::Builder::new().stack_size(64 << 10).spawn(nest).unwrap().join().unwrap();
    }
}
