//! The values that `formats/captures/peers.gd` sent are found.

use formwork_capture::{Capture, Framing, Other, Place, Transport};
use formwork_variant::Dialect;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{NodePath, Rect2, Variant, Vector2, Vector3};

use crate::{Read, json};

fn capture(name: &str) -> Vec<u8> {
    let path = format!("{}/../../formats/captures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).expect(&path)
}

/// Returns the values of `peers.gd`.
fn sent() -> Vec<Variant> {
    let big: Vec<u8> = (0..3000_u32).map(|i| (i * 7 + i / 256) as u8).collect();
    let long: String = (0..500).map(|i| format!("{i} ")).collect();
    let text = |text: &str| Variant::String(text.into());
    let path = NodePath {
        names: vec!["a".into(), "b".into()],
        subnames: vec!["c".into()],
        ..NodePath::default()
    };
    vec![
        [
            ("hp", Variant::Int(100)),
            ("position", Vector2::new(1.5, -2.25).into()),
            ("name", "lamp".into()),
            ("alive", true.into()),
        ]
        .into_iter()
        .collect(),
        vec![
            Variant::Int(1),
            Variant::Float(2.5),
            text("three"),
            Variant::Nil,
            Vector3::new(1.0, 2.0, 3.0).into(),
            Variant::Color(formwork_variant::Color::new(0.25, 0.5, 0.75, 1.0)),
        ]
        .into(),
        Variant::Int(42),
        Variant::Int(-7_000_000_000),
        text("Grüße, 世界"),
        Variant::PackedByteArray(big),
        Variant::Dictionary(
            vec![
                (text("long"), text(&long)),
                (text("list"), (0..200).map(Variant::Int).collect::<Vec<_>>().into()),
                (Variant::NodePath(Box::new(path)), Rect2::new(1.0, 2.0, 3.0, 4.0).into()),
            ]
            .into(),
        ),
    ]
}

fn in_json(values: &[Variant]) -> Vec<String> {
    values.iter().map(|value| to_json(value, Dialect::GODOT3, Style::Compact)).collect()
}

fn answer() -> String {
    r#"{"answer":7}"#.into()
}

#[test]
fn streams_give_what_was_put_into_them() {
    for (name, framing) in [
        ("stream.pcap", Framing::Frames),
        ("stream.pcapng", Framing::Frames),
        ("stream_big_endian.pcap", Framing::FramesBe),
        ("packet_stream.pcap", Framing::Frames),
    ] {
        let read = Read::of(&capture(name));
        assert!(read.fault.is_none(), "{name}");
        let mut expected = in_json(&sent());
        expected.push(answer());
        assert_eq!(read.values(), expected, "{name}");
        for found in &read.found {
            assert_eq!((found.framing, found.transport), (framing, Transport::Tcp), "{name}");
            assert_eq!(found.dialect, Dialect::GODOT3);
            assert_eq!(found.place, Place::Alone);
        }
        let (last, others) = read.found.split_last().expect("there are values");
        assert!(others.iter().all(|found| found.destination.port() == 47100));
        assert_eq!((last.source.port(), last.offset, last.size), (47100, 4, 32));
        // Each value comes after its length, which follows the value before it.
        let offsets: Vec<u64> = others.iter().map(|found| found.offset).collect();
        let ends = others.iter().map(|found| found.offset + found.size + 4);
        assert!(offsets.iter().copied().skip(1).eq(ends.take(offsets.len() - 1)), "{name}");
        assert!(!read.summary.conversations[0].is_damaged(), "{name}");
    }
}

#[test]
fn datagrams_give_what_was_sent_and_count_what_is_no_value() {
    let read = Read::of(&capture("datagrams.pcap"));
    let mut expected = in_json(&sent());
    expected.extend([answer(), "\"one\"".into(), r#"{"two":2}"#.into()]);
    assert_eq!(read.values(), expected);
    // Two of the datagrams came in three fragments each.
    assert_eq!(read.summary.packets, 14);
    assert_eq!(read.summary.incomplete, 0);
    let about = &read.summary.conversations[0];
    assert_eq!((about.values, about.broken, about.without), (10, 0, 1));
    assert_eq!(read.found[9].offset, 12);
}

#[test]
fn enet_gives_what_peers_put_however_it_is_compressed() {
    for name in ["enet.pcap", "enet_zlib.pcap", "enet_zstd.pcap", "enet_fastlz.pcap"] {
        let read = Read::of(&capture(name));
        let about = &read.summary.conversations[0];
        let mut expected = in_json(&sent());
        expected.extend(in_json(&sent()));
        expected.extend([0, 1].map(|mode| format!("{{\"mode\":{mode}}}")));
        assert_eq!(read.values(), expected, "{name}");
        for (position, found) in read.found.iter().enumerate() {
            assert_eq!((found.framing, found.offset), (Framing::ENet, 8), "{name}");
            // Seven values come from the server, the rest from the client.
            assert_eq!(found.source.port() == 47100, position < 7, "{name}");
        }
        assert_eq!((about.broken, about.compressed, about.without), (0, 0, 0), "{name}");
    }
}

#[test]
fn what_the_range_coder_packed_is_named() {
    let read = Read::of(&capture("enet_range_coder.pcap"));
    assert!(read.found.is_empty());
    let about = &read.summary.conversations[0];
    assert_eq!(about.other, Some(Other::ENetCompressed));
    assert_eq!(about.compressed, 30);
}

#[test]
fn remote_calls_give_their_arguments() {
    let read = Read::of(&capture("rpc.pcap"));
    let told: Vec<String> = read
        .found
        .iter()
        .map(|found| match &found.place {
            Place::Call { method, argument } => format!("{method} {argument} {}", json(found)),
            Place::Property { name } => format!("{name} = {}", json(found)),
            Place::Bytes => format!("bytes {}", json(found)),
            place => panic!("{place:?}"),
        })
        .collect();
    let mut expected = Vec::new();
    for number in 0..3 {
        expected.extend([
            format!("hit 0 {number}"),
            format!("hit 1 {{\"where\":{{\"$Vector2\":[{number}.0,0.5]}}}}"),
            "hit 2 \"sword\"".into(),
        ]);
    }
    let long = in_json(&sent());
    expected.extend([
        "mood = \"grim\"".into(),
        format!("hit 0 {}", long[5]),
        format!("hit 1 {}", long[6]),
        "hit 2 [null]".into(),
    ]);
    let (last, told) = told.split_at(told.len() - 4);
    assert_eq!(last, expected);
    // These two were sent at the same time.
    assert!(told.contains(&"bytes {\"raw\":true}".to_owned()), "{told:?}");
    for number in 1..=3 {
        assert!(told.contains(&format!("hit {} {number}", number - 1)), "{told:?}");
    }
    let about = &read.summary.conversations[0];
    // Two paths sent, two paths confirmed, a call without arguments, and bytes that are not a value.
    assert_eq!((about.values, about.broken, about.without), (17, 0, 6));
}

#[test]
fn the_dialect_and_the_framing_can_be_said() {
    let bytes = capture("stream.pcap");
    let dialect = "godot3.2".parse().expect("a dialect");
    let read = Read::with(&bytes, |capture| capture.dialect(dialect).framing(Framing::Frames));
    assert_eq!(read.found.len(), 8);
    assert!(read.found.iter().all(|found| found.dialect == dialect));
    let read = Read::with(&bytes, |capture| capture.framing(Framing::FramesBe));
    assert!(read.found.is_empty());
    let read = Read::with(&bytes, |capture| capture.ports([9999]));
    assert_eq!((read.found.len(), read.summary.left_out), (0, 39));
    let read = Read::with(&bytes, |capture| capture.ports([9999, 47100]));
    assert_eq!(read.found.len(), 8);
}

#[test]
fn a_capture_that_ends_in_a_packet_gives_what_came_before() {
    let bytes = capture("stream.pcap");
    let read = Read::of(&bytes[..bytes.len() / 2]);
    assert!(read.fault.as_ref().is_some_and(|fault| fault.needed().is_some()));
    assert_eq!(read.values(), in_json(&sent()[..read.found.len()]));
    assert!(read.found.len() > 3);
    let read = Read::of(&bytes[..24]);
    assert!(read.fault.is_none() && read.found.is_empty());
    for wrong in [&b""[..], b"\xd4\xc3", b"GCPF and more", &[0; 100]] {
        let error = Capture::new(wrong).err().expect("no capture");
        assert_eq!(error.rule().name(), "capture.file");
    }
}

#[test]
fn times_are_those_of_the_file() {
    for name in ["stream.pcap", "stream.pcapng"] {
        let read = Read::of(&capture(name));
        let times: Vec<_> = read.found.iter().map(|found| found.time.expect("a time")).collect();
        assert!(times.is_sorted());
        assert!(times[0].to_string().starts_with("2026-11-21T"), "{}", times[0]);
    }
}
