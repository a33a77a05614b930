//! Decoders in this process: judged in a `#[test]`, or in a fuzz target.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::Format;
use crate::case::{Cases, Reading};
use crate::digest::digest;
use crate::oracle::Outcome;
use crate::oracle::protocol::Answer;
use crate::oracle::shrink::{Budget, shrink};
use crate::oracle::{Deviation, Judge, Kind, to_hex};
use crate::suite::Suite;

/// The cases that [`judge`] asks about after the suite.
const CASES: u64 = 20_000;

/// The faults after which [`judge`] ends.
const ENOUGH: usize = 8;

/// The number of cases from which the input of a fuzzer chooses one.
const REACHED: u64 = 1 << 32;

/// A fault of a decoder, with the smallest packet that was found for it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    /// The fault in words.
    pub difference: Deviation,
    /// The packet.
    pub packet: Vec<u8>,
}

/// `rejects-valid: String: rejected: no, packet 04000000..`
impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deviation { kind, about, detail, .. } = &self.difference;
        write!(f, "{kind}: {about}: {}, packet {}", detail.trim_end(), to_hex(&self.packet))
    }
}

/// As it is printed: `unwrap` in a test shows it.
impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl std::error::Error for Fault {}

/// Judges a decoder by the [suite](crate::suite) of a format and by 20,000 numbered cases.
///
/// The decoder gets a packet, and returns its value written again and the bytes that the value took; or why it refuses
/// the packet. One that cannot write returns no bytes: then only the verdict and the number are compared. A panic is a
/// fault, too. Packets that engines read but do not write may be refused.
///
/// ```
/// use formwork_kit::Format;
/// use formwork_variant::{Decoder, Dialect, Encoder};
///
/// let dialect = Dialect::GODOT3;
/// let mine = |packet: &[u8]| {
///     let (value, used) = Decoder::new(dialect).decode_prefix(packet)?;
///     Ok::<_, formwork_variant::Error>((Encoder::new(dialect).encode(&value)?, used))
/// };
/// formwork_kit::judge(Format::Variant(dialect), mine).unwrap();
///
/// // One that takes any bool other than 1 for false.
/// let wrong = |packet: &[u8]| match packet {
///     [1, 0, 0, 0, byte, a, b, c, ..] if [*byte, *a, *b, *c] != [1, 0, 0, 0] => Ok((vec![1, 0, 0, 0, 0, 0, 0, 0], 8)),
///     packet => mine(packet),
/// };
/// let faults = formwork_kit::judge(Format::Variant(dialect), wrong).unwrap_err();
/// assert_eq!(faults.len(), 1);
/// assert_eq!(faults[0].packet, [1, 0, 0, 0, 2, 0, 0, 0]);
/// ```
///
/// # Errors
///
/// The faults, each once, with the smallest packets that show them; after some, it ends.
pub fn judge<E: Display>(
    format: Format,
    mut decode: impl FnMut(&[u8]) -> Result<(Vec<u8>, usize), E>,
) -> Result<(), Vec<Fault>> {
    let reading = Reading { format, allow_objects: false };
    let judge = Judge::new(reading);
    let mut faults: Vec<Fault> = Vec::new();
    let mut known: Vec<Deviation> = Vec::new();
    let mut look = |packet: &[u8]| {
        let mut ask = |packet: &[u8]| fault(&judge, packet, caught(packet, &mut decode));
        let Some(difference) = ask(packet) else { return true };
        let is_same = |one: &Deviation, other: &Deviation| {
            one.kind == other.kind
                && one.signature() == other.signature()
                && one.about == other.about
        };
        if known.iter().any(|one| is_same(one, &difference)) {
            return true;
        }
        known.push(difference.clone());
        let found = smallest(&judge, packet, difference, &mut ask);
        if !faults.iter().any(|fault| is_same(&fault.difference, &found.difference)) {
            faults.push(found);
        }
        faults.len() < ENOUGH
    };
    let suite = Suite::new(reading);
    let cases = Cases::new(reading, 1);
    let numbers = cases.enumerated()..cases.enumerated() + CASES;
    let _ = suite.vectors().iter().all(|vector| look(&vector.packet))
        && numbers.into_iter().all(|number| look(&cases.case(number).bytes));
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Judges a decoder by the bytes of a fuzzer, twice: by the packet that they are, and by one of the numbered cases, which
/// a fuzzer does not reach by itself. See [`judge`] for what the decoder returns. A panic is the fuzzer's to see.
///
/// ```ignore
/// libfuzzer_sys::fuzz_target!(|data: &[u8]| {
///     formwork_kit::judge_bytes(Format::Variant(Dialect::GODOT4), data, my_decoder).unwrap();
/// });
/// ```
///
/// # Errors
///
/// The fault, with the smallest packet that shows it.
pub fn judge_bytes<E: Display>(
    format: Format,
    data: &[u8],
    mut decode: impl FnMut(&[u8]) -> Result<(Vec<u8>, usize), E>,
) -> Result<(), Fault> {
    let reading = Reading { format, allow_objects: false };
    let judge = Judge::new(reading);
    let mut ask = |packet: &[u8]| fault(&judge, packet, answered(decode(packet)));
    let case = cases(reading).case(digest(data) % REACHED).bytes;
    for packet in [data, &case] {
        if let Some(difference) = ask(packet) {
            return Err(smallest(&judge, packet, difference, &mut ask));
        }
    }
    Ok(())
}

/// Returns the cases of a reading, which take a while to make, once.
fn cases(reading: Reading) -> Cases {
    static KNOWN: LazyLock<Mutex<HashMap<Reading, Cases>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(reading).or_insert_with(|| Cases::new(reading, 1)).clone()
}

/// Returns the fault of an outcome. A refusal of a packet that engines would not write is no fault.
fn fault(judge: &Judge, packet: &[u8], outcome: Outcome) -> Option<Deviation> {
    judge.judge(packet, &outcome).filter(|found| found.kind != Kind::RejectsAcceptable)
}

fn answered<E: Display>(result: Result<(Vec<u8>, usize), E>) -> Outcome {
    Outcome::Answered(match result {
        Ok((bytes, used)) => Answer::Accepted { consumed: u32::try_from(used).ok(), bytes },
        Err(error) => Answer::Rejected { offset: None, message: error.to_string() },
    })
}

fn caught<E: Display>(
    packet: &[u8],
    decode: &mut impl FnMut(&[u8]) -> Result<(Vec<u8>, usize), E>,
) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| decode(packet))) {
        Ok(result) => answered(result),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let stderr = text.unwrap_or_default().to_owned();
            Outcome::Crashed { status: "panic".to_owned(), stderr }
        }
    }
}

/// Makes the packet of a fault small.
fn smallest(
    judge: &Judge,
    packet: &[u8],
    difference: Deviation,
    ask: &mut dyn FnMut(&[u8]) -> Option<Deviation>,
) -> Fault {
    let mut last = difference.clone();
    let mut same = |packet: &[u8]| {
        let found = ask(packet).filter(|found| {
            found.kind == difference.kind && found.signature() == difference.signature()
        });
        let is_same = found.is_some();
        last = found.unwrap_or_else(|| last.clone());
        is_same
    };
    let format = judge.reading().format;
    let shrunk = shrink(packet, format, Budget::default(), &mut same);
    // (The last that was the same is the smallest.)
    Fault { difference: judge.refined(last, &shrunk.packet), packet: shrunk.packet }
}
