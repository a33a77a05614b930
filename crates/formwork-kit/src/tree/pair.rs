//! Values that are equal, and what becomes of one when the other changes.

use std::collections::HashMap;
use std::ops::Range;

use super::Tree;

/// Two equal values, the earlier first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) earlier: usize,
    pub(super) later: usize,
}

impl Tree {
    /// Returns pairs of equal values that are longer than `least` bytes, the largest first. Values inside both values
    /// of a pair form no separate pair.
    pub(super) fn pairs(&self, least: usize) -> Vec<Pair> {
        /// More are not two of a kind, but a list.
        const MOST: usize = 32;
        let mut by_length: HashMap<usize, Vec<(usize, Range<usize>)>> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            // What is not a value has no range; a field of an ALB1 file is longer than its value.
            if node.is_value()
                && node.len() > least
                && let Some(range) = self.value_range(index).filter(|range| range.len() > least)
            {
                by_length.entry(range.len()).or_default().push((index, range));
            }
        }
        let mut lengths: Vec<_> =
            by_length.into_iter().filter(|(_, some)| some.len() > 1).collect();
        lengths.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        let mut pairs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        let mut found = Vec::new();
        for (_, values) in lengths {
            let mut last: HashMap<&[u8], (usize, Range<usize>)> = HashMap::new();
            for (later, range) in values {
                let Some(bytes) = self.bytes.get(range.clone()) else { continue };
                let Some((earlier, before)) = last.insert(bytes, (later, range.clone())) else {
                    continue;
                };
                let is_inside = pairs.iter().any(|(one, other)| {
                    one.start <= before.start
                        && before.end <= one.end
                        && before.start - one.start == range.start.wrapping_sub(other.start)
                });
                if is_inside || before.end > range.start {
                    continue;
                }
                pairs.push((before, range));
                found.push(Pair { earlier, later });
                if found.len() == MOST {
                    return found;
                }
            }
        }
        found
    }

    /// Returns the bytes in which both values of a pair changed, where `made` is what the bytes became by
    /// a change in the later one.
    pub(super) fn with_both(&self, pair: Pair, made: Vec<u8>) -> Option<Vec<u8>> {
        let (earlier, later) = (self.value_range(pair.earlier)?, self.value_range(pair.later)?);
        // Words before it that hold a count or a size keep their width.
        let end = (later.end + made.len()).checked_sub(self.bytes.len())?;
        let value = made.get(later.start..end)?.to_vec();
        let tree = Self::of_vec(made, self.format);
        let first = tree.nodes.partition_point(|node| node.start < self.nodes[pair.earlier].start);
        let mut same = (first..tree.nodes.len())
            .take_while(|&index| tree.nodes[index].start <= earlier.start)
            .filter(|&index| tree.nodes[index].is_value());
        let at = same.find(|&index| tree.value_range(index) == Some(earlier.clone()))?;
        tree.with_value(at, &value)
    }
}
