//! Faults of a file, and their severity.

use std::fmt;
use std::ops::Deref;

use crate::error::Error;

/// The severity of a problem, the worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Grade {
    /// The file cannot be read because of it, or not further than to it.
    Damage,
    /// The file can be read.
    Warning,
}

/// A fault of a file, and its severity. Its text is that of the error.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The severity.
    pub grade: Grade,
    /// The fault, with its place.
    pub error: Error,
}

impl Problem {
    /// Makes the problem of a file that cannot be read.
    #[must_use]
    pub const fn damage(error: Error) -> Self {
        Self { grade: Grade::Damage, error }
    }

    /// Makes the problem of a file that can be read.
    #[must_use]
    pub const fn warning(error: Error) -> Self {
        Self { grade: Grade::Warning, error }
    }
}

impl Deref for Problem {
    type Target = Error;

    fn deref(&self) -> &Error {
        &self.error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}
