//! Values that are made.

use super::{Readable, With, with};
use crate::error::Result;
use crate::schema::Schema;
use crate::walk::{Chance, Walk};
use crate::wire::Cursor;

/// How many seeds are tried before a declaration counts as one that nothing can be made for.
const TRIES: u64 = 16;

/// Returns the bytes of a value; the same for the same seed.
///
/// Counts agree with lists, conditions with fields, checksums with bytes, and assertions hold.
///
/// # Errors
///
/// Fails if an expression of the declaration cannot be given the value that it needs: a function without an inverse,
/// two conditions that exclude each other.
pub fn generate_bytes<T: Schema>(seed: u64) -> Result<Vec<u8>> {
    with(&()).generate_bytes::<T>(seed)
}

/// Returns a value; the same for the same seed.
///
/// # Errors
///
/// As [`generate_bytes`], of the last of some seeds that follow from this one.
pub fn generate<T: Readable>(seed: u64) -> Result<T> {
    with(&()).generate(seed)
}

impl With<'_> {
    /// Returns the bytes of a value: see [`generate_bytes`](super::generate_bytes).
    ///
    /// # Errors
    ///
    /// Fails if an expression of the declaration cannot be given the value that it needs.
    pub fn generate_bytes<T: Schema>(self, seed: u64) -> Result<Vec<u8>> {
        run::<T>(self, Chance::of_seed(seed), false)
    }

    /// Returns a value: see [`generate`](super::generate).
    ///
    /// # Errors
    ///
    /// As [`generate_bytes`](Self::generate_bytes).
    pub fn generate<T: Readable>(self, seed: u64) -> Result<T> {
        let read = |seed| read(self, &self.generate_bytes::<T>(seed)?);
        let mut result = read(seed);
        for another in 1..TRIES {
            if result.is_ok() {
                break;
            }
            result = read(seed.wrapping_add(another << 32));
        }
        result
    }
}

/// Reads a value that was made: its deferred places are in the bytes as well.
fn read<T: Readable>(of: With<'_>, bytes: &[u8]) -> Result<T> {
    of.read(&mut Cursor::new(bytes))
}

/// Returns bytes in which records are in each other as deep as they go.
pub(super) fn deep_bytes<T: Schema>(of: With<'_>, seed: u64) -> Result<Vec<u8>> {
    run::<T>(of, Chance::of_seed(seed), true)
}

fn run<T: Schema>(of: With<'_>, chance: Chance, is_deep: bool) -> Result<Vec<u8>> {
    let walk = Walk::making(T::LAYOUT, chance, of.family).in_order(of.is_big());
    let mut walk = if is_deep { walk.deep() } else { walk };
    for step in &mut walk {
        step?;
    }
    Ok(walk.into_made())
}

/// Bytes of a fuzzer that one value takes at most; a larger value is made with zeros for the rest.
#[cfg(feature = "arbitrary")]
const MOST_CHOICES: usize = 1 << 16;

/// Returns a value made of a fuzzer's bytes, for `#[schema(arbitrary)]`. It takes the bytes that the value is made of.
///
/// # Errors
///
/// Fails if no value can be made of the bytes.
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub fn arbitrary<T>(input: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<T>
where
    T: Readable,
{
    // The rest of a long input is for the values after this one, and is not copied for each.
    let all = input.len().min(MOST_CHOICES);
    let bytes = input.peek_bytes(all).unwrap_or_default().to_vec();
    // A value has nothing of its deferred places.
    let mut walk =
        Walk::making(T::LAYOUT, Chance::Bytes(bytes.into_iter()), &()).without_deferred();
    let made = walk.try_for_each(|step| step.map(drop));
    input.bytes(all - walk.chance_left())?;
    made.map(|()| walk.into_made())
        .and_then(|bytes| read(with(&()), &bytes))
        .map_err(|_| arbitrary::Error::IncorrectFormat)
}
