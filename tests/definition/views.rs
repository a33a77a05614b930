//! Views: what is elsewhere in the file, read by the methods that the derive makes, reached by paths.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Edit, Format, Json, RecordFormat};
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
        "`trailer`: [Trailer](#trailer) from offset `trailer_at` of the file to the end of the file.",
        "`body`: [Body](#body) at offset `offset` of the file, with `kind`, `version`.",
        "`tags`: [Tag[]](#tag) at offset `offset + 1` of the file, `kind` times if `kind > 0`.",
        "`first`: `terminated text` at offset `first_at` of `pool`.",
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

/// A directory behind the contents of its files.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"PK")]
#[schema(view(files: Each<File>, at = directory_at, count = count))]
pub struct Pack {
    pub directory_at: u16,
    pub size: u8,
    #[br(count = size)]
    pub contents: Block<u8>,
    pub count: u8,
    #[br(count = count, args { inner: (2,) })]
    pub files: Each<Row>,
    #[schema(sum = checksum, over = ..)]
    pub sum: u8,
}

/// The directory as it is looked at.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct File {
    pub name: u8,
    pub skip: u8,
    pub at: u8,
    pub size: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(unit: u8))]
#[brw(little)]
#[schema(view(content: ToEnd<u8>, at = (at as u16) * (unit as u16) - 1, bytes = size))]
#[schema(view(first: u8, at = skip + 5, if = size > 0))]
pub struct Row {
    pub name: u8,
    pub skip: u8,
    pub at: u8,
    pub size: u8,
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

fn pack() -> (Pack, Vec<u8>) {
    let row = |name, skip, at, size| Row { name, skip, at, size };
    let mut pack = Pack {
        directory_at: 13,
        size: 0,
        contents: b"hallo.!".to_vec().into(),
        count: 0,
        files: vec![row(b'a', 0, 3, 6), row(b'b', 6, 6, 1)].into(),
        sum: 0,
    };
    record::settle(&mut pack).unwrap();
    let bytes = record::to_vec(&pack).unwrap();
    (pack, bytes)
}

#[test]
fn settling_moves_views_with_what_they_show() {
    let (mut pack, before) = pack();
    assert_eq!(&pack.files[1].content(&before, 2).unwrap()[..], b"!");
    assert_eq!(pack.files(&before).unwrap()[1].name, b'b');
    // Two bytes more in the middle of the first content, and an entry in front of the others.
    let mut contents = pack.contents.to_vec();
    contents.splice(2..2, *b"xy");
    pack.contents = contents.into();
    pack.files.insert(0, Row { name: b'n', skip: 1, at: 4, size: 2 });
    record::settle_from(&mut pack, &before).unwrap();
    let after = record::to_vec(&pack).unwrap();
    record::check::<Pack>(&after).unwrap();
    let [new, one, two] = &pack.files[..] else { panic!("{pack:?}") };
    assert_eq!((new.skip, new.at, new.size), (1, 4, 2));
    assert_eq!((one.skip, one.at, one.size), (0, 3, 8));
    assert_eq!((two.skip, two.at, two.size), (8, 7, 1));
    assert_eq!(&one.content(&after, 2).unwrap()[..], b"haxyllo.");
    assert_eq!(&two.content(&after, 2).unwrap()[..], b"!");
    assert_eq!(two.first(&after).unwrap(), Some(b'!'));
    assert_eq!(pack.directory_at, 15);
}

#[test]
fn a_place_that_cannot_be_written_is_refused() {
    let (pack, before) = pack();
    // One byte more: the offset counts pairs.
    let mut odd = pack.clone();
    odd.contents.insert(0, b'x');
    let kept = odd.clone();
    let error = record::settle_from(&mut odd, &before).unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 14 (0xe), files[0].content: expected 6 bytes at 6 of the file, where what it looks at is now, \
         found no number of a field that gives it (malformed, rule record.view)"
    );
    assert_eq!(odd, kept);
    // What is looked at is gone.
    let mut less = pack.clone();
    less.contents = b"ha".to_vec().into();
    let error = record::settle_from(&mut less, &before).unwrap_err();
    assert_eq!(error.path().to_string(), "files[0].content");
    assert_eq!(error.rule().to_string(), "record.view");
    // Another place is given with it.
    for row in less.files.iter_mut() {
        (row.skip, row.at, row.size) = (0, 3, 0);
    }
    record::settle_from(&mut less, &before).unwrap();
    assert_eq!((less.size, less.files[0].at), (2, 3));
}

#[test]
fn an_edit_moves_views() {
    static FORMAT: RecordFormat = RecordFormat::new::<Pack>("pack", "test");
    let (_, before) = pack();
    let mut document = FORMAT.open(&before).unwrap();
    let changes =
        document.edit(&[formwork::document::Edit::set("contents", "hall--o.!".into())]).unwrap();
    let changes: Vec<_> = changes.iter().map(|it| it.path.clone()).collect();
    assert_eq!(
        changes,
        ["directory_at", "size", "contents", "files/0/size", "files/1/skip", "files/1/at", "sum"]
    );
    assert_eq!(document.get("files/1/content").unwrap().to_string(), "\"!\"");
}

#[test]
fn views_are_shown_beside_a_document() {
    static FORMAT: RecordFormat = RecordFormat::new::<Archive>("archive", "test");
    let document = FORMAT.open(ARCHIVE).unwrap();
    let shown: Vec<_> =
        document.views().iter().map(|(path, value)| format!("{path} {value}")).collect();
    assert_eq!(
        shown,
        [
            r#"entries/0/body {"$Number":{"number":266}}"#,
            r#"entries/0/tags [{"letter":1}]"#,
            r#"entries/1/body {"$Text":{"text":"hi"}}"#,
            r#"entries/1/tags [{"letter":105},{"letter":0}]"#,
            r#"names/first "c""#,
            r#"names/again "c""#,
            r#"names/third "c""#,
            r#"trailer {"size":2,"bytes":"xy"}"#,
        ]
    );
    for (path, value) in document.views() {
        assert_eq!(document.get(&path).unwrap(), value, "{path}");
    }
    // Views that look at all of the file, again and again, are shown up to four times of it.
    static DEEP: RecordFormat = RecordFormat::new::<Again>("again", "test");
    assert_eq!(DEEP.open(&[0; 64]).unwrap().views().len(), 4);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(all: Again, at = at, bytes = ..))]
pub struct Again {
    pub at: u8,
    pub rest: ToEnd<u8>,
}

/// A list that is elsewhere, of entries that look elsewhere, all in bytes that the reader does not look into.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(view(list: Each<Place>, at = list_at, count = count, args { inner: (base,) }))]
pub struct Nesting {
    pub list_at: u8,
    pub count: u8,
    pub base: u8,
    pub note: Terminated,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(base: u8))]
#[brw(big)]
#[schema(view(text: Terminated, at = base + offset))]
pub struct Place {
    pub offset: u8,
}

#[test]
fn views_in_views_move() {
    let before = b"\x05\x02\x05ab\0-\x05\x08hi\0yo\0";
    let list_at = |bytes: &[u8]| bytes[0];
    let mut fixed = before.to_vec();
    fixed[0] = 7;
    fixed[7] = 4;
    fixed[8] = 7;
    let mut nesting: Nesting = record::from_slice(&fixed).unwrap();
    let texts = |nesting: &Nesting, bytes: &[u8]| -> Vec<Vec<u8>> {
        let list = nesting.list(bytes).unwrap();
        list.iter().map(|it| it.text(bytes, nesting.base).unwrap().to_vec()).collect()
    };
    assert_eq!(texts(&nesting, &fixed), [b"hi", b"yo"]);
    nesting.note = "abcd".into();
    let mut rest = nesting.rest.to_vec();
    rest.splice(5..5, *b"m\0");
    nesting.rest = rest.into();
    record::settle_from(&mut nesting, &fixed).unwrap();
    let after = record::to_vec(&nesting).unwrap();
    assert_eq!((list_at(&after), nesting.base), (9, 5));
    assert_eq!(texts(&nesting, &after), [&b"him"[..], b"yo"]);
}

fn set(path: &str, json: &str) -> Edit {
    Edit::set(path, Json::read(json.as_bytes()).unwrap())
}

#[test]
fn what_a_view_shows_is_set() {
    static FORMAT: RecordFormat = RecordFormat::new::<Archive>("archive", "test");
    let edited = |edits: &[Edit]| {
        let mut document = FORMAT.open(ARCHIVE).unwrap();
        let changes = document.edit(edits);
        changes.map(|changes| {
            let changes = changes.iter().map(ToString::to_string).collect::<Vec<_>>();
            (document, changes)
        })
    };
    // As many bytes.
    let (document, changes) = edited(&[set("entries/0/body/number", "258")]).unwrap();
    assert_eq!(document.to_bytes(), [&ARCHIVE[..22], b"\x02\x01", &ARCHIVE[24..]].concat());
    assert_eq!(changes[0], "entries/0/body/number: 266 -> 258");
    // More of them: what is behind moves, and the numbers that say where it is and how long.
    let (document, changes) = edited(&[set("names/first", "\"longer\"")]).unwrap();
    for (path, wanted) in [
        ("names/first", "\"longer\""),
        ("names/third", "\"longer\""),
        ("names_size", "11"),
        ("trailer/bytes", "\"xy\""),
        ("trailer_at", "37"),
        ("entries/1/body/text", "\"hi\""),
    ] {
        assert_eq!(document.get(path).unwrap().to_string(), wanted, "{path}");
    }
    assert_eq!(document.to_bytes().len(), ARCHIVE.len() + 5);
    assert_eq!(changes[0], "names/first: \"c\" -> \"longer\"");
    assert!(changes.iter().any(|it| it == "trailer_at: 32 -> 37"), "{changes:?}");
    // Another view looks at part of it.
    let error = edited(&[set("entries/1/body/text", "\"longer\"")]).map(|it| it.1).unwrap_err();
    assert!(error.to_string().contains("entries[1].tags"), "{error}");
    // Fewer, at the end of the file, with a count in the view.
    let (document, _) = edited(&[set("trailer/bytes", "\"\"")]).unwrap();
    assert_eq!(document.to_bytes(), [&ARCHIVE[..32], b"\0"].concat());
    // Together with a value that no view shows.
    let (document, _) = edited(&[set("trailer/bytes", "\"xyz\""), set("version", "0")]).unwrap();
    assert_eq!(document.get("trailer").unwrap().to_string(), r#"{"size":3,"bytes":"xyz"}"#);
    assert_eq!(document.get("version").unwrap().to_string(), "0");
    // What two views share is of both.
    let error = edited(&[set("entries/1/tags/0/letter", "106")]).unwrap();
    assert_eq!(error.0.get("entries/1/body/text").unwrap().to_string(), "\"hj\"");
    // Elements that the record around counts.
    let error = edited(&[Edit::remove("entries/1/tags/0")]).map(|it| it.1).unwrap_err();
    assert!(error.to_string().contains("entries[1].tags"), "{error}");
    let error = edited(&[set("entries/1/body/other", "1")]).map(|it| it.1).unwrap_err();
    assert!(error.to_string().contains("other"), "{error}");
}

/// Texts of sizes that the entries say, close to each other, and a sum of all.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Texts {
    #[schema(sum = sum, over = count..=pool)]
    pub sum: u8,
    pub count: u8,
    #[br(count = count)]
    pub entries: Each<Text>,
    pub size: u16,
    #[br(count = size)]
    pub pool: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(view(text: Letters, at = at, bytes = size))]
pub struct Text {
    pub at: u16,
    pub size: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Letters {
    #[schema(text)]
    pub letters: ToEnd<u8>,
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

#[test]
fn a_text_grows_among_others_that_are_alike() {
    static FORMAT: RecordFormat = RecordFormat::new::<Texts>("texts", "test");
    let mut bytes = b"\0\x03\0\x0d\x02\0\x0f\x01\0\x10\0\0\x03aaa".to_vec();
    bytes[0] = sum(&bytes[1..]);
    record::check::<Texts>(&bytes).unwrap();
    for (path, text) in [
        ("entries/0/text", "aaa"),
        ("entries/0/text", ""),
        ("entries/1/text", "aaaa"),
        ("entries/1/text", "b"),
        ("entries/1/text", ""),
        ("entries/2/text", "a"),
        ("entries/2/text", "aaaaa"),
    ] {
        let mut document = FORMAT.open(&bytes).unwrap();
        let shown = |document: &dyn formwork::document::Document| {
            let all = (0..3).map(|at| document.get(&format!("entries/{at}/text/letters")).unwrap());
            all.map(|it| it.to_string()).collect::<Vec<_>>()
        };
        let mut wanted = shown(&*document);
        wanted[path[8..9].parse::<usize>().unwrap()] = format!("\"{text}\"");
        document.edit(&[Edit::set(format!("{path}/letters"), text.into())]).unwrap();
        assert_eq!(shown(&*document), wanted, "{path} {text}");
        record::check::<Texts>(&document.to_bytes()).unwrap();
    }
}

/// A view of so many bytes is the region of what is in it.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(x: Seen, at = at, bytes = 4))]
#[schema(view(open: Seen, at = at))]
pub struct Looking {
    pub at: u8,
    pub rest: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(y: u8, at = 1, from = region))]
pub struct Seen {
    pub a: u32,
}

#[test]
fn a_view_is_a_region() {
    static FORMAT: RecordFormat = RecordFormat::new::<Looking>("looking", "test");
    let bytes = b"\x04\xb1\xb2\xb3\xc0\xc1\xc2\xc3";
    let document = FORMAT.open(bytes).unwrap();
    assert_eq!(document.get("x/y").unwrap().to_string(), "193");
    // One that ends where its type does is none: its region is the file.
    assert_eq!(document.get("open/y").unwrap().to_string(), "177");
}

#[test]
fn a_translation_of_gettext_is_set() {
    use crate::examples::mo::Messages;
    static FORMAT: RecordFormat = RecordFormat::new::<Messages>("mo", "test");
    for name in ["little.mo", "big.mo"] {
        let bytes = crate::sample(name);
        let shown = |document: &dyn formwork::document::Document| {
            let views = document.views().into_iter().filter(|it| it.0.ends_with("/text"));
            views.map(|(path, text)| (path, text.to_string())).collect::<Vec<_>>()
        };
        let before = shown(&*FORMAT.open(&bytes).unwrap());
        assert!(before.len() > 3, "{name} {before:?}");
        for (at, (path, text)) in before.iter().enumerate() {
            for new in ["a much longer text than there was", "x"] {
                let mut document = FORMAT.open(&bytes).unwrap();
                let edited = document.edit(&[Edit::set(path.clone(), new.into())]);
                edited.unwrap_or_else(|error| panic!("{name} {path} {text}: {error}"));
                let mut wanted = before.clone();
                wanted[at].1 = format!("\"{new}\"");
                assert_eq!(shown(&*document), wanted, "{name} {path}");
            }
        }
    }
}
