//! Each row of the page's table "What can stand in a declaration".

#![allow(missing_docs, dead_code, reason = "the declarations are the tests' own")]

use formwork_variant::Error;
use formwork_variant::binrw::{self, BinRead, BinWrite};
use formwork_variant::generate::arbitrary::{Arbitrary, Unstructured};
use formwork_variant::record;
use formwork_variant::schema::Schema;
use formwork_variant::wire::{Block, Each, Nested, Padding, ToEnd, rule};
use modular_bitfield::prelude::*;

use super::proof;

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"ALL\x1a")]
#[br(assert(low < high))]
#[schema(arbitrary)]
pub(super) struct All {
    low: i16,
    high: i16,
    real: u64,
    four: [u32; 4],
    length: u8,
    #[br(count = length)]
    shorts: Block<'static, i16>,
    #[schema(zero)]
    reserved: [u8; 3],
    kind: Kind,
    #[br(if(kind != Kind::Stereo))]
    other: Option<u32>,
    word: Word,
    #[br(count = word.count() * 2)]
    #[schema(text)]
    text: Block<'static, u8>,
    #[br(args(length.into()))]
    padding: Padding,
    #[brw(magic = 7_u16)]
    #[schema(text)]
    name: [u8; 6],
    pairs: Pairs<u16>,
    rest: ToEnd<Part>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(arbitrary)]
pub(super) struct Pairs<T>
where
    T: Schema + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()> + 'static,
{
    #[br(assert(count <= 9))]
    count: u32,
    #[br(count = count)]
    firsts: Each<T>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub(super) struct Part {
    length: u16,
    #[br(count = length)]
    bytes: Block<'static, u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub(super) enum Kind {
    Stereo = 1,
    Mono = 4,
}

#[derive(Schema)]
#[bitfield]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| raw.into())]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
pub(super) struct Word {
    /// How many.
    pub count: B12,
    /// Whether there is more.
    pub more: bool,
    /// For later.
    #[schema(zero)]
    pub unused: B3,
}

fn sample() -> All {
    All {
        low: -2,
        high: 3,
        real: 1 << 40,
        four: [1, 2, 3, 4],
        length: 2,
        shorts: Block(vec![-1, 258].into()),
        reserved: [0; 3],
        kind: Kind::Mono,
        other: Some(9),
        word: Word::new().with_count(2).with_more(true),
        text: Block(b"text".to_vec().into()),
        padding: Padding::after(2),
        name: *b"name\0\0",
        pairs: Pairs { count: 1, firsts: Each(vec![0x0102]) },
        rest: ToEnd(vec![Part { length: 3, bytes: Block(b"abc".to_vec().into()) }; 2]),
    }
}

#[test]
fn a_record_of_all_kinds_is_written_in_its_order() {
    let bytes = record::to_vec(&sample()).expect("it is whole");
    // Arrays and bit-packed words in the order of the record around them.
    assert_eq!(bytes[32..37], [2, 0xff, 0xff, 1, 2]);
    assert_eq!(bytes[45..47], [0x10, 0x02]);
    assert_eq!(record::from_slice(&bytes), Ok(sample()));
    assert_eq!(record::check::<All>(&bytes), Ok(()));
    let dump = record::dump::<All>(&bytes);
    assert!(dump.contains("Word (big endian)   2, more\n"), "{dump}");
    assert!(dump.contains("i16 (big endian)[2]  [-1, 258]\n"), "{dump}");
    assert!(dump.contains("Part[]\n"), "{dump}");
}

#[test]
fn an_error_says_which_of_all_kinds_it_is() {
    let bytes = record::to_vec(&sample()).expect("it is whole");
    let broken = |at: usize, byte: u8| -> Error {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        record::from_slice::<All>(&bytes).expect_err("it is broken")
    };
    for (error, rule, offset, path, text) in [
        (broken(3, 0), rule::RECORD_MAGIC, 0, "magic", "expected `ALL\\x1a`, found `ALL\\x00`"),
        (broken(40, 2), rule::RECORD_NUMBER, 40, "kind", "expected 1 Stereo or 4 Mono, found 2"),
        (
            broken(4, 0x7f),
            rule::RECORD_ASSERT,
            0,
            "",
            "expected `low < high`, found low = 32766, high = 3",
        ),
    ] {
        assert_eq!((error.rule(), error.offset()), (rule, offset), "{error}");
        assert_eq!(error.path().to_string(), path, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn what_is_promised_holds_of_all_kinds() {
    let made = proof::arbitrary_values_are_whole::<All>();
    let mut lengths: Vec<_> = made.iter().map(Vec::len).collect();
    lengths.sort_unstable();
    // Where every list is empty, it takes 51 bytes.
    assert!(lengths[150] > 71, "not only empty ones: {lengths:?}");
    for bytes in made.iter().take(50) {
        proof::breaches_are_as_was_said::<All>(bytes);
    }
    let bytes = record::to_vec(&sample()).expect("it is whole");
    let breaches = proof::breaches_are_as_was_said::<All>(&bytes);
    for (field, how) in [
        ("kind", "a number without a name"),
        ("reserved", "not zero"),
        ("padding", "not zero"),
        ("word.count", "a count far too large"),
        ("word.unused", "an unused bit set"),
        ("low", "what is asserted does not hold"),
        ("high", "what is asserted does not hold"),
        ("name_magic", "other bytes"),
        ("rest[0].length", "a count far too large"),
    ] {
        let found = breaches.iter().find(|it| it.field.to_string() == field && it.how == how);
        assert!(found.is_some(), "{field}: {how}");
    }
}

#[test]
fn generic_records_are_arbitrary_too() {
    let pairs = Pairs::<u64>::arbitrary(&mut Unstructured::new(&[0x91; 90])).expect("a value");
    assert_eq!(pairs.count as usize, pairs.firsts.len());
}

#[derive(Schema)]
#[bitfield]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
#[repr(u8)]
pub(super) struct Flags {
    pub separate: bool,
    pub unused: B7,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub(super) struct Named {
    flags: Flags,
}

#[test]
fn a_name_alone_says_nothing_about_a_part() {
    // `separate` is a part of the engines' NodePath, and `unused` says that it is zero in their words.
    for bits in [0, 0xff] {
        assert_eq!(record::check::<Named>(&[bits]), Ok(()));
        let dump = record::dump::<Named>(&[bits]);
        assert!(!dump.contains("rule"), "{dump}");
        assert!(record::from_slice::<Named>(&[bits]).is_ok());
    }
}

#[derive(BinRead, Schema, Clone, Debug, PartialEq)]
#[br(little)]
pub(super) struct Filled {
    length: u8,
    #[br(count = length / 2)]
    #[schema(bytes = length)]
    numbers: Nested<u16>,
    #[schema(count = length / 2)]
    last: Nested<u8>,
}

#[test]
fn elements_that_fill_bytes_are_all_shown() {
    let bytes = [6, 1, 0, 2, 0, 3, 0, 7, 8, 9];
    assert_eq!(record::check::<Filled>(&bytes), Ok(()));
    let dump = record::dump::<Filled>(&bytes);
    assert!(dump.contains("[1, 2, 3]"), "{dump}");
}

#[test]
fn what_stands_at_the_start_is_as_long_as_the_constant_says() {
    for (shape, head) in [
        (Filled::SHAPE, Filled::HEAD_SIZE),
        (Named::SHAPE, Named::HEAD_SIZE),
        (First::SHAPE, First::HEAD_SIZE),
        (Pairs::<u16>::SHAPE, Pairs::<u16>::HEAD_SIZE),
    ] {
        assert_eq!(shape.head_size(), head, "{shape}");
    }
}

#[derive(BinRead, Schema, Clone, Debug, PartialEq)]
#[br(little)]
pub(super) struct First {
    nested: Nested<u32>,
    byte: u8,
}

#[test]
#[ignore = "the one walk of the definition crate"]
fn a_record_has_the_size_that_its_shape_has() {
    assert_eq!(First::SHAPE.size(), First::SIZE);
}

#[test]
#[ignore = "the one walk of the definition crate"]
fn half_a_number_at_the_end_is_incomplete_for_every_reader() {
    let bytes = [1, 0, 2];
    let read = record::from_slice::<ToEnd<u16>>(&bytes).expect_err("half a number is left");
    let checked = record::check::<ToEnd<u16>>(&bytes).expect_err("half a number is left");
    assert_eq!((read.rule(), read.path()), (checked.rule(), checked.path()));
}
