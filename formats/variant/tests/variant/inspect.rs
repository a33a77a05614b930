//! Compares the inspector with the decoder, on the output of real engines and on their inputs.

use formwork_godot::Framing;
use formwork_godot::inspect::{Inspect, Inspector, Kind, Tree};
use formwork_variant::codec;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Decoder, Dialect, Error, PathSegment, Rule};

use crate::cases::ENGINES;

/// The result of a walk over some bytes.
struct Walk {
    /// Bytes in leaves.
    read: u64,
    /// Bytes after the value or a fault.
    rest: u64,
    fault: Option<Error>,
}

/// Walks, and checks that leaves and rests cover the bytes exactly once and in order.
fn walk(bytes: &[u8], dialect: Dialect, framing: Framing, list: bool) -> Walk {
    let mut walk = Walk { read: 0, rest: 0, fault: None };
    let mut depths = vec![0];
    let inspector = Inspector::new(bytes, dialect).framing(framing).list_elements(list);
    for item in inspector {
        let span = match item {
            Ok(span) => span,
            Err(fault) => {
                assert!(walk.fault.is_none() || framing != Framing::Bare, "one fault at most");
                assert!(fault.offset() <= bytes.len() as u64, "{fault}");
                walk.fault = Some(fault);
                continue;
            }
        };
        let at = walk.read + walk.rest;
        let (offset, length) = (span.offset as usize, span.length);
        let deepest = *depths.last().unwrap();
        match span.kind {
            Kind::Leaf | Kind::Rest => {
                assert_eq!(span.offset, at, "{span:?}");
                assert_eq!(length, Some(span.bytes.len() as u64));
                assert_eq!(bytes.get(offset..offset + span.bytes.len()), Some(span.bytes));
                match span.kind {
                    Kind::Rest => walk.rest += span.bytes.len() as u64,
                    _ => walk.read += span.bytes.len() as u64,
                }
            }
            Kind::Open => assert_eq!(span.offset, at, "{span:?}"),
            Kind::Part => assert!(span.offset < at, "{span:?}"),
        }
        assert!(span.depth <= deepest + 1, "{span:?}");
        depths.push(span.depth);
    }
    assert_eq!(walk.read + walk.rest, bytes.len() as u64);
    walk
}

#[test]
fn what_engines_write_is_read_to_the_last_byte() {
    for engine in &ENGINES {
        let mut count = 0;
        for case in engine.lines("values.jsonl") {
            let bytes = case.bytes("hex").expect("values have bytes");
            for list in [false, true] {
                let walk = walk(&bytes, engine.dialect(), Framing::Bare, list);
                let name = case.text("name");
                assert!(walk.fault.is_none(), "{} {name:?}: {:?}", engine.name, walk.fault);
                assert_eq!(walk.read, bytes.len() as u64, "{} {name:?}", engine.name);
            }
            count += 1;
        }
        assert!(count > 300, "{}: {count} values", engine.name);
    }
}

/// Returns whether the inspector differs from the engines in bytes that they accept.
///
/// - The engines add the counts of a NodePath in 32 bits. If the sum wraps around they read fewer strings than there
///   should be names: the layout follows the counts.
/// - A class name that begins with a zero byte is empty to the engines, and an empty class has no properties: the
///   layout follows the length.
/// - Godot 2 does not check whether the length word at the end of an input event is there.
fn is_quirk(bytes: &[u8], dialect: Dialect, fault: Option<&Error>) -> bool {
    let mut notes = Vec::new();
    let decoder = Decoder::new(dialect).allow_objects(true);
    let value = decoder.decode_with_warnings(bytes, &mut notes);
    let path = fault.map(|fault| fault.path().to_string()).unwrap_or_default();
    value.is_ok()
        && notes.iter().any(|note| match note.rule {
            codec::rule::NODE_PATH_COUNTS => path.contains("node_path."),
            codec::rule::OBJECT_FORM => path.contains("object."),
            codec::rule::INPUT_EVENT_LENGTH => path.ends_with("input_event.length"),
            _ => false,
        })
}

#[test]
fn what_the_decoder_accepts_is_read_as_far() {
    for engine in &ENGINES {
        let dialect = engine.dialect();
        let (mut accepted, mut refused, mut quirks) = (0, 0, 0);
        for case in engine.lines("decode.jsonl") {
            let bytes = case.bytes("hex").expect("inputs have bytes");
            let walk = walk(&bytes, dialect, Framing::Bare, false);
            let kind = case.text("kind");
            let decoder = Decoder::new(dialect).allow_objects(true);
            match decoder.decode_prefix(&bytes) {
                Ok((_, used)) => {
                    accepted += 1;
                    if walk.fault.is_none() && walk.read == used as u64 {
                        continue;
                    }
                    quirks += 1;
                    assert!(
                        is_quirk(&bytes, dialect, walk.fault.as_ref()),
                        "{} {kind:?}: {:?}, {used} bytes used, {} read: {bytes:02x?}",
                        engine.name,
                        walk.fault,
                        walk.read,
                    );
                }
                Err(error) => {
                    refused += 1;
                    let layout = [
                        Rule::INPUT_COMPLETE,
                        codec::rule::HEADER_TYPE_ID,
                        codec::rule::NODE_PATH_FORM,
                    ];
                    if !layout.contains(&error.rule()) {
                        continue;
                    }
                    let fault = walk.fault.unwrap_or_else(|| {
                        panic!("{} {kind:?}: no fault for {error}: {bytes:02x?}", engine.name)
                    });
                    // The decoder detects a count that is too high at once; the inspector shows the existing
                    // elements first.
                    if error.rule() != Rule::INPUT_COMPLETE && fault.rule() == error.rule() {
                        assert_eq!(fault.offset(), error.offset(), "{fault}; {error}");
                        let (path, decoders) = (fault.path().to_string(), error.path().to_string());
                        assert!(path.starts_with(&decoders), "{fault}; {error}");
                    }
                }
            }
        }
        assert!(accepted > 1000 && refused > 1000, "{}", engine.name);
        assert!(quirks < 20, "{}: {quirks} inputs", engine.name);
    }
}

#[test]
fn any_bytes_are_shown() {
    // Every input of every engine, in every dialect and framing: all bytes are shown.
    let tree = Tree::default();
    for (position, engine) in ENGINES.iter().enumerate() {
        for (number, case) in engine.lines("decode.jsonl").into_iter().enumerate() {
            let bytes = case.bytes("hex").expect("inputs have bytes");
            let other = ENGINES[(position + number % ENGINES.len()) % ENGINES.len()].dialect();
            for framing in [
                Framing::Bare,
                Framing::BareSequence,
                Framing::Frames(if number % 2 == 0 { ByteOrder::Big } else { ByteOrder::Little }),
            ] {
                walk(&bytes, other, framing, number % 3 == 0);
            }
            if number % 16 == 0 {
                for item in Inspector::new(&bytes, other) {
                    if let Some(line) = tree.item(&item) {
                        assert!(!line.ends_with(' '), "{line:?}");
                    }
                }
                let middle = bytes.len() as u64 / 2;
                let chain = Inspector::new(&bytes, other).at(middle);
                assert_eq!(chain.is_empty(), bytes.is_empty());
                assert!(chain.iter().all(|span| span.covers(middle)), "{chain:?}");
            }
        }
    }
}

#[test]
fn saves_are_sequences_of_frames() {
    for engine in &ENGINES {
        for (name, order) in [
            ("small.save", ByteOrder::Little),
            ("big.save", ByteOrder::Little),
            ("multi.save", ByteOrder::Little),
            ("stream.bin", ByteOrder::Little),
            ("stream_be.bin", ByteOrder::Big),
        ] {
            let bytes =
                std::fs::read(engine.file("files").join(name)).expect("golden files are there");
            let framed = Framing::Frames(order);
            let walk = walk(&bytes, engine.dialect(), framed, false);
            assert!(walk.fault.is_none(), "{} {name}: {:?}", engine.name, walk.fault);
            assert_eq!(walk.rest, 0, "{} {name}", engine.name);
        }
    }
}

#[test]
fn depth_costs_no_stack_and_counts_cost_nothing() {
    let mut bytes = Vec::new();
    for _ in 0..4096 {
        bytes.extend([28, 0, 0, 0, 1, 0, 0, 0]);
    }
    bytes.extend([0; 4]);
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let walked = small.spawn(move || {
        let deep = walk(&bytes, Dialect::GODOT4, Framing::Bare, false);
        assert!(deep.fault.is_none());
        assert_eq!(deep.read, bytes.len() as u64);
        let chain = Inspector::new(&bytes, Dialect::GODOT4).at(bytes.len() as u64 - 1);
        assert_eq!(chain.len(), 4096 + 1 + 1 + 1, "arrays, Nil, its header and the type in it");
        let lines = Inspector::new(&bytes, Dialect::GODOT4);
        Tree::default().write(lines, &mut std::io::sink()).unwrap();
    });
    walked.unwrap().join().unwrap();

    // Two thousand million elements are announced, in all the ways there are.
    for id in [27, 28, 29, 30, 31, 33, 34, 35, 38] {
        let mut bytes = vec![id, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f];
        bytes.extend([0; 20]);
        for list in [false, true] {
            let walk = walk(&bytes, Dialect::GODOT4, Framing::Bare, list);
            assert_eq!(walk.fault.unwrap().rule(), Rule::INPUT_COMPLETE);
        }
    }
}

#[test]
fn a_bad_packet_does_not_hide_the_next_frame() {
    let bytes = [
        [4, 0, 0, 0].as_slice(),               // a frame of four bytes
        &[77, 0, 0, 0],                        // no type has this number
        &[12, 0, 0, 0],                        // a frame of twelve
        &[1, 0, 0, 0, 1, 0, 0, 0, 9, 9, 9, 9], // true, and four bytes more
        &[40, 0, 0, 0],                        // a frame of more than there is
        &[2, 0, 0, 0, 5, 0, 0, 0],
    ]
    .concat();
    let framed = Framing::Frames(ByteOrder::Little);
    let mut inspector = Inspector::new(&bytes, Dialect::GODOT4).framing(framed);
    let mut seen = Vec::new();
    while let Some(item) = inspector.next() {
        match item {
            Ok(span) if span.kind == Kind::Rest => seen.push(format!("{}", span.value)),
            Ok(span) if span.kind == Kind::Leaf => {
                seen.push(format!("{} = {}", inspector.path(), span.value));
            }
            Ok(_) => {}
            Err(fault) => seen.push(format!("{} at {}", fault.rule(), fault.offset())),
        }
    }
    let expected = [
        "[0].length = 4",
        "header.type_id at 4",
        "4 bytes",
        "[1].length = 12",
        "[1].bool.header = 1 bool",
        "[1].bool = 1 true",
        "4 bytes",
        "[2].length = 40",
        "[2].int.header = 2 int",
        "[2].int = 5",
        "input.complete at 36",
    ];
    assert_eq!(seen, expected);
    assert!(inspector.rest().is_empty());
}

#[test]
fn double_builds_before_4_2_set_no_flag_on_a_vector4() {
    let mut bytes = vec![12, 0, 0, 0];
    bytes.extend([1.0_f64, 2.0, 3.0, 4.0].iter().flat_map(|number| number.to_le_bytes()));
    for (dialect, read) in [("godot4.1-double", 36), ("godot4.2-double", 20)] {
        let dialect = dialect.parse().unwrap();
        assert_eq!(walk(&bytes, dialect, Framing::Bare, false).read, read);
        let (_, used) = Decoder::new(dialect).double().decode_prefix(&bytes).unwrap();
        assert_eq!(used as u64, read);
    }
}

/// The packets of the golden files, whole, cut and with a bit changed.
fn golden_and_damaged() -> Vec<(Dialect, Vec<u8>)> {
    let mut packets = Vec::new();
    for engine in ENGINES {
        for case in engine.lines("values.jsonl") {
            let Some(bytes) = case.bytes("hex").filter(|bytes| bytes.len() < 2000) else {
                continue;
            };
            let mut changed = bytes.clone();
            let at = bytes.len() / 3;
            changed[at] ^= 1 << (at % 8);
            packets.push((engine.dialect(), bytes[..bytes.len() * 2 / 3].to_vec()));
            packets.push((engine.dialect(), changed));
            packets.push((engine.dialect(), bytes));
        }
    }
    assert!(packets.len() > 1000);
    packets
}

/// Returns the properties that distinguish a span from others.
fn key(item: &Result<formwork_godot::inspect::Span<'_>, Error>) -> (u32, String) {
    match item {
        Ok(span) => {
            let (kind, offset, name) = (span.kind, span.offset, &span.name);
            (span.depth, format!("{kind:?} {offset} {name:?} {:?} {:?}", span.layout, span.note))
        }
        Err(error) => (0, error.to_string()),
    }
}

#[test]
fn packets_that_are_passed_over_change_nothing_around_them() {
    for (dialect, bytes) in golden_and_damaged() {
        let all: Vec<_> = Inspector::new(&bytes, dialect).collect();
        for deepest in 0..3 {
            let shown: Vec<_> = Inspector::new(&bytes, dialect).deepest(deepest).collect();
            let shown: Vec<_> = shown.iter().map(key).collect();
            let expected = all.iter().map(key).filter(|(depth, _)| *depth <= deepest);
            assert_eq!(shown, expected.collect::<Vec<_>>(), "{dialect}: {deepest}");
        }
        for offset in (0..bytes.len() as u64).step_by(7) {
            let mut expected: Vec<(u32, u64, PathSegment)> = Vec::new();
            for span in all.iter().flatten().take_while(|span| span.offset <= offset) {
                expected.retain(|(depth, ..)| *depth < span.depth);
                if span.kind == Kind::Open {
                    expected.push((span.depth, span.offset, span.name.clone()));
                }
            }
            let chain = Inspector::new(&bytes, dialect).at(offset);
            let opened = chain.iter().filter(|span| span.kind == Kind::Open);
            let opened: Vec<_> =
                opened.map(|span| (span.depth, span.offset, span.name.clone())).collect();
            assert!(opened.starts_with(&expected), "{dialect}, {offset}: {opened:?} {expected:?}");
        }
    }
}
