//! Detects the format of an input, as far as the options leave it open.

use formwork::document::{Confidence, Format, JsonText};
use formwork_godot::detect::{
    BeforeData, BehindHeader, Candidate, Detection, Detector, Other, Rejection, Verdict, text,
};
use formwork_godot::file::{Behind, behind_header};
use formwork_godot::wrapper::Layer;
use formwork_godot::{Framing, settings};
use formwork_records::limits::Limits;
use formwork_variant::dialect::{Family, Precision};
use formwork_variant::{Decoder, Dialect, Error};

use super::failure::Failure;
use super::framing::FramingName;
use super::layers::{inside, named};
use super::quantity::counted;
use super::recover::way_to_recover;
use super::remark;
use super::source::Source;
use super::source::without_mark;
use super::style::shown as printable;

/// The guess about an input.
#[derive(Debug)]
pub(crate) enum Guess {
    /// The options give dialect and framing.
    Said(Dialect, FramingName),
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
pub(crate) struct Between {
    /// Number of bytes before the values.
    pub(crate) offset: u64,
    /// Number of bytes of other data after the values.
    pub(crate) behind: u64,
}

/// A way to read an input: dialect and framing.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) dialect: Dialect,
    pub(crate) framing: FramingName,
    pub(crate) values: u64,
    /// The reason for this reading, if it is known.
    pub(crate) why: String,
    /// Number of bytes that can be read, where not all can.
    pub(crate) reached: Option<u64>,
    /// Offset of the fault, if there is one.
    pub(crate) fault: Option<u64>,
    /// Number of further bytes that are needed, where the bytes end too early.
    pub(crate) needed: Option<u64>,
    /// Other engines that read the same part, where not all can be read.
    pub(crate) as_far: Vec<Dialect>,
    /// The candidate of the detection, where it reads all bytes.
    pub(crate) candidate: Option<Candidate>,
    /// Whether other readings fit as well, but were excluded as unlikely.
    pub(crate) likely: bool,
    /// The option that gave dialect or framing, if one did.
    pub(crate) said: Option<&'static str>,
}

/// Returns the name of an engine whose release the bytes do not identify: `godot4` for the newest
/// release of a family, also for all releases that write the same; `godot3.0` for one that writes
/// otherwise.
pub(crate) fn engine_name(dialect: Dialect) -> String {
    let families = ["godot2", "godot3", "godot4"];
    let newest = families.into_iter().find(|name| name.parse() == Ok(dialect));
    newest.map_or_else(|| dialect.to_string(), str::to_owned)
}

/// Describes an engine, with the releases that write the same: `Godot 4 (4.0 to 4.7 write the
/// same)`.
pub(crate) fn engine_in_words(dialect: Dialect, releases: &[Dialect]) -> String {
    let engine = match dialect.family() {
        Family::Godot2 => "Godot 2",
        Family::Godot3 => "Godot 3",
        Family::Godot4 => "Godot 4",
        _ => return dialect.description().to_owned(),
    };
    let [first, .., last] = releases else { return dialect.description().to_owned() };
    // A description is "Godot" and a release, or the first and last release of a range.
    let (first, last) = (first.description(), last.description());
    let first = first.trim_start_matches("Godot ").split(' ').next().unwrap_or(first);
    let last = last.rsplit(' ').next().unwrap_or(last);
    let double = match dialect.precision() {
        Precision::Single => "",
        Precision::Double => ", built with precision=double",
    };
    format!("{engine}{double} ({first} to {last} write the same)")
}

impl Reading {
    /// Describes the fault of bytes that are not read to the end.
    pub(crate) fn damage(&self) -> Option<String> {
        Some(match (self.needed, self.fault?) {
            (Some(1), _) => "cut off: at least 1 more byte is needed".to_owned(),
            (Some(needed), _) => format!("cut off: at least {needed} more bytes are needed"),
            (None, fault) => format!("damaged: fault at offset {fault} (0x{fault:x})"),
        })
    }
}

impl Guess {
    /// Detects from the bytes what the options leave open. Ends the content of the source before other data.
    pub(crate) fn of(
        source: &mut Source,
        format: Option<Dialect>,
        framing: Option<FramingName>,
    ) -> Self {
        let said = Said { format, framing, engine: source.engine };
        if let (Some(dialect), Some(framing)) = (format, framing) {
            if let Some(before) = said.before_data(source.content()) {
                source.file.leave_behind(before.length as usize);
            }
            return Self::Said(dialect, framing);
        }
        Self::assuming(source, said)
    }

    fn assuming(source: &mut Source, said: Said) -> Self {
        // The detector assumes the options, which may settle an ambiguity.
        let mut detection = said.detector().detect(source.content());
        if let Some(before) = said.before_data_of(&detection, source.content()) {
            source.file.leave_behind(before.length as usize);
            detection = before.detection;
        }
        let readings = by_container(said.among(&detection), source.layers());
        let in_a_row = |it: &Candidate| it.framing == Framing::BareSequence;
        if said.framing.is_none()
            && detection.candidates.iter().all(in_a_row)
            && detection.other.is_none()
        {
            let partial = detection.partial().is_some();
            let behind =
                (!partial).then(|| said.detector().behind_header(source.content())).flatten();
            if let Some(BehindHeader { offset, behind, fault, detection, .. }) = behind {
                let skipped = source.skipped() as u64;
                let mut readings = by_container(said.among(&detection), source.layers());
                // Values at the start are no header: the file is damaged between them and the others.
                let Some(fault) = fault.filter(|_| !readings.is_empty()) else {
                    return Self::Behind(Between { offset: skipped + offset, behind }, readings);
                };
                let as_far = readings[1..].iter().map(|reading| reading.dialect).collect();
                let reading = readings.swap_remove(0);
                let (reached, fault) = (Some(fault), Some(skipped + fault));
                return Self::Partial(Reading {
                    reached,
                    fault,
                    as_far,
                    candidate: None,
                    ..reading
                });
            }
        }
        match readings.len() {
            0 => {
                let partial = said.partial(&detection).shifted(source.skipped() as u64);
                // A pack of one engine may hold a file of another.
                match said.engine.map(|_| Self::assuming(source, Said { engine: None, ..said })) {
                    Some(other @ (Self::One(_) | Self::Alike(_))) => other,
                    _ => partial,
                }
            }
            1 => readings.into_iter().next().map_or(Self::Nothing(None), Self::One),
            _ if detection.verdict == Verdict::Ambiguous => Self::Ambiguous(readings),
            _ => Self::Alike(readings),
        }
    }

    /// Moves the offset of the fault by `by` bytes, for the bytes before the content.
    fn shifted(mut self, by: u64) -> Self {
        if let Self::Partial(Reading { fault: Some(fault), .. }) = &mut self {
            *fault += by;
        }
        self
    }

    /// Returns the readings with the same values as the first, which is used. A file written for
    /// one of them may give other values in another.
    pub(crate) fn alike(&self) -> Vec<(Dialect, FramingName)> {
        match self {
            Self::Alike(readings) => {
                readings.iter().skip(1).map(|it| (it.dialect, it.framing)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the dialect and framing for reading the source.
    pub(crate) fn settle(self, source: &Source) -> Result<(Dialect, FramingName), Failure> {
        let name = &source.name;
        match self {
            Self::Said(dialect, framing) => Ok((dialect, framing)),
            Self::One(reading) => Ok((reading.dialect, reading.framing)),
            Self::Alike(readings) => match readings.first() {
                Some(reading) => Ok((reading.dialect, reading.framing)),
                None => Err(nothing(source, None)),
            },
            Self::Partial(reading) => {
                let (dialect, framing) = (reading.dialect, reading.framing);
                remark(&partial_remark(source, &reading));
                Ok((dialect, framing))
            }
            Self::Behind(place, readings) => Err(behind(name, place, &readings)),
            Self::Ambiguous(readings) => Err(ambiguous(source, &readings)),
            Self::Nothing(other) => Err(nothing(source, other)),
        }
    }
}

/// The format and framing from the options, and the engine from the pack.
struct Said {
    format: Option<Dialect>,
    framing: Option<FramingName>,
    /// The dialect that the pack of the file names. It is as certain as an option, but the file
    /// need not hold values.
    engine: Option<Dialect>,
}

impl Said {
    /// Returns the values at the start of bytes that are not values to their end.
    fn before_data(&self, bytes: &[u8]) -> Option<BeforeData> {
        self.before_data_of(&self.detector().detect(bytes), bytes)
    }

    /// Returns the values at the start of bytes of which this is the detection.
    fn before_data_of(&self, detection: &Detection, bytes: &[u8]) -> Option<BeforeData> {
        let in_a_row = |it: &Candidate| it.framing == Framing::BareSequence;
        let is_open = detection.candidates.iter().all(in_a_row) && detection.other.is_none();
        let before = is_open.then(|| self.detector().before_data(bytes))??;
        // Bare values in a row are what they are.
        let is_framed = before.detection.leading().iter().any(|it| it.framing.order().is_some());
        (is_framed || detection.candidates.is_empty()).then_some(before)
    }

    /// Returns the detector of the parts that are still open.
    fn detector(&self) -> Detector {
        let detector = Detector::new();
        let known = self.format.or(self.engine);
        let detector = known.map_or(detector, |dialect| detector.family(dialect.family()));
        self.framing.map_or(detector, |framing| detector.framing(framing.framing()))
    }

    /// Returns the candidates as readings.
    fn among(&self, detection: &Detection) -> Vec<Reading> {
        let likely = detection.is_by_likelihood();
        let readings = detection.leading().iter().map(|candidate| {
            let Candidate { dialect, framing, values, why, .. } = candidate;
            let reading = self.reading(*dialect, *framing, *values, why);
            Reading { candidate: Some(candidate.clone()), likely, ..reading }
        });
        readings.collect()
    }

    fn partial(&self, detection: &Detection) -> Guess {
        if let Some(other) = detection.other {
            // With an option for the format, the user may be shown the fault in that format.
            return match (self.format, self.framing) {
                (None, None) => Guess::Nothing(Some(other)),
                (format, framing) => Guess::Said(
                    format.unwrap_or(Dialect::GODOT4),
                    framing.unwrap_or(FramingName::Bare),
                ),
            };
        }
        // With an option for the format, the readable part is shown, even if it fits by chance.
        let said = self.format.and_then(|_| detection.refusals.first());
        let found = detection.partial().or(said).map(|refusal| {
            let Rejection { dialect, framing, values, reached, error, .. } = refusal;
            let reading = self.reading(*dialect, *framing, *values, &error.to_string());
            let others = detection.partials().iter().map(|it| it.dialect);
            let as_far = others.filter(|other| other != dialect).collect();
            let (reached, fault) = (Some(*reached), Some(error.offset()));
            Reading { reached, fault, needed: error.needed(), as_far, ..reading }
        });
        match (found, self.format) {
            (Some(reading), _) => Guess::Partial(reading),
            (None, Some(dialect)) => {
                Guess::Said(dialect, self.framing.unwrap_or(FramingName::Bare))
            }
            (None, None) => Guess::Nothing(None),
        }
    }

    /// Returns the release that the pack names, in the precision that was detected.
    fn release(&self, found: Dialect) -> Option<Dialect> {
        let engine = self.engine.filter(|engine| engine.family() == found.family())?;
        match found.precision() {
            Precision::Single => Some(engine),
            Precision::Double => format!("{engine}-double").parse().ok(),
        }
    }

    fn reading(&self, dialect: Dialect, framing: Framing, values: u64, why: &str) -> Reading {
        Reading {
            dialect: self.format.or(self.release(dialect)).unwrap_or(dialect),
            framing: FramingName::of(framing),
            values,
            why: why.to_owned(),
            reached: None,
            fault: None,
            needed: None,
            as_far: Vec::new(),
            candidate: None,
            likely: false,
            said: match (self.format, self.framing) {
                (Some(_), _) => Some("--format"),
                (None, Some(_)) => Some("--framing"),
                (None, None) => None,
            },
        }
    }
}

/// Returns the remark about a file that is not read to its end.
fn partial_remark(source: &Source, reading: &Reading) -> String {
    let name = &source.name;
    let (engine, frames) = (engine_name(reading.dialect), reading.framing.name());
    if let Some(option) = reading.said {
        // The fault may be in the option.
        let detection = Detector::new().detect(source.content());
        if let Some(best) = best_in_words(&detection) {
            let what = option.trim_start_matches('-');
            return format!("{name}: the file is {best}; leave the {what} to detection");
        }
        return format!("{name}: not all of the file is {engine}, {frames}");
    }
    let damage = reading.damage().unwrap_or_default();
    let others: Vec<_> = reading.as_far.iter().copied().map(engine_name).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        others => format!("{} fit equally well; ", others.join(", ")),
    };
    format!(
        "{name}: the file is {damage}; reading it as {engine}, {frames} ({others}use --format and \
         --framing for another format)"
    )
}

/// Returns the format that the bytes certainly have: `godot3, frames`.
fn best_in_words(detection: &Detection) -> Option<String> {
    let best = detection.best()?;
    let framing = FramingName::of(best.framing).name();
    Some(format!("{}, {framing}", engine_name(best.dialect)))
}

/// Returns the format that a source certainly has, if it is not of this engine: `godot3, frames`.
pub(crate) fn other_than(source: &Source, dialect: Dialect) -> Option<String> {
    let detection = Detector::new().detect(source.content());
    let is_other = detection.candidates.iter().all(|it| it.dialect != dialect);
    is_other.then(|| best_in_words(&detection))?
}

/// Makes the failure for values after a header, whose size an option has to give.
fn behind(name: &str, place: Between, readings: &[Reading]) -> Failure {
    let failure = Failure::no(format!("{name}: the file does not start with a value"));
    failure.hint(behind_in_words(place, readings))
}

/// Names the format after a header, and the option that skips the header.
pub(crate) fn behind_in_words(place: Between, readings: &[Reading]) -> String {
    let Between { offset, behind } = place;
    let before = match behind {
        0 => String::new(),
        more => format!(", before {} of other data", counted(more, "byte")),
    };
    let mut engines: Vec<_> = readings.iter().map(|it| engine_name(it.dialect)).collect();
    engines.dedup();
    let framing = readings.first().map_or("", |first| first.framing.name());
    format!(
        "from offset {offset} on it is {}, {framing}{before}: use --skip {offset}",
        engines.join(" or ")
    )
}

fn ambiguous(source: &Source, readings: &[Reading]) -> Failure {
    let name = &source.name;
    let failure = Failure::usage(format!("{name}: several formats fit; choose one:"));
    lines(readings, source.content()).into_iter().fold(failure, Failure::line)
}

/// Returns a line for each way to read the bytes: the option that chooses it, and the values that
/// it gives.
pub(crate) fn lines(readings: &[Reading], bytes: &[u8]) -> Vec<String> {
    let framing_differs = readings.iter().any(|it| it.framing != readings[0].framing);
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for reading in readings {
        let mut gives = shown(reading, bytes);
        if framing_differs {
            gives = format!("{gives} (with --framing {})", reading.framing.name());
        }
        let engine = engine_name(reading.dialect);
        match lines.iter_mut().find(|(known, _)| *known == gives) {
            Some((_, engines)) => engines.push(engine),
            None => lines.push((gives, vec![engine])),
        }
    }
    lines
        .into_iter()
        .map(|(gives, engines)| format!("--format {}: {gives}", engines.join(" or ")))
        .collect()
}

/// Returns the first value as the engine prints it, shortened to a line, and the number of the
/// others.
fn shown(reading: &Reading, bytes: &[u8]) -> String {
    /// Maximum number of characters of a value.
    const ROOM: usize = 60;
    let decoder = Decoder::new(reading.dialect).double().allow_objects(true);
    let first = match (reading.framing, reading.framing.order()) {
        (FramingName::Settings, _) => settings::decode(bytes, &decoder).ok(),
        (_, None) => decoder.values(bytes).flatten().next(),
        (_, Some(order)) => decoder.decode_frames(bytes, order).flatten().next(),
    };
    let text = first.map(|value| value.display(reading.dialect).to_string()).unwrap_or_default();
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > ROOM {
        line = line.chars().take(ROOM).chain("...".chars()).collect();
    }
    match reading.values {
        0 | 1 => printable(line),
        values => format!("{}, and {} more", printable(line), values - 1),
    }
}

/// Removes the readings by engines that do not read such containers, unless no reading is left:
/// other engines put their values into other containers. (A user of several tools may have mixed
/// them.)
fn by_container(readings: Vec<Reading>, layers: &[Layer]) -> Vec<Reading> {
    let reads = |reading: &Reading| layers.iter().all(|layer| layer.is_read_by(reading.dialect));
    let (mut reading, others): (Vec<_>, Vec<_>) = readings.into_iter().partition(reads);
    if reading.is_empty() || others.is_empty() {
        reading.extend(others);
    } else {
        let others: Vec<_> = others.iter().map(|other| engine_name(other.dialect)).collect();
        let why = format!("; files in {} are not for {}", named(layers), others.join(", "));
        reading.iter_mut().for_each(|reading| reading.why.push_str(&why));
    }
    // Godot writes to such files with `store_var`, which frames values.
    let is_stored = layers.iter().any(|layer| !matches!(layer, Layer::Stream(_)));
    if is_stored && reading.iter().any(|it| it.framing != FramingName::Bare) {
        reading.retain(|it| it.framing != FramingName::Bare);
    }
    reading
}

/// The hint for a content of unknown format.
pub(crate) const RAW_HINT: &str = "'formwork decode FILE --as raw' prints the content as it is";

/// Returns what is after a header of the game, if it is no value of an engine, as the length of the header and in words.
pub(crate) fn found_behind(source: &Source, other: Option<Other>) -> Option<(u64, String)> {
    if !matches!(other, None | Some(Other::Text)) {
        return None;
    }
    let (at, found) = behind_header(source.content(), &Limits::default())?;
    let skip = (source.skipped() + at) as u64;
    let what = match found {
        Behind::Json => "JSON text",
        Behind::Layer(Layer::Compressed(_)) => "a compressed file (GCPF)",
        Behind::Layer(Layer::Encrypted(_)) => "an encrypted file (GDEC)",
        Behind::Layer(Layer::Stream(stream)) => stream.description(),
        _ => "something",
    };
    Some((skip, format!("from offset {skip} on it is {what}: use --skip {skip}")))
}

/// Makes the failure for a source that no reading fits.
pub(crate) fn nothing(source: &Source, other: Option<Other>) -> Failure {
    let (name, layers, bytes) = (&source.name, source.layers(), source.bytes());
    if bytes.is_empty() {
        let inside = inside(layers);
        return Failure::no(format!("{name}: {inside}the file is empty"));
    }
    let inside = inside(layers);
    let fault = json_fault(source, other);
    let has_fault = fault.is_some();
    if let Some((_, found)) = found_behind(source, other) {
        return Failure::no(format!("{name}: {inside}the file does not start with a value"))
            .hint(found);
    }
    let failure = match (other, fault) {
        (_, Some(error)) => Failure::in_text(name, source.content(), error),
        (Some(other), _) => {
            Failure::no(format!("{name}: {inside}this is {other} and contains no values"))
        }
        (None, _) => {
            let fits = if layers.is_empty() { " this file" } else { "" };
            return Failure::no(format!("{name}: {inside}no known format fits{fits}"))
                .hint("use --format and --framing to see how far a format fits");
        }
    };
    let instead = match other {
        _ if has_fault => "mend the JSON in a text editor",
        _ if layers.is_empty() => return failure,
        _ => return failure.hint(RAW_HINT),
    };
    let failure = failure.hint(instead);
    let failure = if has_fault { failure.hint(way_to_recover(source)) } else { failure };
    if layers.is_empty() {
        return failure;
    }
    failure
        .hint("take it out: formwork decode FILE --as raw -o TEXT")
        .hint("put it back: formwork encode TEXT --as raw --like FILE -o FILE")
}

/// Returns the fault of a content that is JSON with a fault.
pub(crate) fn json_fault(source: &Source, other: Option<Other>) -> Option<Error> {
    let is_text = matches!(other, None | Some(Other::Json | Other::Text));
    let content = source.content();
    if is_text { fault_of_json(content) } else { None }
}

/// Returns the fault of a text that begins as JSON does.
fn fault_of_json(bytes: &[u8]) -> Option<Error> {
    let start = without_mark(bytes).trim_ascii_start();
    let (first, inside) = start.split_first()?;
    let begins = match (first, inside.trim_ascii_start().first()) {
        (b'{', Some(b'"' | b'}')) | (b'[', Some(b'"' | b'{' | b'[')) => true,
        _ if JsonText.sniff(bytes) > Confidence::None => true,
        // Brackets at the start may also be the name of a section.
        _ => text(bytes) == Some(Other::Json),
    };
    begins.then(|| JsonText.problems(bytes).into_iter().next())?
}
