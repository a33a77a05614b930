//! Detects the format of an input, as far as the options leave it open.

use formwork::document::{Format, JsonText};
use formwork_godot::detect::{
    BehindHeader, Candidate, Detection, Detector, Other, Rejection, Verdict, text,
};
use formwork_godot::wrapper::Layer;
use formwork_variant::Framing;
use formwork_variant::dialect::{Family, Precision};
use formwork_variant::text::TextForm;
use formwork_variant::{Decoder, Dialect, Error, Variant};

use super::failure::Failure;
use super::form::without_mark;
use super::framing::FramingName;
use super::layers::{inside, named};
use super::remark;
use super::source::Source;
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
    /// Values from this offset on, after a header of the game; one of these readings.
    Behind(u64, Vec<Reading>),
    /// No values, but another format, if it was detected.
    Nothing(Option<Other>),
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
    /// Detects from the bytes what the options leave open.
    pub(crate) fn of(
        source: &Source,
        format: Option<Dialect>,
        framing: Option<FramingName>,
    ) -> Self {
        if let (Some(dialect), Some(framing)) = (format, framing) {
            return Self::Said(dialect, framing);
        }
        Self::assuming(source, Said { format, framing, engine: source.engine })
    }

    fn assuming(source: &Source, said: Said) -> Self {
        // The detector assumes the options, which may settle an ambiguity.
        let detection = said.detector().detect(source.content());
        let readings = by_container(said.among(&detection), source.layers());
        let in_a_row = |it: &Candidate| it.framing == Framing::BareSequence;
        if said.framing.is_none()
            && detection.candidates.iter().all(in_a_row)
            && detection.other.is_none()
        {
            let partial = detection.partial().is_some();
            let behind =
                (!partial).then(|| said.detector().behind_header(source.content())).flatten();
            if let Some(BehindHeader { offset, fault, detection, .. }) = behind {
                let skipped = source.skipped() as u64;
                let mut readings = by_container(said.among(&detection), source.layers());
                // Values at the start are no header: the file is damaged between them and the others.
                let Some(fault) = fault.filter(|_| !readings.is_empty()) else {
                    return Self::Behind(skipped + offset, readings);
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
            Self::Behind(offset, readings) => Err(behind(name, offset, &readings)),
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
fn behind(name: &str, offset: u64, readings: &[Reading]) -> Failure {
    let failure = Failure::no(format!("{name}: the file does not start with a value"));
    failure.hint(behind_in_words(offset, readings))
}

/// Names the format after a header, and the option that skips the header.
pub(crate) fn behind_in_words(offset: u64, readings: &[Reading]) -> String {
    let mut engines: Vec<_> = readings.iter().map(|it| engine_name(it.dialect)).collect();
    engines.dedup();
    let framing = readings.first().map_or("", |first| first.framing.name());
    format!(
        "from offset {offset} on it is {}, {framing}: use --skip {offset}",
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
        (FramingName::Settings, _) => decoder.decode_settings(bytes).ok(),
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
    if !layers.is_empty() && reading.iter().any(|it| it.framing != FramingName::Bare) {
        reading.retain(|it| it.framing != FramingName::Bare);
    }
    reading
}

/// The hint for a content of unknown format.
pub(crate) const RAW_HINT: &str = "'formwork decode FILE --as raw' prints the content as it is";

/// Makes the failure for a source that no reading fits.
pub(crate) fn nothing(source: &Source, other: Option<Other>) -> Failure {
    let (name, layers, bytes) = (&source.name, source.layers(), source.bytes());
    if bytes.is_empty() {
        let inside = inside(layers);
        return Failure::no(format!("{name}: {inside}the file is empty"));
    }
    let inside = inside(layers);
    let is_printed =
        matches!(other, Some(Other::Json | Other::Text)) && is_printed(source.content());
    let fault = json_fault(source, other);
    let has_fault = fault.is_some();
    let failure = match (other, fault) {
        (_, Some(error)) => Failure::in_text(name, source.content(), error),
        (Some(_), _) if is_printed => Failure::no(format!(
            "{name}: {inside}this is a value as the engine prints it (var2str, var_to_str)"
        )),
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
        _ if is_printed => "such a text is changed in a text editor",
        _ if has_fault => "mend the JSON in a text editor",
        _ if layers.is_empty() => return failure,
        _ => return failure.hint(RAW_HINT),
    };
    let failure = failure.hint(instead);
    if layers.is_empty() {
        return failure;
    }
    failure
        .hint("take it out: formwork decode FILE --as raw -o TEXT")
        .hint("put it back: formwork encode TEXT --as raw --like FILE -o FILE")
}

/// Returns the fault of a content that is JSON with a fault.
pub(crate) fn json_fault(source: &Source, other: Option<Other>) -> Option<Error> {
    let is_text = matches!(other, Some(Other::Json | Other::Text));
    let content = source.content();
    if is_text && !is_printed(content) { fault_of_json(content) } else { None }
}

/// Returns the fault of a text that begins as JSON does.
fn fault_of_json(bytes: &[u8]) -> Option<Error> {
    let start = without_mark(bytes).trim_ascii_start();
    let (first, inside) = start.split_first()?;
    let begins = match (first, inside.trim_ascii_start().first()) {
        (b'{', Some(b'"' | b'}')) | (b'[', Some(b'"' | b'{' | b'[')) => true,
        // Brackets at the start may also be the name of a section.
        _ => text(bytes) == Some(Other::Json),
    };
    begins.then(|| JsonText.problems(bytes).into_iter().next())?
}

/// Returns whether a text is a value as an engine prints it, and not JSON.
fn is_printed(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    // (Engines read commas at the end of a list, too.)
    let is_one = |dialect| {
        let value = TextForm::new(dialect).read(&text.trim().into());
        value.is_ok_and(|value| !has_only_types_of_json(&value))
    };
    !is_json && [Dialect::GODOT4, Dialect::GODOT3].into_iter().any(is_one)
}

/// Returns whether all types in a value are types of JSON, too.
fn has_only_types_of_json(value: &Variant) -> bool {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Variant::Nil | Variant::Bool(_) | Variant::Int(_) | Variant::String(_) => {}
            Variant::Float(number) if number.is_finite() => {}
            Variant::Array(array) if array.element_type().is_none() => left.extend(array),
            Variant::Dictionary(pairs) if pairs.key_type().is_none() => {
                if !pairs.keys().all(|key| matches!(key, Variant::String(_))) {
                    return false;
                }
                left.extend(pairs.values());
            }
            _ => return false,
        }
    }
    true
}
