//! The numbers to which counts and conditions can refer.

use super::level::Level;
use crate::schema::Word;

/// An earlier field of a record that is still being read.
#[derive(Clone, Debug)]
pub struct Known {
    /// The level of the field.
    pub level: usize,
    pub name: &'static str,
    pub number: Number,
}

#[derive(Clone, Debug)]
pub enum Number {
    /// A whole number.
    Is(i128),
    /// A word that consists of bit parts, each with a separate name.
    Word(&'static Word, u64),
    /// The sum of the numbers in a list.
    Sum(i128),
    /// A record: its fields follow it, one level deeper.
    Record,
}

/// Returns the value of a path. The search goes from the innermost level outwards, as far as the packet.
pub fn look_up<O>(path: &[&str], levels: &[Level<O>], known: &[Known]) -> Option<i128> {
    for (level, around) in levels.iter().enumerate().rev() {
        if let Some(base) = around.known_from() {
            if let Some(number) = below(path, level, &known[base.min(known.len())..]) {
                return Some(number);
            }
            if around.is_packet() {
                break;
            }
        }
    }
    None
}

fn below(path: &[&str], level: usize, known: &[Known]) -> Option<i128> {
    let (&first, rest) = path.split_first()?;
    let at = known.iter().rposition(|known| known.level == level && known.name == first)?;
    match &known[at].number {
        Number::Is(number) => rest.is_empty().then_some(*number),
        Number::Sum(sum) => (rest == ["sum"]).then_some(*sum),
        Number::Word(word, raw) => {
            let &[part] = rest else { return None };
            word.parts(*raw).find(|(bits, _)| bits.name == part).map(|(_, value)| value.into())
        }
        // A path is at most as long as in the declaration.
        Number::Record => {
            let behind = &known[at + 1..];
            let end = behind.iter().position(|known| known.level <= level);
            below(rest, level + 1, &behind[..end.unwrap_or(behind.len())])
        }
    }
}
