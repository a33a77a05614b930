//! ConfigFile text.

use std::io;

use formwork::document::{Confidence, Document, Format, Json, Row, RowKind};
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;
use formwork_variant::json::Json as JsonForm;
use formwork_variant::{Dialect, Real, Variant};

use super::opened::{Around, Opened, json};
use super::shallow;
use crate::config_file::{ConfigFile, rule, section_for, to_config_file};
use crate::detect::{Other, text};

/// The format of ConfigFile text, by the type names in it of Godot 3 or of Godot 4.
pub static CONFIG_FILES: ConfigFormat = ConfigFormat { dialect: None };

/// A format of ConfigFile text: see [`CONFIG_FILES`].
#[derive(Clone, Copy, Debug)]
pub struct ConfigFormat {
    dialect: Option<Dialect>,
}

impl ConfigFormat {
    /// Returns the format of the text of an engine.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect: Some(dialect) }
    }

    fn dialect(self, text: &str) -> Dialect {
        let found = || ConfigFile::parse(text).ok()?.dialect();
        self.dialect.or_else(found).unwrap_or(Dialect::GODOT4)
    }
}

/// The grammar of the text.
const PAGE: &str = "\
# ConfigFile text

Lines of `key=value` below lines of `[section]`, in UTF-8. A value is in the engine's text form, and goes on over lines \
while a bracket or a quotation mark is open. `;` begins a comment. Keys with other characters than letters are in \
quotation marks. If a section or key occurs twice, the last value counts.
";

/// Returns bytes as text.
fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Error::new(rule::SYNTAX, error.valid_up_to() as u64, "text in UTF-8", "another byte")
    })
}

impl Format for ConfigFormat {
    fn name(&self) -> &'static str {
        "config"
    }

    fn description(&self) -> &'static str {
        "settings of Godot as text (ConfigFile, project.godot)"
    }

    fn page(&self) -> String {
        PAGE.to_owned()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        let is_text = matches!(text(bytes), Some(Other::Text | Other::GodotImport));
        let Ok(content) = utf8(bytes) else { return Confidence::None };
        match ConfigFile::parse(content) {
            // Other programs have files with keys and sections, too, but without such values.
            Ok(file) if is_text => {
                let dialect = self.dialect(content);
                let is_value = |it: &&_| file.read_value::<f64>(it, dialect).is_ok();
                let values = file.entries().iter().filter(is_value).count();
                match values > 0 && 2 * values >= file.entries().len() {
                    true => Confidence::Whole,
                    false => Confidence::None,
                }
            }
            _ => Confidence::None,
        }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let content = utf8(bytes)?;
        let dialect = self.dialect(content);
        let value = ConfigFile::parse(content)?.read::<f64>(dialect);
        json(&value, dialect)?;
        let values = vec![value];
        let around = Text { text: content.to_owned(), dialect };
        let limits = shallow(Limits::new());
        Ok(Box::new(Opened { around, values, bytes: bytes.to_vec(), dialect, limits }))
    }

    fn make(&self, content: &Json) -> Result<Box<dyn Document>> {
        let dialect = self.dialect.unwrap_or(Dialect::GODOT4);
        let form = JsonForm::lossless(dialect).double().limits(shallow(Limits::new()));
        let value = form.read(content.to_string().as_bytes()).map_err(Error::nowhere)?;
        Self::new(dialect).open(to_config_file(&value, dialect)?.as_bytes())
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Error> {
        match utf8(bytes).and_then(|text| Ok((ConfigFile::parse(text)?, self.dialect(text)))) {
            Ok((file, dialect)) => file.faults(dialect),
            Err(error) => vec![error],
        }
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let file = match utf8(bytes).and_then(ConfigFile::parse) {
            Ok(file) => file,
            Err(error) => return rows::fault(error, each),
        };
        for entry in file.entries() {
            let names = [&*entry.section, &*entry.key];
            let path: Path =
                names.into_iter().map(|it| PathSegment::Name(it.to_owned().into())).collect();
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
struct Text {
    text: String,
    dialect: Dialect,
}

impl<R: Real> Around<R> for Text {
    fn summary(&self) -> Vec<(&'static str, Json)> {
        let Ok(file) = ConfigFile::parse(&self.text) else { return Vec::new() };
        let engine = ("engine", self.dialect.name().into());
        vec![
            engine,
            ("sections", file.section_count().into()),
            ("keys", file.entries().len().into()),
        ]
    }

    fn write(&self, values: &[Variant<R>]) -> Result<Vec<u8>> {
        let [value] = values else {
            let found = format!("{} values", values.len());
            return Err(Error::new(rule::SECTIONS, 0, "one Dictionary of sections", found));
        };
        Ok(ConfigFile::parse(&self.text)?.with_values(value, self.dialect)?.into_bytes())
    }

    fn make_room(&self, values: &mut [Variant<R>], path: &str) -> String {
        section_for(values, path, self.dialect)
    }
}
