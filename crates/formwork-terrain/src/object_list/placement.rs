//! The seven numbers of an object.

use formwork::Result;

use super::number;
use super::number::SixDecimals;

macro_rules! placement {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ident, )+) => {
        /// The place of an object, its rotation and its scale.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Placement { $( $(#[doc = $doc])+ pub $name: $type, )+ }

        impl Placement {
            /// The names of the numbers, in the order of Terrain Builder's text and of the records
            /// in a layer's tree.
            pub const NAMES: [&'static str; [$( stringify!($name) ),+].len()] =
                [$( stringify!($name) ),+];

            /// Returns the numbers in that order; those of 32 bits are widened.
            #[must_use]
            pub fn numbers(&self) -> [f64; Self::NAMES.len()] {
                [$( self.$name.into() ),+]
            }

            /// Returns the numbers at six decimals, in that order.
            pub(super) fn six_decimals(&self) -> [SixDecimals; Self::NAMES.len()] {
                self.numbers().map(SixDecimals::of)
            }

            /// Returns these numbers, but with the bits of `other` in each number that is the `same`.
            pub(super) fn with_bits_of(self, other: &Self, same: fn(f64, f64) -> bool) -> Self {
                Self { $( $name: {
                    if same(self.$name.into(), other.$name.into()) { other.$name } else { self.$name }
                }, )+ }
            }

            /// Whether the two are equal with every number compared by its bits.
            #[must_use]
            pub fn is_identical(&self, other: &Self) -> bool {
                $( self.$name.to_bits() == other.$name.to_bits() )&&+
            }

            /// Reads every number from the text, with its offset, that `next` returns for its name.
            pub(super) fn parse<'t>(
                mut next: impl FnMut(&'static str) -> Result<(u64, &'t [u8])>,
            ) -> Result<Self> {
                Ok(Self { $( $name: {
                    let name = stringify!($name);
                    let (offset, text) = next(name)?;
                    number::parse::<$type>(text).ok_or_else(|| number::fault(offset, text).within(name))?
                }, )+ })
            }

            /// Passes every number to `write`, in the fewest digits that read back as the same number.
            pub(super) fn each_shortest<E>(
                &self,
                mut write: impl FnMut(&'static str, std::fmt::Arguments<'_>) -> Result<(), E>,
            ) -> Result<(), E> {
                $( write(stringify!($name), format_args!("{}", self.$name))?; )+
                Ok(())
            }
        }
    };
}

placement! {
    /// To the east, in metres. (The maps of Terrain Builder start at 200000.)
    x: f64,
    /// To the north, in metres.
    y: f64,
    /// The direction, in degrees.
    yaw: f32,
    /// The pitch, in degrees.
    pitch: f32,
    /// The roll, in degrees.
    roll: f32,
    /// The size, as a multiple of the model's.
    scale: f32,
    /// The height above the ground, in metres.
    z: f32,
}
