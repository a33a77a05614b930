//! The steps of a walk through a value.

use std::ops::Range;

use super::event::{Event, Leaf};
use crate::VariantType;

impl Visit<'_> {
    /// Returns whether two walks through the same bytes are at the same value here, as far as this is known without
    /// creating it.
    pub fn is_alike(&self, other: &Self, bytes: &[u8]) -> Option<bool> {
        /// The size in bytes of the front of a container whose only attribute is its count.
        const PLAIN: usize = 8;
        if self.variant_type != other.variant_type
            || self.range != other.range
            || self.depth != other.depth
        {
            return Some(false);
        }
        match (self.event, other.event) {
            (Event::Leaf(Leaf::Float(a)), Event::Leaf(Leaf::Float(b))) => {
                Some(a.to_bits() == b.to_bits())
            }
            (Event::Begin(a), Event::Begin(b)) if a.count == b.count => {
                // Neither flags in its header nor a mark in its count.
                let front = bytes.get(self.range.clone()).filter(|front| front.len() == PLAIN)?;
                let is_plain = front[1..4] == [0; 3] && front[PLAIN - 1] < 0x80;
                is_plain.then_some(true)
            }
            (Event::Leaf(a), Event::Leaf(b)) if !a.is_shown() && !b.is_shown() => None,
            (a, b) => Some(a == b),
        }
    }
}

/// A step of a [`Walk`](super::Walk): a value, or the end of a container.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Visit<'a> {
    /// The number of containers around the value.
    pub depth: usize,
    /// The role of the value in its container.
    pub part: Part<'a>,
    /// Its type.
    pub variant_type: VariantType,
    /// The bytes of its packet. At the start of a container, the bytes before the values in it; at its end, all of
    /// them.
    pub range: Range<usize>,
    /// The value, or the end of a container. What takes memory was not made, unless it is a key:
    /// [`Walk::value`](super::Walk::value) makes it.
    pub event: Event<'a>,
}

/// The role of a value in its container, and the number of the element, pair or property, from 0.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Part<'a> {
    /// The outermost value.
    Whole,
    /// An element of an array.
    Element(u32),
    /// The key of a pair.
    Key(u32),
    /// The value of a pair.
    Value(u32),
    /// A property of an object, and its name if that has the same bytes in memory.
    Property(u32, Option<&'a str>),
}
