//! Strings on the wire.

use std::borrow::Cow;

use formwork::{BinRead, BinWrite, Schema};
use formwork_records::schema::Sizes;
use formwork_records::wire::{Block, Padding};

/// A string: its length, its bytes in UTF-8, zeros up to a multiple of four.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct Text<'a> {
    /// Bytes of the text; padding is not counted.
    pub length: u32,
    /// The text in UTF-8, without a terminator.
    #[br(count = length)]
    #[schema(text)]
    pub bytes: Block<'a, u8>,
    /// Zeros (engines before 3.1 leave what was in memory).
    #[br(args(length.into()))]
    pub padding: Padding,
}

/// A string inside a string array: the only place where a zero byte ends the text and is
/// counted.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct TerminatedText<'a> {
    /// Bytes of the text and its terminator; padding is not counted.
    pub length: u32,
    /// The text in UTF-8 and a zero byte. (Readers stop at the first zero byte, so they accept a
    /// text without one.)
    #[br(count = length)]
    #[schema(terminated)]
    pub bytes: Block<'a, u8>,
    /// Zeros.
    #[br(args(length.into()))]
    pub padding: Padding,
}

impl<'a> Text<'a> {
    /// The record of a text.
    #[must_use]
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let bytes = Block(bytes.into());
        // A longer value in memory is refused before it is written.
        Self { length: bytes.len() as u32, padding: Padding::after(bytes.len()), bytes }
    }
}

impl<'a> TerminatedText<'a> {
    /// The record of a text, which gets its terminator here.
    #[must_use]
    pub fn new(text: &[u8]) -> TerminatedText<'static> {
        let bytes = [text, &[0]].concat();
        let padding = Padding::after(bytes.len());
        TerminatedText { length: bytes.len() as u32, bytes: Block(bytes.into()), padding }
    }

    /// Returns the size in bytes of the record of a text of `text` bytes.
    #[must_use]
    pub(crate) const fn size_of(text: usize) -> usize {
        Self::LEAST + text + 1 + Padding::needed(text + 1)
    }

    /// Returns the record of a text to be written. The terminator is written as a part of the padding, which is
    /// zeros as well, so that the text need not be copied.
    #[must_use]
    pub(crate) const fn to_write(text: &'a [u8]) -> Self {
        let padding = Padding::with_terminator(text.len());
        Self { length: 1 + text.len() as u32, bytes: Block(Cow::Borrowed(text)), padding }
    }
}
