//! The dialect and the framing of a file of values, as far as they are not known.

use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;

use crate::Framing;
use crate::detect::{
    BeforeData, BehindHeader, Candidate, Detection, Detector, Other, Rejection, Verdict,
};
use crate::wrapper::{Layer, Unwrapped};

/// Known facts about a file of values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// The engine.
    pub dialect: Option<Dialect>,
    /// The framing.
    pub framing: Option<Framing>,
    /// The engine of the pack in which the file is. It is as certain as a known one, but the file need not hold values.
    pub pack: Option<Dialect>,
}

/// The guess about a file of values.
#[derive(Debug)]
pub enum Guess {
    /// Dialect and framing were known, or no other fits better.
    Known(Dialect, Framing),
    /// This reading, by detection.
    One(Reading),
    /// One of these readings, which give the same values: the first is used.
    Alike(Vec<Reading>),
    /// One of these readings, which give different values.
    Ambiguous(Vec<Reading>),
    /// No reading reaches the end; this one reads the longest part.
    Partial(Reading),
    /// Values after a header of the game, in one of these readings.
    Behind(Between, Vec<Reading>),
    /// No values, but another format, if it was detected.
    Nothing(Option<Other>),
}

/// The place of values after a header of the game.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// Number of bytes before the values.
    pub offset: u64,
    /// Number of bytes of other data after the values.
    pub behind: u64,
    /// Whether all readings give the same values.
    pub is_certain: bool,
}

/// A way to read a file of values: dialect and framing.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The dialect.
    pub dialect: Dialect,
    /// The framing.
    pub framing: Framing,
    /// Number of values.
    pub values: u64,
    /// The reason for this reading, if it is known.
    pub why: String,
    /// The engines that read the values too, but no file in such layers.
    pub excluded: Vec<Dialect>,
    /// Number of bytes that can be read, where not all can.
    pub reached: Option<u64>,
    /// Offset of the fault in the file, if there is one.
    pub fault: Option<u64>,
    /// Number of further bytes that are needed, where the bytes end too early.
    pub needed: Option<u64>,
    /// Other engines that read the same part, where not all can be read.
    pub as_far: Vec<Dialect>,
    /// The candidate of the detection, where it reads all bytes.
    pub candidate: Option<Candidate>,
    /// Whether other readings fit as well, but were excluded as unlikely.
    pub likely: bool,
    /// The known fact: `format` or `framing`.
    pub known: Option<&'static str>,
}

impl Guess {
    /// Returns the readings with the same values as the first, which is used. A file written for one of them may give other
    /// values in another.
    #[must_use]
    pub fn alike(&self) -> &[Reading] {
        match self {
            Self::Alike(readings) => readings.get(1..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Moves the offset of the fault by `by` bytes, for the bytes before the content.
    fn shifted(mut self, by: u64) -> Self {
        if let Self::Partial(Reading { fault: Some(fault), .. }) = &mut self {
            *fault += by;
        }
        self
    }
}

impl Known {
    /// Detects what is not known. Ends the content of the file before other data.
    #[must_use]
    pub fn guess(self, file: &mut Unwrapped) -> Guess {
        let leave = |file: &mut Unwrapped, before: &BeforeData| {
            file.leave_behind(usize::try_from(before.length).unwrap_or(usize::MAX));
        };
        if let (Some(dialect), Some(framing)) = (self.dialect, self.framing) {
            let detection = self.detector().detect(file.content());
            if let Some(before) = self.before_data(&detection, file.content()) {
                leave(file, &before);
            }
            return Guess::Known(dialect, framing);
        }
        // The detector assumes what is known, which may settle an ambiguity.
        let mut detection = self.detector().detect(file.content());
        if let Some(before) = self.before_data(&detection, file.content()) {
            leave(file, &before);
            detection = before.detection;
        }
        if let Some(behind) = self.behind(&detection, file) {
            return behind;
        }
        let readings = self.among(&detection, file.layers());
        match readings.len() {
            0 => {
                let partial = self.partial(&detection).shifted(file.skipped() as u64);
                // A pack of one engine may hold a file of another.
                match self.pack.map(|_| Self { pack: None, ..self }.guess(file)) {
                    Some(other @ (Guess::One(_) | Guess::Alike(_))) => other,
                    _ => partial,
                }
            }
            1 => readings.into_iter().next().map_or(Guess::Nothing(None), Guess::One),
            _ if detection.verdict == Verdict::Ambiguous => Guess::Ambiguous(readings),
            _ => Guess::Alike(readings),
        }
    }

    /// Returns the guess about values after a header of the game.
    fn behind(&self, detection: &Detection, file: &Unwrapped) -> Option<Guess> {
        let is_open = self.framing.is_none() && is_open(detection) && detection.partial().is_none();
        let behind = is_open.then(|| self.detector().behind_header(file.content()))??;
        let BehindHeader { offset, behind, fault, detection, .. } = behind;
        let skipped = file.skipped() as u64;
        let mut readings = self.among(&detection, file.layers());
        // Values at the start are no header: the file is damaged between them and the others.
        let Some(fault) = fault.filter(|_| !readings.is_empty()) else {
            let is_certain = detection.verdict != Verdict::Ambiguous;
            let between = Between { offset: skipped + offset, behind, is_certain };
            return Some(Guess::Behind(between, readings));
        };
        let as_far = readings[1..].iter().map(|reading| reading.dialect).collect();
        let reading = readings.swap_remove(0);
        let (reached, fault) = (Some(fault), Some(skipped + fault));
        Some(Guess::Partial(Reading { reached, fault, as_far, candidate: None, ..reading }))
    }

    /// Returns the values at the start of bytes of which this is the detection.
    fn before_data(&self, detection: &Detection, bytes: &[u8]) -> Option<BeforeData> {
        let before = is_open(detection).then(|| self.detector().before_data(bytes))??;
        // Bare values in a row are what they are.
        let is_framed = before.detection.leading().iter().any(|it| it.framing.order().is_some());
        (is_framed || detection.candidates.is_empty()).then_some(before)
    }

    /// Returns the detector of the parts that are still open.
    fn detector(&self) -> Detector {
        let detector = Detector::new();
        let known = self.dialect.or(self.pack);
        let detector = known.map_or(detector, |dialect| detector.family(dialect.family()));
        self.framing.map_or(detector, |framing| detector.framing(framing))
    }

    /// Returns the candidates as readings.
    fn among(&self, detection: &Detection, layers: &[Layer]) -> Vec<Reading> {
        let likely = detection.is_by_likelihood();
        let readings = detection.leading().iter().map(|candidate| {
            let Candidate { dialect, framing, values, why, .. } = candidate;
            let reading = self.reading(*dialect, *framing, *values, why);
            Reading { candidate: Some(candidate.clone()), likely, ..reading }
        });
        fitting(readings.collect(), layers)
    }

    fn partial(&self, detection: &Detection) -> Guess {
        if let Some(other) = detection.other {
            // If anything is known, the fault in that format may be of interest.
            return match (self.dialect, self.framing) {
                (None, None) => Guess::Nothing(Some(other)),
                (dialect, framing) => Guess::Known(
                    dialect.unwrap_or(Dialect::GODOT4),
                    framing.unwrap_or(Framing::BareSequence),
                ),
            };
        }
        // Of a known dialect, the readable part is one even if it fits by chance.
        let known = self.dialect.and_then(|_| detection.refusals.first());
        let found = detection.partial().or(known).map(|refusal| {
            let Rejection { dialect, framing, values, reached, error, .. } = refusal;
            let reading = self.reading(*dialect, *framing, *values, &error.to_string());
            let others = detection.partials().iter().map(|it| it.dialect);
            let as_far = others.filter(|other| other != dialect).collect();
            let (reached, fault) = (Some(*reached), Some(error.offset()));
            Reading { reached, fault, needed: error.needed(), as_far, ..reading }
        });
        match (found, self.dialect) {
            (Some(reading), _) => Guess::Partial(reading),
            (None, Some(dialect)) => {
                Guess::Known(dialect, self.framing.unwrap_or(Framing::BareSequence))
            }
            (None, None) => Guess::Nothing(None),
        }
    }

    /// Returns the release that the pack names, in the precision that was detected.
    fn release(&self, found: Dialect) -> Option<Dialect> {
        let engine = self.pack.filter(|engine| engine.family() == found.family())?;
        match found.precision() {
            Precision::Single => Some(engine),
            Precision::Double => format!("{engine}-double").parse().ok(),
        }
    }

    fn reading(&self, dialect: Dialect, framing: Framing, values: u64, why: &str) -> Reading {
        Reading {
            dialect: self.dialect.or(self.release(dialect)).unwrap_or(dialect),
            framing,
            values,
            why: why.to_owned(),
            excluded: Vec::new(),
            reached: None,
            fault: None,
            needed: None,
            as_far: Vec::new(),
            candidate: None,
            likely: false,
            known: match (self.dialect, self.framing) {
                (Some(_), _) => Some("format"),
                (None, Some(_)) => Some("framing"),
                (None, None) => None,
            },
        }
    }
}

/// Returns whether nothing fits but bare values in a row, which many bytes are.
fn is_open(detection: &Detection) -> bool {
    let in_a_row = |it: &Candidate| it.framing == Framing::BareSequence;
    detection.candidates.iter().all(in_a_row) && detection.other.is_none()
}

/// Removes the readings by engines that do not read such layers, unless no reading is left: an engine that writes the
/// values otherwise puts them into other layers. (A user of several tools may have mixed them.) Values in such a file are
/// written with `store_var`, in frames.
fn fitting(readings: Vec<Reading>, layers: &[Layer]) -> Vec<Reading> {
    let reads = |reading: &Reading| layers.iter().all(|layer| layer.is_read_by(reading.dialect));
    let (mut reading, others): (Vec<_>, Vec<_>) = readings.into_iter().partition(reads);
    if reading.is_empty() || others.is_empty() {
        reading.extend(others);
    } else {
        let others: Vec<_> = others.iter().map(|other| other.dialect).collect();
        reading.iter_mut().for_each(|reading| reading.excluded.clone_from(&others));
    }
    // (A script compresses the bytes of a value without a frame itself.)
    let is_stored = layers.iter().any(|layer| !matches!(layer, Layer::Stream(_)));
    let is_bare = |it: &Reading| matches!(it.framing, Framing::Bare | Framing::BareSequence);
    if is_stored && !reading.iter().all(is_bare) {
        reading.retain(|it| !is_bare(it));
    }
    reading
}
