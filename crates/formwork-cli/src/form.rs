//! The forms of values: JSON, the engine's text form, Godot's native JSON.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use formwork::document::{Confidence, Format as _, JsonText};
use formwork_edit::convert::Converter;
use formwork_godot::detect::{Detection, detect};
use formwork_godot::project;
use formwork_variant::json::{Json, Style};
use formwork_variant::text::{TextForm, to_text};
use formwork_variant::{Array, Real, Variant, VariantString};
use formwork_variant::{Dialect, Error, Limits};

use super::failure::Failure;
use super::place::in_json;
use super::source::{Source, without_mark};

/// The type of content that `decode` and `encode` handle.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum As {
    /// Values, in this form.
    Values(Form),
    /// Bytes of any kind.
    Raw,
    /// The pack in an executable.
    Pack,
}

impl Default for As {
    fn default() -> Self {
        Self::Values(Form::default())
    }
}

impl ValueEnum for As {
    fn value_variants<'a>() -> &'a [Self] {
        const {
            &[
                Self::Values(Form::Json),
                Self::Values(Form::Text),
                Self::Values(Form::Native),
                Self::Values(Form::Project),
                Self::Raw,
                Self::Pack,
            ]
        }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Values(form) => form.to_possible_value(),
            Self::Raw => Some(
                PossibleValue::new("raw").help("The bytes inside a compressed or encrypted file"),
            ),
            Self::Pack => {
                Some(PossibleValue::new("pack").help("The pack of a game, without its executable"))
            }
        }
    }
}

/// A form of values.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Form {
    /// JSON that keeps every value exactly
    #[default]
    Json,
    /// The engine's text form (var2str, var_to_str), which loses some digits and object ids; for
    /// an ALB1 file one fact per line
    Text,
    /// The form of JSON.from_native in Godot 4.4 and later
    Native,
    /// The text of project.godot, for the settings in project.binary
    Project,
}

impl Form {
    /// Returns the name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Native => "native",
            Self::Project => "project",
        }
    }

    fn json<R: Real>(self, dialect: Dialect) -> Option<Json<R>> {
        match self {
            Self::Json => Some(Json::lossless(dialect).in_precision()),
            Self::Native => Some(Json::native().in_precision()),
            Self::Text | Self::Project => None,
        }
    }

    /// Returns whether values of this dialect are converted for the form. The native form is that
    /// of Godot 4, which does not have the mark that Godot 2 sets on nearly every container.
    fn converts(self, dialect: Dialect) -> bool {
        self == Self::Native && dialect.quirks().shared_containers
    }

    /// Writes one value, and a line break after it.
    pub(crate) fn write<R: Real>(
        self,
        value: &Variant<R>,
        dialect: Dialect,
        style: Style,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let written = match self.json(dialect) {
            Some(json) if self.converts(dialect) => native(value.clone(), dialect, Dialect::GODOT4)
                .and_then(|value| json.style(style).write(&value, &mut *out)),
            Some(json) => json.style(style).write(value, &mut *out),
            None if self == Self::Project => {
                let text = project::to_text(value, dialect);
                let text = text.map_err(|error| Failure::in_value(name, error))?;
                // The output records a write error itself.
                let _ = out.write_all(text.as_bytes());
                return Ok(());
            }
            None => write_text(&to_text(value, dialect), out),
        };
        written.map_err(|error| Failure::in_value(name, error))?;
        line_break(out);
        Ok(())
    }

    /// Writes values as one list in this form, and a line break after it.
    pub(crate) fn write_all<R: Real>(
        self,
        values: Vec<Variant<R>>,
        dialect: Dialect,
        style: Style,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if self == Self::Project {
            let failure = format!("{name}: the settings of a project are one value");
            return Err(Failure::usage(failure));
        }
        let written = match self.json(dialect) {
            Some(json) if self.converts(dialect) => values
                .into_iter()
                .map(|value| native(value, dialect, Dialect::GODOT4))
                .collect::<Result<Vec<_>, _>>()
                .and_then(|values| json.style(style).write_all(&values, &mut *out)),
            Some(json) => json.style(style).write_all(&values, &mut *out),
            None => {
                let list = Variant::Array(values.into_iter().collect::<Array<R>>());
                write_text(&to_text(&list, dialect), out)
            }
        };
        written.map_err(|error| Failure::in_value(name, error))?;
        line_break(out);
        Ok(())
    }

    /// Refuses the forms that JSON alone is read back from.
    pub(crate) fn refuse_all_but_json(self, name: &str) -> Result<(), Failure> {
        match self {
            Self::Json => Ok(()),
            _ => Err(Failure::usage(format!(
                "{name}: only its JSON can be turned back into such a file; leave out --as"
            ))),
        }
    }

    /// Refuses a file that is not UTF-8 text, and names its format.
    pub(crate) fn refuse_other(self, source: &Source) -> Result<(), Failure> {
        let (name, bytes) = (&source.name, source.bytes());
        let start = bytes.get(..64).unwrap_or(bytes);
        let half_zeros = start.len() >= 4
            && [0, 1].iter().any(|&first| {
                start.iter().enumerate().all(|(at, &byte)| (byte == 0) == (at % 2 == first))
            });
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || half_zeros {
            return Err(Failure::no(format!("{name}: this text is in UTF-16, not UTF-8"))
                .hint("in PowerShell, use -o FILE instead of '>'")
                .hint("in an editor, save the file with the encoding UTF-8"));
        }
        // Text has no zero byte.
        if !bytes.contains(&0) {
            return Ok(());
        }
        let what = match detect(bytes) {
            Detection { other: Some(other), .. } => other.to_string(),
            detection => match detection.candidates.first() {
                Some(_) => "a save".to_owned(),
                None => "binary data".to_owned(),
            },
        };
        let form = match self {
            Self::Json | Self::Native => "JSON",
            Self::Text => "the engine's text",
            Self::Project => "the text of project.godot",
        };
        Err(Failure::no(format!("{name}: this is {what}, not {form}")).hint(format!(
            "to get {form} from a save: formwork decode {} -o OUTPUT",
            source.word()
        )))
    }

    /// Reads one value.
    pub(crate) fn read<R: Real>(
        self,
        source: &Source,
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Variant<R>, Failure> {
        let bytes = without_mark(source.bytes());
        let value = match self.json(dialect) {
            Some(json) if self.converts(dialect) => {
                let value = json.limits(limits).read(bytes);
                value.and_then(|value| native(value, Dialect::GODOT4, dialect))
            }
            Some(json) => json.limits(limits).read(bytes),
            None if self == Self::Project => {
                let text = std::str::from_utf8(bytes).map_err(|error| {
                    let at = error.valid_up_to();
                    let name = &source.name;
                    Failure::no(format!("{name}: not UTF-8 text: invalid byte at offset {at}"))
                })?;
                project::from_text(text, dialect)
            }
            None => TextForm::new(dialect).in_precision().read(&text(source)?),
        };
        value.map_err(|error| self.fault(source, bytes, error))
    }

    /// Reads the values of one list.
    pub(crate) fn read_all<R: Real>(
        self,
        source: &Source,
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Vec<Variant<R>>, Failure> {
        let bytes = without_mark(source.bytes());
        let Some(json) = self.json(dialect) else {
            let Variant::Array(array) = self.read(source, dialect, limits)? else {
                return Err(Failure::no(format!("{}: --all needs a list of values", source.name))
                    .hint("put the values into an array"));
            };
            return Ok(array.into_iter().collect());
        };
        let mut values = json.limits(limits).read_all(bytes);
        if self.converts(dialect) {
            let converted = |value| native(value, Dialect::GODOT4, dialect);
            values = values.and_then(|values| values.into_iter().map(converted).collect());
        }
        values.map_err(|error| self.fault(source, bytes, error))
    }

    /// Makes the failure for a fault in a text of this form.
    fn fault(self, source: &Source, text: &[u8], error: Error) -> Failure {
        let keys = match self {
            Self::Json => in_json(text, error.offset()),
            Self::Text | Self::Native | Self::Project => String::new(),
        };
        Failure::in_text(&source.name, text, error).in_keys(keys)
    }
}

/// Converts a value of Godot 2 to Godot 4, or back.
fn native<R: Real>(value: Variant<R>, from: Dialect, to: Dialect) -> Result<Variant<R>, Error> {
    Converter::new(from, to).in_precision().convert(value).exact()
}

fn write_text(text: &VariantString, out: &mut dyn Write) -> Result<(), Error> {
    // The output records a write error itself.
    let _ = out.write_all(text.as_bytes());
    Ok(())
}

fn line_break(out: &mut dyn Write) {
    // The output records a write error itself.
    let _ = out.write_all(b"\n");
}

/// Returns the text of a file: UTF-8, in the extended form of Godot 2 and 3.
fn text(source: &Source) -> Result<VariantString, Failure> {
    VariantString::from_bytes(without_mark(source.bytes()).to_vec()).map_err(|offset| {
        Failure::no(format!("{}: not UTF-8 text: invalid byte at offset {offset}", source.name))
    })
}

/// Returns whether a text is JSON with something in it.
pub(crate) fn is_json(text: &str) -> bool {
    JsonText.sniff(text.as_bytes()) == Confidence::Whole
}
