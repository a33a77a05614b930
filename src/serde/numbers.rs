//! The math types as what they are to serde: a few numbers in a row, under a name.

use crate::error::{Error, Result};
use crate::schema::{Field, record_of};
use crate::variant::codec::components_fit;
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

    /// The first components, where `R` holds them as they are.
    fn reals<R: Real, const COUNT: usize>(self) -> Result<[R; COUNT]> {
        match &self {
            Self::Single(numbers) => components_fit::<f32, R>(&numbers[..COUNT], Error::NOWHERE)?,
            Self::Double(numbers) => components_fit::<f64, R>(&numbers[..COUNT], Error::NOWHERE)?,
            Self::Whole(_) => {}
        }
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
        Ok(components)
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
    ($( $name:ident $kind:ident; )+) => {
        /// The components of a math type, as they are declared; [`None`] for other types.
        pub(super) const fn components(variant_type: VariantType) -> Option<&'static [Field]> {
            Some(match variant_type {
                $( VariantType::$name => math!(@fields $kind $name), )+
                _ => return None,
            })
        }

        /// The components of a value of a math type.
        pub(super) fn of<R: Real>(value: &Variant<R>) -> Option<Numbers> {
            Some(match value {
                $( Variant::$name(value) => math!(@of $kind value), )+
                _ => return None,
            })
        }

        /// The value with these components; null for other types.
        ///
        /// # Errors
        ///
        /// Where `R` does not hold the components as they are.
        pub(super) fn value<R: Real>(
            variant_type: VariantType,
            numbers: Numbers,
        ) -> Result<Variant<R>> {
            Ok(match variant_type {
                $( VariantType::$name => math!(@value $kind $name numbers), )+
                _ => Variant::Nil,
            })
        }
    };
    (@fields real $name:ident) => { const { record_of::<$name<f32>>() }.fields };
    (@fields $kind:ident $name:ident) => { const { record_of::<$name>() }.fields };
    (@of real $value:ident) => { Numbers::of_reals(&$value.to_array()) };
    (@of whole $value:ident) => { Numbers::of_whole(&$value.to_array()) };
    (@of single $value:ident) => { Numbers::of_reals(&$value.to_array()) };
    (@value real $name:ident $numbers:ident) => {
        $name::from_array($numbers.reals::<R, _>()?).into()
    };
    (@value whole $name:ident $numbers:ident) => { $name::from_array($numbers.whole()).into() };
    (@value single $name:ident $numbers:ident) => {
        $name::from_array($numbers.reals::<f32, _>()?).into()
    };
}

/// How many components a math type has; [`None`] for other types.
pub(super) const fn count(variant_type: VariantType) -> Option<usize> {
    match components(variant_type) {
        Some(components) => Some(components.len()),
        None => None,
    }
}

math! {
    Vector2 real;
    Vector2i whole;
    Rect2 real;
    Rect2i whole;
    Vector3 real;
    Vector3i whole;
    Transform2D real;
    Vector4 real;
    Vector4i whole;
    Plane real;
    Quaternion real;
    Aabb real;
    Basis real;
    Transform3D real;
    Projection real;
    Color single;
}
