//! The outcome of a packet that a decoder is given.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::protocol::Answer;

/// The outcome of one packet.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// The decoder answered, in turn.
    Answered(Answer),
    /// The process ended.
    Crashed {
        /// How: `exit status 101`, `signal 11 (SIGSEGV)`, `connection closed`.
        status: String,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// No answer came within the time limit; the process was killed.
    Hung {
        /// The limit.
        limit: Duration,
    },
    /// The process wanted more memory than it may have.
    OutOfMemory {
        /// The limit in bytes.
        limit: u64,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// Its bytes are no answer, or an answer without a request.
    OutOfTurn {
        /// Description of these bytes.
        found: String,
    },
}
