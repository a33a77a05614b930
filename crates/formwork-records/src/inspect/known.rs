//! The numbers that counts and conditions may speak of.

use super::level::Level;
use crate::schema::Word;

/// An earlier field of something that is still being read.
#[derive(Clone, Debug)]
pub struct Known {
    /// Which level it is a field of.
    pub level: usize,
    pub name: &'static str,
    pub number: Number,
}

#[derive(Clone, Debug)]
pub enum Number {
    /// Whole.
    Is(i128),
    /// A word that is made of bit parts, each with a name of its own.
    Word(&'static Word, u64),
    /// Those of a list, together.
    Sum(i128),
    /// A record: its fields stand behind it, one level deeper.
    Record,
}

/// The value of a path, seen from the innermost level outwards as far as the packet.
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
        // A path is at most as long as the declaration has it.
        Number::Record => {
            let behind = &known[at + 1..];
            let end = behind.iter().position(|known| known.level <= level);
            below(rest, level + 1, &behind[..end.unwrap_or(behind.len())])
        }
    }
}
