//! The header word before every value, in the forms of the dialects.

use modular_bitfield::prelude::*;

use formwork::schema::{Layout, Word, numbered};
use formwork::{BinRead, BinWrite, Schema};
use formwork_records::schema::TYPE_ID;

/// The forms of the element type of a typed container.
const KINDS: &[(i128, &str)] = &numbered(["untyped", "built-in type", "class name", "script path"]);

/// Header of a Godot 2 packet: the whole word is the type id.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct WholeHeader {
    /// Number of the type in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B32,
}

/// Header of a type without flags. (The engines look at the low 8 bits only; the documentation
/// says 16.)
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct PlainHeader {
    /// Number of the type in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B8,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused: B24,
}

/// Header of a type whose numbers come in two widths.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct WideHeader {
    /// Number of the type in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B8,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused: B8,
    /// Numbers are 64 bits wide instead of 32 (the engines' `ENCODE_FLAG_64`).
    pub flag_64: bool,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused_high: B15,
}

/// Header of an object (and of Pandemonium 5's typed arrays, where the flag means that elements
/// of class types are untyped objects).
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ObjectHeader {
    /// Number of the type in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B8,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused: B8,
    /// The object is stored as its instance id (the engines' `ENCODE_FLAG_OBJECT_AS_ID`).
    pub as_id: bool,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused_high: B15,
}

/// Header of an array that may be typed (Godot 4.3 on).
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ArrayHeader {
    /// Number of the type in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B8,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused: B8,
    /// The form of the element type.
    #[schema(names = KINDS)]
    pub element_kind: B2,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused_high: B14,
}

/// Header of a dictionary that may be typed (Godot 4.4 on).
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct DictionaryHeader {
    /// Number of the type in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B8,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused: B8,
    /// The form of the key type.
    #[schema(names = KINDS)]
    pub key_kind: B2,
    /// The form of the value type.
    #[schema(names = KINDS)]
    pub value_kind: B2,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused_high: B12,
}

/// The form of the header word of a type in a dialect.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Header {
    /// [`WholeHeader`].
    Whole,
    /// [`PlainHeader`].
    Plain,
    /// [`WideHeader`].
    Wide,
    /// [`ObjectHeader`].
    Object,
    /// [`ArrayHeader`].
    Array,
    /// [`DictionaryHeader`].
    Dictionary,
}

impl Header {
    /// Returns the declared word.
    #[must_use]
    pub const fn word(self) -> &'static Word {
        let shape = match self {
            Self::Whole => WholeHeader::LAYOUT,
            Self::Plain => PlainHeader::LAYOUT,
            Self::Wide => WideHeader::LAYOUT,
            Self::Object => ObjectHeader::LAYOUT,
            Self::Array => ArrayHeader::LAYOUT,
            Self::Dictionary => DictionaryHeader::LAYOUT,
        };
        match shape {
            Layout::Word(word) => word,
            _ => panic!("a header is a word"),
        }
    }

    /// Returns the bits of the word that an engine writes as zero and does not check.
    #[must_use]
    pub const fn unused_bits(self) -> u32 {
        self.word().zero_bits() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_bits_are_what_the_flags_leave() {
        assert_eq!(Header::Whole.unused_bits(), 0);
        assert_eq!(Header::Plain.unused_bits(), 0xffff_ff00);
        assert_eq!(Header::Wide.unused_bits(), 0xfffe_ff00);
        assert_eq!(Header::Dictionary.unused_bits(), 0xfff0_ff00);
    }
}
