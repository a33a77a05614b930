//! The forms of accepted answers.

use crate::named::named;

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

named! {
    AnswerForm,
    /// No form of answers is called so.
    UnknownAnswerForm,
    "form of answers"
}
