//! `decode --recover`: the readable parts of a damaged file.

use formwork_alb1::json::DocumentJson;
use formwork_godot::detect::Other;
use formwork_godot::wrapper;
use formwork_godot::wrapper::{Key, Layer};
use formwork_variant::Real;
use formwork_variant::codec::Recovered;
use formwork_variant::{Error, Strictness};

use super::alb1;
use super::change::position;
use super::config_file::{File, is_one};
use super::container::Torn;
use super::decode::Decode;
use super::decoded;
use super::failure::{Failure, Status};
use super::file::File as _;
use super::form::Form;
use super::format::{Format, by_precision};
use super::framing::FramingName;
use super::guess::Guess;
use super::layers::{named, within};
use super::packets::Input;
use super::remark;
use super::source::Source;

impl Decode {
    /// Prints the readable parts of the file, and reports the lost ones.
    pub(super) fn rescue(&self, form: Form, key: Option<&Key>) -> Result<Status, Failure> {
        let (source, torn) = Source::open_damaged(&self.file, self.input.skip, key, self.limits)?;
        let name = &source.name;
        let starts_as_alb1 = Other::by_start(source.content()) == Some(Other::Alb1);
        match self.input.format {
            Some(format @ Format::Variant(_)) if starts_as_alb1 => {
                return Err(Failure::usage(format!("{name}: this is an ALB1 file, not {format}")));
            }
            Some(Format::Variant(_)) => {}
            Some(Format::Alb1) => return self.rescue_alb1(source, form, &torn),
            None if starts_as_alb1 => return self.rescue_alb1(source, form, &torn),
            None => {}
        }
        let is_script = self.input.is_script(source.content());
        if is_script || self.input.is_resource(source.content()) {
            let what = if is_script { "a compiled script" } else { "a binary resource" };
            return Err(Failure::usage(format!("{name}: {what} is read whole or not at all"))
                .hint(format!("to see what is left of it: formwork dump '{name}'")));
        }
        if self.input.is_pack(source.content()) {
            return Err(Failure::usage(format!(
                "{name}: --recover is for files of values, not for packs"
            ))
            .hint(format!("to take out what is whole: formwork decode '{name}' --into FOLDER")));
        }
        if self.input.framing.is_none() && is_one(&source) {
            // Text has no lengths that could be wrong: each part can be read, or is kept as text.
            let said = say_torn(&source.name, source.layers(), &torn);
            let file = File::new(source, self.input.dialect());
            return Ok(file.decode(&self.decoding(form))?.and(said));
        }
        let guess = Guess::of(&readable(&source, &torn), self.input.dialect(), self.input.framing);
        if let Guess::Nothing(other) = &guess {
            if torn.may_be_garbage() {
                return Err(garbage(name));
            }
            if torn.has_lost_all_of(source.content().len() as u64) {
                let failure = Failure::no(format!(
                    "{name}: nothing can be rescued: no part of the {} content can be unpacked",
                    named(source.layers())
                ));
                return Err(torn
                    .faults
                    .iter()
                    .fold(failure, |it, error| it.line(error.to_string())));
            }
            if let Some(Other::Json) = other {
                let why = "this is JSON text, which is read whole or not at all";
                return Err(Failure::no(format!("{name}: {why}")));
            }
            if let Some(other) = other {
                return Err(Failure::no(format!("{name}: this is {other} and contains no values")));
            }
            if source.layers().is_empty() && !source.content().is_empty() {
                // The damage may be in its first bytes.
                return self.rescue_alb1(source, form, &torn);
            }
        }
        let (dialect, framing) = guess.settle(&source)?;
        let input = Input::known(source, dialect, framing, self.limits);
        by_precision!(dialect, R => self.show_rest::<R>(&input, form, &torn))
    }

    fn rescue_alb1(&self, source: Source, form: Form, torn: &Torn) -> Result<Status, Failure> {
        if self.index.is_some() || self.all {
            let name = source.name;
            return Err(Failure::usage(format!(
                "{name}: an ALB1 file is one document, so --index and --all do not apply"
            )));
        }
        let torn = say_torn(&source.name, source.layers(), torn);
        let json = DocumentJson::new().style(self.style()).trees(self.tree);
        let file = alb1::File::new(source, self.limits);
        Ok(file.recover(form, json, &self.output)?.and(torn))
    }

    fn show_rest<R: Real>(
        &self,
        input: &Input,
        form: Form,
        torn: &Torn,
    ) -> Result<Status, Failure> {
        let (name, layers) = (&input.source.name, input.source.layers());
        let mut recovered = recover::<R>(input, torn);
        let read = (input.source.content().len() as u64).saturating_sub(recovered.bytes_lost());
        if torn.may_be_garbage() && read < CHANCE && read < recovered.bytes_lost() {
            return Err(garbage(name));
        }
        let said = say_torn(name, layers, torn);
        summary(input, &recovered);
        let damaged = if recovered.is_whole() { said } else { Status::No };
        let count = recovered.values.len();
        let nothing = || Failure::no(format!("{name}: nothing in the file can be read"));
        // A frame that is lost as a whole was a value, too.
        let several = count + recovered.lost.iter().filter(|lost| lost.value.is_none()).count() > 1;
        let is_framed = input.framing.order().is_some();
        let several = several && is_framed || count > 1;
        let one = match self.index {
            _ if count == 0 => return Err(nothing()),
            Some(index) => match position(index, count) {
                Some(position) => Some(recovered.values.swap_remove(position)),
                None => {
                    let message = format!("there is no value number {index}; {count} are left");
                    return Err(Failure::no(format!("{name}: {message}")));
                }
            },
            None if self.all || several => None,
            None => recovered.values.pop(),
        };
        let style = self.style();
        if self.json {
            recovered.values.extend(one);
            self.output
                .write(|out| decoded::write_recovered(recovered, torn, input, style, out))?;
            return Ok(damaged);
        }
        self.output.write(|out| match &one {
            Some(value) => form.write(value, input.dialect, style, name, out),
            None => form.write_all(recovered.values, input.dialect, style, name, out),
        })?;
        if damaged == Status::No && self.index.is_none() {
            remark(&input.way_back(form, one.is_none()));
        }
        Ok(damaged)
    }
}

/// Number of bytes that may fit a format by chance.
const CHANCE: u64 = 64;

/// Makes the failure for a decrypted content without any readable part.
fn garbage(name: &str) -> Failure {
    Failure::no(format!("{name}: the password or key is wrong, or too much is damaged"))
}

/// Returns the source up to the first gap, if that is enough to detect its format.
fn readable(source: &Source, torn: &Torn) -> Source {
    let mut readable = source.clone();
    if let Some(gap) = torn.gaps.first()
        && gap.start >= CHANCE + source.skipped() as u64
    {
        readable.file.truncate(gap.start as usize);
    }
    readable
}

/// Recovers the readable values. Offsets are those in the file.
pub(super) fn recover<R: Real>(input: &Input, torn: &Torn) -> Recovered<R> {
    let decoder = input.decoder(Strictness::Engine);
    let bytes = input.source.content();
    let base = input.source.skipped() as u64;
    let gaps: Vec<_> = torn
        .gaps
        .iter()
        .filter(|gap| gap.end > base)
        .map(|gap| gap.start.saturating_sub(base)..gap.end - base)
        .collect();
    // Without frames, the start of the values after a gap is unknown.
    let end = gaps.first().map_or(bytes.len(), |gap| gap.start as usize);
    let first = bytes.get(..end).unwrap_or(bytes);
    let mut recovered = match (input.framing, input.framing.order()) {
        (FramingName::Settings, _) => decoder.recover_settings(first),
        (_, Some(order)) => decoder.recover_frames(bytes, order, &gaps),
        (_, None) => decoder.recover(first),
    };
    for lost in &mut recovered.lost {
        lost.range = lost.range.start + base..lost.range.end + base;
        lost.error = lost.error.clone().shifted(base);
    }
    recovered
}

/// Reports the damage in the containers.
fn say_torn(name: &str, layers: &[Layer], torn: &Torn) -> Status {
    say_some(&torn.faults, |error: &Error| match error.rule() {
        wrapper::rule::GDEC_KEY => format!(
            "{name}: the checksum does not match: the file is damaged, or the password is wrong"
        ),
        _ => format!("{name} ({}): {error}", named(layers)),
    });
    if torn.faults.is_empty() { Status::Done } else { Status::No }
}

/// Reports the losses.
fn summary<R: Real>(input: &Input, recovered: &Recovered<R>) {
    if recovered.is_whole() {
        return;
    }
    let (name, layers) = (&input.source.name, input.source.layers());
    remark(&format!(
        "{name} is damaged: {} of {} bytes{} could not be read as {}, {}",
        recovered.bytes_lost(),
        input.source.content().len(),
        within(layers),
        input.dialect,
        input.framing.name()
    ));
    let several = recovered.values.len() > 1;
    say_some(&recovered.lost, |lost| match lost.value {
        Some(value) if several => format!("lost: value {value}: {lost}"),
        _ => format!("lost: {lost}"),
    });
}

/// Prints the first elements of a list, and the number of the others.
fn say_some<T>(list: &[T], line: impl Fn(&T) -> String) {
    /// Number of elements that are printed.
    const SHOWN: usize = 20;
    list.iter().take(SHOWN).for_each(|one| remark(&line(one)));
    if let more @ 1.. = list.len().saturating_sub(SHOWN) {
        remark(&format!("and {more} more"));
    }
}
