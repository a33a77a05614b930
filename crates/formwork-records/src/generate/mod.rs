//! Limits of generated values, and numbers by their shape.

pub mod choice;
pub mod number;

use arbitrary::{Arbitrary, Result, Unstructured};

/// Limits of the values that a generator makes.
///
/// The limits are maxima; smaller values occur, too.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Config {
    /// The greatest number of containers around a value. The dialect's limit holds as well. Default: 12.
    pub max_depth: u32,
    /// The greatest number of values in all, including the containers themselves and dictionary keys. Default: 64.
    pub max_nodes: usize,
    /// The greatest number of bytes of all strings and packed arrays together. Default: 4096.
    pub max_bytes: usize,
    /// The greatest number of bytes of one string. Default: 64.
    pub max_string_bytes: usize,
    /// The greatest number of elements of one container or packed array. Default: 32.
    pub max_count: usize,
    /// The types to use, as far as the dialect has them. A subset that changes from value to value finds more than all
    /// types always (swarm testing). If no type is left, the value is null. Default: all.
    pub types: Types,
    /// The percentage of values that have a single type or are a container of a few values of one type. Large random
    /// values seldom bring the right neighbours together; small ones do. Default: 50.
    pub single_percent: u8,
    /// The percentage of the other values whose outermost container gets elements until the seed ends, up to the
    /// limits: then a longer seed makes a larger value. Default: 20.
    pub fill_percent: u8,
    /// The percentage of numbers that are boundary values of their types. Default: 40.
    pub boundary_percent: u8,
    /// Whether objects in full form occur, and containers whose elements are of a class or script: a reader must allow
    /// objects. Default: true.
    pub objects: bool,
    /// Whether values occur that packets can carry but no engine makes: NaNs with a payload, characters that Unicode
    /// does not have (if the dialect holds them), names in a NodePath that are empty or hold a `/` or `:`, names of
    /// classes and properties that are not identifiers. Default: true.
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

/// Makes other limits and another subset of the types each time; never more than the default.
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
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Types(u64);

impl Types {
    /// Every type.
    pub const ALL: Self = Self(u64::MAX);
    /// No type.
    pub const NONE: Self = Self(0);

    /// Returns the set as bits, one for each type.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set of these bits; bits that belong to no type are ignored.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Whether the type is in the set.
    #[must_use]
    pub fn contains(self, kind: impl Into<u8>) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    /// Returns the set with the type in it.
    #[must_use]
    pub fn with(self, kind: impl Into<u8>) -> Self {
        Self(self.0 | Self::bit(kind))
    }

    /// Returns the set without the type.
    #[must_use]
    pub fn without(self, kind: impl Into<u8>) -> Self {
        Self(self.0 & !Self::bit(kind))
    }

    fn bit(kind: impl Into<u8>) -> u64 {
        1_u64.checked_shl(kind.into().into()).unwrap_or_default()
    }
}

impl<T: Into<u8>> FromIterator<T> for Types {
    fn from_iter<I: IntoIterator<Item = T>>(types: I) -> Self {
        types.into_iter().fold(Self::NONE, |types, kind| types.with(kind))
    }
}
