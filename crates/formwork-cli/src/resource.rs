//! The commands for resources and scenes in binary files.

use formwork::document::{Document, Format as _};
use formwork_godot::detect::Other;
use formwork_godot::document::RESOURCES;
use formwork_godot::inspect::Inspector;
use formwork_godot::resource::{self, Content, Head, Resource};
use formwork_godot::wrapper::CompressedFile;
use formwork_records::schema::{Record, record_of};
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Decoder, Dialect, Error, Rule};
use formwork_variant::{Object, Payload, Real, Variant};

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
use super::style::shown;
use super::verdict::Verdict;

/// A resource or scene.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    /// The dialect of the values, if an option names it.
    said: Option<Dialect>,
    limits: LimitOptions,
}

/// A decompressed file, with its header.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) content: Content<'a>,
    pub(crate) head: Head,
    pub(crate) dialect: Dialect,
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        "a binary resource"
    }

    fn get(self: Box<Self>, wanted: &Wanted<'_>, sink: Sink<'_>) -> Result<Status, Failure> {
        documents::get(&*self, wanted, sink)
    }

    fn json(self: Box<Self>, chosen: Chosen) -> Result<JsonValues, Failure> {
        documents::json(&*self, chosen)
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Whole)?;
        decoding.write(self, self.format().name(), &*self.opened()?)
    }

    fn document(&self, _: Chosen) -> Result<Box<dyn Document>, Failure> {
        self.opened()
    }

    fn refusal(&self) -> Failure {
        let (name, kind) = (&self.source.name, self.format().name());
        Failure::usage(format!(
            "{name}: of a binary resource ({kind}) only numbers can be changed: another change would move its \
             names, offsets and references, which depend on each other"
        ))
        .hint(AS_TEXT)
    }

    /// Changes numbers where they are.
    fn change(&self, chosen: Chosen, change: &mut Change<'_>) -> Result<NewContent, Failure> {
        self.refuse_several(chosen.index.is_some(), "--index")?;
        change(self.document(chosen)?).map_err(|failure| match failure.error() {
            Some(error) if error.rule() == resource::rule::FIXED => self.fixed(&error.clone()),
            _ => failure,
        })
    }

    fn dialect(&self) -> Option<Dialect> {
        self.open().ok().map(|opened| opened.dialect)
    }

    fn types(&self) -> Option<Dialect> {
        self.dialect()
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.resource(self, asked.size);
        Status::Done
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        let opened = self.open()?;
        let (name, kind) = (&self.source.name, self.format().name());
        let (engine, class) = (opened.head.engine(), shown(opened.head.class.to_string()));
        let start = format!("{name}: {kind}, {engine}, {class}{}", within(self.source.layers()));
        by_precision!(opened.dialect, R => match self.read::<R>(&opened) {
            Err(error) => {
                let place = if opened.content.unpacked { "inside (rscc): " } else { "" };
                let line = format!("{start}: damaged: {place}{error}");
                Ok(Verdict::damaged(line, Some(&error)))
            }
            Ok(resource) => {
                let missing = missing(&resource);
                let start = format!("{start}, {}", counted(resource.internal.len() as u64, "resource"));
                let accepted = missing == 0 || checking.strictness == StrictnessName::Engine;
                if missing == 0 {
                    let says = "can be read, and every reference leads to a resource";
                    return Ok(Verdict::ok(format!("{start}: {says}")));
                }
                let references = counted(missing, "reference");
                let says = "to no resource, which the engine reads as null";
                let line = format!("{start}: {references} {says}");
                let verdict = Verdict { ok: accepted, ..Verdict::ok(line) };
                Ok(verdict.finding(Finding::new(Grade::Warning, "missing_resource")))
            }
        })
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        let content = match self.content() {
            Ok(content) => content,
            Err(failure) => {
                rows.around(self.around());
                rows.closed(self.around(), failure);
                return Ok(());
            }
        };
        let (mut all, mut skipped) = (self.source.bytes(), self.source.skipped());
        if content.unpacked {
            rows.around(self.around());
            (all, skipped) = (&content.bytes, 0);
            rows.inside("rscc", all.len());
        }
        rows.seek(|path| Ok(Place::names(path, &["resource"])));
        let inspector = Inspector::of_record(all, "resource", content.record())
            .behind(skipped)
            .list_elements(rows.all_elements());
        // The inspector reports a damaged header.
        rows.fields(match self.open() {
            Ok(Opened { head, dialect, .. }) => {
                let mut layout = head.layout(dialect);
                layout.from += skipped;
                inspector.in_dialect(dialect).in_resource(layout)
            }
            Err(_) => inspector,
        });
        Ok(())
    }
}

/// How everything else in a resource can be changed.
const AS_TEXT: &str = "save it as .tres or .tscn in the game's project, and change that";

impl File {
    /// Makes the failure for a change that would move other bytes.
    fn fixed(&self, error: &Error) -> Failure {
        let (name, found) = (&self.source.name, error.found());
        Failure::no(format!(
            "{name}: of a binary resource only numbers can be changed, each in the bytes that it has: this is {found}"
        ))
        .hint(AS_TEXT)
    }

    /// Makes a file of a source; `said` is the dialect from the options.
    pub(crate) const fn new(source: Source, said: Option<Dialect>, limits: LimitOptions) -> Self {
        Self { source, said, limits }
    }

    /// Returns the format of the file: compressed, or not.
    pub(crate) fn format(&self) -> Other {
        Other::by_start(self.source.content()).unwrap_or(Other::GodotResource)
    }

    /// Decompresses the file.
    pub(crate) fn content(&self) -> Result<Content<'_>, Failure> {
        let content =
            formwork_godot::resource::content(self.source.content(), &self.limits.limits());
        content.map_err(|error| {
            let is_large = error.rule() == Rule::SIZE_LIMIT;
            let error = error.shifted(self.source.skipped() as u64);
            let failure = Failure::in_source(&self.source, error);
            if is_large { failure.hint("to allow more, use --max-unpacked SIZE") } else { failure }
        })
    }

    /// Decompresses the file, and reads its header.
    pub(crate) fn open(&self) -> Result<Opened<'_>, Failure> {
        let content = self.content()?;
        let head = match Head::of(&content) {
            Ok(head) => head,
            Err(error) => return Err(self.failure(&content, error)),
        };
        let dialect = self.said.unwrap_or_else(|| head.dialect());
        Ok(Opened { content, head, dialect })
    }

    /// Reads the resources.
    pub(crate) fn read<R: Real>(&self, opened: &Opened<'_>) -> Result<Resource<R>, Error> {
        let decoder = Decoder::new(opened.dialect).in_precision();
        resource::read(&opened.content, &decoder.limits(self.limits.limits()))
    }

    /// Opens the file as a document.
    fn opened(&self) -> Result<Box<dyn Document>, Failure> {
        let Opened { content, dialect, .. } = self.open()?;
        let format = RESOURCES.engine(dialect).limits(self.limits.limits());
        format.open(self.source.content()).map_err(|error| self.failure(&content, error))
    }

    /// Returns an inspector of the fields around the compressed content.
    fn around(&self) -> Inspector<'_> {
        const COMPRESSED: &Record = record_of::<CompressedFile>();
        let bytes = self.source.bytes();
        Inspector::of_record(bytes, "compressed", COMPRESSED).behind(self.source.skipped())
    }

    /// Makes the failure for a fault in the file, or in its decompressed content.
    fn failure(&self, content: &Content<'_>, error: Error) -> Failure {
        match content.unpacked {
            true => Failure::in_unpacked(&self.source.name, &content.bytes, "rscc", error),
            false => Failure::in_source(&self.source, error.shifted(self.source.skipped() as u64)),
        }
    }
}

/// Counts the references that lead to no resource.
fn missing<R: Real>(resource: &Resource<R>) -> u64 {
    let properties = resource.internal.iter().flat_map(|internal| &internal.properties);
    // A list instead of recursion: values may nest to any depth.
    let mut open: Vec<&Variant<R>> = properties.map(|(_, value)| value).collect();
    let mut missing = 0;
    while let Some(value) = open.pop() {
        if let Variant::Object(Object::Full(object)) = value
            && object.property("missing").is_some()
        {
            missing += 1;
        }
        if let Payload::Array(array) = value.payload() {
            open.extend(array.iter());
        }
        if let Payload::Dictionary(dictionary) = value.payload() {
            open.extend(dictionary.iter().flat_map(|(key, value)| [key, value]));
        }
    }
    missing
}

impl Report {
    /// Adds the facts about a resource file, which has `size` bytes with its containers.
    pub(crate) fn resource(&mut self, file: &File, size: u64) {
        if let Ok(content) = file.content()
            && self.newer_resource(file, &content, size)
        {
            return;
        }
        let kind = file.format();
        self.add("format", Entry::named(kind.name(), kind.description()));
        self.add("sure", Entry::named(CERTAIN.0, CERTAIN.1));
        let opened = match file.open() {
            Ok(opened) => opened,
            Err(failure) => {
                self.add("size", Entry::Amount(size, "byte"));
                self.fault(failure.lines(&file.source.name), failure.finding());
                return;
            }
        };
        let Opened { content, head, dialect } = &opened;
        let order = match head.order {
            ByteOrder::Little => "",
            ByteOrder::Big => ", big endian",
        };
        self.add("engine", Entry::line(format!("{}{order}", head.engine())));
        self.add("version", Entry::Number(head.format.into(), "(of the format)"));
        self.add("size", Entry::Amount(size, "byte"));
        if content.unpacked {
            self.add("unpacked", Entry::Amount(content.bytes.len() as u64, "byte"));
        }
        self.add("class", Entry::line(shown(head.class.to_string())));
        if let Some(class) = &head.script_class {
            self.add("script", Entry::line(shown(class.to_string())));
        }
        by_precision!(dialect, R => match file.read::<R>(&opened) {
            Ok(resource) => self.contents_of_resource(&resource),
            Err(error) => self.fault(vec![error.to_string()], Finding::damage(&error)),
        });
    }

    fn contents_of_resource<R: Real>(&mut self, resource: &Resource<R>) {
        let mut classes: Vec<(String, u64)> = Vec::new();
        let mut properties = 0;
        for internal in &resource.internal {
            properties += internal.properties.len() as u64;
            let class = shown(internal.class.to_string());
            match classes.iter_mut().find(|(known, _)| *known == class) {
                Some((_, count)) => *count += 1,
                None => classes.push((class, 1)),
            }
        }
        self.add("resources", Entry::Amount(resource.internal.len() as u64, "resource"));
        self.add("classes", Entry::Counts(classes));
        self.add("properties", Entry::Number(properties, "in all"));
        let paths = resource.external.iter().map(|external| {
            let (path, class) = (external.path.to_string(), external.class.to_string());
            shown(format!("{path} ({class})"))
        });
        let paths: Vec<_> = paths.collect();
        if !paths.is_empty() {
            self.add("uses", Entry::List(paths));
        }
        if let missing @ 1.. = missing(resource) {
            self.add("missing", Entry::Amount(missing, "reference"));
        }
        let numbers = "numbers can be changed, each in the bytes that it has";
        self.add_for_people("changes", Entry::line(numbers.to_owned()));
    }
}
