//! The inspector: its spans and its faults.

use std::io;

use arbitrary::{Arbitrary, Unstructured};

use super::names::with_used_names;
use formwork_alb1::inspect::Inspector;
use formwork_alb1::tree::{TreeWalk, Version};
use formwork_alb1::{Document, Field, Value};
use formwork_godot::inspect::{Inspect, Kind, Span, Tree};
use formwork_variant::Error;

/// Checks that the spans cover every byte exactly once and in order. A document that the reader accepts is
/// walked without a fault; a fault of the reader comes last in the walk. (A tree may have faults that only
/// the walk through the tree finds.)
///
/// The input is inspected as it is, as the tree of a layer, and as the choices of the generator, with all
/// names and with only the used ones.
pub fn inspect(data: &[u8]) {
    look(data);
    for version in [Version::V3, Version::V4] {
        let mut layer = Document::new("CLayer");
        let [Some(number), Some(tree)] = ["mlayerVersion", "tree"].map(|name| layer.tags.id(name))
        else {
            return;
        };
        let of_layer = Value::SignedInt(version.layer_version());
        layer.root.fields = vec![
            Field::new(number, of_layer.clone()),
            Field::new(tree, Value::Raw(data.to_vec().into())),
            Field::new(number, of_layer),
        ];
        let Ok(bytes) = with_used_names(layer).to_vec() else { return };
        let faults = look(&bytes);
        // From no bytes the reader makes a list, not a tree.
        let fault = TreeWalk::new(data, version).find_map(Result::err).filter(|_| !data.is_empty());
        assert_eq!(faults.len(), usize::from(fault.is_some()), "{faults:?}");
        for (found, fault) in faults.iter().zip(&fault) {
            assert_eq!((found.rule(), found.found()), (fault.rule(), fault.found()));
            assert_eq!(
                found.path().to_string(),
                format!("tree.{}", fault.path()).trim_matches('.')
            );
        }
        look(bytes.get(..bytes.len() - data.len() % 40).unwrap_or_default());
    }
    // The tables of Terrain Builder are long and the same every time.
    for names in [std::convert::identity as fn(_) -> _, with_used_names] {
        if let Ok(made) = Document::arbitrary(&mut Unstructured::new(data)).map(names)
            && let Ok(bytes) = made.to_vec()
        {
            look(&bytes);
        }
    }
}

/// Inspects the bytes in every way, and returns the faults of the first way.
fn look(bytes: &[u8]) -> Vec<Error> {
    let reader = Document::from_slice(bytes).err();
    let all = Inspector::new(bytes);
    let faults = walk(bytes, all.clone(), reader.as_ref());
    let others = [
        all.clone().whole_fields(true),
        all.clone().shown_elements(1),
        all.clone().whole_fields(true).shown_elements(2),
    ];
    for inspector in others {
        assert_eq!(walk(bytes, inspector, reader.as_ref()), faults);
    }
    for offset in [0, bytes.len() / 2, bytes.len()] {
        let chain = all.clone().at(offset as u64);
        assert_eq!(chain.is_empty(), offset == bytes.len(), "{offset}");
        assert!(chain.iter().all(|span| span.covers(offset as u64)), "{chain:?}");
    }
    faults
}

fn walk(bytes: &[u8], inspector: Inspector<'_>, reader: Option<&Error>) -> Vec<Error> {
    let mut faults = Vec::new();
    let (mut at, mut depth, mut after_fault) = (0, 0, false);
    let check = |item: &formwork_variant::Result<Span<'_>>| {
        let span = match item {
            Ok(span) => span,
            Err(fault) => {
                assert!(fault.offset() <= bytes.len() as u64, "{fault}");
                faults.push(fault.clone());
                after_fault = true;
                return;
            }
        };
        assert!(span.kind != Kind::Rest || after_fault, "{span:?}");
        after_fault = false;
        match span.kind {
            Kind::Leaf | Kind::Rest => {
                let length = span.bytes.len();
                assert_eq!(span.offset, at as u64, "{span:?}");
                assert_eq!(bytes.get(at..at + length), Some(span.bytes), "{span:?}");
                at += length;
            }
            Kind::Open => assert_eq!(span.offset, at as u64, "{span:?}"),
            Kind::Part => assert!(span.offset < at as u64, "{span:?}"),
        }
        assert!(span.depth <= depth + 1, "{span:?}");
        depth = span.depth;
    };
    // A line may end with blanks, as names may. Every line can be printed.
    let written = Tree::default().write_items(inspector.inspect(check), &mut io::sink());
    assert!(written.is_ok(), "{written:?}");
    assert_eq!(at, bytes.len(), "bytes without a span");
    let others = match reader {
        Some(reader) => faults.split_last().filter(|(last, _)| *last == reader).map(|(_, it)| it),
        None => Some(&faults[..]),
    };
    let Some(others) = others else { panic!("{faults:?}, but the reader says {reader:?}") };
    // Faults that the reader does not look for are in trees.
    assert!(others.iter().all(|fault| fault.needed().is_none()), "{faults:?}");
    faults
}
