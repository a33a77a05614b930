//! The number in front of an input that says which dialect it is for.
//!
//! Inputs are kept (as a corpus, as regressions), so a number means the same dialect for ever: it is the
//! place of the dialect's name in a list to which names are only added, at the end.

use std::sync::LazyLock;

use formwork_variant::dialect::Dialect;

/// The dialects' names by number. A new release goes to the end, wherever it is in its family; the line of
/// a release that is dropped stays, so that no number is used again.
const NAMES: &str = include_str!("dialects.txt");

/// The numbers that stand in for those that are no dialect's: the first ones. (Dialects that are added later do not
/// change what such a number means.)
const STAND_INS: u8 = 27;

/// The bits of a label that are the number. The top bit is a switch of the target's.
const NUMBER: u8 = 0x7f;

/// Returns every dialect with the number that selects it: those of single and those of double precision.
pub fn dialects() -> impl Iterator<Item = (u8, Dialect)> {
    in_list(NAMES)
}

/// Returns the dialects of a list of names. A name that is none (any more) keeps its number.
fn in_list(names: &str) -> impl Iterator<Item = (u8, Dialect)> {
    (0..=NUMBER).zip(names.lines()).filter_map(|(number, name)| Some((number, name.parse().ok()?)))
}

/// Returns the number that selects a dialect.
#[must_use]
pub fn number_of(dialect: Dialect) -> Option<u8> {
    dialects().find(|(_, one)| *one == dialect).map(|(number, _)| number)
}

/// The dialect of each number.
static SELECTED: LazyLock<[Option<Dialect>; 128]> =
    LazyLock::new(|| std::array::from_fn(|number| selected(number as u8)));

/// Returns the dialect that a label selects. Where no dialect has its number, the number without its highest
/// bit counts, so that every byte selects one of the first [`STAND_INS`].
#[must_use]
pub fn dialect_of(label: u8) -> Option<Dialect> {
    SELECTED.get(usize::from(label & NUMBER)).copied().flatten()
}

fn selected(mut number: u8) -> Option<Dialect> {
    let of = |number: u8| dialects().find(|(one, _)| *one == number).map(|(_, dialect)| dialect);
    if let Some(dialect) = of(number) {
        return Some(dialect);
    }
    loop {
        number &= !(1_u8.checked_shl(number.checked_ilog2()?)?);
        if let Some(dialect) = of(number).filter(|_| number < STAND_INS) {
            return Some(dialect);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_that_is_dropped_gives_its_number_to_no_other() {
        let left: Vec<_> = in_list("godot2\ngodot-dropped\ngodot4.6\n").collect();
        let dialect = |name: &str| name.parse::<Dialect>().expect(name);
        assert_eq!(left, [(0, dialect("godot2")), (2, dialect("godot4.6"))]);
    }
}
