//! The commands for text of one value, as engines print it (var2str, var_to_str).

use formwork::document::{Document, Format as _};
use formwork_godot::document::ValueTextFormat;
use formwork_godot::value_text::ValueText;
use formwork_variant::{Dialect, Error};

use super::container::Torn;
use super::converting::{Converted, Converting};
use super::documents;
use super::failure::{Failure, Status};
use super::file::{
    Checking, Chosen, Decodes, Decoding, Describing, File, JsonValues, Wanted, whole_or_not,
};
use super::format::{LimitOptions, by_precision};
use super::guess::engine_name;
use super::layers::within;
use super::output::Sink;
use super::report::{Entry, Report};
use super::rows::{Row, Rows};
use super::source::Source;
use super::verdict::Verdict;

/// The name of the format, as a word for scripts, and in words.
const NAME: (&str, &str) = ("value-text", "a value as the engine prints it (var2str, var_to_str)");

/// Text of one value.
#[derive(Debug)]
pub(crate) struct TextOfValue {
    source: Source,
    /// The dialect of the text, and whether an option names it.
    dialect: Dialect,
    is_said: bool,
}

impl TextOfValue {
    /// Returns a source as the text of a value, with the engine from the options, or else the one that prints it so.
    pub(crate) fn new(source: Source, said: Option<Dialect>) -> Result<Self, Box<Source>> {
        let Some(found) = ValueText::new(source.content()).map(|it| it.dialect()) else {
            return Err(Box::new(source));
        };
        Ok(Self { source, dialect: said.unwrap_or(found), is_said: said.is_some() })
    }

    /// Returns whether a content is such a text.
    pub(crate) fn is_one(content: &[u8]) -> bool {
        ValueText::new(content).is_some()
    }

    fn text(&self) -> Result<ValueText<'_>, Failure> {
        let text = ValueText::new(self.source.content()).map(|text| text.of(self.dialect));
        text.ok_or_else(|| Failure::no(format!("{}: this is no value", self.source.name)))
    }

    fn failure(&self, error: Error) -> Failure {
        Failure::in_text(&self.source.name, self.source.content(), error)
    }

    fn opened(&self, limits: LimitOptions) -> Result<Box<dyn Document>, Failure> {
        let format = ValueTextFormat::new(self.dialect).limits(limits.limits());
        let (name, text) = (&self.source.name, self.source.content());
        format.open(text).map_err(|error| documents::unopened(name, text, error))
    }
}

impl File for TextOfValue {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        NAME.1
    }

    fn shows_text(&self) -> bool {
        self.source.is_inside()
    }

    fn types(&self) -> Option<Dialect> {
        Some(self.dialect)
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        documents::get(&*self, wanted, sink)
    }

    fn json(self: Box<Self>, chosen: Chosen) -> Result<JsonValues, Failure> {
        documents::json(&*self, chosen)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        if decoding.is_plain && self.source.is_inside() {
            return decoding.write_as_it_is(self);
        }
        decoding.refuse_but(self, Decodes::Whole)?;
        decoding.write(self, NAME.0, &*self.opened(decoding.limits)?)
    }

    fn recover(&self, _: &Decoding<'_>, _: &Torn) -> Result<Status, Failure> {
        Err(whole_or_not(self.name(), self.kind()))
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.add("format", Entry::named(NAME.0, NAME.1));
        report.add("size", Entry::Amount(asked.size, "byte"));
        let engine = engine_name(self.dialect);
        let exact = self.text().is_ok_and(|text| text.is_exact());
        let words = if exact { "prints it so" } else { "reads it, and would print it otherwise" };
        report.add("engine", Entry::named(engine, words));
        Status::Done
    }

    fn verify(&self, _: Checking<'_>) -> Result<Verdict, Failure> {
        let (name, engine) = (&self.source.name, engine_name(self.dialect));
        let within = within(self.source.layers());
        let start = format!("{name}: {}{within}, {engine}", NAME.0);
        Ok(match by_precision!(self.dialect, R => self.text()?.read::<R>().err()) {
            None if self.text()?.is_exact() => {
                Verdict::ok(format!("{start}: as the engine prints it"))
            }
            None => Verdict::ok(format!("{start}: can be read; the engine prints it otherwise")),
            Some(error) => Verdict::damaged(format!("{start}: {error}"), Some(&error)),
        })
    }

    fn convert(&self, converting: &Converting<'_>) -> Result<Converted, Failure> {
        let (name, to) = (&self.source.name, converting.to);
        let mut losses = 0;
        let text = self.text()?.converted(to, &mut |loss| {
            losses += 1;
            converting.losses.lose(name, losses, "", &loss);
        });
        let text = text.map_err(|error| self.failure(error))?;
        converting.refuse_losses(name)?;
        let (what, remarks) = (format!("text of a value for {to}"), Vec::new());
        let content = text.into_bytes();
        Ok(Converted { content, what, remarks, status: Status::Done })
    }

    fn document(&self, chosen: Chosen) -> Result<Box<dyn Document>, Failure> {
        self.opened(chosen.limits)
    }

    fn dialect(&self) -> Option<Dialect> {
        self.is_said.then_some(self.dialect)
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        let (bytes, offset) = (self.source.content(), self.source.skipped() as u64);
        let value = String::from_utf8_lossy(bytes);
        let _ = rows.row(&Row::Text { offset, bytes, name: "value", value: &value });
        Ok(())
    }
}
