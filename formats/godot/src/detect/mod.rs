//! Detects the dialect and framing of bytes.
//!
//! Packets carry no mark of the engine that wrote them, so every family is tried, bare and in frames. (The first bytes
//! of a file of settings identify it, but not the family of its packets.) These rules judge the readings, in this
//! order:
//!
//! 1. A reading must go to the end, with every byte used. Objects in full are read as data. Readings that are no
//!    evidence are dropped: values in a row that are null or that no engine would have written this way, and headers
//!    with odd flags, unless these are few.
//! 2. Readings of which an engine would have written every byte, but for padding that it leaves as its
//!    memory was, beat those that bend a [`Rule`](formwork::Rule). This is what tells Godot 2 by its
//!    "shared" mark and by the property of a NodePath, Godot 3.0 by its small ints in 64 bits, and
//!    double-precision builds of Godot 4 by their flag: elsewhere those are deviations.
//! 3. No function of any engine writes bare values one after another, so a sequence of them is set
//!    aside where a single value or frames obey rule 2, and is no better than those that do not.
//! 4. Where all that is left reads as the same values, bit for bit, the meaning is certain although
//!    the family is not, and the newest family is named ([`Verdict::SameMeaning`]).
//! 5. If a reading in frames and a bare one differ, the one with half the structure of the other or less is set aside.
//!    Structure is the words that determine how to read on: types, lengths, counts. (A number in a frame has a length
//!    and a type. The same bytes as a bare Vector2i of Pandemonium have only a type, and happen to start with a
//!    possible length and type.) If both have as much structure, frames are kept: files are written with `store_var`,
//!    and the eight bytes of an empty slot, a frame with a null, are also an empty String.
//! 6. If values still differ, strange readings are set aside, provided that a reading without anything strange is left.
//!    With the wrong table, small whole numbers and text become real numbers near 1e-40 or 1e30, and real numbers
//!    become whole numbers of nine or ten digits. A reading is strange if such numbers, or texts full of control
//!    characters, are at least half of its contents (and more than one). Rule 4 is applied again to the remaining
//!    readings.
//! 7. Otherwise the verdict is [`Verdict::Ambiguous`], and the caller has to name the dialect.
//!
//! If no reading goes to the end, [`Detection::partial`] is the family with the most evidence, if that is not chance:
//! texts and packets before the fault, and a fair share of the bytes. Frames whose lengths lead to the end of the file
//! come first, whatever is wrong in one of them. A value that ends with the file, after a wrong length, comes first
//! too. [`behind_header`] looks for values after a header that the game wrote.
//!
//! Only short inputs stay ambiguous: an empty array or dictionary of one family is an empty array of another type
//! elsewhere, and four real numbers are a Color here and a Plane there. Saves and messages, which are dictionaries of
//! more than a pair or two, are certain. Rules 5 and 6 go by likelihood ([`Detection::is_by_likelihood`]).
//! `tests/detect` checks that they never misname a value of an engine, bare or in frames, except a bare empty String.

mod attempt;
mod look;
mod other;
mod releases;
mod scan;
mod shape;
mod why;

pub use attempt::{is_clean, is_header};
pub use other::{Other, text};
pub use scan::{BeforeData, BehindHeader, behind_header};

use crate::Framing;
use crate::settings;
use attempt::{Attempt, Evidence, is_same_meaning, look};
use formwork::Error;
use formwork_variant::codec::{Met, WarningCounts};
use formwork_variant::dialect::{Dialect, Family};
use formwork_variant::frame::ByteOrder;
use look::Look;
use releases::{FAMILIES, Releases, best_of_family, dialects};

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
    /// The framing of the values.
    pub framing: Framing,
    /// The number of values.
    pub values: u64,
    /// Deviations that the engine accepts but would not have written.
    pub deviations: WarningCounts,
    /// The reason for its rank, in a sentence.
    pub why: String,
    /// The types and contents met in the values.
    met: Met,
}

impl Candidate {
    /// Returns the releases of the family that read `bytes`, from which this was detected, as the same values, and
    /// write them the same way. The oldest comes first. If all releases are returned, the bytes do not determine the
    /// release.
    ///
    /// ```
    /// use formwork_godot::detect::detect;
    ///
    /// // The int 5 in a frame, as Godot 4.0 to 4.7 write it.
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0];
    /// let detection = detect(&file);
    /// let releases = detection.best().unwrap().releases(&file);
    /// let names: Vec<String> = releases.iter().map(|release| release.name()).collect();
    /// assert_eq!((names[0].as_str(), names[7].as_str()), ("godot4.0", "godot4.7"));
    /// ```
    #[must_use]
    pub fn releases(&self, bytes: &[u8]) -> Vec<Dialect> {
        releases::releases(bytes, self)
    }
}

/// The best reading of a family that does not go to the end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rejection {
    /// The dialect: the one of its family that comes furthest.
    pub dialect: Dialect,
    /// The framing that was assumed.
    pub framing: Framing,
    /// How many values were read whole.
    pub values: u64,
    /// How many bytes made sense.
    pub reached: u64,
    /// Why the reading ended.
    pub error: Error,
    /// Whether the read part is too much for chance: a fair share of the bytes, without headers that no engine writes,
    /// or frames whose lengths lead to the end.
    pub convincing: bool,
    /// The evidence for it, to be compared with others.
    evidence: Evidence,
}

/// The result of [`detect`].
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
    pub refusals: Vec<Rejection>,
    /// The other format of the bytes, if they are not packets and identify themselves.
    pub other: Option<Other>,
    /// Readings of the best rank were set aside by rules 5 and 6.
    likely: bool,
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

    /// Returns the reading that comes furthest if no reading goes to the end, provided that its length is not chance:
    /// the likely format of a damaged file.
    #[must_use]
    pub fn partial(&self) -> Option<&Rejection> {
        self.partials().first()
    }

    /// Returns the readings of different families that come furthest, if no reading goes to the end. There are several
    /// if they come equally far, as in a file with only numbers before the damage.
    #[must_use]
    pub fn partials(&self) -> &[Rejection] {
        let first = self.refusals.first().filter(|it| self.candidates.is_empty() && it.convincing);
        let as_far =
            |it: &&Rejection| first.is_some_and(|first| first.evidence.is_about(it.evidence));
        let count = self.refusals.iter().take_while(as_far).count();
        self.refusals.get(..count).unwrap_or_default()
    }

    /// Whether other readings of the best rank were set aside by likelihood (rules 5 and 6), so that the verdict is not
    /// proven.
    #[must_use]
    pub const fn is_by_likelihood(&self) -> bool {
        self.likely
    }
}

/// Detects the dialect and framing of `bytes`; see the [module](self) for the rules.
///
/// Takes time in proportion to the bytes, and memory for one value at a time.
///
/// ```
/// use formwork_godot::Framing;
/// use formwork_godot::detect::{Verdict, detect};
/// use formwork_variant::dialect::Family;
/// use formwork_variant::frame::ByteOrder;
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
    Detector::new().detect(bytes)
}

/// Detects the dialect and framing of bytes, given the parts that are known.
///
/// ```
/// use formwork_godot::Framing;
/// use formwork_godot::detect::{Detector, Verdict, detect};
/// use formwork_variant::dialect::Family;
///
/// // Four real numbers: a Plane in Godot 4, a Color in Godot 3.
/// let packet = [14, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63];
/// assert_eq!(detect(&packet).verdict, Verdict::Ambiguous);
/// let detection = Detector::new().family(Family::Godot4).framing(Framing::Bare).detect(&packet);
/// assert_eq!(detection.verdict, Verdict::Certain);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Detector {
    family: Option<Family>,
    framing: Option<Framing>,
}

impl Detector {
    /// Makes a detector to which nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        Self { family: None, framing: None }
    }

    /// Considers one family only.
    #[must_use]
    pub const fn family(mut self, family: Family) -> Self {
        self.family = Some(family);
        self
    }

    /// Considers one framing only. A bare value and a sequence of bare values count as one framing.
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.framing = Some(match framing {
            Framing::Bare | Framing::BareSequence => Framing::Bare,
            Framing::Frames(_) | Framing::Settings => framing,
        });
        self
    }

    /// Detects the unknown parts, by the rules of the [module](self).
    #[must_use]
    pub fn detect(&self, bytes: &[u8]) -> Detection {
        let other = Other::by_start(bytes);
        let are_settings = other == Some(Other::GodotProject)
            && self.framing.is_none_or(|known| known == Framing::Settings);
        if other.is_some() && !are_settings {
            return nothing(Vec::new(), other);
        }
        let says_something = |reading: &Attempt| reading.says_something(bytes);
        let (mut fitting, mut failed) = self.readings(bytes, Releases::Usual);
        fitting.retain(says_something);
        if !fitting.iter().any(Attempt::is_clean) {
            let (unmarked, _) = self.readings(bytes, Releases::Unmarked);
            let clean = |reading: &Attempt| reading.is_clean() && says_something(reading);
            fitting.extend(unmarked.into_iter().filter(clean));
        }
        if fitting.is_empty() {
            let failed = failed.into_iter().map(|reading| reading.weighed(bytes));
            let refusals = refusals(bytes, failed.collect());
            let is_part = are_settings && refusals.first().is_some_and(|it| it.convincing);
            let other = other.filter(|_| !is_part).or_else(|| other::unmarked(bytes));
            return nothing(refusals, other);
        }
        failed.retain(|failed| {
            let family = failed.dialect.family();
            !fitting.iter().any(|fitting| fitting.dialect.family() == family)
        });
        judge(bytes, fitting, refusals(bytes, failed))
    }

    /// Returns the best reading of each family in each framing: those that go to the end, and the others.
    fn readings(&self, bytes: &[u8], releases: Releases) -> (Vec<Attempt>, Vec<Attempt>) {
        let framings: &[Framing] = match &self.framing {
            _ if settings::is_settings(bytes) => &[Framing::Settings],
            None => &[
                Framing::Bare,
                Framing::Frames(ByteOrder::Little),
                Framing::Frames(ByteOrder::Big),
            ],
            Some(framing) => std::slice::from_ref(framing),
        };
        FAMILIES
            .iter()
            .filter(|&&family| self.family.is_none_or(|known| known == family))
            .flat_map(|&family| framings.iter().map(move |&framing| (family, framing)))
            .filter_map(|(family, framing)| best_of_family(bytes, family, framing, releases))
            .partition(Attempt::fits)
    }
}

/// Whether the bytes are values of an engine or text. If not `surely`, they may be so by chance.
#[must_use]
pub fn is_content(bytes: &[u8], surely: bool) -> bool {
    /// Words of structure that are no chance.
    const STRUCTURE: u64 = 4;
    let detection = detect(bytes);
    match (detection.leading().first(), detection.other) {
        (Some(first), _) => {
            !surely
                || first.deviations.only_padding_as_left()
                    && attempt::look_of(bytes, first.dialect, first.framing)
                        .has_structure(STRUCTURE)
        }
        (None, Some(other)) => {
            matches!(other, Other::GodotProject | Other::Json | Other::Text)
        }
        (None, None) => Detector::new().before_data(bytes).is_some(),
    }
}

fn nothing(refusals: Vec<Rejection>, other: Option<Other>) -> Detection {
    let (verdict, candidates) = (Verdict::Nothing, Vec::new());
    Detection { verdict, candidates, leading: 0, refusals, other, likely: false }
}

/// Returns the dialects that read packets differently: one of each kind, the newest family and release
/// first.
#[must_use]
pub fn told_apart() -> Vec<Dialect> {
    FAMILIES.iter().flat_map(|&family| dialects(family, Releases::Usual)).collect()
}

/// Returns whether at least half of the numbers and texts in a value look like misread data: numbers of extreme size,
/// texts with control characters.
#[must_use]
pub fn is_implausible(value: &formwork_variant::Variant<f64>) -> bool {
    let mut look = Look::default();
    look.look_at(value);
    look.is_mostly_strange()
}

/// Returns the reading of each family that comes furthest.
fn refusals(bytes: &[u8], failed: Vec<Attempt>) -> Vec<Rejection> {
    let mut refusals: Vec<Rejection> = Vec::new();
    for reading in failed {
        let (convincing, evidence) = (reading.is_convincing(bytes), reading.evidence());
        let Attempt { dialect, framing, values, reached, error: Some(error), .. } = reading else {
            continue;
        };
        let refusal = Rejection { dialect, framing, values, reached, error, convincing, evidence };
        let family = dialect.family();
        let quality = |it: &Rejection| (it.convincing, it.evidence);
        match refusals.iter_mut().find(|known| known.dialect.family() == family) {
            Some(known) if quality(known) < quality(&refusal) => *known = refusal,
            Some(_) => {}
            None => refusals.push(refusal),
        }
    }
    // Stable: the newer family first where two come equally far.
    refusals.sort_by_key(|refusal| std::cmp::Reverse((refusal.convincing, refusal.evidence)));
    refusals
}

/// Returns the rank of a reading, the lower the better (rules 2 and 3).
fn rank(reading: &Attempt) -> u8 {
    match (reading.framing == Framing::BareSequence, reading.is_clean()) {
        (false, true) => 0,
        (true, true) | (false, false) => 1,
        (true, false) => 2,
    }
}

/// Ranks the readings that go to the end.
fn judge(bytes: &[u8], mut fitting: Vec<Attempt>, refusals: Vec<Rejection>) -> Detection {
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
        .map(|reading| why::leading(reading, alone))
        .chain(outweighed.iter().map(why::outweighed))
        .chain(strange.iter().map(why::strange))
        .chain(behind.iter().map(|reading| why::behind(reading, &left[0])))
        .collect();
    let (leading, likely) = (left.len(), !alone);
    let candidates = left.into_iter().chain(outweighed).chain(strange).chain(behind).zip(whys);
    let candidates = candidates.map(|(reading, why)| candidate(reading, why)).collect();
    Detection { verdict, candidates, leading, refusals, other: None, likely }
}

fn candidate(reading: Attempt, why: String) -> Candidate {
    let Attempt { dialect, framing, values, deviations, met, .. } = reading;
    let values = if framing == Framing::Settings { 1 } else { values };
    Candidate { dialect, framing, values, deviations, why, met }
}

/// The readings of the best rank, sorted out by rules 4 to 6.
#[derive(Default)]
struct Judged {
    /// The remaining readings, at least one.
    left: Vec<Attempt>,
    /// Readings with at most half the structure of one in another framing, and bare readings with no more structure
    /// than one in frames.
    outweighed: Vec<Attempt>,
    /// Readings with numbers and texts that games do not store.
    strange: Vec<Attempt>,
    /// Whether all remaining readings mean the same.
    same: bool,
}

fn by_meaning(bytes: &[u8], readings: Vec<Attempt>) -> Judged {
    let all_same = |readings: &[Attempt]| match readings {
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
        let outweighs = |(other, framed): &(Look, Framing)| {
            let frames = matches!(framed, Framing::Frames(_)) && framing == Framing::Bare;
            *framed != framing && (other.outweighs(look) || frames && other.matches(look))
        };
        if looks.iter().any(outweighs) {
            judged.outweighed.push(reading);
        } else {
            left.push((reading, look));
        }
    }
    let plain = left.iter().any(|(_, look)| look.is_plain());
    for (reading, look) in left {
        let strange = plain && look.is_implausible();
        if strange { judged.strange.push(reading) } else { judged.left.push(reading) }
    }
    judged.same = all_same(&judged.left);
    judged
}
