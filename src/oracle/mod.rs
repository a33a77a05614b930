//! Tests of decoders that are not ours: drives them with packets, judges what they answer, makes the
//! packet that shows a fault small, and reports it.

mod finding;
mod judge;
pub mod protocol;
pub mod report;
pub mod shrink;
pub mod target;

pub use finding::{Difference, Finding, Kind};
pub use judge::{AnswerForm, Judge, UnknownAnswerForm};
