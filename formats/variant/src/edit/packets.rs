//! Finds the packet of a value in the bytes, and those of the values in it.

use std::ops::Range;

use crate::Dialect;
use crate::inspect::Inspector;
use crate::packet::ContainerCount;
use formwork_records::inspect::{Kind, SpanType};
use formwork_records::schema::{Layout, Schema};

/// A packet and those in it, in the order of the bytes: each before those in it.
#[derive(Debug)]
pub(super) struct Packets(Vec<Packet>);

#[derive(Debug)]
struct Packet {
    range: Range<usize>,
    /// The number of the packet after all packets inside this one.
    next: usize,
    /// The position of the word that counts its contents.
    count: Option<usize>,
}

impl Packets {
    /// Finds the packets in the bytes of one.
    pub(super) fn of(bytes: &[u8], dialect: Dialect) -> Self {
        let Layout::Word(count_word) = ContainerCount::LAYOUT else { return Self(Vec::new()) };
        let mut packets: Vec<Packet> = Vec::new();
        // The packets that are open, with their depths.
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut inspector = Inspector::new(bytes, dialect);
        while let Some(Ok(span)) = inspector.next() {
            if span.kind == Kind::Part {
                continue;
            }
            let at = usize::try_from(span.offset).unwrap_or(usize::MAX);
            while let Some(&(number, depth)) = open.last()
                && depth >= span.depth
            {
                (packets[number].range.end, packets[number].next) = (at, packets.len());
                open.pop();
            }
            match (span.kind, span.layout) {
                (Kind::Open, SpanType::Packet(_)) => {
                    open.push((packets.len(), span.depth));
                    packets.push(Packet { range: at..at, next: 0, count: None });
                }
                (_, SpanType::One(Layout::Word(word))) if word.name == count_word.name => {
                    // A count after the first inner packet belongs to an inner packet.
                    let last = packets.len().wrapping_sub(1);
                    if let Some(&(number, _)) = open.last().filter(|(number, _)| *number == last) {
                        packets[number].count.get_or_insert(at);
                    }
                }
                _ => {}
            }
        }
        let (end, next) = (inspector.position(), packets.len());
        for (number, _) in open {
            (packets[number].range.end, packets[number].next) = (end, next);
        }
        Self(packets)
    }

    /// Returns the position of a packet.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        self.0.get(number).map_or(0..0, |packet| packet.range.clone())
    }

    /// Returns the position of the count of a packet.
    pub(super) fn count(&self, number: usize) -> Option<usize> {
        self.0.get(number)?.count
    }

    /// Returns the numbers of the packets directly inside a packet.
    pub(super) fn inside(&self, number: usize) -> Vec<usize> {
        let end = self.0.get(number).map_or(0, |packet| packet.next);
        let mut inside = Vec::new();
        let mut at = number + 1;
        while at < end {
            inside.push(at);
            at = self.0[at].next;
        }
        inside
    }
}
