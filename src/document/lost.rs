//! The losses of a rescue.

use std::ops::Range;

use crate::error::Error;

/// A part of a damaged file that is lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// The bytes. Empty if they are missing.
    pub range: Range<u64>,
    /// Why they could not be read, and the path of the value that lacks them.
    pub error: Error,
}
