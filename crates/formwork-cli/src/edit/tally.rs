//! Places, grouped by pattern.

use std::collections::HashMap;
use std::fmt;

/// Places by their pattern: `entities/*/hp`.
#[derive(Debug, Default)]
pub(super) struct Tally {
    groups: Vec<Group>,
    by_pattern: HashMap<String, usize>,
    total: usize,
}

#[derive(Debug)]
struct Group {
    pattern: String,
    /// The first place of the group.
    first: String,
    count: usize,
}

impl Tally {
    /// Adds a place; `pattern` is what it shares with other places, if it differs from the place.
    pub(super) fn add(&mut self, place: &str, pattern: Option<String>) {
        let pattern = pattern.unwrap_or_else(|| place.to_owned());
        self.total += 1;
        if let Some(&group) = self.by_pattern.get(&pattern) {
            self.groups[group].count += 1;
            return;
        }
        self.by_pattern.insert(pattern.clone(), self.groups.len());
        self.groups.push(Group { pattern, first: place.to_owned(), count: 1 });
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the number of places.
    pub(super) const fn total(&self) -> usize {
        self.total
    }
}

/// Prints the first few groups, and the number of places in the others.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        for (position, Group { pattern, first, count }) in
            self.groups.iter().take(SHOWN).enumerate()
        {
            if position > 0 {
                f.write_str(", ")?;
            }
            match count {
                1 => f.write_str(first)?,
                count => write!(f, "{pattern} ({count})")?,
            }
        }
        match self.groups.iter().skip(SHOWN).map(|group| group.count).sum::<usize>() {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_grouped_and_the_rest_is_counted() {
        let mut tally = Tally::default();
        for index in 0..13 {
            tally.add(&format!("entities/{index}/hp"), Some("entities/*/hp".to_owned()));
        }
        tally.add("gold", None);
        assert_eq!(tally.to_string(), "entities/*/hp (13), gold");
        ["a", "b", "c", "d", "e"].iter().for_each(|place| tally.add(place, None));
        assert_eq!(tally.to_string(), "entities/*/hp (13), gold, a, b, c, and 2 more");
        assert_eq!(tally.total(), 19);
    }
}
