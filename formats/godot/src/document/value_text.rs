//! Text of one value as an engine prints it.

use std::io;

use formwork::document::{Confidence, Document, Format, Json, Problem, Row, RowKind};
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::limits::Limits;
use formwork_variant::dialect::Precision;
use formwork_variant::json::Json as JsonForm;
use formwork_variant::text::TextForm;
use formwork_variant::{Dialect, Real, Variant};

use super::opened::{Around, Opened, refuse_deep};
use super::{rule, shallow};
use crate::detect;
use crate::value_text::ValueText;

/// The format of one value as text, of the engine that prints it so.
pub static VALUE_TEXTS: ValueTextFormat = ValueTextFormat { dialect: None, limits: Limits::new() };

/// A format of one value as text: see [`VALUE_TEXTS`].
#[derive(Clone, Copy, Debug)]
pub struct ValueTextFormat {
    dialect: Option<Dialect>,
    limits: Limits,
}

/// The grammar of the text.
const PAGE: &str = "\
# Text of a value

One value as `var2str` (`var_to_str` in Godot 4) prints it, with the names of types: `Vector2(1, 2)`, `{ \"hp\": 7 }`. \
Text whose types are all types of JSON is JSON.
";

impl ValueTextFormat {
    /// Returns the format of the text of an engine.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..VALUE_TEXTS }
    }

    /// Returns the format with these limits.
    #[must_use]
    pub const fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    fn text(self, bytes: &[u8]) -> Option<ValueText<'_>> {
        let text = ValueText::new(bytes)?;
        Some(self.dialect.map_or(text, |dialect| text.of(dialect)))
    }

    fn opened<R: Real>(self, text: &ValueText<'_>, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let (value, dialect, limits) = (text.read::<R>()?, text.dialect(), self.limits);
        refuse_deep(&value, (dialect, limits))?;
        let around = Printed { bytes: bytes.to_vec(), dialect };
        let bytes = bytes.to_vec().into();
        Ok(Box::new(Opened::new(Box::new(around), Some(vec![value]), bytes, (dialect, limits))))
    }

    fn made<R: Real>(self, content: &Json) -> Result<Box<dyn Document>> {
        let dialect = self.dialect.unwrap_or(Dialect::GODOT4);
        let form = JsonForm::lossless(dialect).in_precision::<R>().limits(shallow(Limits::new()));
        let value = form.read(content.to_string().as_bytes()).map_err(Error::nowhere)?;
        let text = TextForm::new(dialect).in_precision::<R>().write(&value);
        Self::new(dialect).open(text.as_bytes())
    }
}

impl Format for ValueTextFormat {
    fn name(&self) -> &'static str {
        "value-text"
    }

    fn description(&self) -> &'static str {
        "a value as the engine prints it (var2str, var_to_str)"
    }

    fn page(&self) -> String {
        PAGE.to_owned()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        if self.text(bytes).is_some() { Confidence::Whole } else { Confidence::None }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let Some(text) = self.text(bytes) else {
            let found =
                detect::text(bytes).map_or_else(|| "other bytes".to_owned(), |it| it.to_string());
            return Err(Error::new(rule::VALUE, 0, self.description(), found));
        };
        match text.dialect().precision() {
            Precision::Single => self.opened::<f32>(&text, bytes),
            Precision::Double => self.opened::<f64>(&text, bytes),
        }
    }

    fn make(&self, content: &Json) -> Result<Box<dyn Document>> {
        match self.dialect.unwrap_or(Dialect::GODOT4).precision() {
            Precision::Single => self.made::<f32>(content),
            Precision::Double => self.made::<f64>(content),
        }
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        self.open(bytes).err().map(Problem::damage).into_iter().collect()
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = Path::from(vec![PathSegment::Field("value")]);
        let mut row = Row::new(RowKind::Field, 0, bytes, &path);
        "value".clone_into(&mut row.name);
        "text".clone_into(&mut row.type_name);
        row.value = String::from_utf8_lossy(bytes).into_owned();
        each(&row)
    }
}

/// The text around a value: blanks before and after it.
#[derive(Clone)]
struct Printed {
    bytes: Vec<u8>,
    dialect: Dialect,
}

impl Printed {
    fn text(&self) -> Option<ValueText<'_>> {
        ValueText::new(&self.bytes).map(|text| text.of(self.dialect))
    }
}

impl<R: Real> Around<R> for Printed {
    fn copy(&self) -> Box<dyn Around<R>> {
        Box::new(self.clone())
    }

    fn summary(&self) -> Vec<(&'static str, Json)> {
        let exact = self.text().is_some_and(|text| text.is_exact());
        vec![("engine", self.dialect.name().into()), ("exact", exact.into())]
    }

    fn write(&self, values: &[Variant<R>], _: bool) -> Result<Vec<u8>> {
        match (self.text(), values) {
            (Some(text), [value]) => Ok(text.with_value(value).into_bytes()),
            _ => {
                let found = format!("{} values", values.len());
                Err(Error::new(rule::VALUE, 0, "one value", found).nowhere())
            }
        }
    }
}
