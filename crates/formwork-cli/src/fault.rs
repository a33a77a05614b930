//! Faults in bytes, texts and values, whichever library found them.

use std::fmt;

/// A fault: what an error of a library says.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) offset: u64,
    /// The path of the field; may be empty.
    pub(crate) path: String,
    /// The name of the rule that is broken, and what the rule demands.
    pub(crate) rule: &'static str,
    pub(crate) demand: String,
    /// Bytes that are missing, at least.
    pub(crate) needed: Option<u64>,
    /// Whether a stream failed, or the bytes are damaged.
    pub(crate) is_of_stream: bool,
    pub(crate) is_damage: bool,
    /// The error in a line.
    line: String,
}

impl Fault {
    /// Returns whether the error has an offset: one in a value has none.
    pub(crate) fn is_placed(&self) -> bool {
        self.line.starts_with("offset ")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

macro_rules! faults {
    ($($library:ident)+) => { $(
        impl From<&$library::Error> for Fault {
            fn from(error: &$library::Error) -> Self {
                use $library::ErrorKind::{Incomplete, Io, Malformed};
                Self {
                    expected: error.expected().to_owned(),
                    found: error.found().to_owned(),
                    offset: error.offset(),
                    path: error.path().to_string(),
                    rule: error.rule().name(),
                    demand: error.rule().demand(),
                    needed: error.needed(),
                    is_of_stream: error.kind() == Io,
                    is_damage: matches!(error.kind(), Malformed | Incomplete { .. }),
                    line: error.to_string(),
                }
            }
        }

        impl From<$library::Error> for Fault {
            fn from(error: $library::Error) -> Self {
                Self::from(&error)
            }
        }
    )+ };
}

faults!(formwork formwork_variant);
