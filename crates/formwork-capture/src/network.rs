//! Takes datagrams and segments from recorded packets: link layers, IP and its fragments, UDP and TCP.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use etherparse::defrag::IpDefragBuf;
use etherparse::{
    EtherType, IpAuthHeaderSlice, IpFragOffset, IpNumber, Ipv6ExtensionsSlice, Ipv6FragmentHeader,
    Ipv6FragmentHeaderSlice, Ipv6RawExtHeaderSlice, LaxNetSlice, LaxSlicedPacket, TcpSlice,
    UdpSlice,
};
use formwork::wire::Cursor;
use formwork::{BinRead, BinWrite, Schema, binrw, record};
use pcap_parser::Linktype;

use super::file::Recorded;

/// The head of a packet recorded by Linux on all interfaces together (`LINUX_SLL`).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct LinuxHead {
    /// The direction: 0 for packets to this machine, 4 for packets from it.
    pub direction: u16,
    /// The kind of device.
    pub device: u16,
    /// The number of significant bytes of the address.
    pub address_length: u16,
    /// The sender's address.
    #[schema(hex)]
    pub address: [u8; 8],
    /// The protocol of the bytes that follow, as Ethernet numbers it.
    pub protocol: u16,
}

/// The second form of Linux's link header (`LINUX_SLL2`).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct LinuxHead2 {
    /// The protocol of the bytes that follow, as Ethernet numbers it.
    pub protocol: u16,
    /// Zero.
    #[schema(zero)]
    pub reserved: u16,
    /// The number of the interface.
    pub interface: u32,
    /// The kind of device.
    pub device: u16,
    /// The direction: 0 for packets to this machine, 4 for packets from it.
    pub direction: u8,
    /// The number of significant bytes of the address.
    pub address_length: u8,
    /// The sender's address.
    #[schema(hex)]
    pub address: [u8; 8],
}

/// The two ends of a packet.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Route {
    pub(super) source: SocketAddr,
    pub(super) destination: SocketAddr,
}

/// The content of a packet.
#[derive(Debug)]
pub(super) enum Carried<'a> {
    /// A whole datagram.
    Udp(Route, &'a [u8]),
    /// A segment, with the number of its bytes that were cut off in recording.
    Tcp(Route, Segment<'a>),
    /// A datagram that was recorded only in part.
    CutUdp(Route),
    /// A part of a packet that is not complete yet.
    Fragment,
    /// Other content.
    Other(Other),
}

/// A TCP segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub(super) sequence: u32,
    pub(super) syn: bool,
    pub(super) fin: bool,
    pub(super) rst: bool,
    pub(super) bytes: &'a [u8],
    /// The number of bytes after these that were cut off in recording.
    pub(super) missing: u32,
}

/// The reason why a packet is neither UDP nor TCP.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Other {
    /// An unknown link layer.
    Link(Linktype),
    /// A packet without IP: ARP and similar protocols.
    NotIp,
    /// Another protocol over IP.
    Transport,
    /// Headers that are wrong or cut off.
    Malformed,
}

/// Reassembles packets from fragments.
#[derive(Default)]
pub(super) struct Network {
    fragments: HashMap<FragmentId, (IpDefragBuf, u64)>,
    /// The number of fragments so far.
    clock: u64,
    /// The last reassembled packet.
    whole: Vec<u8>,
    /// The number of packets of which a fragment is missing or did not fit.
    pub(super) incomplete: u64,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
struct FragmentId {
    source: IpAddr,
    destination: IpAddr,
    protocol: u8,
    identification: u32,
}

/// A fragment and the packet it belongs to.
struct Fragment<'a> {
    id: FragmentId,
    offset: IpFragOffset,
    more: bool,
    bytes: &'a [u8],
}

/// The greatest number of packets that wait for fragments. Each takes up to 64 KiB.
const WAITING: usize = 64;

impl Network {
    /// Returns the content of a packet.
    pub(super) fn carried<'s>(&'s mut self, recorded: &'s Recorded<'_>) -> Carried<'s> {
        let bytes = recorded.bytes;
        let sliced = match recorded.link {
            Linktype::ETHERNET => LaxSlicedPacket::from_ethernet(bytes).ok(),
            // 12 and 14 are numbers for raw IP on systems that write their private numbers into files.
            Linktype::RAW | Linktype::IPV4 | Linktype::IPV6 | Linktype(12 | 14) => {
                LaxSlicedPacket::from_ip(bytes).ok()
            }
            // A word for the address family, in either byte order, is skipped: the packet itself has the IP
            // version.
            Linktype::NULL | Linktype::LOOP => {
                LaxSlicedPacket::from_ip(bytes.get(size_of::<u32>()..).unwrap_or_default()).ok()
            }
            Linktype::LINUX_SLL => behind(bytes, |head: LinuxHead| head.protocol),
            Linktype::LINUX_SLL2 => behind(bytes, |head: LinuxHead2| head.protocol),
            link => return Carried::Other(Other::Link(link)),
        };
        let Some(sliced) = sliced else {
            return Carried::Other(Other::Malformed);
        };
        let (addresses, payload, missing, fragment) = match &sliced.net {
            Some(LaxNetSlice::Ipv4(ip)) => {
                let header = ip.header();
                let addresses = (header.source_addr().into(), header.destination_addr().into());
                let length = header.payload_len().unwrap_or_default();
                let fragment = header.is_fragmenting_payload().then(|| {
                    let identification = header.identification().into();
                    (identification, header.fragments_offset(), header.more_fragments())
                });
                (addresses, ip.payload(), length, fragment)
            }
            Some(LaxNetSlice::Ipv6(ip)) => {
                let header = ip.header();
                let addresses = (header.source_addr().into(), header.destination_addr().into());
                let extensions = ip.extensions().slice().len();
                let length = usize::from(header.payload_length()).saturating_sub(extensions);
                let fragment = fragment_head(ip.extensions())
                    .map(|head| (head.identification, head.fragment_offset, head.more_fragments));
                (addresses, ip.payload(), u16::try_from(length).unwrap_or(u16::MAX), fragment)
            }
            _ if sliced.stop_err.is_some() => return Carried::Other(Other::Malformed),
            _ => return Carried::Other(Other::NotIp),
        };
        let protocol = payload.ip_number;
        if !matches!(protocol, IpNumber::UDP | IpNumber::TCP) {
            return Carried::Other(Other::Transport);
        }
        // The number of announced bytes that are missing. (If the header announces nothing, as in packets that the
        // network card was to split, all existing bytes are taken.)
        let mut missing = u32::from(missing).saturating_sub(payload.payload.len() as u32);
        if !payload.incomplete {
            missing = 0;
        }
        let Some((identification, offset, more)) = fragment else {
            return transport(protocol, addresses, payload.payload, missing);
        };
        if missing > 0 {
            self.incomplete += 1;
            return Carried::Fragment;
        }
        let (source, destination) = addresses;
        let id = FragmentId { source, destination, protocol: protocol.0, identification };
        self.put_together(Fragment { id, offset, more, bytes: payload.payload })
    }

    fn put_together(&mut self, fragment: Fragment<'_>) -> Carried<'_> {
        let Fragment { id, offset, more, bytes } = fragment;
        self.clock += 1;
        if self.fragments.len() >= WAITING && !self.fragments.contains_key(&id) {
            let oldest = self.fragments.iter().min_by_key(|(_, (_, seen))| *seen);
            if let Some(oldest) = oldest.map(|(id, _)| *id) {
                self.fragments.remove(&oldest);
                self.incomplete += 1;
            }
        }
        let empty = || IpDefragBuf::new(IpNumber(id.protocol), Vec::new(), Vec::new());
        let (buffer, seen) = self.fragments.entry(id).or_insert_with(|| (empty(), 0));
        *seen = self.clock;
        if buffer.add(offset, more, bytes).is_err() {
            self.fragments.remove(&id);
            self.incomplete += 1;
            return Carried::Fragment;
        }
        if !buffer.is_complete() {
            return Carried::Fragment;
        }
        if let Some((buffer, _)) = self.fragments.remove(&id) {
            self.whole = buffer.take_bufs().0;
        }
        transport(IpNumber(id.protocol), (id.source, id.destination), &self.whole, 0)
    }

    /// Ends the capture: no more packets come.
    pub(super) fn finish(&mut self) {
        self.incomplete += self.fragments.len() as u64;
        self.fragments.clear();
    }
}

/// Returns the packet after a header that has its protocol.
fn behind<'a, T>(bytes: &'a [u8], protocol: impl Fn(T) -> u16) -> Option<LaxSlicedPacket<'a>>
where
    T: formwork::record::Readable,
{
    let mut input = Cursor::new(bytes);
    let head = record::read::<T>(&mut input).ok()?;
    Some(LaxSlicedPacket::from_ether_type(EtherType(protocol(head)), input.rest()))
}

fn transport(
    protocol: IpNumber,
    (source, destination): (IpAddr, IpAddr),
    bytes: &[u8],
    missing: u32,
) -> Carried<'_> {
    let route = |from: u16, to: u16| Route {
        source: SocketAddr::new(source, from),
        destination: SocketAddr::new(destination, to),
    };
    if protocol == IpNumber::TCP {
        return match TcpSlice::from_slice(bytes) {
            Ok(tcp) => {
                let segment = Segment {
                    sequence: tcp.sequence_number(),
                    syn: tcp.syn(),
                    fin: tcp.fin(),
                    rst: tcp.rst(),
                    bytes: tcp.payload(),
                    missing,
                };
                Carried::Tcp(route(tcp.source_port(), tcp.destination_port()), segment)
            }
            Err(_) => Carried::Other(Other::Malformed),
        };
    }
    match (UdpSlice::from_slice(bytes), UdpSlice::from_slice_lax(bytes)) {
        (Ok(udp), _) if missing == 0 => {
            Carried::Udp(route(udp.source_port(), udp.destination_port()), udp.payload())
        }
        (_, Ok(udp)) => Carried::CutUdp(route(udp.source_port(), udp.destination_port())),
        _ => Carried::Other(Other::Malformed),
    }
}
/// Returns the head of a fragment, if a packet of IPv6 is one.
///
/// The library's iterator is not used: it expects all extensions to be complete, which is not so in a cut
/// packet.
fn fragment_head(extensions: &Ipv6ExtensionsSlice<'_>) -> Option<Ipv6FragmentHeader> {
    let (mut next, mut rest) = (extensions.first_header()?, extensions.slice());
    loop {
        let taken = match next {
            IpNumber::IPV6_HEADER_HOP_BY_HOP
            | IpNumber::IPV6_ROUTE_HEADER
            | IpNumber::IPV6_DESTINATION_OPTIONS => {
                let head = Ipv6RawExtHeaderSlice::from_slice(rest).ok()?;
                next = head.next_header();
                head.slice().len()
            }
            IpNumber::AUTHENTICATION_HEADER => {
                let head = IpAuthHeaderSlice::from_slice(rest).ok()?;
                next = head.next_header();
                head.slice().len()
            }
            IpNumber::IPV6_FRAGMENTATION_HEADER => {
                let head = Ipv6FragmentHeaderSlice::from_slice(rest).ok()?;
                if head.is_fragmenting_payload() {
                    return Some(head.to_header());
                }
                next = head.next_header();
                head.slice().len()
            }
            _ => return None,
        };
        rest = rest.get(taken..)?;
    }
}
