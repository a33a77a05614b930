//! ENet packets made by hand, for cases that the recorded captures do not have.

use formwork_capture::{Framing, Place};
use formwork_testkit::Noise;
use formwork_variant::Variant;
use formwork_variant::{Dialect, to_vec};

use crate::recorder::*;
use crate::{Read, json, packet, save, save_json};

/// Returns a datagram of ENet with these commands.
fn datagram(commands: &[Vec<u8>]) -> Vec<u8> {
    [&[0x80, 0x00, 0x12, 0x34], &*commands.concat()].concat()
}

fn reliable(channel: u8, sequence: u16, bytes: &[u8]) -> Vec<u8> {
    let [high, low] = sequence.to_be_bytes();
    let length = (bytes.len() as u16).to_be_bytes();
    [&[0x86, channel, high, low], &length[..], bytes].concat()
}

fn connect(connection: u32) -> Vec<u8> {
    let mut command = vec![0x82, 0xff, 0, 1, 0, 0, 0xff, 0xff];
    for number in [1400_u32, 32768, 2, 0, 0, 5000, 2, 2, connection, 7] {
        command.extend(number.to_be_bytes());
    }
    [&[0x8f, 0xff, 0, 1][..], &command].concat()
}

/// Returns the parts of a packet, each in a datagram.
fn parts(channel: u8, start: u16, reliable: bool, bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
    let count = bytes.chunks(size).count() as u32;
    let part = |(number, part): (usize, &[u8])| {
        let sequence = if reliable { start + number as u16 } else { 1 };
        let mut command = vec![if reliable { 0x88 } else { 0x0c }, channel];
        command.extend(sequence.to_be_bytes());
        command.extend(start.to_be_bytes());
        command.extend((part.len() as u16).to_be_bytes());
        for word in [count, number as u32, bytes.len() as u32, (number * size) as u32] {
            command.extend(word.to_be_bytes());
        }
        command.extend(part);
        datagram(&[command])
    };
    bytes.chunks(size).enumerate().map(part).collect()
}

fn capture(datagrams: &[Vec<u8>]) -> Vec<u8> {
    let packets: Vec<Packet> = datagrams.iter().map(|bytes| udp(true, bytes)).collect();
    file(PCAP, RAW, &packets)
}

#[test]
fn what_is_sent_again_counts_once_and_parts_come_in_any_order() {
    let long = Variant::from(vec![save(1), "y".repeat(5000).as_str().into()]);
    for seed in 1..60 {
        let mut choices = Noise::new(seed);
        let mut datagrams = parts(1, 10, true, &packet(&long), 500);
        datagrams.extend(parts(1, 10, false, &packet(&save(2)), 16));
        for number in 0..6 {
            let bytes = packet(&save(number));
            datagrams.push(datagram(&[reliable(2, 50 + number as u16, &bytes)]));
        }
        // Any datagram that must arrive may be repeated.
        datagrams.push(datagrams[choices.below(5)].clone());
        datagrams.push(datagrams.last().expect("there are some").clone());
        datagrams.push(datagram(&[reliable(2, 50, &packet(&save(0)))]));
        choices.shuffle(&mut datagrams);
        datagrams.insert(0, connect(5));
        let read = Read::of(&capture(&datagrams));
        let mut values = read.values();
        values.sort();
        let mut expected: Vec<String> = (0..6).map(save_json).collect();
        expected.extend([save_json(2), json_of(&long)]);
        expected.sort();
        assert_eq!(values, expected, "{seed}");
        assert_eq!(read.summary.conversations[0].broken, 0);
    }
}

fn json_of(value: &Variant) -> String {
    formwork_variant::json::to_json(value, Dialect::GODOT3, formwork_variant::json::Style::Compact)
}

#[test]
fn a_part_that_never_came_is_a_broken_packet() {
    let mut datagrams = parts(1, 10, true, &packet(&save(1)), 16);
    datagrams.remove(1);
    datagrams.insert(0, connect(5));
    for number in 0..3 {
        datagrams.push(datagram(&[reliable(1, 90 + number, &packet(&save(7)))]));
    }
    let read = Read::of(&capture(&datagrams));
    assert_eq!(read.values(), vec![save_json(7); 3]);
    let about = &read.summary.conversations[0];
    assert!(about.broken == 1 && about.is_damaged());
}

#[test]
fn an_empty_part_is_none() {
    let mut datagrams = vec![connect(5)];
    for number in 0..3 {
        datagrams.push(datagram(&[reliable(1, 90 + number, &packet(&save(7)))]));
    }
    // The second part of a packet with very many parts. It has no bytes.
    let words = [u32::MAX, 1, 1000, 0].map(u32::to_be_bytes).concat();
    datagrams.push(datagram(&[[&[0x0c, 1, 0, 1, 0, 9, 0, 0][..], &words].concat()]));
    let read = Read::of(&capture(&datagrams));
    assert_eq!(read.values(), vec![save_json(7); 3]);
    assert_eq!(read.summary.conversations[0].broken, 1);
}

#[test]
fn numbers_start_anew_with_a_connection() {
    let one = datagram(&[reliable(0, 1, &packet(&save(1)))]);
    let datagrams = [connect(5), one.clone(), one.clone(), connect(6), one.clone(), one];
    assert_eq!(Read::of(&capture(&datagrams)).found.len(), 2);
}

#[test]
fn a_connection_picked_up_in_its_middle_and_one_with_a_checksum_are_known() {
    let datagrams: Vec<Vec<u8>> = (0..5)
        .map(|number| datagram(&[reliable(0, number, &packet(&save(number.into())))]))
        .collect();
    let expected: Vec<String> = (0..5).map(save_json).collect();
    assert_eq!(Read::of(&capture(&datagrams)).values(), expected);
    let checked: Vec<Vec<u8>> = datagrams
        .iter()
        .map(|bytes| [&bytes[..4], &[0xde, 0xad, 0xbe, 0xef], &bytes[4..]].concat())
        .collect();
    assert_eq!(Read::of(&capture(&checked)).values(), expected);
}

#[test]
fn the_head_of_godot_2_is_passed_over() {
    let value = to_vec(&save(4), Dialect::GODOT2).expect("a value of Godot 2");
    let head = [[1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]].concat();
    let datagrams: Vec<Vec<u8>> = (0..4)
        .map(|number| datagram(&[reliable(1, number, &[&head[..], &value].concat())]))
        .collect();
    let read = Read::of(&capture(&datagrams));
    assert_eq!(read.found.len(), 4);
    assert!(read.found.iter().all(|found| found.offset == 12 && found.framing == Framing::ENet));
}

#[test]
fn arguments_of_godot_4_are_taken_apart() {
    let value = to_vec(&save(4), Dialect::GODOT4).expect("a value of Godot 4");
    // The node's number in one byte, the method's number in one byte, and four arguments: true, 5, -300, a
    // dictionary.
    let call = |method: u8| {
        let mut bytes = vec![0x00, 9, method, 4, 0x81, 0x02, 5, 0x42];
        bytes.extend((-300_i16).to_le_bytes());
        bytes.extend(&value);
        bytes
    };
    // The packet contains the path, because the other side does not know its number yet.
    let mut with_path = vec![0x20, 0, 0, 0, 0, 3, 1];
    with_path.extend(&value);
    let offset = with_path.len() as u32 | 0x8000_0000;
    with_path[1..5].copy_from_slice(&offset.to_le_bytes());
    with_path.extend(b"World/Player\0");
    let bytes_only = vec![0x80, 9, 7, 1, 2, 3];
    let sent: Vec<u8> = [&[3][..], &value].concat();
    // From one client to another.
    let mut relayed = vec![7, 3, 5, 0, 0, 0];
    relayed.extend(call(8));
    let packets = [call(3), with_path, bytes_only, sent, relayed];
    let datagrams: Vec<Vec<u8>> = packets
        .iter()
        .enumerate()
        .map(|(number, bytes)| datagram(&[reliable(2, number as u16, bytes)]))
        .collect();
    let read = Read::of(&capture(&datagrams));
    let told: Vec<String> = read
        .found
        .iter()
        .map(|found| match &found.place {
            Place::Call { method, argument } => format!("{method} {argument} {}", json(found)),
            place => format!("{place:?} {}", json(found)),
        })
        .collect();
    let save = save_json(4);
    let call = |method: u8| {
        [
            format!("#{method} 0 true"),
            format!("#{method} 1 5"),
            format!("#{method} 2 -300"),
            format!("#{method} 3 {save}"),
        ]
    };
    let mut expected = call(3).to_vec();
    expected.push(format!("#3 0 {save}"));
    expected.push("#7 0 {\"$PackedByteArray\":\"AQID\"}".into());
    expected.push(format!("Bytes {save}"));
    expected.extend(call(8));
    assert_eq!(told, expected);
    assert_eq!((read.found[1].offset, read.found[1].size), (5, 2));
    assert!(read.found.iter().all(|found| found.dialect == Dialect::GODOT4));
}
