//! Reading any capture takes no more memory than its bytes could fill.
//!
//! There is one test function, because it measures memory: no other test may allocate meanwhile.

use formwork_capture::{Capture, Limits};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Reads a capture. Returns the memory that reading took, and the number of values.
fn read(bytes: &[u8], limits: Limits) -> (usize, u64) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let mut found = 0;
    if let Ok(capture) = Capture::new(bytes) {
        found = capture.limits(limits).filter(|item| item.is_ok()).count() as u64;
    }
    (MEMORY.peak_usage() - before, found)
}

fn check(bytes: &[u8]) -> u64 {
    let (used, found) = read(bytes, Limits::default());
    // The tables of Zstandard alone take a mebibyte while a datagram is unpacked.
    let most = 16 * bytes.len() + (2 << 20);
    assert!(used <= most, "{used} bytes of memory for {} of input", bytes.len());
    found
}

/// Returns a pcap file with these packets of raw IP.
fn file(packets: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let words = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 1 << 18, 101];
    let mut file: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    for packet in packets {
        let length = packet.len() as u32;
        file.extend([0, 0, length, length].iter().flat_map(|word| word.to_le_bytes()));
        file.extend(packet);
    }
    file
}

/// Returns a packet over IPv4 with any words for fragments.
fn ip(number: u32, protocol: u8, fragment: u32, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x45, 0];
    packet.extend((20 + payload.len() as u16).to_be_bytes());
    packet.extend(fragment.to_be_bytes());
    packet.extend([64, protocol, 0, 0]);
    packet.extend((0x0a00_0000 + number).to_be_bytes());
    packet.extend([10, 255, 0, 1]);
    packet.extend(payload);
    packet
}

fn tcp(sequence: u32, payload: &[u8]) -> Vec<u8> {
    let mut segment = vec![0x9c, 0x40, 0x23, 0x28];
    segment.extend(sequence.to_be_bytes());
    segment.extend([0, 0, 0, 1, 0x50, 0x10, 0x80, 0, 0, 0, 0, 0]);
    segment.extend(payload);
    segment
}

fn udp(payload: &[u8]) -> Vec<u8> {
    let mut datagram = vec![0x9c, 0x40, 0x23, 0x28];
    datagram.extend((8 + payload.len() as u16).to_be_bytes());
    datagram.extend([0, 0]);
    datagram.extend(payload);
    datagram
}

#[test]
fn captures_stay_within_memory() {
    recorded_ones();
    lengths_that_lie();
    streams_with_holes();
    fragments_that_never_end();
    many_conversations();
}

fn recorded_ones() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/captures");
    let mut found = 0;
    for file in std::fs::read_dir(folder).expect("the captures are there") {
        let path = file.expect("the folder can be listed").path();
        if !path.extension().is_some_and(|it| it == "pcap" || it == "pcapng") {
            continue;
        }
        let bytes = std::fs::read(&path).expect("captures can be read");
        found += check(&bytes);
        for at in (0..bytes.len()).step_by(formwork_testkit::rounds(509, 37)) {
            check(&bytes[..at]);
            for word in [0_u32, 1, 0x7f, 0xffff, 0x7fff_ffff, u32::MAX] {
                let mut lying = bytes.clone();
                for (to, from) in lying[at..].iter_mut().zip(word.to_le_bytes()) {
                    *to = from;
                }
                check(&lying);
            }
        }
    }
    assert!(found > 50);
}

fn lengths_that_lie() {
    // A block of pcapng, and a packet of pcap, of 4 GiB.
    let mut block = b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0".to_vec();
    block.extend([0xff; 8]);
    block.extend(28_u32.to_le_bytes());
    let mut again = block.clone();
    block.extend([6, 0, 0, 0, 0xf0, 0xff, 0xff, 0xff]);
    check(&block);
    again[4..8].copy_from_slice(&[0xf0, 0xff, 0xff, 0xff]);
    check(&again);
    let mut packet = file(std::iter::once(vec![0; 100]));
    packet[32..36].copy_from_slice(&[0xff; 4]);
    check(&packet);
    // A frame of 16 MiB that never comes, and parts of a packet of ENet that size.
    check(&file(std::iter::once(ip(1, 6, 0, &tcp(0, &[0, 0, 0, 1, 18, 0, 0, 0])))));
    let part = |number: u32| {
        let mut command = vec![0x80, 0, 0, 1, 0x88, 1];
        command.extend((number as u16).to_be_bytes());
        command.extend([0, 1, 0, 1]);
        for word in [1 << 20, number, 1 << 24, number] {
            command.extend(u32::to_be_bytes(word));
        }
        command.push(7);
        ip(1, 17, 0, &udp(&command))
    };
    check(&file((0..2000).map(part)));
    // Compressed commands that announce a window of 64 MiB.
    let packed = [0xc0, 0, 0, 1, 0x28, 0xb5, 0x2f, 0xfd, 0, 0x80, 1, 0, 0];
    let ping = [0x80, 0, 0, 1, 0x85, 0xff, 0, 1];
    check(&file((0..40).map(|it| ip(1, 17, 0, &udp(if it % 2 == 0 { &ping } else { &packed })))));
}

fn streams_with_holes() {
    // Every other byte is missing.
    let bytes = file((0..50_000).map(|number| ip(1, 6, 0, &tcp(number * 2, &[number as u8]))));
    check(&bytes);
    // Possible starts of a frame at every word.
    let zeros = [4, 0, 0, 0].repeat(300);
    check(&file((0..200).map(|number| ip(1, 6, 0, &tcp(number * 1200, &zeros)))));
}

fn fragments_that_never_end() {
    let fragment = |number: u32| ip(number, 17, number << 16 | 0x3ff0, &[7; 8]);
    let (used, _) = read(&file((0..20_000).map(fragment)), Limits::default());
    // At most 64 fragments wait at a time, each in 64 KiB.
    assert!(used < 8 << 20, "{used}");
}

fn many_conversations() {
    let flood = file((0..100_000).map(|number| ip(number, 6, 0, &tcp(0, &[1, 2, 3]))));
    check(&flood);
    let datagrams = file((0..100_000).map(|number| ip(number, 17, 0, &udp(&[18, 0, 0, 0]))));
    check(&datagrams);
    // The memory for all conversations together has a limit.
    let mut limits = Limits::default();
    limits.held_bytes = 1 << 20;
    let big = [0xee; 1400];
    let bytes = file((0..20_000).map(|it| ip(it % 500, 6, 0, &tcp(1 + it / 500 * 3000, &big))));
    let (used, _) = read(&bytes, limits);
    assert!(used < 8 << 20, "{used}");
}
