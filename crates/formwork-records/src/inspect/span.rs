//! What the inspector says about a stretch of bytes.

use std::fmt;

use super::Value;
use crate::schema::Shape;
use formwork::PathSegment;

/// A stretch of bytes and what it is.
///
/// The spans come in wire order. Leaves and rests cover every byte of the input exactly once; the
/// others say what the leaves behind them belong to.
#[derive(Clone, Debug)]
pub struct Span<'a> {
    /// Whether it has spans of its own.
    pub kind: Kind,
    /// How many spans it is in.
    pub depth: u32,
    /// Where it starts, in bytes from the start of the input.
    pub offset: u64,
    /// How many bytes it covers. [`None`] for an opening span whose length is known only when all
    /// in it has been seen: the next span that is not deeper starts at its end.
    pub length: Option<u64>,
    /// The bytes it covers, as far as they are there; empty where the length is not known.
    pub bytes: &'a [u8],
    /// The declared name, or the position in a list.
    pub name: PathSegment,
    /// What is declared there.
    pub layout: Layout,
    /// What the bytes say.
    pub value: Value<'a>,
    /// Something odd about it.
    pub note: Option<Note>,
}

impl Span<'_> {
    /// Whether the byte at `offset` is in it, as far as its length is known.
    #[must_use]
    pub fn covers(&self, offset: u64) -> bool {
        let after = offset.checked_sub(self.offset);
        after.is_some_and(|after| self.length.is_none_or(|length| after < length))
    }
}

/// What part a [`Span`] has in the tree.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind {
    /// The start of a packet, record or list; what is in it follows, one deeper.
    Open,
    /// Bytes that are one field.
    Leaf,
    /// Some bits of the leaf before it.
    Part,
    /// Bytes that were not read: behind the value, or behind a fault.
    Rest,
}

/// What is declared for a [`Span`]. Displayed it is a type name: `u32`, `Dictionary`, `Vector2[8]`.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    /// A packet of the type that the dialect calls so.
    Packet(&'static str),
    /// A field of an ALB1 file, with a value of the type that is called so.
    Field(&'static str),
    /// A single field.
    One(Shape),
    /// So many of them.
    Many(Shape, u64),
    /// As many of them as there are up to the end.
    ToEnd(Shape),
    /// So many bits of a word.
    BitRange(u8),
    /// Bytes without a declaration.
    Bytes,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packet(name) | Self::Field(name) => f.write_str(name),
            Self::One(shape) => shape.fmt(f),
            Self::Many(shape, count) => write!(f, "{shape}[{count}]"),
            Self::ToEnd(shape) => write!(f, "{shape}[]"),
            Self::BitRange(1) => f.write_str("1 bit"),
            Self::BitRange(width) => write!(f, "{width} bits"),
            Self::Bytes => f.write_str("bytes"),
        }
    }
}

/// Something odd that does not keep the inspector from going on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Note {
    /// Padding holds something else than zeros.
    PaddingNotZero,
    /// Padding is missing at the end of the input, where engines do not miss it.
    PaddingMissing,
    /// Bits are set that no engine writes.
    UnusedBits(u64),
    /// The number has no name: not a type of the dialect, not a format.
    Unnamed,
    /// A text is not UTF-8.
    NotUtf8,
    /// A text goes on behind a zero byte, where engines stop reading.
    BehindZero,
    /// The input holds only so many of the announced elements or bytes.
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
