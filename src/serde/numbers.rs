//! The math types as what they are to serde: a few numbers in a row, under a name.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::error::{Error, Result};
use crate::schema::Field;
use crate::variant::codec::components_fit;
use crate::variant::{self, Math, NumberSource, Real, RealMath, Variant, VariantType};
use crate::wire::{Components, Element, Number, value_of};

/// The most components that a math type has.
const MOST: usize = 16;

/// The components of a math type in the width that they have, in wire order. What is above the
/// type's count is zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers {
    Single([f32; MOST]),
    Double([f64; MOST]),
    Whole([i32; MOST]),
}

/// The first numbers, with zeros behind them.
fn first<N: Number, M: Number + Default>(numbers: impl Iterator<Item = N>) -> [M; MOST] {
    let mut made = [M::default(); MOST];
    made.iter_mut().zip(numbers).for_each(|(to, from)| *to = from.converted());
    made
}

impl Numbers {
    /// The components of a value of a math type; [`None`] where they are of a kind that none has.
    pub(super) fn of<R: Real>(numbers: variant::Numbers<'_, R>) -> Option<Self> {
        Some(match numbers {
            variant::Numbers::Real(list) if R::DOUBLE => Self::Double(first(list.iter())),
            variant::Numbers::Real(list) => Self::Single(first(list.iter())),
            variant::Numbers::Single(list) => Self::Single(first(list.iter())),
            variant::Numbers::Double(list) => Self::Double(first(list.iter())),
            variant::Numbers::Int(list) => Self::Whole(first(list.iter())),
            variant::Numbers::Long(_) => return None,
        })
    }

    /// So many first components, where `R` holds them as they are.
    fn reals<R: Real>(self, count: usize) -> Result<[R; MOST]> {
        Ok(match self {
            Self::Single(numbers) => {
                components_fit::<f32, R>(&numbers[..count], Error::NOWHERE)?;
                numbers.map(Real::to)
            }
            Self::Double(numbers) => {
                components_fit::<f64, R>(&numbers[..count], Error::NOWHERE)?;
                numbers.map(Real::to)
            }
            Self::Whole(numbers) => numbers.map(|number| R::from_f64(number.into())),
        })
    }

    /// The value of a math type of real numbers.
    pub(super) fn real_math<R: Real, T: RealMath<R>>(self) -> Result<T> {
        let count = count_of::<T>();
        value_of(&self.reals::<R>(count)?[..count]).ok_or_else(wrong)
    }

    /// The value of a math type of numbers of one width.
    pub(super) fn math<T: Components>(self) -> Result<T> {
        let count = count_of::<T>();
        let numbers: [T::Number; MOST] = match self {
            Self::Whole(numbers) => numbers.map(Number::converted),
            Self::Single(_) | Self::Double(_) if T::Number::REAL => {
                self.reals::<f32>(count)?.map(Number::converted)
            }
            Self::Single(_) | Self::Double(_) => [T::Number::of_i64(0); MOST],
        };
        value_of(&numbers[..count]).ok_or_else(wrong)
    }
}

const fn count_of<T: Components>() -> usize {
    size_of::<T::Array>() / size_of::<T::Number>()
}

fn wrong() -> Error {
    ::serde::ser::Error::custom("not the numbers of a math type")
}

impl<R: Real> NumberSource<R> for Numbers {
    type Error = Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        self.real_math()
    }

    fn math<T: Math>(self) -> Result<T> {
        self.math()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        Err(wrong())
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        Err(wrong())
    }
}

/// The components of a math type, as they are declared; [`None`] for other types.
pub(super) const fn components(variant_type: VariantType) -> Option<&'static [Field]> {
    match variant_type.numbers() {
        Some(numbers) if numbers.element.is_none() => Some(numbers.components),
        Some(_) | None => None,
    }
}

/// How many components a math type has; [`None`] for other types.
pub(super) const fn count(variant_type: VariantType) -> Option<usize> {
    match components(variant_type) {
        Some(components) => Some(components.len()),
        None => None,
    }
}

/// The value with these components.
///
/// # Errors
///
/// Where `R` does not hold the components as they are, or the type is no math type.
pub(super) fn value<R: Real>(variant_type: VariantType, numbers: Numbers) -> Result<Variant<R>> {
    Variant::from_numbers(variant_type, numbers).unwrap_or_else(|_| Err(wrong()))
}
