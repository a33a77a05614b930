//! Tests definitions of Kaitai Struct. That Kaitai reads the same values by them, `fuzz/third_party/kaitai/run` checks.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Format, JsonText, RecordFormat};
use formwork::wire::{Byte, Code, Coded, Ending, TerminatedOrEnd};
use formwork::{
    BinRead, BinWrite, Block, Each, Nested, Open, Schema, Terminated, ToEnd, Until, Varint, Within,
    binrw, record,
};

/// Pictures in a list.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"PICS")]
#[schema(view(first: Picture, at = at, if = at > 0))]
pub struct Pictures {
    /// Where the first one is.
    pub at: u32,
    #[br(assert(class < 3, "a class"))]
    pub class: u8,
    #[brw(little)]
    pub count: u16,
    #[br(count = count, args { inner: (class,) })]
    pub frames: Each<Frame>,
    pub chunks: Until<Picture>,
    /// The "title".
    #[schema(text)]
    pub title: Terminated,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(class: u8))]
#[brw(big)]
pub enum Frame {
    #[br(pre_assert(matches!(class, 0 | 2)))]
    Empty,
    #[br(pre_assert(class == 1))]
    Sized {
        size: u8,
        #[br(args { bytes: size })]
        content: Within<ToEnd<u16>>,
    },
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Color {
    Gray = 0,
    RgbAlpha = 6,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(last = color.number() == 6)]
pub struct Picture {
    pub color: Open<Color>,
}

#[test]
fn a_definition_follows_the_declaration() {
    let format = RecordFormat::new::<Pictures>("pictures", "");
    assert_eq!(
        format.ksy().unwrap(),
        r#"# Made of a declaration of formwork.
meta:
  id: pictures
  title: "pictures"
  endian: be
  ks-version: "0.11"
doc: "Pictures in a list.\nReaders of this definition do not look at numbers that overflow. They refuse texts that are not UTF-8."
seq:
  - id: magic
    contents: [0x50, 0x49, 0x43, 0x53]
  - id: at
    doc: "Where the first one is."
    type: u4
  - id: class_
    doc: "a class"
    type: u1
    valid: {expr: "class_ < 3"}
  - id: count
    type: u2le
  - id: frames
    type: "frame(class_)"
    repeat: expr
    repeat-expr: "count"
  - id: chunks
    type: "picture"
    repeat: until
    repeat-until: _.is_last
  - id: title
    doc: "The \"title\"."
    type: str
    encoding: UTF-8
    terminator: 0
  - id: nothing_more
    size-eos: true
    valid: {expr: "_.length == 0"}
instances:
  first:
    if: "at > 0"
    type: "picture"
    pos: "at"
    io: _root._io
types:
  frame:
    params:
      - id: class_
        type: u1
    seq:
      - id: it
        type: {switch-on: "class_", cases: {0: "frame_empty(class_)", 2: "frame_empty(class_)", 1: "frame_sized(class_)", _: "no_variant"}}
  picture:
    seq:
      - id: color
        type: u1
        enum: color
    instances:
      is_last:
        value: "color.to_i == 6"
  frame_empty:
    params:
      - id: class_
        type: u1
    seq: []
  frame_sized:
    params:
      - id: class_
        type: u1
    seq:
      - id: size
        type: u1
      - id: content
        type: "content_content"
        size: "size"
  no_variant:
    seq:
      - id: none_of_the_variants
        size: 0
        valid:
          expr: "false"
  content_content:
    seq:
      - id: it
        type: u2
        repeat: eos
enums:
  color:
    0: gray
    6: rgb_alpha
"#
    );
    let error = JsonText.ksy().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected the format of a declared record, found json (inexpressible, rule record.ksy)"
    );
}

/// The end of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {}

impl Ending for Line {
    const END: &'static [u8] = b"\r\n";
}

/// Two bytes in turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Swapped {}

impl Code for Swapped {
    const NAME: &'static str = "swapped";

    fn decode(bytes: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.chunks(2).flat_map(|pair| pair.iter().rev()).copied().collect())
    }

    fn encode(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        Self::decode(content, key)
    }
}

fn digits(text: &[u8]) -> u8 {
    text[0] & 15
}

macro_rules! all {
    ($($name:ident $path:literal $why:literal { $($fields:tt)* })+) => {
        $(
            #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
            #[brw(little)]
            pub struct $name { $($fields)* }
        )+

        #[test]
        fn what_kaitai_cannot_say_is_refused() {
            $(
                let error = record::ksy::<$name>().unwrap_err().to_string();
                let rest = "(inexpressible, rule record.ksy)";
                assert_eq!(error, format!("{}expected what Kaitai Struct can say, found {} {rest}", $path, $why));
            )+
        }
    };
}

all! {
    Function "content: " "the function `digits`" {
        pub size: [u8; 2],
        #[br(count = digits(&size))]
        pub content: Block<u8>,
    }
    Text "text: " "a text up to \"\\r\\n\", which is more than a byte" { pub text: Terminated<Line> }
    Coding "content: " "the code swapped" {
        #[br(args { bytes: 2u8 })]
        pub content: Within<Coded<Swapped, [u8; 2]>>,
    }
    Value "" "nested 7, which only the program knows" { pub value: Nested<7> }
}

/// A form of numbers that is not in the crate.
#[derive(Clone, Debug, PartialEq)]
pub enum Short {}

impl formwork::wire::VarintKind for Short {
    type Number = u8;
    const NAME: &'static str = "short";

    fn decode(bytes: &[u8]) -> Result<(u8, usize), formwork::wire::Undecoded> {
        bytes.first().map(|byte| (*byte, 1)).ok_or(formwork::wire::Undecoded::More)
    }

    fn encode(number: u8, length: Option<usize>) -> Option<Vec<u8>> {
        length.is_none_or(|length| length == 1).then(|| vec![number])
    }

    fn kaitai() -> Option<String> {
        Some("seq:\n  - id: value\n    type: u1\n".to_owned())
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Own {
    pub number: Varint<Short>,
    pub text: TerminatedOrEnd<Byte<b'.'>>,
}

#[test]
fn a_form_of_numbers_of_your_own_has_a_type_of_your_own() {
    let ksy = record::ksy::<Own>().unwrap();
    let number = "  short_number:\n    seq:\n      - id: value\n        type: u1\n";
    assert!(ksy.contains("  - id: number\n    type: \"short_number\"\n"), "{ksy}");
    assert!(ksy.contains(number), "{ksy}");
    assert!(ksy.contains("    terminator: 46\n    eos-error: false\n"), "{ksy}");
}

/// Variants in orders of bytes of their own.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: u8))]
pub enum Ordered {
    #[br(pre_assert(kind == 1))]
    #[brw(little)]
    Little {
        value: u16,
    },
    Around {
        value: u16,
    },
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Orders {
    pub kind: u8,
    #[br(args(kind))]
    pub value: Ordered,
}

#[test]
fn the_order_of_a_variant_is_its_own() {
    let value: Orders = record::from_slice(b"\x02\x01\x02").unwrap();
    assert_eq!(value.value, Ordered::Around { value: 258 });
    let ksy = record::ksy::<Orders>().unwrap();
    assert!(ksy.contains("  endian: be\n"), "{ksy}");
    for (variant, ty) in [("little", "u2le"), ("around", "u2")] {
        let seq = format!("    seq:\n      - id: value\n        type: {ty}\n");
        let text = ksy.split_once(&format!("  ordered_{variant}:\n")).unwrap().1;
        assert_eq!(text.find(&seq), text.find("    seq:\n"), "{variant}{ksy}");
    }
}

macro_rules! named {
    ($($name:ident $id:literal)+) => {
        $(
            #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
            #[brw(little)]
            pub struct $name {
                pub of: u8,
            }
        )+

        #[test]
        fn no_type_has_the_name_of_one_of_kaitai() {
            $({
                #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
                #[brw(little)]
                struct Outer {
                    of: $name,
                }

                let ksy = record::ksy::<Outer>().unwrap();
                assert!(ksy.contains(concat!("    type: \"", $id, "\"\n")), "{ksy}");
                assert!(ksy.contains(concat!("\n  ", $id, ":\n")), "{ksy}");
                assert!(record::ksy::<$name>().unwrap().contains(concat!("  id: ", $id, "\n")));
            })+
        }
    };
}

named! {
    U1 "u1_" U2 "u2_" U8le "u8le_" S1 "s1_" S4be "s4be_" F4 "f4_" F8le "f8le_" B3 "b3_" B24 "b24_" B12be "b12be_"
    Str "str_" Strz "strz_" Bytes "bytes_" Bool "bool_" Struct "struct_" Io "io_" Any "any_"
    U3 "u3" F2 "f2" B "b" Strs "strs"
}

/// A record with all that counts from a place.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(assert(u64::from(size) == here))]
pub struct Counting {
    #[br(assert(here == 1 && size > 0))]
    pub size: u8,
    #[br(calc = left - 1)]
    #[bw(ignore)]
    pub after: u64,
    #[br(count = 2, args { inner: (here, left) })]
    pub list: Each<Place>,
    #[br(count = left - after / 100)]
    pub rest: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(at: u64, left_over: u64))]
pub struct Place {
    #[br(assert(u64::from(byte) <= at + left_over))]
    pub byte: u8,
}

#[test]
fn here_and_left_are_counted_where_they_are_said() {
    let ksy = record::ksy::<Counting>().unwrap();
    for part in [
        "seq:\n  - id: record_start\n    if: \"record_start_at >= 0\"\n    size: 0\n  - id: size\n",
        "  - id: after_start\n    if: \"after_start_at >= 0\"\n    size: 0\n  - id: holds\n    size: 0\n    valid: {expr: \"((after_start_at - record_start_at) == 1) and (size > 0)\"}\n",
        "    type: \"place(list_start_at - record_start_at, _io.size - list_start_at)\"\n",
        "    valid: {expr: \"size == (record_end_at - record_start_at)\"}\n",
        "  after:\n    value: \"(_io.size - after_start_at) - 1\"\n",
        "  record_end_at:\n    value: \"_io.pos\"\n",
    ] {
        assert!(ksy.contains(part), "{part}\n{ksy}");
    }
    assert_eq!(ksy.matches("id: after_start\n").count(), 1, "{ksy}");
    // Bytes after a record that ends with its region are refused, whatever is around.
    let ksy = record::ksy::<Around>().unwrap();
    let inner = ksy.split_once("  halved:\n").unwrap().1;
    assert!(inner.contains("      - id: nothing_more\n"), "{ksy}");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Around {
    pub ending: Halved,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Halved {
    #[br(count = left / 2)]
    pub half: Block<u8>,
}
