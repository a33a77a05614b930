//! Captures made by hand, as tcpdump would have written them.

use etherparse::{EtherType, PacketBuilder};

/// The byte order of numbers in a file.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Little,
    Big,
}

/// The format of a capture.
#[derive(Clone, Copy, Debug)]
pub enum File {
    Pcap { order: Order, nanoseconds: bool },
    Pcapng { order: Order },
}

/// A packet from one end to the other.
#[derive(Clone, Debug)]
pub struct Packet {
    pub bytes: Vec<u8>,
    /// The number of its bytes that are recorded.
    pub kept: usize,
}

impl Packet {
    pub fn new(bytes: Vec<u8>) -> Self {
        let kept = bytes.len();
        Self { bytes, kept }
    }
}

/// Returns a capture of the packets, recorded a millisecond after each other from the start of 2024 on.
pub fn file(form: File, link: u16, packets: &[Packet]) -> Vec<u8> {
    const START: u64 = 1_704_067_200;
    let mut file = Vec::new();
    let put = |file: &mut Vec<u8>, order: Order, number: u64, bytes: usize| match order {
        Order::Little => file.extend(&number.to_le_bytes()[..bytes]),
        Order::Big => file.extend(&number.to_be_bytes()[8 - bytes..]),
    };
    match form {
        File::Pcap { order, nanoseconds } => {
            let magic = if nanoseconds { 0xa1b2_3c4d } else { 0xa1b2_c3d4 };
            put(&mut file, order, magic, 4);
            put(&mut file, order, 2, 2);
            put(&mut file, order, 4, 2);
            put(&mut file, order, 0, 8);
            put(&mut file, order, 262_144, 4);
            put(&mut file, order, link.into(), 4);
            for (number, packet) in packets.iter().enumerate() {
                let milliseconds = number as u64;
                put(&mut file, order, START + milliseconds / 1000, 4);
                let unit = if nanoseconds { 1_000_000 } else { 1000 };
                put(&mut file, order, milliseconds % 1000 * unit, 4);
                put(&mut file, order, packet.kept as u64, 4);
                put(&mut file, order, packet.bytes.len() as u64, 4);
                file.extend(&packet.bytes[..packet.kept]);
            }
        }
        File::Pcapng { order } => {
            let block = |file: &mut Vec<u8>, kind: u64, body: &[u8]| {
                let padded = body.len().next_multiple_of(4);
                put(file, order, kind, 4);
                put(file, order, padded as u64 + 12, 4);
                file.extend(body);
                file.resize(file.len() + padded - body.len(), 0);
                put(file, order, padded as u64 + 12, 4);
            };
            let mut body = Vec::new();
            put(&mut body, order, 0x1a2b_3c4d, 4);
            put(&mut body, order, 1, 2);
            put(&mut body, order, 0, 2);
            put(&mut body, order, u64::MAX, 8);
            block(&mut file, 0x0a0d_0d0a, &body);
            // An interface of another kind comes first, so that the reader must use the number of the second.
            for (link, resolution) in [(105, 6_u8), (link, 9)] {
                body.clear();
                put(&mut body, order, link.into(), 2);
                put(&mut body, order, 0, 2);
                put(&mut body, order, 0, 4);
                put(&mut body, order, 9, 2);
                put(&mut body, order, 1, 2);
                body.extend([resolution, 0, 0, 0]);
                put(&mut body, order, 0, 4);
                block(&mut file, 1, &body);
            }
            for (number, packet) in packets.iter().enumerate() {
                let time = START * 1_000_000_000 + number as u64 * 1_000_000;
                body.clear();
                put(&mut body, order, 1, 4);
                put(&mut body, order, time >> 32, 4);
                put(&mut body, order, time & 0xffff_ffff, 4);
                put(&mut body, order, packet.kept as u64, 4);
                put(&mut body, order, packet.bytes.len() as u64, 4);
                body.extend(&packet.bytes[..packet.kept]);
                block(&mut file, 6, &body);
            }
        }
    }
    file
}

/// The usual format.
pub const PCAP: File = File::Pcap { order: Order::Little, nanoseconds: false };
pub const ETHERNET: u16 = 1;
pub const RAW: u16 = 101;

/// Links with their headers before IP: the number of each, and the headers for IPv4 and IPv6.
pub const LINKS: &[(u16, &[u8], &[u8])] = &[
    (1, b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x08\0", b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x86\xdd"),
    // A VLAN, and a VLAN in another.
    (
        1,
        b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x81\0\0\x07\x08\0",
        b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x81\0\0\x07\x86\xdd",
    ),
    (
        1,
        b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xa8\0\x07\x81\0\0\x08\x08\0",
        b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xa8\0\x07\x81\0\0\x08\x86\xdd",
    ),
    (101, b"", b""),
    (228, b"", b""),
    (229, b"", b""),
    (0, b"\x02\0\0\0", b"\x1e\0\0\0"),
    (108, b"\0\0\0\x02", b"\0\0\0\x1c"),
    (
        113,
        b"\0\0\x03\x04\0\x06\0\0\0\0\0\0\0\0\x08\0",
        b"\0\0\x03\x04\0\x06\0\0\0\0\0\0\0\0\x86\xdd",
    ),
    (
        276,
        b"\x08\0\0\0\0\0\0\x01\x03\x04\0\x06\0\0\0\0\0\0\0\0",
        b"\x86\xdd\0\0\0\0\0\x01\x03\x04\0\x06\0\0\0\0\0\0\0\0",
    ),
];

/// The addresses and ports of the two ends.
pub const CLIENT: ([u8; 4], u16) = ([10, 0, 0, 1], 40000);
pub const SERVER: ([u8; 4], u16) = ([10, 0, 0, 2], 9000);

/// Returns a TCP segment over IPv4, without a link layer.
pub fn tcp(to_server: bool, sequence: u32, flags: &str, bytes: &[u8]) -> Packet {
    let ((from, from_port), (to, to_port)) =
        if to_server { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
    let mut builder = PacketBuilder::ipv4(from, to, 64).tcp(from_port, to_port, sequence, 1 << 15);
    for flag in flags.chars() {
        builder = match flag {
            'S' => builder.syn(),
            'F' => builder.fin(),
            'R' => builder.rst(),
            _ => builder.ack(1),
        };
    }
    let mut packet = Vec::new();
    builder.write(&mut packet, bytes).expect("a vector takes what it is given");
    Packet::new(packet)
}

/// Returns a datagram over IPv4, without a link layer.
pub fn udp(to_server: bool, bytes: &[u8]) -> Packet {
    let (from, to) = if to_server { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
    datagram((from.0, from.1), (to.0, to.1), bytes)
}

pub fn datagram(from: ([u8; 4], u16), to: ([u8; 4], u16), bytes: &[u8]) -> Packet {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv4(from.0, to.0, 64).udp(from.1, to.1);
    builder.write(&mut packet, bytes).expect("a vector takes what it is given");
    Packet::new(packet)
}

/// Returns a UDP datagram over IPv6.
pub fn udp6(bytes: &[u8]) -> Packet {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv6([1; 16], [2; 16], 64).udp(CLIENT.1, SERVER.1);
    builder.write(&mut packet, bytes).expect("a vector takes what it is given");
    Packet::new(packet)
}

/// Returns the packet after the header of a link.
pub fn linked(packet: &Packet, head: &[u8]) -> Packet {
    Packet { bytes: [head, &packet.bytes].concat(), kept: packet.kept + head.len() }
}

/// Returns an IPv4 packet in fragments.
pub fn fragments(packet: &Packet, identification: u16, size: usize) -> Vec<Packet> {
    let (header, payload) = packet.bytes.split_at(20);
    let count = payload.chunks(size).count();
    let fragment = |(number, part): (usize, &[u8])| {
        let mut bytes = header.to_vec();
        let length = (header.len() + part.len()) as u16;
        let more = if number + 1 < count { 0x2000 } else { 0 };
        let offset = more | (number * size / 8) as u16;
        bytes[2..4].copy_from_slice(&length.to_be_bytes());
        bytes[4..6].copy_from_slice(&identification.to_be_bytes());
        bytes[6..8].copy_from_slice(&offset.to_be_bytes());
        bytes.extend(part);
        Packet::new(bytes)
    };
    payload.chunks(size).enumerate().map(fragment).collect()
}

/// Returns an IPv6 packet in fragments.
pub fn fragments6(packet: &Packet, identification: u32, size: usize) -> Vec<Packet> {
    let (header, payload) = packet.bytes.split_at(40);
    let count = payload.chunks(size).count();
    let fragment = |(number, part): (usize, &[u8])| {
        let mut bytes = header.to_vec();
        let length = (8 + part.len()) as u16;
        bytes[4..6].copy_from_slice(&length.to_be_bytes());
        let next = std::mem::replace(&mut bytes[6], 44);
        let offset = (number * size) as u16 | u16::from(number + 1 < count);
        bytes.extend([next, 0]);
        bytes.extend(offset.to_be_bytes());
        bytes.extend(identification.to_be_bytes());
        bytes.extend(part);
        Packet::new(bytes)
    };
    payload.chunks(size).enumerate().map(fragment).collect()
}

/// Returns a packet with an EtherType that is not IP.
pub fn arp() -> Packet {
    let mut bytes = vec![0xff; 12];
    bytes.extend(EtherType::ARP.0.to_be_bytes());
    bytes.extend([0, 1, 8, 0, 6, 4, 0, 1]);
    bytes.extend([0; 20]);
    Packet::new(bytes)
}
