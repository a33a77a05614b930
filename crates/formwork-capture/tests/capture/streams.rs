//! TCP connections recorded in every possible disorder.

use formwork_capture::Framing;
use formwork_testkit::Noise;
use formwork_variant::Dialect;
use formwork_variant::frame::{ByteOrder, FrameWriter};

use crate::recorder::*;
use crate::{Read, packet, save, save_json};

const COUNT: i64 = 30;

/// Returns frames, one after another.
fn frames(numbers: std::ops::Range<i64>, order: ByteOrder) -> Vec<u8> {
    let mut writer = FrameWriter::new(Vec::new(), order);
    for number in numbers {
        writer.write_packet(&packet(&save(number))).expect("a vector takes what it is given");
    }
    writer.into_inner()
}

/// Cuts the stream into segments, each with its offset.
fn cut(stream: &[u8], choices: &mut Noise) -> Vec<(usize, Vec<u8>)> {
    let mut segments = Vec::new();
    let mut at = 0;
    while at < stream.len() {
        let length = (1 + choices.below(60)).min(stream.len() - at);
        segments.push((at, stream[at..at + length].to_vec()));
        at += length;
    }
    segments
}

#[test]
fn segments_in_any_order_twice_and_overlapping_give_the_same_values() {
    let expected: Vec<String> = (0..COUNT).map(save_json).collect();
    for seed in 1..200_u64 {
        let mut choices = Noise::new(seed);
        let order = if seed % 2 == 0 { ByteOrder::Little } else { ByteOrder::Big };
        let stream = frames(0..COUNT, order);
        let mut segments = cut(&stream, &mut choices);
        // Some segments are repeated, and some overlap others.
        for _ in 0..choices.below(10) {
            segments.push(segments[choices.below(segments.len())].clone());
            let start = choices.below(stream.len());
            let end = (start + choices.below(150)).min(stream.len());
            segments.push((start, stream[start..end].to_vec()));
        }
        match seed % 3 {
            0 => segments.sort_by_key(|(start, _)| *start),
            1 => segments.chunks_mut(8).for_each(|some| choices.shuffle(some)),
            _ => choices.shuffle(&mut segments),
        }
        // In every other stream, the sequence numbers wrap around.
        let first = if seed % 4 < 2 { u32::MAX - choices.below(stream.len()) as u32 } else { 77 };
        let mut packets = vec![tcp(true, first, "S", b""), tcp(false, 5, "SA", b"")];
        let body = first.wrapping_add(1);
        packets.extend(
            segments.iter().map(|(at, bytes)| tcp(true, body.wrapping_add(*at as u32), "A", bytes)),
        );
        packets.push(tcp(true, body.wrapping_add(stream.len() as u32), "FA", b""));
        let read = Read::of(&file(PCAP, RAW, &packets));
        assert_eq!(read.values(), expected, "{seed}");
        let about = &read.summary.conversations[0];
        assert!(!about.is_damaged(), "{seed}: {about:?}");
        assert_eq!(about.framing == Some(Framing::FramesBe), order == ByteOrder::Big);
    }
}

#[test]
fn a_connection_picked_up_in_its_middle_is_read_from_the_next_frame_on() {
    let stream = frames(0..COUNT, ByteOrder::Little);
    let size = frames(0..1, ByteOrder::Little).len();
    let expected: Vec<String> = (0..COUNT).map(save_json).collect();
    for start in 1..3 * size {
        let mut choices = Noise::new(start as u64);
        let segments = cut(&stream[start..], &mut choices);
        let packets: Vec<Packet> = segments
            .iter()
            .map(|(at, bytes)| tcp(true, 1000 + (start + at) as u32, "A", bytes))
            .collect();
        let read = Read::of(&file(PCAP, RAW, &packets));
        let first = start.div_ceil(size);
        assert_eq!(read.values(), expected[first..], "{start}");
        let skipped = (first * size - start) as u64;
        assert_eq!(read.summary.conversations[0].skipped, skipped, "{start}");
    }
}

#[test]
fn a_gap_costs_the_frames_in_it_and_no_others() {
    let stream = frames(0..COUNT, ByteOrder::Little);
    let size = frames(0..1, ByteOrder::Little).len();
    let expected: Vec<String> = (0..COUNT).map(save_json).collect();
    for seed in 1..60 {
        let mut choices = Noise::new(seed);
        let mut segments = cut(&stream, &mut choices);
        let lost = segments.remove(3 + choices.below(segments.len() / 2));
        let mut packets = vec![tcp(true, 0, "S", b"")];
        packets.extend(segments.iter().map(|(at, bytes)| tcp(true, 1 + *at as u32, "A", bytes)));
        let read = Read::of(&file(PCAP, RAW, &packets));
        let hit = |number: &usize| {
            let (start, end) = (number * size, (number + 1) * size);
            lost.0 < end && lost.0 + lost.1.len() > start
        };
        let left: Vec<&String> =
            (0..COUNT as usize).filter(|number| !hit(number)).map(|it| &expected[it]).collect();
        assert_eq!(read.values().iter().collect::<Vec<_>>(), left, "{seed}");
        let about = &read.summary.conversations[0];
        assert_eq!((about.gaps, about.lost), (1, lost.1.len() as u64), "{seed}");
        assert!(about.is_damaged());
    }
}

#[test]
fn segments_cut_when_recorded_are_gaps() {
    let stream = frames(0..COUNT, ByteOrder::Little);
    let mut packets = vec![tcp(true, 0, "S", b"")];
    for (number, part) in stream.chunks(stream.len() / COUNT as usize).enumerate() {
        let mut segment = tcp(true, 1 + (number * part.len()) as u32, "A", part);
        if number % 5 == 2 {
            segment.kept -= 10;
        }
        packets.push(segment);
    }
    let read = Read::of(&file(PCAP, RAW, &packets));
    let expected: Vec<String> = (0..COUNT).filter(|it| it % 5 != 2).map(save_json).collect();
    assert_eq!(read.values(), expected);
    let about = &read.summary.conversations[0];
    assert_eq!((about.cut, about.gaps, about.lost), (6, 6, 60));
}

#[test]
fn a_tail_that_was_not_recorded_is_known_by_the_end() {
    let stream = frames(0..2, ByteOrder::Little);
    let (first, _) = stream.split_at(stream.len() / 2);
    let packets = [
        tcp(true, 0, "S", b""),
        tcp(true, 1, "A", first),
        tcp(true, 1 + stream.len() as u32, "FA", b""),
    ];
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.values(), [save_json(0)]);
    let about = &read.summary.conversations[0];
    assert_eq!((about.gaps, about.lost), (1, first.len() as u64));
}

#[test]
fn a_broken_value_is_said_and_the_next_one_read() {
    let mut stream = frames(0..5, ByteOrder::Little);
    let size = stream.len() / 5;
    // The type of the first key in the second dictionary.
    stream[size + 12] = 60;
    let packets = [tcp(true, 0, "S", b""), tcp(true, 1, "A", &stream)];
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.values(), [0, 2, 3, 4].map(save_json));
    let about = &read.summary.conversations[0];
    assert_eq!(about.broken, 1);
    let fault = about.fault.as_ref().expect("it is said what is wrong");
    assert_eq!(fault.offset(), size as u64 + 12);
    // A wrong length: the frames after it are found again.
    let mut stream = frames(0..8, ByteOrder::Little);
    stream[size + 3] = 0x7f;
    let packets = [tcp(true, 0, "S", b""), tcp(true, 1, "A", &stream)];
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.values(), [0, 2, 3, 4, 5, 6, 7].map(save_json));
    assert!(read.summary.conversations[0].broken > 0);
}

#[test]
fn the_same_ports_again_are_another_connection() {
    let mut packets = Vec::new();
    for start in [100, 5_000_000] {
        let stream = frames(0..3, ByteOrder::Little);
        packets.push(tcp(true, start, "S", b""));
        packets.push(tcp(true, start, "S", b""));
        packets.push(tcp(false, start, "SA", b""));
        packets.push(tcp(true, start + 1, "A", &stream));
        packets.push(tcp(true, start + 1 + stream.len() as u32, "R", b""));
    }
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.found.len(), 6);
    assert_eq!(read.summary.conversations.len(), 2);
}

#[test]
fn messages_of_a_websocket_are_values() {
    let upgrade = b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    let answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
    let mut up = upgrade.to_vec();
    let mut down = answer.to_vec();
    for number in 0..4 {
        let value = packet(&save(number));
        let (first, second) = value.split_at(20);
        // The messages of the client are masked, and in two pieces with a ping between them.
        for (opcode, part) in [(2, first), (0x89, &b""[..]), (0x80, second)] {
            up.extend([opcode, 0x80 | part.len() as u8, 1, 2, 3, 4]);
            up.extend(part.iter().zip([1, 2, 3, 4].iter().cycle()).map(|(byte, mask)| byte ^ mask));
        }
        down.extend([0x82, 126, 0, value.len() as u8]);
        down.extend(&value);
        down.extend([0x81, 2, b'h', b'i']);
    }
    let mut packets = vec![tcp(true, 0, "S", b""), tcp(false, 0, "SA", b"")];
    packets.push(tcp(true, 1, "A", &up));
    for (number, part) in down.chunks(50).enumerate() {
        packets.push(tcp(false, 1 + 50 * number as u32, "A", part));
    }
    let read = Read::of(&file(PCAP, RAW, &packets));
    let expected: Vec<String> = (0..4).chain(0..4).map(save_json).collect();
    assert_eq!(read.values(), expected);
    assert!(read.found.iter().all(|found| found.framing == Framing::WebSocket));
    assert_eq!(read.found[0].dialect, Dialect::GODOT3);
    // The offset of the message in the stream.
    assert_eq!(read.found[0].offset, upgrade.len() as u64 + 6);
}

#[test]
fn a_websocket_that_cannot_be_read_on_is_broken() {
    let answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
    let value = packet(&save(1));
    let frame = |first: u8| [&[first, 126, 0, value.len() as u8], &*value].concat();
    // A compressed message, an incomplete one, and a length beyond all limits.
    let last = [frame(0xc2), frame(0x02), vec![0x82, 127, 0, 0, 1, 0, 0, 0, 0, 0]];
    for last in last {
        let stream = [answer.to_vec(), frame(0x82), frame(0x82), last].concat();
        let packets = [tcp(false, 0, "SA", b""), tcp(false, 1, "A", &stream)];
        let read = Read::of(&file(PCAP, RAW, &packets));
        assert_eq!(read.values(), vec![save_json(1); 2]);
        let about = &read.summary.conversations[0];
        assert!(about.broken == 1 && about.is_damaged(), "{about:?}");
        let offset = answer.len() + 2 * frame(0x82).len();
        let fault = about.fault.as_ref().map_or(0, |fault| fault.offset());
        assert!(fault >= offset as u64, "{about:?}");
    }
}

/// A large dictionary has more possible starts of frames than are followed at a time.
#[test]
fn one_large_value_is_found_however_it_is_cut() {
    for engine in ["godot2/golden", "godot3/golden/3.6.2", "godot4/golden/4.6.3"] {
        let name =
            format!("{}/../../formats/{engine}/files/small.save", env!("CARGO_MANIFEST_DIR"));
        let stream = std::fs::read(name).expect("a golden file");
        for seed in 1..20 {
            let segments = cut(&stream, &mut Noise::new(seed));
            let mut packets = vec![tcp(true, 6, "S", b"")];
            packets
                .extend(segments.iter().map(|(at, bytes)| tcp(true, 7 + *at as u32, "A", bytes)));
            let read = Read::of(&file(PCAP, RAW, &packets));
            assert_eq!(read.values().len(), 1, "{engine}, {seed}");
            assert!(!read.summary.conversations[0].is_damaged(), "{engine}, {seed}");
        }
    }
}

/// Returns a connection of three frames in segments, one of which is missing.
fn with_a_gap() -> Vec<u8> {
    let stream = frames(0..3, ByteOrder::Little);
    let frame = stream.len() / 3;
    let mut packets = vec![tcp(true, 99, "S", b"")];
    for (number, bytes) in stream.chunks(frame / 2 + 8).enumerate() {
        if number != 2 {
            let at = 100 + number * (frame / 2 + 8);
            packets.push(tcp(true, at as u32, "A", bytes));
        }
    }
    file(PCAP, RAW, &packets)
}

#[test]
fn a_frame_behind_a_gap_is_found_with_its_time() {
    let capture = with_a_gap();
    let read = Read::of(&capture);
    assert_eq!(read.values(), [save_json(0), save_json(2)]);
    let times: Vec<_> = read.found.iter().map(|found| found.time).collect();
    assert!(times.iter().all(Option::is_some) && times[0] < times[1], "{times:?}");
    assert_eq!(read.summary.conversations[0].gaps, 1);
}

#[test]
fn values_that_are_few_among_others_are_believed_where_they_are_said_or_no_chance() {
    let few = |value: &formwork_variant::Variant| {
        let mut packets: Vec<_> = (0..20).map(|_| udp(true, b"ping")).collect();
        packets.push(udp(true, &packet(value)));
        file(PCAP, RAW, &packets)
    };
    let small = few(&save(1));
    assert_eq!(Read::of(&small).values(), [""; 0]);
    let said =
        Read::with(&small, |capture| capture.dialect(Dialect::GODOT3).framing(Framing::Bare));
    assert_eq!(said.values(), [save_json(1)]);
    assert!(!said.summary.conversations[0].is_damaged());
    let large: formwork_variant::Variant = (0..30).map(save).collect();
    assert_eq!(Read::of(&few(&large)).found.len(), 1);
    // Without values, no dialect is guessed.
    let none = file(PCAP, RAW, &[udp(true, b"ping"), udp(true, b"pong")]);
    let said = Read::with(&none, |capture| capture.dialect(Dialect::GODOT3).framing(Framing::Bare));
    assert_eq!((said.found.len(), said.summary.conversations[0].dialect), (0, None));
}
