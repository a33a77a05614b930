//! The inspector: every byte once, and the same faults as the reader.

use formwork::{Error, Result};
use formwork_alb1::inspect::Inspector;
use formwork_alb1::inspect::{Inspect, Kind, Span, Tree};
use formwork_alb1::tree::{Tree as Quadtree, Version};
use formwork_alb1::{Document, Field, Text, Value};
use formwork_testkit::Noise;

use crate::corpus::each_sample;
use crate::document::everything;
use crate::tree_build::{colour, grid, some_objects};

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

/// Walks, and checks that leaves and rests cover the bytes exactly once and in order, and that every span with a
/// length contains its parts. Returns the fault and the number of bytes read.
fn walk<'a>(bytes: &'a [u8], spans: impl Iterator<Item = Result<Span<'a>>>) -> (Vec<Error>, usize) {
    let (mut at, mut read, mut faults, mut after_fault) = (0, 0, Vec::new(), false);
    // Where the open spans end.
    let mut ends: Vec<Option<usize>> = Vec::new();
    for item in spans {
        let span = match item {
            Ok(span) => span,
            Err(error) => {
                faults.push(error);
                after_fault = true;
                continue;
            }
        };
        let (depth, offset) = (span.depth as usize, span.offset as usize);
        while ends.len() > depth {
            let end = ends.pop().unwrap();
            let whole = faults.is_empty();
            assert!(!whole || end.is_none_or(|end| end == at), "{span:?} stands in {end:?}");
        }
        match span.kind {
            Kind::Leaf | Kind::Rest => {
                assert_eq!((ends.len(), offset), (depth, at), "{span:?}");
                let end = offset + span.bytes.len();
                assert_eq!(bytes.get(offset..end), Some(span.bytes), "{span:?}");
                assert_eq!(span.length, Some(span.bytes.len() as u64), "{span:?}");
                assert!(!span.bytes.is_empty(), "{span:?}");
                assert_eq!(span.kind == Kind::Rest, after_fault, "{span:?}");
                after_fault = false;
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
    (faults, read)
}

/// Whatever the bytes are: each is there once, and the fault is the reader's.
fn check(bytes: &[u8], name: &str) -> bool {
    let error = Document::from_slice(bytes).err();
    for look in looks(bytes) {
        let (mut faults, read) = walk(bytes, look);
        // What the reader does not look for is in quadtrees, and comes before.
        let fault = if error.is_some() { faults.pop() } else { None };
        assert_eq!(fault, error, "{name}");
        assert!(faults.iter().all(|fault| fault.needed().is_none()), "{name}: {faults:?}");
        if !faults.is_empty() {
            continue;
        }
        match &error {
            None => assert_eq!(read, bytes.len(), "{name}"),
            // The bytes before the fault were read.
            Some(error) => assert!(read as u64 >= error.offset(), "{name}: {read} {error}"),
        }
    }
    error.is_some()
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
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
    let object = formwork_alb1::Object {
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
        for at in (0..60)
            .chain((60..tables - 60).step_by(13))
            .chain((tables - 60..bytes.len()).step_by(formwork_testkit::rounds(3, 1)))
        {
            faults += usize::from(check(&bytes[..at], name));
            for flip in [0x01, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                faults += usize::from(check(&damaged, name));
            }
        }
    }
    assert!(faults > formwork_testkit::rounds(150, 500), "{faults}");
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn a_damaged_real_file_shows_what_is_before_the_fault_that_the_reader_finds() {
    let mut faults = 0;
    each_sample(|sample| {
        if sample.bytes.len() > 200_000 {
            return;
        }
        let mut noise = Noise::new(sample.bytes.len() as u64);
        for _ in 0..8 {
            let at = noise.below(sample.bytes.len());
            let mut damaged = sample.bytes.to_vec();
            damaged[at] ^= 1 << noise.below(8);
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
    assert_eq!(fault.last().unwrap().path().to_string(), "world");
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

/// Returns a layer with a few objects, and a field after its tree.
fn layer(version: Version) -> Document {
    let tree = Quadtree::build(&grid(version), some_objects(), colour).unwrap().to_vec().unwrap();
    with_tree(version, tree)
}

fn with_tree(version: Version, tree: Vec<u8>) -> Document {
    let mut document = Document::new("CLayer");
    let tag = |name: &str| document.tags.id(name).unwrap();
    document.root.fields = vec![
        Field::new(tag("mlayerVersion"), Value::SignedInt(version.layer_version())),
        Field::new(tag("tree"), Value::Raw(tree.into())),
        Field::new(tag("malpha"), 1.0_f32),
    ];
    document
}

#[test]
fn a_quadtree_is_shown_part_by_part_and_what_is_empty_in_a_line() {
    for version in [Version::V3, Version::V4] {
        let bytes = layer(version).to_vec().unwrap();
        let shown = lines(Inspector::new(&bytes).whole_fields(true).shown_elements(16));
        let count = |what: &str| shown.lines().filter(|line| line.contains(what)).count();
        assert_eq!(count("  Object  "), some_objects().len(), "{shown}");
        assert!(count("\n") < 1000 && count(" without groups") > 0, "{shown}");
        let all = Inspector::new(&bytes).map(Result::unwrap);
        let node = |span: &Span<'_>| span.kind == Kind::Open && span.layout.to_string() == "Node";
        let nodes = all.filter(node).count();
        assert!(nodes > 87_381, "{nodes}");
    }
}

#[test]
fn a_fault_in_a_quadtree_loses_only_the_rest_of_its_array() {
    let tree = Quadtree::empty(&grid(Version::V4)).to_vec().unwrap();
    let mut damaged = tree.clone();
    // The kind of the third node.
    damaged[84] = 7;
    for (tree, found, rest) in [
        (damaged, "7", tree.len() - 84),
        (tree[..50].to_vec(), "8 left", 8),
        ([&tree[..], b"more"].concat(), "4 more bytes", 4),
    ] {
        let bytes = with_tree(Version::V4, tree).to_vec().unwrap();
        let (faults, _) = walk(&bytes, Inspector::new(&bytes));
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!(fault.found(), found);
        let spans: Vec<_> =
            Inspector::new(&bytes).whole_fields(true).filter_map(Result::ok).collect();
        let [.., left, last] = &spans[..] else { panic!("{spans:?}") };
        assert_eq!((left.kind, left.bytes.len()), (Kind::Rest, rest));
        assert_eq!(format!("{:?}", last.name), "Name(\"malpha\")");
        check(&bytes, "a damaged tree");
    }
}

#[test]
fn a_file_that_is_cut_in_a_tag_has_a_path_without_it() {
    let bytes = nested().to_vec().unwrap();
    let last = Document::from_slice(&bytes).unwrap().root.fields.len();
    assert_eq!(last, 2);
    let start = Document::new("CVisitor4Project").to_vec().unwrap().len();
    for more in 1..3 {
        let error = Document::from_slice(&bytes[..start + more]).unwrap_err();
        assert_eq!(error.path().to_string(), "", "{error}");
        check(&bytes[..start + more], "cut in a tag");
    }
}

#[test]
fn the_rest_of_a_cut_number_is_no_field() {
    let mut document = Document::new("CVisitor4Project");
    let id = document.tags.id("viewdouble").unwrap();
    document.root.fields.push(Field::new(id, Value::ArrayOfDouble([1.0, 2.0].into())));
    let bytes = document.to_vec().unwrap();
    let spans = Inspector::new(&bytes[..bytes.len() - 4]).whole_fields(true);
    let spans: Vec<_> = spans.filter_map(Result::ok).collect();
    let [.., numbers, rest] = &spans[..] else { panic!("{spans:?}") };
    assert_eq!((numbers.value.to_string(), rest.kind), ("[1.0]".to_owned(), Kind::Rest));
    assert_eq!(rest.bytes.len(), 4);
}
