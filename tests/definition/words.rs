//! Audits words whose parts are numbers of some bits.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::{BinRead, BinWrite, Block, Each, Open, Schema, ToEnd, Word, binrw, record};

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Animal {
    Cat = 0,
    Dog = 1,
    Chicken = 4,
    Turtle = 12,
}

/// Twenty-four bits, written as a specification writes them.
#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
#[schema(first = high)]
pub struct Head {
    #[schema(bits = 3)]
    pub version: u8,
    pub more: bool,
    #[schema(bits = 4)]
    pub animal: Animal,
    #[schema(bits = 12)]
    pub size: u16,
    #[schema(bits = 4)]
    pub other: Open<Animal>,
}

/// More bits than any number has.
#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = low)]
pub struct Wide {
    pub flag: bool,
    pub number: u64,
    #[schema(bits = 7)]
    pub rest: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Packet {
    pub head: Head,
    #[br(count = head.size)]
    pub bytes: Block<u8>,
    #[br(if(head.more && head.version == 5))]
    pub wide: Option<Wide>,
    #[br(if(head.other.number() == 7))]
    pub seven: Option<u8>,
    #[brw(big)]
    pub one: Wide,
    #[br(count = one.rest)]
    pub list: Each<Head>,
}

const PACKET: &[u8] = b"\xb1\x00\x27hi\x03\0\0\0\0\0\0\0\x02\x09\x02\0\0\0\0\0\0\0\x03\x1c\0\x01";

#[test]
fn parts_have_any_width_and_begin_at_either_end() {
    let packet: Packet = record::from_slice(PACKET).unwrap();
    assert_eq!(
        packet.head,
        Head { version: 5, more: true, animal: Animal::Dog, size: 2, other: Open::Other(7) }
    );
    assert_eq!(packet.wide, Some(Wide { flag: true, number: 1, rest: 1 }));
    assert_eq!(packet.one, Wide { flag: true, number: 1, rest: 1 });
    assert_eq!(packet.list[0].animal, Animal::Turtle);
    assert_eq!(record::to_vec(&packet).unwrap(), PACKET);
    let audit =
        record::audit::<Packet>(&[PACKET], 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
}

#[test]
fn parts_are_settled_and_held_to_their_width() {
    let mut packet: Packet = record::from_slice(PACKET).unwrap();
    packet.bytes.extend([7; 300]);
    packet.seven = None;
    record::settle(&mut packet).unwrap();
    assert_eq!((packet.head.size, packet.head.other == Open::Other(7)), (302, false));
    packet.head.version = 8;
    assert_eq!(
        record::to_vec(&packet).unwrap_err().to_string(),
        "head.version: expected a number of 3 bits, found 8 (inexpressible, rule record.agreement)"
    );
}

#[test]
fn a_number_without_a_name_is_refused_where_all_have_names() {
    let error = record::from_slice::<Packet>(b"\xb2\x00\x27").unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 0 (0x0), head: expected `animal`: 0 Cat or 1 Dog or 4 Chicken or 12 Turtle, found 2 \
         (malformed, rule record.number)"
    );
    assert_eq!(
        record::page::<Head>(),
        "# Head\n\nTwenty-four bits, written as a specification writes them.\n\n\
         A word of 3 bytes, big endian. Bit 0 is the lowest one.\n\n| Bits | Part | Meaning |\n\
         | --- | --- | --- |\n| 21 to 23 | `version` |  |\n| 20 | `more` |  |\n\
         | 16 to 19 | `animal` | 0 Cat, 1 Dog, 4 Chicken, 12 Turtle. |\n| 4 to 15 | `size` |  |\n\
         | 0 to 3 | `other` | 0 Cat, 1 Dog, 4 Chicken, 12 Turtle. Others are possible. |\n"
    );
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Flags(pub ToEnd<Flag>);

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Flag {
    pub one: bool,
    #[schema(bits = 7, zero)]
    pub spare: u8,
}

#[test]
fn words_of_bytes_need_no_order() {
    let flags: Flags = record::from_slice(&[0x80, 0]).unwrap();
    assert_eq!(flags.0[0], Flag { one: true, spare: 0 });
    assert!(record::check::<Flags>(&[1]).unwrap_err().to_string().contains("`spare` to be zero"));
    record::audit::<Flags>(&[&[0x80, 0]], 100).ok().unwrap();
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Side {
    Left = 0,
    Right = 1,
}

/// A part of one bit whose numbers have names.
#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[schema(first = high)]
pub struct Sides {
    #[schema(bits = 1)]
    pub side: Side,
    pub flag: bool,
    #[schema(bits = 6)]
    pub rest: u8,
}

#[test]
fn a_named_bit_is_no_flag() {
    for (byte, line) in [(0x80, "side Right (1), rest 0"), (0x40, "side Left (0), flag, rest 0")] {
        let dump = record::dump::<Sides>(&[byte]);
        assert!(dump.contains(line), "{dump}");
    }
}
