//! Values that are made.

use binrw::BinRead;

use super::from_slice;
use crate::error::Result;
use crate::schema::Schema;
use crate::walk::{Chance, Walk};

/// How many seeds are tried before a declaration counts as one that nothing can be made for.
const TRIES: u64 = 16;

/// Returns the bytes of a value; the same for the same seed.
///
/// Counts agree with lists, conditions with fields, checksums with bytes, and what is asserted holds.
///
/// # Errors
///
/// Fails if an expression of the declaration cannot be given the value that it needs: a function without an inverse, two
/// conditions that exclude each other.
pub fn generate_bytes<T: Schema>(seed: u64) -> Result<Vec<u8>> {
    run::<T>(Chance::of_seed(seed), false)
}

/// Returns a value; the same for the same seed.
///
/// # Errors
///
/// As [`generate_bytes`], of the last of some seeds that follow from this one.
pub fn generate<T: Schema + for<'a> BinRead<Args<'a> = ()>>(seed: u64) -> Result<T> {
    let mut result = generate_bytes::<T>(seed).and_then(|bytes| from_slice(&bytes));
    for another in 1..TRIES {
        if result.is_ok() {
            break;
        }
        let seed = seed.wrapping_add(another << 32);
        result = generate_bytes::<T>(seed).and_then(|bytes| from_slice(&bytes));
    }
    result
}

/// Returns bytes in which records are in each other as deep as they go.
pub(super) fn generate_deep<T: Schema>(seed: u64) -> Result<Vec<u8>> {
    run::<T>(Chance::of_seed(seed), true)
}

fn run<T: Schema>(chance: Chance, is_deep: bool) -> Result<Vec<u8>> {
    let walk = Walk::making(T::LAYOUT, chance);
    let mut walk = if is_deep { walk.deep() } else { walk };
    for step in &mut walk {
        step?;
    }
    Ok(walk.into_made())
}

/// Returns a value made of a fuzzer's bytes: what `#[schema(arbitrary)]` calls.
///
/// # Errors
///
/// Fails if no value can be made of the bytes.
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub fn arbitrary<T>(input: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<T>
where
    T: Schema + for<'a> BinRead<Args<'a> = ()>,
{
    let bytes = input.bytes(input.len())?.to_vec();
    let made = run::<T>(Chance::Bytes(bytes.into_iter()), false);
    made.and_then(|bytes| from_slice(&bytes)).map_err(|_| arbitrary::Error::IncorrectFormat)
}
