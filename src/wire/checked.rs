//! Arithmetic of declarations: an overflow is an error, in every profile.

use binrw::BinResult;

use super::{raise, rule};
use crate::error::Error;

#[cold]
fn overflow() -> binrw::Error {
    raise(Error::new(
        rule::RECORD_VALUE,
        0,
        "a number that its type holds",
        "a larger one, or a division by zero",
    ))
}

/// Numbers that can be computed with.
pub trait Checked: Sized {
    /// Computes, with the operation of this position: add, subtract, multiply, divide, remainder, divide and round up,
    /// the next multiple, remainder and quotient of Euclid, negate.
    fn compute(self, with: Self, operation: u8) -> Option<Self>;
}

/// Numbers that can be the distance of a shift.
pub trait Distance {
    /// Returns the distance.
    fn distance(self) -> Option<u32>;
}

/// Numbers that can be shifted.
pub trait Shift: Sized {
    /// Shifts to the left.
    fn left(self, distance: u32) -> Option<Self>;
    /// Shifts to the right.
    fn right(self, distance: u32) -> Option<Self>;
}

macro_rules! numbers {
    ($($ty:ident)+) => { $(
        impl Checked for $ty {
            #[inline]
            fn compute(self, with: Self, operation: u8) -> Option<Self> {
                match operation {
                    0 => self.checked_add(with),
                    1 => self.checked_sub(with),
                    2 => self.checked_mul(with),
                    3 => self.checked_div(with),
                    4 => self.checked_rem(with),
                    5 => {
                        let (whole, rest) = (self.checked_div(with)?, self.checked_rem(with)?);
                        let is_up = rest != 0 && (rest > 0) == (with > 0);
                        if is_up { whole.checked_add(1) } else { Some(whole) }
                    }
                    6 => match self.checked_rem_euclid(with)? {
                        0 => Some(self),
                        rest => self.checked_add(with.checked_sub(rest)?),
                    },
                    7 => self.checked_rem_euclid(with),
                    8 => self.checked_div_euclid(with),
                    _ => (0 as Self).checked_sub(self),
                }
            }
        }
        impl Distance for $ty {
            #[inline]
            fn distance(self) -> Option<u32> { self.try_into().ok() }
        }
        impl Shift for $ty {
            #[inline]
            fn left(self, distance: u32) -> Option<Self> { self.checked_shl(distance) }
            #[inline]
            fn right(self, distance: u32) -> Option<Self> { self.checked_shr(distance) }
        }
    )+ };
}

numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Computes, or fails.
#[inline]
pub(crate) fn checked<T: Checked>(left: T, right: T, operation: u8) -> BinResult<T> {
    left.compute(right, operation).ok_or_else(overflow)
}

/// Shifts to the left, or fails.
#[inline]
pub(crate) fn shift_left<T: Shift>(number: T, distance: impl Distance) -> BinResult<T> {
    distance.distance().and_then(|distance| number.left(distance)).ok_or_else(overflow)
}

/// Shifts to the right, or fails.
#[inline]
pub(crate) fn shift_right<T: Shift>(number: T, distance: impl Distance) -> BinResult<T> {
    distance.distance().and_then(|distance| number.right(distance)).ok_or_else(overflow)
}
