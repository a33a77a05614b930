//! The math types: plain structs of numbers, usable on their own.
//!
//! [`Real`] is the engine's `real_t`: `f32`, or `f64` in a double-precision build of Godot 4. It is a type
//! parameter: the two cannot be mixed by accident, and there is no cost at run time.

use formwork::{BinRead, BinWrite};

use formwork::record::Readable;
use formwork_records::schema::Schema;
pub use formwork_records::wire::Real;
use formwork_records::wire::{Components, Element};

/// A math type: a declared record of numbers of one kind.
pub trait Math: Element + Readable + for<'a> BinWrite<Args<'a> = ()> {}

impl<T> Math for T where T: Element + Readable + for<'a> BinWrite<Args<'a> = ()> {}

/// A math type of real numbers, with a counterpart in the other precision.
pub trait RealMath<R: Real>: Math + Components<Number = R> {
    /// The type in a precision.
    type In<S: Real>: Math + Components<Number = S>;

    /// Returns the same value in another precision; `f64` to `f32` rounds.
    fn to_precision<S: Real>(self) -> Self::In<S>;

    /// Returns the value that a value of another precision is in this one.
    fn from_precision<S: Real>(value: Self::In<S>) -> Self;
}

/// Says of a math type, or of a plain number, whether it is a vector: a point or direction, which the engines
/// put in order by its components and make other vectors of.
pub(super) trait IsVector {
    const IS_VECTOR: bool;
}

/// Declares a math type whose fields are all numbers of one kind, in wire order; `vector` marks a vector, see
/// [`IsVector`].
macro_rules! math {
    (
        $(#[doc = $doc:literal])+
        $name:ident<$real:ident> [$count:literal] $($vector:ident)? { $( $(#[doc = $field_doc:literal])+ $field:ident, )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
        #[brw(little)]
        pub struct $name<$real: Real = f32> { $( $(#[doc = $field_doc])+ pub $field: $real, )+ }

        impl<$real: Real> $name<$real> {
            /// The value with these components.
            #[must_use]
            #[allow(clippy::too_many_arguments, reason = "as many as the type has components")]
            pub const fn new($( $field: $real ),+) -> Self {
                Self { $( $field ),+ }
            }

            /// The components in wire order.
            #[must_use]
            pub const fn to_array(self) -> [$real; $count] {
                [$( self.$field ),+]
            }

            /// The value with these components, in wire order.
            #[must_use]
            pub const fn from_array([$( $field ),+]: [$real; $count]) -> Self {
                Self { $( $field ),+ }
            }

            /// Returns the value in another precision; `f64` to `f32` rounds.
            #[must_use]
            pub fn cast<S: Real>(self) -> $name<S> {
                $name { $( $field: self.$field.to::<S>() ),+ }
            }
        }

        impl<$real: Real> Components for $name<$real> {
            type Number = $real;
            type Array = [$real; $count];

            #[inline]
            fn from_components(components: Self::Array) -> Self {
                Self::from_array(components)
            }

            #[inline]
            fn to_components(self) -> Self::Array {
                self.to_array()
            }
        }

        impl<$real: Real> RealMath<$real> for $name<$real> {
            type In<S: Real> = $name<S>;

            fn to_precision<S: Real>(self) -> $name<S> {
                self.cast()
            }

            fn from_precision<S: Real>(value: $name<S>) -> Self {
                value.cast()
            }
        }

        impl<$real: Real> IsVector for $name<$real> {
            const IS_VECTOR: bool = math!(@is_vector $($vector)?);
        }

        math!(@arbitrary $name $real $($field)+);
    };
    (
        $(#[doc = $doc:literal])+
        $name:ident: $number:ident [$count:literal] $($vector:ident)? { $( $(#[doc = $field_doc:literal])+ $field:ident, )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
        #[brw(little)]
        pub struct $name { $( $(#[doc = $field_doc])+ pub $field: $number, )+ }

        impl $name {
            /// The value with these components.
            #[must_use]
            pub const fn new($( $field: $number ),+) -> Self {
                Self { $( $field ),+ }
            }

            /// The components in wire order.
            #[must_use]
            pub const fn to_array(self) -> [$number; $count] {
                [$( self.$field ),+]
            }

            /// The value with these components, in wire order.
            #[must_use]
            pub const fn from_array([$( $field ),+]: [$number; $count]) -> Self {
                Self { $( $field ),+ }
            }
        }

        impl Components for $name {
            type Number = $number;
            type Array = [$number; $count];

            #[inline]
            fn from_components(components: Self::Array) -> Self {
                Self::from_array(components)
            }

            #[inline]
            fn to_components(self) -> Self::Array {
                self.to_array()
            }
        }

        impl IsVector for $name {
            const IS_VECTOR: bool = math!(@is_vector $($vector)?);
        }

        #[cfg(feature = "arbitrary")]
        impl<'a> arbitrary::Arbitrary<'a> for $name {
            fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                Ok(Self { $( $field: u.arbitrary()? ),+ })
            }
        }
    };
    (@is_vector vector) => { true };
    (@is_vector) => { false };
    (@arbitrary $name:ident $real:ident $($field:ident)+) => {
        #[cfg(feature = "arbitrary")]
        impl<'a, $real: Real + arbitrary::Arbitrary<'a>> arbitrary::Arbitrary<'a> for $name<$real> {
            fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                Ok(Self { $( $field: u.arbitrary()? ),+ })
            }
        }
    };
}

math! {
    /// A point or direction in the plane.
    Vector2<T> [2] vector {
        /// Horizontal.
        x,
        /// Vertical.
        y,
    }
}

math! {
    /// A point or direction in the plane, in whole numbers. Pandemonium and Godot 4.
    Vector2i: i32 [2] vector {
        /// Horizontal.
        x,
        /// Vertical.
        y,
    }
}

math! {
    /// A rectangle with sides along the axes.
    Rect2<T> [4] {
        /// Left edge.
        position_x,
        /// Top edge.
        position_y,
        /// Width.
        size_x,
        /// Height.
        size_y,
    }
}

math! {
    /// A rectangle with sides along the axes, in whole numbers. Pandemonium and Godot 4.
    Rect2i: i32 [4] {
        /// Left edge.
        position_x,
        /// Top edge.
        position_y,
        /// Width.
        size_x,
        /// Height.
        size_y,
    }
}

math! {
    /// A point or direction in space.
    Vector3<T> [3] vector {
        /// First axis.
        x,
        /// Second axis (up, in the engines).
        y,
        /// Third axis.
        z,
    }
}

math! {
    /// A point or direction in space, in whole numbers. Pandemonium and Godot 4.
    Vector3i: i32 [3] vector {
        /// First axis.
        x,
        /// Second axis.
        y,
        /// Third axis.
        z,
    }
}

math! {
    /// Four numbers. Pandemonium (3.8 on) and Godot 4.
    Vector4<T> [4] vector {
        /// First.
        x,
        /// Second.
        y,
        /// Third.
        z,
        /// Fourth.
        w,
    }
}

math! {
    /// Four whole numbers. Pandemonium (3.8 on) and Godot 4.
    Vector4i: i32 [4] vector {
        /// First.
        x,
        /// Second.
        y,
        /// Third.
        z,
        /// Fourth.
        w,
    }
}

math! {
    /// A 2D transform, column by column. Godot 2 calls it Matrix32.
    Transform2D<T> [6] {
        /// First column (the x axis), x.
        x_x,
        /// First column, y.
        x_y,
        /// Second column (the y axis), x.
        y_x,
        /// Second column, y.
        y_y,
        /// Origin, x.
        origin_x,
        /// Origin, y.
        origin_y,
    }
}

math! {
    /// A plane: the points whose dot product with the normal is `d`.
    Plane<T> [4] {
        /// Normal, x.
        normal_x,
        /// Normal, y.
        normal_y,
        /// Normal, z.
        normal_z,
        /// Distance from the origin along the normal.
        d,
    }
}

math! {
    /// A rotation. Godot 2 and 3 call it Quat.
    Quaternion<T> [4] {
        /// Imaginary part, x.
        x,
        /// Imaginary part, y.
        y,
        /// Imaginary part, z.
        z,
        /// Real part.
        w,
    }
}

math! {
    /// A box with sides along the axes.
    Aabb<T> [6] {
        /// Least x.
        position_x,
        /// Least y.
        position_y,
        /// Least z.
        position_z,
        /// Extent along x.
        size_x,
        /// Extent along y.
        size_y,
        /// Extent along z.
        size_z,
    }
}

math! {
    /// A 3 x 3 matrix, **row by row** on the wire (every edition of the documentation says column by
    /// column; the engines' bytes say otherwise). The columns are the axes. Godot 2 calls it Matrix3.
    Basis<T> [9] {
        /// First row: x of the x axis.
        x_x,
        /// First row: x of the y axis.
        y_x,
        /// First row: x of the z axis.
        z_x,
        /// Second row: y of the x axis.
        x_y,
        /// Second row: y of the y axis.
        y_y,
        /// Second row: y of the z axis.
        z_y,
        /// Third row: z of the x axis.
        x_z,
        /// Third row: z of the y axis.
        y_z,
        /// Third row: z of the z axis.
        z_z,
    }
}

math! {
    /// A 3D transform: a basis row by row, then the origin. Godot 2, 3 and Pandemonium call it
    /// Transform.
    Transform3D<T> [12] {
        /// First row of the basis: x of the x axis.
        x_x,
        /// First row: x of the y axis.
        y_x,
        /// First row: x of the z axis.
        z_x,
        /// Second row: y of the x axis.
        x_y,
        /// Second row: y of the y axis.
        y_y,
        /// Second row: y of the z axis.
        z_y,
        /// Third row: z of the x axis.
        x_z,
        /// Third row: z of the y axis.
        y_z,
        /// Third row: z of the z axis.
        z_z,
        /// Origin, x.
        origin_x,
        /// Origin, y.
        origin_y,
        /// Origin, z.
        origin_z,
    }
}

math! {
    /// A 4 x 4 matrix, column by column. Pandemonium (3.8 on) and Godot 4.
    Projection<T> [16] {
        /// First column, x.
        x_x,
        /// First column, y.
        x_y,
        /// First column, z.
        x_z,
        /// First column, w.
        x_w,
        /// Second column, x.
        y_x,
        /// Second column, y.
        y_y,
        /// Second column, z.
        y_z,
        /// Second column, w.
        y_w,
        /// Third column, x.
        z_x,
        /// Third column, y.
        z_y,
        /// Third column, z.
        z_z,
        /// Third column, w.
        z_w,
        /// Fourth column, x.
        w_x,
        /// Fourth column, y.
        w_y,
        /// Fourth column, z.
        w_z,
        /// Fourth column, w.
        w_w,
    }
}

math! {
    /// A colour, each part normally 0 to 1. Always single precision, in every build.
    Color: f32 [4] {
        /// Red.
        r,
        /// Green.
        g,
        /// Blue.
        b,
        /// Opacity.
        a,
    }
}

/// Declares the order in which other crates have the components of a matrix that the wire has row by
/// row.
macro_rules! columns {
    ($name:ident [$count:literal] $( $field:ident )+) => {
        impl<T: Real> $name<T> {
            /// The components axis after axis (column by column), as glam and OpenGL have them.
            #[must_use]
            pub const fn to_columns(self) -> [T; $count] {
                [$( self.$field ),+]
            }

            /// The value with these components, axis after axis (column by column).
            #[must_use]
            pub const fn from_columns([$( $field ),+]: [T; $count]) -> Self {
                Self { $( $field ),+ }
            }
        }
    };
}

columns!(Basis [9] x_x x_y x_z y_x y_y y_z z_x z_y z_z);
columns!(Transform3D [12] x_x x_y x_z y_x y_y y_z z_x z_y z_z origin_x origin_y origin_z);
