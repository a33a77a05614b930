//! Makes bytes: the places at which the walk makes them, and its choices.

use super::family::Family;
use super::{Argument, Kind, Walk};
use crate::schema::{Meaning, Word, low_bits};

/// The source of choices.
#[derive(Clone, Debug)]
pub(crate) enum Chance {
    /// A sequence of numbers that a seed begins.
    Seed(u64),
    /// Bytes, of a fuzzer; zeros once they are used up.
    #[cfg(feature = "arbitrary")]
    Bytes(std::vec::IntoIter<u8>),
}

impl Chance {
    /// Returns the sequence of a seed.
    pub(crate) const fn of_seed(seed: u64) -> Self {
        // A sequence that begins with zero stays there.
        Self::Seed((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1) | 1)
    }

    /// Returns how many bytes of a fuzzer are not used up.
    #[cfg(feature = "arbitrary")]
    pub(crate) fn left(&self) -> usize {
        match self {
            Self::Seed(_) => 0,
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    fn next(&mut self) -> u64 {
        match self {
            // Xorshift, by George Marsaglia.
            Self::Seed(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                *state >> 11
            }
            #[cfg(feature = "arbitrary")]
            Self::Bytes(bytes) => {
                let mut number = [0; 8];
                for (to, from) in number.iter_mut().zip(bytes.by_ref().take(2)) {
                    *to = from;
                }
                u64::from_le_bytes(number)
            }
        }
    }

    fn wide(&mut self) -> u64 {
        self.next() | self.next() << 16 | self.next() << 32 | self.next() << 48
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}

/// Bytes that are being made.
#[derive(Clone, Debug)]
pub(super) struct Making {
    pub bytes: Vec<u8>,
    pub chance: Chance,
    /// Whether records are put into each other as deep as they go.
    pub is_deep: bool,
    /// How often a number that was made became another one.
    pub changes: u64,
    /// Known facts about the arguments of the records that are open.
    pub arguments: Vec<Argument>,
    /// The start of the bytes that come next: the end of a text.
    pub begun: &'static [u8],
    /// Whether the bytes are those of a file: they stay as many.
    pub is_file: bool,
    /// Whether arguments of records stay as they are.
    pub keeps_arguments: bool,
}

/// The most elements that are made where a count cannot be made smaller: records, and numbers.
pub(super) const MOST_MADE: (u64, u64) = (300, 10_000);

/// Bytes after which lists and optional fields are left empty.
const ENOUGH: usize = 2000;

impl Making {
    pub(super) const fn new(chance: Chance) -> Self {
        Self {
            bytes: Vec::new(),
            chance,
            is_deep: false,
            changes: 0,
            arguments: Vec::new(),
            begun: &[],
            is_file: false,
            keeps_arguments: false,
        }
    }
}

impl Walk<'_> {
    /// Makes records be in each other as deep as they go.
    pub(crate) fn deep(mut self) -> Self {
        if let Some(making) = &mut self.making {
            making.is_deep = true;
        }
        self
    }

    /// Returns a number below `end`; zero where bytes are given.
    pub(super) fn roll(&mut self, end: u64) -> u64 {
        self.making.as_mut().map_or(0, |making| making.chance.below(end))
    }

    /// Returns any number.
    pub(super) fn roll_wide(&mut self) -> u64 {
        self.making.as_mut().map_or(0, |making| making.chance.wide())
    }

    /// Whether enough was made.
    pub(super) fn is_full(&self) -> bool {
        let Some(making) = &self.making else { return false };
        making.bytes.len() > ENOUGH || self.levels.len() > if making.is_deep { 800 } else { 24 }
    }

    pub(super) fn is_deep(&self) -> bool {
        self.making.as_ref().is_some_and(|making| making.is_deep)
    }

    /// Whether one more element goes into a list that is as long as it likes, or as the region around.
    pub(super) fn wants_more_elements(&mut self) -> bool {
        if self.end != usize::MAX {
            return self.at < self.end;
        }
        let is_first =
            matches!(self.levels.last().map(|level| &level.kind), Some(Kind::List { next: 0, .. }));
        !self.is_full() && (self.is_deep() && is_first || self.roll(4) > 0)
    }

    /// Whether a record is the last of its list.
    pub(super) fn wants_last(&mut self) -> bool {
        self.is_full() || self.roll(3) == 2
    }

    /// Returns how many elements a list gets.
    pub(super) fn wants_count(&mut self) -> u64 {
        if self.is_full() {
            0
        } else if self.is_deep() {
            1
        } else {
            self.roll(4)
        }
    }

    /// Whether an optional field is there.
    pub(super) fn wants_field(&mut self) -> bool {
        !self.is_full() && (self.is_deep() || self.roll(2) == 1)
    }

    /// Makes bytes of a number or block, as its meaning has them.
    pub(super) fn make(&mut self, length: usize, meaning: Meaning) {
        let (big, family, at) = (self.big, self.family, self.at);
        let begun = if length > 0 { self.begun() } else { &[] };
        let Some(Making { bytes, chance, .. }) = &mut self.making else { return };
        match meaning {
            Meaning::Family(id) if length <= 8 => {
                let number = named(family, id, chance).unwrap_or_else(|| chance.below(8));
                put(bytes, number.into(), length, big);
            }
            Meaning::Terminated if length > 0 => {
                bytes.extend((1..length).map(|_| b'a' + chance.below(26) as u8));
                bytes.push(0);
            }
            Meaning::Masked(mask) => {
                // The first byte of four is a letter, so that both forms of text are made.
                let letter = if big { 3 } else { 0 };
                let plain = |at: usize, chance: &mut Chance| match at % 4 == letter {
                    true => b'a' + chance.below(26) as u8,
                    false => 0,
                };
                for at in 0..length {
                    let byte = plain(at, chance) ^ mask;
                    bytes.push(byte);
                }
            }
            Meaning::Zero => bytes.resize(bytes.len() + length, 0),
            Meaning::Utf16 => {
                let letter = usize::from(big);
                for at in 0..length {
                    let byte = if at % 2 == letter { b'a' + chance.below(26) as u8 } else { 0 };
                    bytes.push(byte);
                }
            }
            Meaning::Ended(end, fill) if length > 0 => {
                let letters = chance.below(length as u64 + 1) as usize;
                bytes.extend((0..letters).map(|_| b'a' + chance.below(26) as u8));
                if letters < length {
                    bytes.push(end);
                }
                bytes.extend((letters + 1..length).map(|_| fill));
            }
            Meaning::Text | Meaning::Filled(_) | Meaning::Letters if length > 0 => {
                for _ in 0..length {
                    bytes.push(b'a' + chance.below(26) as u8);
                }
            }
            Meaning::Names(names) if length <= 8 && !names.is_empty() && chance.below(4) > 0 => {
                let number = names[chance.below(names.len() as u64) as usize].0;
                put(bytes, number as u128, length, big);
            }
            // Numbers are small half of the time.
            _ if length <= 8 && chance.below(2) == 0 => {
                put(bytes, chance.below(8).into(), length, big);
            }
            _ => {
                for _ in 0..length {
                    bytes.push(if chance.below(3) == 0 { chance.below(256) as u8 } else { 0 });
                }
            }
        }
        if let Some(there) = bytes.get_mut(at..at + begun.len().min(length)) {
            there.copy_from_slice(&begun[..there.len()]);
        }
        self.at += length;
    }

    /// Makes the parts of a word: zeros where they are declared, and numbers that have names.
    pub(super) fn make_parts(&mut self, word: &Word, raw: u128) -> u128 {
        let (mut out, family) = (0, self.family);
        for (part, made) in word.values(raw) {
            let mask = low_bits(part.width.into());
            let made = match (part.meaning, &mut self.making) {
                (Meaning::Zero, _) => 0,
                (Meaning::Names(names), Some(making)) if !names.is_empty() => {
                    names[making.chance.below(names.len() as u64) as usize].0 as u64
                }
                (Meaning::Family(id), Some(making)) => {
                    named(family, id, &mut making.chance).filter(|it| *it <= mask).unwrap_or(made)
                }
                _ => made,
            };
            out = Word::with(out, word.part(part.name).unwrap_or_default(), made & mask);
        }
        out
    }

    /// Makes bytes from `start` on one of the texts that conditions compare them with.
    pub(super) fn make_text(&mut self, start: usize) {
        let Some(text) = self.text_tag() else { return };
        if let Some(Making { bytes, .. }) = &mut self.making
            && let Some(there) = bytes.get_mut(start..).filter(|it| it.len() == text.len())
        {
            there.copy_from_slice(text);
        }
    }

    /// Makes the bytes that come next begin with these.
    pub(super) fn begin(&mut self, with: &'static [u8]) {
        if let Some(making) = &mut self.making {
            making.begun = with;
        }
    }

    /// Takes what the bytes that come next begin with.
    pub(super) fn begun(&mut self) -> &'static [u8] {
        self.making.as_mut().map_or(&[], |making| std::mem::take(&mut making.begun))
    }

    /// Replaces the number at `start`.
    pub(super) fn replace(&mut self, start: usize, length: usize, number: u128) {
        let big = self.big;
        if let Some(making) = &mut self.making {
            making.bytes.truncate(start);
            put(&mut making.bytes, number, length, big);
        }
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, more: &[u8]) {
        if let Some(making) = &mut self.making {
            making.bytes.extend(more);
            self.at = making.bytes.len();
        }
    }
}

fn put(bytes: &mut Vec<u8>, number: u128, length: usize, big: bool) {
    let mut number = number.to_le_bytes();
    if big {
        number[..length].reverse();
    }
    bytes.extend(&number[..length]);
}

/// Returns a number below 256 that a family has a name for.
fn named(family: &dyn Family, id: u16, chance: &mut Chance) -> Option<u64> {
    let first = chance.below(256);
    (first..256).chain(0..first).find(|number| family.name(id, *number).is_some())
}
