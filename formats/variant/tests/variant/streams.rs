//! Values and structs written to writers and read from readers, and frames piece by piece.

use std::io::{self, Read, Write};

use formwork_variant::codec;
use formwork_variant::frame::{ByteOrder, Frame, FrameBuffer, FrameReader, Frames, Pending};
use formwork_variant::{
    Decoder, Dialect, Encoder, Limits, Rule, Variant, serde as structs, variant,
};
use serde::{Deserialize, Serialize};

const G4: Dialect = Dialect::GODOT4;

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Point {
    x: i32,
    y: i32,
}

const POINT: Point = Point { x: 7, y: -1 };
/// `{ "x": 7, "y": -1 }`.
const PACKET: &[u8] =
    b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0\x02\0\0\0\x07\0\0\0\x04\0\0\0\x01\0\0\0y\0\0\0\x02\0\0\0\xff\xff\xff\xff";

/// A writer that takes so many bytes, a few at a time, and fails then.
struct Narrow {
    written: Vec<u8>,
    most: usize,
}

impl Write for Narrow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(3).min(self.most - self.written.len());
        self.written.extend_from_slice(&bytes[..count]);
        if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_value_is_written_whole_or_not_at_all() {
    let value = variant!({ "x": 7, "y": -1 });
    let unwritable = Variant::Callable;
    type Writing<'w> = &'w dyn Fn(&mut Narrow) -> Result<(), formwork_variant::Error>;
    let encoder = Encoder::new(G4);
    let writings: [Writing<'_>; 4] = [
        &|writer| codec::to_writer(writer, &value, G4),
        &|writer| encoder.write(&value, writer),
        &|writer| structs::to_writer(writer, &POINT, G4),
        &|writer| encoder.serialize_to(&POINT, writer),
    ];
    for write in writings {
        let mut writer = Narrow { written: Vec::new(), most: usize::MAX };
        write(&mut writer).unwrap();
        assert_eq!(writer.written, PACKET);
        let mut full = Narrow { written: Vec::new(), most: 10 };
        let error = write(&mut full).unwrap_err();
        assert_eq!(error.io_error_kind(), Some(io::ErrorKind::StorageFull));
        assert_eq!(full.written, PACKET[..10]);
    }
    // Godot 3 has no Callable, and no dialect an int of 65 bits: nothing is written of the rest either.
    let refused: [Writing<'_>; 4] = [
        &|writer| codec::to_writer(writer, &unwritable, Dialect::GODOT3),
        &|writer| Encoder::new(Dialect::GODOT3).write(&unwritable, writer),
        &|writer| structs::to_writer(writer, &(1, u64::MAX), G4),
        &|writer| encoder.serialize_to(&(1, u64::MAX), writer),
    ];
    for write in refused {
        let mut writer = Narrow { written: Vec::new(), most: usize::MAX };
        assert!(write(&mut writer).is_err());
        assert_eq!(writer.written, b"");
    }
}

/// A reader that fails after its bytes.
struct Broken<'b>(&'b [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            count => Ok(count),
        }
    }
}

#[test]
fn a_struct_is_read_from_all_that_a_reader_has() {
    let decoder = Decoder::new(G4);
    assert_eq!(decoder.deserialize_reader::<Point>(PACKET).unwrap(), POINT);
    assert_eq!(structs::from_reader::<Point>(PACKET, G4).unwrap(), POINT);
    let more = [PACKET, &[0]].concat();
    let error = decoder.deserialize_reader::<Point>(&more[..]).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (Rule::INPUT_TRAILING, PACKET.len() as u64));
    let error = decoder.deserialize_reader::<Point>(&PACKET[..40]).unwrap_err();
    assert_eq!(
        (error.needed(), error.path().to_string().as_str()),
        (Some(4), "dictionary[1].value")
    );
    let error = decoder.deserialize_reader::<(u8, u8)>(PACKET).unwrap_err();
    assert_eq!(error.rule().name(), "serde.type");
    let error = decoder.deserialize_reader::<Point>(Broken(PACKET)).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::ConnectionReset));
    let length = PACKET.len() as u64;
    let within = |most| decoder.limits(Limits::default().packet_bytes(most));
    assert_eq!(within(length).deserialize_reader::<Point>(PACKET).unwrap(), POINT);
    let error = within(length - 1).deserialize_reader::<Point>(PACKET).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (Rule::SIZE_LIMIT, length - 1));
}

#[test]
fn a_struct_is_read_from_a_frame_and_errors_count_from_the_start_of_the_stream() {
    let decoder = Decoder::new(G4);
    let frame = |packet| Frame { index: 3, offset: 100, packet };
    assert_eq!(decoder.deserialize_frame::<Point>(&frame(PACKET)).unwrap(), POINT);
    let error = decoder.deserialize_frame::<Point>(&frame(&PACKET[..40])).unwrap_err();
    assert_eq!(
        (error.offset(), error.path().to_string().as_str()),
        (140, "frame[3].dictionary[1].value")
    );
    let error = decoder.deserialize_frame::<(u8, u8)>(&frame(PACKET)).unwrap_err();
    assert_eq!(
        (error.rule().name(), error.path().to_string().as_str()),
        ("serde.type", "frame[3].dictionary")
    );
    // The engine ignores what follows in the packet; it would not write it.
    let more = [PACKET, &[0; 4]].concat();
    assert_eq!(decoder.deserialize_frame::<Point>(&frame(&more)).unwrap(), POINT);
    let strict = decoder.strictness(formwork_variant::Strictness::Canonical);
    let error = strict.deserialize_frame::<Point>(&frame(&more)).unwrap_err();
    assert_eq!((error.rule().name(), error.offset()), ("frame.filled", 100 + PACKET.len() as u64));
}

const LITTLE: ByteOrder = ByteOrder::Little;

#[test]
fn no_frame_follows_an_error() {
    let limits = Limits::default().packet_bytes(8);
    let seven = &b"\x08\0\0\0\x02\0\0\0\x07\0\0\0"[..];
    // The bytes after a frame; the offset, path and rule of the error.
    let rows: [(&str, &[u8], (u64, &str, &str)); 5] = [
        ("too long", b"\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", (12, "frame[1].length", "size.limit")),
        ("a byte too long", b"\x09\0\0\0\0\0\0\0\0\0\0\0\0", (12, "frame[1].length", "size.limit")),
        ("negative", b"\xff\xff\xff\xff\0\0\0\0", (12, "frame[1].length", "frame.length")),
        ("a cut length", b"\x08\0", (12, "frame[1].length", "input.complete")),
        ("a cut packet", b"\x08\0\0\0\0", (16, "frame[1].packet", "input.complete")),
    ];
    for (name, more, expected) in rows {
        let bytes = [seven, more].concat();
        let what = |error: &formwork_variant::Error| {
            (error.offset(), error.path().to_string(), error.rule().name())
        };
        let expected = (expected.0, expected.1.to_owned(), expected.2);
        let mut frames = Frames::new(&bytes, LITTLE).limits(limits);
        assert_eq!(frames.next().unwrap().unwrap().packet, &seven[4..], "{name}");
        assert_eq!(what(&frames.next().unwrap().unwrap_err()), expected, "{name}");
        assert!(frames.next().is_none() && frames.next().is_none(), "{name}");

        let mut reader = FrameReader::new(&bytes[..], LITTLE).limits(limits);
        assert_eq!(reader.next_frame().unwrap().unwrap().packet, &seven[4..], "{name}");
        assert_eq!(what(&reader.next_frame().unwrap_err()), expected, "{name}");
        assert!(reader.next_frame().unwrap().is_none(), "{name}");

        let mut buffer = FrameBuffer::new(LITTLE).limits(limits);
        buffer.push(&bytes);
        assert_eq!(buffer.next_frame().unwrap().unwrap().packet, &seven[4..], "{name}");
        let is_cut = expected.2 == "input.complete";
        for _ in 0..2 {
            match buffer.next_frame() {
                Ok(frame) => assert!(is_cut && frame.is_none(), "{name}"),
                Err(error) => {
                    assert_eq!((is_cut, what(&error)), (false, expected.clone()), "{name}")
                }
            }
            assert_eq!(what(&buffer.finish().unwrap_err()), expected, "{name}");
        }
    }
}

#[test]
fn a_buffer_may_end_between_frames_only() {
    let mut buffer = FrameBuffer::new(LITTLE);
    buffer.finish().unwrap();
    let frame = b"\x04\0\0\0\0\0\0\0";
    for (at, byte) in frame.iter().enumerate() {
        assert_eq!(buffer.needed(), if at < 4 { 4 - at as u64 } else { 8 - at as u64 });
        assert!(buffer.next_frame().unwrap().is_none());
        assert_eq!(buffer.finish().is_ok(), at == 0, "{at}");
        buffer.push(&[*byte]);
    }
    assert_eq!((buffer.needed(), buffer.pending()), (0, 8));
    buffer.finish().unwrap();
    assert_eq!(buffer.next_value(&Decoder::new(G4)).unwrap(), Some(Variant::Nil));
    assert_eq!((buffer.offset(), buffer.pending()), (8, 0));
    buffer.finish().unwrap();
}

#[test]
fn no_more_bytes_are_taken_than_there_are() {
    let mut pending = Pending::default();
    assert_eq!(pending.take(3), b"");
    pending.room().extend(b"abcdef");
    assert_eq!(pending.take(4), b"abcd");
    assert_eq!((pending.rest(), pending.offset()), (&b"ef"[..], 4));
    pending.room().extend(b"gh");
    assert_eq!((pending.rest(), pending.len()), (&b"efgh"[..], 4));
    assert_eq!(pending.take(100), b"efgh");
    assert_eq!((pending.offset(), pending.is_empty()), (8, true));
    assert_eq!(pending.take(1), b"");
    assert_eq!(pending.offset(), 8);
}
