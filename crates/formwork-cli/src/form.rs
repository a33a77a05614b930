//! The forms of values: JSON, the engine's text form, Godot's native JSON.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use formwork::document::rule::DOCUMENT_FORM;
use formwork::document::{Confidence, Format as _, JsonText};
use formwork_godot::detect::{Detection, detect};
use formwork_godot::document::{self, rule};
use formwork_variant::json::Style;
use formwork_variant::{Dialect, Error, Limits};
use formwork_variant::{Real, Variant};

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
        self.of_document().name()
    }

    /// Returns the form of the library.
    const fn of_document(self) -> document::Form {
        match self {
            Self::Json => document::Form::Json,
            Self::Text => document::Form::Text,
            Self::Native => document::Form::Native,
            Self::Project => document::Form::Project,
        }
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
        let written = self.of_document().write(value, dialect, style, out);
        written.map_err(|error| Failure::in_value(name, error))
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
        let written = self.of_document().write_all(values, dialect, style, out);
        written.map_err(|error| match error.rule() {
            DOCUMENT_FORM => {
                Failure::usage(format!("{name}: the settings of a project are one value"))
            }
            _ => Failure::in_value(name, error),
        })
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
        let read = self.of_document().read(bytes, dialect, limits);
        read.map_err(|error| self.fault(source, bytes, error))
    }

    /// Reads the values of one list.
    pub(crate) fn read_all<R: Real>(
        self,
        source: &Source,
        dialect: Dialect,
        limits: Limits,
    ) -> Result<Vec<Variant<R>>, Failure> {
        let bytes = without_mark(source.bytes());
        let read = self.of_document().read_all(bytes, dialect, limits);
        read.map_err(|error| self.fault(source, bytes, error))
    }

    /// Makes the failure for a fault in a text of this form.
    pub(crate) fn fault(self, source: &Source, text: &[u8], error: Error) -> Failure {
        let name = &source.name;
        match error.rule() {
            rule::LIST => {
                return Failure::no(format!("{name}: --all needs a list of values"))
                    .hint("put the values into an array");
            }
            rule::UTF8 => {
                let at = error.offset();
                return Failure::no(format!("{name}: not UTF-8 text: invalid byte at offset {at}"));
            }
            _ => {}
        }
        let keys = match self {
            Self::Json => in_json(text, error.offset()),
            Self::Text | Self::Native | Self::Project => String::new(),
        };
        Failure::in_text(name, text, error).in_keys(keys)
    }
}

/// Returns whether a text is JSON with something in it.
pub(crate) fn is_json(text: &str) -> bool {
    JsonText.sniff(text.as_bytes()) == Confidence::Whole
}
