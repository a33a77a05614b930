//! Finds frames in the bytes of a TCP connection: at its start, in its middle, and again after a gap.

use formwork_godot::detect::is_header;
use formwork_variant::frame::{self, ByteOrder};
use formwork_variant::{Error, Result};

use super::evidence::Dialects;

/// The results of a stream.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// A packet, and its offset in the stream.
    Packet { order: ByteOrder, offset: u64, packet: &'a [u8] },
    /// A missing frame where one should be, or an incomplete one.
    Broken(Error),
}

/// Looks for frames.
///
/// Any bytes can look like a length, so a place counts as the start of a frame only if the length is followed by a
/// value that fills it exactly, and by other frames, to the end of the bytes or three in a row. A single frame is
/// enough at the start of the stream, at the start of a segment if the frame ends with the sent bytes, and after a gap
/// if the frame ends with the last byte.
#[derive(Debug)]
pub(super) struct Frames {
    /// The byte orders to look for.
    orders: &'static [ByteOrder],
    most: usize,
    state: State,
    bytes: Vec<u8>,
    /// The offset of the first byte in the stream.
    offset: u64,
    /// The starts of segments, as far as they are still needed.
    edges: Vec<u64>,
    /// The number of bytes that were examined as the start of a frame.
    looked: usize,
    candidates: Vec<Candidate>,
    /// The number of bytes that were passed over.
    pub(super) skipped: u64,
    /// Whether frames were found, now or before.
    found: bool,
    /// Whether the first byte is the first that was sent.
    from_start: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    /// No frame was found yet.
    New,
    /// One frame ends where the next starts.
    Found(ByteOrder),
    /// There were frames, and there may be again.
    Lost,
    /// There are none.
    Over,
}

/// A place where frames may start.
#[derive(Debug)]
struct Candidate {
    order: ByteOrder,
    /// The positions of the first frame and of the next one, among the held bytes.
    start: usize,
    next: usize,
    /// The number of frames in between.
    frames: u32,
    /// Whether at least one of them is not null.
    strong: bool,
}

enum Chain {
    Frames,
    None,
    Unsure,
}

/// The number of bytes before the first frame after which the search ends.
const PATIENCE: u64 = 1 << 16;
/// The greatest number of undecided places.
const CANDIDATES: usize = 32;
/// The greatest number of remembered starts of segments.
const EDGES: usize = 4096;
const HEAD: usize = 4;

impl Frames {
    /// Makes the frames of a stream that starts at its first byte, or somewhere in it. Frames have at most `most`
    /// bytes, with lengths in one of the orders.
    pub(super) const fn new(orders: &'static [ByteOrder], most: usize) -> Self {
        Self {
            orders,
            most,
            state: if orders.is_empty() { State::Over } else { State::New },
            bytes: Vec::new(),
            offset: 0,
            edges: Vec::new(),
            looked: 0,
            candidates: Vec::new(),
            skipped: 0,
            found: false,
            from_start: false,
        }
    }

    /// Marks the next bytes as the start of the stream.
    pub(super) const fn start_here(&mut self) {
        self.from_start |= self.offset == 0 && self.bytes.is_empty();
    }

    /// Returns the number of bytes that wait for others.
    pub(super) fn held(&self) -> usize {
        self.bytes.len()
    }

    /// Whether frames were found, now or before.
    pub(super) const fn were_found(&self) -> bool {
        self.found
    }

    /// Takes the next bytes, those of a segment.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        dialects: &Dialects,
        out: &mut dyn FnMut(Event<'_>),
    ) {
        if self.state == State::Over {
            self.offset += bytes.len() as u64;
            self.skipped += bytes.len() as u64;
            return;
        }
        if !matches!(self.state, State::Found(_)) && self.edges.len() < EDGES {
            self.edges.push(self.offset + self.bytes.len() as u64);
        }
        self.bytes.extend_from_slice(bytes);
        self.go_on(dialects, false, out);
    }

    /// Takes a gap of missing bytes.
    pub(super) fn gap(&mut self, length: u64, dialects: &Dialects, out: &mut dyn FnMut(Event<'_>)) {
        if !matches!(self.state, State::Found(_)) {
            // The bytes before the gap may be frames to the gap.
            self.go_on(dialects, true, out);
        }
        self.pass(self.bytes.len());
        self.offset += length;
        if self.state != State::Over {
            self.state = if self.found { State::Lost } else { State::New };
        }
    }

    /// Ends the stream: no more bytes come.
    pub(super) fn finish(&mut self, dialects: &Dialects, out: &mut dyn FnMut(Event<'_>)) {
        self.go_on(dialects, true, out);
        if matches!(self.state, State::Found(_)) && !self.bytes.is_empty() {
            let left = self.bytes.len() as u64;
            out(Event::Broken(Error::incomplete(self.offset, 1, "the rest of a frame", left)));
            self.bytes.clear();
        }
        self.pass(self.bytes.len());
        self.state = State::Over;
    }

    fn go_on(&mut self, dialects: &Dialects, ended: bool, out: &mut dyn FnMut(Event<'_>)) {
        loop {
            match self.state {
                State::Found(order) => match self.hand_out(order, out) {
                    Ok(()) => return,
                    Err(error) => {
                        out(Event::Broken(error));
                        self.state = State::Lost;
                        // The length at this place was wrong.
                        self.looked = 1;
                        self.edges.clear();
                    }
                },
                State::New | State::Lost => {
                    if !self.seek(dialects, ended) {
                        return;
                    }
                }
                State::Over => return,
            }
        }
    }

    /// Passes the complete frames to `out`.
    fn hand_out(&mut self, order: ByteOrder, out: &mut dyn FnMut(Event<'_>)) -> Result<()> {
        let mut at = 0;
        let mut handed_out = Ok(());
        while let Some((&head, rest)) =
            self.bytes.get(at..).and_then(<[u8]>::split_first_chunk::<HEAD>)
        {
            let length = order.number(head) as usize;
            let offset = self.offset + at as u64;
            if length > self.most {
                let expected = format!("a length of at most {}", self.most);
                handed_out =
                    Err(Error::new(frame::rule::LENGTH, offset, expected, length.to_string()));
                break;
            }
            let Some(packet) = rest.get(..length) else { break };
            out(Event::Packet { order, offset: offset + HEAD as u64, packet });
            at += HEAD + length;
        }
        self.bytes.drain(..at);
        self.offset += at as u64;
        handed_out
    }

    /// Looks for a place where frames start; returns whether one was found.
    fn seek(&mut self, dialects: &Dialects, ended: bool) -> bool {
        let mut found = None;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain_mut(|candidate| {
            let chain = match found {
                None => self.follow(candidate, dialects, ended),
                Some(_) => Chain::None,
            };
            if matches!(chain, Chain::Frames) {
                found = Some((candidate.start, candidate.order));
            }
            matches!(chain, Chain::Unsure)
        });
        while let Some(bytes) = self.bytes.get(self.looked..).filter(|it| it.len() >= 2 * HEAD)
            && found.is_none()
        {
            for &order in self.orders {
                if !can_start(bytes, order, self.most) || found.is_some() {
                    continue;
                }
                let (start, next) = (self.looked, self.looked);
                let mut candidate = Candidate { order, start, next, frames: 0, strong: false };
                match self.follow(&mut candidate, dialects, ended) {
                    Chain::Frames => found = Some((start, order)),
                    Chain::None => {}
                    Chain::Unsure => candidates.push(candidate),
                }
            }
            self.looked += 1;
            if candidates.len() > CANDIDATES {
                // The candidate with the longest frame is the least likely, except where a frame should be: the
                // dictionary that a connection starts with has many places in it that look like a frame.
                let doubts = candidates.iter().map(|candidate| self.doubt(candidate)).enumerate();
                if let Some((position, _)) = doubts.max_by_key(|(_, doubt)| *doubt) {
                    candidates.remove(position);
                }
            }
        }
        if let Some((start, order)) = found {
            self.pass(start);
            self.state = State::Found(order);
            self.found = true;
            self.looked = 0;
            self.edges.clear();
            return true;
        }
        self.candidates = candidates;
        // The bytes before all undecided places are done.
        let first = self.candidates.first().map_or(self.looked, |candidate| candidate.start);
        self.pass(first);
        while self.bytes.len() > self.most + HEAD && !self.candidates.is_empty() {
            self.candidates.remove(0);
            let first = self.candidates.first().map_or(self.looked, |candidate| candidate.start);
            self.pass(first);
        }
        if self.state == State::New && self.skipped > PATIENCE {
            self.pass(self.bytes.len());
            self.state = State::Over;
        }
        false
    }

    /// Whether a segment starts at this offset. (The starts are sorted.)
    fn is_edge(&self, start: u64) -> bool {
        self.edges.binary_search(&start).is_ok()
    }

    /// Returns a measure of the evidence against a candidate.
    fn doubt(&self, candidate: &Candidate) -> (bool, bool, u64) {
        let start = self.offset + candidate.start as u64;
        let at_start = start == 0 && self.from_start;
        (!at_start, !self.is_edge(start), self.end(candidate))
    }

    /// Returns the offset at which the next frame of a candidate would end.
    fn end(&self, candidate: &Candidate) -> u64 {
        let head = self.bytes.get(candidate.next..).and_then(<[u8]>::first_chunk::<HEAD>);
        let length = head.map_or(0, |&head| candidate.order.number(head));
        candidate.next as u64 + u64::from(length)
    }

    /// Follows the frames from a place.
    fn follow(&self, candidate: &mut Candidate, dialects: &Dialects, ended: bool) -> Chain {
        /// The number of consecutive frames that is not chance.
        const SURE: u32 = 3;
        let start = self.offset + candidate.start as u64;
        let at_start = start == 0 && self.from_start;
        let at_edge = at_start || self.is_edge(start);
        let sure = if at_start { 1 } else { SURE };
        loop {
            if candidate.frames >= sure && candidate.strong {
                return Chain::Frames;
            }
            let rest = self.bytes.get(candidate.next..).unwrap_or_default();
            let whole = match rest.split_first_chunk::<HEAD>() {
                _ if rest.len() >= 2 * HEAD && !can_start(rest, candidate.order, self.most) => {
                    return Chain::None;
                }
                Some((&head, packet)) => {
                    let length = candidate.order.number(head) as usize;
                    packet.get(..length).filter(|_| rest.len() >= 2 * HEAD)
                }
                None => None,
            };
            let Some(packet) = whole else {
                // After frames were found before, one more that ends with all bytes is not chance either.
                let is_last = ended && self.state == State::Lost;
                let needed = if (at_edge || is_last) && rest.is_empty() { 1 } else { 2 };
                return match candidate.frames >= needed && candidate.strong {
                    true => Chain::Frames,
                    false if ended => Chain::None,
                    false => Chain::Unsure,
                };
            };
            if !dialects.reads_packet(packet) {
                return Chain::None;
            }
            candidate.strong |= packet.iter().any(|&byte| byte != 0);
            candidate.frames += 1;
            candidate.next += HEAD + packet.len();
        }
    }

    /// Removes bytes from the start.
    fn pass(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        self.bytes.drain(..count);
        self.offset += count as u64;
        self.skipped += count as u64;
        self.looked = self.looked.saturating_sub(count);
        let offset = self.offset;
        self.edges.retain(|&edge| edge >= offset);
        self.candidates.retain(|candidate| candidate.start >= count);
        for candidate in &mut self.candidates {
            candidate.start -= count;
            candidate.next -= count;
        }
    }
}

/// Whether the bytes can be a length and the header of a value. (All packets that engines write are multiples of four
/// bytes long.)
fn can_start(bytes: &[u8], order: ByteOrder, most: usize) -> bool {
    let Some((&head, rest)) = bytes.split_first_chunk::<HEAD>() else { return false };
    let length = order.number(head) as usize;
    length > 0
        && length.is_multiple_of(4)
        && length <= most
        && rest.first_chunk().is_some_and(|&word| is_header(word))
}
