//! What a walk through a value comes to.

use std::ops::Range;

use crate::VariantType;

impl Visit<'_> {
    /// Whether two walks through the same bytes come to the same value here, as far as can be said without
    /// making it.
    pub fn is_alike(&self, other: &Self, bytes: &[u8]) -> Option<bool> {
        /// Bytes of the front of a container that says nothing but how much it holds.
        const PLAIN: usize = 8;
        if self.variant_type != other.variant_type
            || self.range != other.range
            || self.depth != other.depth
        {
            return Some(false);
        }
        match (self.content, other.content) {
            (Content::Float(a), Content::Float(b)) => Some(a.to_bits() == b.to_bits()),
            (Content::Open(a), Content::Open(b)) if a == b => {
                // Neither flags in its header nor a mark in its count.
                let front = bytes.get(self.range.clone()).filter(|front| front.len() == PLAIN)?;
                let is_plain = front[1..4] == [0; 3] && front[PLAIN - 1] < 0x80;
                is_plain.then_some(true)
            }
            (Content::Other, Content::Other) => None,
            (a, b) => Some(a == b),
        }
    }
}

/// What a [`Walk`](super::Walk) comes to: a value, or the end of one that holds others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Visit<'a> {
    /// How many containers are around it.
    pub depth: usize,
    /// What it is to the container around it.
    pub part: Part<'a>,
    /// Its type.
    pub variant_type: VariantType,
    /// The bytes of its packet. Where a container begins, those before the values in it; at its end, all of
    /// them.
    pub range: Range<usize>,
    /// What it says.
    pub content: Content<'a>,
}

/// What a value is to the container around it, and the number of the element, pair or property, from 0.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// There is none around it.
    Whole,
    /// An element of an array.
    Element(u32),
    /// The key of a pair.
    Key(u32),
    /// The value of a pair.
    Value(u32),
    /// A property of an object, and its name, unless that does not stand in the bytes as it is in memory.
    Property(u32, Option<&'a str>),
}

/// What a value says that a [`Walk`](super::Walk) comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content<'a> {
    /// A container begins. It holds so many elements, pairs or properties, which come next.
    Open(u32),
    /// The container ends that was open last.
    Close,
    /// Null.
    Nil,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// A String or StringName.
    Text(&'a str),
    /// A PackedByteArray.
    Bytes(&'a [u8]),
    /// Anything else: [`Walk::value`](super::Walk::value) makes it.
    Other,
}
