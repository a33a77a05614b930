//! Values and types by kind. Similar types have one kind, so that code which treats them alike needs no list of
//! types.

use super::numbers::{fixed, numbers, unboxed};
use super::{
    Array, Dictionary, FullObject, Image, InputEvent, NodePath, Numbers, Object, Real, Signal,
    TypedArray, Variant, VariantString, VariantType, for_each_type, pattern,
};

/// A type that does not consist of numbers only. The others are distinguished by their
/// [`NumberType`](super::NumberType).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OwnType {
    /// [`VariantType::Nil`].
    Nil,
    /// [`VariantType::Bool`].
    Bool,
    /// [`VariantType::Int`].
    Int,
    /// [`VariantType::Float`].
    Float,
    /// [`VariantType::String`].
    String,
    /// [`VariantType::StringName`].
    StringName,
    /// [`VariantType::NodePath`].
    NodePath,
    /// [`VariantType::Rid`].
    Rid,
    /// [`VariantType::Object`].
    Object,
    /// [`VariantType::Callable`].
    Callable,
    /// [`VariantType::Signal`].
    Signal,
    /// [`VariantType::Dictionary`].
    Dictionary,
    /// [`VariantType::Array`].
    Array,
    /// [`VariantType::TypedArray`].
    TypedArray,
    /// [`VariantType::PackedTypedArray`].
    PackedTypedArray,
    /// [`VariantType::PackedByteArray`].
    PackedByteArray,
    /// [`VariantType::PackedStringArray`].
    PackedStringArray,
    /// [`VariantType::Image`].
    Image,
    /// [`VariantType::InputEvent`].
    InputEvent,
}

/// The payload of a value, by its kind.
#[derive(Clone, Copy, Debug)]
pub enum Payload<'v, R: Real> {
    /// [`Variant::Nil`].
    Nil,
    /// [`Variant::Bool`].
    Bool(bool),
    /// [`Variant::Int`].
    Int(i64),
    /// [`Variant::Float`].
    Float(f64),
    /// [`Variant::String`].
    String(&'v VariantString),
    /// [`Variant::StringName`].
    StringName(&'v VariantString),
    /// [`Variant::NodePath`].
    NodePath(&'v NodePath),
    /// [`Variant::Rid`].
    Rid(u64),
    /// [`Variant::Object`].
    Object(&'v Object<R>),
    /// [`Variant::Callable`].
    Callable,
    /// [`Variant::Signal`].
    Signal(&'v Signal),
    /// [`Variant::Dictionary`].
    Dictionary(&'v Dictionary<R>),
    /// [`Variant::Array`].
    Array(&'v Array<R>),
    /// [`Variant::TypedArray`].
    TypedArray(&'v TypedArray<R>),
    /// [`Variant::PackedTypedArray`].
    PackedTypedArray(&'v TypedArray<R>),
    /// [`Variant::PackedByteArray`].
    PackedByteArray(&'v [u8]),
    /// [`Variant::PackedStringArray`].
    PackedStringArray(&'v [VariantString]),
    /// [`Variant::Image`].
    Image(&'v Image),
    /// [`Variant::InputEvent`].
    InputEvent(&'v InputEvent),
    /// A math type, or a packed array of numbers or of a math type.
    Numbers(Numbers<'v, R>),
}

/// A value that holds other values: a container of the engines, or an object with its properties.
#[derive(Clone, Copy, Debug)]
pub enum Container<'v, R: Real> {
    /// [`Variant::Array`].
    Array(&'v Array<R>),
    /// [`Variant::TypedArray`].
    TypedArray(&'v TypedArray<R>),
    /// [`Variant::PackedTypedArray`].
    PackedTypedArray(&'v TypedArray<R>),
    /// [`Variant::Dictionary`].
    Dictionary(&'v Dictionary<R>),
    /// [`Object::Full`].
    Object(&'v FullObject<R>),
}

/// A container with mutable contents.
#[derive(Debug)]
pub enum ContainerMut<'v, R: Real> {
    /// An array of any kind.
    Array(&'v mut Array<R>),
    /// A dictionary.
    Dictionary(&'v mut Dictionary<R>),
    /// An object in full form.
    Object(&'v mut FullObject<R>),
}

macro_rules! kinds {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => {
        impl VariantType {
            /// Returns the type if it does not consist of numbers only, see [`VariantType::numbers`].
            #[inline]
            #[must_use]
            pub const fn own_type(self) -> Option<OwnType> {
                Some(match self { $( Self::$name => kinds!(@type $name $kind), )+ })
            }
        }

        impl<R: Real> Variant<R> {
            /// Returns the payload of the value, by its kind.
            #[inline]
            #[must_use]
            pub fn payload(&self) -> Payload<'_, R> {
                match self { $(
                    pattern!($name held $($payload)?) => {
                        kinds!(@payload held $name $kind $($element)?)
                    }
                )+ }
            }
        }
    };
    (@type $name:ident own) => { OwnType::$name };
    (@type $name:ident $kind:ident) => { return None };
    (@payload $held:ident Nil own) => { Payload::Nil };
    (@payload $held:ident Callable own) => { Payload::Callable };
    (@payload $held:ident Bool own) => { Payload::Bool(*$held) };
    (@payload $held:ident Int own) => { Payload::Int(*$held) };
    (@payload $held:ident Float own) => { Payload::Float(*$held) };
    (@payload $held:ident Rid own) => { Payload::Rid(*$held) };
    (@payload $held:ident $name:ident own) => { Payload::$name($held) };
    (@payload $held:ident $name:ident $kind:ident $element:ident) => {
        Payload::Numbers(numbers!(@view $held $kind $element))
    };
}
for_each_type!(kinds);

impl<R: Real> Variant<R> {
    /// Returns the container that the value is, if it can hold others: an array or dictionary of any
    /// kind, or an object in full form.
    #[inline]
    #[must_use]
    pub fn container(&self) -> Option<Container<'_, R>> {
        if let Self::Array(array) = self {
            Some(Container::Array(array))
        } else if let Self::TypedArray(typed) = self {
            Some(Container::TypedArray(typed))
        } else if let Self::PackedTypedArray(typed) = self {
            Some(Container::PackedTypedArray(typed))
        } else if let Self::Dictionary(dictionary) = self {
            Some(Container::Dictionary(dictionary))
        } else if let Self::Object(Object::Full(object)) = self {
            Some(Container::Object(object))
        } else {
            None
        }
    }

    /// Returns the container with mutable contents, if the value can hold others.
    pub fn container_mut(&mut self) -> Option<ContainerMut<'_, R>> {
        if let Self::Array(array) = self {
            Some(ContainerMut::Array(array))
        } else if let Self::TypedArray(typed) | Self::PackedTypedArray(typed) = self {
            Some(ContainerMut::Array(&mut typed.elements))
        } else if let Self::Dictionary(dictionary) = self {
            Some(ContainerMut::Dictionary(dictionary))
        } else if let Self::Object(Object::Full(object)) = self {
            Some(ContainerMut::Object(object))
        } else {
            debug_assert!(self.container().is_none(), "a container that cannot be changed");
            None
        }
    }
}
