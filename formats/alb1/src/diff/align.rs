//! Alignment of two lists: pairs each element of one list with its counterpart in the other.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Interner, Token};

/// Result of the alignment for one element.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fate {
    /// Only the old list has it.
    Removed(usize),
    /// Only the new list has it.
    Added(usize),
    /// It is in both lists, at these positions.
    Kept(usize, usize),
    /// Both lists have the element, at different places among the others.
    Moved(usize, usize),
}

impl Fate {
    /// Returns the position of the element in the old list and in the new list.
    pub(super) fn positions(self) -> (Option<usize>, Option<usize>) {
        match self {
            Self::Removed(old) => (Some(old), None),
            Self::Added(new) => (None, Some(new)),
            Self::Kept(old, new) | Self::Moved(old, new) => (Some(old), Some(new)),
        }
    }

    /// The elements themselves.
    pub(super) fn of<'e, T>(self, old: &'e [T], new: &'e [T]) -> (Option<&'e T>, Option<&'e T>) {
        let (one, other) = self.positions();
        (one.and_then(|at| old.get(at)), other.and_then(|at| new.get(at)))
    }
}

/// Cells of the table that [`in_a_gap`] may fill: more elements than that are paired by position.
const MOST_CELLS: usize = 1 << 16;

/// Aligns two lists of tokens: equal tokens are the same element.
///
/// The elements left over between equal ones are paired if `likeness`, a number from 0 to 1 for an old and a new
/// position, is at least one half. The time is proportional to the lengths of lists that have much in common, and never
/// to their product.
pub(super) fn align(old: &[u64], new: &[u64], likeness: impl Fn(usize, usize) -> f64) -> Vec<Fate> {
    let mut fates = Vec::with_capacity(old.len().max(new.len()));
    let gaps = gaps(old, new);
    let mut moved = moves(old, new, &gaps);
    let (mut at_old, mut at_new) = (0, 0);
    for (before, after) in gaps {
        fates.extend((at_old..before.start).zip(at_new..after.start).map(kept));
        (at_old, at_new) = (before.end, after.end);
        let removed: Vec<_> =
            before.filter(|position| !moved.away.contains_key(position)).collect();
        let (here, added): (Vec<_>, Vec<_>) =
            after.partition(|position| moved.here.contains_key(position));
        in_a_gap(&removed, &added, &likeness, &mut fates);
        fates.extend(here.into_iter().filter_map(|position| {
            moved.here.remove(&position).map(|from| Fate::Moved(from, position))
        }));
    }
    fates.extend((at_old..old.len()).zip(at_new..new.len()).map(kept));
    fates
}

fn kept((old, new): (usize, usize)) -> Fate {
    Fate::Kept(old, new)
}

/// The stretches in which the lists differ.
fn gaps(old: &[u64], new: &[u64]) -> Vec<(Range<usize>, Range<usize>)> {
    if old == new {
        return Vec::new();
    }
    let mut interner = Interner::new(old.len() + new.len());
    let mut intern = |tokens: &[u64]| -> Vec<Token> {
        tokens.iter().map(|token| interner.intern(*token)).collect()
    };
    let (before, after) = (intern(old), intern(new));
    let mut hunks = Diff::default();
    hunks.compute_with(Algorithm::Histogram, &before, &after, interner.num_tokens());
    let positions = |range: Range<u32>| range.start as usize..range.end as usize;
    hunks.hunks().map(|hunk| (positions(hunk.before), positions(hunk.after))).collect()
}

/// Elements at another place in the other list.
struct Moves {
    /// Old positions, with the new ones.
    away: HashMap<usize, usize>,
    /// New positions, with the old ones.
    here: HashMap<usize, usize>,
}

fn moves(old: &[u64], new: &[u64], gaps: &[(Range<usize>, Range<usize>)]) -> Moves {
    let mut gone: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (before, _) in gaps {
        for position in before.clone() {
            if let Some(token) = old.get(position) {
                gone.entry(*token).or_default().push_back(position);
            }
        }
    }
    let mut moves = Moves { away: HashMap::new(), here: HashMap::new() };
    for (_, after) in gaps {
        for position in after.clone() {
            let waiting = new.get(position).and_then(|token| gone.get_mut(token));
            if let Some(from) = waiting.and_then(VecDeque::pop_front) {
                moves.away.insert(from, position);
                moves.here.insert(position, from);
            }
        }
    }
    moves
}

/// Pairs what is alike, in order, with as much likeness in sum as there can be.
fn in_a_gap(
    removed: &[usize],
    added: &[usize],
    likeness: &impl Fn(usize, usize) -> f64,
    fates: &mut Vec<Fate>,
) {
    let like =
        |old: usize, new: usize| Some(likeness(old, new)).filter(|likeness| *likeness >= 0.5);
    let width = added.len() + 1;
    let cells = (removed.len() + 1).saturating_mul(width);
    if removed.is_empty() || added.is_empty() || removed.len() == added.len() || cells > MOST_CELLS
    {
        for position in 0..removed.len().max(added.len()) {
            match (removed.get(position), added.get(position)) {
                (Some(&old), Some(&new)) if like(old, new).is_some() => {
                    fates.push(Fate::Kept(old, new));
                }
                (old, new) => {
                    fates.extend(old.map(|&old| Fate::Removed(old)));
                    fates.extend(new.map(|&new| Fate::Added(new)));
                }
            }
        }
        return;
    }
    // best[r][a] is the most likeness of what follows `r` removed and `a` added elements.
    let mut best = vec![0.0; cells];
    let at =
        |best: &[f64], r: usize, a: usize| best.get(r * width + a).copied().unwrap_or_default();
    for (r, &old) in removed.iter().enumerate().rev() {
        for (a, &new) in added.iter().enumerate().rev() {
            let paired = like(old, new).map_or(0.0, |likeness| likeness + at(&best, r + 1, a + 1));
            let most = paired.max(at(&best, r + 1, a)).max(at(&best, r, a + 1));
            if let Some(cell) = best.get_mut(r * width + a) {
                *cell = most;
            }
        }
    }
    let (mut r, mut a) = (0, 0);
    while let (Some(&old), Some(&new)) = (removed.get(r), added.get(a)) {
        let here = at(&best, r, a);
        if here == at(&best, r + 1, a) {
            fates.push(Fate::Removed(old));
            r += 1;
        } else if here == at(&best, r, a + 1) {
            fates.push(Fate::Added(new));
            a += 1;
        } else {
            fates.push(Fate::Kept(old, new));
            (r, a) = (r + 1, a + 1);
        }
    }
    fates.extend(removed.iter().skip(r).map(|&old| Fate::Removed(old)));
    fates.extend(added.iter().skip(a).map(|&new| Fate::Added(new)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<u64> {
        text.chars().map(u64::from).collect()
    }

    fn aligned(old: &str, new: &str) -> Vec<Fate> {
        // Letters are like their capitals.
        let (olds, news): (Vec<_>, Vec<_>) = (old.chars().collect(), new.chars().collect());
        align(&tokens(old), &tokens(new), |old, new| {
            f64::from(u8::from(olds[old].eq_ignore_ascii_case(&news[new])))
        })
    }

    #[test]
    fn equal_lists_are_kept() {
        assert_eq!(aligned("", ""), []);
        assert_eq!(aligned("ab", "ab"), [Fate::Kept(0, 0), Fate::Kept(1, 1)]);
    }

    #[test]
    fn what_is_alike_between_equal_neighbours_is_the_same() {
        assert_eq!(
            aligned("abcz", "aBxCyz"),
            [
                Fate::Kept(0, 0),
                Fate::Kept(1, 1),
                Fate::Added(2),
                Fate::Kept(2, 3),
                Fate::Added(4),
                Fate::Kept(3, 5)
            ]
        );
    }

    #[test]
    fn what_stands_elsewhere_has_moved() {
        let fates = aligned("abcdef", "bcdefa");
        assert!(fates.contains(&Fate::Moved(0, 5)), "{fates:?}");
        assert_eq!(fates.len(), 6);
    }

    #[test]
    fn every_element_has_one_fate() {
        let texts = ["", "a", "aab", "abab", "bbaa", "xyz", "azbzc", "zzzz", "aXbYc", "abcabc"];
        for old in texts {
            for new in texts {
                let (mut olds, mut news) = (vec![0; old.len()], vec![0; new.len()]);
                for fate in aligned(old, new) {
                    match fate {
                        Fate::Removed(old) => olds[old] += 1,
                        Fate::Added(new) => news[new] += 1,
                        Fate::Kept(old, new) | Fate::Moved(old, new) => {
                            olds[old] += 1;
                            news[new] += 1;
                        }
                    }
                }
                assert!(olds.iter().chain(&news).all(|count| *count == 1), "{old} {new}");
            }
        }
    }

    #[test]
    fn long_lists_without_a_common_element_do_not_take_for_ever() {
        let old: Vec<u64> = (0..40_000).collect();
        let new: Vec<u64> = (100_000..150_000).collect();
        assert_eq!(align(&old, &new, |_, _| 0.0).len(), 90_000);
    }
}
