//! Values out of a [`Variant`].

#![deny(clippy::wildcard_enum_match_arm)]

use super::item::{Item, Text};
use super::source::{Mark, Source};
use crate::error::{Error, Result};
use crate::serde::rule;
use crate::variant::codec::Level;
use crate::variant::{Container, Real, Variant, VariantString};

/// What a container holds.
enum Held<'v, R: Real> {
    Elements(&'v [Variant<R>]),
    Pairs(&'v [(Variant<R>, Variant<R>)]),
    Properties(&'v [(VariantString, Variant<R>)]),
}

/// A value, and how far it was read.
pub(super) struct Tree<'v, R: Real> {
    root: &'v Variant<R>,
    /// Whether the root was taken.
    taken: bool,
    /// The open containers and how many of their values were taken; of a dictionary, keys count.
    open: Vec<(Held<'v, R>, usize)>,
    levels: Vec<Level>,
    /// Where in the input the value begins.
    offset: u64,
    /// Whether it was read from what the engine would write, and nothing else.
    is_canonical: bool,
}

impl<'v, R: Real> Tree<'v, R> {
    pub(super) fn new(root: &'v Variant<R>, offset: u64) -> Self {
        let (open, levels) = (Vec::new(), Vec::new());
        Self { root, taken: false, open, levels, offset, is_canonical: false }
    }

    /// Sets whether it was read from what the engine would write, and nothing else.
    pub(super) fn canonical(mut self, is_canonical: bool) -> Self {
        self.is_canonical = is_canonical;
        self
    }

    fn peek(&self) -> Result<&'v Variant<R>> {
        let next = match self.open.last() {
            None => (!self.taken).then_some(self.root),
            Some((Held::Elements(elements), at)) => elements.get(*at),
            Some((Held::Pairs(pairs), at)) => {
                pairs.get(at / 2).map(|(key, value)| if at % 2 == 0 { key } else { value })
            }
            Some((Held::Properties(properties), at)) => properties.get(*at).map(|(_, value)| value),
        };
        // Only a visitor that asks for more than it was told of comes here.
        next.ok_or_else(|| Error::new(rule::LENGTH, Error::NOWHERE, "a value", "none"))
    }

    fn step(&mut self) {
        match self.open.last_mut() {
            Some((_, at)) => *at += 1,
            None => self.taken = true,
        }
    }
}

/// How many values there are; what does not fit a count cannot be in memory.
fn count(values: usize) -> u32 {
    u32::try_from(values).unwrap_or(u32::MAX)
}

impl<'v, R: Real> Source<'v> for Tree<'v, R> {
    fn next(&mut self) -> Result<Item<'v>> {
        let value = self.peek()?;
        let item = Item::of(value)?;
        self.step();
        let opened = match value.container() {
            Some(Container::Array(array)) => {
                (Held::Elements(array), Level::array(value.variant_type(), count(array.len())))
            }
            Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
                let level = Level::array(value.variant_type(), count(typed.elements.len()));
                (Held::Elements(&typed.elements), level)
            }
            Some(Container::Dictionary(pairs)) => {
                (Held::Pairs(pairs), Level::dictionary(count(pairs.len())))
            }
            Some(Container::Object(object)) => {
                let properties = &object.properties;
                (Held::Properties(properties), Level::object(count(properties.len())))
            }
            None => return Ok(item),
        };
        self.open.push((opened.0, 0));
        self.levels.push(opened.1);
        Ok(item)
    }

    fn next_is_null(&mut self) -> Result<bool> {
        self.peek().map(Variant::is_nil)
    }

    fn property_name(&mut self) -> Result<Text<'v>> {
        let name = match self.open.last() {
            Some((Held::Properties(properties), at)) => properties.get(*at),
            _ => None,
        };
        Ok(Text::Owned(name.map(|(name, _)| name.clone()).unwrap_or_default()))
    }

    fn next_key(&mut self) -> Option<String> {
        let Ok(Variant::String(text)) = self.peek() else { return None };
        text.as_str().map(str::to_owned)
    }

    fn mark(&self) -> Mark {
        let at = self.open.last().map_or(0, |(_, at)| *at as u64);
        Mark { depth: self.open.len(), at, promised: 0 }
    }

    fn settle(&mut self, mark: Mark) -> Result<()> {
        self.give_up(mark.depth);
        match self.open.last_mut() {
            Some((_, at)) => *at = mark.at as usize + 1,
            None => self.taken = true,
        }
        if let Some(level) = self.levels.last_mut() {
            level.advance();
        }
        Ok(())
    }

    fn close(&mut self) {
        self.open.pop();
        self.levels.pop();
    }

    fn give_up(&mut self, depth: usize) {
        self.open.truncate(depth);
        self.levels.truncate(depth);
    }

    fn levels(&self) -> &[Level] {
        &self.levels
    }

    fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    fn offset(&self, _: Mark) -> u64 {
        self.offset
    }
}

/// A tree that is gone before what is made of it: nothing is borrowed from it.
pub(super) struct Passing<'v, R: Real>(pub(super) Tree<'v, R>);

impl<'de, R: Real> Source<'de> for Passing<'_, R> {
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

    fn levels(&self) -> &[Level] {
        self.0.levels()
    }

    fn is_canonical(&self) -> bool {
        self.0.is_canonical()
    }

    fn offset(&self, mark: Mark) -> u64 {
        self.0.offset(mark)
    }
}
