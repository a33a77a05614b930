//! Reads values from recorded network traffic: pcap and pcapng files, as tcpdump and Wireshark write them.
//!
//! ```no_run
//! use std::fs::File;
//! use formwork_capture::Capture;
//!
//! let mut capture = Capture::new(File::open("game.pcap")?)?;
//! while let Some(found) = capture.next() {
//!     let found = found?;
//!     println!("{} {}", found.source, found.value()?.display(found.dialect));
//! }
//! for conversation in &capture.summary().conversations {
//!     println!("{:?}: {} values", conversation.ends, conversation.values);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | read a capture | [`Capture`] |
//! | know what a value is, from whom and how it was framed | [`Found`], [`Framing`] |
//! | know what else was in the capture | [`Summary`] |
//! | bound memory | [`Limits`] |
//! | see the layouts of ENet, of the multiplayer, of WebSocket | [`enet`], [`CommandWord`], [`FrameWord`] |
//!
//! [`Capture`] reads a capture packet by packet and returns the [values](Found) in it, each with its time, its sender
//! and its framing. Nothing has to be known about the traffic:
//!
//! * Link layers: Ethernet with VLANs, raw IP, Linux "cooked" (both), loopback of the BSDs. IPv4 and IPv6, with
//!   fragments; UDP and TCP. TCP streams are put back in order: bytes that were sent twice, late or overlapping count
//!   once, and missing bytes make a gap after which frames are searched again, as in connections that were picked up in
//!   their middle.
//! * [Framings](Framing): a value, or several, in a datagram; frames in a stream, with lengths in either byte order;
//!   the packets of [ENet](enet), with the parts that Godot's high-level multiplayer puts around values in them; the
//!   binary messages of a WebSocket whose start was recorded.
//! * The dialect is determined for each conversation by its first messages: up to 64 of them are held back until then
//!   (16 if the dialect is given). It is determined by the rules of [`detect`](mod@formwork_godot::detect).
//!
//! Other data is not printed as values. A conversation is only taken for values if at least half of its messages are
//! exactly what an engine would have written, and not only nulls or numbers in a row; or if one such message has dozens
//! of values in it. If dialect and framing are given, each message that is a value counts as one. A conversation of
//! another protocol is therefore taken for values only if it looks exactly like them: a datagram with the number 2 and
//! another number, each in four bytes, is an int.
//!
//! Values come out in the order in which the packets that complete them were recorded, except that the first values of
//! a conversation wait until its dialect is determined.
//!
//! Memory is bounded by [`Limits`], whatever the size of the capture, except for the list of conversations in the
//! summary, which ends at 65536.

mod connection;
mod conversation;
pub mod enet;
mod evidence;
mod file;
mod found;
mod frames;
mod meaning;
mod multiplayer;
mod network;
mod reassembly;
pub mod rule;
mod websocket;
mod wrapping;

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::io::Read;
use std::net::SocketAddr;

pub use file::Time;
pub use found::{Conversation, Found, Framing, Other, Place, Summary, Transport};
pub use multiplayer::{
    ArgumentByte, CallHead, CommandWord, NodeWord, PeerFlags, PeerHead, PeerNotice, SystemHead,
};
pub use network::{LinuxHead, LinuxHead2};
pub use websocket::{FrameWord, Length16, Length64};

use conversation::Open;
use evidence::Dialects;
use file::Recording;
use formwork_variant::Result;
use formwork_variant::dialect::Dialect;
use network::{Carried, Network, Route, Segment};

/// Limits on the memory for a capture.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The number of conversations that are followed at a time. If there are more, those that were silent longest are
    /// ended.
    pub conversations: usize,
    /// Bytes of a TCP stream that came too early and wait for missing ones.
    pub waiting_bytes: usize,
    /// Bytes of a packet in a frame, of a packet in parts over ENet, or of a WebSocket's message.
    pub message_bytes: usize,
    /// The number of messages of a conversation that are held back until its dialect is determined.
    pub evidence_messages: usize,
    /// Bytes of the messages that are held back.
    pub evidence_bytes: usize,
    /// Bytes that all conversations hold together. If there are more, the conversation that needs to hold another
    /// message is ended.
    pub held_bytes: usize,
}

impl Limits {
    /// Sets [`Limits::conversations`](Self#structfield.conversations).
    #[must_use]
    pub const fn conversations(mut self, most: usize) -> Self {
        self.conversations = most;
        self
    }

    /// Sets [`Limits::waiting_bytes`](Self#structfield.waiting_bytes).
    #[must_use]
    pub const fn waiting_bytes(mut self, most: usize) -> Self {
        self.waiting_bytes = most;
        self
    }

    /// Sets [`Limits::message_bytes`](Self#structfield.message_bytes).
    #[must_use]
    pub const fn message_bytes(mut self, most: usize) -> Self {
        self.message_bytes = most;
        self
    }

    /// Sets [`Limits::evidence_messages`](Self#structfield.evidence_messages).
    #[must_use]
    pub const fn evidence_messages(mut self, most: usize) -> Self {
        self.evidence_messages = most;
        self
    }

    /// Sets [`Limits::evidence_bytes`](Self#structfield.evidence_bytes).
    #[must_use]
    pub const fn evidence_bytes(mut self, most: usize) -> Self {
        self.evidence_bytes = most;
        self
    }

    /// Sets [`Limits::held_bytes`](Self#structfield.held_bytes).
    #[must_use]
    pub const fn held_bytes(mut self, most: usize) -> Self {
        self.held_bytes = most;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            conversations: 4096,
            waiting_bytes: 1 << 20,
            message_bytes: 1 << 24,
            evidence_messages: 64,
            evidence_bytes: 1 << 20,
            held_bytes: 1 << 28,
        }
    }
}

/// Reads the values in a capture; see [the module](self).
pub struct Capture<R: Read> {
    recording: Recording<R>,
    network: Network,
    context: Context,
    ports: Vec<u16>,
    open: HashMap<(Transport, SocketAddr, SocketAddr), Open>,
    held: usize,
    found: VecDeque<Found>,
    /// The conversations that are over, the last one first. They are finished one by one, because the values found in
    /// them take more memory than they do.
    over: Vec<Open>,
    summary: Summary,
    ended: bool,
}

/// The settings for all conversations.
#[derive(Debug)]
struct Context {
    dialects: Dialects,
    framing: Option<Framing>,
    limits: Limits,
    value_limits: formwork_variant::Limits,
    /// Bytes before the values of each message.
    skip: usize,
}

/// The approximate memory for keeping a piece, in addition to its bytes.
const KEEPING: usize = 64;

/// The greatest number of conversations in the summary.
const LISTED: usize = 1 << 16;

impl<R: Read> Capture<R> {
    /// Starts to read a capture. The reader need not be buffered.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader fails, or if it has neither pcap nor pcapng.
    pub fn new(reader: R) -> Result<Self> {
        let value_limits = formwork_variant::Limits::default();
        let dialects = Dialects::new(None, value_limits);
        let limits = Limits::default();
        Ok(Self {
            recording: Recording::new(reader)?,
            network: Network::default(),
            context: Context { dialects, framing: None, limits, value_limits, skip: 0 },
            ports: Vec::new(),
            open: HashMap::new(),
            held: 0,
            found: VecDeque::new(),
            over: Vec::new(),
            summary: Summary::default(),
            ended: false,
        })
    }

    /// Reads only conversations with one of these ports at either end; all if there are no ports.
    #[must_use]
    pub fn ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.ports = ports.into_iter().collect();
        self
    }

    /// Sets the dialect of the values.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.context.dialects = Dialects::new(Some(dialect), self.context.value_limits);
        self.context.dialects.set_skip(self.context.skip);
        self
    }

    /// Sets the framing of the values. Other framings are ignored.
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.context.framing = Some(framing);
        self
    }

    /// Passes over this many bytes at the start of each datagram, packet of ENet, message of a WebSocket and packet in a
    /// frame: what a game puts before its values itself, such as the kind of a message.
    #[must_use]
    pub fn skip(mut self, bytes: usize) -> Self {
        self.context.skip = bytes;
        self.context.dialects.set_skip(bytes);
        self
    }

    /// Sets the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.context.limits = limits;
        self
    }

    /// Sets the limits for values.
    #[must_use]
    pub fn value_limits(mut self, limits: formwork_variant::Limits) -> Self {
        self.context.value_limits = limits;
        self.context.dialects.set_limits(limits);
        self
    }

    /// Returns the content of the capture read so far: the conversations that are over (at the end, all are), and
    /// counts.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Reads the next packet and the values that it completes; returns whether there was one.
    fn step(&mut self) -> Result<bool> {
        let Some(recorded) = self.recording.next()? else {
            return Ok(false);
        };
        let time = recorded.time;
        self.summary.packets += 1;
        let carried = self.network.carried(&recorded);
        let (transport, route) = match &carried {
            Carried::Udp(route, _) | Carried::CutUdp(route) => (Transport::Udp, *route),
            Carried::Tcp(route, _) => (Transport::Tcp, *route),
            Carried::Fragment => return Ok(true),
            Carried::Other(other) => {
                note(&mut self.summary, *other);
                return Ok(true);
            }
        };
        let Route { source, destination } = route;
        let wanted = |end: SocketAddr| self.ports.contains(&end.port());
        if !self.ports.is_empty() && !wanted(source) && !wanted(destination) {
            self.summary.left_out += 1;
            return Ok(true);
        }
        let mut talk = Talk {
            context: &self.context,
            open: &mut self.open,
            held: &mut self.held,
            found: &mut self.found,
            over: &mut self.over,
            summary: &mut self.summary,
        };
        let key = match source <= destination {
            true => (transport, source, destination),
            false => (transport, destination, source),
        };
        talk.take(key, source, time, &carried);
        Ok(true)
    }

    fn finish(&mut self) {
        self.ended = true;
        self.network.finish();
        self.summary.incomplete = self.network.incomplete;
        self.summary.unread_blocks = self.recording.unread_blocks;
        self.over.extend(self.open.drain().map(|(_, open)| open));
        self.over.sort_by_key(|open| Reverse(open.heard));
    }
}

impl<R: Read> Iterator for Capture<R> {
    type Item = Result<Found>;

    /// Returns the next value. An error is a fault of the capture itself; values that were read before it are still
    /// returned after it.
    fn next(&mut self) -> Option<Result<Found>> {
        loop {
            if let Some(found) = self.found.pop_front() {
                return Some(Ok(found));
            }
            if let Some(mut open) = self.over.pop() {
                open.finish(&self.context, &mut self.found);
                close(&mut self.summary, open.about);
                continue;
            }
            if self.ended {
                return None;
            }
            match self.step() {
                Ok(true) => {}
                Ok(false) => self.finish(),
                Err(error) => {
                    self.finish();
                    return Some(Err(error));
                }
            }
        }
    }
}

fn note(summary: &mut Summary, other: network::Other) {
    match other {
        network::Other::Link(link) => {
            match summary.links.iter_mut().find(|(known, _)| *known == link.0) {
                Some((_, count)) => *count += 1,
                None => summary.links.push((link.0, 1)),
            }
        }
        network::Other::NotIp | network::Other::Transport => summary.others += 1,
        network::Other::Malformed => summary.malformed += 1,
    }
}

fn close(summary: &mut Summary, conversation: Conversation) {
    if summary.conversations.len() < LISTED {
        summary.conversations.push(conversation);
    } else {
        summary.forgotten += 1;
    }
}

type Key = (Transport, SocketAddr, SocketAddr);

/// The open conversations.
struct Talk<'c> {
    context: &'c Context,
    open: &'c mut HashMap<Key, Open>,
    held: &'c mut usize,
    found: &'c mut VecDeque<Found>,
    over: &'c mut Vec<Open>,
    summary: &'c mut Summary,
}

impl Talk<'_> {
    /// Takes the content of a packet.
    fn take(&mut self, key: Key, source: SocketAddr, time: Option<Time>, carried: &Carried<'_>) {
        if let (Carried::Tcp(_, segment), Some(open)) = (carried, self.open.get(&key))
            && open.is_new(open.from(source), segment)
        {
            self.end(&key);
        }
        if !self.open.contains_key(&key) {
            // A packet that only ends a connection starts none.
            if let Carried::Tcp(_, Segment { rst: true, .. }) = carried {
                self.summary.others += 1;
                return;
            }
            self.make_room();
            let (transport, a, b) = key;
            let other = if source == a { b } else { a };
            let about = Conversation::new(transport, [source, other]);
            let open = match transport {
                Transport::Udp => Open::udp(about),
                Transport::Tcp => Open::tcp(about, self.context),
            };
            self.open.insert(key, open);
        }
        let Some(open) = self.open.get_mut(&key) else { return };
        open.heard = self.summary.packets;
        let from = open.from(source);
        let before = open.held();
        match carried {
            Carried::Udp(_, bytes) => {
                open.datagram(time, from, bytes, self.context, self.found);
            }
            Carried::CutUdp(_) => open.cut(from),
            Carried::Tcp(_, segment) => {
                open.segment(time, from, segment, self.context, self.found);
            }
            Carried::Fragment | Carried::Other(_) => {}
        }
        *self.held = (*self.held + open.held()).saturating_sub(before);
        if *self.held > self.context.limits.held_bytes {
            self.end(&key);
        }
    }

    /// Ends a conversation.
    fn end(&mut self, key: &Key) {
        if let Some(mut open) = self.open.remove(key) {
            *self.held = self.held.saturating_sub(open.held());
            open.finish(self.context, self.found);
            close(self.summary, open.about);
        }
    }

    /// If there are too many conversations, ends the quarter that was silent longest.
    fn make_room(&mut self) {
        if self.open.len() < self.context.limits.conversations.max(1) {
            return;
        }
        let mut heard: Vec<(u64, Key)> =
            self.open.iter().map(|(key, open)| (open.heard, *key)).collect();
        heard.sort_by_key(|(heard, _)| *heard);
        for (_, key) in heard.iter().take(heard.len().div_ceil(4)).rev() {
            if let Some(open) = self.open.remove(key) {
                *self.held = self.held.saturating_sub(open.held());
                self.over.push(open);
            }
        }
    }
}
