//! WebAssembly: modules of sections. The instructions are bytes.
//!
//! Source: "WebAssembly Core Specification" 2.0, section 5.5.

use formwork::wire::PaddedLeb128;
use formwork::{BinRead, BinWrite, Block, Each, Open, Schema, ToEnd, Varint, Within, binrw};

/// A number, which tools may write longer than needed.
pub type Number = Varint<PaddedLeb128>;

/// A module.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"\0asm")]
pub struct Module {
    #[br(assert(version == 1))]
    pub version: u32,
    /// The sections.
    pub sections: ToEnd<Section>,
}

/// What a section holds.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Id {
    Custom = 0,
    Types = 1,
    Imports = 2,
    Functions = 3,
    Tables = 4,
    Memories = 5,
    Globals = 6,
    Exports = 7,
    Start = 8,
    Elements = 9,
    Code = 10,
    Data = 11,
    DataCount = 12,
}

/// A section.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Section {
    /// What it holds.
    pub id: Id,
    /// Bytes of the content.
    pub size: Number,
    /// The content.
    #[br(args { bytes: size.value(), inner: (id as u8,) })]
    pub content: Within<Content>,
}

/// The content of a section.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(id: u8))]
pub enum Content {
    /// For tools.
    #[br(pre_assert(id == 0))]
    Custom { name: Name, bytes: ToEnd<u8> },
    #[br(pre_assert(id == 1))]
    Types {
        count: Number,
        #[br(count = count.value())]
        types: Each<FunctionType>,
    },
    #[br(pre_assert(id == 2))]
    Imports {
        count: Number,
        #[br(count = count.value())]
        imports: Each<Import>,
    },
    /// The type of each function.
    #[br(pre_assert(id == 3))]
    Functions {
        count: Number,
        #[br(count = count.value())]
        types: Each<Number>,
    },
    #[br(pre_assert(id == 4))]
    Tables {
        count: Number,
        #[br(count = count.value())]
        tables: Each<Table>,
    },
    #[br(pre_assert(id == 5))]
    Memories {
        count: Number,
        #[br(count = count.value())]
        limits: Each<Limits>,
    },
    #[br(pre_assert(id == 7))]
    Exports {
        count: Number,
        #[br(count = count.value())]
        exports: Each<Export>,
    },
    /// The function that is called first.
    #[br(pre_assert(id == 8))]
    Start(Number),
    #[br(pre_assert(id == 10))]
    Code {
        count: Number,
        #[br(count = count.value())]
        bodies: Each<Body>,
    },
    #[br(pre_assert(id == 12))]
    DataCount(Number),
    /// Globals, elements and data, which begin with instructions.
    Other(ToEnd<u8>),
}

/// A name.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Name {
    /// Its bytes.
    pub length: Number,
    #[br(count = length.value())]
    #[schema(text)]
    pub text: Block<u8>,
}

/// Types of values.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Types {
    pub count: Number,
    /// 0x7f for i32, 0x7e for i64, 0x7d for f32, 0x7c for f64, 0x7b for v128, 0x70 and 0x6f for references.
    #[br(count = count.value())]
    #[schema(hex)]
    pub types: Block<u8>,
}

/// The type of a function.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"\x60")]
pub struct FunctionType {
    pub parameters: Types,
    pub results: Types,
}

/// Something of another module.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Import {
    pub module: Name,
    pub name: Name,
    pub description: Description,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub enum Description {
    /// The type of a function.
    #[brw(magic = 0u8)]
    Function(Number),
    #[brw(magic = 1u8)]
    Table(Table),
    #[brw(magic = 2u8)]
    Memory(Limits),
    /// The type of a global, and 1 if it changes.
    #[brw(magic = 3u8)]
    Global(#[schema(hex)] [u8; 2]),
}

/// A table of references.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Table {
    #[br(assert(matches!(of, 0x70 | 0x6f)))]
    #[schema(hex)]
    pub of: u8,
    pub limits: Limits,
}

/// How large a table or memory is, and how large it may be.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Limits {
    /// 1 if there is a most.
    #[br(assert(has_most < 2))]
    pub has_most: u8,
    pub least: Number,
    #[br(if(has_most == 1))]
    pub most: Option<Number>,
}

/// The kind of something that others use.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Kind {
    Function = 0,
    Table = 1,
    Memory = 2,
    Global = 3,
}

/// Something that others use.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Export {
    pub name: Name,
    pub kind: Open<Kind>,
    pub index: Number,
}

/// A function.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Body {
    /// Its bytes.
    pub size: Number,
    #[br(args { bytes: size.value() })]
    pub content: Within<Function>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Function {
    pub count: Number,
    #[br(count = count.value())]
    pub locals: Each<Locals>,
    #[schema(hex)]
    pub instructions: ToEnd<u8>,
}

/// Local variables of one type.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Locals {
    pub count: Number,
    #[schema(hex)]
    pub of: u8,
}
