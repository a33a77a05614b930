//! The containers around a value, as far as a reader or writer must know them: how deep it is, what
//! comes next, and the path of an error. This is the one place that says what paths look like.

use super::{Container, Real, VariantType};
use crate::error::{Path, PathSegment};

/// A container that is being read or written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    part: Part,
    /// Elements, pairs or properties that are done.
    index: u32,
    count: u32,
}

/// What comes next in a container.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Part {
    Element(VariantType),
    Key,
    Value,
    Property,
}

impl Level {
    /// The level of a container that is gone through from its start.
    pub(crate) fn of<R: Real>(container: Container<'_, R>) -> Self {
        // What does not fit a count cannot be in memory.
        let count = u32::try_from(container.len()).unwrap_or(u32::MAX);
        Self::new(container.variant_type(), count)
    }

    /// The level of a container of a type, which holds so many elements, pairs or properties.
    pub(crate) const fn new(variant_type: VariantType, count: u32) -> Self {
        if matches!(variant_type, VariantType::Dictionary) {
            Self::dictionary(count)
        } else if matches!(variant_type, VariantType::Object) {
            Self::object(count)
        } else {
            Self::array(variant_type, count)
        }
    }

    /// The level where so many elements, pairs or properties are done, and of the next pair the key, if
    /// `key` says so.
    pub(crate) const fn behind(mut self, index: usize, key: bool) -> Self {
        self.index = if index > u32::MAX as usize { u32::MAX } else { index as u32 };
        if key {
            self.advance();
        }
        self
    }

    #[inline(always)]
    pub(crate) const fn array(variant_type: VariantType, count: u32) -> Self {
        Self { part: Part::Element(variant_type), index: 0, count }
    }

    #[inline(always)]
    pub(crate) const fn dictionary(count: u32) -> Self {
        Self { part: Part::Key, index: 0, count }
    }

    pub(crate) const fn object(count: u32) -> Self {
        Self { part: Part::Property, index: 0, count }
    }

    /// A value of the container is done.
    #[inline(always)]
    pub(crate) const fn advance(&mut self) {
        if self.is_at_key() {
            self.part = Part::Value;
            return;
        }
        if self.is_at_value() {
            self.part = Part::Key;
        }
        self.index = self.index.saturating_add(1);
    }

    /// So many values of the container are done.
    pub(crate) const fn advance_over(&mut self, values: u32) {
        let mut entries = values;
        if self.is_at_key() || self.is_at_value() {
            let parts = values.saturating_add(self.is_at_value() as u32);
            entries = parts / 2;
            self.part = if parts % 2 == 0 { Part::Key } else { Part::Value };
        }
        self.index = self.index.saturating_add(entries);
    }

    /// Returns the level before the value was done that was done last.
    pub(crate) const fn back(mut self) -> Self {
        if self.is_at_value() {
            self.part = Part::Key;
            return self;
        }
        if self.is_at_key() {
            self.part = Part::Value;
        }
        self.index = self.index.saturating_sub(1);
        self
    }

    /// Elements, pairs or properties that are not done.
    #[inline(always)]
    pub(crate) const fn left(&self) -> u32 {
        self.count.saturating_sub(self.index)
    }

    /// Whether the key of a pair comes next.
    #[inline(always)]
    pub(crate) const fn is_at_key(&self) -> bool {
        matches!(self.part, Part::Key)
    }

    /// Whether the value of a pair comes next.
    #[inline(always)]
    pub(crate) const fn is_at_value(&self) -> bool {
        matches!(self.part, Part::Value)
    }

    /// Whether the container is an object.
    #[inline(always)]
    pub(crate) const fn is_at_property(&self) -> bool {
        matches!(self.part, Part::Property)
    }

    /// Elements, pairs or properties that are done.
    #[inline(always)]
    pub(crate) const fn index(&self) -> u32 {
        self.index
    }
}

/// The path to what comes next in the innermost container.
pub(crate) fn path<'l>(levels: impl IntoIterator<Item = &'l Level>) -> Path {
    let mut path = Path::default();
    for level in levels {
        let (container, part) = match level.part {
            Part::Element(variant_type) => (variant_type, None),
            Part::Key => (VariantType::Dictionary, Some("key")),
            Part::Value => (VariantType::Dictionary, Some("value")),
            Part::Property => (VariantType::Object, None),
        };
        path.push(PathSegment::Field(container.path_name()));
        if level.part == Part::Property {
            path.push(PathSegment::Field("properties"));
        }
        path.push(PathSegment::Index(level.index.into()));
        if let Some(part) = part {
            path.push(PathSegment::Field(part));
        }
    }
    path
}
