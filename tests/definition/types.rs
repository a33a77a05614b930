//! Audits types in types, arguments, orders and regions.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::modular_bitfield::prelude::*;
use formwork::wire::{Git, Leb128, Midi, rule};
use formwork::{
    Before, BinRead, BinWrite, Block, Deferred, Each, Open, Rule, Schema, Terminated, ToEnd, Until,
    Varint, Within, binrw, record,
};

/// Compares reader and layout; every value can be made, and every field is made.
fn audit<T: record::Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]]) {
    audit_of::<T>(samples, 500);
}

fn audit_of<T: record::Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]], count: usize) {
    let audit =
        record::audit::<T>(samples, count as u64).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, &audit.never), (count, &vec![]), "{audit}");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Mixed {
    #[brw(little)]
    #[br(assert(order == 1 || order == 2))]
    pub order: u8,
    #[br(is_big = order == 2)]
    #[bw(is_big = *order == 2)]
    #[br(args(order))]
    pub body: Ordered,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(k: u8))]
pub struct Ordered {
    pub n: u16,
    #[br(if(n % 2 == 1))]
    pub a: Option<[u8; 4]>,
    pub b: [[u16; 3]; 2],
    #[br(if(n > 1), count = n)]
    pub c: Option<Block>,
    #[br(count = n * 2, args { inner: (n + 1, k) })]
    pub d: Each<Item>,
    #[br(args(n, k))]
    pub e: [Item; 2],
    #[br(if(n == 0))]
    pub f: Option<Box<[Wide; 2]>>,
    #[br(if(n as u8 == 3))]
    pub g: Option<u8>,
    #[br(count = k * 3)]
    pub h: Block,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(n: u16, kind: u8))]
pub struct Item {
    #[br(count = n.saturating_sub(1))]
    pub bytes: Block,
    #[br(if(kind == 1))]
    pub x: Option<u16>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Wide {
    pub x: u64,
    pub y: i16,
}

#[test]
fn types_in_types_and_orders_at_run_time() {
    let audit = record::audit::<Mixed>(&[], 1000).ok().unwrap_or_else(|faults| panic!("{faults}"));
    // A count that an earlier condition has used cannot be changed.
    assert!(audit.made > 500, "{audit}");
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Tree {
    pub count: u8,
    #[br(count = count)]
    pub children: Each<Tree>,
}

#[test]
fn a_record_that_contains_itself() {
    // Trees are large.
    audit_of::<Tree>(&[&[2, 0, 1, 0]], 100);
    assert!(record::dump::<Tree>(&[0]).contains("count"));
    assert_eq!(record::page::<Tree>().matches("# Tree").count(), 1);
}

#[test]
fn depth_ends_in_an_error_and_not_in_the_stack() {
    let bytes = vec![1; 1_000_000];
    for error in [
        record::from_slice::<Tree>(&bytes).unwrap_err(),
        record::check::<Tree>(&bytes).unwrap_err(),
    ] {
        assert_eq!((error.rule(), error.offset()), (Rule::DEPTH_LIMIT, 128));
    }
    assert!(record::dump::<Tree>(&bytes).contains("at most 128 records"));
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(count: u32))]
#[brw(little)]
pub struct Items {
    #[br(count = count)]
    pub items: Block,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Named {
    pub count: u32,
    pub len: u32,
    #[br(args(len))]
    pub it: Items,
}

/// Names that are not in alphabetical order, and are passed in another order.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import { width: u8, bytes_each: u8, kind: u8 })]
#[brw(little)]
pub enum Pixels {
    #[br(pre_assert(kind == 1))]
    Packed(#[br(count = width as u16 * bytes_each as u16)] Block<u8>),
    Rows {
        #[br(count = width, args { inner: binrw::args! { rest: kind, first: bytes_each } })]
        rows: Each<Row>,
    },
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import { rest: u8, first: u8 })]
#[brw(little)]
pub struct Row {
    #[br(count = first)]
    pub first: Block<u8>,
    #[br(if(rest == 2))]
    pub rest: Option<u16>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Picture {
    pub width: u8,
    #[br(assert(kind <= 2))]
    pub kind: u8,
    #[br(assert(each <= 16))]
    pub each: u8,
    #[br(args { kind, width, bytes_each: each })]
    pub pixels: Pixels,
}

#[test]
fn arguments_with_names_are_told_apart_by_these() {
    audit::<Picture>(&[b"\x02\x01\x03abcdef", b"\x02\x02\x01axybxy", b"\x01\0\x02ab"]);
    let mut picture: Picture = record::from_slice(b"\x02\x02\x01axybxy").unwrap();
    let Pixels::Rows { rows } = &mut picture.pixels else { panic!("two rows") };
    rows.push(Row { first: Block(vec![b'c']), rest: Some(7) });
    assert!(record::to_vec(&picture).is_err());
    record::settle(&mut picture).unwrap();
    assert_eq!(record::to_vec(&picture).unwrap(), b"\x03\x02\x01axybxyc\x07\0");
    let page = record::page::<Picture>();
    assert!(page.contains("with `bytes_each = each`, `kind`, `width`"), "{page}");
}

#[test]
fn an_argument_is_not_looked_up_by_its_name() {
    let bytes = b"\x01\0\0\0\x02\0\0\0ab";
    assert_eq!(*record::from_slice::<Named>(bytes).unwrap().it.items, b"ab");
    assert_eq!(record::check::<Named>(bytes), Ok(()));
    let error = record::from_slice::<Named>(b"\x05\0\0\0\x04\0\0\0ab").unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 8 (0x8), it.items: expected 4 bytes, found 2 left; at least 2 more bytes needed"
    );
    audit::<Named>(&[bytes]);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Counts {
    pub n: u8,
    #[br(count = n)]
    pub d: Block,
    pub m: u8,
    #[br(count = m)]
    pub e: Block,
}

#[test]
fn counts_that_disagree_are_not_written() {
    let mut value = Counts { n: 1, d: vec![5, 1].into(), m: 0, e: Block::default() };
    let error = record::to_vec(&value).unwrap_err();
    assert_eq!(
        error.to_string(),
        "d: expected 1 element, found 2 (inexpressible, rule record.agreement)"
    );
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), [2, 5, 1, 0]);
    audit::<Counts>(&[&[2, 5, 1, 0]]);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Arithmetic {
    pub n: u8,
    pub m: u8,
    #[br(count = n * 2)]
    pub twice: Block,
    #[br(if(m > 0), count = n / m)]
    pub part: Option<Block>,
    #[br(calc = n + 1)]
    #[bw(ignore)]
    pub next: u8,
    #[br(count = next)]
    pub more: Block,
}

#[test]
fn arithmetic_fails_instead_of_wrapping() {
    let error = record::from_slice::<Arithmetic>(&[200; 600]).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (rule::RECORD_VALUE, 2));
    assert_eq!(error.path().to_string(), "twice");
    assert!(
        record::from_slice::<Arithmetic>(&[1, 0, 7, 7, 1, 2]).is_ok(),
        "no division where the condition is false"
    );
    let audit = record::audit::<Arithmetic>(
        &[&[1, 0, 7, 7, 1, 2], &[2, 1, 0, 0, 0, 0, 8, 8, 1, 1, 1]],
        500,
    )
    .ok();
    assert!(audit.unwrap().made > 300);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Empty {}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct ManyEmpty {
    pub n: u32,
    #[br(count = n)]
    pub d: Each<Empty>,
}

#[test]
fn elements_without_bytes_are_few() {
    let few = [3, 0, 0, 0];
    assert_eq!(record::from_slice::<ManyEmpty>(&few).unwrap().d.len(), 3);
    assert_eq!(record::check::<ManyEmpty>(&few), Ok(()));
    for error in [
        record::from_slice::<ManyEmpty>(&[0xff; 4]).unwrap_err(),
        record::check::<ManyEmpty>(&[0xff; 4]).unwrap_err(),
    ] {
        assert_eq!(error.rule(), rule::RECORD_EMPTY);
    }
    assert!(record::dump::<ManyEmpty>(&[0xff; 4]).len() < 20_000_000);
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Kind {
    One = 1,
    Four = 4,
}

#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| Self::from(raw))]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
pub struct Word {
    pub count: B6,
    pub has_more: bool,
    /// Not zero, in spite of its name.
    pub unused: B5,
    #[schema(zero)]
    pub spare: B4,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = 0x1234u16)]
#[schema(arbitrary)]
pub struct All {
    pub kind: Kind,
    pub open: Open<Kind>,
    pub word: Word,
    #[br(if(word.has_more()))]
    pub more: Option<f32>,
    #[br(count = word.count())]
    pub wides: Block<i32>,
    #[br(if(kind == Kind::Four))]
    pub four: Option<u32>,
    #[br(if(open.number() > 3))]
    pub large: Option<u8>,
    pub separate: u8,
    pub leb: Varint<Leb128>,
    pub git: Varint<Git>,
    pub midi: Varint<Midi>,
    #[schema(text)]
    pub text: Terminated,
    #[br(if(leb.value() > 9))]
    pub high: Option<u8>,
    pub inside_size: u8,
    #[br(args { bytes: inside_size })]
    pub inside: Within<ToEnd<Kind>>,
    #[br(args { left: 2 })]
    pub rest: Before<ToEnd<u16>>,
    #[schema(names = NAMES)]
    #[brw(little)]
    pub end: u16,
}

const NAMES: &[(i128, &str)] = &[(1, "first"), (2, "second")];

#[test]
fn all_kinds_of_fields() {
    audit::<All>(&[]);
    let bytes = record::generate_bytes::<All>(1).unwrap();
    let dump = record::dump::<All>(&bytes);
    assert_eq!(record::check::<All>(&bytes), Ok(()), "{dump}");
}

#[test]
fn arbitrary_values_are_written() {
    use arbitrary::{Arbitrary, Unstructured};
    let mut made = 0;
    for seed in 0..200_u32 {
        let bytes: Vec<u8> = (0..400)
            .map(|at: u32| (seed.wrapping_mul(2_654_435_761).wrapping_add(at * at * 77) >> 9) as u8)
            .collect();
        let Ok(value) = All::arbitrary(&mut Unstructured::new(&bytes)) else { continue };
        assert!(record::to_vec(&value).is_ok());
        made += 1;
    }
    assert!(made > 150, "{made}");
}

#[test]
fn arbitrary_values_leave_bytes_for_others() {
    use arbitrary::Unstructured;

    let bytes: Vec<u8> = (1..=200).collect();
    let mut input = Unstructured::new(&bytes);
    let first: Line = record::arbitrary(&mut input).unwrap();
    let left = input.len();
    let second: Line = record::arbitrary(&mut input).unwrap();
    assert!(left > 100 && input.len() < left, "{left}");
    assert_ne!(first, second);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(last = length == 0)]
pub struct Label {
    #[br(assert(length < 64, "a label has at most 63 letters"))]
    pub length: u8,
    #[br(count = length)]
    pub letters: Block,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Name {
    pub labels: Until<Label>,
}

#[test]
fn a_list_up_to_its_last_element() {
    audit::<Name>(&[b"\x03www\x07example\x03org\0"]);
    let mut name: Name = record::from_slice(b"\x03www\0").unwrap();
    name.labels.pop();
    assert_eq!(
        record::to_vec(&name).unwrap_err().to_string(),
        "labels: expected the last element at the end, and only there, found none (inexpressible, rule record.agreement)"
    );
    let error = record::from_slice::<Name>(&[70]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 0 (0x0), labels[0].length: expected a label has at most 63 letters, found length = 70 (malformed, rule record.assert)"
    );
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(name: Terminated, at = at, bytes = size, if = size > 0))]
pub struct Entry {
    pub at: u16,
    pub size: u16,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Directory {
    pub count: u8,
    #[br(count = count)]
    pub entries: Each<Entry>,
    pub names: ToEnd<u8>,
}

#[test]
fn views_are_shown_and_checked() {
    let bytes = b"\x02\x09\0\x03\0\x0c\0\x02\0ab\0c\0";
    assert_eq!(record::check::<Directory>(bytes), Ok(()));
    let views = record::views::<Directory>(bytes).unwrap();
    let views: Vec<_> = views.into_iter().map(|(path, range)| (path.to_string(), range)).collect();
    assert_eq!(views, [("entries[0].name".into(), 9..12), ("entries[1].name".into(), 12..14)]);
    assert!(record::dump::<Directory>(bytes).contains("\"ab\""));
    let error = record::check::<Directory>(b"\x01\x09\0\x03\0").unwrap_err();
    assert_eq!(
        (error.rule(), error.path().to_string()),
        (rule::RECORD_VIEW, "entries[0].name".into())
    );
    record::audit::<Directory>(&[bytes], 300).ok().unwrap();
}

#[test]
fn one_broken_copy_of_each_kind() {
    let bytes = b"\x02\x09\0\x03\0\x0c\0\x02\0ab\0c\0";
    let copies: Vec<String> =
        record::broken::<Directory>(bytes).map(|copy| copy.to_string()).collect();
    assert!(
        copies
            .iter()
            .any(|copy| copy.starts_with("count: a number far too large; refused: offset 1")),
        "{copies:#?}"
    );
    assert!(copies.iter().any(|copy| copy.contains("read, though odd")), "{copies:#?}");
    let mut kinds: Vec<_> = copies.iter().filter_map(|copy| copy.split(';').next()).collect();
    let all = kinds.len();
    kinds.dedup();
    assert_eq!(kinds.len(), all);
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(1, |sum, byte| sum.wrapping_add(*byte))
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct SumsOfEachOther {
    #[schema(sum = sum, over = second..=second)]
    pub first: u8,
    #[schema(sum = sum, over = first..=first)]
    pub second: u8,
}

#[test]
fn sums_over_each_other_do_not_settle_for_ever() {
    let mut value = SumsOfEachOther { first: 0, second: 0 };
    assert_eq!(record::settle(&mut value).unwrap_err().rule(), rule::RECORD_SUM);
    assert!(record::broken::<SumsOfEachOther>(&[0, 0]).count() > 0);
}

mod named {
    use super::*;

    pub mod left {
        use super::*;

        /// The left one.
        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        #[brw(little)]
        pub struct Entry {
            pub left: u8,
        }
    }

    pub mod right {
        use super::*;

        /// The right one.
        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        #[brw(little)]
        pub struct Entry {
            pub right: u8,
        }
    }

    #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
    #[brw(little)]
    pub struct Both {
        pub left: left::Entry,
        pub right: [right::Entry; 2],
    }
}

#[test]
fn types_of_one_name_have_sections_and_links_of_their_own() {
    let page = record::page::<named::Both>();
    for part in ["[Entry](#entry)", "[Entry (2)[2]](#entry-2)", "\n## Entry\n", "\n## Entry (2)\n"]
    {
        assert_eq!(page.matches(part).count(), 1, "{part} in\n{page}");
    }
}

/// Which fields are there.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u8| Self::from(raw))]
#[bw(map = |word: &Self| u8::from(*word))]
#[repr(u8)]
pub struct Absence {
    pub note: bool,
    #[schema(zero)]
    unused: B7,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Lines {
    pub absence: Absence,
    pub count: u8,
    #[br(count = count)]
    #[schema(inline)]
    pub lines: Each<Line>,
    #[br(if(!absence.note()))]
    pub note: Option<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Line {
    pub length: u8,
    #[br(count = length)]
    #[schema(text)]
    pub text: Block,
}

#[test]
fn paths_leave_out_an_inline_field() {
    audit::<Lines>(&[b"\x01\x02\x01a\x02bc"]);
    let bytes = b"\x01\x02\x01a\x02b\xff";
    let odd = record::check::<Lines>(bytes).unwrap_err();
    assert_eq!((odd.path().to_string().as_str(), odd.offset()), ("[1].text", 6));
    let mut wrong: Lines = record::from_slice(bytes).unwrap();
    wrong.lines[1].length = 3;
    assert_eq!(record::to_vec(&wrong).unwrap_err().path().to_string(), "[1].text");
    assert!(record::dump::<Lines>(bytes).contains(" lines "));
}

#[test]
fn a_negated_part_of_a_word_is_settled() {
    let mut lines: Lines = record::from_slice(b"\x01\x00").unwrap();
    record::settle(&mut lines).unwrap();
    assert_eq!(record::to_vec(&lines).as_deref(), Ok(&b"\x01\x00"[..]));
    lines.note = Some(7);
    record::settle(&mut lines).unwrap();
    assert_eq!(record::to_vec(&lines).as_deref(), Ok(&b"\x00\x00\x07"[..]));
}

/// A place that is there where the head says so.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Placed {
    is_there: u8,
    #[br(if(is_there != 0))]
    place: Option<Deferred<u32>>,
}

#[test]
fn a_deferred_place_that_disagrees_is_not_written() {
    for (is_there, place, is_right) in [
        (1, Some(Deferred::HERE), true),
        (0, None, true),
        (0, Some(Deferred::HERE), false),
        (1, None, false),
    ] {
        let placed = Placed { is_there, place };
        assert_eq!(record::to_vec(&placed).is_ok(), is_right, "{placed:?}");
    }
}
