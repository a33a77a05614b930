//! The containers around a value that is read.

use crate::{Level, VariantType};

/// The containers around a value. The first few take no memory of their own: most values have no more, and a small
/// value should cost no allocation that is not its own.
pub(super) struct Levels {
    /// The innermost, where there is one.
    innermost: Level,
    /// How many there are.
    count: usize,
    /// Those around the innermost, the outermost first; behind the few that are, others may stand.
    few: [Level; Self::FEW],
    /// The others around it, those that are inside of the few.
    many: Vec<Level>,
}

impl Levels {
    const FEW: usize = 4;

    /// Begins outside of every container.
    #[inline]
    pub(super) const fn new() -> Self {
        let none = Level::array(VariantType::Array, 0);
        Self { innermost: none, count: 0, few: [none; Self::FEW], many: Vec::new() }
    }

    /// Iterates over them, the outermost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Level> {
        let around = self.few.iter().chain(&self.many).take(self.count.saturating_sub(1));
        around.chain(self.last())
    }

    /// Returns how many there are.
    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the innermost, or any where there is none.
    #[inline(always)]
    pub(super) const fn innermost(&self) -> &Level {
        &self.innermost
    }

    /// Returns the innermost.
    #[inline(always)]
    pub(super) const fn last(&self) -> Option<&Level> {
        match self.count {
            0 => None,
            _ => Some(&self.innermost),
        }
    }

    /// Goes on behind a value of the innermost, if there is one.
    #[inline(always)]
    pub(super) const fn advance(&mut self) {
        self.innermost.advance();
    }

    /// Returns the one around the innermost.
    #[inline]
    pub(super) fn around_last(&self) -> Option<&Level> {
        let at = self.count.checked_sub(2)?;
        self.few.get(at).or_else(|| self.many.last())
    }

    /// Adds one inside the others.
    #[inline]
    pub(super) fn push(&mut self, level: Level) {
        let outer = std::mem::replace(&mut self.innermost, level);
        if let Some(at) = self.count.checked_sub(1) {
            match self.few.get_mut(at) {
                Some(place) => *place = outer,
                None => self.many.push(outer),
            }
        }
        self.count += 1;
    }

    /// Takes the innermost away.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(level) = self.around_last() {
            self.innermost = *level;
            self.many.truncate(self.count.saturating_sub(Self::FEW + 2));
        }
        self.count = self.count.saturating_sub(1);
    }

    /// Keeps so many, the outermost.
    #[cfg(any(feature = "serde", test))]
    #[inline]
    pub(super) fn truncate(&mut self, count: usize) {
        while self.count > count {
            self.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_levels_are_kept_as_few_are() {
        let (mut levels, mut expected) = (Levels::new(), Vec::new());
        for count in [1, 3, 4, 5, 9, 5, 4, 2, 6, 0, 5] {
            while expected.len() < count {
                let level = Level::array(VariantType::Array, 7 + expected.len() as u32);
                levels.push(level);
                expected.push(level);
            }
            if count + 1 == expected.len() {
                levels.pop();
            }
            levels.truncate(count);
            expected.truncate(count);
            levels.advance();
            expected.last_mut().into_iter().for_each(Level::advance);
            let shown = format!("{:?}", levels.iter().collect::<Vec<_>>());
            assert_eq!(shown, format!("{expected:?}"), "{count}");
            assert_eq!(levels.last().map(Level::left), expected.last().map(Level::left));
            let around = expected.iter().nth_back(1).map(Level::left);
            assert_eq!(levels.around_last().map(Level::left), around);
        }
        levels.truncate(0);
        levels.pop();
        assert!(levels.last().is_none() && levels.iter().next().is_none());
    }
}
