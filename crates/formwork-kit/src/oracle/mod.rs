//! Tests of decoders that are not ours: drives them with packets, judges what they answer, makes the
//! packet that shows a fault small.

mod answer_form;
pub mod campaign;
pub mod check;
mod expectation;
mod finding;
mod judge;
mod matrix;
pub mod protocol;
#[cfg(test)]
mod recorded;
mod responder;
pub mod shrink;
mod stored;
pub mod target;

pub use answer_form::{AnswerForm, UnknownAnswerForm};
pub use expectation::{BadExpectations, Expectation, Expectations, Met};
pub use finding::{Cut, Deviation, Finding, Kind, Pair};
pub use judge::Judge;
pub use matrix::{Cell, Matrix};
pub use responder::Responder;
pub(crate) use stored::{from_hex, to_hex};
