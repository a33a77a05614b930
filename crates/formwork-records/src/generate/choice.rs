//! Choices from the seed. Each takes as few bytes as it needs, and uses no division, as a value is made of hundreds of
//! choices.
//!
//! The bytes that a choice takes and its result depend only on its range, never on the width of `usize`, so a seed has
//! the same meaning on every machine. If the seed has no bytes left, the first item is chosen.

use arbitrary::{Result, Unstructured};

/// Returns true in `percent` of a hundred cases; false if the seed has no bytes left, so that optional parts end.
///
/// # Errors
///
/// Those of [`Unstructured`].
#[inline]
pub fn chance(u: &mut Unstructured<'_>, percent: u8) -> Result<bool> {
    Ok(below(u, 100)? >= 100 - usize::from(percent.min(100)))
}

/// Returns a number below `count`, or 0 if `count` is 0.
///
/// # Errors
///
/// Those of [`Unstructured`].
#[inline]
pub fn below(u: &mut Unstructured<'_>, count: usize) -> Result<usize> {
    // No list or budget is larger; from a larger one, the first 2^32 would be chosen among.
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let chosen = match count {
        0 | 1 => 0,
        2..=0x100 => (u32::from(u.arbitrary::<u8>()?) * count) >> 8,
        0x101..=0x1_0000 => ((u64::from(u.arbitrary::<u16>()?) * u64::from(count)) >> 16) as u32,
        _ => ((u64::from(u.arbitrary::<u32>()?) * u64::from(count)) >> 32) as u32,
    };
    // The number is less than the `usize` that was passed in.
    Ok(chosen as usize)
}

/// Returns an item of the list.
///
/// # Errors
///
/// Returns an error if the list is empty.
#[inline]
pub fn one_of<'l, T>(u: &mut Unstructured<'_>, list: &'l [T]) -> Result<&'l T> {
    list.get(below(u, list.len())?).ok_or(arbitrary::Error::EmptyChoose)
}
