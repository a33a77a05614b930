//! The containers around a value, as far as a reader or writer needs them: the depth, the next value, and the path
//! of an error. The form of paths is defined only here.

use super::{Container, Real, VariantType};
use formwork::{Path, PathSegment};

/// A container that is being read or written.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Steps that are done: two for an element or property, one for a key and one for its value.
    done: u64,
    /// Steps of the whole container.
    end: u64,
    /// Steps that a value takes.
    step: u8,
    variant_type: VariantType,
}

/// The steps of an element, pair or property. (Advancing is one addition in every container.)
const WHOLE: u8 = 2;

/// The steps of a key, or of a value of a pair.
const HALF: u8 = 1;

impl Level {
    /// Returns the level at the start of a container.
    pub fn of<R: Real>(container: Container<'_, R>) -> Self {
        // A count that does not fit cannot be in memory.
        let count = u32::try_from(container.len()).unwrap_or(u32::MAX);
        Self::new(container.variant_type(), count)
    }

    /// Returns the level of a container of a type with `count` elements, pairs or properties.
    #[inline(always)]
    pub const fn new(variant_type: VariantType, count: u32) -> Self {
        let is_paired = matches!(variant_type, VariantType::Dictionary);
        Self::of_steps(variant_type, count, if is_paired { HALF } else { WHOLE })
    }

    /// Returns the level after `index` elements, pairs or properties; if `key` is set, also after the key of the
    /// next pair.
    pub const fn behind(mut self, index: usize, key: bool) -> Self {
        let index = if index > u32::MAX as usize { u32::MAX } else { index as u32 };
        self.done = index as u64 * WHOLE as u64;
        if key {
            self.advance();
        }
        self
    }

    #[inline(always)]
    const fn of_steps(variant_type: VariantType, count: u32, step: u8) -> Self {
        Self { done: 0, end: count as u64 * WHOLE as u64, step, variant_type }
    }

    #[inline(always)]
    pub(crate) const fn array(variant_type: VariantType, count: u32) -> Self {
        Self::of_steps(variant_type, count, WHOLE)
    }

    #[inline(always)]
    pub(crate) const fn dictionary(count: u32) -> Self {
        Self::of_steps(VariantType::Dictionary, count, HALF)
    }

    pub(crate) const fn object(count: u32) -> Self {
        Self::of_steps(VariantType::Object, count, WHOLE)
    }

    /// A value of the container is done.
    #[inline(always)]
    pub const fn advance(&mut self) {
        // Of at most 2^33 steps.
        self.done = self.done.wrapping_add(self.step as u64);
    }

    /// Returns the level before the value that was last passed.
    pub const fn back(mut self) -> Self {
        self.done = self.done.saturating_sub(self.step as u64);
        self
    }

    /// Returns the level before the last `left` elements, pairs or properties.
    pub const fn before_last(mut self, left: u32) -> Self {
        self.done = self.end.saturating_sub(left as u64 * WHOLE as u64);
        self
    }

    /// Returns how many elements, pairs or properties are not done.
    #[inline(always)]
    pub const fn left(&self) -> u32 {
        self.end.saturating_sub(self.done).div_ceil(WHOLE as u64) as u32
    }

    /// Returns whether the container is complete.
    #[inline(always)]
    pub const fn is_done(&self) -> bool {
        self.done >= self.end
    }

    /// Returns whether the key of a pair comes next.
    #[inline(always)]
    pub const fn is_at_key(&self) -> bool {
        self.step == HALF && self.done.is_multiple_of(WHOLE as u64)
    }

    /// Returns whether the value of a pair comes next.
    #[inline(always)]
    pub const fn is_at_value(&self) -> bool {
        !self.done.is_multiple_of(WHOLE as u64)
    }

    /// Returns whether the container is of pairs.
    pub const fn is_keyed(&self) -> bool {
        self.step == HALF
    }

    /// Returns whether the container is an object.
    #[inline(always)]
    pub const fn is_at_property(&self) -> bool {
        matches!(self.variant_type, VariantType::Object)
    }

    /// Elements, pairs or properties that are done.
    #[inline(always)]
    pub const fn index(&self) -> u32 {
        let whole = self.done / WHOLE as u64;
        if whole > u32::MAX as u64 { u32::MAX } else { whole as u32 }
    }
}

/// Returns the path to the next value in the innermost container.
pub fn path<'l>(levels: impl IntoIterator<Item = &'l Level>) -> Path {
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
