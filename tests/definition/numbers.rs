//! Audits numbers whose length is up to their value, also those of a form of the user's own.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Edit, Format, Json, RecordFormat};
use formwork::wire::{
    BigBytes, CompactSize, LittleBytes, PaddedLeb128, SignedLeb128, Sqlite, Undecoded, VarintKind,
};
use formwork::{BinRead, BinWrite, Block, Each, Schema, ToEnd, Varint, Within, binrw, record};

/// A length as CBOR has it: below 24 in the byte itself, or in the bytes that follow it.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {}

impl VarintKind for Length {
    type Number = u32;
    const NAME: &'static str = "length";

    fn decode(bytes: &[u8]) -> Result<(u32, usize), Undecoded> {
        match *bytes {
            [] | [24] | [25] | [25, _] => Err(Undecoded::More),
            [byte @ 0..24, ..] => Ok((byte.into(), 1)),
            [24, byte, ..] => Ok((byte.into(), 2)),
            [25, high, low, ..] => Ok((u16::from_be_bytes([high, low]).into(), 3)),
            _ => Err(Undecoded::Wrong("a byte above 25")),
        }
    }

    fn encode(number: u32, length: Option<usize>) -> Option<Vec<u8>> {
        let least = match number {
            0..24 => 1,
            24..256 => 2,
            _ => 3,
        };
        match (length.unwrap_or(least), number.to_be_bytes()) {
            (1, [0, 0, 0, low]) if low < 24 => Some(vec![low]),
            (2, [0, 0, 0, low]) => Some(vec![24, low]),
            (3, [0, 0, high, low]) => Some(vec![25, high, low]),
            _ => None,
        }
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Numbers {
    pub length: Varint<Length>,
    #[br(count = length.value())]
    pub text: Block<u8>,
    pub count: Varint<CompactSize>,
    #[br(count = count.value())]
    pub list: Each<Varint<PaddedLeb128>>,
    #[br(assert(signed.value() < 1000))]
    pub signed: Varint<SignedLeb128>,
    pub row: Varint<Sqlite>,
    pub three: Varint<BigBytes<3>>,
    #[br(if(three.value() == 5))]
    pub five: Option<u8>,
    pub size: Varint<LittleBytes<6>>,
    #[br(args { bytes: size.value() })]
    pub rest: Within<ToEnd<Varint<CompactSize>>>,
}

#[test]
fn every_form_is_read_written_and_settled() {
    static FORMAT: RecordFormat = RecordFormat::new::<Numbers>("numbers", "test");
    let all: [&[u8]; 2] = [
        b"\x02hi\x02\x05\x85\x80\x80\x80\0\x7f\x81\0\0\0\x05\x09\x04\0\0\0\0\0\x07\xfd\x07\0",
        b"\x19\0\x01i\xfd\0\0\x80\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0",
    ];
    let audit =
        record::audit::<Numbers>(&all, 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
    let jsons = [
        r#"{"length":2,"text":"hi","count":2,"list":[5,{"$hex":"8580808000"}],"signed":-1,"row":128,"three":5,"five":9,"size":4,"rest":[7,{"$hex":"fd0700"}]}"#,
        r#"{"length":{"$hex":"190001"},"text":"i","count":{"$hex":"fd0000"},"list":[],"signed":-128,"row":-1,"three":0,"size":0,"rest":[]}"#,
    ];
    for (bytes, wanted) in all.into_iter().zip(jsons) {
        let value: Numbers = record::from_slice(bytes).unwrap();
        assert_eq!(record::to_vec(&value).unwrap(), bytes);
        let json = FORMAT.open(bytes).unwrap().to_json();
        assert_eq!(json.to_string(), wanted);
        assert_eq!(FORMAT.make(&json).unwrap().to_bytes(), bytes);
    }
    let mut value: Numbers = record::from_slice(all[0]).unwrap();
    value.text.extend([b'x'; 300]);
    value.list.clear();
    value.five = None;
    record::settle(&mut value).unwrap();
    assert_eq!((value.length.value(), value.count.value()), (302, 0));
    assert_eq!(record::from_slice::<Numbers>(&record::to_vec(&value).unwrap()).unwrap(), value);
    assert_eq!(
        record::from_slice::<Numbers>(&[26]).unwrap_err().to_string(),
        "offset 0 (0x0), length: expected a number of up to 32 bits in its shortest form, found a byte above 25 \
         (malformed, rule record.varint)"
    );
    value.three = Varint::new(1 << 24);
    assert_eq!(
        record::to_vec(&value).unwrap_err().to_string(),
        "three: expected a number that big endian of 3 bytes has, found 16777216 (inexpressible, rule record.agreement)"
    );
}

/// Numbers of sixteen bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Sixteen {
    pub id: u128,
    pub sign: i128,
    #[schema(hex)]
    pub hash: u128,
    #[brw(little)]
    pub two: [u128; 2],
    pub count: u8,
    #[br(count = count)]
    pub block: Block<u128>,
    #[br(count = count)]
    pub each: Each<i128>,
    #[br(if(count > 1))]
    pub more: Option<u128>,
    #[schema(zero)]
    pub zero: u128,
}

#[test]
fn numbers_have_sixteen_bytes() {
    static FORMAT: RecordFormat = RecordFormat::new::<Sixteen>("sixteen", "test");
    let value = Sixteen {
        id: u128::MAX - 1,
        sign: i128::MIN,
        hash: 0xabcd,
        two: [1, u128::MAX],
        count: 2,
        block: vec![u128::MAX / 3, 7].into(),
        each: vec![-1, 1].into(),
        more: Some(9),
        zero: 0,
    };
    let bytes = record::to_vec(&value).unwrap();
    assert_eq!(bytes[..16], (u128::MAX - 1).to_be_bytes());
    assert_eq!(record::from_slice::<Sixteen>(&bytes).unwrap(), value);
    let audit = record::audit::<Sixteen>(&[&bytes], 200).ok().unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(audit.never, [""; 0], "{audit}");
    let mut document = FORMAT.open(&bytes).unwrap();
    let json = document.to_json();
    for (path, wanted) in [
        ("id", "340282366920938463463374607431768211454"),
        ("sign", "-170141183460469231731687303715884105728"),
        ("hash", "\"0x0000000000000000000000000000abcd\""),
        ("two", "[1,340282366920938463463374607431768211455]"),
        ("block/0", "113427455640312821154458202477256070485"),
        ("each/0", "-1"),
    ] {
        assert_eq!(json.find(path).unwrap().to_string(), wanted, "{path}");
    }
    assert_eq!(FORMAT.make(&json).unwrap().to_bytes(), bytes);
    let dump = record::dump::<Sixteen>(&bytes);
    assert!(dump.contains("340282366920938463463374607431768211454"), "{dump}");
    assert!(dump.contains("0x0000000000000000000000000000abcd"), "{dump}");
    let set = |path: &str, json: &str| Edit::set(path, Json::read(json.as_bytes()).unwrap());
    document
        .edit(&[
            set("id", "340282366920938463463374607431768211455"),
            set("hash", "\"0xff\""),
            set("two/0", "5"),
        ])
        .unwrap();
    let value: Sixteen = record::from_slice(&document.to_bytes()).unwrap();
    assert_eq!((value.id, value.hash, value.two[0]), (u128::MAX, 255, 5));
    for wrong in ["-1", "340282366920938463463374607431768211456", "1.5", "\"x\"", "true"] {
        assert!(document.edit(&[set("id", wrong)]).is_err(), "{wrong}");
    }
    let mut settled = Sixteen { block: vec![1].into(), each: vec![2].into(), more: None, ..value };
    record::settle(&mut settled).unwrap();
    assert_eq!(settled.count, 1);
}
