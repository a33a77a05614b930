//! The number in front of an input that says which dialect it is for.
//!
//! Inputs are kept (as a corpus, as regressions), so a number means the same dialect for ever: it is the
//! place of the dialect's name in a list to which names are only added, at the end. `fuzz/run` reads
//! the list, too.

use crate::variant::dialect::Dialect;

/// The dialects' names by number. A new release goes to the end, wherever it is in its family.
const NAMES: &str = include_str!("dialects.txt");

/// The bits of a label that are the number. The top bit is a switch of the target's.
const NUMBER: u8 = 0x7f;

/// Returns every dialect, in the order of the numbers that select them: those of single and those of
/// double precision.
pub fn dialects() -> impl Iterator<Item = Dialect> {
    NAMES.lines().filter_map(|name| name.parse().ok())
}

/// Returns the number that selects a dialect.
#[must_use]
pub fn number_of(dialect: Dialect) -> Option<u8> {
    u8::try_from(dialects().position(|one| one == dialect)?).ok()
}

/// Returns the dialect that a label selects. Where no dialect has its number yet, the number without
/// its highest bit counts, so that every byte selects one.
#[must_use]
pub fn dialect_of(label: u8) -> Option<Dialect> {
    let mut number = label & NUMBER;
    loop {
        if let Some(dialect) = dialects().nth(usize::from(number)) {
            return Some(dialect);
        }
        number &= !(1_u8.checked_shl(number.checked_ilog2()?)?);
    }
}
