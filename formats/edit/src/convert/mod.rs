//! Converts values of one dialect to values of another.
//!
//! The engines number their types differently, and the format does not record the engine that wrote it: a save of
//! Godot 3 is garbage when Godot 4 opens it (godotengine/godot issue 69114). A [`Converter`] makes the value that
//! the other engine would have stored, and lists as [`Loss`]es the parts for which that engine has no form:
//!
//! ```
//! use formwork_edit::convert::Converter;
//! use formwork_variant::Vector2i;
//! use formwork_variant::{Dialect, to_vec, variant};
//!
//! let save = variant!({ "cell": Vector2i::new(3, 4) });
//! let converter = Converter::new(Dialect::GODOT4, Dialect::GODOT3);
//! let conversion = converter.convert(save);
//!
//! let loss = &conversion.losses()[0];
//! assert_eq!(loss.path.to_string(), "dictionary[0].value");
//! assert_eq!(
//!     loss.to_string(),
//!     "cell: Vector2i(3, 4) becomes Vector2( 3, 4 ): godot3.6 has no such type"
//! );
//! // It is for the caller to say that this is all right.
//! let bytes = to_vec(&conversion.lossy(), Dialect::GODOT3)?;
//! # assert_eq!(bytes[20], 5);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # The definition of a loss
//!
//! A loss is any difference that converting back would not undo, and any value with another meaning in the other
//! engine. The following are not losses:
//!
//! * another name (Matrix32 and Transform2D), another number, another width on the wire;
//! * Godot 2's property of a path, which is the last subname elsewhere, and its "shared" mark, which arrays and
//!   dictionaries elsewhere do not need: all of them are shared, so it is set in a conversion to Godot 2
//!   ([`LossKind::Shared`] is an array or dictionary that lacks the mark there);
//! * a null object, which is a plain null in some engines;
//! * the order of a dictionary's keys, which is kept (but Godot 2 itself loses it in reading).
//!
//! Without losses, converting back gives the same value except for the above. (Pandemonium writes some types that it
//! does not read back itself: [`LossKind::Misread`]. They are exact when they come from Pandemonium; to Pandemonium
//! they are converted to the nearest form that it reads.) With losses, the
//! [nearest](Conversion::lossy) value can always be written in the target's dialect, as long as no text
//! or array has more than 2147483647 bytes or elements.
//!
//! The conversions of the types, and the possible losses between two dialects, are declared in one table; [`Table`]
//! shows it. Depth of a value costs no stack.

#![deny(clippy::wildcard_enum_match_arm)]

mod counterpart;
mod element;
mod leaf;
mod loss;
mod nearest;
mod open;
mod place;
pub mod rule;
mod table;
mod walk;

use std::marker::PhantomData;

pub use loss::{Loss, LossKind};
pub use table::Table;

use self::counterpart::Pair;
use self::walk::Walk;
use formwork::{Error, Result};
use formwork_records::limits::Limits;
use formwork_variant::dialect::Dialect;
use formwork_variant::{Real, Variant};

/// Turns values of one dialect into values of another. See the [module](self).
///
/// Makes values of single precision; [`double`](Self::double) makes one that makes those of double precision.
#[derive(Clone, Copy, Debug)]
pub struct Converter<S: Real = f32> {
    pair: Pair,
    depth: u32,
    precision: PhantomData<fn() -> S>,
}

impl Converter {
    /// A converter between these dialects.
    #[must_use]
    pub fn new(from: Dialect, to: Dialect) -> Self {
        let pair = Pair { from, to };
        Self { pair, depth: pair.depth(), precision: PhantomData }
    }
}

impl<S: Real> Converter<S> {
    /// Makes values of double precision instead, which fit a dialect of [double
    /// precision](formwork_variant::dialect::Precision).
    #[must_use]
    pub const fn double(self) -> Converter<f64> {
        self.in_precision()
    }

    /// Makes values of another precision instead: for code that is generic over it.
    #[must_use]
    pub const fn in_precision<T: Real>(self) -> Converter<T> {
        Converter { pair: self.pair, depth: self.depth, precision: PhantomData }
    }

    /// Chooses the limits. Only the [depth](Limits::depth) means something here: how many containers may surround
    /// a value, instead of as many as the target reads.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        if let Some(depth) = limits.depth {
            self.depth = depth;
        }
        self
    }

    /// The dialect that values are of.
    #[must_use]
    pub const fn from(&self) -> Dialect {
        self.pair.from
    }

    /// The dialect that they become of.
    #[must_use]
    pub const fn to(&self) -> Dialect {
        self.pair.to
    }

    /// The value that is nearest in the target, with all losses.
    pub fn convert<R: Real>(&self, value: Variant<R>) -> Conversion<S> {
        /// Losses that are kept, ...
        const LISTED: usize = 1 << 16;
        /// ... and steps of all their paths: of deep values, a path may have more than the value.
        const STEPS: usize = 1 << 20;
        let (mut losses, mut unlisted, mut steps) = (Vec::new(), 0, 0_usize);
        let value = self.convert_noting(value, |loss| {
            steps = steps.saturating_add(loss.path.steps().len());
            if losses.is_empty() || losses.len() < LISTED && steps <= STEPS {
                losses.push(loss);
            } else {
                unlisted += 1;
            }
        });
        Conversion { value, losses, unlisted }
    }

    /// Converts the value, passes each loss to `note` at once, and keeps none. (A value can have as many losses as
    /// it contains values.)
    pub fn convert_noting<R: Real>(
        &self,
        value: Variant<R>,
        mut note: impl FnMut(Loss),
    ) -> Variant<S> {
        Walk::new(self.pair, self.depth, &mut note).convert(value)
    }
}

/// A converted value, and its losses.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "the losses are for the caller to judge"]
pub struct Conversion<S: Real = f32> {
    value: Variant<S>,
    losses: Vec<Loss>,
    unlisted: u64,
}

impl<S: Real> Conversion<S> {
    /// Returns the losses, in the order of the value: the first 65536 at most, or fewer for values that are nested
    /// very deeply. The list is empty only if nothing is lost.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Returns the number of losses after those listed.
    #[must_use]
    pub const fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// Returns the value, if nothing is lost.
    ///
    /// # Errors
    ///
    /// Returns the first loss as an error, if there is one.
    pub fn exact(self) -> Result<Variant<S>> {
        let Some((first, others)) = self.losses.split_first() else {
            return Ok(self.value);
        };
        let found = match others.len() as u64 + self.unlisted {
            0 => format!("{} ({})", first.found, first.why),
            more => format!("{} ({}), and {more} more losses", first.found, first.why),
        };
        let expected = "a value that has an exact counterpart";
        Err(Error::new(rule::LOSS, 0, expected, found).under(first.path.clone()))
    }

    /// Returns the nearest value, despite losses.
    #[must_use]
    pub fn lossy(self) -> Variant<S> {
        self.value
    }
}
