//! The inspector: every byte once, and the same faults as the reader.

use formwork::alb1::inspect::Inspector;
use formwork::alb1::{Document, Field, Text, Value};
use formwork::inspect::{Kind, Span, Tree};
use formwork::{Error, Result};

use crate::corpus::each_sample;
use crate::document::everything;

/// The ways to look at a file.
fn looks(bytes: &[u8]) -> [Inspector<'_>; 4] {
    let all = Inspector::new(bytes);
    [
        all.clone(),
        all.clone().whole_fields(true),
        all.clone().shown_elements(2),
        all.whole_fields(true).shown_elements(3),
    ]
}

/// Walks, and checks that leaves and rests cover the bytes exactly once and in order, and that every
/// span that says how long it is holds what is in it. Gives the fault and how many bytes were read.
fn walk<'a>(
    bytes: &'a [u8],
    spans: impl Iterator<Item = Result<Span<'a>>>,
) -> (Option<Error>, usize) {
    let (mut at, mut read, mut fault) = (0, 0, None);
    // Where the open spans end.
    let mut ends: Vec<Option<usize>> = Vec::new();
    for item in spans {
        let span = match item {
            Ok(span) => span,
            Err(error) => {
                assert!(fault.is_none(), "a second fault: {error}");
                fault = Some(error);
                continue;
            }
        };
        let (depth, offset) = (span.depth as usize, span.offset as usize);
        while ends.len() > depth {
            let end = ends.pop().unwrap();
            let whole = fault.is_none();
            assert!(!whole || end.is_none_or(|end| end == at), "{span:?} stands in {end:?}");
        }
        match span.kind {
            Kind::Leaf | Kind::Rest => {
                assert_eq!((ends.len(), offset), (depth, at), "{span:?}");
                let end = offset + span.bytes.len();
                assert_eq!(bytes.get(offset..end), Some(span.bytes), "{span:?}");
                assert_eq!(span.length, Some(span.bytes.len() as u64), "{span:?}");
                assert!(!span.bytes.is_empty(), "{span:?}");
                assert_eq!(span.kind == Kind::Rest, fault.is_some(), "{span:?}");
                at = end;
                if span.kind == Kind::Leaf {
                    read = end;
                }
            }
            Kind::Open => {
                assert_eq!((ends.len(), offset), (depth, at), "{span:?}");
                ends.push(span.length.map(|length| offset + length as usize));
            }
            _ => {}
        }
    }
    assert_eq!(at, bytes.len());
    (fault, read)
}

/// Whatever the bytes are: each is there once, and the fault is the reader's.
fn check(bytes: &[u8], name: &str) -> bool {
    let error = Document::from_slice(bytes).err();
    for look in looks(bytes) {
        let (fault, read) = walk(bytes, look);
        assert_eq!(fault, error, "{name}");
        match &error {
            None => assert_eq!(read, bytes.len(), "{name}"),
            // What stands before the fault was read.
            Some(error) => assert!(read as u64 >= error.offset(), "{name}: {read} {error}"),
        }
    }
    error.is_some()
}

#[test]
fn every_byte_of_a_real_file_is_in_one_span() {
    each_sample(|sample| assert!(!check(&sample.bytes, &sample.name), "{}", sample.name));
}

#[test]
fn every_byte_of_a_synthetic_file_is_in_one_span() {
    assert!(!check(&everything().to_vec().unwrap(), "everything"));
    assert!(!check(&nested().to_vec().unwrap(), "nested"));
    assert!(!check(&Document::new("CLayer").to_vec().unwrap(), "empty"));
}

/// Objects, arrays and pairs in each other, and two fields with the same tag.
fn nested() -> Document {
    let mut document = Document::new("CVisitor4Project");
    let tag = |name: &str| document.tags.id(name).unwrap();
    let pair = |number: i32| {
        let key = Field::new(tag("key"), Text::new("name").unwrap());
        Field::new(tag("pair"), [key, Field::new(tag("data"), Value::SignedInt(number))])
    };
    let libs: Vec<_> = (0..9).map(pair).collect();
    let object = formwork::alb1::Object {
        class: 12,
        address: 0x100,
        fields: vec![
            Field::new(tag("libs"), libs.clone()),
            Field::new(tag("libs"), libs),
            Field::new(tag("mpos"), Value::ArrayOfDouble([1.0, 2.0].into())),
        ],
    };
    let list = vec![Field::new(tag("item"), object.clone()), Field::new(tag("item"), object)];
    document.root.fields =
        vec![Field::new(tag("mname"), Text::new("x").unwrap()), Field::new(tag("world"), list)];
    document
}

#[test]
fn a_damaged_file_shows_what_is_before_the_fault_that_the_reader_finds() {
    let mut faults = 0;
    for (name, document) in [("everything", everything()), ("nested", nested())] {
        let bytes = document.to_vec().unwrap();
        // Most of the tables is names, where nothing can be wrong.
        let tables = Document::new("").to_vec().unwrap().len();
        for at in (0..60).chain((60..tables - 60).step_by(13)).chain(tables - 60..bytes.len()) {
            faults += usize::from(check(&bytes[..at], name));
            for flip in [0x01, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                faults += usize::from(check(&damaged, name));
            }
        }
    }
    assert!(faults > 500, "{faults}");
}

#[test]
fn a_damaged_real_file_shows_what_is_before_the_fault_that_the_reader_finds() {
    let mut faults = 0;
    each_sample(|sample| {
        if sample.bytes.len() > 200_000 {
            return;
        }
        let mut seed = sample.bytes.len() as u64;
        for _ in 0..8 {
            // Knuth's generator: the high bits are random enough to choose a place.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) as usize % sample.bytes.len();
            let mut damaged = sample.bytes.clone();
            damaged[at] ^= 1 << (seed >> 20 & 7);
            faults += usize::from(check(&damaged, &sample.name));
            faults += usize::from(check(&sample.bytes[..at], &sample.name));
        }
    });
    println!("{faults} faults");
}

#[test]
fn a_cut_file_is_shown_up_to_the_cut() {
    let bytes = nested().to_vec().unwrap();
    let cut = &bytes[..bytes.len() - 20];
    let (fault, read) = walk(cut, Inspector::new(cut));
    assert_eq!(fault.unwrap().path().to_string(), "world");
    assert!(read > cut.len() - 8, "{read} of {}", cut.len());
}

#[test]
fn the_byte_at_an_offset_is_in_a_chain_of_spans() {
    let bytes = nested().to_vec().unwrap();
    for offset in 0..=bytes.len() as u64 {
        let chain = Inspector::new(&bytes).at(offset);
        assert_eq!(chain.is_empty(), offset == bytes.len() as u64);
        assert!(chain.iter().all(|span| span.covers(offset)), "{offset}");
        assert!(chain.iter().enumerate().all(|(depth, span)| span.depth as usize == depth));
    }
}

fn lines(inspector: Inspector<'_>) -> String {
    let mut out = Vec::new();
    Tree::default().write_items(inspector, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn fields_are_called_by_their_tags_and_long_lists_are_cut_short() {
    let bytes = nested().to_vec().unwrap();
    let shown = lines(Inspector::new(&bytes).whole_fields(true).shown_elements(2));
    for line in [
        "root                        RootRecord          CVisitor4Project at 0x10000000",
        "  mname                     string              \"x\"",
        "  world                     array               2 elements",
        "    [0]                     object              CVisitor4ObjectManager at 0x00000100",
        "      libs[1]               array               9 elements",
        "        [0]                 pair",
        "          key               string              \"name\"",
        "        [2] to [8]          Field[7]            7 more",
    ] {
        assert!(shown.contains(line), "{line}");
    }
    let all = lines(Inspector::new(&bytes));
    for line in ["u16                 10 mname\n", "u8                  11 string\n"] {
        assert!(all.contains(line), "{line}");
    }
}
