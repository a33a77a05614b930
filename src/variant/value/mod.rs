//! The value: one [`Variant`] type for the union of all engines' types.
//!
//! With the features `glam` and `mint` the math types become those of these crates, and the other way
//! round (`From`), bit for bit. A [`Basis`] and a [`Transform3D`], row by row on the wire, are column by
//! column there, so that they turn a vector to the same place; a [`Color`] is glam's `Vec4`.

mod access;
mod container;
mod convert;
mod deep;
#[cfg(feature = "glam")]
mod glam;
mod identical;
mod input;
mod key;
mod math;
#[cfg(feature = "mint")]
mod mint;
mod node_path;
mod object;
pub(crate) mod place;
#[cfg(all(test, any(feature = "glam", feature = "mint")))]
mod rotated;
mod string;

pub use access::Index;
pub use container::{Array, Dictionary, ElementType, TypedArray};
pub use convert::WrongType;
pub use input::{Image, InputEvent, InputEventKind, Modifiers};
#[cfg(feature = "serde")]
pub(crate) use key::KeyHashes;
pub use key::SameKeys;
pub(crate) use key::{KeySet, WrittenKeys};
pub use math::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Real, Rect2, Rect2i, Transform2D,
    Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
pub use node_path::NodePath;
pub use object::{FullObject, Object, Signal};
pub use string::VariantString;

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
    ($( $(#[doc = $doc:literal])+ $name:ident $(($payload:ty))?, )+) => {
        /// A value of an engine: any of the types that any of the engines has.
        ///
        /// `R` is the number type of the math types, see [`Real`]. The names are Godot 4's where
        /// the engines differ; a [`Dialect`](crate::Dialect) knows its own names.
        ///
        /// Cloning, comparing and dropping a value cost no stack, however deep it nests; its
        /// `Debug` output leaves out what lies very deep.
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

            /// The word that stands for a value of this type in a [`Path`](crate::Path), such as
            /// `node_path`.
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

            /// What serde knows a value of this type by: `formwork::$` and the name.
            #[cfg(feature = "serde")]
            pub(crate) const fn serde_name(self) -> &'static str {
                match self { $( Self::$name => concat!("formwork::$", stringify!($name)), )+ }
            }

            /// What it is, in a sentence.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$name => concat!($($doc),+), )+ }
            }
        }

        impl<R: Real> Variant<R> {
            /// A copy, made without regard to depth.
            fn clone_here(&self) -> Self {
                match self { $(
                    variants!(@bind a $name $($payload)?) => variants!(@clone a $name $($payload)?),
                )+ }
            }

            /// Equality, found out without regard to depth.
            fn equals_here(&self, other: &Self) -> bool {
                match (self, other) {
                    $( (
                        variants!(@bind a $name $($payload)?),
                        variants!(@bind b $name $($payload)?),
                    ) => variants!(@equal a b $($payload)?), )+
                    _ => false,
                }
            }

            /// What type of value this is.
            #[must_use]
            pub const fn variant_type(&self) -> VariantType {
                match self { $( variants!(@pattern $name $($payload)?) => VariantType::$name, )+ }
            }
        }
    };
    (@bind $bound:ident $name:ident) => { Self::$name };
    (@bind $bound:ident $name:ident $payload:ty) => { Self::$name($bound) };
    (@clone $bound:ident $name:ident) => { Self::$name };
    (@clone $bound:ident $name:ident $payload:ty) => { Self::$name($bound.clone()) };
    (@equal $a:ident $b:ident) => { true };
    (@equal $a:ident $b:ident $payload:ty) => { $a == $b };
    (@pattern $name:ident) => { Self::$name };
    (@pattern $name:ident $payload:ty) => { Self::$name(_) };
}

variants! {
    /// No value (null).
    Nil,
    /// True or false.
    Bool(bool),
    /// A whole number; Godot 2 has only 32 bits of it.
    Int(i64),
    /// A number; Godot 2 has only single precision.
    Float(f64),
    /// A text.
    String(VariantString),
    /// Two components.
    Vector2(Vector2<R>),
    /// Two whole components. Pandemonium and Godot 4.
    Vector2i(Vector2i),
    /// A rectangle.
    Rect2(Rect2<R>),
    /// A rectangle in whole numbers. Pandemonium and Godot 4.
    Rect2i(Rect2i),
    /// Three components.
    Vector3(Vector3<R>),
    /// Three whole components. Pandemonium and Godot 4.
    Vector3i(Vector3i),
    /// A 2D transform (Godot 2: Matrix32).
    Transform2D(Transform2D<R>),
    /// Four components. Pandemonium 3.8 on and Godot 4.
    Vector4(Vector4<R>),
    /// Four whole components. Pandemonium 3.8 on and Godot 4.
    Vector4i(Vector4i),
    /// A plane.
    Plane(Plane<R>),
    /// A rotation (Godot 2 and 3: Quat).
    Quaternion(Quaternion<R>),
    /// A box.
    Aabb(Aabb<R>),
    /// A 3 x 3 matrix (Godot 2: Matrix3).
    Basis(Box<Basis<R>>),
    /// A 3D transform (before Godot 4: Transform).
    Transform3D(Box<Transform3D<R>>),
    /// A 4 x 4 matrix. Pandemonium 3.8 on and Godot 4.
    Projection(Box<Projection<R>>),
    /// A colour.
    Color(Color),
    /// A text that the engine keeps once. Pandemonium and Godot 4.
    StringName(VariantString),
    /// A path to a node or property.
    NodePath(Box<NodePath>),
    /// A resource of a server; its number is stored only by Godot 4 (elsewhere 0).
    Rid(u64),
    /// An object.
    Object(Object<R>),
    /// A function to call; nothing of it is stored. Godot 4.
    Callable,
    /// A signal of an object. Godot 4.
    Signal(Box<Signal>),
    /// Key and value pairs.
    Dictionary(Dictionary<R>),
    /// A list of values.
    Array(Array<R>),
    /// A list of values of one type. Pandemonium 5.
    TypedArray(Box<TypedArray<R>>),
    /// A list of values of one type that the engine keeps packed. Pandemonium 5.
    PackedTypedArray(Box<TypedArray<R>>),
    /// Bytes (Godot 2: RawArray, 3 and Pandemonium: PoolByteArray).
    PackedByteArray(Vec<u8>),
    /// 32-bit whole numbers (Godot 2: IntArray, 3 and Pandemonium: PoolIntArray).
    PackedInt32Array(Vec<i32>),
    /// 64-bit whole numbers. Godot 4.
    PackedInt64Array(Vec<i64>),
    /// Single-precision numbers (Godot 2: RealArray, 3 and Pandemonium: PoolRealArray).
    PackedFloat32Array(Vec<f32>),
    /// Double-precision numbers. Godot 4.
    PackedFloat64Array(Vec<f64>),
    /// Texts (Godot 2: StringArray, 3 and Pandemonium: PoolStringArray).
    PackedStringArray(Vec<VariantString>),
    /// Vector2s (Godot 2: Vector2Array, 3 and Pandemonium: PoolVector2Array).
    PackedVector2Array(Vec<Vector2<R>>),
    /// Vector2is. Pandemonium.
    PackedVector2iArray(Vec<Vector2i>),
    /// Vector3s (Godot 2: Vector3Array, 3 and Pandemonium: PoolVector3Array).
    PackedVector3Array(Vec<Vector3<R>>),
    /// Vector3is. Pandemonium.
    PackedVector3iArray(Vec<Vector3i>),
    /// Vector4s. Pandemonium 3.8 on and Godot 4.3 on.
    PackedVector4Array(Vec<Vector4<R>>),
    /// Vector4is. Pandemonium 3.8 on.
    PackedVector4iArray(Vec<Vector4i>),
    /// Colours (Godot 2: ColorArray, 3 and Pandemonium: PoolColorArray).
    PackedColorArray(Vec<Color>),
    /// A picture. Godot 2.
    Image(Box<Image>),
    /// An input event. Godot 2.
    InputEvent(InputEvent),
}

impl VariantType {
    /// Whether the type is made of `real_t`: its packets have two widths in Godot 4.
    #[must_use]
    pub const fn is_real(self) -> bool {
        matches!(
            self,
            Self::Vector2
                | Self::Rect2
                | Self::Vector3
                | Self::Transform2D
                | Self::Vector4
                | Self::Plane
                | Self::Quaternion
                | Self::Aabb
                | Self::Basis
                | Self::Transform3D
                | Self::Projection
                | Self::PackedVector2Array
                | Self::PackedVector3Array
                | Self::PackedVector4Array
        )
    }

    /// Whether double-precision builds of Godot 4.0 and 4.1 forget the flag of this type.
    #[must_use]
    pub(crate) const fn lacks_flag_before_4_2(self) -> bool {
        matches!(self, Self::Vector4 | Self::Projection)
    }
}
