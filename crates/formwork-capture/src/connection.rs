//! One direction of a TCP connection: its segments in order, and the messages in them.

use std::collections::VecDeque;

use formwork_variant::frame::ByteOrder;

use super::Context;
use super::file::Time;
use super::found::{Conversation, Found, Framing};
use super::frames::{Event, Frames};
use super::meaning::{Meaning, Message};
use super::network::Segment;
use super::reassembly::{Chunk, Stream};
use super::websocket::WebSocket;

/// One direction of a connection.
#[derive(Debug)]
pub(super) struct Side {
    stream: Option<Stream>,
    /// The sequence number of its SYN.
    syn: Option<u32>,
    inside: Inside,
}

/// The possible contents of the bytes.
#[derive(Debug)]
struct Inside {
    /// The time of recording of the last bytes.
    time: Option<Time>,
    frames: Frames,
    websocket: Option<WebSocket>,
}

/// The receiver of the messages, with the known facts about them.
pub(super) struct Taker<'c> {
    pub(super) time: Option<Time>,
    pub(super) from: usize,
    pub(super) context: &'c Context,
    pub(super) about: &'c mut Conversation,
    pub(super) meaning: &'c mut Meaning,
    pub(super) out: &'c mut VecDeque<Found>,
}

impl Taker<'_> {
    fn message(&mut self, framing: Framing, offset: u64, bytes: Vec<u8>) {
        let (time, from) = (self.time, self.from);
        let message = Message { time, from, offset, framing, channel: 0, bytes };
        self.meaning.push(message, self.context, self.about, self.out);
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Packet { order, offset, packet } => {
                self.message(Framing::of_frames(order), offset, packet.to_vec());
            }
            Event::Broken(error) => self.about.fault(error),
        }
    }
}

impl Side {
    pub(super) fn new(context: &Context) -> Self {
        const BOTH: &[ByteOrder] = &[ByteOrder::Little, ByteOrder::Big];
        let orders = match context.framing {
            None => BOTH,
            Some(Framing::Frames) => &[ByteOrder::Little],
            Some(Framing::FramesBe) => &[ByteOrder::Big],
            Some(_) => &[],
        };
        let frames = Frames::new(orders, context.limits.message_bytes);
        Self { stream: None, syn: None, inside: Inside { time: None, frames, websocket: None } }
    }

    /// Returns the number of held bytes.
    pub(super) fn held(&self) -> usize {
        self.inside.frames.held()
            + self.stream.as_ref().map_or(0, Stream::held)
            + self.inside.websocket.as_ref().map_or(0, WebSocket::held)
    }

    /// Whether a segment belongs to a new connection between the same ends.
    pub(super) fn is_new(&self, segment: &Segment<'_>) -> bool {
        // A repeated SYN has the same number; a connection that was picked up in its middle has none.
        segment.syn
            && match (self.syn, &self.stream) {
                (Some(syn), _) => syn != segment.sequence,
                (None, stream) => stream.is_some(),
            }
    }

    /// Takes a segment.
    pub(super) fn segment(&mut self, segment: &Segment<'_>, mut taker: Taker<'_>) {
        let Self { stream, syn, inside } = self;
        let first = segment.sequence.wrapping_add(segment.syn.into());
        if segment.syn {
            *syn = Some(segment.sequence);
            inside.frames.start_here();
        } else if segment.bytes.is_empty() && segment.missing == 0 && !segment.fin {
            // An acknowledgement does not show where the stream starts: one that keeps a connection alive has the
            // number of a byte that was sent long ago.
            return;
        }
        let most = taker.context.limits.waiting_bytes;
        let stream = stream.get_or_insert_with(|| Stream::new(first, most));
        let mut position = stream.position();
        let time = taker.time;
        stream.push(first, segment, time, |chunk| inside.chunk(chunk, &mut position, &mut taker));
    }

    /// Ends the direction: no more of it comes.
    pub(super) fn finish(&mut self, mut taker: Taker<'_>) {
        let Self { stream, inside, .. } = self;
        if let Some(stream) = stream {
            let mut position = stream.position();
            stream.finish(|chunk| inside.chunk(chunk, &mut position, &mut taker));
        }
        inside.finish(&mut taker);
    }
}

impl Inside {
    /// Takes the next chunk; `position` is its offset in the stream.
    fn chunk(&mut self, chunk: Chunk<'_>, position: &mut u64, taker: &mut Taker<'_>) {
        let context = taker.context;
        // A message that ends before a gap was complete with the last bytes before it.
        taker.time = self.time;
        let bytes = match chunk {
            Chunk::Gap(length) => {
                *position += length;
                taker.about.gaps += 1;
                taker.about.lost += length;
                if let Some(websocket) = &mut self.websocket {
                    websocket.stop();
                }
                self.frames.gap(length, &context.dialects, &mut |event| taker.event(event));
                return;
            }
            Chunk::Bytes(bytes, time) => {
                self.time = time;
                bytes
            }
        };
        taker.time = self.time;
        let is_first = *position == 0;
        *position += bytes.len() as u64;
        let allowed = matches!(context.framing, None | Some(Framing::WebSocket));
        if is_first && allowed && WebSocket::may_start(bytes) {
            self.websocket = Some(WebSocket::default());
        }
        let Some(websocket) = &mut self.websocket else {
            self.frames.push(bytes, &context.dialects, &mut |event| taker.event(event));
            return;
        };
        let pushed = websocket.push(bytes, context.limits.message_bytes, &mut |offset, bytes| {
            taker.message(Framing::WebSocket, offset, bytes);
        });
        if let Err(error) = pushed {
            taker.about.fault(error);
        }
    }

    fn finish(&mut self, taker: &mut Taker<'_>) {
        taker.time = self.time;
        self.frames.finish(&taker.context.dialects, &mut |event| taker.event(event));
        if let Some(Err(error)) = self.websocket.as_mut().map(WebSocket::finish) {
            taker.about.fault(error);
        }
        if self.frames.were_found() {
            taker.about.skipped += self.frames.skipped;
        }
    }
}
