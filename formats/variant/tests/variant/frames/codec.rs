//! Frames and values of asynchronous streams and datagrams.

use bytes::{Bytes, BytesMut};
use formwork_variant::Variant;
use formwork_variant::codec;
use formwork_variant::frame::{
    ByteOrder, DatagramCodec, FrameCodec, FrameReader, Frames, VariantCodec,
};
use formwork_variant::{Decoder, Dialect, Encoder, Error, ErrorKind, Limits, Result, Rule};
use futures_util::{SinkExt, StreamExt, TryStreamExt};
use tokio::io::AsyncWriteExt;
use tokio_util::codec::{Decoder as _, Encoder as _, Framed, FramedRead, FramedWrite};

use super::{ORDERS, framed};

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Returns the frames that the codec reads from bytes in pieces of this size, and the error at the end of the
/// stream.
async fn frames(bytes: &[u8], step: usize, codec: FrameCodec) -> (Vec<Bytes>, Option<Error>) {
    let (mut here, there) = tokio::io::duplex(step);
    let mut read = FramedRead::new(there, codec);
    let write = async {
        here.write_all(bytes).await.unwrap();
        drop(here);
    };
    let read = async {
        let mut frames = Vec::new();
        while let Some(frame) = read.next().await {
            match frame {
                Ok(frame) => frames.push(frame),
                Err(error) => return (frames, Some(error)),
            }
        }
        (frames, None)
    };
    tokio::join!(write, read).1
}

fn variants(dialect: Dialect, order: ByteOrder) -> VariantCodec {
    VariantCodec::new(Decoder::new(dialect), Encoder::new(dialect), order)
}

#[test]
fn frames_come_as_from_a_buffer_however_they_are_cut() {
    for order in ORDERS {
        let mut bytes = framed(&[b"one", b"", &[7; 5000], b"three"], order);
        for end in [bytes.len(), bytes.len() - 1, 11, 10, 5, 3, 0] {
            bytes.truncate(end);
            let whole: Vec<_> = Frames::new(&bytes, order).collect();
            for step in [1, 3, 64, 10_000] {
                let (packets, error) = run(frames(&bytes, step, FrameCodec::new(order)));
                let mut seen: Vec<_> = packets.iter().map(|packet| Ok(&packet[..])).collect();
                seen.extend(error.map(Err));
                let expected: Vec<_> =
                    whole.iter().cloned().map(|frame| frame.map(|frame| frame.packet)).collect();
                assert_eq!(seen, expected);
            }
        }
    }
}

#[test]
fn a_cut_stream_says_what_is_missing() {
    let bytes = framed(&[b"abcd", b"efghij"], ByteOrder::Little);
    let (packets, error) = run(frames(&bytes[..14], 4, FrameCodec::new(ByteOrder::Little)));
    assert_eq!(packets, [&b"abcd"[..]]);
    let error = error.unwrap();
    assert_eq!((error.needed(), error.offset()), (Some(4), 12));
    assert_eq!(error.path().to_string(), "frame[1].packet");
}

#[test]
fn faulty_lengths_end_the_stream_and_reserve_nothing() {
    let limits = Limits::default().packet_bytes(16);
    let bytes = framed(&[b"abcd", &[0; 17]], ByteOrder::Little);
    let codec = FrameCodec::new(ByteOrder::Little).limits(limits);
    let (packets, error) = run(frames(&bytes, 64, codec));
    assert_eq!(packets, [&b"abcd"[..]]);
    let error = error.unwrap();
    assert_eq!((error.rule(), error.kind()), (Rule::SIZE_LIMIT, ErrorKind::Limit));
    assert_eq!((error.offset(), error.path().to_string().as_str()), (8, "frame[1].length"));

    let mut codec = FrameCodec::new(ByteOrder::Little);
    let mut buffer = BytesMut::from(&[0xff, 0xff, 0xff, 0x7f, 1, 2, 3][..]);
    let room = buffer.capacity();
    assert_eq!(codec.decode(&mut buffer), Ok(None));
    assert_eq!((buffer.len(), buffer.capacity()), (7, room));
    assert_eq!(codec.decode_eof(&mut buffer).unwrap_err().needed(), Some(i32::MAX as u64 - 3));
}

#[test]
fn a_bad_packet_does_not_end_the_stream() {
    let bad = [99, 0, 0, 0];
    let bytes = framed(&[&[0; 4], &bad, &[], &[2, 0, 0, 0, 5, 0, 0, 0]], ByteOrder::Big);
    let decoder = Decoder::new(Dialect::GODOT4);
    let expected: Vec<Result<Variant>> = decoder.decode_frames(&bytes, ByteOrder::Big).collect();
    assert_eq!(expected.iter().filter(|value| value.is_ok()).count(), 2);
    let read = FramedRead::new(&bytes[..], variants(Dialect::GODOT4, ByteOrder::Big));
    let values: Vec<_> = run(read.try_collect()).unwrap();
    assert_eq!(values, expected);
    let error = values[1].as_ref().unwrap_err();
    assert_eq!((error.offset(), error.path().steps().len() > 1), (12, true));
    assert!(error.path().to_string().starts_with("frame[1]"), "{error}");
}

#[test]
fn a_value_that_cannot_be_expressed_leaves_the_stream_whole() {
    let bytes = run(async {
        let mut write = FramedWrite::new(Vec::new(), variants(Dialect::GODOT3, ByteOrder::Big));
        write.send(&Variant::Nil).await?;
        let name = Variant::Array(vec![Variant::StringName("x".into())].into());
        let error = write.send(&name).await.unwrap_err();
        assert_eq!(error.rule(), codec::rule::DIALECT_TYPE);
        assert_eq!((error.offset(), error.path().to_string().as_str()), (20, "frame[1].array[0]"));
        write.send(Variant::Int(5)).await?;
        Ok::<_, Error>(write.into_inner())
    })
    .unwrap();
    let mut reader = FrameReader::new(&bytes[..], ByteOrder::Big);
    let decoder = Decoder::new(Dialect::GODOT3);
    assert_eq!(reader.next_value(&decoder).unwrap(), Some(Variant::Nil));
    assert_eq!(reader.next_value(&decoder).unwrap(), Some(Variant::Int(5)));
    assert_eq!(reader.next_value(&decoder).unwrap(), None);
}

#[test]
fn values_go_both_ways_over_one_stream() {
    run(async {
        let (here, there) = tokio::io::duplex(5);
        let mut here = Framed::new(here, variants(Dialect::GODOT4, ByteOrder::Little));
        let mut there = Framed::new(there, variants(Dialect::GODOT4, ByteOrder::Little));
        let asks = async {
            here.send(Variant::Int(20)).await?;
            let answer = here.next().await.expect("an answer")??;
            drop(here);
            Ok::<_, Error>(answer)
        };
        let answers = async {
            while let Some(value) = there.next().await {
                let number = value??.as_int().expect("a number");
                there.send(Variant::Int(number + 1)).await?;
            }
            Ok::<_, Error>(())
        };
        let (answer, end) = tokio::join!(asks, answers);
        end.unwrap();
        assert_eq!(answer.unwrap(), Variant::Int(21));
    });
}

#[test]
fn a_broken_transport_is_an_error_of_the_stream() {
    let read = FramedRead::new(Broken, FrameCodec::new(ByteOrder::Little));
    let error = run(read.try_collect::<Vec<_>>()).unwrap_err();
    assert_eq!((error.rule(), error.kind()), (Rule::INPUT_IO, ErrorKind::Io));
    assert!(error.found().contains("reset"), "{error}");
}

/// A stream whose other end is gone.
struct Broken;

impl tokio::io::AsyncRead for Broken {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Err(std::io::ErrorKind::ConnectionReset.into()))
    }
}

#[test]
fn a_datagram_is_one_value() {
    let (decoder, encoder) = (Decoder::new(Dialect::GODOT4), Encoder::new(Dialect::GODOT4));
    let mut codec = DatagramCodec::<f32>::new(decoder, encoder);
    let mut datagram = BytesMut::new();
    codec.encode(Variant::Int(5), &mut datagram).unwrap();
    assert_eq!(datagram[..], [2, 0, 0, 0, 5, 0, 0, 0]);
    assert_eq!(codec.decode_eof(&mut datagram).unwrap(), Some(Ok(Variant::Int(5))));
    assert_eq!(codec.decode_eof(&mut datagram).unwrap(), None);
    // A datagram that is cut is no value, and leaves nothing for the next one.
    datagram.extend_from_slice(&[2, 0, 0, 0, 5]);
    let error = codec.decode_eof(&mut datagram).unwrap().unwrap().unwrap_err();
    assert_eq!((error.rule(), error.kind()), (Rule::INPUT_COMPLETE, ErrorKind::Malformed));
    assert!(datagram.is_empty());
}
