//! Finds the packet of a value in the bytes, and those of the values in it.

use std::ops::Range;

use formwork_variant::codec::events::Event;
use formwork_variant::{Decoder, Real};

/// The bytes of a packet and those in it, in the order of the bytes: each before those in it.
#[derive(Debug)]
pub(super) struct Packets<'b> {
    bytes: &'b [u8],
    packets: Vec<Packet>,
}

#[derive(Debug)]
struct Packet {
    range: Range<usize>,
    /// The end of the bytes before the values in it.
    front: usize,
    /// The number of the packet after all packets inside this one.
    next: usize,
}

impl<'b> Packets<'b> {
    /// Finds the packets in the bytes of one.
    pub(super) fn of<R: Real>(bytes: &'b [u8], decoder: &Decoder<R>) -> Self {
        let mut packets: Vec<Packet> = Vec::new();
        // The numbers of the packets that are open.
        let mut open = Vec::new();
        for visit in decoder.walk(bytes).map_while(Result::ok) {
            let (range, number) = (visit.range, packets.len());
            if visit.event == Event::End {
                if let Some(packet) = open.pop().and_then(|opened: usize| packets.get_mut(opened)) {
                    (packet.range, packet.next) = (range, number);
                }
                continue;
            }
            if matches!(visit.event, Event::Begin(_)) {
                open.push(number);
            }
            packets.push(Packet { front: range.end, range, next: number + 1 });
        }
        Self { bytes, packets }
    }

    fn at(&self, range: Range<usize>) -> &'b [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    fn range(&self, number: usize) -> Range<usize> {
        self.packets.get(number).map_or(0..0, |packet| packet.range.clone())
    }

    /// Returns the bytes of a packet.
    pub(super) fn whole(&self, number: usize) -> &'b [u8] {
        self.at(self.range(number))
    }

    /// Returns the bytes of a packet before the values in it.
    pub(super) fn front(&self, number: usize) -> &'b [u8] {
        self.packets.get(number).map_or(&[], |packet| self.at(packet.range.start..packet.front))
    }

    /// Returns the numbers of the packets directly inside a packet.
    pub(super) fn inside(&self, number: usize) -> Vec<usize> {
        let next = |number: usize| self.packets.get(number).map(|packet| packet.next);
        let end = next(number).unwrap_or_default();
        let inside = std::iter::successors(Some(number + 1), |&number| next(number));
        inside.take_while(|&number| number < end).collect()
    }

    /// Returns the bytes of a packet that do not belong to the packets inside it: before the first, between them,
    /// and after the last.
    pub(super) fn gaps(&self, number: usize) -> Vec<&'b [u8]> {
        let Range { start: mut from, end } = self.range(number);
        let starts = self.inside(number).into_iter().map(|inner| self.range(inner));
        let gap = |next: Range<usize>| self.at(std::mem::replace(&mut from, next.end)..next.start);
        starts.chain(std::iter::once(end..end)).map(gap).collect()
    }
}
