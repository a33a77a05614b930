//! Numbers that a format has in two widths.

use binrw::BinWrite;

use super::{Components, Number};
use formwork::record::Readable;

mod sealed {
    pub trait Sealed {}

    impl Sealed for f32 {}

    impl Sealed for f64 {}
}

/// `f32` or `f64`. Components of the math types are `f32` in ordinary builds of an engine and `f64` in double-precision
/// builds; boxes of ALB1's quadtree are `f32` in version 3 and `f64` in version 4.
pub trait Real:
    sealed::Sealed
    + Readable
    + for<'a> BinWrite<Args<'a> = ()>
    + Components<Number = Self, Array = Self>
    + Number
    + Default
    + PartialEq
    + PartialOrd
    + std::fmt::Debug
    + Send
    + Sync
    + 'static
{
    /// Whether this is `f64`.
    const DOUBLE: bool;

    /// Returns the nearest number of this type.
    fn from_f64(number: f64) -> Self;

    /// Returns the number as `f64`.
    fn to_f64(self) -> f64;

    /// Returns the bits of the number, the lower 32 for `f32`.
    fn to_bits(self) -> u64;

    /// Returns the number with these bits.
    fn from_bits(bits: u64) -> Self;

    /// Returns the nearest number of another type; of the same type, exactly the same bits.
    #[must_use]
    fn to<S: Real>(self) -> S {
        if Self::DOUBLE == S::DOUBLE {
            S::from_bits(self.to_bits())
        } else {
            S::from_f64(self.to_f64())
        }
    }

    /// Whether [`Real::to`] that type and back gives exactly the same bits. (For a NaN, only its bits are checked: the
    /// result of converting one depends on the processor.)
    fn fits<S: Real>(self) -> bool {
        /// The bit that makes a NaN quiet, as every converted NaN is.
        const QUIET: [u64; 2] = [1 << 22, 1 << 51];
        /// The bits that 64 have and 32 do not.
        const BEHIND: u64 = (1 << 29) - 1;
        if Self::DOUBLE == S::DOUBLE {
            return true;
        }
        let bits = self.to_bits();
        if self.to_f64().is_nan() {
            let quiet = bits & QUIET[usize::from(Self::DOUBLE)] != 0;
            return quiet && (S::DOUBLE || bits & BEHIND == 0);
        }
        self.to::<S>().to::<Self>().to_bits() == bits
    }
}

impl Real for f32 {
    const DOUBLE: bool = false;

    fn from_f64(number: f64) -> Self {
        number as Self
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn to_bits(self) -> u64 {
        u64::from(Self::to_bits(self))
    }

    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
}

impl Real for f64 {
    const DOUBLE: bool = true;

    fn from_f64(number: f64) -> Self {
        number
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn to_bits(self) -> u64 {
        Self::to_bits(self)
    }

    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}
