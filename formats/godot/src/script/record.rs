//! The records of a compiled script, each declared once.

use modular_bitfield::prelude::*;

use formwork::{BinRead, BinWrite, Deferred, Each, Nested, Schema};
use formwork_records::schema::VARIANT;
use formwork_records::wire::Block;

/// The byte with which each byte of a name is combined by XOR.
pub(super) const MASK: u8 = 0xb6;

/// The mark of a script.
pub(super) const MAGIC: &[u8; 4] = b"GDSC";

/// Start of every compiled script.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little, magic = b"GDSC")]
pub struct ScriptMark {
    /// The version of the format.
    pub version: u32,
}

/// A compiled script of Godot 1 to 3 (versions 1 to 13).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ScriptFile {
    /// Magic and version.
    #[schema(inline)]
    pub mark: ScriptMark,
    /// How many identifiers.
    pub identifier_count: u32,
    /// How many constants.
    pub constant_count: u32,
    /// How many lines.
    pub line_count: u32,
    /// How many tokens.
    pub token_count: u32,
    /// The names that the script uses.
    #[br(count = identifier_count)]
    pub identifiers: Deferred<Each<Identifier<'static>>>,
    /// The literal values that the script uses.
    #[br(count = constant_count)]
    pub constants: Deferred<Each<Nested<VARIANT>>>,
    /// The first token of each line.
    #[br(count = line_count)]
    pub lines: Deferred<Each<TokenPlace>>,
    /// The tokens.
    #[br(count = token_count)]
    pub tokens: Deferred<Each<Token>>,
}

/// Start of a compiled script of Godot 4 (versions 100 and 101). The content follows.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ScriptHead {
    /// Magic and version.
    #[schema(inline)]
    pub mark: ScriptMark,
    /// Bytes of the content once it is unpacked with Zstandard; 0 if it is not packed.
    pub unpacked_size: u32,
}

/// The content of a compiled script of Godot 4.5 on (version 101).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ScriptContent {
    /// How many identifiers.
    pub identifier_count: u32,
    /// How many constants.
    pub constant_count: u32,
    /// How many lines.
    pub line_count: u32,
    /// How many tokens.
    pub token_count: u32,
    /// The names that the script uses.
    #[br(count = identifier_count)]
    pub identifiers: Deferred<Each<WideIdentifier<'static>>>,
    /// The literal values that the script uses.
    #[br(count = constant_count)]
    pub constants: Deferred<Each<Nested<VARIANT>>>,
    /// The first token of each line.
    #[br(count = line_count)]
    pub lines: Deferred<Each<TokenPlace>>,
    /// The column of the first token of each of these lines.
    #[br(count = line_count)]
    pub columns: Deferred<Each<TokenPlace>>,
    /// The tokens.
    #[br(count = token_count)]
    pub tokens: Deferred<Each<LineToken>>,
}

/// The content of a compiled script of Godot 4.3 and 4.4 (version 100).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ScriptContent100 {
    /// How many identifiers.
    pub identifier_count: u32,
    /// How many constants.
    pub constant_count: u32,
    /// How many lines.
    pub line_count: u32,
    /// Not used; the engine does not look at it.
    #[schema(zero)]
    pub unused: u32,
    /// How many tokens.
    pub token_count: u32,
    /// The names that the script uses.
    #[br(count = identifier_count)]
    pub identifiers: Deferred<Each<WideIdentifier<'static>>>,
    /// The literal values that the script uses.
    #[br(count = constant_count)]
    pub constants: Deferred<Each<Nested<VARIANT>>>,
    /// The first token of each line.
    #[br(count = line_count)]
    pub lines: Deferred<Each<TokenPlace>>,
    /// The column of the first token of each of these lines.
    #[br(count = line_count)]
    pub columns: Deferred<Each<TokenPlace>>,
    /// The tokens.
    #[br(count = token_count)]
    pub tokens: Deferred<Each<LineToken>>,
}

/// A name in a script of Godot 1 to 3.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct Identifier<'a> {
    /// Bytes of the text, with the zeros after it: a multiple of four.
    pub length: u32,
    /// The text in UTF-8 and at least one zero, each byte combined with 0xb6 by XOR.
    #[br(count = length)]
    #[schema(text, mask = MASK)]
    pub bytes: Block<'a, u8>,
}

/// A name in a script of Godot 4.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct WideIdentifier<'a> {
    /// Characters of the text.
    pub length: u32,
    /// The characters in UTF-32, each byte combined with 0xb6 by XOR.
    #[br(count = length)]
    #[schema(text, mask = MASK)]
    pub characters: Block<'a, u32>,
}

/// The first token of a line, with the line or its column.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct TokenPlace {
    /// The position of the first token of the line among all tokens, from 0 on.
    pub token: u32,
    /// The line, or its column, from 1 on.
    pub place: u32,
}

/// The first byte of a token.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u8)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
pub struct TokenByte {
    /// The kind of the token; each release numbers the kinds differently.
    pub kind: B7,
    /// Whether an index follows.
    pub indexed: bool,
}

/// The index of an identifier, a constant or a built-in name, or how far a line is indented.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct TokenIndex {
    /// The low 16 bits.
    pub low: u16,
    /// The high 8 bits.
    pub high: u8,
}

/// A token of Godot 1 to 3.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct Token {
    /// The kind of the token, and whether an index follows.
    pub first: TokenByte,
    /// The identifier, constant, built-in name or indentation of the token.
    #[br(if(first.indexed()))]
    pub index: Option<TokenIndex>,
}

/// A token of Godot 4.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct LineToken {
    /// The kind of the token, and whether an index follows.
    pub first: TokenByte,
    /// The identifier, constant, built-in name or indentation of the token.
    #[br(if(first.indexed()))]
    pub index: Option<TokenIndex>,
    /// The line that it is in.
    pub line: u32,
}
