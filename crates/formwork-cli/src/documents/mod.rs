//! Files that programs open through the traits `Format` and `Document`, and what commands do with any of them.

mod changes;
mod content;
mod look;
pub(crate) mod registry;
mod values;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;

use formwork::document::{self, Confidence, Document, Format, Json, Lost, Recovered};

use super::container::Torn;
use super::converting::{Converted, Converting};
use super::decoded;
use super::failure::{Failure, Status};
use super::file::{Checking, Chosen, Decodes, Decoding, Describing, JsonValues, Wanted};
use super::form::Form;
use super::layers::within;
use super::output::Sink;
use super::quantity::counted;
use super::recover::say_some;
use super::remark;
use super::report::{Entry, Report};
use super::rows::{Place, Row, Rows};
use super::slashes::with_slashes;
use super::source::Source;
use super::style::shown;
use super::verdict::Verdict;
pub(crate) use changes::{LINES, differences, shown_changes};
use content::each;
pub(crate) use content::{AnyDocument, Change};
use look::Printing;
use look::print;
pub(crate) use look::unopened;
pub(crate) use values::read_value;

/// A file, and its format.
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) format: &'static dyn Format,
    pub(crate) confidence: Confidence,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, format, confidence } = self;
        let mut shown = f.debug_struct("File");
        shown.field("source", source).field("format", &format.name());
        shown.field("confidence", confidence).finish()
    }
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        self.format.description()
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        let name = &self.source.name;
        self.refuse_several(wanted.index.is_some(), "--index")?;
        if let Some(form) = wanted.form.filter(|form| *form != Form::Json) {
            let form = form.name();
            return Err(Failure::usage(format!("{name}: values of JSON have no form '{form}'"))
                .hint("for strings without quotation marks: --raw"));
        }
        print(&self.source, &*self.open()?, wanted, sink)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Whole)?;
        if decoding.form != Form::Json {
            let (name, form) = (&self.source.name, decoding.form.name());
            return Err(Failure::usage(format!("{name}: JSON has no form '{form}'"))
                .hint("--as raw prints the text as it is"));
        }
        let document = self.open()?;
        let json = document.json();
        self.say_what_encode_changes(&json);
        let json = match decoding.views {
            false => json,
            true => {
                let views = Json::Object(document.views().into_iter().collect());
                let whole = [("value".to_owned(), json.into_owned()), ("views".to_owned(), views)];
                Cow::Owned(Json::Object(whole.into()))
            }
        };
        let print = |json: &Json, out: &mut dyn Write| {
            Printing { is_raw: false, style: decoding.style }.print(&[json], out);
            Ok(())
        };
        decoding.output.write(|out| match decoding.names_format {
            false => print(&json, out),
            true => decoded::write(self.format.name(), None, None, out, |out| {
                print(&Json::Array(each(document.holds_several(), document.to_json())), out)
            }),
        })?;
        Ok(Status::Done)
    }

    fn recover(&self, decoding: &Decoding<'_>, torn: &Torn) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Whole)?;
        if decoding.form != Form::Json {
            let (name, form) = (&self.source.name, decoding.form.name());
            return Err(Failure::usage(format!("{name}: JSON has no form '{form}'")));
        }
        let (name, content, base) =
            (&self.source.name, self.source.content(), self.source.skipped() as u64);
        let recovered = self.format.recover(content);
        let Recovered { document, lost } =
            recovered.map_err(|error| Failure::in_source(&self.source, error.shifted(base)))?;
        let said = torn.say(&self.source);
        if !lost.is_empty() {
            let bytes: u64 = lost.iter().map(|lost| lost.range.end - lost.range.start).sum();
            let (all, within) = (content.len(), within(self.source.layers()));
            let what = self.format.name();
            remark(&format!(
                "{name} is damaged: {bytes} of {all} bytes{within} could not be read as {what}"
            ));
        }
        say_some(&lost, |Lost { range, error }| {
            let (start, length) = (range.start + base, range.end - range.start);
            let place = with_slashes(&format!("{:#}", error.path()));
            let place = if place.is_empty() { place } else { format!("{}: ", shown(place)) };
            let what = match length {
                0 => "the end is missing".to_owned(),
                length => counted(length, "byte"),
            };
            let (expected, found) = (error.expected(), shown(error.found()));
            format!(
                "lost: {place}{what} at offset {start} (0x{start:x}): expected {expected}, found {found}"
            )
        });
        let print = |json: &Json, out: &mut dyn Write| {
            Printing { is_raw: false, style: decoding.style }.print(&[json], out);
            Ok(())
        };
        let json = document.json();
        decoding.output.write(|out| match decoding.names_format {
            false => print(&json, out),
            true => decoded::write(self.format.name(), None, None, out, |out| {
                print(&Json::Array(each(document.holds_several(), document.to_json())), out)
            }),
        })?;
        Ok(if lost.is_empty() { said } else { Status::No })
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        let opened = self.format.open(self.source.content());
        let encoding = opened.as_ref().ok().and_then(|it| it.encoding());
        let encoding = encoding.map_or_else(String::new, |name| format!(" in {name}"));
        let what = format!("{}{encoding}", self.format.description());
        report.add("format", Entry::named(self.format.name(), what));
        report.add("size", Entry::Amount(asked.size, "byte"));
        if let Ok(document) = opened {
            report.add("content", Entry::Content(document.summary()));
        }
        report.problems(self.findings());
        Status::Done
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        Ok(self.verdict(checking.all))
    }

    fn document(&self, _: Chosen) -> Result<Box<dyn Document>, Failure> {
        self.open()
    }

    fn compares_as(&self) -> &'static str {
        self.format.name()
    }

    fn json(self: Box<Self>, chosen: Chosen) -> Result<JsonValues, Failure> {
        json(&*self, chosen)
    }

    fn member(&self, names: &[&str]) -> Option<JsonValues> {
        let found = self.open().ok()?.member(names)?;
        Some(JsonValues::of(vec![found]))
    }

    fn refuse_several(&self, is_given: bool, option: &str) -> Result<(), Failure> {
        let (name, what) = (&self.source.name, self.format.description());
        if !is_given {
            return Ok(());
        }
        let failure = format!("{name}: {what} is one document, so {option} does not apply");
        Err(Failure::usage(failure)
            .hint("of several values, a path begins with the number of one: 0/player/gold"))
    }

    fn convert(&self, converting: &Converting<'_>) -> Result<Converted, Failure> {
        if !self.source.layers().is_empty() {
            return Ok(Converted::as_it_was(&self.source, self.kind()));
        }
        let (name, to) = (&self.source.name, converting.to);
        Err(self.refusal().hint(format!(
            "to make a save of its values: formwork encode {name} --format {to} -o NEW.save"
        )))
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        rows.seek(|path| Ok(Place::Path(with_slashes(path))));
        let start = self.source.skipped() as u64;
        // An error only ends the rows early.
        let _ = self.format.rows(self.source.content(), &mut |row| {
            let mut row = row.clone();
            row.offset += start;
            match rows.row(&Row::Document(&row)) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(io::ErrorKind::Other.into()),
            }
        });
        Ok(())
    }
}

/// Prints values of a file that is one document.
pub(crate) fn get(
    file: &dyn super::file::File,
    wanted: &Wanted<'_>,
    sink: Sink<'_>,
) -> Result<Status, Failure> {
    if wanted.is_whole_text() && file.shows_text() {
        return sink.write_bytes(file.source().content());
    }
    file.refuse_several(wanted.index.is_some(), "--index")?;
    print(file.source(), &*file.document(Chosen::all(wanted.limits))?, wanted, sink)
}

/// Returns the values of a file that is one document, as JSON.
pub(crate) fn json(file: &dyn super::file::File, chosen: Chosen) -> Result<JsonValues, Failure> {
    file.refuse_several(chosen.index.is_some(), "--index")?;
    let document = file.document(chosen)?;
    let several = document.holds_several();
    let values = each(several, document.into_json());
    Ok(JsonValues { values, dialect: file.types(), unread: None })
}

impl File {
    /// Says what `encode` makes anew of the JSON of a custom format, such as a wrong checksum.
    fn say_what_encode_changes(&self, json: &Json) {
        if registry::own().is_none() {
            return;
        }
        let name = &self.source.name;
        match self.format.make(json) {
            Ok(made) if made.to_bytes() == self.source.content() => {}
            Ok(made) => {
                let changes = document::changes(json, &made.to_json());
                for change in changes.iter().take(LINES) {
                    remark(&format!("{name}: 'encode' sets {}", shown(change)));
                }
                match changes.len().saturating_sub(LINES) {
                    0 if changes.is_empty() => {
                        remark(&format!("{name}: 'encode' changes bytes that are not in the JSON"));
                    }
                    0 => {}
                    more => remark(&format!("{name}: 'encode' makes {more} more changes")),
                }
            }
            Err(error) => remark(&format!("{name}: 'encode' refuses this JSON: {error}")),
        }
    }

    /// Opens the file.
    pub(crate) fn open(&self) -> Result<Box<dyn Document>, Failure> {
        let opened = self.format.open(self.source.content());
        opened.map_err(|error| {
            let error = error.shifted(self.source.skipped() as u64);
            Failure::in_source(&self.source, error)
        })
    }
}
