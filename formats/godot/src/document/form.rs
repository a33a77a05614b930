//! The forms of values as text: JSON, the engine's own text, the JSON of `JSON.from_native`, `project.godot`.

use formwork::document::rule as document_rule;
use formwork::{Error, Result};
use formwork_edit::convert::Converter;
use formwork_records::limits::Limits;
use formwork_variant::json::{Json as JsonForm, Style};
use formwork_variant::text::{TextForm, to_text};
use formwork_variant::{Array, Dialect, Real, Variant, VariantString};

use super::rule;
use crate::project;

/// A form of values as text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Form {
    /// JSON that keeps every value exactly.
    #[default]
    Json,
    /// The engine's text (`var2str`, `var_to_str`), which loses some digits and the ids of objects.
    Text,
    /// The JSON of `JSON.from_native` in Godot 4.4 and later.
    Native,
    /// The text of `project.godot`, for the settings in `project.binary`.
    Project,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Json, Self::Text, Self::Native, Self::Project];

    /// Returns the name, which [`Document::to_text`](formwork::document::Document::to_text) takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Native => "native",
            Self::Project => "project",
        }
    }

    /// Returns the form with a name.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::new(document_rule::DOCUMENT_FORM, 0, names, name).nowhere()
        })
    }

    fn json<R: Real>(self, dialect: Dialect) -> Option<JsonForm<R>> {
        match self {
            Self::Json => Some(JsonForm::lossless(dialect).in_precision()),
            Self::Native => Some(JsonForm::native().in_precision()),
            Self::Text | Self::Project => None,
        }
    }

    /// Returns whether values of this dialect are converted for the form. The native form is that of Godot 4, which does
    /// not have the mark that Godot 2 sets on nearly every container.
    fn converts(self, dialect: Dialect) -> bool {
        self == Self::Native && dialect.quirks().shared_containers
    }

    /// Adds one value to a text, and a line break.
    ///
    /// # Errors
    ///
    /// Returns an error if the form has no such value.
    pub fn write<R: Real>(
        self,
        value: &Variant<R>,
        dialect: Dialect,
        style: Style,
        out: &mut dyn std::io::Write,
    ) -> Result<()> {
        match self.json(dialect) {
            Some(json) if self.converts(dialect) => {
                let value = native(value.clone(), dialect, Dialect::GODOT4)?;
                json.style(style).write(&value, &mut *out)?;
            }
            Some(json) => json.style(style).write(value, &mut *out)?,
            None if self == Self::Project => {
                let text = project::to_text(value, dialect)?;
                return written(out.write_all(text.as_bytes()));
            }
            None => written(out.write_all(to_text(value, dialect).as_bytes()))?,
        }
        written(out.write_all(b"\n"))
    }

    /// Adds values to a text as one list, and a line break.
    ///
    /// # Errors
    ///
    /// Returns an error if the form has no such values, or no lists.
    pub fn write_all<R: Real>(
        self,
        values: Vec<Variant<R>>,
        dialect: Dialect,
        style: Style,
        out: &mut dyn std::io::Write,
    ) -> Result<()> {
        match self.json(dialect) {
            Some(json) if self.converts(dialect) => {
                let native = |value| native(value, dialect, Dialect::GODOT4);
                let values = values.into_iter().map(native).collect::<Result<Vec<_>>>()?;
                json.style(style).write_all(&values, &mut *out)?;
            }
            Some(json) => json.style(style).write_all(&values, &mut *out)?,
            None if self == Self::Project => {
                let found = format!("{} values", values.len());
                let expected = "the settings of a project, which are one value";
                return Err(Error::new(document_rule::DOCUMENT_FORM, 0, expected, found).nowhere());
            }
            None => {
                let list = Variant::Array(values.into_iter().collect::<Array<R>>());
                written(out.write_all(to_text(&list, dialect).as_bytes()))?;
            }
        }
        written(out.write_all(b"\n"))
    }

    /// Reads one value.
    ///
    /// # Errors
    ///
    /// Returns an error if the text has a fault, with the offset of it; or if the dialect has no such value.
    pub fn read<R: Real>(
        self,
        text: &[u8],
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Variant<R>> {
        match self.json(dialect) {
            Some(json) if self.converts(dialect) => {
                native(json.limits(limits).read(text)?, Dialect::GODOT4, dialect)
            }
            Some(json) => json.limits(limits).read(text),
            None if self == Self::Project => {
                let at = |error: std::str::Utf8Error| not_utf8(error.valid_up_to());
                project::from_text(std::str::from_utf8(text).map_err(at)?, dialect)
            }
            None => {
                // (The text of Godot 2 and 3 is in the extended form.)
                let text = VariantString::from_bytes(text.to_vec()).map_err(not_utf8)?;
                TextForm::new(dialect).in_precision().read(&text)
            }
        }
    }

    /// Reads the values of one list.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); or if the text is no list.
    pub fn read_all<R: Real>(
        self,
        text: &[u8],
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Vec<Variant<R>>> {
        let Some(json) = self.json(dialect) else {
            return match self.read(text, dialect, limits)? {
                Variant::Array(array) => Ok(array.into_iter().collect()),
                other => {
                    let found = dialect.type_name(other.variant_type());
                    Err(Error::new(rule::LIST, 0, "a list of values", found))
                }
            };
        };
        let values = json.limits(limits).read_all(text)?;
        match self.converts(dialect) {
            true => values.into_iter().map(|it| native(it, Dialect::GODOT4, dialect)).collect(),
            false => Ok(values),
        }
    }
}

fn written(written: std::io::Result<()>) -> Result<()> {
    written.map_err(|error| Error::io(0, error))
}

#[cold]
fn not_utf8(at: usize) -> Error {
    Error::new(rule::UTF8, at as u64, "text in UTF-8", "another byte")
}

/// Converts a value of Godot 2 to Godot 4, or back.
fn native<R: Real>(value: Variant<R>, from: Dialect, to: Dialect) -> Result<Variant<R>> {
    Converter::new(from, to).in_precision().convert(value).exact()
}
