//! ENet, which carries the high-level multiplayer of Godot and Pandemonium over UDP.

mod compression;
mod records;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use records::Head;

use super::KEEPING;
pub use records::{
    Acknowledge, BandwidthLimit, Command, CommandByte, CommandHead, Connect, Connection,
    DatagramHead, Disconnect, PeerWord, Ping, SendFragment, SendReliable, SendUnreliable,
    SendUnsequenced, ThrottleConfigure,
};

/// The result of reading a datagram as one of ENet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Look {
    /// A request for a connection, or the answer to one: nothing else looks like it.
    Connects,
    /// Commands, to the last byte.
    Commands,
    /// A head that marks the rest as compressed.
    Compressed,
    /// A datagram of another protocol.
    No,
}

/// Returns the result of reading a datagram as one of ENet.
pub(super) fn look(datagram: &[u8]) -> Look {
    for checksum in [false, true] {
        let Some(head) = Head::read(datagram, checksum) else { return Look::No };
        let rest = datagram.get(head.length..).unwrap_or_default();
        if head.word.compressed() {
            return if rest.is_empty() { Look::No } else { Look::Compressed };
        }
        match head.commands(rest) {
            Some(commands) if commands.iter().any(|(_, command)| is_sane_connection(command)) => {
                return Look::Connects;
            }
            Some(_) => return Look::Commands,
            None => {}
        }
    }
    Look::No
}

/// Whether the command is about connecting, with numbers within the limits of `protocol.h`.
fn is_sane_connection(command: &Command<'_>) -> bool {
    let connection = match command {
        Command::Connect(connect) => connect.connection,
        Command::VerifyConnect(connection) => *connection,
        _ => return false,
    };
    (576..=4096).contains(&connection.mtu) && (1..=255).contains(&connection.channels)
}

/// A packet that a peer sent.
#[derive(Debug)]
pub(super) struct Packet {
    pub(super) channel: u8,
    pub(super) bytes: Vec<u8>,
}

/// Counts of the unreadable datagrams and packets of a peer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lost {
    /// Datagrams that are compressed in a way that is not read.
    pub(super) compressed: u64,
    /// Datagrams that are not ENet's.
    pub(super) foreign: u64,
    /// Packets of which a part is missing, or that are longer than allowed.
    pub(super) incomplete: u64,
}

/// One direction of an ENet connection: takes datagrams, gives packets.
///
/// Packets come out in the order of recording (a part of a packet waits for the others), each once: packets that were
/// sent again because an acknowledgement got lost are recognized by their numbers.
#[derive(Debug, Default)]
pub(super) struct Peer {
    /// The connection number, chosen by the peer that started it.
    connection: Option<u32>,
    /// Whether the head has a checksum; [`None`] until a datagram was read.
    checksum: Option<bool>,
    /// The latest commands of kinds that are sent again: channel and number.
    seen: VecDeque<(u8, u16)>,
    parts: BTreeMap<PartsId, Parts>,
    held: usize,
    pub(super) lost: Lost,
}

/// The key of a packet in parts: whether it must arrive, its channel, the number of its first part.
type PartsId = (bool, u8, u16);

#[derive(Debug, Default)]
struct Parts {
    total: usize,
    count: u32,
    /// By number: the position, and the bytes.
    parts: BTreeMap<u32, (u32, Vec<u8>)>,
    bytes: usize,
}

/// The number of remembered commands. A peer has far fewer on the way: a window is 64 KiB.
const REMEMBERED: usize = 1024;

/// The greatest number of packets that wait for parts.
const WAITING: usize = 64;

impl Peer {
    /// Returns the bytes of parts that wait for others, with the memory for keeping them.
    pub(super) const fn held(&self) -> usize {
        self.held
    }

    /// Takes a datagram and passes the packets that it completes to `out`; `most` is the greatest length of a packet.
    pub(super) fn push(&mut self, datagram: &[u8], most: usize, mut out: impl FnMut(Packet)) {
        let checksums = match self.checksum {
            Some(checksum) => &[checksum][..],
            None => &[false, true],
        };
        for &checksum in checksums {
            let Some(head) = Head::read(datagram, checksum) else { break };
            let rest = datagram.get(head.length..).unwrap_or_default();
            if head.word.compressed() {
                if !self.decompressed(&head, rest, most, &mut out) {
                    self.lost.compressed += 1;
                }
                return;
            }
            if let Some(commands) = head.commands(rest) {
                self.checksum = Some(checksum);
                for (head, command) in commands {
                    self.command(head, command, most, &mut out);
                }
                return;
            }
        }
        self.lost.foreign += 1;
    }

    /// Reads compressed commands, if that is possible.
    fn decompressed(
        &mut self,
        head: &Head,
        bytes: &[u8],
        most: usize,
        out: &mut impl FnMut(Packet),
    ) -> bool {
        for unpacked in compression::unpacked(bytes) {
            if let Some(commands) = head.commands(&unpacked) {
                for (head, command) in commands {
                    self.command(head, command, most, out);
                }
                return true;
            }
        }
        false
    }

    fn command(
        &mut self,
        head: CommandHead,
        command: Command<'_>,
        most: usize,
        out: &mut impl FnMut(Packet),
    ) {
        let channel = head.channel;
        match command {
            Command::Connect(connect) => self.connect(connect.connection.number),
            Command::VerifyConnect(connection) => self.connect(connection.number),
            Command::SendReliable(_, bytes) => {
                if self.is_new((channel, head.sequence)) {
                    out(Packet { channel, bytes: bytes.to_vec() });
                }
            }
            Command::SendUnreliable(_, bytes) | Command::SendUnsequenced(_, bytes) => {
                out(Packet { channel, bytes: bytes.to_vec() });
            }
            Command::SendFragment(fragment, bytes) => {
                if self.is_new((channel, head.sequence)) {
                    self.part(true, channel, &fragment, bytes, most, out);
                }
            }
            Command::SendUnreliableFragment(fragment, bytes) => {
                self.part(false, channel, &fragment, bytes, most, out);
            }
            Command::Acknowledge(_)
            | Command::Disconnect(_)
            | Command::Ping(_)
            | Command::BandwidthLimit(_)
            | Command::ThrottleConfigure(_) => {}
        }
    }

    /// Starts a connection: numbers begin anew with each.
    fn connect(&mut self, connection: u32) {
        if self.connection != Some(connection) {
            self.connection = Some(connection);
            self.seen.clear();
            self.lost.incomplete += self.parts.len() as u64;
            self.parts.clear();
            self.held = 0;
        }
    }

    fn is_new(&mut self, command: (u8, u16)) -> bool {
        if self.seen.contains(&command) {
            return false;
        }
        if self.seen.len() >= REMEMBERED {
            self.seen.pop_front();
        }
        self.seen.push_back(command);
        true
    }

    fn part(
        &mut self,
        reliable: bool,
        channel: u8,
        fragment: &SendFragment,
        bytes: &[u8],
        most: usize,
        out: &mut impl FnMut(Packet),
    ) {
        let id = (reliable, channel, fragment.start_sequence);
        let (count, number) = (fragment.count, fragment.number);
        let total = usize::try_from(fragment.total).unwrap_or(usize::MAX);
        let end = u64::from(fragment.offset) + bytes.len() as u64;
        // No part is empty: no limit would count such parts.
        if number >= count || bytes.is_empty() || end > total as u64 || total > most {
            self.lost.incomplete += 1;
            return;
        }
        if self.parts.len() >= WAITING && !self.parts.contains_key(&id) {
            self.drop_parts(None);
        }
        let parts =
            self.parts.entry(id).or_insert_with(|| Parts { total, count, ..Parts::default() });
        if (parts.total, parts.count) != (total, count) {
            self.drop_parts(Some(id));
            return;
        }
        if let Entry::Vacant(entry) = parts.parts.entry(number) {
            entry.insert((fragment.offset, bytes.to_vec()));
            parts.bytes += bytes.len();
            self.held += KEEPING + bytes.len();
        }
        if parts.bytes > total {
            self.drop_parts(Some(id));
        } else if parts.parts.len() as u64 == u64::from(count)
            && let Some(parts) = self.parts.remove(&id)
        {
            self.held -= parts.held();
            match parts.whole() {
                Some(bytes) => out(Packet { channel, bytes }),
                None => self.lost.incomplete += 1,
            }
        }
    }

    /// Gives up on a packet; on any one if `id` is [`None`].
    fn drop_parts(&mut self, id: Option<PartsId>) {
        let id = id.or_else(|| self.parts.keys().next().copied());
        if let Some(parts) = id.and_then(|id| self.parts.remove(&id)) {
            self.held -= parts.held();
            self.lost.incomplete += 1;
        }
    }

    /// Ends the connection: no more datagrams come.
    pub(super) fn finish(&mut self) {
        self.lost.incomplete += self.parts.len() as u64;
        self.parts.clear();
        self.held = 0;
    }
}

impl Parts {
    fn held(&self) -> usize {
        KEEPING * self.parts.len() + self.bytes
    }

    /// Returns the packet, if its parts are complete.
    fn whole(self) -> Option<Vec<u8>> {
        let mut whole = Vec::with_capacity(self.bytes);
        for (offset, bytes) in self.parts.into_values() {
            if u32::try_from(whole.len()) != Ok(offset) {
                return None;
            }
            whole.extend(bytes);
        }
        Some(whole).filter(|whole| whole.len() == self.total)
    }
}
