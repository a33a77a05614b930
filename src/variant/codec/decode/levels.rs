//! The containers around a value that is read.

use crate::variant::{Level, VariantType};

/// The containers around a value, the outermost first. The first few take no memory of their own: most values
/// have no more, and a small value should cost no allocation that is not its own.
pub(super) struct Levels {
    few: [Level; Self::FEW],
    /// All of them, where they are more than a few.
    many: Vec<Level>,
    count: usize,
}

impl Levels {
    const FEW: usize = 4;

    /// Begins outside of every container.
    #[inline]
    pub(super) const fn new() -> Self {
        let few = [Level::array(VariantType::Array, 0); Self::FEW];
        Self { few, many: Vec::new(), count: 0 }
    }

    /// Returns them, the outermost first.
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Level] {
        if self.count <= Self::FEW {
            self.few.get(..self.count).unwrap_or_default()
        } else {
            &self.many
        }
    }

    /// Returns how many there are.
    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the innermost.
    #[inline(always)]
    pub(super) fn last(&self) -> Option<Level> {
        match self.few.get(self.count.checked_sub(1)?) {
            Some(level) => Some(*level),
            None => self.last_of_many(),
        }
    }

    #[cold]
    fn last_of_many(&self) -> Option<Level> {
        self.many.last().copied()
    }

    /// Returns the innermost, to be changed.
    #[inline(always)]
    pub(super) fn last_mut(&mut self) -> Option<&mut Level> {
        match self.few.get_mut(self.count.checked_sub(1)?) {
            Some(level) => Some(level),
            None => many_last_mut(&mut self.many),
        }
    }

    /// Adds one inside the others.
    #[inline]
    pub(super) fn push(&mut self, level: Level) {
        if let Some(place) = self.few.get_mut(self.count) {
            *place = level;
        } else {
            if self.count == Self::FEW {
                self.many.clear();
                self.many.extend(self.few);
            }
            self.many.push(level);
        }
        self.count += 1;
    }

    /// Takes the innermost away.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.truncate(self.count.saturating_sub(1));
    }

    /// Keeps so many, the outermost.
    #[inline]
    pub(super) fn truncate(&mut self, count: usize) {
        if self.count > Self::FEW {
            self.many.truncate(count);
            if count <= Self::FEW {
                // Those that are few again may have gone on.
                self.few.iter_mut().zip(&self.many).for_each(|(few, level)| *few = *level);
            }
        }
        self.count = self.count.min(count);
    }
}

#[cold]
fn many_last_mut(many: &mut [Level]) -> Option<&mut Level> {
    many.last_mut()
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
            for levels in [levels.last_mut(), expected.last_mut()] {
                levels.into_iter().for_each(Level::advance);
            }
            let shown = |levels: &[Level]| format!("{levels:?}");
            assert_eq!(shown(levels.as_slice()), shown(&expected), "{count}");
            assert_eq!(levels.last().map(|it| it.left()), expected.last().map(Level::left));
        }
        levels.truncate(0);
        levels.pop();
        assert!(levels.last().is_none() && levels.as_slice().is_empty());
    }
}
