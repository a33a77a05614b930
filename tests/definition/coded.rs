//! Audits contents that are combined with a key, turned, or packed.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Format, RecordFormat};
use formwork::wire::{Code, Rotate, RotateKey, Xor, XorKey};
use formwork::{
    BinRead, BinWrite, Block, Coded, Each, Schema, Terminated, ToEnd, Within, binrw, record,
};

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Secrets {
    pub size: u8,
    #[br(args { bytes: size })]
    pub first: Within<Coded<Xor<0x80>, List>>,
    #[schema(sum = sum, over = first..=first)]
    pub sum: u8,
    pub key: [u8; 2],
    #[br(args { bytes: 4, inner: binrw::args! { key: key } })]
    pub second: Within<Coded<XorKey, [u16; 2]>>,
    pub count: u8,
    #[br(if(first.count > 0))]
    pub there: Option<u8>,
    #[br(count = count, args { inner: (size,) })]
    pub third: Each<Turned>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct List {
    pub count: u8,
    #[br(count = count)]
    pub numbers: Block<u16>,
    pub name: Terminated,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(left: u8))]
pub struct Turned {
    #[br(args { bytes: 2 })]
    pub by_three: Within<Coded<Rotate<3>, ToEnd<u8>>>,
    #[br(args { bytes: 1, inner: binrw::args! { key: left % 8 } })]
    pub by_key: Within<Coded<RotateKey, ToEnd<u8>>>,
}

const SECRETS: &[u8] =
    b"\x06\x81\x80\x81\xe1\xe2\x80\xc7\x01\x02\x02\x02\x03\x04\x01\x09\x08\x10\x40";

#[test]
fn contents_are_read_and_written_with_their_key() {
    static FORMAT: RecordFormat = RecordFormat::new::<Secrets>("secrets", "test");
    let bytes = {
        let mut bytes = SECRETS.to_vec();
        bytes[7] = sum(&bytes[1..7]);
        bytes
    };
    let value: Secrets = record::from_slice(&bytes).unwrap();
    assert_eq!((value.first.count, &**value.first.numbers), (1, &[1][..]));
    assert_eq!((&**value.first.name, **value.second), (&b"ab"[..], [3, 0x0602]));
    assert_eq!((&****value.third[0].by_three, &****value.third[0].by_key), (&[1, 2][..], &[1][..]));
    assert_eq!(record::to_vec(&value).unwrap(), bytes);
    let audit =
        record::audit::<Secrets>(&[&bytes], 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
    let dump = record::dump::<Secrets>(&bytes);
    assert!(dump.contains("\"ab\"") && dump.contains("[3, 1538]"), "{dump}");
    let document = FORMAT.open(&bytes).unwrap();
    let json = document.to_json();
    assert_eq!(
        json.to_string(),
        format!(
            r#"{{"size":6,"first":{{"count":1,"numbers":[1],"name":"ab"}},"sum":{},"key":[1,2],"second":[3,1538],"count":1,"there":9,"third":[{{"by_three":{{"$hex":"0102"}},"by_key":{{"$hex":"01"}}}}]}}"#,
            bytes[7]
        )
    );
    assert_eq!(FORMAT.make(&json).unwrap().to_bytes(), bytes);
    assert!(
        record::page::<Secrets>().contains("in `4` bytes, coded: XOR with a key (`key`)"),
        "{}",
        record::page::<Secrets>()
    );
}

#[test]
fn a_key_and_what_it_is_for_are_settled() {
    let mut bytes = SECRETS.to_vec();
    bytes[7] = sum(&bytes[1..7]);
    let mut value: Secrets = record::from_slice(&bytes).unwrap();
    value.first.numbers.push(2);
    value.key = [7, 7];
    assert_eq!(
        record::to_vec(&value).unwrap_err().to_string(),
        "first.numbers: expected 1 element, found 2 (inexpressible, rule record.agreement)"
    );
    record::settle(&mut value).unwrap();
    assert_eq!((value.size, value.first.count, &value.second.key().0[..]), (8, 2, &[7, 7][..]));
    let again = record::to_vec(&value).unwrap();
    assert_eq!(record::from_slice::<Secrets>(&again).unwrap(), value);
    record::check::<Secrets>(&again).unwrap();
}

/// Runs of bytes, whose packing is not the only one.
#[derive(Clone, Debug, PartialEq)]
pub enum Runs {}

impl Code for Runs {
    const NAME: &'static str = "runs";
    const IS_IN_PLACE: bool = false;

    fn decode(bytes: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let run = |[count, byte]: &[u8; 2]| vec![*byte; (*count).into()];
        rest.is_empty().then(|| pairs.iter().flat_map(run).collect())
    }

    fn encode(content: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some(content.iter().flat_map(|byte| [1, *byte]).collect())
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Packed {
    pub size: u8,
    #[br(args { bytes: size })]
    pub content: Within<Coded<Runs, List>>,
}

#[test]
fn packed_bytes_stay_while_the_content_does() {
    let bytes = b"\x08\x01\x01\x02\x00\x02a\x01\0";
    let mut value: Packed = record::from_slice(bytes).unwrap();
    assert_eq!((&**value.content.numbers, &**value.content.name), (&[0][..], &b"aa"[..]));
    assert_eq!(record::to_vec(&value).unwrap(), bytes);
    value.content.name.push(b'b');
    record::settle(&mut value).unwrap();
    assert_eq!(record::to_vec(&value).unwrap(), b"\x0e\x01\x01\x01\0\x01\0\x01a\x01a\x01b\x01\0");
    assert_eq!(
        record::from_slice::<Packed>(b"\x01\x01").unwrap_err().to_string(),
        "offset 1 (0x1), content: expected bytes of the code runs, found others (malformed, rule record.code)"
    );
}

/// A view of bytes of the file, of which some are coded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(all: ToEnd<u8>, at = at, bytes = ..))]
pub struct Looking {
    #[br(args { bytes: 2u8 })]
    pub coded: Within<Coded<Xor<0x01>, [u8; 2]>>,
    pub at: u8,
}

#[test]
fn a_view_shows_the_bytes_of_the_file() {
    let bytes = b"`c\0";
    let value: Looking = record::from_slice(bytes).unwrap();
    assert_eq!(**value.coded, *b"ab");
    assert_eq!(*value.all(bytes).unwrap(), bytes[..]);
    let document = RecordFormat::new::<Looking>("looking", "").open(bytes).unwrap();
    assert_eq!(document.get("all").unwrap().to_string(), r#"{"$hex":"606300"}"#);
    assert!(record::dump::<Looking>(bytes).contains("606300"));
}
