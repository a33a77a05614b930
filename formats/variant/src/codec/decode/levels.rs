//! The containers around a value that is being read.

use smallvec::SmallVec;

use crate::{Level, VariantType};

/// The containers around a value.
pub(super) struct Levels {
    /// The innermost; outside of all containers, the level of the whole input.
    innermost: Level,
    /// The levels around the innermost, from that of the whole input on.
    around: SmallVec<[Level; 4]>,
    /// The number of containers. (`around` has it, too, but asking for it takes five instructions a value.)
    count: usize,
}

impl Levels {
    /// Begins outside of every container.
    #[inline]
    pub(super) fn new() -> Self {
        Self { innermost: Level::array(VariantType::Array, 1), around: SmallVec::new(), count: 0 }
    }

    /// Iterates over the containers, the outermost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Level> {
        self.around.iter().chain([&self.innermost]).skip(1)
    }

    /// Returns the number of containers.
    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the innermost container, or the level of the whole input.
    #[inline(always)]
    pub(super) const fn innermost(&self) -> &Level {
        &self.innermost
    }

    /// Returns the innermost container.
    #[inline(always)]
    pub(super) fn last(&self) -> Option<&Level> {
        if self.count == 0 { None } else { Some(&self.innermost) }
    }

    /// Counts a value of the innermost as done.
    #[inline(always)]
    pub(super) const fn advance(&mut self) {
        self.innermost.advance();
    }

    /// Returns the container around the innermost.
    #[inline]
    pub(super) fn around_last(&self) -> Option<&Level> {
        self.around.get(1..)?.last()
    }

    /// Adds a container inside the others.
    #[inline(always)]
    pub(super) fn push(&mut self, level: Level) {
        self.around.push(std::mem::replace(&mut self.innermost, level));
        self.count += 1;
    }

    /// Removes the innermost container.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        if let Some(level) = self.around.pop() {
            self.innermost = level;
            self.count -= 1;
        }
    }

    /// Sets the innermost container to before its last `left` values.
    pub(super) const fn go_before_last(&mut self, left: u32) {
        self.innermost = self.innermost.before_last(left);
    }

    /// Keeps the `count` outermost.
    pub(super) fn truncate(&mut self, count: usize) {
        while self.count() > count {
            self.pop();
        }
    }
}
