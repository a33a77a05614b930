//! The numbers to which counts and conditions can refer.

use super::level::Level;
use crate::schema::{Integer, Word};

/// An earlier field of a record that is still being read.
#[derive(Clone, Debug)]
pub struct Known {
    /// The level of the field.
    pub level: usize,
    pub name: &'static str,
    pub number: KnownNumber,
}

#[derive(Clone, Debug)]
pub enum KnownNumber {
    /// A whole number.
    Is(i128),
    /// A word that consists of bit parts, each with a separate name.
    Word(&'static Word, u64),
    /// The sum of the numbers in a list.
    Sum(i128),
    /// A record: its fields follow it, one level deeper.
    Record,
}

/// Returns the value of a field, or of a part of it. The search goes from the innermost level outwards, as far as the
/// packet.
pub fn look_up<O>(
    name: &str,
    parts: &[&str],
    levels: &[Level<O>],
    known: &[Known],
) -> Option<(i128, Integer)> {
    for (level, around) in levels.iter().enumerate().rev() {
        if let Some(base) = around.known_from() {
            if let Some(number) = below(name, parts, level, &known[base.min(known.len())..]) {
                return Some(number);
            }
            if around.is_packet() {
                break;
            }
        }
    }
    None
}

/// Returns the value of a field of the level, or of a part of it.
pub fn below(name: &str, rest: &[&str], level: usize, known: &[Known]) -> Option<(i128, Integer)> {
    let at = known.iter().rposition(|known| known.level == level && known.name == name)?;
    match &known[at].number {
        KnownNumber::Is(number) => rest.is_empty().then_some((*number, Integer::ANY)),
        KnownNumber::Sum(sum) => (rest == ["total"]).then_some((*sum, Integer::ANY)),
        KnownNumber::Word(word, raw) => {
            let &[name] = rest else { return None };
            let (part, value) = word.values(*raw).find(|(part, _)| part.name == name)?;
            Some((value.into(), part.integer()))
        }
        // A path is at most as long as in the declaration.
        KnownNumber::Record => {
            let behind = &known[at + 1..];
            let end = behind.iter().position(|known| known.level <= level);
            let (name, rest) = rest.split_first()?;
            below(name, rest, level + 1, &behind[..end.unwrap_or(behind.len())])
        }
    }
}
