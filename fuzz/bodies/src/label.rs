//! The number before an input that selects its dialect.
//!
//! Inputs are kept (as a corpus, as regressions), so a number means the same dialect for ever. The number is
//! the line of the dialect's name in a list that only grows at its end.

use std::sync::LazyLock;

use formwork_variant::dialect::Dialect;

/// The dialects' names by number. A new release goes to the end, wherever it is in its family. The line of a
/// dropped release stays, so that no number is used again.
const NAMES: &str = include_str!("dialects.txt");

/// The number of dialects that replace unassigned numbers: the first ones of the list. (A dialect that is
/// added later does not change the meaning of such a number.)
const STAND_INS: u8 = 27;

/// The bits of a label that hold the number. The top bit is a switch for the target.
const NUMBER: u8 = 0x7f;

/// Returns every dialect with the number that selects it, of both single and double precision.
pub fn dialects() -> impl Iterator<Item = (u8, Dialect)> {
    in_list(NAMES)
}

/// Returns the dialects of a list of names. A name that is not (or no longer) a dialect keeps its number.
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

/// Returns the dialect that a label selects. If no dialect has the number, its highest bits are cleared until
/// one of the first [`STAND_INS`] dialects has it, so that every byte selects a dialect.
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
