//! Values for tests and fuzzers, made from the bytes of a fuzzer or a random number generator.
//!
//! [`variant`] makes a value that a given dialect can express: encoding it succeeds, and decoding
//! that gives the same value, at either strictness. Every declared type is
//! [`Arbitrary`] as well, by its declaration (`#[schema(arbitrary)]`); a record made that way has counts and padding
//! that agree with its contents.
//!
//! ```
//! use formwork_variant::generate::{Config, arbitrary::Unstructured, variant};
//! use formwork_variant::{Decoder, Dialect, to_vec};
//!
//! let seed: Vec<u8> = (0..=255).collect();
//! let value = variant(&mut Unstructured::new(&seed), Dialect::GODOT4, &Config::default())?;
//! let bytes = to_vec(&value, Dialect::GODOT4)?;
//! let decoder = Decoder::new(Dialect::GODOT4).allow_objects(true);
//! assert_eq!(to_vec(&decoder.decode(&bytes)?, Dialect::GODOT4)?, bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A seed always makes the same value, and a seed that is too short makes a value that ends. The generators are not
//! derived: on a type that nests, a derived generator makes one and a half values on average however long the seed
//! is, and hardly any boundary values.

pub mod interesting;
mod kinds;
mod leaf;
mod text;
mod value;
mod whole;
mod wild;

/// The crate whose traits these are.
pub use arbitrary;
use arbitrary::{Arbitrary, Result, Unstructured};
pub use value::CLASSES;
pub use wild::any_variant;

use formwork_records::generate::choice::chance;
pub use formwork_records::generate::{Config, Types, choice, number};

use crate::dialect::{Dialect, Precision};
use crate::{Real, Variant, VariantType};

/// Makes a value that the dialect can express.
///
/// # Errors
///
/// Returns the errors of [`Unstructured`]. A seed that is too short is no error: missing bytes count as zeros.
pub fn variant<R: Real>(
    u: &mut Unstructured<'_>,
    dialect: Dialect,
    config: &Config,
) -> Result<Variant<R>> {
    value::Generator::new(u, dialect, config).value()
}

/// Makes a value of this type that the dialect can express.
///
/// # Errors
///
/// Returns the errors of [`Unstructured`]. A seed that is too short is no error: missing bytes count as zeros.
pub fn variant_of<R: Real>(
    u: &mut Unstructured<'_>,
    variant_type: VariantType,
    dialect: Dialect,
    config: &Config,
) -> Result<Variant<R>> {
    value::Generator::new(u, dialect, config).value_of(variant_type)
}

/// Any of the dialects, in either precision.
impl<'a> Arbitrary<'a> for Dialect {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let index = u.choose_index(Self::all().len())?;
        let dialect = Self::all().nth(index).unwrap_or(Self::GODOT4);
        let precision = if u.arbitrary()? { Precision::Double } else { Precision::Single };
        Ok(dialect.with_precision(precision).unwrap_or(dialect))
    }
}
