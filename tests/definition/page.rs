//! The README and the page "Declare a format of your own" show what the library prints.
//! `UPDATE=1 cargo test --test definition page` writes them.

#[allow(dead_code, missing_docs, reason = "the example has a `main`")]
#[path = "../../examples/own_format.rs"]
mod own_format;
#[allow(dead_code, missing_docs, reason = "the example has a `main`")]
#[path = "../../examples/scores.rs"]
mod scores;

use crate::examples::png;
use formwork::wire::{Byte, LittleBytes, Rotate, TerminatedOrEnd, UpTo, Xor, XorKey};
use formwork::{
    BinRead, BinWrite, Block, Coded, Each, Open, Schema, Terminated, ToEnd, Varint, WithRest,
    Within, Word, binrw, record,
};
use own_format::Pack;
use scores::Scores;

/// The file of the example.
const SCORES: &[u8] = b"SCOR\x03\x0c\0\x09\0\x07\0";

fn read(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Returns what is to be in a block of the page.
fn block(name: &str) -> Option<String> {
    let pack = bytes("examples/own_format/hello.pak");
    let lines = |text: String| {
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    Some(match name {
        "text png" => {
            lines(record::dump::<png::Png>(&bytes("examples/formats/samples/wrong_crc.png")))
        }
        "text dump" => lines(record::dump::<Pack>(&pack)),
        "text cut" => lines(record::dump::<Pack>(&pack[..pack.len() - 5])),
        "markdown page" => record::page::<Pack>(),
        "text broken" => record::broken::<Pack>(&pack).map(|copy| format!("{copy}\n")).collect(),
        "text error" => {
            let error = record::from_slice::<Pack>(b"PACK\x03\0\0\0\0\0\0\0").unwrap_err();
            format!("{error}\n")
        }
        "text scores" => {
            let error = record::from_slice::<Scores>(&SCORES[..8]).unwrap_err();
            format!("{}\n{error}\n", lines(record::dump::<Scores>(SCORES)))
        }
        "rust scores" => {
            let source = read("examples/scores.rs");
            let start = source.find("#[derive").unwrap();
            source[start..source.find("\nfn main").unwrap()].to_owned()
        }
        "rust declare" => {
            let source = read("examples/own_format.rs");
            let start = source.find("use formwork").unwrap();
            source[start..source.find("\nfn main").unwrap()].to_owned()
        }
        "rust program" => {
            let source = read("examples/own_program.rs");
            source[source.find("use std").unwrap()..].to_owned()
        }
        _ => return None,
    })
}

/// Compares a page with what is printed now in its blocks, of which there are this many.
fn shows_what_is_printed(path: &str, count: usize) {
    let page = read(path);
    let (mut made, mut rest) = (String::new(), page.as_str());
    let mut blocks = 0;
    while let Some(start) = rest.find("\n```") {
        let (before, after) = rest.split_at(start + 4);
        made.push_str(before);
        let (name, body) = after.split_once('\n').unwrap();
        // (An empty block ends with the line after its first one.)
        let end = format!("\n{body}").find("\n```").unwrap();
        let (there, after) = (&body[..end], &body[end..]);
        let expected = block(name);
        blocks += usize::from(expected.is_some());
        made.push_str(name);
        made.push('\n');
        made.push_str(&expected.unwrap_or_else(|| there.to_owned()));
        made.push_str("```");
        rest = &after[3..];
    }
    made.push_str(rest);
    assert_eq!(blocks, count, "every block of {path} is made");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR")), made).unwrap();
    } else {
        assert_eq!(made, page);
    }
}

#[test]
fn the_page_shows_what_is_printed() {
    shows_what_is_printed("docs/own_format.md", 8);
}

#[test]
fn the_readme_shows_what_is_printed() {
    shows_what_is_printed("README.md", 2);
}

#[test]
fn the_format_of_the_page_is_audited() {
    let pack = bytes("examples/own_format/hello.pak");
    let audit =
        record::audit::<Pack>(&[&pack], 500).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, audit.never), (500, vec![]));
}

/// Asserts that a page has these lines, each once.
fn has_lines(page: &str, lines: &[&str]) {
    for line in lines {
        assert_eq!(page.lines().filter(|it| it == line).count(), 1, "{line}\n{page}");
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
struct Orders {
    order: u8,
    #[br(is_big = order == 1)]
    #[bw(is_big = *order == 1)]
    number: u16,
    #[br(args(order))]
    one: One,
    #[br(args(order))]
    other: Other,
    word: Halves,
    around: Around,
    list: ToEnd<Around>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(little, import(kind: u8))]
#[bw(little)]
enum One {
    #[br(pre_assert(kind == 1))]
    First {
        number: u16,
    },
    Second {
        number: u32,
    },
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: u8))]
enum Other {
    #[br(pre_assert(kind == LITTLE))]
    #[brw(little)]
    Own {
        number: u16,
    },
    #[br(pre_assert(kind == 2))]
    Byte {
        number: u8,
    },
    Free {
        number: u32,
    },
}

const LITTLE: u8 = 1;

#[derive(Word, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
#[schema(first = low)]
struct Halves {
    #[schema(bits = 8)]
    low: u8,
    #[schema(bits = 8)]
    high: Open<Color>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
enum Color {
    Red = 1,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
struct Around {
    number: u16,
}

#[test]
fn a_page_has_the_order_of_each_variant_word_and_field() {
    let page = record::page::<Orders>();
    has_lines(
        &page,
        &[
            "| 1 | `number` | `u16` |  | Big endian if `order == 1`, else little endian. |",
            "A word of 2 bytes, little endian. Bit 0 is the lowest one.",
            "| 8 to 15 | `high` | 1 Red. Others are possible. |",
            "`LITTLE` is 1.",
        ],
    );
    let section = |title: &str| {
        let start = page.find(&format!("# {title}\n")).unwrap_or_else(|| panic!("{title}\n{page}"));
        page[start..].split("\n\n").nth(1).unwrap().trim().to_owned()
    };
    for (title, said) in [
        ("Orders", "Numbers are big endian."),
        ("One", "Parameters: `kind` (u8)."),
        ("Other::Own", "Numbers are little endian."),
        ("Other::Free", "Numbers have the order of bytes that is around."),
        ("Around", "Numbers have the order of bytes that is around."),
    ] {
        assert_eq!(section(title), said);
    }
    assert!(section("Other::Byte").starts_with("| Offset"), "{page}");
    let one = &page[page.find("# One\n").unwrap()..page.find("# One::First\n").unwrap()];
    assert!(one.contains("\nNumbers are little endian.\n"), "{one}");
    let word = record::page::<WithRest<Around>>();
    assert!(word.contains("has the order") || word.contains("have the order"), "{word}");
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Texts {
    taken: Terminated<Byte<b'|'>>,
    left: UpTo<Byte<b'|'>>,
    bar: u8,
    zero: Terminated,
    number: Varint<LittleBytes<3>>,
    #[schema(text, end = b'@', fill = b'+')]
    ended: [u8; 8],
    #[schema(text)]
    text: [u8; 4],
    #[schema(text = latin1)]
    latin: [u8; 4],
    colors: [Color; 2],
    last: TerminatedOrEnd<Byte<b'|'>>,
}

#[test]
fn a_page_says_how_texts_end() {
    let page = record::page::<Texts>();
    has_lines(
        &page,
        &[
            "| 0 | `taken` | `text and \"\\|\"` |  |  |",
            "|  | `left` | `text before \"\\|\" or end` | what ends it belongs to the next field, or is missing at the end |  |",
            "|  | `zero` | `terminated text` |  |  |",
            "|  | `number` | `varint (little endian of 3 bytes)` |  |  |",
            "|  | `ended` | `u8[8]` |  | Text in UTF-8 up to `@`, filled up with `+`. |",
            "|  | `text` | `u8[4]` |  | Text in UTF-8, filled up with zeros. |",
            "|  | `latin` | `u8[4]` |  | Text in Latin-1. |",
            "|  | `colors` | `u8[2]` |  | 1 Red. |",
            "|  | `last` | `text and \"\\|\" or end` | what ends it may be missing at the end |  |",
        ],
    );
    let dump = record::dump::<Texts>(b"ab|cd|e\0\x01\0\0ab@+++++abc\0latn\x01\x01ef");
    for line in [
        "taken                     text and \"|\"",
        "left                      text before \"|\" or end",
    ] {
        assert!(dump.contains(line), "{line}\n{dump}");
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Handed {
    key: u8,
    n: u8,
    #[br(count = n)]
    codes: Block<u8>,
    #[br(count = n, args { each: binrw::args! { bytes: 4, inner: binrw::args! { key: key, inner: (n,) } } })]
    coded: Each<Within<Coded<XorKey, Item>>>,
    #[br(count = n, args { each: binrw::args! { bytes: codes[index], inner: (codes[index],) } })]
    sized: Each<Within<Item>>,
    #[br(args { bytes: 3 })]
    fixed: Within<Coded<Xor<0x15>, [u8; 3]>>,
    #[br(args { bytes: n })]
    turned: Within<Coded<Rotate<3>, ToEnd<u8>>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: u8))]
#[brw(little)]
struct Item {
    #[br(if(kind > 1))]
    number: Option<u8>,
    #[br(count = left)]
    rest: Block<u8>,
}

#[test]
fn a_page_has_the_arguments_of_what_is_in_lists_and_codes() {
    let page = record::page::<Handed>();
    has_lines(
        &page,
        &[
            "|  | `coded` | [Item](#item) | `n` times, each in `4` bytes, coded: XOR with a key (`key`), with `n` |  |",
            "|  | `sized` | [Item](#item) | `n` times, each in `codes[index]` bytes, with `codes[index]` |  |",
            "|  | `fixed` | `u8[3]` | in `3` bytes, coded: XOR with 0x15 |  |",
            "|  | `turned` | `u8` | in `n` bytes, coded: bits turned left by 3, up to the end |  |",
            "`index` is the position of the element in its list, from 0 on.",
            "`left` is the number of bytes from the field on, up to the end of the region around, where this record ends, too.",
        ],
    );
}

/// A head
/// that is short.
///
/// Its second paragraph:
///
/// * an item
/// * another one
///
/// ```text
/// left out
/// ```
///
/// After it.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(assert(u64::from(size) == here, "not all"))]
struct Short {
    /// In a
    ///
    /// cell.
    size: u8,
    #[br(args { bytes: size })]
    rest: Within<WithRest<Around>>,
}

#[test]
fn a_page_has_the_paragraphs_of_a_comment_and_no_code() {
    let page = record::page::<Short>();
    let start = "# Short\n\nA head that is short.\n\nIts second paragraph:\n\n* an item\n* another one\n\nNumbers";
    assert!(page.starts_with(start), "{page}");
    assert!(!page.contains("```") && !page.contains("derive"), "{page}");
    has_lines(
        &page,
        &[
            "| 0 | `size` | `u8` |  | In a cell. |",
            "Must hold: `u64::from(size) == here` (not all).",
            "`here` is the number of bytes of this record in front of the field; in what must hold, those of the field are counted, too, and of a condition of the record all.",
        ],
    );
}

mod alike {
    pub mod first {
        use formwork::{BinRead, BinWrite, Schema, binrw};

        pub const MOST: u8 = 3;

        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        #[brw(little)]
        pub struct Item {
            pub kind: u8,
            #[br(if(kind > MOST))]
            pub wide: Option<u16>,
        }

        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        pub struct Holder {
            pub item: Item,
        }
    }

    pub mod second {
        use formwork::{BinRead, BinWrite, Schema, binrw};

        pub const MOST: u8 = 4;

        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        #[brw(little)]
        pub struct Item {
            pub kind: u8,
            #[br(if(kind > MOST))]
            pub wide: Option<u16>,
        }

        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        pub struct Holder {
            pub item: Item,
        }
    }

    pub mod third {
        use formwork::{BinRead, BinWrite, Schema, binrw};

        #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
        #[brw(big)]
        pub struct Item {
            pub kind: u8,
            #[br(if(kind > super::first::MOST))]
            pub wide: Option<u16>,
        }
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Alike {
    first: alike::first::Holder,
    second: alike::second::Holder,
    third: alike::third::Item,
    again: alike::first::Holder,
}

#[test]
fn types_that_look_alike_are_told_apart() {
    let page = record::page::<Alike>();
    has_lines(
        &page,
        &[
            "| 0 | `first` | [Holder](#holder) |  |  |",
            "|  | `second` | [Holder (2)](#holder-2) |  |  |",
            "|  | `again` | [Holder](#holder) |  |  |",
            "## Holder (2)",
            "## Item (2)",
            "## Item (3)",
            "`MOST` is 4.",
            "Numbers are big endian.",
        ],
    );
    assert_eq!(page.matches("\n## Item").count(), 3, "{page}");
    let ksy = record::ksy::<Alike>().unwrap();
    for line in [
        "    type: \"holder\"",
        "  - id: second\n    type: \"holder_part\"",
        "        if: \"kind > 4\"",
        "        type: u2be",
    ] {
        assert!(ksy.contains(line), "{line}\n{ksy}");
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
enum Long {
    #[brw(magic = 0x1_0000_0000_0000_0007_u128)]
    Seven { of: u8 },
}

#[test]
fn a_magic_of_sixteen_bytes_is_all_of_its_number() {
    let page = record::page::<Long>();
    has_lines(&page, &["| Seven | it begins with the number 18446744073709551623 |"]);
}
