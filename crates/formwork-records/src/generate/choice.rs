//! Choices out of the seed. Each takes as few bytes as it needs, and no division: a value is made of
//! hundreds of them.
//!
//! What a choice takes and gives depends on its range alone, never on how wide `usize` is, so that a
//! seed means the same on every machine. A seed that has run out chooses the first.

use arbitrary::{Result, Unstructured};

/// Returns true so many times in a hundred; false when the seed has run out, so that what is optional ends.
///
/// # Errors
///
/// Those of [`Unstructured`].
#[inline]
pub fn chance(u: &mut Unstructured<'_>, percent: u8) -> Result<bool> {
    Ok(below(u, 100)? >= 100 - usize::from(percent.min(100)))
}

/// Returns a number below `count`, or 0 where `count` is.
///
/// # Errors
///
/// Those of [`Unstructured`].
#[inline]
pub fn below(u: &mut Unstructured<'_>, count: usize) -> Result<usize> {
    // No list or budget has more; where one had, its first 2^32 would be chosen among.
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let chosen = match count {
        0 | 1 => 0,
        2..=0x100 => (u32::from(u.arbitrary::<u8>()?) * count) >> 8,
        0x101..=0x1_0000 => ((u64::from(u.arbitrary::<u16>()?) * u64::from(count)) >> 16) as u32,
        _ => ((u64::from(u.arbitrary::<u32>()?) * u64::from(count)) >> 32) as u32,
    };
    // Less than a `usize` that was handed in.
    Ok(chosen as usize)
}

/// Returns one of the list.
///
/// # Errors
///
/// Where the list is empty.
#[inline]
pub fn one_of<'l, T>(u: &mut Unstructured<'_>, list: &'l [T]) -> Result<&'l T> {
    list.get(below(u, list.len())?).ok_or(arbitrary::Error::EmptyChoose)
}
