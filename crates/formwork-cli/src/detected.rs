//! The format that `info` detected, and why.

use formwork_godot::detect::Other;
use formwork_variant::Dialect;

use super::framing::FramingName;
use super::guess::{
    Between, Guess, Reading, behind_in_words, damage, engine_in_words, engine_name, found_behind,
    framing_name, json_fault, lines, why,
};
use super::lines::{Finding, Grade};
use super::recover::way_to_recover;
use super::report::{CERTAIN, Entry, Report, SAID, Sure};
use super::source::Source;

impl Report {
    /// Adds the format, its certainty, and the options for reading it. With `is_named` an option
    /// names the format.
    pub(crate) fn detected(
        &mut self,
        guess: Guess,
        is_named: bool,
        source: &Source,
    ) -> Option<(Dialect, FramingName)> {
        let bytes = source.content();
        let said = match (is_named, source.engine) {
            (true, _) => Some(SAID),
            (false, engine) => {
                let found = match &guess {
                    Guess::One(reading) => Some(reading.dialect.family()),
                    Guess::Alike(readings) => readings.first().map(|it| it.dialect.family()),
                    _ => None,
                };
                // A file of another engine may be in the pack.
                let engine = engine.filter(|it| found.is_none_or(|found| found == it.family()));
                engine.map(|_| PACKED)
            }
        };
        let (sure, reading, others) = match guess {
            Guess::Known(dialect, framing) => {
                let framing = FramingName::of(framing);
                self.add("format", Entry::named(dialect.to_string(), dialect.description()));
                self.add("sure", Entry::named(SAID.0, SAID.1));
                self.add("framing", Entry::named(framing.name(), framing.description()));
                return Some((dialect, framing));
            }
            Guess::Behind(place, readings) => {
                self.behind(place, &readings, bytes);
                return None;
            }
            Guess::One(reading) if said.is_some() => (said.unwrap_or(SAID), reading, Vec::new()),
            Guess::One(reading) if reading.likely => (LIKELY, reading, Vec::new()),
            Guess::One(reading) => (CERTAIN, reading, Vec::new()),
            Guess::Alike(readings) => first(readings).map(|(one, others)| (ALIKE, one, others))?,
            Guess::Ambiguous(readings) => {
                first(readings).map(|(one, others)| (AMBIGUOUS, one, others))?
            }
            Guess::Partial(reading) => (PARTIAL, reading, Vec::new()),
            Guess::Nothing(other) => {
                let fault = json_fault(source, other);
                let other = other.or(fault.as_ref().map(|_| Other::Json));
                let (name, what) = match other {
                    Some(other) => (other.name(), other.description()),
                    None if bytes.is_empty() => ("empty", "an empty file"),
                    None => ("unknown", "no known format fits"),
                };
                self.add("format", Entry::named(name, what));
                if !bytes.is_empty() {
                    self.add("starts", Entry::line(start(bytes)));
                }
                if let Some((skip, found)) = found_behind(source, other) {
                    self.add_for_people("found", Entry::line(found));
                    self.add_for_programs("skip", Entry::Amount(skip, "byte"));
                }
                let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                if other.is_none() && (16..bytes.len()).contains(&zeros) {
                    let way = way_to_recover(source);
                    let words = format!("the first {zeros} bytes are zeros; {way}");
                    self.add_for_people("hint", Entry::line(words));
                }
                let fault = fault.map(|error| Finding::of(Grade::Damage, &error));
                self.problems(fault.into_iter().collect());
                return None;
            }
        };
        let (dialect, framing) = (reading.dialect, FramingName::of(reading.framing));
        let said = said.is_some();
        let releases = reading.candidate.as_ref().filter(|_| !said).map(|it| it.releases(bytes));
        let name = if said { dialect.to_string() } else { engine_name(dialect) };
        self.add("format", Entry::named(name, engine(&reading, said, releases.as_deref())));
        let (name, mut words) = (sure.0, sure.1.to_owned());
        if let Some(reached) = reading.reached {
            words = format!("{reached} of {} bytes fit", bytes.len());
        }
        self.add("sure", Entry::named(name, words));
        let why = why(&reading, source.layers());
        if !why.is_empty() {
            self.add("why", Entry::line(why));
        }
        self.others(sure == AMBIGUOUS, &reading, &others, bytes);
        if let Some(releases) = releases {
            let names = releases.into_iter().map(Dialect::name).collect();
            self.add_for_programs("releases", Entry::List(names));
        }
        self.add("framing", Entry::named(framing.name(), framing.description()));
        Some((dialect, framing))
    }

    /// Adds the facts about values after a header of the game.
    fn behind(&mut self, place: Between, readings: &[Reading], bytes: &[u8]) {
        let words = "values after a header of the game's own";
        self.add("format", Entry::named("unknown", words));
        self.add("starts", Entry::line(start(bytes)));
        self.add_for_people("found", Entry::line(behind_in_words(place, readings)));
        let first = readings.first().map(|it| (engine_name(it.dialect), framing_name(it)));
        if let Some((format, framing)) = first {
            self.add_for_programs("skip", Entry::Amount(place.offset, "byte"));
            self.add_for_programs("inner_format", Entry::named(format, ""));
            self.add_for_programs("framing", Entry::named(framing, ""));
        }
    }

    /// Adds the other formats that fit.
    fn others(&mut self, ambiguous: bool, reading: &Reading, others: &[Reading], bytes: &[u8]) {
        let listed = if ambiguous {
            // The values in each format help the user to choose.
            let all: Vec<_> = std::iter::once(reading).chain(others).cloned().collect();
            lines(&all, bytes)
        } else {
            let mut names: Vec<_> = others.iter().map(|other| engine_name(other.dialect)).collect();
            names.extend(reading.as_far.iter().copied().map(engine_name));
            if names.is_empty() { Vec::new() } else { vec![names.join(", ")] }
        };
        if !listed.is_empty() {
            self.add_for_people("or", Entry::Lines(listed));
            let names = others.iter().map(|other| other.dialect);
            let names = names.chain(reading.as_far.iter().copied()).map(engine_name);
            self.add_for_programs("or", Entry::List(names.collect()));
        }
    }
}

const PACKED: Sure = ("pack", "the pack that it is in names the engine's release");

const LIKELY: Sure = ("likely", "other formats fit too, but give less likely values");
const ALIKE: Sure = ("alike", "the values are certain; several engines read them the same way");
const AMBIGUOUS: Sure = ("ambiguous", "other formats fit too, and give other values");
const PARTIAL: Sure = ("partial", "no format fits the whole file; this one fits best");

/// Describes the engine, with the releases that write the same, and the damage.
fn engine(reading: &Reading, said: bool, releases: Option<&[Dialect]>) -> String {
    let dialect = reading.dialect;
    let words = match releases {
        _ if said => dialect.description().to_owned(),
        Some(releases) => engine_in_words(dialect, releases),
        None => {
            let family = Dialect::all().filter(|it| it.family() == dialect.family());
            let words = engine_in_words(dialect, &family.collect::<Vec<_>>());
            words.split(" (").next().unwrap_or_default().to_owned()
        }
    };
    match damage(reading) {
        Some(damage) => format!("{words}, {damage}"),
        None => words,
    }
}

fn first(readings: Vec<Reading>) -> Option<(Reading, Vec<Reading>)> {
    let mut readings = readings.into_iter();
    let first = readings.next()?;
    Some((first, readings.collect()))
}

/// Returns the first bytes in hexadecimal, for users who recognize them.
fn start(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(16)];
    let hex: Vec<_> = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let dots = if bytes.len() > head.len() { " .." } else { "" };
    format!("{}{dots}", hex.join(" "))
}
