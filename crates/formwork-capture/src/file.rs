//! Reads the recorded packets of a pcap or pcapng file, one at a time.

use std::fmt;
use std::io::{self, ErrorKind, Read};

use formwork_variant::{Error, Result};
use pcap_parser::pcapng::Block;
use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{
    InterfaceDescriptionBlock, LegacyPcapReader, Linktype, PcapBlockOwned, PcapError, PcapNGReader,
};

use crate::rule;

/// The time at which a packet was recorded.
///
/// Printed as in `2024-05-01T12:30:00.000250000Z`, always with nine digits for the fraction of a second.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Time {
    /// Whole seconds since the start of 1970, UTC.
    pub seconds: i64,
    /// Additional nanoseconds, less than a whole second.
    pub nanoseconds: u32,
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i64 = 24 * 60 * 60;
        let (days, second) = (self.seconds.div_euclid(DAY), self.seconds.rem_euclid(DAY));
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let nanoseconds = self.nanoseconds;
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanoseconds:09}Z"
        )
    }
}

/// Returns the date that is `days` days after the 1st of January 1970, in the Gregorian calendar.
fn date(days: i64) -> (i64, i64, i64) {
    // Days are counted from the 1st of March of the year 0, so that the leap day is the last of its year; 400 years
    // always have the same number of days.
    const ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let next_year = i64::from(month >= 10);
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + next_year, month, day_of_month)
}

/// A packet as it was recorded.
#[derive(Debug)]
pub(super) struct Recorded<'a> {
    /// The time; pcapng has packets without one.
    pub(super) time: Option<Time>,
    /// The link layer, whose header `bytes` starts with.
    pub(super) link: Linktype,
    /// The recorded bytes.
    pub(super) bytes: &'a [u8],
}

/// Reads a capture packet by packet, holding one block at a time.
pub(super) struct Recording<R: Read> {
    blocks: Blocks<R>,
    /// The interfaces: one in a pcap file, those of the section in a pcapng file.
    interfaces: Vec<Interface>,
    /// The bytes of the last packet returned.
    bytes: Vec<u8>,
    /// The number of pcapng blocks with packets in a form that is not read.
    pub(super) unread_blocks: u64,
}

enum Blocks<R: Read> {
    Pcap(LegacyPcapReader<Opened<R>>),
    Pcapng(PcapNGReader<Opened<R>>),
}

/// The properties of an interface's packets.
#[derive(Clone, Copy)]
struct Interface {
    link: Linktype,
    /// The greatest number of recorded bytes of a packet; 0 for all.
    most: u32,
    /// The number of time units in a second.
    units: u64,
    /// The seconds to add to times.
    offset: i64,
}

/// The initial buffer size for blocks; it grows as bytes arrive.
const ROOM: usize = 1 << 16;

/// The greatest number of interfaces of a section. Packets of others are not read.
const INTERFACES: usize = 1 << 16;

/// The length of the longest block. Packets are at most 256 KiB; the rest is options.
const LONGEST_BLOCK: usize = 1 << 24;

impl<R: Read> Recording<R> {
    /// Starts to read a capture.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader fails, or has neither a pcap nor a pcapng file.
    pub(super) fn new(mut reader: R) -> Result<Self> {
        let mut start = Vec::new();
        let is_pcapng = read_header(&mut reader, &mut start)
            .map_err(|error| Error::io(start.len() as u64, error))?;
        let reader = Opened { start: io::Cursor::new(start), reader };
        let blocks = if is_pcapng {
            PcapNGReader::new(ROOM, reader).map(Blocks::Pcapng)
        } else {
            LegacyPcapReader::new(ROOM, reader).map(Blocks::Pcap)
        };
        let blocks = blocks.map_err(|error| match error {
            PcapError::ReadError => Error::io(0, io::Error::other("reading failed")),
            PcapError::Incomplete(_) | PcapError::UnexpectedEof | PcapError::Eof => {
                Error::new(rule::FILE, 0, "the header of a pcap or pcapng file", "less")
            }
            _ => Error::new(rule::FILE, 0, "the header of a pcap or pcapng file", "something else"),
        })?;
        Ok(Self { blocks, interfaces: Vec::new(), bytes: Vec::new(), unread_blocks: 0 })
    }

    /// Returns the next packet; [`None`] at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the file ends inside a block, if a block is damaged, or if the reader fails. Nothing can be
    /// read after that.
    pub(super) fn next(&mut self) -> Result<Option<Recorded<'_>>> {
        loop {
            let blocks = self.blocks.iterator();
            let offset = blocks.consumed() as u64;
            let (length, taken) = match blocks.next() {
                Ok((length, block)) => {
                    let taken = take(&block, &mut self.interfaces, &mut self.bytes);
                    (length, taken)
                }
                Err(PcapError::Eof) => return Ok(None),
                Err(PcapError::Incomplete(_) | PcapError::BufferTooSmall) => {
                    self.more(offset)?;
                    continue;
                }
                Err(PcapError::UnexpectedEof) => {
                    let left = blocks.data().len() as u64;
                    if left == 0 {
                        return Ok(None);
                    }
                    let expected = "the rest of a block".to_owned();
                    return Err(Error::incomplete(offset, 1, expected, left));
                }
                Err(PcapError::ReadError) => return Err(failed(offset)),
                Err(_) => {
                    let expected = "a block of a capture";
                    return Err(Error::new(rule::FILE, offset, expected, "damage"));
                }
            };
            if length == 0 {
                let expected = "a block of a capture";
                return Err(Error::new(rule::FILE, offset, expected, "an empty one"));
            }
            blocks.consume(length);
            match taken {
                Taken::Packet { time, link } => {
                    return Ok(Some(Recorded { time, link, bytes: &self.bytes }));
                }
                Taken::Unknown => self.unread_blocks += 1,
                Taken::Nothing => {}
            }
        }
    }

    /// Reads more of a block that is incomplete.
    fn more(&mut self, offset: u64) -> Result<()> {
        let blocks = self.blocks.iterator();
        let before = blocks.data().len();
        if blocks.refill().is_err() {
            return Err(failed(offset));
        }
        // Nothing came although there may be more: the buffer is full. (It never grows for a length that is only
        // announced.)
        if blocks.data().len() == before && !blocks.reader_exhausted() {
            let larger = (before * 2).max(ROOM);
            if larger > LONGEST_BLOCK || !blocks.grow(larger) {
                let expected = format!("a block of at most {LONGEST_BLOCK} bytes");
                return Err(Error::new(rule::FILE, offset, expected, "a longer one"));
            }
        }
        Ok(())
    }
}

impl<R: Read> Blocks<R> {
    fn iterator(&mut self) -> &mut dyn PcapReaderIterator {
        match self {
            Self::Pcap(blocks) => blocks,
            Self::Pcapng(blocks) => blocks,
        }
    }
}

#[cold]
fn failed(offset: u64) -> Error {
    Error::io(offset, io::Error::other("reading failed"))
}

/// The content of a block.
enum Taken {
    /// A packet, whose bytes were stored.
    Packet { time: Option<Time>, link: Linktype },
    /// Packets in a form that is not read.
    Unknown,
    /// Anything without packets.
    Nothing,
}

fn take(block: &PcapBlockOwned<'_>, interfaces: &mut Vec<Interface>, bytes: &mut Vec<u8>) -> Taken {
    // (The lengths in the packet's headers show how many bytes were cut off.)
    let mut packet = |interface: &Interface, time, data: &[u8], kept: u32| {
        let data = usize::try_from(kept).ok().and_then(|kept| data.get(..kept)).unwrap_or(data);
        bytes.clear();
        bytes.extend_from_slice(data);
        Taken::Packet { time, link: interface.link }
    };
    match block {
        PcapBlockOwned::LegacyHeader(header) => {
            let units = if header.is_nanosecond_precision() { 1_000_000_000 } else { 1_000_000 };
            // The bits above the link type hold the length of the frame check sequence, and flags for it.
            let link = Linktype(header.network.0 & 0xffff);
            *interfaces = vec![Interface { link, most: 0, units, offset: 0 }];
            Taken::Nothing
        }
        PcapBlockOwned::Legacy(block) => {
            let Some(interface) = interfaces.first() else { return Taken::Nothing };
            let time = interface.time_of(block.ts_sec.into(), block.ts_usec.into());
            packet(interface, Some(time), block.data, block.caplen)
        }
        PcapBlockOwned::NG(Block::SectionHeader(_)) => {
            interfaces.clear();
            Taken::Nothing
        }
        PcapBlockOwned::NG(Block::InterfaceDescription(block)) => {
            if interfaces.len() < INTERFACES {
                interfaces.push(Interface::of(block));
            }
            Taken::Nothing
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(block)) => {
            let interface = usize::try_from(block.if_id).ok().and_then(|id| interfaces.get(id));
            let Some(interface) = interface else { return Taken::Unknown };
            let time = u64::from(block.ts_high) << 32 | u64::from(block.ts_low);
            let time = interface.time(time);
            packet(interface, Some(time), block.data, block.caplen)
        }
        PcapBlockOwned::NG(Block::SimplePacket(block)) => {
            let Some(interface) = interfaces.first() else { return Taken::Unknown };
            let most = if interface.most == 0 { u32::MAX } else { interface.most };
            packet(interface, None, block.data, block.origlen.min(most))
        }
        // The Packet Block of drafts before 2009.
        PcapBlockOwned::NG(Block::Unknown(block))
            if matches!(block.block_type, 2 | 0x0200_0000) =>
        {
            Taken::Unknown
        }
        PcapBlockOwned::NG(_) => Taken::Nothing,
    }
}

impl Interface {
    fn of(block: &InterfaceDescriptionBlock<'_>) -> Self {
        // No program writes a resolution that 64 bits cannot count.
        let units = block.ts_resolution().filter(|&units| units > 0).unwrap_or(1_000_000);
        let offset = block.ts_offset();
        Self { link: block.linktype, most: block.snaplen, units, offset }
    }

    fn time(&self, time: u64) -> Time {
        self.time_of(time / self.units, time % self.units)
    }

    fn time_of(&self, seconds: u64, parts: u64) -> Time {
        const NANOSECONDS: u128 = 1_000_000_000;
        let nanoseconds = u128::from(parts) * NANOSECONDS / u128::from(self.units);
        // A damaged file may have more parts than a second has.
        let more = i64::try_from(nanoseconds / NANOSECONDS).unwrap_or_default();
        // Years after 9999 have no printed form.
        const LAST: i64 = 253_402_300_799;
        let seconds = i64::try_from(seconds).unwrap_or(LAST).saturating_add(self.offset);
        let seconds = seconds.saturating_add(more).clamp(-62_167_219_200, LAST);
        Time { seconds, nanoseconds: (nanoseconds % NANOSECONDS) as u32 }
    }
}

/// Reads exactly the header of a pcap file or the first block of a pcapng file: the parsers want it in one piece, and
/// packets that are still being recorded must not be waited for. Returns whether the file is pcapng.
fn read_header(reader: &mut impl Read, start: &mut Vec<u8>) -> io::Result<bool> {
    const PCAP_HEADER: u64 = 24;
    const PCAPNG: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
    /// The mark of little-endian numbers, in little endian.
    const LITTLE: [u8; 4] = [0x4d, 0x3c, 0x2b, 0x1a];
    let mut read =
        |start: &mut Vec<u8>, count: u64| reader.by_ref().take(count).read_to_end(start).map(drop);
    read(start, 12)?;
    let words = start.as_chunks::<4>().0;
    let &[PCAPNG, length, order] = words else {
        return read(start, PCAP_HEADER - 12).map(|()| false);
    };
    let length =
        if order == LITTLE { u32::from_le_bytes(length) } else { u32::from_be_bytes(length) };
    if let Some(rest) = u64::from(length).checked_sub(12).filter(|&rest| rest < ROOM as u64 / 2) {
        read(start, rest)?;
    }
    Ok(true)
}

/// A reader whose start was read already.
struct Opened<R> {
    start: io::Cursor<Vec<u8>>,
    reader: R,
}

impl<R: Read> Read for Opened<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match self.start.read(buffer)? {
                0 => self.reader.read(buffer),
                count => Ok(count),
            };
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_as_dates() {
        let text = |seconds, nanoseconds| Time { seconds, nanoseconds }.to_string();
        assert_eq!(text(0, 0), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(text(951_782_400, 5), "2000-02-29T00:00:00.000000005Z");
        assert_eq!(text(1_714_566_600, 250_000), "2024-05-01T12:30:00.000250000Z");
        assert_eq!(text(-1, 999_999_999), "1969-12-31T23:59:59.999999999Z");
        assert_eq!(text(253_402_300_799, 0), "9999-12-31T23:59:59.000000000Z");
    }
}
