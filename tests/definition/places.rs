//! Audits `here` and `left`: padding up to a multiple, sizes of whole records, what is left of a region.

#![allow(missing_docs, reason = "made for the test alone")]

use crate::audit;
use formwork::document::{Edit, Format, RecordFormat};
use formwork::{
    BinRead, BinWrite, Block, Coded, Each, Padding, Schema, Terminated, ToEnd, Varint, Within,
    binrw, record, wire,
};

/// A name, and a number at a multiple of four.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Aligned {
    pub name: Terminated,
    #[br(args(here))]
    pub padding: Padding<4>,
    pub number: u32,
    pub count: Varint<wire::Leb128>,
    #[br(count = count.value())]
    pub bytes: Block<u8>,
    #[br(args(here))]
    pub more: Padding<8>,
}

#[test]
fn a_number_is_at_a_multiple_of_four() {
    static FORMAT: RecordFormat = RecordFormat::new::<Aligned>("aligned", "test");
    let bytes = b"ab\0\0\x07\0\0\0\x02xy\0\0\0\0\0";
    audit::<Aligned>(&[bytes, b"abc\0\x07\0\0\0\0\0\0\0\0\0\0\0"], 500);
    let mut value: Aligned = record::from_slice(bytes).unwrap();
    value.name = b"a longer name".to_vec().into();
    assert_eq!(
        record::to_vec(&value).unwrap_err().to_string(),
        "padding: expected 2 bytes of padding, found 1 (inexpressible, rule record.agreement)"
    );
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), b"a longer name\0\0\0\x07\0\0\0\x02xy\0");
    let mut document = FORMAT.open(bytes).unwrap();
    document.edit(&[Edit::set("name", "abcd".into())]).unwrap();
    assert_eq!(document.to_bytes(), b"abcd\0\0\0\0\x07\0\0\0\x02xy\0");
    let error = record::from_slice::<Aligned>(b"ab\0").unwrap_err();
    assert!(error.to_string().contains("padding"), "{error}");
    assert!(record::page::<Aligned>().contains("here"), "{}", record::page::<Aligned>());
}

/// Chunks, each of which has the size of all of it.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"CH")]
pub struct Chunks {
    pub count: u8,
    #[br(count = count)]
    pub chunks: Each<Chunk>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = 7_u16)]
#[br(assert(u64::from(size) == here, "the size is not that of the chunk"))]
pub struct Chunk {
    pub size: u16,
    pub length: u8,
    #[br(count = length, assert(here < 40))]
    pub content: Block<u8>,
}

#[test]
fn a_chunk_has_its_size() {
    let bytes = b"CH\x02\0\x07\0\x07\x02ab\0\x07\0\x05\0";
    audit::<Chunks>(&[bytes], 500);
    let mut value: Chunks = record::from_slice(bytes).unwrap();
    value.chunks[1].content.extend(*b"more");
    assert!(record::to_vec(&value).is_err());
    record::settle(&mut value).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(record::to_vec(&value).unwrap(), b"CH\x02\0\x07\0\x07\x02ab\0\x07\0\x09\x04more");
    let error = record::from_slice::<Chunks>(b"CH\x01\0\x07\0\x08\x02ab").unwrap_err();
    assert!(error.to_string().contains("the size is not that of the chunk"), "{error}");
}

/// A record inside, which counts from where the file begins.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Outer {
    pub kind: u8,
    #[br(args(here))]
    pub inner: Inner,
    #[br(args(kind, here))]
    pub body: Body,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(at: u64))]
pub struct Inner {
    pub length: u8,
    #[br(count = length)]
    pub text: Block<u8>,
    #[br(args(at + here))]
    pub padding: Padding<4>,
    #[br(calc = at + here)]
    #[bw(ignore)]
    pub end: u64,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(little, import(kind: u8, at: u64))]
#[bw(little)]
pub enum Body {
    #[br(pre_assert(kind == 1))]
    Text {
        text: Terminated,
        #[br(args(here + at))]
        padding: Padding<8>,
    },
    #[br(pre_assert(kind == 2))]
    Numbers {
        count: u8,
        #[br(count = count)]
        numbers: Block<u16>,
        #[br(if(here > 4))]
        many: Option<u8>,
    },
}

#[test]
fn a_record_counts_from_what_it_is_handed() {
    let text = b"\x01\x01x\0hi\0\0";
    let numbers = b"\x02\x03xyz\0\0\0\x02\x01\0\x02\0\x09";
    audit::<Outer>(&[text, numbers, b"\x02\0\0\0\x01\x01\0"], 500);
    let value: Outer = record::from_slice(text).unwrap();
    assert_eq!((value.inner.end, value.inner.padding.as_bytes().len()), (4, 1));
    let mut value: Outer = record::from_slice(numbers).unwrap();
    value.inner.text.extend(*b"1234");
    let Body::Numbers { numbers, many, .. } = &mut value.body else { panic!() };
    numbers.truncate(1);
    *many = None;
    record::settle(&mut value).unwrap();
    assert_eq!(value.inner.end, 12);
    assert_eq!(record::to_vec(&value).unwrap(), b"\x02\x07xyz1234\0\0\0\x01\x01\0");
}

/// Pairs, and a sum at the end of the region.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Box {
    pub size: u8,
    #[br(args { bytes: size })]
    pub content: Within<Content>,
    pub after: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Content {
    pub kind: u8,
    #[br(count = (left - 1) / 2)]
    pub pairs: Block<u16>,
    #[br(if(left > 1))]
    pub odd: Option<u8>,
    pub last: u8,
}

#[test]
fn a_record_ends_with_its_region() {
    static FORMAT: RecordFormat = RecordFormat::new::<Box>("box", "test");
    let bytes = b"\x06\x09\x01\0\x02\0\xff\x05";
    audit::<Box>(&[bytes, b"\x02\x09\xff\x05", b"\x03\x09\x08\xff\x05"], 500);
    let mut value: Box = record::from_slice(bytes).unwrap();
    assert_eq!((&value.content.pairs[..], value.content.odd), (&[1, 2][..], None));
    value.content.pairs.push(3);
    value.content.odd = Some(4);
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), b"\x09\x09\x01\0\x02\0\x03\0\x04\xff\x05");
    assert!(record::from_slice::<Box>(b"\0\x05").is_err());
    let mut document = FORMAT.open(bytes).unwrap();
    document.edit(&[Edit::remove("content/pairs/0")]).unwrap();
    assert_eq!(document.to_bytes(), b"\x04\x09\x02\0\xff\x05");
}

/// What is left of the input has to be all of the record's.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Halves {
    #[br(count = left / 2)]
    pub first: Block<u8>,
}

#[test]
fn nothing_is_left_after_it() {
    assert_eq!(record::from_slice::<Halves>(b"").unwrap().first.len(), 0);
    let error = record::from_slice::<Halves>(b"ab").unwrap_err();
    assert!(error.to_string().contains("the end of the region"), "{error}");
    assert_eq!(record::check::<Halves>(b"ab").unwrap_err(), error);
    let value = Halves { first: b"ab".to_vec().into() };
    assert!(record::to_vec(&value).is_err());
}

/// Fields with these names are what they are declared as.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Names {
    pub here: u8,
    pub left: u8,
    #[br(count = here + left)]
    pub bytes: Block<u8>,
    #[br(args { left: 1 })]
    pub rest: formwork::Before<ToEnd<u8>>,
    pub last: u8,
}

#[test]
fn fields_may_have_the_names() {
    audit::<Names>(&[b"\x01\x02abcde"], 200);
}

/// Elements that count from where the list begins.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Listed {
    pub head: u8,
    pub count: u8,
    #[br(count = count, args { each: (here, index) })]
    pub each: Each<At>,
    #[br(count = count, args { inner: (here, 0) })]
    pub inner: Each<At>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(at: u64, index: u64))]
pub struct At {
    #[br(assert(u64::from(place) == at + index))]
    pub place: u8,
}

#[test]
fn a_list_is_handed_where_it_begins() {
    audit::<Listed>(&[b"\x09\x02\x02\x03\x04\x04", b"\x09\0"], 300);
}

/// A coded content is counted as it is in the file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Masked {
    pub size: u8,
    #[br(args { bytes: size })]
    pub content: Within<Coded<wire::Xor<0x80>, ToEnd<u8>>>,
    #[br(args(here))]
    pub padding: Padding<4>,
}

#[test]
fn what_is_coded_is_counted() {
    audit::<Masked>(&[b"\x02ab\0", b"\0\0\0\0"], 300);
}
