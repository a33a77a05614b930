//! Puts one direction of a TCP connection back in order.

use std::collections::BTreeMap;

use super::KEEPING;
use super::file::Time;
use super::network::Segment;

/// The results of a stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Chunk<'a> {
    /// The next bytes, and the time of recording of the last among them and all bytes before them.
    Bytes(&'a [u8], Option<Time>),
    /// The number of bytes that were not recorded.
    Gap(u64),
}

/// Takes segments as they were recorded, and returns their bytes in order, each once.
///
/// The first arrival counts: bytes that are sent again, or that overlap others, are the same in an honest connection.
/// Segments that came too early wait until the missing bytes arrive, or until there are too many waiting segments; then
/// the missing bytes are a gap.
#[derive(Debug)]
pub(super) struct Stream {
    /// The sequence number of the stream's first byte.
    base: u32,
    /// The offset of the next byte in the stream.
    position: u64,
    /// The segments that came too early, by their offsets. They do not overlap.
    waiting: BTreeMap<u64, Waiting>,
    /// The bytes in them, with the memory for keeping them.
    held: usize,
    /// The greatest value of `held`.
    most: usize,
    /// The end of the stream, if a FIN marked it.
    end: Option<u64>,
    /// The time of recording of the last byte returned.
    latest: Option<Time>,
}

#[derive(Debug)]
enum Waiting {
    Bytes(Vec<u8>, Option<Time>),
    /// Bytes that were cut off in recording.
    Missing(u64),
}

impl Waiting {
    fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes, _) => bytes.len() as u64,
            Self::Missing(length) => *length,
        }
    }

    fn held(&self) -> usize {
        match self {
            Self::Bytes(bytes, _) => KEEPING + bytes.len(),
            Self::Missing(_) => KEEPING,
        }
    }
}

impl Stream {
    /// Makes a stream that starts with the byte of this sequence number.
    pub(super) const fn new(base: u32, most: usize) -> Self {
        let waiting = BTreeMap::new();
        Self { base, position: 0, waiting, held: 0, most, end: None, latest: None }
    }

    /// Returns the offset of the next byte in the stream.
    pub(super) const fn position(&self) -> u64 {
        self.position
    }

    /// Returns the bytes that wait, with the memory for keeping them.
    pub(super) const fn held(&self) -> usize {
        self.held
    }

    /// Takes a segment that was recorded at `time`; `sequence` is the number of its first byte of data.
    pub(super) fn push(
        &mut self,
        sequence: u32,
        segment: &Segment<'_>,
        time: Option<Time>,
        mut out: impl FnMut(Chunk<'_>),
    ) {
        // Sequence numbers wrap around; nothing is ever more than 2 GiB from the current position.
        let next = self.base.wrapping_add(self.position as u32);
        let ahead = sequence.wrapping_sub(next) as i32;
        let behind = usize::try_from(ahead.unsigned_abs()).unwrap_or(usize::MAX);
        let start = self.position.saturating_add(u64::try_from(ahead).unwrap_or_default());
        let known = if ahead < 0 { behind } else { 0 };
        let bytes = segment.bytes.get(known..).unwrap_or_default();
        if start == self.position && self.waiting.is_empty() {
            self.hand_out(bytes, time, &mut out);
        } else {
            self.hold(start, bytes, time);
        }
        let cut = u64::from(segment.missing);
        let end = start + bytes.len() as u64;
        // Bytes that were cut off after known bytes come after those, not after the current position.
        let cut = cut.saturating_sub(known.saturating_sub(segment.bytes.len()) as u64);
        if segment.fin {
            self.end = Some(end + cut);
        }
        if cut > 0 && self.covering(end).is_none() && end >= self.position {
            let next = self.waiting.range(end..).next().map(|(&at, _)| at);
            let cut = next.map_or(cut, |next| cut.min(next - end));
            if cut > 0 {
                self.wait(end, Waiting::Missing(cut));
            }
        }
        self.hand_on(&mut out);
        while self.held > self.most {
            self.give_up(&mut out);
        }
    }

    /// Ends the stream: no more segments come, and missing bytes stay missing.
    pub(super) fn finish(&mut self, mut out: impl FnMut(Chunk<'_>)) {
        while !self.waiting.is_empty() {
            self.give_up(&mut out);
        }
        if let Some(end) = self.end {
            self.skip(end.saturating_sub(self.position), &mut out);
        }
    }

    /// Returns the end of the waiting segment that has the byte at `start`.
    fn covering(&self, start: u64) -> Option<u64> {
        let (&at, waiting) = self.waiting.range(..=start).next_back()?;
        Some(at + waiting.length()).filter(|&end| end > start)
    }

    /// Keeps those of the bytes that are not kept yet.
    fn hold(&mut self, mut start: u64, mut bytes: &[u8], time: Option<Time>) {
        while !bytes.is_empty() {
            let known = self.covering(start).map_or(0, |end| end - start);
            let next = self.waiting.range(start..).next().map(|(&at, _)| at - start);
            let (keep, length) = match (known, next) {
                (0, Some(next)) => (true, next),
                (0, None) => (true, u64::MAX),
                (known, _) => (false, known),
            };
            let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len());
            let (taken, rest) = bytes.split_at(length);
            if keep {
                self.wait(start, Waiting::Bytes(taken.to_vec(), time));
            }
            start += length as u64;
            bytes = rest;
        }
    }

    fn wait(&mut self, start: u64, waiting: Waiting) {
        self.held += waiting.held();
        self.waiting.insert(start, waiting);
    }

    fn hand_out(&mut self, bytes: &[u8], time: Option<Time>, out: &mut impl FnMut(Chunk<'_>)) {
        if !bytes.is_empty() {
            self.position += bytes.len() as u64;
            self.latest = self.latest.max(time);
            out(Chunk::Bytes(bytes, self.latest));
        }
    }

    /// Returns the waiting bytes that follow the bytes returned last.
    fn hand_on(&mut self, out: &mut impl FnMut(Chunk<'_>)) {
        while let Some(entry) = self.waiting.first_entry()
            && *entry.key() <= self.position
        {
            let (at, waiting) = entry.remove_entry();
            self.held -= waiting.held();
            let known = self.position - at;
            match waiting {
                Waiting::Bytes(bytes, time) => {
                    let known = usize::try_from(known).unwrap_or(usize::MAX);
                    self.hand_out(bytes.get(known..).unwrap_or_default(), time, out);
                }
                Waiting::Missing(length) => self.skip(length.saturating_sub(known), out),
            }
        }
    }

    fn skip(&mut self, length: u64, out: &mut impl FnMut(Chunk<'_>)) {
        if length > 0 {
            self.position += length;
            out(Chunk::Gap(length));
        }
    }

    /// Continues after the missing bytes.
    fn give_up(&mut self, out: &mut impl FnMut(Chunk<'_>)) {
        if let Some((&at, _)) = self.waiting.first_key_value() {
            self.skip(at.saturating_sub(self.position), out);
        }
        self.hand_on(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(bytes: &[u8], missing: u32) -> Segment<'_> {
        Segment { sequence: 0, syn: false, fin: false, rst: false, bytes, missing }
    }

    /// Returns the bytes of the stream, with `.` for each missing one.
    fn read(base: u32, segments: &[(u32, &str, u32)]) -> String {
        let mut stream = Stream::new(base, 1 << 20);
        let mut text = String::new();
        let mut out = |chunk: Chunk<'_>| match chunk {
            Chunk::Bytes(bytes, _) => text.push_str(std::str::from_utf8(bytes).expect("ASCII")),
            Chunk::Gap(length) => text.push_str(&".".repeat(length as usize)),
        };
        for &(at, bytes, missing) in segments {
            stream.push(base.wrapping_add(at), &segment(bytes.as_bytes(), missing), None, &mut out);
        }
        stream.finish(&mut out);
        text
    }

    #[test]
    fn segments_come_out_in_order_and_once() {
        for base in [0, 7, u32::MAX - 2] {
            assert_eq!(read(base, &[(0, "abc", 0), (3, "def", 0)]), "abcdef");
            assert_eq!(read(base, &[(3, "def", 0), (0, "abc", 0)]), "abcdef");
            assert_eq!(read(base, &[(0, "abc", 0), (0, "abc", 0), (2, "cd", 0)]), "abcd");
            assert_eq!(read(base, &[(4, "ef", 0), (2, "cdef", 0), (0, "abc", 0)]), "abcdef");
            assert_eq!(read(base, &[(2, "cd", 0), (6, "gh", 0), (1, "bcdefghi", 0)]), ".bcdefghi");
            assert_eq!(read(base, &[(0, "", 0), (u32::MAX, "x", 0), (0, "ab", 0)]), "ab");
        }
    }

    #[test]
    fn what_was_not_recorded_is_a_gap() {
        assert_eq!(read(0, &[(0, "ab", 0), (5, "fg", 0)]), "ab...fg");
        assert_eq!(read(0, &[(0, "ab", 3), (5, "fg", 0)]), "ab...fg");
        assert_eq!(read(0, &[(5, "fg", 0), (0, "ab", 3)]), "ab...fg");
        assert_eq!(read(0, &[(0, "ab", 9), (5, "fg", 0)]), "ab.........");
        let mut stream = Stream::new(0, 100);
        let mut gap = 0;
        let end = Segment { fin: true, ..segment(b"", 0) };
        stream.push(5, &end, None, |_| {});
        stream.finish(|chunk| gap += if let Chunk::Gap(length) = chunk { length } else { 0 });
        assert_eq!(gap, 5);
    }

    #[test]
    fn waiting_is_bounded() {
        let mut stream = Stream::new(0, 1000);
        let bytes = [7; 400];
        let mut gaps = 0;
        for at in 1..100 {
            stream.push(at * 1000, &segment(&bytes, 0), None, |chunk| {
                gaps += u32::from(matches!(chunk, Chunk::Gap(_)));
            });
            assert!(stream.held() <= 1000);
        }
        assert_eq!(gaps, 97);
    }
}
