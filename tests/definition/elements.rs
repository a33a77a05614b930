//! Audits lists that depend on lists: elements, sums, arguments by position; parts of optional fields.

#![allow(missing_docs, reason = "made for the test alone")]

use crate::audit;
use formwork::document::{Format, RecordFormat};
use formwork::{
    BinRead, BinWrite, Block, Each, Schema, ToEnd, WithRest, Within, Word, binrw, record,
};

/// A size for each of the texts.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Sizes {
    pub count: u8,
    #[br(count = count)]
    pub sizes: Block<u8>,
    #[br(count = count, args { each: binrw::args! { count: sizes[index] } })]
    pub texts: Each<Block<u8>>,
}

#[test]
fn each_element_has_its_size() {
    static FORMAT: RecordFormat = RecordFormat::new::<Sizes>("sizes", "test");
    let bytes = b"\x03\x01\0\x02abc";
    audit::<Sizes>(&[bytes, b"\0"], 300);
    let mut value: Sizes = record::from_slice(bytes).unwrap();
    assert_eq!(value.texts[2], *b"bc");
    value.texts[1].extend(*b"more");
    assert_eq!(
        record::to_vec(&value).unwrap_err().to_string(),
        "texts[1]: expected 0 elements, found 4 (inexpressible, rule record.agreement)"
    );
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), b"\x03\x01\x04\x02amorebc");
    let error = record::from_slice::<Sizes>(b"\x02\x01\x05abc").unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 4 (0x4), texts[1]: expected 5 bytes, found 2 left; at least 3 more bytes needed"
    );
    let mut document = FORMAT.open(bytes).unwrap();
    document.edit(&[formwork::document::Edit::set("texts/0", "four".into())]).unwrap();
    assert_eq!(document.to_bytes(), b"\x03\x04\0\x02fourbc");
    assert!(
        record::page::<Sizes>().contains("| `count` times, each `sizes[index]` times |"),
        "{}",
        record::page::<Sizes>()
    );
}

/// A column of a table.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Column {
    pub kind: u8,
    pub width: u16,
}

/// Rows as long as all columns, and cells by their columns.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Table {
    pub count: u8,
    #[br(count = count)]
    pub columns: Each<Column>,
    pub rows: u8,
    #[br(count = columns.total(width) * u64::from(rows))]
    pub raw: Block<u8>,
    #[br(count = columns.len(), args { each: (columns[index].kind, columns[index].width, index) })]
    pub cells: Each<Cell>,
    #[br(if(count > 0 && columns.last().kind == 7 && columns[0].width != 3))]
    pub seven: Option<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: u8, width: u16, index: u64))]
#[brw(little)]
pub enum Cell {
    #[br(pre_assert(kind == 1))]
    Number(#[br(count = width)] Block<u8>),
    #[br(pre_assert(index == 0))]
    First {
        first: u8,
    },
    Other,
}

#[test]
fn elements_hand_their_numbers_on() {
    let bytes: &[u8] = b"\x02\x01\0\x02\x07\0\x01\x02abcabcxy\x09";
    audit::<Table>(&[bytes, b"\x01\0\0\0\x05\x08", b"\0\0"], 300);
    let value: Table = record::from_slice(bytes).unwrap();
    assert_eq!(value.cells.0, [Cell::Number(b"xy".to_vec().into()), Cell::Other]);
    assert_eq!(value.seven, Some(9));
    let mut wider = value;
    wider.cells[0] = Cell::Number(b"xyz".to_vec().into());
    wider.raw = b"abcdabcd".to_vec().into();
    wider.seven = None;
    record::settle(&mut wider).unwrap();
    assert_eq!(wider.columns[0].width, 3);
}

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Flags {
    pub long: bool,
    #[schema(bits = 7)]
    pub size: u8,
}

/// Parts of a record that may be missing.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Optional {
    pub has: u8,
    #[br(if(has == 1))]
    pub head: Option<Column>,
    #[br(if(has > 0))]
    pub flags: Option<Flags>,
    #[br(count = head.as_ref().map_or(2, |head| head.width))]
    pub bytes: Block<u8>,
    #[br(args { bytes: flags.map_or(0, |it| it.size) })]
    pub rest: Within<ToEnd<u8>>,
}

#[test]
fn parts_of_what_may_be_missing() {
    let bytes: &[u8] = b"\x01\x05\0\x03\x81abcd";
    audit::<Optional>(&[bytes, b"\0ab", b"\x02\x01abc"], 300);
    let mut value: Optional = record::from_slice(bytes).unwrap();
    value.bytes.push(1);
    value.rest.push(2);
    record::settle(&mut value).unwrap();
    assert_eq!((value.head.unwrap().width, value.flags.unwrap().size), (4, 2));
}

const KINDS: &[(i128, &str)] = &[(3, "three"), (4, "four")];

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Computed {
    pub one: u8,
    #[br(calc = one.saturating_add(1))]
    #[bw(ignore)]
    #[schema(names = KINDS)]
    pub kind: u8,
    #[br(if(kind == 3))]
    pub more: Option<u8>,
}

#[test]
fn a_computed_number_has_names() {
    audit::<Computed>(&[b"\x02\x01", b"\x03"], 100);
    assert!(record::dump::<Computed>(b"\x02\x01").contains("three (3)"));
}

/// A list whose long elements count twice, or three times.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Pool {
    #[br(assert(count > 0))]
    pub count: u16,
    #[br(count = count - 1)]
    pub constants: Each<Constant>,
    pub after: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(slots = if kind == 5 { 2 } else { 1 + kind / 200 })]
pub struct Constant {
    pub kind: u8,
    #[br(if(kind == 5))]
    pub long: Option<u32>,
}

#[test]
fn elements_count_as_several() {
    let bytes = b"\0\x06\x01\x05\0\0\0\x07\xc8.";
    let mut pool: Pool = record::from_slice(bytes).unwrap();
    assert_eq!(pool.constants.len(), 3);
    assert_eq!(record::to_vec(&pool).unwrap(), bytes);
    pool.constants.insert(0, Constant { kind: 5, long: Some(1) });
    let error = record::to_vec(&pool).unwrap_err();
    assert_eq!(
        error.to_string(),
        "constants: expected 5 elements, found 7 (inexpressible, rule record.agreement)"
    );
    record::settle(&mut pool).unwrap();
    assert_eq!(pool.count, 8);
    // The last one has no room.
    let error = record::from_slice::<Pool>(b"\0\x03\x01\x05\0\0\0\x07.").unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 3 (0x3), constants: expected an element that counts as at most 1, found one that counts as 2 \
         (malformed, rule record.slots)"
    );
    let error = record::from_slice::<Pool>(b"\xff\xff\x01").unwrap_err();
    assert_eq!(error.kind(), formwork::ErrorKind::Incomplete { needed: 1 });
    let audit =
        record::audit::<Pool>(&[bytes], 500).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, audit.never), (500, vec![]));
    let page = record::page::<Pool>();
    assert!(page.contains("| `count - 1` times in all |"), "{page}");
    assert!(
        page.contains(
            "Counts as `if kind == 5 { 2 } else { 1 + kind / 200 }` elements of its list."
        ),
        "{page}"
    );
    let format = formwork::document::RecordFormat::new::<Pool>("pool", "");
    let made = formwork::document::Format::make(
        &format,
        &formwork::document::Json::read(
            br#"{"constants": [{"kind": 5, "long": 9}, {"kind": 2}, {"kind": 200}], "after": 1}"#,
        )
        .unwrap(),
    );
    assert_eq!(made.unwrap().to_bytes(), b"\0\x06\x05\0\0\0\x09\x02\xc8\x01");
    let ksy = record::ksy::<Pool>().unwrap();
    for line in [
        "    type: \"constant(_index == 0 ? 0 : constants[_index - 1].slots_so_far)\"\n",
        "    repeat-until: \"_.slots_so_far >= (count - 1)\"\n",
        "    valid: {expr: \"(count - 1) == 0 or constants.last.slots_so_far == (count - 1)\"}\n",
        "        value: \"slots_before + ((kind == 5) ? 2 : (1 + (kind / 200)))\"\n",
    ] {
        assert!(ksy.contains(line), "{line}\n{ksy}");
    }
}

/// A head whose size is of a newer version, and a tag that a `match` chooses.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Newer {
    pub size: u8,
    #[br(args { bytes: size })]
    pub head: Within<WithRest<Head>>,
    pub kind: u8,
    #[br(count = match kind { 1 | 2 => 1, 7..=9 => kind - 5, _ => 0 })]
    pub bytes: Block<u8>,
    #[br(args(match kind { 3 => 30, 4 => 40, _ => 0 }))]
    pub tagged: Tagged,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Head {
    pub version: u16,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(tag: u8))]
pub enum Tagged {
    #[br(pre_assert(tag == 30))]
    Thirty {
        of: u8,
    },
    #[br(pre_assert(tag == 40))]
    Forty {
        of: u16,
    },
    None,
}

#[test]
fn a_region_goes_on_and_a_match_chooses() {
    let bytes = b"\x03\x02\0!\x08abc";
    audit::<Newer>(&[bytes, b"\x02\x02\0\x03\x07"], 300);
    let mut newer: Newer = record::from_slice(bytes).unwrap();
    assert_eq!((newer.head.content.version, &newer.head.rest[..]), (2, &b"!"[..]));
    newer.head.rest.push(b'?');
    newer.bytes = b"abcd".to_vec().into();
    record::settle(&mut newer).unwrap();
    assert_eq!((newer.size, newer.kind), (4, 9));
    newer.bytes = b"a".to_vec().into();
    record::settle(&mut newer).unwrap();
    assert_eq!(newer.kind, 1);
    newer.bytes = Block::default();
    newer.tagged = Tagged::Forty { of: 1 };
    record::settle(&mut newer).unwrap();
    assert_eq!(record::to_vec(&newer).unwrap(), b"\x04\x02\0!?\x04\x01\0");
    let page = record::page::<Newer>();
    assert!(page.contains("if kind == 3 { 30 } else { if kind == 4 { 40 } else { 0 } }"), "{page}");
}

/// Elements in regions, up to the last one.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Until4 {
    #[br(args { inner: binrw::args! { bytes: 4 } })]
    pub all: formwork::Until<Within<Marked>>,
    pub after: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(last = mark == 0)]
pub struct Marked {
    pub mark: u8,
    pub rest: ToEnd<u8>,
}

#[test]
fn a_region_is_the_last_where_its_content_is() {
    audit::<Until4>(&[b"\x01abc\0def\x09", b"\0def\x09"], 200);
}
