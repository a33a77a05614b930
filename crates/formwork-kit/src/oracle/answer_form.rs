//! The forms of accepted answers.

use std::fmt;
use std::str::FromStr;

/// The form of a target's accepted answers.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum AnswerForm {
    /// The value written again, in any form that reads as the same value.
    #[default]
    Bytes,
    /// The value as JSON in the [lossless form](formwork_variant::json).
    Json,
    /// The value in the engine's [text form](formwork_variant::text) (Variant packets only).
    Text,
    /// Nothing that is compared: only whether the packet is accepted, and how many bytes it took.
    Verdict,
}

impl AnswerForm {
    /// Every form.
    pub const ALL: &'static [Self] = &[Self::Bytes, Self::Json, Self::Text, Self::Verdict];

    /// The form's stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Json => "json",
            Self::Text => "text",
            Self::Verdict => "verdict",
        }
    }
}

impl fmt::Display for AnswerForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No form of answers is called so.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownAnswerForm(String);

impl fmt::Display for UnknownAnswerForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = AnswerForm::ALL.iter().map(|form| form.name()).collect();
        write!(f, "no form of answers is called `{}`; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownAnswerForm {}

impl FromStr for AnswerForm {
    type Err = UnknownAnswerForm;

    fn from_str(name: &str) -> Result<Self, UnknownAnswerForm> {
        let found = Self::ALL.iter().find(|form| form.name() == name);
        found.copied().ok_or_else(|| UnknownAnswerForm(name.to_owned()))
    }
}
