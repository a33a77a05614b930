//! Cases whose packets came before.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::{Case, Cases};

/// Knows the cases that repeat the packet of an earlier one: small values come up again and again.
///
/// A case repeats another if that has the same bytes (and the same [pair](Case::pair)), a smaller number,
/// and is in the same block of 65,536 numbers. Repetition depends on seed and number alone, wherever a run begins: a
/// number is never given to another case, and a case that is left out leaves a gap.
///
/// ```
/// use formwork_kit::case::{Cases, Profile, Reading, Repeats};
///
/// let reading = Reading { format: "godot3".parse().unwrap(), allow_objects: false };
/// let cases = Cases::new(reading, 7).profiles(&[Profile::Valid]);
/// let mut repeats = Repeats::before(&cases, 0);
/// let repeated = (0..1000).filter(|&number| repeats.is_one(&cases.case(number))).count();
/// assert!(repeated > 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    block: u64,
    seen: HashSet<u64>,
}

impl Repeats {
    /// Cases of a block: their hashes take a megabyte.
    const BLOCK: u64 = 1 << 16;

    /// Returns what is known before the case of this number, which makes those of its block that come
    /// before it.
    #[must_use]
    pub fn before(cases: &Cases, number: u64) -> Self {
        let mut repeats = Self::default();
        let mut case = Case::numbered(0);
        for earlier in number - number % Self::BLOCK..number {
            cases.case_into(earlier, &mut case);
            repeats.is_one(&case);
        }
        repeats
    }

    /// Whether the case repeats one before it. Cases have to be asked about in the order of their numbers,
    /// each once.
    pub fn is_one(&mut self, case: &Case) -> bool {
        let block = case.number / Self::BLOCK;
        if block != self.block {
            self.block = block;
            self.seen.clear();
        }
        let mut hasher = DefaultHasher::new();
        (&case.bytes, &case.pair).hash(&mut hasher);
        !self.seen.insert(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use formwork_variant::Dialect;

    use super::super::{Profile, Reading};
    use super::*;

    #[test]
    fn what_repeats_follows_from_the_number_wherever_one_begins() {
        let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
        let cases = Cases::new(reading, 3).profiles(&[Profile::Valid, Profile::Edge]);
        let from = |first: u64| -> Vec<u64> {
            let mut repeats = Repeats::before(&cases, first);
            (first..700).filter(|&number| repeats.is_one(&cases.case(number))).collect()
        };
        let all = from(0);
        assert!(all.len() > 20, "{all:?}");
        for number in &all {
            let case = cases.case(*number);
            let is_same = |other: &u64| {
                let other = cases.case(*other);
                (other.bytes, other.pair) == (case.bytes.clone(), case.pair.clone())
            };
            assert!((0..*number).any(|other| is_same(&other)), "{number}");
        }
        assert_eq!(from(400), all.into_iter().filter(|&number| number >= 400).collect::<Vec<_>>());
    }
}
