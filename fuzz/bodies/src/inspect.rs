//! The inspector compared with the decoder: two readers of the same declarations.

use super::{choose, in_precision};
use formwork_godot::Framing;
use formwork_godot::inspect::{Inspect, Inspector, Kind, Tree};
use formwork_variant::Decoder;
use formwork_variant::Real;
use formwork_variant::codec;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Error, Rule};

/// Checks that the spans of any bytes cover each byte once and in order, that every span has its line, and
/// that bytes that the decoder accepts are walked to the same end without a fault.
///
/// With the top bit of the first byte set, each element of an array has a separate span.
pub fn inspect(data: &[u8]) {
    if let Some((dialect, list, bytes)) = choose(data) {
        let framings = [
            Framing::BareSequence,
            Framing::Frames(ByteOrder::Little),
            Framing::Frames(ByteOrder::Big),
        ];
        walk(bytes, dialect, framings[bytes.len() % framings.len()], list);
        let walked = walk(bytes, dialect, Framing::Bare, list);
        in_precision!(dialect, agrees(bytes, dialect, &walked));
        // Every byte of the input is in a span; an offset after the end is in none.
        for offset in [0, bytes.len() / 2, bytes.len()] {
            let chain = Inspector::new(bytes, dialect).list_elements(list).at(offset as u64);
            assert_eq!(chain.is_empty(), offset == bytes.len(), "{dialect}: {offset}");
            assert!(chain.iter().all(|span| span.covers(offset as u64)), "{dialect}: {chain:?}");
        }
    }
}

/// The result of a walk.
struct Walked {
    /// The number of bytes in leaves.
    read: usize,
    fault: Option<Error>,
}

fn walk(bytes: &[u8], dialect: Dialect, framing: Framing, list: bool) -> Walked {
    let tree = Tree::default();
    let mut walked = Walked { read: 0, fault: None };
    let (mut at, mut depth) = (0, 0);
    for item in Inspector::new(bytes, dialect).framing(framing).list_elements(list) {
        if framing == Framing::Bare {
            assert!(tree.item(&item).is_none_or(|line| !line.ends_with(' ')), "{dialect}");
        }
        let span = match item {
            Ok(span) => span,
            Err(fault) => {
                let first = walked.fault.is_none() || framing != Framing::Bare;
                assert!(first, "{dialect}: a second fault: {fault}");
                assert!(fault.offset() <= bytes.len() as u64, "{dialect}: {fault}");
                walked.fault = Some(fault);
                continue;
            }
        };
        let length = span.bytes.len();
        match span.kind {
            Kind::Leaf | Kind::Rest => {
                assert_eq!(span.offset, at as u64, "{dialect}: {span:?}");
                assert_eq!(bytes.get(at..at + length), Some(span.bytes), "{dialect}: {span:?}");
                at += length;
                if span.kind == Kind::Leaf {
                    walked.read += length;
                }
            }
            Kind::Open => assert_eq!(span.offset, at as u64, "{dialect}: {span:?}"),
            Kind::Part => assert!(span.offset < at as u64, "{dialect}: {span:?}"),
        }
        assert!(span.depth <= depth + 1, "{dialect}: {span:?}");
        depth = span.depth;
    }
    assert_eq!(at, bytes.len(), "{dialect}: bytes without a span");
    walked
}

fn agrees<R: Real>(bytes: &[u8], dialect: Dialect, walked: &Walked) {
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    let mut notes = Vec::new();
    let decoded = decoder.decode_with_warnings(bytes, &mut notes);
    let quirk = notes.iter().any(|note| goes_another_way(note.rule));
    match decoded {
        Ok((_, used)) => {
            let fault = &walked.fault;
            assert!(
                quirk || (fault.is_none() && walked.read == used),
                "{dialect}: {fault:?}, {used} bytes used, {} read",
                walked.read,
            );
        }
        Err(error) => {
            let layout = matches!(
                error.rule(),
                Rule::INPUT_COMPLETE | codec::rule::HEADER_TYPE_ID | codec::rule::NODE_PATH_FORM
            );
            let agreed = !layout || walked.fault.is_some();
            assert!(quirk || agreed, "{dialect}: no fault for {error}");
        }
    }
}

/// Returns whether engines accept bytes of this rule that are not laid out as declared: counts of a NodePath
/// that wrap around, a class name that is empty because it begins with a zero byte, an input event without
/// its last word.
fn goes_another_way(rule: Rule) -> bool {
    matches!(
        rule,
        codec::rule::NODE_PATH_COUNTS | codec::rule::OBJECT_FORM | codec::rule::INPUT_EVENT_LENGTH
    )
}
