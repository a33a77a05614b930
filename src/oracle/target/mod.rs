//! Decoders under test, and how they are reached.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::protocol::Answer;

/// What came of one packet.
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
    /// What it sent is no answer, or nobody asked.
    OutOfTurn {
        /// What was found.
        found: String,
    },
}

/// A decoder under test.
pub trait Target: Send {
    /// Sends the packets, all before the first answer is waited for, and appends one outcome for
    /// each, in order. A process that crashed, hung or answered out of turn is replaced, and the
    /// packets behind it are sent to the new one: what befell one packet is not blamed on another.
    ///
    /// # Errors
    ///
    /// That the target cannot be started or reached at all.
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()>;

    /// Sees to it that the next packet meets a decoder that has seen none.
    ///
    /// # Errors
    ///
    /// That the target cannot be started or reached.
    fn restart(&mut self) -> io::Result<()>;

    /// How long the decoder's process has been computing since it was started, where that can be
    /// known.
    fn cpu_time(&self) -> Option<Duration> {
        None
    }
}
