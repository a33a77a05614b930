//! The answer of a decoder to a packet, as text.

use super::Context;
use crate::oracle::AnswerForm;
use crate::oracle::Outcome;
use crate::oracle::protocol::Answer;

/// An outcome as a sentence, and what it said or sent.
pub(super) fn told(outcome: &Outcome, about: &Context) -> (String, Option<String>) {
    match outcome {
        Outcome::Answered(Answer::Accepted { consumed, bytes }) => {
            let length = match consumed {
                Some(1) => " and says that the value took 1 byte".to_owned(),
                Some(bytes) => format!(" and says that the value took {bytes} bytes"),
                None => String::new(),
            };
            let value = match about.answer {
                _ if bytes.is_empty() => None,
                AnswerForm::Json | AnswerForm::Text => {
                    Some(String::from_utf8_lossy(bytes).into_owned())
                }
                _ => Some(match about.ours(bytes, AnswerForm::Json) {
                    Some(json) => String::from_utf8_lossy(&json).into_owned(),
                    None => hex(bytes),
                }),
            };
            (format!("accepts the packet{length}"), value)
        }
        Outcome::Answered(Answer::Rejected { offset, message }) => {
            let place = offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
            let says = if message.is_empty() { "" } else { ", saying" };
            (format!("refuses the packet{place}{says}"), some(message))
        }
        Outcome::Answered(Answer::Skipped { what }) => {
            ("does not claim to read this".to_owned(), some(what))
        }
        Outcome::Crashed { status, stderr } => {
            (format!("ends ({status}); the last it says is"), some(stderr))
        }
        Outcome::Hung { limit } => (format!("does not answer within {limit:?}"), None),
        Outcome::OutOfMemory { limit, stderr } => {
            (format!("wants more memory than {limit} bytes; the last it says is"), some(stderr))
        }
        Outcome::OutOfTurn { found } => ("sends what is no answer".to_owned(), some(found)),
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The first bytes in hex.
fn hex(bytes: &[u8]) -> String {
    const SHOWN: usize = 256;
    let shown: Vec<_> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    let more = match bytes.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more bytes"),
    };
    shown.join(" ") + &more
}
