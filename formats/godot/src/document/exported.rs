//! Files that only the engine's export writes: resources and compiled scripts.

use std::io;

use crate::inspect::Inspector;
use crate::resource::{self, Head as ResourceHead};
use formwork::document::{Confidence, Document, Format, Json, Problem, Row};
use formwork::{Error, Result};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;
use formwork_variant::dialect::Precision;
use formwork_variant::{Decoder, Dialect, Real, Strictness, Variant};

use super::opened::{Around, Opened, refuse_deep};
use super::rule;
use crate::detect::Other;
use crate::script::{self, Head as ScriptHead};

/// The format of binary resources and scenes.
pub static RESOURCES: ResourceFormat = ResourceFormat { dialect: None, limits: Limits::new() };

/// The format of compiled scripts.
pub static SCRIPTS: ScriptFormat =
    ScriptFormat { dialect: None, limits: Limits::new(), strictness: Strictness::Engine };

/// A format of binary resources and scenes: see [`RESOURCES`].
#[derive(Clone, Copy, Debug)]
pub struct ResourceFormat {
    dialect: Option<Dialect>,
    limits: Limits,
}

/// A format of compiled scripts: see [`SCRIPTS`].
#[derive(Clone, Copy, Debug)]
pub struct ScriptFormat {
    dialect: Option<Dialect>,
    limits: Limits,
    strictness: Strictness,
}

/// The facts about a file that is only read.
#[derive(Clone)]
struct ReadOnly {
    summary: Vec<(&'static str, Json)>,
    /// The reason why it is not written.
    why: &'static str,
}

impl<R: Real> Around<R> for ReadOnly {
    fn copy(&self) -> Box<dyn Around<R>> {
        Box::new(self.clone())
    }

    fn summary(&self) -> Vec<(&'static str, Json)> {
        self.summary.clone()
    }

    fn write(&self, _: &[Variant<R>], _: bool) -> Result<Vec<u8>> {
        Err(refused(self.why))
    }
}

fn refused(why: &'static str) -> Error {
    Error::new(rule::READ_ONLY, 0, why, "a change").nowhere()
}

/// Returns a decoder of what the engine reads.
fn decoder<R: Real>(dialect: Dialect, limits: Limits) -> Decoder<R> {
    Decoder::new(dialect).in_precision().limits(limits).allow_objects(true)
}

/// Returns an opened file, if its value has JSON.
fn document<R: Real>(
    value: Variant<R>,
    around: impl Around<R> + 'static,
    known: (Dialect, Limits),
    bytes: &[u8],
) -> Result<Box<dyn Document>> {
    refuse_deep(&value, known)?;
    let bytes = bytes.to_vec().into();
    Ok(Box::new(Opened::new(Box::new(around), Some(vec![value]), bytes, known)))
}

/// Returns how well bytes fit a format whose files begin like this.
fn confidence(is_start: bool, is_whole: impl FnOnce() -> bool) -> Confidence {
    match is_start {
        false => Confidence::None,
        true if is_whole() => Confidence::Whole,
        true => Confidence::Start,
    }
}

/// The file around the value of a resource, in which numbers are changed where they are: another change would move its
/// names, offsets and references, which depend on each other.
#[derive(Clone)]
struct ExportedResource {
    summary: Vec<(&'static str, Json)>,
    bytes: Vec<u8>,
    dialect: Dialect,
    limits: Limits,
}

impl ExportedResource {
    fn decoder<R: Real>(&self) -> Decoder<R> {
        decoder(self.dialect, self.limits)
    }

    fn read<R: Real>(self) -> Result<Box<dyn Document>> {
        let content = crate::resource::content(&self.bytes, &self.limits)?;
        let value = resource::read(&content, &self.decoder::<R>())?.into_value();
        let (known, bytes) = ((self.dialect, self.limits), self.bytes.clone());
        document(value, self, known, &bytes)
    }
}

impl<R: Real> Around<R> for ExportedResource {
    fn copy(&self) -> Box<dyn Around<R>> {
        Box::new(self.clone())
    }

    fn summary(&self) -> Vec<(&'static str, Json)> {
        self.summary.clone()
    }

    fn write(&self, values: &[Variant<R>], _: bool) -> Result<Vec<u8>> {
        let [value] = values else { return Err(refused("one value")) };
        let content = crate::resource::content(&self.bytes, &self.limits)?;
        let bytes = resource::with_numbers(&content, &self.decoder(), value)?.into();
        let new = resource::Content { bytes, unpacked: content.unpacked };
        crate::resource::with_content(&self.bytes, &new, &self.limits)
    }
}

/// The reason why no resource is made.
const RESOURCE_IS_CHANGED: &str = "a binary resource whose numbers are changed: its names, offsets and references depend on each other";

impl ResourceFormat {
    /// Returns the format with an engine, where the file names another one.
    #[must_use]
    pub const fn engine(self, dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..self }
    }

    /// Returns the format with these limits.
    #[must_use]
    pub const fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

impl Format for ResourceFormat {
    fn name(&self) -> &'static str {
        "resource"
    }

    fn description(&self) -> &'static str {
        "a binary resource or scene of Godot or Pandemonium"
    }

    fn page(&self) -> String {
        crate::pages::resource_page()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        let start = Other::by_start(bytes);
        let is_start = matches!(start, Some(Other::GodotResource | Other::GodotCompressedResource));
        confidence(is_start, || self.open(bytes).is_ok())
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let content = crate::resource::content(bytes, &self.limits)?;
        let head = ResourceHead::of(&content)?;
        let dialect = self.dialect.unwrap_or_else(|| head.dialect());
        let class = head.class.to_string_lossy().into_owned();
        let summary = vec![("engine", head.engine().into()), ("class", class.into())];
        let file =
            ExportedResource { summary, bytes: bytes.to_vec(), dialect, limits: self.limits };
        match dialect.precision() {
            Precision::Single => file.read::<f32>(),
            Precision::Double => file.read::<f64>(),
        }
    }

    fn make(&self, _: &Json) -> Result<Box<dyn Document>> {
        Err(refused(RESOURCE_IS_CHANGED))
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        self.open(bytes).err().map(Problem::damage).into_iter().collect()
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let content = match crate::resource::content(bytes, &Limits::new()) {
            Ok(content) => content,
            Err(error) => return rows::fault(error, each),
        };
        let inspector = Inspector::of_record(&content.bytes, "resource", content.record());
        let inspector = inspector.list_elements(true);
        // The inspector reports a damaged header.
        rows::of_spans(
            match ResourceHead::of(&content) {
                Ok(head) => {
                    let dialect = head.dialect();
                    inspector.in_dialect(dialect).in_resource(head.layout(dialect))
                }
                Err(_) => inspector,
            },
            each,
        )
    }
}

const SCRIPT_READ_ONLY: &str =
    "a compiled script that stays: each engine release numbers its tokens in its own way";

impl ScriptFormat {
    /// Returns the format with an engine, where the file names another one.
    #[must_use]
    pub const fn engine(self, dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..self }
    }

    /// Returns the format with these limits.
    #[must_use]
    pub const fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the format that opens files only as strictly as this: scripts that the engine reads, or only those that
    /// it writes.
    #[must_use]
    pub const fn strictness(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }

    fn read<R: Real>(self, bytes: &[u8], dialect: Dialect) -> Result<Variant<R>> {
        let decoder = decoder(dialect, self.limits).strictness(self.strictness);
        script::read(bytes, &decoder).map(script::Script::into_value)
    }
}

impl Format for ScriptFormat {
    fn name(&self) -> &'static str {
        "script"
    }

    fn description(&self) -> &'static str {
        "a compiled script of Godot"
    }

    fn page(&self) -> String {
        crate::pages::script_page()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        let is_start = Other::by_start(bytes) == Some(Other::GodotScript);
        confidence(is_start, || self.open(bytes).is_ok())
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let head = ScriptHead::of(bytes)?;
        let dialect = self.dialect.unwrap_or_else(|| head.dialect());
        let summary =
            vec![("version", u64::from(head.version).into()), ("releases", head.releases().into())];
        let around = ReadOnly { summary, why: SCRIPT_READ_ONLY };
        let known = (dialect, self.limits);
        match dialect.precision() {
            Precision::Single => document(self.read::<f32>(bytes, dialect)?, around, known, bytes),
            Precision::Double => document(self.read::<f64>(bytes, dialect)?, around, known, bytes),
        }
    }

    fn make(&self, _: &Json) -> Result<Box<dyn Document>> {
        Err(refused(SCRIPT_READ_ONLY))
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        let read = |strictness| {
            let head = ScriptHead::of(bytes)?;
            self.strictness(strictness).read::<f64>(bytes, head.dialect())
        };
        match (read(Strictness::Engine), read(Strictness::Canonical)) {
            (Err(error), _) => vec![Problem::damage(error)],
            (_, Err(error)) => vec![Problem::warning(error)],
            _ => Vec::new(),
        }
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let head = match ScriptHead::of(bytes) {
            Ok(head) => head,
            Err(error) => return rows::fault(error, each),
        };
        match script::content(bytes, head, &Limits::new()) {
            Ok(content) => {
                let inspector = Inspector::of_record(&content.bytes, "script", head.record());
                let inspector = inspector.in_dialect(head.dialect()).behind(content.start);
                rows::of_spans(inspector.list_elements(true), each)
            }
            Err(error) => rows::fault(error, each),
        }
    }
}
