//! Finding out what an input is, within what the options say.

use formwork::Dialect;
use formwork::container::Layer;
use formwork::detect::{Candidate, Detection, Other, Refusal, Verdict, detect};

use super::container::{inside, named};
use super::failure::Failure;
use super::input::Source;
use super::packets::FramingName;
use super::remark;

/// What an input seems to be.
#[derive(Debug)]
pub(crate) enum Guess {
    /// The options say it all.
    Said(Dialect, FramingName),
    /// This one, as far as one can see.
    One(Reading),
    /// One of these, which give the same values: the first will do.
    Alike(Vec<Reading>),
    /// One of these, which give different values.
    Ambiguous(Vec<Reading>),
    /// No reading goes to the end; this one comes furthest.
    Partial(Reading),
    /// Something else altogether, if one can say what.
    Nothing(Option<Other>),
}

/// A way to read an input.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) dialect: Dialect,
    pub(crate) framing: FramingName,
    pub(crate) values: u64,
    /// Why it may be this one, where that is known.
    pub(crate) why: String,
    /// How many bytes make sense so, where not all do.
    pub(crate) reached: Option<u64>,
}

impl Guess {
    /// Looks at the bytes for what is not said.
    pub(crate) fn of(
        source: &Source,
        format: Option<Dialect>,
        framing: Option<FramingName>,
    ) -> Self {
        if let (Some(dialect), Some(framing)) = (format, framing) {
            return Self::Said(dialect, framing);
        }
        let detection = detect(source.content());
        let said = Said { format, framing };
        let leading = said.among(detection.leading());
        let readings = match leading.is_empty() {
            false => leading,
            // What is said may bring one to the front that was not there.
            true => said.among(&detection.candidates).into_iter().take(1).collect(),
        };
        let mut readings = by_container(readings, &source.layers);
        match readings.len() {
            0 => said.partial(&detection),
            1 => Self::One(readings.remove(0)),
            _ if detection.verdict == Verdict::Ambiguous => Self::Ambiguous(readings),
            _ => Self::Alike(readings),
        }
    }

    /// The dialect and framing to read the source with.
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
                remark(&format!(
                    "{name}: no format fits to the end; read as {dialect}, {}, which fits best \
                     (--format and --framing choose another)",
                    framing.name()
                ));
                Ok((dialect, framing))
            }
            Self::Ambiguous(readings) => Err(ambiguous(name, &readings)),
            nothing @ Self::Nothing(_) => Err(nothing.refuse(source)),
        }
    }

    /// Why the source cannot be read, where nothing fits it.
    pub(crate) fn refuse(self, source: &Source) -> Failure {
        match self {
            Self::Nothing(other) => nothing(source, other),
            _ => nothing(source, None),
        }
    }
}

/// What the options say.
struct Said {
    format: Option<Dialect>,
    framing: Option<FramingName>,
}

impl Said {
    /// The candidates that it leaves.
    fn among(&self, candidates: &[Candidate]) -> Vec<Reading> {
        let readings = candidates.iter().filter_map(|candidate| {
            let Candidate { dialect, framing, values, why, .. } = candidate;
            self.reading(*dialect, FramingName::of(*framing), *values, why)
        });
        readings.collect()
    }

    fn partial(&self, detection: &Detection) -> Guess {
        /// Bytes that make sense as something by chance: an odd header and what belongs to it.
        const CHANCE: u64 = 32;
        if let Some(other) = detection.other {
            // Who says what it is may be shown where it is not.
            return match (self.format, self.framing) {
                (None, None) => Guess::Nothing(Some(other)),
                (format, framing) => Guess::Said(
                    format.unwrap_or(Dialect::GODOT4),
                    framing.unwrap_or(FramingName::Bare),
                ),
            };
        }
        let found = detection.refusals.iter().find_map(|refusal| {
            let Refusal { dialect, framing, values, reached, error, .. } = refusal;
            // So much anything comes to by chance.
            let chance = *values == 0 && *reached < CHANCE && self.format.is_none();
            let reading = (!chance).then(|| {
                self.reading(*dialect, FramingName::of(*framing), *values, &error.to_string())
            })??;
            Some(Reading { reached: Some(*reached), ..reading })
        });
        match (found, self.format) {
            (Some(reading), _) => Guess::Partial(reading),
            (None, Some(dialect)) => {
                Guess::Said(dialect, self.framing.unwrap_or(FramingName::Bare))
            }
            (None, None) => Guess::Nothing(None),
        }
    }

    /// The reading, where it agrees with what is said.
    fn reading(
        &self,
        dialect: Dialect,
        framing: FramingName,
        values: u64,
        why: &str,
    ) -> Option<Reading> {
        let of_family = self.format.is_none_or(|said| said.family() == dialect.family());
        let framed = self.framing.is_none_or(|said| said == framing);
        (of_family && framed).then(|| Reading {
            dialect: self.format.unwrap_or(dialect),
            framing,
            values,
            why: why.to_owned(),
            reached: None,
        })
    }
}

fn ambiguous(name: &str, readings: &[Reading]) -> Failure {
    let failure = Failure::usage(format!("{name}: this can be read in several ways"));
    let failure = readings.iter().fold(failure, |failure, reading| {
        let Reading { dialect, framing, values, why, .. } = reading;
        let dash = if why.is_empty() { "" } else { " - " };
        failure.hint(format!(
            "--format {dialect} --framing {}: {}{dash}{why}",
            framing.name(),
            counted(*values)
        ))
    });
    failure.hint("say --format, --framing or both")
}

/// The readings by engines that read such containers, where there are any: an engine that writes the
/// values otherwise puts them into other containers. (Who joins several tools may have done so.)
fn by_container(readings: Vec<Reading>, layers: &[Layer]) -> Vec<Reading> {
    let reads = |reading: &Reading| layers.iter().all(|layer| layer.is_read_by(reading.dialect));
    let (mut reading, others): (Vec<_>, Vec<_>) = readings.into_iter().partition(reads);
    if reading.is_empty() || others.is_empty() {
        reading.extend(others);
        return reading;
    }
    let others: Vec<_> = others.iter().map(|other| other.dialect.to_string()).collect();
    let why = format!("; files in {} are not for {}", named(layers), others.join(", "));
    reading.iter_mut().for_each(|reading| reading.why.push_str(&why));
    reading
}

/// How to have what no format fits.
pub(crate) const RAW_HINT: &str = "'formwork decode FILE --as raw' gives what is inside as it is.";

fn nothing(source: &Source, other: Option<Other>) -> Failure {
    let Source { name, layers, .. } = source;
    if !layers.is_empty() {
        let inside = inside(layers);
        let failure = match other {
            Some(other) => Failure::no(format!("{name}: {inside}this is {other}, no values")),
            None => Failure::no(format!("{name}: {inside}there is nothing that any format fits"))
                .hint("Say --format and --framing to see how far one of them fits."),
        };
        return failure.hint(RAW_HINT);
    }
    match other {
        Some(other) => {
            Failure::no(format!("{name}: this is {other}; nothing in it can be read as it is"))
        }
        None => Failure::no(format!("{name}: there is nothing in it that any format fits"))
            .hint("say --format and --framing to see how far one of them fits"),
    }
}

/// So many values.
pub(crate) fn counted(values: u64) -> String {
    match values {
        1 => "1 value".into(),
        values => format!("{values} values"),
    }
}
