//! Tests of decoders that are not ours: drives them with packets, judges what they answer, makes the
//! packet that shows a fault small, and reports it.

pub mod check;
mod finding;
pub mod protocol;
mod responder;
pub mod target;

pub use finding::{Difference, Finding, Kind};
pub use responder::{AnswerForm, Responder};
