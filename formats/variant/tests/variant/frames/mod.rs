//! Frames: whole buffers, readers that cut the bytes anywhere, sockets, writers, values; and the other data of
//! streams.

use std::io::{self, Read};

use formwork_variant::codec::rule;
use formwork_variant::frame::{
    self, ByteOrder, FrameBuffer, FrameReader, FrameWriter, Frames, write_frame,
};
use formwork_variant::{Decoder, Dialect, Encoder, ErrorKind, Limits, Result, Rule, Strictness};
use formwork_variant::{Dictionary, Variant};

mod codec;
mod recover;
mod resumed;
mod resync;
mod stream_peer;

use crate::cases::ENGINES;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

/// Frames of these packets.
fn framed(packets: &[&[u8]], order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    packets.iter().for_each(|packet| write_frame(&mut bytes, packet, order).unwrap());
    bytes
}

/// Returns `step` bytes at a time, and is interrupted (or would block) before each.
struct Choppy<'a> {
    bytes: &'a [u8],
    step: usize,
    ready: bool,
    trouble: io::ErrorKind,
}

impl Read for Choppy<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.ready = !self.ready;
        if !self.ready {
            return Err(self.trouble.into());
        }
        let step = self.step.min(buffer.len());
        self.bytes.read(&mut buffer[..step])
    }
}

fn choppy(bytes: &[u8], step: usize, trouble: io::ErrorKind) -> Choppy<'_> {
    Choppy { bytes, step, ready: false, trouble }
}

fn read_all<R: Read>(mut reader: FrameReader<R>) -> Result<Vec<(u64, Vec<u8>)>> {
    let mut packets = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        packets.push((frame.offset, frame.packet.to_vec()));
    }
    Ok(packets)
}

#[test]
fn a_buffer_comes_apart_into_its_frames() {
    for order in ORDERS {
        let bytes = framed(&[b"one", b"", b"three"], order);
        let frames: Vec<_> = Frames::new(&bytes, order).map(Result::unwrap).collect();
        let seen: Vec<_> = frames.iter().map(|frame| (frame.offset, frame.packet)).collect();
        assert_eq!(seen, [(4, &b"one"[..]), (11, b""), (15, b"three")]);
        assert_eq!(frames.iter().map(|frame| frame.index).collect::<Vec<_>>(), [0, 1, 2]);
    }
    assert!(Frames::new(&[], ByteOrder::Little).next().is_none());
}

#[test]
fn the_length_word_alone_changes_its_byte_order() {
    assert_eq!(framed(&[&[2, 0, 0, 0, 5, 0, 0, 0]], ByteOrder::Big)[..5], [0, 0, 0, 8, 2]);
    assert_eq!(framed(&[&[2, 0, 0, 0, 5, 0, 0, 0]], ByteOrder::Little)[..5], [8, 0, 0, 0, 2]);
}

#[test]
fn readers_of_any_chunks_see_the_same_frames() {
    for order in ORDERS {
        let long = vec![7; 70_000];
        let bytes = framed(&[b"abcd", &long, b"", b"efgh"], order);
        let whole = read_all(FrameReader::new(&bytes[..], order)).unwrap();
        assert_eq!(whole.len(), 4);
        assert_eq!(whole[1], (12, long));
        for step in [1, 2, 3, 5, 4096, usize::MAX] {
            let reader = choppy(&bytes, step, io::ErrorKind::Interrupted);
            assert_eq!(read_all(FrameReader::new(reader, order)).unwrap(), whole);
            let mut buffer = FrameBuffer::new(order);
            let mut pushed = Vec::new();
            for chunk in bytes.chunks(step.min(bytes.len())) {
                buffer.push(chunk);
                while let Some(frame) = buffer.next_frame().unwrap() {
                    pushed.push((frame.offset, frame.packet.to_vec()));
                }
            }
            assert!(buffer.finish().is_ok());
            assert_eq!(buffer.pending(), 0);
            assert_eq!(pushed, whole);
        }
    }
}

#[test]
fn a_reader_that_would_block_is_asked_again() {
    let bytes = framed(&[b"abcd", b"efgh"], ByteOrder::Little);
    let trouble = choppy(&bytes, 3, io::ErrorKind::WouldBlock);
    let mut reader = FrameReader::new(trouble, ByteOrder::Little);
    let mut packets = Vec::new();
    for _ in 0..100 {
        match reader.next_frame() {
            Ok(Some(frame)) => packets.push(frame.packet.to_vec()),
            Ok(None) => break,
            // Which error it is decides whether one tries again.
            Err(error) if error.io_error_kind() == Some(io::ErrorKind::WouldBlock) => {
                assert_eq!(error.rule(), Rule::INPUT_IO);
                let source = std::error::Error::source(&error).expect("the reader's own error");
                let source = source.downcast_ref::<std::io::Error>().expect("an io::Error");
                assert_eq!(source.kind(), io::ErrorKind::WouldBlock);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(packets, [b"abcd", b"efgh"]);
}

#[test]
fn the_source_of_an_error_is_the_very_error_that_the_reader_gave() {
    #[derive(Debug)]
    struct OutOfRange;
    impl std::fmt::Display for OutOfRange {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the radio is out of range")
        }
    }
    impl std::error::Error for OutOfRange {}
    struct Radio;
    impl Read for Radio {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other(OutOfRange))
        }
    }

    let error = FrameReader::new(Radio, ByteOrder::Little).next_frame().unwrap_err();
    let source = std::error::Error::source(&error).expect("the reader's error");
    let source = source.downcast_ref::<io::Error>().expect("an io::Error");
    let own = source.get_ref().expect("what the reader put into it");
    assert!(own.downcast_ref::<OutOfRange>().is_some(), "{own:?}");
}

#[test]
fn an_error_keeps_its_io_error_kind_and_others_have_none() {
    let bytes = framed(&[b"abcd"], ByteOrder::Little);
    let trouble = choppy(&bytes, 3, io::ErrorKind::ConnectionReset);
    let error = FrameReader::new(trouble, ByteOrder::Little).next_frame().unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::ConnectionReset));
    assert_eq!(error.clone(), error);
    let error = FrameReader::new(&[1_u8, 2][..], ByteOrder::Little).next_frame().unwrap_err();
    assert_eq!(error.io_error_kind(), None);
    assert!(std::error::Error::source(&error).is_none());
}

#[test]
fn a_reader_takes_no_byte_past_its_frame() {
    let mut bytes = framed(&[b"abcd"], ByteOrder::Little);
    bytes.extend_from_slice(b"something else");
    let mut reader = FrameReader::new(&bytes[..], ByteOrder::Little);
    assert_eq!(reader.next_frame().unwrap().unwrap().packet, b"abcd");
    assert_eq!(reader.into_inner(), b"something else");
}

#[test]
fn every_cut_is_said_with_what_is_missing() {
    for order in ORDERS {
        let bytes = framed(&[b"abcd", b"efghij"], order);
        for end in 0..=bytes.len() {
            let input = &bytes[..end];
            let boundary = [0, 8, bytes.len()].contains(&end);
            let expected = match end {
                0 | 8 | 18 => None,
                1..4 => Some((4 - end, 0, "frame[0].length")),
                4..8 => Some((8 - end, 4, "frame[0].packet")),
                9..12 => Some((12 - end, 8, "frame[1].length")),
                _ => Some((18 - end, 12, "frame[1].packet")),
            };
            let error = Frames::new(input, order).find_map(Result::err);
            let said = error.as_ref().map(|error| {
                let needed = error.needed().expect("a cut is incomplete") as usize;
                (needed, error.offset(), error.path().to_string())
            });
            let expected = expected.map(|(needed, offset, path)| (needed, offset, path.to_owned()));
            assert_eq!(said, expected);
            let read = read_all(FrameReader::new(input, order));
            assert_eq!(read.as_ref().err(), error.as_ref());
            assert_eq!(read.is_ok(), boundary);
            let mut buffer = FrameBuffer::new(order);
            buffer.push(input);
            while buffer.next_frame().unwrap().is_some() {}
            assert_eq!(buffer.finish().err(), error);
        }
    }
}

#[test]
fn after_its_end_a_reader_has_nothing() {
    let mut reader = FrameReader::new(&[9, 0, 0, 0, 1][..], ByteOrder::Little);
    assert_eq!(reader.next_frame().unwrap_err().needed(), Some(8));
    assert!(reader.next_frame().unwrap().is_none());
    let mut reader = FrameReader::new(&[0xff; 8][..], ByteOrder::Little);
    assert_eq!(reader.next_frame().unwrap_err().rule(), frame::rule::LENGTH);
    assert!(reader.next_frame().unwrap().is_none());
}

#[test]
fn lengths_that_cannot_be_are_refused() {
    let bytes = [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80];
    let error = Frames::new(&bytes, ByteOrder::Little).find_map(Result::err).unwrap();
    assert_eq!(error.rule(), frame::rule::LENGTH);
    assert_eq!(error.kind(), ErrorKind::Malformed);
    assert_eq!((error.offset(), error.path().to_string().as_str()), (8, "frame[1].length"));

    let limits = Limits::default().packet_bytes(16);
    let bytes = framed(&[&[0; 17]], ByteOrder::Little);
    let error = Frames::new(&bytes, ByteOrder::Little).limits(limits).next().unwrap().unwrap_err();
    assert_eq!((error.rule(), error.kind()), (Rule::SIZE_LIMIT, ErrorKind::Limit));
    let mut reader = FrameReader::new(&bytes[..], ByteOrder::Little).limits(limits);
    assert_eq!(reader.next_frame().unwrap_err(), error);
    let mut buffer = FrameBuffer::new(ByteOrder::Little).limits(limits);
    buffer.push(&bytes[..4]);
    assert_eq!(buffer.needed(), 0);
    assert_eq!(buffer.next_frame().unwrap_err(), error);
}

#[test]
fn values_come_one_a_frame_with_errors_where_they_are() {
    let encoder = Encoder::new(Dialect::GODOT3);
    let mut writer = FrameWriter::new(Vec::new(), ByteOrder::Big);
    let mut save = Dictionary::<f32>::new();
    save.insert("level", Variant::Int(3));
    writer.write_value(&Variant::Nil, &encoder).unwrap();
    writer.write_value(&Variant::Dictionary(save), &encoder).unwrap();
    assert_eq!(writer.offset(), 44);
    // Godot 3 has no StringName: nothing of it is written.
    let name = Variant::<f32>::Array(vec![Variant::StringName("x".into())].into());
    let error = writer.write_value(&name, &encoder).unwrap_err();
    assert_eq!(error.rule(), rule::DIALECT_TYPE);
    assert_eq!((error.offset(), error.path().to_string().as_str()), (56, "frame[2].array[0]"));
    writer.write_value(&"end".into(), &encoder).unwrap();
    let mut bytes = writer.into_inner();

    let decoder = Decoder::new(Dialect::GODOT3);
    let values = decoder.decode_frames(&bytes, ByteOrder::Big);
    let values: Vec<_> = values.collect::<Result<_>>().unwrap();
    assert_eq!(values.len(), 3);
    assert_eq!(values[1].at("level").and_then(Variant::as_int), Some(3));

    // An unknown type where the key was.
    bytes[20] = 99;
    let outcomes: Vec<_> = decoder.decode_frames(&bytes, ByteOrder::Big).collect();
    let error = outcomes[1].as_ref().unwrap_err();
    assert_eq!(error.rule(), rule::HEADER_TYPE_ID);
    assert_eq!(error.offset(), 20);
    assert_eq!(error.path().to_string(), "frame[1].dictionary[0].key");
    // The frames around it are not lost.
    assert_eq!(outcomes[2].as_ref().unwrap().as_str(), Some("end"));
    let mut reader = FrameReader::new(&bytes[..], ByteOrder::Big);
    assert_eq!(reader.next_value(&decoder).unwrap(), Some(Variant::Nil));
    assert_eq!(reader.next_value(&decoder).as_ref().unwrap_err(), error);
    assert_eq!(reader.next_value(&decoder).unwrap(), Some("end".into()));
    assert_eq!(reader.next_value(&decoder).unwrap(), None);
}

#[test]
fn a_packet_longer_than_its_value_is_for_the_engine_only() {
    let bytes = framed(&[&[0; 4], &[2, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3]], ByteOrder::Little);
    let decoder = Decoder::new(Dialect::GODOT4);
    let values = decoder.decode_frames(&bytes, ByteOrder::Little);
    assert_eq!(values.collect::<Result<Vec<_>>>().unwrap(), [Variant::Nil, Variant::Int(5)]);
    let decoder = decoder.strictness(Strictness::Canonical);
    let mut values = decoder.decode_frames(&bytes, ByteOrder::Little);
    let error = values.find_map(Result::err).unwrap();
    assert_eq!(error.rule(), frame::rule::FILLED);
    assert_eq!((error.offset(), error.path().to_string().as_str()), (20, "frame[1]"));
}

#[test]
fn a_value_cut_inside_a_whole_frame_is_not_waited_for() {
    // A string of 9 bytes in a frame that holds 4 of them; and a frame without anything.
    let bytes = framed(&[&[4, 0, 0, 0, 9, 0, 0, 0, 1, 1, 1, 1], &[]], ByteOrder::Little);
    let decoder = Decoder::new(Dialect::GODOT4);
    for value in decoder.decode_frames(&bytes, ByteOrder::Little) {
        let error = value.unwrap_err();
        assert_eq!((error.rule(), error.kind()), (Rule::INPUT_COMPLETE, ErrorKind::Malformed));
        assert_eq!(error.needed(), None);
    }
}

#[test]
fn the_files_of_the_engines_are_read_and_written_back() {
    let mut files = 0;
    for engine in &ENGINES {
        let decoder = Decoder::new(engine.dialect()).allow_objects(true);
        let encoder = Encoder::new(engine.dialect());
        let names = [
            ("multi.save", ByteOrder::Little),
            ("small.save", ByteOrder::Little),
            ("stream.bin", ByteOrder::Little),
            ("stream_be.bin", ByteOrder::Big),
            ("multi.swapped.save", ByteOrder::Big),
            ("multi.big_endian.save", ByteOrder::Big),
            ("objects.save", ByteOrder::Little),
        ];
        for (name, order) in names {
            let Ok(bytes) = std::fs::read(engine.file("files").join(name)) else { continue };
            files += 1;
            let values = decoder.decode_frames(&bytes, order);
            let values: Vec<_> = values.collect::<Result<_>>().expect("an engine wrote it");
            let mut writer = FrameWriter::new(Vec::new(), order);
            for value in &values {
                writer.write_value(value, &encoder).expect("it was read");
            }
            let again = writer.into_inner();
            // The engine leaves the padding of a NodePath's names uninitialised.
            assert_eq!(again.len(), bytes.len(), "{} {name}", engine.name);
            let values_again = decoder.decode_frames(&again, order);
            assert_eq!(values_again.collect::<Result<Vec<_>>>().unwrap(), values);
        }
    }
    assert!(files >= 25, "{files} files");
}
