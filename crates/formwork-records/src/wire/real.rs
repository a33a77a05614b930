//! Numbers that a format has in two widths.

use binrw::{BinRead, BinWrite};

use super::{Components, Number};
use crate::schema::Schema;

mod sealed {
    use super::{Once, Real};

    pub trait Sealed: Sized {
        /// Runs a function of [`compiled_once!`](super::compiled_once) for this type.
        fn run<'a, 'b: 'a, 'c: 'a, F: Once>(
            input: F::Input<'a, 'b, 'c, Self>,
        ) -> F::Output<'a, Self>
        where
            Self: Real;
    }

    impl Sealed for f32 {
        #[inline(always)]
        fn run<'a, 'b: 'a, 'c: 'a, F: Once>(
            input: F::Input<'a, 'b, 'c, Self>,
        ) -> F::Output<'a, Self> {
            F::single(input)
        }
    }

    impl Sealed for f64 {
        #[inline(always)]
        fn run<'a, 'b: 'a, 'c: 'a, F: Once>(
            input: F::Input<'a, 'b, 'c, Self>,
        ) -> F::Output<'a, Self> {
            F::double(input)
        }
    }
}

/// A function of [`compiled_once!`].
pub trait Once {
    /// The arguments. The result may borrow from `'a`.
    type Input<'a, 'b: 'a, 'c: 'a, R: Real>;
    /// The result.
    type Output<'a, R: Real>;

    /// Runs the function for `f32`.
    fn single<'a, 'b: 'a, 'c: 'a>(input: Self::Input<'a, 'b, 'c, f32>) -> Self::Output<'a, f32>;

    /// Runs the function for `f64`.
    fn double<'a, 'b: 'a, 'c: 'a>(input: Self::Input<'a, 'b, 'c, f64>) -> Self::Output<'a, f64>;
}

/// Declares a function over a [`Real`] that is compiled here, for either width, and not in the crates that call it.
///
/// Other generic functions are compiled anew by each crate that calls them, with all that they call. The
/// function may be given the lifetimes `'a`, and `'b` and `'c`, which outlive it.
#[doc(hidden)]
#[macro_export]
macro_rules! compiled_once {
    (
        $(#[$doc:meta])*
        $visibility:vis fn $name:ident<$($lifetime:lifetime,)* $real:ident>(
            $($argument:ident: $type:ty),* $(,)?
        ) -> $output:ty $body:block
    ) => {
        $(#[$doc])*
        #[inline]
        $visibility fn $name<$($lifetime,)* $real: $crate::wire::Real>(
            $($argument: $type),*
        ) -> $output {
            struct Function;

            impl $crate::wire::Once for Function {
                type Input<'a, 'b: 'a, 'c: 'a, $real: $crate::wire::Real> = ($($type,)*);
                type Output<'a, $real: $crate::wire::Real> = $output;

                #[inline(never)]
                fn single<'a, 'b: 'a, 'c: 'a>(input: Self::Input<'a, 'b, 'c, f32>) -> Self::Output<'a, f32> {
                    run(input)
                }

                #[inline(never)]
                fn double<'a, 'b: 'a, 'c: 'a>(input: Self::Input<'a, 'b, 'c, f64>) -> Self::Output<'a, f64> {
                    run(input)
                }
            }

            #[inline]
            fn run<$($lifetime,)* $real: $crate::wire::Real>(
                ($($argument,)*): ($($type,)*),
            ) -> $output $body

            $real::run::<Function>(($($argument,)*))
        }
    };
}
pub use crate::compiled_once;

/// `f32` or `f64`. Components of the math types are `f32` in ordinary builds of an engine and `f64` in double-precision
/// builds; boxes of ALB1's quadtree are `f32` in version 3 and `f64` in version 4.
pub trait Real:
    sealed::Sealed
    + for<'a> BinRead<Args<'a> = ()>
    + for<'a> BinWrite<Args<'a> = ()>
    + Components<Number = Self, Array = Self>
    + Number
    + Schema
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
