//! Values of an engine, in any framing: printed, decoded and checked.

mod change;
mod content;
mod convert;
mod encode;
mod info;
mod place;
mod recover;
mod verify;

use std::io::Write;

use formwork::document::Document;
use formwork_edit::ValuePath;
use formwork_godot::inspect::Inspector;
use formwork_variant::{Dialect, Error, Object, Real, Strictness, Variant, VariantType};

use crate::container::Torn;
use crate::converting::{Converted, Converting};
use crate::decoded;
use crate::failure::{Failure, Status};
use crate::file::{
    Change, Checking, Chosen, Decoding, Describing, File, JsonValues, NewContent, Wanted,
};
use crate::form::{Form, is_json};
use crate::format::by_precision;
use crate::framing::FramingName;
use crate::layers::named;
use crate::lost_path::{lost, no_place};
use crate::number::{chosen, number_of};
use crate::output::Sink;
use crate::packets::Input;
use crate::remark;
use crate::report::Report;
use crate::rows::Rows;
use crate::source::{Source, word};
use crate::verdict::Verdict;
use content::of_values;
pub(crate) use encode::encode_new;
pub(crate) use recover::{nothing_left, readable, recover};

impl File for Input {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        "a file of values"
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        by_precision!(self.dialect, R => self.print_values::<R>(wanted, sink))
    }

    fn json(self: Box<Self>, chosen: Chosen) -> Result<JsonValues, Failure> {
        self.as_json(chosen.index)
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

    fn recover(&self, decoding: &Decoding<'_>, torn: &Torn) -> Result<Status, Failure> {
        by_precision!(self.dialect, R => self.write_left::<R>(decoding, torn))
    }

    fn describe(&self, report: &mut Report, _: Describing) -> Status {
        report.values(self);
        Status::Done
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        Ok(self.verdict(checking))
    }

    fn refuse_several(&self, _: bool, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn member(&self, names: &[&str]) -> Option<JsonValues> {
        by_precision!(self.dialect, R => self.member_alone::<R>(names))
    }

    fn document(&self, Chosen { index, limits, .. }: Chosen) -> Result<Box<dyn Document>, Failure> {
        self.document_as((self.dialect, self.framing), index, limits)
    }

    fn say_unread(&self) -> Result<bool, Failure> {
        self.said_unread()
    }

    fn change(&self, chosen: Chosen, change: &mut Change<'_>) -> Result<NewContent, Failure> {
        self.changed(chosen, change)
    }

    fn convert(&self, converting: &Converting<'_>) -> Result<Converted, Failure> {
        by_precision!(self.dialect, R => {
            by_precision!(converting.to, S => self.converted_to::<R, S>(converting))
        })
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(self.dialect)
    }

    fn rewritten(&self, new: &[u8]) -> usize {
        by_precision!(self.dialect, R => {
            let (old, new) = (self.odd::<R>(self.source.content()), self.odd::<R>(new));
            old.iter().zip(new).map(|(old, new)| old.saturating_sub(new)).sum()
        })
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        rows.seek(|path| by_precision!(self.dialect, R => self.place::<R>(path)));
        let inspector = Inspector::new(self.source.bytes_to_end(), self.dialect)
            .behind(self.source.skipped())
            .framing(self.framing.framing())
            .list_elements(rows.all_elements());
        rows.fields(inspector);
        if let Some(told) = self.source.told_behind() {
            rows.remark(&told);
        }
        Ok(())
    }
}

impl Input {
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
                let (number, place) =
                    place.map_err(|error| self.lost(path, wanted.index, &error))?;
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

    /// Makes the failure for a path that leads to no value.
    fn lost(&self, path: &str, index: Option<i64>, error: &Error) -> Failure {
        let name = &self.source.name;
        match self.document_as((self.dialect, self.framing), index, self.limits) {
            Ok(document) => lost(name, path, &*document, error),
            Err(_) => no_place(name, path, error),
        }
    }

    /// Returns the values as JSON.
    fn as_json(&self, index: Option<i64>) -> Result<JsonValues, Failure> {
        let (name, dialect) = (&self.source.name, self.dialect);
        by_precision!(dialect, R => {
            let mut read = self.values::<R>(Strictness::Engine)?;
            let unread = read.unread(name);
            if let Some(index) = index {
                let number = number_of(name, index, read.values.len())?;
                read.values = vec![read.values.swap_remove(number)];
            }
            let values = of_values(read.values, dialect, name)?;
            Ok(JsonValues { values, dialect: Some(dialect), unread })
        })
    }

    /// Returns the value at the end of keys of dictionaries, and makes no other.
    fn member_alone<R: Real>(&self, keys: &[&str]) -> Option<JsonValues> {
        let decoder = self.decoder::<R>(Strictness::Engine);
        let (_, mut packet) = self.only_packet()?;
        for key in keys {
            let first = decoder.walk(packet).next()?.ok()?;
            if first.variant_type != VariantType::Dictionary {
                return None;
            }
            // In quotation marks it is a text and nothing else.
            let path = format!("\"{key}\"");
            let range = ValuePath::new(&path).find_packet(packet, &decoder).ok()??;
            packet = packet.get(range)?;
        }
        let value = decoder.decode(packet).ok()?;
        let values = of_values([value], self.dialect, &self.source.name).ok()?;
        Some(JsonValues { values, dialect: Some(self.dialect), unread: None })
    }

    /// Returns the values at the paths, and decodes no others. Returns none where this is
    /// impossible: then all values must be read for the error message.
    fn sought<R: Real>(&self, wanted: &Wanted<'_>) -> Option<Vec<Variant<R>>> {
        /// Paths that are looked for one by one in the packet. Of more, the whole value is made once.
        const FEW: usize = 4;
        if !(1..=FEW).contains(&wanted.paths.len())
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
        if let (true, Variant::PackedByteArray(bytes)) =
            (wanted.is_raw && wanted.form.is_none(), value)
        {
            let _ = out.write_all(bytes);
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
            && is_json(&text)
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
        let read = self.values::<R>(decoding.strictness.into())?;
        let unread = read.unread(name);
        let mut values = read.values;
        let count = values.len();
        let style = decoding.style;
        if decoding.names_format {
            decoding.output.write(|out| decoded::write_values(values, None, self, style, out))?;
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
}

/// Returns the remark on a save with the id of an object instead of the object.
fn only_a_number(number: u64) -> String {
    format!(
        "the file contains only the id of an object, {number}; the game stored it without \
         full_objects, so the content of the object is not in the file"
    )
}
