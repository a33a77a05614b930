//! The commands for compiled scripts.

use formwork::document::{Document, Format as _};
use formwork_godot::detect::Other;
use formwork_godot::document::SCRIPTS;
use formwork_godot::inspect::Inspector;
use formwork_godot::script;
use formwork_godot::script::{Content, Head, Script, ScriptHead};
use formwork_records::schema::{Record, Sizes, record_of};
use formwork_variant::Real;
use formwork_variant::{Decoder, Dialect, Error, Rule, Strictness};

use super::documents;
use super::failure::{Failure, Status};
use super::file::{
    Change, Checking, Chosen, Decodes, Decoding, Describing, JsonValues, NewContent, Wanted,
};
use super::format::{LimitOptions, StrictnessName, by_precision};
use super::layers::within;
use super::lines::{Finding, Grade};
use super::output::Sink;
use super::quantity::counted;
use super::report::CERTAIN;
use super::report::{Entry, Report};
use super::rows::{Place, Rows};
use super::source::Source;
use super::verdict::Verdict;

/// A compiled script.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) head: Head,
    /// The dialect of the constants.
    pub(crate) dialect: Dialect,
    limits: LimitOptions,
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        "a compiled script"
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        documents::get(&*self, wanted, sink)
    }

    fn json(self: Box<Self>, chosen: Chosen) -> Result<JsonValues, Failure> {
        documents::json(&*self, chosen)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Strictly)?;
        let document = self.document_of(decoding.strictness.into())?;
        decoding.write(self, Other::GodotScript.name(), &*document)
    }

    fn document(&self, _: Chosen) -> Result<Box<dyn Document>, Failure> {
        self.document_of(Strictness::Engine)
    }

    fn types(&self) -> Option<Dialect> {
        Some(self.dialect)
    }

    fn change(&self, _: Chosen, _: &mut Change<'_>) -> Result<NewContent, Failure> {
        Err(self.refusal())
    }

    fn refusal(&self) -> Failure {
        let name = &self.source.name;
        Failure::usage(format!(
            "{name}: a compiled script can only be read: each engine release numbers its tokens in its own way"
        ))
        .hint("change the script in the game's project, and export it again")
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.script(self, asked.size);
        Status::Done
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        let (name, layers) = (&self.source.name, self.source.layers());
        let (kind, version) = (Other::GodotScript.name(), self.head.version);
        let start = format!(
            "{name}: {kind}, version {version} ({}){}",
            self.head.releases(),
            within(layers)
        );
        Ok(by_precision!(self.dialect, R => match self.read::<R>(Strictness::Engine) {
            Err(error) => {
                Verdict::damaged(format!("{start}: damaged: {error}"), Some(&error))
            }
            Ok(script) => {
                let identifiers = counted(script.identifiers.len() as u64, "identifier");
                let constants = counted(script.constants.len() as u64, "constant");
                let start = format!("{start}, {identifiers}, {constants}");
                match self.read::<R>(Strictness::Canonical) {
                    Ok(_) => Verdict::ok(format!("{start}: as the engine writes it")),
                    Err(error) => {
                        let accepted = checking.strictness == StrictnessName::Engine;
                        let says = "the engine would write it differently";
                        let line = format!("{start}: {says}: {error}");
                        let verdict = Verdict { ok: accepted, ..Verdict::ok(line) };
                        verdict.finding(Finding::of(Grade::Warning, &error))
                    }
                }
            }
        }))
    }

    fn has_more_than_values(&self) -> bool {
        true
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        let (source, all_elements) = (&self.source, rows.all_elements());
        let record = |bytes, name| {
            Inspector::of_record(bytes, name, self.head.record())
                .in_dialect(self.dialect)
                .list_elements(all_elements)
        };
        if !self.head.has_content() {
            rows.seek(|path| Ok(Place::names(path, &["script"])));
            rows.fields(record(source.bytes(), "script").behind(source.skipped()));
            return Ok(());
        }
        match self.content() {
            Err(failure) => {
                rows.around(self.around(false));
                rows.closed(self.around(false), failure);
            }
            Ok(Content { bytes, start, unpacked: true }) => {
                rows.around(self.around(true));
                rows.inside("zstd", bytes.len());
                rows.seek(|path| Ok(Place::names(path, &["content"])));
                rows.fields(record(&bytes, "content").behind(start));
            }
            Ok(Content { start, .. }) => {
                rows.seek(|path| Ok(Place::names(path, &["content", "script"])));
                rows.fields(self.around(true));
                rows.fields(record(source.bytes(), "content").behind(source.skipped() + start));
            }
        }
        Ok(())
    }
}

impl File {
    /// Makes a file of a source; `said` is the dialect from the options.
    pub(crate) fn new(
        source: Source,
        said: Option<Dialect>,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        match Head::of(source.content()) {
            Ok(head) => {
                let dialect = said.unwrap_or_else(|| head.dialect());
                Ok(Self { source, head, dialect, limits })
            }
            Err(error) => {
                let error = error.shifted(source.skipped() as u64);
                Err(Failure::in_source(&source, error))
            }
        }
    }

    /// Reads the script.
    fn read<R: Real>(&self, strictness: Strictness) -> Result<Script<R>, Error> {
        let decoder = Decoder::new(self.dialect).in_precision().strictness(strictness);
        script::read(self.source.content(), &decoder.limits(self.limits.limits()))
    }

    /// Opens the script as a document.
    fn document_of(&self, strictness: Strictness) -> Result<Box<dyn Document>, Failure> {
        let format = SCRIPTS.engine(self.dialect).limits(self.limits.limits());
        let opened = format.strictness(strictness).open(self.source.content());
        opened.map_err(|error| self.failure(error))
    }

    /// Returns the content: names, constants and tokens.
    pub(crate) fn content(&self) -> Result<Content<'_>, Failure> {
        let content = script::content(self.source.content(), self.head, &self.limits.limits());
        content.map_err(|error| self.failure(error))
    }

    /// Returns an inspector of the header, and of the compressed content after it if that cannot be
    /// decompressed.
    fn around(&self, is_open: bool) -> Inspector<'_> {
        const HEAD: &Record = record_of::<ScriptHead>();
        let (bytes, skipped) = (self.source.bytes(), self.source.skipped());
        let end = skipped + ScriptHead::LEAST;
        let bytes = bytes.get(..end).filter(|_| is_open).unwrap_or(bytes);
        Inspector::of_record(bytes, "script", HEAD).behind(skipped)
    }

    /// Makes the failure for a fault in the file, or in its decompressed content.
    fn failure(&self, error: Error) -> Failure {
        let content = script::content(self.source.content(), self.head, &self.limits.limits());
        match content {
            Ok(Content { bytes, unpacked: true, .. }) => {
                let name = &self.source.name;
                Failure::in_unpacked(name, &bytes, "zstd", error)
            }
            _ => {
                let failure = Failure::in_source(
                    &self.source,
                    error.clone().shifted(self.source.skipped() as u64),
                );
                let hint = "to allow more, use --max-unpacked SIZE";
                if error.rule() == Rule::SIZE_LIMIT { failure.hint(hint) } else { failure }
            }
        }
    }
}

impl Report {
    /// Adds the facts about a compiled script, which has `size` bytes with its containers.
    pub(crate) fn script(&mut self, file: &File, size: u64) {
        let kind = Other::GodotScript;
        self.add("format", Entry::named(kind.name(), kind.description()));
        self.add("sure", Entry::named(CERTAIN.0, CERTAIN.1));
        let version = u64::from(file.head.version);
        self.add("version", Entry::Number(version, file.head.releases()));
        self.add("size", Entry::Amount(size, "byte"));
        if let Ok(Content { bytes, unpacked: true, .. }) = file.content() {
            let words = format!("Zstandard, {} unpacked", counted(bytes.len() as u64, "byte"));
            self.add("packed", Entry::named("zstd", words));
        }
        by_precision!(file.dialect, R => match file.read::<R>(Strictness::Engine) {
            Ok(script) => self.contents_of_script(&script, file.dialect),
            Err(error) => self.fault(vec![error.to_string()], Finding::damage(&error)),
        });
    }

    /// Adds the facts about a file that starts like a script and cannot be read.
    pub(crate) fn damaged_script(&mut self, failure: &Failure, size: u64) -> Status {
        let kind = Other::GodotScript;
        self.add("format", Entry::named(kind.name(), kind.description()));
        self.add("size", Entry::Amount(size, "byte"));
        self.fault(failure.lines(""), failure.finding());
        Status::Done
    }

    fn contents_of_script<R: Real>(&mut self, script: &Script<R>, dialect: Dialect) {
        self.add("names", Entry::Amount(script.identifiers.len() as u64, "identifier"));
        let mut types = Vec::new();
        for constant in &script.constants {
            let name = dialect.type_name(constant.variant_type());
            match types.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => types.push((name.to_owned(), 1)),
            }
        }
        self.add("constants", Entry::Amount(script.constants.len() as u64, "value"));
        self.add("types", Entry::Counts(types));
        self.add("lines", Entry::Amount(script.lines.len() as u64, "line"));
        self.add("tokens", Entry::Amount(script.token_count.into(), "token"));
        self.read_only("a compiled script");
    }
}
