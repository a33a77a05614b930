//! The same bytes, cut into different pieces.

use std::io::{self, Read};

use super::{choose, difference, in_precision, stream_peer};
use formwork_variant::Decoder;
use formwork_variant::Error;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::{ByteOrder, Frame, FrameBuffer, FrameReader, FrameWriter, Frames};
use formwork_variant::{Real, Variant};

/// Checks that the same bytes give the same frames, values, calls of a StreamPeer and errors, however the
/// bytes arrive: all at once, piece by piece from a reader, or pushed into a buffer. Writing the frames gives
/// the bytes again.
///
/// With the top bit of the first byte set, lengths are big endian.
pub fn chunking(data: &[u8]) {
    if let Some((dialect, big, bytes)) = choose(data) {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        in_precision!(dialect, check(dialect, order, bytes));
        // Most inputs are not frames, so the same bytes are also read as two packets and the start of a
        // third.
        let mut writer = FrameWriter::new(Vec::new(), order);
        let written = writer.write_packet(bytes).and_then(|()| writer.write_packet(bytes));
        assert!(written.is_ok(), "a vector takes what it is given");
        let mut stream = writer.into_inner();
        stream.extend_from_slice(&bytes[..bytes.len() / 3]);
        in_precision!(dialect, check(dialect, order, &stream));
    }
}

/// The frames that were read, and the error that ended them.
type Outcome = (Vec<(u64, u64, Vec<u8>)>, Option<Error>);

fn check<R: Real>(dialect: Dialect, order: ByteOrder, bytes: &[u8]) {
    let whole = at_once(bytes, order);
    assert_eq!(from_pieces(bytes, order), whole);
    assert_eq!(pushed(bytes, order), whole);

    let mut writer = FrameWriter::new(Vec::new(), order);
    for (_, _, packet) in &whole.0 {
        assert!(writer.write_packet(packet).is_ok(), "a vector takes what it is given");
    }
    let rewritten = writer.into_inner();
    assert_eq!(bytes.get(..rewritten.len()), Some(rewritten.as_slice()));
    assert!(whole.1.is_some() || rewritten.len() == bytes.len());

    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    let mut reader = FrameReader::new(Pieces::of(bytes), order);
    let (mut buffer, mut pieces) = (FrameBuffer::new(order), Pieces::of(bytes));
    for value in decoder.decode_frames(bytes, order) {
        let piecewise = reader.next_value(&decoder);
        // Both readers end at the same point.
        let piecewise =
            piecewise.transpose().unwrap_or_else(|| panic!("{dialect}: no more values"));
        is_same(&piecewise, &value);
        let pushed = loop {
            match buffer.next_value(&decoder).transpose() {
                Some(value) => break value,
                None if pieces.is_empty() => break buffer.finish().map(|()| Variant::Nil),
                None => buffer.push(pieces.next_piece()),
            }
        };
        is_same(&pushed, &value);
    }
    is_same(&decoder.read(Pieces::of(bytes)), &decoder.decode(bytes));
    stream_peer::check::<R>(dialect, order, bytes);
}

fn is_same<R: Real>(a: &Result<Variant<R>, Error>, b: &Result<Variant<R>, Error>) {
    match (a, b) {
        (Ok(a), Ok(b)) => assert_eq!(difference(a, b), None),
        (Err(a), Err(b)) => assert_eq!(a, b),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => panic!("only one of the two says {error}"),
    }
}

fn owned(frame: &Frame<'_>) -> (u64, u64, Vec<u8>) {
    (frame.index, frame.offset, frame.packet.to_vec())
}

fn at_once(bytes: &[u8], order: ByteOrder) -> Outcome {
    let mut frames = Vec::new();
    for frame in Frames::new(bytes, order) {
        match frame {
            Ok(frame) => frames.push(owned(&frame)),
            Err(error) => return (frames, Some(error)),
        }
    }
    (frames, None)
}

fn from_pieces(bytes: &[u8], order: ByteOrder) -> Outcome {
    let mut reader = FrameReader::new(Pieces::of(bytes), order);
    let mut frames = Vec::new();
    loop {
        match reader.next_frame() {
            Ok(Some(frame)) => frames.push(owned(&frame)),
            Ok(None) => return (frames, None),
            Err(error) => return (frames, Some(error)),
        }
    }
}

fn pushed(bytes: &[u8], order: ByteOrder) -> Outcome {
    let mut buffer = FrameBuffer::new(order);
    let mut frames = Vec::new();
    let mut pieces = Pieces::of(bytes);
    while !pieces.is_empty() {
        buffer.push(pieces.next_piece());
        loop {
            match buffer.next_frame() {
                Ok(Some(frame)) => frames.push(owned(&frame)),
                Ok(None) => break,
                Err(error) => return (frames, Some(error)),
            }
        }
        assert!(buffer.needed() > 0, "a frame is there and was not handed out");
    }
    (frames, buffer.finish().err())
}

/// Hands out bytes in pieces of all sizes, and is interrupted now and then.
pub(super) struct Pieces<'a> {
    rest: &'a [u8],
    state: u64,
}

impl<'a> Pieces<'a> {
    /// Cuts the pieces by the bytes alone, so that a finding can be repeated.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let fold = |state: u64, &byte: &u8| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Self { rest: bytes, state: bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold) | 1 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes the next piece.
    pub(super) fn next_piece(&mut self) -> &'a [u8] {
        let (piece, rest) = self.rest.split_at(self.next_length());
        self.rest = rest;
        piece
    }

    fn next_length(&mut self) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let most = if self.state & 0x300 == 0 { 64 } else { 5 };
        (1 + (self.state >> 32) as usize % most).min(self.rest.len())
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.next_length().min(buffer.len());
        if self.state & 0x7000 == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (piece, rest) = self.rest.split_at(length);
        buffer[..length].copy_from_slice(piece);
        self.rest = rest;
        Ok(length)
    }
}
