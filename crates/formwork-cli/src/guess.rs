//! Words for the format that was detected, and for what fits nothing.

use formwork::document::{Confidence, Format, JsonText};
use formwork_godot::detect::{Detection, Detector, Other, text};
use formwork_godot::file::{Behind, Known, behind_header};
pub(crate) use formwork_godot::file::{Between, Guess, Reading};
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

/// Describes the fault of bytes that are not read to the end.
pub(crate) fn damage(reading: &Reading) -> Option<String> {
    Some(match (reading.needed, reading.fault?) {
        (Some(1), _) => "cut off: at least 1 more byte is needed".to_owned(),
        (Some(needed), _) => format!("cut off: at least {needed} more bytes are needed"),
        (None, fault) => format!("damaged: fault at offset {fault} (0x{fault:x})"),
    })
}

/// Returns the reason for a reading, with the engines that its containers exclude.
pub(crate) fn why(reading: &Reading, layers: &[Layer]) -> String {
    let excluded: Vec<_> = reading.excluded.iter().copied().map(engine_name).collect();
    match &excluded[..] {
        [] => reading.why.clone(),
        others => {
            format!("{}; files in {} are not for {}", reading.why, named(layers), others.join(", "))
        }
    }
}

/// Detects what the options leave open. Ends the content of the source before other data.
pub(crate) fn guessed(
    source: &mut Source,
    dialect: Option<Dialect>,
    framing: Option<FramingName>,
) -> Guess {
    let framing = framing.map(FramingName::framing);
    Known { dialect, framing, pack: source.engine }.guess(&mut source.file)
}

/// Returns the dialect and framing for reading the source.
pub(crate) fn settled(guess: Guess, source: &Source) -> Result<(Dialect, FramingName), Failure> {
    let name = &source.name;
    let reading = match guess {
        Guess::Known(dialect, framing) => return Ok((dialect, FramingName::of(framing))),
        Guess::One(reading) => reading,
        Guess::Alike(readings) => match readings.into_iter().next() {
            Some(reading) => reading,
            None => return Err(nothing(source, None)),
        },
        Guess::Partial(reading) => {
            remark(&partial_remark(source, &reading));
            reading
        }
        Guess::Behind(place, readings) => return Err(behind(name, place, &readings)),
        Guess::Ambiguous(readings) => return Err(ambiguous(source, &readings)),
        Guess::Nothing(other) => return Err(nothing(source, other)),
    };
    Ok((reading.dialect, FramingName::of(reading.framing)))
}

/// Returns the name of a framing on the command line.
pub(crate) const fn framing_name(reading: &Reading) -> &'static str {
    FramingName::of(reading.framing).name()
}

/// Returns the remark about a file that is not read to its end.
fn partial_remark(source: &Source, reading: &Reading) -> String {
    let name = &source.name;
    let (engine, frames) = (engine_name(reading.dialect), framing_name(reading));
    if let Some(what) = reading.known {
        // The fault may be in the option.
        let detection = Detector::new().detect(source.content());
        if let Some(best) = best_in_words(&detection) {
            return format!("{name}: the file is {best}; leave the {what} to detection");
        }
        return format!("{name}: not all of the file is {engine}, {frames}");
    }
    let damage = damage(reading).unwrap_or_default();
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
    let Between { offset, behind, .. } = place;
    let before = match behind {
        0 => String::new(),
        more => format!(", before {} of other data", counted(more, "byte")),
    };
    let mut engines: Vec<_> = readings.iter().map(|it| engine_name(it.dialect)).collect();
    engines.dedup();
    let framing = readings.first().map_or("", framing_name);
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
    let framing_differs = readings.iter().any(|it| framing_name(it) != framing_name(&readings[0]));
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for reading in readings {
        let mut gives = shown(reading, bytes);
        if framing_differs {
            gives = format!("{gives} (with --framing {})", framing_name(reading));
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
        (Framing::Settings, _) => settings::decode(bytes, &decoder).ok(),
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
    begins.then(|| JsonText.problems(bytes).into_iter().next().map(|it| it.error))?
}
