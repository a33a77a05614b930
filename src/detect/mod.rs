//! Which dialect and framing some bytes are in.
//!
//! Packets carry no mark of the engine that wrote them, so every family is tried, bare and in
//! frames, and what is left is judged by these rules, in this order:
//!
//! 1. A reading must go to the end, with every byte used. Objects in full are read as data.
//! 2. Readings of which an engine would have written every byte, but for padding that it leaves as its
//!    memory was, beat those that bend a [`Rule`](crate::Rule). This is what tells Godot 2 by its
//!    "shared" mark and by the property of a NodePath, Godot 3.0 by its small ints in 64 bits, and
//!    double-precision builds of Godot 4 by their flag: elsewhere those are deviations.
//! 3. No function of any engine writes bare values one after another, so a sequence of them is set
//!    aside where a single value or frames obey rule 2, and is no better than those that do not.
//! 4. Where all that is left reads as the same values, bit for bit, the meaning is certain although
//!    the family is not, and the newest family is named ([`Verdict::SameMeaning`]).
//! 5. Where a reading in frames and a bare one differ, one is set aside that has half the structure of
//!    the other or less. Structure is the words that say how to read on: types, lengths, counts. (A
//!    number in a frame has a length and a type; the same bytes as a bare Vector2i of Pandemonium
//!    have a type only, and happen to start with what would be a length and a type.)
//! 6. Where values still differ, readings are set aside that are strange, if one is left in which
//!    nothing is. With the wrong table, small whole numbers and text come out as real numbers near
//!    1e-40 or 1e30 and real numbers as whole ones of nine or ten digits; a reading is strange where
//!    that, or text full of control characters, is half of all it holds or more (and more than once).
//!    Rule 4 is asked again about what is left.
//! 7. Else the verdict is [`Verdict::Ambiguous`], and the caller has to say which it is.
//!
//! What stays ambiguous is short: an empty array or dictionary of one family is an empty array of
//! another type elsewhere, four real numbers are a Color here and a Plane there, and the eight bytes
//! of an empty String are also a frame with a null. Saves and messages, which are dictionaries of more
//! than a pair or two, are certain. Rules 5 and 6 go by what is likely; `tests/detect.rs` holds them to
//! name no engine's value wrongly, bare or in frames.

mod look;
mod other;
mod reading;
mod why;

use std::fmt;

pub use other::Other;
#[cfg(feature = "container")]
pub(crate) use other::{COMPRESSED, ENCRYPTED};

use crate::codec::Deviations;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::frame::ByteOrder;
use look::Look;
use reading::{FAMILIES, Reading, Releases, best_of_family, is_same_meaning, look};

/// How values stand in some bytes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Framing {
    /// One value and nothing else: `var2bytes`, `var_to_bytes`, a packet.
    Bare,
    /// Values one after another.
    BareSequence,
    /// Packets behind their lengths: `store_var`, `put_var`.
    Frames(ByteOrder),
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bare => "a bare value",
            Self::BareSequence => "bare values one after another",
            Self::Frames(ByteOrder::Little) => "frames with little-endian lengths",
            Self::Frames(ByteOrder::Big) => "frames with big-endian lengths",
        })
    }
}

/// How sure a detection is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// One family and framing is left.
    Certain,
    /// Several families are left, in which the bytes mean the same.
    SameMeaning,
    /// Readings of different meaning are left.
    Ambiguous,
    /// No reading goes to the end.
    Nothing,
}

/// A reading that goes to the end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The dialect: the newest of its family that fits best.
    pub dialect: Dialect,
    /// How the values stand.
    pub framing: Framing,
    /// How many there are.
    pub values: u64,
    /// What the engine accepts but would not have written.
    pub deviations: Deviations,
    /// Why it is where it is in the ranking, in a sentence.
    pub why: String,
}

/// How far a family's best reading comes that does not go to the end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The dialect: the one of its family that comes furthest.
    pub dialect: Dialect,
    /// How the values were taken to stand.
    pub framing: Framing,
    /// How many values were read whole.
    pub values: u64,
    /// How many bytes made sense.
    pub reached: u64,
    /// Why the reading ended.
    pub error: Error,
}

/// What [`detect`] found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Detection {
    /// How sure it is.
    pub verdict: Verdict,
    /// The readings that go to the end, the best first.
    pub candidates: Vec<Candidate>,
    /// How many of the candidates, the first ones, the verdict is about: 1 where it is certain, and
    /// all that are left where several mean the same or it is ambiguous.
    pub leading: usize,
    /// For each family without a candidate, how far its best reading comes; the furthest first.
    pub refusals: Vec<Refusal>,
    /// What else the bytes are, where they are no packets and say what they are.
    pub other: Option<Other>,
}

impl Detection {
    /// The dialect and framing to read the bytes with; [`None`] where that is ambiguous or nothing
    /// fits.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        match self.verdict {
            Verdict::Certain | Verdict::SameMeaning => self.candidates.first(),
            Verdict::Ambiguous | Verdict::Nothing => None,
        }
    }

    /// The candidates that the verdict is about.
    #[must_use]
    pub fn leading(&self) -> &[Candidate] {
        self.candidates.get(..self.leading).unwrap_or_default()
    }

    /// The reading that comes furthest, where none goes to the end.
    #[must_use]
    pub fn partial(&self) -> Option<&Refusal> {
        self.refusals.first().filter(|_| self.candidates.is_empty())
    }
}

/// Finds out which dialect and framing `bytes` is in; see the [module](self) for the rules.
///
/// Takes time in proportion to the bytes, and memory for one value at a time.
///
/// ```
/// use formwork::detect::{Framing, Verdict, detect};
/// use formwork::dialect::Family;
/// use formwork::frame::ByteOrder;
///
/// // A frame with the dictionary {"hp": 5}, as Godot 3 writes it.
/// let file = [
///     28, 0, 0, 0, 18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0,
///     5, 0, 0, 0,
/// ];
/// let detection = detect(&file);
/// assert_eq!(detection.verdict, Verdict::Certain);
/// let best = detection.best().unwrap();
/// assert_eq!(best.dialect.family(), Family::Godot3);
/// assert_eq!(best.framing, Framing::Frames(ByteOrder::Little));
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Detection {
    if let Some(other) = Other::by_start(bytes) {
        return nothing(Vec::new(), Some(other));
    }
    let (mut fitting, mut failed) = readings(bytes, Releases::Usual);
    if !fitting.iter().any(Reading::is_clean) {
        let (unmarked, _) = readings(bytes, Releases::Unmarked);
        fitting.extend(unmarked.into_iter().filter(Reading::is_clean));
    }
    if fitting.is_empty() {
        let failed = failed.into_iter().map(|reading| reading.look_into_cut_frame(bytes));
        return nothing(refusals(failed.collect()), other::text(bytes));
    }
    failed.retain(|failed| {
        let family = failed.dialect.family();
        !fitting.iter().any(|fitting| fitting.dialect.family() == family)
    });
    judge(bytes, fitting, refusals(failed))
}

fn nothing(refusals: Vec<Refusal>, other: Option<Other>) -> Detection {
    Detection { verdict: Verdict::Nothing, candidates: Vec::new(), leading: 0, refusals, other }
}

/// The best reading of each family in each framing: those that go to the end, and the others.
fn readings(bytes: &[u8], releases: Releases) -> (Vec<Reading>, Vec<Reading>) {
    let framings = [None, Some(ByteOrder::Little), Some(ByteOrder::Big)];
    FAMILIES
        .iter()
        .flat_map(|&family| framings.map(|frames| (family, frames)))
        .filter_map(|(family, frames)| best_of_family(bytes, family, frames, releases))
        .partition(Reading::fits)
}

/// The furthest that each family came.
fn refusals(failed: Vec<Reading>) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    for reading in failed {
        let Reading { dialect, framing, values, reached, error: Some(error), .. } = reading else {
            continue;
        };
        let refusal = Refusal { dialect, framing, values, reached, error };
        let family = dialect.family();
        match refusals.iter_mut().find(|known| known.dialect.family() == family) {
            Some(known) if known.reached < reached => *known = refusal,
            Some(_) => {}
            None => refusals.push(refusal),
        }
    }
    // Stable: the newer family first where two come equally far.
    refusals.sort_by_key(|refusal| std::cmp::Reverse(refusal.reached));
    refusals
}

/// Which readings are considered before which; the lower the better (rules 2 and 3).
fn rank(reading: &Reading) -> u8 {
    match (reading.framing == Framing::BareSequence, reading.is_clean()) {
        (false, true) => 0,
        (true, true) | (false, false) => 1,
        (true, false) => 2,
    }
}

/// Ranks the readings that go to the end.
fn judge(bytes: &[u8], mut fitting: Vec<Reading>, refusals: Vec<Refusal>) -> Detection {
    // Stable: within a rank, the newest family stays first.
    fitting.sort_by_key(rank);
    let best = fitting.first().map(rank);
    let in_rank = fitting.iter().take_while(|reading| Some(rank(reading)) == best).count();
    let behind = fitting.split_off(in_rank);
    let Judged { left, outweighed, strange, same } = by_meaning(bytes, fitting);
    let verdict = match left.len() {
        1 => Verdict::Certain,
        _ if same => Verdict::SameMeaning,
        _ => Verdict::Ambiguous,
    };
    let alone = outweighed.is_empty() && strange.is_empty();
    let whys: Vec<String> = left
        .iter()
        .map(|reading| why::leading(reading, &left, same, alone))
        .chain(outweighed.iter().map(why::outweighed))
        .chain(strange.iter().map(why::strange))
        .chain(behind.iter().map(|reading| why::behind(reading, &left[0])))
        .collect();
    let leading = left.len();
    let candidates = left.into_iter().chain(outweighed).chain(strange).chain(behind).zip(whys);
    let candidates = candidates.map(|(reading, why)| candidate(reading, why)).collect();
    Detection { verdict, candidates, leading, refusals, other: None }
}

fn candidate(reading: Reading, why: String) -> Candidate {
    let Reading { dialect, framing, values, deviations, .. } = reading;
    Candidate { dialect, framing, values, deviations, why }
}

/// The readings of the best rank, sorted out by rules 4 to 6.
#[derive(Default)]
struct Judged {
    /// Those that are left; one at least.
    left: Vec<Reading>,
    /// Those with half the structure of one in another framing, or less.
    outweighed: Vec<Reading>,
    /// Those whose numbers and texts are not what games store.
    strange: Vec<Reading>,
    /// All that are left mean the same.
    same: bool,
}

fn by_meaning(bytes: &[u8], readings: Vec<Reading>) -> Judged {
    let all_same = |readings: &[Reading]| match readings {
        [first, others @ ..] => others.iter().all(|other| is_same_meaning(bytes, first, other)),
        [] => true,
    };
    if all_same(&readings) {
        return Judged { left: readings, same: true, ..Judged::default() };
    }
    let looks = readings.iter().map(|reading| look(bytes, reading));
    let looks: Vec<_> = looks.zip(readings.iter().map(|reading| reading.framing)).collect();
    let mut judged = Judged::default();
    let mut left = Vec::new();
    for (reading, &(look, framing)) in readings.into_iter().zip(&looks) {
        let outweighs =
            |(other, framed): &(Look, Framing)| *framed != framing && other.outweighs(look);
        if looks.iter().any(outweighs) {
            judged.outweighed.push(reading);
        } else {
            left.push((reading, look));
        }
    }
    let plain = left.iter().any(|(_, look)| look.is_plain());
    for (reading, look) in left {
        let strange = plain && look.is_strange();
        if strange { judged.strange.push(reading) } else { judged.left.push(reading) }
    }
    judged.same = all_same(&judged.left);
    judged
}
