//! ConfigFile text and text resources.

use std::io;

use formwork::document::{self, Confidence, Document, Format, Json, Problem, Row, RowKind};
use formwork::{Error, Result};
use formwork_edit::Literals;
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;
use formwork_variant::json::Json as JsonForm;
use formwork_variant::{Dialect, Real, Variant};

use formwork_variant::dialect::Precision;

use super::opened::{Around, Opened, refuse_deep};
use super::shallow;
use crate::config_file::{ConfigFile, resource_section_for, rule, section_for, to_config_file};
use crate::detect::{Other, text};

/// The format of ConfigFile text, by the type names in it of Godot 3 or of Godot 4.
pub static CONFIG_FILES: ConfigFormat =
    ConfigFormat { dialect: None, is_resource: false, limits: Limits::new() };

/// The format of resources and scenes as text: `.tres`, `.tscn`. Their paths are those of
/// [`ConfigFile::parse_resource`].
pub static TEXT_RESOURCES: ConfigFormat =
    ConfigFormat { dialect: None, is_resource: true, limits: Limits::new() };

/// A format of ConfigFile text, or of text resources: see [`CONFIG_FILES`] and [`TEXT_RESOURCES`].
#[derive(Clone, Copy, Debug)]
pub struct ConfigFormat {
    dialect: Option<Dialect>,
    is_resource: bool,
    limits: Limits,
}

impl ConfigFormat {
    /// Returns the format of the ConfigFile text of an engine.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        CONFIG_FILES.engine(dialect)
    }

    /// Returns the format with an engine, whose type names a text may not have.
    #[must_use]
    pub const fn engine(self, dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..self }
    }

    /// Returns the format with these limits for new values.
    #[must_use]
    pub const fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    fn opened<R: Real>(self, text: &str, dialect: Dialect) -> Result<Box<dyn Document>> {
        let value = self.parse(text)?.read::<R>(dialect);
        let known = (dialect, self.limits);
        refuse_deep(&value, known)?;
        let bytes = text.as_bytes().to_vec().into();
        let around = Text { text: text.to_owned(), dialect, is_resource: self.is_resource };
        Ok(Box::new(Opened::new(Box::new(around), Some(vec![value]), bytes, known)))
    }

    fn parse(self, text: &str) -> Result<ConfigFile<'_>> {
        parse(text, self.is_resource)
    }

    fn dialect(self, text: &str) -> Dialect {
        let found = || self.parse(text).ok()?.dialect();
        self.dialect.or_else(found).unwrap_or(Dialect::GODOT4)
    }
}

/// The grammar of the text.
const PAGE: &str = "\
# ConfigFile text

Pairs of `key=value` below lines of `[section]`, in UTF-8. A key goes on until its equals sign, without blanks. A value \
is in the engine's text form, and ends where it is complete. `;` begins a comment. Keys with other characters than \
letters are in quotation marks. If a section or key occurs twice, the last value counts; null erases the key.
";

/// The grammar of text resources.
const PAGE_OF_RESOURCES: &str = "\
# Text resource

Pairs of `key = value` below headings with fields: `[sub_resource type=\"Curve\" id=\"1\"]`. The first heading is \
`[gd_resource ...]` or `[gd_scene ...]`. Values are in the engine's text form. `ExtResource(\"1\")` and \
`SubResource(\"1\")` refer to the resources with these ids.
";

fn parse(text: &str, is_resource: bool) -> Result<ConfigFile<'_>> {
    if is_resource { ConfigFile::parse_resource(text) } else { ConfigFile::parse(text) }
}

/// Returns bytes as text.
fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Error::new(rule::SYNTAX, error.valid_up_to() as u64, "text in UTF-8", "another byte")
    })
}

impl Format for ConfigFormat {
    fn name(&self) -> &'static str {
        if self.is_resource { "text-resource" } else { "config" }
    }

    fn description(&self) -> &'static str {
        match self.is_resource {
            true => "resources and scenes of Godot as text (.tres, .tscn)",
            false => "settings of Godot as text (ConfigFile, project.godot)",
        }
    }

    fn page(&self) -> String {
        if self.is_resource { PAGE_OF_RESOURCES.to_owned() } else { PAGE.to_owned() }
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        let Ok(content) = utf8(bytes) else { return Confidence::None };
        let is_one = match text(bytes) {
            Some(Other::GodotTextScene | Other::GodotTextResource) => self.is_resource,
            // Other programs have files with keys and sections, too, but without such values.
            Some(Other::Text | Other::GodotImport) => {
                !self.is_resource && ConfigFile::is_one(content, false)
            }
            _ => false,
        };
        match self.parse(content) {
            Ok(_) if is_one => Confidence::Whole,
            Err(_) if is_one && self.is_resource => Confidence::Start,
            _ => Confidence::None,
        }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let content = utf8(bytes)?;
        let dialect = self.dialect(content);
        match dialect.precision() {
            Precision::Single => self.opened::<f32>(content, dialect),
            Precision::Double => self.opened::<f64>(content, dialect),
        }
    }

    fn make(&self, content: &Json) -> Result<Box<dyn Document>> {
        if self.is_resource {
            let expected = "a text resource that is changed, as its headings come from the engine";
            let found = "a new one";
            return Err(Error::new(document::rule::DOCUMENT_SETTLED, 0, expected, found).nowhere());
        }
        let dialect = self.dialect.unwrap_or(Dialect::GODOT4);
        let form = JsonForm::lossless(dialect).double().limits(shallow(Limits::new()));
        let value = form.read(content.to_string().as_bytes()).map_err(Error::nowhere)?;
        Self::new(dialect).open(to_config_file(&value, dialect)?.as_bytes())
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        match utf8(bytes).and_then(|text| Ok((self.parse(text)?, self.dialect(text)))) {
            Ok((file, dialect)) => {
                let misread = file.misread();
                let misread = misread.iter().map(|it| Problem::warning(it.into()));
                file.faults(dialect).into_iter().map(Problem::damage).chain(misread).collect()
            }
            Err(error) => vec![Problem::damage(error)],
        }
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let file = match utf8(bytes).and_then(|text| self.parse(text)) {
            Ok(file) => file,
            Err(error) => return rows::fault(error, each),
        };
        for entry in file.entries() {
            let path = file.path(entry);
            let (start, value) = (entry.value.start, file.text_of(entry));
            let mut row = Row::new(RowKind::Field, start as u64, value.as_bytes(), &path);
            row.name.clone_from(&entry.key);
            "text".clone_into(&mut row.type_name);
            value.clone_into(&mut row.value);
            each(&row)?;
        }
        Ok(())
    }
}

/// The text around values.
#[derive(Clone)]
struct Text {
    text: String,
    dialect: Dialect,
    is_resource: bool,
}

impl<R: Real> Around<R> for Text {
    fn copy(&self) -> Box<dyn Around<R>> {
        Box::new(self.clone())
    }

    fn summary(&self) -> Vec<(&'static str, Json)> {
        let Ok(file) = parse(&self.text, self.is_resource) else { return Vec::new() };
        let engine = ("engine", self.dialect.name().into());
        vec![
            engine,
            ("sections", file.section_count().into()),
            ("keys", file.entries().len().into()),
        ]
    }

    fn levels(&self) -> u8 {
        if self.is_resource { 2 } else { 1 }
    }

    fn write(&self, values: &[Variant<R>], _: bool) -> Result<Vec<u8>> {
        let [value] = values else {
            let found = format!("{} values", values.len());
            return Err(Error::new(rule::SECTIONS, 0, "one Dictionary of sections", found));
        };
        let file = parse(&self.text, self.is_resource)?;
        Ok(file.with_values(value, self.dialect)?.into_bytes())
    }

    fn make_room(&self, values: &mut [Variant<R>], path: &str) -> String {
        match self.is_resource {
            true => resource_section_for(values, path),
            false => section_for(values, path),
        }
    }

    fn literals(&self, dialect: Dialect) -> Literals {
        Literals::new(dialect).references(true)
    }
}
