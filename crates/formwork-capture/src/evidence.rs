//! Tests whether bytes are values, and in which dialect.
//!
//! A datagram of another protocol must not be printed as a value, so only bytes count that an engine would have written
//! exactly: for a random header word alone, the chance is less than one in a hundred million.

use formwork_godot::Framing;
use formwork_godot::detect;
use formwork_godot::detect::{Verdict, detect};
use formwork_variant::Variant;
use formwork_variant::codec::{self, Decoder, WarningCounts};
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::{ByteOrder, FrameWriter};
use formwork_variant::{Error, Limits, Result, Rule};

use super::wrapping::Wrapping;

/// The dialects to try, one of each that reads differently.
#[derive(Clone, Debug)]
pub(super) struct Dialects {
    dialects: Vec<Dialect>,
    limits: Limits,
    /// Bytes before the value of a packet in a frame.
    skip: usize,
}

/// A set of dialects, by number.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Set(u64);

impl Set {
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn has(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }
}

/// Whether other data could easily look like this value: null, which is just zeros, or numbers and texts most of which
/// games do not send.
fn says_little(value: &Variant<f64>) -> bool {
    *value == Variant::Nil || detect::is_implausible(value)
}

/// Whether a value is a text that is not empty, or contains other values.
fn has_content(value: &Variant<f64>) -> bool {
    if let Variant::Dictionary(pairs) = value {
        !pairs.is_empty()
    } else if let Variant::Array(values) = value {
        !values.is_empty()
    } else {
        value.as_str().is_some_and(|text| !text.is_empty())
    }
}

impl Dialects {
    /// Makes the set of all dialects, or of the given one.
    pub(super) fn new(said: Option<Dialect>, limits: Limits) -> Self {
        let dialects = said.map_or_else(detect::told_apart, |dialect| vec![dialect]);
        Self { dialects, limits, skip: 0 }
    }

    /// Whether there is only one dialect, because it was given.
    pub(super) fn is_said(&self) -> bool {
        self.said().is_some()
    }

    /// Returns the given dialect.
    pub(super) fn said(&self) -> Option<Dialect> {
        match self.dialects.as_slice() {
            [said] => Some(*said),
            _ => None,
        }
    }

    /// Sets the limits for values.
    pub(super) const fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets the number of bytes before the value of a packet in a frame.
    pub(super) const fn set_skip(&mut self, skip: usize) {
        self.skip = skip;
    }

    /// Whether a packet in a frame is one value after the bytes that are passed over, exactly as the engine would have
    /// written it.
    pub(super) fn reads_packet(&self, packet: &[u8]) -> bool {
        packet.get(self.skip..).is_some_and(|value| self.reads_one(value))
    }

    fn decoder(&self, dialect: Dialect) -> Decoder<f64> {
        Decoder::new(dialect).double().limits(self.limits).allow_objects(true)
    }

    /// Returns the dialects for which the test is true.
    pub(super) fn those(&self, test: impl Fn(Dialect) -> bool) -> Set {
        let numbered = self.dialects.iter().take(u64::BITS as usize).enumerate();
        Set(numbered.fold(0, |set, (number, &dialect)| set | u64::from(test(dialect)) << number))
    }

    /// Whether the bytes are one value in any dialect, exactly as the engine would have written it.
    pub(super) fn reads_one(&self, bytes: &[u8]) -> bool {
        self.dialects.iter().any(|&dialect| self.one(dialect, bytes, true).is_ok())
    }

    /// Whether the bytes are one value in any dialect, and no other data could easily look like it.
    pub(super) fn reads_much(&self, bytes: &[u8]) -> bool {
        self.dialects.iter().any(|&dialect| self.one(dialect, bytes, true).is_ok_and(|weak| !weak))
    }

    /// Whether a packet that reads without a fault has too many values for chance.
    pub(super) fn holds_many(&self, dialect: Dialect, packet: &[u8]) -> bool {
        /// The number of values, including keys, that is not chance.
        const MANY: usize = 24;
        self.decoder(dialect).walk(packet).take(MANY).filter(Result::is_ok).count() == MANY
    }

    /// Reads the whole of `bytes` as a value, and returns whether that is weak evidence. With `clean`, values that the
    /// engine would not have written this way are refused.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not a value, or if bytes follow the value.
    pub(super) fn one(&self, dialect: Dialect, bytes: &[u8], clean: bool) -> Result<bool> {
        let (value, length) = self.prefix(dialect, bytes, clean)?;
        if length < bytes.len() {
            let found = formwork::wire::more_bytes(bytes.len() - length).to_string();
            return Err(Error::new(Rule::INPUT_TRAILING, length as u64, "the end", found));
        }
        Ok(says_little(&value))
    }

    /// Returns the value that `bytes` start with, and the number of its bytes.
    ///
    /// # Errors
    ///
    /// As [`Dialects::one`].
    pub(super) fn prefix(
        &self,
        dialect: Dialect,
        bytes: &[u8],
        clean: bool,
    ) -> Result<(Variant<f64>, usize)> {
        if let Some(&word) = bytes.first_chunk()
            && !detect::is_header(word)
        {
            return Err(Error::new(
                codec::rule::HEADER_TYPE_ID,
                0,
                "the header of a value",
                "something else",
            ));
        }
        let mut deviations = WarningCounts::default();
        let read = self.decoder(dialect).decode_counting_warnings(bytes, &mut deviations)?;
        if clean && !detect::is_clean(&deviations) {
            let rule = deviations.iter().next().map_or(Rule::INPUT_COMPLETE, |(note, _)| note.rule);
            return Err(Error::new(rule, 0, "what an engine writes", "something else"));
        }
        Ok(read)
    }

    /// Returns the lengths of the values in `bytes`, one after another, and whether they are weak evidence. If there
    /// are several, at least one must be a text or contain something: other protocols also consist of plain numbers in
    /// a row.
    ///
    /// # Errors
    ///
    /// As [`Dialects::one`].
    pub(super) fn several(
        &self,
        dialect: Dialect,
        bytes: &[u8],
        clean: bool,
    ) -> Result<(Vec<usize>, bool)> {
        let mut lengths = Vec::new();
        let mut weak = true;
        if let Ok(weak) = self.one(dialect, bytes, clean) {
            return Ok((vec![bytes.len()], weak));
        }
        let mut rest = bytes;
        while !rest.is_empty() || lengths.is_empty() {
            let base = (bytes.len() - rest.len()) as u64;
            let read = self.prefix(dialect, rest, clean).map_err(|error| error.shifted(base))?;
            weak &= says_little(&read.0) || !has_content(&read.0);
            lengths.push(read.1);
            rest = rest.get(read.1..).unwrap_or_default();
        }
        Ok((lengths, weak))
    }

    /// Returns the dialect in which most of the messages can be read, the newest of several. Each message is given by
    /// the dialects that read it.
    pub(super) fn most(&self, messages: impl Iterator<Item = Set> + Clone) -> Option<Dialect> {
        let numbered = self.dialects.iter().enumerate();
        let counted = numbered.map(|(number, &dialect)| {
            (messages.clone().filter(|set| set.has(number)).count(), dialect)
        });
        // If several dialects have the same count, this is the first, which is the newest.
        let best = counted.rev().max_by_key(|(count, _)| *count)?;
        Some(best.1).filter(|_| best.0 > 0)
    }

    /// Returns the dialect of the packets, each a value that `first` reads, by the rules of
    /// [`detect`](mod@formwork_godot::detect), which consider the values. Also returns the other dialects that are as
    /// likely, although they read different values.
    pub(super) fn settle<'p>(
        &self,
        first: Dialect,
        wrapping: Wrapping,
        packets: impl Iterator<Item = &'p [u8]>,
    ) -> (Dialect, Vec<Dialect>) {
        /// The number of bytes that is enough to decide.
        const ENOUGH: u64 = 1 << 18;
        if self.is_said() {
            return (first, Vec::new());
        }
        // The rules are made for packets in separate frames.
        let mut frames = FrameWriter::new(Vec::new(), ByteOrder::Little);
        for packet in packets {
            if frames.offset() > ENOUGH || frames.write_packet(packet).is_err() {
                break;
            }
        }
        let detection = detect(&frames.into_inner());
        let framed = |it: &&detect::Candidate| it.framing == Framing::Frames(ByteOrder::Little);
        let leading = detection.leading().iter().filter(framed).map(|it| it.dialect);
        let leading: Vec<Dialect> = leading.filter(|&it| wrapping.is_of(it)).collect();
        let same = detection.verdict != Verdict::Ambiguous;
        let liked = |dialect: &&Dialect| Some(dialect.family()) == wrapping.family();
        let best = leading.iter().find(liked).or_else(|| leading.first());
        match best {
            Some(&best) if same => (best, Vec::new()),
            Some(&best) => (best, leading.into_iter().filter(|&it| it != best).collect()),
            None => (first, Vec::new()),
        }
    }
}
