//! The value: one [`Variant`] type for the union of all engines' types.
//!
//! With the feature `glam` the math types become those of that crate, and the other way
//! round (`From`), bit for bit. A [`Basis`] and a [`Transform3D`], row by row on the wire, are column by
//! column there, so that they turn a vector to the same place; a [`Color`] is glam's `Vec4`.

#![deny(clippy::wildcard_enum_match_arm)]

mod access;
mod builder;
mod container;
mod contents;
mod convert;
mod debug;
mod deep;
mod front;
#[cfg(feature = "glam")]
mod glam;
mod identical;
mod input;
mod key;
mod level;
mod list;
mod literal;
pub(super) mod math;
pub(crate) mod naming;
mod node_path;
mod numbers;
mod object;
mod payload;
#[cfg(all(test, feature = "glam"))]
mod rotated;
mod sameness;
mod string;
mod walk;
mod whole;

#[allow(unused_imports, reason = "only some features have a use for `pattern`")]
pub(crate) use crate::{for_each_type, pattern};
pub use access::Index;
pub use builder::{Builder, Making};
pub use container::{Array, Dictionary, DictionaryKey, ElementType, TypedArray};
pub use contents::Contents;
pub use convert::WrongType;
pub use front::Front;
pub use identical::Fingerprints;
pub use input::{Image, InputEvent, InputEventKind, Modifiers};
#[cfg(feature = "serde")]
pub(crate) use key::KeyHashes;
pub(crate) use key::{BorrowedKey, EqualKeys, KeySet, KeysSoFar};
pub use level::{Level, path};
pub use math::*;
pub use node_path::NodePath;
pub use numbers::{NumberKind, NumberSink, NumberSource, NumberType, Numbers};
pub use object::{FullObject, Object, Signal};
pub use payload::{Container, ContainerMut, OwnType, Payload};
pub use sameness::SameKeys;
pub use string::VariantString;
#[cfg(any(test, feature = "steps"))]
pub use walk::steps;
pub use walk::{Event, Walk};
pub(crate) use whole::{whole32, whole64};

/// Length of a camel-case name in snake case.
const fn snake_length(name: &str) -> usize {
    let bytes = name.as_bytes();
    let mut length = 0;
    let mut at = 0;
    while at < bytes.len() {
        length += if at > 0 && bytes[at].is_ascii_uppercase() { 2 } else { 1 };
        at += 1;
    }
    length
}

/// A camel-case name in snake case.
const fn snake<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let bytes = name.as_bytes();
    let mut out = [b'_'; LENGTH];
    let mut to = 0;
    let mut at = 0;
    while at < bytes.len() {
        if at > 0 && bytes[at].is_ascii_uppercase() {
            to += 1;
        }
        out[to] = bytes[at].to_ascii_lowercase();
        to += 1;
        at += 1;
    }
    out
}

macro_rules! variants {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => {
        /// A value of an engine, of any type that one of the engines has.
        ///
        /// `R` is the number type of the math types, see [`Real`]. The names are those of Godot 4 if the engines
        /// differ; a [`Dialect`](crate::Dialect) knows its own names.
        ///
        /// Cloning, comparing and dropping a value take little stack, however deep it nests; its `Debug` output
        /// omits very deep levels.
        #[derive(Debug, Default)]
        #[non_exhaustive]
        pub enum Variant<R: Real = f32> {
            #[default]
            $( $(#[doc = $doc])+ $name $(($payload))?, )+
        }

        /// The types a [`Variant`] can be of, over all engines.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum VariantType {
            $( $(#[doc = $doc])+ $name, )+
        }

        impl VariantType {
            /// All of them.
            pub const ALL: &'static [Self] = &[ $( Self::$name, )+ ];

            /// The name, as Godot 4 has it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$name => stringify!($name), )+ }
            }

            /// Returns the name of a value of this type in a [`Path`](formwork::Path), such as `node_path`.
            #[must_use]
            pub const fn path_name(self) -> &'static str {
                match self {
                    $( Self::$name => {
                        const LENGTH: usize = snake_length(stringify!($name));
                        const NAME: [u8; LENGTH] = snake(stringify!($name));
                        match std::str::from_utf8(&NAME) {
                            Ok(name) => name,
                            Err(_) => panic!("the names are ASCII"),
                        }
                    } )+
                }
            }

            /// Returns the tag of a type: `$` and the name.
            #[cfg(any(feature = "json", feature = "serde"))]
            pub(crate) const fn tag(self) -> &'static str {
                match self { $( Self::$name => concat!("$", stringify!($name)), )+ }
            }

            /// Returns the name of a value of this type in serde: `formwork_variant::$` and the name.
            #[cfg(feature = "serde")]
            pub(crate) const fn serde_name(self) -> &'static str {
                match self { $( Self::$name => concat!("formwork_variant::$", stringify!($name)), )+ }
            }

            /// Returns a description of the type, one sentence or more.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$name => concat!($($doc),+), )+ }
            }
        }

        impl<R: Real> Variant<R> {
            /// A copy, made without regard to depth.
            fn clone_here(&self) -> Self {
                match self { $(
                    pattern!($name a $($payload)?) => variants!(@clone a $name $($payload)?),
                )+ }
            }

            /// Equality, found out without regard to depth.
            fn equals_here(&self, other: &Self) -> bool {
                match (self, other) {
                    $( (pattern!($name a $($payload)?), pattern!($name b $($payload)?)) => {
                        variants!(@equal a b $($payload)?)
                    } )+
                    _ => false,
                }
            }

            /// Returns the type of the value.
            #[inline]
            #[must_use]
            pub const fn variant_type(&self) -> VariantType {
                match self { $( Self::$name { .. } => VariantType::$name, )+ }
            }
        }
    };
    (@clone $bound:ident $name:ident) => { Self::$name };
    (@clone $bound:ident $name:ident $payload:ty) => { Self::$name($bound.clone()) };
    (@equal $a:ident $b:ident) => { true };
    (@equal $a:ident $b:ident $payload:ty) => { $a == $b };
}
for_each_type!(variants);

impl VariantType {
    /// Returns whether the type is made of `real_t`: its packets have two widths in Godot 4.
    #[must_use]
    pub const fn is_real(self) -> bool {
        match self.numbers() {
            Some(numbers) => matches!(numbers.number, NumberKind::Real),
            None => false,
        }
    }

    /// Returns whether a value of the type is one vector: a point or direction.
    pub(crate) const fn is_vector(self) -> bool {
        matches!(self.numbers(), Some(NumberType { is_vector: true, element: None, .. }))
    }

    /// Returns whether values of the type may hold others.
    pub(crate) const fn holds_values(self) -> bool {
        matches!(
            self,
            Self::Array
                | Self::Dictionary
                | Self::Object
                | Self::TypedArray
                | Self::PackedTypedArray
        )
    }
}
