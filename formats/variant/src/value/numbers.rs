//! The types that consist of numbers only: math types, and packed arrays of numbers and math types.
//!
//! Code that treats their numbers alike uses this module and names none of the types: [`Variant::numbers`] views the
//! numbers, [`Variant::from_numbers`] makes a value of them, and [`Variant::give_numbers`] passes them on as their
//! declared Rust types.

use super::math::{IsVector, Math, RealMath};
use super::{OwnType, Real, Variant, VariantType, for_each_type, pattern};
use formwork_records::schema::{Field, Layout, Schema};
use formwork_records::wire::{Components, Element, Number, NumberList};

/// A kind of number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NumberKind {
    /// The engine's `real_t`: 32 bits, or 64 in a double-precision build.
    Real,
    /// A float of 32 bits in every build.
    Single,
    /// A float of 64 bits.
    Double,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
}

/// The structure of a type that consists of numbers only.
#[derive(Clone, Copy, Debug)]
pub struct NumberType {
    /// The kind of number.
    pub number: NumberKind,
    /// The number of numbers in a value of a math type, or in an element of a packed array.
    pub count: usize,
    /// The type of the elements of a packed array; [`None`] for a math type.
    pub element: Option<VariantType>,
    /// The declared components of the math type; empty for plain numbers.
    pub components: &'static [Field],
    /// Whether the type is a vector, or an array of vectors: of points or directions.
    pub is_vector: bool,
}

impl NumberType {
    const fn of<T: Components + Schema + IsVector>(
        number: NumberKind,
        element: Option<VariantType>,
    ) -> Self {
        let components: &'static [Field] =
            if let Layout::Record(record) = T::LAYOUT { record.fields } else { &[] };
        let count = size_of::<T::Array>() / size_of::<T::Number>();
        Self { number, count, element, components, is_vector: T::IS_VECTOR }
    }
}

/// The kind of number that a type has in every build, and the type of such a number alone.
trait FixedNumber {
    const KIND: NumberKind;
    const TYPE: VariantType;
}

macro_rules! fixed_numbers {
    ($( $number:ident $kind:ident $variant_type:ident; )+) => { $(
        impl FixedNumber for $number {
            const KIND: NumberKind = NumberKind::$kind;
            const TYPE: VariantType = VariantType::$variant_type;
        }

        impl IsVector for $number {
            const IS_VECTOR: bool = false;
        }

        impl<'v, R: Real> From<&'v dyn NumberList<$number>> for Numbers<'v, R> {
            fn from(list: &'v dyn NumberList<$number>) -> Self {
                Self::$kind(list)
            }
        }
    )+ };
}
fixed_numbers! {
    f32 Single Float;
    f64 Double Float;
    i32 Int Int;
    i64 Long Int;
}

/// The kind of number of a type whose numbers are the same in every build.
const fn kind_of<T: Components<Number: FixedNumber>>() -> NumberKind {
    <T::Number as FixedNumber>::KIND
}

/// The numbers of a value, in wire order.
#[derive(Clone, Copy)]
pub enum Numbers<'v, R: Real> {
    /// Numbers of [`NumberKind::Real`].
    Real(&'v dyn NumberList<R>),
    /// Numbers of [`NumberKind::Single`].
    Single(&'v dyn NumberList<f32>),
    /// Numbers of [`NumberKind::Double`].
    Double(&'v dyn NumberList<f64>),
    /// Numbers of [`NumberKind::Int`].
    Int(&'v dyn NumberList<i32>),
    /// Numbers of [`NumberKind::Long`].
    Long(&'v dyn NumberList<i64>),
}

impl<R: Real> Numbers<'_, R> {
    /// Returns the number of elements: one for a math type.
    #[must_use]
    pub fn elements(&self) -> usize {
        match self {
            Self::Real(list) => list.elements(),
            Self::Single(list) => list.elements(),
            Self::Double(list) => list.elements(),
            Self::Int(list) => list.elements(),
            Self::Long(list) => list.elements(),
        }
    }
}

impl<R: Real> Numbers<'_, R> {
    /// Returns whether two values of one type have the same numbers, bit by bit.
    #[must_use]
    pub fn have_same_bits(self, other: Self) -> bool {
        fn same<N: Number>(a: &dyn NumberList<N>, b: &dyn NumberList<N>) -> bool {
            match (a.as_slice(), b.as_slice()) {
                (Some(a), Some(b)) => {
                    bytemuck::cast_slice::<N, u8>(a) == bytemuck::cast_slice::<N, u8>(b)
                }
                _ => {
                    let bits = |(a, b): (N, N)| bytemuck::bytes_of(&a) == bytemuck::bytes_of(&b);
                    a.count() == b.count() && a.iter().zip(b.iter()).all(bits)
                }
            }
        }
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => same(a, b),
            (Self::Single(a), Self::Single(b)) => same(a, b),
            (Self::Double(a), Self::Double(b)) => same(a, b),
            (Self::Int(a), Self::Int(b)) => same(a, b),
            (Self::Long(a), Self::Long(b)) => same(a, b),
            (
                Self::Real(_) | Self::Single(_) | Self::Double(_) | Self::Int(_) | Self::Long(_),
                _,
            ) => false,
        }
    }
}

impl<R: Real> std::fmt::Debug for Numbers<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Real(list) => f.debug_list().entries(list.iter()).finish(),
            Self::Single(list) => f.debug_list().entries(list.iter()).finish(),
            Self::Double(list) => f.debug_list().entries(list.iter()).finish(),
            Self::Int(list) => f.debug_list().entries(list.iter()).finish(),
            Self::Long(list) => f.debug_list().entries(list.iter()).finish(),
        }
    }
}

/// The source of the numbers of a new value.
pub trait NumberSource<R: Real>: Sized {
    /// The error of the source.
    type Error;

    /// Makes a math type of real numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not have the numbers.
    fn real_math<T: RealMath<R>>(self) -> Result<T, Self::Error>;

    /// Makes a math type of numbers of one width.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not have the numbers.
    fn math<T: Math>(self) -> Result<T, Self::Error>;

    /// Makes the elements of a packed array of a math type of real numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not have the numbers.
    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>, Self::Error>;

    /// Makes the elements of a packed array of numbers, or of a math type, of one width.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not have the numbers.
    fn packed<T: Element>(self) -> Result<Vec<T>, Self::Error>;
}

/// The target of the numbers of a value.
pub trait NumberSink<R: Real>: Sized {
    /// The result of the sink.
    type Output;

    /// Takes a math type of real numbers.
    fn real_math<T: RealMath<R>>(self, value: &T) -> Self::Output;

    /// Takes a math type of numbers of one width.
    fn math<T: Math>(self, value: &T) -> Self::Output;

    /// Takes the elements of a packed array of a math type of real numbers.
    fn packed_real_math<T: RealMath<R>>(self, values: &[T]) -> Self::Output;

    /// Takes the elements of a packed array of numbers, or of a math type, of one width.
    fn packed<T: Element>(self, values: &[T]) -> Self::Output;
}

macro_rules! numbers {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => {
        impl VariantType {
            /// Returns the structure of the type, if it consists of numbers only: a math type, or a packed array of
            /// numbers or of a math type. (Byte arrays are not included.)
            #[must_use]
            pub const fn numbers(self) -> Option<NumberType> {
                Some(match self { $( Self::$name => numbers!(@type $kind $($element)?), )+ })
            }
        }

        impl<R: Real> Variant<R> {
            /// Returns the numbers of a value that consists of numbers only, see [`VariantType::numbers`].
            ///
            /// ```
            /// use formwork_variant::Variant;
            /// use formwork_variant::{Numbers, Vector2};
            ///
            /// let value: Variant = vec![Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0)].into();
            /// let Some(Numbers::Real(numbers)) = value.numbers() else { panic!() };
            /// assert_eq!(numbers.iter().fold(0.0, |sum, number| sum + number), 10.0);
            /// ```
            #[must_use]
            #[allow(unused_variables, reason = "of most types nothing is asked but the name")]
            pub fn numbers(&self) -> Option<Numbers<'_, R>> {
                Some(match self { $(
                    pattern!($name held $($payload)?) => numbers!(@view held $kind $($element)?),
                )+ })
            }

            /// Hands the numbers of a value to a sink; [`None`] for a value that is not only numbers.
            #[allow(unused_variables, reason = "of most types nothing is asked but the name")]
            pub fn give_numbers<S: NumberSink<R>>(&self, sink: S) -> Option<S::Output> {
                Some(match self { $(
                    pattern!($name held $($payload)?) => {
                        numbers!(@give held sink $kind $($element)?)
                    }
                )+ })
            }

            /// Returns the elements of a packed array, each as a value; [`None`] for any other value.
            #[allow(unused_variables, reason = "of most types nothing is asked but the name")]
            #[must_use]
            pub fn elements(&self) -> Option<Box<dyn ExactSizeIterator<Item = Self> + '_>> {
                Some(match self { $(
                    pattern!($name held $($payload)?) => numbers!(@split held $name $kind),
                )+ })
            }

            /// Makes a value of a type that consists of numbers only.
            ///
            /// # Errors
            ///
            /// Returns the type as an error if it is another type. The inner result is the source's own.
            pub fn from_numbers<S: NumberSource<R>>(
                variant_type: VariantType,
                source: S,
            ) -> Result<Result<Self, S::Error>, OwnType> {
                Ok(match variant_type {
                    $( VariantType::$name => numbers!(@make source $name $kind $($element)?), )+
                })
            }
        }
    };

    (@type own) => { return None };
    (@type real_math $math:ident) => {
        NumberType::of::<crate::$math<f32>>(NumberKind::Real, None)
    };
    (@type math $math:ident) => {
        NumberType::of::<crate::$math>(kind_of::<crate::$math>(), None)
    };
    (@type packed_real_math $math:ident) => {
        NumberType::of::<crate::$math<f32>>(NumberKind::Real, Some(VariantType::$math))
    };
    (@type packed_math $math:ident) => {
        NumberType::of::<crate::$math>(
            kind_of::<crate::$math>(),
            Some(VariantType::$math),
        )
    };
    (@type packed_numbers $number:ident) => {
        NumberType::of::<$number>(kind_of::<$number>(), Some(<$number as FixedNumber>::TYPE))
    };

    (@view $held:ident own) => { return None };
    (@view $held:ident real_math $math:ident) => {
        Numbers::Real(unboxed::<crate::$math<R>>($held))
    };
    (@view $held:ident packed_real_math $math:ident) => { Numbers::Real($held) };
    (@view $held:ident math $math:ident) => { fixed($held) };
    (@view $held:ident packed_math $math:ident) => { fixed($held) };
    (@view $held:ident packed_numbers $number:ident) => { fixed($held) };

    (@give $held:ident $sink:ident own) => { return None };
    (@give $held:ident $sink:ident real_math $math:ident) => {
        $sink.real_math(unboxed::<crate::$math<R>>($held))
    };
    (@give $held:ident $sink:ident math $math:ident) => { $sink.math($held) };
    (@give $held:ident $sink:ident packed_real_math $math:ident) => {
        $sink.packed_real_math($held)
    };
    (@give $held:ident $sink:ident packed_math $math:ident) => { $sink.packed($held) };
    (@give $held:ident $sink:ident packed_numbers $number:ident) => { $sink.packed($held) };

    (@split $held:ident PackedByteArray own) => { numbers!(@split $held From::from) };
    (@split $held:ident PackedStringArray own) => { numbers!(@split $held Self::String) };
    (@split $held:ident $name:ident own) => { return None };
    (@split $held:ident $name:ident real_math) => { return None };
    (@split $held:ident $name:ident math) => { return None };
    (@split $held:ident $name:ident $packed:ident) => { numbers!(@split $held From::from) };
    (@split $held:ident $of:path) => { Box::new($held.iter().cloned().map($of)) };

    (@make $source:ident $name:ident own) => { return Err(OwnType::$name) };
    (@make $source:ident $name:ident real_math $math:ident) => {
        $source.real_math::<crate::$math<R>>().map(|made| Self::$name(made.into()))
    };
    (@make $source:ident $name:ident math $math:ident) => { $source.math().map(Self::$name) };
    (@make $source:ident $name:ident packed_real_math $math:ident) => {
        $source.packed_real_math().map(Self::$name)
    };
    (@make $source:ident $name:ident packed_math $math:ident) => {
        $source.packed().map(Self::$name)
    };
    (@make $source:ident $name:ident packed_numbers $number:ident) => {
        $source.packed().map(Self::$name)
    };
}
pub(super) use numbers;
for_each_type!(numbers);

/// A math type out of the box that it may be in.
pub(super) fn unboxed<T>(held: &impl std::borrow::Borrow<T>) -> &T {
    held.borrow()
}

/// Numbers that are the same in every build.
pub(super) fn fixed<'v, R: Real, N>(list: &'v impl NumberList<N>) -> Numbers<'v, R>
where
    N: Number,
    Numbers<'v, R>: From<&'v dyn NumberList<N>>,
{
    let list: &dyn NumberList<N> = list;
    list.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Projection, Vector2i};

    #[test]
    fn values_and_arrays_are_numbers_in_a_row() {
        let one = Vector2i::new(1, 2);
        let list: &dyn NumberList<i32> = &one;
        assert_eq!((list.step(), list.elements(), list.number(2)), (2, 1, None));
        assert_eq!(list.iter().collect::<Vec<_>>(), [1, 2]);
        let several = vec![one, Vector2i::new(3, 4)];
        let list: &dyn NumberList<i32> = &several;
        assert_eq!((list.count(), list.number(2), list.as_slice()), (4, Some(3), None));
        assert_eq!(list.converted(i64::from), [1, 2, 3, 4]);
        let plain = vec![5.5_f64];
        let list: &dyn NumberList<f64> = &plain;
        assert_eq!(list.as_slice(), Some(&[5.5][..]));
    }

    #[test]
    fn a_type_says_of_what_numbers_it_is() {
        let numbers = VariantType::Projection.numbers().unwrap();
        assert_eq!((numbers.number, numbers.count, numbers.element), (NumberKind::Real, 16, None));
        assert_eq!(numbers.components[1].name, "x_y");
        let numbers = VariantType::PackedColorArray.numbers().unwrap();
        assert_eq!((numbers.number, numbers.count), (NumberKind::Single, 4));
        assert_eq!(numbers.element, Some(VariantType::Color));
        let numbers = VariantType::PackedInt64Array.numbers().unwrap();
        assert_eq!((numbers.number, numbers.count), (NumberKind::Long, 1));
        assert_eq!(numbers.element, Some(VariantType::Int));
        assert!(VariantType::PackedByteArray.numbers().is_none());
    }

    #[test]
    fn a_boxed_value_gives_its_numbers() {
        let value = Variant::<f64>::from(Projection::from_array([0.5; 16]));
        let Some(Numbers::Real(numbers)) = value.numbers() else { panic!("no real numbers") };
        assert_eq!(numbers.iter().sum::<f64>(), 8.0);
    }
}
