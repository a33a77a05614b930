//! Files that only the engine's export writes: resources and compiled scripts.

use std::io;

use crate::inspect::Inspector;
use crate::resource::{self, Head as ResourceHead};
use formwork::document::{Confidence, Document, Format, Json, Row};
use formwork::{Error, Result};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;
use formwork_variant::dialect::Precision;
use formwork_variant::{Decoder, Dialect, Real, Strictness, Variant};

use super::opened::{Around, Opened};
use super::{rule, shallow};
use crate::detect::Other;
use crate::script::{self, Head as ScriptHead};

/// The format of binary resources and scenes.
pub static RESOURCES: ResourceFormat = ResourceFormat(());

/// The format of compiled scripts.
pub static SCRIPTS: ScriptFormat = ScriptFormat(());

/// See [`RESOURCES`].
#[derive(Clone, Copy, Debug)]
pub struct ResourceFormat(());

/// See [`SCRIPTS`].
#[derive(Clone, Copy, Debug)]
pub struct ScriptFormat(());

/// The facts about a file that is only read.
struct ReadOnly {
    summary: Vec<(&'static str, Json)>,
    /// The reason why it is not written.
    why: &'static str,
}

impl<R: Real> Around<R> for ReadOnly {
    fn summary(&self) -> Vec<(&'static str, Json)> {
        self.summary.clone()
    }

    fn write(&self, _: &[Variant<R>]) -> Result<Vec<u8>> {
        Err(refused(self.why))
    }
}

fn refused(why: &'static str) -> Error {
    Error::new(rule::READ_ONLY, 0, why, "a change").nowhere()
}

/// Returns a decoder of what the engine reads.
fn decoder<R: Real>(dialect: Dialect, strictness: Strictness) -> Decoder<R> {
    let decoder = Decoder::new(dialect).in_precision().strictness(strictness);
    decoder.limits(shallow(Limits::new())).allow_objects(true)
}

fn document<R: Real>(
    value: Variant<R>,
    around: ReadOnly,
    dialect: Dialect,
    bytes: &[u8],
) -> Box<dyn Document> {
    let limits = shallow(Limits::new());
    Box::new(Opened { around, values: vec![value], bytes: bytes.to_vec(), dialect, limits })
}

/// Returns how well bytes fit a format whose files begin like this.
fn confidence(is_start: bool, is_whole: impl FnOnce() -> bool) -> Confidence {
    match is_start {
        false => Confidence::None,
        true if is_whole() => Confidence::Whole,
        true => Confidence::Start,
    }
}

const RESOURCE_READ_ONLY: &str =
    "a binary resource that stays: its names, offsets and references depend on each other";

impl ResourceFormat {
    fn read<R: Real>(content: &resource::Content<'_>, dialect: Dialect) -> Result<Variant<R>> {
        resource::read(content, &decoder(dialect, Strictness::Engine)).map(|it| it.into_value())
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
        let content = crate::resource::content(bytes, &shallow(Limits::new()))?;
        let head = ResourceHead::of(&content)?;
        let dialect = head.dialect();
        let class = head.class.to_string_lossy().into_owned();
        let summary = vec![("engine", head.engine().into()), ("class", class.into())];
        let around = ReadOnly { summary, why: RESOURCE_READ_ONLY };
        Ok(match dialect.precision() {
            Precision::Single => {
                document(Self::read::<f32>(&content, dialect)?, around, dialect, bytes)
            }
            Precision::Double => {
                document(Self::read::<f64>(&content, dialect)?, around, dialect, bytes)
            }
        })
    }

    fn make(&self, _: &Json) -> Result<Box<dyn Document>> {
        Err(refused(RESOURCE_READ_ONLY))
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Error> {
        self.open(bytes).err().into_iter().collect()
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
    fn read<R: Real>(bytes: &[u8], dialect: Dialect, strictness: Strictness) -> Result<Variant<R>> {
        script::read(bytes, &decoder(dialect, strictness)).map(script::Script::into_value)
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
        let dialect = head.dialect();
        let summary =
            vec![("version", u64::from(head.version).into()), ("releases", head.releases().into())];
        let around = ReadOnly { summary, why: SCRIPT_READ_ONLY };
        Ok(match dialect.precision() {
            Precision::Single => {
                let value = Self::read::<f32>(bytes, dialect, Strictness::Engine)?;
                document(value, around, dialect, bytes)
            }
            Precision::Double => {
                let value = Self::read::<f64>(bytes, dialect, Strictness::Engine)?;
                document(value, around, dialect, bytes)
            }
        })
    }

    fn make(&self, _: &Json) -> Result<Box<dyn Document>> {
        Err(refused(SCRIPT_READ_ONLY))
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Error> {
        let read = ScriptHead::of(bytes)
            .and_then(|head| Self::read::<f64>(bytes, head.dialect(), Strictness::Canonical));
        read.err().into_iter().collect()
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
