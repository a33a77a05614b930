//! The conversation between two ends.

use std::collections::VecDeque;
use std::net::SocketAddr;

use formwork_godot::detect;

use super::Context;
use super::connection::{Side, Taker};
use super::enet::{self, Look};
use super::file::Time;
use super::found::{Conversation, Found, Framing, Other};
use super::meaning::{Meaning, Message};
use super::network::Segment;

/// A conversation that is not over.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) about: Conversation,
    carrier: Carrier,
    meaning: Meaning,
    /// Its first bytes, to identify it if it does not hold values.
    start: Vec<u8>,
    /// The number of the last packet of the conversation.
    pub(super) heard: u64,
}

#[derive(Debug)]
enum Carrier {
    Udp(Datagrams),
    Tcp(Box<[Side; 2]>),
}

/// The form of the datagrams of a conversation.
#[derive(Debug)]
enum Datagrams {
    /// Not known yet: these are the datagrams so far.
    Open(Vec<(Option<Time>, usize, Vec<u8>)>),
    Bare,
    ENet(Box<[enet::Peer; 2]>),
}

/// The number of datagrams by which it is decided whether they are ENet's.
const DATAGRAMS: usize = 4;
/// The number of bytes of the start that are kept.
const START: usize = 256;

impl Open {
    /// Makes a conversation of datagrams.
    pub(super) const fn udp(about: Conversation) -> Self {
        let carrier = Carrier::Udp(Datagrams::Open(Vec::new()));
        Self::new(about, carrier)
    }

    /// Makes a TCP connection.
    pub(super) fn tcp(about: Conversation, context: &Context) -> Self {
        Self::new(about, Carrier::Tcp(Box::new([Side::new(context), Side::new(context)])))
    }

    const fn new(about: Conversation, carrier: Carrier) -> Self {
        Self { about, carrier, meaning: Meaning::new(), start: Vec::new(), heard: 0 }
    }

    /// Returns the number of held bytes.
    pub(super) fn held(&self) -> usize {
        let carried: usize = match &self.carrier {
            Carrier::Udp(Datagrams::Open(waiting)) => waiting.iter().map(|it| it.2.len()).sum(),
            Carrier::Udp(Datagrams::Bare) => 0,
            Carrier::Udp(Datagrams::ENet(peers)) => peers.iter().map(enet::Peer::held).sum(),
            Carrier::Tcp(sides) => sides.iter().map(Side::held).sum(),
        };
        carried + self.meaning.held()
    }

    /// Returns the number of the end with this address.
    pub(super) fn from(&self, source: SocketAddr) -> usize {
        usize::from(self.about.ends[0] != source)
    }

    fn count(&mut self, from: usize, bytes: &[u8]) {
        if let (Some(packets), Some(count)) =
            (self.about.packets.get_mut(from), self.about.bytes.get_mut(from))
        {
            *packets += 1;
            *count += bytes.len() as u64;
        }
        let room = START - self.start.len().min(START);
        self.start.extend(bytes.iter().take(room));
    }

    /// Takes a datagram.
    pub(super) fn datagram(
        &mut self,
        time: Option<Time>,
        from: usize,
        bytes: &[u8],
        context: &Context,
        out: &mut VecDeque<Found>,
    ) {
        self.count(from, bytes);
        let Carrier::Udp(datagrams) = &mut self.carrier else { return };
        if let Datagrams::Open(waiting) = datagrams {
            waiting.push((time, from, bytes.to_vec()));
            let certain = match context.framing {
                Some(_) => true,
                None => enet::look(bytes) == Look::Connects || waiting.len() >= DATAGRAMS,
            };
            if certain {
                self.decide(context, out);
            }
            return;
        }
        self.take(time, from, bytes, context, out);
    }

    /// Decides the form of the datagrams, and takes the ones that waited.
    fn decide(&mut self, context: &Context, out: &mut VecDeque<Found>) {
        let Carrier::Udp(datagrams) = &mut self.carrier else { return };
        let Datagrams::Open(waiting) = datagrams else { return };
        let waiting = std::mem::take(waiting);
        let looks: Vec<Look> = waiting.iter().map(|(.., bytes)| enet::look(bytes)).collect();
        let like = looks.iter().filter(|&&look| look != Look::No).count();
        // A single datagram may look like ENet by chance, all of them hardly; compressed ones often do not look like
        // it.
        let is_enet = match context.framing {
            Some(framing) => framing == Framing::ENet,
            None => {
                looks.contains(&Look::Connects)
                    || looks.contains(&Look::Commands) && like == looks.len() && like > 1
            }
        };
        *datagrams = if is_enet { Datagrams::ENet(Box::default()) } else { Datagrams::Bare };
        for (time, from, bytes) in waiting {
            self.take(time, from, &bytes, context, out);
        }
    }

    fn take(
        &mut self,
        time: Option<Time>,
        from: usize,
        bytes: &[u8],
        context: &Context,
        out: &mut VecDeque<Found>,
    ) {
        let Self { about, meaning, carrier: Carrier::Udp(datagrams), .. } = self else { return };
        let message = |offset, framing, channel, bytes| Message {
            time,
            from,
            offset,
            framing,
            channel,
            bytes,
        };
        match datagrams {
            Datagrams::Bare if matches!(context.framing, None | Some(Framing::Bare)) => {
                let message = message(0, Framing::Bare, 0, bytes.to_vec());
                meaning.push(message, context, about, out);
            }
            Datagrams::ENet(peers) => {
                let Some(peer) = peers.get_mut(from) else { return };
                peer.push(bytes, context.limits.message_bytes, |packet| {
                    let message = message(0, Framing::ENet, packet.channel, packet.bytes);
                    meaning.push(message, context, about, out);
                });
            }
            Datagrams::Bare | Datagrams::Open(_) => about.without += 1,
        }
    }

    /// Counts a datagram of which not everything was recorded.
    pub(super) fn cut(&mut self, from: usize) {
        self.count(from, &[]);
        self.about.cut += 1;
    }

    /// Whether a segment belongs to a new connection between the same ends.
    pub(super) fn is_new(&self, from: usize, segment: &Segment<'_>) -> bool {
        let Carrier::Tcp(sides) = &self.carrier else { return false };
        sides.get(from).is_some_and(|side| side.is_new(segment))
    }

    /// Takes a segment.
    pub(super) fn segment(
        &mut self,
        time: Option<Time>,
        from: usize,
        segment: &Segment<'_>,
        context: &Context,
        out: &mut VecDeque<Found>,
    ) {
        self.count(from, segment.bytes);
        self.about.cut += u64::from(segment.missing > 0);
        let Self { about, meaning, carrier: Carrier::Tcp(sides), .. } = self else { return };
        let Some(side) = sides.get_mut(from) else { return };
        side.segment(segment, Taker { time, from, context, about, meaning, out });
    }

    /// Ends the conversation: no more of it comes.
    pub(super) fn finish(&mut self, context: &Context, out: &mut VecDeque<Found>) {
        self.decide(context, out);
        let Self { about, meaning, carrier, .. } = self;
        match carrier {
            Carrier::Udp(Datagrams::ENet(peers)) => {
                for peer in peers.iter_mut() {
                    peer.finish();
                    about.compressed += peer.lost.compressed;
                    about.without += peer.lost.foreign;
                    about.broken += peer.lost.incomplete;
                }
            }
            Carrier::Udp(_) => {}
            Carrier::Tcp(sides) => {
                for (from, side) in sides.iter_mut().enumerate() {
                    side.finish(Taker { time: None, from, context, about, meaning, out });
                }
            }
        }
        meaning.settle(context, about, out);
        if about.values == 0 && about.broken == 0 {
            // The dialect may be the given one, without any values.
            about.dialect = None;
        }
        if self.about.dialect.is_none() {
            self.about.broken = 0;
            self.about.fault = None;
            self.about.other = Some(self.other());
        }
    }

    /// Returns the other protocol of a conversation without values.
    fn other(&self) -> Other {
        const COOKIE: [u8; 4] = [0x21, 0x12, 0xa4, 0x42];
        let start = self.start.as_slice();
        let has_port =
            |ports: &[u16]| self.about.ends.iter().any(|end| ports.contains(&end.port()));
        match (&self.carrier, start) {
            (Carrier::Udp(Datagrams::ENet(_)), _) if self.about.compressed > 0 => {
                Other::ENetCompressed
            }
            (Carrier::Udp(Datagrams::ENet(_)), _) => Other::ENet,
            (_, []) => Other::Nothing,
            // The type of a record, and the version.
            (_, [20..=23, 3, 0..=4, ..] | [20..=23, 254, 253 | 255, ..]) => Other::Tls,
            (Carrier::Udp(_), [0..=3, _, _, _, cookie @ ..]) if cookie.starts_with(&COOKIE) => {
                Other::Stun
            }
            (_, [_, _, _, _, _, _, _, _, _, _, _, _, ..]) if has_port(&[53, 5353, 5355]) => {
                Other::Dns
            }
            _ if is_http(start) => Other::Http,
            _ if detect::text(start).is_some() => Other::Text,
            _ => self.about.other.unwrap_or(Other::Unknown),
        }
    }
}

fn is_http(start: &[u8]) -> bool {
    let methods = ["GET ", "POST ", "PUT ", "HEAD ", "OPTIONS ", "DELETE ", "HTTP/1.", "PRI * "];
    methods.iter().any(|method| start.starts_with(method.as_bytes()))
}
