//! Tests of decoders that are not ours: drives them with packets, judges what they answer, makes the
//! packet that shows a fault small.

mod answer_form;
#[cfg(feature = "campaigns")]
pub mod campaign;
#[cfg(feature = "campaigns")]
pub mod check;
#[cfg(feature = "campaigns")]
mod expectation;
mod finding;
mod judge;
#[cfg(feature = "campaigns")]
mod matrix;
mod outcome;
pub mod protocol;
#[cfg(all(test, feature = "campaigns"))]
mod recorded;
mod responder;
pub mod shrink;
mod stored;
#[cfg(feature = "campaigns")]
pub mod target;

pub use answer_form::{AnswerForm, UnknownAnswerForm};
#[cfg(feature = "campaigns")]
pub use expectation::{BadExpectations, Expectation, Expectations, Met};
pub use finding::{Cut, Deviation, Finding, Kind, Pair};
pub use judge::Judge;
#[cfg(feature = "campaigns")]
pub use matrix::{Cell, Matrix};
pub use outcome::Outcome;
pub use responder::Responder;
pub(crate) use stored::{from_hex, to_hex};
