//! Tests values over the network: an engine returns the sent values unchanged.

use std::net::{Ipv4Addr, UdpSocket};

use formwork_variant::Variant;
use formwork_variant::frame::{ByteOrder, write_frame};

use crate::engine::{Engine, PATIENCE, with_each_engine};
use crate::exception::{breaks_engine, breaks_printer};
use crate::exchange::Exchange;
use crate::sample::{Sample, big, golden, samples};
use crate::session::{Session, write_all};

/// Returns the samples' packets, each after its length.
fn frames(samples: &[Sample], order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    for sample in samples {
        write_frame(&mut bytes, &sample.packet, order).expect("a vector takes anything");
    }
    bytes
}

/// Sends all samples with `send` and reads the answers: each value, and its text.
fn exchange(
    session: &Session<'_>,
    test: &'static str,
    samples: &[Sample],
    order: ByteOrder,
    send: impl FnOnce(&std::net::TcpStream) + Send,
) {
    let mut exchange = Exchange::new(session.engine, test);
    session.send_while(send, |session| {
        for sample in samples {
            let packet = session.packet(order);
            let text = session.packet(order);
            exchange.take(sample, &packet, Some(&text));
        }
    });
    exchange.finish();
}

/// Lets the engine read values with `get_var`, in frames that are sent in one go.
fn over_tcp(
    engine: &Engine,
    test: &'static str,
    samples: &[Sample],
    order: ByteOrder,
    objects: bool,
) {
    let session = Session::start(engine);
    let big_endian = order == ByteOrder::Big;
    session.call(
        "values",
        [count(samples), big_endian.into(), objects.into(), silent(engine, samples)],
    );
    let bytes = frames(samples, order);
    exchange(&session, test, samples, order, |stream| write_all(stream, &bytes));
    session.finish();
}

fn count(samples: &[Sample]) -> Variant {
    Variant::Int(samples.len() as i64)
}

/// Returns the samples that the engine must not print.
fn silent(engine: &Engine, samples: &[Sample]) -> Variant {
    let silent = (0_i64..).zip(samples).filter(|(_, it)| breaks_printer(engine, &it.value));
    Variant::Array(silent.map(|(index, _)| Variant::Int(index)).collect())
}

#[test]
#[ignore = "needs an engine"]
fn values_come_back_over_a_stream_peer() {
    with_each_engine(|engine| {
        over_tcp(engine, "StreamPeerTCP", &samples(engine), ByteOrder::Little, false);
    });
}

#[test]
#[ignore = "needs an engine"]
fn values_come_back_over_a_big_endian_stream_peer() {
    with_each_engine(|engine| {
        over_tcp(engine, "StreamPeerTCP big endian", &samples(engine), ByteOrder::Big, false);
    });
}

#[test]
#[ignore = "needs an engine"]
fn objects_in_full_come_back() {
    with_each_engine(|engine| {
        let mut samples = golden(engine, true);
        samples.retain(|sample| !breaks_engine(engine, &sample.value));
        over_tcp(engine, "objects", &samples, ByteOrder::Little, true);
    });
}

#[test]
#[ignore = "needs an engine"]
fn big_values_come_back_over_a_stream_peer() {
    with_each_engine(|engine| {
        over_tcp(engine, "big", &big(engine.dialect), ByteOrder::Little, false);
    });
}

#[test]
#[ignore = "needs an engine"]
fn values_come_back_however_segments_cut_them() {
    with_each_engine(|engine| {
        let session = Session::start(engine);
        let mut samples = samples(engine);
        samples.truncate(600);
        session.call(
            "values",
            [count(&samples), false.into(), false.into(), silent(engine, &samples)],
        );
        let bytes = frames(&samples, ByteOrder::Little);
        exchange(&session, "segments", &samples, ByteOrder::Little, |stream| {
            let mut rest = bytes.as_slice();
            // The connection does not wait for more, so that each piece becomes a separate segment.
            for length in [1, 2, 3, 5, 7, 4, 997, 6, 1].into_iter().cycle() {
                let piece;
                (piece, rest) = rest.split_at(length.min(rest.len()));
                write_all(stream, piece);
                if rest.is_empty() {
                    break;
                }
            }
        });
        session.finish();
    });
}

#[test]
#[ignore = "needs an engine"]
fn values_come_back_over_a_packet_peer_stream() {
    with_each_engine(|engine| {
        let session = Session::start(engine);
        let mut samples = samples(engine);
        samples.extend(big(engine.dialect));
        session.call("packets", [count(&samples), false.into(), silent(engine, &samples)]);
        let bytes = frames(&samples, ByteOrder::Little);
        let test = "PacketPeerStream";
        exchange(&session, test, &samples, ByteOrder::Little, |stream| write_all(stream, &bytes));
        session.finish();
    });
}

/// The greatest number of bytes of a datagram over IPv4.
const DATAGRAM: usize = 65_507;

#[test]
#[ignore = "needs an engine"]
fn values_come_back_over_udp() {
    with_each_engine(|engine| {
        let session = Session::start(engine);
        let mut samples = samples(engine);
        samples.retain(|sample| sample.packet.len() <= DATAGRAM);
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        socket.set_read_timeout(Some(PATIENCE)).expect("it is some time");
        let port = socket.local_addr().expect("it is bound").port();
        session.call("datagrams", [count(&samples), i64::from(port).into()]);
        let mut buffer = vec![0; DATAGRAM + 1];
        let (length, peer) = socket.recv_from(&mut buffer).expect("the engine speaks first");
        assert!(buffer[..length].windows(4).any(|bytes| bytes == b"here"));
        socket.connect(peer).expect("it is an address");
        let mut exchange = Exchange::new(engine, "PacketPeerUDP");
        for sample in &samples {
            // One sample is sent at a time: bytes beyond the engine's buffer would be lost.
            socket.send(&sample.packet).expect("it is no longer than a datagram");
            let length = socket.recv(&mut buffer).expect("the engine answers");
            exchange.take(sample, &buffer[..length], None);
        }
        exchange.finish();
        session.finish();
    });
}
