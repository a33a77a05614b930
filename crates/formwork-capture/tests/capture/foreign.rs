//! Traffic without values, which is not taken for values.

use formwork_capture::Other;
use formwork_testkit::Noise;
use formwork_variant::Variant;
use formwork_variant::{Dialect, to_vec};

use crate::recorder::*;
use crate::{Read, packet, save, save_json};

/// Returns a different client for each number, so that it has a separate conversation.
fn client(number: usize) -> ([u8; 4], u16) {
    ([10, 1, (number >> 8) as u8, number as u8], 1024 + (number >> 4) as u16)
}

/// Returns how many of the conversations are taken for values, and how many there are. Each conversation has
/// some datagrams.
fn taken(conversations: impl Iterator<Item = Vec<Vec<u8>>>) -> (usize, usize) {
    let mut packets = Vec::new();
    let mut count = 0;
    for (number, datagrams) in conversations.enumerate() {
        count += 1;
        packets.extend(datagrams.iter().map(|bytes| datagram(client(number), SERVER, bytes)));
    }
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.summary.conversations.len(), count);
    let values = read.summary.conversations.iter().filter(|about| about.values > 0).count();
    (values, count)
}

#[test]
fn random_datagrams_are_no_values() {
    let mut choices = Noise::new(99);
    let conversations = (0..20_000).map(|number| {
        let length = if number % 2 == 0 { 4 * (1 + choices.below(20)) } else { choices.below(80) };
        (0..1 + number % 5).map(|_| choices.bytes(length)).collect()
    });
    assert_eq!(taken(conversations), (0, 20_000));
}

#[test]
fn text_and_other_protocols_are_no_values() {
    let texts = [
        "hello",
        "",
        "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\n\r\n",
        "{\"a\": 1}",
        "d1:ad2:id20:abcdefghij0123456789e1:q4:ping1:t2:aa1:y1:qe",
        "\n\n\n\n\n\n\n\n",
    ];
    let mut protocols: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    // DNS, NTP, STUN, a DHCP discovery, RTP, DTLS, QUIC, and zeros.
    protocols
        .push(b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x03www\x07example\x03com\0\0\x01\0\x01".to_vec());
    protocols.push([&[0x23, 2, 6, 0xe8][..], &[0; 44]].concat());
    protocols.push([&[0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42][..], &[7; 12]].concat());
    protocols.push(
        [&[1, 1, 6, 0, 9, 8, 7, 6][..], &[0; 232], b"\x63\x82\x53\x63\x35\x01\x01\xff"].concat(),
    );
    protocols.push([&[0x80, 0x60, 0, 1, 0, 0, 0, 1][..], &[3; 160]].concat());
    protocols.push([&[22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4][..], &[1; 4]].concat());
    protocols.push([&[0xc3, 0, 0, 0, 1, 8][..], &[5; 1200]].concat());
    for count in [1, 4, 8, 12, 64] {
        protocols.push(vec![0; count]);
    }
    let count = protocols.len();
    assert_eq!(taken(protocols.iter().map(|bytes| vec![bytes.clone(); 6])), (0, count));
    assert_eq!(taken(protocols.iter().map(|bytes| vec![bytes.clone()])), (0, count));
    // All protocols in a single conversation.
    assert_eq!(taken(std::iter::once(protocols)).0, 0);
}

#[test]
fn small_numbers_in_a_row_are_no_values() {
    let mut choices = Noise::new(7);
    let conversations = (0..2000).map(|number| {
        let words = 3 + number % 9;
        let datagram = |choices: &mut Noise| {
            let words: Vec<u32> = (0..words).map(|_| choices.below(6) as u32).collect();
            words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
        };
        (0..3).map(|_| datagram(&mut choices)).collect()
    });
    let (values, _) = taken(conversations);
    // Some of these are exactly what an engine would write, such as arrays of a few elements. The limit
    // allows only a few of them.
    println!("{values} of 2000 conversations of small numbers are taken for values");
    assert!(values < 60, "{values}");
}

#[test]
fn streams_of_other_protocols_are_no_values_and_are_named() {
    let mut choices = Noise::new(5);
    let http = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n".to_vec();
    let tls = [&[22, 3, 1, 1, 0][..], &choices.bytes(5000)].concat();
    let numbers: Vec<u8> = (0..5000_u32).flat_map(|it| (it % 5).to_le_bytes()).collect();
    let cases = [
        (http, Other::Http),
        (tls, Other::Tls),
        (b"220 mail ready\r\n".to_vec(), Other::Text),
        (choices.bytes(200_000), Other::Unknown),
        (vec![0; 10_000], Other::Unknown),
        (numbers, Other::Unknown),
    ];
    for (stream, other) in cases {
        let mut packets = vec![tcp(true, 0, "S", b"")];
        for (number, part) in stream.chunks(1400).enumerate() {
            packets.push(tcp(true, 1 + 1400 * number as u32, "A", part));
        }
        // From the start of the stream, and from the middle.
        for first in [0, 2.min(packets.len() - 1)] {
            let read = Read::of(&file(PCAP, RAW, &packets[first..]));
            assert!(read.found.is_empty(), "{other}");
            let about = &read.summary.conversations[0];
            assert!(first > 0 || about.other == Some(other), "{other}: {:?}", about.other);
            assert!(!about.is_damaged());
        }
    }
}

#[test]
fn what_is_foreign_between_values_is_counted() {
    let mut packets: Vec<Packet> = (0..6).map(|number| udp(true, &packet(&save(number)))).collect();
    packets.insert(2, udp(false, b"keepalive"));
    packets.push(udp(true, &[0xff; 20]));
    // A broken value with the header of a dictionary.
    packets.push(udp(true, &[18, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0]));
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.values(), (0..6).map(save_json).collect::<Vec<_>>());
    let about = &read.summary.conversations[0];
    assert_eq!((about.without, about.broken), (2, 1));
    let fault = about.fault.as_ref().expect("it is said what is wrong");
    assert_eq!((fault.rule().name(), fault.offset()), ("header.type_id", 8));
}

#[test]
fn values_that_are_few_among_much_else_are_doubtful() {
    let mut datagrams = vec![vec![0xab; 9]; 8];
    datagrams.push(packet(&save(1)));
    let packets: Vec<Packet> = datagrams.iter().map(|bytes| udp(true, bytes)).collect();
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert!(read.found.is_empty());
    assert_eq!(read.summary.conversations[0].other, Some(Other::Doubtful));
}

#[test]
fn each_conversation_has_its_dialect() {
    let dialects = [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM];
    let mut packets = Vec::new();
    for (number, dialect) in dialects.iter().enumerate() {
        for value in 0..3 {
            let value: Variant = vec![save(value), Variant::Bool(true)].into();
            let bytes = to_vec(&value, *dialect).expect("a value");
            packets.push(datagram(client(number * 16), SERVER, &bytes));
        }
    }
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.found.len(), 12);
    for about in &read.summary.conversations {
        let number = usize::from(about.ends[0].port() - 1024);
        let dialect = about.dialect.expect("it is told");
        assert_eq!(dialect.family(), dialects[number].family(), "{about:?}");
        assert!(about.or.is_empty());
    }
}

#[test]
fn many_conversations_are_followed_a_few_at_a_time() {
    let packets: Vec<Packet> =
        (0..20_000).map(|number| datagram(client(number), SERVER, &packet(&save(1)))).collect();
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!(read.found.len(), 20_000);
    assert_eq!(read.summary.conversations.len(), 20_000);
}
