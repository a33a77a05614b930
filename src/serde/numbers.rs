//! The math types as what they are to serde: a few numbers in a row, under a name.

use crate::schema::{Declared, Shape};
use crate::variant::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Real, Rect2, Rect2i, Transform2D,
    Transform3D, Variant, VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// The components of a math type in the width that they have, in wire order. What is above the
/// type's count is zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers {
    Single([f32; 16]),
    Double([f64; 16]),
    Whole([i32; 4]),
}

impl Numbers {
    fn of_reals<R: Real>(components: &[R]) -> Self {
        if R::DOUBLE {
            let mut numbers = [0.0; 16];
            numbers.iter_mut().zip(components).for_each(|(to, from)| *to = from.to_f64());
            Self::Double(numbers)
        } else {
            let mut numbers = [0.0; 16];
            numbers.iter_mut().zip(components).for_each(|(to, from)| *to = from.to::<f32>());
            Self::Single(numbers)
        }
    }

    fn of_whole(components: &[i32]) -> Self {
        let mut numbers = [0; 4];
        numbers.iter_mut().zip(components).for_each(|(to, from)| *to = *from);
        Self::Whole(numbers)
    }

    fn reals<R: Real, const COUNT: usize>(self) -> [R; COUNT] {
        let mut components = [R::default(); COUNT];
        match self {
            Self::Single(numbers) => {
                components.iter_mut().zip(numbers).for_each(|(to, from)| *to = from.to::<R>());
            }
            Self::Double(numbers) => {
                components.iter_mut().zip(numbers).for_each(|(to, from)| *to = from.to::<R>());
            }
            Self::Whole(numbers) => components
                .iter_mut()
                .zip(numbers)
                .for_each(|(to, from)| *to = R::from_f64(from.into())),
        }
        components
    }

    fn whole<const COUNT: usize>(self) -> [i32; COUNT] {
        let mut components = [0; COUNT];
        if let Self::Whole(numbers) = self {
            components.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
        }
        components
    }
}

macro_rules! math {
    ($( $name:ident $count:literal $kind:ident; )+) => {
        /// How many components a math type has; [`None`] for other types.
        pub(super) const fn count(variant_type: VariantType) -> Option<usize> {
            match variant_type {
                $( VariantType::$name => Some($count), )+
                _ => None,
            }
        }

        /// The name of a component.
        pub(super) fn name(variant_type: VariantType, at: usize) -> Option<&'static str> {
            let shape = match variant_type {
                $( VariantType::$name => math!(@shape $kind $name), )+
                _ => return None,
            };
            match shape {
                Shape::Record(record) => record.fields.get(at).map(|field| field.name),
                _ => None,
            }
        }

        /// The components of a value of a math type.
        pub(super) fn of<R: Real>(value: &Variant<R>) -> Option<Numbers> {
            Some(match value {
                $( Variant::$name(value) => math!(@of $kind value), )+
                _ => return None,
            })
        }

        /// The value with these components.
        pub(super) fn value<R: Real>(
            variant_type: VariantType,
            numbers: Numbers,
        ) -> Option<Variant<R>> {
            Some(match variant_type {
                $( VariantType::$name => math!(@value $kind $name $count numbers), )+
                _ => return None,
            })
        }
    };
    (@shape real $name:ident) => { <$name<f32> as Declared>::SHAPE };
    (@shape $kind:ident $name:ident) => { <$name as Declared>::SHAPE };
    (@of real $value:ident) => { Numbers::of_reals(&$value.to_array()) };
    (@of whole $value:ident) => { Numbers::of_whole(&$value.to_array()) };
    (@of single $value:ident) => { Numbers::of_reals(&$value.to_array()) };
    (@value real $name:ident $count:literal $numbers:ident) => {
        $name::from_array($numbers.reals::<R, $count>()).into()
    };
    (@value whole $name:ident $count:literal $numbers:ident) => {
        $name::from_array($numbers.whole::<$count>()).into()
    };
    (@value single $name:ident $count:literal $numbers:ident) => {
        $name::from_array($numbers.reals::<f32, $count>()).into()
    };
}

math! {
    Vector2 2 real;
    Vector2i 2 whole;
    Rect2 4 real;
    Rect2i 4 whole;
    Vector3 3 real;
    Vector3i 3 whole;
    Transform2D 6 real;
    Vector4 4 real;
    Vector4i 4 whole;
    Plane 4 real;
    Quaternion 4 real;
    Aabb 6 real;
    Basis 9 real;
    Transform3D 12 real;
    Projection 16 real;
    Color 4 single;
}
