//! The forms in which values are shown and written down: JSON, the engine's text, Godot's native
//! JSON.

use std::io::Write;

use clap::ValueEnum;
use formwork::json::{Json, Style};
use formwork::text::{from_text, to_text};
use formwork::variant::{Array, Real, Variant, VariantString};
use formwork::{Dialect, Error, Limits};

use super::failure::Failure;

/// A form of values.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Form {
    /// JSON that keeps every value exactly
    #[default]
    Json,
    /// What the engine's var2str or var_to_str prints (it loses some digits and object ids)
    Text,
    /// What JSON.from_native of Godot 4.4 and later gives
    Native,
}

impl Form {
    /// As on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Native => "native",
        }
    }

    fn json(self, dialect: Dialect) -> Option<Json> {
        match self {
            Self::Json => Some(Json::lossless(dialect)),
            Self::Native => Some(Json::native()),
            Self::Text => None,
        }
    }

    /// Writes one value, and a line break behind it.
    pub(crate) fn write<R: Real>(
        self,
        value: &Variant<R>,
        dialect: Dialect,
        style: Style,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let written = match self.json(dialect) {
            Some(json) => json.style(style).write(value, &mut *out),
            None => write_text(&to_text(value, dialect), out),
        };
        written.map_err(|error| Failure::in_value(name, error))?;
        line_break(out)
    }

    /// Writes values as one list in this form, and a line break behind it.
    pub(crate) fn write_all<R: Real>(
        self,
        values: Vec<Variant<R>>,
        dialect: Dialect,
        style: Style,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let written = match self.json(dialect) {
            Some(json) => json.style(style).write_all(&values, &mut *out),
            None => {
                let list = Variant::Array(values.into_iter().collect::<Array<R>>());
                write_text(&to_text(&list, dialect), out)
            }
        };
        written.map_err(|error| Failure::in_value(name, error))?;
        line_break(out)
    }

    /// Reads one value.
    pub(crate) fn read<R: Real>(
        self,
        bytes: &[u8],
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Variant<R>, Error> {
        match self.json(dialect) {
            Some(json) => json.limits(limits).read(bytes),
            None => from_text(&text(bytes), dialect),
        }
    }

    /// Reads the values of one list. [`None`] where the text is a value, but no list.
    pub(crate) fn read_all<R: Real>(
        self,
        bytes: &[u8],
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Option<Vec<Variant<R>>>, Error> {
        match self.json(dialect) {
            Some(json) => json.limits(limits).read_all(bytes).map(Some),
            None => Ok(match from_text(&text(bytes), dialect)? {
                Variant::Array(array) => Some(array.into_iter().collect()),
                _ => None,
            }),
        }
    }
}

fn write_text(text: &VariantString, out: &mut dyn Write) -> Result<(), Error> {
    // Why it failed is remembered by the output itself.
    let _ = out.write_all(text.as_bytes());
    Ok(())
}

fn line_break(out: &mut dyn Write) -> Result<(), Failure> {
    // As above.
    let _ = out.write_all(b"\n");
    Ok(())
}

/// The text in a file. What is not even UTF-8 as Godot 2 and 3 stretch it is read as U+FFFD.
fn text(bytes: &[u8]) -> VariantString {
    VariantString::from_bytes(bytes)
}
