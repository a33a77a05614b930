//! Holding the reader and the layout to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};

use binrw::error::BacktraceFrame;
use binrw::io::{self, Read, Seek, SeekFrom};

use super::{Declared, With, make, value, with};
use crate::derived::Missed;
use crate::error::{Error, PathSegment, Rule};
use crate::schema::{Layout, Record};
use crate::walk::StepKind;
use crate::wire::Cursor;

/// The result of an audit.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Audit {
    /// How many inputs were looked at.
    pub cases: usize,
    /// How many of them the reader accepts.
    pub accepted: usize,
    /// How many values were made.
    pub made: usize,
    /// Why values could not be made, and how often.
    pub rejected: BTreeMap<String, usize>,
    /// Disagreements of reader, layout and writer: up to three of each kind.
    pub faults: Vec<String>,
    /// Fields and variants that no made value had. Conditions that exclude each other are a reason; a function without
    /// an inverse is another.
    pub never: Vec<String>,
    kinds: BTreeMap<&'static str, usize>,
    seen: BTreeSet<String>,
}

impl Audit {
    /// Returns the audit, where nothing disagrees.
    ///
    /// # Errors
    ///
    /// The faults, as one text.
    pub fn ok(self) -> Result<Self, String> {
        if self.faults.is_empty() { Ok(self) } else { Err(self.to_string()) }
    }

    pub(crate) fn fault(&mut self, kind: &'static str, text: impl FnOnce() -> String) {
        let count = self.kinds.entry(kind).or_default();
        *count += 1;
        if *count <= 3 {
            self.faults.push(text());
        }
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} cases, {} accepted, {} values made", self.cases, self.accepted, self.made)?;
        for fault in &self.faults {
            writeln!(f, "fault: {fault}")?;
        }
        for (why, count) in &self.rejected {
            writeln!(f, "not made, {count} times: {why}")?;
        }
        for never in &self.never {
            writeln!(f, "never made: {never}")?;
        }
        Ok(())
    }
}

/// Every how many bytes a long sample is cut and flipped.
const PLACES: usize = 2000;

/// Compares the reader of a format with its layout.
///
/// Each sample, its cuts, its flipped bits, its broken copies, and `values` made values with the same changes are read
/// by the reader and walked along the layout. Both must accept the same, end at the same place and name the same field.
/// The reader of bytes in memory, which [`record::read`](super::read) asks first, must read the same as the general one. A
/// value that was read must be written back byte for byte, and settling must not change it. Samples are good files: what
/// [`check`](super::check) refuses of them is a fault.
///
/// ```
/// use formwork::{BinRead, BinWrite, Block, Schema, binrw, record};
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(big)]
/// struct Name {
///     length: u8,
///     #[br(count = length)]
///     letters: Block<u8>,
/// }
///
/// let audit = record::audit::<Name>(&[b"\x05hello", b"\x00"], 100).ok()?;
/// assert_eq!(audit.made, 100);
/// # Ok::<(), String>(())
/// ```
#[must_use]
pub fn audit<T: Declared + PartialEq + Debug>(samples: &[&[u8]], values: u64) -> Audit {
    with(&()).audit::<T>(samples, values)
}

/// Compares the reader of a format with its layout for the bytes of a fuzzer: for these bytes, and for the value that is
/// made with their first eight as the seed, which a fuzzer seldom reaches by itself. See [`audit`](super::audit()) for
/// what has to hold.
///
/// It is the whole of a fuzz target:
///
/// ```ignore
/// libfuzzer_sys::fuzz_target!(|data: &[u8]| formwork::record::audit_bytes::<MyRecord>(data).unwrap());
/// ```
///
/// # Errors
///
/// The faults, as one text.
pub fn audit_bytes<T: Declared + PartialEq + Debug>(bytes: &[u8]) -> Result<(), String> {
    with(&()).audit_bytes::<T>(bytes)
}

impl With<'_> {
    /// Holds reader and layout to each other for the bytes of a fuzzer: see [`audit_bytes`](super::audit_bytes()).
    ///
    /// # Errors
    ///
    /// The faults, as one text.
    pub fn audit_bytes<T: Declared + PartialEq + Debug>(self, bytes: &[u8]) -> Result<(), String> {
        let mut audit = Audit::default();
        hold::<T>(self, "the input", bytes, &mut audit);
        let mut seed = [0; 8];
        seed.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let seed = u64::from_le_bytes(seed);
        if let Ok(made) = self.generate_bytes::<T>(seed) {
            hold::<T>(self, &format!("value {seed}"), &made, &mut audit);
        }
        audit.ok().map(drop)
    }

    /// Holds the reader of a format and its layout to each other: see [`audit`](super::audit()).
    #[must_use]
    pub fn audit<T: Declared + PartialEq + Debug>(self, samples: &[&[u8]], values: u64) -> Audit {
        let mut audit = Audit::default();
        for (number, sample) in samples.iter().enumerate() {
            let what = format!("sample {number}");
            hold::<T>(self, &what, sample, &mut audit);
            if let Err(error) = self.check::<T>(sample) {
                audit.fault("check", || format!("{what} is a good file, and is refused: {error}"));
            }
            around::<T>(self, &what, sample, sample.len() / PLACES + 1, &mut audit);
        }
        audit.seen.clear();
        for seed in 0..values {
            match self.generate_bytes::<T>(seed) {
                Ok(bytes) => made::<T>(self, seed, &bytes, &mut audit),
                Err(error) => {
                    *audit.rejected.entry(reason(&error)).or_default() += 1;
                }
            }
        }
        let mut could = BTreeSet::new();
        could_be(T::LAYOUT, &mut could);
        audit.never = could.into_iter().filter(|it| !audit.seen.contains(it)).collect();
        if values == 0 {
            audit.never.clear();
        } else if audit.made == 0 {
            audit.fault("none made", || "no value could be made".to_owned());
        }
        audit
    }
}

/// Looks at broken copies, cuts and flipped bits.
fn around<T: Declared + PartialEq + Debug>(
    of: With<'_>,
    what: &str,
    bytes: &[u8],
    step: usize,
    audit: &mut Audit,
) {
    for copy in of.broken::<T>(bytes) {
        hold::<T>(of, &format!("{what}, {}: {}", copy.path, copy.how), &copy.apply(bytes), audit);
    }
    for at in (0..bytes.len()).step_by(step) {
        hold::<T>(of, &format!("{what}, cut at {at}"), &bytes[..at], audit);
        for bit in 0..8 {
            let mut copy = bytes.to_vec();
            copy[at] ^= 1 << bit;
            hold::<T>(of, &format!("{what}, bit {bit} of byte {at} flipped"), &copy, audit);
        }
    }
}

fn made<T: Declared + PartialEq + Debug>(of: With<'_>, seed: u64, bytes: &[u8], audit: &mut Audit) {
    audit.made += 1;
    let what = format!("value {seed}");
    hold::<T>(of, &what, bytes, audit);
    let seen = audit.seen.clone();
    if !bytes.is_empty() {
        let mut copy = bytes.to_vec();
        let at = (seed as usize).wrapping_mul(7919) % bytes.len();
        copy[at] ^= 1 << (seed % 8);
        hold::<T>(of, &format!("{what}, flipped at {at}"), &copy, audit);
    }
    if seed.is_multiple_of(8) {
        around::<T>(of, &what, bytes, bytes.len() / 40 + 1, audit);
        if let Ok(deep) = make::deep_bytes::<T>(of, seed) {
            hold::<T>(of, &format!("deep value {seed}"), &deep, audit);
        }
    }
    audit.seen = seen;
    let mut input = Cursor::new(bytes);
    match of.read::<T>(&mut input) {
        Ok(mut value) => {
            // Deferred places are in the bytes, and not in the value.
            let bytes = &bytes[..bytes.len() - input.rest().len()];
            if let Err(error) = of.settle(&mut value) {
                audit.fault("not settled", || {
                    format!("{what}: what was read does not settle: {error}")
                });
            } else if !of.to_vec(&value).is_ok_and(|settled| settled == bytes) {
                audit.fault("settled", || format!("{what}: settling changes what was read"));
            }
        }
        Err(error) => audit.fault("made", || format!("{what} was made and is refused: {error}")),
    }
}

/// Reads and walks one input.
fn hold<T: Declared + PartialEq + Debug>(
    of: With<'_>,
    what: &str,
    bytes: &[u8],
    audit: &mut Audit,
) {
    audit.cases += 1;
    let mut input = Noting { bytes, at: 0, failed: None };
    let read = T::read_options(&mut input, of.endian, ());
    held_directly::<T>(of, what, bytes, (read.as_ref().ok(), input.at), audit);
    let mut walk = of.walk::<T>(bytes).for_reader().with_inline();
    let fault = walk.find_map(Result::err);
    let end = walk.position();
    let mut walk = of.walk::<T>(bytes);
    while let Some(Ok(step)) = walk.next() {
        match step.kind {
            StepKind::Record(record) => {
                audit.seen.insert(record.name.to_owned());
            }
            StepKind::Leaf(_) => {
                if let (Some(record), Some(field)) = (walk.record_around(), step.field) {
                    audit.seen.insert(format!(
                        "{}.{}",
                        record.name,
                        if field.name.is_empty() { "0" } else { field.name }
                    ));
                }
            }
            _ => {}
        }
    }
    match (&read, fault) {
        (Ok(value), fault) if input.at == bytes.len() || fault.is_none() && input.at == end => {
            audit.accepted += 1;
            match fault {
                Some(fault) => audit.fault("walk refuses", || {
                    format!("{what}: read, and the layout refuses: {fault}")
                }),
                // The rest is in deferred places.
                None => written(of, what, value, &bytes[..end], audit),
            }
        }
        (Ok(value), Some(fault))
            if fault.rule() == Rule::INPUT_TRAILING && fault.offset() == input.at as u64 =>
        {
            written(of, what, value, &bytes[..input.at], audit);
        }
        (Ok(_), Some(fault)) => {
            audit.fault("other end", || {
                format!("{what}: the reader ends at {}, and the layout: {fault}", input.at)
            });
        }
        (Ok(_), None) => audit.fault("later end", || {
            format!(
                "{what}: the reader ends at {} of {}, the layout at {end}",
                input.at,
                bytes.len()
            )
        }),
        (Err(error), Some(fault)) => same_place(what, error, &fault, input.failed, audit),
        (Err(error), None) => {
            audit.fault("walk accepts", || {
                format!("{what}: refused, and the layout accepts: {}", error.root_cause())
            });
        }
    }
}

/// Reads one input directly: the result must be that of the general reader.
fn held_directly<T: Declared + PartialEq + Debug>(
    of: With<'_>,
    what: &str,
    bytes: &[u8],
    (read, end): (Option<&T>, usize),
    audit: &mut Audit,
) {
    if !T::IS_DIRECT {
        return;
    }
    let mut rest = bytes;
    let directly = T::direct(&mut rest, of.endian, ());
    let at = bytes.len() - rest.len();
    let found = match (read, &directly) {
        (_, Err(Missed::General)) | (None, Err(Missed::Refused)) => return,
        // A float that is no number is not equal to itself.
        (Some(read), Ok(value))
            if at == end && (read == value || format!("{read:?}") == format!("{value:?}")) =>
        {
            return;
        }
        (None, Ok(_)) => "accepts what the general one refuses",
        (Some(_), Err(Missed::Refused)) => "refuses what the general one accepts",
        (Some(_), Ok(_)) => "reads something else than the general one",
    };
    audit.fault("directly", || format!("{what}: the direct reader {found}, to {at} and {end}"));
}

fn written<T: Declared>(of: With<'_>, what: &str, value: &T, bytes: &[u8], audit: &mut Audit) {
    match of.to_vec(value) {
        Ok(written) if written == bytes => {}
        Ok(written) => audit.fault("written", || {
            format!("{what}: {} bytes are written as {} other ones", bytes.len(), written.len())
        }),
        Err(error) => {
            let mut there = Vec::new();
            let plain = value::write(value, of.endian, &mut there).is_ok() && there == bytes;
            audit.fault("agreement", || {
                format!("{what}: read, and not written: {error} (its bytes are the same: {plain})")
            });
        }
    }
}

/// How far into a field the reader may fail.
const FURTHER: usize = 4096;

fn same_place(
    what: &str,
    error: &binrw::Error,
    fault: &Error,
    failed: Option<(usize, usize)>,
    audit: &mut Audit,
) {
    // binrw has a name for the only field of a tuple.
    let mut read = named(error);
    read.retain(|name| name != "self_0");
    let mut walked = names(fault.path().steps());
    walked.retain(|name| name != "self_0");
    let is_same =
        read.len() <= walked.len() && walked.iter().zip(&read).all(|(left, right)| left == right);
    if !is_same {
        audit.fault("other place", || {
            format!(
                "{what}: the reader fails in `{}` ({}), the layout: {fault}",
                read.join("."),
                error.root_cause()
            )
        });
    } else if error.is_eof()
        && let Some((at, length)) = failed
    {
        // Arrays are read number by number; the layout names their start.
        let offset = fault.offset();
        if (at as u64) < offset || at as u64 > offset + length.max(FURTHER) as u64 {
            audit.fault("other offset", || {
                format!("{what}: the reader fails at {at}, the layout: {fault}")
            });
        }
    }
}

/// Returns the fields that binrw names, the outermost first.
fn named(error: &binrw::Error) -> Vec<String> {
    let binrw::Error::Backtrace(backtrace) = error else { return Vec::new() };
    let names = backtrace.frames.iter().rev().filter_map(|frame| match frame {
        BacktraceFrame::Full { message, .. } => message.split('\'').nth(1).map(str::to_owned),
        _ => None,
    });
    names.collect()
}

fn names(steps: &[PathSegment]) -> Vec<String> {
    let names = steps.iter().filter_map(|step| match step {
        PathSegment::Field(name) => Some((*name).to_owned()),
        _ => None,
    });
    names.collect()
}

/// Returns the reason of an error without its place and the positions in its path.
fn reason(error: &Error) -> String {
    let path = error.path().to_string();
    let path: String = path.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let colon = if path.is_empty() { "" } else { ": " };
    format!("{path}{colon}expected {} (rule {})", error.expected(), error.rule())
}

/// Adds every record, variant and field of numbers that a value could have.
fn could_be(layout: Layout, out: &mut BTreeSet<String>) {
    match layout {
        Layout::Record(record) => could_be_record(record, out),
        Layout::Choice(choice) => {
            choice.variants.iter().for_each(|variant| could_be_record(&variant.record, out));
        }
        Layout::Same(of)
        | Layout::Array(_, of)
        | Layout::ToEnd(of)
        | Layout::Until(of)
        | Layout::List(of)
        | Layout::Within(of)
        | Layout::Before(of)
        | Layout::OrEnd(of)
        | Layout::Deferred(of) => could_be(of(), out),
        Layout::Coded(coding, of) if coding.is_in_place => could_be(of(), out),
        _ => {}
    }
}

fn could_be_record(record: &'static Record, out: &mut BTreeSet<String>) {
    if !out.insert(record.name.to_owned()) {
        return;
    }
    for field in
        record.fields.iter().filter(|field| field.magic.is_none() && field.computed.is_none())
    {
        let layout = (field.layout)();
        if is_leaf(layout) {
            out.insert(format!(
                "{}.{}",
                record.name,
                if field.name.is_empty() { "0" } else { field.name }
            ));
        }
        could_be(layout, out);
    }
}

fn is_leaf(layout: Layout) -> bool {
    match layout {
        Layout::Same(of)
        | Layout::Within(of)
        | Layout::Before(of)
        | Layout::OrEnd(of)
        | Layout::Deferred(of) => is_leaf(of()),
        Layout::Coded(coding, of) => !coding.is_in_place || is_leaf(of()),
        Layout::Array(..) => layout.bytes_of_numbers().is_some(),
        Layout::List(of) | Layout::ToEnd(of) => of().bytes_of_numbers().is_some(),
        Layout::Record(_) | Layout::Choice(_) | Layout::Until(_) | Layout::Nested(_) => false,
        _ => true,
    }
}

/// A reader that keeps where it failed last: going back does not undo that.
struct Noting<'b> {
    bytes: &'b [u8],
    at: usize,
    failed: Option<(usize, usize)>,
}

impl Read for Noting<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = out.len().min(self.bytes.len() - self.at);
        out[..length].copy_from_slice(&self.bytes[self.at..self.at + length]);
        self.at += length;
        if length < out.len() {
            self.failed = Some((self.at, out.len() - length));
        }
        Ok(length)
    }

    fn read_exact(&mut self, out: &mut [u8]) -> io::Result<()> {
        if self.bytes.len() - self.at < out.len() {
            self.failed = Some((self.at, out.len()));
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out.copy_from_slice(&self.bytes[self.at..self.at + out.len()]);
        self.at += out.len();
        Ok(())
    }
}

impl Seek for Noting<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(distance) => (self.at as u64).checked_add_signed(distance),
            SeekFrom::End(distance) => (self.bytes.len() as u64).checked_add_signed(distance),
        };
        let to =
            to.filter(|to| *to <= self.bytes.len() as u64).ok_or(io::ErrorKind::InvalidInput)?;
        self.at = to as usize;
        Ok(to)
    }
}
