//! What is held back of a conversation, and what is given up, at each of the limits.

use formwork_capture::Limits;
use formwork_variant::Dialect;
use formwork_variant::frame::{ByteOrder, FrameWriter};

use crate::recorder::*;
use crate::{Read, packet, save, save_json};

fn with(capture: &[u8], limits: Limits) -> Read {
    Read::with(capture, |capture| capture.limits(limits))
}

/// Returns a connection whose first segment, of the first frame, comes last.
fn late() -> Vec<u8> {
    let mut writer = FrameWriter::new(Vec::new(), ByteOrder::Little);
    for number in 0..4 {
        writer.write_packet(&packet(&save(number))).expect("a vector takes what it is given");
    }
    let stream = writer.into_inner();
    let size = stream.len() / 4;
    let mut packets = vec![tcp(true, 0, "S", b"")];
    for number in [1, 2, 3, 0] {
        let part = &stream[number * size..][..size];
        packets.push(tcp(true, 1 + (number * size) as u32, "A", part));
    }
    file(PCAP, RAW, &packets)
}

#[test]
fn bytes_that_came_too_early_wait_as_long_as_there_is_room() {
    let capture = late();
    let all: Vec<String> = (0..4).map(save_json).collect();
    let frame = 4 + packet(&save(0)).len();
    // Each segment that waits takes some memory besides its bytes.
    let read = with(&capture, Limits::default().waiting_bytes(3 * frame + 3 * 200));
    assert_eq!(read.values(), all);
    assert!(!read.summary.conversations[0].is_damaged());
    // With no room for all three, the first frame is given up when the third of them comes.
    let read = with(&capture, Limits::default().waiting_bytes(3 * frame - 1));
    assert_eq!(read.values(), all[1..]);
    let about = &read.summary.conversations[0];
    assert_eq!((about.gaps, about.lost), (1, frame as u64));
    // With room for none it is given up at once.
    assert_eq!(with(&capture, Limits::default().waiting_bytes(0)).values(), all[1..]);
}

#[test]
fn a_message_has_as_many_bytes_as_the_limit_and_no_more() {
    let value = packet(&save(7));
    let length = value.len();
    let mut writer = FrameWriter::new(Vec::new(), ByteOrder::Little);
    for _ in 0..3 {
        writer.write_packet(&value).expect("a vector takes what it is given");
    }
    let framed =
        file(PCAP, RAW, &[tcp(true, 0, "S", b""), tcp(true, 1, "A", &writer.into_inner())]);
    let answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
    let message = [&[0x82, 126, 0, length as u8], &*value].concat();
    let stream = [&answer[..], &message, &message, &message].concat();
    let socket = file(PCAP, RAW, &[tcp(false, 0, "SA", b""), tcp(false, 1, "A", &stream)]);
    for capture in [framed, socket] {
        let read = with(&capture, Limits::default().message_bytes(length));
        assert_eq!(read.values(), vec![save_json(7); 3]);
        assert!(!read.summary.conversations[0].is_damaged());
        let read = with(&capture, Limits::default().message_bytes(length - 1));
        assert_eq!(read.values(), [""; 0]);
    }
}

/// Returns datagrams that are no values, and values behind them.
fn mixed(others: usize, values: i64) -> Vec<u8> {
    let mut packets: Vec<_> = (0..others).map(|_| udp(true, b"ping")).collect();
    packets.extend((0..values).map(|number| udp(true, &packet(&save(number)))));
    file(PCAP, RAW, &packets)
}

#[test]
fn the_meaning_of_messages_is_decided_by_as_many_as_the_limit() {
    let capture = mixed(10, 30);
    let all: Vec<String> = (0..30).map(save_json).collect();
    // Half of the messages must be values: of the first 20 they are, of the first 19 not.
    for (most, values) in [(64, 30), (40, 30), (20, 30), (19, 0), (10, 0), (1, 0)] {
        let read = with(&capture, Limits::default().evidence_messages(most));
        assert_eq!(read.values(), all[..values], "{most}");
        let about = &read.summary.conversations[0];
        assert_eq!(about.dialect, (values > 0).then_some(Dialect::GODOT3), "{most}");
        assert_eq!(about.without, if values > 0 { 10 } else { 40 }, "{most}");
    }
}

#[test]
fn the_meaning_of_messages_is_decided_by_as_many_bytes_as_the_limit() {
    let capture = mixed(10, 30);
    let all: Vec<String> = (0..30).map(save_json).collect();
    let value = packet(&save(0)).len();
    let bytes = |values: usize| 10 * 4 + values * value;
    for (most, values) in
        [(1 << 20, 30), (bytes(30), 30), (bytes(10), 30), (bytes(9) + 1, 30), (bytes(9), 0), (1, 0)]
    {
        let read = with(&capture, Limits::default().evidence_bytes(most));
        assert_eq!(read.values(), all[..values], "{most}");
    }
}
