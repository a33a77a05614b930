//! The types that are nothing but a number, or an array of numbers.
//!
//! All code that treats their numbers alike goes through here, so that it knows none of them by name:
//! [`Value::from_numbers`] makes a value of numbers, [`Value::give_numbers`] hands them over as what they
//! are. Both say of the other types which one it is, so that those are a `match` of seven.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use binrw::{BinRead, BinWrite};

use super::field_type::{OwnType, for_each_field_type, pattern};
use super::{Field, FieldType, Object, ObjectPointer, Raw, Text, Value};
use formwork_records::wire::{Components, Number};

/// A number that a field can hold.
pub trait FieldNumber:
    Number
    + Components<Number = Self>
    + Display
    + FromStr
    + for<'a> BinRead<Args<'a> = ()>
    + for<'a> BinWrite<Args<'a> = ()>
{
    /// Returns the number with these bits, of which the upper ones are cut off.
    fn of_low_bits(bits: u64) -> Self;
}

macro_rules! field_numbers {
    ($($number:ident $bits:ident;)+) => { $(
        impl FieldNumber for $number {
            fn of_low_bits(bits: u64) -> Self {
                bytemuck::cast(bits as $bits)
            }
        }
    )+ };
}
field_numbers! {
    i8 u8;
    u8 u8;
    i16 u16;
    u16 u16;
    i32 u32;
    u32 u32;
    i64 u64;
    f32 u32;
    f64 u64;
}

/// Content of a value that is neither a number nor an array of numbers.
#[derive(Clone, Copy, Debug)]
pub enum OwnValue<'v> {
    /// [`Value::Bool`].
    Bool(&'v u8),
    /// [`Value::String`].
    String(&'v Text),
    /// [`Value::Array`].
    Array(&'v [Field]),
    /// [`Value::Raw`].
    Raw(&'v Raw),
    /// [`Value::Object`].
    Object(&'v Object),
    /// [`Value::ObjectPointer`].
    ObjectPointer(&'v ObjectPointer),
    /// [`Value::Pair`].
    Pair(&'v [Field; 2]),
    /// [`Value::Empty`].
    Empty,
}

/// Source of the numbers of a new value.
pub trait NumberSource: Sized {
    /// Error of the source.
    type Error;

    /// Makes the number of a field.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not have the number.
    fn number<N: FieldNumber>(self) -> Result<N, Self::Error>;

    /// Makes the numbers of an array.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not have the numbers.
    fn numbers<N: FieldNumber>(self) -> Result<Box<[N]>, Self::Error>;
}

/// Receiver of the numbers of a value.
pub trait NumberSink: Sized {
    /// Result of the receiver.
    type Output;

    /// Takes the number of a field.
    fn number<N: FieldNumber>(self, number: N) -> Self::Output;

    /// Takes the numbers of an array.
    fn numbers<N: FieldNumber>(self, numbers: &[N]) -> Self::Output;
}

macro_rules! numbers {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => {
        impl Value {
            /// Makes a value of a type that is a number or an array of numbers.
            ///
            /// # Errors
            ///
            /// The type where it is another one. (What the source says is inside.)
            pub fn from_numbers<S: NumberSource>(
                field_type: FieldType,
                source: S,
            ) -> Result<Result<Self, S::Error>, OwnType> {
                Ok(match field_type {
                    $( FieldType::$variant => numbers!(@make source $variant $kind), )+
                })
            }

            /// Hands over the number or the numbers of a value.
            ///
            /// # Errors
            ///
            /// Returns the content of the value as the error if it holds no numbers.
            pub fn give_numbers<S: NumberSink>(&self, sink: S) -> Result<S::Output, OwnValue<'_>> {
                Ok(match self {
                    $( pattern!($variant held $($held)?) => {
                        numbers!(@give held sink $variant $kind $($held)?)
                    } )+
                    Self::Raw(held) => return Err(OwnValue::Raw(held)),
                })
            }

            /// Returns the bytes of the number or numbers in memory.
            #[allow(unused_variables, reason = "the same for all types")]
            pub(super) fn number_bytes(&self) -> Option<&[u8]> {
                match self {
                    $( pattern!($variant held $($held)?) => { numbers!(@bytes held $kind) } )+
                    Self::Raw(_) => None,
                }
            }

            /// Returns the number, of any type of whole number. (Hashes are signed longs; `as u32` gives the unsigned
            /// view.)
            #[must_use]
            #[allow(clippy::cast_lossless, unused_variables, reason = "the same for all types")]
            pub const fn as_integer(&self) -> Option<i64> {
                match self {
                    $( pattern!($variant held $($held)?) => {
                        numbers!(@integer held $kind $($held)?)
                    } )+
                    Self::Raw(_) => None,
                }
            }

            /// Returns the number, of a float or double.
            #[must_use]
            #[allow(clippy::cast_lossless, unused_variables, reason = "the same for all types")]
            pub const fn as_real(&self) -> Option<f64> {
                match self {
                    $( pattern!($variant held $($held)?) => {
                        numbers!(@real held $kind $($held)?)
                    } )+
                    Self::Raw(_) => None,
                }
            }
        }
    };
    (@make $source:ident $variant:ident number) => { $source.number().map(Self::$variant) };
    (@make $source:ident $variant:ident numbers) => { $source.numbers().map(Self::$variant) };
    (@make $source:ident $variant:ident own) => { return Err(OwnType::$variant) };

    (@give $held:ident $sink:ident $variant:ident number $type:ty) => { $sink.number(*$held) };
    (@give $held:ident $sink:ident $variant:ident numbers $type:ty) => { $sink.numbers($held) };
    (@give $held:ident $sink:ident $variant:ident own $type:ty) => {
        return Err(OwnValue::$variant($held))
    };
    (@give $held:ident $sink:ident $variant:ident own) => { return Err(OwnValue::$variant) };

    (@bytes $held:ident number) => { Some(bytemuck::bytes_of($held)) };
    (@bytes $held:ident numbers) => { Some(bytemuck::cast_slice($held)) };
    (@bytes $held:ident own) => { None };

    (@integer $held:ident number $type:ty) => {
        if <$type as Number>::REAL { None } else { Some(*$held as i64) }
    };
    (@integer $held:ident $kind:ident $($type:ty)?) => { None };

    (@real $held:ident number $type:ty) => {
        if <$type as Number>::REAL { Some(*$held as f64) } else { None }
    };
    (@real $held:ident $kind:ident $($type:ty)?) => { None };
}
for_each_field_type!(numbers);

impl Value {
    /// Returns the number or the numbers of a value, if they are of the type `N` or differ from it by their
    /// sign only.
    #[must_use]
    pub fn numbers_as<N: FieldNumber>(&self) -> Option<&[N]> {
        let is_alike = self.give_numbers(Alike::<N>(PhantomData)).unwrap_or(false);
        bytemuck::try_cast_slice(self.number_bytes().filter(|_| is_alike)?).ok()
    }
}

/// Whether numbers are laid out as those of the type `N`.
struct Alike<N>(PhantomData<N>);

impl<N: FieldNumber> NumberSink for Alike<N> {
    type Output = bool;

    fn number<M: FieldNumber>(self, _: M) -> bool {
        M::REAL == N::REAL && size_of::<M>() == size_of::<N>()
    }

    fn numbers<M: FieldNumber>(self, _: &[M]) -> bool {
        M::REAL == N::REAL && size_of::<M>() == size_of::<N>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_as_what_they_are() {
        let several = Value::ArrayOfFloat([1.5, -0.0].into());
        assert_eq!(several.numbers_as::<f32>(), Some(&[1.5, -0.0][..]));
        assert_eq!((several.numbers_as::<f64>(), several.numbers_as::<i32>()), (None, None));
        let hash = Value::SignedLong(-1);
        assert_eq!(hash.numbers_as::<u32>(), Some(&[u32::MAX][..]));
        assert_eq!((hash.as_integer(), hash.as_real()), (Some(-1), None));
        let bool = Value::Bool(1);
        assert_eq!((bool.numbers_as::<u8>(), bool.as_integer()), (None, None));
    }
}
