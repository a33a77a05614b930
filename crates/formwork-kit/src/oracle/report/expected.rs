//! The results that a correct decoder may return for a packet.

use super::Context;
use crate::oracle::protocol::Answer;
use crate::oracle::target::Outcome;
use crate::oracle::{AnswerForm, Finding};

/// The result of a correct decoder.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Expected {
    Refused,
    Accepted {
        /// Bytes that the value takes.
        consumed: Option<u32>,
        /// The value written again; empty where that is not known.
        value: Vec<u8>,
    },
    /// It comes to an end with the packet: more is not known.
    Answer,
}

impl Expected {
    /// Returns the expected result of the reference.
    pub(super) fn of(finding: &Finding, about: &Context) -> Self {
        match &finding.reference {
            Outcome::Answered(Answer::Rejected { .. }) => Self::Refused,
            Outcome::Answered(Answer::Accepted { consumed, bytes }) => Self::Accepted {
                consumed: *consumed,
                value: match about.answer {
                    AnswerForm::Bytes => bytes.clone(),
                    _ => about.ours(&finding.packet, AnswerForm::Bytes).unwrap_or_default(),
                },
            },
            _ => Self::Answer,
        }
    }

    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Refused => "It refuses the packet.".into(),
            Self::Answer => "It accepts or refuses the packet, and goes on with the next.".into(),
            Self::Accepted { consumed: None, .. } => "It accepts the packet.".into(),
            Self::Accepted { consumed: Some(consumed), .. } => {
                format!("It accepts the packet; the value takes {consumed} bytes of it.")
            }
        }
    }

    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Accepted { .. } => "accepted",
            Self::Answer => "any answer",
        }
    }
}
