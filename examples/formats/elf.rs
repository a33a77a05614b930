//! ELF: programs, libraries and objects, of 32 and 64 bits, in both orders of bytes.
//!
//! Source: "System V Application Binary Interface", chapter 4 (2013). Files whose section headers come last,
//! as linkers write them, are declared completely. The bytes after the section headers are `rest`.

use formwork::{BinRead, BinWrite, Block, Each, Open, Schema, Terminated, ToEnd, binrw};

/// A program, library or object.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"\x7fELF")]
pub struct Elf {
    /// 1 for 32 bits, 2 for 64.
    #[br(assert(matches!(class, 1 | 2)))]
    pub class: u8,
    /// 1 for little endian, 2 for big endian.
    #[br(assert(matches!(order, 1 | 2)))]
    pub order: u8,
    /// The version of the format.
    pub version: u8,
    /// The system that it is for.
    pub system: u8,
    /// The version of that.
    pub system_version: u8,
    #[schema(zero)]
    pub zeros: [u8; 7],
    /// The rest, in the order of bytes that the head says.
    #[br(is_big = order == 2)]
    #[bw(is_big = *order == 2)]
    #[br(args(class))]
    pub body: Body,
}

/// What follows the head.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(class: u8))]
pub enum Body {
    /// Addresses have 64 bits.
    #[br(pre_assert(class == 2))]
    Wide(Body64),
    /// Addresses have 32 bits.
    Narrow(Body32),
}

/// What the file is.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u16)]
pub enum Kind {
    None = 0,
    Object = 1,
    Program = 2,
    Shared = 3,
    Core = 4,
}

/// What a section holds.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u32)]
pub enum SectionKind {
    Null = 0,
    Program = 1,
    Symbols = 2,
    Strings = 3,
    RelocationsWithAddends = 4,
    Hash = 5,
    Dynamic = 6,
    Note = 7,
    NoBits = 8,
    Relocations = 9,
    DynamicSymbols = 11,
}

/// Declares what has addresses of one width.
macro_rules! bodies {
    (
        $body:ident, $segment:ident, $section:ident, $symbol:ident, $address:ident, $head:literal, $segment_size:literal,
        { $($early:ident)? }, { $($late:ident)? }, { $($first:ident)? }, { $($last:ident)? }
    ) => {
        /// The header, the segments, the content and the sections.
        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        pub struct $body {
            /// What the file is.
            pub kind: Open<Kind>,
            /// The processor.
            pub machine: u16,
            /// The version of the format.
            pub version: u32,
            /// Where the program begins.
            #[schema(hex)]
            pub entry: $address,
            /// Where the segments are: after the header.
            #[br(assert(segments_at == 0 || segments_at == $head))]
            pub segments_at: $address,
            /// Where the sections are.
            pub sections_at: $address,
            /// Flags of the processor.
            #[schema(hex)]
            pub flags: u32,
            /// Bytes of the header.
            #[br(assert(header_size == $head))]
            pub header_size: u16,
            /// Bytes of one segment.
            #[br(assert(segment_size == 0 || segment_size == $segment_size))]
            pub segment_size: u16,
            /// The number of segments.
            pub segment_count: u16,
            /// Bytes of one section.
            pub section_size: u16,
            /// The number of sections.
            pub section_count: u16,
            /// The section that holds the names of sections.
            pub names: u16,
            /// The segments.
            #[br(count = segment_count)]
            pub segments: Each<$segment>,
            /// The content of segments and sections.
            #[br(count = sections_at.saturating_sub($head + segment_count as $address * $segment_size))]
            pub content: Block<u8>,
            /// The sections.
            #[br(count = section_count)]
            pub sections: Each<$section>,
            /// What comes after them.
            pub rest: ToEnd<u8>,
        }

        /// A segment: what is loaded.
        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        pub struct $segment {
            /// What it is.
            #[schema(hex)]
            pub kind: u32,
            $(
                /// Whether it can be read, written and run.
                #[schema(hex)]
                pub $early: u32,
            )?
            /// Where it is in the file.
            #[schema(hex)]
            pub at: $address,
            /// Where it is loaded.
            #[schema(hex)]
            pub address: $address,
            #[schema(hex)]
            pub physical: $address,
            /// Bytes in the file.
            pub file_size: $address,
            /// Bytes in memory.
            pub memory_size: $address,
            $(
                /// Whether it can be read, written and run.
                #[schema(hex)]
                pub $late: u32,
            )?
            pub align: $address,
        }

        /// A section.
        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        #[schema(view(strings: ToEnd<Terminated>, at = at, bytes = size, if = kind.number() == 3 && size > 0))]
        #[schema(view(symbols: ToEnd<$symbol>, at = at, bytes = size, if = kind.number() == 2 || kind.number() == 11))]
        pub struct $section {
            /// Where its name is among the names.
            pub name: u32,
            /// What it holds.
            pub kind: Open<SectionKind>,
            #[schema(hex)]
            pub flags: $address,
            /// Where it is loaded.
            #[schema(hex)]
            pub address: $address,
            /// Where it is in the file.
            #[schema(hex)]
            pub at: $address,
            /// Its bytes.
            pub size: $address,
            /// A section that belongs to it.
            pub link: u32,
            pub info: u32,
            pub align: $address,
            /// Bytes of one entry.
            pub entry_size: $address,
        }

        /// A symbol.
        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        pub struct $symbol {
            /// Where its name is among the strings.
            pub name: u32,
            $(
                /// Where it is, and its bytes.
                pub $first: [u32; 2],
            )?
            /// Its kind and who sees it.
            #[schema(hex)]
            pub info: u8,
            #[schema(hex)]
            pub other: u8,
            /// The section that it is in.
            pub section: u16,
            $(
                /// Where it is, and its bytes.
                pub $last: [u64; 2],
            )?
        }
    };
}

bodies!(Body64, Segment64, Section64, Symbol64, u64, 64, 56, { flags }, {}, {}, { place });
bodies!(Body32, Segment32, Section32, Symbol32, u32, 52, 32, {}, { flags }, { place }, {});
