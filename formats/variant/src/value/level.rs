//! The containers around a value, as far as a reader or writer must know them: how deep it is, what
//! comes next, and the path of an error. This is the one place that says what paths look like.

use super::{Container, Real, VariantType};
use formwork::{Path, PathSegment};

/// A container that is being read or written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// Steps that are done: two for an element or property, one for a key and one for its value.
    done: u64,
    count: u32,
    /// Steps that a value takes.
    step: u8,
    variant_type: VariantType,
}

/// Steps of an element, pair or property. (So that going on is one addition, whatever the container is.)
const WHOLE: u8 = 2;

/// Steps of a key, or of a value of a pair.
const HALF: u8 = 1;

impl Level {
    /// The level of a container that is gone through from its start.
    pub(crate) fn of<R: Real>(container: Container<'_, R>) -> Self {
        // What does not fit a count cannot be in memory.
        let count = u32::try_from(container.len()).unwrap_or(u32::MAX);
        Self::new(container.variant_type(), count)
    }

    /// The level of a container of a type, which holds so many elements, pairs or properties.
    #[inline(always)]
    pub(crate) const fn new(variant_type: VariantType, count: u32) -> Self {
        let is_paired = matches!(variant_type, VariantType::Dictionary);
        Self { done: 0, count, step: if is_paired { HALF } else { WHOLE }, variant_type }
    }

    /// The level where so many elements, pairs or properties are done, and of the next pair the key, if
    /// `key` says so.
    pub(crate) const fn behind(mut self, index: usize, key: bool) -> Self {
        let index = if index > u32::MAX as usize { u32::MAX } else { index as u32 };
        self.done = index as u64 * WHOLE as u64;
        if key {
            self.advance();
        }
        self
    }

    #[inline(always)]
    pub(crate) const fn array(variant_type: VariantType, count: u32) -> Self {
        Self { done: 0, count, step: WHOLE, variant_type }
    }

    #[inline(always)]
    pub(crate) const fn dictionary(count: u32) -> Self {
        Self { done: 0, count, step: HALF, variant_type: VariantType::Dictionary }
    }

    pub(crate) const fn object(count: u32) -> Self {
        Self { done: 0, count, step: WHOLE, variant_type: VariantType::Object }
    }

    /// A value of the container is done.
    #[inline(always)]
    pub(crate) const fn advance(&mut self) {
        self.done = self.done.saturating_add(self.step as u64);
    }

    /// So many values of the container are done.
    pub(crate) const fn advance_over(&mut self, values: u64) {
        self.done = self.done.saturating_add(values.saturating_mul(self.step as u64));
    }

    /// Returns the level before the value was done that was done last.
    pub(crate) const fn back(mut self) -> Self {
        self.done = self.done.saturating_sub(self.step as u64);
        self
    }

    /// Elements, pairs or properties that are not done.
    #[inline(always)]
    pub(crate) const fn left(&self) -> u32 {
        (self.count as u64).saturating_sub(self.done / WHOLE as u64) as u32
    }

    /// Whether the key of a pair comes next.
    #[inline(always)]
    pub(crate) const fn is_at_key(&self) -> bool {
        self.step == HALF && self.done.is_multiple_of(WHOLE as u64)
    }

    /// Whether the value of a pair comes next.
    #[inline(always)]
    pub(crate) const fn is_at_value(&self) -> bool {
        !self.done.is_multiple_of(WHOLE as u64)
    }

    /// Whether the container is an object.
    #[inline(always)]
    pub(crate) const fn is_at_property(&self) -> bool {
        matches!(self.variant_type, VariantType::Object)
    }

    /// Elements, pairs or properties that are done.
    #[inline(always)]
    pub(crate) const fn index(&self) -> u32 {
        let whole = self.done / WHOLE as u64;
        if whole > u32::MAX as u64 { u32::MAX } else { whole as u32 }
    }
}

/// The path to what comes next in the innermost container.
pub(crate) fn path<'l>(levels: impl IntoIterator<Item = &'l Level>) -> Path {
    let mut path = Path::default();
    for level in levels {
        path.push(PathSegment::Field(level.variant_type.path_name()));
        if level.is_at_property() {
            path.push(PathSegment::Field("properties"));
        }
        path.push(PathSegment::Index(level.index().into()));
        if level.is_at_key() {
            path.push(PathSegment::Field("key"));
        } else if level.is_at_value() {
            path.push(PathSegment::Field("value"));
        }
    }
    path
}
