//! The math types in serde's data model: a few numbers in a row, under a name.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::codec::components_fit;
use crate::{Math, NumberSource, Real, RealMath, Variant, VariantType};
use formwork::{Error, Result};
use formwork_records::schema::Field;
use formwork_records::wire::{Components, Element, Number, NumberList, value_of};

/// The most components that a math type has.
const MOST: usize = 16;

/// The number of components that most of them have at most.
pub(super) const FEW: usize = 4;

/// The components of a math type in their own width, in wire order. Entries after the type's count are zero.
///
/// (The long arrays are boxed, because values are moved with every call that serde makes.)
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Few([f32; FEW]),
    Single(Box<[f32; MOST]>),
    Double(Box<[f64; MOST]>),
    Whole([i32; FEW]),
}

/// Returns the first numbers, padded with zeros.
#[inline]
fn first<N: Number, M: Number + Default, const COUNT: usize>(
    numbers: &dyn NumberList<N>,
) -> [M; COUNT] {
    let mut made = [M::default(); COUNT];
    let mut to = made.iter_mut();
    numbers.for_each(&mut |number| {
        if let Some(to) = to.next() {
            *to = number.converted();
        }
    });
    made
}

impl Numbers {
    /// Returns the components of a value of a math type; [`None`] for a kind of number that no math type has.
    pub(super) fn of<R: Real>(numbers: crate::Numbers<'_, R>) -> Option<Self> {
        fn single<N: Number>(list: &dyn NumberList<N>) -> Numbers {
            if list.count() <= FEW {
                Numbers::Few(first(list))
            } else {
                Numbers::Single(Box::new(first(list)))
            }
        }
        Some(match numbers {
            crate::Numbers::Real(list) if R::DOUBLE => Self::Double(Box::new(first(list))),
            crate::Numbers::Real(list) => single(list),
            crate::Numbers::Single(list) => single(list),
            crate::Numbers::Double(list) => Self::Double(Box::new(first(list))),
            crate::Numbers::Int(list) => Self::Whole(first(list)),
            crate::Numbers::Long(_) => return None,
        })
    }

    /// Numbers of 32 bits.
    pub(super) fn single(numbers: &[f32]) -> Option<Self> {
        if let Some(few) = padded(numbers) {
            return Some(Self::Few(few));
        }
        padded(numbers).map(|all| Self::Single(Box::new(all)))
    }

    /// Numbers of 64 bits.
    pub(super) fn double(numbers: &[f64]) -> Option<Self> {
        padded(numbers).map(|all| Self::Double(Box::new(all)))
    }

    /// Whole numbers.
    pub(super) fn whole(numbers: &[i32]) -> Option<Self> {
        padded(numbers).map(Self::Whole)
    }

    /// Returns all numbers with their zero padding, if they have 32 bits.
    pub(super) fn as_single(&self) -> Option<&[f32]> {
        match self {
            Self::Few(few) => Some(few),
            Self::Single(all) => Some(&all[..]),
            Self::Double(_) | Self::Whole(_) => None,
        }
    }

    /// Returns the first `count` components, if `R` holds them exactly.
    fn reals<R: Real>(&self, count: usize) -> Result<[R; MOST]> {
        fn converted<N: Real, R: Real>(numbers: &[N], count: usize) -> Result<[R; MOST]> {
            components_fit::<N, R>(numbers.get(..count).ok_or_else(wrong)?, 0)
                .map_err(Error::nowhere)?;
            let mut made = [R::from_f64(0.0); MOST];
            made.iter_mut().zip(numbers).for_each(|(to, from)| *to = from.to());
            Ok(made)
        }
        match self {
            Self::Few(numbers) => converted(numbers, count),
            Self::Single(numbers) => converted(&numbers[..], count),
            Self::Double(numbers) => converted(&numbers[..], count),
            Self::Whole(numbers) => {
                let mut made = [R::from_f64(0.0); MOST];
                let reals = numbers.iter().map(|&number| R::from_f64(number.into()));
                made.iter_mut().zip(reals).for_each(|(to, from)| *to = from);
                Ok(made)
            }
        }
    }

    /// The value of a math type of real numbers.
    pub(super) fn real_math<R: Real, T: RealMath<R>>(self) -> Result<T> {
        let count = count_of::<T>();
        value_of(&self.reals::<R>(count)?[..count]).ok_or_else(wrong)
    }

    /// The value of a math type of numbers of one width.
    pub(super) fn math<T: Components>(self) -> Result<T> {
        let count = count_of::<T>();
        let mut numbers = [T::Number::of_i64(0); MOST];
        match self {
            Self::Whole(whole) => {
                numbers.iter_mut().zip(whole).for_each(|(to, from)| *to = from.converted());
            }
            Self::Few(_) | Self::Single(_) | Self::Double(_) if T::Number::REAL => {
                numbers = self.reals::<f32>(count)?.map(Number::converted);
            }
            Self::Few(_) | Self::Single(_) | Self::Double(_) => {}
        }
        value_of(&numbers[..count]).ok_or_else(wrong)
    }
}

/// Returns the numbers padded with zeros, if there are at most `COUNT`.
fn padded<T: Copy + Default, const COUNT: usize>(numbers: &[T]) -> Option<[T; COUNT]> {
    let mut made = [T::default(); COUNT];
    made.get_mut(..numbers.len())?.copy_from_slice(numbers);
    Some(made)
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

/// Returns the declared components of a math type; [`None`] for other types.
pub(super) const fn components(variant_type: VariantType) -> Option<&'static [Field]> {
    match variant_type.numbers() {
        Some(numbers) if numbers.element.is_none() => Some(numbers.components),
        Some(_) | None => None,
    }
}

/// Returns the number of components of a math type; [`None`] for other types.
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
/// Returns an error if `R` does not hold the components exactly, or the type is no math type.
pub(super) fn value<R: Real>(variant_type: VariantType, numbers: Numbers) -> Result<Variant<R>> {
    Variant::from_numbers(variant_type, numbers).unwrap_or_else(|_| Err(wrong()))
}
