//! Settles fields that expressions name only by way of shifts, masks and conditions, and reports input that is cut.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Document, Edit, Format, Json, RecordFormat};
use formwork::modular_bitfield::prelude::*;
use formwork::record::{self, Declared};
use formwork::{BinRead, BinWrite, Block, Each, ErrorKind, Padding, Schema, ToEnd, Within, binrw};

fn json(text: &str) -> Json {
    Json::read(text.as_bytes()).unwrap()
}

fn opened<T: Declared>(bytes: &[u8]) -> Box<dyn Document> {
    RecordFormat::new::<T>("format", "a format").open(bytes).unwrap()
}

fn audit<T: Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]]) {
    let audit = record::audit::<T>(samples, 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, &audit.never), (300, &vec![]), "{audit}");
}

/// The flags of a picture.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u8| Self::from(raw))]
#[bw(map = |word: &Self| u8::from(*word))]
#[repr(u8)]
pub struct Flags {
    pub size: B3,
    #[schema(zero)]
    pub unused: B4,
    pub has_colors: bool,
}

/// A picture whose table of colours has a power of two.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Picture {
    pub flags: Flags,
    #[br(if(flags.has_colors()), count = 2_u32 << flags.size())]
    pub colors: Option<Each<[u8; 3]>>,
}

#[test]
fn a_shift_is_settled() {
    let mut picture = opened::<Picture>(b"\x80\x01\x02\x03\x04\x05\x06");
    let four = json("[[1,2,3],[4,5,6],[7,8,9],[0,0,0]]");
    picture.edit(&[Edit::set("colors", four)]).unwrap();
    assert_eq!(picture.to_bytes()[0], 0x81);
    let error = picture.edit(&[Edit::remove("colors/0")]).unwrap_err();
    assert_eq!(error.path().to_string(), "colors");
    assert_eq!(error.found(), "no number of a field that gives it");
    audit::<Picture>(&[b"\x80\x01\x02\x03\x04\x05\x06"]);
}

const TWO: u8 = 0x0e;

/// An event whose kind is in the upper half of its status.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Event {
    #[schema(hex)]
    pub status: u8,
    #[br(args(status))]
    pub body: Body,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(status: u8))]
pub enum Body {
    #[br(pre_assert(matches!(status >> 4, 12 | 13)))]
    One(u8),
    #[br(pre_assert(matches!(status >> 4, 0x08 | TWO)))]
    Two([u8; 2]),
    #[br(pre_assert(status & 0xf0 == 0xf0))]
    System(Within3),
    Other,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Within3(pub [u8; 3]);

#[test]
fn a_tag_in_a_part_of_a_number_is_settled() {
    for (body, expected) in [
        (r#"{"$One":7}"#, &b"\xc0\x07"[..]),
        (r#"{"$Two":[1,2]}"#, b"\x80\x01\x02"),
        (r#"{"$System":[1,2,3]}"#, b"\xf0\x01\x02\x03"),
    ] {
        let format = RecordFormat::new::<Event>("event", "an event");
        let made = format.make(&json(&format!(r#"{{"body":{body}}}"#))).unwrap();
        assert_eq!(made.to_bytes(), expected, "{body}");
    }
    // The bits that no condition uses stay.
    let mut event = opened::<Event>(b"\xc5\x07");
    event.edit(&[Edit::set("body", json(r#"{"$Two":[1,2]}"#))]).unwrap();
    assert_eq!(event.to_bytes(), [0x85, 1, 2]);
    // The last variant has no condition: its tag is one that no other variant takes.
    let mut event = opened::<Event>(b"\xc1\x07");
    event.edit(&[Edit::set("body", json(r#"{"$Other":{}}"#))]).unwrap();
    assert_eq!(event.to_bytes(), [0]);
    assert_eq!(record::page::<Event>().matches("0x08").count(), 1);
    audit::<Event>(&[b"\xc1\x07", b"\x00"]);
}

/// A value with a length in a short or a long form.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Value {
    pub tag: u8,
    pub length: u8,
    #[br(if(length == 0x81))]
    pub long: Option<u8>,
    #[br(if(length == 0x82))]
    pub longer: Option<u16>,
    #[br(args { bytes: if length < 128 {
        length as u32
    } else if length == 0x81 {
        long.unwrap_or(0) as u32
    } else {
        longer.unwrap_or(0) as u32
    } })]
    pub content: Within<ToEnd<u8>>,
}

#[test]
fn a_length_in_two_forms_is_settled() {
    let format = RecordFormat::new::<Value>("value", "a value");
    let made = format.make(&json(r#"{"tag":4,"content":"hello"}"#)).unwrap();
    assert_eq!(made.to_bytes(), b"\x04\x05hello");
    let long = json(&format!(r#"{{"tag":4,"long":0,"content":"{}"}}"#, "x".repeat(150)));
    assert_eq!(format.make(&long).unwrap().to_bytes()[..3], [4, 0x81, 150]);
}

#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u8| Self::from(raw))]
#[bw(map = |word: &Self| u8::from(*word))]
#[repr(u8)]
pub struct Head {
    #[schema(names = KINDS)]
    pub kind: B3,
    pub size: B4,
    pub last: bool,
}

const KINDS: &[(i128, &str)] = &[(0, "info"), (1, "padding")];

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Piece {
    pub head: Head,
    #[br(count = head.size())]
    pub bytes: Block,
    #[br(args(head.size().into()))]
    pub padding: Padding<4>,
}

#[test]
fn parts_of_a_word_have_names_and_may_be_left_out() {
    let mut piece = opened::<Piece>(b"\x09A\0\0\0");
    let expected = r#"{"head":{"kind":"padding","size":1,"last":false},"bytes":"A"}"#;
    assert_eq!(piece.to_json().to_string(), expected);
    piece.edit(&[Edit::set("head/kind", "info".into())]).unwrap();
    assert_eq!(piece.to_bytes()[0], 0x08);
    let error = piece.edit(&[Edit::set("head/kind", "seek".into())]).unwrap_err();
    assert_eq!(error.expected(), "a number of 3 bits or one of info, padding");
    piece.set_json(&json(r#"{"head":{"last":true},"bytes":"AB"}"#)).unwrap();
    assert_eq!(piece.to_bytes(), b"\x90AB\0\0");
    // Padding is made of zeros.
    for seed in 0..100 {
        let bytes = record::generate_bytes::<Piece>(seed).unwrap();
        record::check::<Piece>(&bytes).unwrap();
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Named {
    pub version: Version,
    pub size: u8,
    #[br(args { bytes: size })]
    pub content: Within<ToEnd<u8>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub enum Version {
    #[brw(magic = b"GIF87a")]
    Old,
    #[brw(magic = b"GIF89a")]
    New,
}

#[test]
fn cut_input_is_incomplete_and_says_how_much_is_missing() {
    let error = |bytes: &[u8]| record::from_slice::<Named>(bytes).unwrap_err();
    let cut = error(b"GIF8");
    assert_eq!(cut.kind(), ErrorKind::Incomplete { needed: 2 });
    assert_eq!(cut.expected(), "a variant of Version: `GIF87a` or `GIF89a`");
    let cut = error(b"GIF87a\x06\x00\x01");
    assert_eq!((cut.kind(), cut.offset()), (ErrorKind::Incomplete { needed: 4 }, 7));
    assert_eq!((cut.expected(), cut.found()), ("a region of 6 bytes", "2 left"));
    assert_eq!(error(b"GIF88a").kind(), ErrorKind::Malformed);
}

/// Two lists that share a count.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Shared {
    pub n: u8,
    #[br(count = n)]
    pub a: Block<u8>,
    #[br(count = n)]
    pub b: Block<u8>,
    pub rest: ToEnd<u8>,
}

#[test]
fn two_lengths_of_one_count_are_not_settled() {
    let mut shared = Shared { n: 1, a: vec![1, 2].into(), b: vec![3].into(), rest: vec![4].into() };
    let error = record::settle(&mut shared).unwrap_err();
    assert_eq!(error.path().to_string(), "b");
}

/// Numbers with fractions.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Fractions {
    pub a: f32,
    pub b: f64,
}

#[test]
fn a_number_that_overflows_a_fraction_is_refused() {
    let mut fractions = opened::<Fractions>(&[0; 12]);
    for (key, text) in [("a", "1e39"), ("b", "-1e400"), ("a", r#"{"$float":"1e39"}"#)] {
        let error = fractions.edit(&[Edit::set(key, json(text))]).unwrap_err();
        assert_eq!(error.path().to_string(), key);
    }
    let infinity = json(r#"{"$float":"-inf"}"#);
    fractions.edit(&[Edit::set("a", infinity)]).unwrap();
    assert_eq!(fractions.to_bytes()[..4], f32::NEG_INFINITY.to_le_bytes());
}

/// A value of CBOR, whose head has a short form up to 23.
#[test]
fn a_head_that_needs_more_room_changes_its_form() {
    use crate::examples::cbor::{Content, Item};
    let bytes = |count: usize| {
        let mut bytes = vec![0x40 + count as u8];
        bytes.extend(vec![7; count]);
        bytes
    };
    let mut item: Item = record::from_slice(&bytes(23)).unwrap();
    for (count, head) in [
        (24, &[0x58, 24][..]),
        (255, &[0x58, 255]),
        (256, &[0x59, 1, 0]),
        (65_536, &[0x5a, 0, 1, 0, 0]),
    ] {
        item.content = Content::Bytes(vec![7; count].into());
        record::settle(&mut item).unwrap_or_else(|error| panic!("{count}: {error}"));
        let written = record::to_vec(&item).unwrap();
        assert_eq!(written[..head.len()], *head, "{count}");
        assert_eq!(written.len(), head.len() + count);
        let again: Item = record::from_slice(&bytes(23)).unwrap();
        item = again;
    }
    // Through a document, in a list that needs more room as well.
    let mut list = opened::<Item>(&[0x81, 0x61, b'a']);
    let long = "x".repeat(24);
    list.edit(&[Edit::set("content/0/content", json(&format!(r#"{{"$Text":"{long}"}}"#)))])
        .unwrap_or_else(|error| panic!("{error} {}", list.to_json()));
    assert_eq!(list.to_bytes()[..3], [0x81, 0x78, 24]);
}

#[test]
fn a_longer_form_is_taken_where_the_short_one_has_no_room() {
    let format = RecordFormat::new::<Value>("value", "a value");
    let made = |length: usize| {
        let text = format!(r#"{{"tag":4,"content":"{}"}}"#, "x".repeat(length));
        format.make(&json(&text)).map(|made| made.to_bytes()[..4].to_vec())
    };
    assert_eq!(made(127).unwrap(), [4, 127, b'x', b'x']);
    assert!(matches!(made(128).unwrap()[..], [4, 0x81, 128, b'x'] | [4, 0x82, 0, 128]));
    assert_eq!(made(300).unwrap(), [4, 0x82, 1, 44]);
}

/// A head that is handed over whole.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Handed {
    pub first: Start,
    #[br(args(first.clone()))]
    pub then: Then,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Start {
    pub kind: u8,
    pub count: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(little, import(b: Start))]
#[bw(little)]
pub struct Then {
    #[br(if(b.kind == 0xb6))]
    pub wide: Option<u16>,
    #[br(count = b.count)]
    pub bytes: Block<u8>,
}

#[test]
fn a_record_is_handed_over_whole() {
    static FORMAT: RecordFormat = RecordFormat::new::<Handed>("handed", "test");
    let bytes = b"\xb6\x01\x07\0x";
    let audit =
        record::audit::<Handed>(&[bytes, b"\0\0"], 300).ok().unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
    let mut value: Handed = record::from_slice(bytes).unwrap();
    value.then.wide = None;
    value.then.bytes.extend(*b"yz");
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), b"\xb7\x03xyz");
    let mut document = FORMAT.open(bytes).unwrap();
    document.edit(&[Edit::set("then/bytes", "longer".into())]).unwrap();
    assert_eq!(document.to_bytes(), b"\xb6\x06\x07\0longer");
}
