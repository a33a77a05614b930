//! Formats of Kaitai's test suite (github.com/kaitai-io/kaitai_struct_tests), read, written and audited: those that need
//! ends of texts, bits from the highest on, codes, texts in conditions, elements of lists.

#![allow(clippy::disallowed_names, reason = "the names are those of the suite")]
#![allow(missing_docs, reason = "the names are those of the formats")]

use formwork::wire::{Byte, Code, Rotate, RotateKey, TerminatedOrEnd, UpTo, WideZero, Xor, XorKey};
use formwork::{
    BinRead, BinWrite, Block, Coded, Each, OrEnd, Schema, Terminated, ToEnd, Until, Within, Word,
    binrw, record,
};

/// Reads a file of the suite, which is written again byte for byte, and audits its format.
fn read<T: record::Declared + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> T {
    let value: T = record::from_slice(bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(record::to_vec(&value).unwrap(), bytes);
    record::audit::<T>(&[bytes], 60).ok().unwrap_or_else(|faults| panic!("{faults}"));
    value
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Byte2 {
    pub bits_a: bool,
    #[schema(bits = 3)]
    pub bits_b: u8,
    #[schema(bits = 4)]
    pub bits_c: u8,
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Large {
    #[schema(bits = 10)]
    pub large_bits_1: u16,
    #[schema(bits = 3)]
    pub spacer: u8,
    #[schema(bits = 11)]
    pub large_bits_2: u16,
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Bits24 {
    #[schema(bits = 24)]
    pub value: u32,
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Bits40 {
    #[schema(bits = 40)]
    pub value: u64,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct BitsSimple {
    pub byte_1: u8,
    pub byte_2: u8,
    pub byte_3: Byte2,
    pub large: Large,
    pub normal_s2: i16,
    pub byte_8_9_10: Bits24,
    pub byte_11_to_14: u32,
    pub byte_15_to_19: Bits40,
    pub byte_20_to_27: u64,
}

#[test]
fn bits_simple() {
    let bytes = b"PACK-1\xff\xffPACK-U-DEF\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    let it: BitsSimple = read(bytes);
    assert_eq!((it.byte_1, it.byte_2, it.normal_s2), (0x50, 0x41, -1));
    assert_eq!(it.byte_3, Byte2 { bits_a: false, bits_b: 4, bits_c: 3 });
    assert_eq!(it.large, Large { large_bits_1: 300, spacer: 5, large_bits_2: 1329 });
    assert_eq!((it.byte_8_9_10.value, it.byte_11_to_14), (0x50_4143, 0x4b2d_552d));
    assert_eq!((it.byte_15_to_19.value, it.byte_20_to_27), (0x44_4546_ffff, u64::MAX));
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct TwentyAndFour {
    #[schema(bits = 20)]
    pub foo: u32,
    #[schema(bits = 4)]
    pub bar: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct ExprIoEofBits {
    pub foo_bar: TwentyAndFour,
    pub baz: OrEnd<u16>,
    pub qux: OrEnd<u16>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct RepeatEosBitsB1 {
    pub bits: ToEnd<Eight>,
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Eight {
    pub one: bool,
    pub two: bool,
    #[schema(bits = 6)]
    pub others: u8,
}

#[test]
fn bits_to_the_end() {
    let it: ExprIoEofBits = read(b"\x09\xac\x8d");
    assert_eq!((it.foo_bar.foo, it.foo_bar.bar, *it.baz), (0x09ac8, 0xd, None));
    let it: RepeatEosBitsB1 = read(b"\xc0\x01");
    assert!(it.bits[0].one && it.bits[0].two && !it.bits[1].one);
    assert!(record::from_slice::<ExprIoEofBits>(b"\x09\xac").is_err());
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct StrPadTerm {
    #[schema(text, fill = b'@')]
    pub str_pad: [u8; 20],
    #[schema(text, end = b'@')]
    pub str_term: [u8; 20],
    #[schema(text, end = b'@', fill = b'+')]
    pub str_term_and_pad: [u8; 20],
    #[schema(text, end = b'@')]
    pub str_term_include: [u8; 20],
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct StrEosPadTerm {
    #[br(args { bytes: 20 })]
    pub str_term: Within<Text>,
    #[schema(text, fill = b'@')]
    pub str_pad: [u8; 5],
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Text {
    #[schema(text, end = b'@', fill = b'+')]
    pub value: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[schema(last = bytes == *b"\xaa\x55\xaa\xaa\xaa")]
pub struct Part {
    pub bytes: [u8; 5],
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct RepeatUntilBytesPadTerm {
    pub records: Until<Part>,
}

#[test]
fn places_of_texts() {
    read::<StrPadTerm>(
        b"str1@@@@@@@@@@@@@@@@str2foo@++++++++++++str+++3bar+++@++++++str4baz@............",
    );
    read::<StrPadTerm>(
        b"@@@@@@@@@@@@@@@@@@@@@@@@@@@@++++++++++++@tr+++3bar+++@++++++@@@@@@@@............",
    );
    read::<StrEosPadTerm>(b"str+++3bar+++@++++++ab@@@");
    let it: RepeatUntilBytesPadTerm =
        read(b"\xe8\xba\xaa\xaa\xaa\xfa\x9e\xb8\xaa\xaa\xaa\x55\xaa\xaa\xaa");
    assert_eq!(it.records.len(), 3);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct TermBytes {
    pub s1: Terminated<Byte<b'|'>>,
    pub s2: UpTo<Byte<b'|'>>,
    pub s3: Terminated<Byte<b'@'>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct TermStrz2 {
    pub s1: Terminated<Byte<b'|'>>,
    pub s2: Terminated<Byte<b'|'>>,
    pub s3: UpTo<Byte<b'@'>>,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct TermBytes4 {
    #[br(args { bytes: 3 })]
    pub s1: Within<TerminatedOrEnd<Byte<b'|'>>>,
    pub skip_term1: u8,
    #[br(args { bytes: 3 })]
    pub s2: Within<UpTo<Byte<b'|'>>>,
    pub skip_term2: u8,
    #[br(args { bytes: 3 })]
    pub s3: Within<TerminatedOrEnd<Byte<b'@'>>>,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct TermStrzUtf16V4 {
    #[br(args { bytes: 6 })]
    pub s1: Within<Wide>,
    pub skip_term1: u16,
    #[br(args { bytes: 6 })]
    pub s2: Within<Wide>,
    pub skip_term2: u16,
    #[br(args { bytes: 6 })]
    pub s3: Within<Wide>,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Wide {
    #[schema(text = utf16)]
    pub value: TerminatedOrEnd<WideZero>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct TermU1Val {
    pub foo: UpTo<Byte<0xe3>>,
    pub bar: Terminated<Byte<0xab>>,
    pub rest: ToEnd<u8>,
}

#[test]
fn ends_of_texts() {
    let it: TermBytes = read(b"foo|bar|baz@");
    assert_eq!((it.s1, it.s2, it.s3), ("foo".into(), "bar".into(), "|baz".into()));
    let it: TermStrz2 = read(b"foo|bar|baz@");
    assert_eq!((it.s2, it.s3, it.rest.0), ("bar".into(), "baz".into(), b"@".to_vec()));
    let it: TermBytes4 = read(b"foo|bar|baz@");
    assert_eq!((it.s1.0, it.s2.0), (TerminatedOrEnd::open("foo"), "bar".into()));
    read::<TermStrzUtf16V4>(b"a\0\0\x02b\0\0\0c\0\0\x02d\0\0\0e\0\0\x02f\0\0\0");
    let it: TermU1Val = read(b"\x01\x02\xe3\x04\xab\x05");
    assert_eq!((&**it.foo, &**it.bar), (&[1, 2][..], &[0xe3, 4][..]));
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct IndexSizes {
    pub qty: u32,
    #[br(count = qty)]
    pub sizes: Block<u32>,
    #[br(count = qty, args { each: binrw::args! { count: sizes[index] } })]
    pub bufs: Each<Block<u8>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct ProcessRepeatUsertype {
    #[br(count = 2, args { inner: binrw::args! { bytes: 5 } })]
    pub blocks: Each<Within<Coded<Xor<0x9e>, Pair>>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Pair {
    pub a: i32,
    pub b: i8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ProcessRotate {
    #[br(args { bytes: 5 })]
    pub buf1: Within<Coded<Rotate<5>, ToEnd<u8>>>,
    #[br(args { bytes: 5 })]
    pub buf2: Within<Coded<Rotate<3>, ToEnd<u8>>>,
    #[br(assert(key < 8))]
    pub key: u8,
    #[br(args { bytes: 5, inner: binrw::args! { key: (8 - key) % 8 } })]
    pub buf3: Within<Coded<RotateKey, ToEnd<u8>>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ProcessXor4Value {
    pub key: [u8; 4],
    #[br(args { key: key })]
    pub buf: Coded<XorKey, ToEnd<u8>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct SwitchManualStr {
    pub opcodes: ToEnd<Opcode>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Opcode {
    pub code: [u8; 1],
    #[br(args(code))]
    pub body: Body,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(code: [u8; 1]))]
pub enum Body {
    #[br(pre_assert(code == *b"I"))]
    Int { value: u8 },
    #[br(pre_assert(code == *b"S"))]
    Str { value: Terminated },
}

#[test]
fn elements_codes_and_switches() {
    let it: IndexSizes = read(b"\x03\0\0\0\x01\0\0\0\x08\0\0\0\x04\0\0\0ABBBBBBBBCCCC");
    assert_eq!(it.bufs[1], *b"BBBBBBBB");
    read::<ProcessRepeatUsertype>(b"\xe8\xba\xaa\xaa\xaa\xfa\x9e\xb8\xaa\xaa");
    let it: ProcessRotate = read(b"\t\xac\x8d\x8d\xed\xba{\x93c#\x01*4\xb29\xb2");
    assert_eq!([&***it.buf1, &***it.buf2, &***it.buf3], [b"Hello", b"World", b"There"]);
    let it: ProcessXor4Value = read(b"\xec\xbb\xa3\x14\x8a\xd4\xcc4\x8e\xda\xd1");
    assert_eq!(&**it.buf, b"foo bar");
    let it: SwitchManualStr = read(b"Sfoobar\0IBI7S\0");
    assert_eq!(it.opcodes[1].body, Body::Int { value: 0x42 });
}

const ANIMALS: &[(i128, &str)] = &[(4, "dog"), (7, "cat"), (12, "chicken")];

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct EnumOfValueInst {
    #[schema(names = ANIMALS)]
    pub pet_1: u32,
    #[schema(names = ANIMALS)]
    pub pet_2: u32,
    #[br(calc = if pet_1 == 7 { 4 } else { 12 })]
    #[bw(ignore)]
    #[schema(names = ANIMALS)]
    pub pet_3: u32,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct ExprMod {
    pub int_u: u32,
    pub int_s: i32,
    #[br(calc = int_u % 13)]
    #[bw(ignore)]
    pub mod_pos_seq: u32,
    #[br(calc = int_s.rem_euclid(13))]
    #[bw(ignore)]
    pub mod_neg_seq: i32,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ValidFailRangeBytes {
    #[br(assert(foo.as_slice() >= &b"P"[..] && foo.as_slice() <= &b"P1"[..]))]
    pub foo: [u8; 2],
}

#[test]
fn computed_and_asserted() {
    let it: EnumOfValueInst = read(b"\x07\0\0\0\x0c\0\0\0");
    assert_eq!(it.pet_3, 4);
    let it: ExprMod = read(b"PACK-1\xff\xff");
    assert_eq!((it.mod_pos_seq, it.mod_neg_seq), (5, (-52947_i32).rem_euclid(13)));
    assert!(record::from_slice::<ValidFailRangeBytes>(b"PA").is_err());
    read::<ValidFailRangeBytes>(b"P0");
}

/// A code of the program's own: another number is added to each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Minus;

impl Code for Minus {
    const NAME: &'static str = "minus";

    fn decode(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        let key = *key.first()?;
        Some(bytes.iter().map(|byte| byte.wrapping_sub(key)).collect())
    }

    fn encode(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        let key = *key.first()?;
        Some(content.iter().map(|byte| byte.wrapping_add(key)).collect())
    }
}

/// A code that makes more of the bytes than are in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Framed;

impl Code for Framed {
    const NAME: &'static str = "framed";
    const IS_IN_PLACE: bool = false;

    fn decode(bytes: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some([b"_", bytes, b"_"].concat())
    }

    fn encode(content: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some(content.get(1..content.len().checked_sub(1)?).unwrap_or_default().to_vec())
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ProcessCustom {
    #[br(args { bytes: 5 })]
    pub buf2: Within<Coded<Framed, ToEnd<u8>>>,
    pub key: u8,
    #[br(args { bytes: 5, inner: binrw::args! { key: key } })]
    pub buf3: Within<Coded<Minus, ToEnd<u8>>>,
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Bits25 {
    #[schema(bits = 7)]
    pub pre_bits: u8,
    #[schema(bits = 18)]
    pub fail_bits: u32,
    #[schema(bits = 7)]
    pub spare: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct EofExceptionBitsBe {
    pub bits: Bits25,
}

/// `term_bytes3` and `term_struct3`: what ends a text stays for the next one.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct TermBytes3 {
    pub s1: UpTo<Byte<b'|'>>,
    pub s2: UpTo<Byte<b'@'>>,
    pub s3: Terminated<Byte<b'@'>>,
    pub rest: ToEnd<u8>,
}

#[test]
fn codes_of_ones_own_and_ends_that_stay() {
    let bytes = b"\xba\x7b\x93\x63\x23\x01\x2a\x34\xb2\x39\xb2";
    let custom: ProcessCustom = record::from_slice(bytes).unwrap();
    assert_eq!(record::to_vec(&custom).unwrap(), bytes);
    assert_eq!(&custom.buf2[..], [0x5f, 0xba, 0x7b, 0x93, 0x63, 0x23, 0x5f]);
    assert_eq!(&custom.buf3[..], [0x29, 0x33, 0xb1, 0x38, 0xb1]);
    let error = record::from_slice::<EofExceptionBitsBe>(b"\x01\x02\x03").unwrap_err();
    assert_eq!(error.kind(), formwork::ErrorKind::Incomplete { needed: 1 });
    let texts: TermBytes3 = read(b"foo|bar|baz@.");
    assert_eq!(
        (&texts.s1[..], &texts.s2[..], &texts.s3[..]),
        (&b"foo"[..], &b"|bar|baz"[..], &b""[..])
    );
}

/// `params_pass_io`: as many bytes as one of two regions has.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct ParamsPassIo {
    #[br(args { bytes: 1 })]
    pub first: Within<PassBlock>,
    #[br(args(if first.kind == 0xff { 1 } else { here + left }))]
    pub one: PassParam,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PassBlock {
    pub kind: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(size: u64))]
pub struct PassParam {
    #[br(count = size)]
    pub buf: Block<u8>,
}

#[test]
fn params_pass_io() {
    let bytes = b"\xff\x01";
    let value: ParamsPassIo = record::from_slice(bytes).unwrap();
    assert_eq!((value.first.kind, &value.one.buf[..]), (255, &[1][..]));
    assert_eq!(record::to_vec(&value).unwrap(), bytes);
    // Nothing is as long as all of the file behind its first byte.
    assert!(record::from_slice::<ParamsPassIo>(b"\x01\x01").is_err());
    record::audit::<ParamsPassIo>(&[bytes], 100).ok().unwrap_or_else(|it| panic!("{it}"));
}
