//! Values of an engine, in any framing: printed, decoded and checked.

use std::fmt::Write as _;
use std::io::Write;

use formwork_variant::edit::ValuePath;
use formwork_variant::{Error, Object, Real, Strictness, Variant};

use super::change::{chosen, number_of};
use super::decoded;
use super::documents;
use super::failure::{Failure, Status};
use super::file::{Checking, Decoding, File, Wanted};
use super::findings::{Deviation, Findings};
use super::form::Form;
use super::format::{LimitOptions, StrictnessName, by_precision};
use super::framing::FramingName;
use super::guess::engine_name;
use super::layers::{named, within};
use super::lines::{Finding, Grade};
use super::lost_path::lost;
use super::output::Sink;
use super::packets::Input;
use super::quantity::counted;
use super::remark;
use super::source::word;
use super::style::shown;
use super::verdict::{SHOWN, Verdict};

impl File for Input {
    fn name(&self) -> &str {
        &self.source.name
    }

    fn kind(&self) -> &str {
        "a file of values"
    }

    fn values(self: Box<Self>, _: LimitOptions) -> Result<Input, Failure> {
        Ok(*self)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        if decoding.into.is_some() {
            let name = &self.source.name;
            return Err(Failure::usage(format!(
                "{name}: this is no pack, so --into does not apply"
            )));
        }
        by_precision!(self.dialect, R => self.decode_values::<R>(decoding))
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        Ok(self.verdict(checking))
    }
}

impl Input {
    /// Prints the wanted values.
    pub(crate) fn print(&self, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        by_precision!(self.dialect, R => self.print_values::<R>(wanted, sink))
    }

    fn print_values<R: Real>(
        &self,
        wanted: &Wanted<'_>,
        sink: Sink<'_>,
    ) -> Result<Status, Failure> {
        let name = &self.source.name;
        if let Some(found) = self.sought::<R>(wanted) {
            sink.write(|out| {
                found.iter().try_for_each(|value| self.print_one(value, wanted, out))
            })?;
            return Ok(Status::Done);
        }
        let read = self.values::<R>(Strictness::Engine)?;
        let unread = read.unread(name);
        let values = chosen(name, &read.values, wanted.index)?;
        if wanted.paths.is_empty() && values.len() != 1 {
            let all = values.to_vec();
            sink.write(|out| {
                wanted.form.unwrap_or_default().write_all(
                    all,
                    self.dialect,
                    wanted.style,
                    name,
                    out,
                )
            })?;
        } else {
            let whole = [String::new()];
            let paths = if wanted.paths.is_empty() { &whole[..] } else { wanted.paths };
            let mut found = Vec::with_capacity(paths.len());
            for path in paths {
                let place = ValuePath::new(path).find_in(values, self.dialect);
                let lost = |error| lost(name, path, values, self.dialect, &error);
                let (number, place) = place.map_err(lost)?;
                found.extend(place.get(&values[number]));
            }
            sink.write(|out| {
                found.into_iter().try_for_each(|value| self.print_one(value, wanted, out))
            })?;
        }
        let Some(unread) = unread else { return Ok(Status::Done) };
        remark(&unread);
        Ok(Status::No)
    }

    /// Returns the values at the paths, and decodes no others. Returns none where this is
    /// impossible: then all values must be read for the error message.
    fn sought<R: Real>(&self, wanted: &Wanted<'_>) -> Option<Vec<Variant<R>>> {
        if wanted.paths.is_empty()
            || wanted.index.is_some()
            || self.framing == FramingName::Settings
        {
            return None;
        }
        // With several values, the first step of a path is the number of one.
        let (_, packet) = self.only_packet()?;
        let decoder = self.decoder::<R>(Strictness::Engine);
        let value = |path: &String| {
            let range = ValuePath::new(path).find_packet(packet, &decoder).ok()??;
            decoder.decode(packet.get(range)?).ok()
        };
        wanted.paths.iter().map(value).collect()
    }

    fn print_one<R: Real>(
        &self,
        value: &Variant<R>,
        wanted: &Wanted<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if let (true, Some(text)) = (wanted.is_raw, value.as_string()) {
            // The output records a write error itself.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n"));
            return Ok(());
        }
        wanted.form.unwrap_or_default().write(
            value,
            self.dialect,
            wanted.style,
            &self.source.name,
            out,
        )?;
        let text = value.as_string().map(|text| text.to_string_lossy());
        if let ([path], Some(text), None) = (wanted.paths, text, wanted.form)
            && documents::is_json(&text)
        {
            let (file, path) = (self.source.word(), word(path));
            remark(&format!(
                "the text is JSON; to read in it: formwork get --raw {file} {path} | formwork get - PATH"
            ));
        }
        Ok(())
    }

    fn decode_values<R: Real>(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        let Decoding { form, .. } = *decoding;
        let name = &self.source.name;
        let read = self.values::<R>(decoding.strictness.into()).map_err(|failure| {
            let is_certain = decoding.is_detected && decoding.strictness == StrictnessName::Engine;
            let word = self.source.word();
            let hint = format!("to read what is left: formwork decode {word} --recover");
            if is_certain && failure.is_damage() { failure.hint(hint) } else { failure }
        })?;
        let unread = read.unread(name);
        let mut values = read.values;
        let count = values.len();
        let style = decoding.style;
        if decoding.names_format {
            decoding.output.write(|out| decoded::write(values, None, self, style, out))?;
            return Ok(unread.map_or(Status::Done, |unread| {
                remark(&unread);
                Status::No
            }));
        }
        let one = match decoding.index {
            Some(index) => Some(values.swap_remove(number_of(name, index, count)?)),
            None if decoding.all || count > 1 => None,
            None => match values.pop() {
                Some(value) => Some(value),
                None => return Err(Failure::no(format!("{name}: the file contains no value"))),
            },
        };
        if decoding.index.is_none() && !decoding.all && count > 1 {
            let back = self.way_back(form, true);
            remark(&format!("{name}: {count} values, printed as one list; {back}"));
        }
        if count == 1
            && let Some(Variant::Object(Object::Id(number))) = one
        {
            remark(&format!("{name}: {}", only_a_number(number)));
        }
        decoding.output.write(|out| match one {
            Some(value) => form.write(&value, self.dialect, style, name, out),
            None => form.write_all(values, self.dialect, style, name, out),
        })?;
        let Some(unread) = unread else { return Ok(Status::Done) };
        remark(&unread);
        Ok(Status::No)
    }

    /// Returns the command that converts the output back to bytes.
    pub(crate) fn way_back(&self, form: Form, all: bool) -> String {
        let framing = match self.framing {
            FramingName::Bare => String::new(),
            framing => format!(" --framing {}", framing.name()),
        };
        let container = match self.source.layers() {
            [] => String::new(),
            layers => format!(" --wrapper {}", named(layers)),
        };
        let form = match form {
            Form::Json => String::new(),
            form => format!(" --as {}", form.name()),
        };
        let all = if all { " --all" } else { "" };
        let dialect = self.dialect;
        format!(
            "to turn it back: formwork encode{form}{all} --format {dialect}{framing}{container}"
        )
    }

    fn verdict(&self, checking: Checking<'_>) -> Verdict {
        let mut findings = Findings::default();
        let checked = by_precision!(self.dialect, R => findings.check::<R>(self));
        let located = checked.is_err() || !findings.deviations.is_empty();
        let mut all: Vec<_> = findings.deviations.iter().map(Deviation::finding).collect();
        if let Err(error) = &checked {
            all.push(Finding { path: keys_or_path(self, error), ..Finding::damage(error) });
        }
        let (ok, mut says) = self.says(checking, checked, &findings);
        let (name, layers) = (&self.source.name, self.source.layers());
        let dialect =
            if checking.is_named { self.dialect.name() } else { engine_name(self.dialect) };
        let framing = self.framing.name();
        let within = within(layers);
        if located && !layers.is_empty() {
            says.push_str(UNPACKED);
        }
        let counts = if self.framing == FramingName::Settings { "setting" } else { "value" };
        let values = counted(findings.values, counts);
        let line = format!("{name}: {dialect}, {framing}{within}, {values}: {says}");
        if !ok && all.is_empty() {
            all.push(Finding::new(Grade::Warning, &says));
        }
        Verdict { ok, line, findings: all }
    }

    fn says(
        &self,
        checking: Checking<'_>,
        checked: Result<(), Error>,
        findings: &Findings,
    ) -> (bool, String) {
        if let Err(error) = checked {
            let keys = self.keys(&error);
            let keys = if keys.is_empty() { keys } else { format!("{keys}: ") };
            return (false, format!("damaged: {keys}{error}"));
        }
        if findings.values == 0 && self.framing != FramingName::Settings {
            return (false, "empty".into());
        }
        if !findings.deviations.is_empty() {
            let accepted = checking.strictness == StrictnessName::Engine;
            return (accepted, deviations(&findings.deviations, checking.all));
        }
        if findings.unset_padding {
            return (true, "as the engine writes it, except for padding".into());
        }
        (true, "as the engine writes it".into())
    }
}

/// Returns the remark on a save with the id of an object instead of the object.
pub(super) fn only_a_number(number: u64) -> String {
    format!(
        "the file contains only the id of an object, {number}; the game stored it without \
         full_objects, so the content of the object is not in the file"
    )
}

/// Returns the warnings in words.
fn deviations(deviations: &[Deviation], all: bool) -> String {
    let shown = if all { deviations.len() } else { SHOWN };
    let mut text = "the engine would write it differently: ".to_owned();
    for (position, Deviation { rule, offset, path }) in deviations.iter().take(shown).enumerate() {
        let comma = if position > 0 { "; " } else { "" };
        // Writing to a string does not fail.
        let _ = write!(text, "{comma}{rule} at offset {offset} (0x{offset:x})");
        if !path.is_empty() {
            let _ = write!(text, ", {path}");
        }
    }
    if let more @ 1.. = deviations.len().saturating_sub(shown) {
        let _ = write!(text, "; and {more} more");
    }
    text
}

/// Returns the place of a fault: the keys of the stored values, or else the fields of the format.
fn keys_or_path(input: &Input, error: &Error) -> String {
    let keys = input.keys(error);
    if keys.is_empty() { shown(error.path()) } else { keys }
}

/// The note about offsets, for a file with containers.
pub(crate) const UNPACKED: &str = " (offsets count in the unpacked content)";
