//! Reads whole numbers, and says which members a record lacks.

use std::str::FromStr;

use formwork::{Error, Result};
use formwork_records::json::source::Source;

/// Expected content of most words.
pub(super) const WORD: &str = "a number from 0 to 4294967295";

/// A whole number.
pub(super) fn integer<T: FromStr>(source: &mut Source<'_>, expected: &'static str) -> Result<T> {
    source.number(|token| token.parse().map_err(|_| expected))
}

/// Returns the error that some of these members are missing.
#[cold]
pub(super) fn missing(source: &Source<'_>, members: &[&str]) -> Error {
    source.wrong(format!("the members {}", members.join(", ")), "not all of them")
}
