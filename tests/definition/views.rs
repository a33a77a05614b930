//! Views: what is elsewhere in the file, read by the methods that the derive makes, reached by paths.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Format, RecordFormat};
use formwork::{BinRead, BinWrite, Block, Each, Schema, Terminated, ToEnd, Within, binrw, record};

/// Entries that say where the rest is.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(trailer: Trailer, at = trailer_at, bytes = ..))]
pub struct Archive {
    pub trailer_at: u32,
    pub count: u8,
    pub version: u8,
    #[br(count = count, args { inner: (version,) })]
    pub entries: Each<Entry>,
    pub names_size: u8,
    #[br(args { bytes: names_size })]
    pub names: Within<Names>,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(version: u8))]
#[brw(little)]
#[schema(view(body: Body, at = offset, args(kind, version)))]
#[schema(view(tags: Each<Tag>, at = offset + 1, count = kind, if = kind > 0))]
pub struct Entry {
    pub kind: u8,
    #[br(if(version > 0))]
    pub spare: Option<u8>,
    pub offset: u16,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: u8, version: u8))]
#[brw(little)]
pub enum Body {
    #[br(pre_assert(kind == 1))]
    Number {
        number: u16,
    },
    #[br(pre_assert(kind == 2 && version < 9))]
    Text {
        text: Terminated,
    },
    None,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Tag {
    pub letter: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Trailer {
    pub size: u8,
    #[br(count = size)]
    pub bytes: Block<u8>,
}

/// Names behind their table: the offsets count from a field, from the record, from the region.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(first: Terminated, from = pool, at = first_at))]
#[schema(view(again: Terminated, from = self, at = first_at + 1))]
#[schema(view(third: Terminated, from = region, at = first_at + 1))]
pub struct Names {
    pub first_at: u8,
    pub pool: ToEnd<u8>,
}

const ARCHIVE: &[u8] =
    b"\x20\0\0\0\x02\0\x01\x16\0\x02\x18\0\x06\x03ab\0c\0\0\0\0\x0a\x01hi\0\x05....\x02xy";

#[test]
fn a_view_is_a_value() {
    let archive: Archive = record::from_slice(ARCHIVE).unwrap();
    let [one, two] = &archive.entries[..] else { panic!("{archive:?}") };
    assert_eq!(one.body(ARCHIVE, 0).unwrap(), Body::Number { number: 0x010a });
    assert_eq!(two.body(ARCHIVE, 0).unwrap(), Body::Text { text: "hi".into() });
    assert_eq!(two.body(ARCHIVE, 9).unwrap(), Body::None);
    let tags = two.tags(ARCHIVE).unwrap().unwrap();
    assert_eq!(tags.iter().map(|tag| tag.letter).collect::<Vec<_>>(), b"i\0");
    assert_eq!(Entry { kind: 0, ..one.clone() }.tags(ARCHIVE).unwrap(), None);
    assert_eq!(archive.names.first(ARCHIVE, 14).unwrap(), *b"c");
    assert_eq!(
        Entry { offset: 99, ..one.clone() }.body(ARCHIVE, 0).unwrap_err().to_string(),
        "body: expected bytes at 99 of the file, found a file of 35 bytes (malformed, rule record.view)"
    );
    assert_eq!(
        Archive { trailer_at: 31, ..archive.clone() }.trailer(ARCHIVE).unwrap_err().to_string(),
        "offset 32 (0x20), trailer: expected 46 bytes, found 3 left; at least 43 more bytes needed"
    );
}

#[test]
fn views_are_walked_with_their_arguments() {
    record::check::<Archive>(ARCHIVE).unwrap();
    let dump = record::dump::<Archive>(ARCHIVE);
    for line in ["at 0x16", "\"hi\"", "105", "\"xy\"", "266"] {
        assert!(dump.contains(line), "{line}\n{dump}");
    }
    let places: Vec<_> = record::views::<Archive>(ARCHIVE).unwrap();
    let places: Vec<_> =
        places.iter().map(|(path, place)| format!("{path} {}", place.start)).collect();
    assert_eq!(
        places,
        [
            "entries[0].body 22",
            "entries[0].tags 23",
            "entries[1].body 24",
            "entries[1].tags 25",
            "names.first 17",
            "names.again 17",
            "names.third 17",
            "trailer 32"
        ]
    );
    let audit =
        record::audit::<Archive>(&[ARCHIVE], 200).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
    let page = record::page::<Archive>();
    for line in [
        "`trailer`: Trailer from offset `trailer_at` of the file to the end of the file.",
        "`body`: Body at offset `offset` of the file, with `kind`, `version`.",
        "`tags`: Tag[] at offset `offset + 1` of the file, `kind` times if `kind > 0`.",
        "`first`: terminated text at offset `first_at` of `pool`.",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
}

#[test]
fn paths_lead_into_views() {
    static FORMAT: RecordFormat = RecordFormat::new::<Archive>("archive", "test");
    let document = FORMAT.open(ARCHIVE).unwrap();
    for (path, wanted) in [
        ("entries/1/body", r#"{"$Text":{"text":"hi"}}"#),
        ("entries/1/body/text", r#""hi""#),
        ("entries/1/tags/0/letter", "105"),
        ("trailer/bytes", r#""xy""#),
        ("names/first", r#""c""#),
        ("entries/1/offset", "24"),
    ] {
        assert_eq!(document.get(path).unwrap().to_string(), wanted, "{path}");
    }
    assert!(document.get("entries/0/text").is_err());
    assert!(document.get("entries/2/body").is_err());
}
