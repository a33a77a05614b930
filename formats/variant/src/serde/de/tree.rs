//! Values out of a [`Variant`].

#![deny(clippy::wildcard_enum_match_arm)]

use super::item::{Item, Text};
use super::source::{AnySource, Mark, Source, within_depth};
use crate::serde::rule;
use crate::{Event, Level, Real, Variant, Walk};
use formwork::{Error, Path, Result};

/// A value, and the progress in reading it.
pub(super) struct Tree<'v, R: Real> {
    walk: Walk<'v, R>,
    /// The offset of the value in the input.
    offset: u64,
    /// Whether the value was read at canonical strictness.
    is_canonical: bool,
}

impl<'v, R: Real> Tree<'v, R> {
    pub(super) const fn new(root: &'v Variant<R>, offset: u64) -> Self {
        Self { walk: Walk::new(root), offset, is_canonical: false }
    }

    /// Sets whether the value was read at canonical strictness.
    pub(super) fn canonical(mut self, is_canonical: bool) -> Self {
        self.is_canonical = is_canonical;
        self
    }

    fn peek(&self) -> Result<&'v Variant<R>> {
        let next = self.walk.peek::<()>().as_ref().and_then(Event::value);
        // Reached only by a visitor that reads more values than the container has.
        next.ok_or_else(|| Error::new(rule::LENGTH, 0, "a value", "none").nowhere())
    }
}

impl<'v, R: Real> Source<'v> for Tree<'v, R> {
    fn erased(&mut self) -> &mut AnySource<'_, 'v> {
        self
    }

    fn next(&mut self) -> Result<Item<'v>> {
        within_depth(self.walk.depth(), self.offset)?;
        let value = self.peek()?;
        let item = Item::of(value)?;
        if let Some(container) = value.container() {
            self.walk.enter(container, ());
        }
        Ok(item)
    }

    fn next_is_null(&mut self) -> Result<bool> {
        self.peek().map(Variant::is_nil)
    }

    fn property_name(&mut self) -> Result<Text<'v>> {
        Ok(Text::Owned(match self.walk.peek::<()>() {
            Some(Event::Property(name, _)) => name.clone(),
            _ => Default::default(),
        }))
    }

    fn next_key(&mut self) -> Option<String> {
        let Ok(Variant::String(text)) = self.peek() else { return None };
        text.as_str().map(str::to_owned)
    }

    fn mark(&self) -> Mark {
        Mark { depth: self.walk.depth(), at: 0, promised: 0 }
    }

    fn settle(&mut self, mark: Mark) -> Result<()> {
        self.walk.leave(mark.depth);
        self.walk.advance();
        Ok(())
    }

    fn close(&mut self) {
        self.walk.leave(self.walk.depth().saturating_sub(1));
    }

    fn give_up(&mut self, depth: usize) {
        self.walk.leave(depth);
    }

    fn level(&self) -> Option<&Level> {
        self.walk.levels().last()
    }

    fn path(&self) -> Path {
        crate::path(self.walk.levels())
    }

    fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    fn offset(&self, _: Mark) -> u64 {
        self.offset
    }
}

/// A tree that is dropped before the value made of it: nothing is borrowed from it.
pub(super) struct Passing<'v, R: Real>(pub(super) Tree<'v, R>);

impl<'de, R: Real> Source<'de> for Passing<'_, R> {
    fn erased(&mut self) -> &mut AnySource<'_, 'de> {
        self
    }

    fn next(&mut self) -> Result<Item<'de>> {
        self.0.next().map(Item::into_owned)
    }

    fn next_is_null(&mut self) -> Result<bool> {
        self.0.next_is_null()
    }

    fn property_name(&mut self) -> Result<Text<'de>> {
        self.0.property_name().map(Text::into_owned)
    }

    fn next_key(&mut self) -> Option<String> {
        self.0.next_key()
    }

    fn mark(&self) -> Mark {
        self.0.mark()
    }

    fn settle(&mut self, mark: Mark) -> Result<()> {
        self.0.settle(mark)
    }

    fn close(&mut self) {
        self.0.close();
    }

    fn give_up(&mut self, depth: usize) {
        self.0.give_up(depth);
    }

    fn level(&self) -> Option<&Level> {
        self.0.level()
    }

    fn path(&self) -> Path {
        self.0.path()
    }

    fn is_canonical(&self) -> bool {
        self.0.is_canonical()
    }

    fn offset(&self, mark: Mark) -> u64 {
        self.0.offset(mark)
    }
}
