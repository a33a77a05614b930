//! Whatever the reader follows, everything else follows, or it does not compile: the cases that once did neither.

#![allow(dead_code, reason = "made for the test alone")]

use formwork::document::{Format, Json, RecordFormat};
use formwork::modular_bitfield::prelude::*;
use formwork::wire::{Byte, Ending, TerminatedOrEnd, UpTo};
use formwork::{
    Before, BinRead, BinWrite, Block, Each, OrEnd, Rule, Schema, Terminated, ToEnd, Within, binrw,
    record,
};

fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(*byte)).sum()
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Summed {
    first: u8,
    #[br(if(first > 0))]
    #[schema(sum = sum, over = first..=first)]
    sum: Option<u32>,
    #[br(if(first > 0))]
    #[schema(sum = sum, over = first..=first)]
    #[brw(big)]
    other: Option<Box<u32>>,
    #[br(args { bytes: 4 })]
    #[schema(sum = sum, over = first..=first)]
    inside: Within<u32>,
    #[schema(sum = sum, over = first..=first)]
    last: OrEnd<u32>,
}

#[test]
fn a_sum_in_an_option_or_a_region_has_the_order_of_its_field() {
    let good = [7, 7, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 7, 0, 0, 0];
    assert_eq!(record::check::<Summed>(&good), Ok(()));
    let mut value: Summed = record::from_slice(&good).unwrap();
    (value.sum, value.other, value.inside.0) = (Some(0), Some(Box::new(1)), 9);
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), good);
    record::audit::<Summed>(&[&good, &[0; 5]], 100).ok().unwrap();
}

#[test]
fn an_audit_refuses_a_sample_that_is_not_as_declared() {
    let wrong = [7, 8, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 7, 0, 0, 0];
    assert_eq!(
        record::audit::<Summed>(&[&wrong], 0).faults,
        [
            "sample 0 is a good file, and is refused: offset 1 (0x1), sum: expected sum 07000000, found 08000000 (malformed, rule record.sum)"
        ]
    );
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Name {
    length: u8,
    #[br(count = length)]
    text: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Titled {
    name: Name,
    #[br(count = first(&name.text))]
    rest: Block<u8>,
}

fn first(bytes: &[u8]) -> u8 {
    bytes.first().copied().unwrap_or(0)
}

#[test]
fn a_function_of_a_field_of_a_field() {
    let bytes = b"\x01\x02xy";
    let mut value: Titled = record::from_slice(bytes).unwrap();
    record::settle(&mut value).unwrap();
    assert_eq!(record::check::<Titled>(bytes), Ok(()));
    assert!(record::dump::<Titled>(bytes).contains("\"xy\""));
    let document = RecordFormat::new::<Titled>("titled", "").open(bytes).unwrap();
    let json = r#"{"name":{"length":1,"text":{"$hex":"02"}},"rest":"xy"}"#;
    assert_eq!(document.to_json().to_string(), json);
    record::audit::<Titled>(&[bytes], 50).ok().unwrap();
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Named {
    #[br(args { bytes: 4 })]
    head: Within<Pair>,
    #[br(args { left: 2 })]
    body: Before<ToEnd<u8>>,
    #[br(args { bytes: 2 })]
    tail: Within<ToEnd<Single>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Pair {
    one: u16,
    two: u16,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Single {
    byte: u8,
}

#[test]
fn a_dump_has_the_names_of_regions() {
    let dump = record::dump::<Named>(b"\x01\0\x02\0abc\x08\x09");
    let rows: Vec<&str> =
        dump.lines().map(|line| line.get(37..).unwrap_or("").trim_end()).collect();
    assert_eq!(
        rows[1..],
        [
            "Named                       Named",
            "  head                      Pair",
            "    one                     u16                 1",
            "    two                     u16                 2",
            "  body                      u8[3]               \"abc\"",
            "  tail                      Single[]",
            "    [0]                     Single",
            "      byte                  u8                  8",
            "    [1]                     Single",
            "      byte                  u8                  9",
        ],
        "{dump}"
    );
    let error = record::from_slice::<Named>(b"\x01\0\x02\0").unwrap_err();
    assert_eq!(error.path().to_string(), "body");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(longs: ToEnd<u32>, at = at, bytes = count * 4, if = count - 1 > 0))]
struct Entry {
    count: u32,
    at: u32,
}

#[test]
fn a_view_whose_place_overflows_is_odd() {
    for bytes in [[0xff, 0xff, 0xff, 0xff, 4, 0, 0, 0], [0, 0, 0, 0, 4, 0, 0, 0]] {
        let mut value: Entry = record::from_slice(&bytes).unwrap();
        record::settle(&mut value).unwrap();
        let error = record::check::<Entry>(&bytes).unwrap_err();
        assert_eq!(
            (error.rule().name(), error.path().to_string()),
            ("record.view", "longs".into())
        );
        RecordFormat::new::<Entry>("entry", "").open(&bytes).unwrap();
        assert!(
            record::dump::<Entry>(&bytes).contains("odd: offset 8 (0x8), longs: expected `count")
        );
    }
    let audit = record::audit::<Entry>(&[&[1, 0, 0, 0, 4, 0, 0, 0]], 20);
    assert_eq!(audit.faults, Vec::<String>::new());
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
enum Kind {
    One = 1,
    Two,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: Kind, is_long: bool))]
enum Body {
    #[br(pre_assert(matches!(kind, Kind::One) && is_long))]
    Long(u32),
    #[brw(magic = 0x4142u16)]
    Magic,
    Short(u8),
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = 0x4142u16)]
struct Paged {
    kind: Kind,
    #[br(args(kind, true))]
    body: Body,
    #[br(args { left: 2 })]
    rest: Before<ToEnd<u8>>,
    end: u16,
}

#[test]
fn a_page_has_parameters_truths_and_magics_as_they_are() {
    let page = record::page::<Paged>();
    assert!(page.contains("Parameters: `kind`, `is_long` (bool)."), "{page}");
    assert!(page.contains("with `kind`, `true`"), "{page}");
    assert!(page.contains("Always `BA`."), "{page}");
    assert!(page.contains("it begins with the number 16706"), "{page}");
    assert!(page.contains("up to the last `2` bytes | "), "{page}");
}

#[bitfield(bits = 16)]
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: [u8; 2]| Self::from_bytes(raw))]
#[bw(map = |it: &Self| it.into_bytes())]
struct Flags {
    wide: bool,
    rest: B15,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(start: u8, reader: u8, endian: u8))]
enum Chosen {
    #[br(pre_assert(start == 1 && endian == 2))]
    One(#[br(count = reader)] Block<u8>),
    #[br(pre_assert(start == 2 || reader == 0))]
    Two {
        value: u8,
        #[br(count = value + endian)]
        number: Block<u8>,
    },
    Other,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Names {
    start: u8,
    reader: u8,
    endian: u8,
    error: u8,
    f0: u8,
    f1: u8,
    arguments: u8,
    number: u8,
    is_there: u8,
    bytes: u8,
    wanted: u8,
    flags: Flags,
    #[br(args(start, reader, endian))]
    chosen: Chosen,
    #[br(if(f0 + f1 > 3 && is_there > 0), count = number + arguments - f1)]
    given: Option<Block<u8>>,
    #[br(count = bytes / wanted.max(1) + error - error)]
    path: Block<u8>,
}

#[test]
fn parameters_and_fields_may_have_the_names_of_the_generated_code() {
    let good = [1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 8];
    let value: Names = record::from_slice(&good).unwrap();
    assert_eq!(value.chosen, Chosen::One(vec![7, 8].into()));
    let audit = record::audit::<Names>(&[&good], 200);
    assert_eq!(audit.faults, Vec::<String>::new(), "{audit}");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(deepest = 512)]
struct Nest {
    count: u8,
    #[br(count = count)]
    inner: Each<Nest>,
}

/// The tail of a list, with some more on the stack of its reader.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(deepest = 512)]
struct Tail {
    kind: u8,
    #[br(if(kind > 0))]
    rest: Option<Box<Tail>>,
}

#[test]
fn the_deepest_record_has_room_on_the_stack() {
    let deep = |depth: usize| [vec![1; depth - 1], vec![0]].concat();
    assert!(record::from_slice::<Nest>(&deep(512)).is_ok());
    let error = record::from_slice::<Nest>(&deep(513)).unwrap_err();
    assert_eq!(error.rule(), Rule::DEPTH_LIMIT);
    let mut value = record::from_slice::<Tail>(&deep(512)).unwrap();
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), deep(512));
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(deepest = 512)]
struct Wrapped {
    count: u8,
    #[br(count = count)]
    inner: Each<[[Wrapped; 1]; 1]>,
}

#[test]
fn json_that_no_reader_takes_is_not_made() {
    let deep = |depth: usize| [vec![1; depth - 1], vec![0]].concat();
    let format = RecordFormat::new::<Wrapped>("wrapped", "");
    let error = format.open(&deep(300)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "expected at most 1024 arrays and objects in each other, as JSON, found more (limit, rule depth.limit)"
    );
    // (A `Wrapped` is an object, and three arrays in each other.)
    let document = format.open(&deep(256)).unwrap();
    let json = document.to_json().to_string();
    assert_eq!(format.make(&Json::read(json.as_bytes()).unwrap()).unwrap().to_bytes(), deep(256));
    let format = RecordFormat::new::<Tail>("tail", "");
    let document = format.open(&deep(512)).unwrap();
    let json = document.to_json().to_string();
    assert_eq!(format.make(&Json::read(json.as_bytes()).unwrap()).unwrap().to_bytes(), deep(512));
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Divided {
    a: i8,
    b: u8,
    c: u8,
    #[br(if(a < 0), count = -a)]
    first: Option<Block<u8>>,
    #[br(if(c > 0), count = b.div_ceil(c))]
    second: Option<Block<u8>>,
    #[br(count = b.next_multiple_of(c) - b)]
    third: Block<u8>,
    #[br(count = a.rem_euclid(4))]
    fourth: Block<u8>,
    #[br(assert(i16::from(a).div_euclid(3) <= 100))]
    last: u8,
}

#[test]
fn methods_and_signs_that_overflow_are_errors() {
    // -128 has no positive number, 255 no next multiple of 4, and nothing is divided by zero.
    for bytes in [b"\x80\x01\x01", b"\x00\xff\x04", b"\x00\x01\x00"] {
        let bytes = [bytes.as_slice(), &[0; 300]].concat();
        let error = record::from_slice::<Divided>(&bytes).unwrap_err();
        assert_eq!(error.rule().name(), "record.value", "{error}");
        assert!(record::check::<Divided>(&bytes).is_err());
    }
    let good = b"\xfe\x05\x02\x07\x07\x01\x02\x03\x09\x01\x02\x08";
    let value: Divided = record::from_slice(good).unwrap();
    assert_eq!((value.third.len(), value.fourth.len(), value.last), (1, 2, 8));
    let audit = record::audit::<Divided>(&[good], 200);
    assert_eq!(audit.faults, Vec::<String>::new(), "{audit}");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
struct Texts {
    #[schema(text, fill = b' ')]
    filled: [u8; 6],
    #[schema(text = utf16)]
    wide: [u16; 4],
    #[schema(text = latin1)]
    latin: [u8; 2],
    count: u8,
    #[br(count = count)]
    #[schema(text = utf16)]
    counted: Block<u16>,
    #[schema(text = utf16)]
    #[brw(little)]
    rest: ToEnd<u16>,
}

#[test]
fn texts_that_are_filled_up_and_in_other_encodings() {
    let good = b"ab    \0a\xd8\x3d\xde\x00\0\0\xe9!\x02\0x\0yz\0";
    let format = RecordFormat::new::<Texts>("texts", "");
    let json = r#"{"filled":"ab","wide":"a\u{1f600}","latin":"\u{e9}!","count":2,"counted":"xy","rest":"z"}"#;
    let json = json.replace("\\u{1f600}", "\u{1f600}").replace("\\u{e9}", "\u{e9}");
    let document = format.open(good).unwrap();
    assert_eq!(document.to_json().to_string(), json);
    assert_eq!(format.make(&Json::read(json.as_bytes()).unwrap()).unwrap().to_bytes(), good);
    assert_eq!(record::check::<Texts>(good), Ok(()));
    let dump = record::dump::<Texts>(good);
    assert!(dump.contains("\"ab\"") && dump.contains("\"xy\"") && dump.contains("\"z\""), "{dump}");
    // Half of a letter.
    let mut odd = good.to_vec();
    odd[10] = 0;
    assert_eq!(
        record::check::<Texts>(&odd).unwrap_err().to_string(),
        "offset 8 (0x8), wide: expected text in UTF-16, found 55357 (malformed, rule record.text)"
    );
    let json = format.open(&odd).unwrap().to_json();
    assert_eq!(format.make(&json).unwrap().to_bytes(), odd);
    record::audit::<Texts>(&[good], 200).ok().unwrap();
}

/// Numbers with fractions, of which some are none.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Fractions {
    pub one: f32,
    pub two: f64,
    pub count: u8,
    #[br(count = count)]
    pub more: Block<f32>,
}

#[test]
fn json_makes_the_same_file() {
    let strange = [0x01, 0, 0xc0, 0x7f, 0x01, 0, 0, 0, 0, 0, 0xf8, 0xff, 1, 0x33, 0, 0xa0, 0x7f];
    let audit = formwork::document::audit::<Fractions>(&[&strange], 200);
    println!("{audit}");
    audit.ok().unwrap();
}

/// A variant without a magic behind one that has one.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub enum Begun {
    #[brw(magic = 1u8)]
    One {
        a: u16,
    },
    Other {
        b: u8,
    },
}

#[test]
fn a_variant_is_not_written_as_another() {
    audit_all::<Begun>(&[b"\x01\0\x07", b"\x02"]);
    assert_eq!(record::to_vec(&Begun::Other { b: 2 }).unwrap(), [2]);
    assert_eq!(
        record::to_vec(&Begun::Other { b: 1 }).unwrap_err().to_string(),
        "expected the variant One, found Other, which begins as One does (inexpressible, rule record.agreement)"
    );
}

/// A text that the next field ends.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct UpToBar {
    pub name: UpTo<Byte<b'|'>>,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Missing {
    pub a: OrEnd<u16>,
    pub b: OrEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct OpenText {
    pub a: TerminatedOrEnd<Byte<b'|'>>,
    pub inner: Missing,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Nested {
    pub count: u8,
    #[br(count = count)]
    pub all: Each<OpenText>,
    pub last: OrEnd<u8>,
}

enum Bars {}

impl Ending for Bars {
    const END: &'static [u8] = b"||";
}

#[test]
fn what_only_the_end_ends_is_the_last() {
    let refused = |error: formwork::Error| error.to_string();
    let up = |name: &str, rest: &[u8]| UpToBar { name: name.into(), rest: rest.to_vec().into() };
    assert_eq!(record::to_vec(&up("a", b"|b")).unwrap(), b"a|b");
    assert_eq!(record::to_vec(&up("a", b"")).unwrap(), b"a");
    assert_eq!(
        refused(record::to_vec(&up("a", b"b")).unwrap_err()),
        "rest: expected `|`, which ends what is before it, found more bytes after `name` (inexpressible, rule record.agreement)"
    );
    let missing = |a, b| Missing { a: OrEnd(a), b: OrEnd(b) };
    assert_eq!(record::to_vec(&missing(Some(1), None)).unwrap(), [1, 0]);
    assert_eq!(
        refused(record::to_vec(&missing(None, Some(3))).unwrap_err()),
        "b: expected the end of the region, which ends what is before it, found more bytes after `a` (inexpressible, rule record.agreement)"
    );
    let open = |b| OpenText { a: TerminatedOrEnd::open("ab"), inner: missing(b, None) };
    assert_eq!(record::to_vec(&open(None)).unwrap(), b"ab");
    assert!(record::to_vec(&open(Some(7))).is_err());
    let all = |all: Vec<OpenText>, last| Nested {
        count: all.len() as u8,
        all: all.into(),
        last: OrEnd(last),
    };
    assert_eq!(record::to_vec(&all(vec![open(None)], None)).unwrap(), b"\x01ab");
    assert!(record::to_vec(&all(vec![open(None)], Some(1))).is_err());
    assert_eq!(
        refused(record::to_vec(&all(vec![open(None), open(None)], None)).unwrap_err()),
        "all[0]: expected the end of the region, which ends the element, found more elements (inexpressible, rule record.agreement)"
    );
    // A text whose last letter and the end together are read as a shorter one.
    assert_eq!(record::to_vec(&Terminated::<Bars>::from("a")).unwrap(), b"a||");
    assert!(record::to_vec(&Terminated::<Bars>::from("a|")).is_err());
    audit_all::<UpToBar>(&[b"a|b", b"a"]);
    audit_all::<Missing>(&[b"ab", b"abc", b""]);
    audit_all::<Nested>(&[b"\x01a|xy", b"\x00"]);
}

/// A field that is there from a count on.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Ham {
    pub length: u16,
    #[br(count = length)]
    pub ham: Block<u8>,
    #[br(if(length > 3))]
    pub padding: Option<u8>,
}

#[test]
fn a_count_is_made_at_which_a_condition_turns() {
    let audit =
        record::audit::<Ham>(&[b"\0\0"], 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, [""; 0], "{audit}");
}

fn audit_all<T: record::Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]]) {
    record::audit::<T>(samples, 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    for bytes in samples {
        let value: T = record::from_slice(bytes).unwrap();
        assert_eq!(&record::to_vec(&value).unwrap(), bytes);
    }
}

/// A computed number that is held to something.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Held {
    pub a: u8,
    pub b: u8,
    #[br(calc = u16::from(a) + u16::from(b), assert(sum == 7))]
    #[bw(ignore)]
    pub sum: u16,
}

#[test]
fn an_assertion_about_a_computed_number_holds_everywhere() {
    audit_all::<Held>(&[b"\x03\x04"]);
    let error = record::from_slice::<Held>(b"\x03\x05").unwrap_err();
    assert!(error.to_string().contains("sum == 7"), "{error}");
    assert_eq!(record::check::<Held>(b"\x03\x05").unwrap_err(), error);
}
