//! Values for tests and fuzzers, made from whatever bytes a fuzzer or a random number generator
//! has.
//!
//! [`variant`] makes a value that a given dialect can express: encoding it succeeds, and decoding
//! that gives the same value, at either strictness. Every declared type is
//! [`Arbitrary`] as well; a record made that way has counts and padding that
//! agree with its contents.
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
//! [`document`] makes an ALB1 document.
//!
//! A seed always makes one and the same value, and seed bytes that run out make a value that ends. Why not
//! a derive: on a type that nests, a derived generator makes one and a half values on average
//! however long the seed is, and boundary values next to never.

pub mod alb1;
pub mod choice;
pub mod interesting;
mod kinds;
mod leaf;
pub mod number;
mod record;
mod text;
mod value;
mod whole;
mod wild;

pub use alb1::document;
/// The crate whose traits these are.
pub use arbitrary;
use arbitrary::{Arbitrary, Result, Unstructured};
pub use value::CLASSES;
pub use wild::any_variant;

use choice::chance;

use crate::dialect::{Dialect, Precision};
use crate::{Real, Variant, VariantType};

/// What a generator may make.
///
/// The limits are maxima; everything below them comes up too.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Config {
    /// Containers around a value. The dialect's own limit holds as well. Default: 12.
    pub max_depth: u32,
    /// Values in all, the containers themselves and dictionary keys counted. Default: 64.
    pub max_nodes: usize,
    /// Bytes of all strings and packed arrays together. Default: 4096.
    pub max_bytes: usize,
    /// Bytes of one string. Default: 64.
    pub max_string_bytes: usize,
    /// Elements of one container or packed array. Default: 32.
    pub max_count: usize,
    /// The types to use, as far as the dialect has them. A subset that changes from value to value
    /// finds more than all types always (swarm testing). Where none is left, the value is null.
    /// Default: all.
    pub types: Types,
    /// How often, in percent, a value is of one type alone or a container of a few such values. Big
    /// random values seldom bring the right neighbours together; small ones do. Default: 50.
    pub single_percent: u8,
    /// How often, in percent, the outermost container of the other values gets elements as long as there
    /// are seed bytes, up to the limits: then a longer seed makes a larger value. Default: 20.
    pub fill_percent: u8,
    /// How often, in percent, a number is one of its type's boundary values. Default: 40.
    pub boundary_percent: u8,
    /// Whether objects in full form come up, and containers whose elements are of a class or script:
    /// a reader must [allow objects](crate::Decoder::allow_objects). Default: true.
    pub objects: bool,
    /// Whether there is what packets carry but no engine makes on its own: NaNs with a payload,
    /// characters that Unicode does not have (where the dialect holds them), names in a NodePath
    /// that are empty or hold a `/` or `:`, names of classes and properties that are no identifiers.
    /// Default: true.
    pub odd_values: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_depth: 12,
            max_nodes: 64,
            max_bytes: 4096,
            max_string_bytes: 64,
            max_count: 32,
            types: Types::ALL,
            single_percent: 50,
            fill_percent: 20,
            boundary_percent: 40,
            objects: true,
            odd_values: true,
        }
    }
}

/// Other limits and another subset of the types each time; never more than the default.
impl<'a> Arbitrary<'a> for Config {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let most = Self::default();
        let types = if u.arbitrary()? { Types::ALL } else { Types(u.arbitrary()?) };
        Ok(Self {
            max_depth: u.int_in_range(0..=most.max_depth)?,
            max_nodes: u.int_in_range(0..=most.max_nodes)?,
            max_bytes: u.int_in_range(0..=most.max_bytes)?,
            max_string_bytes: u.int_in_range(0..=most.max_string_bytes)?,
            max_count: u.int_in_range(0..=most.max_count)?,
            types,
            single_percent: u.int_in_range(0..=100)?,
            fill_percent: u.int_in_range(0..=100)?,
            boundary_percent: u.int_in_range(0..=100)?,
            objects: u.arbitrary()?,
            odd_values: u.arbitrary()?,
        })
    }
}

/// A set of types.
///
/// ```
/// use formwork_variant::generate::Types;
/// use formwork_variant::VariantType;
///
/// let numbers: Types = [VariantType::Int, VariantType::Float].into_iter().collect();
/// assert!(numbers.contains(VariantType::Int));
/// assert!(!Types::ALL.without(VariantType::Int).contains(VariantType::Int));
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Types(u64);

// A bit for each type.
const _: () = assert!(VariantType::ALL.len() <= u64::BITS as usize);

impl Types {
    /// Every type.
    pub const ALL: Self = Self(u64::MAX);
    /// No type.
    pub const NONE: Self = Self(0);

    /// Returns the set as bits, one for each type.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set of these bits; bits that belong to no type count for nothing.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Whether the type is in the set.
    #[must_use]
    pub const fn contains(self, variant_type: VariantType) -> bool {
        self.0 & Self::bit(variant_type) != 0
    }

    /// The set with the type in it.
    #[must_use]
    pub const fn with(self, variant_type: VariantType) -> Self {
        Self(self.0 | Self::bit(variant_type))
    }

    /// The set without the type.
    #[must_use]
    pub const fn without(self, variant_type: VariantType) -> Self {
        Self(self.0 & !Self::bit(variant_type))
    }

    const fn bit(variant_type: VariantType) -> u64 {
        1 << variant_type as u32
    }
}

impl FromIterator<VariantType> for Types {
    fn from_iter<I: IntoIterator<Item = VariantType>>(types: I) -> Self {
        types.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Makes a value that the dialect can express.
///
/// # Errors
///
/// Those of [`Unstructured`]. A seed that is too short is no error: what is missing counts as zeros.
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
/// Those of [`Unstructured`]. A seed that is too short is no error: what is missing counts as zeros.
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
