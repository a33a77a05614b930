//! The commands for ConfigFile text and text resources: `.cfg` files, `project.godot`, `.tres`, `.tscn`.

use std::path::Path;

use formwork::document::{Document, Format as _};
use formwork_godot::config_file::{ConfigFile, ConvertedText, EngineWord, rule, to_config_file};
use formwork_godot::detect::{Other, text};
use formwork_godot::document::{CONFIG_FILES, TEXT_RESOURCES};
use formwork_variant::Variant;
use formwork_variant::dialect::Family;
use formwork_variant::{Dialect, Error};

use super::container::Torn;
use super::converting::{Converted, Converting};
use super::documents;
use super::encoding::{Encoding, New};
use super::failure::{Failure, Status};
use super::file::{
    Change, Checking, Chosen, Decodes, Decoding, Describing, JsonValues, NewContent, Wanted,
};
use super::format::{Format, LimitOptions, by_precision};
use super::guess::engine_name;
use super::layers::within;
use super::lines::{Finding, Grade};
use super::output::Sink;
use super::quantity::counted;
use super::remark;
use super::report::{Entry, Report};
use super::rows::{Place, Row, Rows};
use super::source::Source;
use super::style::shown;
use super::verdict::Verdict;
use super::window;

/// The name of ConfigFile text, as a word for scripts, and in words.
const NAME: (&str, &str) = ("config", "settings of Godot as text (ConfigFile, project.godot)");

/// A file of sections, keys and values, as text.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    /// The kind of text resource; none for ConfigFile text.
    resource: Option<Other>,
    /// The engine that an option names, or that the text has type names of.
    engine: Option<Dialect>,
}

/// Returns whether the content of a source is ConfigFile text or a text resource.
pub(crate) fn is_one(source: &Source) -> bool {
    let kind = text(source.content());
    if resource_of(kind).is_some() {
        return true;
    }
    let Some(Other::Text | Other::GodotImport) = kind else { return false };
    let Ok(text) = std::str::from_utf8(source.content()) else { return false };
    ConfigFile::is_one(text, is_called_so(&source.name))
}

/// Returns the kind of a text if it is a resource or scene.
fn resource_of(kind: Option<Other>) -> Option<Other> {
    kind.filter(|it| matches!(it, Other::GodotTextScene | Other::GodotTextResource))
}

/// Returns whether a file has an extension that engines give to such files.
pub(crate) fn is_called_so(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|it| it.eq_ignore_ascii_case("cfg") || it.eq_ignore_ascii_case("godot"))
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        if self.resource.is_some() { "a text resource" } else { "a settings file" }
    }

    fn shows_text(&self) -> bool {
        self.source.is_inside()
    }

    fn types(&self) -> Option<Dialect> {
        Some(self.read_as())
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
        decoding.write(self, self.name().0, &*self.document_of(self.read_as(), decoding.limits)?)
    }

    fn recover(&self, decoding: &Decoding<'_>, torn: &Torn) -> Result<Status, Failure> {
        // Text has no lengths that could be wrong: each part can be read, or is kept as text. Only a value that does
        // not end takes the rest of the text with it.
        let said = torn.say(&self.source);
        let Err(error) = self.parse(self.text()) else {
            return Ok(self.decode(decoding)?.and(said));
        };
        let kept = self.before_fault();
        if self.parse(kept).is_err() || kept.trim().is_empty() {
            return self.decode(decoding);
        }
        let name = self.source.name.clone();
        let lost = counted((self.source.content().len() - kept.len()) as u64, "byte");
        remark(&format!("{name} is damaged: {error}"));
        remark(&format!("lost: the last {lost} of the text"));
        let source = Source::of_bytes(name, kept);
        Self { source, ..*self }.decode(decoding).map(|_| Status::No)
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.config_file(self, asked.size);
        Status::Done
    }

    fn verify(&self, _: Checking<'_>) -> Result<Verdict, Failure> {
        Ok(self.verdict())
    }

    fn convert(&self, converting: &Converting<'_>) -> Result<Converted, Failure> {
        if self.resource.is_some() {
            // The headings and the names of properties differ between engines, too: only an editor converts these.
            return Ok(Converted::as_it_was(&self.source, self.kind()));
        }
        let (name, to) = (&self.source.name, converting.to);
        let mut losses = 0;
        let converted = self.parsed()?.converted(self.read_as(), to, &mut |place, loss| {
            losses += 1;
            converting.losses.lose(name, losses, &format!("{place}: "), &loss);
        });
        converting.refuse_losses(name)?;
        let (what, remarks) = (summary(&converted, to), left(&converted));
        let content = converted.text.into_bytes();
        Ok(Converted { content, what, remarks, status: Status::Done })
    }

    fn document(&self, chosen: Chosen) -> Result<Box<dyn Document>, Failure> {
        self.document_of(self.read_as(), chosen.limits)
    }

    fn change(&self, chosen: Chosen, change: &mut Change<'_>) -> Result<NewContent, Failure> {
        self.refuse_several(chosen.index.is_some(), "--index")?;
        self.written(|dialect| change(self.document_of(dialect, chosen.limits)?))
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        let file = self.parsed()?;
        rows.seek(|path| {
            let path = path.strip_prefix("\"\"").unwrap_or(path);
            Ok(Place::Path(path.trim_matches('/').to_owned()))
        });
        let _ = file.entries().iter().try_for_each(|entry| {
            let (name, value) = (entry.place(), file.text_of(entry));
            let offset = (self.source.skipped() + entry.value.start) as u64;
            rows.row(&Row::Text { offset, bytes: value.as_bytes(), name: &name, value })
        });
        Ok(())
    }
}

impl File {
    /// Makes a file of a source, with the engine from the options, or else by the type names in the
    /// text.
    pub(crate) fn new(source: Source, said: Option<Dialect>) -> Self {
        let resource = resource_of(text(source.content()));
        let file = Self { source, resource, engine: said };
        let found = || file.parse(file.text()).ok()?.dialect();
        let engine = said.or_else(found);
        Self { engine, ..file }
    }

    /// Opens the text in this dialect as a document.
    fn document_of(
        &self,
        dialect: Dialect,
        limits: LimitOptions,
    ) -> Result<Box<dyn Document>, Failure> {
        let format = if self.resource.is_some() { TEXT_RESOURCES } else { CONFIG_FILES };
        let (name, text) = (&self.source.name, self.source.content());
        let opened = format.limits(limits.limits()).engine(dialect).open(text);
        opened.map_err(|error| documents::unopened(name, text, error))
    }

    /// Returns the name of the format, as a word for scripts, and in words.
    fn name(&self) -> (&'static str, &'static str) {
        self.resource.map_or(NAME, |it| (it.name(), it.description()))
    }

    fn parse<'t>(&self, text: &'t str) -> Result<ConfigFile<'t>, Error> {
        match self.resource {
            Some(_) => ConfigFile::parse_resource(text),
            None => ConfigFile::parse(text),
        }
    }

    /// Returns the lines of the text before the first fault.
    fn before_fault(&self) -> &str {
        /// Lines of one value that are looked at: a fault is in the line of a bracket, and others may be open there.
        const MOST: usize = 64;
        let mut text = self.text();
        for _ in 0..MOST {
            let Err(error) = self.parse(text) else { break };
            let at = usize::try_from(error.offset()).unwrap_or(usize::MAX);
            let before = text.get(..at).unwrap_or_default();
            text = &text[..before.rfind('\n').map_or(0, |end| end + 1)];
        }
        text
    }

    /// Returns the dialect for reading the file. All engines read a text alike that has no type
    /// names of one engine.
    fn read_as(&self) -> Dialect {
        self.engine.unwrap_or(Dialect::GODOT4)
    }

    fn text(&self) -> &str {
        std::str::from_utf8(self.source.content()).unwrap_or_default()
    }

    /// Parses the text into keys and the places of their values.
    pub(crate) fn parsed(&self) -> Result<ConfigFile<'_>, Failure> {
        let text = self.text();
        let name = &self.source.name;
        self.parse(text).map_err(|error| Failure::in_text(name, text.as_bytes(), error))
    }

    /// Returns the changed text that `write` makes of the file. If the text has no type names of
    /// one engine, all engines must write it alike.
    fn written(
        &self,
        mut write: impl FnMut(Dialect) -> Result<NewContent, Failure>,
    ) -> Result<NewContent, Failure> {
        self.parsed()?;
        let written = write(self.read_as())?;
        let without_blanks =
            |text: &[u8]| text.iter().filter(|it| !it.is_ascii_whitespace()).copied().collect();
        let bytes: Vec<u8> = without_blanks(&written.content);
        if self.engine.is_none()
            && write(Dialect::GODOT3).map(|new| without_blanks(&new.content)).ok() != Some(bytes)
        {
            let name = &self.source.name;
            let why = "no engine's words stand in it, and each writes the new values differently";
            return Err(Failure::usage(format!("{name}: {why}; choose one:"))
                .line("--format godot4")
                .line("--format godot3"));
        }
        Ok(written)
    }

    /// Lists the faults of the file, each with its line.
    fn faults(&self) -> Vec<String> {
        let text = self.text().as_bytes();
        let line = |error: Error| {
            let window::Line { number: line, column, .. } = window::line(text, error.offset());
            let (expected, found) = (error.expected(), shown(error.found()));
            match error.rule() {
                rule::CONFLICT => format!("line {line}: the markers of a git conflict ({found})"),
                rule::MISREAD => format!("line {line}: {found}"),
                _ => format!("line {line}, column {column}: expected {expected}, found {found}"),
            }
        };
        /// Number of faults that are shown.
        const SHOWN: usize = 20;
        self.errors().into_iter().take(SHOWN).map(line).collect()
    }

    /// Checks whether the engine reads the file, and as it looks.
    pub(crate) fn verdict(&self) -> Verdict {
        let name = &self.source.name;
        let (errors, faults) = (self.errors(), self.faults());
        let parsed = self.parse(self.text());
        let keys = parsed.as_ref().map_or(0, |it| it.entries().len());
        let engine = self.engine.map_or_else(|| "any engine".to_owned(), engine_name);
        let is_read = errors.iter().all(|error| error.rule() == rule::MISREAD);
        let says = match &faults[..] {
            [] => "can be read".to_owned(),
            [first, others @ ..] => {
                let more = match others.len() {
                    0 => String::new(),
                    more => format!("; and {}", counted(more as u64, "more fault")),
                };
                let verdict = match is_read {
                    true => "the engine reads it otherwise than it looks",
                    false => "the engine does not read it",
                };
                format!("{verdict}: {first}{more}")
            }
        };
        let mixed = parsed.ok().and_then(|it| self.mixed(&it)).map(|it| format!("; {it}"));
        let mixed = mixed.unwrap_or_default();
        let keys = counted(keys as u64, "key");
        let (within, kind) = (within(self.source.layers()), self.name().0);
        let line = format!("{name}: {kind}{within}, {engine}, {keys}: {says}{mixed}");
        let verdict = Verdict { ok: faults.is_empty(), ..Verdict::ok(line) };
        let grade = |error: &Error| match error.rule() {
            rule::MISREAD => Grade::Warning,
            _ => Grade::Damage,
        };
        let found =
            |verdict: Verdict, error: &Error| verdict.finding(Finding::of(grade(error), error));
        errors.iter().fold(verdict, found)
    }

    /// Describes the words of several engines in the text, if there are any.
    fn mixed(&self, parsed: &ConfigFile<'_>) -> Option<String> {
        let words = parsed.mixed_words();
        let text = self.text().as_bytes();
        let place = |word: &EngineWord<'_>| {
            let line = window::line(text, word.offset as u64).number;
            let engine = match word.family {
                Family::Godot2 => "Godot 2",
                Family::Godot3 => "Godot 3",
                _ => "Godot 4",
            };
            format!("of {engine} ({}, line {line})", shown(word.word))
        };
        let places: Vec<_> = words.iter().map(place).collect();
        let newest = match words.iter().any(|it| it.family == Family::Godot2) {
            true => "no engine reads both",
            false => "only Godot 4 reads both",
        };
        let all = places.join(" and ");
        (!places.is_empty()).then(|| format!("it has words {all}: {newest}"))
    }

    /// Returns the reasons why the engine does not read the file, or reads it otherwise than it looks.
    fn errors(&self) -> Vec<Error> {
        match self.parse(self.text()) {
            Ok(file) => {
                let misread = file.misread();
                let mut errors = file.faults(self.read_as());
                errors.extend(misread.iter().map(Error::from));
                errors
            }
            Err(error) => vec![error],
        }
    }
}

/// Makes the text of values for an output that is called like such a file.
pub(crate) fn encode_new(encoding: &Encoding<'_>) -> Result<Option<New>, Failure> {
    let form = encoding.form;
    let is_called_so = encoding.output.path().and_then(Path::to_str).is_some_and(is_called_so);
    let is_one = is_called_so && !encoding.all && encoding.framing.is_none();
    let dialect = encoding.format.and_then(Format::dialect).filter(|_| is_one);
    let Some(dialect) = dialect else { return Ok(None) };
    let text = encoding.text()?;
    form.refuse_other(text)?;
    let content = by_precision!(dialect, R => {
        let value: Variant<R> = form.read(text, dialect, encoding.limits.limits())?;
        to_config_file(&value, dialect).map_err(|error| Failure::in_value(&text.name, error))?
    });
    Ok(Some(New { content: content.into_bytes(), dialect: Some(dialect) }))
}

impl Report {
    /// Adds the facts about ConfigFile text.
    pub(crate) fn config_file(&mut self, file: &File, size: u64) {
        let name = file.name();
        self.add("format", Entry::named(name.0, name.1));
        let parsed = file.parse(file.text());
        let mixed = parsed.as_ref().ok().and_then(|it| file.mixed(it));
        let engine = match (file.engine, file.resource, mixed) {
            (Some(dialect), _, Some(mixed)) => (engine_name(dialect), mixed),
            (None, _, Some(mixed)) => ("none".to_owned(), mixed),
            (Some(dialect), None, _) => (engine_name(dialect), "by its type names".to_owned()),
            (Some(dialect), Some(_), _) => (engine_name(dialect), "by its format".to_owned()),
            (None, ..) => ("any".to_owned(), "it has no type names of one engine".to_owned()),
        };
        self.add("engine", Entry::named(engine.0, engine.1));
        self.add("size", Entry::Amount(size, "byte"));
        if let Ok(parsed) = parsed {
            match file.resource {
                Some(_) => self.add("sections", Entry::Counts(parsed.kinds())),
                None => {
                    self.add("sections", Entry::Amount(parsed.section_count() as u64, "section"));
                }
            }
            self.add("keys", Entry::Amount(parsed.entries().len() as u64, "key"));
        }
        let faults = file.faults();
        if !faults.is_empty() {
            self.add_for_people("faults", Entry::Lines(faults));
            self.find(file.verdict().findings);
        }
    }
}

/// Describes the number of changed and kept values in a few words.
fn summary(converted: &ConvertedText, to: Dialect) -> String {
    let changed = counted(converted.changed, "value");
    format!("{changed} rewritten for {to}, {} left, which it reads as they are", converted.kept)
}

/// Lists the parts that were not converted, one per line.
fn left(converted: &ConvertedText) -> Vec<String> {
    let ConvertedText { unread, is_project, .. } = converted;
    let mut left = Vec::new();
    if !unread.is_empty() {
        /// Number of places that are named.
        const NAMED: usize = 3;
        let texts = counted(unread.len() as u64, "text");
        let mut places = unread.iter().take(NAMED).map(shown).collect::<Vec<_>>().join(", ");
        if let more @ 1.. = unread.len().saturating_sub(NAMED) {
            places.push_str(&format!(" and {more} more"));
        }
        left.push(format!("not ported: {texts} that only the engine reads: {places}"));
    }
    if *is_project {
        let by_editor = "the new engine's editor ports them when it opens the project";
        left.push(format!("not ported: config_version and the names of settings; {by_editor}"));
    }
    left
}
