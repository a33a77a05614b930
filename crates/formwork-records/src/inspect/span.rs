//! A range of bytes with its description.

use std::fmt;

use super::Value;
use crate::schema::{Layout, type_name};
use formwork::PathSegment;

/// A range of bytes with its description.
///
/// The spans come in wire order. Leaves and rests cover every byte of the input exactly once. The other spans group the
/// leaves after them.
#[derive(Clone, Debug)]
pub struct Span<'a> {
    /// The role in the tree, which also determines whether the span has inner spans.
    pub kind: Kind,
    /// The number of spans around it.
    pub depth: u32,
    /// The offset from the start of the input.
    pub offset: u64,
    /// The number of bytes. [`None`] for an opening span whose length is only known after all inner spans: the next
    /// span that is not deeper starts at its end.
    pub length: Option<u64>,
    /// The bytes, as far as they exist; empty if the length is not known.
    pub bytes: &'a [u8],
    /// The declared name, or the position in a list.
    pub name: PathSegment,
    /// The declared layout.
    pub layout: SpanType,
    /// The value of the bytes.
    pub value: Value<'a>,
    /// An oddity.
    pub note: Option<Note>,
}

impl Span<'_> {
    /// Whether the byte at `offset` is in the span, as far as its length is known.
    #[must_use]
    pub fn covers(&self, offset: u64) -> bool {
        let after = offset.checked_sub(self.offset);
        after.is_some_and(|after| self.length.is_none_or(|length| after < length))
    }
}

/// The role of a [`Span`] in the tree.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind {
    /// The start of a packet, record or list; its inner spans follow, one level deeper.
    Open,
    /// The bytes of one field.
    Leaf,
    /// Some bits of the leaf before it.
    Part,
    /// Bytes that were not read, after the value or after a fault.
    Rest,
}

/// The declaration for a [`Span`]. Displayed as a type name: `u32`, `Dictionary`, `Vector2[8]`.
#[derive(Clone, Copy, Debug)]
pub enum SpanType {
    /// A packet of the type with this name in the dialect.
    Packet(&'static str),
    /// A field of an ALB1 file, with a value of the type with this name.
    Field(&'static str),
    /// A single field.
    One(Layout),
    /// This number of elements.
    Many(Layout, u64),
    /// All elements up to the end of the input.
    ToEnd(Layout),
    /// This number of bits of a word.
    Bits(u8),
    /// Bytes without a declaration.
    Bytes,
}

impl fmt::Display for SpanType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packet(name) | Self::Field(name) => f.write_str(name),
            Self::One(shape) => f.write_str(&type_name(*shape)),
            Self::Many(shape, count) => write!(f, "{}[{count}]", type_name(*shape)),
            Self::ToEnd(shape) => write!(f, "{}[]", type_name(*shape)),
            Self::Bits(1) => f.write_str("1 bit"),
            Self::Bits(width) => write!(f, "{width} bits"),
            Self::Bytes => f.write_str("bytes"),
        }
    }
}

/// An oddity after which the inspector goes on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Note {
    /// Padding is not zero.
    PaddingNotZero,
    /// Padding is missing at the end of the input, where engines require it.
    PaddingMissing,
    /// Bits are set that no engine writes.
    UnusedBits(u64),
    /// The number has no name: not a type of the dialect, not a format.
    Unnamed,
    /// A text is not UTF-8.
    NotUtf8,
    /// A text continues after a zero byte, at which engines stop reading.
    BehindZero,
    /// The input holds only this number of the announced elements or bytes.
    Missing(u64),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PaddingNotZero => f.write_str("not zero"),
            Self::PaddingMissing => f.write_str("the rest of the padding is missing"),
            Self::UnusedBits(bits) => write!(f, "unused bits set: 0x{bits:x}"),
            Self::Unnamed => f.write_str("unknown"),
            Self::NotUtf8 => f.write_str("not UTF-8"),
            Self::BehindZero => f.write_str("engines stop at the first zero byte"),
            Self::Missing(missing) => write!(f, "{missing} more announced than there are"),
        }
    }
}
