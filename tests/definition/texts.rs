//! Audits texts: what ends them, what fills their place, what compares them.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Format, RecordFormat};
use formwork::wire::{Byte, Ending, TerminatedOrEnd, UpTo, WideZero};
use formwork::{BinRead, BinWrite, Block, Each, Schema, Terminated, ToEnd, Within, binrw, record};

fn audit<T: record::Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]], count: u64) {
    let audit = record::audit::<T>(samples, count).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
    for bytes in samples {
        let value: T = record::from_slice(bytes).unwrap();
        assert_eq!(&record::to_vec(&value).unwrap(), bytes);
    }
}

/// Returns the JSON of a file, which makes the same file again.
fn json(format: &RecordFormat, bytes: &[u8]) -> String {
    let json = format.open(bytes).unwrap().to_json();
    assert_eq!(format.make(&json).unwrap().to_bytes(), bytes, "{json}");
    json.to_string()
}

#[derive(Clone, Debug, PartialEq)]
pub enum Line {}

impl Ending for Line {
    const END: &'static [u8] = b"\r\n";
}

/// Texts that other bytes than a zero end.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Ends {
    pub bar: Terminated<Byte<b'|'>>,
    pub line: Terminated<Line>,
    pub in_front: UpTo<Byte<b'@'>>,
    pub after: Terminated<Byte<b'@'>>,
    #[schema(text = utf16)]
    pub wide: Terminated<WideZero>,
    pub last: TerminatedOrEnd<Byte<b'|'>>,
}

#[test]
fn other_bytes_than_a_zero_end_a_text() {
    static FORMAT: RecordFormat = RecordFormat::new::<Ends>("ends", "test");
    let all: [&[u8]; 2] = [b"foo|bar\r\nx@\0a\x01\0\0b\0\0last|", b"|\r\n@\0\0open"];
    audit::<Ends>(&all, 300);
    let first: Ends = record::from_slice(all[0]).unwrap();
    assert!(first.bar == *b"foo" && first.line == *b"bar" && first.in_front == *b"x");
    assert!(first.after.is_empty() && !first.last.is_open());
    assert_eq!(
        json(&FORMAT, all[0]),
        r#"{"bar":"foo","line":"bar","in_front":"x","after":"","wide":"aĀb","last":"last"}"#
    );
    assert_eq!(
        json(&FORMAT, all[1]),
        r#"{"bar":"","line":"","in_front":"","after":"","wide":"","last":{"$open":"open"}}"#
    );
    let error = record::from_slice::<Ends>(b"foo").unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 3 (0x3), bar: expected \"|\" at the end of the text, found 0 left; at least 1 more byte needed"
    );
    let mut value = first;
    value.bar = "a|b".into();
    assert_eq!(
        record::to_vec(&value).unwrap_err().to_string(),
        "bar: expected no end in a text that it ends, found one (inexpressible, rule record.agreement)"
    );
}

/// Texts that end before their place does.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Places {
    #[schema(text, end = 0)]
    pub name: [u8; 6],
    #[schema(text, end = b'@', fill = b'+')]
    pub filled: [u8; 6],
    pub length: u8,
    #[br(count = length)]
    #[schema(text, end = 0)]
    pub block: Block<u8>,
    #[schema(text, end = b'\n')]
    pub rest: ToEnd<u8>,
}

#[test]
fn a_text_ends_before_its_place_does() {
    static FORMAT: RecordFormat = RecordFormat::new::<Places>("places", "test");
    let all: [&[u8]; 3] = [
        b"ab\0\0\0\0foo@++\x03cd\0ef\n",
        b"ab\0xyzbar+++\x05cd\0zzef",
        b"sixsixsixsix\x02cdef\nmore\n",
    ];
    audit::<Places>(&all, 300);
    assert_eq!(
        json(&FORMAT, all[0]),
        r#"{"name":"ab","filled":"foo","length":3,"block":"cd","rest":"ef"}"#
    );
    assert_eq!(
        json(&FORMAT, all[1]),
        r#"{"name":{"$text":"ab","$rest":"0078797a"},"filled":{"$text":"bar","$rest":"2b2b2b"},"length":5,"block":{"$text":"cd","$rest":"007a7a"},"rest":{"$text":"ef","$rest":""}}"#
    );
    json(&FORMAT, all[2]);
    record::check::<Places>(all[1]).unwrap();
    assert!(record::dump::<Places>(all[1]).contains("\"bar\""));
}

/// A text says what follows.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Message {
    #[br(assert(id == *b"RAHC" || id == *b"CHAR" || id >= *b"a\0\0\0"))]
    pub id: [u8; 4],
    pub length: u8,
    #[br(count = length)]
    pub kind: Block<u8>,
    #[br(args(kind.clone(), id))]
    pub body: Body,
    #[br(if(kind == b"ssh-rsa" && id != *b"CHAR"))]
    pub extra: Option<u8>,
    pub name: Terminated,
    #[br(if(matches!(name.as_slice(), b"x" | b"yes")))]
    pub named: Option<u16>,
    pub count: u8,
    #[br(count = count, args { inner: (name == b"wide",) })]
    pub list: Each<Element>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(is_wide: bool))]
pub struct Element {
    #[br(if(is_wide))]
    pub wide: Option<u16>,
    pub end: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: Block<u8>, id: [u8; 4]))]
pub enum Body {
    #[br(pre_assert(kind == b"ssh-rsa"))]
    Rsa {
        exponent: u16,
    },
    #[br(pre_assert(kind == b"ed"))]
    Ed {
        key: u8,
    },
    #[br(pre_assert(id == [0x43, 0x48, 0x41, 0x52]))]
    Character,
    Other {
        value: u32,
    },
}

#[test]
fn conditions_compare_texts() {
    let all: [&[u8]; 4] = [
        b"RAHC\x07ssh-rsa\0\x03\x07x\0\0\x01\0",
        b"CHAR\x02ed\x05yes\0\0\x02\x01\x07",
        b"CHAR\x02efwide\0\x02\0\x01\x02\0\x03\x04",
        b"abcd\0\0\0\0\x01\0\0",
    ];
    audit::<Message>(&all, 600);
    let read = |bytes: &[u8]| record::from_slice::<Message>(bytes).unwrap();
    assert_eq!(read(all[0]).body, Body::Rsa { exponent: 3 });
    assert_eq!(read(all[0]).named, Some(1));
    assert_eq!(read(all[2]).list[1].wide, Some(3));
    assert_eq!(
        record::from_slice::<Message>(b"ABCD").unwrap_err().to_string(),
        "offset 0 (0x0), id: expected `id == *b\"RAHC\" || id == *b\"CHAR\" || id >= *b\"a\\0\\0\\0\"`, found id = \"ABCD\" \
         (malformed, rule record.assert)"
    );
    assert!(
        record::page::<Message>().contains("kind == b\"ssh-rsa\""),
        "{}",
        record::page::<Message>()
    );
}

#[test]
fn a_text_is_settled_with_its_count() {
    let mut message: Message = record::from_slice(b"RAHC\x02ed\x05yes\0\0\x02\0").unwrap();
    message.body = Body::Rsa { exponent: 3 };
    message.extra = Some(1);
    record::settle(&mut message).unwrap();
    assert_eq!((&*message.kind, message.length), (&b"ssh-rsa".to_vec(), 7));
    message.body = Body::Character;
    message.extra = None;
    record::settle(&mut message).unwrap();
    assert_eq!(record::from_slice::<Message>(&record::to_vec(&message).unwrap()).unwrap(), message);
}

/// The text and what is behind it fill a region.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Region {
    pub size: u8,
    #[br(args { bytes: size })]
    pub texts: Within<ToEnd<TerminatedOrEnd>>,
}

#[test]
fn texts_to_the_end_of_a_region() {
    audit::<Region>(&[b"\x03a\0b", b"\0", b"\x02a\0"], 300);
}
