//! Facts about a type that a constant can hold: the functions of a [`Layout`] are called at run time only.

use super::{Layout, Word};

/// The shape of a type, which the derive holds expressions and meanings to.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A whole number, and its size in bytes.
    Number {
        /// Its bytes.
        bytes: usize,
        /// Whether it is an [`Open`](crate::wire::Open) number.
        open: bool,
    },
    /// A whole number of sixteen bytes, which is in no expression.
    Wide,
    /// A number in groups of seven bits.
    Varint,
    /// An IEEE 754 number.
    Float,
    /// A bit-packed word.
    Word(&'static Word),
    /// The fields of a record, with their shapes.
    Record(&'static [(&'static str, Shape)]),
    /// Numbers in a row: the size of each in bytes, and of all, where that is always the same number.
    Row(usize, Option<usize>),
    /// A list of records.
    List,
    /// Bytes that something ends, which begins at a multiple of this many bytes.
    Terminated(usize),
    /// A type without parts and without a number: choices, padding.
    Other,
    /// A type whose shape is not known here.
    Unknown,
}

impl Shape {
    /// Returns the shape of a layout, as far as a constant can tell.
    #[must_use]
    pub const fn of(layout: Layout) -> Self {
        match layout {
            Layout::Integer { number, .. } if number.is_wide() => Self::Wide,
            Layout::Integer { number, open, .. } => Self::Number { bytes: number.bytes(), open },
            Layout::Varint(_) => Self::Varint,
            Layout::Float(_) => Self::Float,
            Layout::Word(word) => Self::Word(word),
            Layout::Terminated(end) => Self::Terminated(end.width as usize),
            Layout::Choice(_) | Layout::Padding(_) | Layout::Nested(_) | Layout::Opaque => {
                Self::Other
            }
            _ => Self::Unknown,
        }
    }

    /// Returns the shape of a list of elements that are numbers of this size in bytes, or no numbers.
    #[must_use]
    pub const fn of_list(number: usize) -> Self {
        if number > 0 { Self::Row(number, None) } else { Self::List }
    }

    /// Returns the shape of an array of elements of this shape.
    #[must_use]
    pub const fn of_array(self, count: usize) -> Self {
        match self {
            Self::Number { bytes, .. } => Self::Row(bytes, bytes.checked_mul(count)),
            Self::Row(bytes, Some(all)) => Self::Row(bytes, all.checked_mul(count)),
            Self::Unknown => Self::Unknown,
            _ => Self::Other,
        }
    }

    /// Returns the shape that these parts in each other lead to, each a field or the call of a method.
    #[must_use]
    pub const fn at(self, parts: &[(&str, bool)]) -> Option<Self> {
        let [(name, is_call), rest @ ..] = parts else { return Some(self) };
        match self {
            Self::Unknown => Some(Self::Unknown),
            Self::Record(fields) if !*is_call => {
                let mut at = fields.len();
                // If several fields have the name, the last one is meant.
                while at > 0 {
                    at -= 1;
                    if is_same(fields[at].0, name) {
                        return fields[at].1.at(rest);
                    }
                }
                None
            }
            // A part is a method of a `bitfield`, and a field of a derived word.
            Self::Word(word) => {
                let mut at = 0;
                while at < word.parts.len() {
                    if is_same(word.parts[at].name, name) {
                        return Self::Number { bytes: word.bytes as usize, open: true }.at(rest);
                    }
                    at += 1;
                }
                None
            }
            _ if !*is_call || !rest.is_empty() => None,
            Self::Varint if is_same(name, "value") => Some(self),
            Self::Number { open: true, .. } if is_same(name, "number") => Some(self),
            Self::Row(..) if is_same(name, "total") => Some(Self::Varint),
            Self::Row(_, None) | Self::List if is_same(name, "len") => Some(Self::Varint),
            _ => None,
        }
    }

    /// Returns whether it may be a number.
    #[must_use]
    pub const fn may_be_number(self) -> bool {
        matches!(self, Self::Number { .. } | Self::Varint | Self::Word(_) | Self::Unknown)
    }

    /// Returns whether it may be bytes in a row, which functions take.
    #[must_use]
    pub const fn may_be_bytes(self) -> bool {
        matches!(self, Self::Row(1, _) | Self::Terminated(_) | Self::Unknown)
    }

    /// Returns whether it may be a text that ends before its place does.
    #[must_use]
    pub const fn may_be_ended(self) -> bool {
        matches!(self, Self::Row(1, _) | Self::Unknown)
    }

    /// Returns whether it may be a text.
    #[must_use]
    pub const fn may_be_text(self) -> bool {
        matches!(self, Self::Row(1, _) | Self::Terminated(1) | Self::Unknown)
    }

    /// Returns whether it may be a text in UTF-16.
    #[must_use]
    pub const fn may_be_utf16(self) -> bool {
        matches!(self, Self::Row(2, _) | Self::Terminated(2) | Self::Unknown)
    }

    /// Returns whether it may be a text after which the place is filled: it always has as many bytes.
    #[must_use]
    pub const fn may_be_filled(self) -> bool {
        matches!(self, Self::Row(1, Some(_)) | Self::Unknown)
    }

    /// Returns whether it may be a text whose bytes are masked: bytes, or letters of four bytes.
    #[must_use]
    pub const fn may_be_masked(self) -> bool {
        matches!(self, Self::Row(1 | 4, _) | Self::Unknown)
    }

    /// Returns whether it may be shown as letters: bytes or a number.
    #[must_use]
    pub const fn may_be_letters(self) -> bool {
        matches!(self, Self::Row(1, _) | Self::Terminated(1) | Self::Number { .. } | Self::Unknown)
    }

    /// Returns whether it may be shown in hexadecimal: bytes, a number, numbers.
    #[must_use]
    pub const fn may_be_hex(self) -> bool {
        matches!(
            self,
            Self::Row(..) | Self::Number { .. } | Self::Wide | Self::Varint | Self::Unknown
        )
    }

    /// Returns whether it may be declared to be zero.
    #[must_use]
    pub const fn may_be_zero(self) -> bool {
        matches!(
            self,
            Self::Row(..)
                | Self::Number { .. }
                | Self::Wide
                | Self::Word(_)
                | Self::Float
                | Self::Unknown
        )
    }

    /// Returns whether its number may have a name.
    #[must_use]
    pub const fn may_be_named(self) -> bool {
        matches!(self, Self::Number { .. } | Self::Varint | Self::Unknown)
    }

    /// Returns whether it may hold a checksum of this size in bytes.
    #[must_use]
    pub const fn may_hold(self, sum: Option<usize>) -> bool {
        match (self, sum) {
            (Self::Unknown, _) | (Self::Number { .. } | Self::Wide | Self::Row(1, _), None) => true,
            (Self::Wide, Some(sum)) => sum == 16,
            (Self::Number { bytes, .. }, Some(sum)) => bytes == sum,
            (Self::Row(1, bytes), Some(sum)) => match bytes {
                Some(bytes) => bytes == sum,
                None => true,
            },
            _ => false,
        }
    }
}

const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}
