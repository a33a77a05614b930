//! The front of a container: everything except its contents.

use super::{Array, Container, Dictionary, ElementType, FullObject, Object, Real, TypedArray};
use super::{Variant, VariantString, VariantType};

/// The front of a container of any type.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Front {
    /// The type of the container.
    pub variant_type: VariantType,
    /// The element type, and the element type that the list in a [`TypedArray`] declares itself; for a dictionary,
    /// the types of its keys and values.
    pub types: [Option<Box<ElementType>>; 2],
    /// Godot 2's mark.
    pub shared: bool,
    /// The class of an object. (In a box, because fronts are moved with every value that is read.)
    pub class: Option<Box<VariantString>>,
}

impl Front {
    /// Returns the front of a container of this type without attributes.
    #[inline]
    pub fn new(variant_type: VariantType) -> Self {
        Self { variant_type, types: [None, None], shared: false, class: None }
    }

    /// Returns the front of an object.
    pub fn object(class: VariantString) -> Self {
        Self { class: Some(Box::new(class)), ..Self::new(VariantType::Object) }
    }

    /// Returns the same front with these types.
    pub fn typed(mut self, first: Option<ElementType>, second: Option<ElementType>) -> Self {
        self.types = [first.map(Box::new), second.map(Box::new)];
        self
    }

    /// Returns the same front with or without Godot 2's mark.
    pub fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    /// Returns the front of a container.
    pub fn of<R: Real>(container: Container<'_, R>) -> Self {
        let [first, second] = container.types();
        let front = match container {
            Container::Object(object) => Self::object(object.class.clone()),
            Container::Array(_)
            | Container::TypedArray(_)
            | Container::PackedTypedArray(_)
            | Container::Dictionary(_) => Self::new(container.variant_type()),
        };
        front.typed(first.cloned(), second.cloned()).shared(container.is_shared())
    }

    /// Returns whether the front has attributes besides its type.
    pub fn says_more(&self) -> bool {
        self.shared || self.types.iter().any(Option::is_some)
    }

    /// Returns the declared type of the elements or keys, if any.
    pub fn first_type(&self) -> Option<&ElementType> {
        self.types[0].as_deref()
    }

    /// Returns the array with these elements.
    #[inline]
    pub fn around_elements<R: Real>(self, elements: Vec<Variant<R>>) -> Variant<R> {
        let mut array = Array::from(elements);
        if self.variant_type == VariantType::Array && !self.says_more() {
            return Variant::Array(array);
        }
        array.set_shared(self.shared);
        let [first, second] = self.types.map(|element| element.map(|element| *element));
        let typed = if self.variant_type == VariantType::TypedArray {
            Variant::TypedArray
        } else if self.variant_type == VariantType::PackedTypedArray {
            Variant::PackedTypedArray
        } else {
            array.set_element_type(first);
            return Variant::Array(array);
        };
        array.set_element_type(second);
        let element = first.unwrap_or(ElementType::Builtin(VariantType::Nil));
        typed(Box::new(TypedArray { element, elements: array }))
    }

    /// Returns the dictionary with these pairs.
    #[inline]
    pub fn around_pairs<R: Real>(self, pairs: Vec<(Variant<R>, Variant<R>)>) -> Variant<R> {
        let mut dictionary = Dictionary::from(pairs);
        if !self.says_more() {
            return Variant::Dictionary(dictionary);
        }
        dictionary.set_shared(self.shared);
        let [key, value] = self.types.map(|element| element.map(|element| *element));
        dictionary.set_types(key, value);
        Variant::Dictionary(dictionary)
    }

    /// Returns the object with these properties.
    pub fn around_properties<R: Real>(
        self,
        properties: Vec<(VariantString, Variant<R>)>,
    ) -> Variant<R> {
        let class = self.class.map(|class| *class).unwrap_or_default();
        Variant::Object(Object::Full(Box::new(FullObject { class, properties })))
    }
}

impl<'v, R: Real> Container<'v, R> {
    /// Returns the type of the container.
    #[must_use]
    pub const fn variant_type(self) -> VariantType {
        match self {
            Self::Array(_) => VariantType::Array,
            Self::TypedArray(_) => VariantType::TypedArray,
            Self::PackedTypedArray(_) => VariantType::PackedTypedArray,
            Self::Dictionary(_) => VariantType::Dictionary,
            Self::Object(_) => VariantType::Object,
        }
    }

    /// Returns the number of elements, pairs or properties.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Array(array) => array.len(),
            Self::TypedArray(typed) | Self::PackedTypedArray(typed) => typed.elements.len(),
            Self::Dictionary(dictionary) => dictionary.len(),
            Self::Object(object) => object.properties.len(),
        }
    }

    /// Returns whether the container is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns whether the container has Godot 2's mark.
    #[must_use]
    pub fn is_shared(self) -> bool {
        match self {
            Self::Array(array) => array.is_shared(),
            Self::TypedArray(typed) | Self::PackedTypedArray(typed) => typed.elements.is_shared(),
            Self::Dictionary(dictionary) => dictionary.is_shared(),
            Self::Object(_) => false,
        }
    }

    /// Returns the element type, and the element type that the list in a [`TypedArray`] declares itself; for a
    /// dictionary, the types of its keys and values.
    pub fn types(self) -> [Option<&'v ElementType>; 2] {
        match self {
            Self::Array(array) => [array.element_type(), None],
            Self::TypedArray(typed) | Self::PackedTypedArray(typed) => {
                [Some(&typed.element), typed.elements.element_type()]
            }
            Self::Dictionary(dictionary) => [dictionary.key_type(), dictionary.value_type()],
            Self::Object(_) => [None, None],
        }
    }

    /// Returns whether the two declare the same types, and both or neither have Godot 2's mark.
    pub fn has_types_of(self, other: Self) -> bool {
        self.types() == other.types() && self.is_shared() == other.is_shared()
    }

    /// Returns whether the two are the same but for the values that they hold.
    pub(super) fn has_front_of(self, other: Self) -> bool {
        let names = |container| match container {
            Self::Object(object) => {
                Some((&object.class, object.properties.iter().map(|(name, _)| name)))
            }
            Self::Array(_)
            | Self::TypedArray(_)
            | Self::PackedTypedArray(_)
            | Self::Dictionary(_) => None,
        };
        let same_names = match (names(self), names(other)) {
            (Some((class, a)), Some((other_class, b))) => class == other_class && a.eq(b),
            _ => true,
        };
        self.variant_type() == other.variant_type()
            && self.len() == other.len()
            && self.has_types_of(other)
            && same_names
    }
}
