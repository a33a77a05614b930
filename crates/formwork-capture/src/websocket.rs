//! The messages of a WebSocket whose upgrade from HTTP was recorded.

use formwork::wire::Cursor;
use formwork::{BinRead, BinWrite, Schema, binrw, record};
use formwork_variant::{Error, Result, Rule};
use modular_bitfield::prelude::*;

use crate::rule;

/// The start of a frame.
#[derive(Schema)]
#[bitfield]
#[repr(u16)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u16| raw.into())]
#[bw(map = |word: &Self| u16::from(*word))]
pub struct FrameWord {
    /// 0 continues a message, 1 is text, 2 is binary; from 8 on, the frame is about the connection.
    pub opcode: B4,
    /// Zero unless an extension was agreed upon.
    #[schema(zero)]
    pub unused: B3,
    /// Whether this is the last frame of its message.
    pub last: bool,
    /// The number of bytes of the payload; with 126 and 127 a longer number follows.
    pub length: B7,
    /// Whether the payload is masked. The mask follows.
    pub masked: bool,
}

/// A length in two bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Length16 {
    /// The length.
    pub length: u16,
}

/// A length in eight bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct Length64 {
    /// The upper half, which is zero.
    pub high: u32,
    /// The lower half.
    pub low: u32,
}

/// One direction of a WebSocket.
#[derive(Debug, Default)]
pub(super) struct WebSocket {
    upgraded: bool,
    bytes: Vec<u8>,
    /// The offset of the bytes in the stream.
    offset: u64,
    /// The incomplete binary message, and its offset.
    message: Option<(u64, Vec<u8>)>,
    /// Whether the stream is not a WebSocket, or a part of it is missing.
    over: bool,
}

/// The length of the longest HTTP head.
const HEAD: usize = 1 << 14;

impl WebSocket {
    /// Returns whether a stream with this start may become a WebSocket.
    pub(super) fn may_start(bytes: &[u8]) -> bool {
        bytes.starts_with(b"GET ") || bytes.starts_with(b"HTTP/1.1 101")
    }

    /// Returns the number of bytes that wait for others.
    pub(super) fn held(&self) -> usize {
        self.bytes.len() + self.message.as_ref().map_or(0, |(_, bytes)| bytes.len())
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    ///
    /// Returns an error once: if the bytes are not a frame of a WebSocket, if a frame has more than `most` bytes, or if
    /// a message has. Nothing is taken after such a frame, because the start of the next one is not known.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        most: usize,
        out: &mut dyn FnMut(u64, Vec<u8>),
    ) -> Result<()> {
        if self.over {
            return Ok(());
        }
        self.bytes.extend_from_slice(bytes);
        if !self.upgraded {
            const END: &[u8] = b"\r\n\r\n";
            let end = self.bytes.windows(END.len()).position(|window| window == END);
            let Some(end) = end.map(|end| end + END.len()) else {
                self.over = self.bytes.len() > HEAD;
                return Ok(());
            };
            let head = String::from_utf8_lossy(self.bytes.get(..end).unwrap_or_default());
            self.upgraded = head.to_ascii_lowercase().contains("\r\nupgrade: websocket");
            self.take(end);
            if !self.upgraded {
                self.stop();
                return Ok(());
            }
        }
        let bytes = std::mem::take(&mut self.bytes);
        let mut input = Cursor::new(&bytes);
        let taken = self.frames(&mut input, most, out);
        let done = match taken {
            Ok(done) => done,
            Err(_) => bytes.len(),
        };
        self.bytes = bytes;
        self.take(done);
        taken.map(drop).inspect_err(|_| self.stop())
    }

    /// Takes the complete frames, and returns the number of their bytes.
    fn frames(
        &mut self,
        input: &mut Cursor<'_>,
        most: usize,
        out: &mut dyn FnMut(u64, Vec<u8>),
    ) -> Result<usize> {
        loop {
            let done = input.position() as usize;
            let offset = self.offset + done as u64;
            let Some((word, payload)) = frame(input, most, offset)? else { return Ok(done) };
            let start = self.offset + input.position() - payload.len() as u64;
            match word.opcode() {
                2 => self.message = Some((start, payload)),
                0 => {
                    let Some((_, message)) = &mut self.message else { continue };
                    if message.len() + payload.len() > most {
                        return Err(too_long(most, offset));
                    }
                    message.extend(payload);
                }
                _ => continue,
            }
            if word.last()
                && let Some((start, message)) = self.message.take()
            {
                out(start, message);
            }
        }
    }

    fn take(&mut self, count: usize) {
        self.bytes.drain(..count);
        self.offset += count as u64;
    }

    /// Ends the reading: the start of the next frame is not known.
    pub(super) fn stop(&mut self) {
        self.over = true;
        self.bytes = Vec::new();
        self.message = None;
    }

    /// Ends the stream: no more bytes come.
    ///
    /// # Errors
    ///
    /// Returns an error if a frame or message is incomplete.
    pub(super) fn finish(&mut self) -> Result<()> {
        let left = self.held() as u64;
        self.stop();
        if !self.upgraded || left == 0 {
            return Ok(());
        }
        Err(Error::incomplete(self.offset, 1, "the rest of a frame", left))
    }
}

fn too_long(most: usize, offset: u64) -> Error {
    let expected = format!("a message of at most {most} bytes");
    Error::new(Rule::SIZE_LIMIT, offset, expected, "a longer one")
}

/// Returns the next frame, which is at `offset`, with its payload unmasked, if it is complete.
fn frame(input: &mut Cursor<'_>, most: usize, offset: u64) -> Result<Option<(FrameWord, Vec<u8>)>> {
    let Ok(word) = record::read::<FrameWord>(input) else { return Ok(None) };
    // The effect of an extension on the payload is not known here.
    if word.unused() != 0 || !matches!(word.opcode(), 0..=2 | 8..=10) {
        let expected = "a frame of a WebSocket without extensions";
        return Err(Error::new(rule::PACKET, offset, expected, "something else"));
    }
    let length = match word.length() {
        126 => record::read(input).map(|it: Length16| u64::from(it.length)),
        127 => record::read(input).map(|it: Length64| u64::from(it.high) << 32 | u64::from(it.low)),
        length => Ok(length.into()),
    };
    let Ok(length) = length else { return Ok(None) };
    let length = usize::try_from(length).ok().filter(|&length| length <= most);
    let length = length.ok_or_else(|| too_long(most, offset))?;
    let mask = match word.masked() {
        true => match input.take(4) {
            Some(mask) => mask,
            None => return Ok(None),
        },
        false => &[0],
    };
    let Some(payload) = input.take(length) else { return Ok(None) };
    let unmasked = payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask);
    Ok(Some((word, unmasked.collect())))
}
