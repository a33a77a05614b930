//! Kinds: a made-up format, which has one of each kind of field that the other formats of the gallery do not have.

use formwork::modular_bitfield::prelude::*;
use formwork::wire::{
    BigBytes, Byte, Coded, CompactSize, LittleBytes, Midi, PaddedLeb128, Rotate, SignedLeb128,
    Sqlite, TerminatedOrEnd, UpTo, WideZero, Xor, XorKey,
};
use formwork::{
    BinRead, BinWrite, Block, Each, Open, OrEnd, Padding, Schema, Terminated, ToEnd, Until, Varint,
    Within, Word, binrw,
};

/// Kinds of fields.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = 0x4b69_6e64u32)]
pub struct Kinds {
    pub texts: Texts,
    pub numbers: Numbers,
    pub words: Words,
    pub lists: Lists,
    pub codes: Codes,
    pub sizes: Sizes,
    /// 1 for big endian.
    #[br(assert(matches!(order, 0 | 1)))]
    pub order: u8,
    #[br(is_big = order == 1)]
    #[bw(is_big = *order == 1)]
    pub ordered: Ordered,
    #[br(is_big = order == 1)]
    #[bw(is_big = *order == 1)]
    pub single: u32,
    pub views: Views,
    /// The last one ends the list.
    pub turns: Until<Turn>,
    pub end: OrEnd<Trailer>,
}

/// Texts that end in some way.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Texts {
    #[schema(text)]
    pub padded: [u8; 8],
    #[schema(text, fill = b' ')]
    pub filled: [u8; 6],
    #[schema(text, end = 0)]
    pub ended: [u8; 8],
    #[schema(text = utf16)]
    pub wide: [u16; 4],
    pub length: u8,
    #[br(count = length)]
    #[schema(text = utf16)]
    pub wide_list: Block<u16>,
    #[schema(text = utf16)]
    pub wide_ended: Terminated<WideZero>,
    #[schema(text)]
    pub line: Terminated<Byte<b'\n'>>,
    #[schema(text)]
    pub address: UpTo<Byte<b'@'>>,
    /// The `@` in between.
    #[brw(magic = b"@")]
    pub counted: u8,
    #[br(count = counted)]
    #[schema(terminated)]
    pub with_zero: Block<u8>,
    pub masked_length: u8,
    #[br(count = masked_length)]
    #[schema(text, mask = 0xb6)]
    pub masked: Block<u8>,
    #[schema(text = latin1)]
    pub latin: [u8; 3],
    pub region: u8,
    #[br(args { bytes: region })]
    pub open: Within<TerminatedOrEnd<Byte<b'|'>>>,
    pub id: [u8; 4],
    #[br(if(id == *b"KIND"))]
    pub is_kind: Option<u8>,
    #[br(if(line == b"yes"))]
    pub is_yes: Option<u16>,
}

/// Numbers in other forms.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Numbers {
    pub padded: Varint<PaddedLeb128>,
    pub signed: Varint<SignedLeb128>,
    pub sqlite: Varint<Sqlite>,
    pub compact: Varint<CompactSize>,
    pub midi: Varint<Midi>,
    pub three: Varint<LittleBytes<3>>,
    pub six: Varint<BigBytes<6>>,
    pub double: f64,
    #[brw(little)]
    pub float: f32,
    pub negative: i16,
    pub small: [i8; 3],
    pub rows: [[u16; 2]; 3],
    #[br(count = (negative as u8) & 3)]
    pub as_byte: Block<u8>,
    #[br(count = negative.rem_euclid(4))]
    pub euclid: Block<i32>,
    #[br(if((negative / 1000) % 3 == -2 || negative % 7 == -1))]
    pub odd: Option<u8>,
    #[br(if(!(negative as u16) & 1 == 1 && !(negative < 0)))]
    pub inverted: Option<u8>,
    #[br(calc = (negative as u8).max(3))]
    #[bw(ignore)]
    pub computed: u8,
    #[br(if(computed > 128))]
    pub large: Option<Box<u8>>,
    #[br(if((1u8 << (computed & 7)) ^ 4 > 5))]
    pub shifted: Option<u8>,
    #[br(if(negative.saturating_add(32000) == 32767 || computed.saturating_mul(2) == 255))]
    pub saturated: Option<u8>,
    #[br(count = large.as_ref().map_or(1, |large| **large & 1))]
    pub more: Block<u16>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Kind {
    None = 0,
    Global = 1,
    Class = 5,
}

/// Parts of bits from the highest one on.
#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
#[schema(first = high)]
pub struct High {
    #[schema(bits = 3)]
    pub version: u8,
    pub more: bool,
    #[schema(bits = 20, zero)]
    pub spare: u32,
}

/// Parts of bits from the lowest one on.
#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = low)]
pub struct Low {
    #[schema(bits = 3)]
    pub kind: Open<Kind>,
    #[schema(bits = 36)]
    pub wide: u64,
    pub last: bool,
}

/// The lowest bit first, in a word whose order is that of the record around.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| Self::from(raw))]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
pub struct Bits {
    pub count: B3,
    pub flag: bool,
    pub rest: B12,
}

/// Words.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Words {
    pub high: High,
    #[brw(little)]
    pub low: Low,
    pub big: Bits,
    #[brw(little)]
    pub little: Bits,
    pub kind: Open<Kind>,
    pub closed: Kind,
    #[br(count = big.count())]
    pub by_count: Block<u8>,
    #[br(if(high.more && low.kind.number() == 5 || closed as u8 == 5))]
    pub by_flag: Option<u8>,
    #[br(args(high, little.flag()))]
    pub inner: OfWord,
}

/// A record that is handed a word.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(head: High, flag: bool))]
#[brw(big)]
pub struct OfWord {
    #[br(if(head.version == 2))]
    pub second: Option<u16>,
    #[br(if(flag == head.more))]
    pub same: Option<u16>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Entry {
    pub size: u8,
    pub place: u16,
}

/// Lists by other lists.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Lists {
    pub count: u8,
    #[br(count = count & 7)]
    pub sizes: Block<u8>,
    #[br(count = sizes.len(), args { each: binrw::args! { count: sizes[index] & 3 } })]
    pub blocks: Each<Block<u8>>,
    #[br(count = 2u8)]
    pub entries: Each<Entry>,
    #[br(count = entries.total(size) & 15)]
    pub all: Block<u8>,
    #[br(count = sizes.total() % 5)]
    pub totals: Block<u16>,
    #[br(count = entries.last().size & 3, args { each: (index, sizes.len() as u64) })]
    pub numbered: Each<Numbered>,
    pub region: u8,
    #[br(args { bytes: region, inner: binrw::args! { count: count & 1 } })]
    pub regions: Within<Each<Terminated>>,
    pub length: u8,
    #[br(count = length)]
    pub content: Block<u8>,
    #[br(args(length.into()))]
    pub padding: Padding<4>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(at: u64, all: u64))]
#[brw(little)]
pub struct Numbered {
    #[br(if(at == 1 || all > 4))]
    pub second: Option<u16>,
    pub byte: u8,
}

/// Contents that are coded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Codes {
    pub size: u8,
    #[br(args { bytes: size })]
    pub xor: Within<Coded<Xor<0x9e>, Entries>>,
    pub key: [u8; 2],
    #[br(args { bytes: 6, inner: binrw::args! { key: key } })]
    pub by_key: Within<Coded<XorKey, [u16; 3]>>,
    #[br(args { bytes: 3 })]
    pub turned: Within<Coded<Rotate<3>, Entry>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Entries {
    pub entries: ToEnd<Entry>,
}

/// Regions in regions.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Sizes {
    pub outer: u8,
    #[br(args { bytes: outer })]
    pub inner: Within<Region>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Region {
    pub size: u8,
    #[br(args { bytes: size })]
    pub list: Within<ToEnd<u16>>,
    #[br(count = size & 3)]
    pub records: Each<Sized8>,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Sized8 {
    #[br(args { bytes: 8u8 })]
    pub eight: Within<[u32; 2]>,
}

/// In an order of bytes that a field chooses.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Ordered {
    pub number: u16,
    pub bits: Bits,
    pub count: u8,
    #[br(count = count & 3)]
    pub list: Block<u32>,
    #[br(args(count))]
    pub choice: Choice,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(count: u8))]
pub enum Choice {
    #[br(pre_assert(count > 200))]
    Large {
        number: u64,
    },
    #[br(pre_assert(count & 1 == 1))]
    #[brw(magic = 0x0102u16)]
    Odd(i16),
    #[br(pre_assert(matches!(count, 0 | 2 | 4..=9)))]
    Even,
    Other(u8),
}

/// Looks at other places.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(head: [u8; 4], at = 0, bytes = 4))]
#[schema(view(near: Entry, at = at & 3, from = self))]
#[schema(view(items: Each<Entry>, at = 1, from = at, count = at & 1))]
#[schema(view(all: ToEnd<u8>, at = at & 7, bytes = .., if = at > 100))]
pub struct Views {
    pub at: u8,
    pub space: [u8; 6],
}

/// An element of a list that ends.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(last = is_last == 0)]
pub struct Turn {
    #[br(assert(is_last < 4, "up to three"))]
    pub is_last: u8,
    #[br(if(is_last > 1))]
    pub more: Option<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Trailer {
    #[schema(hex)]
    pub hash: [u8; 4],
}
