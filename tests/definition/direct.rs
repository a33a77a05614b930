//! Tests of the readers of bytes in memory.

use formwork::binrw::io::{Read, Seek};
use formwork::binrw::{BinResult, Endian};
use formwork::derived::{Borrowing, Direct};
use formwork::modular_bitfield::prelude::*;
use formwork::wire::{Cursor, Leb128};
use formwork::{
    BinRead, BinWrite, Block, Each, OrEnd, Padding, Schema, Slice, Terminated, ToEnd, Until,
    Varint, Within, binrw, record,
};

use crate::examples::{bmp, dns, elf, git_index, gzip, messagepack, mo, png, tar, tzif, wav, zip};

/// A text that borrows.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Text<'a> {
    length: u16,
    #[br(count = length)]
    letters: Slice<'a, u8>,
    #[br(args(length.into()))]
    padding: Padding<4>,
}

/// A flag and a number in one word.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| Self::from(raw))]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
struct Word {
    number: B15,
    more: bool,
}

/// A kind.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[brw(repr = u8)]
enum Kind {
    Number = 1,
    Texts = 2,
}

/// What a kind has.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: Kind))]
enum Content {
    #[br(pre_assert(kind == Kind::Number))]
    Number(#[brw(big)] u32, f32),
    #[brw(magic = b"tx")]
    Pieces {
        first: Piece,
        #[br(if(first.size > 1))]
        second: Option<Piece>,
    },
    #[brw(magic = 7u8)]
    Seven,
}

/// An element of a list that ends itself.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[schema(last = size == 0)]
struct Piece {
    size: u8,
    #[br(count = size)]
    bytes: Block<u8>,
}

/// Something of each kind that a direct reader follows.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = 0x1234u16)]
#[br(assert(word.number() < 32000))]
struct All<'a> {
    word: Word,
    #[br(assert(kind != Kind::Texts || word.number() > 2))]
    kind: Kind,
    scale: f64,
    #[brw(little)]
    numbers: [i16; 3],
    hash: [u8; 5],
    #[br(args(kind))]
    content: Content,
    text: Text<'a>,
    #[br(if(word.more()))]
    count: Option<Varint<Leb128>>,
    #[br(count = word.number() % 5)]
    sizes: Block<u32>,
    size: u16,
    #[br(args { bytes: size })]
    region: Within<ToEnd<u32>>,
    name: Terminated,
    pieces: Until<Piece>,
    #[br(count = word.number() / 3 % 4)]
    pairs: Each<[u16; 2]>,
    last: OrEnd<u64>,
}

#[test]
fn both_readers_read_the_same() {
    const { assert!(<All<'_> as Direct>::IS_DIRECT) };
    assert_eq!(record::from_slice::<Word>(&[0, 0]).unwrap(), Word::new());
    let audit = record::audit::<All<'static>>(&[], 400).ok().unwrap();
    assert!(audit.accepted > 400 && audit.never.is_empty(), "{audit}");
}

#[test]
fn the_gallery_is_read_directly() {
    let all = [
        ("bmp", <bmp::Bitmap as Direct>::IS_DIRECT),
        ("dns", <dns::Message as Direct>::IS_DIRECT),
        ("elf", <elf::Elf as Direct>::IS_DIRECT),
        ("git index", <git_index::Index as Direct>::IS_DIRECT),
        ("gzip", <gzip::Gzip as Direct>::IS_DIRECT),
        ("messagepack", <messagepack::Value as Direct>::IS_DIRECT),
        ("mo", <mo::Messages as Direct>::IS_DIRECT),
        ("png", <png::Png as Direct>::IS_DIRECT),
        ("tar", <tar::Tar as Direct>::IS_DIRECT),
        ("tzif", <tzif::TimeZone as Direct>::IS_DIRECT),
        ("wav", <wav::Wave as Direct>::IS_DIRECT),
        ("zip", <zip::Zip as Direct>::IS_DIRECT),
    ];
    let general: Vec<_> = all.iter().filter(|it| !it.1).map(|it| it.0).collect();
    assert_eq!(general, [""; 0]);
}

#[test]
fn slices_are_borrowed_from_the_bytes() {
    let bytes = b"\x05\0hello\0\0\0rest";
    let mut input = Cursor::new(bytes);
    let text: Text<'_> = record::read_borrowed(&mut input).unwrap();
    assert!(std::ptr::eq(&text.letters[..], &bytes[2..7]));
    assert_eq!(input.rest(), b"rest");
    // Numbers of more than a byte have an order: they are copied.
    let mut input = &b"\0\x01"[..];
    let count = formwork::wire::Count { count: 1 };
    let numbers = Slice::<'_, u16>::borrowing(&mut input, Endian::Big, count).unwrap();
    assert_eq!(&numbers[..], [1]);
    for end in 0..10 {
        let (mut owned, mut borrowed) = (Cursor::new(&bytes[..end]), Cursor::new(&bytes[..end]));
        let owned = record::read::<Text<'_>>(&mut owned).unwrap_err();
        let borrowed = record::read_borrowed::<Text<'_>>(&mut borrowed).unwrap_err();
        assert_eq!(owned.to_string(), borrowed.to_string());
    }
}

/// Read by hand, and not as it is declared.
#[derive(BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct ByHand {
    number: u16,
}

impl BinRead for ByHand {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(Self { number: u16::read_options(reader, Endian::Little, ())? | 1 })
    }
}

#[test]
fn an_audit_tells_when_they_do_not() {
    let audit = record::audit::<ByHand>(&[b"\x02\0"], 0);
    let expected =
        "sample 0: the direct reader reads something else than the general one, to 2 and 2";
    assert_eq!(audit.faults.first().map(String::as_str), Some(expected), "{audit}");
}

/// One line is the fuzz target of a declared record.
#[test]
fn a_fuzzer_is_told_when_they_do_not() {
    let refused = record::audit_bytes::<ByHand>(b"\x02\0").unwrap_err();
    assert!(refused.contains("the input: the direct reader reads something else"), "{refused}");
    // The bytes are refused; the value that is made of their seed shows it.
    let refused = record::audit_bytes::<ByHand>(b"\x04").unwrap_err();
    assert!(refused.contains("fault: value 4: "), "{refused}");
    for bytes in [&b""[..], b"\0", &[0xff; 8], &[7; 300]] {
        assert_eq!(record::audit_bytes::<All<'static>>(bytes), Ok(()), "{bytes:?}");
    }
}
