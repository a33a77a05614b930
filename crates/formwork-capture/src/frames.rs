//! Frames in the bytes of a TCP connection: found at its start, in its middle, and again behind a gap.

use formwork_godot::detect::is_header;
use formwork_variant::frame::{self, ByteOrder};
use formwork_variant::{Error, Result};

use super::evidence::Dialects;

/// What comes out of a stream.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// A packet, and where in the stream it starts.
    Packet { order: ByteOrder, offset: u64, packet: &'a [u8] },
    /// No frame where one should be, or one that is not all there.
    Broken(Error),
}

/// Looks for frames.
///
/// A length alone is soon found anywhere, so a place counts as the start of a frame only where a value
/// stands behind the length that fills it just so, and other frames follow, to the end of what is there or
/// for three in a row. One alone is enough where the stream starts, where a segment starts and the frame ends with
/// what was sent, and behind a gap where the frame ends with the last byte.
#[derive(Debug)]
pub(super) struct Frames {
    /// The orders of bytes to look for.
    orders: &'static [ByteOrder],
    most: usize,
    state: State,
    bytes: Vec<u8>,
    /// Where in the stream the first of the bytes stands.
    offset: u64,
    /// Where segments started, as far as that is still asked for.
    edges: Vec<u64>,
    /// How many of the bytes were looked at as the start of a frame.
    looked: usize,
    candidates: Vec<Candidate>,
    /// Bytes that were passed over.
    pub(super) skipped: u64,
    /// Frames were found, now or before.
    found: bool,
    /// The first byte is the first that was sent.
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
    /// Where the first one starts and the next one would, among the bytes that are there.
    start: usize,
    next: usize,
    /// Frames in between.
    frames: u32,
    /// Not all of them are null.
    strong: bool,
}

enum Chain {
    Frames,
    None,
    Unsure,
}

/// Bytes in front of the first frame, after which it is no longer looked for.
const PATIENCE: u64 = 1 << 16;
/// Places that may be undecided at a time.
const CANDIDATES: usize = 32;
/// Starts of segments that are remembered.
const EDGES: usize = 4096;
const HEAD: usize = 4;

impl Frames {
    /// Frames of a stream that starts at its first byte, or somewhere in it; at most so long, with
    /// lengths in one of the orders.
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

    /// What comes is the start of the stream.
    pub(super) const fn start_here(&mut self) {
        self.from_start |= self.offset == 0 && self.bytes.is_empty();
    }

    /// Bytes that wait for others.
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

    /// Some bytes are missing here.
    pub(super) fn gap(&mut self, length: u64, dialects: &Dialects, out: &mut dyn FnMut(Event<'_>)) {
        if !matches!(self.state, State::Found(_)) {
            // What stands before the gap may be frames to its end.
            self.go_on(dialects, true, out);
        }
        self.pass(self.bytes.len());
        self.offset += length;
        if self.state != State::Over {
            self.state = if self.found { State::Lost } else { State::New };
        }
    }

    /// No more bytes come.
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

    /// Hands out the frames that are all there.
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

    /// Looks for a place where frames start; says whether one was found.
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
                // The one that asks for most is the least likely; but not where a frame should be: the
                // dictionary that a connection starts with has many places in it that look like one.
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
        // What comes before all the places in question is done with.
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

    /// Whether a segment starts there. (They are in order.)
    fn is_edge(&self, start: u64) -> bool {
        self.edges.binary_search(&start).is_ok()
    }

    /// How little speaks for a candidate.
    fn doubt(&self, candidate: &Candidate) -> (bool, bool, u64) {
        let start = self.offset + candidate.start as u64;
        let at_start = start == 0 && self.from_start;
        (!at_start, !self.is_edge(start), self.end(candidate))
    }

    /// Where the next frame of a candidate would end.
    fn end(&self, candidate: &Candidate) -> u64 {
        let head = self.bytes.get(candidate.next..).and_then(<[u8]>::first_chunk::<HEAD>);
        let length = head.map_or(0, |&head| candidate.order.number(head));
        candidate.next as u64 + u64::from(length)
    }

    /// Follows the frames from a place on.
    fn follow(&self, candidate: &mut Candidate, dialects: &Dialects, ended: bool) -> Chain {
        /// Frames in a row that are no chance.
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
                // Where there were frames before, one more that ends with all that came is no chance either.
                let is_last = ended && self.state == State::Lost;
                let needed = if (at_edge || is_last) && rest.is_empty() { 1 } else { 2 };
                return match candidate.frames >= needed && candidate.strong {
                    true => Chain::Frames,
                    false if ended => Chain::None,
                    false => Chain::Unsure,
                };
            };
            if !dialects.reads_one(packet) {
                return Chain::None;
            }
            candidate.strong |= packet.iter().any(|&byte| byte != 0);
            candidate.frames += 1;
            candidate.next += HEAD + packet.len();
        }
    }

    /// Passes over bytes.
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

/// Whether a length and the header of a value may stand here. (All packets that engines write are
/// multiples of four bytes long.)
fn can_start(bytes: &[u8], order: ByteOrder, most: usize) -> bool {
    let Some((&head, rest)) = bytes.split_first_chunk::<HEAD>() else { return false };
    let length = order.number(head) as usize;
    length > 0
        && length.is_multiple_of(4)
        && length <= most
        && rest.first_chunk().is_some_and(|&word| is_header(word))
}
